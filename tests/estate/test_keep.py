"""What scans keep may be killed half-way, cut, spoilt or deleted: the result is the same."""

from __future__ import annotations

import os
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.generate import generate_estate
from benchmarks.standalone import PATIENCE
from mqlint.policy.rulebook import Rulebook
from mqlint.vocabulary import Vocabulary
from tests.estate import estates
from tests.estate.conftest import settings_in
from tests.estate.stages import setup_of

pytest.importorskip("pyspark")

from mqlint.estate.io.cache import FORGOTTEN, Kind, ScanCache
from mqlint.estate.io.index import index_of_files
from mqlint.estate.io.sources import Source
from mqlint.estate.scanning import scan
from mqlint.estate.stages.collect import Configuration
from mqlint.estate.stages.local import LocalEngine
from mqlint.estate.stages.scan import Scan

pytestmark = pytest.mark.slow

KEY = "ab" * 32


def put(keep: ScanCache, kind: Kind, *keys: str, data: bytes = b"x") -> None:
    for key in keys:
        keep.put(kind, key, data)
    keep.flush()


def packs(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.pack"))


def test_what_is_put_is_found(tmp_path: Path) -> None:
    keep = ScanCache(tmp_path / "keep")
    assert not keep.has("facts", KEY)
    keep.put("facts", KEY, b"x" * 9)
    keep.put("facts", KEY, b"y" * 9)
    assert keep.get("facts", KEY) == b"y" * 9
    assert not ScanCache(keep.folder).has("facts", KEY)
    keep.flush()
    for cache in (keep, ScanCache(keep.folder)):
        assert cache.has("facts", KEY)
        assert cache.get("facts", KEY) == b"y" * 9
        assert cache.get("judged", KEY) is None
    assert len(packs(keep.folder)) == 1


def test_many_entries_are_few_files(tmp_path: Path) -> None:
    keep = ScanCache(tmp_path)
    put(keep, "facts", *map(str, range(5_000)), data=b"x" * 5_000)
    assert len(packs(tmp_path)) == 3
    assert [file.name for file in tmp_path.rglob(".*")] == []
    assert all(ScanCache(tmp_path).has("facts", str(number)) for number in range(0, 5_000, 7))


def test_many_small_packs_become_few(tmp_path: Path) -> None:
    for number in range(70):
        put(ScanCache(tmp_path), "judged", str(number), data=str(number).encode())
    reader = ScanCache(tmp_path)
    assert reader.has("judged", "1")
    ScanCache(tmp_path).forget()
    assert len(packs(tmp_path)) == 1
    assert [reader.get("judged", str(number)) for number in (0, 69)] == [b"0", b"69"]


SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[:-1],
    "empty": lambda data: b"",
    "changed": lambda data: data[:62] + bytes([data[62] ^ 1]) + data[63:],
    "place": lambda data: data[:-30] + bytes([data[-30] ^ 1]) + data[-29:],
    "number": lambda data: data[:-20] + b"\xff" * 8 + data[-12:],
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT.keys())
def test_what_is_spoilt_is_not_found(tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    put(ScanCache(tmp_path), "facts", KEY)
    assert ScanCache(tmp_path).get("facts", KEY) == b"x"
    [path] = packs(tmp_path)
    path.write_bytes(spoil(path.read_bytes()))
    assert not ScanCache(tmp_path).has("facts", KEY)


def test_what_cannot_be_written_is_held_on(tmp_path: Path) -> None:
    """A disk is full for a while: `get` tells of it too, and nothing is lost."""
    put(ScanCache(tmp_path, 0), "claims", KEY, data=b"y" * (9 << 20))
    later, blocked = ScanCache(tmp_path, FORGOTTEN), tmp_path / "claims" / "2"
    blocked.touch()
    later.put("claims", "small", b"x")
    with pytest.raises(OSError, match="exists"):
        later.get("claims", KEY)
    blocked.unlink()
    later.flush()
    assert ScanCache(tmp_path, FORGOTTEN).get("claims", "small") == b"x"


def test_packs_of_others_and_links_remain(tmp_path: Path) -> None:
    for number in range(70):
        put(ScanCache(tmp_path), "judged", str(number))
    link, first, *_ = packs(tmp_path)
    target = tmp_path / "target.pack"
    link.rename(target)
    link.symlink_to(target)
    first.chmod(0o666)
    ScanCache(tmp_path).forget()
    assert len(packs(tmp_path)) == 4
    assert link.is_symlink()
    found = [ScanCache(tmp_path).has("judged", str(number)) for number in range(70)]
    assert found.count(True) == 68


def test_what_others_may_write_is_not_found(tmp_path: Path) -> None:
    put(ScanCache(tmp_path), "facts", KEY)
    [path] = packs(tmp_path)
    path.chmod(0o666)
    assert ScanCache(tmp_path).get("facts", KEY) is None


def test_what_is_not_used_is_forgotten(tmp_path: Path) -> None:
    other = KEY[::-1]
    put(ScanCache(tmp_path, 0), "judged", KEY, other)
    later = ScanCache(tmp_path, FORGOTTEN)
    assert later.has("judged", KEY)
    later.flush()
    later.forget()
    assert ScanCache(tmp_path, 0).get("judged", other) == b"x"
    last = ScanCache(tmp_path, 2 * FORGOTTEN)
    last.forget()
    assert last.get("judged", KEY) == b"x"
    assert not ScanCache(tmp_path, 0).has("judged", other)
    assert ScanCache(tmp_path, FORGOTTEN + FORGOTTEN // 2).get("judged", KEY) == b"x"


def test_only_what_a_scan_wrote_is_removed(tmp_path: Path) -> None:
    """The folder that --cache names may have files of its owner."""
    own = [tmp_path / "archives" / name / "a.mqsc" for name in ("mq", "12")]
    for path in own:
        path.parent.mkdir(parents=True)
        path.write_bytes(b"x")
    ScanCache(tmp_path, now=0).put("archives", "a", b"old")
    old = ScanCache(tmp_path, now=0)
    old.put("archives", "b", b"old")
    old.flush()
    draft = tmp_path / "archives" / "0" / f".{'a' * 24}"  # of a scan that was killed
    draft.write_bytes(b"x")
    ScanCache(tmp_path).forget()
    assert not (tmp_path / "archives" / "0").exists()
    assert all(path.exists() for path in own)


def test_an_index_removes_only_what_a_scan_wrote(tmp_path: Path) -> None:
    index = index_of_files(tmp_path)
    own, killed = tmp_path / "known" / "mq" / "a.mqsc", tmp_path / "known" / "killed"
    for path in (own, killed / f"part-{'a' * 24}.parquet", killed / ".named"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
        os.utime(path.parent, (0, 0))
    index.replace("new", [])
    assert {path.name for path in (tmp_path / "known").iterdir()} == {"mq", "new"}
    assert own.exists()
    assert {path.name for path in tmp_path.iterdir()} == {"known", "known.txt"}


def test_a_group_that_may_write_by_default_does_not_hide_the_cache(tmp_path: Path) -> None:
    before = os.umask(0o002)
    try:
        cache = ScanCache(tmp_path)
        cache.put("facts", "a", b"data")
        cache.flush()
    finally:
        os.umask(before)
    assert ScanCache(tmp_path).get("facts", "a") == b"data"


@pytest.mark.parametrize(("start", "length"), [(2**31, 4), (2**32 - 2, 4), (0, 2**32 - 2)])
def test_a_place_outside_of_a_pack_is_no_entry(tmp_path: Path, start: int, length: int) -> None:
    cache = ScanCache(tmp_path)
    cache.put("facts", "a", b"data")
    cache.flush()
    (pack,) = tmp_path.rglob("*.pack")
    whole = pack.read_bytes()
    at = whole.index(b"PK\1\2")  # the entry in the central directory
    place = struct.pack("<II", length, length) + whole[at + 28 : at + 42] + struct.pack("<I", start)
    pack.write_bytes(whole[: at + 20] + place + whole[at + 46 :])
    assert ScanCache(tmp_path).get("facts", "a") is None


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return at_rest(generate_estate(tmp_path_factory.mktemp("kept") / "estate", 12, 42))


@pytest.fixture
def own_folder(folder: Path, tmp_path: Path) -> Path:
    """A copy for a test that changes it."""
    return at_rest(Path(shutil.copytree(folder, tmp_path / "estate")))


def at_rest(folder: Path) -> Path:
    time.sleep(0.2)  # a file changed a moment ago is not trusted to stay as it is
    return folder


Run = Callable[[], Scan]
RunOf = Callable[[Path, Path], Scan]


@pytest.fixture(scope="module")
def run_of(vocabulary: Vocabulary, rulebook: Rulebook) -> RunOf:
    """Scans an estate into another folder."""

    def scanned(estate: Path, out: Path) -> Scan:
        configured = Configuration(setup_of(vocabulary.compiled, rulebook, settings_in(estate)))
        source = Source("", "project", str(estate), str(estate))
        scratch = out.with_name("scratch")
        scratch.mkdir()
        try:
            return scan(LocalEngine(scratch), [source], lambda texts: configured, out)
        finally:
            shutil.rmtree(scratch)

    return scanned


@pytest.fixture
def run(run_of: RunOf, folder: Path, tmp_path: Path) -> Run:
    return lambda: run_of(folder, tmp_path / "out")


@pytest.fixture
def run_own(run_of: RunOf, own_folder: Path, tmp_path: Path) -> Run:
    return lambda: run_of(own_folder, tmp_path / "out")


@dataclass(frozen=True)
class Undisturbed:
    """The folder of one scan, and what it found."""

    out: Path
    scan: Scan
    findings: list[object]
    files: list[object]


@pytest.fixture(scope="module")
def undisturbed(
    run_of: RunOf, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Undisturbed:
    out = tmp_path_factory.mktemp("undisturbed") / "out"
    done = run_of(folder, out)
    return Undisturbed(out, done, [*done.findings], sorted(done.files(), key=repr))


def delete_all(cache: Path) -> None:
    shutil.rmtree(cache)


def delete_facts(cache: Path) -> None:
    shutil.rmtree(cache / "facts")


def delete_judged(cache: Path) -> None:
    shutil.rmtree(cache / "judged")


def cut_all(cache: Path) -> None:
    for file in cache.rglob("*"):
        if file.is_file():
            file.write_bytes(file.read_bytes()[:-7])


def empty_all(cache: Path) -> None:
    for file in cache.rglob("*"):
        if file.is_file():
            file.write_bytes(b"")


def delete_claims(cache: Path) -> None:
    shutil.rmtree(cache / "claims")


def delete_compared(cache: Path) -> None:
    shutil.rmtree(cache / "compared")


def change_all(cache: Path) -> None:
    for file in cache.rglob("*"):
        if file.is_file():
            data = bytearray(file.read_bytes())
            data[len(data) // 2] ^= 1
            file.write_bytes(data)


HARM = (
    *(delete_all, delete_facts, delete_judged, delete_claims, delete_compared),
    *(cut_all, change_all, empty_all),
)


@pytest.mark.parametrize("harm", HARM)
def test_a_cache_that_is_harmed_changes_nothing(
    harm: Callable[[Path], None], run: Run, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    shutil.copytree(undisturbed.out, tmp_path / "out")
    harm(tmp_path / "out" / "cache")
    second = run()
    assert [*second.findings] == undisturbed.findings
    assert sorted(second.files(), key=repr) == undisturbed.files
    assert second.manifest.tables == undisturbed.scan.manifest.tables
    third = run()
    assert (third.counts.read, third.counts.parsed, third.counts.judged) == (0, 0, 0)


def test_one_change_in_a_hundred_files_is_one_file_read(run_own: Run, own_folder: Path) -> None:
    first = run_own()
    (own_folder / "prod" / "PRDQM0002" / "queues.mqsc").write_text(
        "DEFINE QLOCAL(NEW) MAXDEPHT(5)\n"
    )
    second = run_own()
    assert (second.counts.read, second.counts.parsed, second.counts.judged) == (1, 1, 1)
    assert second.counts.documents == first.counts.documents
    assert second.counts.queue_managers == first.counts.queue_managers >= 12
    assert {finding.message for finding in second.findings} - {
        finding.message for finding in first.findings
    }


def test_equal_documents_are_parsed_once(run_own: Run, own_folder: Path) -> None:
    text = "DEFINE QLOCAL(COPY)\n"
    for number in range(4):
        (own_folder / "prod" / f"PRDQM000{number + 1}" / "copy.mqsc").write_text(text)
    run_own()
    for number in range(5):
        (own_folder / "prod" / f"PRDQM000{number + 1}" / "again.mqsc").write_text(f"* new\n{text}")
    assert (found := run_own().counts).read >= 5
    assert found.parsed == 1


@pytest.mark.parametrize("sign", ["facts", "judged", "known.txt"])
def test_a_scan_that_was_killed_leaves_the_next_what_it_had_done(
    sign: str, folder: Path, run: Run, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    words = ["estate", "scan", str(folder), "--engine=process", "--out", str(tmp_path / "out")]
    running = subprocess.Popen(
        [sys.executable, "-m", "mqlint", *words], stderr=subprocess.DEVNULL, cwd=tmp_path
    )
    deadline = time.monotonic() + PATIENCE
    while not (tmp_path / "out" / "cache" / sign).exists() and time.monotonic() < deadline:
        time.sleep(0.001)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert not (tmp_path / "out" / "scan.json").exists()
    after = run()
    assert [*after.findings] == undisturbed.findings
    assert after.manifest.tables == undisturbed.scan.manifest.tables
    assert after.counts.documents == undisturbed.scan.counts.documents


def test_scans_at_once_share_a_cache_though_some_are_killed(folder: Path, tmp_path: Path) -> None:
    def start(out: str) -> subprocess.Popen[bytes]:
        words = ["estate", "scan", str(folder), "--engine=process", "--out", out, "--quiet"]
        words += ["--cache", "cache", "--fail-on=never", f"--format=csv={out}.csv"]
        command = [sys.executable, "-m", "mqlint", *words]
        return subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL)

    assert start("alone").wait() == 0
    shutil.rmtree(tmp_path / "cache")
    running = [start(f"out{number}") for number in range(3)]
    while not (tmp_path / "cache" / "facts").exists() and running[0].poll() is None:
        time.sleep(0.001)
    running[0].kill()
    assert [scan.wait() for scan in running[1:]] == [0, 0]
    alone = (tmp_path / "alone.csv").read_bytes()
    assert [(tmp_path / f"out{number}.csv").read_bytes() for number in (1, 2)] == [alone] * 2


def test_what_is_kept_is_not_scanned(tmp_path: Path) -> None:
    (tmp_path / "estate").mkdir()
    (tmp_path / "estate" / "a.mqsc").write_text("DEFINE QLOCAL(A)\n")
    words = ["estate", "scan", "estate", "--engine=process", "--out", "out", "--quiet"]
    words += ["--cache", "estate/cache"]
    for _ in range(2):
        done = estates.run(*words, cwd=tmp_path)
        assert done.exit_code == 0, done.stderr
        assert "files: 1 file, " in done.stdout
