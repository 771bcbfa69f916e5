"""The text that echo and printf write, and the characters of escapes (`$'...'`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import dropwhile

from mqlint.language.script.command import Word
from mqlint.language.text.mapped import MappedText, MappedTextBuilder, joined, mapped_slice
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later

_ESCAPES = dict(zip("abeEfnrtv\\'\"?", "\a\b\x1b\x1b\f\n\r\t\v\\'\"?", strict=True))
"""The characters that escapes produce; any other letter keeps its backslash."""
_OCTAL = frozenset("01234567")
_NUMBERED = r"x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}"
ESCAPED = later(rf"(?s)'|[^'\\]+|\\(?:[0-7]{{1,3}}|{_NUMBERED}|c.|.)")
"""A piece of `$'...'`."""
_IN_ECHO = later(r"\\[nt\\]")
_IN_ECHO_E = later(rf"\\(?:0[0-7]{{0,3}}|{_NUMBERED}|[abeEfnrtv\\])")
_IN_FORMAT = later(rf"\\(?:[0-7]{{1,3}}|{_NUMBERED}|[abeEfnrtv\\'\"?])")
_IN_VALUE = later(rf"\\(?:0[0-7]{{0,3}}|[1-7][0-7]{{0,2}}|{_NUMBERED}|[abeEfnrtv\\'\"?])")
"""The escapes of echo in all shells, of `echo -e`, of a format of printf, and of its `%b`."""


def unescaped(piece: str) -> str:
    """Return the character of an escape, a placeholder for one that is not known.

    A control character is not known, nor is one of several bytes.
    """
    sign, digits = piece[1:2], piece[2:]
    if sign in _OCTAL:
        code = int(piece[1:], 8) & 0xFF
    elif digits and sign in "xuU":
        code = int(digits, 16)
    elif digits:
        return PLACEHOLDER
    else:
        code = ord(_ESCAPES[sign]) if sign in _ESCAPES else -1
    if code < 0:
        return piece
    is_known = code < (0x11_0000 if sign in "uU" else 0x80)
    char = chr(code) if is_known else PLACEHOLDER
    return char if char.isprintable() or char in "\t\n\r" else PLACEHOLDER


def _unescaped(mapped: MappedText, escape: re.Pattern[str]) -> MappedText:
    """Return the text with what `escape` finds made real."""
    if "\\" not in mapped.text:
        return mapped
    return mapped.sub(escape, lambda match: unescaped(match.group()))


def _part(mapped: MappedText, start: int, end: int) -> MappedText:
    return (
        mapped_slice(mapped.text, start, end).within(mapped)
        if start < end
        else MappedText("", (), 0)
    )


_CONVERSION = later(r"(?s)%.?")
_AS_IT_IS = frozenset({"%s", "%d", "%i", "%b", "%%"})
"""Directives of printf that copy a word unchanged, and the percent sign."""
_LONG = 1_000
"""Characters of a format that may be written again however short the words are."""
_OPTION = later(r"-[neE]+")
_OPTION_OF_PRINT = later(r"-[neEr]*|--")


def echoed(name: str, words: Sequence[Word]) -> MappedText | None:
    """Return what echo, print of ksh or printf (`name`) writes; None when that is not known."""
    if name == "printf":
        return _formatted(words)
    option = _OPTION_OF_PRINT if name == "print" else _OPTION
    printed = [*dropwhile(lambda word: option.fullmatch(word.text), words)]
    options = "".join(word.text for word in words[: len(words) - len(printed)])
    escape = _IN_ECHO_E if "e" in options else _IN_ECHO
    return joined((_unescaped(word.mapped, escape) for word in printed), " ")


def _formatted(words: Sequence[Word]) -> MappedText | None:
    """Return the output of printf: the format, repeated until every word is used.

    None for a directive that changes a word, or if the output is much longer than its words.
    """
    if words and words[0].text == "--":
        words = words[1:]
    if not words:
        return None
    form, values = words[0].mapped, [word.mapped for word in words[1:]]
    signs = [*_CONVERSION.finditer(form.text)]
    holes = sum(sign[0] != "%%" for sign in signs)
    if any(sign[0] not in _AS_IT_IS for sign in signs):
        return None
    times = -(-len(values) // holes) if holes and values else 1
    if (times - 1) * len(form.text) > _LONG + sum(len(value.text) for value in values):
        return None
    text = _Printed(form.host(0))
    waiting = iter(values)
    for number in range(times):
        # Places only go forward: those of a form that holds MQSC, or else those of the words.
        in_form = number == 0 and ("(" in form.text or not holes)
        done = 0
        for sign in signs:
            text.add(_unescaped(_part(form, done, sign.start()), _IN_FORMAT), in_place=in_form)
            done = sign.end()
            if sign[0] == "%%":
                text.add(_part(form, done - 1, done), in_place=in_form)
            elif (value := next(waiting, None)) is not None:
                value = _unescaped(value, _IN_VALUE) if sign[0] == "%b" else value
                text.end = form.host(sign.start()) if in_form else text.end
                text.add(value, in_place=not in_form)
        text.add(_unescaped(_part(form, done, len(form.text)), _IN_FORMAT), in_place=in_form)
    return text.builder.finish(text.end)


class _Printed:
    """Collects the output of printf; `end` is the place of text that has none of its own."""

    def __init__(self, end: int) -> None:
        self.builder = MappedTextBuilder()
        self.end = end

    def add(self, piece: MappedText, *, in_place: bool) -> None:
        """Append a text at its place, or at the end of the one before."""
        if not piece.text:
            return
        if in_place:
            self.builder.add_mapped(piece)
            self.end = piece.end
        else:
            self.builder.add(piece.text, self.end, 0)
