"""The state of the scanner of PowerShell: parts of pipes, open blocks, and output."""

from __future__ import annotations

from collections import deque
from dataclasses import field

from mqlint.dataclass import mutable
from mqlint.language.script.command import Command, Word
from mqlint.language.script.scanner import Written
from mqlint.language.text.mapped import MappedText, joined
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.number import is_digits
from mqlint.patterns import later

_PLACE = later(r"\{\d{1,3}[^{}\n]{0,40}\}")
"""A place for a value in a format of `-f`."""


@mutable
class Output:
    """The output of a part of a pipe: a text, or a file that is read.

    `silent` is true if there is no output: a None of `value` is then not an unknown text. `listing`
    are the words of `find` that lists the same files.
    """

    value: Written | None = None
    file: Word | None = None
    silent: bool = False
    commands: list[Command] = field(default_factory=list)
    listing: list[Word] = field(default_factory=list)


@mutable
class Element:
    """A part of a pipe: an expression, a command, or a statement of the language.

    `pending` is an operator whose right side is still to come. `closed` is true if no more text
    comes. `variable` is the one at the start of an expression. `word` and `name` are the keyword
    and the name of the function. `values` are those of the `words`, and `block` is the output of a
    block among them. `by_age` is true if the block asks for the time of a file.
    """

    kind: str = ""
    value: Written | None = None
    pending: str = ""
    closed: bool = False
    variable: str = ""
    word: str = ""
    name: str = ""
    calls: bool = False
    words: list[Word] = field(default_factory=list)
    values: list[Written | None] = field(default_factory=list)
    has_block: bool = False
    by_age: bool = False
    block: Written | None = None
    redirect: str = ""
    stdin: Word | None = None
    outputs: list[Word] = field(default_factory=list)
    appends: bool = False

    def add_output(self, value: Written | None) -> None:
        """Add the output of a block of a statement to that of the blocks before it."""
        if value is None or self.value is None:
            self.value = None
        else:
            self.value.take(value.as_lines())

    def primary(self, value: Written | None) -> None:
        """Take a value into the expression, by the operator before it."""
        pending, self.pending = self.pending, ""
        if not self.kind:
            self.kind, self.value = "expression", value
        elif self.kind == "keyword":
            self.pending = pending
        elif self.closed or pending == "-join":
            return
        elif value is None or self.value is None or not pending:
            self.value = None
        elif pending == ",":
            self.value = self.value.as_lines()
            self.value.take(value.as_lines())
        else:
            self.value = added(self.value, value)

    def operator(self, sign: str) -> None:
        """Take an operator; what most of them make of the text is not known."""
        if sign == "-f" and self.value is not None:
            self.value.lines = deque(map(_formatted, self.value.lines))
            self.closed = True
        elif sign in ("-join", "+"):
            self.pending = sign
        elif not self.closed:
            self.value = None
            self.pending = "?" if len(sign) > 1 else ""

    def redirected(self, word: Word) -> None:
        """Take the file that a sign of redirection names."""
        sign, self.redirect = self.redirect, ""
        if sign == "<":
            self.stdin = word
        elif sign[0] in ">1*" and word.text:
            self.outputs.append(word)
            self.appends = sign.endswith(">>")


@mutable
class PowerShellFrame:
    """An open structure: the script itself, a block, parentheses.

    `listed`: its output is a list. `silent`: it has no commands. `binding`: others set its
    variables. `each` are the words of `find` that lists the files for which it runs. `called` is
    the function around it. `printed` is the output of its statements, None
    once one of them is not known. `why` is `loop` in one, `block` that of its commands. `remote`
    are the words with which ssh would run them on the host of Invoke-Command.
    """

    kind: str
    maybe: bool = False
    start: int = 0
    called: str = ""
    why: str = ""
    block: int | None = None
    listed: bool = False
    silent: bool = False
    binding: bool = False
    each: list[Word] = field(default_factory=list)
    remote: list[Word] = field(default_factory=list)
    element: Element = field(default_factory=Element)
    fed: Output = field(default_factory=Output)
    piping: bool = False
    target: str | None = None
    appends: bool = False
    depends: bool = False
    printed: Written | None = field(default_factory=Written)

    def print(self, output: Output) -> None:
        if output.value is not None and self.printed is not None:
            self.printed.take(output.value.as_lines())
        elif not output.silent:
            self.printed = None


def added(left: Written, right: Written) -> Written | None:
    """Return what `+` makes of two values: a longer list, or a longer text; None for a sum."""
    is_single = not left.listed and len(left.lines) == 1
    if is_single and is_digits(left.lines[0].text):
        return None
    if left.listed:
        right = right.as_lines()
    elif right.listed:
        right = single(joined(right.lines, " "))
    left.take(right)
    return left


def single(mapped: MappedText) -> Written:
    return Written(deque((mapped,)), listed=False)


def _formatted(mapped: MappedText) -> MappedText:
    """A text with the places covered that `-f` puts something into."""
    text = _PLACE.sub(lambda found: PLACEHOLDER * len(found.group()), mapped.text)
    return MappedText(text, mapped.segments, mapped.end)
