"""Frames of Spark, on this machine or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Final

import pyarrow as pa
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from mqlint.estate.io.private import privately
from mqlint.estate.stages.frame import Frame
from mqlint.estate.tables.batches import Stage, batches
from mqlint.estate.tables.schema import Row

_BETWEEN_CANCELS: Final = 0.5
"""Seconds: a job may begin after others were cancelled."""


def is_remote(spark: SparkSession) -> bool:
    """Whether a session is one of Spark Connect, whose driver is elsewhere."""
    return type(spark).__module__.startswith("pyspark.sql.connect")


def spark_schema(schema: pa.Schema) -> StructType:
    return from_arrow_schema(schema)


def mapped(frame: DataFrame, stage: Stage) -> DataFrame:
    """Return the output of a stage for the rows of a DataFrame."""
    return frame.mapInArrow(privately(stage), spark_schema(stage.schema))


def arrow_table(frame: DataFrame) -> pa.Table:
    """Return all rows of a DataFrame here; Ctrl-C and SIGTERM cancel the jobs that make them.

    By itself pyspark waits for the end of these jobs, which may take hours.
    """
    session, tag = frame.sparkSession, f"mqlint-{token_hex(8)}"
    cancel: Callable[[str], object]
    if is_remote(session):
        mark, cancel = session.addTag, session.interruptTag
    else:  # the tags of such a session hold for one thread
        mark, cancel = session.sparkContext.addJobTag, session.sparkContext.cancelJobsWithTag

    def collect() -> pa.Table:
        mark(tag)
        return frame.toArrow()

    with ThreadPoolExecutor(1) as pool:
        rows = pool.submit(collect)
        try:
            return rows.result()
        except KeyboardInterrupt:
            while not rows.done():
                with suppress(Exception):  # Spark may be gone
                    cancel(tag)
                wait([rows], _BETWEEN_CANCELS)
            raise


def dataframe(spark: SparkSession, rows: Iterable[Row], schema: pa.Schema) -> DataFrame:
    table = pa.Table.from_batches(batches(rows, schema), schema)
    return spark.createDataFrame(table, spark_schema(schema))


_MANY = 100_000
_DOCUMENTS_A_PART = 512
_PARTS_A_CORE = 4
"""Parts take turns, so that all cores end at one time; yet after each part, whatever its size,
Spark's Python looks through all that it has in memory, which of many small ones is a good part of
the work."""


class SparkEngine:
    """Runs every stage on the executors of a session."""

    is_parallel = True

    def __init__(self, spark: SparkSession, partitions: int | None = None) -> None:
        """Cut the work into `partitions`, by default one for each core, more for many files."""
        self.spark = spark
        self.partitions = partitions or _parallelism(spark)
        self._given = partitions is not None

    def rows(self, rows: Sequence[Row], schema: pa.Schema) -> SparkFrame:
        """Return a frame with a part for each row, up to the number of parts."""
        frame = dataframe(self.spark, rows, schema)
        return self.frame(frame.repartition(max(1, min(len(rows), self.partitions))))

    def stored(self, folder: Path, schema: pa.Schema) -> SparkFrame:
        return self.frame(self.spark.read.schema(spark_schema(schema)).parquet(uri(plain(folder))))

    def expect(self, documents: int) -> None:
        if not self._given:
            fine = _PARTS_A_CORE * documents // _DOCUMENTS_A_PART
            even = min(fine, _PARTS_A_CORE * self.partitions)
            self.partitions = max(self.partitions, even, documents // _DOCUMENTS_A_PART)

    def progress(self) -> tuple[int, int]:
        """Return how many tasks of the running stages are done, and how many there are."""
        if is_remote(self.spark):
            return 0, 0
        tracker = self.spark.sparkContext.statusTracker()
        stages = [*filter(None, map(tracker.getStageInfo, tracker.getActiveStageIds()))]
        done = sum(stage.numCompletedTasks for stage in stages)
        return done, sum(stage.numTasks for stage in stages)

    def frame(self, frame: DataFrame) -> SparkFrame:
        return SparkFrame(self, frame)


class SparkFrame:
    def __init__(self, engine: SparkEngine, frame: DataFrame) -> None:
        """`engine` says how finely shuffles cut."""
        self._engine = engine
        self.frame = frame

    def through(self, stage: Stage, *, progress: bool = False) -> SparkFrame:
        return self._next(mapped(self.frame, stage))

    def shuffled(self, by: Sequence[str], order: Sequence[str]) -> SparkFrame:
        parts = self.frame.repartition(self._engine.partitions, *by)
        return self._next(parts.sortWithinPartitions(*order))

    def union(self, other: Frame) -> SparkFrame:
        if not isinstance(other, SparkFrame):
            raise TypeError("frames of two engines")
        return self._next(self.frame.union(other.frame))

    def where(self, column: str, *values: str) -> SparkFrame:
        return self._next(self.frame.where(F.col(column).isin(*values)))

    def persist(self) -> SparkFrame:
        return self._next(self.frame.persist(StorageLevel.DISK_ONLY))

    def drop(self) -> None:
        self.frame.unpersist()

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows; all of them come to the driver."""
        yield from arrow_table(self.frame).to_batches()

    def _next(self, frame: DataFrame) -> SparkFrame:
        return SparkFrame(self._engine, frame)


def _parallelism(spark: SparkSession) -> int:
    """How many tasks run at once; a session of Spark Connect tells by a query only."""
    if not is_remote(spark):
        return spark.sparkContext.defaultParallelism
    parts = spark.range(_MANY).select(F.spark_partition_id()).distinct()
    return max(1, parts.count())


def uri(path: Path) -> str:
    """Return a local path in the form that Spark's file systems take as it is."""
    return f"file:{path.as_posix()}"


def plain(path: Path) -> Path:
    """Spark takes the path it reads for a pattern: signs of patterns are written as themselves."""
    return Path("".join(f"\\{sign}" if sign in "*?[]{}\\" else sign for sign in str(path)))
