"""What holds for every text, and for every layout of a well-formed command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from mqlint.syntax.mqsc import Command, Parser, Script, Secret, Templated, decode, items
from mqlint.syntax.mqsc.branches import mark
from mqlint.syntax.templates import cover
from mqlint.vocabulary.load import load_vocabulary
from tests.syntax.mqsc.layouts import Value, Written, commands
from tests.syntax.mqsc.reading import Element, elements_of, one_line, plain_parse

VOCABULARY = load_vocabulary()
PARSER = Parser(VOCABULARY)

PIECES = (
    *("DEFINE QLOCAL(A)", "ALTER QMGR", "def ql('b')", "END", "DESCR('x')", "LDAPPWD(pw)", "PUT"),
    *(" ", "\n", "+\n", "-\n", " +\n", "\r\n", "\t", ";", ",", "(", ")", "'", "''", '"', "*"),
    *("*  CRDATE(1) +\n", "* it's\n", "+", "-", "{{ x }}", "{% if a %}\n", "{% endif %}\n"),
    *("${A}", "@A@", "<a>", "{{", "}}", "\0", "\ue000", "\ue001", "\u00e9", "\u2028", "\u00a0"),
    *("AMQ8006I: x\n", "   QUEUE(A)\n", "--", "#", "/*", "\\\n", "runmqsc A\n", "\ufffd", "ß"),
)
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=24).map("".join)


def _pieces(script: Script) -> list[tuple[int, int]]:
    return sorted([*script.spans, *((one.start, one.end) for one in script.slices)])


def _spans(command: Command) -> Iterator[tuple[int, int]]:
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


def _check_cover(text: str, script: Script) -> None:
    at = 0
    for start, end in _pieces(script):
        assert start == at < end
        at = end
    assert at == len(text)


def _check_spans(text: str, script: Script) -> None:
    for command, (begin, stop) in zip(script.commands, script.spans, strict=True):
        for start, end in _spans(command):
            assert begin <= start < end <= stop
    for diagnostic in script.diagnostics:
        assert 0 <= diagnostic.start < diagnostic.end <= len(text)


def _check_words(text: str, script: Script) -> None:
    text = text.replace("\0", "\ufffd").replace("\ue001", "\ufffd")
    for command in script.commands:
        shape = command.shape
        if "\ue000" not in shape.verb_word:
            assert _word(text, command.span_of_verb()) == shape.verb_word
        for index, word in enumerate(shape.words):
            assert _word(text, command.span_of_word(index)) == word


def _word(text: str, span: tuple[int, int]) -> str:
    """The word at `span`; a sign at its end is part of it."""
    return one_line(text[slice(*span)] + ".")[:-1].upper()


def _seen(found: Element) -> tuple[str, str | int | None]:
    """A word and its value; of a value that was masked its length."""
    if isinstance(found.raw, Secret):
        return found.word, found.raw.width
    if isinstance(found.raw, Templated) and not found.raw.strip("*"):
        return found.word, len(found.raw)
    return found.word, found.raw


def _alike(found: Element, expected: Element) -> bool:
    word, value = _seen(found)
    raw = expected.raw
    return (word, value) == (expected.word, len(raw or "") if isinstance(value, int) else raw)


def _check_twin(text: str, script: Script) -> None:
    """The plain parse of each command gives the same words and values."""
    clean = text.replace("\0", "\ufffd")
    covered = mark(clean, cover(clean).replace("\ue001", "\ufffd"))[0]
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


@settings(deadline=None)
@given(TEXTS)
def test_any_text_is_covered_wholly_and_in_order(text: str) -> None:
    script = PARSER.parse(text)
    _check_cover(text, script)
    assert "".join(text[start:end] for start, end in _pieces(script)) == text


@settings(deadline=None)
@given(TEXTS)
def test_every_place_lies_in_its_command(text: str) -> None:
    script = PARSER.parse(text)
    _check_spans(text, script)
    _check_words(text, script)


@settings(deadline=None)
@given(TEXTS)
def test_the_plain_parse_of_any_command_gives_the_same(text: str) -> None:
    _check_twin(text, PARSER.parse(text))


@settings(deadline=None)
@given(st.lists(TEXTS, max_size=4), TEXTS)
def test_what_was_read_before_changes_nothing(before: list[str], text: str) -> None:
    used = Parser(VOCABULARY)
    for one in before:
        used.parse(one)
    fresh = Parser(VOCABULARY)
    assert _facts(used.parse(text)) == _facts(fresh.parse(text))


def _facts(script: Script) -> object:
    found = [
        ([*map(str, one.values)], [*map(type, one.values)], one.maybe, [*_spans(one)])
        for one in script.commands
    ]
    return found, script.spans, script.slices, script.diagnostics


@settings(deadline=None)
@given(st.lists(commands(), min_size=1, max_size=3))
def test_layout_changes_nothing(written: list[Written]) -> None:
    text = "".join(one.text for one in written)
    script = PARSER.parse(text)
    _check_cover(text, script)
    _check_twin(text, script)
    assert len(script.commands) == len(written)
    at = 0
    for command, expected in zip(script.commands, written, strict=True):
        _check_command(command, expected, at)
        at += len(expected.text)


def _check_command(command: Command, expected: Written, at: int) -> None:
    (verb, _), (noun, name), *attributes = expected.words
    verb_span, noun_span, *word_spans = expected.word_spans
    _, name_span, *value_spans = expected.value_spans
    shape = command.shape
    assert (shape.verb_word, shape.noun_word) == (verb, noun)
    assert shape.words == tuple(word for word, _ in attributes)
    assert command.span_of_verb() == _moved(verb_span, at)
    assert command.span_of_noun() == _moved(noun_span, at)
    _check_value(command, shape.name_slot, name)
    assert name_span is not None
    assert command.span_of_name() == _moved(name_span, at)
    for index, (_, value) in enumerate(attributes):
        assert command.span_of_word(index) == _moved(word_spans[index], at)
        _check_value(command, shape.slots[index], value)
        value_span = value_spans[index]
        if value_span is not None:
            assert command.span_of_value(index) == _moved(value_span, at)


def _check_value(command: Command, slot: int, value: Value | None) -> None:
    if value is None:
        assert slot == -1
    elif value.is_list:
        assert items(command.values[slot]) == value.decoded
    else:
        assert [decode(command.values[slot])] == value.decoded


def _moved(span: tuple[int, int], by: int) -> tuple[int, int]:
    return span[0] + by, span[1] + by


def _check_files(folder: Path, *patterns: str) -> None:
    paths = [path for pattern in patterns for path in folder.rglob(pattern) if path.is_file()]
    assert paths
    for path in paths:
        text = path.read_text(encoding="utf-8", errors="replace")
        script = PARSER.parse(text)
        assert script.commands, path
        _check_cover(text, script)
        _check_spans(text, script)
        _check_words(text, script)
        _check_twin(text, script)


def test_the_plain_parse_of_the_example_estate_gives_the_same(estate: Path) -> None:
    _check_files(estate, "*.mqsc")


def test_the_plain_parse_of_the_corpus_gives_the_same(corpus: Path) -> None:
    _check_files(corpus, "*.mqsc*", "QM4.txt")


def test_no_template_is_seen_where_there_is_none(corpus: Path) -> None:
    (dump,) = corpus.rglob("QM4.txt")
    text = dump.read_text(encoding="utf-8")
    assert cover(text) == text
    assert cover(text.replace("/", "%")) == text.replace("/", "%")
