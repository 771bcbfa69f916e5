"""The places of secrets in an MQSC text, by the vocabulary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.language.mqsc.script import Script
from mqlint.language.mqsc.shape import Names
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.memo import Memo
from mqlint.source.secrets import secret_spans
from mqlint.source.secrets.pieces import in_pieces
from mqlint.source.secrets.values import value_after
from mqlint.source.secrets.words import closing, word_at

_KNOWN: Memo[str, Sequence[Span]] = Memo()
"""Short remarks in which no secret is. One with a secret is not stored: a server runs for days."""
_SHORT = 500
"""Characters of remarks that are remembered."""
_OUTSIDE = frozenset({"broken", "comment", "reply", "unread"})
_JOINT = r"[+\-][ \t]*+\n(?:[ \t]*+\*[^\n]*+\n){0,50}+[ \t]*+"
_WORD = later(rf"[A-Za-z][\w.]*+(?:{_JOINT}[\w.]++)*+")
_BREAK = later(_JOINT)
_MORE = later(r"[\"' \t]*+\)[ \t]*+(?:(\()|(?=[\"']))")
_GAP = later(rf"[ \t]++(?:{_JOINT})?")


def secrets_in(script: Script, text: str, names: Names) -> Iterator[Span]:
    """Yield the places of secrets in the `text` that `script` was read from.

    Text outside commands is searched for words of the vocabulary, misspelt ones too, and for the
    signs of secrets in any language.
    """
    for command in script.commands:
        if command.form.secrets or command.form.lost:
            yield from command.spans_of_secrets()
    outside = [piece for piece in script.slices if piece.kind in _OUTSIDE]
    for piece in outside:
        if piece.kind == "broken":
            yield from _after_words(text, piece.start, piece.end, names)
    places = [(piece.start, piece.end) for piece in outside]
    yield from in_pieces(text, places, _secrets_of_remarks)


def _secrets_of_remarks(text: str) -> Sequence[Span]:
    """The places of secrets in what is outside commands: files often begin with equal remarks."""
    found = _KNOWN.get(text)
    if found is None:
        found = secret_spans(text)
        if not found and len(text) <= _SHORT:
            _KNOWN.store(text, found)
    return found


def _more(text: str, end: int) -> Iterator[Span]:
    """Yield values that follow the parentheses of a secret that ends at `end`."""
    while (more := _MORE.match(text, end)) is not None:
        value = (more.end(), closing(text, more.end())) if more[1] else word_at(text, more.end())
        if value is None or value[1] <= end:
            return
        yield value
        end = value[1]


def _after_words(text: str, start: int, end: int, names: Names) -> Iterator[Span]:
    """Yield the text after words of secrets outside commands."""
    done = start  # the end of the last value: words inside are hidden with it
    for word in _WORD.finditer(text, start, end):
        if word.start() < done:
            continue
        parts = _BREAK.split(word.group().upper())
        if names.is_secret("".join(parts)) or names.is_secret(parts[-1]):
            value = value_after(text, *word.span()) or _bare(text, word.end())
            if value is not None:
                done = min(value[1], end)
                yield value[0], done
                for more in _more(text, done):
                    done = min(more[1], end)
                    yield more[0], done


def _bare(text: str, end: int) -> Span | None:
    """The value of an attribute that lost its parentheses."""
    gap = _GAP.match(text, end)
    return word_at(text, gap.end()) if gap is not None else None
