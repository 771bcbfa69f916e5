"""The run that a SARIF log reports: whether it did what was asked, and what it did not read."""

from __future__ import annotations

from collections.abc import Sequence

from mqlint.finding import STATUSES
from mqlint.report.json import Json, in_force_object
from mqlint.report.report import Report
from mqlint.report.sarif.places import LONG, SHORT, artifact_location, message_text

_NOTES = 100


def invocation_of(report: Report, notes: Sequence[str]) -> dict[str, Json]:
    """Return the run, with `notes` on what the log leaves out."""
    left_out = [row for row in report.coverage.files if row.status in _LEVELS]
    unread = [row for row in left_out if row.status == "unreadable"]
    stale = [entry for known in report.known for entry in known.stale]
    notifications: list[Json] = [{"level": "warning", "message": {"text": note}} for note in notes]
    notifications += [
        {
            "level": _LEVELS[row.status],
            "message": {
                "text": message_text(f"not read: {row.reason or STATUSES[row.status]}", LONG)
            },
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": artifact_location(row.path, report.below)
                    }
                }
            ],
        }
        for row in sorted(left_out, key=lambda row: _LEVELS[row.status])[:_NOTES]
    ]
    guesses: list[Json] = [
        {"level": "note", "message": {"text": message_text(text, LONG)}}
        for text in (
            *(f"assumed: {assumption}" for assumption in report.assumptions[:_NOTES]),
            *(f"stale in the baseline: {entry.words}" for entry in stale[:_NOTES]),
            *(f"in force: {text}" for text in _in_force(report)),
            *(
                f"rules that need {key} in mqlint.yaml: {', '.join(rules)}"
                for key, rules in report.coverage.waiting.items()
            ),
        )
    ]
    return {
        # Not where what was asked for was not done: a file was not read, or nothing was recognised.
        "executionSuccessful": report.status in (0, 1) and not unread,
        "exitCode": report.status,
        "exitCodeDescription": message_text(report.outcome or _EXITS.get(report.status, ""), SHORT),
        "toolExecutionNotifications": notifications,
        "toolConfigurationNotifications": guesses,
        "properties": {
            **_coverage(report),
            **(
                {"inForce": [in_force_object(layer) for layer in report.in_force]}
                if report.in_force
                else {}
            ),
        },
    }


_LEVELS = {"unreadable": "error", "excluded": "note", "not-recognised": "note"}
"""The SARIF levels of files that were not checked, in order of severity."""


def _in_force(report: Report) -> list[str]:
    if not report.in_force:
        return []
    from mqlint.report.in_force import sentence  # here, as most runs have nothing in force

    return [sentence(layer) for layer in report.in_force[:_NOTES]]


_EXITS = {
    0: "no finding at or above the threshold",
    1: "a finding at or above the threshold exists",
    3: "folders were searched and no file was recognised",
}


def _coverage(report: Report) -> dict[str, Json]:
    coverage = report.coverage
    return {
        "filesChecked": coverage.count("checked"),
        "filesWithoutMq": coverage.count("without-mq"),
        "filesNotRecognised": coverage.count("not-recognised"),
        "filesUnreadable": coverage.count("unreadable"),
        "filesExcluded": coverage.count("excluded"),
        "commands": coverage.commands,
        "commandsUnderstood": coverage.understood,
        "statementsThatMayNotRun": coverage.unjudged("may-not-run"),
        "commandsWithUnknownValues": coverage.unjudged("unknown-value"),
    }
