"""The scan: sources to documents to queue managers to findings and tables, stage by stage.

It is written in frames, which are Spark's or this process's: both go one way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Protocol

import pyarrow.parquet as parquet

from mqlint.dataclass import frozen, names_of
from mqlint.estate.history.first_seen import first_seen
from mqlint.estate.history.store import HISTORY, Draft, Manifest, drafting
from mqlint.estate.io.cache import ScanCache
from mqlint.estate.io.index import index_folder, replace_index
from mqlint.estate.io.sources import (
    LISTED,
    SOURCES,
    ListedFile,
    Source,
    list_sources,
    row_of,
)
from mqlint.estate.stages import steps
from mqlint.estate.stages.audit import About
from mqlint.estate.stages.collect import Configuration, ScanFindings, collect
from mqlint.estate.stages.context import Job, Setup
from mqlint.estate.stages.frame import Engine, Frame
from mqlint.estate.stages.judgements import Settlement
from mqlint.estate.stages.judging import judge, pair_up
from mqlint.estate.stages.messages import ACCOUNTS, MESSAGES, Account, Message
from mqlint.estate.stages.relations import LINKS, left_open, relate
from mqlint.estate.stages.results import Results, sizes_of
from mqlint.estate.tables.batches import records, rows
from mqlint.estate.tables.schema import TABLES
from mqlint.finding import Checked, Coverage, FileCoverage, Finding, Unjudged, rules_waiting


class OnStage(Protocol):
    """Called when a stage begins, with its title and the number of its files, 0 if unknown."""

    def __call__(self, stage: str, total: int = 0, /) -> None: ...  # noqa: D102


def ignore_stage(stage: str, total: int = 0, /) -> None:
    """Do nothing."""


Texts = Mapping[str, bytes | None]
"""The files of a repository's own settings, by their names; None for one that cannot be had."""

Configure = Callable[[Mapping[str, Texts]], Configuration]


@frozen
class Counts:
    """How much a scan had to do: of all documents those read and those parsed, and so on.

    `unjudged` are the queue managers that could not be checked.
    """

    documents: int = 0
    checked: int = 0
    read: int = 0
    parsed: int = 0
    queue_managers: int = 0
    judged: int = 0
    unjudged: int = 0


@frozen(slots=False)
class Scan:
    """The result of a scan: findings in order of place, what was read, and the tables it left.

    `ignored` are the findings that comments in the files, and waivers, suppress; they are in no
    table.
    """

    findings: list[Finding]
    manifest: Manifest
    ignored: list[Finding]
    counts: Counts
    checked: Mapping[str, Checked]
    """By repository."""

    waiting: Mapping[str, Mapping[str, tuple[str, ...]]]
    """By repository, as of `Coverage`."""

    left_open: Sequence[str]
    """Sentences about MQSC whose queue manager is not known."""

    configuration: Configuration
    out: Path
    verdicts: Mapping[str, int]
    """How many rules of all queue managers have each verdict; none without that table."""

    @cached_property
    def coverage(self) -> Coverage:
        """What was read: rows of files not checked, or in part, read when they are asked for."""
        listed = [file for file in self.files() if _is_listed(file)]
        checked = Checked(
            sum(count.files for count in self.checked.values()),
            sum(count.commands for count in self.checked.values()),
            sum(count.understood for count in self.checked.values()),
        )
        rows = tuple(sorted(listed, key=lambda file: file.path))
        return Coverage(rows, checked.without(rows), rules_waiting(self.waiting.values()))

    def files(self) -> Iterator[FileCoverage]:
        """Yield the row of each file, in no order."""
        names = [*names_of(FileCoverage)]
        for part in (self.out / self.manifest.folder / "files").glob("*.parquet"):
            for row in rows(parquet.ParquetFile(part).iter_batches(columns=names)):
                row["counts"] = dict(row["counts"])
                row["unjudged"] = tuple(Unjudged(**found) for found in row["unjudged"])
                yield FileCoverage(**row)

    def checked_paths(self) -> Iterator[str]:
        """Yield the paths of the files that were checked, in no order."""
        return (file.path for file in self.files() if file.status == "checked")


