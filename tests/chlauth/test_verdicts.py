"""The table of verdicts: what a queue manager does with a connection, derived from IBM's pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mqlint.chlauth.access import ChannelAccess
from mqlint.chlauth.connection import Connection
from mqlint.chlauth.decide import decide
from mqlint.config.settings import Settings, Target
from tests.chlauth.accesses import accesses_of
from tests.rows import rows_of

_KEYS = {
    "from": "address",
    "client": "user",
    "certificate": "peer",
    "password": "credentials",
}
_LISTS = {"hosts": tuple, "administrators": frozenset}


def _rows() -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    return [
        (f"{block['about']} {number}", block, row)
        for block in rows_of(Path(__file__).with_name("verdicts.yaml"))
        for number, row in enumerate(block["cases"], 1)
    ]


ROWS = _rows()


def _connection(row: dict[str, Any]) -> Connection:
    given = {
        _KEYS.get(key, key): _LISTS.get(key, str)(value)
        for key, value in row.items()
        if key not in ("verdict", "as")
    }
    return Connection(**given)


def _access(block: dict[str, Any]) -> ChannelAccess:
    names = {"QM1/a.mqsc": "mqsc", "QM1/qm.ini": "ini", "QM1/display.txt": "display"}
    files = {name: block[key] for name, key in names.items() if key in block}
    settings = Settings(
        queue_managers=("{queue_manager}/*",), target=Target(platform=block.get("platform"))
    )
    (access,) = accesses_of(files, settings)
    return access


@pytest.mark.parametrize(("name", "block", "row"), ROWS, ids=[name for name, _, _ in ROWS])
def test_a_verdict(name: str, block: dict[str, Any], row: dict[str, Any]) -> None:
    outcome = decide(_access(block), _connection(row)).outcome
    assert (outcome.verdict.value, outcome.effect[1]) == (row["verdict"], row.get("as"))


def test_the_table_is_large_enough() -> None:
    assert len(ROWS) >= 150
