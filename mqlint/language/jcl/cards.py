"""The cards of a job: statements without continuations, and in-stream data.

"z/OS MVS JCL Reference", "Format of statements" and "Continuing statements": a statement has
columns 1 to 71, its operands end at the first blank outside quotation marks, a comma at their end
continues them on the next `//` line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from mqlint.dataclass import mutable
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.text.templates import is_template_line
from mqlint.patterns import later

READ = 71
"""Columns of a JCL statement that are read."""

_STATEMENT = later(r"//(?P<name>[^\s*]\S*)?[ \t]+(?P<operation>[A-Za-z]+)(?![^\s])[ \t]*")
_CONTINUED = later(r"//[ \t]+")
_STREAM = later(r"(?i)(\*|DATA)(?=[,\s]|\Z)")
THEN = later(r"(?i)(?<![\w@#$.])THEN(?![\w@#$.])")
_OPERATIONS = frozenset(
    "JOB EXEC DD PROC PEND SET IF ELSE ENDIF INCLUDE JCLLIB OUTPUT COMMAND EXPORT XMIT CNTL ENDCNTL"
    " SCHEDULE NOTIFY".split()
)
_DELIMITER = later(r"(?i)\bDLM=(?:'([^']{1,18})'|([^\s,']{1,18}))")


@mutable
class Card:
    """One statement: its name (blank for none), operation and operands.

    `data` is the in-stream data of a DD statement: a stretch of the file. `rest` is all that
    follows the operation on its line, and in an IF on the lines up to its THEN.
    """

    name: str
    operation: str
    operands: MappedText
    span: tuple[int, int]
    data: tuple[int, int] | None = None
    rest: str = field(default="")


def cards(text: str) -> Iterator[Card]:
    """Yield the statements of a text, in order; lines that are none give `LOOSE` cards of data."""
    lines = _Lines(text)
    while not lines.done:
        start, end = lines.take()
        line = text[start:end]
        match = _STATEMENT.match(line[:READ])
        if match is None or line.startswith("//*"):
            if not line.startswith(("//", "/*")) and line.strip():
                yield Card("", "LOOSE", MappedText("", (), end), (start, end), (start, end))
            continue
        yield _card(lines, match, start)


class _Lines:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    @property
    def done(self) -> bool:
        return self.at >= len(self.text)

    def peek(self) -> tuple[int, int]:
        """Return the place of the next line, without its end."""
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        return self.at, max(end - (self.text[self.at : end].endswith("\r")), self.at)

    def take(self) -> tuple[int, int]:
        start, end = self.peek()
        found = self.text.find("\n", self.at)
        self.at = len(self.text) if found < 0 else found + 1
        return start, end


def _card(lines: _Lines, match: re.Match[str], start: int) -> Card:
    """Read a statement, with the lines that continue it and the data it begins."""
    text = lines.text
    operation = _operation(match)
    builder = MappedTextBuilder()
    at, end = start + match.end(), min(start + READ, lines_end(text, start))
    rest = text[at:end]
    stop, quoted = _field(text, at, end, False)
    builder.add(text[at:stop], at)
    while operation not in ("IF", "ELSE", "ENDIF") and not lines.done:
        following, until = lines.peek()
        line = text[following : min(until, following + READ)]
        if line.startswith("//*") or is_template_line(line):
            lines.take()
            continue
        joint = _CONTINUED.match(line)
        if joint is None or not (quoted or text[at:stop].endswith(",")):
            break
        lines.take()
        at = following + (15 if quoted and len(line) > 15 else joint.end())
        stop, quoted = _field(text, at, following + len(line), quoted)
        builder.add(text[at:stop], at)
    if operation == "IF":
        rest = " ".join(_expression(lines, rest))
    operands = builder.finish(stop)
    card = Card(match["name"] or "", operation, operands, (start, max(stop, start + 2)), rest=rest)
    if operation == "DD" and _STREAM.match(operands.text):
        card.data = _stream(lines, operands.text)
    return card


def _expression(lines: _Lines, part: str) -> Iterator[str]:
    """Yield the parts of a relational expression, which any blank in it may break."""
    yield part
    while THEN.search(part) is None and not lines.done:
        start, end = lines.peek()
        part = lines.text[start : min(end, start + READ)]
        begin, statement = _CONTINUED.match(part), _STATEMENT.match(part)
        if not part.startswith("//*"):
            if begin is None or (statement is not None and _operation(statement) in _OPERATIONS):
                return
            yield (part := part[begin.end() :])
        lines.take()


def _operation(statement: re.Match[str]) -> str:
    return statement["operation"].upper()


def lines_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    return end - text[start:end].endswith("\r")


def _field(text: str, at: int, end: int, quoted: bool) -> tuple[int, bool]:
    """Return the end of the operands on a line, and whether a quotation mark is open there."""
    for index in range(at, end):
        character = text[index]
        if character == "'":
            quoted = not quoted
        elif character in " \t" and not quoted:
            return index, False
    return max(at, end), quoted


def _stream(lines: _Lines, operands: str) -> tuple[int, int]:
    """Return the stretch of in-stream data, and continue after it."""
    chosen = _DELIMITER.search(operands)
    mark = (chosen[1] or chosen[2]) if chosen is not None else "/*"
    ends = (mark, "//") if chosen is None and operands.startswith("*") else (mark, mark)
    first = lines.at
    while not lines.done:
        start, _ = lines.peek()
        if lines.text.startswith(ends, start):
            if not lines.text.startswith("//", start) or mark == "//":
                lines.take()
            return first, start
        lines.take()
    return first, len(lines.text)
