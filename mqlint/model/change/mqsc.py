"""MQSC commands as text, with quotes and continuation so that they are read as they are meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mqlint.language.mqsc.layout import COLUMNS
from mqlint.patterns import later
from mqlint.vocabulary import AttributeSpec, CommandSpec, Kind, Vocabulary

_NUMBER = later(r"-?[0-9]{1,19}")
_BETWEEN = later(r"[\s,]+")
_SAFE_LINE_BEGINNING = later(r"[A-Za-z0-9]")
"""Signs at which a continued value may begin a line: a star would begin a comment."""


def quoted(text: str) -> str:
    """Return a text in quotation marks, which keep its case; a blank text is one blank."""
    return "'{}'".format(text.replace("'", "''") or " ")


def can_be_written(text: str) -> bool:
    """Whether MQSC can hold a text: a line break or another control character ends a value."""
    return text.isprintable()


def command(verb: str, noun: str, name: str | None, words: Iterable[str]) -> str:
    """Return one command, an attribute a line; a short one is on one line."""
    first = f"{verb} {noun}" if name is None else f"{verb} {noun}({quoted(name)})"
    parts = [first, *words]
    whole = " ".join(parts)
    if len(parts) <= 2 and len(whole) <= COLUMNS:
        return whole
    indent = " " * (len(verb) + 1)
    lines = [parts[0], *(indent + part for part in parts[1:])]
    return " +\n".join("-\n".join(_cut(line)) for line in lines)


def _cut(line: str) -> Iterator[str]:
    """Cut a line that is too long at a sign that can begin the next line."""
    room = COLUMNS - 2
    while len(line) > room:
        at = room - 1
        while at > 1 and not (
            _SAFE_LINE_BEGINNING.match(line[at]) and _SAFE_LINE_BEGINNING.match(line[at - 1])
        ):
            at -= 1
        if at <= 1:
            break  # nowhere to cut: a long line is read on Multiplatforms
        yield line[:at]
        line = line[at:]
    yield line


def attribute(spec: CommandSpec, word: str, value: str | tuple[str, ...]) -> str | None:
    """Return an attribute of a command with a value; None if it cannot be written.

    An attribute that a command may have several times is written once for each value.
    """
    found = spec.attribute(word)
    texts = (value,) if isinstance(value, str) else value
    if found is None or not all(map(can_be_written, texts)):
        return None
    if found.repeatable:
        return " ".join(f"{word}({_single(found, text)})" for text in texts if text)
    if found.domain.kind is Kind.FLAG:
        return found.name if value == "YES" else found.opposite if value == "NO" else None
    if found.domain.kind is Kind.LIST:
        return f"{word}({_listed(found, value)})"
    if not isinstance(value, str):
        return None
    return f"{word}({_single(found, value)})"


def _listed(found: AttributeSpec, value: str | tuple[str, ...]) -> str:
    item = found.domain.item
    is_plain = item is not None and item.kind in (Kind.WORDS, Kind.NAME)
    texts = tuple(filter(None, _BETWEEN.split(value))) if isinstance(value, str) else value
    if isinstance(value, str) and not is_plain:
        texts = (value,)
    words = item.words if item is not None else ()
    if not any(text.strip() for text in texts):
        return "" if found.domain.empty else "' '"
    return ",".join(text if text in words else quoted(text) for text in texts)


def _single(found: AttributeSpec, value: str) -> str:
    is_keyword = value in found.domain.words and value.replace("_", "").isalnum()
    is_number = found.domain.kind is Kind.INT and _NUMBER.fullmatch(value)
    return value if is_keyword or is_number else quoted(value)


def needed(vocabulary: Vocabulary, verb: str, object_type: str, subtype: str | None) -> list[str]:
    """Return the attributes without which a command of this type is not complete."""
    spec = vocabulary.command(verb, object_type.upper())
    return [] if spec is None else [found.name for found in spec.required(subtype)]
