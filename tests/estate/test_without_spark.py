"""A scan in one process needs neither pyspark nor py4j, and lists its tables without them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.standalone import PATIENCE
from mqlint.finding import UNJUDGED

pytestmark = pytest.mark.slow

REFUSING = """\
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"pyspark", "py4j", "pandas"}:
            raise ImportError(f"{name} is refused")

sys.meta_path.insert(0, Refuse())
from mqlint.cli import main
main(sys.argv[1:])
"""

MQSC = "DEFINE QLOCAL(APP.IN) MAXDEPHT(7000)\nDEFINE QLOCAL(${NAME})\n"
SCRIPT = """
setup() {
runmqsc QM1 <<X
ALTER QMGR CHLAUTH(DISABLED)
X
}
$RUN QM2 <<X
DEFINE QLOCAL(APP.IN)
X
"""


def refusing(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", REFUSING, *map(str, words)],
        cwd=cwd,
        env={**os.environ, "MQLINT_CACHE_DIR": str(cwd / "cache"), "COLUMNS": "100"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


@pytest.fixture(scope="module")
def estate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    work = tmp_path_factory.mktemp("work")
    (work / "estate").mkdir()
    (work / "estate" / "queues.mqsc").write_text(MQSC)
    (work / "estate" / "setup.sh").write_text(SCRIPT)
    return work


@pytest.fixture(scope="module")
def report(estate: Path) -> dict[str, Any]:
    words = ("--engine", "process", "--out", "out", "--format", "json")
    done = refusing("estate", "scan", "estate", *words, cwd=estate)
    assert done.returncode == 1, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def shown(report: dict[str, Any]) -> list[tuple[str, str, str]]:
    findings = report["findings"]
    return [(finding["rule"], finding["path"], finding["fingerprint"]) for finding in findings]


def test_scan_in_one_process_finds_what_check_finds(estate: Path, report: dict[str, Any]) -> None:
    done = refusing("check", "estate", "--format", "json", cwd=estate)
    checked = json.loads(done.stdout)
    assert shown(checked) == shown(report)
    assert checked["coverage"] == report["coverage"]
    assert {row["kind"] for row in report["coverage"]["not_judged"]} == set(UNJUDGED)
    assert report["coverage"]["waiting"]


@pytest.mark.parametrize("words", [["tables"], ["tables", "findings"]])
def test_tables_are_listed(estate: Path, report: dict[str, Any], words: list[str]) -> None:
    done = refusing("estate", *words, "--out", "out", "--format", "json", cwd=estate)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)


def test_query_and_difference_are_answered(estate: Path, report: dict[str, Any]) -> None:
    question = "SELECT rule, count(*) AS n FROM findings GROUP BY rule ORDER BY rule"
    done = refusing("estate", "query", question, "--out", "out", "--format", "json", cwd=estate)
    assert (done.returncode, done.stderr) == (0, "")
    rules = [finding["rule"] for finding in report["findings"]]
    counts = [{"rule": rule, "n": rules.count(rule)} for rule in sorted(set(rules))]
    assert json.loads(done.stdout) == counts
    words = ("--list", "--format", "jsonl")
    (scan,) = (estate / "out").glob("scan-*")
    done = refusing("estate", "diff", "out", scan, *words, cwd=estate)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_scan_without_engine_takes_one_process_and_says_so(estate: Path) -> None:
    done = refusing("estate", "scan", "estate", "--out", "chosen", cwd=estate)
    assert done.returncode == 1
    assert "mqlint: engine process: Spark is slower with so few files" in done.stderr


def test_every_module_but_those_for_spark_can_be_imported(tmp_path: Path) -> None:
    code = REFUSING.partition("from mqlint")[0] + (
        "import pkgutil, importlib, mqlint.estate as estate\n"
        "for module in pkgutil.walk_packages(estate.__path__, 'mqlint.estate.'):\n"
        "    if not module.name.startswith('mqlint.estate.spark'):\n"
        "        importlib.import_module(module.name)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr


def test_scan_on_spark_says_what_is_missing(estate: Path) -> None:
    words = ("--engine", "spark", "--out", "other")
    done = refusing("estate", "scan", "estate", *words, cwd=estate)
    assert done.returncode == 2
    assert "the Python package pandas is missing" in done.stderr
