"""What a model takes in memory for text that says the same again and again, or hardly anything."""

from __future__ import annotations

import tracemalloc

import pytest

from mqlint.config.settings import Settings
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.document.analyse import Analyser
from mqlint.engine.loading.load import Input, load
from mqlint.engine.project import queue_managers
from tests.shipped import shipped_vocabulary

LINES = 5000
FACTS = ("qmgr", "step", "queue", "authority", "chlauth", "blocklist", "name")
MOST = 20
"""So many times its text may a model take, the parser's part left out."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "ALTER QMGR Q",
        "START CHANNEL(A)",
        "REFRESH SECURITY",
        "DISPLAY QLOCAL(ABC)",
        "DEFINE QLOCAL(X) REPLACE",
        "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(PUT)",
    ],
)
def test_lines_that_are_repeated_take_little(line: str) -> None:
    assert_little(f"{line}\n" * LINES)


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "DEFINE QLOCAL(QUEUE.{})",
        "DELETE QLOCAL(queue)",
        "SET CHLAUTH(A{}) TYPE(BLOCKUSER) USERLIST('a')",
        "SET AUTHREC PROFILE(A{}) OBJTYPE(QUEUE) GROUP('g') AUTHADD(PUT)",
    ],
)
def test_lines_about_something_new_each_take_little(line: str) -> None:
    assert_little("".join(f"{line.format(number)}\n" for number in range(LINES)))


def assert_little(text: str) -> None:
    analyser, settings = Analyser(shipped_vocabulary()), Settings()
    assembly = Assembly(settings, analyser.vocabulary)
    reading = load(Input("a.mqsc", data=text.encode()), assembly, analyser).reading
    assert reading is not None
    tracemalloc.start()
    try:
        for (facts,) in queue_managers({"a.mqsc": reading}, assembly):
            kept = [[*facts.of(kind)] for kind in FACTS]
            size, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept
    assert size < MOST * len(text)
