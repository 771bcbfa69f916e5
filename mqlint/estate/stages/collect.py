"""Findings under the comments and waivers of their repositories, one file after the other."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, field, replace
from itertools import groupby
from operator import attrgetter
from typing import Final

import pyarrow as pa

from mqlint.computed import Computed, LazyMapping
from mqlint.config.estate.teams import Teams
from mqlint.config.settings import Settings
from mqlint.dataclass import frozen
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.document.pack import RECORDS, pack_finding, unpack_finding
from mqlint.engine.judgement.context import JudgingContext
from mqlint.engine.judgement.judging import once
from mqlint.engine.judgement.register import Registered
from mqlint.engine.judgement.waivers import WaiverApplication
from mqlint.engine.run import suppressed
from mqlint.estate.io.sources import repository_of
from mqlint.estate.stages.context import Setup, WorkerContext
from mqlint.estate.stages.messages import Message
from mqlint.estate.tables.schema import FINDINGS, Labels, Row, finding_row, without_labels
from mqlint.finding import Finding, Location, Rule, Suppression
from mqlint.finding.baseline import BaselineEntry
from mqlint.finding.waiver import Waivers
from mqlint.grouping import grouped

Paths = Callable[[Collection[str]], Mapping[str, Iterable[str]]]
"""Gives, by name, the files of some repositories that were checked."""


@frozen
class Configuration:
    """How an estate is judged, once the settings of its repositories are known.

    All go by the repository's name: its labels, and its waivers and baseline where it has some.
    `notes` are what a person should know of it. `settings` are those of the repositories, without
    what the command line says. `guests` are the repositories in which the waivers and the baseline
    of another one count too, by the name of that one. `teams` are those of files; `register` lists
    the queue managers that should be there, None without a register.
    """

    setup: Setup
    labels: Mapping[str, Labels] = field(default_factory=dict)
    waivers: Mapping[str, Waivers] = field(default_factory=dict)
    baselines: Mapping[str, Sequence[BaselineEntry]] = field(default_factory=dict)
    notes: Sequence[str] = ()
    settings: Mapping[str, Settings] = field(default_factory=dict)
    guests: Mapping[str, Sequence[str]] = field(default_factory=dict)
    teams: Teams = Teams()
    register: Sequence[Registered] | None = None


IN_PLACE: Final = (
    *("path", "line", "column", "end_line", "end_column", "rule", "shared", "message"),
)
"""The columns of SETTLED in which reports sort findings."""

NEW, KNOWN, BEFORE = "new", "known", "before"
"""States of a row of SETTLED: a finding that counts, one that a baseline covers, and one of the
scan before, of which only identity and `first_seen` are given. Suppressed findings have the word of
`Excuse.by`."""

_OF_FINDING: Final = without_labels(FINDINGS)
SETTLED: Final = pa.schema(
    [
        *_OF_FINDING,
        *(pa.field(name, pa.string()) for name in ("shared", "state", "around", "baseline")),
        *(pa.field(name, pa.string()) for name in ("judge", "excuse", "payload")),
    ]
)
"""A row of the table `findings` with what later steps need.

