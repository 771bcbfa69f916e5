"""The table `judgements`: what each rule makes of each queue manager.

A task writes what one queue manager tells. What is compared with other queue managers is known
when all is judged: then the rows are read again, and rules move to the faults or to the unknown.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from mqlint.dataclass import NamedTuple, mutable
from mqlint.engine.projections import JudgedQueueManager
from mqlint.estate.stages.collect import IN_PLACE, KNOWN, NEW
from mqlint.estate.stages.messages import Message
from mqlint.estate.tables.batches import Values, schema_of
from mqlint.estate.tables.schema import JUDGEMENTS, TABLES, Row, without_labels
from mqlint.policy.run.claim import Claim
from mqlint.policy.run.verdicts import Verdicts
from mqlint.source.masking import shown

FAIL: Final = "fail"
UNKNOWN: Final = "unknown"
PASS: Final = "pass"  # noqa: S105 no password
NOT_APPLICABLE: Final = "not-applicable"

COLUMNS: Final = without_labels(TABLES[JUDGEMENTS]).names
"""The columns of the table that are known before it is written."""

_NO_OBJECT: Final[tuple[str | None, ...]] = (None, None, None)


def verdict_rows(judged: JudgedQueueManager, verdicts: Verdicts) -> Iterator[Row]:
    """Yield the rows of a queue manager that has a name; its faults are one row for now."""
    head = judged.head
    yield *head, FAIL, None, None, *_NO_OBJECT, None, *_set_of(verdicts.failed)
    for found in verdicts.unknown:
        fact = found.fact
        place = _NO_OBJECT
        if fact is not None:
            place = (fact.type, shown(fact.name), fact.where().path)
        yield *head, UNKNOWN, found.rule, found.missing, *place, None, *_set_of((found.rule,))
    for verdict, rules in ((PASS, verdicts.passed), (NOT_APPLICABLE, verdicts.not_applicable)):
        yield *head, verdict, None, None, *_NO_OBJECT, None, *_set_of(rules)


def _set_of(rules: tuple[str, ...]) -> tuple[list[str], int]:
    return list(rules), len(rules)


def open_message(claim: Claim, repository: str) -> Message:
    """Return what tells the driver that a comparison leaves a claim open."""
    subject, path = claim.subject, claim.place.path
    words = (subject.site, subject.queue_manager, subject.object_type, subject.object_name, path)
    missing = f"{claim.value} at another queue manager"
    return Message("open", claim.policy, missing, 0, repository, json.dumps(words))


class JudgedRow(NamedTuple):
    """What is known of one queue manager, as JSON in `payload`; `order` says what that is.

    Its `place` is its site, or its repository if it is at no site.
    """

    place: str
    queue_manager: str
    order: int
    payload: str


JUDGED: Final = schema_of(JudgedRow)
BY_QUEUE_MANAGER: Final = ("place", "queue_manager")
BY_RANK: Final = (*BY_QUEUE_MANAGER, "order")

_FAULT, _OPEN, _VERDICTS = 0, 1, 2
_RANKS: Final = {NEW: 0, KNOWN: 1}
_SUPPRESSED = 2


def fault_rows(found: Iterable[Values]) -> Iterator[JudgedRow]:
    """Yield a row for each finding, a row of SETTLED, of a queue manager that has a name."""
    for row in found:
        if row["queue_manager"] is not None:
            place = _Object(row["object_type"], row["object_name"], row["path"])
            order = (_RANKS.get(row["state"], _SUPPRESSED), *(row[name] for name in IN_PLACE))
            yield _judged_row(row, _FAULT, (row["rule"], order, place))


def open_rows(given: Iterable[Message]) -> Iterator[JudgedRow]:
    """Yield a row for each claim that a comparison leaves open."""
    for message in given:
        site, name, object_type, object_name, path = json.loads(message.payload or "")
        if name:
            place = _Object(object_type, object_name, path, message.key)
            identity = {"repository": message.repository, "site": site, "queue_manager": name}
            order = [cell or "" for cell in place]
            yield _judged_row(identity, _OPEN, (message.policy, order, place))


def written_rows(written: Iterable[Values]) -> Iterator[JudgedRow]:
    """Yield a row for each row of the table that a task wrote."""
    return (_judged_row(row, _VERDICTS, row) for row in written)


def _judged_row(row: Values, order: int, payload: object) -> JudgedRow:
    site = row["site"]
    place = f"site {site}" if site else f"repository {row['repository']}"
    return JudgedRow(place, row["queue_manager"], order, json.dumps(payload))


class _Object(NamedTuple):
    """The first object that a rule finds at fault, or cannot decide on."""

    object_type: str | None = None
    object_name: str | None = None
    file_path: str | None = None
    missing_value: str | None = None


@mutable
class _Outcome:
    """What is known of one queue manager when all is judged, by rule.

    Objects are those that come first. `excepted` says whether all findings are.
    """

    faults: dict[str, _Object] = field(default_factory=dict)
    excepted: dict[str, bool] = field(default_factory=dict)
    open: dict[str, _Object] = field(default_factory=dict)
    _orders: dict[tuple[int, str], list[Any]] = field(default_factory=dict)

    def add(self, order: int, payload: str) -> None:
        """Take in a finding, or a claim left open."""
        rule, key, place = json.loads(payload)
        if order == _FAULT:
            self.excepted[rule] = key[0] > 0 and self.excepted.get(rule, True)
        before = self._orders.get((order, rule))
        if before is None or key < before:
            self._orders[order, rule] = key
            objects = self.faults if order == _FAULT else self.open
            objects[rule] = _Object(*place)


class Settlement:
    """Settles the rows that tasks wrote, once all findings are known."""

    def __init__(self) -> None:
        """Count no verdict yet."""
        self.totals: Counter[str] = Counter()
        """How many rules of all queue managers have each verdict."""

    def settled(self, given: Iterable[JudgedRow]) -> Iterator[Row]:
        """Rows of JUDGED, those of a queue manager together, to rows of the table."""
        for _, members in groupby(given, key=attrgetter(*BY_QUEUE_MANAGER)):
            outcome = _Outcome()
            for row in members:
                if row.order != _VERDICTS:
                    outcome.add(row.order, row.payload)
                    continue
                for found in self._settled(json.loads(row.payload), outcome):
                    yield tuple(found[name] for name in COLUMNS)

    def _settled(self, row: Values, outcome: _Outcome) -> Iterator[Values]:
        """What becomes of a row that a task wrote."""
        rules, verdict = row["rule_ids"], row["verdict"]
        if verdict == FAIL:
            yield from self._each(row, FAIL, outcome.faults, rules, outcome.excepted)
            return
        if verdict == PASS:
            found = {rule: outcome.faults[rule] for rule in rules if rule in outcome.faults}
            yield from self._each(row, FAIL, found, found, outcome.excepted)
            opened = {
                rule: place
                for rule, place in outcome.open.items()
                if rule in rules and rule not in found
            }
            yield from self._each(row, UNKNOWN, opened, opened, {})
            rules = [rule for rule in rules if rule not in found and rule not in opened]
        elif verdict == UNKNOWN and row["rule"] in outcome.faults:
            yield from self._each(row, FAIL, outcome.faults, rules, outcome.excepted)
            return
        self.totals[verdict] += len(rules)
        yield row | {"rule_ids": rules, "rules_total": len(rules)}

    def _each(
        self,
        row: Values,
        verdict: str,
        places: Mapping[str, _Object],
        rules: Iterable[str],
        excepted: Mapping[str, bool],
    ) -> Iterator[Values]:
        """A row for each of some rules."""
        for rule in rules:
            place = places.get(rule, _Object())
            self.totals[verdict] += 1
            yield (
                row
                | place._asdict()
                | {
                    "verdict": verdict,
                    "rule": rule,
                    "is_excepted": excepted.get(rule, False) if verdict == FAIL else None,
                    "rule_ids": [rule],
                    "rules_total": 1,
                }
            )
