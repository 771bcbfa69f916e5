"""Rows that are sorted in files are those that are sorted in memory."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest

from mqlint.estate.stages.sorting import Sorter
from mqlint.estate.tables.batches import batches

SCHEMA = pa.schema([("name", pa.string()), ("number", pa.int32()), ("data", pa.binary())])


def made(number: int, size: int) -> list[tuple[Any, ...]]:
    """Rows with many equal names; one has a long value."""
    random = Random(number)  # noqa: S311 no secret
    found = [
        (random.choice("aé𝄞Zz") * random.randrange(3), random.randrange(9), b"x" * at)
        for at in range(number)
    ]
    return [*found, ("m", 0, b"y" * size)]


def values(batch: pa.RecordBatch) -> list[tuple[Any, ...]]:
    return list(zip(*(column.to_pylist() for column in batch.columns), strict=True))


@pytest.mark.parametrize("spill", [0, 4000, 1 << 30], ids=["each", "some", "memory"])
@pytest.mark.parametrize(("number", "size"), [(0, 1), (1, 1), (300, 1), (9, 40)])
def test_rows_come_in_order_each_time(tmp_path: Path, spill: int, number: int, size: int) -> None:
    rows = made(number, size << 20)
    sorter = Sorter(SCHEMA, ("name", "number"), tmp_path, spill)
    for batch in batches(rows, SCHEMA, 1):
        sorter.add(batch)
    for _ in range(2):
        found = list(sorter.batches())
        read = [row for batch in found for row in values(batch)]
        assert [row[:2] for row in read] == sorted(row[:2] for row in rows)
        assert sorted(read) == sorted(rows)
        assert all(batch.nbytes < (size + 1) << 20 for batch in found)
    assert bool([*tmp_path.iterdir()]) == (spill < 1 << 30)
    del sorter, found, read
    assert not [*tmp_path.iterdir()]
