"""What a scan writes for each repository: SARIF whose paths are the repository's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.spark.test_estate import mqlint

pytest.importorskip("pyspark")

from mqlint.cli.estate_reports import file_name

WRONG = "DEFINE QLOCAL(A) MAXDEPHT(5)\n"


def estate(folder: Path) -> Path:
    for name, text in {
        "repos/pay/mqlint.yaml": "",
        "repos/pay/prod/a.mqsc": WRONG,
        "repos/stock/mqlint.yaml": "",
        "repos/stock/b.mqsc": "DEFINE QLOCAL(A) MAXDEPTH(5)\n",
        "estate.yaml": "repositories: [{path: repos/*}]\n",
    }.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


def scan(folder: Path, *words: str) -> dict[str, list[str]]:
    """The places of findings in each file that was written."""
    done = mqlint(
        *("estate", "scan", *words, "--out", "out", "--engine", "process"),
        *("--sarif", "sarif", "--fail-on", "never", "--quiet"),
        cwd=folder,
    )
    assert (done.status, done.err) == (0, "")
    return {
        file.name: [
            place["physicalLocation"]["artifactLocation"]["uri"]
            for run in json.loads(file.read_text())["runs"]
            for result in run["results"]
            for place in result["locations"]
        ]
        for file in sorted((folder / "sarif").iterdir())
    }


def test_each_repository_has_a_file_with_its_own_paths(tmp_path: Path) -> None:
    assert scan(estate(tmp_path), "estate.yaml") == {
        "pay.sarif": ["prod/a.mqsc"],
        "stock.sarif": [],
    }


def test_a_folder_that_stands_alone_has_one_file(tmp_path: Path) -> None:
    folder = estate(tmp_path) / "repos" / "pay"
    assert scan(folder, ".") == {"mqlint.sarif": ["prod/a.mqsc"]}


@pytest.mark.parametrize(
    ("name", "expected"),
    [("pay", "pay"), ("team/pay", "team-pay-"), ("../up", "up-"), ("очередь", "mqlint-")],
)
def test_no_name_leads_out_of_the_folder(name: str, expected: str) -> None:
    found = file_name(name)
    assert found.startswith(expected)
    assert set(found).isdisjoint("/\\")


def test_names_that_differ_have_files_that_differ() -> None:
    names = ["a/b", "a-b", "a b", "a:b", "A-B", ""]
    assert len({file_name(name) for name in names}) == len(names)
