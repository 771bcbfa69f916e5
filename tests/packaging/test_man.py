"""Manual pages: one for each command, with all its options, and nothing that roff warns of."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.packaging.conftest import ROOT, Run


@pytest.fixture(scope="module")
def pages(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("man")
    script = ROOT / ".ci" / "man_pages.py"
    run(sys.executable, script, out, cwd=ROOT, SOURCE_DATE_EPOCH=str(1_577_836_800))
    return out / "man1"


def test_each_command_has_a_page(pages: Path) -> None:
    check = (pages / "mqlint-check.1").read_text("utf-8")
    assert '"1" "2020-01-01" "mqlint ' in check
    assert "\n\\fB\\-\\-fail\\-on [note|warning|error|never]\\fR\n" in check
    top = (pages / "mqlint.1").read_text("utf-8")
    for path in pages.glob("mqlint-[a-z]*.1"):
        first = path.stem.split("-")[1]
        assert f"\\fBmqlint\\-{first}\\fR(1)" in top


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_roff_warns_of_nothing(pages: Path, run: Run) -> None:
    assert any(pages.iterdir())
    done = run("groff", "-man", "-ww", "-z", *sorted(pages.iterdir()), cwd=pages)
    assert done.stderr == ""
