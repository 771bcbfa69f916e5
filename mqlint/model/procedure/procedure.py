"""Procedures: the steps of one script, crontab line or MQSC file for one queue manager.

MQSC is at the place of the step that runs it: a here-document at its own place, a file at the
runmqsc that reads it. A branch may not run, and files that are not known may do anything. What the
earlier steps changed is known too: REPOS, a queue manager that runs, its release.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, groupby
from operator import itemgetter
from posixpath import basename
from typing import TYPE_CHECKING, Final

from mqlint.finding import Location
from mqlint.language.execution import Execution
from mqlint.language.mqsc import Command, Templated, decode
from mqlint.model.core.action import action_of
from mqlint.model.core.cached_answers import CachedAnswers
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.script_steps import FedFiles, Position, Script, Text
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.procedure.command_class import (
    QUIET,
    class_of,
    command_words,
    monitored,
    object_named,
)
from mqlint.patterns import later

if TYPE_CHECKING:
    from mqlint.language.script.step import Step


class Procedure(CachedAnswers):
    """The steps of one script.

    `is_scheduled` is true if a clock runs it, `is_text` if it is MQSC that no known script runs.
    A crontab has one for each line.
    """

    __slots__ = ("_files", "is_scheduled", "is_text", "manager", "origin", "script")

    def __init__(self, manager: QueueManager, script: Script, files: FedFiles) -> None:
        """`files` are those that its steps feed to the queue manager."""
        super().__init__()
        self.manager = manager
        self.script = script
        self.origin = script.origin
        self.is_scheduled = script.timed
        self.is_text = script.is_text
        self._files = files

    def place(self, offset: int) -> Location:
        return self.origin.location((offset, offset))

    def commands(self, *, quiet: bool) -> Iterator[tuple[Text, Command]]:
        """Yield the MQSC commands that define or show objects, or the others."""
        vocabulary = self.manager.vocabulary
        for text in self._texts():
            for command in text.commands:
                kind = class_of(command.form.shape)
                if not kind or (kind in QUIET and not _is_of_interest(command)) is not quiet:
                    continue
                if action_of(command, vocabulary) is not None:
                    yield text, command

    def _texts(self) -> Iterator[Text]:
        """The MQSC of the script, and that of the files it feeds."""
        yield from self.script.texts
        for step in self.script.steps:
            file = self._file(step)
            for text in file.texts if file is not None else ():
                # In what order a function and a file that it feeds run is not followed.
                in_function = step.execution.called_at is not None
                maybe = step.execution.maybe or in_function or text.execution.maybe
                is_apart = in_function or text.execution.maybe
                block = "" if is_apart else step.execution.block
                execution = Execution(maybe, called_at=step.position[0], block=block)
                yield Text(text.origin, text.commands, execution)

    def unread(self) -> list[Step]:
        unread = [
            step
            for step in self.script.steps
            if step.reads is not None and self._file(step) is None
        ]
        return unread + [step for step in self.script.unbound if step.action == "mqsc"]

    def _file(self, step: Step) -> Script | None:
        """The file of MQSC that a step reads, None if it reads none or the file is not here."""
        return next(iter(self._files.of(step, self.origin.path)), None)


def _is_of_interest(command: Command) -> bool:
    """Whether policies are about a command that makes an object or shows something.

    A definition of an object in use waits for a REFRESH SECURITY, as ALTER does. Some of what
    DISPLAY asks for is blank without monitoring (q037990_).
    """
    shape = command.form.shape
    is_replaced = shape.noun == "AUTHINFO" and "REPLACE" in shape.words
    return is_replaced or monitored(shape) is not ABSENT


def procedures(manager: QueueManager) -> tuple[Procedure, ...]:
    """Return the procedures of a queue manager.

    A file that a script feeds has no procedure of its own: it runs as part of the script.
    """
    scripts: Sequence[Script] = manager.scripts
    files = FedFiles(scripts)
    read = {
        file.origin.path
        for script in scripts
        for step in script.steps
        for file in files.of(step, script.origin.path)
    }
    return tuple(
        Procedure(manager, part, files)
        for script in scripts
        if script.origin.path not in read
        for part in script.runs()
    )


_INSTALLATION = later(r"[/\\][^/\\0-9]{0,40}(10|[789])[._]?([0-9])[0-9._]{0,9}[/\\]")
"""The folder of an installation that is named after its release: /opt/mqm940/bin/strmqm."""
_STOPS = frozenset("end kill service role node create delete".split())
"""Classes of control commands after which a queue manager does not run, or may not."""
_ONLY_FOR_A_MOMENT = ("a", "c", "e", "r")
"""Options with which strmqm leaves a queue manager ended."""

_Change = tuple[Position, Value]


def route_before(manager: QueueManager, command: Command) -> Value:
    """Return the CLROUTE that a topic has before a command; absent if it has none.

    Unknown if the commands for the topic here do not tell.
    """
    name = object_named(command)
    found = manager.recorded("topic", name) if isinstance(name, str) else None
    layers = () if found is None else chain.from_iterable(found.chains)
    layer = next((layer for layer in layers if layer.command is command), None)
    if found is None or layer is None:
        return UNKNOWN
    value = found.written_value("CLROUTE", layer)
    return UNKNOWN if value is None else value


def cloned_before(procedure: Procedure, step: Step) -> Value:
    """Return `true` if a mount gets a copy of a disk that the script has made before it.

    A disk of a cloud has another name on the host; a logical volume keeps its name.
    """
    if step.action != "mount":
        return ABSENT
    script = procedure.script
    source = step.other.value if step.other is not None else ABSENT
    found: Value = ABSENT
    for made in (*script.steps, *script.unbound):
        if made.action not in ("clone", "snapshot") or made.position >= step.position:
            continue
        if made.other is None or (isinstance(source, str) and _is_disk(made, source)):
            if not made.execution.maybe:
                return "true"
            found = UNKNOWN
    return found


def _is_disk(made: Step, source: str) -> bool:
    """Whether a file system is on the volume that lvcreate, zfs or btrfs has made."""
    named = made.text("n") or made.text("name")
    words = [word.value for word in made.operands if isinstance(word.value, str)]
    name = named or (words[-1] if words else "")
    return bool(name) and (source == name or basename(source) == basename(name))


def release(step: Step) -> Value:
    """Return the release in the path of a command as a number: 904 of 9.4, 1000 of 10.0."""
    match = _INSTALLATION.search(step.program[:200])
    return str(int(match[1]) * 100 + int(match[2])) if match else ABSENT


def _isolations(procedure: Procedure) -> list[_Change]:
    """The places at which the network is closed, or may be, in their order."""
    steps = (*procedure.script.steps, *procedure.script.unbound)
    closing = [step for step in steps if step.action == "isolate"]
    found = _ordered(procedure, (_change(step, "true") for step in closing))
    for step in sorted(filter(_is_enclosed, closing), key=lambda step: step.position):
        at = bisect_left(found, step.position, key=_place)
        before = found[at - 1][1] if at else ABSENT
        insort(found, (step.execution.position(step.span[1]), before), key=_place)
    return found


def _place(change: _Change) -> Position:
    return change[0]


def _is_enclosed(step: Step) -> bool:
    """Whether only a command in the words of `unshare` has a network that is closed.

    A shell without `-c` may read what follows.
    """
    words = [word.value for word in step.operands]
    if step.command != "unshare" or step.execution.maybe:
        return False
    from mqlint.language.script.calls.wrappers import SHELLS  # here, as few files have unshare

    names = {basename(word) for word in words if isinstance(word, str) and not word.startswith("-")}
    return bool(names) and UNKNOWN not in words and ("-c" in words or names.isdisjoint(SHELLS))


def _releases(procedure: Procedure, command: str) -> list[_Change]:
    """The places of a command, and of what replaces the queue manager, with the releases there."""
    return _ordered(
        procedure,
        (
            _change(step, release(step) if step.command == command else ABSENT)
            for step in procedure.script.steps
            if step.command == command or step.action in ("create", "delete", "restore")
        ),
    )


def creates(procedure: Procedure) -> Value:
    """Return `true` if the script creates the queue manager, `elsewhere` if another one does."""
    if any(step.action == "create" for step in procedure.script.steps):
        return "true"
    return "elsewhere" if procedure.manager.cached(_is_created) else "false"


def _is_created(manager: QueueManager) -> bool:
    steps = chain.from_iterable(script.steps for script in manager.scripts)
    return any(step.action == "create" for step in steps)


def is_contained(procedure: Procedure) -> bool:
    """Whether it is MQSC that a container runs at each start, before any channel."""
    return not procedure.script.steps and procedure.manager.cached(_is_container)


def _is_container(manager: QueueManager) -> bool:
    return any(declared.type == "manifest" for declared, _ in manager.declared)


def comes_after(procedure: Procedure, position: Position, action: str) -> bool:
    """Whether the script starts, or deletes, the queue manager after a place."""
    steps = procedure.script.steps
    return any(step.action == action and step.position > position for step in steps)


def neighbours(procedure: Procedure, step: Step) -> Value:
    """Return the other commands of the script that are for the same queue manager, or may be.

    With them is `restore` if one of them writes files of a backup.
    """
    commands = procedure.cached(_only_steps).items()
    return tuple(command for command, only in commands if only is not step) or ABSENT


def managers_named(procedure: Procedure) -> Value:
    """Return the queue managers that commands of the script name."""
    steps = (*procedure.script.steps, *procedure.script.unbound)
    names = (step.queue_manager for step in steps)
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str))) or ABSENT


def _only_steps(procedure: Procedure) -> Mapping[str, Step | None]:
    """The commands of a script, in order, each with its step if it has only one."""
    found: dict[str, Step | None] = {}
    for step in (*procedure.script.steps, *procedure.script.unbound):
        restores = step.action in ("restore", "unpack")
        for word in (step.command, "restore") if restores else (step.command,):
            found[word] = None if word in found else step
    return found


def _repositories(procedure: Procedure) -> list[_Change]:
    """The places at which REPOS changes, or may change, in their order, and its values there."""
    found: list[_Change] = [((step.span[0], 1), UNKNOWN) for step in procedure.unread()]
    for text, command in procedure.commands(quiet=False):
        if command_words(command) == "ALTER QMGR" and "REPOS" in command.form.shape.words:
            maybe = command.maybe or text.execution.maybe
            found.append((text.position(command), UNKNOWN if maybe else _repository(command)))
    return _ordered(procedure, found)


def _repository(command: Command) -> Value:
    shape = command.form.shape
    slot = shape.slots[shape.words.index("REPOS")]
    raw = command.values[slot] if slot >= 0 else ""
    return UNKNOWN if isinstance(raw, Templated) else decode(raw) or ABSENT


def _suspensions(procedure: Procedure) -> list[_Change]:
    """The places of SUSPEND QMGR and RESUME QMGR, with the clusters that are suspended after."""
    found: list[_Change] = [((step.span[0], 1), UNKNOWN) for step in procedure.unread()]
    verbs: dict[Position, str] = {}
    for text, command in procedure.commands(quiet=False):
        shape = command.form.shape
        if shape.verb in ("SUSPEND", "RESUME") and "FACILITY" not in shape.words:
            raw, position = command.get("CLUSTER"), text.position(command)
            is_open = raw is None or isinstance(raw, Templated)
            maybe = is_open or command.maybe or text.execution.maybe
            verbs[position] = shape.verb
            found.append((position, UNKNOWN if maybe else decode(raw or "")))
    suspended: dict[str, None] = {}
    states: list[_Change] = []
    for position, name in _ordered(procedure, found):
        if not isinstance(name, str):
            return [*states, (position, UNKNOWN)]
        if verbs[position] == "SUSPEND":
            suspended[name] = None
        else:
            suspended.pop(name, None)
        states.append((position, tuple(suspended) or ABSENT))
    return states


def _starts(procedure: Procedure) -> list[_Change]:
    """The places at which the queue manager starts or ends, or may, in their order."""
    found: list[_Change] = [
        ((step.span[0], 0), UNKNOWN)
        for step in procedure.script.unbound
        if step.action in _STOPS or step.action == "start"
    ]
    for step in procedure.script.steps:
        is_start = step.action == "start" and step.option(*_ONLY_FOR_A_MOMENT) is None
        if is_start or step.action in _STOPS:
            found.append(_change(step, "true" if is_start else ABSENT))
    return _ordered(procedure, found)


def _bare_starts(procedure: Procedure) -> list[_Change]:
    """The places at which the queue manager starts, `true` for one without channels (-ns)."""
    starts = (step for step in procedure.script.steps if step.action == "start")
    return _ordered(
        procedure,
        (_change(step, ABSENT if step.option("ns") is None else "true") for step in starts),
    )


def _change(step: Step, value: Value) -> _Change:
    """The value after a step; unknown if the step may not run."""
    return step.position, UNKNOWN if step.may_not_run else value


def _ordered(procedure: Procedure, changes: Iterable[_Change]) -> list[_Change]:
    """Changes in their order, with the places of commands that may do anything."""
    unseen = (((offset, 0), UNKNOWN) for offset in procedure.script.calls)
    return sorted((*unseen, *changes), key=lambda change: change[0])


_CHANGES: Final[Mapping[str, Callable[[Procedure], list[_Change]]]] = {
    "repository": _repositories,
    "suspended": _suspensions,
    "running": _starts,
    "bare": _bare_starts,
    "isolated": _isolations,
    "strmqm": partial(_releases, command="strmqm"),
    "setmqm": partial(_releases, command="setmqm"),
}


def _changes(procedure: Procedure, word: str) -> list[_Change]:
    """The places at which a value changes, without those that leave it as it is."""
    every = _CHANGES[word](procedure)
    return [next(equal) for _, equal in groupby(every, key=itemgetter(1))]


def value_before(procedure: Procedure, word: str, position: Position) -> Value:
    """Return what the steps before a position leave; absent if they leave nothing.

    `word` is `repository` for REPOS, `suspended` for clusters, `running`, `bare` or `isolated` for
    `true`, and `strmqm` or `setmqm` for the release of the last such command. Unknown if that
    depends on a branch, on a namelist, or on something that is not here.
    """
    found = procedure.cached_for(_changes, word)
    index = bisect_left(found, position, key=_place)
    return found[index - 1][1] if index else ABSENT
