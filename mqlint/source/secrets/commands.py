"""Programs that take a secret as a word of their command.

The command is read by its words alone, so that it is found in any script, unit, manifest or note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from mqlint.config.data import rows_of
from mqlint.dataclass import NamedTuple
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.source.secrets.lower_case import LowerCase
from mqlint.source.secrets.pieces import in_pieces

LAST = -2
"""The last operand."""
EACH = -3
"""Each operand that has the sign."""


_OPERANDS = {"1st": 0, "2nd": 1, "3rd": 2, "last": LAST, "each": EACH}


class Program(NamedTuple):
    """Where a program has its secrets: one row of programs.txt, for one of its names.

    The value of an option in `options` is the next word; only what follows the sign in it is
    secret. That of an option in `joined` is joined to it. `operand` is the number of a secret
    operand, counted from 0, and `sign` what it follows in that (`user/pass`). Without the word
    `needs` none of it counts. After an option in `settings` each operand has a secret after an
    equals sign.
    """

    options: Mapping[str, str]
    joined: Sequence[str]
    settings: Sequence[str]
    operand: int | None
    sign: str
    needs: str


def _program(usage: Sequence[str], needs: str) -> Program:
    options: dict[str, str] = {}
    joined, settings = [], []
    operand, operand_sign = None, ""
    for before, word in pairwise(("", *usage)):
        sign, secret, more = word.partition("***")
        if sign.startswith("-") and secret:
            joined.append(sign)
        elif more:
            settings.append(before)
        elif before in _OPERANDS:
            operand, operand_sign = _OPERANDS[before], sign
        elif secret:
            options[before] = sign
    return Program(options, joined, settings, operand, operand_sign, needs)


def _programs() -> Iterator[tuple[str, Program]]:
    """Yield the rows of programs.txt, whose first lines say how a row is written."""
    for title, usage in rows_of("mqlint.source.secrets", "programs.txt"):
        names, _, needs = title.partition(" with ")
        for word in needs.split() or [""]:
            program = _program(usage, word)
            yield from ((name, program) for name in names.split())


PROGRAMS = (*_programs(),)
"""Programs with their options, by names in lower case; a name may have several entries."""

_NAME = later(r"[a-z0-9_-]+")
"""What may be one of these names: no letter, digit or dash is before or after it."""
_SHORT = 2_000
"""Characters of a text whose words are listed: in a longer one each name is looked for."""
_AFTER_NAME = later(r"(?i)(?:\.exe|\.cmd|\.bat|\.sh)?(?=[ \t\"'\\])")
_WORD = later(
    r"""(?x)
      (?P<gap> (?:[ \t]|[\\^`][ \t]*\r?\n)+ )
    | (?: \{\{[^{}\n]*\}\} | \\["'][^\n"'\\]*\\["'] | "(?:[^"\\\n]|\\.)*" | '[^'\n]*'
        | [$<>]\([^()\n]*\) | [^\s;&|<>()"'\\] | [\\"'] )+
    """
)
_QUOTED = r"\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*+'"
_LIST = later(
    rf"\[\s*+[\"']?[\w./-]{{1,200}}+[\"']?\s*+"
    rf"(?:,\s*+(?:{_QUOTED}|[^\s\"'\[\]{{}},]++)\s*+){{1,40}}+\]"
)
_ROWS = later(
    r"(?m)^([ \t]*)-[ \t]+[\"']?[\w./-]{1,200}+[\"']?[ \t]*\r?$(?:\n\1-[ \t]+[^\n]+){1,40}+"
)
_DASH = later(r"(?:^|\n)[ \t]*-[ \t]+")
_ELEMENTS = later(r"(?i)(?<=<Command>)[^<>\n]{1,200}</Command>\s{0,80}<Arguments>[^<>]{1,2000}")
"""A command and its arguments in a task of Windows."""
_TAGS = later(r"(?i)</Command>\s{0,80}<Arguments>")
_ITEM = later(r"\"(?:[^\"\\\n]|\\.)*+\"?|'[^'\n]*+'?|[\[\],\r]+|\n(?!\[)")
_OPTION = later(r"[\s,\"']--?\w")
_VARIABLE = later(r"[\"']?[$%]\{?(\w+)[}%]?(?=[\s\"'@]|\Z)")
_REST = later(r"\w++")
_ENDS_WORD = later(r"[\s;&|<>()]")
"""What ends a word of a shell, but not an item of a list."""
_SWITCH = later(r"(?i)/(?:add|delete|domain|active|expires|times|comment|fullname)\b(?!/)")
"""An option of `net user`."""
_BUNDLE = later(r"-[a-zA-Z]{2,5}(?:[^\s:]*+:\S*+)?")


def in_commands(text: str, low: LowerCase) -> Iterator[Span]:
    return (span for span, is_secret in _in_words_of_commands(text, low) if is_secret)


def logins_in_commands(text: str, low: LowerCase) -> Iterator[str]:
    """Yield the variables that are a user and a password for a command."""
    for (start, end), is_secret in _in_words_of_commands(text, low):
        variable = None if is_secret else _VARIABLE.match(text, start, end)
        if variable is not None:
            yield variable[1]


def _in_words_of_commands(text: str, low: LowerCase) -> Iterator[tuple[Span, bool]]:
    """Yield secrets, and with false what has no sign of a secret in the place of one."""
    words = {*_NAME.findall(low.text)} if len(text) <= _SHORT else low.lines
    for name, program in [row for row in PROGRAMS if row[0] in words]:
        at = low.text.find(name)
        while at >= 0:
            before = text[at - 1 : at]
            end = _AFTER_NAME.match(text, at + len(name))
            at += len(name)
            if end is None:  # no other name begins in the rest of the word
                rest = _REST.match(text, at)
                at = rest.end() if rest is not None else at
            elif not (before.isalnum() or before in ("_", "$", "@", "{", "-")):
                own = list(words_from(text, end.end()))
                yield from _of(program, text, own)
                at = own[-1][1] if own else at
            at = low.text.find(name, at)


def in_lists(text: str, low: LowerCase) -> Iterator[Span]:
    """Yield the same of commands that are a list: `["curl", "-u", "user:pass"]`."""
    if "[" in low.lines and "," in low.lines:
        lists = [found.span() for found in _LIST.finditer(text) if _OPTION.search(found[0])]
        yield from in_pieces(text, lists, _in_words, "\n")
    if "- -" in low.lines:
        for rows in _ROWS.finditer(text):
            yield from _shifted(_DASH.sub(_blank, rows[0]), rows.start())
    for elements in _ELEMENTS.finditer(text) if "<arguments>" in low.lines else ():
        yield from _shifted(_TAGS.sub(_blank, elements[0]), elements.start())


def _in_words(lists: str) -> Iterator[Span]:
    text = _ITEM.sub(_as_word, lists)
    return in_commands(text, LowerCase(text, is_part=True))


def _shifted(command: str, at: int) -> Iterator[Span]:
    """Yield the secrets of a command that was at an offset of the text."""
    found = in_commands(command, LowerCase(command, is_part=True))
    return ((at + start, at + end) for start, end in found)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _as_word(found: re.Match[str]) -> str:
    """An item, or what is between items, as a shell would have it; of the same length."""
    item = found[0]
    if item[0] in "\"'" and len(item) > 1:
        return item if _ENDS_WORD.search(item) else f" {item[1:-1]} "
    return " " * len(item)


def words_from(text: str, at: int) -> Iterator[Span]:
    """Yield the words of a command from `at` to where it ends."""
    while match := _WORD.match(text, at):
        at = match.end()
        if match["gap"] is None:
            yield match.span()


def _of(program: Program, text: str, words: Sequence[Span]) -> Iterator[tuple[Span, bool]]:
    """Yield the secrets among the words of one command, as `_in_words_of_commands`."""
    plain = [text[start:end].strip("\"'\\") for start, end in words]
    if program.needs and program.needs not in plain:
        return
    operands: list[Span] = []
    is_setting = False
    following = iter(zip(words, plain, strict=True))
    for (start, end), word in following:
        option, glued = _option(program, word)
        value, found = (start, end), glued
        if option and not glued:
            value, found = next(following, ((end, end), ""))
        if word.startswith("-"):
            is_setting = word in program.settings
        elif is_setting:
            yield from _secret_part(text, start, end, "", "=")
        if option and found:
            yield from _secret_part(
                text, *value, option if glued else "", program.options.get(option, "")
            )
        elif not word.startswith("-") and word != program.needs and not _SWITCH.match(word):
            operands.append((start, end))
    if program.operand == LAST and len(operands) > 1:
        yield from ((span, True) for span in unquoted(text, *operands[-1]))
    elif program.operand == EACH:
        for start, end in operands:
            yield from _secret_part(text, start, end, "", program.sign)
    elif program.operand is not None and 0 <= program.operand < len(operands):
        yield from _secret_part(text, *operands[program.operand], "", program.sign)


def _option(program: Program, word: str) -> tuple[str, str]:
    """Return the option with a secret that a word is, and the value that is joined to it."""
    if word in program.options:
        return word, ""
    for option in (*program.joined, *program.options):
        value = word.removeprefix(option)
        if value and value != word:
            has_sign = bool(program.options.get(option))
            is_glued = option in program.joined or (len(option) == 2 and has_sign)
            if value.startswith("=") or is_glued:
                return option, value
        elif len(option) == 2 and _BUNDLE.fullmatch(word) and option[1] in word[1:]:
            bundle, _, value = word.partition(option[1])
            return (bundle + option[1], value) if value else (option, "")
    return "", ""


def _secret_part(
    text: str, start: int, end: int, option: str, sign: str
) -> Iterator[tuple[Span, bool]]:
    """Yield what of a word is secret: after the option joined to it, and after `sign`."""
    at = text.find(option, start, end) + len(option) if option else start
    at += bool(option) and text.startswith("=", at)
    if sign:
        found = text.find(sign, at, end)
        if found < 0:
            yield (at, end), False
            return
        at = found + len(sign)
        if sign == "=" and text.startswith("@", at):
            return  # the name of a file
        host = text.find("@", at, end) if sign == "/" else -1
        end = host if host >= 0 else end
    yield from ((span, True) for span in unquoted(text, at, end))


def unquoted(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield a stretch without the quotes and blanks around it, and a bracket that it only ends."""
    piece = text[start:end]
    begin = start + len(piece) - len(piece.lstrip(" \t\"'\\"))
    trimmed = piece.rstrip(" \t\"'\\")
    if trimmed.endswith(")") and "(" not in trimmed:
        trimmed = trimmed.rstrip(") \t\"'\\")
    stop = start + len(trimmed)
    if begin < stop:
        yield begin, stop
