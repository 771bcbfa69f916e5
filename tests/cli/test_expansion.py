"""Work, memory and what is derived from a text stay in proportion to its length."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mqlint.engine import Analyser
from mqlint.vocabulary import Target
from tests.amplifiers import HOSTS, LANGUAGES, MAINFRAME, MQSC, SHELL, WINDOWS, text_of
from tests.cli.conftest import Mqlint

LEVELS = {"mqsc": (200, 800)}
"""How many levels the two texts have: so many that both spend what any text may; else 100, 400."""
MEMORY = 600 << 20
"""Bytes of address space that a run may take; a run on an empty file takes about a third."""
LEAST = 20_000
"""Steps that say nothing about growth."""
BOUND = 5.5
"""Four times the text may take this many times the steps: linear is 4, quadratic is 16.

A line that is long is searched in two ways, so a text that only grows to one takes a little more.
"""

CHILD = """
import contextlib, io, json, resource, sys

from mqlint.cli import main

resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
resource.setrlimit(resource.RLIMIT_CPU, (600, 600))
steps = 0


def count(frame, event, argument):
    global steps
    steps += 1


def run(path, counted):
    global steps
    steps, output = 0, io.StringIO()
    words = ["check", "--format", "json", "--jobs", "1", path]
    with contextlib.redirect_stdout(output), contextlib.suppress(SystemExit):
        sys.setprofile(count if counted else None)
        try:
            main(words, standalone_mode=False)
        finally:
            sys.setprofile(None)
    return {"steps": steps, "report": json.loads(output.getvalue())}


for number, path in enumerate(sys.argv[3:]):
    print(json.dumps(run(path, number >= int(sys.argv[2]))), flush=True)
