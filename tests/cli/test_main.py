"""The program as a whole: what it loads, how it ends, what it says when it fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from mqlint import __version__
from mqlint.cli import main
from mqlint.cli.common.group import LazyGroup, Program
from tests.cli.conftest import Mqlint

HEAVY = ("lark", "yaml", "rich", "pyspark", "jsonschema", "mqlint.engine")
ENVIRONMENT = {**os.environ, "PYTHONWARNINGS": "error"}


def test_version_says_its_name(mqlint: Mqlint) -> None:
    done = mqlint("--version")
    assert (done.exit_code, done.stdout) == (0, f"mqlint, version {__version__}\n")


@pytest.mark.parametrize("words", [["--version"], ["--help"]])
def test_version_and_help_load_nothing_heavy(words: list[str]) -> None:
    code = (
        "import sys\nfrom mqlint.cli import main\n"
        f"try: main({words!r})\nexcept SystemExit: pass\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=ENVIRONMENT
    )
    loaded = set(done.stderr.split())
    assert loaded.isdisjoint(HEAVY)
    assert {name for name in loaded if name.startswith("mqlint.")} == {
        "mqlint.cli",
        "mqlint.cli.common",
        "mqlint.cli.common.group",
        "mqlint.server",
        "mqlint.source",
        "mqlint.source.gc_control",
    }


def test_version_imports_little_by_the_interpreters_own_account() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "mqlint", "--version"],
        capture_output=True,
        text=True,
        check=True,
        env=ENVIRONMENT,
    )
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "click" in imported
    assert imported.isdisjoint(HEAVY)


def test_help_lists_the_commands_and_the_exit_statuses(mqlint: Mqlint) -> None:
    text = mqlint("--help").stdout
    for word in ("check", "config", "estate", "explain", "policy", "rules", "show"):
        assert f"\n  {word} " in text
    assert "\n    3  folders were searched" in text


def test_unknown_command_is_a_usage_error(mqlint: Mqlint) -> None:
    done = mqlint("chekc")
    assert done.exit_code == 2
    assert "No such command 'chekc'. Did you mean 'check'?" in done.stderr
    assert "Did you mean 'scan'?" in mqlint("estate", "scna").stderr
    assert mqlint("zzzzzz").stderr.endswith("No such command 'zzzzzz'.\n")


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("estate scan . --out x --master --quiet", "--quiet"),
        ("check . --format --help", "--help"),
        ("check . --config --unknown", "--unknown"),
        ("check . --profile -q", "-q"),
    ],
)
def test_an_option_is_not_the_value_of_another_one(mqlint: Mqlint, words: str, value: str) -> None:
    done = mqlint(*words.split())
    assert (done.exit_code, done.stdout) == (2, "")
    option = words.split()[-2]
    assert f"If that is the value, write {option}={value}." in done.stderr


@pytest.mark.parametrize(
    "words", ["-q --min-coverage 0", "--profile=--quiet", "-- --format --help"]
)
def test_what_only_looks_like_an_option_without_its_value(mqlint: Mqlint, words: str) -> None:
    assert "requires a value" not in mqlint("check", *words.split()).stderr


def test_a_file_in_place_of_a_command_is_told_how_it_is_checked(
    project: Path, mqlint: Mqlint
) -> None:
    file = project / "new queues.mqsc"
    file.write_text("DEFINE QLOCAL(APP.IN)\n")
    done = mqlint(str(file))
    assert done.exit_code == 2
    assert done.stderr.endswith(f"To check this path: mqlint check '{file}'\n")


def program(body: object) -> Program:
    """A program with one command that ends as told."""
    group = Program("mqlint")

    @group.command("end")
    def end() -> object:
        if isinstance(body, BaseException):
            raise body
        return body

    return group


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (None, 0),
        (0, 0),
        (1, 1),
        (3, 3),
        (KeyboardInterrupt(), 130),
        (BrokenPipeError(), 0),
        (click.UsageError("no"), 2),
        (RuntimeError("PASSWORD('swordfish')"), 2),
        (RecursionError(), 2),
        (MemoryError(), 2),
    ],
)
def test_exit_status(body: object, status: int) -> None:
    done = CliRunner().invoke(program(body), ["end"])
    assert done.exit_code == status
    assert "Traceback" not in done.output


def test_words_of_a_wrong_command_line_are_made_visible() -> None:
    """A shell's `*` passes the names of files, which strangers choose."""
    done = CliRunner().invoke(
        main, ["show", "a.mqsc", "b\n::error ::x", "##vso[x]", "\x1b[2J.mqsc"]
    )
    assert done.exit_code == 2
    assert "unexpected extra arguments" in done.stderr
    for part in ("\x1b", "##vso[", "\n::error"):
        assert part not in done.stderr


def test_unexpected_error_asks_for_a_report_and_quotes_nothing() -> None:
    done = CliRunner().invoke(program(RuntimeError("PASSWORD('swordfish')")), ["end"])
    assert "RuntimeError" in done.stderr
    assert "Please report it" in done.stderr
    assert "swordfish" not in done.stderr


def test_unexpected_error_has_a_traceback_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MQLINT_DEBUG", "1")
    done = CliRunner().invoke(program(RuntimeError("why")), ["end"])
    assert done.exit_code == 2
    assert "Traceback" in done.stderr


def test_commands_are_loaded_one_by_one(tmp_path: Path) -> None:
    group = LazyGroup("g", commands_in={"gone": ("no_such_module", "Not there.")})
    assert "Not there." in CliRunner().invoke(group, ["--help"]).output
    assert isinstance(CliRunner().invoke(group, ["gone"]).exception, ModuleNotFoundError)
