"""PowerShell scripts to simple commands: pipes, blocks, assignments, texts that are fed.

The input of a command is known if it is made of strings, known variables, lists and blocks of them,
or a file. `Set-Content` and the like write files, as `cat` does in a shell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from mqlint.language.script.command import Word, passed_over
from mqlint.language.script.posix.frames import reason
from mqlint.language.script.powershell.pipeline import (
    Element,
    Output,
    PowerShellFrame,
    added,
    single,
)
from mqlint.language.script.powershell.text import HERE, VARIABLE, PowershellText, variable_name
from mqlint.language.script.powershell.verbs import EACH, SELECTING, output_of
from mqlint.language.script.scanner import CommandScanner, Written
from mqlint.language.text.mapped import mapped_at
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later
from mqlint.source.budget import Budget

_GAP = later(r"(?:[ \t\f\v\ufeff]|`\r?\n)+")
_LINES = later(r"\s+")
_GOES_ON = later(r"\|(?!\|)")
_REDIRECT = later(r"(?:[1-6*])?>>?(?:&[12])?")
_TYPE = later(r"\[[^\]\n]{1,100}\]+")
_ASSIGN = later(r"[-+*/%]?=(?!=)|\?\?=")
_WHOLE = later(r"\d{1,18}(?=[ \t]*(?:[\r\n;#]|\Z))")
"""A number that is all of a value."""
_OPERATOR = later(r"-[A-Za-z]+")
_KEYWORDS = frozenset(
    "if elseif else switch for foreach while do until function filter workflow try catch finally "
    "trap param begin process end dynamicparam class enum data in".split()
)
_NAMING = frozenset({"function", "filter", "workflow"})
_STEADY = frozenset({"try", "finally", "begin", "process", "end"})
"""Words before a block that runs whenever the script comes to it."""
_LOOPS = frozenset({"foreach", "for", "while", "do", "until", "foreach-object", "%"})
"""Words before a block that runs several times."""
_BINDING = frozenset({"param", "foreach", "for", "catch", *_NAMING})
"""Words before parentheses in which variables are named that others set."""
_FILE_TIME = later(r"(?i)(?:LastWrite|LastAccess|Creation)Time")
_THIS = ("$_", "${_}", "$PSItem")
"""The file for which a block of ForEach-Object runs."""
_SPLAT = later(r"@((?:[A-Za-z]+:)?[A-Za-z_]\w*)")
_QUOTES = dict.fromkeys(range(0x2018, 0x201C), "'") | dict.fromkeys(range(0x201C, 0x201F), '"')
"""Quotes of documents, which PowerShell takes for those of ASCII."""
_NUMBER = later(r"[-+!:%\d]|\.\d")
_INVOKING = frozenset({"invoke-command", "icm"})
_HOST = frozenset({"-computername", "-cn", "-hostname", "-session"})
_LEAVING = frozenset({"exit", "return", "throw", "break", "continue"})


class PowershellScanner(CommandScanner):
    def __init__(self, text: str, budget: Budget) -> None:
        text = text if text.isascii() else text.translate(_QUOTES)
        super().__init__(text, budget)
        self.chars = PowershellText(text, budget)
        self.frame = PowerShellFrame("top")
        self.frames = [self.frame]
        self._left = False

    def finish(self, at: int) -> None:
        """Close what is open, and end the last statement."""
        while len(self.frames) > 1:
            self._pop(at)
        self._end_statement(at)

    # structure

    def next(self, at: int) -> int:
        """Read the sign at which a token may begin."""
        char = self.text[at]
        gap = _GAP.match(self.text, at)
        if gap is not None:
            return gap.end()
        if char in "\r\n":
            return self._lines(at)
        if char == "#":
            return self.chars.line_end(at)
        if self.text.startswith("<#", at):
            return self.chars.comment_end(at + 2)
        if char in "({" or (char in "@$" and self.text[at + 1 : at + 2] in ("(", "{")):
            opened = self._opening(at)
            if opened > at:
                return opened
        if char in ")}":
            return self._closing(char, at)
        if char in ";|&":
            return self._between(at)
        if self.frame.element.kind == "command":
            return self._argument(at)
        return self._expression(at)

    def _lines(self, at: int) -> int:
        """End the statement with its line, unless something is still to come."""
        found = _LINES.match(self.text, at)
        end = found.end() if found is not None else at + 1
        frame = self.frame
        waits = frame.element.pending or (frame.piping and not frame.element.kind)
        if not waits and _GOES_ON.match(self.text, end) is None:
            self._end_statement(at)
        return end

    def _between(self, at: int) -> int:
        """Read the sign between two commands, or `&` before one."""
        char, frame = self.text[at], self.frame
        if self.text.startswith(char * 2, at) and char != ";":
            self._end_statement(at)
            frame.depends = True
            return at + 2
        if char == "|":
            self._end_element(at, piped=True)
        elif char == "&" and not frame.element.kind:
            frame.element.kind, frame.element.calls = "command", True
        else:
            self._end_statement(at)
        return at + 1

    def _opening(self, at: int) -> int:
        """Open a block, parentheses or a table; return `at` where it is a variable: `${name}`.

        The rest of the text is not read if there are too many around it.
        """
        sign = self.text[at : at + 2] if self.text[at] in "@$" else self.text[at]
        if sign == "${":
            return at
        if not self.budget.enters(len(self.frames)):
            return len(self.text)
        frame, element = self.frame, self.frame.element
        kind = "block" if sign[-1] == "{" else "paren"
        maybe = frame.maybe or frame.depends
        inner = PowerShellFrame(kind, maybe, at, frame.called, frame.why)
        inner.silent = frame.silent or sign == "@{"
        inner.listed = sign != "("
        inner.block = None if frame.depends else frame.block
        if sign == "{":
            keyword = element.kind == "keyword"
            steady = element.word in _STEADY if keyword else element.calls and not element.words
            inner.remote = frame.remote or _remote(element.words)
            steady = steady or inner.remote != frame.remote
            inner.maybe = inner.maybe or not steady
            inner.block = inner.block if steady else at
            words = element.words[:1]
            word = element.word if keyword else words[0].text.lower() if words else ""
            why = "branch" if not steady else ""
            why = "loop" if word in _LOOPS else "function" if word in _NAMING else why
            outer = "" if frame.why == "function" else frame.why
            inner.why = reason(outer, why) or frame.why
            inner.each = frame.fed.listing if word in EACH else frame.each
            if keyword and element.name:
                inner.called = element.name
        elif element.kind == "keyword" and element.word in _BINDING:
            inner.silent = inner.binding = True
        self.frames.append(inner)
        self.frame = inner
        return at + len(sign)

    def _closing(self, sign: str, at: int) -> int:
        """Close the open structure, if the sign closes it."""
        wanted = "block" if sign == "}" else "paren"
        if self.frame.kind == wanted:
            self._pop(at)
            if sign == "}" and self.frame.element.kind == "keyword" and self.frame.element.name:
                self._end_statement(at + 1)
        elif sign == "}" and any(frame.kind == "block" for frame in self.frames):
            while self.frame.kind != "block":
                self._pop(at)
            self._pop(at)
        return at + 1

    def _pop(self, at: int) -> None:
        """Leave a block or parentheses; their output is a value around them."""
        self._end_statement(at)
        left = self.frames.pop()
        self.frame = self.frames[-1]
        value = None if left.silent else left.printed
        if value is not None:
            value.maybe |= left.maybe and left.kind == "block"
            value.listed = left.listed or len(value.lines) != 1
        element = self.frame.element
        if element.kind == "command":
            self._block_or_argument(left, value, at)
        elif element.kind == "keyword":
            element.add_output(value if left.kind == "block" and not element.name else Written())
        else:
            element.primary(value if left.kind == "paren" else None)

    def _block_or_argument(self, left: PowerShellFrame, value: Written | None, at: int) -> None:
        """Add a block or parentheses as a word of a command."""
        element = self.frame.element
        if left.kind == "block":
            element.block = value
            element.has_block = True
            name = element.words[0].text.lower() if element.words else ""
            if name in SELECTING and _FILE_TIME.search(self.text, left.start, at) is not None:
                element.by_age = True
        known = value is not None and len(value.lines) == 1 and left.kind == "paren"
        text = value.lines[0] if known and value is not None else None
        mapped = text or mapped_at(PLACEHOLDER, left.start, at + 1)
        self._add(Word(mapped, left.start, at + 1), value)

    # statements

    def _end_statement(self, at: int) -> None:
        """Finish a statement; its output is recorded, or assigned to a variable."""
        frame = self.frame
        found = self._end_element(at, piped=False)
        if frame.target is not None:
            self._assign(frame.target, found.value, appends=frame.appends)
        elif frame.kind != "top" and frame.printed is not None:
            frame.print(found)
        frame.target, frame.piping, frame.fed, frame.depends = None, False, Output(), False

    def _assign(self, name: str, value: Written | None, *, appends: bool) -> None:
        if appends:
            before = self.chars.texts.pop(name, None)
            known = value is not None and before is not None
            value = added(before, value) if known and value and before else None
        if value is not None:
            value.maybe |= self._maybe()
        if name and not self.frame.silent:
            self.chars.assign(name, value, certain=self.frame.kind == "top" and not self._maybe())

    def _end_element(self, at: int, *, piped: bool) -> Output:
        """Finish one part of a pipe; return what comes out of it."""
        frame, element = self.frame, self.frame.element
        fed, frame.element = frame.fed, Element()
        is_fed = frame.piping and not fed.silent
        frame.fed, frame.piping = Output(), piped
        while self.chars.passed:
            self.ended += passed_over(self.text, *self.chars.passed.pop())
        if frame.silent and element.kind == "command" and element.words:
            self.ended += passed_over(self.text, element.words[0].start, at)
        if frame.silent or not element.kind:
            return Output(silent=True)
        if element.kind != "command":
            frame.fed = Output(element.value, silent=element.kind == "keyword")
        else:
            if frame.each and any(self._is_this(word) for word in element.words):
                fed = Output(listing=frame.each)
                element.words = [word for word in element.words if not self._is_this(word)]
                element.values = element.values[: len(element.words)]
            found = output_of(element, fed, self._maybe())
            for command in found.commands:
                command.words[:0] = frame.remote
                command.end, command.function = at, frame.called
                command.why = frame.why if command.maybe else ""
                command.block = None if frame.depends else frame.block
                command.captured = piped or frame.target is not None
                command.is_fed = is_fed and command.string is None and command.stdin is None
                self.ended.append(command)
            frame.fed = found
        return frame.fed

    def _is_this(self, word: Word) -> bool:
        return self.text.startswith(_THIS, word.start)

    def is_complete(self) -> bool:
        return not self.frame.piping  # Out-Null may come

    def _maybe(self) -> bool:
        return self.frame.maybe or self.frame.depends or self._left

    # expressions and words

    def _expression(self, at: int) -> int:
        """Read one token of an expression, or the first word of a command."""
        char, element = self.text[at], self.frame.element
        here = HERE.match(self.text, at)
        if here is not None:
            mapped, end = self.chars.here(here)
            element.primary(single(mapped))
            return end
        if char in "\"'":
            mapped, end = self.chars.string(at)
            element.primary(single(mapped))
            return end
        variable = VARIABLE.match(self.text, at)
        if variable is not None:
            return self._variable(variable)
        number = _WHOLE.match(self.text, at)
        if number is not None and element.pending == "=" and not element.kind:
            element.primary(single(mapped_at(number[0], *number.span())))
            return number.end()
        sign = _ASSIGN.match(self.text, at)
        if sign is not None and element.kind == "expression":
            return self._assignment(sign)
        if char == ",":
            element.pending = ","
            return at + 1
        if element.kind == "keyword":
            return self._after_keyword(at)
        if element.kind == "expression":
            return self._operator(at)
        found = _TYPE.match(self.text, at)
        if found is not None:
            return found.end()
        return self._first_word(at)

    def _variable(self, found: re.Match[str]) -> int:
        name = variable_name(found[1] or found[2] or "")
        element = self.frame.element
        if self.frame.binding or (element.kind == "keyword" and element.word in _BINDING):
            self.chars.bind(name)
        first = not element.kind
        is_target = _ASSIGN.match(self.text, _after_gap(self.text, found.end())) is not None
        element.primary(None if is_target else self.chars.value(name))
        if first:
            element.variable = name
        return found.end()

    def _assignment(self, sign: re.Match[str]) -> int:
        frame = self.frame
        frame.target = frame.element.variable
        frame.appends = sign.group() == "+="
        frame.element = Element()
        frame.element.pending = sign.group()
        return sign.end()

    def _operator(self, at: int) -> int:
        """Read an operator; its result is mostly not known."""
        redirect = _REDIRECT.match(self.text, at)
        if redirect is not None:
            return self._into_file(redirect)
        if self.text.startswith(("++", "--"), at):
            self.frame.element.value = None
            return at + 2
        found = _OPERATOR.match(self.text, at)
        sign = found.group().lower() if found is not None else self.text[at]
        self.frame.element.operator(sign)
        return at + len(sign)

    def _into_file(self, sign: re.Match[str]) -> int:
        """Read the sign that writes a text to a file: a short form of Out-File."""
        self._end_element(sign.start(), piped=True)
        element = self.frame.element
        element.kind = "command"
        name = "add-content" if sign.group().endswith(">>") else "out-file"
        place = sign.start(), sign.end()
        self._add(Word(mapped_at(name, place[0], place[1]), *place), None)
        return sign.end()

    def _after_keyword(self, at: int) -> int:
        """Read a word after a keyword: the name of a function, or the next keyword."""
        element = self.frame.element
        word, end = self.chars.word(at)
        name = word.text.lower()
        if name in _KEYWORDS:
            element.word, element.name = name, ""
        elif element.word in _NAMING and not element.name:
            element.name = variable_name(name)
        return end

    def _first_word(self, at: int) -> int:
        redirect = _REDIRECT.match(self.text, at)
        if redirect is not None:
            return redirect.end()
        word, end = self.chars.word(at)
        name = word.text.lower()
        element = self.frame.element
        if end == at:
            return at + 1
        if name in _LEAVING:
            self._left = self._left or (self.frame.kind == "top" and not self._maybe())
        elif name in _KEYWORDS and not self.frame.piping:
            element.kind, element.word, element.value = "keyword", name, Written()
            element.pending = ""
        elif _NUMBER.match(name) is not None and name != "%":
            element.primary(None)
        else:
            element.kind, element.pending = "command", ""
            if name != ".":
                self._add(word, None)
        return end

    def _argument(self, at: int) -> int:
        redirect = _REDIRECT.match(self.text, at)
        element = self.frame.element
        if redirect is not None:
            element.redirect = "" if "&" in redirect.group() else redirect.group()
            return redirect.end()
        if self.text[at] == "<":
            element.redirect = "<"
            return at + 1
        here = HERE.match(self.text, at)
        if here is not None:
            mapped, end = self.chars.here(here)
            self._add(Word(mapped, at, end, True), single(mapped))
            return end
        splat = _SPLAT.match(self.text, at)
        if splat is not None:
            return self._splat(splat)
        variable = VARIABLE.match(self.text, at)
        word, end = self.chars.word(at)
        if end == at:
            return at + 1
        if variable is not None and variable.end() == end:
            value = self.chars.value(variable_name(variable[1] or variable[2] or ""))
            is_used = not element.words or (value is not None and _holds_mqsc(value))
            if value is not None and value.lines and not word.known and is_used:
                word.mapped = value.text()
        else:
            value = single(word.mapped)
        self._add(word, value)
        return end

    def _splat(self, found: re.Match[str]) -> int:
        """Add the words of a list: `@list`; those of a table are not known (about_Splatting)."""
        start, end = found.span()
        value = self.chars.value(variable_name(found[1]))
        lines = [mapped_at(PLACEHOLDER, start, end)] if value is None else value.as_lines().lines
        for line in lines:
            self._add(Word(line, start, end), single(line))
        return end

    def _add(self, word: Word, value: Written | None) -> None:
        """Add a word to the command, or the file that its sign names."""
        element = self.frame.element
        if element.redirect:
            if self.text[word.start : word.end].lower() == "$null":
                word.mapped = mapped_at("nul", word.start, word.end)
            element.redirected(word)
        else:
            element.words.append(word)
            element.values.append(value)


def _holds_mqsc(value: Written) -> bool:
    """Return whether a text may be MQSC, and is no unknown name."""
    return bool(value.lines) and "(" in value.lines[0].text


def _after_gap(text: str, at: int) -> int:
    found = _GAP.match(text, at)
    return at if found is None else found.end()


def _remote(words: Sequence[Word]) -> list[Word]:
    """Return the words with which ssh would reach the host that Invoke-Command names."""
    if not words or words[0].text.lower() not in _INVOKING:
        return []
    for name, host in pairwise(words):
        if name.text.lower() in _HOST:
            place = words[0].start, words[0].end
            return [Word(mapped_at("ssh", *place), *place), host]
    return []
