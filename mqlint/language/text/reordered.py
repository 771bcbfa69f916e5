"""Characters that change the order in which a text is shown, but not the order of its words.

They are for languages that are written from right to left, and can make a command look like a
comment (Unicode Standard Annex 9, "Explicit Directional Embeddings", "Overrides", "Isolates").
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.patterns import later

_FIRST_OF_LINE = later("([\u202a-\u202e\u2066-\u2069])[^\n]*")


def reordered(text: str) -> Iterator[Diagnostic]:
    """Yield a diagnostic `reordered` for the first such character of each line."""
    for found in _FIRST_OF_LINE.finditer(text):
        sign = f"U+{ord(found[1]):04X}"
        yield diagnostic("reordered", found.span(1), sign=sign)
