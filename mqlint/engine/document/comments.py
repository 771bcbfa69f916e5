"""Comments that suppress findings, as they are read: the rules, the reason, the statements.

Comments are bound when a document is read, as part of the reading.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from mqlint.finding import Suppression
from mqlint.language.mqsc import Script
from mqlint.language.mqsc.lines import Segments, stretch
from mqlint.patterns import later
from mqlint.source.lines import LineMap, Span

# A line of MQSC with an asterisk in the first column, and a line of its own elsewhere.
_FORM = r"mqlint:[ \t]*ignore\b[ \t]*(?:\[([^\]\n]*)\])?[ \t:]*([^\n]*)"
_IN_MQSC = later(rf"(?m)^\*[ \t*]*{_FORM}")
_REMARK = r"[#;]|::|@?[Rr][Ee][Mm](?![^\s])"
_IN_LINES = later(rf"(?m)^[ \t]*(?:{_REMARK})[ \t#;]*{_FORM}")
_STATEMENT = later(rf"(?m)^(?![ \t]*(?:{_REMARK}|\r?$))[^\n]+")


def in_mqsc(
    text: str, script: Script, lines: LineMap, segments: Segments | None = None
) -> Iterator[Suppression]:
    """Yield the comments of an MQSC text, each bound to the next command.

    Inside a continued command a comment is bound to the next attribute. `lines` are those of the
    file, and `segments` map to its offsets if the MQSC is inside another language.
    """
    unread = next((slice.start for slice in script.slices if slice.kind == "unread"), len(text))
    broken = [(slice.start, slice.end) for slice in script.slices if slice.kind == "broken"]
    spans = sorted([*script.spans, *broken])
    starts = _Starts(script)
    for match in _IN_MQSC.finditer(text, 0, unread):
        covered = starts.in_command(match) or _after(match, spans)
        places = [_moved(span, segments) for span in (match.span(), covered)]
        yield _suppression(match, places[0], places[1], lines)


class _Starts:
    """The offsets of the attributes of commands, looked up once, as each may have a comment."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._at = -1
        self._known: dict[int, int] = {}

    def in_command(self, match: re.Match[str]) -> Span | None:
        """The stretch that a comment inside a continued command covers; None if it is in none."""
        spans = self._script.spans
        at = bisect_right(spans, (match.start(), 1 << 62)) - 1
        if at < 0 or match.start() >= spans[at][1]:
            return None
        if at != self._at:
            self._at, self._known = at, {}
        command = self._script.commands[at]
        words = range(len(command.shape.words))
        index = bisect_left(words, match.end(), key=self._start)
        return command.span_of_attribute(index) if index in words else (match.end(), match.end())

    def _start(self, index: int) -> int:
        if index not in self._known:
            self._known[index] = self._script.commands[self._at].span_of_word(index)[0]
        return self._known[index]


def _after(match: re.Match[str], spans: Sequence[Span]) -> Span:
    """The first of `spans` that begins after a comment, or that it is in."""
    at = bisect_right(spans, (match.start(), 1 << 62)) - 1
    if at >= 0 and match.start() < spans[at][1]:
        return match.end(), spans[at][1]
    return spans[at + 1] if at + 1 < len(spans) else (match.end(), match.end())


def in_lines(
    text: str, lines: LineMap, statements: Iterable[Span], inner: Iterable[Span]
) -> Iterator[Suppression]:
    """Yield the comments of an ini file, a shell script or a crontab, bound to the next line.

    A statement that begins on that line is covered to its end. The stretches `inner`, which are
    text in another language, have no such comments.
    """
    statements, inner = sorted(statements), sorted(inner)
    following = _STATEMENT.finditer(text)
    line = next(following, None)
    for match in _IN_LINES.finditer(text):
        at = bisect_right(inner, (match.start(), 1 << 62)) - 1
        if at >= 0 and match.start() < inner[at][1]:
            continue
        while line is not None and line.start() < match.end():
            line = next(following, None)
        start, end = line.span() if line is not None else (match.end(), match.end())
        first = bisect_right(statements, (start, -1))
        if first < len(statements) and statements[first][0] < end:
            end = max(end, statements[first][1])
        yield _suppression(match, match.span(), (start, end), lines)


def _moved(span: Span, segments: Segments | None) -> Span:
    if segments is None:
        return span
    start, end = stretch(segments, *span)
    return (start, end) if span[0] < span[1] else (start, start)


def _words_of(match: re.Match[str]) -> tuple[tuple[str, ...], str]:
    rules = tuple(word for word in re.split(r"[\s,]+", match[1] or "") if word)
    reason = match[2].strip()
    if reason == "+" or reason.endswith(" +"):
        reason = reason[:-1].rstrip()  # as dumps end their comments inside a command
    return rules, reason


def _suppression(match: re.Match[str], comment: Span, covered: Span, lines: LineMap) -> Suppression:
    rules, reason = _words_of(match)
    places = (lines.position(offset) for offset in (*comment, *covered))
    return Suppression(rules, reason, *places)
