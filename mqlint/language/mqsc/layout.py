"""One layout for MQSC that people write: an attribute a line, aligned, meaning unchanged.

    DEFINE QLOCAL('ORDERS') +
           DESCR('Orders of the shop') +
           MAXDEPTH(20000)

Words are in upper case, values as they are written. A command with at most one attribute stays on
one line if that has at most 72 columns. Comments, blank lines and all that is not a command stay as
they are; so does a command with a template, a branch or a comment inside, and one whose lines would
be longer than 72 columns and are not so now.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.dataclass import NamedTuple, frozen
from mqlint.language.mqsc.cards import without_cics, without_numbers
from mqlint.language.mqsc.command import Command
from mqlint.language.mqsc.dialect import Dialect
from mqlint.language.mqsc.lines import BLANKS, join, open_sign
from mqlint.language.mqsc.parser import Parser
from mqlint.language.mqsc.scan import Scanned, scan
from mqlint.language.mqsc.script import Script
from mqlint.language.mqsc.session.transcript import begins_as_transcript
from mqlint.language.mqsc.templates import with_templates_covered
from mqlint.language.mqsc.value import SEPARATORS, Secret
from mqlint.patterns import later

COLUMNS = 72
"""What runmqsc and the records of z/OS show and read without trouble."""

_PIECE = later(r"[^ \t\r\n\f\v,;\0]+|\0")
_INNER_COMMENT = later(r"(?m)^\*")

DUMP = "it is a dump, which a tool writes"
SESSION = "it is the record of a session"
NUMBERED = "it has numbers in the columns behind 72"
CICS = "it has definitions of CICS resources"
CHANGED = "the new layout would change its meaning"
LINE_ENDS = "its lines end in different ways"


@frozen
class Layout:
    """A text in the layout, or the reason why it is unchanged; `unchanged` counts commands."""

    text: str
    unchanged: int = 0
    why: str = ""


class _Words(NamedTuple):
    """A command as its words, each with its value or None."""

    words: tuple[tuple[str, str | None], ...]
    ends: bool


def formatted(text: str, parser: Parser, dialect: Dialect) -> Layout:
    """Return `text` in the layout; it is left alone if its commands would not be the same."""
    plain = text
    if "\r" in text:
        plain = text.replace("\r\n", "\n")
        if "\r" in plain or plain.count("\n") != text.count("\r\n"):
            return Layout(text, why=LINE_ENDS)
    if begins_as_transcript(plain):
        return Layout(text, why=SESSION)
    if without_numbers(plain, dialect.zos) != plain:
        return Layout(text, why=NUMBERED)
    if without_cics(plain) != plain:
        return Layout(text, why=CICS)
    script = parser.parse(plain, dialect)
    if script.header is not None:
        return Layout(text, why=DUMP)
    written, unchanged = _written(plain, script, dialect)
    if written == plain:
        return Layout(text, unchanged)
    again = parser.parse(written, dialect)
    if not _is_same(script, again) or _written(written, again, dialect)[0] != written:
        return Layout(text, unchanged, CHANGED)
    return Layout(written if plain is text else written.replace("\n", "\r\n"), unchanged)


def _written(text: str, script: Script, dialect: Dialect) -> tuple[str, int]:
    covered = with_templates_covered(text, dialect)
    pieces: list[str] = []
    at = unchanged = 0
    for command, (start, end) in zip(script.commands, script.spans, strict=True):
        pieces.append(text[at:start])
        chunk = text[start:end]
        is_whole = _begins_line(text, start) and _ends_line(text, end)
        is_plain = covered[start:end] == chunk and not command.marks
        laid = _laid_out(chunk, command, dialect) if is_whole and is_plain else None
        unchanged += laid is None
        pieces.append(chunk if laid is None else laid)
        at = end
    pieces.append(text[at:])
    return "".join(pieces), unchanged


def _begins_line(text: str, start: int) -> bool:
    return start == 0 or text[start - 1] == "\n"


def _ends_line(text: str, end: int) -> bool:
    return end == len(text) or text[end - 1] == "\n"


def _laid_out(chunk: str, command: Command, dialect: Dialect) -> str | None:
    """The slice of one command in the layout, None if it is to stay as it is."""
    if command.verb is None or command.shape.prefix or open_sign(chunk) is not None:
        return None
    if _INNER_COMMENT.search(chunk) or not _is_plain(chunk) or (dialect.zos and "=" in chunk):
        return None
    found = _words_of(chunk)
    if found is None or len(found.words) < 1:
        return None
    verb, *rest = [_word(word, value) for word, value in found.words]
    lines = [verb] if not rest else [f"{verb} {rest[0]}", *rest[1:]]
    stop = ";" if found.ends else ""
    whole = " ".join(lines) + stop
    indent = " " * (len(verb) + 1)
    is_long = len(lines) > 2 or len(whole) > COLUMNS
    laid = f" +\n{indent}".join(lines) + stop if is_long else whole
    widest = max(map(len, laid.split("\n")))
    was = max(len(line.rstrip()) for line in chunk.split("\n"))
    if widest > COLUMNS >= was:
        return None
    line_end = "\n" if chunk.endswith("\n") else ""
    laid += line_end
    return laid if _words_of(laid) == _folded(found) else None


def _is_plain(chunk: str) -> bool:
    """Whether its words are ASCII and without NUL: others may change in upper case."""
    return "\0" not in chunk and (chunk.isascii() or _has_plain_words(chunk))


def _has_plain_words(chunk: str) -> bool:
    found = scan(join(chunk)[0])
    return isinstance(found, Scanned) and found.skeleton.isascii()


def _word(word: str, value: str | None) -> str:
    return word.upper() if value is None else f"{word.upper()}({value})"


def _folded(found: _Words) -> _Words:
    return _Words(tuple((word.upper(), value) for word, value in found.words), found.ends)


def _words_of(chunk: str) -> _Words | None:
    """The words of a slice that has one command and nothing else, None otherwise."""
    joined, _ = join(chunk)
    found = scan(joined)
    if not isinstance(found, Scanned) or not found.whole:
        return None
    if joined[found.end :].strip(f"{SEPARATORS};"):
        return None
    stop = joined[: found.end].rstrip(BLANKS)[-1:] == ";"
    values = iter(found.values)
    words: list[tuple[str, str | None]] = []
    for piece in _PIECE.findall(found.skeleton):
        if piece != "\0":
            words.append((piece, None))
        elif not words or words[-1][1] is not None:
            return None
        else:
            words[-1] = (words[-1][0], next(values).strip(SEPARATORS))
    return _Words(tuple(words), stop)


def _is_same(before: Script, after: Script) -> bool:
    """Whether two texts say the same: the same commands in the same order, the same faults."""
    if len(before.commands) != len(after.commands) or before.broken != after.broken:
        return False
    if [found.code for found in before.diagnostics] != [found.code for found in after.diagnostics]:
        return False
    kinds = [
        [found.kind for found in script.slices if found.kind != "blank"]
        for script in (before, after)
    ]
    return kinds[0] == kinds[1] and all(
        _meaning(left) == _meaning(right)
        for left, right in zip(before.commands, after.commands, strict=True)
    )


def _meaning(command: Command) -> tuple[object, ...]:
    shape = command.shape
    return (
        *(shape.verb, shape.noun, shape.noun_word, shape.words, shape.has_value, shape.open),
        tuple(_values(command)),
        command.marks,
    )


def _values(command: Command) -> Iterator[object]:
    for value in command.values:
        # The text of a secret is compared where the command is written.
        yield "secret" if isinstance(value, Secret) else value.strip(SEPARATORS)
