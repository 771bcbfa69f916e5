"""The README shows what the tool really prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = re.compile(
    r"<!-- EXAMPLE OUTPUT: begin[^\n]*-->\n```console\n\$ mqlint ([^\n]*)\n(.*?)```\n"
    r"<!-- EXAMPLE OUTPUT: end -->",
    re.DOTALL,
)


@pytest.mark.slow
def test_the_example_output_is_that_of_a_run() -> None:
    shown = EXAMPLE.search((ROOT / "README.md").read_text("utf-8"))
    assert shown is not None
    run = subprocess.run(
        [sys.executable, "-m", "mqlint", *shown[1].split()],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "96", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert run.stdout == shown[2]
