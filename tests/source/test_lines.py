"""Offsets as lines and columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.source.lines import LineMap

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
