"""Files of the file systems that Spark reads (file, hdfs, s3a and others), as rows of LISTED.

Their bytes come by Spark's own reader of binary files, as Python on the executors knows nothing of
these file systems. Of files that are as the scan before knew them no bytes are read.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, DataFrameReader, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import BinaryType, LongType

from mqlint.source.display import display_path
from mqlint.source.read import Unreadable
from mqlint.spark.batches import Batches, Given, Values, batches, rows
from mqlint.spark.flows import Stage
from mqlint.spark.named import POLICIES, files_to_send
from mqlint.spark.places import LIMIT
from mqlint.spark.sources import LISTED, Source, below, fault, fixed_part, sent_row
from mqlint.spark.tables import Row, struct, text

FEW = 1_000
"""Up to this number of changed files are named one by one; of more all are read."""

SEEN: Final = struct(address=text, path=text, stamp=text, length=LongType())
"""Files as they are listed: where they are, and their paths in the estate."""

_YOUNG = 2.0
_CONTENTS = struct(address=text, content=BinaryType())
_HEAD = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?://[^/]*)?")
_EMPTY = "no file was found in it"
_SENT = 2 * POLICIES


def listed(spark: SparkSession, source: Source, known: DataFrame | None) -> DataFrame:
    """Return what a source holds, as rows of LISTED; `known` are those of the scan before."""
    try:
        seen = _seen(spark, source)
        contents = _contents(spark, source.at, _changed(seen, source, known))
        if not seen.limit(1).count():
            return _as_frame(spark, fault(source.repository, "", _EMPTY))
        sent = files_to_send(_OnSpark(spark, source, seen), source.named)
        settings = [sent_row(source.repository, one) for one in sent]
    except PySparkException as error:
        return _as_frame(spark, fault(source.repository, "", _reason(error)))
    files = seen.join(contents, "address", "left").mapInArrow(_rows(source), LISTED)
    return files.union(_as_frame(spark, *settings)) if settings else files


@dataclass(frozen=True, slots=True)
class _OnSpark:
    """The files that Spark sees, as of `Files`: those that were asked for by their names."""

    spark: SparkSession
    source: Source
    seen: DataFrame
    found: dict[str, str] = field(default_factory=dict)

    def paths(self) -> Collection[str]:
        return self.found.keys()

    def beside(self, names: Iterable[str]) -> None:
        path, wanted = F.col("path"), F.lit(False)
        is_yaml = path.endswith(".yaml") | path.endswith(".yml")
        for name in names:
            whole = below(self.source.repository, "" if name == "." else name)
            wanted = wanted | (path == whole) | (path.startswith(f"{whole}/") & is_yaml)
        some = self.seen.where(wanted).orderBy("path").limit(_SENT).select("path", "address")
        for row in some.collect():
            self.found[row.path.removeprefix(f"{self.source.repository}/")] = row.address

    def read(self, paths: Collection[str]) -> Iterator[tuple[str, bytes | Unreadable]]:
        asked = {self.found[path]: path for path in paths}
        if not asked:
            return
        found = _reader(self.spark).load([_plain(one) for one in asked])
        for row in found.where(F.col("length") <= LIMIT).toLocalIterator():
            yield asked.pop(row.path), bytes(row.content)
        for path in asked.values():
            yield path, Unreadable("there is no such file (any more)")


def _seen(spark: SparkSession, source: Source) -> DataFrame:
    """Every file below an address, or that a pattern fits."""
    found = _reader(spark).load(source.at).select("path", "modificationTime", "length")
    return found.mapInArrow(_named(source), SEEN)


def _changed(seen: DataFrame, source: Source, known: DataFrame | None) -> DataFrame:
    """The files whose bytes are wanted."""
    fitting = seen.where(F.col("length") <= LIMIT)
    if known is None:
        return fitting
    old = known.where(F.col("repository") == source.repository).select("path", "stamp")
    young = fitting.where(F.col("stamp") == "")
    return fitting.join(old, ["path", "stamp"], "left_anti").union(
        young.select("path", "stamp", "address", "length")
    )


def _contents(spark: SparkSession, at: str, changed: DataFrame) -> DataFrame:
    """The bytes of files: of few by their names, else of all that are there."""
    some = changed.select("address").distinct().limit(FEW + 1).collect()
    if not some:
        return spark.createDataFrame([], _CONTENTS)
    where = [_plain(row.address) for row in some] if len(some) <= FEW else at
    found = _reader(spark).load(where).where(F.col("length") <= LIMIT)
    return found.select(F.col("path").alias("address"), "content")


def _reader(spark: SparkSession) -> DataFrameReader:
    return spark.read.format("binaryFile").options(
        recursiveFileLookup="true", ignoreMissingFiles="true", ignoreCorruptFiles="true"
    )


def _named(source: Source) -> Stage:
    """Addresses to paths in the estate."""
    address = _HEAD.sub("", source.at)
    wild = any(sign in address for sign in "*?[{")
    base = fixed_part(address.replace("{", "*")).as_posix() if wild else address.rstrip("/")

    def named(row: Values) -> Row:
        place = _HEAD.sub("", row["path"])
        inside = place.removeprefix(base.rstrip("/") + "/")
        if inside == place:  # the address is that of one file
            inside = Path(place).name
        path = below(source.repository, display_path(inside, Path("/")))
        return row["path"], path, _stamp(row["modificationTime"], row["length"]), row["length"]

    def stage(given: Given) -> Batches:
        return batches(map(named, rows(given)), SEEN)

    return stage


def _stamp(changed: datetime, length: int) -> str:
    """What changes when a file does; blank where it was changed a moment ago."""
    seconds = changed.timestamp()
    return f"{length} {seconds:.6f}" if time.time() - seconds > _YOUNG else ""


def _rows(source: Source) -> Stage:
    """Files, some with their bytes, to rows of LISTED."""

    def stage(given: Given) -> Batches:
        return batches((_listed(row, source.repository) for row in rows(given)), LISTED)

    return stage


def _listed(row: Values, name: str) -> Row:
    path, data = row["path"], row["content"]
    if row["length"] > LIMIT:
        return fault(
            name, path.removeprefix(f"{name}/"), f"larger than the limit of {LIMIT:,} bytes"
        )
    return "file", name, path, path, row["stamp"], "sent", b"", "", data, ""


def _as_frame(spark: SparkSession, *found: Row) -> DataFrame:
    return spark.createDataFrame(list(found), LISTED)


def _plain(address: str) -> str:
    """Spark takes an address for a pattern: signs of patterns are written as themselves."""
    return "".join(f"\\{sign}" if sign in "*?[]{}\\" else sign for sign in address)


def _reason(error: PySparkException) -> str:
    """Why a file system does not list, in few words: it may quote what is secret."""
    name = error.getCondition() if hasattr(error, "getCondition") else None
    if name == "PATH_NOT_FOUND":
        return "there is nothing of that name (any more)"
    return f"Spark cannot list it ({name or type(error).__name__})"