`shared` is the fingerprint that indistinguishable findings share, `around` as of
`Location`, `baseline` the repository whose baseline covers it, `excuse` an Excuse as JSON, and
`payload` the finding as it was found.
"""


def settled(
    given: Iterable[Message],
    configuration: Configuration,
    context: WorkerContext,
    rules: Rules,
    paths: Paths,
) -> Iterator[Row]:
    """Findings and comments, those of a file together, to rows of SETTLED.

    Findings about waivers follow when all files are through.
    """
    waivers = _WaiversInForce(configuration, context)
    names = configuration.setup.repositories
    for path, rows in groupby(given, key=attrgetter("key")):
        home = repository_of(path, names)
        by_home = grouped(("" if row.kind == "absent" else home, row) for row in rows)
        for name, members in by_home.items():
            for judge, finding in _of_file(path, members, name, context, rules):
                yield _settled_row(waivers.mark(replace(finding, repository=name)), judge)
    for finding in waivers.complaints(paths):
        yield _settled_row(finding, finding.repository)


def _of_file(
    path: str, given: Iterable[Message], name: str, context: WorkerContext, rules: Rules
) -> Iterator[tuple[str, Finding]]:
    """The findings of a file of a repository under its comments, each with who judges it."""
    comments: Sequence[Suppression] = ()
    found: list[tuple[str, Finding]] = []
    for message in given:
        payload = message.payload or ""
        if message.kind == "ignores":
            comments = RECORDS.unpacked(payload)
        else:
            judge = message.repository or name
            found.append((judge, rules.unpacked(payload, judge)))
    by_judge = grouped(_without_copies(found, context))
    found = [(judge, finding) for judge, own in by_judge.items() for finding in once(own)]
    marked = suppressed([finding for _, finding in found], {path: comments}, context.of(name))
    judges = [judge for judge, _ in found]
    judges += [name] * (len(marked) - len(judges))
    return zip(judges, marked, strict=True)


def _settled_row(finding: Finding, judge: str) -> Row:
    excuse = finding.ignored
    state = NEW if excuse is None else excuse.by
    packed = None if excuse is None else json.dumps(astuple(excuse))
    payload = pack_finding(replace(finding, ignored=None))
    row = finding_row(finding)
    return *row, finding.fingerprint, state, finding.location.around, None, judge, packed, payload


def _without_copies(
    found: list[tuple[str, Finding]], context: WorkerContext
) -> list[tuple[str, Finding]]:
    """Of findings that several repositories make by copies of a rule, those of the first."""
    judges: dict[tuple[str, Location, str], str] = {}
    for judge, finding in found:
        if finding.rule.id in context.of(judge).rulebook.own:
            identity = _identity(finding)
            judges[identity] = min(judge, judges.get(identity, judge))
    if not judges:
        return found
    return [
        (judge, finding)
        for judge, finding in found
        if finding.rule.id not in context.of(judge).rulebook.own
        or judges[_identity(finding)] == judge
    ]


def _identity(finding: Finding) -> tuple[str, Location, str]:
    """Findings of one repository that are equal in this are one for a person."""
    return finding.rule.id, finding.location, finding.message


class Rules:
    """The rules of packed findings."""

    def __init__(self, context: WorkerContext) -> None:
        """Know a rule for each id that any repository has."""
        self._context = context
        places: dict[str, tuple[int, str]] = {}
        for place, rule_set in enumerate(context.setup.rule_sets):
            for rule in rule_set.rules:
                places.setdefault(rule["id"], (place, rule["id"]))
        self._shared: Mapping[str, Rule] = LazyMapping(
            places, lambda found: context.rulebook(found[0]).rules[found[1]]
        )

    def unpacked(self, payload: str, judge: str) -> Finding:
        """Return a finding with the rule of the repository whose rules make it.

        The rule of another one may have the same id.
        """
        finding = unpack_finding(payload, self._shared)
        rulebook = self._context.of(judge).rulebook
        own = finding.rule.id in rulebook.own
        return replace(finding, rule=rulebook.rules[finding.rule.id]) if own else finding


class _WaiversInForce:
    """The waivers of all repositories, applied to one finding after the other.

    Those of a repository count in it, in its guests, and for findings of no repository. Of several
    that cover a finding the first in this order suppresses it: its own, then those of others.
    """

    def __init__(self, configuration: Configuration, context: WorkerContext) -> None:
        self._context = context
        self._names = configuration.setup.repositories
        self._guests = configuration.guests
        self._waiving: dict[str, WaiverApplication] = {}
        self._hosts = Computed(self._hosts_of)
        for name in sorted(configuration.waivers, key=self._order):
            own = context.of(name)
            assembly = Assembly(own.setup.settings, context.vocabulary)
            judging_context = JudgingContext(assembly, own.rulebook, own.grading)
            self._waiving[name] = WaiverApplication(configuration.waivers[name], judging_context)

    def _order(self, name: str) -> tuple[bool, str]:
        """Those that count elsewhere come last: there what is suppressed already stays so."""
        return name in self._guests, name

    def mark(self, finding: Finding) -> Finding:
        return self._marked(finding, self._hosts[finding.repository]) if self._waiving else finding

    def _hosts_of(self, home: str) -> list[str]:
        """The repositories whose waivers count in `home`."""
        is_of_none = home == "" and home not in self._names
        return [
            name
            for name in self._waiving
            if name == home
            or is_of_none
            or (home in self._guests.get(name, ()) and self._order(home) < self._order(name))
        ]

    def _marked(self, finding: Finding, names: Iterable[str]) -> Finding:
        """The finding, marked by the waivers of some repositories, which name paths as its own."""
        place = finding.location
        own_path = self._context.of(finding.repository).assembly.placement.own(place.path)
        there = replace(finding, location=replace(place, path=own_path))
        for name in names:
            there = self._waiving[name].mark(there)
        return replace(finding, ignored=there.ignored)

    def complaints(self, paths: Paths) -> Iterator[Finding]:
        """Yield the findings about waivers, once all others are marked."""
        checked = paths(self._waiving)
        for name, waiving in self._waiving.items():
            placement = self._context.of(name).assembly.placement
            others = [other for other in self._hosts[name] if other != name]
            for finding in waiving.complaints(map(placement.own, checked[name])):
                place = replace(finding.location, path=placement.prefix + finding.location.path)
                yield self._marked(replace(finding, repository=name, location=place), others)
