"""The texts of a rule as Markdown, for formats that are shown on a web page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from mqlint.finding import Rule
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.report.guide import (
    Body,
    ExampleFile,
    Files,
    Guide,
    Links,
    NamedTexts,
    Prose,
    Words,
    guide,
)
from mqlint.report.terminal import visible, visible_lines

_CODE = later(r"(?<!`)(`[^`\n]+`)(?!`)")
_CODE_IN_CELL = later(r"(?<!`)(`[^`\n|]+`)(?!`)")
_SPECIAL = later(r"([\\`*_<>\[\]#|~&])")
_LIST_MARK = later(r"([-+]|\d+(?=[.)]))")
_BACKTICKS = later(r"`+")


def help_text(rule: Rule) -> str:
    """Return why a rule matters, what to do and details, as plain text."""
    prose = (text.strip("\n") for text in (rule.why, rule.fix, rule.more))
    parts = (*prose, "\n".join(rule.see))
    shown = "\n\n".join(visible_lines(part) for part in parts if part.strip())
    return shown or visible(rule.summary)


def help_markdown(rule: Rule) -> str:
    """Return the same with headings and links; indented lines become blocks of code."""
    return "\n\n".join((f"**{escaped(rule.summary)}**", *sections(guide(rule), 3)))


def sections(guide: Guide, level: int) -> Iterator[str]:
    """Yield the blocks of a guide's sections, each under a heading of a level (1 is a page's)."""
    for title, body in guide.sections:
        yield f"{'#' * level} {escaped(title)}"
        yield from _blocks(body)


def is_link(text: str) -> bool:
    """Whether a reference of a rule is an address on the web."""
    return text.startswith(("https://", "http://")) and not re.search(r"[\s<>\"]", text)


def escaped(text: str, *, cell: bool = False) -> str:
    """Return text that Markdown shows as it is; what is in backticks stays code.

    In a cell of a table, code with a vertical bar is escaped too: the bar would end the cell in the
    middle of the code, and what follows it would no longer be code.
    """
    pieces = (_CODE_IN_CELL if cell else _CODE).split(visible(text))
    pieces[::2] = [_SPECIAL.sub(r"\\\1", piece) for piece in pieces[::2]]
    return "".join(pieces)


def table_row(cells: Iterable[str]) -> str:
    """Return a row of a table, with texts that Markdown shows as they are."""
    return f"| {' | '.join(escaped(cell, cell=True) for cell in cells)} |"


def fenced(lines: tuple[str, ...]) -> str:
    """Return lines as a block of code whose fence is longer than any backticks inside."""
    inside = (len(run) for line in lines for run in _BACKTICKS.findall(line))
    fence = "`" * max(3, 1 + max(inside, default=0))
    return "\n".join((f"{fence}text", *lines, fence))


def _blocks(body: Body) -> Iterator[str]:
    match body:
        case Prose(text):
            yield from prose(text)
        case Words(words):
            yield ", ".join(f"`{visible(word)}`" for word in words)
        case NamedTexts(points):
            yield "\n".join(f"- `{visible(name)}`: {escaped(text)}" for name, text in points)
        case Links(links):
            yield "\n".join(
                f"- <{visible(link)}>" if is_link(link) else f"- {escaped(link)}" for link in links
            )
        case Files(files):
            for file in files:
                yield from _file(file)


def _file(file: ExampleFile) -> Iterator[str]:
    yield escaped(file.path)
    # Arrows move lines two columns to the right, so that they stand only where they say something.
    lines = file.lines if file.flagged else tuple(line[2:] for line in file.lines)
    yield fenced(lines)


def prose(text: str) -> Iterator[str]:
    """A block for each paragraph and for each run of indented lines."""
    for block in re.split(r"\n(?:[ \t]*\n)+", text.strip("\n")):
        for code, lines in _runs(block.split("\n")):
            if code:
                yield "\n".join(f"    {visible(line)}" for line in lines)
            else:
                yield _paragraph(" ".join(line.strip() for line in lines))


def _runs(lines: list[str]) -> Iterator[tuple[bool, list[str]]]:
    for code, run in groupby(lines, key=lambda line: line.startswith(" ")):
        yield code, list(run)


def _paragraph(text: str) -> str:
    """A paragraph that no mark at its begin makes a list or a rule."""
    mark = _LIST_MARK.match(text)
    if mark is None:
        return escaped(text)
    return (
        f"{mark[0]}\\{escaped(text[mark.end() :])}" if is_digits(mark[0]) else "\\" + escaped(text)
    )
