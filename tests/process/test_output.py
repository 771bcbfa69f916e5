"""Standard output that takes nothing: each command says so, and does not call it a fault."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.process.runs import BAD, FEW, SCRIPT, WITHOUT_JAVA, Command, environment

pytestmark = pytest.mark.slow

FULL = Path("/dev/full")
WAYS: dict[str, tuple[Callable[[], None] | None, str]] = {
    "full": (None, "no space left on device"),
    "closed": (lambda: os.close(1), "it is closed"),
}


def run(words: list[str], cwd: Path, home: Path, way: str, stdin: str = "") -> tuple[int, str]:
    """Run mqlint with such a standard output; return its status and what it says of it."""
    with open(FULL if way == "full" else os.devnull, "wb") as full:  # noqa: PTH123
        done = subprocess.run(
            [str(SCRIPT), *words],
            cwd=cwd,
            env=environment(home),
            input=stdin,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            preexec_fn=WAYS[way][0],
        )
    return done.returncode, done.stderr


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    ("way", "commands"),
    [
        *(pytest.param(way, FEW, id=f"{way} few") for way in WAYS),
        *(pytest.param(way, WITHOUT_JAVA, id=way, marks=pytest.mark.long) for way in WAYS),
    ],
)
def test_each_command_says_that_it_cannot_print(
    way: str, commands: Sequence[Command], checkout: Path, home: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    words = f"Error: cannot write to standard output: {WAYS[way][1]}\n"
    for command in commands:
        status, said = run(command.filled(out), checkout, home, way, command.stdin)
        if command.prints:
            assert (status, said) == (2, words), command.words
        else:
            assert status in (0, 2), command.words
            assert said in ("", words) or said.startswith("mqlint server: "), command.words


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("way", WAYS)
def test_reports_that_go_to_files_need_no_standard_output(
    way: str, checkout: Path, home: Path
) -> None:
    status, said = run(["check", ".", "--format", "json=report.json"], checkout, home, way)
    assert (status, said) == (1, "")
    assert "INVOICES" in (checkout / "report.json").read_text()


@pytest.mark.parametrize("stream", [0, 2])
def test_other_streams_may_be_closed(stream: int, checkout: Path, home: Path) -> None:
    done = subprocess.run(
        [str(SCRIPT), "check", "--format", "github", "bad.mqsc"],
        cwd=checkout,
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=False,
        preexec_fn=lambda: os.close(stream),
    )
    assert done.returncode == 1
    assert "INVOICES" in done.stdout or "MAXDEPHT" in done.stdout


def test_a_reader_that_has_gone_changes_no_status(tmp_path: Path, home: Path) -> None:
    for number in range(300):
        (tmp_path / f"{number}.mqsc").write_text(BAD)
    with subprocess.Popen(
        [str(SCRIPT), "check", "--all", "."],
        cwd=tmp_path,
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1