"""


def runs(folder: Path, cache: Path, texts: list[tuple[str, str]], uncounted: int) -> list[Any]:
    """Check each text, a file name and what is in it, in one process; return what came out.

    Steps are those after the first `uncounted` texts: to count them takes longer than the check.
    """
    paths = []
    for number, (file, text) in enumerate(texts):
        path = folder / str(number) / file
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8")
        paths.append(str(path))
    child = subprocess.run(
        [sys.executable, "-I", "-c", CHILD, str(MEMORY), str(uncounted), *paths],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "MQLINT_CACHE_DIR": str(cache)},
        check=False,
    )
    assert child.returncode == 0, child.stderr
    return [json.loads(line) for line in child.stdout.splitlines()]


@pytest.mark.growth
@pytest.mark.parametrize("share", [8, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_work_is_in_proportion_to_the_text(
    language: str, share: int, tmp_path: Path, cache: Path
) -> None:
    """Of the amplifiers of a language one in `share`."""
    amplifiers = dict([*LANGUAGES[language].items()][::-1][::share])
    sizes = LEVELS.get(language, (100, 400))
    # What is compiled and imported once is not counted: the rules, the grammar, each language.
    short = {amplifier[0]: text_of(amplifier, 1) for amplifier in amplifiers.values()}
    warming = [("a.mqsc", "DEFINE QLOCAL(A) NOSUCHWORD(1)\n"), *short.items()]
    texts = [
        (amplifier[0], text_of(amplifier, levels))
        for amplifier in amplifiers.values()
        for levels in sizes
    ]
    blank = [("a.mqsc", ""), ("a.mqsc", "* x\n"), ("a.sh", "#!/bin/sh\n")]
    done = runs(tmp_path, cache, [*warming, *blank, *texts], len(warming))[len(warming) :]
    least = min(run["steps"] for run in done[: len(blank)])
    found = done[len(blank) :]
    wrong = {}
    for name, few, many in zip(amplifiers, found[::2], found[1::2], strict=True):
        small, large = few["steps"] - least, many["steps"] - least
        read = many["report"]["coverage"]["files"]["checked"]
        if large > BOUND * max(small, LEAST) or read != 1:
            wrong[name] = (small, large, read)
    assert wrong == {}


TWENTY_LEVELS = text_of(SHELL["a variable in a word"], 20)
CALLS = "f() {\n" + "echo 'DEFINE QLOCAL(A)' | runmqsc $1\n" * 100 + "}\n" + "f QM1\n" * 200
SPENT: Mapping[str, tuple[str, str]] = {
    "shell": ("a.sh", TWENTY_LEVELS),
    "cmd": ("a.cmd", text_of(WINDOWS["a variable"], 20)),
    "powershell": ("a.ps1", text_of(WINDOWS["Get-Content"], 200)),
    "jcl": ("a.jcl", text_of(MAINFRAME["one DD, often"], 200)),
    "cl": ("a.clle", text_of(MAINFRAME["one value of CL, often"], 200)),
    "manifest": ("a.yaml", text_of(HOSTS["readers of a ConfigMap"], 200)),
    "jenkins": ("Jenkinsfile", text_of(HOSTS["a script of Jenkins"], 20)),
    "calls of a function": ("a.sh", CALLS),
    "a script in a script": ("a.sh", text_of(SHELL["scripts in scripts"], 100)),
}


@pytest.fixture(scope="module")
def spent(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Mapping[str, Any]:
    """The report of each text, from one process: to start one takes longer than most texts."""
    done = runs(tmp_path_factory.mktemp("spent"), cache, [*SPENT.values()], len(SPENT))
    return {language: run["report"] for language, run in zip(SPENT, done, strict=True)}


@pytest.mark.slow
@pytest.mark.parametrize("language", SPENT)
def test_what_is_not_followed_is_reported(language: str, spent: Mapping[str, Any]) -> None:
    report = spent[language]
    [row] = report["coverage"]["read_in_part"]
    assert row["path"].endswith(SPENT[language][0])
    assert any(word in row["reason"] for word in ("expansion stopped", "nested", "not followed"))
    reported = [finding for finding in report["findings"] if finding["rule"] == "SYN022"]
    assert [finding["message"] for finding in reported] == [row["reason"]]


def test_comparisons_that_are_not_made_are_reported(mqlint: Mqlint, project: Path) -> None:
    text = text_of(MQSC["profiles of any beginning"], 400)
    (project / "a.mqsc").write_text(text, encoding="utf-8")
    report = json.loads(mqlint("check", "--format", "json", "a.mqsc").stdout)
    told = [load["message"] for load in report["findings"] if load["rule"] == "SYN022"]
    assert len(told) == 1
    assert "not everything is checked (authority records" in told[0]


def test_an_audit_writes_an_outcome_of_many_channels_once(mqlint: Mqlint, project: Path) -> None:
    channels = "".join(f"DEFINE CHANNEL(C{number}) CHLTYPE(SVRCONN)\n" for number in range(40))
    record = "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('10.1.1.1') USERSRC(NOACCESS)\n"
    (project / "a.mqsc").write_text(channels + record, encoding="utf-8")
    lines = mqlint("chlauth", "audit", "a.mqsc").output.splitlines()
    assert sum(line.startswith("  C") for line in lines) == 40
    assert sum("10.1.1.1" in line for line in lines) <= 2


def test_the_summary_names_files_that_are_read_in_part(mqlint: Mqlint, project: Path) -> None:
    (project / "a.sh").write_text(TWENTY_LEVELS, encoding="utf-8")
    result = mqlint("check", "a.sh")
    assert result.exit_code == 1
    assert "read in part: a.sh: expansion stopped after" in result.output


BEFORE = "Q=QM1\nrunmqsc $Q <<E\nDEFINE QLOCAL(A) MAXDEPHT(1)\nE\n"
AFTER = "runmqsc QM1 <<E\nDEFINE QLOCAL(B) MAXDEPHT(1)\nE\nstrmqm $Q\n"


def test_what_stands_in_the_file_is_judged_all_the_same(mqlint: Mqlint, project: Path) -> None:
    (project / "a.sh").write_text(BEFORE + TWENTY_LEVELS + AFTER, encoding="utf-8")
    report = json.loads(mqlint("check", "--format", "json", "a.sh").stdout)
    found = [load for load in report["findings"] if "MAXDEPHT" in load["message"]]
    names = [(load["queue_manager"], load["object"]["name"]) for load in found]
    assert names == [("QM1", "A"), ("QM1", "B")]


@pytest.mark.slow
def test_a_file_is_about_queue_managers_in_line_with_its_length(analyser: Analyser) -> None:
    names = [f"Q{number}" for number in range(7_000)]
    text = "strmqm " + "\nstrmqm ".join(names)
    reading = analyser.analyse(text, "shell", Target(None, None))
    assert [step.queue_manager for step in reading.steps] == names[: 5_000 + len(text) // 64]
    assert reading.limits == (
        f"only {5_000 + len(text) // 64:,} queue managers of the file are checked: "
        "what concerns the others is ignored",
    )


@pytest.mark.slow
def test_the_examples_spend_nothing_of_note(mqlint: Mqlint) -> None:
    estate = Path(__file__).parents[2] / "examples" / "estate"
    report = json.loads(mqlint("check", "--format", "json", str(estate)).stdout)
    assert report["coverage"]["files"]["checked"] > 50
    assert report["coverage"]["read_in_part"] == []
