"""A text in lower case, in which the signs of secrets are looked for."""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO

_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_LONG = 4_000
"""Characters of a text of which it pays to compare the lines."""


class LowerCase:
    """A text in lower case, of the same length: the few letters that are longer then stay.

    A hundred signs are looked for, and most texts have few of them. In a dump most lines are equal
    to others, so `lines` has one of each. No sign goes over the end of a line.
    """

    __slots__ = ("lines", "text")

    def __init__(self, text: str) -> None:
        low = text.lower()
        self.text = low if len(low) == len(text) else text.translate(_LOWER)
        self.lines = self.text
        if len(low) > _LONG:
            self.lines = "\n".join({*StringIO(self.text, newline="\n")})

    def places(self, stems: Iterable[str]) -> list[int]:
        """Return the offsets of the stems, in order."""
        found: list[int] = []
        lines = self.lines
        for stem in [stem for stem in stems if stem in lines]:
            at = self.text.find(stem)
            while at >= 0:
                found.append(at)
                at = self.text.find(stem, at + len(stem))
        found.sort()
        return found
