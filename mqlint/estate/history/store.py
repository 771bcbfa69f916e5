"""Where scans leave their tables, and how a reader knows that they are whole.

A scan writes into `DIR/.scan-ID`, its manifest last. Then the folder is renamed to `DIR/scan-ID`,
and the manifest `DIR/scan.json` is replaced, in one step, by that of the scan. Readers go by
manifests only: a scan that dies changes nothing for them. Those before it stay, up to a number.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, field
from datetime import UTC, datetime
from hashlib import file_digest
from itertools import chain
from pathlib import Path
from secrets import token_hex

import pyarrow as pa
import pyarrow.parquet as parquet

from mqlint.config.estate.teams import Teams
from mqlint.config.json_reader import read_json
from mqlint.dataclass import frozen, names_of
from mqlint.estate.history import HISTORY, WHOLE, is_of_scan
from mqlint.estate.tables.batches import ROWS
from mqlint.estate.tables.schema import REQUIRED, TABLES, Labels, Stamp
from mqlint.estate.tables.writer import Sink, TaskFiles, remove_unreported
from mqlint.finding import SCHEME

MANIFEST = "scan.json"
PENDING = f".{WHOLE}"
_SCRATCH = ".work"
_FOREIGN = "was not written by mqlint"
_LONGEST_NAME = 255
"""Bytes of the name of a file or folder on all usual file systems."""
_ABANDONED = 24 * 3600
_REMOVALS, _BETWEEN_REMOVALS = 20, 0.2


class NoScanError(Exception):
    """There is no whole scan in a folder; the text says why."""


@frozen
class Manifest:
    """A whole scan: its id, when it was finished (UTC), its folder in DIR, rows by table.

    `fingerprints` is the scheme of those of its findings; earlier scans do not tell, and have `v1`.
    `files` are the SHA-256 digests of its Parquet files, by their paths in the folder; none in
    earlier scans.
    """

    scan: str
    finished: str
    folder: str
    tables: Mapping[str, int]
    fingerprints: str = "v1"
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return json.dumps(asdict(self), indent=1) + "\n"


Publish = Callable[[Path, Manifest], None]
"""Copies a whole scan, which is in a folder, to where others read it."""


class Draft:
    """Tables that are being written; nobody reads them before `commit`."""

    def __init__(self, out: Path, tables: Sequence[str] = tuple(TABLES)) -> None:
        """Make a fresh folder in `out`, which exists; OSError when it cannot be written to.

        In it `scratch` is for files that are needed until the scan is complete.
        The ids of scans are in the order in which they began.
        """
        now = datetime.now(UTC)
        self.stamp = Stamp(f"{_time_in_id(now)}-{token_hex(3)}", now.replace(microsecond=0))
        self.folder = out / f"{PENDING}{self.stamp.scan}"
        self.scratch = self.folder / _SCRATCH
        self.out = out
        self.labels: Mapping[str, Labels] = {}
        """Those of repositories, by their names, once they are known."""

        self.teams = Teams()
        self._is_whole = False
        self._parts: dict[str, dict[str, int]] = {table: {} for table in tables}
        try:
            self.scratch.mkdir(parents=True)
        except BaseException:
            self.discard()
            raise

    @property
    def sink(self) -> Sink:
        """What tasks need to write its tables."""
        return Sink(self.folder, tuple(self._parts), self.stamp, self.labels, self.teams)

    def add_part(self, part: str, rows: int) -> None:
        """Add a file that a task has written, by its name below the folder."""
        table, _, name = part.partition("/")
        self._parts[table][name] = rows

    @contextmanager
    def writing(self) -> Iterator[TaskFiles]:
        with self.sink.writing() as tables:
            yield tables
            for part, rows in tables.finish():
                self.add_part(part, rows)

    def read(self, table: str, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield some columns of a table as it is known so far, batch by batch.

        Nothing of a table that this scan does not write.
        """
        for name in self._parts.get(table, ()):
            file = parquet.ParquetFile(self.folder / table / name)
            yield from file.iter_batches(ROWS, columns=columns)

    @contextmanager
    def rewriting(self, table: str) -> Iterator[TaskFiles]:
        """Give what writes rows that replace those of a table that are known so far."""
        with self.writing() as tables:
            yield tables
            self._parts[table].clear()

    def commit(self, history: int = HISTORY, publish: Publish | None = None) -> Manifest:
        """Make this the scan that readers find; of those before it `history` less one stay.

        `publish` copies it first. If a scan that began later is there already, that one remains
        the current scan. LostPartError when a file that a task has left is not there.
        """
        shutil.rmtree(self.scratch, ignore_errors=True)
        for table, parts in self._parts.items():
            folder = self.folder / table
            folder.mkdir(exist_ok=True)
            remove_unreported(folder, parts)
            if not parts:
                parquet.write_table(TABLES[table].empty_table(), folder / "part-0.parquet")
        tables = {table: sum(parts.values()) for table, parts in self._parts.items()}
        whole = self.out / f"{WHOLE}{self.stamp.scan}"
        finished = datetime.now(UTC).isoformat(timespec="seconds")
        files = digests_of(self.folder)
        manifest = Manifest(self.stamp.scan, finished, whole.name, tables, SCHEME, files)
        (self.folder / MANIFEST).write_text(manifest.text, encoding="utf-8")
        if publish is not None:
            publish(self.folder, manifest)
        self.folder = self.folder.rename(whole)
        if any(began_later(other, self.stamp.scan) for other in scans(self.out)):
            self._is_whole = True
            return manifest
        replace_manifest(self.out, manifest)
        self._is_whole = True
        for old in scans(self.out)[:-history]:
            shutil.rmtree(self.out / old.folder, ignore_errors=True)
        return manifest

    def discard(self) -> None:
        """Remove what was written, unless it was committed.

        A task of Spark that was cancelled may write into the folder a little longer.
        """
        for _ in range(_REMOVALS):
            if self._is_whole or not self.folder.exists():
                return
            shutil.rmtree(self.folder, ignore_errors=True)
            time.sleep(_BETWEEN_REMOVALS)


