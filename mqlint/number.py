"""Whole numbers in texts that anybody may have written."""

from __future__ import annotations

_LONGEST = 18
"""Digits of a number that is read. Each attribute of MQ allows fewer."""


def is_digits(text: str) -> bool:
    """Return whether a text consists of the digits 0 to 9.

    `str.isdigit` also accepts `²`, which `int` refuses, and digits of other scripts, which MQ does.
    """
    return text.isascii() and text.isdigit()


def whole_number(value: object) -> int | None:
    """Return the number that a text of at most 18 digits writes; None for any other value.

    `int` refuses thousands of digits, and takes time with their square.
    """
    is_number = isinstance(value, str) and len(value) <= _LONGEST and is_digits(value)
    return int(str(value)) if is_number else None


def signed_number(text: str) -> int | None:
    """Return the number that a text writes, also with a minus sign before it."""
    number = whole_number(text.removeprefix("-"))
    return -number if number is not None and text.startswith("-") else number
