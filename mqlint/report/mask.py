"""Where secrets stand in a source line, so that a report can cover them.

The engine replaces secrets when it binds values; a report however shows the file's own text.
What stands after a secret attribute is covered, and after a word that looks like one, because
the misspelt `PASWORD('...')` is exactly the line a finding shows. Covering too much is harmless.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from itertools import takewhile
from operator import itemgetter

from mqlint.report.secret import looks_secret

_JOIN = r"[+\-][ \t]*+\n(?:[ \t]*+\*[^\n]*+\n)*+[ \t]*+"
_WORD = re.compile(rf"--?+(?=\w)|[A-Za-z_][\w.]*+(?:-++[\w.]++|{_JOIN}[\w.]++)*+")
_BREAK = re.compile(_JOIN)
_BLANK = r"[ \t]*+(?:[+\-]?+[ \t]*+\n(?:[ \t]*+\*[^\n]*+\n)*+[ \t]*+)*+"
_GAP = re.compile(rf"(?:[\"'](?=[ \t]*+[:=]))?+{_BLANK}([(=:'\"])")
_BARE = re.compile(rf"{_BLANK}([^\s()=:;,'\"]++)(?![ \t]*+\()")
_QUOTED = {q: re.compile(rf"(?:[^{q}]|{q}{q})*+") for q in "'\""}
_BRACKET = re.compile(r"[()'\"]")
_REST_OF_LINE = re.compile(r"[ \t]*+([^\n]*)")
_OPTION_VALUE = re.compile(r"[ \t=]++(\S++)")
_ENCODED = re.compile(
    r"^[ \t]*[\w.-]{1,253}:[ \t]+[\"']?([A-Za-z0-9+/]{16,}+={0,2})[\"']?[ \t]*\r?$", re.MULTILINE
)
"""A value that may be the base64 of a Secret of Kubernetes."""
_OPTIONS = frozenset({"pw", "pwd", "password", "passwd", "passphrase", "target_pw", "new_pw"})
_BEFORE = 4


class Mask:
    """The secret stretches of one text, found command by command as they are asked for."""

    __slots__ = ("_end", "_from", "_is_secret", "_known", "_spans", "_text")

    def __init__(self, text: str, is_secret: Callable[[str], bool] = looks_secret) -> None:
        """`is_secret` judges a word in any case."""
        self._text = text
        self._is_secret = is_secret
        self._known: dict[str, bool] = {}
        self._from = self._end = -1
        self._spans: list[tuple[int, int]] = []

    def spans(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the secret stretches that touch the line from `start` to `end`, in order."""
        if not self._from <= start <= end <= self._end:
            self._read(start, end)
        found = bisect_right(self._spans, start, key=itemgetter(1))
        return list(takewhile(lambda span: span[0] < end, self._spans[found:]))

    def _read(self, start: int, end: int) -> None:
        """Look through the command around a line: a value may begin some lines before it."""
        text = self._text
        self._from = start
        for _ in range(_BEFORE):
            start = text.rfind("\n", 0, max(start - 1, 0)) + 1
        while start and self._goes_on(text.rfind("\n", 0, start - 1) + 1, start - 1):
            start = text.rfind("\n", 0, start - 1) + 1
        while end < len(text) and self._goes_on(text.rfind("\n", 0, end) + 1, end):
            end = text.find("\n", end + 1)
            end = len(text) if end < 0 else end
        self._end = end
        self._spans = self._find(start, end)

    def _goes_on(self, start: int, end: int) -> bool:
        line = self._text[start:end].strip()
        return line.endswith(("+", "-")) or line.startswith("*")

    def _find(self, start: int, end: int) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        at = start
        while match := _WORD.search(self._text, at, end):
            at = match.end()
            span = self._value_after(match, end)
            if span is not None:
                found.append(span)
                at = max(at, span[1])
        encoded = [match.span(1) for match in _ENCODED.finditer(self._text, start, end)]
        return _disjoint(found + encoded) if encoded else found

    def _value_after(self, match: re.Match[str], end: int) -> tuple[int, int] | None:
        text, word = self._text, match[0]
        if word[0] == "-":
            return self._option_value(match.end(), end)
        if not self._judge(word):
            return None
        gap = _GAP.match(text, match.end(), end)
        if gap is None:
            bare = _BARE.match(text, match.end(), end)
            return bare.span(1) if bare and not self._in_prose(match.start()) else None
        opening, begin = gap[1], gap.end()
        if opening in _QUOTED:
            value = _QUOTED[opening].match(text, begin, end)
            return (begin, value.end()) if value else None
        if opening == "(":
            return begin, self._closing(begin, end)
        value = _REST_OF_LINE.match(text, begin, end)
        return value.span(1) if value and value[1] else None

    def _in_prose(self, at: int) -> bool:
        """Whether a comment speaks of secrets, where a bare word is no value."""
        line = self._text.rfind("\n", 0, at) + 1
        return self._text[line:at].lstrip().startswith(("*", "#"))

    def _closing(self, begin: int, end: int) -> int:
        """Where the parenthesis that was opened before `begin` closes; `end` when it does not."""
        depth, quote = 1, ""
        for mark in _BRACKET.finditer(self._text, begin, end):
            character = mark[0]
            if quote:
                quote = "" if character == quote else quote
            elif character in _QUOTED:
                quote = character
            else:
                depth += 1 if character == "(" else -1
                if not depth:
                    return mark.start()
        return end

    def _option_value(self, begin: int, end: int) -> tuple[int, int] | None:
        """The value of a command-line option such as `-pw`."""
        option = _WORD.match(self._text, begin, end)
        if option is None or option[0].lower() not in _OPTIONS:
            return None
        value = _OPTION_VALUE.match(self._text, option.end(), end)
        return value.span(1) if value else None

    def _judge(self, word: str) -> bool:
        """A word may be cut by a continuation: judge it joined, and its last part alone."""
        verdict = self._known.get(word)
        if verdict is None:
            parts = _BREAK.split(word)
            verdict = self._is_secret("".join(parts)) or self._is_secret(parts[-1])
            self._known[word] = verdict
        return verdict


def _disjoint(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return stretches in order, those that overlap as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
