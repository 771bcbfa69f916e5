"""The scan: sources to documents to queue managers to findings and tables, stage by stage.

It is written in frames, which are Spark's or this process's: both go one way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from mqlint.config.project import absolute_path
from mqlint.estate.history import HISTORY
from mqlint.estate.history.reading import first_seen
from mqlint.estate.history.store import Draft, Publish, drafting
from mqlint.estate.history.trend import trend_rows
from mqlint.estate.io.cache import ScanCache
from mqlint.estate.io.config_files import Content, Texts
from mqlint.estate.io.index import index_of_files
from mqlint.estate.io.listing import list_sources
from mqlint.estate.io.sources import (
    LISTED,
    ListedFile,
    Source,
    inner_sources,
    row_of,
)
from mqlint.estate.stages import steps
from mqlint.estate.stages.audit import About, Account
from mqlint.estate.stages.collect import (
    SETTLED,
    Configuration,
    Rules,
    settled,
)
from mqlint.estate.stages.comparison import compare
from mqlint.estate.stages.context import Job, Setup, worker_context
from mqlint.estate.stages.findings import FoundFindings
from mqlint.estate.stages.frame import Engine, Frame
from mqlint.estate.stages.judgements import (
    BY_QUEUE_MANAGER,
    BY_RANK,
    COLUMNS,
    JUDGED,
    JudgedRow,
    Settlement,
    fault_rows,
    open_rows,
    written_rows,
)
from mqlint.estate.stages.judging import judge, pair_up
from mqlint.estate.stages.local import LocalEngine
from mqlint.estate.stages.messages import MESSAGES, Message, files_of
from mqlint.estate.stages.numbering import BY_IDENTITY, IN_ORDER, Numbering, seen_rows
from mqlint.estate.stages.relations import left_open, relate
from mqlint.estate.stages.results import Results, checked
from mqlint.estate.stages.scan import Counts, Scan
from mqlint.estate.stages.sorting import SPILL
from mqlint.estate.tables.batches import records, rows
from mqlint.estate.tables.schema import JUDGEMENTS, TABLES, TREND
from mqlint.estate.tables.writer import remove_unreported
from mqlint.finding import rules_waiting
from mqlint.finding.baseline import BaselineEntry
from mqlint.source.read import Unreadable

OnStage = Callable[[str, int], None]
"""Called when a stage begins, with its title and the number of its files, 0 if unknown."""

Configure = Callable[[Mapping[str, Texts]], Configuration]
"""Works out how repositories are judged, by the files of their own settings."""


def scan(
    engine: Engine,
    sources: Sequence[Source],
    configure: Configure,
    out: Path,
    cache: Path | None = None,
    on_stage: OnStage = lambda stage, total: None,
    history: int = HISTORY,
    tables: Sequence[str] = tuple(TABLES),
    about: About | None = None,
    spill: int = SPILL,
    publish: Publish | None = None,
) -> Scan:
    """Judge what `sources` hold, leave the tables in `out` and return what was found.

    `cache` is the folder of what one scan keeps for the next, by default in `out`; the tables of
    `history` scans stay there. `about` is what the tables for an auditor tell of the run. Of
    findings this process holds `spill` bytes at a time; more are in files. `publish` copies the
    complete scan to where others read it.
    OSError when one of them cannot be written to.
    """
    out = absolute_path(out)
    cache = absolute_path(cache or out / "cache")
    with drafting(out, tables) as draft:
        run = _Run(engine, draft, cache, on_stage, spill)
        try:
            configuration = run.prepare(sources, configure)
            messages = run.judged(*run.documents())
            on_stage("writing findings", 0)
            results = Results(draft, configuration, run.faults, run.notes)
            found, stale = run.settled(messages, results, about)
            manifest = draft.commit(history, publish)
        finally:
            run.end()
    ScanCache(cache).forget()
    found_first = (found.new, manifest, found.ignored, found.known, stale)
    sizes = run.counts(results.accounts), checked(results.accounts)
    return Scan(*found_first, *sizes, run.waiting, run.assumed, configuration, out, run.verdicts)


class _Run:
    """The steps of one scan."""

    def __init__(
        self, engine: Engine, draft: Draft, cache: Path, on_stage: OnStage, spill: int
    ) -> None:
        self._engine = engine
        self._draft = draft
        self._cache = cache
        self._on_stage = on_stage
        self._configuration = Configuration(Setup({}, (), {}))
        self._index: list[str] = []
        self._numbers: Counter[str] = Counter()
        self._waiting: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._frames: list[Frame] = []
        self._sources: Sequence[Source] = ()
        self._here = LocalEngine(draft.scratch, spill)
        self.faults: dict[str, str] = {}
        """Why queue managers are not judged, by the paths of their files."""

        self.assumed: list[str] = []
        self.notes: dict[str, str] = {}
        """What a person should know of how repositories are read."""
        self.verdicts: Mapping[str, int] = {}

    def counts(self, accounts: Iterable[Account]) -> Counts:
        """Return how much there was to do, once all is judged."""
        files = Counter[str]()
        for account in accounts:
            files[account.status] += account.files
        names = ("read", "parsed", "seen", "judged", "unjudged")
        numbers = (self._numbers[name] for name in names)
        return Counts(files.total(), files["checked"], *numbers)

    @property
    def waiting(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """By repository, the rules that need more configuration."""
        return {
            name: rules_waiting([{key: tuple(rules) for key, rules in found.items()}])
            for name, found in self._waiting.items()
        }

    @cached_property
    def _job(self) -> Job:
        return Job(self._configuration.setup, self._cache, self._draft.sink)

    def prepare(self, sources: Sequence[Source], configure: Configure) -> Configuration:
        """List the sources, and learn the settings of each repository."""
        self._on_stage("listing files", 0)
        folder = index_of_files(self._cache).folder()
        known = None if folder is None else self._engine.stored(folder, LISTED)
        listing = list_sources(self._cache, split=self._engine.is_parallel)
        rows = self._engine.rows([*map(row_of, sources)], LISTED)
        listed = self._persisted(rows.through(listing))
        found = [*records(listed.through(steps.census()).batches(), ListedFile)]
        if any(file.kind == "source" for file in found):
            parts = listed.where("kind", "source").shuffled(["path"], ["path"]).through(listing)
            parts = self._persisted(parts)
            found += records(parts.through(steps.census()).batches(), ListedFile)
            listed = listed.union(parts)
        configs: dict[str, dict[str, Content]] = defaultdict(dict)
        documents = 0
        for file in sorted(found, key=lambda file: file.path if file.kind == "note" else ""):
            if file.kind == "count":
                documents += int(file.detail)
            elif file.kind == "note":
                place = "" if file.path == "." else f"{file.path}: "
                self.assumed.append(f"{place}{file.detail}")
                self.notes.setdefault(file.repository, file.detail)
            elif file.kind == "config":
                content = Unreadable(file.detail) if file.data is None else file.data
                configs[file.repository][file.own_path] = content
        self._engine.expect(documents)
        self._on_stage(f"reading {documents:,} files", documents)
        self.assumed.sort()
        self._configuration = configure(configs)
        self._draft.labels = self._configuration.labels
        self._draft.teams = self._configuration.teams
        present = listed.where("kind", "file", "fault", "link")
        names = self._configuration.setup.repositories
        self._sources = [*sources, *inner_sources(sources, names)]
        if len(self._sources) > len(sources):
            present = present.through(steps.divide(set(names)))
        self._listed = present if known is None else present.union(known)
        return self._configuration

    def documents(self) -> tuple[Frame, Job]:
        """Read and parse what is new; return it, and the job with the relations between documents.

        Leave the table `files`, and the index for the next scan.
        """
        job = self._job
        documents = self._persisted(
            self._listed.shuffled(["bucket"], ["bucket", "repository", "path", "kind"])
            .through(steps.identify(job))
            .shuffled(["facts"], ["facts", "repository", "path"])
            .through(steps.parse(job), progress=True)
        )
        job = relate(job, documents.through(steps.links(job)))
        self.assumed += left_open(job)
        self._take_note(documents.through(steps.account(job)))
        index_of_files(self._cache).replace(self._draft.stamp.scan, self._index)
        return documents, job

    def judged(self, documents: Frame, job: Job) -> Frame:
        """Judge the queue managers of which something is new, compare all; return the messages."""
        self._on_stage("judging and comparing queue managers", 0)
        judged = self._persisted(
            documents.where("status", "checked")
            .through(steps.assign(job))
            .shuffled(["key"], ["kind", "key", "path"])
            .through(judge(job))
        )
        own = judged.where("kind", "finding", "ignores", "count", "fault", "part", "waiting")
        paired = (
            judged.where("kind", "end")
            .shuffled(["key"], ["key", "order", "payload"])
            .through(pair_up(job))
        )
        # The first takes all that is judged; what is compared finds it persisted.
        messages = self._brought((own, paired))
        messages = messages.union(self._here.stored(compare(job, self._engine, judged), MESSAGES))
        self._take_note(messages)
        return messages

    def _brought(self, frames: Iterable[Frame]) -> Frame:
        """The messages of frames in files of this process, to be read one batch at a time."""
        folder = self._draft.scratch / "messages"
        folder.mkdir()
        remove_unreported(folder, [name for frame in frames for name in files_of(frame, folder)])
        return self._here.stored(folder, MESSAGES)

    def _take_note(self, messages: Frame) -> None:
        """Take note of what messages tell besides findings."""
        others = messages.where("kind", "index", "part", "count", "waiting", "fault")
        for message in records(others.batches(), Message):
            if message.kind == "index":
                self._index.append(message.key.rpartition("/")[2])
            elif message.kind == "part":
                self._draft.add_part(message.key, message.order)
            elif message.kind == "count":
                self._numbers[message.key] += message.order
            elif message.kind == "waiting":
                self._waiting[message.repository][message.key].update(
                    (message.payload or "").split()
                )
            else:
                self.faults[message.key] = message.payload or ""

    def settled(
        self, messages: Frame, results: Results, about: About | None
    ) -> tuple[FoundFindings, Mapping[str, Sequence[BaselineEntry]]]:
        """Write the tables of findings; return the findings, and entries of baselines without one.

        Findings go through frames of this process, which leave in files what is too much for
        memory.
        """
        configuration = self._configuration
        context = worker_context(configuration.setup)
        rules = Rules(context)
        numbering = Numbering(configuration, rules, self._draft.stamp.scanned)
        here = self._here.frame
        of_register = here(results.of_register, MESSAGES)
        by_file = (
            messages.where("kind", "finding", "ignores")
            .union(of_register)
            .shuffled(["key"], ["key", "repository"])
        )
        marked = here(
            lambda: settled(
                records(by_file.batches(), Message),
                configuration,
                context,
                rules,
                self._checked_paths,
            ),
            SETTLED,
        )
        before = here(lambda: seen_rows(first_seen(self._draft.out)), SETTLED)
        alike = marked.union(before).shuffled(BY_IDENTITY, IN_ORDER)
        frame = here(lambda: numbering.rows(rows(alike.batches())), SETTLED).persist()
        found = FoundFindings(self._draft.out, rules, self._here.spill)
        results.write(frame, found, about, self._sources)
        if JUDGEMENTS in self._job.sink.tables:
            self._settle(frame, messages)
        if about is not None:
            with self._draft.writing() as tables:
                tables.add_rows(TREND, trend_rows(self._draft))
        stale = {name: numbering.baselines.stale(name) for name in configuration.baselines}
        return found, stale

    def _checked_paths(self, names: Collection[str]) -> Mapping[str, Sequence[str]]:
        """The paths of the files of some repositories that were checked."""
        found: dict[str, list[str]] = {name: [] for name in names}
        columns = ["repository", "path", "status"]
        for row in rows(self._draft.read("files", columns)) if names else ():
            if row["status"] == "checked" and row["repository"] in found:
                found[row["repository"]].append(row["path"])
        return found

    def _settle(self, findings: Frame, messages: Frame) -> None:
        """Bring the table of verdicts up to date with all findings."""
        draft, settlement = self._draft, Settlement()

        def judged() -> Iterator[JudgedRow]:
            yield from fault_rows(rows(findings.batches()))
            yield from open_rows(records(messages.where("kind", "open").batches(), Message))
            yield from written_rows(rows(draft.read(JUDGEMENTS, COLUMNS)))

        frame = self._here.frame(judged, JUDGED).shuffled(BY_QUEUE_MANAGER, BY_RANK)
        with draft.rewriting(JUDGEMENTS) as tables:
            given = records(frame.batches(), JudgedRow)
            tables.add_rows(JUDGEMENTS, settlement.settled(given))
        self.verdicts = settlement.totals

    def end(self) -> None:
        """Forget what was persisted on the way."""
        for frame in self._frames:
            with suppress(Exception):  # Spark may be gone, which ended the scan
                frame.drop()

    def _persisted(self, frame: Frame) -> Frame:
        self._frames.append(frame.persist())
        return self._frames[-1]
