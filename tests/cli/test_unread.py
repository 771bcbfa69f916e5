"""A script that is no clean text is read, or fails the check: it does not pass unseen."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from tests.cli.conftest import Mqlint

MQSC = "DEFINE QLOCAL(APP.IN) MAXDEPHT(10)\n"
SHELL = "#!/bin/sh\nrunmqsc QM1 <<EOF\nDEFINE QLOCAL(APP.IN) MAXDEPHT(10)\nEOF\n"
SCRIPTS = {"a.mqsc": MQSC, "a.sh": SHELL, "noending": MQSC, "bare": SHELL, "x.txt": MQSC}


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("mark", ["utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("folder", [True, False])
def test_utf_32_with_a_mark_is_read(
    project: Path, mqlint: Mqlint, name: str, mark: str, folder: bool
) -> None:
    bom = codecs.BOM_UTF32_LE if mark == "utf-32-le" else codecs.BOM_UTF32_BE
    (project / name).write_bytes(bom + SCRIPTS[name].encode(mark))
    done = mqlint("check", "." if folder else name)
    assert done.exit_code == 1
    assert "VOC002" in done.output


SPOILT = {
    "NUL at the start": lambda data: b"\0" + data,
    "NUL at the end": lambda data: data + b"\0",
    "NUL inside a word": lambda data: data.replace(b"APP", b"A\0PP"),
    "NUL far behind": lambda data: data + b"\n" * 10_000 + b"\0",
    "UTF-32 without a mark": lambda data: data.decode().encode("utf-32-le"),
    "UTF-32 of the other order": lambda data: data.decode().encode("utf-32-be"),
    "control characters": lambda data: data + b"# \1\2\3\4" * 500,
    "the sign of an archive": lambda data: b"BZh=1\n" + data,
}


@pytest.mark.parametrize("name", ["a.mqsc", "a.sh"])
@pytest.mark.parametrize("how", SPOILT)
@pytest.mark.parametrize("folder", [True, False])
def test_what_cannot_be_read_fails(
    project: Path, mqlint: Mqlint, name: str, how: str, folder: bool
) -> None:
    (project / name).write_bytes(SPOILT[how](SCRIPTS[name].encode()))
    done = mqlint("check", "." if folder else name)
    assert done.exit_code == 1, done.output
    assert f"unreadable: {name}" in done.output
    assert "1 file could not be read" in done.stderr
    assert mqlint("check", ".", "--exit-zero").exit_code == 0


@pytest.mark.parametrize(
    "data",
    [b"\x7fELF\2\1\1\0" + b"\0" * 100, b"\x89PNG\r\n\x1a\n\0\0", b"\0" * 5_000, bytes(range(256))],
)
def test_other_files_pass(project: Path, mqlint: Mqlint, data: bytes) -> None:
    for name in ("tool", "logo.png", "data.bin", "x.txt"):
        (project / name).write_bytes(data)
    (project / "a.mqsc").write_text("DEFINE QLOCAL(APP.IN)\n")
    assert mqlint("check", ".").exit_code == 0


def test_a_program_with_texts_of_mqsc_passes(project: Path, mqlint: Mqlint) -> None:
    (project / "saveqmgr").write_bytes(b"\x7fELF\2\1\1\0" + b"\0" * 100 + b"\nDEFINE QLOCAL(A)\n")
    (project / "a.mqsc").write_text("DEFINE QLOCAL(APP.IN)\n")
    assert "unreadable" not in mqlint("check", ".").output
