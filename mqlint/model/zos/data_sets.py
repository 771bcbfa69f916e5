"""Data sets of z/OS: their use, and copies of them.

The use follows from the files that name a data set: the procedure of the queue manager or its log
inventory; otherwise from the names of IBM's samples (`PSIDnn`, `LOGCOPYn.DSnn`, `BSDSnn`, `SMDS`).
Otherwise it is unknown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, flag
from mqlint.model.facts.files.resources import ResourceFact, resource_type
from mqlint.number import whole_number
from mqlint.patterns import later

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mqlint.language.declaration import Declared
    from mqlint.language.script.step import Step

_PAGE_SET = later(r"(?:^|\.)(?:PSID|PAGESET|PGSET|PAGE|PS)(\d{1,4})(?=\.|$)")
_LOG = later(r"(?:^|\.)(LOG(?:COPY|C)?)([12])(\.DS\d+)(?=\.|$)")
_BSDS = later(r"(?:^|\.)BSDS0?[12](?=\.|$)")
_SHARED = later(r"(?:^|\.)SMDS(?=\.|$)")


class _DataSets:
    """The data sets that a queue manager is known to use."""

    def __init__(self, manager: QueueManager) -> None:
        self.page_sets: dict[str, str] = {}
        self.others: dict[str, str] = {}
        for declared, _ in manager.declarations("page_set", "bsds", "log_entry"):
            name = declared.value("data_set")
            if declared.type == "page_set" and isinstance(name, str):
                self.page_sets[name] = declared.name
            elif declared.type == "bsds" and isinstance(name, str):
                self.others[name] = "bsds"
            elif declared.type == "log_entry" and "archive" not in declared.name.lower():
                self.others.setdefault(declared.name, "log")

    def base(self, name: str) -> str:
        """The page set that a data set is a copy of by its name, blank when it is of none."""
        parts = name.split(".")
        heads = (".".join(parts[:end]) for end in range(len(parts) - 1, 0, -1))
        return next((head for head in heads if head in self.page_sets), "")

    def number(self, name: str) -> Value:
        """The page set that a data set holds, or held; its number."""
        known = self.page_sets.get(name) or self.page_sets.get(self.base(name))
        if known is not None:
            return known
        match = _PAGE_SET.search(name)
        return str(int(match[1])) if match is not None else UNKNOWN

    def use(self, name: str) -> Value:
        """The use of a data set: page-set, log, bsds, smds, or the backup of a page set."""
        if name in self.page_sets:
            return "page-set"
        if name in self.others:
            return self.others[name]
        if self.base(name):
            return "page-set-backup"
        if _LOG.search(name):
            return "log"
        if _BSDS.search(name):
            return "bsds"
        if _SHARED.search(name):
            return "smds"
        match = _PAGE_SET.search(name)
        if match is None:
            return UNKNOWN
        return "page-set" if match.end() == len(name) else "page-set-backup"

    def is_live(self, name: str) -> bool | None:
        """Whether the queue manager itself uses it; None if its procedure is not here."""
        if name in self.page_sets or name in self.others:
            return True
        return False if self.page_sets else None


def copy_value(manager: QueueManager, step: Step, attribute: str) -> Value:
    """Return an attribute of the copy that a step makes; absent for steps that copy nothing.

    `what` is page-set, log or bsds; `direction` backup or restore; `from.page_set` and
    `to.page_set` are numbers. Unknown if the names do not tell.
    """
    if step.action not in ("copy", "restore"):
        return ABSENT
    sets = manager.cached(_DataSets)
    source, target = step.text("from"), step.text("to")
    if attribute == "from.page_set":
        return sets.number(source) if source else UNKNOWN
    if attribute == "to.page_set":
        return sets.number(target) if target else UNKNOWN
    if attribute == "direction":
        return _direction(sets, source, target)
    uses = {sets.use(name) for name in (source, target) if name}
    if "page-set-backup" in uses or "page-set" in uses:
        return "page-set"
    known = uses & {"log", "bsds"}
    return str(known.pop()) if len(known) == 1 else UNKNOWN


def _direction(sets: _DataSets, source: str, target: str) -> Value:
    if not source or not target:
        return UNKNOWN
    live = sets.is_live(source), sets.is_live(target)
    if live == (True, False):
        return "backup"
    if live == (False, True):
        return "restore"
    if target.startswith(f"{source}."):
        return "backup"
    return "restore" if source.startswith(f"{target}.") else UNKNOWN


# -- values that follow from others ----------------------------------------------------------------


def _copied(fact: ResourceFact) -> Value:
    """Whether the jobs copy a page set: copied, left-out (others are), nothing (none is)."""
    states = fact.manager.cached(_copies)
    name = fact.value("data_set")
    if states is None or not isinstance(name, str):
        return UNKNOWN
    if any(form.fullmatch(name) for form in states):
        return "copied"
    others = fact.manager.cached(_DataSets).page_sets
    is_left_out = any(form.fullmatch(other) for form in states for other in others)
    return "left-out" if is_left_out else "nothing"


def _copies(manager: QueueManager) -> tuple[re.Pattern[str], ...] | None:
    """The data sets that the jobs copy, as patterns of names; None if that is not known."""
    forms: list[str] = []
    for script in manager.scripts:
        copies = [step for step in script.steps if step.action == "copy"]
        if not copies:
            continue
        if script.calls or any(not copy.text("from") for copy in copies):
            return None
        forms += [word for copy in copies for word in copy.text("from").split()]
    return tuple(re.compile(_pattern(name)) for name in dict.fromkeys(forms))


def _pattern(name: str) -> str:
    """The expression of a data set name as ADRDSSU filters by it: `**`, `*` and `%`."""
    pieces = re.split(r"(\*\*?|%)", name)
    words = {"**": ".*", "*": "[^.]*", "%": "[^.]"}
    return "".join(words.get(piece, re.escape(piece)) for piece in pieces)


def _named(fact: ResourceFact) -> Value:
    """The number in the name of a page set's data set."""
    name = fact.value("data_set")
    match = _PAGE_SET.search(name) if isinstance(name, str) else None
    return UNKNOWN if match is None else str(int(match[1]))


