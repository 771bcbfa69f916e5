"""The texts of YAML: quoted, plain and in blocks, each with the way back to the file."""

from __future__ import annotations

import re

from mqlint.language.text.mapped import Cooked, CookedBuilder

_DOUBLE = re.compile(r'[^"\\\n]+|\\(?:\r?\n|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|.)|\n|"', re.DOTALL)
_SINGLE = re.compile(r"[^'\n]+|''|\n|'")
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "0": "\0",
    "b": "\b",
    "f": "\f",
    "a": "\a",
    "e": "\x1b",
    "N": "\x85",
    "_": "\xa0",
    "v": "\v",
}
_REMARK = re.compile(r"[ \t]#")


def plain_end(text: str, at: int, end: int) -> int:
    """Return where a plain text ends: before a comment and blanks."""
    remark = _REMARK.search(text, at, end)
    stop = remark.start() if remark is not None else end
    return at + len(text[at:stop].rstrip(" \t\r"))


def double_quoted(text: str, at: int, limit: int) -> tuple[Cooked, int]:
    """Return the text between double quotes that open at `at`, and where it ends."""
    return _quoted(_DOUBLE, "\\", text, at, limit)


def single_quoted(text: str, at: int, limit: int) -> tuple[Cooked, int]:
    """Return the text between single quotes that open at `at`, and where it ends."""
    return _quoted(_SINGLE, "'", text, at, limit)


def _quoted(
    pieces: re.Pattern[str], escape: str, text: str, at: int, limit: int
) -> tuple[Cooked, int]:
    """The text of `pieces` up to the closing quote; `escape` begins what stands for a sign."""
    quote = text[at]
    builder = CookedBuilder()
    here = at + 1
    while here < limit:
        match = pieces.match(text, here, limit)
        if match is None:
            break
        piece = match[0]
        if piece == quote:
            return builder.finish(here), match.end()
        if piece == "\n":
            here = _fold(builder, text, here, limit)
            continue
        here = match.end()
        if piece[0] == escape:
            builder.add(_unescaped(piece), match.start(), len(piece))
        else:
            folded = text[here : here + 1] == "\n"
            builder.add(piece.rstrip(" \t\r") if folded else piece, match.start())
    return builder.finish(min(here, limit)), limit


def _unescaped(piece: str) -> str:
    """What a backslash and its signs, or a doubled quote, stand for."""
    sign = piece[1]
    if sign in "xu":
        return chr(int(piece[2:], 16)) if len(piece) > 2 else sign
    return "" if sign in "\r\n" else _ESCAPES.get(sign, sign)


def _fold(builder: CookedBuilder, text: str, at: int, limit: int) -> int:
    """Line ends in quotes: one is a blank, each further one a line end."""
    here, breaks = at, 0
    while here < limit and text[here] in " \t\r\n":
        breaks += text[here] == "\n"
        here += 1
    builder.add("\n" * (breaks - 1) or " ", at, here - at)
    return here


def block_scalar(text: str, at: int, end: int, column: int) -> tuple[Cooked, int]:
    """Return the text of a block that opens at `at`, and where the first line behind it begins.

    `end` is the end of the line of its sign, `column` that of the collection it stands in: its
    lines are deeper.
    """
    header = text[at:end]
    folded = header[0] == ">"
    digits = [sign for sign in header[1:3] if sign.isdigit()]
    indent = max(column, 0) + int(digits[0]) if digits else -1
    builder = CookedBuilder()
    here, pending, before = end + 1, 0, ""
    size = len(text)
    while here < size:
        stop = text.find("\n", here)
        stop = size if stop < 0 else stop
        line = text[here:stop].rstrip("\r")
        bare = line.lstrip(" ")
        depth = len(line) - len(bare)
        if not bare.strip("\t"):
            pending += 1
            here = stop + 1
            continue
        if depth <= column or (indent >= 0 and depth < indent):
            break
        if indent < 0:
            indent = depth
        kept = line[indent:]
        if builder.parts:
            plain = folded and kept[0] not in " \t" and before not in (" ", "\t")
            between = ("\n" * pending or " ") if plain else "\n" * (pending + 1)
            builder.add(between, here - 1 if here else 0, 0)
        elif pending:
            builder.add("\n" * pending, here - 1, 0)
        builder.add(kept, here + indent)
        pending, before = 0, kept[0]
        here = stop + 1
    if builder.parts and "-" not in header[1:3]:
        builder.add("\n", min(here, size) - 1, 0)
    return builder.finish(min(here, size)), min(here, size)
