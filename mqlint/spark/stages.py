"""What runs on executors: the engine's stages as functions from Arrow batches to Arrow batches.

Each stage is given one `Setup`, from which a process builds what it needs once and keeps it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql.types import BinaryType, StructType

from mqlint.config.settings import Settings
from mqlint.engine.analyse import Analyser
from mqlint.engine.assemble import Assembly, Contribution
from mqlint.engine.load import Input, load
from mqlint.engine.pack import (
    from_bytes,
    pack_claim,
    pack_finding,
    pack_summary,
    to_bytes,
    unpack_claim,
    unpack_summary,
)
from mqlint.engine.run import report
from mqlint.model.fact import Facts
from mqlint.model.key import QueueManagerKey
from mqlint.policy.claim import Summary, summarise
from mqlint.policy.judge import Grading, judge_claim, judge_queue_manager
from mqlint.policy.rulebook import Rulebook
from mqlint.spark.tables import FILES, struct, text_column
from mqlint.vocabulary import Vocabulary

Batches = Iterator[pa.RecordBatch]
Stage = Callable[[Iterable[pa.RecordBatch]], Batches]
Row = dict[str, Any]

FACTS = StructType([*FILES.fields, *struct(fed=text_column, reading=BinaryType()).fields])
PARTS = struct(kind=text_column, key=text_column, path=text_column, payload=BinaryType())
JUDGED = struct(
    kind=text_column, policy=text_column, key=text_column, role=text_column, payload=text_column
)
SUMMARIES = struct(policy=text_column, key=text_column, role=text_column, summary=text_column)
OUTCOME = struct(payload=text_column)

_SEPARATOR = "\x1f"
_ROWS = 512


@dataclass(frozen=True)
class Setup:
    """All that judging needs, in a form that can be sent: plain data, no open files."""

    vocabulary: Mapping[str, object]
    policies: tuple[Mapping[str, Any], ...]
    settings: Settings
    grading: Grading
    fed: tuple[tuple[str, str, str], ...] = ()
    digest: str = ""


class Toolbox:
    """What a process builds from a setup."""

    def __init__(self, setup: Setup) -> None:
        """Build the parser, the rules and the assembly."""
        self.setup = setup
        self.vocabulary = Vocabulary.from_compiled(setup.vocabulary)
        self.analyser = Analyser(self.vocabulary)
        self.rulebook = Rulebook(setup.policies)
        self.assembly = Assembly(setup.settings, self.vocabulary, setup.fed)


_toolboxes: dict[tuple[str, int], Toolbox] = {}


def toolbox(setup: Setup) -> Toolbox:
    """Return this process's tools for `setup`, built at the first call."""
    key = (setup.digest, len(setup.fed))
    if key not in _toolboxes:
        _toolboxes.clear()
        _toolboxes[key] = Toolbox(setup)
    return _toolboxes[key]


def rows(batches: Iterable[pa.RecordBatch]) -> Iterator[Row]:
    """Yield the rows of Arrow batches."""
    for batch in batches:
        yield from batch.to_pylist()


def batches(found: Iterable[tuple[object, ...]], schema: StructType) -> Batches:
    """Gather rows into Arrow batches of bounded length."""
    from pyspark.sql.pandas.types import to_arrow_schema

    arrow = to_arrow_schema(schema)
    names = arrow.names
    pending: list[tuple[object, ...]] = []
    for row in found:
        pending.append(row)
        if len(pending) >= _ROWS:
            yield _batch(pending, names, arrow)
            pending = []
    if pending:
        yield _batch(pending, names, arrow)


def _batch(
    pending: list[tuple[object, ...]], names: list[str], schema: pa.Schema
) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(
        [dict(zip(names, row, strict=True)) for row in pending], schema=schema
    )


def read_files(setup: Setup) -> Stage:
    """Paths to facts: each file read, recognised and parsed."""

    def stage(given: Iterable[pa.RecordBatch]) -> Batches:
        tools = toolbox(setup)
        return batches((_facts(row, tools) for row in rows(given)), FACTS)

    return stage


def _facts(row: Row, tools: Toolbox) -> tuple[object, ...]:
    loaded = load(Input(row["path"], Path(row["file"])), tools.assembly, tools.analyser)
    cover, reading = loaded.coverage, loaded.reading
    return (
        *(cover.path, cover.status, cover.language, cover.encoding, cover.reason),
        reading.digest if reading is not None else None,
        *(cover.commands, cover.understood),
        json.dumps(reading.fed) if reading is not None and reading.fed else None,
        to_bytes(reading) if reading is not None else None,
    )


