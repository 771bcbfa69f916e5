"""Inputs that are broken, odd or hostile: each is a row of coverage, and nothing else is lost."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import socket
import tarfile
import time
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest

pytest.importorskip("pyspark")

import pyarrow.parquet as parquet

from mqlint.cli.common.policy_choice import PolicyChoice
from mqlint.cli.common.project import ProjectOptions
from mqlint.cli.estate.plan import plan_of
from mqlint.estate.history.store import latest
from mqlint.estate.io.config_files import Texts
from mqlint.estate.io.repositories import repositories_in
from mqlint.estate.scanning import scan
from mqlint.estate.stages.collect import Configuration
from mqlint.estate.stages.local import LocalEngine
from mqlint.estate.stages.scan import Scan
from mqlint.source.git import content_id
from tests.estate.estates import KINDS, Kind, as_folder, as_mirror, as_tape, run, scanned
from tests.files import git, write

pytestmark = pytest.mark.spark

WRONG = "DEFINE QLOCAL({0}) MAXDEPHT(5)\n"
GOOD = {
    "mqlint.yaml": 'sites: {leeds: {role: production, paths: ["**"]}}\n'
    + 'queue_managers: "{queue_manager}/*"\n',
    "QM1/a.mqsc": WRONG.format("ONE"),
}
OTHER = {"QM9/b.mqsc": WRONG.format("TWO")}
NOT_READ = "no such file or folder"


def corrupt(place: Path) -> Path:
    """A mirror whose only pack is damaged, in the middle of what it holds."""
    bare = as_mirror(place, {f"QM{n}/a.mqsc": WRONG.format(n) * 50 for n in range(9)})
    git("gc", "-q", "--aggressive", cwd=bare)
    for pack in (bare / "objects" / "pack").glob("*.pack"):
        pack.chmod(0o600)
        data = bytearray(pack.read_bytes())
        for at in range(40, len(data) - 40, 3):
            data[at] ^= 0x5A
        pack.write_bytes(data)
    return bare


def without_contents(place: Path) -> Path:
    """A mirror that lists its files, and has lost what is in them."""
    bare = as_mirror(place, OTHER)
    content_of(bare, *OTHER.values()).unlink()
    return bare


def with_pipe(place: Path) -> Path:
    """A mirror with a named pipe instead of a content, for which git would wait for ever."""
    bare = without_contents(place)
    os.mkfifo(content_of(bare, *OTHER.values()))
    return bare


def content_of(bare: Path, text: str) -> Path:
    """Where a mirror has a text."""
    oid = content_id(text.encode(), like="0" * 40)
    return bare / "objects" / oid[:2] / oid[2:]


def emptied(place: Path) -> Path:
    place.mkdir()
    git("init", "-q", "--bare", cwd=place)
    return place


def checkout(place: Path) -> Path:
    place.mkdir()
    git("init", "-q", cwd=place)
    return place


def headless(place: Path) -> Path:
    """A mirror that lost its branches."""
    bare = as_mirror(place, OTHER)
    (bare / "packed-refs").unlink(missing_ok=True)
    for branch in (bare / "refs" / "heads").iterdir():
        branch.unlink()
    return bare


def unchecked(place: Path) -> Path:
    """A clone whose files were not checked out."""
    bare = as_mirror(place.with_name("origin"), OTHER)
    git("clone", "-q", "--no-checkout", str(bare), str(place), cwd=place.parent)
    return place


def folder(place: Path) -> Path:
    place.mkdir()
    return place


def closed(place: Path) -> Path:
    as_folder(place, OTHER)
    place.chmod(0)
    return place


def tape_of_nothing(place: Path) -> Path:
    return as_tape(place, {})


def no_tape(place: Path) -> Path:
    archive = place.with_suffix(".tar.gz")
    archive.write_bytes(b"this is no archive")
    return archive


BAD: Mapping[str, tuple[Callable[[Path], Path], str, str]] = {
    "nothing there": (lambda place: place, "", NOT_READ),
    "a mirror with a damaged pack": (corrupt, "", "git "),
    "a mirror without contents": (without_contents, "", "the repository is incomplete"),
    "a mirror with a pipe": (with_pipe, "", "git waits for a named pipe"),
    "a mirror that lost its commits": (headless, "", "git does not find this commit"),
    "a mirror without the branch": (
        lambda place: as_mirror(place, OTHER),
        "ref: nope",
        "git does not find this commit",
    ),
    "a clone without a checkout": (unchecked, "", "no file was found in it"),
    "a folder without a file": (folder, "", "no file was found in it"),
    "an archive without a file": (tape_of_nothing, "", "no file was found in it"),
    "no archive": (no_tape, "", "the archive is damaged"),
}


def test_the_reason_of_wrong_settings_is_shown_once(tmp_path: Path) -> None:
    files = {f"{name}.mqsc": "DEFINE QLOCAL(A)\n" for name in "abc"}
    bad = as_folder(tmp_path / "bad", {**files, "mqlint.yaml": "sites: 5\n"})
    found = scanned(tmp_path, str(bad))
    unread = found.unread
    whole = unread.pop("bad/mqlint.yaml")
    assert whole.startswith("the settings are not valid: bad/mqlint.yaml:1:8: ")
    see = "the settings of its repository are not valid: see bad/mqlint.yaml"
    assert unread == {f"bad/{name}": see for name in files}
    said = found.said.replace("\n" + " " * 16, " ").splitlines()
    assert f"not read whole: bad: 4 of 4 files: {whole}" in said


def test_a_register_is_compared_if_all_settings_are_wrong(tmp_path: Path) -> None:
    write(tmp_path, {"bad/mqlint.yaml": "sites: 5\n", "bad/a.mqsc": "*\n"})
    write(tmp_path, {"register.csv": "queue_manager\nQM1\n"})
    found = scanned(tmp_path, "bad", words=("--inventory", str(tmp_path / "register.csv")))
    assert [rule for _, rule, _ in found.found] == ["FIL002"]


@pytest.mark.parametrize(("make", "more", "reason"), BAD.values(), ids=BAD.keys())
def test_a_repository_that_cannot_be_read(
    make: Callable[[Path], Path], more: str, reason: str, tmp_path: Path
) -> None:
    good = as_folder(tmp_path / "good", GOOD)
    undisturbed = scanned(tmp_path, str(good))
    bad = f"{{path: {make(tmp_path / 'bad')}, name: bad, {more}}}"
    found = scanned(tmp_path, str(good), bad)
    assert found.report["findings"] == undisturbed.report["findings"]
    assert found.unread
    assert all(path.split("/")[0] == "bad" for path in found.unread)
    assert all(reason in said for said in found.unread.values()), found.unread


@pytest.mark.parametrize("make", [emptied, checkout])
def test_a_repository_that_git_knows_to_be_empty_is_read(
    make: Callable[[Path], Path], tmp_path: Path
) -> None:
    good = as_folder(tmp_path / "good", GOOD)
    empty = f"{{path: {make(tmp_path / 'empty')}, name: empty}}"
    found = scanned(tmp_path, str(good), empty, words=("--fail-on-unreadable",))
    assert found.unread == {}
    assert "assumed: empty: Git has no file in it" in found.said
    tables = tmp_path / "out" / latest(tmp_path / "out").folder / "repositories"
    (part,) = tables.glob("*.parquet")
    rows = parquet.read_table(part).select(["repository", "read_status"]).to_pylist()
    assert {"repository": "empty", "read_status": "whole"} in rows


GROUPS = {
    "checkouts side by side": ({"a/.git/HEAD", "b/q.mqsc"}, {"a", "b"}),
    "groups of checkouts": (
        {"one/a/.git/HEAD", "one/b/.git/HEAD", "two/sub/a/.git/HEAD", "notes/n.md"},
        {"one/a", "one/b", "two/sub/a", "notes"},
    ),
    "a folder for each team": ({"one/q.mqsc", "two/q.mqsc"}, set()),
    "too deep": ({"1/2/3/4/5/.git/HEAD"}, set()),
    "hidden": ({".cache/a/.git/HEAD", "one/q.mqsc"}, set()),
}


@pytest.mark.parametrize(("files", "names"), GROUPS.values(), ids=GROUPS.keys())
def test_repositories_in_a_folder(files: set[str], names: set[str], tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(files, ""))
    assert set(repositories_in(tmp_path, tmp_path / "out")) == names


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="root may read everything")
def test_a_repository_that_may_not_be_read(tmp_path: Path) -> None:
    good = as_folder(tmp_path / "good", GOOD)
    place = closed(tmp_path / "bad")
    found = scanned(tmp_path, str(good), str(place))
    place.chmod(0o700)
    assert found.unread == {"bad": "permission denied"}


def test_fault_of_a_whole_archive_has_the_path_of_its_repository(tmp_path: Path) -> None:
    found = scanned(tmp_path, f"{{path: {no_tape(tmp_path / 'bad')}, name: bad}}")
    assert found.unread.keys() == {"bad"}


@pytest.mark.parametrize("make", [as_folder, as_mirror, as_tape])
def test_a_pointer_of_git_lfs_is_no_configuration(
    make: Callable[[Path, Mapping[str, str]], Path], tmp_path: Path
) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"
    found = scanned(tmp_path, f"{{path: {make(tmp_path / 'pay', {'a.mqsc': pointer})}, name: pay}}")
    said = "it is a pointer of Git LFS, its content was not fetched: run `git lfs pull`"
    assert (found.unread, found.found) == ({"pay/a.mqsc": said}, [])


def vanishing(place: Path, path: Path, engine: LocalEngine) -> Scan:
    """A scan of two repositories of which one goes when all files are listed, and none read."""
    estate = place / "estate.yaml"
    estate.write_text(f"repositories: [good, {{path: {path}, name: bad}}]\n")
    plan = plan_of(
        estate,
        ProjectOptions(no_cache=True).session((str(place),)),
        PolicyChoice(),
        place / "out",
        (),
    )

    def configure(texts: Mapping[str, Texts]) -> Configuration:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        return plan.configure(texts)

    return scan(engine, plan.sources, configure, place / "out")


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_a_repository_that_goes_while_it_is_read(kind: Kind, tmp_path: Path) -> None:
    """What an archive holds was read when it was listed."""
    as_folder(tmp_path / "good", GOOD)
    (tmp_path / "scratch").mkdir()
    path = kind(tmp_path / "bad", OTHER)
    found = vanishing(tmp_path, path, LocalEngine(tmp_path / "scratch"))
    status = {file.path: file.status for file in found.files()}
    kept = "checked" if path.suffix in (".xz", ".zip") else "unreadable"
    assert status == {
        "good/mqlint.yaml": "without-mq",
        "good/QM1/a.mqsc": "checked",
        "bad/QM9/b.mqsc": kept,
    }
    assert "good/QM1/a.mqsc" in {finding.location.path for finding in found.findings}


@pytest.mark.skipif(os.name != "posix", reason="needs pipes and devices")
def test_a_place_that_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(write(tmp_path, {"QM1/a.mqsc": WRONG.format("ONE")}) / "pipe")
    names = {"pipe": "pipe", "device": "/dev/zero", "nothing": "gone"}
    found = scanned(tmp_path, *(f"{{path: {path}, name: {name}}}" for name, path in names.items()))
    assert found.unread == {
        "pipe": "it is a pipe",
        "device": "it is a device",
        "nothing": NOT_READ,
    }
    done = run("estate", "scan", "pipe", "--out", "out", cwd=tmp_path)
    assert done.exit_code == 2
    assert "cannot read pipe: it is a pipe" in done.output


ODD = {
    b'it\'s "new", a;b.mqsc': 'it\'s "new", a;b.mqsc',
    b"two\nlines\r\tand a tab.mqsc": "two\\nlines\\r\\tand a tab.mqsc",
    "очередь 日本 é.mqsc".encode(): "очередь 日本 é.mqsc",
    b"caf\xe9 \xff.mqsc": "caf\\xe9 \\xff.mqsc",
    b"=cmd|x.mqsc": "=cmd|x.mqsc",
    b"back\\slash.mqsc": "back\\\\slash.mqsc",
    "\u202eright \u200bto left.mqsc".encode(): "\\u202eright \\u200bto left.mqsc",
    b"-\x1b[31mred.mqsc": "-\\u001b[31mred.mqsc",
}
"""Names of files, and how reports have them."""


def odd_folder(place: Path) -> Path:
    place.mkdir()
    for name in ODD:
        (place / os.fsdecode(name)).write_text(WRONG.format("ODD"))
    return place


def odd_checkout(place: Path) -> Path:
    git("init", "-q", cwd=odd_folder(place))
    git("add", "-A", cwd=place)
    return place


def odd_mirror(place: Path) -> Path:
    work = odd_checkout(place.with_name("work"))
    git("commit", "-q", "-m", "x", cwd=work)
    git("clone", "-q", "--bare", work, place, cwd=work)
    return place


def odd_tape(place: Path) -> Path:
    with tarfile.open(place.with_suffix(".tar"), "w") as tape:
        for name in ODD:
            data = WRONG.format("ODD").encode()
            info = tarfile.TarInfo(os.fsdecode(name))
            info.size = len(data)
            tape.addfile(info, io.BytesIO(data))
    return place.with_suffix(".tar")


@pytest.mark.skipif(os.name != "posix", reason="names that only POSIX has")
@pytest.mark.parametrize("make", [odd_folder, odd_checkout, odd_mirror, odd_tape])
def test_names_come_through_to_everything(make: Callable[[Path], Path], tmp_path: Path) -> None:
    path = make(tmp_path / "odd")
    names = ("sarif", "csv", "jsonl")
    words = tuple(f"--format={name}={tmp_path / 'all'}.{name}" for name in names)
    found = scanned(
        tmp_path, f"{{path: {path}, name: odd}}", words=(*words, "--sarif", str(tmp_path / "each"))
    )
    shown, raw = set(ODD.values()), set(ODD)
    if make is odd_tape:  # where some programs write them for slashes
        shown = {one.replace("\\\\", "/") for one in shown}
        raw = {one.replace(b"\\", b"/") for one in raw}
    wanted = {f"odd/{name}" for name in shown}
    assert set(found.of("VOC002")) == wanted
    out = tmp_path / "out"
    whole = out / latest(out).folder
    for table in ("files", "objects", "findings"):
        rows = [
            row
            for file in (whole / table).glob("*.parquet")
            for row in parquet.read_table(file).to_pylist()
        ]
        assert {row["path"] for row in rows} == wanted, table
    lines = (tmp_path / "all.jsonl").read_text().splitlines()
    assert {json.loads(line)["path"] for line in lines} == wanted
    with (tmp_path / "all.csv").open(newline="") as file:
        sheet = [*csv.DictReader(file)]
    assert {row["path"] for row in sheet} == wanted
    assert not [cell for row in sheet for cell in row.values() if cell[:1] in "=+@" and cell]
    (each,) = (tmp_path / "each").glob("*.sarif")
    results = json.loads(each.read_text())["runs"][0]["results"]
    places = [
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in results
    ]
    assert {unquote_to_bytes(place) for place in places} == raw
    assert all(char.isprintable() or char == "\n" for char in found.said)


@pytest.mark.skipif(os.name != "posix", reason="names that only POSIX has")
@pytest.mark.parametrize("make", [odd_folder, odd_mirror, odd_tape])
def test_odd_names_are_found_again(make: Callable[[Path], Path], tmp_path: Path) -> None:
    """An archive that has not changed is not listed again, and what it holds read all the same."""
    path = make(tmp_path / "odd")
    time.sleep(0.2)  # a file changed a moment ago is not trusted to stay as it is
    first = scanned(tmp_path, f"{{path: {path}, name: odd}}")
    again = scanned(
        tmp_path, f"{{path: {path}, name: odd, override: {{target: {{level: 9.2.0}}}}}}"
    )
    assert "8 read, 1 parsed" in again.said
    assert again.unread == {}
    assert again.found == first.found


@pytest.mark.skipif(os.name != "posix", reason="what only POSIX has")
@pytest.mark.parametrize("make", [as_folder, as_mirror])
def test_links_pipes_and_sockets(make: Kind, tmp_path: Path) -> None:
    """Links to files of the repository are read; nothing else of them is, and nothing waits."""
    write(tmp_path / "outside", {"secret.mqsc": WRONG.format("SECRET")})
    place = tmp_path / "odd"
    work = place if make is as_folder else place.with_name("odd-work")
    write(work, GOOD)
    links = {"in.mqsc": "QM1/a.mqsc", "loop": "loop", "a": "b", "b": "a", "up": ".", "gone": "x"}
    links |= {"out.mqsc": "../outside/secret.mqsc", "all": "/", "abs": "/etc/passwd"}
    for name, target in links.items():
        (work / name).symlink_to(target)
    os.mkfifo(work / "pipe.mqsc")
    with socket.socket(socket.AF_UNIX) as listening:
        here = Path.cwd()
        os.chdir(work)  # the name of a socket must be short
        try:
            listening.bind("socket.mqsc")
        finally:
            os.chdir(here)
        if make is as_mirror:
            (work / "pipe.mqsc").unlink()
            (work / "socket.mqsc").unlink()
        found = scanned(tmp_path, f"{{path: {make(place, {})}, name: odd}}")
    assert found.of("VOC002") == ["odd/QM1/a.mqsc", "odd/in.mqsc"]
    assert "SECRET" not in json.dumps(found.report)


def test_archives_in_archives_are_not_opened(tmp_path: Path) -> None:
    inner = as_tape(tmp_path / "inner", OTHER).read_bytes()
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as zipped:
        zipped.writestr("deep/inner.tar.xz", inner)
        zipped.writestr("QM1/a.mqsc", WRONG.format("ONE"))
        zipped.writestr("../up.mqsc", WRONG.format("UP"))
        zipped.writestr("/abs.mqsc", WRONG.format("ABS"))
        zipped.writestr("C:\\win.mqsc", WRONG.format("WIN"))
    found = scanned(tmp_path, str(tmp_path / "outer.zip"))
    assert found.of("VOC002") == ["outer/QM1/a.mqsc"]
    assert set(found.unread.values()) == {"its name is outside the archive"}
    assert len(found.unread) == 3
    assert "2 not recognised" not in found.said
    assert "1 not recognised" in found.said


@pytest.mark.parametrize("kind", [as_mirror, as_tape])
def test_a_document_that_is_too_large(kind: Kind, tmp_path: Path) -> None:
    good = as_folder(tmp_path / "good", GOOD)
    work = (tmp_path / "bad").with_name("bad-work")
    work.mkdir()
    with (work / "huge.mqsc").open("wb") as file:
        file.truncate(65 << 20)  # a megabyte more than the limit
    if kind is as_tape:
        with tarfile.open(tmp_path / "bad.tar.xz", "w:xz", preset=0) as tape:
            tape.add(work / "huge.mqsc", "huge.mqsc")
        place = tmp_path / "bad.tar.xz"
    else:
        place = as_mirror(tmp_path / "bad", OTHER)
    found = scanned(tmp_path, str(good), f"{{path: {place}, name: bad}}")
    assert found.unread == {"bad/huge.mqsc": "larger than the limit of 67,108,864 bytes"}
    assert "good/QM1/a.mqsc" in found.of("VOC002")


def test_what_could_not_be_read_again_is_judged_by_the_next_scan(tmp_path: Path) -> None:
    """What was kept of it is deleted, and its mirror lacks it for the time of one scan."""
    text = "DEFINE CHANNEL(A.B) CHLTYPE(SDR) XMITQ(B) CONNAME('mq1(1414')\n"
    bare = as_mirror(tmp_path / "bad", {**GOOD, "QM1/b.mqsc": text})
    first = scanned(tmp_path, "bad")
    assert first.of("CHN037") == ["bad/QM1/b.mqsc"]
    for kind in ("facts", "judged"):
        shutil.rmtree(tmp_path / "out" / "cache" / kind)
    away = content_of(bare, text).rename(tmp_path / "away")
    second = scanned(tmp_path, "bad")
    assert not second.of("CHN037")
    assert "is missing" in second.unread["bad/QM1/b.mqsc"]
    away.rename(content_of(bare, text))
    assert scanned(tmp_path, "bad").found == first.found


def test_two_repositories_of_one_name_are_refused(tmp_path: Path) -> None:
    as_folder(tmp_path / "a" / "x", GOOD)
    as_folder(tmp_path / "b" / "x", GOOD)
    found = scanned(tmp_path, "a/x", "b/x")
    assert found.status == 2
    assert "two repositories are named 'x'" in found.said


def test_repositories_that_take_one_name_are_told(tmp_path: Path) -> None:
    for name in ("first", "second"):
        as_folder(tmp_path / name, {"mqlint.yaml": "repository: both\n", **OTHER})
    found = scanned(tmp_path, "first", "second")
    assert "first, second go by one name, 'both'" in found.said


def test_what_a_killed_scan_left_is_removed_by_a_later_one(tmp_path: Path) -> None:
    good = as_folder(tmp_path / "good", GOOD)
    left = write(
        tmp_path / "out",
        {
            ".scan-work-abc/x": "",
            ".scan-work-new/x": "",
            ".scan-20200101T000000.000Z-a/files/x": "",
            ".scan.json.20200101T000000.000Z-a": "",
        },
    )
    for path in left.rglob("*"):
        if "new" not in str(path):
            os.utime(path, (0, 0))
    scanned(tmp_path, str(good))
    assert {path.name for path in left.iterdir() if path.name.startswith(".")} == {".scan-work-new"}
