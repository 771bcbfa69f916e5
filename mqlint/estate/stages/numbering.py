"""Identities of findings: fingerprints of their own, baselines, and when each was first seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, groupby, tee
from operator import itemgetter
from typing import Any, Final

from mqlint.computed import Computed
from mqlint.estate.io.sources import below
from mqlint.estate.stages.collect import BEFORE, IN_PLACE, KNOWN, NEW, SETTLED, Configuration, Rules
from mqlint.estate.tables.batches import Values
from mqlint.estate.tables.schema import Row
from mqlint.finding import Finding, fingerprint, numbered
from mqlint.finding.baseline import BaselineEntry, split
from mqlint.grouping import grouped

BY_IDENTITY: Final = ("repository", "shared")
IN_ORDER: Final = (
    *(*BY_IDENTITY, "around", "path", "line", "column", "end_line", "end_column"),
    *("rule", "message"),
)
"""Blank cells come first: the rows of the scan before, which have no place."""


def seen_rows(given: Iterable[Values]) -> Iterator[Row]:
    """Yield rows of SETTLED that say when findings of the scan before were first seen."""
    blank: dict[str, Any] = {"state": BEFORE, "around": "", "path": "", "rule": "", "message": ""}
    blank |= dict.fromkeys(("line", "column", "end_line", "end_column"), 0)
    for row in given:
        own = {name: row[name] for name in ("repository", "shared", "fingerprint", "first_seen")}
        values = blank | own
        yield tuple(values.get(name) for name in SETTLED.names)


class Numbering:
    """Gives each finding its own fingerprint, and says whether it is known and since when."""

    def __init__(self, configuration: Configuration, rules: Rules, now: datetime) -> None:
        """`now` is the time of the scan."""
        self._rules = rules
        self._now = now
        self.baselines = Baselines(configuration)

    def rows(self, given: Iterable[Values]) -> Iterator[Row]:
        """Rows of SETTLED, those of equal identity together, to the same without those before."""
        for (repository, shared), members in groupby(given, key=itemgetter(*BY_IDENTITY)):
            seen: dict[str, datetime] = {}
            rows = iter(members)
            for row in rows:
                if row["state"] != BEFORE:
                    yield from self._numbered(chain((row,), rows), repository, shared, seen)
                else:
                    seen[row["fingerprint"]] = row["first_seen"]

    def _numbered(
        self, rows: Iterable[Values], repository: str, shared: str, seen: Mapping[str, datetime]
    ) -> Iterator[Row]:
        if self.baselines.hosts[repository]:
            rows = list(rows)
            self._mark_known(rows, repository, shared)
        rows, around = tee(rows)
        for row, own in zip(rows, numbered(shared, map(itemgetter("around"), around)), strict=True):
            values = row | {
                "fingerprint": own,
                "shared_fingerprint": None if own == shared else shared,
                "known": row["state"] == KNOWN,
                "first_seen": seen.get(own, self._now),
                "last_seen": self._now,
            }
            yield tuple(values[name] for name in SETTLED.names)

    def _mark_known(self, rows: Sequence[Values], repository: str, shared: str) -> None:
        """Mark the rows that baselines cover: of identical ones those that come first in place."""
        new = sorted((row for row in rows if row["state"] == NEW), key=_place)
        findings = [self._rules.unpacked(row["payload"], row["judge"]) for row in new]
        known = self.baselines.known(repository, shared, findings)
        for row, name in zip(new, known, strict=True):
            if name is not None:
                row.update(state=KNOWN, baseline=name)


_place = itemgetter(*IN_PLACE)


class Baselines:
    """The baselines of all repositories, by the fingerprints that they record."""

    def __init__(self, configuration: Configuration) -> None:
        """A baseline counts in its repository and in the guests of that."""
        self._configuration = configuration
        self.hosts = Computed(self._hosts_of)
        """By the name of a repository, those whose baselines count in it."""

        self._recorded = {
            name: grouped((entry.fingerprint, entry) for entry in entries)
            for name, entries in configuration.baselines.items()
        }
        self._left = {name: dict(recorded) for name, recorded in self._recorded.items()}

    def _hosts_of(self, repository: str) -> Sequence[str]:
        guests = self._configuration.guests
        return [
            name
            for name in self._recorded
            if name == repository or repository in guests.get(name, ())
        ]

    def known(
        self, repository: str, shared: str, findings: Sequence[Finding]
    ) -> Sequence[str | None]:
        """Return for each finding the repository whose baseline covers it.

        They are all findings of a repository with an equal fingerprint, in order of place.
        """
        covered: dict[int, str] = {}
        for name in self.hosts[repository]:
            left = [finding for finding in findings if id(finding) not in covered]
            if not left:
                break
            parts = split(left, self._entries(name, repository, shared, left[0]))
            covered |= dict.fromkeys(map(id, parts.known), name)
            if name == repository:
                self._left[name][shared] = parts.stale
        return [covered.get(id(finding)) for finding in findings]

    def _entries(
        self, name: str, repository: str, shared: str, finding: Finding
    ) -> Iterator[BaselineEntry]:
        """The entries of a baseline that may be about a finding, those of version 1 too."""
        recorded = self._recorded[name]
        own = self._configuration.settings[name].repository
        before = fingerprint(finding.rule.id, finding.subject, finding.detail, own)
        if name == repository:
            self._left[name].pop(before, None)
        for entry in chain.from_iterable(recorded.get(key, ()) for key in {before, shared}):
            path = below(repository, entry.path) if repository else entry.path
            yield replace(entry, path=path, fingerprint=shared)

    def stale(self, name: str) -> list[BaselineEntry]:
        """Return the entries of a baseline that no finding of its own repository matched."""
        return sorted(chain.from_iterable(self._left[name].values()))
