"""Findings of one document, from what readers and checkers reported of it."""

from __future__ import annotations

from dataclasses import replace

from mqlint.engine.assemble import Assembly, Standard
from mqlint.engine.reading import Reading, Reported
from mqlint.finding import Finding, Location, Rule, Severity
from mqlint.policy.run.message import finding_of
from mqlint.source.lines import LineMap


def document_findings(path: str, reading: Reading, standard: Standard) -> list[Finding]:
    joined = standard.assembly.relations.joined.get(path, ())
    every = [*reading.reported, *(Reported(found, reading.language) for found in joined)]
    lines = reading.lines
    findings = []
    for reported in every:
        rule = standard.rulebook.by_code.get(reported.diagnostic.code)
        severity = standard.severity(rule, path) if rule is not None else None
        if rule is not None and severity is not None:
            findings.append(_finding(path, reported, rule, severity, standard.assembly, lines))
    return findings


def _finding(
    path: str,
    reported: Reported,
    rule: Rule,
    severity: Severity,
    assembly: Assembly,
    lines: LineMap,
) -> Finding:
    diagnostic = reported.diagnostic
    subject = replace(
        assembly.subject(path, reported.queue_manager, reported.entry),
        object_type=reported.object_type,
        object_name=reported.object_name,
        attribute=diagnostic.data.get("attribute"),
    )
    location = Location.of(path, lines, diagnostic.start, diagnostic.end)
    word = diagnostic.data.get("word", "")
    return finding_of(rule, severity, diagnostic.data, location, subject, detail=word)
