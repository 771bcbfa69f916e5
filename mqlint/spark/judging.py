"""One queue manager after the other: built and judged, or taken as it was judged before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Final

import pyarrow as pa
from pyspark.sql.types import StructType

from mqlint.engine.assemble import Contribution, in_order
from mqlint.engine.pack import pack_finding
from mqlint.engine.reading import Reading
from mqlint.model.key import QueueManagerKey
from mqlint.policy.judge import judge_queue_manager
from mqlint.spark.batches import Batches, Given, Values, arrow_schema, batches, rows
from mqlint.spark.claims import CLAIMS, Combiner
from mqlint.spark.documents import Reader, digest_of, key_of, reading_with, unpack_feed
from mqlint.spark.flows import Stage
from mqlint.spark.projections import PROJECTIONS, Judged
from mqlint.spark.stages import PART
from mqlint.spark.tables import Row, struct, text
from mqlint.spark.toolbox import Job

JUDGED: Final = StructType(
    [
        *struct(kind=text).fields,
        *CLAIMS.fields,
        *struct(**{name: schema for name, (schema, _) in PROJECTIONS.items()}).fields,
    ]
)
"""`finding`, `ignores` (of the file `key`), `claim`, or `row` of a table, each with columns of its
own; `count`, in `key` what is counted and in `order` how many."""

_ARROW: Final = arrow_schema(JUDGED)
_LZ4 = pa.ipc.IpcWriteOptions(compression="lz4")
_NO_CLAIM = (None,) * len(CLAIMS.fields)
_NO_CELLS = (None,) * len(PROJECTIONS)


@dataclass(frozen=True, slots=True)
class _Member:
    """A document of a queue manager, and what it gives."""

    repository: str
    contribution: Contribution


def judge(job: Job) -> Stage:
    """PARTS, sorted by kind and key, to JUDGED: findings, claims and the rows of tables."""

    def stage(given: Given) -> Batches:
        with reading_with(job) as reader:
            yield from _judged(rows(given), reader)

    return stage


def _judged(given: Iterable[Values], reader: Reader) -> Batches:
    counts: Counter[str] = Counter()
    for (kind, key), members in groupby(given, key=itemgetter("kind", "key")):
        if kind == PART:
            yield from _queue_manager(key, list(members), reader, counts)
        else:
            yield from batches((_said(kind, row) for row in members), JUDGED)
    told = (
        ("count", None, name, number, None, None, *_NO_CELLS) for name, number in counts.items()
    )
    yield from batches(told, JUDGED)


def _said(kind: str, row: Values) -> Row:
    return kind, None, row["key"], None, row["repository"], row["payload"], *_NO_CELLS


def _queue_manager(
    key: str, members: list[Values], reader: Reader, counts: Counter[str]
) -> Iterator[pa.RecordBatch]:
    """The batches of one queue manager; those of the scan before where nothing has changed."""
    name = _judgement_key(key, members, reader)
    found = _kept(reader.keep.get("judged", name))
    if found is None:
        counts["judged"] += 1
        found = list(batches(_rows(key_of(key), members, reader), JUDGED))
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, _ARROW, options=_LZ4) as writer:
            for batch in found:
                writer.write_batch(batch)
        reader.keep.put("judged", name, sink.getvalue().to_pybytes())
    counts["seen"] += 1
    yield from found


def _judgement_key(key: str, members: list[Values], reader: Reader) -> str:
    """The digest of all that a judgement of one queue manager depends on."""
    setup = reader.tools.setup
    names = sorted({row["repository"] for row in members})
    settings = [reader.tools.of(name).repository.digest for name in names]
    documents = sorted(f"{row['path']}\0{row['facts']}\0{row['feed']}" for row in members)
    return digest_of(key, setup.judging, *names, *settings, *documents)


def _kept(data: bytes | None) -> list[pa.RecordBatch] | None:
    """The batches that were kept; None where there are none, or those of another program."""
    if data is None:
        return None
    try:
        with pa.ipc.open_stream(data) as stream:
            return list(stream) if stream.schema.equals(_ARROW) else None
    except (pa.ArrowInvalid, OSError):
        return None


def _rows(key: QueueManagerKey, members: list[Values], reader: Reader) -> Iterator[Row]:
    given = [one for row in members for one in _contributions(key, row, reader)]
    if not given:
        return
    first = in_order(one.contribution for one in given)[0]
    home = next(one.repository for one in given if one.contribution is first)
    tools = reader.tools.of(home)
    contributions = [one.contribution for one in given]
    descriptions = tools.assembly.describe(key, contributions)
    judgement = judge_queue_manager(tools.rulebook.index, descriptions, tools.grading)
    for finding in judgement.findings.values():
        yield "finding", None, None, None, home, pack_finding(finding), *_NO_CELLS
    combiner = Combiner(tools.rulebook, home)
    for claim in judgement.claims.values():
        for row in combiner.add(claim):
            yield "claim", *row, *_NO_CELLS
    for row in combiner.flush():
        yield "claim", *row, *_NO_CELLS
    yield from _table_rows(Judged(home, key, contributions, descriptions[0]))


def _contributions(key: QueueManagerKey, row: Values, reader: Reader) -> Iterator[_Member]:
    """What one document gives to the queue manager."""
    reading, _ = reader.reading(row)
    if not isinstance(reading, Reading):
        return
    assembly = reader.tools.of(row["repository"]).assembly
    knowing = assembly.knowing(row["path"], unpack_feed(row["feed"]))
    for other, contribution in knowing.contributions(row["path"], reading):
        if other == key:
            yield _Member(row["repository"], contribution)


def _table_rows(judged: Judged) -> Iterator[Row]:
    """Yield what one queue manager gives to each table."""
    for at, (schema, project) in enumerate(PROJECTIONS.values()):
        before, after = _NO_CELLS[:at], _NO_CELLS[at + 1 :]
        for row in project(judged):
            cells = dict(zip(schema.names, row, strict=True))
            yield "row", *_NO_CLAIM, *before, cells, *after
