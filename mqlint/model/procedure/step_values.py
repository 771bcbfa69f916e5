"""The attributes of control commands and of commands on files.

What a command says itself: its operands, paths and targets. How a script runs it: when, how often,
for which queue manager, and if it fails.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from mqlint.language.text.templates import is_known
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.script_steps import megabytes, option_value
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, flag
from mqlint.model.procedure.procedure import release
from mqlint.number import whole_number
from mqlint.patterns import later

if TYPE_CHECKING:
    from mqlint.language.script.step import Step

_DRIVE = later(r"[a-z]:")
_TREE = "/var/mqm/"
_ARCHIVE = later(
    r"(?i)(?:[-_.]?(?:backup|bkp|full|data|files|mqm|[0-9]++))*+[.](?:tar|tgz|tbz|taz)[^/]*$"
)
"""What follows the name of a queue manager in that of an archive with all of its files."""
_EXTENTS = {
    "files": later(r"(?i)[/\\]active[/\\](?:s[0-9*?]|[*]\.log\Z)"),
    "folder": later(r"(?i)[/\\]active[/\\]?$"),
}


def _operands(_: QueueManager, step: Step) -> Value:
    words = _known_operands(step)
    return words if len(words) == len(step.operands) else UNKNOWN


def _known_operands(step: Step) -> tuple[str, ...]:
    return tuple(operand.value for operand in step.operands if isinstance(operand.value, str))


def _paths(_: QueueManager, step: Step) -> Value:
    paths = tuple(path.path.rstrip("/") or path.path for path in step.paths)
    return (paths or ABSENT) if all(map(is_known, paths)) else UNKNOWN


def _is_whole(manager: QueueManager, step: Step) -> bool:
    """Whether it unpacks an archive with the name of the queue manager above the folder of MQ."""
    if step.action != "unpack" or step.other is None or manager.key.anonymous:
        return False
    archive = step.other.value
    file = archive.rpartition("/")[2] if isinstance(archive, str) else ""
    is_named = file[: len(manager.key.name)].upper() == manager.key.name.upper()
    return is_named and _ARCHIVE.match(file, len(manager.key.name)) is not None


def _parts(manager: QueueManager, step: Step) -> Value:
    if _is_whole(manager, step):
        return ("whole",)
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


def _live(_: QueueManager, step: Step) -> Value:
    """Whether a path may be of files in use; a folder may have the name of a backup."""
    from mqlint.language.script.files.path import liveness  # here, as most files have no commands

    return flag(any(liveness(path.path) for path in step.paths)) if step.paths else ABSENT


def _sole(manager: QueueManager, step: Step) -> Value:
    """The part, data or log, that it copies, if no copy of its script has the other one."""
    logs = (stanza.get("LogPath") for stanza, _ in manager.stanzas)
    is_inside = any(log and "/qmgrs/" in str(log.value) for log in logs)
    return step.sole if step.sole and not is_inside else ABSENT


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


CONTROL_VALUES: Final[dict[str, Callable[[QueueManager, Step], Value]]] = {
    "class": lambda manager, step: "restore" if _is_whole(manager, step) else step.action,
    "channel": lambda _, step: option_value(step, "c") if step.command == "runmqchl" else ABSENT,
    "maybe": lambda _, step: flag(step.execution.maybe),
    "operands": _operands,
    "operands.known": lambda _, step: _known_operands(step) or ABSENT,
    "paths": _paths,
    "parts": _parts,
    "extents": _extents,
    "live": _live,
    "other": lambda _, step: ABSENT if step.other is None else step.other.value,
    "sole": _sole,
    "target.place": _target_place,
    "volume.size": lambda _, step: (
        megabytes(option_value(step, "fs")) if step.command == "crtmqm" else ABSENT
    ),
    "release": lambda _, step: release(step),
    "named": lambda _, step: flag(step.queue_manager is not None),
}
"""Attributes of these commands, with the functions that read them."""


# -- how a script runs it --------------------------------------------------------------------------


_DAY = 24 * 60
_NAMED = {"@hourly": 60, "@daily": _DAY, "@midnight": _DAY, "@weekly": 7 * _DAY}
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_ITEM = later(r"(\*|\d{1,2}|[a-z]{3})(?:-(\d{1,2}|[a-z]{3}))?(?:/(\d{1,2}))?$")
_AGE = later(r"\+(\d{1,6})$")
_UNITS = {"mtime": _DAY, "ctime": _DAY, "mmin": 1, "cmin": 1}


def interval(schedule: str) -> int | None:
    """Return the longest time between two runs; None if it is not clear.

    It is exact to the hour for a job that runs every day, otherwise to the day. A schedule that
    omits months, or names days of the month and of the week, is not clear.
    """
    if schedule in _NAMED:
        return _NAMED[schedule]
    fields = schedule.lower().split()
    if len(fields) != 5 or fields[3] != "*":
        return None
    hours, days, weekdays = fields[1], fields[2], fields[4]
    if days != "*" and weekdays != "*":
        return None
    if days == weekdays:
        found = _numbers(hours, 0, 23)
        return None if not found else _longest(found, 24) * 60
    if days != "*":
        found = _numbers(days, 1, 31)
        return None if not found else _longest(found, 31) * _DAY
    found = _numbers(weekdays, 0, 6)
    return None if not found else _longest(found, 7) * _DAY


def age(step: Step) -> int | None:
    """Return how old a file is at least that find finds; None if its tests do not say."""
    found = [
        option for option in step.options if option.name in _UNITS and isinstance(option.value, str)
    ]
    matches = [(_AGE.match(str(number.value)), _UNITS[number.name]) for number in found]
    # `-mtime +3` is more than three whole days: four.
    ages = [(int(match[1]) + 1) * unit for match, unit in matches if match is not None]
    return max(ages, default=None)


def _numbers(field: str, first: int, last: int) -> set[int]:
    """The numbers of a field, none if it is not understood."""
    found: set[int] = set()
    for item in field.split(","):
        match = _ITEM.match(item)
        if match is None:
            return set()
        start, end = _number(match[1]), _number(match[2] or match[1])
        if match[1] == "*" or (match[3] and not match[2]):
            start, end = (first if match[1] == "*" else start), last
        if start is None or end is None:
            return set()
        numbers = range(start, end + 1, int(match[3] or 1) or 1)
        found.update(number % (last + 1) if first == 0 else number for number in numbers)
    return {number for number in found if first <= number <= last}


def _number(word: str) -> int | None:
    return _DAYS.index(word) if word in _DAYS else whole_number(word)


def _longest(numbers: set[int], cycle: int) -> int:
    """The longest way from one number to the next, round the cycle."""
    ordered = sorted(numbers)
    ways = [after - before for before, after in pairwise(ordered)]
    return max([*ways, ordered[0] + cycle - ordered[-1]])


_HELP = frozenset({"?", "h", "help", "version"})
"""Options with which a command only says how it is used."""


def _minutes(number: int | None) -> Value:
    return UNKNOWN if number is None else str(number)


def _meant(manager: QueueManager, step: Step) -> Value:
    """The queue manager of a command: the one that is `named`, or that of the `default`.

    Unknown if it depends on running, absent for a command without one.
    """
    spec = manager.vocabulary.control.get(step.command)
    if spec is None or spec.queue_manager in ("none", "Name"):
        return ABSENT
    if step.queue_manager is not None:
        return "named"
    if any(option.name.lstrip("-") in _HELP for option in step.options):
        return ABSENT
    from mqlint.language.script.binding import (  # here, as most files have no commands
        leaves_out_queue_manager,
    )

    is_here = step.execution.sent_at is None  # a container has one, and it is the default
    is_default = is_here and leaves_out_queue_manager(spec, step.options, step.operands)
    return "default" if is_default and not step.open else UNKNOWN


def _patterns(_: QueueManager, step: Step) -> Value:
    """The words that the shell may expand to names of files."""
    words = [option.value for option in step.options if option.globs]
    words += [operand.value for operand in step.operands if operand.globs]
    return tuple(word if isinstance(word, str) else "*" for word in words) or ABSENT


def _input(_: QueueManager, step: Step) -> Value:
    if step.has_input is None:
        return ABSENT
    return "given" if step.has_input else "none"


ROBUSTNESS: Final[dict[str, Callable[[QueueManager, Step], Value]]] = {
    "schedule": lambda _, step: step.execution.schedule or ABSENT,
    "interval.minutes": lambda _, step: _minutes(interval(step.execution.schedule or "")),
    "age.minutes": lambda _, step: _minutes(age(step)),
    "meant": _meant,
    "patterns": _patterns,
    "output": lambda _, step: step.output or ABSENT,
    "output.replaces": lambda _, step: step.replaces or ABSENT,
    "output.folder": lambda _, step: step.folder or (UNKNOWN if step.output == "kept" else ABSENT),
    "directory": lambda _, step: step.directory or ABSENT,
    "checked": lambda _, step: flag(step.checked),
    "fatal": lambda _, step: flag(step.fatal),
    "failure": lambda _, step: step.failure or ABSENT,
    "input": _input,
    "background": lambda _, step: flag(step.background),
    "host": lambda _, step: step.execution.host or ABSENT,
    "unguarded": lambda _, step: step.unguarded or ABSENT,
}
"""Attributes of control commands and of commands on files, with the functions that read them."""