def assign(setup: Setup) -> Stage:
    """Facts to parts: a row for each queue manager a file speaks of, and what readers reported."""

    def stage(given: Iterable[pa.RecordBatch]) -> Batches:
        tools = toolbox(setup)
        found = (part for row in rows(given) for part in _parts(row, tools))
        return batches(found, PARTS)

    return stage


def _parts(row: Row, tools: Toolbox) -> Iterator[tuple[object, ...]]:
    path = row["path"]
    reading = from_bytes(row["reading"], tools.analyser.parser)
    setup = tools.setup
    for finding in report(path, reading, tools.assembly, tools.rulebook, setup.grading):
        yield "finding", "", path, pack_finding(finding).encode()
    for key in sorted({key for key, _ in tools.assembly.contributions(path, reading)}):
        yield "part", _text_of(key), path, row["reading"]


def _text_of(key: QueueManagerKey) -> str:
    anonymous = "1" if key.anonymous else ""
    return _SEPARATOR.join((key.repository, key.site, key.name, anonymous))


def _key_of(text: str) -> QueueManagerKey:
    repository, site, name, anonymous = text.split(_SEPARATOR)
    return QueueManagerKey(repository, site, name, bool(anonymous))


def judge(setup: Setup) -> Stage:
    """Parts, sorted by queue manager, to findings, claims and the rows of tables."""

    def stage(given: Iterable[pa.RecordBatch]) -> Batches:
        tools = toolbox(setup)
        groups = groupby(rows(given), key=itemgetter("key"))
        found = (one for key, members in groups for one in _judge(_key_of(key), members, tools))
        return batches(found, JUDGED)

    return stage


def _judge(
    key: QueueManagerKey, members: Iterable[Row], tools: Toolbox
) -> Iterator[tuple[object, ...]]:
    given: list[Contribution] = []
    for row in members:
        reading = from_bytes(row["payload"], tools.analyser.parser)
        contributions = tools.assembly.contributions(row["path"], reading)
        given.extend(contribution for other, contribution in contributions if other == key)
    descriptions = tools.assembly.describe(key, given)
    judgement = judge_queue_manager(tools.rulebook.policies, descriptions, tools.setup.grading)
    for finding in judgement.findings.values():
        yield "finding", None, None, None, pack_finding(finding)
    for claim in judgement.claims.values():
        yield "claim", claim.policy, claim.key, claim.role, pack_claim(claim)
    yield from table_rows(key, given, descriptions[0])


def table_rows(
    key: QueueManagerKey, given: list[Contribution], facts: Facts
) -> Iterator[tuple[object, ...]]:
    """Yield the rows of the tables `queue_managers` and `objects` for one queue manager."""
    manager = facts.manager
    role = manager.site.role if manager.site is not None else None
    count = 0
    for found in manager.all_objects():
        count += 1
        place = found.where()
        row = (
            *(key.site or None, None if key.anonymous else key.name, found.type, found.subtype),
            *(found.name, found.written(), place.path, place.start.line),
        )
        yield "object", None, None, None, json.dumps(row)
    if not key.anonymous:
        has_dump = any(one.is_dump for one in given)
        paths = sorted({one.path for one in given})
        row = (key.site or None, role, key.name, paths, has_dump, manager.complete, count)
        yield "queue_manager", None, None, None, json.dumps(row)


def summarise_claims(given: Iterable[pa.RecordBatch]) -> Batches:
    """Claims or partial summaries, sorted by policy, key and role, to one summary each."""
    wanted = itemgetter("policy", "key", "role")

    def found() -> Iterator[tuple[object, ...]]:
        for (policy, key, role), members in groupby(rows(given), key=wanted):
            summary = Summary()
            for row in members:
                if "payload" in row:
                    summary = summary.merge(summarise([unpack_claim(row["payload"])]))
                else:
                    summary = summary.merge(unpack_summary(row["summary"]))
            yield policy, key, role, pack_summary(summary)

    return batches(found(), SUMMARIES)


def decide(setup: Setup) -> Stage:
    """Claims, each with the summary of those it looks for, to findings."""

    def stage(given: Iterable[pa.RecordBatch]) -> Batches:
        tools = toolbox(setup)
        return batches(_decided(rows(given), tools), OUTCOME)

    return stage


def _decided(given: Iterable[Row], tools: Toolbox) -> Iterator[tuple[object, ...]]:
    for row in given:
        policy = tools.rulebook.policies_by_id[row["policy"]]
        summary = unpack_summary(row["summary"]) if row["summary"] else Summary()
        finding = judge_claim(policy, unpack_claim(row["payload"]), summary)
        if finding is not None:
            yield (pack_finding(finding),)
