"""The report of a scan from its tables alone: neither the files nor Spark are needed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from mqlint.estate.history.difference import difference
from mqlint.estate.history.reading import coverage_of, table_rows
from mqlint.estate.history.store import Manifest, NoScanError, parts_of, scans
from mqlint.estate.history.trend import VERDICTS, TrendRow, trend
from mqlint.estate.tables.batches import Values
from mqlint.estate.tables.schema import JUDGEMENTS
from mqlint.finding import Confidence, Excuse, Finding, Location, Position, Rule, Severity, Subject
from mqlint.report.html.estate import (
    Control,
    Count,
    EarlierScan,
    Estate,
    Key,
    PassCount,
    Repository,
    Verdicts,
)
from mqlint.report.report import Known, Report
from mqlint.report.topology import TABLES, topology


def outcome(
    out: Path, manifest: Manifest, rules: Mapping[str, Rule], warn: Callable[[str], None]
) -> Report:
    """Return the report of a scan, as `mqlint check` gives one, without lines of files.

    `rules` are those of this mqlint; of a rule that is not among them, such as that of a policy of
    one repository, only the name and the group are known.
    """
    found: dict[bool, list[Finding]] = {False: [], True: []}
    for row in table_rows(out, manifest, "findings"):
        found[bool(row["known"])].append(finding_of(row, rules))
    return Report(
        sorted(found[False], key=_place),
        coverage_of(out, manifest),
        warn=warn,
        ignored=sorted(_suppressed(out, manifest, rules), key=_place),
        known=[Known("baseline", "", sorted(found[True], key=_place))] if found[True] else [],
        topology=lambda: topology(
            {name: table_rows(out, manifest, name) for name in TABLES if name in manifest.tables}
        ),
    )


def _place(finding: Finding) -> tuple[Location, str]:
    return finding.location, finding.rule.id


def _suppressed(out: Path, manifest: Manifest, rules: Mapping[str, Rule]) -> Iterator[Finding]:
    """Yield the findings that comments and waivers suppress."""
    for row in table_rows(out, manifest, "exceptions"):
        if row["kind_name"] not in ("comment", "waiver"):
            continue
        severity = Severity.of(row["severity"])
        at = Position(row["first_line"], 1)
        yield Finding(
            rules.get(row["rule"]) or _unknown_rule(row["rule"], severity),
            severity,
            row["message"],
            Location(row["file_path"], at, at),
            Subject(row["site"], row["queue_manager"]),
            row["fingerprint"],
            ignored=Excuse(
                row["reason"] or "",
                row["kind_name"],
                row["owner_name"] or "",
                row["ticket"] or "",
                row["expires_on"] or "",
            ),
            repository=row["repository"] or "",
        )


def _unknown_rule(
    key: str, severity: Severity, name: str = "", group: str = "", confidence: str = "medium"
) -> Rule:
    """A rule that this mqlint does not have."""
    return Rule(
        id=key,
        name=name,
        group=group,
        summary="",
        severity={"default": severity},
        confidence=Confidence.of(confidence),
        why="",
        fix="",
        message="",
    )


def finding_of(row: Values, rules: Mapping[str, Rule]) -> Finding:
    """Return the finding of a row of the table `findings`."""
    severity = Severity.of(row["severity"])
    rule = rules.get(row["rule"]) or _unknown_rule(
        row["rule"], severity, row["name"] or "", row["theme"] or "", row["confidence"]
    )
    return Finding(
        rule,
        severity,
        row["message"],
        Location(
            row["path"],
            Position(row["line"], row["column"]),
            Position(row["end_line"], row["end_column"]),
        ),
        Subject(
            row["site"],
            row["queue_manager"],
            row["object_type"],
            row["object_name"],
            row["attribute"],
        ),
        row["fingerprint"],
        row["incident"],
        first=row["shared_fingerprint"] or "",
        repository=row["repository"] or "",
    )


_JUDGED = ("site", "verdict", "missing_value", "is_excepted", "rules_total")
_MISSING = 10
_SEVERITIES = {severity.word: severity for severity in Severity}
_SEEN = ("repository", "fingerprint", "first_seen", "scanned")


def estate_of(
    out: Path, manifest: Manifest, rules: Mapping[str, Rule], warn: Callable[[str], None]
) -> Estate:
    """Return what the tables of a scan, and of those before it, add to its report.

    `warn` is told of earlier scans with damaged files, which are left out.
    """
    before = [scan for scan in scans(out) if scan.scan < manifest.scan]
    new, fixed = _changes(out, next(_whole(out, reversed(before), warn), None), manifest, rules)
    first_seen = {
        (row["repository"] or "", row["fingerprint"]): _time(row["first_seen"] or row["scanned"])
        for row in table_rows(out, manifest, "findings", _SEEN)
    }
    return Estate(
        _repositories(out, manifest),
        _scans(trend(out, [*before, manifest]), manifest),
        new,
        fixed,
        first_seen,
        _controls(out, manifest),
        *_verdicts(out, manifest),
    )


def _scans(found: Iterable[TrendRow], manifest: Manifest) -> list[EarlierScan]:
    """The scans that a trend is of, the oldest first, `manifest` the last one."""
    counts: dict[str, list[Count]] = {manifest.scan: []}
    verdicts: dict[str, dict[tuple[str, str], Counter[str]]] = defaultdict(
        lambda: defaultdict(Counter)
    )
    began = {manifest.scan: manifest.finished}
    for row in found:
        began[row.counted_scan] = _time(row.counted_at)
        of_scan = counts.setdefault(row.counted_scan, [])
        owner = row.site or "", row.counted_team or ""
        if row.measure in _SEVERITIES:
            of_scan.append(Count(*owner, _SEVERITIES[row.measure], row.total))
        elif row.measure in VERDICTS:
            verdicts[row.counted_scan][owner][row.measure] += row.total
    return [
        EarlierScan(scan, began[scan], counts[scan], [*_passed(verdicts[scan])])
        for scan in sorted(counts)
    ]


def _passed(verdicts: Mapping[tuple[str, str], Counter[str]]) -> Iterator[PassCount]:
    for owner, count in verdicts.items():
        yield PassCount(*owner, count["pass"], count.total())


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def _whole(
    out: Path, stored: Iterable[Manifest], warn: Callable[[str], None]
) -> Iterator[Manifest]:
    """The scans whose findings are as they were written."""
    for scan in stored:
        try:
            parts_of(out, scan, "findings")
            yield scan
        except NoScanError as error:
            warn(f"scan {scan.scan} is left out: {error}")


def _changes(
    out: Path, before: Manifest | None, after: Manifest, rules: Mapping[str, Rule]
) -> tuple[frozenset[Key] | None, Sequence[Finding]]:
    """The findings that only a scan has, and those that only the one before has."""
    if before is None:
        return None, ()
    try:
        found = difference(out / before.folder, out / after.folder, ("repository", "fingerprint"))
    except NoScanError:
        return None, ()
    new: set[Key] = set()
    fixed: set[Key] = set()
    for repository, fingerprint, is_new, is_fixed, _ in found.rows:
        key = str(repository or ""), str(fingerprint)
        if is_new:
            new.add(key)
        if is_fixed:
            fixed.add(key)
    gone = [
        finding_of(row, rules)
        for row in table_rows(out, before, "findings")
        if (row["repository"] or "", row["fingerprint"]) in fixed
    ]
    gone.sort(key=lambda finding: (-finding.severity, finding.location, finding.rule.id))
    return frozenset(new), gone


def _controls(out: Path, manifest: Manifest) -> list[Control]:
    """The controls of the mappings that the scan was given."""
    titles: dict[str, str] = {}
    rules: dict[str, list[str]] = {}
    for row in table_rows(out, manifest, "controls"):
        name = f"{row['framework_name']} {row['control_id']}"
        titles[name] = row["control_title"] or ""
        rules.setdefault(name, []).append(row["rule"])
    return [Control(name, titles[name], sorted(rules[name])) for name in sorted(rules)]


def _verdicts(
    out: Path, manifest: Manifest
) -> tuple[Sequence[Verdicts], Sequence[tuple[str, int]]]:
    """The verdicts of each site, and the most frequent unknowns."""
    counts: dict[str, Counter[str]] = {}
    missing: Counter[str] = Counter()
    for row in table_rows(out, manifest, JUDGEMENTS, _JUDGED):
        verdict, total = row["verdict"], row["rules_total"]
        site = counts.setdefault(row["site"] or "", Counter())
        site[verdict] += total
        site["excepted"] += bool(row["is_excepted"])
        if verdict == "unknown":
            missing[row["missing_value"]] += total
    sites = [
        Verdicts(name, count["pass"], count["fail"], count["excepted"], count["unknown"])
        for name, count in sorted(counts.items())
    ]
    return sites, missing.most_common(_MISSING)


def _repositories(out: Path, manifest: Manifest) -> list[Repository]:
    """The repositories by name, with how much of each was read."""
    teams: dict[str, str] = {}
    numbers: dict[str, Counter[str]] = {}
    for row in table_rows(out, manifest, "coverage"):
        name = row["repository"] or ""
        teams.setdefault(name, row["team"] or "")
        count = numbers.setdefault(name, Counter())
        count[row["status"]] += row["files"]
        count["commands"] += row["commands"] or 0
        count["understood"] += row["understood"] or 0
    faults = {
        row["repository"] or "": row["fault"] or ""
        for row in table_rows(out, manifest, "repositories", ("repository", "fault"))
    }
    return [
        Repository(
            name,
            teams[name],
            count["checked"],
            count["unreadable"],
            count["not-recognised"],
            count["commands"],
            count["understood"],
            faults.get(name, ""),
        )
        for name, count in sorted(numbers.items())
    ]
