"""The table of scenarios as data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mqlint.chlauth.connection import Answer, Connection
from mqlint.chlauth.decide import decide
from tests.chlauth.accesses import access_of
from tests.rows import rows_of


@dataclass(frozen=True)
class Scenario:
    """One line of the table."""

    name: str
    source: str
    steps: tuple[str, ...]
    mqsc: str
    connection: Connection
    verdict: str
    ini: str = ""
    user: str | None = None
    record: int | None = None

    def answer(self) -> Answer:
        """What becomes of the connection."""
        return decide(access_of(self.mqsc, self.ini), self.connection)

    def result(self) -> tuple[str, str | None, int | None]:
        """The verdict, the user and the line of the record, as the table has them."""
        outcome = self.answer().outcome
        place = outcome.record.place if outcome.record is not None else None
        line = place.start.line if place is not None else None
        return outcome.verdict.value, outcome.effect[1], line


def _connection(row: dict[str, Any]) -> Connection:
    lists = {"hosts": tuple, "administrators": frozenset}
    return Connection(**{key: lists.get(key, str)(value) for key, value in row.items()})


def load() -> list[Scenario]:
    """All of the table."""
    return [
        Scenario(
            **{**row, "steps": tuple(row["steps"]), "connection": _connection(row["connection"])}
        )
        for row in rows_of(Path(__file__).with_name("cases.yaml"))
    ]


SCENARIOS = load()
