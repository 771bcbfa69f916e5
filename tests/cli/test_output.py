"""Where reports go, and what becomes of a reader that has gone or a disk that is full."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from mqlint.cli.common.group import Refusal
from mqlint.cli.common.output import Output, outputs, terminal_width, write
from mqlint.finding import Confidence, Finding, Location, Rule, Severity, Subject
from mqlint.report import Report
from mqlint.source.lines import Position
from tests.cli.conftest import Mqlint
from tests.files import git

RULE = Rule(
    "QUE001", "long-name", "queue", "s", {"default": Severity.NOTE}, Confidence.HIGH, "w", "f", "m"
)
PLACE = Location("a.mqsc", Position(1, 1), Position(1, 7))
ONE = Report([Finding(RULE, Severity.NOTE, "a long name", PLACE, Subject(), "0" * 32)])


def asked(*words: str) -> tuple[Output, ...]:
    param = click.Option(["--format"])
    return outputs(click.Context(click.Command("check")), param, words)


def test_nothing_asked_for_is_text_on_standard_output() -> None:
    assert asked() == (Output("text"),)


def test_several_formats_in_one_run() -> None:
    assert asked("text", "json=out.json") == (Output("text"), Output("json", Path("out.json")))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("text", "json"), "only one format can go to standard output"),
        (("jsn",), "did you mean 'json'? allowed: azure, checkstyle, concise, csv, "),
        (("json=",), "no file name follows"),
        (("json=a", "text=./a"), "two formats go to the file"),
    ],
)
def test_wrong_outputs_are_usage_errors(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(click.BadParameter, match=r".") as error:
        asked(*words)
    assert said in error.value.format_message()


def test_file_is_replaced_whole(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    file.write_text("old")
    write(ONE, [Output("json", file)])
    assert json.loads(file.read_text())["version"] == 1
    assert list(tmp_path.iterdir()) == [file]


def test_link_to_a_file_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    link.symlink_to(real)
    write(ONE, [Output("json", link)])
    assert link.is_symlink()
    assert real.is_file()


def test_failure_half_way_leaves_the_old_file(tmp_path: Path) -> None:
    def fail(path: str) -> str | None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "out.txt"
    file.write_text("old")
    report = Report(ONE.findings, text_of=fail)
    with pytest.raises(Refusal, match=r"cannot write .*out\.txt: no space left on device"):
        write(report, [Output("text", file)])
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"cannot write .*: no such file or directory"):
        write(ONE, [Output("json", tmp_path / "no" / "out.json")])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipe_is_written_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write(ONE, [Output("json", pipe)])
    reader.join(10)
    assert json.loads(read[0])["version"] == 1
    assert stat.S_ISFIFO(pipe.stat().st_mode)


COLORS = [
    ("auto", {}, False),
    ("auto", {"FORCE_COLOR": "1"}, True),
    ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ("always", {"NO_COLOR": "1"}, True),
    ("never", {"FORCE_COLOR": "1"}, False),
]


@pytest.mark.parametrize(("asked_for", "environment", "colored"), COLORS)
def test_colors(
    monkeypatch: pytest.MonkeyPatch, asked_for: str, environment: dict[str, str], colored: bool
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    command = click.Command("x", callback=lambda: write(ONE, [Output("text")], asked_for))
    assert ("\x1b[" in CliRunner().invoke(command, color=True).output) is colored


def test_file_has_no_colors_unless_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    write(ONE, [Output("text", tmp_path / "auto")])
    write(ONE, [Output("text", tmp_path / "always")], "always")
    assert "\x1b" not in (tmp_path / "auto").read_text()
    assert "\x1b" in (tmp_path / "always").read_text()


@pytest.mark.parametrize(
    ("columns", "width"),
    [("60", 60), ("200", 200), ("1", 40), ("9999999", 240), ("0", 100), ("-5", 100), ("x", 100)],
)
def test_width(monkeypatch: pytest.MonkeyPatch, columns: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr(sys, "stdout", sys.stdin)
    assert terminal_width() == width


WRITER = """
from mqlint.cli.common.output import Output, write
from mqlint.finding import *
from mqlint.report import Report, Style
from mqlint.source.lines import Position
rule = Rule("QUE001", "n", "q", "s", {}, Confidence.HIGH, "", "", "")
where = Location("a", Position(1, 1), Position(1, 2))
one = Finding(rule, Severity.NOTE, "\u6ce8 long", where, Subject(), "0" * 32)
write(Report([one] * 50_000), [Output("text")], "auto", Style(alike=None))
raise SystemExit(1)
"""


def test_reader_that_has_gone_ends_it_quietly_with_the_verdict() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITER], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 1


def test_terminal_of_few_characters_gets_escapes() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WRITER.replace("50_000", "1")],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert "\\u6ce8 long" in done.stdout


SCRIPT = "DEFINE QLOCAL(A) MAXDEPHT(5)\nDEFINE QLOCAL(B) MAXDEPHT(5)\n"


@pytest.fixture
def checked(project: Path, mqlint: Mqlint) -> Mqlint:
    """Checks one file with two findings."""
    (project / "a.mqsc").write_text(SCRIPT)
    return partial(mqlint, "check", "a.mqsc")


def test_what_would_be_printed_goes_to_a_file(project: Path, checked: Mqlint) -> None:
    printed = checked("--format", "concise", "--format", "json=a.json")
    words = ("--format", "concise", "--format", "json=b.json", "--output-file", "out.txt")
    assert (filed := checked(*words)).stdout == ""
    assert (project / "out.txt").read_text() == printed.stdout
    assert (project / "a.json").read_text() == (project / "b.json").read_text()
    assert filed.exit_code == printed.exit_code == 1


def test_statistics_count_instead_of_listing(checked: Mqlint) -> None:
    done = checked("--statistics")
    assert "a.mqsc:1" not in done.stdout
    assert any(line.split()[:3] == ["2", "│", "VOC002"] for line in done.stdout.splitlines())
    assert done.exit_code == 1


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--format=json=a.json", "--output-file=b"), "each --format already names a file"),
        (("--format=json", "--statistics"), "--statistics is for the format text"),
    ],
)
def test_an_option_without_an_effect_is_refused(
    checked: Mqlint, words: tuple[str, ...], fault: str
) -> None:
    done = checked(*words)
    assert done.exit_code == 2
    assert fault in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name")
def test_a_pipe_that_no_program_reads_is_not_waited_for(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text("DEFINE QLOCAL(A)\n")
    os.mkfifo(project / "pipe")
    done = mqlint("check", "--format", "json=pipe", "a.mqsc")
    assert done.exit_code == 2
    assert "cannot write pipe: no program reads this pipe" in done.stderr
    reader = os.open(project / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert mqlint("check", "--format", "json=pipe", "a.mqsc").exit_code == 0
    assert json.loads(os.read(reader, 1 << 16))["findings"] == []
    os.close(reader)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what a process waits for")
@pytest.mark.parametrize("place", [".git/index", ".git/HEAD", ".git/info/exclude", ".gitignore"])
def test_git_that_waits_for_a_pipe_is_ended(project: Path, mqlint: Mqlint, place: str) -> None:
    git("init", "-q", cwd=project)
    (project / "a.mqsc").write_text("DEFINE QLOCAL(A) MAXDEPHT(5)\n")
    (project / place).parent.mkdir(exist_ok=True)
    (project / place).unlink(missing_ok=True)
    os.mkfifo(project / place)
    done = mqlint("check", ".")
    assert "SYN" in done.output or "VOC" in done.output
    assert "git waits for a named pipe" in " ".join(done.output.split())


def test_an_error_shows_the_beginning_of_a_long_word(mqlint: Mqlint) -> None:
    word = "A" * 40_000
    for words in (
        ("explain", word),
        ("check", "--format", word),
        ("policy", "show", word),
        (word,),
    ):
        done = mqlint(*words)
        assert done.exit_code == 2
        assert len(done.output) < 2_000
        assert "AAA..." in done.output
