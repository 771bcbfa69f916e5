"""What a control command, or a command on files, says itself: its operands, paths and targets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from mqlint.language.text.templates import is_known
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.script_steps import megabytes, option_value
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, flag
from mqlint.model.procedure.procedure import release
from mqlint.patterns import later

if TYPE_CHECKING:
    from mqlint.language.script.step import Step

_DRIVE = later(r"[a-z]:")
_TREE = "/var/mqm/"
_EXTENTS = {
    "files": later(r"(?i)[/\\]active[/\\]s[0-9*?]"),
    "folder": later(r"(?i)[/\\]active[/\\]?$"),
}


def _operands(_: QueueManager, step: Step) -> Value:
    words = _known_operands(step)
    return words if len(words) == len(step.operands) else UNKNOWN


def _known_operands(step: Step) -> tuple[str, ...]:
    return tuple(operand.value for operand in step.operands if isinstance(operand.value, str))


def _paths(_: QueueManager, step: Step) -> Value:
    paths = tuple(path.path for path in step.paths)
    return (paths or ABSENT) if all(map(is_known, paths)) else UNKNOWN


def _parts(_: QueueManager, step: Step) -> Value:
    return tuple(dict.fromkeys(path.part for path in step.paths)) or ABSENT


def _extents(_: QueueManager, step: Step) -> Value:
    """Whether it names log extents (`files`) or the `folder` of the active ones; not in a backup.

    The name of the queue manager in a path makes no difference, and may be unknown.
    """
    from mqlint.language.script.files.path import liveness  # here, as most files have no commands

    paths = [path.path for path in step.paths if liveness(path.path)]
    for kind, form in _EXTENTS.items():
        if any(form.search(path) for path in paths):
            return kind
    return ABSENT if all(map(is_known, paths)) else UNKNOWN


def _sole(manager: QueueManager, step: Step) -> Value:
    """Whether it copies data, and neither it nor another copy of its script has the log."""
    if not step.sole:
        return "false"
    logs = (stanza.get("LogPath") for stanza, _ in manager.stanzas)
    return "false" if any(log and "/qmgrs/" in str(log.value) for log in logs) else "true"


def _target_place(_: QueueManager, step: Step) -> Value:
    """The target of a copy: `below` its source, its `drive`, in the `tree` of MQ, or `apart`."""
    target = None if step.other is None else step.other.value
    sources = [path.path for path in step.paths]
    if not isinstance(target, str) or not all(map(is_known, sources)):
        return ABSENT if step.other is None else UNKNOWN
    target = target.replace("\\", "/").casefold()
    places = [source.replace("\\", "/").casefold().rstrip("/*.") for source in sources]
    if any(target.startswith(f"{place}/") for place in places):
        return "below"
    if any(_DRIVE.match(place) and target[:2] == place[:2] for place in places):
        return "drive"
    is_tree = target.startswith(_TREE) and any(place.startswith(_TREE) for place in places)
    return "tree" if is_tree else "apart"


def _volume_size(_: QueueManager, step: Step) -> Value:
    """The size of the file system that crtmqm makes, in megabytes."""
    return megabytes(option_value(step, "fs")) if step.command == "crtmqm" else ABSENT


CONTROL_VALUES: Final[dict[str, Callable[[QueueManager, Step], Value]]] = {
    "class": lambda _, step: step.action,
    "maybe": lambda _, step: flag(step.execution.maybe),
    "operands": _operands,
    "operands.known": lambda _, step: _known_operands(step) or ABSENT,
    "paths": _paths,
    "parts": _parts,
    "extents": _extents,
    "other": lambda _, step: ABSENT if step.other is None else step.other.value,
    "sole": _sole,
    "target.place": _target_place,
    "volume.size": _volume_size,
    "release": lambda _, step: release(step),
    "named": lambda _, step: flag(step.queue_manager is not None),
}
"""Attributes of these commands, with the functions that read them."""
