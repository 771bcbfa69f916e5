"""Archives are read in place, and what is hostile in them is told and bounded."""

from __future__ import annotations

import gzip
import io
import lzma
import stat
import tarfile
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from mqlint.source.archive import Member, is_archive, members, stem
from mqlint.source.read import Unreadable

LIMIT = 4_000
Files = list[tuple[str, bytes]]
Pack = Callable[[Path, Files], Path]


def tape(mode: str, name: str) -> Pack:
    def pack(folder: Path, files: Files) -> Path:
        with tarfile.open(folder / name, mode) as tar:  # type: ignore[call-overload]
            for path, data in files:
                info = tarfile.TarInfo(path)
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
        return folder / name

    return pack


def zipped(folder: Path, files: Files) -> Path:
    with zipfile.ZipFile(folder / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files:
            archive.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)
    return folder / "a.zip"


PACKS = {
    "tar": tape("w", "a.tar"),
    "gzip": tape("w:gz", "a.tgz"),
    "bzip2": tape("w:bz2", "a.tar.bz2"),
    "xz": tape("w:xz", "a.tar.xz"),
    "zip": zipped,
}


@pytest.fixture(params=list(PACKS.values()), ids=list(PACKS))
def pack(request: pytest.FixtureRequest) -> Pack:
    found: Pack = request.param
    return found


def told(path: Path, total: int = 1 << 30) -> list[tuple[str, bytes | str]]:
    """Names and bytes, or why there are none."""
    return [
        (member.name, member.data if isinstance(member.data, bytes) else member.data.reason)
        for member in members(path, limit=LIMIT, total=total)
    ]


def test_files_come_in_order(pack: Pack, tmp_path: Path) -> None:
    files = [("b/a.mqsc", b"x" * 512), ("empty", b""), ("n" * 300, b"long name"), ("é ñ", b"1")]
    assert told(pack(tmp_path, files)) == files


@pytest.mark.parametrize("name", ["../a", "b/../../a", "/etc/passwd", "C:/a", "..\\a"])
def test_a_name_that_leads_out_is_not_read(pack: Pack, tmp_path: Path, name: str) -> None:
    (first, second) = members(pack(tmp_path, [(name, b"x"), ("fine", b"y")]), limit=LIMIT)
    assert first.data == Unreadable("its name is outside the archive")
    assert second == Member("fine", b"y")


def test_what_is_too_large_is_not_read(pack: Pack, tmp_path: Path) -> None:
    files = [("big", b"0" * (LIMIT + 1)), ("fits", b"0" * LIMIT)]
    assert told(pack(tmp_path, files)) == [
        ("big", "larger than the limit of 4,000 bytes"),
        files[1],
    ]