def scan(
    engine: Engine,
    sources: Sequence[Source],
    configure: Configure,
    out: Path,
    cache: Path | None = None,
    on_stage: OnStage = ignore_stage,
    history: int = HISTORY,
    tables: Sequence[str] = tuple(TABLES),
    about: About | None = None,
) -> Scan:
    """Judge what `sources` hold, leave the tables in `out` and return what was found.

    `cache` is the folder of what one scan keeps for the next, by default in `out`; the tables of
    `history` scans stay there. `about` is what the tables for an auditor tell of the run.
    OSError when one of them cannot be written to.
    """
    out = out.absolute()
    cache = (cache or out / "cache").absolute()
    with drafting(out, tables) as draft:
        run = _Run(engine, draft, cache, on_stage)
        configuration = run.prepare(sources, configure)
        documents = run.documents()
        results = Results(draft, configuration, run.accounts, run.settlement)
        found = run.judged(documents, results.of_register)
        on_stage(f"writing {len(found.findings):,} findings")
        results.write(found, about, sources, first_seen(out))
        manifest = draft.commit(history)
        run.end()
    ScanCache(cache).forget()
    found_first = (found.findings, manifest, found.ignored, run.counts, run.checked)
    return Scan(*found_first, run.waiting, run.left_open, configuration, out, run.settlement.totals)


