"""The strict YAML reader: what it reads, what it refuses, and where it says so."""

import importlib.util

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mqlint.config import reader
from mqlint.config.reader import ConfigError, Node, read_yaml

MQ_WORDS = "NO YES no Yes ON off Y N y n ~ null Null True FALSE 0x10 010 1_000 1:30 1.5 2024-01-31"


@pytest.mark.parametrize("word", MQ_WORDS.split())
def test_a_bare_word_stays_the_text_that_was_written(word: str) -> None:
    node = read_yaml(f"value: {word}", "f.yaml").require("value")
    assert node.string() == word
    assert node.plain() == word


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true", True),
        ("false", False),
        ("0", 0),
        ("-12", -12),
        ("999999999", 999999999),
        ("'true'", "true"),
        ("'12'", "12"),
        ('"a\\tb"', "a\tb"),
        ("|\n  DEFINE QL(A) +\n  * c", "DEFINE QL(A) +\n* c"),
        ("", None),
        ("[]", []),
        ("{}", {}),
        ("{a: [1, {b: NO}]}", {"a": [1, {"b": "NO"}]}),
    ],
)
def test_plain(text: str, expected: object) -> None:
    assert read_yaml(f"value: {text}", "f.yaml").plain() == {"value": expected}


def test_places_count_from_one_in_characters() -> None:
    root = read_yaml("é: 1\nlist:\n  - ü: [x, 'y']\n", "f.yaml")
    inner = root.require("list").sequence()[0].require("ü")
    assert root.require("é").position == (1, 4)
    assert str(inner.key_error("x")) == "f.yaml:3:5: x"
    assert inner.sequence()[1].position == (3, 12)


REFUSED = [
    ("a: &x 1\nb: 2", "f.yaml:1:4: the anchor &x is not supported"),
    ("a: 1\nb: *x", "f.yaml:2:4: the alias *x is not supported"),
    ("- *MQADMIN", "put text that starts with * in quotes"),
    ("<<: {a: 1}", "f.yaml:1:1: the merge key << is not supported"),
    ("a: !!python/object:os.system x", "f.yaml:1:4: the tag "),
    ("a: ! x", "f.yaml:1:4: the tag ! is not supported"),
    ("a: 1\n---\nb: 2", "f.yaml:2:1: a second document starts here"),
    ("%TAG !e! x:\n--- a", "%TAG is not supported"),
    ("a: 1\nb: 2\na: 3", "f.yaml:3:1: the key 'a' is repeated, first in line 1"),
    ("'a': 1\na: 3", "f.yaml:2:1: the key 'a' is repeated"),
    ("? [a]\n: b", "f.yaml:1:3: a key must be a single word"),
    ("{a: 1}: b", "f.yaml:1:1: a key must be a single word"),
    ("? \n: b", "a key is missing before ':'"),
    ("a:\n\t- b", "f.yaml:2:1: not valid YAML: a tab is used here"),
    ("why: who: what", "f.yaml:1:9: not valid YAML: a second ': ' on this line"),
    ("a: [1, 2", "a list or mapping opened with [ or { is not closed"),
    ("a: 'x", "text in quotes is not closed"),
    ("a: @x", "f.yaml:1:4: not valid YAML: text that starts with @ must be put in quotes"),
    ("a: 1\n b: 2", "f.yaml:2:"),
    ("a: x\0", "f.yaml:1:5: the character U+0000 is not allowed"),
    ("ab\nc: \ud800", "f.yaml:2:4: the character U+D800 is not allowed"),
    ("[" * 5000, "f.yaml:1:65: nested more than 64 levels deep"),
    ('a: "\\U99999999"', "f.yaml:1:"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_yaml(text, "f.yaml")
    assert message in str(caught.value)
    assert str(caught.value).startswith("f.yaml:")


def test_without_libyaml_the_same_is_read_and_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    spec = importlib.util.spec_from_file_location("reader_without_libyaml", reader.__file__)
    assert spec is not None
    assert spec.loader is not None
    slow = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(slow)
    for text, _ in REFUSED:
        with pytest.raises(ConfigError):
            slow.read_yaml(text, "f.yaml")
    assert slow.read_yaml("a: [NO, 1, {b: 'x'}]", "f").plain() == {"a": ["NO", 1, {"b": "x"}]}


@pytest.mark.parametrize(
    ("text", "ask", "message"),
    [
        ("v: 12", Node.string, "found the number 12 but expected text: put it in quotes"),
        ("v: true", Node.string, "found the boolean true but expected text"),
        ("v:", Node.string, "expected text, found nothing"),
        ("v: [a]", Node.string, "expected text, found a list"),
        ("v: NO", Node.boolean, "expected true or false, found the text 'NO'"),
        ("v: 1.5", Node.integer, "expected a whole number, found the text '1.5'"),
        ("v: '5'", Node.integer, "expected a whole number, found the text '5'"),
        ("v: a", Node.sequence, "expected a list, found the text 'a': put [ and ] around it"),
        ("v: [a]", Node.mapping, "expected 'key: value' pairs, found a list"),
        ("v: {}", Node.text, "expected a single value, found 'key: value' pairs"),
        ("v: [a, 1]", Node.strings, "found the number 1 but expected text"),
    ],
)
def test_an_unexpected_type(text: str, ask: object, message: str) -> None:
    node = read_yaml(text, "f.yaml").require("v")
    assert callable(ask)
    with pytest.raises(ConfigError) as caught:
        ask(node)
    assert caught.value.path == "f.yaml"
    assert message in caught.value.message


def test_an_unknown_key_is_said_with_the_nearest_right_one() -> None:
    root = read_yaml("a: 1\nseverty: x", "p/f.yaml")
    with pytest.raises(ConfigError) as caught:
        root.keys_allowed({"a", "severity", "why"})
    assert str(caught.value) == (
        "p/f.yaml:2:1: unknown key 'severty': did you mean 'severity'? allowed: a, severity or why"
    )


def test_a_missing_key_and_a_word_that_is_not_allowed() -> None:
    root = read_yaml("a: Hihg", "f.yaml")
    with pytest.raises(ConfigError, match="the key 'b' is missing"):
        root.require("b")
    with pytest.raises(ConfigError, match="did you mean 'high'"):
        root.require("a").one_of(("high", "low"))


def test_an_empty_text_is_an_empty_node() -> None:
    assert read_yaml("", "f").is_empty
    assert read_yaml("# only a comment\n", "f").is_empty


@pytest.mark.slow
@given(st.text())
def test_any_text_gives_a_node_or_a_config_error(text: str) -> None:
    try:
        read_yaml(text, "f").plain()
    except ConfigError as error:
        place = (error.line, error.column)
    else:
        place = (1, 1)
    assert min(place) >= 1
