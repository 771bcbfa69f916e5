"""Files that can be read, and the words for those that cannot; text or not."""

import codecs
import gzip
import hashlib
import os
import socket
from pathlib import Path

import pytest

from mqlint.source.decode import encode
from mqlint.source.ebcdic import encode_1047
from mqlint.source.lines import Position
from mqlint.source.read import Unreadable, read
from mqlint.source.sniff import is_text
from mqlint.source.source_text import SourceText


def test_reads_all_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.mqsc"
    path.write_bytes(b"x\0y\r\n" * 50_000)
    assert read(path) == b"x\0y\r\n" * 50_000


def test_reads_an_empty_file_and_one_whose_size_is_not_known(tmp_path: Path) -> None:
    (tmp_path / "e").touch()
    assert read(tmp_path / "e") == b""
    status = Path("/proc/self/status")
    if status.exists():
        assert isinstance(read(status), bytes)
        assert read(status) != b""


def test_the_limit_counts_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"1234")
    assert read(path, limit=4) == b"1234"
    assert read(path, limit=3) == Unreadable("larger than the limit of 3 bytes")


def test_what_is_no_file_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        reasons = [read(Path(name)) for name in ("pipe", "socket", ".", "/dev/zero")]
    assert reasons == [
        Unreadable("it is a pipe (give its text on standard input instead)"),
        Unreadable("it is a socket"),
        Unreadable("it is a folder"),
        Unreadable("it is a device"),
    ]


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    assert read(tmp_path / "gone") == Unreadable("no such file")
    (tmp_path / "loop").symlink_to("loop")
    assert isinstance(read(tmp_path / "loop"), Unreadable)
    assert read(Path("a\0b")) == Unreadable("the name is not a file name (it has a NUL character)")
    assert isinstance(read(tmp_path / ("n" * 300)), Unreadable)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_no_permission(tmp_path: Path) -> None:
    (tmp_path / "a").touch(mode=0o000)
    assert read(tmp_path / "a") == Unreadable("no permission to read it")


SCRIPT = "DEFINE QLOCAL('A.B') DESCR('first') REPLACE\n" * 4


@pytest.mark.parametrize(
    ("path", "head", "expected"),
    [
        ("a.mqsc", SCRIPT.encode(), True),
        ("no-suffix", SCRIPT.encode("utf-16"), True),
        ("a", SCRIPT.encode("utf-16-le"), True),
        ("a", codecs.BOM_UTF16_LE + "Größe".encode("utf-16-le"), True),
        ("MEMBER", encode_1047(SCRIPT), True),
        ("a", "Zahlungsausgänge".encode("latin-1"), True),
        ("a", b"", True),
        ("AMQERR01.LOG", b"\x1b[31mred\x1b[0m\r\n", True),
        ("key.kdb", b"", False),
        ("logo.PNG", b"", False),
        ("a", b"\x89PNG\r\n\x1a\n\0\0\0\r", False),
        ("a", b"PK\x03\x04\x14\0", False),
        ("a", gzip.compress(b"x" * 100, mtime=0), False),
        ("a", b"\x7fELF\x02\x01\x01\0", False),
        ("a", b"text\0with a NUL", False),
        ("a", bytes(range(1, 32)) * 4, False),
        ("a", hashlib.sha512(b"x").digest() * 8, False),
    ],
)
def test_is_text(path: str, head: bytes, expected: bool) -> None:
    assert is_text(path, head) is expected


def test_a_document_knows_its_bytes() -> None:
    data = encode_1047("* A\x85* B")
    document = SourceText.of("prod/A", data)
    assert document.text == "* A\n* B"
    assert document.digest == hashlib.sha256(data).hexdigest()
    assert encode(document.decoded) == data
    assert document.lines().position(document.text.index("B")) == Position(2, 3)