def _named_copy(fact: ResourceFact) -> Value:
    """The number of the copy in the name of a log's data set; absent if it has none."""
    match = _LOG.search(fact.name)
    return ABSENT if match is None else match[2]


def _repeats(fact: ResourceFact) -> Value:
    """Whether another file has the queue manager's procedure too, with this DD statement."""
    declared = fact.source.declared
    first = fact.manager.cached(_first_statements)
    return flag(first[declared.type, declared.name, declared.value("data_set")] is not declared)


def _first_statements(manager: QueueManager) -> Mapping[tuple[str, str, object], Declared]:
    """The first DD statement of each name and data set in the queue manager's procedures."""
    statements: dict[tuple[str, str, object], Declared] = {}
    for declared, _ in manager.declarations("page_set", "bsds"):
        statements.setdefault((declared.type, declared.name, declared.value("data_set")), declared)
    return statements


def _is_backup(fact: ResourceFact) -> Value:
    """Whether a page set's data set is named as backups are."""
    name = fact.value("data_set")
    if not isinstance(name, str):
        return UNKNOWN
    return flag(re.search(r"\.(?:BACKUP|BKUP|BCK|BAK)\w*", name) is not None)


def _use(fact: ResourceFact) -> Value:
    return fact.manager.cached(_DataSets).use(fact.name) if fact.name else UNKNOWN


def _partner(fact: ResourceFact) -> Value:
    """What both copies of a log or bootstrap data set share: the name without the copy's number."""
    log = _LOG.search(fact.name)
    if log is not None:
        return fact.name[: log.start(2)] + "#" + fact.name[log.end(2) :]
    found = _BSDS.search(fact.name)
    if found is not None:
        return fact.name[: found.end() - 1] + "#"
    return ABSENT


def _copy_of(fact: ResourceFact) -> Value:
    """The data set that this one is the backup of, by its name."""
    base = fact.manager.cached(_DataSets).base(fact.name)
    if base:
        return base
    match = _PAGE_SET.search(fact.name)
    return (
        fact.name[: match.end()] if match is not None and match.end() < len(fact.name) else ABSENT
    )


def _has_resources(manager: QueueManager) -> bool:
    """Whether the queue manager's procedure is here, and takes nothing from elsewhere."""
    return manager.cached(_has_procedure)


def _has_procedure(manager: QueueManager) -> bool:
    declared = [declared for declared, _ in manager.declarations("page_set", "bsds")]
    return bool(declared) and not any(each.open for each in declared)


SYSTEM_PARAMETERS: Final = resource_type("system_parameters", ("*",), _has_resources)
PAGE_SET: Final = resource_type(
    "page_set",
    ("number", "data_set", "digits"),
    _has_resources,
    {"copied": _copied, "named": _named, "backup": _is_backup, "repeats": _repeats},
)
BSDS: Final = resource_type(
    "bsds", ("data_set", "second_bsds"), _has_resources, {"repeats": _repeats}
)
DATA_SET: Final = resource_type(
    "data_set",
    (
        *(
            "organization",
            "VOLUMES",
            "SHAREOPTIONS",
            "KEYS",
            "RECORDSIZE",
            "CONTROLINTERVALSIZE",
            "RECORDS",
        ),
        *("CYLINDERS", "TRACKS", "MEGABYTES", "KILOBYTES", "space"),
    ),
    _has_resources,
    {"use": _use, "partner": _partner, "copy_of": _copy_of},
)
LOG_ENTRY: Final = resource_type(
    "log_entry",
    ("copy", "archive", "start", "end", "direction"),
    _has_resources,
    {"named": _named_copy},
)
LOG_CHANGE: Final = resource_type(
    "log_change",
    (
        *("first", "second", "copies", "ranges", "second_bsds", "late_delete", "restart"),
        "step",
    ),
    _has_resources,
)
"""The types that jobs, procedures and macros of z/OS declare."""


def number_of(found: MQObject, *, resource: str) -> Value:
    """Return the number of a buffer pool or page set, or of the one that an object names."""
    value = found.name if found.type == resource else found.value(resource.upper())
    number = whole_number(value)
    if number is not None:
        return str(number)
    return ABSENT if value is ABSENT else UNKNOWN
