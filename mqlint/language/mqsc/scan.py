"""The slow and exact reading of one command, for those that the quick split cannot read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from mqlint.dataclass import frozen
from mqlint.language.mqsc.limits import MOST_VALUES
from mqlint.patterns import later

_PIECE = later(r"'(?:[^']|'')*+'|\"[^\"]*+\"|[()';\"]|[^()';\"]+")


@frozen
class Scanned:
    """One command cut into skeleton and values, with its end.

    `end` is the offset in the joined text after it and its semicolon. `whole` is False if it has
    more values than a command can have: only the first are here.
    """

    skeleton: str
    values: list[str]
    spans: list[tuple[int, int]]
    end: int
    whole: bool = True


@frozen
class Fault:
    """The reason why a text is not a command: the code of a diagnostic and its place.

    `data` are words for the message.
    """

    code: str
    start: int
    end: int
    data: Mapping[str, str] = field(default_factory=dict)


def scan(joined: str, start: int = 0) -> Scanned | Fault:
    """Cut the command at `start` of `joined` into skeleton and values.

    Parentheses nest; strings hold anything. The first semicolon outside both ends the command.
    Runs in time linear in the text.
    """
    whole = True
    skeleton: list[str] = []
    values: list[str] = []
    spans: list[tuple[int, int]] = []
    depth = begin = 0
    at = start
    for piece in _PIECE.finditer(joined, start):
        text = piece.group()
        at = piece.end()
        if text == "(":
            if not depth:
                begin = piece.start()
            depth += 1
        elif text == ")":
            if not depth:
                return Fault("unbalanced-parenthesis", piece.start(), at)
            depth -= 1
            if not depth and whole:
                skeleton.append("\0")
                values.append(joined[begin + 1 : piece.start()])
                spans.append((begin + 1, piece.start()))
                whole = len(spans) < MOST_VALUES
        elif text == "'":
            return Fault("unterminated-string", piece.start(), len(joined.rstrip()))
        elif not depth:
            if text == ";":
                break
            if text[0] in "'\"":
                return Fault("stray-string", piece.start(), at)
            skeleton.append(text)
    if depth:
        return Fault("unclosed-parenthesis", begin, len(joined.rstrip()))
    return Scanned("".join(skeleton), values, spans, at, whole)
