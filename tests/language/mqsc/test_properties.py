"""What holds for every text, and for every layout of a well-formed command."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqlint.language.mqsc import Command, Dialect, Parser, Script, decode, items
from mqlint.language.text.templates import with_placeholders
from tests.language.mqsc.invariants import (
    check_cover,
    check_spans,
    check_twin,
    check_words,
    pieces,
    spans,
)
from tests.language.mqsc.layouts import Value, Written, commands
from tests.shipped import shipped_vocabulary

VOCABULARY = shipped_vocabulary()
PARSER = Parser(VOCABULARY)

PIECES = (
    *("DEFINE QLOCAL(A)", "ALTER QMGR", "def ql('b')", "END", "DESCR('x')", "LDAPPWD(pw)", "PUT"),
    *(" ", "\n", "+\n", "-\n", " +\n", "\r\n", "\t", ";", ",", "(", ")", "'", "''", '"', "*"),
    *("*  CRDATE(1) +\n", "* it's\n", "+", "-", "{{ x }}", "{% if a %}\n", "{% endif %}\n"),
    *("${A}", "@A@", "<a>", "{{", "}}", "\0", "\ue000", "\ue001", "\u00e9", "\u2028", "\u00a0"),
    *("AMQ8006I: x\n", "   QUEUE(A)\n", "--", "#", "/*", "\\\n", "runmqsc A\n", "\ufffd", "ß"),
)
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=24).map("".join)


@pytest.mark.slow
@settings(deadline=None)
@given(TEXTS)
def test_any_text_is_covered_wholly_and_in_order(text: str) -> None:
    script = PARSER.parse(text)
    check_cover(text, script)
    assert "".join(text[start:end] for start, end in pieces(script)) == text


@settings(deadline=None)
@given(TEXTS)
def test_every_place_lies_in_its_command(text: str) -> None:
    script = PARSER.parse(text)
    check_spans(text, script)
    check_words(text, script)


@settings(deadline=None)
@given(TEXTS)
def test_the_plain_parse_of_any_command_gives_the_same(text: str) -> None:
    check_twin(text, PARSER.parse(text))


@settings(deadline=None)
@given(st.lists(TEXTS, max_size=4), TEXTS)
def test_what_was_read_before_changes_nothing(before: list[str], text: str) -> None:
    used = Parser(VOCABULARY)
    for one in before:
        used.parse(one)
    fresh = Parser(VOCABULARY)
    assert _facts(used.parse(text)) == _facts(fresh.parse(text))


RECORDS = (
    *("Starting MQSC for queue manager A.\n", "     1 : ", "       : ", " :", "1 :", "* x\n"),
    *("* Queue manager name: A\n", "* Command issued: dmpmqcfg -a\n", "say (it's -\n", "***\n"),
    *("* Number of objects/records: 1\n", "* Script ended on x\n", "* NameList count: 2\n"),
    *("* Queue manager command level: (930/930)\n", "+CSQ1 ", "PUT=b ", "PUT='b c' ", "PUT="),
    *(" " * 60, "x" * 30, "00000100\n", "runmqsc A\n", "%A%", "__A__"),
)
DIALECTS = st.builds(Dialect, st.booleans(), st.booleans(), st.booleans())


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES + RECORDS), max_size=24).map("".join), DIALECTS)
def test_records_of_every_kind_are_covered_wholly(text: str, dialect: Dialect) -> None:
    for whole in (text, f"Starting MQSC for queue manager A.\n 1 : {text}"):
        script = PARSER.parse(whole, dialect)
        check_cover(whole, script)
        check_spans(whole, script)
        assert _facts(PARSER.parse(whole, dialect)) == _facts(script)


def _facts(script: Script) -> object:
    found = [
        (
            [*map(str, command.values)],
            [*map(type, command.values)],
            command.maybe,
            [*spans(command)],
        )
        for command in script.commands
    ]
    return found, script.spans, script.slices, script.diagnostics


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(commands(), min_size=1, max_size=3))
def test_layout_changes_nothing(written: list[Written]) -> None:
    text = "".join(one.text for one in written)
    script = PARSER.parse(text)
    check_cover(text, script)
    check_twin(text, script)
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
        check_cover(text, script)
        check_spans(text, script)
        check_words(text, script)
        check_twin(text, script)


@pytest.mark.slow
def test_the_plain_parse_of_the_example_estate_gives_the_same(estate: Path) -> None:
    _check_files(estate, "*.mqsc")


@pytest.mark.slow
def test_the_plain_parse_of_the_corpus_gives_the_same(corpus: Path) -> None:
    _check_files(corpus, "*.mqsc*", "QM4.txt")


def test_no_template_is_seen_where_there_is_none(corpus: Path) -> None:
    (dump,) = corpus.rglob("QM4.txt")
    text = dump.read_text(encoding="utf-8")
    assert with_placeholders(text) == text
    assert with_placeholders(text.replace("/", "%")) == text.replace("/", "%")
