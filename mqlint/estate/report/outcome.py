"""A scan's tables as the outcome of a run: findings with their rules, and what was read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from mqlint.estate.history.reading import coverage_of, table_rows
from mqlint.estate.history.store import Manifest
from mqlint.estate.tables.batches import Values
from mqlint.finding import (
    Confidence,
    Excuse,
    Finding,
    Location,
    Position,
    Rule,
    Severity,
    Subject,
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
