"""`WORD=value`, which z/OS reads as `WORD(value)`.

"Generic values and characters with special meanings" (IBM MQ 7.5 to 9.2): on z/OS an equals sign
begins the value of a parameter, which a comma or a blank ends.
"""

from __future__ import annotations

from bisect import bisect_right

from mqlint.language.mqsc.lines import Segments, origin
from mqlint.patterns import later
from mqlint.source.pairs import Pairs

_PIECE = later(
    r"(?<![^\s,)])[A-Za-z]\w*+=(?P<value>'(?:[^']|'')*+'|[^\s,;()'=][^\s,;()']*+)|[()]"
    r"|'(?:[^']|'')*+'"
)

Places = list[tuple[int, int]]
"""The places of the equals signs, and the ends of the values after them."""


def places_of(joined: str) -> Places:
    """Return the places of attributes with an equals sign in a command, outside parentheses."""
    found: Places = []
    depth = 0
    for piece in _PIECE.finditer(joined):
        text = piece.group()
        if text in "()":
            depth += 1 if text == "(" else -1
        elif piece["value"] is not None and depth == 0:
            found.append((piece.start("value") - 1, piece.end()))
    return found


def in_parentheses(text: str, places: Places) -> str:
    """Return `text` with parentheses around the values at `places`."""
    pieces: list[str] = []
    done = 0
    for sign, end in places:
        pieces += text[done:sign], "(", text[sign + 1 : end], ")"
        done = end
    return "".join(pieces) + text[done:]


def moved(segments: Segments, places: Places) -> Pairs:
    """Return the segments of a text after `in_parentheses`, which made it longer.

    The closing parenthesis of a value is mapped to the last character of the value.
    """
    ends = [end for _, end in places]
    result = {offset + bisect_right(ends, offset): source for offset, source in segments}
    for count, end in enumerate(ends, 1):
        result[end + count - 1] = origin(segments, end - 1)
        result[end + count] = origin(segments, end)
    return Pairs(max(result), sorted(result.items()))
