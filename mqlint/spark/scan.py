"""The scan: files to facts to queue managers to findings and tables, stage by stage on Spark."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pyarrow as pa
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import to_arrow_schema

from mqlint.engine.load import Input
from mqlint.engine.pack import unpack_finding, unpack_suppressions
from mqlint.engine.run import suppressed
from mqlint.finding import Coverage, FileCoverage, Finding, with_ordinals
from mqlint.finding.waiver import Waivers
from mqlint.spark import stages
from mqlint.spark.batches import Values, rows
from mqlint.spark.store import Draft, Manifest, drafting
from mqlint.spark.tables import FILES, Row, finding_row
from mqlint.spark.toolbox import Fed, Setup, toolbox

Tell = Callable[[str], None]
"""Is told the stage that begins, in words for a person."""

_FILES_A_PART = 128


@dataclass(frozen=True, slots=True)
class Scan:
    """What a scan found: findings in order of place, what was read, and the tables it left.

    `ignored` are the findings that comments in the files, and waivers, suppress; they are in no
    table.
    """

    findings: list[Finding]
    coverage: Coverage
    manifest: Manifest
    ignored: list[Finding]


def scan(
    spark: SparkSession,
    inputs: Sequence[Input],
    setup: Setup,
    out: Path,
    *,
    partitions: int | None = None,
    waivers: Waivers | None = None,
    tell: Tell = lambda stage: None,
) -> Scan:
    """Judge `inputs` on Spark, leave the tables in `out` and return what was found.

    `partitions` is the number of parts the work is cut into, by default one for each core and
    more for many files. OSError when `out` cannot be written to.
    """
    parts = partitions or partitions_for(spark, len(inputs))
    with drafting(out.absolute()) as draft:
        tell(f"reading {len(inputs):,} files")
        facts = kept(read_facts(spark, inputs, setup, parts))
        _write(facts.select(*FILES.names), draft, "files")
        coverage, fed = what_was_read(rows(draft.read("files")))
        tell("judging queue managers")
        judged = kept(judge(facts, setup.knowing(fed), parts))
        checked = [row.path for row in coverage.files if row.status == "checked"]
        suppress = partial(suppressed, waivers=waivers, paths=checked)
        findings = find(judged, setup.knowing(fed), parts, suppress)
        ignored = [one for one in findings if one.ignored is not None]
        findings = [one for one in findings if one.ignored is None]
        tell(f"writing tables, {len(findings):,} findings")
        for kind in ("queue_manager", "object"):
            _write(judged.where(F.col("kind") == kind).select(f"{kind}.*"), draft, f"{kind}s")
        draft.write("findings", map(finding_row, findings))
        draft.write("coverage", coverage_rows(coverage))
        for frame in (facts, judged):
            frame.unpersist()
        return Scan(findings, coverage, draft.commit(), ignored)


def partitions_for(spark: SparkSession, files: int) -> int:
    """Return the number of parts to cut the work into."""
    return max(spark.sparkContext.defaultParallelism, files // _FILES_A_PART)


def read_facts(
    spark: SparkSession, inputs: Sequence[Input], setup: Setup, partitions: int
) -> DataFrame:
    """Return the facts of every file."""
    listed = pa.Table.from_arrays(
        [[one.path for one in inputs], [os.fsencode(str(one.file)) for one in inputs]],
        schema=to_arrow_schema(stages.INPUTS),
    )
    frame = spark.createDataFrame(listed, stages.INPUTS).repartition(partitions)
    return frame.mapInArrow(stages.read_files(setup), stages.FACTS)


def what_was_read(given: Iterable[Values]) -> tuple[Coverage, list[Fed]]:
    """Return what became of each file, and the files that scripts feed to runmqsc."""
    files, fed = [], list[Fed]()
    for row in given:
        told = (row["path"], row["status"], row["language"], row["encoding"], row["reason"])
        files.append(FileCoverage(*told, row["commands"], row["understood"]))
        fed += [(row["path"], one["file"], one["queue_manager"]) for one in row["feeds"]]
    fed.sort(key=lambda one: one[0])
    return Coverage(tuple(sorted(files, key=lambda one: one.path))), fed


def judge(facts: DataFrame, setup: Setup, partitions: int) -> DataFrame:
    """Return what each queue manager comes to: findings, claims, rows of tables."""
    return (
        facts.where("reading is not null")
        .select("path", "reading", "keys", "reported", "ignores")
        .mapInArrow(stages.assign(setup), stages.PARTS)
        .repartition(partitions, "key")
        .sortWithinPartitions("kind", "key", "path")
        .mapInArrow(stages.judge(setup), stages.JUDGED)
    )


def find(
    judged: DataFrame,
    setup: Setup,
    partitions: int,
    suppress: Callable[..., list[Finding]] = suppressed,
) -> list[Finding]:
    """Settle the claims and return all findings, marked where `suppress` finds them suppressed."""
    settled = (
        judged.where("kind = 'claim'")
        .select("policy", "key", "order", "payload")
        .repartition(partitions, "policy", "key")
        .sortWithinPartitions("policy", "key", "order")
        .mapInArrow(stages.decide(setup), stages.OUTCOME)
    )
    said = judged.where("kind IN ('finding', 'ignores')").select("kind", "key", "payload")
    decided = settled.select(F.lit("finding"), F.lit(None), "payload")
    return gather(rows(said.union(decided).toArrow().to_batches()), setup, suppress)


def gather(
    given: Iterable[Values], setup: Setup, suppress: Callable[..., list[Finding]] = suppressed
) -> list[Finding]:
    """Return the findings that rows of kind `finding` hold, in order of place.

    Those are marked that `suppress` finds suppressed by the comments in rows of kind `ignores`.
    """
    tools = toolbox(setup)
    findings, comments = [], {}
    for row in given:
        if row["kind"] == "finding":
            findings.append(unpack_finding(row["payload"], tools.rulebook.rules))
        else:
            comments[row["key"]] = unpack_suppressions(row["payload"])
    told = suppress(findings, comments, tools.assembly, tools.rulebook, tools.grading)
    return with_ordinals(told)


def coverage_rows(coverage: Coverage) -> Iterator[Row]:
    """Yield the rows of the table `coverage`."""
    groups: dict[tuple[str, str, str], Counter[str]] = {}
    for one in coverage.files:
        group = groups.setdefault((one.status, one.language or "", one.reason or ""), Counter())
        group.update(files=1, commands=one.commands, understood=one.understood)
    for (status, language, reason), counts in sorted(groups.items()):
        numbers = (counts["files"], counts["commands"], counts["understood"])
        yield status, language or None, reason or None, *numbers


def kept(frame: DataFrame) -> DataFrame:
    """Keep a frame that is asked more than once."""
    return frame.persist(StorageLevel.DISK_ONLY)


def uri(path: Path) -> str:
    """Return a local path in the form that Spark's file systems take as it is."""
    return f"file:{path.as_posix()}"


def _write(table: DataFrame, draft: Draft, name: str) -> None:
    table.write.parquet(uri(draft.path(name)))