def began_later(manifest: Manifest, scan: str) -> bool:
    """Whether a scan began after that with the id `scan`; not if its time is still to come.

    A clock that was wrong must not hide all later scans.
    """
    return scan < manifest.scan < _time_in_id(datetime.now(UTC))


def _time_in_id(moment: datetime) -> str:
    return f"{moment:%Y%m%dT%H%M%S}.{moment.microsecond // 1000:03}Z"


def replace_manifest(out: Path, manifest: Manifest) -> None:
    """Make a scan in `out` the current one, in one step."""
    draft = out / f".{MANIFEST}.{manifest.scan}"
    try:
        draft.write_text(manifest.text, encoding="utf-8")
        draft.replace(out / MANIFEST)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def drafting(out: Path, tables: Sequence[str] = tuple(TABLES)) -> Iterator[Draft]:
    """Give a draft that is removed when it has not been committed; OSError as `Draft`."""
    out.mkdir(parents=True, exist_ok=True)
    remove_abandoned(out)
    draft = Draft(out, tables)
    try:
        yield draft
    finally:
        draft.discard()


def remove_abandoned(out: Path, age: float = _ABANDONED) -> None:
    """Remove what scans left that were killed more than `age` seconds ago.

    Younger ones are let alone: another scan may be writing them.
    """
    whole = {scan.folder for scan in scans(out)}
    before = time.time() - age
    for folder in (*out.glob(f"{PENDING}*"), *out.glob(f"{WHOLE}*")):
        if folder.name in whole or not is_of_scan(folder.name):
            continue
        with suppress(OSError):
            newest = max(path.stat().st_mtime for path in (folder, *folder.iterdir()))
            if newest < before:
                shutil.rmtree(folder, ignore_errors=True)
    for file in out.glob(f".{MANIFEST}.*"):
        with suppress(OSError):
            if file.stat().st_mtime < before:
                file.unlink()


def digests_of(folder: Path) -> dict[str, str]:
    """Return the SHA-256 digests of the Parquet files of a scan, by their paths in its folder.

    A link is not one of them: what it leads to can change without a change here.
    """
    paths = (path for path in sorted(folder.glob("*/*.parquet")) if not _is_link(path))
    return {path.relative_to(folder).as_posix(): _digest(path) for path in paths}


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def changes_of(folder: Path, expected: Mapping[str, str]) -> list[str]:
    """Return what differs in the files of a scan from their expected digests, in sentences.

    Spark reads each file below a table's folder, whatever its ending, and follows links, so each
    is one that was added.
    """
    found = digests_of(folder)
    others = _read_by_others(folder) - expected.keys()
    changed = [name for name in found if name in expected and found[name] != expected[name]]
    return [
        *(f"{name} was changed" for name in changed),
        *(f"{name} is missing" for name in sorted(expected.keys() - found)),
        *(f"{name} was added" for name in sorted(others)),
    ]


