"""The stages of a scan one after the other in this process: what Spark does, without Spark.

Rows go through Arrow batches of few rows, and are sorted as Spark's shuffles sort them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from pyspark.sql.types import StructType

from mqlint.engine import Input
from mqlint.engine.run import suppressed
from mqlint.finding import Finding
from mqlint.spark import stages
from mqlint.spark.batches import Batches, Values, batches, rows
from mqlint.spark.claims import CLAIMS
from mqlint.spark.scan import gather, what_was_read
from mqlint.spark.toolbox import Setup

ROWS = 3


def staged(inputs: Sequence[Input], setup: Setup) -> list[Finding]:
    """Return all findings, those that are suppressed too."""
    listed = [(one.path, os.fsencode(str(one.file))) for one in inputs]
    facts = list(rows(stages.read_files(setup)(batches(listed, stages.INPUTS, ROWS))))
    coverage, fed = what_was_read(facts)
    knowing = setup.knowing(fed)
    read = _sent((one for one in facts if one["reading"] is not None), stages.FACTS)
    parts = _sorted(rows(stages.assign(knowing)(read)), stages.PARTS, "kind", "key", "path")
    judged = list(rows(stages.judge(knowing)(parts)))
    claims = _sorted(_of(judged, "claim"), CLAIMS, "policy", "key", "order")
    decided = rows(stages.decide(knowing)(claims))
    found = [
        *_of(judged, "finding"),
        *_of(judged, "ignores"),
        *({"kind": "finding", "payload": one["payload"]} for one in decided),
    ]
    checked = [one.path for one in coverage.files if one.status == "checked"]
    return gather(found, knowing, partial(suppressed, paths=checked))


def _of(given: Sequence[Values], kind: str) -> Iterator[Values]:
    return (row for row in given if row["kind"] == kind)


def _sorted(given: Iterable[Values], schema: StructType, *columns: str) -> Batches:
    return _sent(sorted(given, key=lambda row: [row[column] for column in columns]), schema)


def _sent(given: Iterable[Values], schema: StructType) -> Batches:
    found = (tuple(row[name] for name in schema.names) for row in given)
    return batches(found, schema, ROWS)
