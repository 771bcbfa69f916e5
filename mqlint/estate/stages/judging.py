"""Queue managers, one after the other: built and judged, or taken from the cache."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from operator import attrgetter
from secrets import token_hex
from typing import Final

import pyarrow as pa

from mqlint.dataclass import NamedTuple, frozen
from mqlint.engine.assembly.building import describe, described, suppose
from mqlint.engine.assembly.contribution import Contribution, in_order
from mqlint.engine.assembly.relations import Relations
from mqlint.engine.projections import (
    CHANNEL_PAIRS,
    PROJECTIONS,
    End,
    JudgedQueueManager,
    ends_of,
    pair_rows,
)
from mqlint.estate.stages.claims import claim_rows, pack_claims
from mqlint.estate.stages.comparison import claims_message
from mqlint.estate.stages.context import Job, RepositoryContext, digest_of
from mqlint.estate.stages.documents import (
    DocumentReader,
    document_reader,
    unpacked_key,
)
from mqlint.estate.stages.judgements import verdict_rows
from mqlint.estate.stages.messages import MESSAGES, Message, counted, finding_message, parts_written
from mqlint.estate.stages.sorting import stream_reader, stream_writer
from mqlint.estate.stages.steps import PART, PartRow
from mqlint.estate.tables.batches import Batches, InputBatches, batch_stage, batches, records
from mqlint.estate.tables.schema import JUDGEMENTS, TABLES, Row, without_labels
from mqlint.estate.tables.writer import TaskFiles
from mqlint.model.core.key import QueueManagerKey
from mqlint.model.facts.registry import Facts
from mqlint.policy.run.judge import Judgement, judge_queue_manager
from mqlint.policy.run.waiting import Waiting
from mqlint.source.fault import why_unjudged
from mqlint.source.read import Unreadable

_SCHEMAS: Final = {name: without_labels(TABLES[name]) for name in (*PROJECTIONS, JUDGEMENTS)}
_TABLES: Final = b"tables"


@frozen
class _Outcome:
    """The result for one queue manager: messages, rows of tables, and its claims, packed.

    It is `whole` unless a document of the queue manager could not be read again, or the queue
    manager could not be checked: then it is not cached.
    """

    messages: list[pa.RecordBatch]
    tables: Mapping[str, list[pa.RecordBatch]]
    claims: bytes | None = None
    whole: bool = True

    def packed(self) -> bytes:
        """All but claims in one piece: streams of Arrow, of which the first names the others."""
        sink = pa.BufferOutputStream()
        names = {_TABLES: " ".join(self.tables)}
        _write(sink, MESSAGES.with_metadata(names), self.messages)
        for name, found in self.tables.items():
            _write(sink, _SCHEMAS[name], found)
        return bytes(sink.getvalue())

    @classmethod
    def unpacked(cls, data: bytes) -> _Outcome:
        """What this very program packed: the digest of its code is part of the key."""
        source = pa.BufferReader(data)
        messages, schema = _read(source)
        names = schema.metadata[_TABLES].decode().split()
        return cls(messages, {name: _read(source)[0] for name in names})


def _write(sink: pa.BufferOutputStream, schema: pa.Schema, given: list[pa.RecordBatch]) -> None:
    with stream_writer(sink, schema) as writer:
        for batch in given:
            writer.write_batch(batch.replace_schema_metadata(schema.metadata))


def _read(source: pa.BufferReader) -> tuple[list[pa.RecordBatch], pa.Schema]:
    with stream_reader(source) as stream:
        return list(stream), stream.schema


class _Member(NamedTuple):
    """A contribution to a queue manager, and the repository of its document."""

    repository: str
    contribution: Contribution


@batch_stage(MESSAGES)
def judge(given: InputBatches, job: Job) -> Batches:
    """PARTS, sorted by kind and key, to MESSAGES; the rows of tables are written."""
    with document_reader(job) as reader, job.sink.writing() as tables:
        yield from _judged(records(given, PartRow), reader, tables, job.sink.tables)
        yield from parts_written(tables.finish())


def _judged(
    given: Iterable[PartRow], reader: DocumentReader, tables: TaskFiles, wanted: Sequence[str]
) -> Batches:
    counts: Counter[str] = Counter()
    for (kind, key), members in groupby(given, key=attrgetter("kind", "key")):
        if kind == PART:
            outcome = _queue_manager(key, list(members), reader, wanted, counts)
            yield from outcome.messages
            for table, found in outcome.tables.items():
                for batch in found:
                    tables.add(table, batch)
        else:
            forwarded = (
                Message(kind, key=row.key, repository=row.repository, payload=row.payload)
                for row in members
            )
            yield from batches(forwarded, MESSAGES)
    yield from counted(counts)


def _queue_manager(
    key: str,
    members: list[PartRow],
    reader: DocumentReader,
    wanted: Sequence[str],
    counts: Counter[str],
) -> _Outcome:
    """The result for one queue manager; that of the scan before if nothing has changed.

    An internal fault costs this queue manager, and not the others.
    """
    name = _judgement_key(key, members, reader, wanted)
    cached = reader.cache.get("judged", name)
    is_whole = cached is not None and reader.cache.get("claims", name) is not None
    outcome = _Outcome.unpacked(cached) if cached is not None and is_whole else None
    if outcome is None:
        try:
            outcome = _outcome(unpacked_key(key), members, reader, wanted)
            counts["judged"] += 1
        except (OSError, MemoryError):  # the disk or the memory, not this queue manager
            raise
        except Exception as error:
            outcome = _unjudged(unpacked_key(key), members, error)
            counts["unjudged"] += 1
        if outcome.claims is not None:
            at = name if outcome.whole else token_hex(32)
            reader.cache.put("claims", at, outcome.claims)
            named = claims_message(at, outcome.claims)
            outcome.messages.extend(batches([named], MESSAGES))
        if outcome.whole:
            reader.cache.put("judged", name, outcome.packed())
    counts["seen"] += 1
    return outcome


def _unjudged(key: QueueManagerKey, members: Iterable[PartRow], error: Exception) -> _Outcome:
    reason = why_unjudged(key.name, error)
    faults = (_fault(row, reason) for row in members)
    return _Outcome(list(batches(faults, MESSAGES)), {}, whole=False)


def _fault(row: PartRow, reason: str) -> Message:
    return Message("fault", key=row.path, repository=row.repository, payload=reason)


def _judgement_key(
    key: str, members: list[PartRow], reader: DocumentReader, wanted: Sequence[str]
) -> str:
    """The digest of all that a judgement of one queue manager depends on."""
    context = reader.context
    identity = unpacked_key(key)
    names = sorted({row.repository for row in members})
    settings = [context.of(name).setup.digest for name in names]
    documents = sorted(f"{row.path}\0{row.facts}\0{row.owners}" for row in members)
    known = [_judged_with(identity, reader.assembly(name).relations) for name in names]
    parts = (*names, *settings, *known, *documents)
    return digest_of(key, context.setup.judging, " ".join(wanted), *parts)


def _judged_with(key: QueueManagerKey, relations: Relations) -> str:
    """The documents of a repository about a queue manager that is judged with it."""
    is_sole = key.anonymous and key.name == relations.owners.sole
    return repr((is_sole, sorted(relations.shared or ()), sorted(relations.found_sites.items())))


def _outcome(
    key: QueueManagerKey, members: list[PartRow], reader: DocumentReader, wanted: Sequence[str]
) -> _Outcome:
    """The result for one queue manager, worked out."""
    given, faults = _contributions(key, members, reader)
    if not given:
        return _Outcome(list(batches(faults, MESSAGES)), {}, pack_claims(()), whole=not faults)
    home = _home_of(given)
    contributions = [member.contribution for member in given]
    with described(reader.assembly(home), key, contributions) as descriptions:
        judged = JudgedQueueManager(home, key, contributions, descriptions[0])
        return _judged_as(judged, given, descriptions, reader, wanted, faults)


def _judged_as(
    judged: JudgedQueueManager,
    given: Sequence[_Member],
    descriptions: Sequence[Facts],
    reader: DocumentReader,
    wanted: Sequence[str],
    faults: Sequence[Message],
) -> _Outcome:
    """The result for a queue manager that is described; `faults` are of documents that are not."""
    home, key, contributions = judged.repository, judged.key, judged.given
    context = reader.context.of(home)
    supposed = [*suppose(reader.assembly(home), key, contributions)]
    waiting = Waiting(context.setup.settings)
    judgement = judge_queue_manager(
        context.rulebook.index, descriptions, context.grading, supposed, waiting=waiting
    )
    describing = {member.repository for member in given if not member.contribution.is_of_client}
    for name in sorted(describing - {home}):
        if reader.context.of(name).setup.digest != context.setup.digest:
            _make_stricter(judgement, _judged_by(name, reader, key, contributions))
    tables = _tables(judged, wanted)
    if JUDGEMENTS in wanted and judged.named is not None:
        verdicts = context.verdicts(descriptions[0], judgement.findings.values(), waiting.rules())
        rows = verdict_rows(judged, verdicts)
        tables |= _nonempty(JUDGEMENTS, rows)
    ends = ends_of(judged) if CHANNEL_PAIRS in wanted else ()
    guests = sorted({member.repository for member in given} - {home})
    judgements = [(judgement, home, context)]
    for name in guests:
        guest = reader.context.of(name)
        if guest.rulebook.own:
            judgements.append((_judged_by_guest(guest, descriptions, supposed), name, guest))
    others = [
        *faults,
        *(
            finding_message(finding, name)
            for judgement, name, _ in judgements
            for finding in judgement.findings.values()
        ),
        *(
            Message("waiting", key=need, repository=home, payload=" ".join(rules))
            for need, rules in waiting.rules().items()
        ),
        *(Message("end", key=end.pair, order=int(end.sends), payload=end.cells) for end in ends),
    ]
    claims = chain.from_iterable(
        claim_rows(judgement, name, owner.rulebook) for judgement, name, owner in judgements
    )
    packed = pack_claims(claims)
    return _Outcome(list(batches(others, MESSAGES)), tables, packed, whole=not faults)


def _contributions(
    key: QueueManagerKey, members: list[PartRow], reader: DocumentReader
) -> tuple[list[_Member], list[Message]]:
    """What documents contribute to a queue manager, and those that cannot be read again."""
    given: list[_Member] = []
    faults: list[Message] = []
    for row in members:
        split = reader.split(row, row.facts)
        if isinstance(split, Unreadable):
            faults.append(_fault(row, split.reason))
        else:
            given += (_Member(row.repository, found) for found in split.get(key, ()))
    return given, faults


def _home_of(given: list[_Member]) -> str:
    """The repository that says how a queue manager is judged.

    An application of another repository does not say that.
    """
    ordered = in_order(member.contribution for member in given)
    first = next((found for found in ordered if not found.is_of_client), ordered[0])
    return next(member.repository for member in given if member.contribution is first)


def _tables(judged: JudgedQueueManager, wanted: Sequence[str]) -> dict[str, list[pa.RecordBatch]]:
    """The rows of a queue manager in the tables that are wanted, without those that have none."""
    tables: dict[str, list[pa.RecordBatch]] = {}
    for name, project in PROJECTIONS.items():
        if name in wanted:
            tables |= _nonempty(name, project(judged))
    return tables


def _nonempty(table: str, rows: Iterable[Row]) -> dict[str, list[pa.RecordBatch]]:
    found = list(batches(rows, _SCHEMAS[table]))
    return {table: found} if found else {}


def _judged_by(
    name: str, reader: DocumentReader, key: QueueManagerKey, contributions: list[Contribution]
) -> Judgement:
    """The findings of the common policies by the settings of a repository that is not the first."""
    context, assembly = reader.context.of(name), reader.assembly(name)
    own = context.rulebook.own
    index = context.rulebook.index.only(lambda policy: policy.id not in own, "shared")
    descriptions = describe(assembly, key, contributions)
    supposed = [*suppose(assembly, key, contributions)]
    return judge_queue_manager(index, descriptions, context.grading, supposed)


def _make_stricter(judgement: Judgement, other: Judgement) -> None:
    """Add what another judgement of the queue manager finds besides, or finds more severe.

    So no repository lowers what another one that describes the queue manager demands.
    """
    for which, finding in other.findings.items():
        found = judgement.findings.get(which)
        if found is None or finding.severity > found.severity:
            judgement.findings[which] = finding
    for identity, claim in other.pending.items():
        made = judgement.pending.get(identity)
        if made is None or claim.draft.severity > made.draft.severity:
            judgement.pending[identity] = claim


def _judged_by_guest(
    context: RepositoryContext, descriptions: Sequence[Facts], supposed: Sequence[Facts]
) -> Judgement:
    """What the own policies of another repository that describes the queue manager find."""
    index = context.rulebook.own_index
    return judge_queue_manager(index, descriptions, context.grading, supposed)


@batch_stage(MESSAGES)
def pair_up(given: InputBatches, job: Job) -> Batches:
    """MESSAGES, the ends of a pair together and in order; the table `channel_pairs` is written."""
    with job.sink.writing() as tables:
        tables.add_rows(CHANNEL_PAIRS, _paired(records(given, Message)))
        yield from parts_written(tables.finish())


def _paired(given: Iterable[Message]) -> Iterator[Row]:
    for pair, members in groupby(given, key=attrgetter("key")):
        yield from pair_rows(End(pair, bool(row.order), row.payload or "") for row in members)
