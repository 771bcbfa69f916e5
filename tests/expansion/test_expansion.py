"""Work, memory and what is derived from a text stay in proportion to its length."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.expansion.amplifiers import LANGUAGES, SHELL, Amplifier, text_of

FEW, MANY = 250, 1_000
MEMORY = 600 << 20
"""Bytes of address space that a run may take; a run on an empty file takes about a third."""
BOUND = 5.0
"""Four times the text may take this many times the steps: linear is 4, quadratic is 16."""

CHILD = """
import contextlib, io, json, resource, sys

from mqlint.cli import main

resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
resource.setrlimit(resource.RLIMIT_CPU, (600, 600))
steps = 0


def count(frame, event, argument):
    global steps
    steps += 1


def run(path):
    global steps
    steps, output = 0, io.StringIO()
    words = ["check", "--format", "json", "--jobs", "1", path]
    with contextlib.redirect_stdout(output), contextlib.suppress(SystemExit):
        sys.setprofile(count)
        try:
            main(words, standalone_mode=False)
        finally:
            sys.setprofile(None)
    return {"steps": steps, "report": json.loads(output.getvalue())}


run(sys.argv[2])  # what is compiled and imported once is not counted
for path in sys.argv[2:]:
    print(json.dumps(run(path)), flush=True)
"""


def runs(folder: Path, texts: list[tuple[str, str]]) -> list[Any]:
    """Check each text, a file name and what is in it, in one process; return what came out."""
    paths = []
    for number, (file, text) in enumerate(texts):
        path = folder / str(number) / file
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8")
        paths.append(str(path))
    child = subprocess.run(
        [sys.executable, "-I", "-c", CHILD, str(MEMORY), *paths],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    assert child.returncode == 0, child.stderr
    return [json.loads(line) for line in child.stdout.splitlines()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_work_is_in_proportion_to_the_text(language: str, tmp_path: Path) -> None:
    amplifiers = LANGUAGES[language]
    texts = [("a.mqsc", "")]
    for amplifier in amplifiers.values():
        texts += [(amplifier[0], text_of(amplifier, levels)) for levels in (FEW, MANY)]
    empty, *found = runs(tmp_path, texts)
    wrong = {}
    for name, few, many in zip(amplifiers, found[::2], found[1::2], strict=True):
        small, large = few["steps"] - empty["steps"], many["steps"] - empty["steps"]
        read = many["report"]["coverage"]["files"]["checked"]
        if large > BOUND * max(small, 10_000) or read != 1:
            wrong[name] = (small, large, read)
    assert wrong == {}
