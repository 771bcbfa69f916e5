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
_LEAVES = {"present": "present", "running": "running", "stopped": "present"}
"""The state that a queue manager has after a task, by the state that the task asks for."""
_OPTIONS = (
    ("data_dir", "-md"),
    ("log_dir", "-ld"),
    ("log_file_size", "-lf"),
    ("log_primary", "-lp"),
    ("log_secondary", "-ls"),
    ("description", "-c"),
)


def module_scripts(text: str, budget: Budget) -> list[Block]:
    """Return the commands that the tasks with this module run, in the order of the tasks."""
    tasks: list[tuple[Node, int, bool]] = []
    for document in read_documents(text, budget):
        waiting = [(document, False)]
        while waiting:
            node, maybe = waiting.pop()
            maybe = maybe or node.maybe or any(key in CONDITIONS for key, _, _ in node.pairs)
            for key, span, value in node.pairs:
                if key in _MODULES and value.kind == "mapping":
                    tasks.append((value, span[0], maybe))
                else:
                    waiting.append((value, maybe or key in CONDITIONS))
            waiting += ((item, maybe) for item in node.items)
    states: dict[str, str] = {}
    tasks.sort(key=lambda task: task[1])
    return [block for task in tasks for block in _task(*task, states, budget)]


def _task(
    task: Node, start: int, maybe: bool, states: dict[str, str], budget: Budget
) -> Iterator[Block]:
    """Yield the commands of a task, unless it is about every queue manager of a host.

    `states` are those after earlier tasks: the module omits commands without effect.
    """
    names = task.child("qmname")
    for at, name in enumerate(() if names is None else names.items or (names,)):
        if name.kind != "scalar" or name.text == _EVERY:
            continue
        commands = _commands(task.word("state"), name, task, states.get(name.text, ""))
        for number, (words, is_certain) in enumerate(commands):
            # Their order is that of places: each begins at another one of the module's name.
            line = _line(start + number, words)
            if at and not budget.spend(len(line.text)):
                return
            yield Block(line, maybe=maybe or not is_certain)
        stays = task.word("state") == "present" and states.get(name.text) == "running"
        if not stays:
            states[name.text] = _LEAVES.get(task.word("state"), "")


Words = list[tuple[str, Node | None]]


def _commands(state: str, name: Node, task: Node, before: str) -> Iterator[tuple[Words, bool]]:
    """Yield the commands of a task for a queue manager, and whether they certainly run.

    A command is pairs of a word and its value. `before` is the state that an earlier task left,
    blank if there is no such task or if that deleted the queue manager.
    """
    file = task.child("mqsc_file")
    stopped = before != "running"
    mqsc: list[tuple[Words, bool]] = []
    if file is not None:
        mqsc.append(([("runmqsc", name), ("-f", file)], True))
    options = [*_options(task)]
    create: Words = [("crtmqm", None), *options, ("", name)]
    if state == "present":
        yield create, not before
        if mqsc:
            yield [("strmqm", name)], stopped
            yield from mqsc
            yield [("endmqm", name)], stopped
    elif state == "running":
        if options and not before:
            yield create, False
        yield [("strmqm", name)], stopped
        yield from mqsc
    elif state == "stopped":
        yield from mqsc
        yield [("endmqm", name)], True
    elif state == "absent":
        yield [("dltmqm", name)], True


def _options(task: Node) -> Iterator[tuple[str, Node | None]]:
    for key, option in _OPTIONS:
        value = task.child(key)
        if value is not None and value.kind == "scalar":
            yield option, value


def _line(start: int, words: Words) -> MappedText:
    """Return a command for the shell; all its own words are mapped to the name of the module."""
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
