"""The vocabulary's data: whole, consistent, each fact with its evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from mqlint.config.errors import ConfigError
from mqlint.config.reader import read_yaml
from mqlint.language.mqsc import Parser, decode
from mqlint.validity.values import judge_of
from mqlint.vocabulary import UNKNOWN, AttributeSpec, CommandSpec, Kind, Target, parse_level
from mqlint.vocabulary.compile import compile_mqsc
from tests.shipped import shipped_vocabulary

VOCABULARY = shipped_vocabulary()
WORD = re.compile(r"[A-Z][A-Z0-9]*")


@cache
def commands() -> tuple[CommandSpec, ...]:
    found = []
    for name in VOCABULARY.commands():
        verb, _, noun = name.partition(" ")
        command = VOCABULARY.command(verb, noun or None)
        assert command is not None
        found.append(command)
    return tuple(found)


def attributes() -> Iterator[tuple[CommandSpec, AttributeSpec]]:
    for command in commands():
        for attribute in command.attributes:
            yield command, attribute


def test_every_command_of_the_index_is_there() -> None:
    assert len(commands()) >= 157
    assert {command.verb for command in commands()} == VOCABULARY.verbs


def test_pages_say_what_was_compared() -> None:
    pages = [command.page for command in commands() if command.page is not None]
    assert [command.text for command in commands() if command.page is None] == ["RECOVER QMGR"]
    for page in pages:
        assert page.read in ("diagram", "parameters"), page
        assert parse_level(page.level) <= parse_level("10.0.0"), page
        assert re.fullmatch(r"q\d{6}|[a-z-]+", page.name), page


def test_availabilities_make_sense() -> None:
    for command, attribute in attributes():
        where = f"{command.text} {attribute.word}"
        types = attribute.types
        for value, availability in attribute.values.items():
            if attribute.domain_words and "#" not in value:
                assert value in attribute.domain_words, where
            assert types is None or (availability.types or types) <= types | attribute.zos_types, (
                where
            )
        for availability in (attribute.availability, *attribute.values.values()):
            if availability.since is not None and availability.removed is not None:
                assert availability.since.lts < availability.removed.lts, where
            for since in (availability.since, availability.deprecated, availability.removed):
                assert since is None or since.cd is None or since.cd < since.lts, where
            if since := availability.since:
                assert since.lts[2] == 0, where


def test_every_word_is_upper_case() -> None:
    words = {word for command in commands() for word in command.words}
    words |= VOCABULARY.verbs | VOCABULARY.nouns
    words |= {*VOCABULARY.verb_words, *VOCABULARY.noun_words}
    assert {word for word in words if not WORD.fullmatch(word)} == set()


def test_every_attribute_has_a_domain_unless_it_is_only_asked_for() -> None:
    bare = {
        (command.text, attribute.word)
        for command, attribute in attributes()
        if attribute.domain.kind is Kind.ANY and not command.is_display and not attribute.read_only
    }
    assert bare == set()


def test_domains_make_sense() -> None:
    for command, attribute in attributes():
        domain = attribute.domain
        where = f"{command.text} {attribute.word}"
        assert domain.low <= domain.high, where
        assert len(set(domain.words)) == len(domain.words), where
        assert all(word == word.upper() for word in domain.words), where
        if domain.kind in (Kind.TEXT, Kind.NAME, Kind.ADDRESSES):
            assert domain.length > 0, where


def _defaults(attribute: AttributeSpec) -> list[str]:
    default = attribute.default
    if default is None or isinstance(default, str):
        return [] if default is None else [default]
    return list(default.values())


def test_defaults_lie_inside_their_domain() -> None:
    for command, attribute in attributes():
        for default in _defaults(attribute):
            where = f"{command.text} {attribute.word} {default!r}"
            if attribute.domain.kind is Kind.FLAG:
                assert default in (attribute.word, attribute.opposite), where
            elif default not in ("", "unknown"):
                judge = judge_of(attribute.domain, zos=None)
                is_list = attribute.domain.kind is Kind.LIST
                raw = default if is_list else "'" + default.replace("'", "''") + "'"
                assert judge is None or judge(raw) is None, where
            elif default == "":
                assert attribute.domain.kind not in (Kind.WORDS, Kind.INT), where


def test_defaults_by_subtype_name_subtypes_of_the_attribute() -> None:
    for command, attribute in attributes():
        if isinstance(attribute.default, dict) and attribute.types is not None:
            keys = set(attribute.default) - {"zos", "else"}
            assert keys <= attribute.types | {command.noun}, (command.text, attribute.word)


def test_subtypes_are_values_of_the_subtype_word() -> None:
    for command, attribute in attributes():
        types = (attribute.types or frozenset()) | attribute.zos_types
        if types and not command.is_display:
            assert command.subtype_word is not None, command.text
            subtype = command.attribute(command.subtype_word)
            assert subtype is not None
            assert types <= set(subtype.domain.words), (command.text, attribute.word)


def test_what_excludes_or_is_required_is_there() -> None:
    for command, attribute in attributes():
        if attribute.excludes is not None and not command.is_display:
            assert command.attribute(attribute.excludes) is not None, attribute.word
        if attribute.opposite is not None and not command.is_display:
            other = command.attribute(attribute.opposite)
            assert other is not None
            assert other.opposite == attribute.word
            assert other.name == attribute.name


def test_recalled_numbers_are_marked() -> None:
    recalled = {
        attribute.word
        for _, attribute in attributes()
        if attribute.evidence == "recall" and attribute.domain.kind is Kind.INT
    }
    marked = {attribute.word for _, attribute in attributes() if attribute.recalled_bounds}
    assert recalled <= marked


def test_the_files_are_small_and_their_lines_can_be_read() -> None:
    folder = files("mqlint.vocabulary").joinpath("data", "mqsc")
    texts = [entry.read_text("utf-8") for entry in folder.iterdir()]
    assert sum(map(len, texts)) < 120_000
    assert max(len(line) for text in texts for line in text.splitlines()) < 1300


@pytest.mark.parametrize(
    ("attributes_text", "says"),
    [
        ("A: {words: [X], of: [QLOCAL]}", "evidence"),
        ("A: {words: [X], of: [QLOCAL], evidence: hearsay}", "hearsay"),
        ("A: {words: [X], of: [NOSUCH], evidence: recall}", "NOSUCH"),
        ("A: {words: [X], of: [], evidence: recall}", "no command"),
        ("A: {words: [X], off: [QLOCAL], evidence: recall}", "off"),
        ("A: {text: 4, of: [QLOCAL, DEFINE QLOCAL], evidence: recall}", "twice"),
        ("A: {text: 4, of: [QLOCAL], evidence: recall, since: {first: 9.4.0}}", "first"),
        ("A: {text: 4, of: [QLOCAL], evidence: recall, values: {X: {sicne: 9.4.0}}}", "sicne"),
    ],
)
def test_faults_in_the_data_are_refused(attributes_text: str, says: str) -> None:
    text = f"commands:\n  - {{verbs: [DEFINE], noun: QLOCAL}}\nattributes:\n  {attributes_text}\n"
    with pytest.raises(ConfigError, match=says):
        compile_mqsc(read_yaml(text, "x"))


TARGET = Target(parse_level("9.3.0"), "linux")
Default = tuple[str, str | None, str]


def _defaults_of(corpus: Path) -> dict[Default, str]:
    """What a real dump of 9.3 says of each attribute of each SYSTEM.DEFAULT object."""
    (dump,) = corpus.rglob("QM4.txt")
    found = {}
    for command in Parser(VOCABULARY).parse(dump.read_text()).commands:
        spec = VOCABULARY.command(command.verb or "", command.noun)
        assert spec is not None
        if not _is_default_object(command.noun, command.name or ""):
            continue
        subtype = decode(command.get(spec.subtype_word) or "") if spec.subtype_word else None
        for word, slot in zip(command.shape.words, command.shape.slots, strict=True):
            attribute = spec.attribute(word)
            assert attribute is not None
            if not attribute.option and word not in (spec.subtype_word, "TRPTYPE"):
                value = decode(command.values[slot]) if slot >= 0 else word
                found[(command.noun or "").lower(), subtype, attribute.name] = value
    return found


def test_defaults_are_those_of_a_new_queue_manager(corpus: Path) -> None:
    dumped = _defaults_of(corpus)
    assert len(dumped) > 600
    ours = {key: VOCABULARY.default(*key, TARGET) for key in dumped}
    differs = {
        key: dumped[key] for key, value in ours.items() if value not in (dumped[key], UNKNOWN)
    }
    assert differs == {("qmgr", None, "REPOS"): "CLS2"}  # set by whoever made the dump


def test_only_what_differs_by_queue_manager_has_no_known_default(corpus: Path) -> None:
    dumped = _defaults_of(corpus)
    unknown = {key for key in dumped if VOCABULARY.default(*key, TARGET) is UNKNOWN}
    assert unknown == {
        ("process", None, "APPLTYPE"),
        ("qmgr", None, "CCSID"),
        ("qmgr", None, "CERTLABL"),
        ("qmgr", None, "SSLKEYR"),
        ("sub", None, "DESTCORL"),
        ("sub", None, "PUBACCT"),
        ("sub", None, "SUBUSER"),
    }


def test_an_object_has_no_attribute_that_a_full_dump_lacks(corpus: Path) -> None:
    dumped = _defaults_of(corpus)
    extra = {
        (noun, subtype, name)
        for noun, subtype in {key[:2] for key in dumped}
        for name in VOCABULARY.attributes_of(noun) - VOCABULARY.facts(noun.upper())
        if VOCABULARY.default(noun, subtype, name, TARGET) is not None
        and (noun, subtype, name) not in dumped
    }
    assert {key for key in extra if key[2] != "TRPTYPE"} == set()


def _is_default_object(noun: str | None, name: str) -> bool:
    initiation = name == "SYSTEM.DEFAULT.INITIATION.QUEUE"  # a queue of its own, no default object
    return noun == "QMGR" or (name.startswith("SYSTEM.DEF") and not initiation)
