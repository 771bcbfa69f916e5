"""The findings of a scan, each repository under its own comments and waivers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain

from mqlint.config.estate.teams import Teams
from mqlint.config.settings import Settings
from mqlint.dataclass import frozen
from mqlint.engine.assemble import Assembly, Standard
from mqlint.engine.pack import unpack_finding, unpack_suppressions
from mqlint.engine.register import Registered
from mqlint.engine.run import suppressed
from mqlint.engine.waivers import waive
from mqlint.estate.stages.context import Setup, WorkerContext, worker_context
from mqlint.estate.stages.messages import Message
from mqlint.estate.tables.schema import Labels
from mqlint.finding import Finding, Location, Rule, Suppression, with_ordinals
from mqlint.finding.baseline import BaselineEntry
from mqlint.finding.waiver import Waivers
from mqlint.policy.rulebook import Lazy

Comments = Mapping[str, Sequence[Suppression]]
_Identity = tuple[str, str, Location, str]
"""Repository, rule, place and message: findings equal in these are one for a person."""

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


@frozen
class ScanFindings:
    """The findings of a scan in order of place, and those that are suppressed.

    `faults` are the reasons why queue managers are not judged, by the paths of their files.
    """

    findings: list[Finding]
    ignored: list[Finding]
    faults: Mapping[str, str]


def collect(
    given: Iterable[Message],
    configuration: Configuration,
    paths: Paths,
    added: Callable[[], Iterable[Finding]] = tuple,
) -> ScanFindings:
    """Return the findings that messages of kind `finding` hold.

    Messages of kind `ignores` hold the comments that suppress findings, those of kind `fault` the
    reasons why queue managers are not judged. `added` gives further findings after the last
    message; one of no repository is covered by the waivers of any.
    """
    context = worker_context(configuration.setup)
    rules = _rules_of(context)
    names = configuration.setup.repositories
    findings: dict[str, list[Finding]] = defaultdict(list)
    comments: dict[str, dict[str, list[Suppression]]] = defaultdict(dict)
    own: dict[_Identity, dict[str, list[Finding]]] = defaultdict(lambda: defaultdict(list))
    faults: dict[str, str] = {}
    for message in given:
        if message.kind == "finding":
            finding = unpack_finding(message.payload or "", rules)
            home = repository_of(finding.location.path, names)
            judge = message.repository or home
            finding = _ruled(finding, judge, context)
            if finding.rule.id in context.of(judge).rulebook.own:
                identity = (home, finding.rule.id, finding.location, finding.message)
                own[identity][judge].append(finding)
            else:
                findings[home].append(finding)
        elif message.kind == "ignores":
            suppressions = unpack_suppressions(message.payload or "")
            comments[message.repository][message.key] = suppressions
        elif message.kind == "fault":
            faults[message.key] = message.payload or ""
    for identity, judges in own.items():
        findings[identity[0]] += judges[min(judges)]  # of copies in several repositories the first
    for finding in added():
        findings[finding.repository].append(finding)
    homeless = ("",) if "" not in names and "" in findings else ()
    by_name: dict[str, list[Finding]] = {}
    checked = paths(configuration.waivers)
    guests = configuration.guests
    # Those whose waivers count elsewhere come last: there what is suppressed already stays so.
    whole = {*findings, *comments, *configuration.waivers}
    for name in sorted(whole, key=lambda name: (name in guests, name)):
        waivers = configuration.waivers.get(name)
        own_findings = findings.pop(name, [])  # not held twice: they may be very many
        if waivers is None:
            found = suppressed(own_findings, comments[name], context.of(name))
            by_name[name] = [replace(finding, repository=name) for finding in found]
        else:
            places = (*guests.get(name, ()), *homeless)
            others = [finding for guest in places for finding in by_name.get(guest, ())]
            by_name |= _waived(
                name, own_findings, comments[name], context, waivers, checked[name], others
            )
    settled = with_ordinals(chain.from_iterable(by_name.values()))
    return ScanFindings(
        [finding for finding in settled if finding.ignored is None],
        [finding for finding in settled if finding.ignored is not None],
        faults,
    )


def _rules_of(context: WorkerContext) -> Mapping[str, Rule]:
    """A rule for each id that any repository has."""
    places: dict[str, tuple[int, str]] = {}
    for place, rule_set in enumerate(context.setup.rule_sets):
        for rule in rule_set.rules:
            places.setdefault(rule["id"], (place, rule["id"]))
    return Lazy(places, lambda found: context.rulebook(found[0]).rules[found[1]])


def _ruled(finding: Finding, home: str, context: WorkerContext) -> Finding:
    """The finding with the rule of its own repository: another one's may have the same id."""
    rulebook = context.of(home).rulebook
    own = finding.rule.id in rulebook.own
    return replace(finding, rule=rulebook.rules[finding.rule.id]) if own else finding


def repository_of(path: str, names: Container[str]) -> str:
    """Return the repository of a path: the one whose name it begins with, blank if it has none.

    No name begins with another one and a slash.
    """
    parts = path.split("/")
    begun = ("/".join(parts[:at]) for at in range(1, len(parts) + 1))
    return next((name for name in begun if name in names), "")


def _waived(
    name: str,
    findings: list[Finding],
    comments: Comments,
    context: WorkerContext,
    waivers: Waivers,
    paths: Iterable[str],
    others: Sequence[Finding],
) -> Mapping[str, list[Finding]]:
    """As `suppressed`, with waivers, which name paths as their repository does.

    `others` are the findings of further repositories that the waivers count for. The result is by
    repository.
    """
    own = context.of(name)
    assembly = Assembly(own.setup.settings, context.vocabulary)
    standard = Standard(assembly, own.rulebook, own.grading)
    short = own.assembly.placement.own
    findings = [_moved(finding, short(finding.location.path)) for finding in findings]
    comments = {short(path): found for path, found in comments.items()}
    settled = suppressed(findings, comments, standard)
    as_there = [
        _moved(other, context.of(other.repository).assembly.placement.own(other.location.path))
        for other in others
    ]
    marked = waive([*as_there, *settled], waivers, [short(path) for path in paths], standard)
    found: dict[str, list[Finding]] = defaultdict(list)
    for other, known in zip(others, marked, strict=False):
        found[other.repository].append(replace(other, ignored=known.ignored))
    prefix = own.assembly.placement.prefix
    found[name] = [
        replace(_moved(finding, prefix + finding.location.path), repository=name)
        for finding in marked[len(others) :]
    ]
    return found


def _moved(finding: Finding, path: str) -> Finding:
    if finding.location.path == path:
        return finding
    return replace(finding, location=replace(finding.location, path=path))
