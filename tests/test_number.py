"""Numbers in texts of strangers are read in one place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mqlint.number import is_digits, signed_number, whole_number

SOURCES = Path(__file__).parents[1] / "mqlint"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("007", 7),
        ("999999999999999999", 999_999_999_999_999_999),
        ("1" * 19, None),
        ("9" * 5_000, None),
        ("", None),
        (" 7", None),
        ("+7", None),
        ("7.5", None),
        ("1\N{SUPERSCRIPT TWO}", None),
        ("\N{ARABIC-INDIC DIGIT THREE}", None),
        (None, None),
    ],
)
def test_whole_number(text: object, number: int | None) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(("text", "number"), [("-5", -5), ("5", 5), ("--5", None), ("-", None)])
def test_signed_number(text: str, number: int | None) -> None:
    assert signed_number(text) == number


def test_digits_are_those_of_ascii() -> None:
    assert is_digits("0123456789")
    assert not any(
        map(is_digits, ("", "1\N{SUPERSCRIPT TWO}", "\N{ARABIC-INDIC DIGIT THREE}", "a"))
    )


def test_no_other_module_asks_what_a_digit_is() -> None:
    asking = re.compile(r"\b(?:isdigit|isdecimal|isnumeric)\b")
    paths = (path for path in SOURCES.rglob("*.py") if path.name != "number.py")
    assert [path.name for path in paths if asking.search(path.read_text("utf-8"))] == []
