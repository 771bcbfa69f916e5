"""The characters of a PowerShell script: strings, here-strings, words, and known variables.

Between quotation marks and in `@" ... "@` a backtick takes the meaning from the next character, and
`$name`, `${name}` and `$( )` are unknown, unless the variable is set once, unconditionally, to a
plain text (about_Quoting_Rules, about_Parsing).
"""

from __future__ import annotations

import re

from mqlint.language.script.command import Word, WordBuilder
from mqlint.language.script.here_document import Finder
from mqlint.language.script.scanner import Written, set_once
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.text.templates import PLACEHOLDER, is_known
from mqlint.language.text.variables import Variables
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span

HERE = later(r"@(?P<sign>[\"'])[ \t]*\r?\n")
VARIABLE = later(r"\$(?:\{([^}\n]{1,200})\}|((?:[A-Za-z_]\w*:)?\w+)|[?^$])")
_RUN = later(r"[^\"`$]+")
_HERE_RUN = later(r"[^`$]+")
_PLAIN = later(r"[^\s\"'`$;|&(){}<>,#@]+|(?<=[^\s])[#@]")
_INNER = later(r"[^\"'`()]+|'[^']*'|`[\s\S]|\"(?:[^\"`]|`[\s\S])*\"|[\s\S]")
_SETTING = later(r"\$\{?((?:\w+:)?\w+)\}?[ \t]*(?:[-+*/%?]{0,2}=(?!=)|\+\+|--)")
_SCOPE = later(r"(?i)(?:script|global|local|private|using|variable):")
_ESCAPES = {"n": "\n", "t": "\t", "r": "", "0": "", "a": "", "b": "", "f": "", "v": "", "e": ""}
_PROPERTY = later(r"(?:(?:\.|::)[A-Za-z_]\w*|\[[^\]\n]{0,80}\])+")


def variable_name(written: str) -> str:
    """Return the name of a variable, or of a function, without its case and its scope."""
    return _SCOPE.sub("", written, count=1).lower()


