"""The table `judgements`: what each rule makes of each queue manager.

A task writes what one queue manager tells. What is compared with other queue managers is known
when all is judged: then the rows are read again, and rules move to the faults or to the unknown.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Final, NamedTuple

from mqlint.dataclass import mutable
from mqlint.engine.projections import JudgedQueueManager
from mqlint.estate.stages.messages import Message
from mqlint.estate.tables.batches import Values
from mqlint.estate.tables.schema import Row
from mqlint.finding import Finding
from mqlint.policy.run.claim import Claim
from mqlint.policy.run.verdicts import Verdicts
from mqlint.source.masking import shown

FAIL: Final = "fail"
UNKNOWN: Final = "unknown"
PASS: Final = "pass"  # noqa: S105 no password
NOT_APPLICABLE: Final = "not-applicable"

VERDICTS: Final = (FAIL, UNKNOWN, PASS, NOT_APPLICABLE)
"""All that a rule may make of a queue manager."""

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


class _Identity(NamedTuple):
    """A queue manager: by its site, or by its repository at no site."""

    place: str
    name: str


def _identity(repository: str, site: str | None, name: str) -> _Identity:
    return _Identity(f"site {site}" if site else f"repository {repository}", name)


class _Object(NamedTuple):
    """The first object that a rule finds at fault, or cannot decide on."""

    object_type: str | None = None
    object_name: str | None = None
    file_path: str | None = None
    missing_value: str | None = None


@mutable
class _Outcome:
    """The result for one queue manager when all are judged, by rule."""

    faults: dict[str, _Object] = field(default_factory=dict)
    excepted: dict[str, bool] = field(default_factory=dict)
    open: dict[str, _Object] = field(default_factory=dict)


class Settlement:
    """Settles the rows that tasks wrote, once all findings are known."""

    def __init__(self) -> None:
        """Know of no finding."""
        self._outcomes: dict[_Identity, _Outcome] = defaultdict(_Outcome)
        self.totals: Counter[str] = Counter()
        """How many rules of all queue managers have each verdict."""

    def add_open(self, message: Message) -> None:
        """Take in a claim that a comparison leaves open."""
        site, name, object_type, object_name, path = json.loads(message.payload or "")
        if name:
            outcome = self._outcomes[_identity(message.repository, site, name)]
            outcome.open.setdefault(
                message.policy, _Object(object_type, object_name, path, message.key)
            )

    def add_findings(self, findings: Iterable[Finding], *, excepted: bool) -> None:
        """Take in findings, all or none of which exceptions cover."""
        for finding in findings:
            subject = finding.subject
            if subject.queue_manager is None:
                continue
            identity = _identity(finding.repository, subject.site, subject.queue_manager)
            outcome, rule = self._outcomes[identity], finding.rule.id
            place = _Object(subject.object_type, subject.object_name, finding.location.path)
            outcome.faults.setdefault(rule, place)
            outcome.excepted[rule] = excepted and outcome.excepted.get(rule, True)

    def settle(self, row: Values) -> Iterator[Values]:
        """Yield what becomes of a row that a task wrote."""
        identity = _identity(row["repository"], row["site"], row["queue_manager"])
        outcome = self._outcomes.get(identity, _NOTHING)
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


_NOTHING: Final = _Outcome()
