"""The scan: sources to documents to queue managers to findings and tables, stage by stage.

It is written in frames, which are Spark's or this process's: both go one way.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Protocol

import pyarrow.parquet as parquet

from mqlint.estate.history.store import HISTORY, Draft, Manifest, drafting
from mqlint.estate.io.cache import ScanCache
from mqlint.estate.io.index import recall, replace_index
from mqlint.estate.io.sources import LISTED, SOURCES, Source, list_sources, row_of
from mqlint.estate.stages import steps
from mqlint.estate.stages.collect import Configuration, ScanFindings, gather, repository_of
from mqlint.estate.stages.context import Job, Setup
from mqlint.estate.stages.frame import Engine, Frame
from mqlint.estate.stages.judging import judge, pair_up
from mqlint.estate.stages.messages import SAID
from mqlint.estate.tables.batches import Values, rows
from mqlint.estate.tables.schema import TABLES, Row, finding_row
from mqlint.finding import Checked, Coverage, FileCoverage, Finding


class Tell(Protocol):
    """Is told the stage that begins, in words for a person, and of how many files it is."""

    def __call__(self, stage: str, total: int = 0, /) -> None: ...  # noqa: D102


def tell_nobody(stage: str, total: int = 0, /) -> None:
    """Be told, and keep it."""


Texts = Mapping[str, bytes]
"""The files of a repository's own settings, by their names."""


