"""Answers to questions, whichever engine gives them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mqlint.dataclass import frozen

HISTORY: Final = "history_"
"""The prefix of the names of tables with the rows of all stored scans."""

LEFT_OUT: Final = "The scan was made with --no-tables or by an earlier mqlint: it has few tables."


class QueryError(Exception):
    """A question that is refused, wrong, or takes too much; the text says why."""


@frozen
class QueryResult:
    """The names of the columns, each once, and the rows, which come as they are asked for."""

    columns: Sequence[str]
    rows: Iterator[Sequence[object]]


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names of columns, with numbers added to equal ones."""
    found: list[str] = []
    for name in names:
        candidate, number = name, 2
        while candidate in found:
            candidate, number = f"{name}_{number}", number + 1
        found.append(candidate)
    return found
