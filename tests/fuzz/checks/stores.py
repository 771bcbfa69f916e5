"""What must hold whatever stands in the files that mqlint wrote and reads back.

The first byte of an input chooses the file, the rest is what stands in it.
"""

from __future__ import annotations

import json
import tempfile
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

from mqlint.config.cache import cached, cached_lines
from mqlint.engine.document.pack import NotPackedError, from_bytes, pack, to_bytes
from mqlint.estate.history import store
from mqlint.estate.history.store import NoScanError
from mqlint.estate.io import index
from mqlint.estate.io.cache import ScanCache
from tests.fuzz.program import ANALYSER, refused


def packed(data: bytes) -> None:
    """A reading that another program wrote, or nobody, is refused; any other can be sent on."""
    try:
        reading = from_bytes(zlib.compress(data, 1), ANALYSER.parser)
    except NotPackedError:
        return
    sent = json.dumps(pack(reading))
    assert json.dumps(pack(from_bytes(to_bytes(reading), ANALYSER.parser))) == sent


def scan(data: bytes) -> None:
    """Files of a scan are read, or count as none."""
    place = STORED[data[0] % len(STORED)] if data else _manifest
    place(_folder(place.__name__), data[1:])


def _manifest(folder: Path, data: bytes) -> None:
    """The manifest names a scan in the folder, or there is none."""
    (folder / store.MANIFEST).write_bytes(data)
    try:
        manifest = store.latest(folder)
    except NoScanError as error:
        refused(error)
    else:
        assert (folder / manifest.folder).parent == folder
    assert len(store.scans(folder)) <= 1


def _history(folder: Path, data: bytes) -> None:
    """An older scan is one of the history, or not."""
    (folder / store.MANIFEST).write_text(
        json.dumps({"scan": "2", "finished": "", "folder": "scan-2", "tables": {}})
    )
    (folder / "scan-1").mkdir(exist_ok=True)
    (folder / "scan-1" / store.MANIFEST).write_bytes(data)
    assert 1 <= len(store.scans(folder)) <= 2


def _known(folder: Path, data: bytes) -> None:
    """What names the ledger leads to no folder but its own."""
    (folder / "known.txt").write_bytes(data)
    _recalled(folder)


def _ledger(folder: Path, data: bytes) -> None:
    """A ledger that is not whole counts as none."""
    (folder / "known.txt").write_text("scan")
    (folder / "known" / "scan").mkdir(parents=True, exist_ok=True)
    (folder / "known" / "scan" / "part.parquet").write_bytes(data)
    _recalled(folder)


def _recalled(folder: Path) -> None:
    found = index.index_of_files(folder).folder()
    assert found is None or found.parent == folder / "known"


def _kept(folder: Path, data: bytes) -> None:
    """What a pack has is whole, or counts as none."""
    keep = ScanCache(folder)
    keep.put("facts", "abcdef", data)
    keep.flush()
    [pack] = (folder / "facts").rglob("*.pack")
    whole = pack.read_bytes()
    for written in (data, data + whole[len(data) :], whole[: len(data)] + data + whole[-20:]):
        pack.write_bytes(written)
        assert ScanCache(folder).get("facts", "abcdef") in (None, data)
    pack.unlink()


def _cached(folder: Path, data: bytes) -> None:
    """A cache that cannot be read is built again, as often as it is asked for."""
    (folder / "a.json").write_bytes(data)
    (folder / "b.jsonl").write_bytes(data)
    value = cached(folder, "a", "key", lambda: ["built"])
    assert cached(folder, "a", "key", lambda: ["built"]) == value
    lines = cached_lines(folder, "b", "key", lambda: ["built"])
    assert cached_lines(folder, "b", "key", lambda: ["built"]) == lines


STORED: tuple[Callable[[Path, bytes], None], ...] = (
    *(_manifest, _history, _known, _ledger),
    *(_kept, _cached),
)


@cache
def _folder(place: str) -> Path:
    """A folder for each kind of file: what one leaves must not count for another."""
    return Path(tempfile.mkdtemp(prefix=f"mqlint-fuzz-{place}-"))
