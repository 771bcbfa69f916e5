"""One queue manager after the other: built and judged, or taken as it was judged before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from operator import itemgetter
from typing import Final

import pyarrow as pa

from mqlint.engine.contribution import Contribution, in_order
from mqlint.engine.pack import pack_finding
from mqlint.engine.reading import Reading
from mqlint.estate.io.documents import Reader, digest_of, key_of, reading_with, unpack_feed
from mqlint.estate.stages.claims import Combiner
from mqlint.estate.stages.context import Job, Tools
from mqlint.estate.stages.flows import Stage
from mqlint.estate.stages.messages import SAID, said, told
from mqlint.estate.stages.steps import PART
from mqlint.estate.tables.batches import Batches, Given, Values, arrow_schema, batches, rows
from mqlint.estate.tables.projections import CHANNEL_PAIRS, PROJECTIONS, End, Judged, ends_of, meet
from mqlint.estate.tables.schema import TABLES, Row, without_labels
from mqlint.estate.tables.writer import TableWriter
from mqlint.model.core.key import QueueManagerKey
from mqlint.model.facts.registry import Facts
from mqlint.policy.judge import Judgement, judge_queue_manager

_SAID: Final = arrow_schema(SAID)
_CELLS: Final = {name: without_labels(TABLES[name]) for name in PROJECTIONS}
_ARROW: Final = {name: arrow_schema(schema) for name, schema in _CELLS.items()}
_TABLES: Final = b"tables"
_LZ4 = pa.ipc.IpcWriteOptions(compression="lz4")


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What one queue manager comes to: rows of SAID, and rows of tables.

    It is `whole` unless a document of the queue manager could not be read again.
    """

    said: list[pa.RecordBatch]
    tables: Mapping[str, list[pa.RecordBatch]]
    whole: bool = True

    def packed(self) -> bytes:
        """All of it in one piece: streams of Arrow, of which the first names those that follow."""
        sink = pa.BufferOutputStream()
        names = {_TABLES: " ".join(self.tables)}
        _write(sink, _SAID.with_metadata(names), self.said)
        for name, found in self.tables.items():
            _write(sink, _ARROW[name], found)
        return bytes(sink.getvalue())

    @classmethod
    def unpacked(cls, data: bytes) -> _Outcome | None:
        """What was packed; None where another program did that."""
        source = pa.BufferReader(data)
        try:
            said, schema = _read(source)
            names = (schema.metadata or {}).get(_TABLES, b"").decode().split()
            found = {name: _read(source) for name in names}
        except (pa.ArrowInvalid, OSError, UnicodeDecodeError):
            return None
        right = schema.equals(_SAID) and all(
            name in _ARROW and given.equals(_ARROW[name]) for name, (_, given) in found.items()
        )
        return cls(said, {name: given for name, (given, _) in found.items()}) if right else None


def _write(sink: pa.BufferOutputStream, schema: pa.Schema, given: list[pa.RecordBatch]) -> None:
    with pa.ipc.new_stream(sink, schema, options=_LZ4) as writer:
        for batch in given:
            writer.write_batch(batch.replace_schema_metadata(schema.metadata))


def _read(source: pa.BufferReader) -> tuple[list[pa.RecordBatch], pa.Schema]:
    with pa.ipc.open_stream(source) as stream:
        return list(stream), stream.schema


@dataclass(frozen=True, slots=True)
class _Member:
    """A document of a queue manager, and what it gives."""

    repository: str
    contribution: Contribution


def judge(job: Job) -> Stage:
    """PARTS, sorted by kind and key, to SAID: findings, claims, ends; the tables' rows written."""

    def stage(given: Given) -> Batches:
        with reading_with(job) as reader, job.sink.writing() as tables:
            yield from _judged(rows(given), reader, tables)
            yield from told("part", tables.finish())

    return stage


def _judged(given: Iterable[Values], reader: Reader, tables: TableWriter) -> Batches:
    counts: Counter[str] = Counter()
    for (kind, key), members in groupby(given, key=itemgetter("kind", "key")):
        if kind == PART:
            outcome = _queue_manager(key, list(members), reader, tables.wanted, counts)
            yield from outcome.said
            for table, found in outcome.tables.items():
                for batch in found:
                    tables.add(table, batch)
        else:
            yield from batches((_said(kind, row) for row in members), SAID)
    yield from batches((said("count", name, number) for name, number in counts.items()), SAID)


def _said(kind: str, row: Values) -> Row:
    return said(kind, row["key"], 0, row["repository"], row["payload"])


