"""A script that is no clean text is read, or fails the check: it does not pass unseen."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
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
    "UTF-16 with half a character": lambda data: data.decode().encode("utf-16") + b"x",
    "UTF-16 with half of a pair": lambda data: data.decode().encode("utf-16") + b"\0\xd8",
    "UTF-32 with half a character": lambda data: data.decode().encode("utf-32") + b"x",
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


COMMANDS = (
    ("questions",),
    ("chlauth", "audit"),
    ("runcheck", "--channel", "APP", "--address", "192.0.2.1"),
    ("policy", "learn"),
    ("policy", "check"),
    ("why", "SEC001"),
    ("fix",),
)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_names_what_it_could_not_read(
    project: Path, mqlint: Mqlint, words: tuple[str, ...]
) -> None:
    (project / "a.mqsc").write_text("DEFINE CHANNEL(APP) CHLTYPE(SVRCONN)\n")
    where = () if words[0] == "why" else (".",)
    assert "not read" not in mqlint(*words, *where).stderr
    (project / "b.mqsc").write_bytes(b"SET CHLAUTH(APP)\0\n")
    assert "not read: b.mqsc: it has NUL bytes" in mqlint(*words, *where).stderr


def test_a_baseline_names_what_it_could_not_read(project: Path, mqlint: Mqlint) -> None:
    (project / "b.mqsc").write_bytes(b"SET CHLAUTH(APP)\0\n")
    done = mqlint("baseline", "create", "--baseline", "b.json")
    assert "not read: b.mqsc: it has NUL bytes" in done.stderr


def test_a_file_read_in_part_is_named(project: Path, mqlint: Mqlint) -> None:
    values = "".join(f"A{at + 1}=$A{at}$A{at}$A{at}\n" for at in range(30))
    (project / "a.sh").write_text(f"#!/bin/sh\nA0=Q\n{values}strmqm $A30\n")
    assert "read in part: a.sh: " in mqlint("questions", ".").stderr


@pytest.fixture
def deep(project: Path) -> Iterator[Path]:
    """A faulty file below more folders than Python has calls, in `deep`."""
    folder = project / "deep" / "/".join("d" * 1_200)
    for path in reversed([folder, *folder.parents]):
        path.mkdir(exist_ok=True)
    (folder / "a.mqsc").write_text(MQSC)
    yield project
    (folder / "a.mqsc").unlink()
    for path in (folder, *folder.parents):  # what pytest removes it with calls itself too
        if path != project:
            path.rmdir()
        else:
            break


@pytest.mark.parametrize(
    ("config", "words", "found"),
    [
        ("", ["check", "."], "VOC002"),
        ("exclude: [deep]\n", ["check", "."], "excludes 1 file"),
        ("policies: [deep]\n", ["check", "."], "VOC002"),
        ("", ["estate", "scan", ".", "--out", "out"], "VOC002"),
    ],
)
def test_a_folder_may_be_deep(
    deep: Path, mqlint: Mqlint, config: str, words: list[str], found: str
) -> None:
    (deep / "mqlint.yaml").write_text(config)
    assert found in mqlint(*words).output


def test_a_resource_of_drbd_that_is_too_deep_is_read_in_part(project: Path, mqlint: Mqlint) -> None:
    (project / "r0.res").write_text("resource q " + "{ a " * 100 + "}" * 100 + "\n")
    assert "SYN022" in mqlint("check", ".").output


def test_a_file_that_is_named_and_not_recognised_is_named(project: Path, mqlint: Mqlint) -> None:
    (project / "a.dat").write_text("a text\n")
    assert "not read: a.dat: its language is not" in mqlint("questions", "a.dat").stderr


def test_a_verdict_from_unread_files_is_less_sure(project: Path, mqlint: Mqlint) -> None:
    (project / "mqlint.yaml").write_text('queue_managers: ["{queue_manager}/**"]\n')
    for name in ("QM1", "QM2"):
        (project / name).mkdir()
        (project / name / "a.mqsc").write_text(
            "DEFINE CHANNEL(APP) CHLTYPE(SVRCONN)\n"
            "SET CHLAUTH(*) TYPE(ADDRESSMAP) ADDRESS(*) USERSRC(NOACCESS)\n"
        )
    (project / "QM1" / "b.mqsc").write_bytes(b"SET CHLAUTH(APP)\0\n")
    asked = ("runcheck", "--channel", "APP", "--address", "192.0.2.1", "--format", "json")
    answers = {
        name: json.loads(mqlint(*asked, "--queue-manager", name, ".").stdout)
        for name in ("QM1", "QM2")
    }
    assert answers["QM1"]["confidence"] == "medium"
    assert "QM1/b.mqsc could not be read" in " ".join(answers["QM1"]["assumptions"])
    assert answers["QM2"]["confidence"] == "high"
    audit = json.loads(mqlint("chlauth", "audit", "--format", "json", ".").stdout)
    assert audit["not_read"] == ["QM1/b.mqsc"]
