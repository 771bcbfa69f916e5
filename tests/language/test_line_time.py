"""Long lines and long runs take time in line with their length.

One search of a pattern goes over all of them, so steps of Python do not show it.
"""

from __future__ import annotations

import pytest

from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Input
from mqlint.engine.assemble import Assembly
from mqlint.engine.load import load
from tests.linear import is_linear_in_time

QUEUE_MANAGER = (
    "apiVersion: mq.ibm.com/v1\nkind: QueueManager\nspec:\n  queueManager: {name: QMA}\n---\n"
)
CASES: dict[str, tuple[str, str, str, str]] = {
    "texts in quotes before runmqsc": ("a.sh", "echo runmqsc ", '"a" ', "\n"),
    "names of runmqsc in PowerShell": ("a.ps1", "", "runmqsc ", "\n"),
    "names of resource adapters": (
        *("a.xml", '<resourceAdapter id="a" location="', "wmq", '"/><properties.wmqJms/>'),
    ),
    "steps of FTP": ("a.jcl", "//A JOB\n//S EXEC PGM=CSQUTIL\n", "// PGM=FTP\n", ""),
    "blanks in a secret": ("a.yaml", f"{QUEUE_MANAGER}password:\n  - a", " ", "b\n"),
}


@pytest.mark.growth
@pytest.mark.parametrize(("path", "before", "piece", "after"), CASES.values(), ids=CASES.keys())
def test_time_grows_with_the_text(
    analyser: Analyser, path: str, before: str, piece: str, after: str
) -> None:
    assembly = Assembly(Settings(), analyser.vocabulary)

    def read(size: int) -> None:
        text = before + piece * (size // len(piece)) + after
        load(Input(path, data=text.encode()), assembly, analyser)

    assert is_linear_in_time(read, 20_000)
