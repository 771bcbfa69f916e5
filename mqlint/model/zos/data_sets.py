"""What data sets of z/OS are for, and what copies of them do.

That follows from where a data set is named: in the procedure of the queue manager, in its log
inventory; else from the names that IBM's samples give (`PSIDnn`, `LOGCOPYn.DSnn`, `BSDSnn`), else
it is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.resources import DeclaredFact

if TYPE_CHECKING:
    from mqlint.language.script.step import Step

_PAGE_SET = re.compile(r"(?:^|\.)(?:PSID|PAGESET|PGSET|PAGE|PS)(\d{1,4})(?=\.|$)")
_LOG = re.compile(r"(?:^|\.)(LOGCOPY)([12])(\.DS\d+)(?=\.|$)")
_BSDS = re.compile(r"(?:^|\.)BSDS0?[12](?=\.|$)")


class _DataSets:
    """The data sets that a queue manager is known to use."""

    def __init__(self, manager: QueueManager) -> None:
        self.page_sets: dict[str, str] = {}
        self.others: dict[str, str] = {}
        for one, _ in manager.declared:
            found = one.field("data_set")
            name = found.value if found is not None else None
            if one.type == "page_set" and isinstance(name, str):
                self.page_sets[name] = one.name
            elif one.type == "bsds" and isinstance(name, str):
                self.others[name] = "bsds"
            elif one.type == "log_entry" and "archive" not in one.name.lower():
                self.others.setdefault(one.name, "log")

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
        """What a data set is for: page-set, log, bsds, or the backup of a page set."""
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
        match = _PAGE_SET.search(name)
        if match is None:
            return UNKNOWN
        return "page-set" if match.end() == len(name) else "page-set-backup"

    def is_live(self, name: str) -> bool | None:
        """Whether the queue manager itself uses it; None where its procedure is not here."""
        if name in self.page_sets or name in self.others:
            return True
        return False if self.page_sets else None


def _data_sets(manager: QueueManager) -> _DataSets:
    return _DataSets(manager)


def copy_of(manager: QueueManager, step: Step, attribute: str) -> Value:
    """Return what a copy of a data set is about.

    `what` is page-set, log or bsds; `direction` backup or restore; `from.page_set` and
    `to.page_set` are numbers. Unknown where the names do not tell.
    """
    sets = manager.once(_data_sets)
    source, target = _name(step, "from"), _name(step, "to")
    if attribute == "from.page_set":
        return sets.number(source) if source else UNKNOWN
    if attribute == "to.page_set":
        return sets.number(target) if target else UNKNOWN
    if attribute == "direction":
        return _direction(sets, source, target)
    uses = {sets.use(one) for one in (source, target) if one}
    if "page-set-backup" in uses or "page-set" in uses:
        return "page-set"
    known = uses & {"log", "bsds"}
    return str(known.pop()) if len(known) == 1 else UNKNOWN


def _name(step: Step, end: str) -> str:
    option = step.option(end)
    return option.value if option is not None and isinstance(option.value, str) else ""


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


def _copied(fact: DeclaredFact) -> Value:
    """Whether the jobs copy a page set: copied, left-out (others are), nothing (none is)."""
    states = fact.manager.once(_copies)
    name = fact.value("data_set")
    if states is None or not isinstance(name, str):
        return UNKNOWN
    if any(form.fullmatch(name) for form in states):
        return "copied"
    others = fact.manager.once(_data_sets).page_sets
    return "left-out" if any(f.fullmatch(o) for f in states for o in others) else "nothing"


def _copies(manager: QueueManager) -> tuple[re.Pattern[str], ...] | None:
    """What the jobs copy, as patterns of names; None where that is not known."""
    forms: list[str] = []
    for script in manager.scripts:
        copies = [step for step in script.steps if step.action == "copy"]
        if not copies:
            continue
        if script.calls or any(not _name(copy, "from") for copy in copies):
            return None
        forms += [word for copy in copies for word in _name(copy, "from").split()]
    return tuple(re.compile(_pattern(fromkey)) for fromkey in dict.fromkeys(forms))


def _pattern(name: str) -> str:
    """The expression of a data set name as ADRDSSU filters by it: `**`, `*` and `%`."""
    pieces = re.split(r"(\*\*?|%)", name)
    words = {"**": ".*", "*": "[^.]*", "%": "[^.]"}
    return "".join(words.get(piece, re.escape(piece)) for piece in pieces)


def _named(fact: DeclaredFact) -> Value:
    """The number in the name of a page set's data set."""
    name = fact.value("data_set")
    match = _PAGE_SET.search(name) if isinstance(name, str) else None
    return UNKNOWN if match is None else str(int(match[1]))


def _is_backup(fact: DeclaredFact) -> Value:
    """Whether a page set's data set is named as backups are."""
    name = fact.value("data_set")
    if not isinstance(name, str):
        return UNKNOWN
    return "true" if re.search(r"\.(?:BACKUP|BKUP|BCK|BAK)\w*", name) else "false"


def _use(fact: DeclaredFact) -> Value:
    return fact.manager.once(_data_sets).use(fact.name) if fact.name else UNKNOWN


def _partner(fact: DeclaredFact) -> Value:
    """What both copies of a log or bootstrap data set share: the name without the copy's number."""
    log = _LOG.search(fact.name)
    if log is not None:
        return fact.name[: log.start(2)] + "#" + fact.name[log.end(2) :]
    found = _BSDS.search(fact.name)
    if found is not None:
        return fact.name[: found.end() - 1] + "#"
    return ABSENT


def _copy_of(fact: DeclaredFact) -> Value:
    """The data set that this one is the backup of, by its name."""
    base = fact.manager.once(_data_sets).base(fact.name)
    if base:
        return base
    match = _PAGE_SET.search(fact.name)
    return (
        fact.name[: match.end()] if match is not None and match.end() < len(fact.name) else ABSENT
    )


_DERIVED: dict[tuple[str, str], Callable[[DeclaredFact], Value]] = {
    ("page_set", "copied"): _copied,
    ("page_set", "named"): _named,
    ("page_set", "backup"): _is_backup,
    ("data_set", "use"): _use,
    ("data_set", "partner"): _partner,
    ("data_set", "copy_of"): _copy_of,
}


def derived(fact: DeclaredFact, attribute: str) -> Value:
    """Return a value that follows from the use of data sets."""
    return _DERIVED[fact.type, attribute](fact)
