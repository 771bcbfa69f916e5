"""The linear-time matcher, held against `re` on the subset that both know."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mqlint.policy.pattern import Pattern, PatternError, compile_pattern
from tests.linear import is_linear_in_steps

VALUES = [
    # pattern, value, found anywhere, the whole
    ("", "", True, True),
    ("", "X", True, False),
    ("ABC", "xABCx", True, False),
    ("^ABC", "xABC", False, False),
    ("ABC$", "ABCx", False, False),
    ("^$", "", True, True),
    ("^$", "x", False, False),
    ("$^", "", True, True),
    ("a$b", "ab", False, False),
    ("(^|\\.)PRD(\\.|$)", "APP.PRD", True, False),
    ("(^|\\.)PRD(\\.|$)", "APP.PRDX", False, False),
    ("[A-Z][A-Z0-9.]{0,3}", "QM.1", True, True),
    ("[A-Z]{3}", "AB", False, False),
    ("A{2,}", "AAAAA", True, True),
    ("[^a-z]", "abc", False, False),
    ("[\\d\\-]+", "10-20", True, True),
    ("[.-]", "-", True, True),
    ("a|b|", "", True, True),
    ("(?:ab)+", "ababab", True, True),
    ("\\s\\S\\w\\W\\D", " aa.x", True, True),
    ("x.y", "x\ny", False, False),
    ("$", "x\n", True, False),
    ("é", "café", True, False),
    ("(a*)*", "b", True, False),
    ("a{0}b", "b", True, True),
]

REFUSED = [
    # pattern, offset, a word of the message
    ("(a)\\1", 3, "back-references"),
    ("a(?=b)", 1, "look-ahead"),
    ("a(?!b)", 1, "look-ahead"),
    ("(?<=a)b", 0, "look-behind"),
    ("(?<!a)b", 0, "look-behind"),
    ("(?P<n>a)", 0, "named groups"),
    ("(?<n>a)", 0, "named groups"),
    ("(?i)a", 0, "flags"),
    ("a*?", 2, "lazy"),
    ("a++", 2, "possessive"),
    ("a**", 2, "repeated"),
    ("*a", 0, "nothing to repeat"),
    ("^*", 1, "nothing to repeat"),
    ("(a", 0, "not closed"),
    ("a)", 1, "unbalanced"),
    ("[a", 0, "not closed"),
    ("[]", 0, "empty class"),
    ("[b-a]", 1, "backwards"),
    ("[a-\\d]", 1, "range"),
    ("a{2", 1, "expected"),
    ("a{,2}", 1, "expected"),
    ("a{x}", 1, "expected"),
    ("a{3,2}", 1, "smaller"),
    ("a{256}", 1, "at most"),
    ("(a{200}){200}", 8, "too large"),
    ("((a{0}){255}){255}", 13, "too large"),
    ("a" * 2000, 1001, "too large"),
    ("(" * 50 + ")" * 50, 40, "deep"),
    ("a\\", 1, "backslash"),
    ("\\bX", 0, "assertion"),
    ("\\x41", 0, "escape"),
]

EXPLODING = [
    "(a+)+$",
    "(a|a)*b",
    "(a*)*c",
    "(a|aa)+$",
    "(.*)*x",
    "(a?){100}a{100}c",
    "^(([a-z])+.)+[A-Z]$",
]


@pytest.mark.parametrize(("text", "value", "found", "whole"), VALUES)
def test_a_pattern_is_found_where_it_stands(
    text: str, value: str, found: bool, whole: bool
) -> None:
    pattern = compile_pattern(text)
    assert (pattern.search(value), pattern.fullmatch(value)) == (found, whole)


@pytest.mark.parametrize(("text", "offset", "word"), REFUSED)
def test_what_is_not_in_the_subset_is_refused_by_name(text: str, offset: int, word: str) -> None:
    with pytest.raises(PatternError) as caught:
        compile_pattern(text)
    assert word in caught.value.message
    assert caught.value.offset == offset


def test_case_is_ignored_when_asked() -> None:
    assert compile_pattern("^prd[a-c]$", ignore_case=True).search("PRDb")
    assert not compile_pattern("^prd[a-c]$").search("PRDb")
    assert not compile_pattern("[^a]", ignore_case=True).search("A")


ATOMS = st.sampled_from(
    [
        r"a",
        r"b",
        r"B",
        r"-",
        r".",
        r"\.",
        r"\d",
        r"\w",
        r"\s",
        r"\-",
        r"[ab]",
        r"[^a]",
        r"[a-c0-2]",
        r"[\d.]",
        r"[^\w]",
        r"^",
        r"$",
        r"[-a]",
        r"\W",
        r"é",
    ]
)
REPEATS = st.sampled_from(["*", "+", "?", "{2}", "{0,2}", "{1,3}", "{0}", "{1,}"])


def _repeated(atoms: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    single = atoms.filter(lambda text: text not in "^$")
    return st.builds(lambda text, repeat: f"(?:{text}){repeat}", single, REPEATS)


PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({'|'.join(parts)})"),
        _repeated(inner),
    ),
    max_leaves=8,
)


@pytest.mark.slow
@settings(max_examples=600, deadline=None)
@given(PATTERNS, st.lists(st.text("abB-.1 \ncé", max_size=9), max_size=4), st.booleans())
def test_it_agrees_with_re(text: str, values: list[str], ignore_case: bool) -> None:
    try:
        pattern = Pattern(text, ignore_case)
    except PatternError:
        assume(False)
    flags = re.ASCII | (re.IGNORECASE if ignore_case else 0)
    known = re.compile(text.replace("$", "\\Z"), flags)
    for value in values:
        assert pattern.search(value) == bool(known.search(value))
        assert pattern.fullmatch(value) == bool(known.fullmatch(value))


@given(st.text(max_size=40))
def test_any_text_compiles_or_is_refused(text: str) -> None:
    with contextlib.suppress(PatternError):
        compile_pattern(text).search(text)


@pytest.mark.growth
@pytest.mark.parametrize("text", EXPLODING)
def test_exploding_patterns_take_linear_time(text: str) -> None:
    def match(length: int) -> None:
        pattern, value = compile_pattern(text), "a" * length + "!"
        pattern.search(value)
        pattern.fullmatch(value)

    assert is_linear_in_steps(match, 5_000)


@pytest.mark.growth
def test_the_memory_of_steps_is_bounded() -> None:
    text = "(a|b)*a(a|b){12}c"
    value = "".join("ab"[(n * n // 7 + n // 3) % 2] for n in range(30_000))
    assert is_linear_in_steps(lambda size: compile_pattern(text).search(value[:size]), 7_500)
    pattern = compile_pattern(text)
    assert not pattern.search(value)
    assert pattern.search(value + "a" + "b" * 12 + "c")
