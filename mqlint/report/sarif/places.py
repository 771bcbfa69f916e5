"""The places of a SARIF log: files, regions, and objects of MQ."""

from __future__ import annotations

from mqlint.finding import Finding, Location, Position
from mqlint.report.json import Json
from mqlint.report.terminal import visible
from mqlint.report.uri import in_checkout, is_absolute, uri_of

BASE = "%SRCROOT%"


def place_of(where: Location, below: str) -> dict[str, Json]:
    return {"physicalLocation": physical_location(where, below)}


def physical_location(where: Location, below: str) -> dict[str, Json]:
    return {
        **artifact(where.path, below),
        "region": region(where.start, where.end),
    }


def region(start: Position, end: Position) -> dict[str, Json]:
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }


def artifact(path: str, below: str) -> dict[str, Json]:
    """Return the location of a file, relative to the root of the checkout if it is in it."""
    base = {} if is_absolute(path) else {"uriBaseId": BASE}
    return {"artifactLocation": {"uri": uri_of(in_checkout(path, below)), **base}}


def logical_location(finding: Finding) -> dict[str, Json]:
    """Return the MQ object, for viewers that can sort by it."""
    subject = finding.subject
    if subject.object_name is None or not subject.object_name.strip():
        return {}
    owner = [word for word in (subject.site, subject.queue_manager, subject.object_type) if word]
    name = visible(subject.object_name)
    full = "/".join([*map(visible, owner), name])
    return {"logicalLocations": [{"name": name, "fullyQualifiedName": full, "kind": "resource"}]}


LONG = 2_000
SHORT = 1_000
"""Characters of a message, and of a summary."""


def message(text: str, most: int) -> dict[str, Json]:
    return {"text": message_text(text, most)}


def message_text(text: str, most: int) -> str:
    """Return a text as a message: no control character, no link that a file makes, not too long."""
    shown = visible(text)
    if len(shown) > most:
        shown = shown[: most - 3] + "..."
    if "](" in shown:
        shown = shown.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return braced(shown)


def braced(text: str) -> str:
    """Return a text with each brace doubled.

    SARIF uses braces for placeholders. A doubled brace is a literal brace (3.11.5).
    """
    return text.replace("{", "{{").replace("}", "}}")
