"""MQ's commands in PowerShell: found where they stand, unknown where they depend on running."""

from __future__ import annotations

import pytest

from mqlint.vocabulary.unknown import UNKNOWN
from tests.languages import script_in
from tests.linear import is_linear_in_time
from tests.shipped import shipped_vocabulary

CONTROL = shipped_vocabulary().control

COMMANDS = [
    # script, the commands with their queue managers; `?` behind one that may not run
    ("crtmqm -lla QMA\nStrMqm.EXE QMA\r\n", ["crtmqm QMA", "strmqm QMA"]),
    ("& 'C:\\Program Files\\IBM\\MQ\\bin64\\endmqm.exe' -i QMA", ["endmqm QMA"]),
    ('& "$env:MQ_HOME\\bin64\\endmqm.exe" -i QMA; strmqm QMB', ["endmqm QMA", "strmqm QMB"]),
    ("& (Join-Path $Bin 'strmqm.exe') QMA", ["strmqm QMA"]),
    ("& (Get-Command strmqm) QMA", ["strmqm QMA"]),
    ("$a = '-i', 'QMA'\nendmqm @a\nendmqm @b", ["endmqm QMA", "endmqm None"]),
    ("crtmqm -lp 3 `\n  -ls 2 `\r\n QMA", ["crtmqm QMA"]),
    ("# strmqm QMA\n<# strmqm QMA\nstrmqm QMB #> strmqm QMC # strmqm QMD", ["strmqm QMC"]),
    ("Write-Host 'strmqm QMA'\n$x = 'strmqm QMB'\n\"strmqm QMC\"", []),
    ('Write-Host @"\nstrmqm QMA\n"@\nstrmqm QMB', ["strmqm QMB"]),
    ("$QM = 'QMA'\nstrmqm $qm\nstrmqm ${QM}\nstrmqm \"$QM\"", 3 * ["strmqm QMA"]),
    ("[string] $script:QM = 'QMA'\nstrmqm $QM", ["strmqm QMA"]),
    ("$QM = 'QMA'\n$QM = 'QMB'\nstrmqm $QM", ["strmqm None"]),
    ('$N = 7 # one\nstrmqm "QM$N"', ["strmqm QM7"]),
    ('$N = 7\n$N++\nstrmqm "QM$N"', ["strmqm None"]),
    ('$N = 7\n$M = $N + $N\nstrmqm "QM$M"', ["strmqm None"]),
    ('$N = 7, 8\nstrmqm "QM$N"', ["strmqm None"]),
    ("if ($x) { $QM = 'QMA' }\nstrmqm $QM", ["strmqm None"]),
    ("param([string]$QM = 'QMA')\nstrmqm $QM", ["strmqm None"]),
    ("$QM = 'QMA'\nfunction up($QM) { strmqm $QM }", ["strmqm None?"]),
    ("$QM = Read-Host\nstrmqm $QM.Name\nstrmqm $args[0]", 2 * ["strmqm None"]),
    ("foreach ($q in 'A','B') { strmqm $q }\nstrmqm QMC", ["strmqm None?", "strmqm QMC"]),
    ("if ($x -eq 1) { strmqm QMA }\nelse { strmqm QMB }\nstrmqm QMC", ["?", "?", ""]),
    ("try { strmqm QMA } catch { strmqm QMB } finally { strmqm QMC }", ["", "?", ""]),
    ("function up {\n strmqm QMA\n}\nstrmqm QMB", ["?", ""]),
    ("& { strmqm QMA }\n1..3 | % { strmqm QMB }", ["", "?"]),
    ("if ((dspmq -m QMA) -match 'Running') { endmqm QMA }", ["", "?"]),
    ("dir && strmqm QMA\nstrmqm QMB", ["?", ""]),
    ("strmqm QMA\nexit 1\nstrmqm QMB", ["", "?"]),
    ("$o = strmqm QMA 2>&1 | Out-String\nif ($?) { }\nstrmqm QMB > $null", ["", ""]),
    ("Start-Process strmqm -ArgumentList 'QMA' -Wait", ["strmqm QMA"]),
    ("Start-Process -FilePath C:\\mq\\endmqm.exe -ArgumentList '-w','QMA'", ["endmqm QMA"]),
    ("Start-Process endmqm '-w QMA' -NoNewWindow", ["endmqm QMA"]),
    ("cmd /c 'strmqm QMA'\ncmd.exe /c strmqm QMB", ["strmqm QMA", "strmqm QMB"]),
    ("$h = @{ strmqm = 'QMA'; b = @('c') }\nstrmqm QMB", ["strmqm QMB"]),
    ("}) strmqm QMA\n({{( strmqm QMB", ["strmqm QMA", "?"]),
]

