"""Tables of a terminal: columns share the width, headings at the foot of their row."""

from __future__ import annotations

from mqlint.report.table import table
from mqlint.report.terminal import cells


def test_columns_are_as_wide_as_their_widest_value() -> None:
    assert list(table(("a", "name"), [("1", "x"), ("22", "")], 40)) == [
        " a  ┃ name",
        "━━━━╇━━━━━━",
        " 1  │ x",
        " 22 │",
    ]


def test_the_widest_columns_give_way_and_long_words_are_divided() -> None:
    rows = [("n", "one two three four", "abcdefghijklmnop")]
    assert list(table(("k", "a longer heading", "w"), rows, 30)) == [
        "   ┃ a longer   ┃",
        " k ┃ heading    ┃ w",
        "━━━╇━━━━━━━━━━━━╇━━━━━━━━━━━━━",
        " n │ one two    │ abcdefghijk",
        "   │ three four │ lmnop",
    ]


def test_no_line_is_wider_than_the_terminal_and_no_control_character_is_left() -> None:
    rows = [("日本語" * 9, "a\x1b[31mb\n", "x" * 50)] * 2
    for width in (12, 20, 37, 80):
        lines = list(table(("one", "two", "three"), rows, width))
        assert max(map(cells, lines)) <= width
        assert "\x1b" not in "".join(lines)


def test_without_rows_the_headings_are_left() -> None:
    assert list(table(("a", "b"), [], 20)) == [" a ┃ b", "━━━╇━━━"]
