"""The scan: files to facts to queue managers to findings and tables, stage by stage on Spark."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from mqlint.config.settings import Settings
from mqlint.engine.load import Input
from mqlint.engine.pack import unpack_finding
from mqlint.engine.run import grading_of
from mqlint.finding import Finding, with_ordinals
from mqlint.policy.rulebook import Rulebook
from mqlint.spark import stages, tables
from mqlint.spark.stages import Setup
from mqlint.spark.tables import struct, text_column

_INPUTS = struct(path=text_column, file=text_column)


@dataclass(frozen=True, slots=True)
class Scan:
    """What a scan found: findings in order of place, and the number of files by status."""

    findings: list[Finding]
    files: dict[str, int]


def setup_of(
    vocabulary: dict[str, object],
    rulebook: Rulebook,
    settings: Settings,
    profiles: Sequence[str] = (),
) -> Setup:
    """Return what executors need: the compiled `vocabulary`, the rules, the settings."""
    compiled = tuple(rulebook.compiled)
    content = json.dumps([vocabulary, compiled, repr(settings), sorted(profiles)], sort_keys=True)
    return Setup(
        vocabulary,
        compiled,
        settings,
        grading_of(settings, profiles),
        digest=sha256(content.encode("utf-8", "surrogatepass")).hexdigest(),
    )


def scan(
    spark: SparkSession,
    inputs: Sequence[Input],
    setup: Setup,
    rulebook: Rulebook,
    out: Path,
    *,
    partitions: int,
) -> Scan:
    """Judge `inputs` on Spark, write the tables to `out` and return the findings."""
    facts = read_facts(spark, inputs, setup, partitions)
    setup = replace(setup, fed=fed_by(facts))
    parts = _kept(facts.where("reading is not null").mapInArrow(stages.assign(setup), stages.PARTS))
    judged = _kept(
        parts.where("kind = 'part'")
        .repartition(partitions, "key")
        .sortWithinPartitions("key", "path")
        .mapInArrow(stages.judge(setup), stages.JUDGED)
    )
    packed = (
        parts.where("kind = 'finding'")
        .select(F.col("payload").cast("string").alias("payload"))
        .union(judged.where("kind = 'finding'").select("payload"))
        .union(decide_claims(judged.where("kind = 'claim'"), setup, partitions))
    )
    rules = rulebook.rules
    findings = with_ordinals(
        unpack_finding(row["payload"], rules) for row in packed.toLocalIterator()
    )
    counts = write_tables(spark, facts, judged, findings, out)
    for frame in (facts, parts, judged):
        frame.unpersist()
    return Scan(findings, counts)


def read_facts(
    spark: SparkSession, inputs: Sequence[Input], setup: Setup, partitions: int
) -> DataFrame:
    """Return the facts of every file, read once and kept."""
    listed = [(one.path, str(one.file)) for one in inputs]
    frame = spark.createDataFrame(listed, _INPUTS).repartition(partitions)
    return _kept(frame.mapInArrow(stages.read_files(setup), stages.FACTS))


def fed_by(facts: DataFrame) -> tuple[tuple[str, str, str], ...]:
    """Return (script, file, queue manager) of the files that scripts feed to runmqsc."""
    rows = facts.where("fed is not null").select("path", "fed").orderBy("path").collect()
    return tuple(
        (row["path"], name, queue_manager)
        for row in rows
        for name, queue_manager in json.loads(row["fed"])
    )


def decide_claims(claims: DataFrame, setup: Setup, partitions: int) -> DataFrame:
    """Judge the claims of all policies: one table, one aggregation, one join back.

    Claims are summarised where they are, the partial summaries are brought together by policy,
    key and role, and each claim meets the summary of the role its kind looks for.
    """
    identity = ["policy", "key", "role"]
    local = claims.select(*identity, "payload").sortWithinPartitions(*identity)
    summaries = (
        local.mapInArrow(stages.summarise_claims, stages.SUMMARIES)
        .repartition(partitions, *identity)
        .sortWithinPartitions(*identity)
        .mapInArrow(stages.summarise_claims, stages.SUMMARIES)
    )
    asking = claims.where("role != 'offers'").withColumn(
        "wanted", F.when(F.col("role") == "asks", "offers").otherwise(F.col("role"))
    )
    met = asking.alias("c").join(
        summaries.alias("s"),
        (F.col("c.policy") == F.col("s.policy"))
        & (F.col("c.key") == F.col("s.key"))
        & (F.col("c.wanted") == F.col("s.role")),
        "left",
    )
    return met.select("c.policy", "c.payload", "s.summary").mapInArrow(
        stages.decide(setup), stages.OUTCOME
    )


def write_tables(
    spark: SparkSession, facts: DataFrame, judged: DataFrame, findings: list[Finding], out: Path
) -> dict[str, int]:
    """Write the tables of a scan; return the number of files by status."""
    files = facts.select(*tables.FILES.names)
    tables.write(files, out, "files")
    for kind, schema in (("queue_manager", tables.QUEUE_MANAGERS), ("object", tables.OBJECTS)):
        packed = judged.where(F.col("kind") == kind).select("payload")
        tables.write(tables.unpacked(packed, schema), out, f"{kind}s")
    rows = [tables.finding_row(one) for one in findings]
    tables.write(spark.createDataFrame(rows, tables.FINDINGS), out, "findings")
    coverage = files.groupBy("status", "language").agg(
        F.count("*").alias("files"),
        F.sum("commands").alias("commands"),
        F.sum("understood").alias("understood"),
    )
    tables.write(coverage.coalesce(1), out, "coverage")
    return {
        row["status"]: row["files"]
        for row in files.groupBy("status").agg(F.count("*").alias("files")).collect()
    }


def _kept(frame: DataFrame) -> DataFrame:
    """Keep a frame that is asked more than once."""
    return frame.persist(StorageLevel.DISK_ONLY)
