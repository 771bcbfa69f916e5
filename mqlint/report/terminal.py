"""Text that is safe to show: control characters made visible, and the cells text takes.

Names and source lines come from files of strangers. An escape sequence in one of them could
rewrite what a terminal shows, a bidirectional override could reverse it, a newline could forge
a line of the report. Each such character is shown as the escape a programmer would write.

The log of a pipeline is an interpreter too. Azure DevOps, GitHub and TeamCity run `##vso[...]`,
`##[...]` and `##teamcity[...]` wherever they are in a line (microsoft/azure-pipelines-agent and
actions/runner take the index of the prefix), GitHub runs `::name ...::` at the start of a line.
A line may be wrapped at any blank.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from mqlint.patterns import later

_LOG_COMMAND = later(r"##(?=\w*\[)")
_LINE_COMMAND = later(r"(?<!\S)::(?=[A-Za-z][\w-]*+(?:[^\S\n][^\n]*?)?::)")
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"})
"""Categories of Unicode: control, format, surrogate, and what separates lines or words."""
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escape(character: str) -> str:
    if character.isprintable() or unicodedata.category(character) not in _UNSAFE:
        return character
    code = ord(character)
    if character in _SHORT:
        return _SHORT[character]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def visible(text: str) -> str:
    """Return `text` with escapes for what could steer a terminal or a log, or be a blank."""
    if not text.isprintable():
        text = "".join(map(_escape, text))
    if "::" in text:
        text = _LINE_COMMAND.sub(r"\\x3a:", text)
    return inert(text)


def inert(text: str) -> str:
    """Return printable text of one line with escapes for commands of a log anywhere in it."""
    return _LOG_COMMAND.sub(r"#\\x23", text) if "##" in text else text


def visible_lines(text: str) -> str:
    """Return `text` with each of its lines made visible; line feeds remain."""
    return "\n".join(map(visible, text.split("\n")))


def cells(text: str) -> int:
    """Return the number of terminal cells `text` takes: wide characters two, combining none."""
    if text.isascii():
        return len(text)
    return sum(map(_character_cells, text))


def _character_cells(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def wrap(text: str, width: int, first: str = "", rest: str | None = None) -> Iterator[str]:
    """Yield `text`, made visible, in lines of at most `width` cells.

    `first` is before the first line, `rest` before the others: by default as many blanks. A word
    that is wider than a line is not broken: it may be a path that a reader clicks. A percent sign
    stays with its number.
    """
    indent = " " * len(first) if rest is None else rest
    line, used, empty = first, cells(first), True
    for joined in visible(text).replace(" %", "\0%").split(" "):
        if not joined:
            continue
        word = joined.replace("\0", " ")
        room = cells(word)
        if not empty and used + 1 + room > width:
            yield line.rstrip()
            line, used, empty = indent, cells(indent), True
        if not empty:
            line, used = line + " ", used + 1
        line, used, empty = line + word, used + room, False
    yield line.rstrip()


def listing(title: str, texts: Iterable[str], width: int, margin: str = "") -> Iterator[str]:
    """Yield a title with texts as a list below it, nothing without texts."""
    for number, text in enumerate(texts):
        if not number:
            yield f"{margin}{title}"
        yield from wrap(text, width, f"{margin}  - ")


def paragraphs(text: str, width: int, first: str) -> Iterator[str]:
    """Yield prose wrapped paragraph by paragraph; lines that start with a blank are kept as is."""
    indent = " " * len(first)
    lead, prose = first, list[str]()
    for line in [*text.strip("\n").split("\n"), ""]:
        if line.strip() and not line.startswith(" "):
            prose.append(line)
            continue
        if prose:
            yield from wrap(" ".join(prose), width, lead, indent)
            lead, prose = indent, []
        if line.strip():
            yield (lead + visible(line)).rstrip()
            lead = indent


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, as in `1 file` and `1,200 files`."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
