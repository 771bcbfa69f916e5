"""What runs on executors: the engine's stages as functions from Arrow batches to Arrow batches.

Each stage is given one `Job`, from whose setup a process builds what it needs once and keeps it.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Final

from pyspark.sql.types import BinaryType, BooleanType, StructType

from mqlint.engine.assemble import Feed, fed_path
from mqlint.engine.reading import Reading
from mqlint.estate.io.index import index_writer
from mqlint.estate.io.sources import LISTED
from mqlint.estate.stages.claims import settle
from mqlint.estate.stages.context import Job, worker_context
from mqlint.estate.stages.documents import (
    Document,
    DocumentReader,
    Identified,
    document_reader,
    pack_feed,
)
from mqlint.estate.stages.frame import Stage
from mqlint.estate.stages.messages import SAID, said, told
from mqlint.estate.tables.batches import Batches, Given, Values, batches, rows
from mqlint.estate.tables.schema import FILES, Row, number, struct, text, without_labels
from mqlint.source.read import Unreadable

FEED, DOCUMENT = 0, 1
"""The order of rows of one path: how it is fed before what it is."""

PART = "part"

IDENTIFIED: Final = struct(
    repository=text,
    path=text,
    bucket=text,
    stamp=text,
    place=text,
    at=BinaryType(),
    part=text,
    facts=text,
    document=text,
    read=BooleanType(),
    data=BinaryType(),
)
"""Documents whose bytes are known: `facts` is the key of what they say, blank where that is
nothing; `document` is what is known of them, as JSON; `read` tells that they were read for it.
`data` are the bytes where they may be needed and are not too many."""

DOCUMENTS: Final = StructType(
    [
        *without_labels(FILES).fields,
        *struct(bucket=text, stamp=text, place=text, at=BinaryType(), part=text).fields,
        *struct(facts=text, document=text, read=BooleanType(), parsed=BooleanType()).fields,
    ]
)
"""The table `files`, with what the stages to come and the next scan want to know."""

FEEDS: Final = struct(
    path=text,
    order=number,
    script=text,
    turn=number,
    queue_manager=text,
    repository=text,
    place=text,
    at=BinaryType(),
    part=text,
    document=text,
)
"""How files are fed, and the documents behind that: rows of a path in the order of scripts."""

_FILES: Final = without_labels(FILES).names

PARTS: Final = struct(
    kind=text,
    key=text,
    path=text,
    repository=text,
    facts=text,
    place=text,
    at=BinaryType(),
    part=text,
    feed=text,
    payload=text,
)
"""`part`: a document for the queue manager `key`, and how it is fed, as JSON; `finding`: what a
reader reported; `ignores`: the comments of a file that suppress findings."""

COUNTED: Final = ("files", "commands", "understood", "read", "parsed")
"""What is counted of files that are alike in their repository, status, language and reason."""


def census(given: Given) -> Batches:
    """LISTED to its `config` rows, and rows of kind `count`: how many documents there are."""
    found, count = [], 0
    for row in rows(given):
        count += row["kind"] in ("file", "fault")
        if row["kind"] == "config":
            found.append(tuple(row[name] for name in LISTED.names))
    told = ("count", "", "", "", "", "sent", b"", "", None, str(count))
    return batches([*found, told], LISTED)


def identify(job: Job) -> Stage:
    """LISTED, with what was known beside what is there, to IDENTIFIED: what is new is read."""

    def stage(given: Given) -> Batches:
        return batches(_identified(rows(given), job), IDENTIFIED)

    return stage


def _identified(given: Iterable[Values], job: Job) -> Iterator[Row]:
    with document_reader(job) as reader:
        for _, members in groupby(given, key=itemgetter("repository", "path")):
            known: Values | None = None
            for row in sorted(members, key=lambda row: row["kind"] != "known"):
                if row["kind"] == "known":
                    known = row
                    continue
                found = _identify(row, known, reader)
                if found is not None:
                    yield _identified_row(row, found)


def _identify(row: Values, known: Values | None, reader: DocumentReader) -> Identified | None:
    if row["kind"] == "fault":
        return Identified(Document.unread(row["said"]))
    if reader.tools.of(row["repository"]).excludes(row["path"]):
        return None
    same = known is not None and row["stamp"] != "" and row["stamp"] == known["stamp"]
    before = Document.unpacked(known["said"]) if known is not None else None
    return reader.identify(row, before, same=same)


def _identified_row(row: Values, found: Identified) -> Row:
    document = found.document
    where = (row["place"], row["at"], row["part"])
    head = (row["repository"], row["path"], row["bucket"], row["stamp"], *where)
    return *head, document.facts, document.packed(), found.read, found.data


def parse(job: Job) -> Stage:
    """IDENTIFIED, sorted by facts, to DOCUMENTS: of equal documents the first is parsed."""

    def stage(given: Given) -> Batches:
        return batches(_parsed(rows(given), job), DOCUMENTS)

    return stage


def _parsed(given: Iterable[Values], job: Job) -> Iterator[Row]:
    with document_reader(job) as reader:
        for facts, members in groupby(given, key=itemgetter("facts")):
            reading: Reading | Unreadable | None = None
            for row in members:
                document, parsed = Document.unpacked(row["document"]), False
                if facts and document.told != reader.told(row["repository"]):
                    if not isinstance(reading, Reading):
                        reading, parsed = reader.reading(row)
                    if isinstance(reading, Reading):
                        document = reader.whole(row, document, reading)
                    else:
                        document = Document.unread(reading.reason)
                yield _document_row(row, document, parsed)


def _document_row(row: Values, document: Document, parsed: bool) -> Row:
    feeds = [{"file": file, "queue_manager": name} for file, name in document.feeds]
    return (
        *(row["repository"], row["path"], document.status, document.language),
        *(document.encoding, document.reason, document.digest),
        *(document.commands, document.understood, feeds),
        *(row["bucket"], row["stamp"], row["place"], row["at"], row["part"]),
        *(document.facts, document.packed(), row["read"], parsed),
    )


def account(job: Job) -> Stage:
    """DOCUMENTS to SAID: all counted, and the table `files` and what the next scan asks written."""

    def stage(given: Given) -> Batches:
        counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        with job.sink.writing() as tables, index_writer(job.keep) as known:
            for batch in given:
                documents = batch.to_pylist()
                tables.add("files", batch.select(_FILES))
                for some in batches(map(_known, documents), LISTED):
                    known.add(job.sink.stamp.scan, some)
                for row in documents:
                    _count(row, counts)
            yield from told("part", tables.finish())
            yield from told("known", known.finish())
        yield from batches(_alike(counts), SAID)

    return stage


def _known(row: Values) -> Row:
    head = ("known", row["repository"], row["path"], row["bucket"], row["stamp"])
    return *head, "sent", b"", "", None, row["document"]


def _count(row: Values, counts: Mapping[tuple[str, ...], Counter[str]]) -> None:
    alike = (row["repository"], row["status"], row["language"] or "", row["reason"] or "")
    counts[alike].update(
        files=1,
        commands=row["commands"] or 0,
        understood=row["understood"] or 0,
        read=int(row["read"]),
        parsed=int(row["parsed"]),
    )


def _alike(counts: Mapping[tuple[str, ...], Counter[str]]) -> Iterator[Row]:
    for (repository, *words), found in sorted(counts.items()):
        payload = json.dumps([*words, *(found[name] for name in COUNTED)])
        yield said("alike", repository=repository, payload=payload)


def spread(given: Given) -> Batches:
    """DOCUMENTS that are checked to FEEDS: each, and the files that it feeds to runmqsc."""
    return batches((one for row in rows(given) for one in _spread(row)), FEEDS)


def _spread(row: Values) -> Iterator[Row]:
    place = (row["repository"], row["place"], row["at"], row["part"], row["document"])
    yield row["path"], DOCUMENT, "", 0, "", *place
    prefix = f"{row['repository']}/" if row["repository"] else ""
    for turn, one in enumerate(row["feeds"]):
        path = fed_path(row["path"], one["file"])
        if path.startswith(prefix):
            nowhere = (row["repository"], "sent", b"", "", "")
            yield path, FEED, row["path"], turn, one["queue_manager"], *nowhere


def assign(job: Job) -> Stage:
    """FEEDS, sorted, to PARTS: a row for each queue manager a file speaks of, and findings."""

    def stage(given: Given) -> Batches:
        return batches(_assigned(rows(given), job), PARTS)

    return stage


def _assigned(given: Iterable[Values], job: Job) -> Iterator[Row]:
    with document_reader(job) as reader:
        for _, members in groupby(given, key=itemgetter("path")):
            feed: Feed | None = None
            for row in members:
                if row["order"] == DOCUMENT:
                    yield from _parts(row, feed, reader)
                elif feed is None:
                    feed = Feed(row["script"], row["turn"], row["queue_manager"])


def _parts(row: Values, feed: Feed | None, reader: DocumentReader) -> Iterator[Row]:
    document = Document.unpacked(row["document"])
    row = {**row, "facts": document.facts}
    if feed is not None:
        document = _fed(row, document, feed, reader)
    repository, path = row["repository"], row["path"]
    head = (path, repository, document.facts, row["place"], row["at"], row["part"])
    fed = pack_feed(feed)
    for finding in document.reported:
        yield "finding", path, *head, fed, finding
    if document.ignores is not None:
        yield "ignores", path, *head, fed, document.ignores
    for key in document.keys:
        yield PART, key, *head, fed, ""


def _fed(row: Values, document: Document, feed: Feed, reader: DocumentReader) -> Document:
    """What a document says once it is known how it is fed, where that makes a difference."""
    path, assembly = row["path"], reader.tools.of(row["repository"]).assembly
    if assembly.knowing(path, feed).owner(path, None) == assembly.owner(path, None):
        return document
    reading, _ = reader.reading(row)
    return reader.fed(row, document, reading, feed) if isinstance(reading, Reading) else document


def decide(job: Job) -> Stage:
    """SAID, claims and partial summaries sorted by policy, key and order, to SAID: findings."""

    def stage(given: Given) -> Batches:
        tools = worker_context(job.setup)
        found = settle(rows(given), lambda name: tools.of(name).rulebook.policies_by_id)
        told = (said("finding", repository=name, payload=packed) for name, packed in found)
        return batches(told, SAID)

    return stage