class _Run:
    """The steps of one scan."""

    def __init__(self, engine: Engine, draft: Draft, cache: Path, on_stage: OnStage) -> None:
        self._engine = engine
        self._draft = draft
        self._cache = cache
        self._on_stage = on_stage
        self._configuration = Configuration(Setup({}, (), {}))
        self.accounts: list[Account] = []
        self._numbers: Counter[str] = Counter()
        self._waiting: dict[str, list[Mapping[str, tuple[str, ...]]]] = defaultdict(list)
        self._frames: list[Frame] = []
        self.left_open: Sequence[str] = ()
        self.settlement = Settlement()

    @property
    def counts(self) -> Counts:
        """How much there was to do, once all is judged."""
        return Counts(
            sum(account.files for account in self.accounts),
            sum(account.files for account in self.accounts if account.status == "checked"),
            sum(account.read for account in self.accounts),
            sum(account.parsed for account in self.accounts),
            self._numbers["seen"],
            self._numbers["judged"],
            self._numbers["unjudged"],
        )

    @property
    def checked(self) -> Mapping[str, Checked]:
        """By repository, how much was checked."""
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for account in self.accounts:
            if account.status == "checked":
                counts[account.repository].update(sizes_of(account))
        return {name: Checked(**found) for name, found in counts.items()}

    @property
    def waiting(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """By repository, the rules that need more configuration."""
        return {name: rules_waiting(found) for name, found in self._waiting.items()}

    @cached_property
    def _job(self) -> Job:
        configuration = self._configuration
        sink = self._draft.sink(configuration.labels, configuration.teams)
        return Job(self._configuration.setup, self._cache, sink)

    def prepare(self, sources: Sequence[Source], configure: Configure) -> Configuration:
        """List the sources, and learn the settings of each repository."""
        self._on_stage("listing files")
        folder = index_folder(self._cache)
        known = None if folder is None else self._engine.stored(folder, LISTED)
        listed = self._listing(sources, known)
        configs: dict[str, dict[str, bytes | None]] = defaultdict(dict)
        documents = 0
        for file in records(listed.through(steps.census, LISTED).batches(), ListedFile):
            if file.kind == "count":
                documents += int(file.detail)
            else:
                configs[file.repository][_own_name(file)] = file.data
        self._engine.expect(documents)
        self._on_stage(f"reading {documents:,} files", documents)
        self._configuration = configure(configs)
        present = listed.where("kind", "file", "fault")
        self._listed = present if known is None else present.union(known)
        return self._configuration

    def _listing(self, sources: Sequence[Source], known: Frame | None) -> Frame:
        """The files of all sources: those with paths are listed by stages, the others by Spark."""
        here, elsewhere = [], []
        for source in sources:
            frame = self._engine.uri(source, known, self._cache) if source.kind == "uri" else None
            if frame is None:
                here.append(row_of(source))
            else:
                elsewhere.append(frame)
        rows = self._engine.rows(here, SOURCES).through(list_sources(self._cache), LISTED)
        listed = self._persisted(rows)
        for frame in elsewhere:
            listed = listed.union(self._persisted(frame))
        return listed

    def documents(self) -> Frame:
        """Read and parse what is new; leave the table `files`, and the index for the next scan."""
        job = self._job
        documents = self._persisted(
            self._listed.shuffled(["bucket"], ["bucket", "repository", "path", "kind"])
            .through(steps.identify(job), steps.IDENTIFIED)
            .shuffled(["facts"], ["facts", "repository", "path"])
            .through(steps.parse(job), steps.DOCUMENTS, progress=True)
        )
        index = []
        for account in records(documents.through(steps.account(job), ACCOUNTS).batches(), Account):
            if account.kind == "files":
                self.accounts.append(account)
            elif account.kind == "index":
                index.append(account.name)
            else:
                self._draft.add_part(account.name, account.rows)
        replace_index(index, self._cache, self._draft.stamp.scan)
        return documents

    def judged(
        self, documents: Frame, of_register: Callable[[], Iterable[Finding]]
    ) -> ScanFindings:
        """Judge the queue managers of which something is new, compare all; return the findings.

        `of_register` gives the findings of the register once all tables of queue managers are left.
        """
        self._on_stage("judging and comparing queue managers")
        checked = documents.where("status", "checked")
        job = relate(self._job, checked.through(steps.links(self._job), LINKS))
        self.left_open = left_open(job)
        judged = self._persisted(
            checked.through(steps.spread, steps.FEEDS)
            .shuffled(["path"], ["path", "order", "script", "number"])
            .through(steps.assign(job), steps.PARTS)
            .shuffled(["key"], ["kind", "key", "path"])
            .through(judge(job), MESSAGES)
        )
        own = judged.where("kind", "finding", "ignores", "count", "fault", "part", "waiting")
        compared = (
            judged.where("kind", "claim")
            .shuffled(["policy", "key"], ["policy", "key", "order"])
            .through(steps.decide(job), MESSAGES)
        )
        paired = (
            judged.where("kind", "end")
            .shuffled(["key"], ["key", "order", "payload"])
            .through(pair_up(job), MESSAGES)
        )
        # The first takes all that is judged; what is compared finds it persisted.
        every = chain(own.batches(), compared.union(paired).batches())
        messages = self._without_accounts(records(every, Message))
        return collect(
            messages,
            self._configuration,
            lambda names: _checked_paths(self._draft, names),
            of_register,
        )

    def _without_accounts(self, messages: Iterable[Message]) -> Iterator[Message]:
        """Yield the messages that findings are collected from; take note of the others."""
        for message in messages:
            if message.kind == "open":
                self.settlement.add_open(message)
            elif message.kind == "count":
                self._numbers[message.key] += message.order
            elif message.kind == "waiting":
                rules = tuple((message.payload or "").split())
                self._waiting[message.repository].append({message.key: rules})
            elif message.kind == "part":
                self._draft.add_part(message.key, message.order)
            else:
                yield message

    def end(self) -> None:
        """Forget what was persisted on the way."""
        for frame in self._frames:
            frame.drop()

    def _persisted(self, frame: Frame) -> Frame:
        self._frames.append(frame.persist())
        return self._frames[-1]


def _is_listed(file: FileCoverage) -> bool:
    """Whether a file was not checked, or in part."""
    return file.status != "checked" or bool(file.reason or file.counts)


def _own_name(file: ListedFile) -> str:
    """The name of a file below its repository."""
    return file.path.removeprefix(f"{file.repository}/") if file.repository else file.path


def _checked_paths(draft: Draft, names: Collection[str]) -> Mapping[str, Sequence[str]]:
    """The paths of the files of some repositories that were checked."""
    found: dict[str, list[str]] = {name: [] for name in names}
    for row in rows(draft.read("files", ["repository", "path", "status"])) if names else ():
        if row["status"] == "checked" and row["repository"] in found:
            found[row["repository"]].append(row["path"])
    return found