Configure = Callable[[Mapping[str, Texts]], Configuration]


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a scan had to do: of all documents those read and those parsed, and so on."""

    documents: int = 0
    checked: int = 0
    read: int = 0
    parsed: int = 0
    queue_managers: int = 0
    judged: int = 0


@dataclass(frozen=True)
class Scan:
    """What a scan found: findings in order of place, what was read, and the tables it left.

    `ignored` are the findings that comments in the files, and waivers, suppress; they are in no
    table.
    """

    findings: list[Finding]
    manifest: Manifest
    ignored: list[Finding]
    counts: Counts
    checked: Mapping[str, Checked]
    """By repository."""

    configured: Configuration
    out: Path

    @cached_property
    def coverage(self) -> Coverage:
        """What was read: rows of the files that were not checked, read when they are asked for."""
        others = (file for file in self.files() if file.status != "checked")
        every = self.checked.values()
        checked = Checked(
            sum(value.files for value in every),
            sum(value.commands for value in every),
            sum(value.understood for value in every),
        )
        return Coverage(tuple(sorted(others, key=lambda other: other.path)), checked)

    def files(self) -> Iterator[FileCoverage]:
        """Yield the row of each file, in no order."""
        names = [*FileCoverage.__slots__]
        for part in (self.out / self.manifest.folder / "files").glob("*.parquet"):
            for row in rows(parquet.ParquetFile(part).iter_batches(columns=names)):
                yield FileCoverage(**row)

    def checked_paths(self) -> Iterator[str]:
        """Yield the paths of the files that were checked, in no order."""
        return (file.path for file in self.files() if file.status == "checked")


def scan(
    engine: Engine,
    sources: Sequence[Source],
    configure: Configure,
    out: Path,
    keep: Path | None = None,
    tell: Tell = tell_nobody,
    history: int = HISTORY,
    tables: Sequence[str] = tuple(TABLES),
) -> Scan:
    """Judge what `sources` hold, leave the tables in `out` and return what was found.

    `keep` is the folder of what one scan keeps for the next, by default in `out`; the tables of
    `history` scans stay there. OSError when one of them cannot be written to.
    """
    out = out.absolute()
    keep = (keep or out / "cache").absolute()
    with drafting(out, tables) as draft:
        run = _Run(engine, draft, keep, tell)
        configured = run.prepare(sources, configure)
        documents = run.documents()
        gathered = run.gathered(documents)
        run.write(gathered)
        manifest = draft.commit(history)
        run.end()
    ScanCache(keep).forget()
    told = (gathered.findings, manifest, gathered.ignored, run.counts, run.checked)
    return Scan(*told, configured, out)


class _Run:
    """The steps of one scan."""

    def __init__(self, engine: Engine, draft: Draft, keep: Path, tell: Tell) -> None:
        self._engine = engine
        self._draft = draft
        self._keep = keep
        self._tell = tell
        self._configured = Configuration(Setup({}, (), {}))
        self._alike: list[_Alike] = []
        self._numbers: Counter[str] = Counter()
        self._frames: list[Frame] = []

    @property
    def counts(self) -> Counts:
        """How much there was to do, once all is gathered."""
        every = Counter[str]()
        for row in self._alike:
            every.update(row.numbers)
        checked = sum(row.numbers["files"] for row in self._alike if row.status == "checked")
        judged = self._numbers["seen"], self._numbers["judged"]
        return Counts(every["files"], checked, every["read"], every["parsed"], *judged)

    @property
    def checked(self) -> Mapping[str, Checked]:
        """By repository, how much was checked."""
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for row in self._alike:
            if row.status == "checked":
                counts[row.repository].update(row.numbers)
        return {
            name: Checked(one["files"], one["commands"], one["understood"])
            for name, one in counts.items()
        }

    @cached_property
    def _job(self) -> Job:
        sink = self._draft.sink(self._configured.labels)
        return Job(self._configured.setup, self._keep, sink)

    def prepare(self, sources: Sequence[Source], configure: Configure) -> Configuration:
        """List the sources, and learn the settings of each repository."""
        self._tell("listing files")
        known = recall(self._engine, self._keep)
        listed = self._kept(self._listing(sources, known))
        configs: dict[str, dict[str, bytes]] = defaultdict(dict)
        documents = 0
        for row in rows(listed.through(steps.census, LISTED).batches()):
            if row["kind"] == "count":
                documents += int(row["said"])
            else:
                configs[row["repository"]][_own_name(row)] = row["data"]
        self._engine.expect(documents)
        self._tell(f"reading {documents:,} files", documents)
        self._configured = configure(configs)
        present = listed.where("kind", "file", "fault")
        self._listed = present if known is None else present.union(known)
        return self._configured

    def _listing(self, sources: Sequence[Source], known: Frame | None) -> Frame:
        """What all sources hold: those that are paths listed by stages, the others by Spark."""
        here, elsewhere = [], []
        for source in sources:
            frame = self._engine.uri(source, known, self._keep) if source.kind == "uri" else None
            if frame is None:
                here.append(row_of(source))
            else:
                elsewhere.append(frame)
        listed = self._engine.rows(here, SOURCES).through(list_sources(self._keep), LISTED)
        for frame in elsewhere:
            listed = listed.union(frame)
        return listed

    def documents(self) -> Frame:
        """Read and parse what is new; leave the table `files`, and what the next scan asks for."""
        job = self._job
        documents = self._kept(
            self._listed.shuffled(["bucket"], ["bucket", "repository", "path", "kind"])
            .through(steps.identify(job), steps.IDENTIFIED)
            .shuffled(["facts"], ["facts", "repository", "path"])
            .through(steps.parse(job), steps.DOCUMENTS, told=True)
        )
        known = []
        for row in rows(documents.through(steps.account(job), SAID).batches()):
            if row["kind"] == "alike":
                self._alike.append(_Alike.of(row))
            elif row["kind"] == "known":
                known.append(row["key"])
            else:
                self._draft.told(row["key"], row["order"])
        replace_index(known, self._keep, self._draft.stamp.scan)
        return documents

    def gathered(self, documents: Frame) -> ScanFindings:
        """Judge the queue managers of which something is new, compare all; return the findings."""
        self._tell("judging and comparing queue managers")
        job = self._job
        judged = self._kept(
            documents.where("status", "checked")
            .through(steps.spread, steps.FEEDS)
            .shuffled(["path"], ["path", "order", "script", "turn"])
            .through(steps.assign(job), steps.PARTS)
            .shuffled(["key"], ["kind", "key", "path"])
            .through(judge(job), SAID)
        )
        said = judged.where("kind", "finding", "ignores", "count", "part")
        compared = (
            judged.where("kind", "claim")
            .shuffled(["policy", "key"], ["policy", "key", "order"])
            .through(steps.decide(job), SAID)
        )
        paired = (
            judged.where("kind", "end")
            .shuffled(["key"], ["key", "order", "payload"])
            .through(pair_up(job), SAID)
        )
        # The first takes all that is judged; what is compared finds it kept.
        every = chain(said.batches(), compared.union(paired).batches())
        found = self._heard(rows(every))
        return gather(found, self._configured, lambda names: _checked_paths(self._draft, names))

    def _heard(self, given: Iterable[Values]) -> Iterator[Values]:
        """Yield the rows that findings are gathered from, and keep what the others say."""
        for row in given:
            if row["kind"] == "count":
                self._numbers[row["key"]] += row["order"]
            elif row["kind"] == "part":
                self._draft.told(row["key"], row["order"])
            else:
                yield row

    def write(self, gathered: ScanFindings) -> None:
        """Leave the tables whose rows are here."""
        self._tell(f"writing {len(gathered.findings):,} findings")
        names = self._configured.setup.repositories
        findings = (
            finding_row(finding, repository_of(finding.location.path, names))
            for finding in gathered.findings
        )
        with self._draft.writing(self._configured.labels) as tables:
            tables.add_rows("findings", findings)
            tables.add_rows("coverage", _coverage_rows(self._alike))

    def end(self) -> None:
        """Forget what was kept on the way."""
        for frame in self._frames:
            frame.drop()

    def _kept(self, frame: Frame) -> Frame:
        kept = frame.persist()
        self._frames.append(kept)
        return kept


def _own_name(row: Values) -> str:
    """The name of a file below its repository."""
    name: str = row["path"]
    return name.removeprefix(f"{row['repository']}/") if row["repository"] else name


@dataclass(frozen=True, slots=True)
class _Alike:
    """How much there is of files that are alike in these."""

    repository: str
    status: str
    language: str
    reason: str
    numbers: Mapping[str, int]

    @classmethod
    def of(cls, row: Values) -> _Alike:
        status, language, reason, *numbers = json.loads(row["payload"])
        counted = dict(zip(steps.COUNTED, numbers, strict=True))
        return cls(row["repository"], status, language, reason, counted)


def _coverage_rows(every: Iterable[_Alike]) -> Iterator[Row]:
    """Yield the rows of the table `coverage`."""
    counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for alike in every:
        counts[alike.repository, alike.status, alike.language, alike.reason].update(alike.numbers)
    for (repository, *words), found in sorted(counts.items()):
        said = (word or None for word in words)
        yield repository, *said, found["files"], found["commands"], found["understood"]


def _checked_paths(draft: Draft, names: Collection[str]) -> Mapping[str, Sequence[str]]:
    """The paths of the files of some repositories that were checked."""
    found: dict[str, list[str]] = {name: [] for name in names}
    for row in rows(draft.read("files", ["repository", "path", "status"])) if names else ():
        if row["status"] == "checked" and row["repository"] in found:
            found[row["repository"]].append(row["path"])
    return found
