"""The tables of scans in an object store: copied to this machine to be read, and from it when made.

A scan has the same files there as in a folder: `ADDRESS/scan-ID`, and `ADDRESS/scan.json`, which
names the current one. A store replaces an object in one step, so that readers find the old manifest
or the new one.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex

import pyarrow as pa
from pyarrow.fs import (
    FileInfo,
    FileSelector,
    FileSystem,
    FileType,
    LocalFileSystem,
    SubTreeFileSystem,
    copy_files,
)

from mqlint.config.object_store import answer_of, with_patience
from mqlint.estate.history import WHOLE, is_of_scan
from mqlint.estate.history.store import (
    MANIFEST,
    PENDING,
    Manifest,
    began_later,
    changes_of,
    manifest_in,
    replace_manifest,
)

_ABANDONED = timedelta(days=1)
_DAMAGED = ".damaged"
"""A file in the copy of a scan whose files are not those of its manifest."""


class StoreError(Exception):
    """An object store that cannot be read or written, or what is not a scan; the text says why."""


class ObjectStore:
    """The scans below one address."""

    def __init__(self, address: str) -> None:
        """`address` is a URI that Arrow knows, such as s3://bucket/folder; StoreError if not."""
        with _explained():
            files, root = FileSystem.from_uri(with_patience(address))
            if isinstance(files, LocalFileSystem):
                raise ValueError("name a folder by its path")
            self._files = SubTreeFileSystem(root, files)
            # Of folders without an object of their own, Arrow lists none in Google's store.
            self._has_no_folders = files.type_name == "gcs"

    def pull(self, folder: Path, *, history: bool = True) -> None:
        """Make `folder` a copy: of the current scan, with `history` also of those before it.

        Scans that are there already are not copied again, those that the store lacks are removed.
        Files that are missing or were changed are found by who reads them (`parts_of`).
        """
        with _explained():
            folder.mkdir(parents=True, exist_ok=True)
            current = self._manifest(MANIFEST)
            stored = self._folders()
            names = [name for name in stored if history and current and name < current.folder]
            earlier = (self._manifest(f"{name}/{MANIFEST}") for name in names)
            for manifest in (*earlier, current):
                if manifest is not None:
                    self._copy(manifest, folder)
            for scan in folder.glob(f"{WHOLE}*"):
                if scan.name not in stored:
                    shutil.rmtree(scan, ignore_errors=True)
            if current is None:
                (folder / MANIFEST).unlink(missing_ok=True)
            else:
                replace_manifest(folder, current)

    def push(self, folder: Path, manifest: Manifest, history: int) -> None:
        """Copy a scan, which is in `folder`, and make it the current one.

        If a scan that began later is the current one, it remains. Of those before it `history`
        less one stay.
        """
        with _explained():
            try:
                for name in (*manifest.files, MANIFEST):
                    self._put(folder / name, f"{manifest.folder}/{name}")
            except BaseException:
                self._remove(manifest.folder)
                raise
            current = self._manifest(MANIFEST)
            if current is None or not began_later(current, manifest.scan):
                self._put(folder / MANIFEST, MANIFEST)
            self._forget(manifest, history)

    def _forget(self, newest: Manifest, history: int) -> None:
        """Remove the scans before the last ones, and what is left of uploads that were killed."""
        names = [name for name in self._folders() if name <= newest.folder]
        found = self._files.get_file_info([f"{name}/{MANIFEST}" for name in names])
        whole = {
            name for name, info in zip(names, found, strict=True) if info.type == FileType.File
        }
        before = f"{WHOLE}{datetime.now(UTC) - _ABANDONED:%Y%m%dT%H%M%S}"
        abandoned = [name for name in names if name not in whole and name < before]
        for name in (*sorted(whole)[:-history], *abandoned):
            self._remove(name)

    def _remove(self, name: str) -> None:
        with suppress(OSError):
            self._files.delete_dir(name)

    def _put(self, file: Path, name: str) -> None:
        copy_files(str(file), name, LocalFileSystem(), self._files)

    def _manifest(self, name: str) -> Manifest | None:
        try:
            with self._files.open_input_stream(name) as stream:
                return manifest_in(stream.read().decode("utf-8"))
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise ValueError(f"{name} {error}") from None

    def _folders(self) -> Sequence[str]:
        """The names of the folders of scans, the oldest first; some may not be whole."""
        every = FileSelector("", allow_not_found=True, recursive=self._has_no_folders)
        found: Sequence[FileInfo] = self._files.get_file_info(every)
        paths = (info.path for info in found if info.type == FileType.Directory or "/" in info.path)
        names = {path.partition("/")[0] for path in paths}
        return sorted(filter(is_of_scan, names))

    def _copy(self, manifest: Manifest, folder: Path) -> None:
        """Copy a scan, unless it is there; one that was damaged is copied again each time."""
        whole = folder / manifest.folder
        if whole.is_dir() and not (whole / _DAMAGED).exists():
            return
        draft = folder / f"{PENDING}{token_hex(8)}"
        draft.mkdir()
        try:
            for name in manifest.files:
                (draft / name).parent.mkdir(exist_ok=True)
                with suppress(FileNotFoundError):
                    copy_files(f"{manifest.folder}/{name}", str(draft / name), self._files)
            if changes_of(draft, manifest.files):
                (draft / _DAMAGED).touch()
            (draft / MANIFEST).write_text(manifest.text, encoding="utf-8")
            if (whole / _DAMAGED).exists():
                shutil.rmtree(whole, ignore_errors=True)
            try:
                draft.rename(whole)
            except OSError:
                if not whole.is_dir():  # else another process was faster
                    raise
        finally:
            shutil.rmtree(draft, ignore_errors=True)


@contextmanager
def _explained() -> Iterator[None]:
    """Raise StoreError for what goes wrong; words of a store are cut to their first line."""
    try:
        yield
    except (OSError, ValueError, pa.ArrowException) as error:
        raise StoreError(answer_of(error)) from None
