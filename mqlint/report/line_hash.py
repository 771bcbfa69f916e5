"""The fingerprint by which GitHub follows an alert: a hash of the text from its line on.

It is the one that GitHub's own upload works out if a result has none (github/codeql-action,
src/fingerprints.ts): a polynomial of the first 100 characters from the start of the line, blanks
and tabs left out, and how many lines up to this one have the same hash.
"""

from __future__ import annotations

from collections import Counter
from functools import reduce

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
