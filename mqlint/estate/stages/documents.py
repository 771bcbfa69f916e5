"""One document of an estate: its record, and its reading only if it is needed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, field, replace
from typing import Final, Protocol

from mqlint.dataclass import NamedTuple, frozen, mutable
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.assembly.contribution import Contribution
from mqlint.engine.assembly.links import links_of
from mqlint.engine.document.analyse import clients_of
from mqlint.engine.document.codec import Codec
from mqlint.engine.document.pack import RECORDS, NotPackedError, from_bytes, pack_finding, to_bytes
from mqlint.engine.document.reading import Reading
from mqlint.engine.judgement.context import JudgingContext
from mqlint.engine.judgement.document_findings import document_findings
from mqlint.engine.loading.isolation import IsolatedLoader
from mqlint.engine.loading.load import Input, Loaded, Opened
from mqlint.estate.io.cache import ScanCache
from mqlint.estate.io.content import Place, Places
from mqlint.estate.io.sources import ListedFile
from mqlint.estate.stages.context import (
    Job,
    RepositoryContext,
    WorkerContext,
    digest_of,
    worker_context,
)
from mqlint.estate.stages.relations import BETWEEN, NONE
from mqlint.estate.tables.batches import schema_of
from mqlint.finding import Awaited, Unjudged
from mqlint.grouping import grouped
from mqlint.language.registry import LANGUAGES
from mqlint.model.core.key import QueueManagerKey
from mqlint.source.read import Unreadable
from mqlint.source.sniff import is_text

INLINE = 1 << 20
"""Contents of git of more bytes are read again where they are parsed, and not sent there; files
always are: the system has them in memory still, and a shuffle would copy them again and again."""

_ROOM = 50_000
"""So many statements of documents about several queue managers are split once for all of them."""


@frozen
class DocumentRecord:
    """The status of a document, and a summary of its reading.

    `facts` is the key of its reading, blank if it has none. `keys` are the queue managers it speaks
    of, `reported` the findings of readers, packed, `ignores` its comments that suppress findings,
    packed. `links` are what other documents may have to know of it, packed. `reads` and `judged_by`
    are digests of what the reading, and then the rest, depend on besides the bytes.
    """

    status: str = "checked"
    language: str | None = None
    encoding: str | None = None
    reason: str | None = None
    digest: str | None = None
    commands: int = 0
    understood: int = 0
    feeds: tuple[tuple[str, str], ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    unjudged: tuple[Unjudged, ...] = ()
    awaited: tuple[Awaited, ...] = ()
    keys: tuple[str, ...] = ()
    reported: tuple[str, ...] = ()
    ignores: str | None = None
    links: str = ""
    facts: str = ""
    reads: str = ""
    judged_by: str = ""

    @classmethod
    def unread(cls, reason: str) -> DocumentRecord:
        """Return a document that could not be read."""
        return cls("unreadable", reason=reason)

    @classmethod
    def unpacked(cls, packed: str) -> DocumentRecord:
        document: DocumentRecord = _DOCUMENTS.unpacked(packed)
        return document

    def packed(self) -> str:
        return _DOCUMENTS.packed(self)

    @property
    def awaits(self) -> str:
        """The names of the files that it uses, in lower case, a slash between."""
        return "/".join(sorted({awaited.name.casefold() for awaited in self.awaited} - {""}))


_DOCUMENTS: Final = Codec(DocumentRecord, Unjudged, Awaited)


class DocumentRow(NamedTuple):
    """A document whose bytes are known.

    `facts` is the key of its reading, blank if it has none; `document` is what is known of it, as
    JSON; `read` and `parsed` are true if it was for that. `data` are the bytes where they may be
    needed and are not too many.
    """

    repository: str
    path: str
    bucket: str
    stamp: str
    place: str
    facts: str
    status: str
    document: str
    read: bool
    parsed: bool = False
    data: bytes | None = None

    def about(self, document: DocumentRecord) -> DocumentRow:
        """Return the row with what is known of its document."""
        return self._replace(
            facts=document.facts, status=document.status, document=document.packed()
        )


DOCUMENTS: Final = schema_of(DocumentRow)


def identified(
    row: ListedFile, document: DocumentRecord, *, read: bool = False, data: bytes | None = None
) -> DocumentRow:
    """Return a document: whether its bytes were read for that, and those to send on."""
    place = row.repository, row.path, row.bucket, row.stamp, row.place
    return DocumentRow(*place, "", "", "", read=read, data=data).about(document)


Split = Mapping[QueueManagerKey, Sequence[Contribution]]


class Located(Protocol):
    """A row that says where the bytes of a document are."""

    @property
    def repository(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def place(self) -> str: ...


@mutable
class DocumentReader:
    """Reads documents in the context of a process, and caches what they say.

    `relations` are those of the job.
    """

    context: WorkerContext
    cache: ScanCache
    relations: Mapping[str, str] = field(default_factory=dict)
    places: Places = field(default_factory=Places)
    guard: IsolatedLoader = field(init=False)
    _assemblies: dict[str, Assembly] = field(default_factory=dict)
    _splits: dict[tuple[str, str], Split] = field(default_factory=dict)
    _split_statements: int = 0

    def __post_init__(self) -> None:
        self.guard = IsolatedLoader(self.context.analyser)

    def assembly(self, repository: str) -> Assembly:
        """Return the assembly of a repository, with what its documents say about each other."""
        found = self._assemblies.get(repository)
        if found is None:
            packed = self.relations.get(repository)
            relations = NONE if packed is None else BETWEEN.unpacked(packed)
            found = self.context.of(repository).assembly.related(relations)
            self._assemblies[repository] = found
        return found

    def identify(self, row: ListedFile, known: DocumentRecord | None, *, same: bool) -> DocumentRow:
        """Find out what a listed file is; `same` is true if its bytes are those that are `known`.

        Its language is found, and nothing of it parsed.
        """
        repository = self.context.of(row.repository)
        wrong = repository.setup.faults.get(row.path) or repository.setup.fault
        if wrong:
            return identified(row, DocumentRecord.unread(wrong))
        reads = self._reads(repository, row.path)
        if same and known is not None and known.reads == reads and self._is_cached(row, known):
            return identified(row, known)
        path = repository.assembly.placement.own(row.path)
        if not is_text(path, b""):  # by its name: no key store is ever read
            return identified(row, DocumentRecord("not-recognised", reason="not a text file"))
        data = row.data if row.data is not None else self.places.read(Place.unpacked(row.place))
        if isinstance(data, Unreadable):
            return identified(row, DocumentRecord.unread(data.reason))
        found = self.guard.opened(Input(path, data=data, language=self._language(row)))
        if isinstance(found, Loaded):
            file = found.coverage
            if file.status == "unreadable":
                return identified(row, DocumentRecord.unread(file.reason or ""))
            document = DocumentRecord(file.status, file.language, file.encoding, file.reason)
            return identified(row, replace(document, reads=reads), read=True)
        facts = self._facts(repository, row.path, found)
        sent = self._must_be_sent(row, facts, len(data))
        if known is not None and known.facts == facts:
            document = replace(known, reads=reads, judged_by="" if sent else known.judged_by)
        else:
            head = (found.language, found.document.decoded.encoding, None, found.document.digest)
            document = DocumentRecord("checked", *head, facts=facts, reads=reads)
        return identified(row, document, read=True, data=data if sent else None)

    def with_reading(
        self, row: Located, document: DocumentRecord, reading: Reading
    ) -> DocumentRecord:
        ignores = reading.suppressions
        assembly = self.context.of(row.repository).assembly
        document = replace(
            document,
            reason="; ".join(reading.limits) or None,
            commands=reading.commands,
            understood=reading.understood,
            feeds=reading.fed,
            counts=reading.counts,
            unjudged=reading.unjudged,
            awaited=reading.awaited,
            ignores=RECORDS.packed(ignores) if ignores else None,
            links=BETWEEN.packed(links_of(row.path, reading, assembly)),
            judged_by=self.judged_by(row.repository),
        )
        return self.with_owners(row, document, reading, assembly)

    def with_owners(
        self, row: Located, document: DocumentRecord, reading: Reading, assembly: Assembly
    ) -> DocumentRecord:
        """Return a document with what depends on whose it is, as `assembly` knows it."""
        repository, path = self.context.of(row.repository), row.path
        keys = sorted({key for key, _ in assembly.contributions(path, reading)})
        found = document_findings(
            path, reading, JudgingContext(assembly, repository.rulebook, repository.grading)
        )
        return replace(
            document,
            keys=tuple(map(packed_key, keys)),
            reported=tuple(map(pack_finding, found)),
        )

    def judged_by(self, repository: str) -> str:
        """Return the digest of what a document's findings and queue managers depend on."""
        return digest_of(self.context.setup.judging, self.context.of(repository).setup.digest)

    def reading(
        self, row: Located, facts: str, data: bytes | Unreadable | None = None
    ) -> tuple[Reading | Unreadable, bool]:
        """Return what a document says, and whether it had to be parsed for it.

        `facts` is the key of its reading, `data` its bytes if they are here.
        """
        cached = self.cache.get("facts", facts)
        if cached is not None:
            try:
                return from_bytes(cached, self.context.analyser.parser), False
            except NotPackedError:
                pass  # parsed again
        if data is None:
            data = self.places.read(Place.unpacked(row.place))
        if isinstance(data, Unreadable):
            return data, False
        repository = self.context.of(row.repository)
        own = repository.assembly.placement.own(row.path)
        document = Input(own, data=data, language=self._language(row))
        found = self.guard.opened(document)
        if isinstance(found, Loaded) or self._facts(repository, row.path, found) != facts:
            return Unreadable("it changed while it was read"), False
        target, templates = (
            repository.assembly.target(row.path),
            repository.setup.settings.forms,
        )
        loaded = self.guard.analysed(found, document, target, templates)
        if loaded.reading is None:
            return Unreadable(loaded.coverage.reason or "it is empty"), False
        reading = loaded.reading
        self.cache.put("facts", facts, to_bytes(reading))
        return reading, True

    def split(self, row: Located, facts: str) -> Split | Unreadable:
        """Return what a document gives to each queue manager.

        A script may name hundreds of queue managers, which are judged one after the other.
        """
        place = row.path, facts
        known = self._splits.get(place)
        if known is not None:
            return known
        reading, _ = self.reading(row, facts)
        if isinstance(reading, Unreadable):
            return reading
        found = grouped(self.assembly(row.repository).contributions(row.path, reading))
        size = reading.commands + len(reading.steps) + len(reading.stanzas) + len(reading.declared)
        if len(found) > 1 and size <= _ROOM:
            if self._split_statements + size > _ROOM:
                self._splits.clear()
                self._split_statements = 0
            self._splits[place] = found
            self._split_statements += size
        return found

    def close(self) -> None:
        """Close what is open, and write what was put into the cache."""
        self.places.close()
        self.guard.close()
        self.cache.flush()

    def _language(self, row: Located) -> str:
        """The language that the settings say a file is in, or blank."""
        return self.context.of(row.repository).assembly.placement.language_of(row.path)

    def _reads(self, repository: RepositoryContext, path: str) -> str:
        """The digest of how a file is read."""
        settings = repository.setup.settings
        target = repository.assembly.target(path)
        language = repository.assembly.placement.language_of(path)
        templates = repr(settings.forms)
        return digest_of(self.context.setup.reading, repr(target), templates, language)

    def _facts(self, repository: RepositoryContext, path: str, found: Opened) -> str:
        """The key of a reading: equal for documents that say the same."""
        document, language = found.document, found.language
        kind, forms, path = LANGUAGES[language], repository.setup.settings.forms, document.path
        name = path.rpartition("/")[2] if kind.by_name else path if kind.by_path else ""
        clients = repr(clients_of(path, forms))
        parts = (document.digest, language, document.decoded.encoding, name, clients)
        return digest_of(*parts, self._reads(repository, path))

    def _is_cached(self, row: ListedFile, known: DocumentRecord) -> bool:
        """Whether what a document says need not be worked out while its bytes are here."""
        here = row.data is not None
        return not here or not known.facts or self.cache.has("facts", known.facts)

    def _must_be_sent(self, row: ListedFile, facts: str, size: int) -> bool:
        """Whether the bytes go on to be parsed: not where they are known or soon read there."""
        if self.cache.has("facts", facts):
            return False
        kind = Place.unpacked(row.place).kind
        return kind in ("archive", "object", "sent") or (kind == "git" and size <= INLINE)


@contextmanager
def document_reader(job: Job) -> Iterator[DocumentReader]:
    """Give a reader in this process's context; what it opens is closed."""
    reader = DocumentReader(worker_context(job.setup), ScanCache(job.cache), job.relations)
    try:
        yield reader
    finally:
        reader.close()


def packed_key(key: QueueManagerKey) -> str:
    return json.dumps(astuple(key))


def unpacked_key(packed: str) -> QueueManagerKey:
    return QueueManagerKey(*json.loads(packed))
