"""Stages that run on executors, as functions from Arrow batches to Arrow batches.

Each stage gets one `Job`, from whose setup a process builds what it needs once and keeps it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from contextlib import closing
from dataclasses import asdict
from itertools import groupby, repeat
from operator import attrgetter
from typing import Final

from mqlint.dataclass import NamedTuple
from mqlint.engine.assembly.addressing import Address
from mqlint.engine.assembly.copies import live_by_name
from mqlint.engine.assembly.links import Links
from mqlint.engine.document.reading import Reading
from mqlint.engine.document.unjudged import with_awaited
from mqlint.estate.io.index import index_of_files
from mqlint.estate.io.sources import LISTED, ListedFile, repository_of
from mqlint.estate.stages.claims import ClaimRow, settle
from mqlint.estate.stages.context import Job, digest_of, worker_context
from mqlint.estate.stages.documents import (
    DOCUMENTS,
    DocumentReader,
    DocumentRecord,
    DocumentRow,
    document_reader,
    identified,
    packed_key,
)
from mqlint.estate.stages.messages import MESSAGES, Message, counted, parts_written
from mqlint.estate.stages.relations import BETWEEN, LINKS, LinksRow
from mqlint.estate.tables.batches import (
    Batches,
    InputBatches,
    batch_stage,
    batches,
    records,
    row_stage,
    schema_of,
)
from mqlint.estate.tables.schema import JUDGEMENTS, Row
from mqlint.estate.tables.writer import TaskFiles
from mqlint.source.read import Unreadable

PART = "part"


class PartRow(NamedTuple):
    """A part of a document; `kind` says for whom.

    `part`: the document is about the queue manager `key`; `owners` is a digest of whose it is,
    blank if other documents have no part in that. `finding`: what a reader reported. `ignores`: the
    comments of a file that suppress findings.
    """

    kind: str
    key: str
    path: str
    repository: str
    facts: str
    place: str
    owners: str
    payload: str


PARTS: Final = schema_of(PartRow)


@row_stage(ListedFile, LISTED)
def census(given: Iterable[ListedFile]) -> Iterator[ListedFile]:
    """LISTED to `config` and `note`, how many documents (`count`), and one `source` if any."""
    count, is_split = 0, False
    for row in given:
        count += row.kind in ("file", "fault", "link")
        is_split |= row.kind == "source"
        if row.kind in ("config", "note"):
            yield row
    yield ListedFile("count", detail=str(count))
    if is_split:
        yield ListedFile("source")


@row_stage(ListedFile, LISTED)
def divide(given: Iterable[ListedFile], names: Container[str]) -> Iterator[ListedFile]:
    """LISTED, each file with the innermost repository that it is in; `names` are all of them."""
    return (row._replace(repository=repository_of(row.path, names)) for row in given)


@row_stage(ListedFile, DOCUMENTS)
def identify(given: Iterable[ListedFile], job: Job) -> Iterator[DocumentRow]:
    """LISTED, with what was known beside what is there, to DOCUMENTS: what is new is read."""
    with document_reader(job) as reader:
        for _, members in groupby(given, key=attrgetter("repository", "path")):
            known: ListedFile | None = None
            for row in sorted(members, key=lambda row: row.kind != "known"):
                if row.kind == "known":
                    known = row
                    continue
                found = _identify(row, known, reader)
                if found is not None:
                    yield found


def _identify(
    row: ListedFile, known: ListedFile | None, reader: DocumentReader
) -> DocumentRow | None:
    if row.kind == "fault":
        return identified(row, DocumentRecord.unread(row.detail))
    if reader.context.excludes(row.repository, row.path):
        return None
    if row.kind == "link":
        return identified(row, DocumentRecord("not-recognised", reason=row.detail))
    same = known is not None and row.stamp != "" and row.stamp == known.stamp
    before = DocumentRecord.unpacked(known.detail) if known is not None else None
    return reader.identify(row, before, same=same)


@row_stage(DocumentRow, DOCUMENTS)
def parse(given: Iterable[DocumentRow], job: Job) -> Iterator[DocumentRow]:
    """DOCUMENTS, sorted by facts, to the same: of equal documents the first is parsed."""
    with document_reader(job) as reader:
        for facts, members in groupby(given, key=attrgetter("facts")):
            reading: Reading | Unreadable | None = None
            for row in members:
                document, parsed = DocumentRecord.unpacked(row.document), False
                if facts and document.judged_by != reader.judged_by(row.repository):
                    if not isinstance(reading, Reading):
                        reading, parsed = reader.reading(row, facts, row.data)
                    if isinstance(reading, Reading):
                        document = reader.with_reading(row, document, reading)
                    else:
                        document = DocumentRecord.unread(reading.reason)
                yield row.about(document)._replace(parsed=parsed, data=None)


@batch_stage(MESSAGES)
def account(given: InputBatches, job: Job) -> Batches:
    """DOCUMENTS to MESSAGES; the table `files` and the index for the next scan are written."""
    counts: Counter[str] = Counter()
    draft = index_of_files(job.cache).draft(job.sink.stamp.scan)
    with job.sink.writing() as tables, closing(TaskFiles(draft.parent)) as index:
        for batch in given:
            rows = list(records([batch], DocumentRow))
            documents = [DocumentRecord.unpacked(row.document) for row in rows]
            tables.add_rows("files", map(_file_row, rows, documents, repeat(job)))
            for some in batches(map(_index_row, rows), LISTED):
                index.add(draft.name, some)
            for row in rows:
                counts.update(read=int(row.read), parsed=int(row.parsed))
        yield from parts_written(tables.finish())
        yield from parts_written(index.finish(), "index")
    yield from counted(counts)


def _file_row(row: DocumentRow, document: DocumentRecord, job: Job) -> Row:
    names = job.names.get(row.repository, frozenset())
    counts, unjudged = with_awaited(document.counts, document.unjudged, document.awaited, names)
    return (
        *(row.repository, row.path, document.status, document.language, document.encoding),
        *(document.reason, document.digest, document.commands, document.understood),
        [{"file": file, "queue_manager": name} for file, name in document.feeds],
        list(counts.items()),
        [asdict(statement) for statement in unjudged],
    )


def _index_row(row: DocumentRow) -> ListedFile:
    head = ("known", row.repository, row.path, row.bucket, row.stamp)
    return ListedFile(*head, detail=row.document)


@row_stage(DocumentRow, PARTS)
def assign(given: Iterable[DocumentRow], job: Job) -> Iterator[PartRow]:
    """DOCUMENTS that are checked to PARTS: a row for each queue manager, and findings."""
    with document_reader(job) as reader:
        for row in given:
            yield from _parts(row, reader)


def _parts(row: DocumentRow, reader: DocumentReader) -> Iterator[PartRow]:
    document, owners = _with_owners(row, DocumentRecord.unpacked(row.document), reader)
    place = (row.path, row.repository, document.facts, row.place, owners)
    for finding in document.reported:
        yield PartRow("finding", row.path, *place, finding)
    if document.ignores is not None:
        yield PartRow("ignores", row.path, *place, document.ignores)
    for key in document.keys:
        yield PartRow(PART, key, *place, "")


def _with_owners(
    row: DocumentRow, document: DocumentRecord, reader: DocumentReader
) -> tuple[DocumentRecord, str]:
    """The document once it is known whose it is, and a digest of that.

    The digest is blank if other documents make no difference.
    """
    if row.repository not in reader.relations:
        return document, ""
    alone = reader.context.of(row.repository).assembly
    assembly = reader.assembly(row.repository)
    addresses = (Address(None, open_to="all"), *BETWEEN.unpacked(document.links).addresses)
    keys = list(assembly.owners(row.path, addresses))
    about = assembly.about(row.path)
    if not about and keys == list(alone.owners(row.path, addresses)):
        return document, ""
    reading, _ = reader.reading(row, document.facts)
    if isinstance(reading, Reading):
        document = reader.with_owners(row, document, reading, assembly)
    return document, digest_of(*map(packed_key, keys), about)


@row_stage(DocumentRow, LINKS)
def links(given: Iterable[DocumentRow], job: Job) -> Iterator[LinksRow]:
    """DOCUMENTS to LINKS."""
    context = worker_context(job.setup)
    for row in given:
        document, packed = DocumentRecord.unpacked(row.document), None
        if row.status == "checked":
            settings = context.of(row.repository).setup.settings
            is_needed = not settings.queue_managers or _decides(row.path, document.links)
            packed = document.links if is_needed else ""
        yield LinksRow(row.repository, row.path, packed, document.awaits)


def _decides(path: str, packed: str) -> bool:
    """Whether other documents have to know a document although its path says whose it is."""
    found: Links = BETWEEN.unpacked(packed)
    needed = found.fed, found.wired, found.shared, found.texts, found.calls, found.resources
    return any((*needed, found.data_sets, found.named_by, live_by_name(path)))


@row_stage(ClaimRow, MESSAGES)
def decide(given: Iterable[ClaimRow], job: Job) -> Iterator[Message]:
    """CLAIMS, sorted by policy, key and order, to MESSAGES: findings."""
    context = worker_context(job.setup)
    return settle(
        given,
        lambda name: context.of(name).rulebook.policies_by_id,
        with_open=JUDGEMENTS in job.sink.tables,
    )
