"""A scan's tables as the outcome of a run: findings with their rules, and what was read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from mqlint.estate.history.store import Manifest
from mqlint.estate.report.reading import table_rows
from mqlint.estate.tables.batches import Values
from mqlint.finding import (
    Checked,
    Confidence,
    Coverage,
    FileCoverage,
    Finding,
    Location,
    Position,
    Rule,
    Severity,
    Subject,
)
from mqlint.report.report import Report
from mqlint.report.topology import topology

_OF_MAP = ("queue_managers", "channel_pairs", "clusters", "objects", "procedures")
_FILE = ("path", "status", "language", "reason", "commands", "understood", "counts")


def outcome(
    out: Path, manifest: Manifest, rules: Mapping[str, Rule], warn: Callable[[str], None]
) -> Report:
    """Return the report of a scan, as `mqlint check` gives one, without lines of files.

    `rules` are those of this mqlint; of a rule that is not among them, such as that of a policy of
    one repository, only the name and the group are known.
    """
    found = [finding_of(row, rules) for row in table_rows(out, manifest, "findings")]
    return Report(
        sorted(found, key=lambda finding: (finding.location, finding.rule.id)),
        _coverage(out, manifest),
        warn=warn,
        topology=lambda: topology(
            {name: table_rows(out, manifest, name) for name in _OF_MAP if name in manifest.tables}
        ),
    )


def finding_of(row: Values, rules: Mapping[str, Rule]) -> Finding:
    """Return the finding of a row of the table `findings`."""
    severity = Severity.of(row["severity"])
    rule = rules.get(row["rule"]) or Rule(
        id=row["rule"],
        name=row["name"] or "",
        group=row["theme"] or "",
        summary="",
        severity={"default": severity},
        confidence=Confidence.of(row["confidence"]),
        why="",
        fix="",
        message="",
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


def _coverage(out: Path, manifest: Manifest) -> Coverage:
    """What was read: rows of files that were checked in part or not at all, numbers of others."""
    files: list[FileCoverage] = []
    number = commands = understood = 0
    for row in table_rows(out, manifest, "files", _FILE):
        counts = dict(row["counts"] or ())
        if row["status"] == "checked" and row["reason"] is None and not counts:
            number += 1
            commands += row["commands"]
            understood += row["understood"]
        else:
            files.append(
                FileCoverage(
                    row["path"],
                    row["status"],
                    row["language"],
                    None,
                    row["reason"],
                    row["commands"] or 0,
                    row["understood"] or 0,
                    counts,
                )
            )
    files.sort(key=lambda file: file.path)
    return Coverage(tuple(files), Checked(number, commands, understood))
