"""What holds for every text that was read as MQSC, whoever made the text."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.syntax.mqsc import Command, Script, Secret, Templated
from mqlint.syntax.mqsc.branches import mark
from mqlint.syntax.mqsc.cards import without_numbers
from mqlint.syntax.templates import cover
from mqlint.syntax.transcript import begins_as_transcript, unecho
from tests.syntax.mqsc.reading import Element, elements_of, one_line, plain_parse


def pieces(script: Script) -> list[tuple[int, int]]:
    return sorted([*script.spans, *((one.start, one.end) for one in script.slices)])


def spans(command: Command) -> Iterator[tuple[int, int]]:
    yield command.span()
    yield command.span_of_verb()
    yield command.span_of_noun()
    yield command.span_of_name()
    for index in range(len(command.shape.words)):
        yield command.span_of_word(index)
        yield command.span_of_value(index)
        yield command.span_of_attribute(index)
    for word in command.form.facts:
        yield command.span_of_fact(word) or (-1, -1)


def check_cover(text: str, script: Script) -> None:
    at = 0
    for start, end in pieces(script):
        assert start == at < end
        at = end
    assert at == len(text)


def check_spans(text: str, script: Script) -> None:
    for command, (begin, stop) in zip(script.commands, script.spans, strict=True):
        for start, end in spans(command):
            assert begin <= start < end <= stop
    for diagnostic in script.diagnostics:
        assert 0 <= diagnostic.start < diagnostic.end <= len(text)


def check_words(text: str, script: Script) -> None:
    clean = _clean(text)
    text = mark(clean, cover(clean))[0]  # so that lines of statements are dropped inside a word
    for command in script.commands:
        shape = command.shape
        if "\ue000" not in shape.verb_word:
            assert _same_word(shape.verb_word, _word(text, command.span_of_verb()))
        for index, word in enumerate(shape.words):
            assert _same_word(word, _word(text, command.span_of_word(index)))


def _word(text: str, span: tuple[int, int]) -> str:
    """The word at `span`; a sign at its end is part of it."""
    return one_line(text[slice(*span)] + ".")[:-1]


def _same_word(found: str, written: str) -> bool:
    """Whether a word is the one that is written, or a mask for a secret without parentheses."""
    if found == written.upper():
        return True
    pairs = zip(found, written, strict=False)
    return len(found) == len(written) and all(one in ("X", two.upper()) for one, two in pairs)


def _seen(found: Element) -> tuple[str, str | int | None]:
    """A word and its value; of a value that was masked its length."""
    if isinstance(found.raw, Secret):
        return found.word, found.raw.width
    if isinstance(found.raw, Templated) and not found.raw.strip("*"):
        return found.word, len(found.raw)
    return found.word, None if found.raw is None else _clean(found.raw)


def _clean(text: str) -> str:
    """The text without the characters that the parser uses for itself."""
    return text.replace("\0", "\ufffd").replace("\ue001", "\ufffd")


def _alike(found: Element, expected: Element) -> bool:
    word, value = _seen(found)
    raw = expected.raw
    same = value == (len(raw or "") if isinstance(value, int) else raw)
    return same and _same_word(word, expected.word)


def check_twin(text: str, script: Script) -> None:
    """The plain parse of each command gives the same words and values."""
    unnumbered = unecho(text) if begins_as_transcript(text) else without_numbers(text, zos=False)
    clean = _clean(unnumbered)
    covered = mark(clean, cover(clean))[0]
    for command, (start, end) in zip(script.commands, script.spans, strict=True):
        if command.verb == "END":
            continue
        line, original = one_line(covered[start:end]), one_line(clean[start:end])
        if len(line) != len(original):  # a statement line: only the covered text has it dropped
            original = line
        found, expected = elements_of(command), plain_parse(line, original)
        assert len(found) == len(expected)
        if original is not line:
            assert all(map(_alike, found, expected))