DOCUMENTS = [
    # script, text of the MQSC, queue manager, whether it may not run
    (
        '@"\nDEF QL(A) +\n  PUT(ENABLED)\n"@ | runmqsc QMA',
        "DEF QL(A) +\n  PUT(ENABLED)",
        "QMA",
        False,
    ),
    ("@'\r\nDIS QL($a)\r\n'@|runmqsc.exe QMA", "DIS QL($a)", "QMA", False),
    ('"DEF QL($a.B) DESCR(""c"")" | runmqsc QMA', 'DEF QL(\ue000.B) DESCR("c")', "QMA", False),
    ("'DEF QL(''a'')' | & runmqsc $env:QM", "DEF QL('a')", None, False),
    ("$n = 'A'\n\"DEF QL($n) `$B\" | runmqsc QMA", "DEF QL(A) $B", "QMA", False),
    ('"DEF QL($(f "x)"))" | runmqsc QMA', "DEF QL(\ue000)", "QMA", False),
    ('"DIS QMGR`r`nEND" | runmqsc QMA | Out-Null', "DIS QMGR\nEND", "QMA", False),
    ("'DIS QMGR', 'END' | runmqsc QMA", "DIS QMGR\nEND", "QMA", False),
    ("@(\n  'DIS QMGR'\n  'END'\n) | runmqsc QMA", "DIS QMGR\nEND", "QMA", False),
    ("(('DIS QMGR', 'END') -join \"`n\") | runmqsc QMA", "DIS QMGR\nEND", "QMA", False),
    ("('DEF QL({0})' -f $q, 'x') | runmqsc QMA", "DEF QL(\ue000\ue000\ue000)", "QMA", False),
    ("'DEF ' + 'QL(A)' | runmqsc QMA", "DEF QL(A)", "QMA", False),
    ("Write-Output 'DIS QMGR' 'END' |\n  runmqsc QMA", "DIS QMGR\nEND", "QMA", False),
    ("'A','B' | % { \"DEF QL($_)\" } | runmqsc QMA", "DEF QL(\ue000)", "QMA", True),
    ('foreach ($q in $qs) { "DEF QL($q)" | runmqsc QMA }', "DEF QL(\ue000)", "QMA", True),
    # variables that hold it
    ('$m = @"\nDIS QMGR\n"@\n$r = $m | & runmqsc QMA 2>&1', "DIS QMGR", "QMA", False),
    ("$m = 'DIS QMGR'\n$m = 'END'\n$m | runmqsc QMA", "END", "QMA", False),
    ("$m = 'DEF'\n$m += ' QL(A)'\n$m | runmqsc QMA", "DEF QL(A)", "QMA", False),
    ("$m = @('DIS QMGR')\n$m += 'END'\n$m | runmqsc QMA", "DIS QMGR\nEND", "QMA", False),
    ('$m = foreach ($q in $qs) { "DEF QL($q)" }\n$m | runmqsc QMA', "DEF QL(\ue000)", "QMA", True),
    ("if ($x) { $m = 'END' }\n$m | runmqsc QMA", "END", "QMA", True),
    (
        "$m = 'END'\nif ($x) { $m += \"`nDIS $q\" }\n$m | runmqsc QMA",
        "END\nDIS \ue000",
        "QMA",
        True,
    ),
    # files that the script writes
    (
        "Set-Content -Path t -Value 'DEF QL(A)'\nGet-Content t | runmqsc QMA",
        "DEF QL(A)\n",
        "QMA",
        False,
    ),
    ("'END' | Out-File -Encoding ascii $t\ngc $t -Raw | runmqsc QMA", "END\n", "QMA", False),
    ("'DIS' > t\n'END' >> t\ncmd /c 'runmqsc QMA < t'", "DIS\nEND\n", "QMA", False),
    (
        "sc t 'A B'\nac t 'END'\nStart-Process runmqsc QMA -RedirectStandardInput t",
        "A B\nEND\n",
        "QMA",
        False,
    ),
    ("'END' | Set-Content C:\\mq\\x.mqsc", "END\n", None, False),
    # what runs elsewhere, and through functions of the script
    ('@"\nEND\n"@ | docker exec -i box runmqsc QMA', "END", "QMA", False),
    ("'END' | kubectl exec -i p -n ns -- runmqsc QMA", "END", "QMA", False),
    ("cmd /c 'echo DIS QMGR| runmqsc QMA'", "DIS QMGR", "QMA", False),
    (
        "function Say($Text, $Qm) { $Text | runmqsc $Qm }\nsay -Qm QMA -Text 'DEF QL(A)'",
        "DEF QL(A)",
        "QMA",
        False,
    ),
]

