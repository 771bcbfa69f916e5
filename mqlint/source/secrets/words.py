"""Words and quoted texts that are the value of a secret: where each ends."""

from __future__ import annotations

import re
from itertools import islice

from mqlint.patterns import later
from mqlint.source.lines import Span

_DOUBLE_QUOTED = later(r'(?:[^"\\\n]|\\.|"")*+(?=")|(?:[^"\\\n]|\\.)*+')
_SINGLE_QUOTED = later(r"(?:[^'\n]|'')*+")
_ESCAPED_QUOTE = later(r"\\(?P<sign>[\"'])(?P<value>(?:(?!\\[\"'])[^\n])*+)")
_PREFIX = later(r"[$@bBrRfLuU]?(?=\\?[\"'])")
_WORD = later(
    r"(?m)(?:\\\r?\n[ \t]*)*+(?:\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*+'|\\."
    r"|\\\r?\n(?![ \t])|\$\{[^}\n]{0,200}\}"
    r"|[^\s;&|<>()\"'`,\[\]\\]|,(?!\s|\w+=|$)"
    r"|(?<=[\w!#%+@^~.-])\[[^\s;&|<>()\"'`,\[\]\\]*+\]?|\](?=[\w!#%+@^~-]))+"
)
_OUTPUT = later(
    r"[\"']?(?:\$\(|`)[^\n]{0,300}?\b(?:echo|printf)(?:[ \t]+-\w+|[ \t]+[\"']?%s\S*"
    r"|[ \t]+\"?\$\w+\"?[ \t]*\|\|[ \t]*echo)*[ \t]+"
)
_GIVEN = later(r"[\"']?(?:\$\(|`)[^\n`]{0,300}?<<(?:<[ \t]*|-?[ \t]*\\?[\"']?(\w+)[^\n]{0,300}\n)")
"""A command that prints its input: a word, or a document up to the word of the group."""
_BRACED = later(r"\$?\{\{[^{}\n]{0,500}\}\}")
"""A template with blanks in it, which may hold a literal."""
_HERE_DOCUMENT = later(
    r"@\([ \t]*+\"?(\w++(?:[ ]++\w++)*+)[ ]*+\"?[ \t]*+(?::\w++)?[ \t]*+(?:/[\w$]*+)?[ \t]*+\)"
    r"[^\n]{0,1000}\n"
)
"""A text of several lines in Puppet."""
_HERE_STRING = later(r"@([\"'])[ \t]*\r?\n")
_BRACKET = later(r"[()'\"\n]")
_NEAR, _LINES = 400, 3
"""Characters and lines within which a quote that opens in one line may close in another."""
_STATEMENT = later(
    r"\b(?:runmqsc|(?:crt|str|end|dlt)mqm|DEFINE|ALTER|SET|DELETE|START|echo|export|EOF)\b|\w="
)
_LONG_LINE = 500
_MOST_BRACKETS, _MOST_ROWS = 200, 30
LONGEST = 8192
"""Characters within which a parenthesis, a block or an element must end; signs in a parenthesis."""


def output_of(text: str, at: int) -> Span | None:
    """Return the span of what a command at `at` prints, if it is a literal."""
    command = _OUTPUT.match(text, at)
    if command is not None:
        return word_at(text, command.end())
    given = _GIVEN.match(text, at)
    if given is None:
        return None
    return word_at(text, given.end()) if given[1] is None else document_to(text, given)


def document_to(text: str, head: re.Match[str], signs: str = "") -> Span:
    """Return the span of a here-document, up to the word that the last group of its head is.

    `signs` is a pattern of what may be before that word in its line.
    """
    begin = head.end()
    tag = rf"^[ \t]*{signs}{re.escape(head[head.lastindex or 0])}[ \t]*\r?$"
    close = re.compile(tag, re.MULTILINE).search(text, begin, begin + LONGEST)
    return begin, close.start() if close is not None else in_line(text, begin, "")


