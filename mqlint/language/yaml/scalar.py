"""Scalars of YAML: the text of a plain, quoted or block scalar, each mapped to the file.

The parser decides where a scalar begins and ends. Its text is built here, because the parser says
neither from where in the file each character comes nor what templates looked like.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from mqlint.dataclass import mutable
from mqlint.language.text.mapped import MappedText, MappedTextBuilder, mapped_slice
from mqlint.patterns import later

_FOLD = r"(?P<fold>[ \t\r]*+\n[ \t\r\n]*+)"
_SPACES = r"[ \t\r]++(?!\n)"
_ESCAPE = r"(?P<escape>\\(?:\r?\n[ \t]*+|x..|u.{4}|U.{8}|.))"
_PIECES = {
    "": later(rf"{_FOLD}|(?:[^ \t\r\n]++|{_SPACES})++"),
    "'": later(rf"{_FOLD}|(?P<escape>'')|(?:[^ \t\r\n']++|{_SPACES})++"),
    '"': later(rf"{_FOLD}|{_ESCAPE}|(?:[^ \t\r\n\\]++|{_SPACES})++"),
}
_SPECIAL = {
    "": later(r"\n"),
    "'": later(r"[\n']"),
    '"': later(r"[\n\\]"),
}
"""Characters of a scalar of each kind of quote with a special meaning."""
QUOTES = ("'", '"')
BLOCKS = ("|", ">")
_HEADER = later(r"[|>](?P<options>[-+0-9]*)[^\n]*\n?")


@mutable
class YamlText:
    """A file: `parsed` is `text` as the parser saw it, every offset the same."""

    text: str
    parsed: str

    def scalar(self, start: int, end: int, column: int = -1) -> MappedText:
        """Return the text of a scalar; `column` is that of the collection around a block scalar."""
        first = self.parsed[start]
        if first in BLOCKS:
            return _block_scalar(self.text, start, end, column, is_folded=first == ">")
        if first in QUOTES:
            return _flow_scalar(self.text, self.parsed, start + 1, end - 1, first)
        return _flow_scalar(self.text, self.parsed, start, end, "")

    def unfolded(self, start: int, end: int, column: int) -> MappedText | None:
        """Return a scalar that begins with `>`, its lines as written; None for any other."""
        if self.parsed[start] != ">":
            return None
        return _block_scalar(self.text, start, end, column, is_folded=False)


def _flow_scalar(text: str, parsed: str, start: int, end: int, quote: str) -> MappedText:
    """The text of a plain scalar (`quote` is empty) or of what is between quotes."""
    if _SPECIAL[quote].search(parsed, start, end) is None:
        return mapped_slice(text, start, end)
    builder = MappedTextBuilder()
    for piece in _PIECES[quote].finditer(parsed, start, end):
        at, after = piece.span()
        if piece["fold"] is not None:
            builder.add("\n" * (text.count("\n", at, after) - 1) or " ", at, after - at)
        elif quote and piece["escape"] is not None:
            builder.add(_unescaped(piece[0]), at, after - at)
        else:
            builder.add(text[at:after], at)
    return builder.finish(end)


def _unescaped(escape: str) -> str:
    """The character for a doubled quote, or for a backslash and the characters after it."""
    sign = escape[-1] if escape == "''" else escape[1:2]
    if len(escape) > 2 and sign in "xuU":
        return chr(int(escape[2:], 16))
    return "" if sign in "\r\n" else _escapes().get(sign, sign)


@cache
def _escapes() -> Mapping[str, str]:
    from yaml.scanner import Scanner  # here, as trees of other formats need no YAML

    return Scanner.ESCAPE_REPLACEMENTS


def _block_scalar(text: str, start: int, end: int, column: int, *, is_folded: bool) -> MappedText:
    """The text of a block scalar from its sign at `start` to the line that begins at `end`.

    `column` is that of the collection around it. A line at or left of it is one of a template.
    """
    header = _HEADER.match(text, start)
    options, here = (header["options"], header.end()) if header is not None else ("", end)
    digits = options.strip("+-")
    if digits:
        indent = max(column, 0) + int(digits)
    else:
        first_line = re.compile(rf"^ {{{column + 1},}}(?=[^ \t\r\n])", re.MULTILINE)
        found = first_line.search(text, here, end)
        indent = found.end() - found.start() if found is not None else 0
    margin = " " * indent
    pieces: list[str] = []
    body = here
    segments: list[tuple[int, int]] = []
    length, breaks, before = 0, "", ""
    for line in text[here:end].split("\n"):
        cut = indent if line.startswith(margin) else len(line) - len(line.lstrip(" "))
        content = line[cut:].rstrip("\r")
        if content and not content.isspace():
            if is_folded and before and content[0] not in " \t" and before not in " \t":
                breaks = breaks[1:] or " "
            length += len(breaks)
            segments.append((length, here + cut))
            length += len(content)
            pieces += (breaks, content)
            breaks, before = "\n", content[0]
        else:
            breaks += "\n"
        here += len(line) + 1
    if pieces and "-" not in options:
        pieces.append("\n")
    if not segments or segments[0][0]:
        segments.insert(0, (0, body))  # of empty lines before the first
    return MappedText("".join(pieces), tuple(segments), end)
