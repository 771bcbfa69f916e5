"""Scalars of YAML: the text of a plain, quoted or block scalar, each mapped to the file.

The parser decides where a scalar begins and ends. Its text is built here, because the parser says
neither from where in the file each character comes nor what templates looked like.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import yaml

from mqlint.language.text.mapped import Cooked, CookedBuilder, whole

NOT_AN_ESCAPE = "\ue00f"
"""Replaces the backslash of an escape that YAML does not define, before the parser sees it."""

_FOLD = r"(?P<fold>[ \t\r]*+\n[ \t\r\n]*+)"
_SPACES = r"[ \t\r]++(?!\n)"
_ESCAPE = rf"(?P<escape>\\(?:\r?\n[ \t]*+|x..|u.{{4}}|U.{{8}}|.)|{NOT_AN_ESCAPE})"
_PIECES = {
    "": re.compile(rf"{_FOLD}|(?:[^ \t\r\n]++|{_SPACES})++"),
    "'": re.compile(rf"{_FOLD}|(?P<escape>'')|(?:[^ \t\r\n']++|{_SPACES})++"),
    '"': re.compile(rf"{_FOLD}|{_ESCAPE}|(?:[^ \t\r\n\\{NOT_AN_ESCAPE}]++|{_SPACES})++"),
}
_SPECIAL = {
    "": re.compile(r"\n"),
    "'": re.compile(r"[\n']"),
    '"': re.compile(rf"[\n\\{NOT_AN_ESCAPE}]"),
}
"""What a scalar of each kind of quote has that does not stand for itself."""
_ESCAPES = yaml.scanner.Scanner.ESCAPE_REPLACEMENTS
QUOTES = ("'", '"')
_BLOCKS = ("|", ">")
_HEADER = re.compile(r"[|>](?P<options>[-+0-9]*)[^\n]*\n?")


@dataclass(slots=True)
class Scalar:
    """A scalar of a file, whose text is built when it is asked for.

    `parsed` is `text` as the parser saw it: templates covered, every offset the same. `style` is
    the first character of a quoted or block scalar, empty for a plain one. `column` is that of the
    collection around a block scalar.
    """

    text: str
    parsed: str
    start: int
    end: int
    style: str = ""
    column: int = -1
    _cooked: Cooked | None = None

    def cooked(self) -> Cooked:
        """Return the text of the scalar with the way to the file."""
        if self._cooked is None:
            if self.style in _BLOCKS:
                self._cooked = _block_scalar(self.text, self.start, self.end, self.column)
            else:
                inside = len(self.style)
                start, end = self.start + inside, self.end - inside
                self._cooked = flow_scalar(self.text, self.parsed, start, end, self.style)
        return self._cooked


def flow_scalar(text: str, parsed: str, start: int, end: int, quote: str) -> Cooked:
    """Return the text of a plain scalar (`quote` is empty) or of what is between quotes."""
    if _SPECIAL[quote].search(parsed, start, end) is None:
        return whole(text, start, end)
    builder = CookedBuilder()
    for piece in _PIECES[quote].finditer(parsed, start, end):
        at, behind = piece.span()
        if piece["fold"] is not None:
            builder.add("\n" * (text.count("\n", at, behind) - 1) or " ", at, behind - at)
        elif quote and piece["escape"] is not None:
            builder.add(_unescaped(piece[0]), at, behind - at)
        else:
            builder.add(text[at:behind], at)
    return builder.finish(end)


def _unescaped(escape: str) -> str:
    """What a doubled quote, or a backslash and the characters after it, stand for."""
    sign = escape[-1] if escape == "''" else escape[1:2]
    if len(escape) > 2 and sign in "xuU":
        return chr(int(escape[2:], 16))
    return "" if sign in "\r\n" else _ESCAPES.get(sign, sign)


def _block_scalar(text: str, start: int, end: int, column: int) -> Cooked:
    """Return the text of a block scalar from its sign at `start` to the line that begins at `end`.

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
    is_folded, margin = text[start] == ">", " " * indent
    pieces: list[str] = []
    segments = [(0, here)]
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
    return Cooked("".join(pieces), tuple(segments), end)
