"""The module `queue_manager` of IBM's collection for Ansible, as the commands that it runs.

Source: plugins/modules/queue_manager.py and docs/QUEUE_MANAGER.md of ibm-messaging/mq-ansible, as
of January 2026. `present` runs crtmqm, `running` runs crtmqm if there is no such queue manager and
then strmqm, `stopped` runs endmqm and `absent` dltmqm. `mqsc_file` is given to `runmqsc -f`, for
which a queue manager that does not run is started and ended.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.language.script.hosts.block import Block
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.text.templates import PLACEHOLDER, with_placeholders
from mqlint.language.yaml.embedded_mqsc import CONDITIONS
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.source.budget import Budget

_MODULES = frozenset({"queue_manager", "ibm_messaging.ibmmq.queue_manager"})
_EVERY = "ALL_QMGRS"
_OPTIONS = (
    ("data_dir", "-md"),
    ("log_dir", "-ld"),
    ("log_file_size", "-lf"),
    ("log_primary", "-lp"),
    ("log_secondary", "-ls"),
    ("description", "-c"),
)


def module_scripts(text: str, budget: Budget) -> list[Block]:
    """Return the commands that the tasks with this module run, a text for each task."""
    found: list[Block] = []
    for document in read_documents(text, budget):
        waiting = [(document, False)]
        while waiting:
            node, maybe = waiting.pop()
            maybe = maybe or node.maybe or any(key in CONDITIONS for key, _, _ in node.pairs)
            for key, span, value in node.pairs:
                if key in _MODULES and value.kind == "mapping":
                    found += _task(value, span[0], maybe)
                else:
                    waiting.append((value, maybe or key in CONDITIONS))
            waiting += ((item, maybe) for item in node.items)
    return found


def _task(task: Node, start: int, maybe: bool) -> Iterator[Block]:
    """Yield what a task runs; what happens to every queue manager of a host is not followed."""
    names = task.child("qmname")
    state, file = task.word("state"), task.child("mqsc_file")
    for name in () if names is None else names.items or (names,):
        if name.kind != "scalar" or name.text == _EVERY:
            continue
        if state == "running" and any(task.child(key) for key, _ in _OPTIONS):
            yield Block(_line(start, [("crtmqm", None), *_options(task), ("", name)]), maybe=True)
        builder = MappedTextBuilder()
        for words in _commands(state, name, task, file):
            builder.add_mapped(_line(start, words))
        if builder.length:
            yield Block(builder.finish(max(task.end, start + 1)), maybe=maybe)


Words = list[tuple[str, Node | None]]


def _commands(state: str, name: Node, task: Node, file: Node | None) -> Iterator[Words]:
    """Yield the commands of one queue manager: pairs of a word and of a value behind it."""
    mqsc: Words = [("runmqsc", name), ("-f", file)]
    if state == "present":
        yield [("crtmqm", None), *_options(task), ("", name)]
        if file is not None:
            yield [("strmqm", name)]
            yield mqsc
            yield [("endmqm", name)]
    elif state == "running":
        yield [("strmqm", name)]
        if file is not None:
            yield mqsc
    elif state == "stopped":
        if file is not None:
            yield mqsc
        yield [("endmqm", name)]
    elif state == "absent":
        yield [("dltmqm", name)]


def _options(task: Node) -> Iterator[tuple[str, Node | None]]:
    for key, option in _OPTIONS:
        value = task.child(key)
        if value is not None and value.kind == "scalar":
            yield option, value


def _line(start: int, words: Words) -> MappedText:
    """Return a command for the shell; its own words stand where the module's name does."""
    builder = MappedTextBuilder()
    end = start + 1
    for word, value in words:
        builder.add(f"{word} ", start, 0)
        if value is None or value.mapped is None:
            continue
        covered = with_placeholders(value.text)
        text = covered if value.known or covered != value.text else PLACEHOLDER * 3
        text = text.replace("'", PLACEHOLDER).replace("\n", " ")
        builder.add("'", value.start, 0)
        builder.add_mapped(MappedText(text, value.mapped.segments, value.mapped.end))
        builder.add("' ", max(value.mapped.end - 1, value.start), 0)
        end = value.mapped.end
    builder.add("\n", max(end - 1, start), 0)
    return builder.finish(end)
