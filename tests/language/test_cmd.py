"""MQ's commands in batch files: found where they stand, unknown where they depend on running."""

from __future__ import annotations

import pytest

from mqlint.vocabulary.unknown import UNKNOWN
from tests.languages import script_in
from tests.linear import is_linear_in_time
from tests.shipped import shipped_vocabulary

CONTROL = shipped_vocabulary().control

COMMANDS = [
    # script, the commands with their queue managers; `?` behind one that may not run
    ("crtmqm -lla QMA\nSTRMQM.EXE QMA\r\n", ["crtmqm QMA", "strmqm QMA"]),
    ('@"C:\\Program Files\\IBM\\MQ\\bin64\\endmqm.exe" -i QMA', ["endmqm QMA"]),
    ("crtmqm -lp 3 ^\n  -ls 2 ^\r\n QMA", ["crtmqm QMA"]),
    ('strmqm "QMA" & strmqm QM^B', ["strmqm QMA", "strmqm QMB"]),
    ("rem strmqm QMA\n@REM strmqm QMA\n:: strmqm QMA\nREMARK strmqm QMA", []),
    ("echo strmqm QMA\n@echo off\necho.strmqm QMA", []),
    ("set QM=QMA\nset P=x\nstrmqm %QM%\nstrmqm %qm%", ["strmqm QMA", "strmqm QMA"]),
    ('set "QM=QMA"\nstrmqm "%QM%"', ["strmqm QMA"]),
    ("set QM=QMA\nset QM=QMB\nstrmqm %QM%", ["strmqm None"]),
    ("set /p QM=Which?\nstrmqm %QM%", ["strmqm None"]),
    ("if x==y set QM=QMA\nstrmqm %QM%", ["strmqm None"]),
    ("set QM=QMA\ncall site.bat\nstrmqm %QM%", ["strmqm None"]),
    ("set QM=QMA\nstrmqm %QM:~0,2%", ["strmqm None"]),
    ("setlocal EnableDelayedExpansion\nstrmqm !QM!\nstrmqm QM!A", ["strmqm None", "strmqm QMA"]),
    ("strmqm QM!A", ["strmqm QM!A"]),
    ("strmqm QM%%_A\nstrmqm %1\nstrmqm %~n1", ["strmqm QM%_A", "strmqm None", "strmqm None"]),
    ('call strmqm QMA\nstart "a b" /b strmqm QMB\ncmd /c strmqm QMC', 3 * ["strmqm"]),
    ('cmd /c "strmqm QMA"', ["strmqm QMA"]),
    ('cmd /c strmqm QMA ^& strmqm QMB\ncmd /c ^"strmqm QMC^"\nstrmqm QMD', ["strmqm QMD"]),
    ('cmd/c "strmqm QMA"\ncmd /d/c"strmqm QMB"', ["strmqm QMA", "strmqm QMB"]),
    ("bash -c 'strmqm QMA'\nsh.exe -c 'ls & rem'\necho 'strmqm' 'QMA'", ["strmqm QMA"]),
    ("sh -c ''\nsh -c '\nstrmqm QMA", ["strmqm QMA"]),
    ('%ComSpec% /c"strmqm QMA"\ncmd.exe/c strmqm QMB', ["strmqm QMA", "strmqm QMB"]),
    ("strmqm QMA > NUL 2>&1\nstrmqm QMB>x.txt", ["strmqm QMA", "strmqm QMB"]),
    ("if exist a.txt strmqm QMA\nstrmqm QMB", ["strmqm QMA?", "strmqm QMB"]),
    ('if not "%1"=="x y" strmqm QMA\nif /i %1 == b strmqm QMB', ["strmqm QMA?", "strmqm QMB?"]),
    ("if %E% GEQ 1 strmqm QMA & strmqm QMB\nstrmqm QMC", 2 * ["?"] + [""]),
    ("if x==y (\n strmqm QMA\n) else (\n strmqm QMB\n)\nstrmqm QMC", 2 * ["?"] + [""]),
    ("for %%q in (A B) do strmqm %%q\nstrmqm QMC", ["strmqm None?", "strmqm QMC"]),
    ("for /f %%q in ('dir ^(x^)') do (\nstrmqm %%q\n)\nstrmqm QMC", ["?", ""]),
    ("crtmqm QMA && strmqm QMA\ndir && strmqm QMB\nx || strmqm QMC", ["", "", "?", "?"]),
    ("strmqm QMA\ngoto :eof\n:more\nstrmqm QMB", ["", "?"]),
    ("strmqm QMA\nexit /b 0\nstrmqm QMB", ["", "?"]),
    ("(strmqm QMA)\n(\nstrmqm QMB\n) > log.txt", ["strmqm QMA", "strmqm QMB"]),
    (") strmqm QMA\n((( strmqm QMB", ["strmqm QMA", "strmqm QMB"]),
]

