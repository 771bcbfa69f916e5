"""SARIF 2.1.0, the format of code scanning (docs.oasis-open.org/sarif/sarif/v2.1.0).

A result's region holds the tokens at fault. An end column is the one after the last character, as
in mqlint. Results are sorted: worst first, then known ones, then suppressed ones. Of more
than 5,000 GitHub keeps 5,000, and of more than 25,000, or of more than 10 MB compressed, it takes
nothing (docs.github.com, "SARIF results exceed one or more limits"), so what is over is cut from
the end. GitHub shows a related location only if the message links to it, and follows an alert by
`primaryLocationLineHash` alone. Source lines are those of the text without its secrets.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat

from mqlint.finding import Finding
from mqlint.report.json import Json, dump
from mqlint.report.report import Report, Style
from mqlint.report.sarif.invocation import invocation_of
from mqlint.report.sarif.places import BASE
from mqlint.report.sarif.results import Results
from mqlint.report.sarif.rules import driver_of
from mqlint.report.terminal import counted

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

MAX_RESULTS = 25_000
"""Limit of the results of a run that GitHub accepts."""

MAX_STORED = 5_000
"""Limit of the results that GitHub stores of a run."""

MAX_COMPRESSED = 10_000_000
"""Limit of a file that GitHub accepts, in bytes after gzip."""


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield one SARIF log with one run; the same findings always give the same text."""
    known = [finding for part in report.known for finding in part.findings]
    findings = [*_worst_first(report.findings), *_worst_first(known)]
    findings += _worst_first(report.ignored)
    ids = sorted({finding.rule.id: finding.rule for finding in findings}.items())
    rules = [rule for _, rule in ids]
    index = {rule_id: at for at, (rule_id, _) in enumerate(ids)}
    driver = driver_of(rules)
    states = _states(report)
    write = Results(report, index)
    written = (
        dump(write.result(finding) | state)
        for finding, state in zip(findings[:MAX_RESULTS], states, strict=False)
    )
    results = _within_limits(written, MAX_COMPRESSED * 19 // 20 - _packed(dump(driver)))
    notes = _cuts(len(findings), len(results))
    for note in notes:
        report.warn(note)
    yield f'{{"$schema": "{SCHEMA}", "version": "2.1.0", "runs": [{{\n"tool": '
    yield dump({"driver": driver}) + ',\n"columnKind": "unicodeCodePoints",\n"results": ['
    yield "\n" * bool(results) + ",\n".join(results) + "\n],\n"
    rest = dump({**_ABOUT, "invocations": [invocation_of(report, notes)]})
    yield rest[1:-1] + "\n}]}\n"


_ABOUT: Mapping[str, Json] = {
    "automationDetails": {"id": "mqlint/"},
    "originalUriBaseIds": {BASE: {"description": {"text": "The root of the checkout."}}},
}


def _worst_first(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: -finding.severity)


def _states(report: Report) -> Iterator[dict[str, Json]]:
    """What each result says of findings before, nothing if the run compares with none.

    Known results are marked, not omitted, because a viewer treats a missing result as fixed.
    """
    known = sum(len(part.findings) for part in report.known)
    for state, number in (("new", len(report.findings)), ("unchanged", known)):
        yield from repeat({"baselineState": state} if report.known else {}, number)
    yield from repeat({}, len(report.ignored))


def _within_limits(results: Iterable[str], room: int) -> list[str]:
    """The results that fit into `room` bytes when they are compressed."""
    stored: list[str] = []
    plain = packed = 0
    packer = zlib.compressobj(6)
    for result in results:
        data = result.encode()
        plain += len(data)
        packed += len(packer.compress(data))
        if plain > room and packed > room:
            break
        stored.append(result)
    return stored


def _packed(text: str) -> int:
    return len(zlib.compress(text.encode(), 6))


def _cuts(found: int, stored: int) -> list[str]:
    """Return notes about results that mqlint or GitHub omits."""
    if stored < found:
        return [
            f"SARIF: {counted(found - stored, 'finding')} of {found:,} left out, the least severe, "
            "to stay within what GitHub accepts"
        ]
    if stored > MAX_STORED:
        return [f"SARIF: GitHub will keep {MAX_STORED:,} of {found:,} findings"]
    return []
