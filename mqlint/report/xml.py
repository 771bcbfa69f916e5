"""XML with texts of strangers: whatever a name holds, the document stays well-formed."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from mqlint.patterns import later
from mqlint.report.terminal import visible, visible_lines

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

_NOT_XML = later("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What XML 1.0 has no way to write, not even as a reference (production 2, Char)."""


def start(element: str, /, **attributes: str | int) -> str:
    """Return a start tag without its `>`; the attributes are in the order given."""
    words = [f"{key}={quoteattr(_valid(visible(str(v))))}" for key, v in attributes.items()]
    return " ".join([f"<{element}", *words])


def text(content: str) -> str:
    """Return character data of several lines, each of which is safe to show."""
    return escape(_valid(visible_lines(content)))


def _valid(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
