"""The values of one command as one text.

A value of a few letters costs as a text of its own twenty times its length, and most are never
looked at. So they are kept with NUL between them, which stands in no text that was read, and are
taken apart when somebody asks. Behind them stands, for a command whose lines were joined, where
the stretches of its text came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from mqlint.language.mqsc.lines import Segments
from mqlint.language.mqsc.value import Secret, Templated, hidden

if TYPE_CHECKING:
    from mqlint.language.mqsc.form import Form

BETWEEN: Final = "\0"
"""Stands between two values, and before the stretches."""

_ENCODED: Final = "<"


def bound(values: Sequence[str], form: Form) -> str:
    """Return `values`, in the order of the holes of `form`, as one text without its secrets."""
    if not form.secrets:
        return BETWEEN.join(values)
    written = [*values]
    for hole in form.secrets:
        written[hole] = _written(hidden(values[hole]))
    return BETWEEN.join(written)


def unbound(text: str, form: Form, templated: int) -> list[str]:
    """Return the values that `bound` made one text of.

    The bits of `templated` tell those in which a template stands, the lowest the first of them.
    """
    values = text.split(BETWEEN, form.holes)
    del values[form.holes :]
    if templated:
        for hole in _holes(templated):
            values[hole] = Templated(values[hole])
    for hole in form.secrets:
        values[hole] = _read(values[hole])
    return values


def templated_among(values: Iterable[str]) -> int:
    """Return a number whose bits tell the values in which a template stands."""
    bits = "".join("1" if isinstance(value, Templated) else "0" for value in values)
    return int(bits[::-1] or "0", 2)


def with_stretches(text: str, form: Form, segments: Segments) -> str:
    """Return the values with the segments of the command's text behind them."""
    numbers = " ".join(f"{joined} {source}" for joined, source in segments)
    return f"{text}{BETWEEN}{numbers}" if form.holes else numbers


def stretches(text: str, form: Form) -> Segments | None:
    """Return the segments that `with_stretches` put behind the values of a command, if any."""
    behind = "".join(text.split(BETWEEN, form.holes)[form.holes :])
    numbers = [int(number) for number in behind.split()]
    return [*zip(numbers[::2], numbers[1::2], strict=True)] or None


def _holes(templated: int) -> list[int]:
    return [hole for hole, bit in enumerate(reversed(f"{templated:b}")) if bit == "1"]


def _written(value: str) -> str:
    """A secret as its width; a blank value is none, and one with a template in it is masked."""
    if not isinstance(value, Secret):
        return value
    return f"{_ENCODED if value.encoded else ''}{value.width}"


def _read(written: str) -> str:
    digits = written.removeprefix(_ENCODED)
    if isinstance(written, Templated) or not digits.isdecimal():
        return written
    return Secret.restored(int(digits), digits != written)
