"""Rows for an auditor: the scan, its repositories, rules and exceptions, and its register."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

import pyarrow as pa

from mqlint import __version__
from mqlint.config.estate.controls import Control
from mqlint.dataclass import NamedTuple, frozen
from mqlint.engine.judgement.register import Match
from mqlint.estate.io.sources import Source
from mqlint.estate.stages.collect import Configuration
from mqlint.estate.stages.context import RepositorySetup, Setup
from mqlint.estate.tables.batches import Batches, batches
from mqlint.estate.tables.schema import TABLES, Row, without_labels
from mqlint.finding import Finding, Rule
from mqlint.policy.rulebook import Rulebook
from mqlint.source.digest import json_digest
from mqlint.source.git import GitError, branch_of, commit_of

_RULES: Final = without_labels(TABLES["rules"])


@frozen
class About:
    """What a scan cannot know by itself: who runs it, and how.

    `rulebook` has the rules that all repositories share. `inventory` is the content of the
    register, None without one, `controls` are those of the mappings.
    """

    rulebook: Rulebook
    operator: str = ""
    host: str = ""
    engine: str = ""
    words: tuple[str, ...] = ()
    inventory: bytes | None = None
    controls: tuple[Control, ...] = ()


class Account(NamedTuple):
    """A row of the table `coverage`, less its labels: files that are alike, and their commands."""

    repository: str
    status: str
    language: str | None
    reason: str | None
    files: int
    commands: int
    understood: int


def scan_row(
    about: About, setup: Setup, accounts: Iterable[Account], scan: str, began: datetime
) -> Row:
    sizes: Counter[str] = Counter()
    for account in accounts:
        sizes["files"] += account.files
        sizes["unread"] += account.files * (account.status == "unreadable")
        if account.status == "checked":
            sizes["commands"] += account.commands
            sizes["understood"] += account.understood
    inventory = None if about.inventory is None else sha256(about.inventory).hexdigest()
    return (
        *("", scan, began, datetime.now(UTC).replace(microsecond=0)),
        *(about.operator, about.host, __version__, about.engine),
        *(about.rulebook.digest, setup.digest or None, inventory),
        *(list(about.words), sizes["files"], sizes["unread"]),
        *(sizes["commands"], sizes["understood"]),
    )


def repository_rows(
    sources: Sequence[Source],
    accounts: Iterable[Account],
    setup: Setup,
    notes: Mapping[str, str],
    began: datetime,
) -> Iterator[Row]:
    """Yield the rows of `repositories`; `notes` say how some were read."""
    files: dict[str, Counter[str]] = {}
    faults: dict[str, str] = {}
    for account in accounts:
        sizes = files.setdefault(account.repository, Counter())
        sizes["all"] += account.files
        sizes[account.status] += account.files
        if account.status == "unreadable":
            reason = account.reason or ""
            faults[account.repository] = min(faults.get(account.repository, reason), reason)
    for source in sources:
        name = source.repository
        sizes, fault = files.get(name, Counter()), faults.get(name)
        repository = setup.repositories.get(name)
        if repository is not None and repository.fault:
            (fault,) = repository.faults.values()
        unread = sizes["unreadable"]
        status = "whole" if not unread and not fault else "partial"
        is_empty = not sizes["all"] and name in notes
        if unread == sizes["all"] and not is_empty:
            status = "unread"
        yield (
            *(name, source.kind, source.at, *_version(source), began, status),
            *(fault or notes.get(name), sizes["all"], unread),
        )


def _version(source: Source) -> tuple[str | None, str | None]:
    """The commit and the branch that were read, if git tells them."""
    at = Path(source.at)
    if source.kind in ("uri", "link") or not at.is_dir():
        return None, None
    try:
        commit = commit_of(at, source.ref or "HEAD")
        return commit, source.ref or branch_of(at)
    except GitError:
        return None, None


def rule_batches(about: About, configuration: Configuration) -> Batches:
    """Yield the rows of `rules`: those of all repositories, and where one differs.

    Thousands of repositories may differ in one way: their rows are made once.
    """
    setup = configuration.setup
    digests = about.rulebook.digests
    base: dict[str, tuple[object, ...]] = {}
    if "" in setup.repositories:  # one project
        base = dict(_own_cells(setup.repositories[""], setup, about.rulebook, digests))
    else:
        everywhere = _severities(RepositorySetup())
        for key, rule in sorted(about.rulebook.rules.items()):
            base[key] = _rule_cells(rule, everywhere, digests[key], is_own=False)
    yield from batches((("", *cells) for cells in base.values()), _RULES)
    found: dict[str, list[pa.RecordBatch]] = {}
    for name, repository in sorted(setup.repositories.items()):
        if repository.fault or not name:  # not judged, so no rule is in force; or written above
            continue
        likeness = repr((repository.grading, repository.settings.profiles, repository.rule_set))
        if likeness not in found:
            own = _own_cells(repository, setup, about.rulebook, digests)
            rows = (("", *cells) for key, cells in own if base.get(key) != cells)
            found[likeness] = list(batches(rows, _RULES))
        for batch in found[likeness]:
            names = pa.repeat(pa.scalar(name), batch.num_rows)
            yield batch.set_column(0, batch.schema.field(0), names)


def _own_cells(
    repository: RepositorySetup,
    setup: Setup,
    rulebook: Rulebook,
    digests: Mapping[str, str],
) -> Iterator[tuple[str, tuple[object, ...]]]:
    """The rules that a repository is judged by; most are those of which there are `digests`."""
    rule_set = setup.rule_sets[repository.rule_set]
    shared = rule_set if rule_set.shared is None else setup.rule_sets[rule_set.shared]
    severities = _severities(repository)
    known = {policy["id"]: policy for policy in rulebook.compiled}
    tuned = {policy["id"]: policy for policy in shared.rules}
    for key, rule in rulebook.rules.items():
        if key in tuned:
            is_known = tuned[key] is known[key]
            digest = digests[key] if is_known else json_digest(tuned[key])
            yield key, _rule_cells(rule, severities, digest, is_own=False)
    if rule_set.shared is not None:
        own = Rulebook(rule_set.rules)
        for policy in rule_set.rules:
            rule = own.rules[policy["id"]]
            yield rule.id, _rule_cells(rule, severities, json_digest(policy), is_own=True)


def _severities(repository: RepositorySetup) -> Callable[[Rule], Iterator[str | None]]:
    """Return what gives the severities of a rule at a production site, and elsewhere."""
    grading, configured = repository.grading, repository.settings.profiles
    places = [(role, grading.profiles_at(role, configured)) for role in ("production", None)]

    def of(rule: Rule) -> Iterator[str | None]:
        for role, profiles in places:
            severity = grading.severity_in(profiles, rule, role)
            yield None if severity is None else severity.word

    return of


def _rule_cells(
    rule: Rule, severities: Callable[[Rule], Iterator[str | None]], digest: str, *, is_own: bool
) -> tuple[object, ...]:
    return (
        *(rule.id, rule.name, rule.group, *severities(rule), is_own, rule.confidence.word),
        *(rule.summary, digest),
    )


def exception_rows(found: Iterable[Finding]) -> Iterator[Row]:
    """Yield the rows of `exceptions`: a row for each finding that is covered."""
    for finding in found:
        excuse = finding.ignored
        if excuse is None:
            yield _exception(finding, "baseline", (None,) * 4)
        else:
            cells = (excuse.owner, excuse.reason, excuse.ticket, excuse.expires)
            yield _exception(finding, excuse.by, tuple(cell or None for cell in cells))


def _exception(finding: Finding, kind: str, cells: tuple[str | None, ...]) -> Row:
    place, subject = finding.location, finding.subject
    return (
        *(finding.repository, kind, finding.rule.id, *cells, place.path, place.start.line),
        *(subject.site, subject.queue_manager, finding.severity.word, finding.message),
        finding.fingerprint,
    )


def inventory_rows(found: Iterable[Match]) -> Iterator[Row]:
    """Yield the rows of `inventory`; a line that repeats another one has none."""
    for match in found:
        if match.first is not None:
            continue
        registered, described = match.registered, match.described
        yield (
            "" if described is None else described.repository,
            *(match.queue_manager, match.site, registered is not None, described is not None),
            *((None, None) if registered is None else (registered.site, registered.line)),
            None if described is None else described.path,
        )


def control_rows(about: About) -> Iterator[Row]:
    for control in about.controls:
        for rule in control.rules:
            name = about.rulebook.rules[rule].name
            yield "", control.framework, control.id, control.title or None, rule, name
