"""Frames: rows on their way through stages, in one process or on Spark.

A scan is written once, with the methods of `Frame`. `mqlint.estate.spark.cluster` implements them
on Spark, and `mqlint.estate.stages.local` in this process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from mqlint.estate.tables.batches import Stage
from mqlint.estate.tables.schema import Row


class Frame(Protocol):
    """Rows of one schema, worked out when they are asked for."""

    def through(self, stage: Stage, *, progress: bool = False) -> Frame:
        """Return the output of a stage for the rows; with `progress` they count as done."""

    def shuffled(self, by: Sequence[str], order: Sequence[str]) -> Frame:
        """Return the rows with equal `by` together, in the order of `order`, which begins so."""

    def union(self, other: Frame) -> Frame:
        """Return the rows of both, which have one schema."""

    def where(self, column: str, *values: str) -> Frame:
        """Return the rows whose column is one of the values."""

    def persist(self) -> Frame:
        """Return the rows so that they are worked out once, until `drop`."""

    def drop(self) -> None:
        """Forget rows that were kept."""

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows here."""


class Engine(Protocol):
    """The source of frames; `is_parallel` if parts of the work run at the same time."""

    is_parallel: bool

    def rows(self, rows: Sequence[Row], schema: pa.Schema) -> Frame:
        """Return a frame of rows that are here."""

    def stored(self, folder: Path, schema: pa.Schema) -> Frame:
        """Return a frame of a folder of Parquet files."""

    def expect(self, documents: int) -> None:
        """Take the number of documents to read, which decides how finely to cut the work."""

    def progress(self) -> tuple[int, int]:
        """Return how many pieces of the work that runs now are done, and how many there are."""
