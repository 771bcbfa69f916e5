"""What holds for every text that was read as MQSC, whoever made the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mqlint.language.mqsc import Command, Script, Secret, Shape, Templated
from mqlint.language.mqsc.branches import mark
from mqlint.language.mqsc.cards import without_cics, without_numbers
from mqlint.language.mqsc.dialect import Dialect
from mqlint.language.mqsc.session.transcript import begins_as_transcript, read_transcript
from mqlint.language.mqsc.templates import with_templates_covered
from tests.language.mqsc.reading import Element, elements_of, one_line, plain_parse
from tests.shipped import shipped_vocabulary

_MASKABLE = re.compile(r"[^\s+-]")
"""Blanks and signs stay: a line may end in one."""
IS_SECRET = shipped_vocabulary().is_secret


def pieces(script: Script) -> list[tuple[int, int]]:
    return sorted([*script.spans, *((slice.start, slice.end) for slice in script.slices)])


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
    # Lines of statements are dropped inside a word.
    text, _ = mark(clean, with_templates_covered(clean, Dialect()))
    for command in script.commands:
        shape = command.shape
        if "\ue000" not in shape.verb_word:
            verb = _word(text, command.span_of_verb())
            assert shape.verb_word == (verb.upper() if shape.verb else _masked([verb], [False])[0])
        written = [_word(text, command.span_of_word(at)) for at in range(len(shape.words))]
        found, bound = list(shape.words), list(shape.has_value)
        if _is_misplaced(shape):
            written.insert(0, _word(text, command.span_of_noun()))
            found.insert(0, shape.noun_word)
            bound.insert(0, shape.name_slot >= 0)
        assert found == _masked(written, bound)


def _word(text: str, span: tuple[int, int]) -> str:
    """The word at `span`; a sign at its end is part of it."""
    return one_line(text[slice(*span)] + ".")[:-1]


def _masked(written: Sequence[str], has_value: Sequence[bool]) -> list[str]:
    """The words in upper case, those masked that stand for a secret without parentheses.

    That is the word behind `PASSWORD`, `PASSWORD =` or `PASSWORD=`, or what such a word holds
    behind its equals sign.
    """
    found, after = [], False
    for word, bound in zip(written, has_value, strict=True):
        head, sign, tail = word.partition("=")
        if sign and IS_SECRET(head.upper()):
            found.append(f"{head.upper()}={_MASKABLE.sub('X', tail)}".upper())
        elif after and word != "=" and not bound:
            found.append(_MASKABLE.sub("X", word))
        else:
            found.append(word.upper())
        if word != "=":
            after = not bound and IS_SECRET(word.upper().removesuffix("="))
    return found


def _seen(found: Element) -> str | int | None:
    """The value of a word; of one that was masked its length."""
    if isinstance(found.raw, Secret):
        return found.raw.width
    if isinstance(found.raw, Templated) and not found.raw.strip("*"):
        return len(found.raw)
    return None if found.raw is None else _without_marks(found.raw)


def _clean(text: str) -> str:
    """A whole text without the characters that the parser uses for itself, and those at its end."""
    clean = _without_marks(text)
    return clean.rstrip("\x1a").ljust(len(clean))


def _without_marks(text: str) -> str:
    """The text without the characters that the parser uses for itself."""
    return text.replace("\0", "\ufffd").replace("\ue001", "\ufffd")


def _same_value(found: Element, expected: Element) -> bool:
    value, raw = _seen(found), expected.raw
    return value == (len(raw or "") if isinstance(value, int) else raw)


def _is_misplaced(shape: Shape) -> bool:
    """Whether something that is no noun stands in the noun's place."""
    return shape.noun is None and shape.noun_position >= 0 and "\ue000" not in shape.noun_word


def _masked_words(command: Command, expected: Sequence[Element]) -> list[str]:
    """The words of a plain parse as the parser keeps them: verb and noun are never masked."""
    shape = command.shape
    places = dict(zip(shape.positions, shape.has_value, strict=True))
    if _is_misplaced(shape):
        places[shape.noun_position] = shape.name_slot >= 0
    fixed = set(range(shape.verb_position + 1)) if shape.verb is not None else set()
    fixed |= {shape.noun_position} if shape.noun is not None else set()
    order = sorted({*places, *fixed})
    rows = list(zip(order, expected, strict=True))
    loose = [(element.word, places[at]) for at, element in rows if at not in fixed]
    words = iter(_masked([word for word, _ in loose], [bound for _, bound in loose]))
    return [element.word if at in fixed else next(words) for at, element in rows]


def check_twin(text: str, script: Script) -> None:
    """The plain parse of each command gives the same words and values."""
    is_record = begins_as_transcript(text)
    read = read_transcript(text).script if is_record else without_numbers(text, zos=False)
    unnumbered = read if is_record else without_cics(read)
    clean = _clean(unnumbered)
    covered = mark(clean, with_templates_covered(clean, Dialect()))[0]
    for command, (start, end) in zip(script.commands, script.spans, strict=True):
        if command.verb == "END":
            continue
        line, original = one_line(covered[start:end]), one_line(clean[start:end])
        if len(line) != len(original):  # a statement line: only the covered text has it dropped
            original = line
        found, expected = elements_of(command), plain_parse(line, original)
        assert len(found) == len(expected)
        if original is not line:
            assert [element.word for element in found] == _masked_words(command, expected)
            assert all(map(_same_value, found, expected))
