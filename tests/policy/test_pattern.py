"""Patterns are refused at load when they can be slow, and the others mean what they say."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mqlint.config.node import Plain
from mqlint.policy.compile.pattern import (
    LONGEST,
    LONGEST_ANYWHERE,
    Pattern,
    PatternError,
    compile_pattern,
)
from tests.linear import is_linear_in_time
from tests.policy.making import flagged, policy, run

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
    ("(a*b)*", "b", True, True),
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
    ("[b-a]", 1, "reversed"),
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

SLOW = [
    # pattern, offset, a word of the message
    ("(a+)+$", 2, "repetition in a repetition"),
    ("((ab)+)*c", 5, "repetition in a repetition"),
    ("^(([a-z])+.)+[A-Z]$", 9, "repetition in a repetition"),
    ("(.*)*x", 4, "can match empty text"),
    ("(a*)*c", 4, "can match empty text"),
    ("(a?b?)+c", 6, "can match empty text"),
    ("(a|a?)+c", 6, "can match empty text"),
    ("(a?){100}a{100}c", 4, "can match empty text"),
    ("(a|ab)*c", 1, "different characters"),
    ("(ab|ac){20}c", 1, "different characters"),
    ("((x|xx)y?)+z", 2, "different characters"),
    ("a*a*b", 3, "character 2"),
    (".*.*x", 3, "character 2"),
    ("^\\d+[a-z0-9]+$", 12, "character 4"),
    ("(a*|b)c?[ab]*d", 12, "character 3"),
    ("a*b*a*c", 5, "character 2"),
    ("a*b*b?[ab]{3,}c", 10, "one at character"),
    ("^.*,.*$", 5, "character 3"),
    ("a{0,200}a{0,200}b", 1, "ways"),
    ("a?" * 8 + "a" * 8, 3, "ways"),
    ("(a|ab)(a|ab)(a|ab)(a|ab)(a|ab)(a|ab)(a|ab)b", 1, "ways"),
]
"""Exponential, then polynomial in the length of a value."""

FAST = [
    "^(a|b)*c",
    "^(a|a)*b",
    "^(a*b)*c",
    "^([.][a-b]+)+$",
    "^a+([.]a+)+$",
    "^a*b*c",
    "^a*,b?[ab]*c",
    "^.*,[^,]*$",
    "^.*,[^,]*;[^;]*$",
    "^.*a.b.c",
    "^(a|ab)(c|bcd)(d*)$",
    "a[^a]*b[^b]*c",
    "(^|,) *[^:(), ]+:[0-9]{1,5} *(,|$)",
]

ANYWHERE = ["[a-b]+c", "([.][a-b]+)+$", "a.*b", "(a|b)*a(a|b){12}c", "a{3,}[ab]b"]
"""Those that may begin, and be read to the end, at each character."""


@pytest.mark.parametrize(("text", "offset", "word"), SLOW)
def test_what_may_be_slow_is_refused_with_its_place(text: str, offset: int, word: str) -> None:
    with pytest.raises(PatternError) as caught:
        compile_pattern(text)
    assert (caught.value.offset, word in caught.value.message) == (offset, True)


UNITS = ("a", "b", ",", "ab", "aab", "abc", ".a", "a,", ",;", "a:", "xa")


def matches_in_linear_time(pattern: Pattern, unit: str) -> bool:
    """Whether the time grows in line with values that repeat `unit` and fail at the end."""
    value = unit * LONGEST

    def search(size: int) -> object:
        return pattern.search(value[: size - 1] + "!")

    return is_linear_in_time(search, LONGEST // 4)


@pytest.mark.parametrize("text", FAST)
def test_what_is_accepted_takes_linear_time(text: str) -> None:
    pattern = compile_pattern(text)
    assert pattern.longest == LONGEST
    for unit in UNITS:
        assert matches_in_linear_time(pattern, unit)


@pytest.mark.parametrize("text", [*FAST, *ANYWHERE])
def test_a_value_that_is_too_long_is_unknown(text: str) -> None:
    pattern = compile_pattern(text)
    assert pattern.longest == (LONGEST_ANYWHERE if text in ANYWHERE else LONGEST)
    assert pattern.search("!" * pattern.longest) is not None
    assert pattern.search("!" * pattern.longest + "!") is None


@pytest.mark.parametrize("negated", [False, True])
def test_a_value_that_is_too_long_is_never_reported(negated: bool) -> None:
    test: dict[str, Plain] = {"matches": "^x"}
    descr: dict[str, Plain] = {"DESCR": {"not": test} if negated else test}
    text = policy(check={"attributes": descr})
    for length, expected in ((10, ["a.mqsc:1"]), (LONGEST + 1, [])):
        value = ("x" if negated else "y") * length
        assert flagged(run(text, {"a.mqsc": f"DEFINE QLOCAL(Q) DESCR('{value}')"})) == expected


def entire(text: str) -> Pattern:
    """The pattern that the whole of a value must be."""
    return compile_pattern(f"^(?:{text})$")


@pytest.mark.parametrize(("text", "value", "found", "whole"), VALUES)
def test_a_pattern_is_found_where_it_stands(
    text: str, value: str, found: bool, whole: bool
) -> None:
    assert compile_pattern(text).search(value) is found
    assert entire(text).search(value) is whole


@pytest.mark.parametrize(("text", "offset", "word"), REFUSED)
def test_what_is_not_in_the_subset_is_refused_by_name(text: str, offset: int, word: str) -> None:
    with pytest.raises(PatternError) as caught:
        compile_pattern(text)
    assert word in caught.value.message
    assert caught.value.offset == offset


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
@given(PATTERNS, st.lists(st.text("abB-.1 \ncé", max_size=9), max_size=4))
def test_it_agrees_with_re(text: str, values: list[str]) -> None:
    try:
        pattern, whole = compile_pattern(text), entire(text)
    except PatternError:
        assume(False)
    known = re.compile(text.replace("$", "\\Z"), re.ASCII)
    for value in values:
        assert pattern.search(value) == bool(known.search(value))
        assert whole.search(value) == bool(known.fullmatch(value))


@given(st.text(max_size=40))
def test_any_text_compiles_or_is_refused(text: str) -> None:
    with contextlib.suppress(PatternError):
        compile_pattern(text).search(text)


@given(PATTERNS, st.text("ab-1", min_size=1, max_size=3))
@settings(deadline=None)
def test_any_accepted_pattern_is_fast(text: str, unit: str) -> None:
    try:
        pattern = compile_pattern(text)
    except PatternError:
        assume(False)
    if pattern.longest == LONGEST:
        assert matches_in_linear_time(pattern, unit)


def test_what_looks_like_a_set_operation_is_literal() -> None:
    assert compile_pattern("[[a&&b~~d||e+--]").search("[")
