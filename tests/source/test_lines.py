"""Offsets as lines and columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.source.lines import LineMap
from tests.linear import is_linear_in_steps, is_linear_in_time

PLACES = [
    # text up to the place, line and column
    ("", (1, 1)),
    ("AB", (1, 3)),
    ("AB\n", (2, 1)),
    ("AB\r\nC", (2, 2)),
    ("\n\n\n", (4, 1)),
    ("é\U0001f600", (1, 3)),
    ("a\u2028b\x85c", (1, 6)),
]


@pytest.mark.parametrize(("before", "place"), PLACES)
@pytest.mark.parametrize("after", ["", "x", "\n", "x\ny\n"])
def test_a_place(before: str, place: tuple[int, int], after: str) -> None:
    position = LineMap.of(before + after).position(len(before))
    assert (position.line, position.column) == place


@given(st.text("ab\n\r", max_size=40), st.data())
def test_lines_and_columns_lead_back(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    position = LineMap.of(text).position(offset)
    lines = text.split("\n")
    assert sum(len(line) + 1 for line in lines[: position.line - 1]) + position.column - 1 == offset
    assert position.column <= len(lines[position.line - 1]) + 1


@given(st.text("a\n", max_size=20))
def test_places_are_in_the_order_of_offsets(text: str) -> None:
    lines = LineMap.of(text)
    places = [lines.position(offset) for offset in range(len(text) + 1)]
    assert places == sorted(set(places))


@pytest.mark.parametrize("width", [1, 80, 4096, 9000])
def test_long_texts_are_counted_as_their_starts_say(width: int) -> None:
    text = f"{'a' * (width - 1)}\n" * (20_000 // width) + "b"
    counted, known = LineMap.of(text), LineMap(LineMap.of(text).starts)
    for offset in (*range(0, len(text), 61), *range(4090, 4100), len(text) - 1, len(text)):
        assert counted.position(offset) == known.position(offset)


@pytest.mark.parametrize("step", [1, 7])
def test_lines_of_long_texts_are_found_from_marks_and_from_their_starts(step: int) -> None:
    text = "".join(f"line{number} {'x' * (number % 90)}\n\n" for number in range(900))
    counted, known = LineMap.of(text), LineMap(LineMap.of(text).starts, LineMap.of(text).digests)
    for offset in range(0, len(text), len(text) // 60 * step + 1):
        place = known.position(offset)
        assert counted.around(place, place) == known.around(place, place)


TWIN = "DEFINE QLOCAL(A) MAXDEPTH(5)"
TEXT = ["DEFINE QLOCAL(B)", TWIN, "", "define  qlocal(a) DESCR('x')", "ALTER QMGR", TWIN]


def around(lines: list[str], line: int, *, packed: bool = False) -> str:
    text = "\n".join(lines)
    whole = LineMap.of(text)
    asked = LineMap(whole.starts, whole.digests) if packed else whole
    place = asked.position(sum(len(before) + 1 for before in lines[:line]))
    return asked.around(place, place)


@pytest.mark.parametrize("packed", [True, False])
def test_lines_that_begin_alike_have_the_same_around_them(packed: bool) -> None:
    told = [around(TEXT, at, packed=packed) for at in (1, 3, 5)]
    assert told[0] == told[1] != told[2]
    assert told[2].endswith("0000"), "there is no line after it"


@pytest.mark.parametrize("at", range(len(TEXT) + 1))
def test_a_copy_of_a_line_changes_nothing_around_the_others(at: int) -> None:
    more = [*TEXT[:at], TWIN, *TEXT[at:]]
    for line in (1, 3, 5):
        assert around(more, line + (line >= at)) == around(TEXT, line)


def test_what_is_behind_two_words_is_no_part_of_what_is_around() -> None:
    other = [f"{line} REPLACE" if line else "" for line in TEXT]
    assert [around(other, at) for at in range(6)] == [around(TEXT, at) for at in range(6)]


def test_of_lines_without_digests_nothing_around_is_known() -> None:
    place = LineMap.of("a\nb").position(2)
    assert LineMap([0, 2]).around(place, place) == ""


@pytest.mark.growth
def test_what_is_around_places_of_one_long_line_is_found_in_linear_time() -> None:
    def work(size: int) -> None:
        lines = LineMap.of(f"x\n{'DEFINE QLOCAL(A);' * size}\ny")
        for at in range(size):
            place = lines.position(2 + 17 * at)
            lines.around(place, place)

    assert is_linear_in_time(work, 4_000)


@pytest.mark.growth
def test_what_is_around_equal_lines_is_found_in_linear_time() -> None:
    def work(size: int) -> None:
        lines = LineMap.of("DEFINE QLOCAL(A)\n" * size)
        for line in range(size):
            place = lines.position(17 * line)
            lines.around(place, place)

    assert is_linear_in_steps(work, 500)