DOCUMENTS = [
    # script, text of the MQSC, whether it may not run
    (
        "echo DEFINE QLOCAL('a') DESCR('x  y') | runmqsc QMA",
        "DEFINE QLOCAL('a') DESCR('x  y')",
        False,
    ),
    ("echo DIS QMGR|runmqsc QMA", "DIS QMGR", False),
    ("(echo DIS QMGR & echo END) | runmqsc QMA", "DIS QMGR\nEND", False),
    ("2>NUL call :a\n>NUL dir\necho DIS QMGR | runmqsc QMA", "DIS QMGR", False),
    ("2>NUL echo DIS QMGR | runmqsc QMA", "DIS QMGR", False),
    (">a.txt dir & echo DIS QMGR | runmqsc QMA", "DIS QMGR", False),
    (">a.txt echo DIS QMGR\nrunmqsc QMA < a.txt", "DIS QMGR", False),
    ("(\n  echo DEF QL^(A^)\n  echo END\n) | runmqsc QMA", "DEF QL(A)\nEND", False),
    ("(\n  echo DEF QL(A)\n) | runmqsc QMA", "DEF QL(A)", True),
    ("echo DEF QL(A) DESCR('b ^& c ^> d ^| e') | runmqsc QMA", None, False),
    ("(echo DEF QL^(A^)\n(echo DIS QMGR)\n) | runmqsc QMA", "DEF QL(A)\nDIS QMGR", False),
    ("echo DEF QL(%N%) MAXDEPTH(9%%) | runmqsc QMA", "DEF QL(\ue000) MAXDEPTH(9%)", False),
    ("set N=A\necho DEF QL(%N%) | runmqsc QMA", "DEF QL(A)", False),
    ("for %%q in (A) do echo DEF QL(%%q) | runmqsc QMA", "DEF QL(\ue000)", True),
    ("echo DIS QMGR> a.txt\necho END>> A.TXT\nrunmqsc QMA < a.txt", "DIS QMGR\nEND", False),
    ("> a.txt echo DIS QMGR\nrunmqsc QMA < a.txt", "DIS QMGR", False),
    ("(echo DIS QMGR\necho END)> a.txt\ntype a.txt | runmqsc QMA", "DIS QMGR\nEND", False),
    ("if x==y (echo DIS QMGR)> a.txt\nrunmqsc QMA < a.txt", "DIS QMGR", True),
    ("echo A> a.txt\ndir > a.txt\nrunmqsc QMA < a.txt", None, False),
]

FILES = [
    ("runmqsc QMA < defs\\a.mqsc > out", "defs/a.mqsc"),
    ('runmqsc QMA < "%~dp0a b.mqsc"', "./a b.mqsc"),
    ("runmqsc QMA < %1", UNKNOWN),
    ("runmqsc -f a.mqsc QMA", "a.mqsc"),
    ("type defs\\a.mqsc | runmqsc QMA", "defs/a.mqsc"),
]


@pytest.mark.parametrize(("text", "expected"), COMMANDS)
def test_commands_are_found_and_those_that_may_not_run(text: str, expected: list[str]) -> None:
    steps = script_in("cmd", text).steps
    found = [f"{one.command} {one.queue_manager}{'?' * one.execution.maybe}" for one in steps]
    assert len(found) == len(expected)
    for one, wanted in zip(found, expected, strict=True):
        if wanted in ("", "?", "strmqm"):
            assert one.endswith("?") == (wanted == "?")
        else:
            assert one == wanted
    for step in steps:
        assert step.command in text[slice(*step.command_span)].lower()


@pytest.mark.parametrize(("text", "inner", "maybe"), DOCUMENTS)
def test_what_echo_writes_is_read_with_the_way_back(
    text: str, inner: str | None, maybe: bool
) -> None:
    (document,) = script_in("cmd", text).embedded or (None,)
    if inner is None and "dir" in text:
        assert document is None
        return
    assert document is not None
    assert document.execution.maybe == maybe
    assert document.queue_manager == "QMA"
    wanted = "DEF QL(A) DESCR('b & c > d | e')" if inner is None else inner
    assert document.text == wanted
    for at, char in enumerate(wanted):
        if char.isalpha() and "%N%" not in text:
            assert text[document.host(at)] == char


@pytest.mark.parametrize(("text", "file"), FILES)
def test_the_file_that_is_fed_is_a_fact(text: str, file: object) -> None:
    (step,) = script_in("cmd", text).steps
    assert step.reads is not None
    assert step.reads.value == file


def test_what_may_do_anything_is_told() -> None:
    text = "@echo off\ncd x\ncall other.bat\ncopy a b\npowershell -File x.ps1\nstrmqm QMA\n"
    calls = script_in("cmd", text).calls
    assert [text[at:].split()[0] for at in calls] == ["other.bat", "powershell"]


def test_a_password_is_kept_nowhere() -> None:
    script = script_in("cmd", "(echo hunter2& echo DIS QMGR) | runmqsc -u ann QMA")
    assert len(script.secrets) == 1
    assert "hunter2" not in repr(script)


@pytest.mark.growth
@pytest.mark.parametrize(
    "piece",
    [
        *("(", ")", "(echo a & ", "for ", "for %%i in (", "%", "!", "^\n", '"', "echo a>b\n"),
        *("if ", "type a|runmqsc A\n", "echo ( ", "set A=b\n", "(echo a)>>b\n", "call ", "&"),
        *("setlocal enabledelayedexpansion !", "echo a>b\nrunmqsc A<b\n", "strmqm ", "(a\n"),
    ],
)
def test_time_is_linear(piece: str) -> None:
    assert is_linear_in_time(lambda n: script_in("cmd", piece * (n // len(piece))), 20_000)


def test_a_file_that_runmqsc_reads_is_read_once() -> None:
    text = "echo END >defs.mqsc\nrunmqsc QMA <defs.mqsc\n"
    assert [embedded.queue_manager for embedded in script_in("cmd", text).embedded] == ["QMA"]


def test_a_variable_may_be_a_whole_line() -> None:
    (step,) = script_in("cmd", "set RUN=strmqm QMA\n%RUN%\n").steps
    assert (step.command, step.queue_manager) == ("strmqm", "QMA")