class PowershellText:
    """One script, and the variables that are known while it is read.

    `plain` are variables that are set once, to one plain line. `texts` are the present values of
    others. `passed` are stretches of code in strings, which are not read.
    """

    __slots__ = ("_budget", "_finder", "_once", "_unclosed", "passed", "plain", "text", "texts")

    def __init__(self, text: str, budget: Budget) -> None:
        """Look for what is set how often in the whole script."""
        self.text = text
        self._budget = budget
        self.plain = Variables(budget)
        self.plain["psscriptroot"] = "."
        self.texts: dict[str, Written] = {}
        self._once = set_once(variable_name(match[1]) for match in _SETTING.finditer(text))
        self._finder = Finder(text)
        self._unclosed = False
        self.passed: list[Span] = []

    def bind(self, name: str) -> None:
        """Forget a variable that a caller or a loop sets."""
        self._once.discard(name)
        self.plain.pop(name, None)
        self.texts.pop(name, None)

    def assign(self, name: str, value: Written | None, *, certain: bool) -> None:
        """Record the value of a variable from here on; `certain` if this is sure to run."""
        if value is None:
            self.texts.pop(name, None)
            return
        self.texts[name] = value
        if not certain or value.maybe or name not in self._once:
            return
        line = value.text().text
        if line and "\n" not in line and is_known(line):
            self.plain[name] = line

    def value(self, name: str) -> Written | None:
        """Return a copy of the value of a variable, within the budget."""
        found = self.texts.get(name)
        if found is None or not found.copies(self._budget):
            return None
        return Written(found.lines.copy(), found.maybe, found.listed)

    def line_end(self, at: int) -> int:
        """Return the end of a line, after which a lone carriage return ends it too."""
        return min(self._finder.next("\n", at), self._finder.next("\r", at), len(self.text))

    def comment_end(self, at: int) -> int:
        """Return the offset after a comment that may have many lines."""
        return min(self._finder.next("#>", at) + 2, len(self.text))

    def here(self, found: re.Match[str]) -> tuple[MappedText, int]:
        """Read a here-string; return its text, and the offset after it."""
        start, sign = found.end(), found["sign"]
        stop = self._finder.next(f"\n{sign}@", start - 1)
        after = min(stop + 3, len(self.text))
        stop = max(min(stop, len(self.text)), start)
        if self.text[start:stop].endswith("\r"):
            stop -= 1
        builder = MappedTextBuilder()
        if sign == "'":
            builder.add(self.text[start:stop], start)
            return builder.finish(stop), after
        at = start
        while at < stop:
            at = self._piece(_HERE_RUN, builder, at, stop)
        return builder.finish(stop), after

    def string(self, at: int) -> tuple[MappedText, int]:
        """Read a string from its quotation mark on; return its text, and the offset after it."""
        builder = MappedTextBuilder()
        end = self._quoted(builder, at)
        return builder.finish(max(end - 1, at + 1)), end

    def word(self, start: int) -> tuple[Word, int]:
        """Read a word of a command; return it, and the offset after it, which is `start` at least.

        Text directly after a closing quotation mark belongs to it, and so does a variable inside.
        """
        builder = WordBuilder(start)
        at = start
        while at < len(self.text):
            plain = _PLAIN.match(self.text, at)
            char = self.text[at]
            if plain is not None:
                builder.add(plain.group(), at)
                at = plain.end()
            elif char in "\"'":
                builder.quoted = True
                at = self._quoted(builder, at)
            elif char == "`" and self.text[at + 1 : at + 2] not in ("", "\r", "\n"):
                at = self._piece(_RUN, builder, at, len(self.text))
            elif char == "$":
                at = self._argument_variable(builder, at, first=at == start)
            else:
                break
        return builder.word(at), at

    def _argument_variable(self, builder: MappedTextBuilder, at: int, *, first: bool) -> int:
        """Read a variable in a word; one at the beginning may have a property."""
        end = self._piece(_RUN, builder, at, len(self.text))
        found = _PROPERTY.match(self.text, end) if first else None
        if found is None:
            return end
        builder.parts.clear()
        builder.segments.clear()
        builder.length, builder.next_host = 0, -1
        builder.add(PLACEHOLDER, at, found.end() - at)
        return found.end()

    def _quoted(self, builder: MappedTextBuilder, at: int) -> int:
        """Add a string; return the offset after it."""
        size = len(self.text)
        if self.text[at] == "'":
            while True:
                end = min(self._finder.next("'", at + 1), size)
                builder.add(self.text[at + 1 : end], at + 1)
                if self.text[end : end + 2] != "''":
                    return min(end + 1, size)
                builder.add("'", end + 1)
                at = end + 1
        at += 1
        while at < size:
            if self.text.startswith('""', at):
                builder.add('"', at + 1)
                at += 2
            elif self.text[at] == '"':
                return at + 1
            else:
                at = self._piece(_RUN, builder, at, size)
        return size

    def _piece(self, run: re.Pattern[str], builder: MappedTextBuilder, at: int, stop: int) -> int:
        """Add one run, escape or variable, covered if it is not known."""
        found = run.match(self.text, at, stop)
        if found is not None:
            builder.add(found.group(), at)
            return found.end()
        if self.text[at] == "`":
            char = self.text[at + 1 : min(at + 2, stop)]
            builder.add(_ESCAPES.get(char, char), at + (char not in _ESCAPES))
            builder.next_host = -1
            return at + 2
        variable = VARIABLE.match(self.text, at, stop)
        if variable is not None:
            known = self.plain.expanded(variable_name(variable[1] or variable[2] or ""))
            builder.add(PLACEHOLDER if known is None else known, at, variable.end() - at)
            return variable.end()
        if self.text.startswith("$(", at):
            end = min(self._after(at + 2), stop)
            self.passed.append((at + 2, end - 1))
            builder.add(PLACEHOLDER, at, end - at)
            return end
        builder.add("$", at)
        return at + 1

    def _after(self, at: int) -> int:
        """Return the offset after the parenthesis that closes one before `at`.

        After one that never closes, the rest of its line is skipped for others.
        """
        if self._unclosed:
            return self.line_end(at)
        depth, start = 1, at
        while at < len(self.text):
            found = _INNER.match(self.text, at)
            piece = found.group() if found is not None else self.text[at]
            at += len(piece)
            depth += (piece == "(") - (piece == ")")
            if depth == 0:
                return at
        self._unclosed = True
        return self.line_end(start)
