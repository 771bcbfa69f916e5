"""A text in lower case, in which the signs of secrets are looked for."""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO

_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


class LowerCase:
    """A text in lower case, of the same length: the few letters that are longer then stay.

    A hundred signs are looked for, and most texts have few of them. In a dump most lines are equal
    to others, so one of each tells whether a sign is there. No sign goes over the end of a line.
    """

    __slots__ = ("_lines", "text")

    def __init__(self, text: str) -> None:
        low = text.lower()
        self.text = low if len(low) == len(text) else text.translate(_LOWER)
        self._lines = "\n".join({*StringIO(self.text, newline="\n")})

    def __contains__(self, sign: str) -> bool:
        return sign in self._lines

    def places(self, stems: Iterable[str]) -> list[int]:
        """Return the offsets of the stems, in order."""
        found: list[int] = []
        for stem in [stem for stem in stems if stem in self]:
            at = self.text.find(stem)
            while at >= 0:
                found.append(at)
                at = self.text.find(stem, at + len(stem))
        found.sort()
        return found
