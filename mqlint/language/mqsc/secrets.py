"""The places of secrets in an MQSC text, by the vocabulary."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from mqlint.language.mqsc.script import Script
from mqlint.language.mqsc.shape import Names
from mqlint.patterns import later
from mqlint.source.secrets import secret_spans
from mqlint.source.secrets.values import value_after, word_at

Span = tuple[int, int]

_OUTSIDE = frozenset({"broken", "comment", "reply", "unread"})
_JOINT = r"[+\-][ \t]*+\n(?:[ \t]*+\*[^\n]*+\n)*+[ \t]*+"
_WORD = later(rf"[A-Za-z][\w.]*+(?:{_JOINT}[\w.]++)*+")
_BREAK = later(_JOINT)
_GAP = later(rf"[ \t]++(?:{_JOINT})?")


def secrets_in(script: Script, text: str, names: Names) -> Iterator[Span]:
    """Yield the places of secrets in the `text` that `script` was read from.

    Text outside commands is searched for words of the vocabulary, misspelt ones too, and for the
    signs of secrets in any language.
    """
    for command in script.commands:
        if command.form.secrets or command.form.lost:
            yield from command.spans_of_secrets()
    pieces, starts, ends, size = [], [], [], 0
    for piece in script.slices:
        if piece.kind not in _OUTSIDE:
            continue
        if piece.kind == "broken":
            yield from _behind_words(text, piece.start, piece.end, names)
        starts.append(size)
        ends.append(piece.start)
        pieces.append(text[piece.start : piece.end])
        size += piece.end - piece.start
    outside = "".join(pieces)
    for start, end in secret_spans(outside) if outside else ():
        at = bisect_right(starts, start) - 1
        yield ends[at] + start - starts[at], ends[at] + end - starts[at]


def _behind_words(text: str, start: int, end: int, names: Names) -> Iterator[Span]:
    """Yield the text after words of secrets outside commands."""
    for word in _WORD.finditer(text, start, end):
        parts = _BREAK.split(word.group().upper())
        if names.is_secret("".join(parts)) or names.is_secret(parts[-1]):
            value = value_after(text, *word.span()) or _bare(text, word.end())
            if value is not None:
                yield value[0], min(value[1], end)


def _bare(text: str, end: int) -> Span | None:
    """The value of an attribute that lost its parentheses."""
    gap = _GAP.match(text, end)
    return word_at(text, gap.end()) if gap is not None else None
