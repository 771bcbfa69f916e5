"""MQSC in the texts of YAML: values of a chart, variables and tasks of Ansible.

A template or a task gives it to a queue manager later. Texts count that are MQSC below a key that
speaks of it, those that a task writes to a file of MQSC, and those that it gives to runmqsc.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.language.mqsc.language import is_mqsc
from mqlint.language.script.step import Embedded
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.budget import Budget

_OF_QUEUE_MANAGER = later(r"queue[-_]?manager|qmgr", re.IGNORECASE)
"""Keys below which a name is that of a queue manager."""
_RUN = later(r"(?<![\w.-])runmqsc(?:[ \t]+-\S+(?:[ \t]+\d+)?)*(?:[ \t]+([\w./%]+))?[ \t]*$")
_LONG = 200
_CONDITIONS = frozenset("when loop with_items with_dict until delegate_to rescue handlers".split())
"""Keys of Ansible by which a task may not run, or not here."""
_WRITTEN = ("content", "block")
_RUNNING = ("cmd", "argv", "_raw_params")


def mqsc_in_text(text: str, budget: Budget) -> Iterator[Embedded]:
    """Yield the MQSC that the documents of a text hold; for any text, without an error."""
    for document in read_documents(text, budget):
        yield from mqsc_in(document)


def mqsc_in(document: Node) -> Iterator[Embedded]:
    """Yield the MQSC that a document holds, in the order of its keys.

    It is for the queue manager that a mapping around it names (`queueManager: {name: ...}`), or
    that its task runs `runmqsc` for.
    """
    yield from _below(document, "", None, False, "")


def _below(
    node: Node, key: str, queue_manager: str | None, maybe: bool, model: str
) -> Iterator[Embedded]:
    """Yield the MQSC below a key; `model` tells it from that of other keys."""
    below_mqsc = "mqsc" in key.lower()
    maybe = maybe or node.maybe
    if node.kind == "scalar":
        if below_mqsc and node.mapped is not None and is_mqsc(node.mapped.text):
            yield Embedded.of("mqsc", node.mapped, queue_manager, maybe=maybe, model=model)
        return
    if _OF_QUEUE_MANAGER.search(key):
        queue_manager = node.word("name") or queue_manager
    given, target = _given(node)
    for item in node.items:
        yield from _below(item, key, queue_manager, maybe, model)
    doubtful = maybe or any(below in _CONDITIONS for below, _, _ in node.pairs)
    for below, _, value in node.pairs:
        own = f"#{value.start}"
        if value is given and value.mapped is not None and value.mapped.text.strip():
            name = target or queue_manager
            yield Embedded.of("mqsc", value.mapped, name, maybe=doubtful, model=own)
        else:
            inside = f"mqsc.{below}" if below_mqsc else below
            yield from _below(value, inside, queue_manager, doubtful, own)


def _given(task: Node) -> tuple[Node | None, str | None]:
    """The MQSC that a task writes to a file, or gives to a runmqsc whose queue manager it names."""
    file = task.word("dest") or task.word("path")
    if file.lower().endswith((".mqsc", ".mqs")):
        return next(filter(None, map(task.child, _WRITTEN)), None), None
    for key in _RUNNING:
        run = _RUN.search(task.word(key)[-_LONG:])
        if run is not None:
            return task.child("stdin"), run[1]
    return None, None
