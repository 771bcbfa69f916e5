"""What is measured: the parser, and the whole check as the command line runs it."""

from __future__ import annotations

import os
import sys
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
    def process(cls, path: Path, cache: Path) -> list[str]:
        """The command line of the same check in a process of its own."""
        return [sys.executable, "-m", "mqlint", "check", *cls.options(cache), str(path)]