WITHOUT_DOCUMENTS = [
    # scripts of whose MQSC nothing can be told
    "$m | runmqsc QMA",
    "($m -replace 'A', 'B') | runmqsc QMA",
    "$m = 'A'\n$m = Get-Thing\n$m | runmqsc QMA",
    "'DEF QL(A)'.Replace('A', 'B') | runmqsc QMA",
    "@('DEF QL(A)', (Get-Thing)) | runmqsc QMA",
    "'A' | Get-Thing | runmqsc QMA",
    "$m = 'DIS QMGR'\nfunction f($m) { $m | runmqsc QMA }",
    "Set-Content t 'A'\n(Get-Thing) >> t\ngc t | runmqsc QMA",
    "'A' > notes.txt",
]

FILES = [
    ("Get-Content -Path .\\defs\\a.mqsc | runmqsc QMA > out.txt", "./defs/a.mqsc"),
    ('type "$PSScriptRoot\\a b.mqsc" | runmqsc QMA', "./a b.mqsc"),
    ("gc (Join-Path $PSScriptRoot a.mqsc) | runmqsc QMA", "./a.mqsc"),
    ("Get-Content $f | runmqsc QMA", UNKNOWN),
    ("runmqsc -f a.mqsc QMA", "a.mqsc"),
    ('cmd /c "runmqsc QMA < defs\\a.mqsc"', "defs/a.mqsc"),
    ("cmd /c 'type a.mqsc | runmqsc QMA'", "a.mqsc"),
    ("cmd /c runmqsc QMA '<' a.mqsc", "a.mqsc"),
    ("Start-Process cmd -ArgumentList '/c runmqsc QMA < a.mqsc' -Wait", "a.mqsc"),
    ("Start-Process cmd.exe -ArgumentList '/c', 'runmqsc QMA < a.mqsc'", "a.mqsc"),
    ("Start-Process runmqsc.exe -Args QMA -RedirectStandardInput 'a.mqsc'", "a.mqsc"),
]


@pytest.mark.parametrize(("text", "expected"), COMMANDS)
def test_commands_are_found_and_those_that_may_not_run(text: str, expected: list[str]) -> None:
    steps = script_in("powershell", text).steps
    found = [f"{one.command} {one.queue_manager}{'?' * one.execution.maybe}" for one in steps]
    assert len(found) == len(expected)
    for one, wanted in zip(found, expected, strict=True):
        if wanted in ("", "?"):
            assert one.endswith("?") == (wanted == "?")
        else:
            assert one == wanted
    for step in steps:
        assert 0 <= step.command_span[0] < step.command_span[1] <= len(text)
        assert step.command in text[slice(*step.command_span)].lower()


@pytest.mark.parametrize(("text", "inner", "queue_manager", "maybe"), DOCUMENTS)
def test_mqsc_is_found_with_the_way_back(
    text: str, inner: str, queue_manager: str | None, maybe: bool
) -> None:
    (document,) = script_in("powershell", text).embedded
    assert document.text == inner
    assert (document.queue_manager, document.execution.maybe) == (queue_manager, maybe)
    for at, char in enumerate(inner):
        if char.isalpha() and "$n" not in text:
            assert text[document.host(at)] == char


@pytest.mark.parametrize("text", WITHOUT_DOCUMENTS)
def test_mqsc_that_is_not_known_is_not_guessed(text: str) -> None:
    assert script_in("powershell", text).embedded == ()


