"""`mqlint fix`: which fixes are offered, that each is proven, and what is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Mqlint = Callable[..., Result]

UNSAFE = {
    "an attribute": ("DEFINE QLOCAL(A) MAXDEPT(5)\n", "DEFINE QLOCAL(A) MAXDEPTH(5)\n"),
    "a verb": ("DEFNIE QLOCAL(B)\n", "DEFINE QLOCAL(B)\n"),
    "a noun": ("DEFINE QLOCL(C)\n", "DEFINE QLOCAL(C)\n"),
    "a value": ("DEFINE QLOCAL(D) PUT(ENABLD)\n", "DEFINE QLOCAL(D) PUT(ENABLED)\n"),
    "a missing continuation": (
        "DEFINE QLOCAL(G) +\n  DESCR('y')\n* how deep\n  MAXDEPTH(7)\n",
        "DEFINE QLOCAL(G) +\n  DESCR('y') +\n* how deep\n  MAXDEPTH(7)\n",
    ),
    "two in one file": (
        "DEFINE QLOCAL(A) MAXDEPT(5)\r\nDEFINE QLOCAL(D) PUT(ENABLD)\r\n",
        "DEFINE QLOCAL(A) MAXDEPTH(5)\r\nDEFINE QLOCAL(D) PUT(ENABLED)\r\n",
    ),
}


@pytest.mark.parametrize("name", UNSAFE)
def test_unsafe_fixes(name: str, project: Path, mqlint: Mqlint) -> None:
    before, after = UNSAFE[name]
    file = project / "a.mqsc"
    file.write_bytes(before.encode())
    done = mqlint("fix", "a.mqsc")
    assert done.exit_code == 0
    assert "unsafe not tried (--unsafe)" in done.output
    done = mqlint("fix", "--unsafe", "a.mqsc")
    assert done.exit_code == 1
    assert file.read_bytes() == before.encode()
    done = mqlint("fix", "--unsafe", "--write", "a.mqsc")
    assert done.exit_code == 0
    assert file.read_bytes() == after.encode()
    assert mqlint("fix", "--unsafe", "a.mqsc").exit_code == 0


def test_the_second_of_two_equal_commands_is_removed(project: Path, mqlint: Mqlint) -> None:
    file = project / "a.mqsc"
    file.write_text("DEFINE QLOCAL(A) MAXDEPTH(5)\nDEFINE QLOCAL(A) MAXDEPTH(6)\n")
    assert "0 fixes proven" in mqlint("fix", "a.mqsc").output
    file.write_text("DEFINE QLOCAL(A) MAXDEPTH(5)\nDEF QL(B)\ndef ql(a) +\n maxdepth(5)\n")
    done = mqlint("fix", "--write", "a.mqsc")
    assert done.exit_code == 0
    assert "a.mqsc:3: DRF008: def ql(a) + maxdepth(5) is removed (safe)" in done.output
    assert file.read_text() == "DEFINE QLOCAL(A) MAXDEPTH(5)\nDEF QL(B)\n"


NOT_OFFERED = {
    "a fix that brings another finding": "DEFINE QLOCAL(A) MAXDEPT(-5)\n",
    "a word that is not near one": "DEFINE QLOCAL(A) FROBNICATE(5)\n",
    "a command that only looks equal": ("DEFINE QLOCAL(A)\nDELETE QLOCAL(A)\nDEFINE QLOCAL(A)\n"),
    "a template": "DEFINE QLOCAL({{ a }}) MAXDEPTH(5)\nDEFINE QLOCAL({{ a }}) MAXDEPTH(5)\n",
}


@pytest.mark.parametrize("name", NOT_OFFERED)
def test_what_is_not_proven_is_not_offered(name: str, project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text(NOT_OFFERED[name])
    done = mqlint("fix", "--unsafe", "a.mqsc")
    assert done.exit_code == 0
    assert "0 fixes proven" in done.output


def test_keys_of_ini_files(project: Path, mqlint: Mqlint) -> None:
    (project / "qm.ini").write_text("Log:\n   LogPrimryFiles=3\n")
    done = mqlint("fix", "--unsafe", "--write", "qm.ini")
    assert "INI004" in done.output
    assert (project / "qm.ini").read_text() == "Log:\n   LogPrimaryFiles=3\n"


def test_no_line_with_a_secret_is_shown(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text(
        "DEFINE CHANNEL(C) CHLTYPE(SVRCONN) PASSWORD('hunter2hunter2') MAXINSTT(5)\n"
    )
    done = mqlint("fix", "--unsafe", "a.mqsc")
    assert "hunter2" not in done.output
    mqlint("fix", "--unsafe", "--write", "a.mqsc")
    assert "PASSWORD('hunter2hunter2')" in (project / "a.mqsc").read_text()


def test_any_bytes_are_taken(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_bytes(bytes(range(1, 256)) + b"\nDEFINE QLOCAL(A) MAXDEPT(5)\n")
    (project / "b.mqsc").write_bytes(b"DEFINE QLOCAL('\x1b[2J') MAXDEPT(5)\n" * 80)
    done = mqlint("fix", "--unsafe", ".")
    assert done.exit_code in (0, 1)
    assert "\x1b" not in done.output