def word_at(text: str, at: int) -> Span | None:
    """Return the span of the shell word that begins at `at`, without quotes around it."""
    here = _HERE_STRING.match(text, at)
    if here is not None:
        end = text.find(f"\n{here[1]}@", here.end() - 1, here.end() + LONGEST)
        return here.end(), end if end >= 0 else in_line(text, here.end(), "")
    document = _HERE_DOCUMENT.match(text, at)
    if document is not None:
        return document_to(text, document, r"\|?[ \t]*-?[ \t]*")
    prefix = _PREFIX.match(text, at)
    quote = prefix.end() if prefix is not None else at
    escaped = _ESCAPED_QUOTE.match(text, quote)
    if escaped is not None:
        return escaped.span("value")
    if text[quote : quote + 1] in ("'", '"'):
        inside = _quoted(text, quote)
        after = text[inside[1] + 1 : inside[1] + 2]
        if not (after.isalnum() or after in ("'", '"', "$", "\\")):
            return inside
        if after in ("'", '"') and after != text[quote] and _is_open(text, quote, after):
            return inside  # it ends the text that the word is in: `jq '.password="text"' a`
        word = _WORD.match(text, at)
        return word.span() if word is not None else inside
    braced = _BRACED.match(text, at)
    word = _WORD.match(text, braced.end() if braced is not None else at) or braced
    if word is None:
        return None
    end = text.find("'", at, word.end())
    return at, end if end > at and _is_open(text, at, "'") else word.end()


def _is_open(text: str, at: int, quote: str) -> bool:
    """Whether a quote in the line before `at` has no partner; false if the line is long."""
    line = text.rfind("\n", max(at - _LONG_LINE, 0), at) + 1
    return (line > 0 or at <= _LONG_LINE) and text.count(quote, line, at) % 2 == 1


def closing(text: str, at: int) -> int:
    """Return where the parenthesis opened before `at` closes, else where its command ends.

    Lines that are continued belong to a command, and remarks between them.
    """
    depth, quote = 1, ""
    end = min(len(text), at + LONGEST)
    row, rows = text.rfind("\n", 0, at) + 1, 0
    for bracket in islice(_BRACKET.finditer(text, at, end), _MOST_BRACKETS):
        sign = bracket[0]
        if sign == "\n":
            rows += 1
            if rows > _MOST_ROWS or not _is_continued(text[row : bracket.start()].strip()):
                end = bracket.start()
                break
            row = bracket.end()
        elif quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        else:
            depth += 1 if sign == "(" else -1
            if not depth:
                return bracket.start()
    stop = text.find(quote, end, end + _NEAR) if quote else -1
    between = text[end : max(stop, end)]
    if stop >= 0 and between.count("\n") <= _LINES and not _STATEMENT.search(between):
        return stop  # the quoted text goes on in another line, without a plus sign
    return end


def _quoted(text: str, at: int) -> Span:
    """The text in the quotes that open at `at`; to the end of the line if none close."""
    pattern = _DOUBLE_QUOTED if text[at] == '"' else _SINGLE_QUOTED
    value = pattern.match(text, at + 1)
    if value is not None and text[value.end() : value.end() + 1] == text[at]:
        return value.span()
    end = in_line(text, at, "")
    stop = text.find(text[at], end, end + _NEAR)
    between = text[end : max(stop, end)]
    if stop >= 0 and between.count("\n") <= _LINES and not _STATEMENT.search(between):
        end = stop
    return at + 1, end


def in_line(text: str, at: int, signs: str, end: int = -1) -> int:
    """The offset of the first of `signs` in the line, otherwise its end."""
    if end < 0:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
    found = [stop for sign in signs if (stop := text.find(sign, at, end)) >= 0]
    return min(found, default=end)


def first_line(text: str, start: int, end: int) -> Span:
    """Return the first line of a stretch that is not blank."""
    start += len(text[start:end]) - len(text[start:end].lstrip())
    return start, in_line(text, start, "\n", max(start, end))


def _is_continued(row: str) -> bool:
    """Return whether a command of MQSC goes on after a line that has no blanks around it."""
    return not row or row.startswith("*") or row.endswith(("+", "-", "(", "\\"))


_GLUED = later(
    r"(?:&(?![&\s\"'`$]|[\w.-]{1,60}+[ \t]*=|#|[a-z]{2,6};)|\((?=[^\s()\"'`$]))[^\s\"'`;|<>&(),]*+"
)
"""A sign that is joined to a value, and what is joined to the sign; no field of a form."""
_ODD_WORD = later(r"[0-9!#%^*@~&+]")
"""What the name of a function hardly has."""
_MOST_SIGNS = 20


def after_signs(text: str, start: int, end: int) -> int:
    """Return where a value from `start` to `end` ends if a sign and more are joined to it: `a&b(c`.

    A shell without quotes would end the value there, but hardly a script has no blank after it.
    """
    for _ in range(_MOST_SIGNS if start < end and text[start] not in "$%&*([{" else 0):
        glued = _GLUED.match(text, end)
        is_call = text.startswith("(", end) and _ODD_WORD.search(text, start, end) is None
        if glued is None or is_call:
            break
        end = glued.end()
    return end
