"""A text in lower case, in which the signs of secrets are looked for."""

from __future__ import annotations

from collections.abc import Iterable

from mqlint.source.lines import without_repeated_lines

_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


class LowerCase:
    """A text in lower case, of the same length: the few letters that are longer then stay.

    A hundred signs are looked for, and most texts have few of them: those that `lines` does not
    have, in which equal lines are once. No sign goes over the end of a line.
    """

    __slots__ = ("lines", "text")

    def __init__(self, text: str, *, is_part: bool = False) -> None:
        low = text.lower()
        self.text = low if len(low) == len(text) else text.translate(_LOWER)
        self.lines = without_repeated_lines(text, is_part=is_part).lower()

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
