"""The characters of a batch file: escapes, variables, quotes.

`^` takes the meaning from the next character, at the end of a line it joins lines; `%NAME%`, `%1`,
`%%i` and, where delayed expansion is on, `!NAME!` are unknown unless the variable is set once,
unconditionally, to a plain text.
"""

from __future__ import annotations

import re

from mqlint.language.script.command import Word, WordBuilder
from mqlint.language.script.scanner import set_once
from mqlint.language.text.mapped import MappedTextBuilder
from mqlint.language.text.templates import FILLED_IN, PLACEHOLDER, is_known
from mqlint.language.text.variables import Variables
from mqlint.patterns import later
from mqlint.source.budget import Budget

_PERCENT = later(
    r"%~dp0|%%(?:~[A-Za-z$:]{0,20})?[A-Za-z]|%%|%~[A-Za-z$:]{0,20}[0-9]|%[0-9*]"
    r"|%([^%\n:=]+)(?::[^%\n]*)?%|%"
)
_DELAYED = later(r"!([^!\n:=]+)(?::[^!\n]*)?!|!")
_PLAIN = later(rf"{FILLED_IN}|(?:[^\s\"^%!&|<>(){{\\]|(?!{FILLED_IN})\{{)+")
_RAW = later(r"[^\"^%!&|<>()\n\r]+")
_SETTING = later(r"(?i)\bset[ \t]+(?:/[ap][ \t]+)?\"?([^\s=\"%!]+)[ \t]*=")
_ENABLED = later(r"(?i)enabledelayedexpansion|/v:on")
_SPECIAL = later(r"[&|<>^\"%!()\n\r]")
_HERE = "./"
"""Placeholder for `%~dp0`, the folder of the script, in the name of a file."""


class BatchText:
    """One batch file, and the variables that are known while it is read."""

    __slots__ = ("_delayed", "_once", "text", "values")

    def __init__(self, text: str, budget: Budget) -> None:
        """Search for what applies to the whole file: settings, and delayed expansion."""
        self.text = text
        self.values = Variables(budget)
        self._delayed = _ENABLED.search(text) is not None
        self._once = set_once(match[1].upper() for match in _SETTING.finditer(text))

    def assign(self, name: str, value: str) -> None:
        """Record the value of a variable from here on, if it is set nowhere else."""
        known = is_known(value) and _SPECIAL.search(value) is None
        if known and name.upper() in self._once:
            self.values[name.upper()] = value.strip()

    def rest(self, builder: MappedTextBuilder, at: int, block: bool) -> tuple[int, bool]:
        """Read the rest of a command; return its end, and whether cmd may end it before.

        In a `block` a closing parenthesis without an opening one ends it. cmd ends it at any that
        is not escaped.
        """
        quoted, depth, may_end = False, 0, False
        while at < len(self.text):
            plain = _RAW.match(self.text, at)
            if plain is not None:
                builder.add(plain.group(), at)
                at = plain.end()
                continue
            char = self.text[at]
            if char in "\n\r" or (not quoted and char in "&|<>"):
                break
            if char == ")" and block and not (quoted or depth):
                break
            if char == "(" and not quoted:
                depth += 1
            elif not quoted and self.text.startswith((")", "^)"), at):
                depth = max(0, depth - 1)
                may_end |= char == ")"
            quoted ^= char == '"'
            at = self._special(builder, at, quoted)
        return at, may_end

    def argument(self, start: int, block: bool) -> tuple[Word | None, int]:
        """Read one word without its quotes, as a program gets it; None if none begins."""
        builder = WordBuilder(start)
        at, quoted = start, False
        while at < len(self.text):
            plain = _PLAIN.match(self.text, at)
            if plain is not None:
                builder.add(plain.group(), at)
                at = plain.end()
                continue
            char = self.text[at]
            if char == "\r" and self.text[at + 1 : at + 2] not in ("", "\n"):
                at += 1  # cmd drops carriage returns
                continue
            if char in "\n\r" or (not quoted and char in (" \t&|<>)" if block else " \t&|<>")):
                break
            if char == '"':
                quoted, builder.quoted = not quoted, True
                at += 1
            elif self.text.startswith('\\"', at):
                builder.add('"', at, 2)
                at += 2
            else:
                at = self._special(builder, at, quoted)
        return (builder.word(at) if builder.length or builder.quoted else None), at

    def _special(self, builder: MappedTextBuilder, at: int, quoted: bool) -> int:
        """Read one character that may mean another, or the name of a variable."""
        char = self.text[at]
        if char == "%":
            return self._variable(_PERCENT, builder, at)
        if char == "!" and self._delayed:
            return self._variable(_DELAYED, builder, at)
        if char == "^" and not quoted:
            return self._escape(builder, at)
        builder.add(char, at)
        return at + 1

    def _escape(self, builder: MappedTextBuilder, at: int) -> int:
        """Read an escaped character; `^` at the end of a line escapes one of the next line."""
        following = at + 1
        if self.text.startswith("\r\n", following):
            following += 2
        elif self.text.startswith("\n", following):
            following += 1
        char = self.text[following : following + 1]
        if char not in ("", "\r", "\n") and (following == at + 1 or char in "&|<>()^"):
            builder.add(char, following)
            following += 1
        return following

    def _variable(self, form: re.Pattern[str], builder: MappedTextBuilder, at: int) -> int:
        found = form.match(self.text, at)
        if found is None:
            return at + 1
        whole = found.group()
        width = len(whole)
        if whole == "%~dp0":
            builder.add(_HERE, at, width)
        elif whole == "%%":
            builder.add("%", at, width)
        elif width > 1:
            name = found[1] or ""
            known = self.values.expanded(name.upper()) if width == len(name) + 2 else None
            builder.add(PLACEHOLDER if known is None else known, at, width)
        return at + width
