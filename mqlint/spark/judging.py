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
from mqlint.model.fact import Facts
from mqlint.model.key import QueueManagerKey
from mqlint.policy.judge import judge_queue_manager
from mqlint.spark.batches import Batches, Given, Values, arrow_schema, batches, rows
from mqlint.spark.claims import CLAIMS, Combiner
from mqlint.spark.documents import Reader, digest_of, key_of, reading_with, unpack_feed
from mqlint.spark.flows import Stage
from mqlint.spark.stages import PART
from mqlint.spark.tables import OBJECTS, QUEUE_MANAGERS, Row, struct, text, without_labels
from mqlint.spark.toolbox import Job

OF_QUEUE_MANAGERS: Final = without_labels(QUEUE_MANAGERS)
OF_OBJECTS: Final = without_labels(OBJECTS)

JUDGED: Final = StructType(
    [
        *struct(kind=text).fields,
        *CLAIMS.fields,
        *struct(queue_manager=OF_QUEUE_MANAGERS, object=OF_OBJECTS).fields,
    ]
)
"""`finding`, `ignores` (of the file `key`), `claim`, `queue_manager` or `object`, each with columns
of its own; `count`, in `key` what is counted and in `order` how many."""

_ARROW: Final = arrow_schema(JUDGED)
_LZ4 = pa.ipc.IpcWriteOptions(compression="lz4")
_NO_CLAIM = (None, None, None, None, None)


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
        ("count", None, name, number, None, None, None, None) for name, number in counts.items()
    )
    yield from batches(told, JUDGED)


def _said(kind: str, row: Values) -> Row:
    return kind, None, row["key"], None, row["repository"], row["payload"], None, None


def _counted(count: tuple[str, int]) -> Row:
    return "count", None, *count, None, None, None, None


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
        yield "finding", None, None, None, home, pack_finding(finding), None, None
    combiner = Combiner(tools.rulebook, home)
    for claim in judgement.claims.values():
        for row in combiner.add(claim):
            yield "claim", *row, None, None
    for row in combiner.flush():
        yield "claim", *row, None, None
    yield from _table_rows(home, key, contributions, descriptions[0])


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


def _table_rows(
    home: str, key: QueueManagerKey, given: list[Contribution], facts: Facts
) -> Iterator[Row]:
    """Yield the rows of the tables `queue_managers` and `objects` for one queue manager."""
    manager = facts.manager
    site, name = key.site or None, None if key.anonymous else key.name
    count = 0
    for found in manager.all_objects():
        count += 1
        place = found.where()
        head = (home, site, name, found.type, found.subtype, str(found.name))
        attributes = list(found.written().items())
        values = (*head, attributes, place.path, place.start.line)
        yield "object", *_NO_CLAIM, None, dict(zip(OF_OBJECTS.names, values, strict=True))
    if name is not None:
        role = manager.site.role if manager.site is not None else None
        paths = sorted({one.path for one in given})
        has_dump = any(one.is_dump for one in given)
        row = (home, site, role, name, paths, has_dump, manager.complete, count)
        cells = dict(zip(OF_QUEUE_MANAGERS.names, row, strict=True))
        yield "queue_manager", *_NO_CLAIM, cells, None
