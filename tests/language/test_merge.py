"""Conflicts of a merge: the first version is read, the marks and the other one are blanks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.language.text.merge import without_conflicts
from tests.linear import is_linear_in_time

CONFLICTS = [
    # text, what is read of it (blank lines left out), the lines of the diagnostics
    ("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\nd\n", ["a", "b", "d"], [2]),
    ("<<<<<<< HEAD\r\nb\r\n=======\r\nc\r\n>>>>>>> x\r\n", ["b"], [1]),
    ("<<<<<<<\nb\n||||||| base\nz\n=======\nc\n>>>>>>>\n", ["b"], [1]),
    ("<<<<<<< a\n=======\nc\n>>>>>>> x\n<<<<<<< a\nb\n=======\n>>>>>>> x", ["b"], [1, 5]),
    ("<<<<<<< a\nb\n=======\nc\n=======\nd\n>>>>>>> x\ne", ["b", "e"], [1]),
    ("<<<<<<< a\n<<<<<<< b\nc\n=======\nd\n>>>>>>> x\n", ["<<<<<<< a", "c"], [2]),
]

LEFT_ALONE = [
    "=======\n>>>>>>> x\n",
    "<<<<<<< a\nb\n=======\n",
    "<<<<<<< a\nb\n>>>>>>> x\n",
    "<<<<<<< a\nb\n||||||| c\n>>>>>>> x\n",
    " <<<<<<< a\n =======\n >>>>>>> x\n",
    "<<<<<<<< a\n=======\n>>>>>>> x\n",
]


@pytest.mark.parametrize(("text", "read", "lines"), CONFLICTS)
def test_the_first_version_is_read(text: str, read: list[str], lines: list[int]) -> None:
    rest, found = without_conflicts(text)
    assert [line.rstrip() for line in rest.split("\n") if line.strip()] == read
    assert [text.count("\n", 0, one.start) + 1 for one in found] == lines
    assert all(text[one.start : one.end].startswith("<<<<<<<") for one in found)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_marks_that_are_no_whole_conflict_stay(text: str) -> None:
    assert without_conflicts(text) == (text, [])


LINES = st.sampled_from(["<<<<<<< a\n", "=======\n", ">>>>>>> b\n", "||||||| c\n", "x\r\n", "y"])


@given(st.lists(LINES, max_size=30).map("".join) | st.text())
def test_no_offset_moves(text: str) -> None:
    rest, _ = without_conflicts(text)
    assert len(rest) == len(text)
    assert all(one in (other, " ") for one, other in zip(rest, text, strict=True))


@pytest.mark.growth
@pytest.mark.parametrize("unit", ["<<<<<<< a\n", "<<<<<<< a\n=======\n", "=======\n", "<<<<<<<"])
def test_time_grows_with_the_text(unit: str) -> None:
    text = "<<<<<<< a\n"
    assert is_linear_in_time(
        lambda size: without_conflicts(text + unit * (size // len(unit))), 100_000
    )
