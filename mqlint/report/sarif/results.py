"""The results of a SARIF log: one for each finding.

It is the one that GitHub's own upload works out if a result has none (github/codeql-action,
src/fingerprints.ts): a polynomial of the first 100 characters from the start of the line, blanks
and tabs left out, and how many lines up to this one have the same hash.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import reduce

from mqlint.finding import SCHEME, Finding, Location, Proposal, Related
from mqlint.grouping import grouped
from mqlint.report.excerpt import Sources
from mqlint.report.json import Json
from mqlint.report.report import Report
from mqlint.report.sarif.places import (
    LONG,
    artifact,
    braced,
    logical_location,
    message,
    message_text,
    physical_location,
    place_of,
    region,
)
from mqlint.report.terminal import visible
from mqlint.report.text import owner_of

_BLOCK = 100
_BASE = 37
_MASK = (1 << 64) - 1
_END = "\uffff" + "\0" * _BLOCK


class LineHashes:
    def __init__(self, text: str) -> None:
        """Windows of all lines are cut; a hash is worked out when it is asked for."""
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        packed = [_utf16(line.replace(" ", "").replace("\t", "")) for line in lines]
        joined = "\n".join(packed) + _END
        counts: Counter[str] = Counter()
        self._windows: list[tuple[str, int]] = []
        start = 0
        for line in packed:
            window = joined[start : start + _BLOCK]
            counts[window] += 1
            self._windows.append((window, counts[window]))
            start += len(line) + 1

    def of_line(self, number: int) -> str | None:
        """Return the hash of a line, counted from 1; None when the text has no such line."""
        if not 0 < number <= len(self._windows):
            return None
        window, occurrence = self._windows[number - 1]
        value = reduce(lambda total, char: (total * _BASE + ord(char)) & _MASK, window, 0)
        return f"{value:x}:{occurrence}"


def _utf16(text: str) -> str:
    """Text as JavaScript counts it: two surrogates for a character beyond the first plane."""
    if not text or max(text) < "\U00010000":
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(low | high << 8) for low, high in zip(data[::2], data[1::2], strict=True))


MAX_LOCATIONS = 100
"""Limit of the locations that GitHub stores of a result."""
_LINE = 200
_LINKS = 10
_LABEL = 100


class Results:
    def __init__(self, report: Report, index: Mapping[str, int]) -> None:
        """`index` has the place of each rule. Texts are asked from `report` file by file."""
        self._index = index
        self._below = report.below
        self._is_suppressing = bool(report.ignored)
        self._text_of = report.text_of
        self._sources = Sources(report)
        self._hashes: tuple[str, LineHashes | None] = ("", None)
        self._incidents = grouped(
            ((finding.rule.id, finding.incident), finding)
            for finding in report.findings
            if finding.incident is not None
        )

    def result(self, finding: Finding) -> dict[str, Json]:
        """Return one result; if one of a run says whether it is suppressed, all do (3.27.23)."""
        related = self._related(finding)
        where = finding.location
        result: dict[str, Json] = {
            "ruleId": finding.rule.id,
            "ruleIndex": self._index[finding.rule.id],
            "level": finding.severity.word,
            "message": {"text": message_text(finding.message, LONG) + _links(related)},
            "locations": [{**self._place(where), **logical_location(finding)}],
            "partialFingerprints": {
                f"mqlint/{SCHEME}": finding.fingerprint,
                **self._line_hash(where),
            },
            "properties": _properties(finding),
        }
        if self._is_suppressing:
            result["suppressions"] = _suppressions(finding)
        if finding.proposal is not None:
            result["fixes"] = [_fix(where.path, finding.proposal, self._below)]
        if related:
            result["relatedLocations"] = [
                {
                    "id": number,
                    **place_of(place.location, self._below),
                    "message": message(place.message, LONG),
                }
                for number, place in enumerate(related, 1)
            ]
        return result

    def _related(self, finding: Finding) -> Sequence[Related]:
        """The related places, and those of the first other findings of its incident."""
        key = finding.rule.id, finding.incident or ""
        shown = {finding.location, *(place.location for place in finding.related)}
        others = (
            Related(other.location, owner_of(other) or other.message)
            for other in self._incidents.get(key, ())[: _LINKS + 1]
            if other.location not in shown
        )
        return [*finding.related, *others][: MAX_LOCATIONS - 1]

    def _place(self, where: Location) -> dict[str, Json]:
        excerpt = self._sources.excerpt(where, _LINE)
        if excerpt is None:
            return place_of(where, self._below)
        line = where.start.line
        context: Json = {
            "startLine": line,
            "endLine": line,
            "snippet": {"text": excerpt.line},
        }
        physical: Json = {**physical_location(where, self._below), "contextRegion": context}
        return {"physicalLocation": physical}

    def _line_hash(self, where: Location) -> dict[str, Json]:
        path, hashes = self._hashes
        if path != where.path:
            text = self._text_of(where.path)
            hashes = None if text is None else LineHashes(text)
            self._hashes = where.path, hashes
        value = None if hashes is None else hashes.of_line(where.start.line)
        return {} if value is None else {"primaryLocationLineHash": value}


def _fix(path: str, proposal: Proposal, below: str) -> Json:
    """A fix (3.55): one replacement in the file of the finding."""
    text = "Safe: the effect stays the same." if proposal.is_safe else "Review: the effect changes."
    return {
        "description": {"text": text},
        "artifactChanges": [
            {
                **artifact(path, below),
                "replacements": [
                    {
                        "deletedRegion": region(proposal.start, proposal.end),
                        "insertedContent": {"text": proposal.text},
                    }
                ],
            }
        ],
    }


def _links(related: Sequence[Related]) -> str:
    """Links from a message to the first related places, by their numbers (3.11.6)."""
    words = []
    for number, place in enumerate(related[:_LINKS], 1):
        label = visible(place.message)[:_LABEL].replace("\\", "\\\\")
        label = label.replace("[", "\\[").replace("]", "\\]")
        words.append(f"[{braced(label) or 'here'}]({number})")
    return f" (see {', '.join(words)})" if words else ""


def _suppressions(finding: Finding) -> list[Json]:
    if finding.ignored is None:
        return []
    excuse = finding.ignored
    kind = "external" if excuse.by == "waiver" else "inSource"
    reason = message_text(excuse.reason, LONG)
    named = {key: getattr(excuse, key) for key in ("owner", "ticket", "expires")}
    more = {key: visible(value) for key, value in named.items() if value}
    suppression: dict[str, Json] = {"kind": kind}
    if reason:
        suppression["justification"] = reason
    if more:
        suppression["properties"] = more
    return [suppression]


def _properties(finding: Finding) -> dict[str, Json]:
    subject = finding.subject
    values = {
        "confidence": finding.rule.confidence.word,
        "group": finding.rule.group,
        "incident": finding.incident,
        "repository": finding.repository or None,
        "queueManager": subject.queue_manager,
        "site": subject.site,
        "objectType": subject.object_type,
        "objectName": subject.object_name,
        "attribute": subject.attribute,
    }
    return {key: visible(value) for key, value in values.items() if value is not None}
