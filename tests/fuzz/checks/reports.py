"""What must hold for reports whatever the names in them are."""

from __future__ import annotations

from hashlib import sha256

from mqlint.finding import (
    Coverage,
    FileCoverage,
    Finding,
    Location,
    Related,
    Severity,
    Subject,
)
from mqlint.report import Report
from mqlint.source.lines import Position
from tests.fuzz.program import RULEBOOK, reported

RULES = sorted(RULEBOOK.rules.values(), key=lambda rule: rule.id)


def names(data: bytes) -> None:
    """A report whose every word is from a stranger steers nothing and can be read back."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    name = lines[0]
    text = "\n".join(lines)
    place = Location(name, Position(1, 1), Position(1, max(2, len(name))))
    findings = []
    for at, word in enumerate(lines[:4]):
        rule = RULES[(len(data) + at) % len(RULES)]
        fingerprint = sha256(f"{at}".encode()).hexdigest()[:32]
        findings.append(
            Finding(
                rule,
                Severity.WARNING,
                f"queue {word} is not there",
                Location(name, Position(at + 1, 1), Position(at + 1, 1 + len(word))),
                Subject(name, word, name, word, name),
                fingerprint,
                incident=word or None,
                related=(Related(place, word),),
            )
        )
    rows = (FileCoverage(name, "unreadable", reason=name),)
    reported(Report(findings, Coverage(rows), [name], lambda path: text))
