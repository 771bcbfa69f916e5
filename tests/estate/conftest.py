"""One session and one compiled set of rules for the tests of this room."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mqlint.config.loader import load_settings
from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Input, Run, check, inputs_of
from mqlint.policy.rulebook import Rulebook
from mqlint.vocabulary import Vocabulary
from tests.shipped import shipped_rulebook, shipped_vocabulary

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytest.importorskip("pyspark")


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    return shipped_vocabulary()


@pytest.fixture(scope="session")
def rulebook(vocabulary: Vocabulary) -> Rulebook:
    return shipped_rulebook()


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """One session for all tests that need one.

    What it changes in the environment is put back as soon as it runs: other rooms come after.
    """
    from mqlint.estate.spark.session import session

    log = tmp_path_factory.mktemp("session") / "spark.log"
    before, interrupt = dict(os.environ), signal.getsignal(signal.SIGINT)
    with session("local[2]", log=log) as started:
        os.environ.clear()
        os.environ.update(before)
        signal.signal(signal.SIGINT, interrupt)
        yield started


def inputs_in(folder: Path) -> list[Input]:
    """All files; a link that leads nowhere is none."""
    return inputs_of(sorted(path for path in folder.rglob("*") if path.is_file()), folder)


def settings_in(folder: Path) -> Settings:
    return load_settings((folder / "mqlint.yaml").read_text("utf-8"), "mqlint.yaml")


InProcess = Callable[..., Run]


@pytest.fixture(scope="session")
def in_process(vocabulary: Vocabulary, rulebook: Rulebook) -> InProcess:
    """Checks a folder in this process, or in several."""

    def run(folder: Path, jobs: int = 1) -> Run:
        analyser = Analyser(vocabulary)
        return check(inputs_in(folder), settings_in(folder), analyser, rulebook, jobs=jobs)

    return run
