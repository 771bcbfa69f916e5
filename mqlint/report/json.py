"""The report for programs. Its shape is published in `report.schema.json` beside this file.

The text is ASCII, so that no encoding can spoil it; `<` is escaped, so that it can be inside an
HTML page, and so is the start of a command in the log of a pipeline (`##[`); a byte of a path that
is not text is written as an escape, so that every reader of JSON accepts it. Findings are one a
line, which keeps two reports comparable by line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from mqlint.dataclass import names_of
from mqlint.finding import (
    STATUSES,
    UNJUDGED,
    Coverage,
    Excuse,
    Finding,
    Location,
    Proposal,
    Subject,
)
from mqlint.patterns import later
from mqlint.report.report import Known, Report, Style
from mqlint.source.lines import Position

if TYPE_CHECKING:
    from mqlint.report.in_force import InForce

VERSION = 1
"""Raised when a field changes its meaning or goes away; new fields do not raise it."""

Json = str | float | bool | None | Sequence["Json"] | Mapping[str, "Json"]
"""What a report is made of."""

_FOREIGN = later(r"[^\x00-;=-~]|(?<=#)#(?=\w*\[)")


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield one JSON object; the same findings always give the same text."""
    yield f'{{"version": {VERSION}, "findings": ['
    yield from json_rows(map(finding_object, report.findings))
    yield '\n], "suppressed": ['
    yield from json_rows(map(suppressed_object, report.ignored))
    yield '], "known": ['
    yield from json_rows(
        known_object(finding, known) for known in report.known for finding in known.findings
    )
    yield '], "compared": '
    yield dump([_compared(known) for known in report.known])
    yield ', "in_force": '
    yield dump([in_force_object(layer) for layer in report.in_force])
    yield ', "coverage": '
    yield dump(_coverage(report)) + "}\n"


def render_lines(report: Report, style: Style) -> Iterator[str]:
    """Yield a line for each finding: those that count, then the suppressed, then the known.

    The latter have `suppression` or `known`, as in one object for all of them.
    """
    rows = chain(
        map(finding_object, report.findings),
        map(suppressed_object, report.ignored),
        (known_object(finding, known) for known in report.known for finding in known.findings),
    )
    yield from (dump(row) + "\n" for row in rows)


def json_rows(rows: Iterable[Mapping[str, Json]]) -> Iterator[str]:
    """Yield the objects of an array, each on a line of its own, without its brackets."""
    separator = "\n"
    for row in rows:
        yield separator + dump(row)
        separator = ",\n"


def json_array(rows: Iterable[Mapping[str, Json]]) -> Iterator[str]:
    """Yield an array of objects, each on a line of its own."""
    yield "["
    end = "]"
    for piece in json_rows(rows):
        yield piece
        end = "\n]"
    yield end


def dump(value: Json, indent: int | None = None) -> str:
    """Return a value as JSON in ASCII, on one line unless it is indented."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    return _FOREIGN.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if "\ud800" <= character <= "\udfff":  # half of a character, which no JSON may hold
        return f"\\\\u{ord(character):04x}"
    return json.dumps(character)[1:-1] if character > "\x7f" else f"\\u{ord(character):04x}"


def fields_of(record: object, names: str) -> dict[str, Json]:
    """Return fields of a record by their `names`; a blank text is null if `?` follows its name."""
    found: dict[str, Json] = {}
    for word in names.split():
        name = word.removesuffix("?")
        value = getattr(record, name)
        found[name] = value if name == word else value or None
    return found


def finding_object(finding: Finding) -> dict[str, Json]:
    rule, subject = finding.rule, finding.subject
    return {
        "rule": rule.id,
        "name": rule.name,
        "group": rule.group,
        "severity": finding.severity.word,
        "confidence": rule.confidence.word,
        "message": finding.message,
        "why": rule.why.strip(),
        "fix": finding.fix.strip(),
        **_place(finding.location),
        "repository": finding.repository or None,
        "queue_manager": subject.queue_manager,
        "site": subject.site,
        "object": _object(subject),
        "attribute": subject.attribute,
        "incident": finding.incident,
        "related": [
            {**_place(related.location), "message": related.message} for related in finding.related
        ],
        "fingerprint": finding.fingerprint,
        **({} if finding.proposal is None else {"edit": _edit(finding.proposal)}),
    }


def _edit(proposal: Proposal) -> dict[str, Json]:
    return {
        "start": json_position(proposal.start),
        "end": json_position(proposal.end),
        "text": proposal.text,
        "safe": proposal.is_safe,
    }


def suppressed_object(finding: Finding) -> dict[str, Json]:
    return {**finding_object(finding), "suppression": _suppression(finding)}


def known_object(finding: Finding, known: Known) -> dict[str, Json]:
    return {**finding_object(finding), "known": known.kind}


def _suppression(finding: Finding) -> dict[str, Json]:
    return fields_of(finding.ignored or Excuse(""), "by reason owner? ticket? expires?")


def _compared(known: Known) -> dict[str, Json]:
    return {
        "with": known.kind,
        "source": known.source,
        "known": len(known.findings),
        "stale": [fields_of(entry, " ".join(names_of(type(entry)))) for entry in known.stale],
    }


def in_force_object(in_force: InForce) -> dict[str, Json]:
    """Return one setting, or source of suppressed findings, that is in force."""
    return fields_of(in_force, "kind name? value? number path line commit")


def _place(where: Location) -> dict[str, Json]:
    return {
        "path": where.path,
        "start": json_position(where.start),
        "end": json_position(where.end),
    }


def json_position(position: Position) -> dict[str, Json]:
    return fields_of(position, "line column")


def _object(subject: Subject) -> dict[str, Json] | None:
    if subject.object_type is None:
        return None
    return {"type": subject.object_type, "name": subject.object_name}


def _unjudged(coverage: Coverage) -> dict[str, Json]:
    """What was checked in part or not at all."""
    return {
        "unjudged": {kind: coverage.unjudged(kind) for kind in UNJUDGED},
        "not_judged": [
            {"path": row.path, **fields_of(statement, "line kind reason? text")}
            for row, statement in coverage.statements()
        ],
        "waiting": {key: list(rules) for key, rules in coverage.waiting.items()},
    }


def _coverage(report: Report) -> dict[str, Json]:
    coverage = report.coverage
    waived = sum(_suppression(finding)["by"] == "waiver" for finding in report.ignored)
    return {
        "files": {status: coverage.count(status) for status in STATUSES},
        "commands": coverage.commands,
        "understood": coverage.understood,
        "ignored": len(report.ignored) - waived,
        "waived": waived,
        "not_checked": [
            fields_of(row, "path status reason")
            for row in coverage.files
            if row.status != "checked"
        ],
        "read_in_part": [
            fields_of(row, "path reason")
            for row in coverage.files
            if row.status == "checked" and row.reason is not None
        ],
        **_unjudged(coverage),
        "assumptions": list(report.assumptions),
    }
