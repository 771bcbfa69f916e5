"""What a scan comes to: findings of all repositories, each heeding its own comments and waivers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mqlint.config.settings import Settings
from mqlint.engine.assemble import Assembly, Standard
from mqlint.engine.pack import unpack_finding, unpack_suppressions
from mqlint.engine.run import suppressed
from mqlint.estate.stages.context import Setup, Toolbox, toolbox
from mqlint.estate.tables.batches import Values
from mqlint.estate.tables.schema import Labels
from mqlint.finding import Finding, Location, Rule, Suppression, with_ordinals
from mqlint.finding.baseline import Entry
from mqlint.finding.waiver import Waivers
from mqlint.policy.rulebook import Lazy

Comments = Mapping[str, Sequence[Suppression]]
_Alike = tuple[str, str, Location, str]
"""Repository, rule, place and message of findings that are one for a person."""

Paths = Callable[[Collection[str]], Mapping[str, Iterable[str]]]
"""Gives, by name, the files of some repositories that were checked."""


@dataclass(frozen=True, slots=True)
class Configured:
    """How an estate is judged, once the settings of its repositories are known.

    All go by the repository's name: its labels, and its waivers and baseline where it has some.
    `notes` are what a person should know of it. `settings` are those of the repositories, without
    what the command line says.
    """

    setup: Setup
    labels: Mapping[str, Labels] = field(default_factory=dict)
    waivers: Mapping[str, Waivers] = field(default_factory=dict)
    baselines: Mapping[str, Sequence[Entry]] = field(default_factory=dict)
    notes: Sequence[str] = ()
    settings: Mapping[str, Settings] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Gathered:
    """The findings of a scan in order of place, and those that are suppressed."""

    findings: list[Finding]
    ignored: list[Finding]


def gather(given: Iterable[Values], configured: Configured, paths: Paths) -> Gathered:
    """Return the findings that rows of kind `finding` hold.

    Rows of kind `ignores` hold the comments that suppress findings.
    """
    tools = toolbox(configured.setup)
    rules = _rules_of(tools)
    names = configured.setup.repositories
    findings: dict[str, list[Finding]] = defaultdict(list)
    comments: dict[str, dict[str, list[Suppression]]] = defaultdict(dict)
    own: dict[_Alike, dict[str, list[Finding]]] = defaultdict(lambda: defaultdict(list))
    for row in given:
        if row["kind"] == "finding":
            finding = unpack_finding(row["payload"], rules)
            home = repository_of(finding.location.path, names)
            judge = row["repository"] or home
            finding = _ruled(finding, judge, tools)
            if finding.rule.id in tools.of(judge).rulebook.own:
                alike = (home, finding.rule.id, finding.location, finding.message)
                own[alike][judge].append(finding)
            else:
                findings[home].append(finding)
        elif row["kind"] == "ignores":
            comments[row["repository"]][row["key"]] = unpack_suppressions(row["payload"])
    for alike, judges in own.items():
        findings[alike[0]] += judges[min(judges)]  # of copies in several repositories one speaks
    told: list[Finding] = []
    checked = paths(configured.waivers)
    for name in sorted({*findings, *comments, *configured.waivers}):
        waivers = configured.waivers.get(name)
        said = (findings[name], comments[name])
        if waivers is None:
            told += _suppressed(name, *said, tools)
        else:
            told += _waived(name, *said, tools, waivers, checked[name])
    told = with_ordinals(told)
    return Gathered(
        [ordinal for ordinal in told if ordinal.ignored is None],
        [ordinal for ordinal in told if ordinal.ignored is not None],
    )


def _rules_of(tools: Toolbox) -> Mapping[str, Rule]:
    """A rule for each id that any repository has."""
    places: dict[str, tuple[int, str]] = {}
    for place, book in enumerate(tools.setup.books):
        for rule in book.rules:
            places.setdefault(rule["id"], (place, rule["id"]))
    return Lazy(places, lambda one: tools.book(one[0]).rules[one[1]])


def _ruled(finding: Finding, home: str, tools: Toolbox) -> Finding:
    """The finding with the rule of its own repository: another one's may have the same id."""
    book = tools.of(home).rulebook
    own = finding.rule.id in book.own
    return replace(finding, rule=book.rules[finding.rule.id]) if own else finding


def repository_of(path: str, names: Container[str]) -> str:
    """Return the repository of a path: the one whose name it begins with, blank where it has none.

    No name begins with another one and a slash.
    """
    parts = path.split("/")
    begun = ("/".join(parts[:at]) for at in range(1, len(parts) + 1))
    return next((one for one in begun if one in names), "")


def _suppressed(
    name: str, findings: list[Finding], comments: Comments, tools: Toolbox
) -> list[Finding]:
    own = tools.of(name)
    return suppressed(findings, comments, Standard(own.assembly, own.rulebook, own.grading))


def _waived(
    name: str,
    findings: list[Finding],
    comments: Comments,
    tools: Toolbox,
    waivers: Waivers,
    paths: Iterable[str],
) -> list[Finding]:
    """As `_suppressed`, with waivers, which speak of paths as their repository does."""
    own = tools.of(name)
    settings = replace(own.repository.settings, repository=own.assembly.repository)
    assembly = Assembly(settings, tools.vocabulary)
    short = own.assembly.placement.own
    findings = [_moved(finding, short(finding.location.path)) for finding in findings]
    comments = {short(path): said for path, said in comments.items()}
    checked = [short(path) for path in paths]
    standard = Standard(assembly, own.rulebook, own.grading)
    told = suppressed(findings, comments, standard, waivers, checked)
    prefix = own.assembly.placement.prefix
    return [_moved(finding, prefix + finding.location.path) for finding in told]


def _moved(finding: Finding, path: str) -> Finding:
    if finding.location.path == path:
        return finding
    return replace(finding, location=replace(finding.location, path=path))
