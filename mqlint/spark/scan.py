"""The scan: sources to documents to queue managers to findings and tables, stage by stage.

It is written in frames, which are Spark's or this process's: both go one way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

import pyarrow.parquet as parquet

from mqlint.finding import Coverage, FileCoverage, Finding
from mqlint.spark import stages
from mqlint.spark.batches import Values, rows
from mqlint.spark.claims import CLAIMS
from mqlint.spark.flows import Engine, Frame
from mqlint.spark.judging import JUDGED, judge
from mqlint.spark.keep import Keep
from mqlint.spark.ledger import recall, remember
from mqlint.spark.outcome import Configured, Gathered, gather, repository_of
from mqlint.spark.projections import ENDS, MET, PROJECTIONS, meet
from mqlint.spark.sources import LISTED, SOURCES, Source, list_sources, row_of
from mqlint.spark.store import HISTORY, Draft, Manifest, drafting
from mqlint.spark.tables import FILES, TABLES, Labels, Row, finding_row
from mqlint.spark.toolbox import Job, Setup

_ORDER = ("pair", "sends", "repository", "site", "queue_manager", "name")


class Tell(Protocol):
    """Is told the stage that begins, in words for a person, and of how many files it is."""

    def __call__(self, stage: str, total: int = 0, /) -> None: ...  # noqa: D102


def tell_nobody(stage: str, total: int = 0, /) -> None:
    """Be told, and keep it."""


Texts = Mapping[str, bytes]
"""The files of a repository's own settings, by their names."""


Configure = Callable[[Mapping[str, Texts]], Configured]


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
    configured: Configured
    out: Path

    @property
    def checked(self) -> int:
        """The number of files that were checked."""
        return self.counts.checked

    @cached_property
    def coverage(self) -> Coverage:
        """What became of each file, read from the table when it is asked for."""
        names = [*FileCoverage.__slots__]
        parts = (self.out / self.manifest.folder / "files").glob("*.parquet")
        files = (
            FileCoverage(**row)
            for part in parts
            for row in rows(parquet.ParquetFile(part).iter_batches(columns=names))
        )
        return Coverage(tuple(sorted(files, key=lambda one: one.path)))


def scan(
    engine: Engine,
    sources: Sequence[Source],
    configure: Configure,
    out: Path,
    keep: Path | None = None,
    tell: Tell = tell_nobody,
    history: int = HISTORY,
) -> Scan:
    """Judge what `sources` hold, leave the tables in `out` and return what was found.

    `keep` is the folder of what one scan keeps for the next, by default in `out`; the tables of
    `history` scans stay there. OSError when one of them cannot be written to.
    """
    out = out.absolute()
    keep = (keep or out / "cache").absolute()
    with drafting(out) as draft:
        run = _Run(engine, draft, keep, tell)
        configured = run.prepare(sources, configure)
        documents = run.documents()
        judged = run.judged(documents)
        gathered = run.gathered(judged)
        run.write(judged, gathered)
        manifest = draft.commit(history)
    Keep(keep).forget()
    return Scan(gathered.findings, manifest, gathered.ignored, run.counts, configured, out)


