"""The slow, exact way through one command, for those that the quick split cannot take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from mqlint.dataclass import frozen
from mqlint.language.mqsc.limits import MOST_VALUES
from mqlint.patterns import later

_PIECE = later(r"'(?:[^']|'')*+'|\"[^\"]*+\"|[()';\"]|[^()';\"]+")


@frozen
class Scanned:
    """One command cut into skeleton and values, and where it ended.

    `end` is the offset after it (and after its semicolon, if it has one) in the joined text.
    `whole` is False when it has more values than a command can have: the first are here.
    """

    skeleton: str
    values: list[str]
    spans: list[tuple[int, int]]
    end: int
    whole: bool = True


@frozen
class Fault:
    """What keeps a text from being a command: a diagnostic code and the stretch at fault.

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
            if whole:
                skeleton.append(text)
    if depth:
        return Fault("unclosed-parenthesis", begin, len(joined.rstrip()))
    return Scanned("".join(skeleton), values, spans, at, whole)
