"""Answers to questions, whichever engine gives them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mqlint.dataclass import frozen

HISTORY: Final = "history_"
"""What a table's name begins with that has the rows of all scans that are kept."""

LEFT_OUT: Final = "The scan was made with --no-tables or by an earlier mqlint: it has few tables."


class QueryError(Exception):
    """A question that is refused, wrong, or takes too much; the text says why."""


@frozen
class QueryResult:
    """The names of the columns, each once, and the rows, which come as they are asked for."""

    columns: Sequence[str]
    rows: Iterator[Sequence[object]]


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names of columns, equal ones told apart by a number."""
    found: list[str] = []
    for name in names:
        candidate, number = name, 2
        while candidate in found:
            candidate, number = f"{name}_{number}", number + 1
        found.append(candidate)
    return found