@pytest.mark.parametrize(("text", "file"), FILES)
def test_the_file_that_is_fed_is_a_fact(text: str, file: object) -> None:
    (step,) = script_in("powershell", text).steps
    assert step.reads is not None
    assert step.reads.value == file
    assert step.queue_manager == "QMA"


def test_what_may_do_anything_is_told() -> None:
    text = "cd x\nImport-Module y\n.\\other.ps1\nCopy-Item a b\nInvoke-Site -A b\nstrmqm QMA\n"
    calls = script_in("powershell", text).calls
    assert [text[at:].split()[0] for at in calls] == [".\\other.ps1", "Invoke-Site"]


UNSEEN = [
    "iex (iwr https://h.example/x)",
    "iwr https://h.example/x | iex",
    "$c = 'strm' + 'qm QMA'\niex $c",
    "iex ('xtrmqm QMA'.Replace('x', 's'))",
    "Invoke-Expression ([char]115 + 'trmqm QMA')",
    "& ([scriptblock]::Create((iwr h)))",
    "iwr https://h.example/x -OutFile up.ps1\n.\\up.ps1",
    "powershell -enc $plan",
    "[System.Diagnostics.Process]::Start('C:\\mq\\bin64\\strmqm.exe', 'QMA')",
    '$p = New-Object System.Diagnostics.ProcessStartInfo\n$p.FileName = "runmqsc"',
    "$p = [Diagnostics.ProcessStartInfo]::new('strmqm', 'QMA')",
]
SEEN = [
    "iex 'ls'",
    ".\\up.ps1",
    "& $run QMA",
    "iwr https://h.example/x -OutFile a.zip",
    ". .\\lib.ps1",
    "# $p.FileName = 'strmqm', a Process\n[Diagnostics.Process]::Start('notepad')",
]


@pytest.mark.parametrize("text", UNSEEN)
def test_a_text_that_is_made_when_the_script_runs_is_not_followed(text: str) -> None:
    (place,) = script_in("powershell", text).unfollowed
    assert text.count("\n", 0, place) == text.count("\n")


@pytest.mark.parametrize("text", SEEN)
def test_a_text_in_the_script_and_a_file_of_the_project_are_no_unknown_texts(text: str) -> None:
    assert not script_in("powershell", text).unfollowed


def test_a_password_before_the_commands_is_kept_nowhere() -> None:
    text = "'hunter2', 'DIS QMGR' | runmqsc -u ann QMA"
    script = script_in("powershell", text)
    assert "hunter2" not in repr(script)
    assert [embedded.text for embedded in script.embedded] == ["DIS QMGR"]
    assert ["hunter2" in text[slice(*span)] for span in script.secrets] == [True]


HOSTILE = [
    "(",
    "{",
    "@{",
    "@(",
    '"',
    "'",
    "`",
    "$(",
    '"$(',
    '@"\n',
    "<#",
    "$a=",
    "a|",
    "'b'+",
    "'b',",
]
HOSTILE += [
    "$a+='b'\n",
    "$a=$a+$a\n",
    "$a='b'\n$a|runmqsc Q\n",
    "'b'>t\ngc t|runmqsc Q\n",
    "})",
    "({",
]
HOSTILE += [
    "function f{runmqsc Q}\nf 'DEF QL(A)'\n",
    "\"$('",
    "if(",
    "a{'b'}|",
    "\n|",
    "$a=@('b'\n",
]


@pytest.mark.growth
@pytest.mark.parametrize("unit", HOSTILE)
def test_time_grows_with_the_text(unit: str) -> None:
    def read(size: int) -> object:
        return script_in("powershell", unit * (size // len(unit)))

    assert is_linear_in_time(read, 10_000)


@pytest.mark.growth
def test_a_megabyte_of_what_is_open_is_read() -> None:
    def read(size: int) -> None:
        script_in("powershell", '"$(' * (size // 3))
        script_in("powershell", "$a = @(" * (size // 7))

    assert is_linear_in_time(read, 250_000)


def test_a_variable_may_be_the_name_of_a_command() -> None:
    text = "$exe = Join-Path $Bin 'strmqm.exe'\n& $exe QMA"
    (step,) = script_in("powershell", text).steps
    assert (step.command, step.queue_manager) == ("strmqm", "QMA")
