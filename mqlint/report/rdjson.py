"""Reviewdog's diagnostics as one JSON object (rdjson), for comments in any code review.

A column counts bytes of UTF-8 (reviewdog, proto/rdf/reviewdog.proto, Position). It is left out
where the source line is not at hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Finding, Location, Severity
from mqlint.report.excerpt import Sources
from mqlint.report.json import Json, json_array
from mqlint.report.report import Report, Style
from mqlint.report.terminal import visible
from mqlint.report.uri import checkout_name
from mqlint.source.lines import Position

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.NOTE: "INFO"}


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield one object with a diagnostic for each finding that counts."""
    sources = Sources(report)
    yield '{"source": {"name": "mqlint"}, "diagnostics": '
    yield from json_array(_diagnostic(each, report.below, sources) for each in report.findings)
    yield "}\n"


def _diagnostic(finding: Finding, below: str, sources: Sources) -> dict[str, Json]:
    rule = finding.rule
    return {
        "message": visible(finding.message),
        "location": _location(finding.location, below, sources),
        "severity": _SEVERITIES[finding.severity],
        "code": {"value": rule.id},
        "relatedLocations": [
            {
                "message": visible(related.message),
                "location": _location(related.location, below, sources),
            }
            for related in finding.related
        ],
        **_suggestions(finding, sources),
    }


def _suggestions(finding: Finding, sources: Sources) -> dict[str, Json]:
    """A proven fix, which reviewdog posts as a suggestion: left out if a column is not known."""
    proposal, where = finding.proposal, finding.location
    if proposal is None:
        return {}
    places = [_position(where, place, sources) for place in (proposal.start, proposal.end)]
    if not all("column" in place for place in places):
        return {}
    start, end = places
    return {"suggestions": [{"range": {"start": start, "end": end}, "text": proposal.text}]}


def _location(where: Location, below: str, sources: Sources) -> dict[str, Json]:
    return {
        "path": checkout_name(where.path, below),
        "range": {
            "start": _position(where, where.start, sources),
            "end": _position(where, where.end, sources),
        },
    }


def _position(where: Location, position: Position, sources: Sources) -> dict[str, Json]:
    before = sources.bytes_before(where.path, position)
    column: dict[str, Json] = {} if before is None else {"column": before + 1}
    return {"line": position.line, **column}