class _Run:
    """The steps of one scan."""

    def __init__(self, engine: Engine, draft: Draft, keep: Path, tell: Tell) -> None:
        self._engine = engine
        self._draft = draft
        self._keep = keep
        self._tell = tell
        self._configured = Configured(Setup({}, (), {}))
        self._alike: Mapping[tuple[str, ...], Counter[str]] = {}
        self._frames: list[Frame] = []
        self.counts = Counts()

    @property
    def _job(self) -> Job:
        return Job(self._configured.setup, self._keep)

    def prepare(self, sources: Sequence[Source], configure: Configure) -> Configured:
        """List the sources, and learn the settings of each repository."""
        self._tell("listing files")
        known = recall(self._engine, self._keep)
        listed = self._kept(self._listing(sources, known))
        configs: dict[str, dict[str, bytes]] = defaultdict(dict)
        documents = 0
        for row in rows(listed.through(stages.census, LISTED).batches()):
            if row["kind"] == "count":
                documents += int(row["said"])
            else:
                configs[row["repository"]][_own_name(row)] = row["data"]
        self._engine.expect(documents)
        self._tell(f"reading {documents:,} files", documents)
        self._configured = configure(configs)
        present = listed.where("kind", "file", "fault")
        self._listed = present if known is None else present.with_rows(known)
        return self._configured

    def _listing(self, sources: Sequence[Source], known: Frame | None) -> Frame:
        """What all sources hold: those that are paths listed by stages, the others by Spark."""
        here, elsewhere = [], []
        for one in sources:
            frame = self._engine.uri(one, known) if one.kind == "uri" else None
            if frame is None:
                here.append(row_of(one))
            else:
                elsewhere.append(frame)
        listed = self._engine.rows(here, SOURCES).through(list_sources(self._keep), LISTED)
        for frame in elsewhere:
            listed = listed.with_rows(frame)
        return listed

    def documents(self) -> Frame:
        """Read and parse what is new; leave the table `files`, and what the next scan asks for."""
        job, labels = self._job, self._configured.labels
        documents = self._kept(
            self._listed.shuffled(["bucket"], ["bucket", "repository", "path", "kind"])
            .through(stages.identify(job), stages.IDENTIFIED)
            .shuffled(["facts"], ["facts", "repository", "path"])
            .through(stages.parse(job), stages.DOCUMENTS, told=True)
        )
        documents.table(FILES, labels, self._draft.stamp).write(self._draft.path("files"))
        self._alike = _tallied(rows(documents.through(stages.tally, stages.TALLY).batches()))
        self._draft.write("coverage", coverage_rows(self._alike, labels))
        remember(documents.through(stages.known, LISTED), self._keep, self._draft.stamp.scan)
        return documents

    def judged(self, documents: Frame) -> Frame:
        """Build and judge the queue managers of which something is new."""
        self._tell("judging queue managers")
        job = self._job
        return self._kept(
            documents.where("status", "checked")
            .through(stages.spread, stages.FEEDS)
            .shuffled(["path"], ["path", "order", "script", "turn"])
            .through(stages.assign(job), stages.PARTS)
            .shuffled(["key"], ["kind", "key", "path"])
            .through(judge(job), JUDGED)
        )

    def gathered(self, judged: Frame) -> Gathered:
        """Settle the claims and return all findings, those that are suppressed apart."""
        job = self._job
        self._tell("comparing queue managers")
        said = judged.where("kind", "finding", "ignores", "count").picked(stages.SAID)
        claims = judged.where("kind", "claim").picked(CLAIMS)
        decided = claims.shuffled(["policy", "key"], ["policy", "key", "order"]).through(
            stages.decide(job), stages.SAID
        )
        found = list(rows(said.with_rows(decided).batches()))
        self.counts = _counts(self._alike, found)
        return gather(found, self._configured, lambda name: checked_paths(self._draft, name))

    def write(self, judged: Frame, gathered: Gathered) -> None:
        """Leave the tables."""
        self._tell(f"writing tables, {len(gathered.findings):,} findings")
        labels, nothing = self._configured.labels, Labels()
        for name, (cells, _) in PROJECTIONS.items():
            frame, called = judged.cells(name, cells), name
            if cells is ENDS:
                frame, called = frame.shuffled(["pair"], _ORDER).through(meet, MET), "channel_pairs"
            table = frame.table(TABLES[called], labels, self._draft.stamp)
            table.write(self._draft.path(called))
        names = self._configured.setup.repositories
        found = ((one, repository_of(one.location.path, names)) for one in gathered.findings)
        told = (finding_row(one, name, labels.get(name, nothing)) for one, name in found)
        self._draft.write("findings", told)
        for frame in self._frames:
            frame.drop()

    def _kept(self, frame: Frame) -> Frame:
        kept = frame.kept()
        self._frames.append(kept)
        return kept


def _own_name(row: Values) -> str:
    """The name of a file below its repository."""
    name: str = row["path"]
    return name.removeprefix(f"{row['repository']}/") if row["repository"] else name


def _tallied(given: Iterable[Values]) -> dict[tuple[str, ...], Counter[str]]:
    """Counts by repository, status, language and reason."""
    counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for row in given:
        alike = (row["repository"], row["status"], row["language"], row["reason"])
        counts[alike].update({name: row[name] for name in stages.COUNTED})
    return counts


def _counts(alike: Mapping[tuple[str, ...], Counter[str]], found: Iterable[Values]) -> Counts:
    documents = sum(alike.values(), Counter[str]())
    judged = Counter[str]()
    for row in found:
        if row["kind"] == "count":
            judged[row["key"]] += row["order"]
    checked = sum(one["files"] for key, one in alike.items() if key[1] == "checked")
    numbers = (documents["files"], checked, documents["read"], documents["parsed"])
    return Counts(*numbers, judged["seen"], judged["judged"])


def coverage_rows(
    alike: Mapping[tuple[str, ...], Counter[str]], labels: Mapping[str, Labels]
) -> Iterator[Row]:
    """Yield the rows of the table `coverage`."""
    nothing = Labels()
    for (repository, *words), counts in sorted(alike.items()):
        said = labels.get(repository, nothing)
        head = (repository, said.team, list(said.labels.items()))
        numbers = (counts["files"], counts["commands"], counts["understood"])
        yield *head, *(word or None for word in words), *numbers


def checked_paths(draft: Draft, repository: str) -> Iterator[str]:
    """Yield the paths of the files of a repository that were checked."""
    for row in rows(draft.read("files")):
        if row["repository"] == repository and row["status"] == "checked":
            yield row["path"]
