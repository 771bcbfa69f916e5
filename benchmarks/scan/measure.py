"""The measurements: each one scan, a process of its own, and what it said and left."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.estate import CONFIGURATION
from benchmarks.scan.estates import Estate
from benchmarks.scan.process import Ended, Usage, run
from benchmarks.standalone import started
from benchmarks.subject import TEN_LINES

MODES: Final[dict[str, tuple[str, ...]]] = {
    "process": ("--engine", "process"),
    "local2": ("--master", "local[2]"),
    "process-no-tables": ("--engine", "process", "--no-tables"),
    "local2-no-tables": ("--master", "local[2]", "--no-tables"),
}
"""Options of the scans that are compared, by the name that this benchmark gives them."""

RESCANNED: Final = "local2"
"""The mode whose scan is done once more after a night."""

_WORK: Final = re.compile(
    r"^files: ([\d,]+) files?, ([\d,]+) read, ([\d,]+) parsed\n"
    r"models: ([\d,]+) queue managers? and loose files, ([\d,]+) judged$",
    re.MULTILINE,
)
_COLLECTED: Final = re.compile(r"Pause Full .* \d+M->(\d+)M\(\d+M\) ([\d.]+)ms")
_COLLECT_EVERY: Final = "15s"


class MeasureError(Exception):
    """A scan did not run as it should; the text is the end of what it said."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a scan says that it did."""

    files: int
    read: int
    parsed: int
    models: int
    judged: int


@dataclass(frozen=True, slots=True)
class Run:
    """One measured scan.

    `what` is a mode, or `one-` a mode, `rescan` or `cluster`; sizes are bytes: of what was read, of
    the tables, of the cache. `findings` and `rows` are those of the tables, 0 without. Of a scan on
    a cluster `heap` is the most that the driver's Java held right after a whole collection, and
    `collecting` the seconds of all of these, which it was made to do; else 0.
    """

    what: str
    queue_managers: int
    usage: Usage
    work: Work
    size: int
    tables: int
    cache: int
    findings: int
    rows: int
    commit: str
    heap: int = 0
    collecting: float = 0.0


@dataclass(frozen=True, slots=True)
class Bench:
    """A folder to work in; what mqlint compiles of its rules is kept in it."""

    folder: Path

    def one_file(self, mode: str) -> Run:
        """A scan of a single small file: starting, first jobs and ending, little else."""
        home = self.folder / "one"
        file = home / "repository" / "prod" / "PRDQM0001" / "queues.mqsc"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(TEN_LINES, encoding="utf-8")
        (home / "repository" / "mqlint.yaml").write_text(CONFIGURATION, encoding="utf-8")
        listing = home / "estate.yaml"
        listing.write_text("repositories: [repository]\n", encoding="utf-8")
        self.clean()
        return self._scan(f"one-{mode}", 1, listing, MODES[mode])

    def first(self, mode: str, estate: Estate) -> Run:
        """A first scan of an estate."""
        self.clean()
        return self._scan(mode, estate.queue_managers, estate.file, MODES[mode])

    def rescan(self, estate: Estate) -> tuple[Run, Run]:
        """A first scan, and another one after a night that changed 1% of the documents."""
        first = self.first(RESCANNED, estate)
        estate.change()
        try:
            again = self._scan("rescan", estate.queue_managers, estate.file, MODES[RESCANNED])
        finally:
            estate.restore()
        return first, again

    def cluster(self, estate: Estate) -> Run:
        """A first scan on a master with two workers; the driver's Java is made to collect often."""
        place, log = self.folder / "cluster", self.folder / "collections.log"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        self.clean()
        with started(place) as cluster:
            given = (
                *("--conf", f"spark.cleaner.periodicGC.interval={_COLLECT_EVERY}"),
                *("--driver-java-options", f"-Xlog:gc:file={log}"),
                "pyspark-shell",
            )
            found = self._scan(
                "cluster",
                estate.queue_managers,
                estate.file,
                ("--master", cluster.master),
                {"PYSPARK_SUBMIT_ARGS": shlex.join(given)},
                log,
            )
        shutil.rmtree(place)
        return found

    def clean(self) -> None:
        """Remove what scans left."""
        shutil.rmtree(self.folder / "out", ignore_errors=True)

    def _scan(
        self,
        what: str,
        number: int,
        estate: Path,
        words: Sequence[str],
        more: Mapping[str, str] | None = None,
        collections: Path | None = None,
    ) -> Run:
        out = self.folder / "out"
        command = [sys.executable, "-m", "mqlint", "estate", "scan", str(estate)]
        command += ["--out", str(out), "--exit-zero", "--quiet", *words]
        command += ["--cache-dir", str(self.folder / "rules")]
        ended = run(command, self.folder / "said.log", more)
        said = _WORK.search(ended.said)
        if ended.status or said is None:
            raise MeasureError(self._explained(ended, out))
        folder, rows = _tables(out)
        heap, collecting = _collections(collections) if collections else (0, 0.0)
        return Run(
            what,
            number,
            ended.usage,
            Work(*(int(group.replace(",", "")) for group in said.groups())),
            size=_bytes(estate.parent),
            tables=_bytes(folder) if folder else 0,
            cache=_bytes(out / "cache"),
            findings=rows.get("findings", 0),
            rows=sum(rows.values()),
            commit=_commit(),
            heap=heap,
            collecting=collecting,
        )

    def _explained(self, ended: Ended, out: Path) -> str:
        """What a scan that failed said; its log is kept from the next one."""
        said = f"status {ended.status}: {ended.said[-800:].strip()}"
        with suppress(FileNotFoundError):
            kept = shutil.copyfile(out / "spark.log", self.folder / "failed.log")
            return f"{said}; that log is kept as {kept}"
        return said


def _tables(out: Path) -> tuple[Path | None, dict[str, int]]:
    """The folder of the last scan's tables and how many rows each has; none without tables."""
    manifest = out / "scan.json"
    if not manifest.exists():
        return None, {}
    said = json.loads(manifest.read_text("utf-8"))
    return out / said["folder"], said["tables"]


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _collections(log: Path) -> tuple[int, float]:
    """The most that was left by a whole collection, in bytes, and the seconds of all of them."""
    kept = _COLLECTED.findall(log.read_text("utf-8", "replace"))
    if not kept:
        raise MeasureError(f"{log}: Java told of no whole collection")
    return max(int(size) for size, _ in kept) << 20, sum(float(time) for _, time in kept) / 1000


def _commit() -> str:
    """The commit of this checkout, with a plus sign where something is not committed."""
    words = ("git", "describe", "--always", "--dirty=+", "--exclude=*")
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout.strip()