def test_a_name_that_stands_twice_is_read_once(pack: Pack, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # zipfile does not like to write what it can
        path = pack(tmp_path, [("a", b"1"), ("./a", b"2"), ("a", b"3")])
    again = "its name is repeated in the archive"
    assert told(path) == [("a", b"1"), ("a", again), ("a", again)]


def test_what_unpacks_to_too_much_is_left(pack: Pack, tmp_path: Path) -> None:
    path = pack(tmp_path, [(str(n), b"0" * LIMIT) for n in range(9)])
    found = told(path, total=3 * LIMIT)
    assert len(found) < 6
    assert found[-1] == ("", "it unpacks to more than 12,000 bytes: the rest was not read")


def test_links_and_devices_are_not_followed(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        for name, kind in (
            ("soft", tarfile.SYMTYPE),
            ("hard", tarfile.LNKTYPE),
            ("p", tarfile.FIFOTYPE),
        ):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            tar.addfile(info)
    link = "it is a link, which is not followed in an archive"
    assert told(tmp_path / "a.tar") == [
        ("soft", link),
        ("hard", link),
        ("p", "it is not a regular file"),
    ]
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        entry = zipfile.ZipInfo("soft")
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, "/etc/passwd")
    assert told(tmp_path / "a.zip") == [("soft", link)]


def test_a_header_that_lies_about_a_size_takes_no_memory(tmp_path: Path) -> None:
    header = tarfile.TarInfo("x")
    header.type, header.size = tarfile.XHDTYPE, 1 << 33
    (tmp_path / "a.tar").write_bytes(header.tobuf(tarfile.GNU_FORMAT) + b"0" * 5_000)
    assert told(tmp_path / "a.tar") == [("", "it has a header of more than 67,108,864 bytes")]


def test_a_zip_with_a_huge_list_of_files_takes_no_memory(tmp_path: Path) -> None:
    entry = b"PK\1\2" + bytes(24) + (65_000).to_bytes(2, "little") + bytes(16) + b"a" * 65_000
    files = entry * 520
    sizes = len(files).to_bytes(4, "little") + bytes(4)
    (tmp_path / "a.zip").write_bytes(
        files + b"PK\5\6" + bytes(4) + b"\x08\x02" * 2 + sizes + bytes(2)
    )
    assert told(tmp_path / "a.zip") == [("", "its list of files has more than 33,554,432 bytes")]


def test_streams_of_xz_follow_each_other(tmp_path: Path) -> None:
    """`xz` packs in several streams when it is told to, and pads them."""
    data = tape("w", "a.tar")(tmp_path, [("a", b"1" * 600), ("b", b"2")]).read_bytes()
    packed = lzma.compress(data[:700]) + bytes(8) + lzma.compress(data[700:]) + bytes(4)
    (tmp_path / "a.txz").write_bytes(packed)
    (tmp_path / "a.tlz").write_bytes(lzma.compress(data, lzma.FORMAT_ALONE))
    assert told(tmp_path / "a.txz") == [("a", b"1" * 600), ("b", b"2")]
    assert told(tmp_path / "a.tlz") == told(tmp_path / "a.txz")


def test_xz_that_asks_for_much_memory_gets_none(tmp_path: Path) -> None:
    """The header of lzma: properties, the size of the dictionary, and that of what is unpacked."""
    data = bytearray(lzma.compress(b"x" * 9_000, lzma.FORMAT_ALONE))
    data[1:5] = (0x80000000).to_bytes(4, "little")
    (tmp_path / "a.tar.lzma").write_bytes(data)
    assert told(tmp_path / "a.tar.lzma") == [
        ("", "unpacking it takes more than 268,435,456 bytes of memory")
    ]


INCOMPLETE = "the archive is incomplete"
DAMAGED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "cut.tgz": (lambda data: data[: len(data) // 2], INCOMPLETE),
    "cut.tar": (lambda data: gzip.decompress(data)[:1500], INCOMPLETE),
    "cut.tar.xz": (lambda data: lzma.compress(gzip.decompress(data))[:200], INCOMPLETE),
    "empty.zip": (lambda data: b"", "zip"),
    "text.zip": (lambda data: b"hello", "zip"),
    "text.tar.gz": (lambda data: b"hello", "gzip"),
    "flipped.tar.bz2": (lambda data: b"BZh9" + bytes(range(256)) * 4, "bzip2"),
    "text.txz": (lambda data: b"hello", "xz"),
    "text.tlz": (lambda data: b"hello" * 9, "lzma"),
    "text.tar": (lambda data: b"hello" * 900, "tar"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_archive_is_told(name: str, tmp_path: Path) -> None:
    data = PACKS["gzip"](tmp_path, [("a", bytes(range(256)) * 9)]).read_bytes()
    damage, expected = DAMAGED[name]
    (tmp_path / name).write_bytes(damage(data))
    if expected != INCOMPLETE:
        expected = f"the archive is damaged or is not in the format {expected}"
    assert told(tmp_path / name)[-1] == ("", expected)


def _paxed(size: str) -> bytes:
    """A tape whose second file says that it has another size than it has, if it says one."""
    tape = io.BytesIO()
    with tarfile.open(fileobj=tape, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, headers in (("a", {}), ("b", {"size": size} if size else {}), ("hidden", {})):
            info = tarfile.TarInfo(name)
            info.size, info.pax_headers = 600, headers
            tar.addfile(info, io.BytesIO(b"x" * 600))
    return tape.getvalue()


_WHOLE = _paxed("")
HIDING = {
    "a negative size": _paxed("-1"),
    "a size that is too small": _paxed("1"),
    "a size that is no number": _paxed("many"),
    "a header with a wrong checksum": _WHOLE[:1684] + b"0" * 8 + _WHOLE[1692:],
    "an end before the end": _WHOLE[:1536] + b"\0" * 1024 + _WHOLE[1536:],
    "half a header": _WHOLE[:1536] + b"x" * 100,
}
"""Tapes that end early for Python's reader; other readers find more in them."""


@pytest.mark.parametrize("name", HIDING)
def test_what_a_tape_hides_after_its_end_is_reported(name: str, tmp_path: Path) -> None:
    for file, data in (("a.tar", HIDING[name]), ("a.tgz", gzip.compress(HIDING[name]))):
        (tmp_path / file).write_bytes(data)
        first, *_, (last, reason) = told(tmp_path / file)
        assert first == ("a", b"x" * 600)
        assert (last, reason) == (
            "",
            "it is damaged, or continues after its end: the rest was not read",
        )


def test_zeros_after_the_end_are_no_content(tmp_path: Path) -> None:
    (tmp_path / "a.tar").write_bytes(_WHOLE + b"\0" * 3_000_000)
    assert [name for name, _ in told(tmp_path / "a.tar")] == ["a", "b", "hidden"]


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)
def test_a_damaged_file_of_a_zip_costs_no_other_file(method: int, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("first", bytes(range(256)))
        archive.writestr("second", "fine")
    data = bytearray(path.read_bytes())
    data[50:60] = b"\xff" * 10
    path.write_bytes(data)
    assert told(path) == [("first", "it is damaged in the archive"), ("second", b"fine")]


def test_a_file_of_a_zip_with_an_unknown_compression_is_reported(tmp_path: Path) -> None:
    path = zipped(tmp_path, [("first", b"1"), ("second", b"2")])
    data = bytearray(path.read_bytes())
    directory = data.index(b"PK\x01\x02")
    data[8] = data[directory + 10] = 99
    path.write_bytes(data)
    reason = "its compression method is not supported"
    assert told(path) == [("first", reason), ("second", b"2")]


def test_an_archive_that_is_gone_is_told(tmp_path: Path) -> None:
    assert told(tmp_path / "gone.tar") == [("", "no such file")]


def test_archives_are_known_by_their_names() -> None:
    assert is_archive("a.tar.gz")
    assert is_archive("A.ZIP")
    assert is_archive("a.TXZ")
    assert not is_archive("a.gz")
    assert not is_archive("zip")
    assert [stem(one) for one in ("a.b.tar.xz", "c.tgz", "d")] == ["a.b", "c", "d"]
