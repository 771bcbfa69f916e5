"""What is measured: the parser, and the whole check as the command line runs it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from benchmarks.estate import CONFIGURATION
from mqlint.cli import main
from mqlint.language.mqsc import Parser, Script
from mqlint.vocabulary import Vocabulary
from mqlint.vocabulary.load import load_vocabulary

TEN_LINES = """\
* the smallest useful script
DEFINE QLOCAL(APP.REQUEST) +
       DESCR('Requests') +
       DEFPSIST(YES) MAXDEPTH(50000) +
       BOQNAME(APP.REQUEST.BO) BOTHRESH(3) +
       REPLACE
DEFINE QLOCAL(APP.REQUEST.BO) +
       DESCR('Requests that failed') +
       DEFPSIST(YES) +
       REPLACE
"""


def project(folder: Path, text: str) -> Path:
    """Write `text` as the dump of a production queue manager, with a configuration around it."""
    home = folder / "prod" / "PRDBIG1"
    home.mkdir(parents=True, exist_ok=True)
    (folder / "mqlint.yaml").write_text(CONFIGURATION, encoding="utf-8")
    (home / "dmpmqcfg.mqsc").write_text(text, encoding="utf-8")
    return folder


def repository(folder: Path) -> list[Path]:
    """Write a checkout of 200 small queue managers; return the scripts of the first five."""
    scripts = []
    for number in range(200):
        script = folder / "prod" / f"PRDQM{number:03d}" / "queues.mqsc"
        script.parent.mkdir(parents=True)
        script.write_text(TEN_LINES.replace("APP.", f"APP{number:03d}."), encoding="utf-8")
        scripts.append(script)
    (folder / "mqlint.yaml").write_text(
        'queue_managers: ["{site}/{queue_manager}/*"]\n'
        "sites:\n  prod: {role: production, paths: ['prod/**']}\n",
        encoding="utf-8",
    )
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    return scripts[:5]


class Subject:
    """mqlint with its vocabulary loaded, as it is after the first file of a run."""

    def __init__(self, cache: Path) -> None:
        """Keep compiled rules in the folder `cache`."""
        self._vocabulary: Vocabulary = load_vocabulary()
        self._cache = cache

    def parse(self, text: str) -> Script:
        """Parse with a new parser, which has met no shape yet."""
        return Parser(self._vocabulary).parse(text)

    def check(self, path: Path) -> None:
        """The whole check of `path` with all rules, in this process, report included."""
        try:
            main.main(["check", *self.options(self._cache), str(path)])
        except SystemExit as end:
            if end.code:
                raise RuntimeError(f"the check of {path} ended with {end.code}") from end

    @staticmethod
    def options(cache: Path) -> list[str]:
        """Options that make a check write its report where nobody reads it."""
        quiet = f"json={os.devnull}"
        return ["--format", quiet, "--fail-on", "never", "--cache-dir", str(cache)]

    @classmethod
    def process(cls, python: str, paths: Sequence[Path], cache: Path) -> list[str]:
        """The command line of the same check in a process of its own."""
        return [python, "-I", "-m", "mqlint", "check", *cls.options(cache), *map(str, paths)]
