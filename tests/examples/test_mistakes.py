"""The list of seeded mistakes says where each one stands: the list must not rot."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

ESTATE = Path(__file__).resolve().parents[2] / "examples" / "estate"


class Row(NamedTuple):
    """One row of MISTAKES.md: one place of one mistake."""

    id: str
    place: str
    text: str
    wrong: str
    theme: str
    issue: str


def rows() -> list[Row]:
    """All rows whose first cell is an id."""
    lines = (ESTATE / "MISTAKES.md").read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [Row(*row) for row in cells if re.fullmatch(r"M\d{2,3}", row[0])]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.id}-{row.place}")
def test_the_text_stands_on_the_line(row: Row) -> None:
    path, line = row.place.rsplit(":", 1)
    lines = (ESTATE / path).read_text(encoding="utf-8").splitlines()
    assert row.text.startswith("`")
    assert row.text.endswith("`")
    assert row.text.strip("`") in lines[int(line) - 1]


def test_ids_run_from_one_without_a_gap() -> None:
    seen = list(dict.fromkeys(row.id for row in rows()))
    assert seen == [f"M{number:02d}" for number in range(1, len(seen) + 1)]


def test_each_place_is_named_once_a_mistake_and_the_issue_is_a_number() -> None:
    assert max(Counter((row.id, row.place) for row in rows()).values()) == 1
    assert {row.issue for row in rows()} <= {"2", "3", "4", "5", "6", "21"}
    assert all(re.fullmatch(r"[a-z]+", row.theme) for row in rows())


def test_the_scripts_said_to_be_identical_are() -> None:
    (same,) = {row.id for row in rows() if "same bytes" in row.wrong}
    paths = [row.place.split(":")[0] for row in rows() if row.id == same]
    assert len({(ESTATE / path).read_bytes() for path in paths}) == 1 < len(paths)
