"""The values of one command as one text.

A short value as a text of its own takes twenty times its length, and most values are never used. So
the values of a command are one text with NUL between them, which no text that was read has, until
one is asked for. If the lines of the command were joined, the offsets of its stretches follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from mqlint.language.mqsc.lines import Segments
from mqlint.language.mqsc.value import Secret, Templated, hidden
from mqlint.number import whole_number

if TYPE_CHECKING:
    from mqlint.language.mqsc.form import Form

BETWEEN: Final = "\0"
"""Separates two values, and the values from the stretches."""

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
    """Return the values of which `bound` made one text.

    A bit of `templated` is set for each value with a template, the lowest for the first value.
    """
    values = text.split(BETWEEN, form.holes)
    del values[form.holes :]
    if templated:
        for hole, bit in enumerate(reversed(f"{templated:b}")):
            values[hole] = Templated(values[hole]) if bit == "1" else values[hole]
    for hole in form.secrets:
        values[hole] = _read(values[hole])
    return values


def templated_among(values: Iterable[str]) -> int:
    """Return a number with a bit for each value that has a template."""
    bits = "".join("1" if isinstance(value, Templated) else "0" for value in values)
    return int(bits[::-1] or "0", 2)


def with_stretches(text: str, form: Form, segments: Segments) -> str:
    """Return the values followed by the segments of the command's text."""
    numbers = " ".join(f"{joined} {source}" for joined, source in segments)
    return f"{text}{BETWEEN}{numbers}" if form.holes else numbers


def stretches(text: str, form: Form) -> Segments | None:
    """Return the segments that `with_stretches` added to the values of a command, if any."""
    after = "".join(text.split(BETWEEN, form.holes)[form.holes :])
    numbers = [int(number) for number in after.split()]
    return [*zip(numbers[::2], numbers[1::2], strict=True)] or None


def _written(value: str) -> str:
    """A secret as its width; a blank value is none, and one with a template in it is masked."""
    if not isinstance(value, Secret):
        return value
    return f"{_ENCODED if value.encoded else ''}{value.width}"


def _read(written: str) -> str:
    digits = written.removeprefix(_ENCODED)
    width = None if isinstance(written, Templated) else whole_number(digits)
    return written if width is None else Secret.restored(width, digits != written)