def _queue_manager(
    key: str, members: list[Values], reader: Reader, wanted: Sequence[str], counts: Counter[str]
) -> _Outcome:
    """What one queue manager comes to; as in the scan before where nothing has changed."""
    name = _judgement_key(key, members, reader, wanted)
    kept = reader.keep.get("judged", name)
    outcome = None if kept is None else _Outcome.unpacked(kept)
    if outcome is None:
        counts["judged"] += 1
        outcome = _outcome(key_of(key), members, reader, wanted)
        if outcome.whole:
            reader.keep.put("judged", name, outcome.packed())
    counts["seen"] += 1
    return outcome


def _judgement_key(key: str, members: list[Values], reader: Reader, wanted: Sequence[str]) -> str:
    """The digest of all that a judgement of one queue manager depends on."""
    setup = reader.tools.setup
    names = sorted({row["repository"] for row in members})
    settings = [reader.tools.of(name).repository.digest for name in names]
    documents = sorted(f"{row['path']}\0{row['facts']}\0{row['feed']}" for row in members)
    return digest_of(key, setup.judging, " ".join(wanted), *names, *settings, *documents)


def _outcome(
    key: QueueManagerKey, members: list[Values], reader: Reader, wanted: Sequence[str]
) -> _Outcome:
    read = [_contributions(key, row, reader) for row in members]
    given = [one for some in read if some is not None for one in some]
    whole = None not in read
    if not given:
        return _Outcome([], {}, whole)
    first = in_order(one.contribution for one in given)[0]
    home = next(one.repository for one in given if one.contribution is first)
    tools = reader.tools.of(home)
    contributions = [one.contribution for one in given]
    descriptions = tools.assembly.describe(key, contributions)
    judgement = judge_queue_manager(tools.rulebook.index, descriptions, tools.grading)
    others = {one.repository: reader.tools.of(one.repository) for one in given}
    guests = ((name, one) for name, one in sorted(others.items()) if name != home)
    judged = Judged(home, key, contributions, descriptions[0])
    ends = ends_of(judged) if CHANNEL_PAIRS in wanted else ()
    found = chain(
        _found(judgement, home, tools),
        *(_found_by(name, one, descriptions) for name, one in guests if one.rulebook.own),
        (_said_end(end) for end in ends),
    )
    tables = {
        name: list(batches(project(judged), _CELLS[name]))
        for name, project in PROJECTIONS.items()
        if name in wanted
    }
    tables = {name: rows for name, rows in tables.items() if rows}
    return _Outcome(list(batches(found, SAID)), tables, whole)


def _found_by(name: str, tools: Tools, descriptions: Sequence[Facts]) -> Iterator[Row]:
    """What the own policies of another repository find that describes the queue manager too."""
    judgement = judge_queue_manager(tools.rulebook.own_index, descriptions, tools.grading)
    return _found(judgement, name, tools)


def _found(judgement: Judgement, home: str, tools: Tools) -> Iterator[Row]:
    """The findings of a queue manager, and its claims."""
    for finding in judgement.findings.values():
        yield said("finding", "", 0, home, pack_finding(finding))
    combiner = Combiner(tools.rulebook, home)
    for claim in judgement.claims.values():
        yield from (("claim", *row) for row in combiner.add(claim))
    yield from (("claim", *row) for row in combiner.flush())


def _contributions(key: QueueManagerKey, row: Values, reader: Reader) -> Sequence[_Member] | None:
    """What one document gives to the queue manager; None where it cannot be read any more."""
    reading, _ = reader.reading(row)
    if not isinstance(reading, Reading):
        return None
    repository, path = row["repository"], row["path"]
    assembly = reader.tools.of(repository).assembly.knowing(path, unpack_feed(row["feed"]))
    found = assembly.contributions(path, reading)
    return [_Member(repository, contribution) for other, contribution in found if other == key]


def _said_end(end: End) -> Row:
    return said("end", end.pair, int(end.sends), payload=end.told)


def pair_up(job: Job) -> Stage:
    """SAID, the ends of a pair together and in order, to SAID: `channel_pairs` written."""

    def stage(given: Given) -> Batches:
        with job.sink.writing() as tables:
            tables.add_rows(CHANNEL_PAIRS, _paired(rows(given)))
            yield from told("part", tables.finish())

    return stage


def _paired(given: Iterable[Values]) -> Iterator[Row]:
    for pair, members in groupby(given, key=itemgetter("key")):
        yield from meet(End(pair, bool(row["order"]), row["payload"]) for row in members)