def _read_by_others(folder: Path) -> set[str]:
    """The paths of files and links below the folders of tables that other programs may read.

    They skip names that begin with a dot or an underline.
    """
    paths = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    names = (path.relative_to(folder) for path in paths)
    return {
        name.as_posix()
        for name in names
        if not any(part.startswith((".", "_")) for part in name.parts) and name != Path(MANIFEST)
    }


def parts_of(out: Path, manifest: Manifest, table: str) -> list[Path]:
    """Return the Parquet files of a table of a scan in `out`.

    NoScanError if one is missing, or is not the one that the scan wrote. A file that its manifest
    does not name is not one of them. Earlier manifests name none.
    """
    paths = [*(out / manifest.folder / table).glob("*.parquet")]
    if any(map(_is_link, paths)):
        raise NoScanError(f"a file of the table {table} of {manifest.folder} is a link")
    found = {path.name: path for path in paths}
    named = (name.partition("/") for name in manifest.files)
    expected = {name for folder, _, name in named if folder == table}
    if not expected <= found.keys():
        raise NoScanError(f"files of the table {table} of {manifest.folder} are missing")
    for name in sorted(expected):
        if _digest(found[name]) != manifest.files[f"{table}/{name}"]:
            raise NoScanError(f"{manifest.folder}/{table}/{name} was changed after the scan")
    return [found[name] for name in sorted(expected or found)]


def _is_link(part: Path) -> bool:
    return part.is_symlink() or part.parent.is_symlink()


def latest(out: Path) -> Manifest:
    """Return the current scan in `out`; NoScanError when there is none."""
    manifest = _read(out / MANIFEST)
    folder = out / manifest.folder
    tables = dict.fromkeys((*REQUIRED, *manifest.tables))
    missing = [table for table in tables if not (folder / table).is_dir()]
    if missing:
        raise NoScanError(f"these tables of its scan are missing: {', '.join(missing)}")
    return manifest


def scans(out: Path) -> list[Manifest]:
    """Return the whole scans in `out` up to the current one, the oldest first; none without one.

    One that was killed before it became the current one is not among them.
    """
    try:
        current = _read(out / MANIFEST)
    except NoScanError:
        return []
    found = {current.scan: current}
    for file in out.glob(f"{WHOLE}*/{MANIFEST}"):
        with suppress(NoScanError):
            manifest = _read(file)
            if manifest.folder == file.parent.name and manifest.scan < current.scan:
                found[manifest.scan] = manifest
    return [found[scan] for scan in sorted(found)]


def scan_at(place: Path) -> tuple[Path, Manifest]:
    """Return the folder of the scans, and the scan, that a path stands for.

    It is that folder, for its current scan, or the folder of one scan in it. NoScanError when it
    is neither.
    """
    if place.name.startswith(WHOLE):
        manifest = _read(place / MANIFEST)
        if manifest.folder == place.name:
            return place.parent, manifest
    return place, latest(place)


def _read(file: Path) -> Manifest:
    try:
        return manifest_in(file.read_text("utf-8"))
    except FileNotFoundError:
        raise NoScanError("it has no complete scan") from None
    except OSError as error:
        raise NoScanError((error.strerror or str(error)).lower()) from None
    except UnicodeDecodeError:
        raise NoScanError(f"its {MANIFEST} {_FOREIGN}") from None
    except ValueError as error:
        raise NoScanError(f"its {MANIFEST} {error}") from None


def manifest_in(text: str) -> Manifest:
    """Return the manifest that a text is; ValueError says what it does otherwise."""
    try:
        found = read_json(text)
        manifest = Manifest(**{name: found[name] for name in names_of(Manifest) if name in found})
        is_sound = _is_sound(manifest)
    except (ValueError, KeyError, TypeError, AttributeError):
        is_sound = False
    if not is_sound:
        raise ValueError(_FOREIGN)
    names = (manifest.folder, *chain.from_iterable(name.split("/") for name in manifest.files))
    lengths = (len(name.encode("utf-8", "replace")) for name in (*names, *manifest.tables))
    if any(length > _LONGEST_NAME for length in lengths):
        raise ValueError(_FOREIGN)
    if any(name in ("", ".", "..") or "\\" in name or "/" in name for name in names):
        raise ValueError("names another folder")
    return manifest


def _is_sound(manifest: Manifest) -> bool:
    """Whether all values have their types, and tables and files their names."""
    texts = (manifest.scan, manifest.finished, manifest.folder, manifest.fingerprints)
    return (
        all(isinstance(text, str) for text in (*texts, *manifest.files.values()))
        and all(isinstance(number, int) for number in manifest.tables.values())
        and all(table.isidentifier() for table in manifest.tables)
    )
