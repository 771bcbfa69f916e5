"""Patterns of a shell match what `fnmatchcase` says, in time in line with their length."""

from __future__ import annotations

from fnmatch import fnmatchcase
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from mqlint.language.text.shell_pattern import matches_glob
from tests.linear import is_linear_in_steps

SIGNS = "[]!-*?ab"


@given(st.text(SIGNS, max_size=6), st.text(SIGNS, max_size=12))
def test_it_agrees_with_fnmatch(name: str, pattern: str) -> None:
    assert matches_glob(name, pattern) == fnmatchcase(name, pattern)


def test_open_brackets_take_their_length() -> None:
    numbers = count()  # a compiled pattern is kept

    def match(size: int) -> None:
        assert not matches_glob("strmqm", f"{next(numbers)}[]{'[a' * size}")

    assert is_linear_in_steps(match, 300)
