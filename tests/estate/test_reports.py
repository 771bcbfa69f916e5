"""What a scan writes for each repository: SARIF whose paths are the repository's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.estate.estates import run

pytest.importorskip("pyspark")

from mqlint.cli.estate.reports import file_name
from tests.files import write

pytestmark = pytest.mark.slow

WRONG = "DEFINE QLOCAL(A) MAXDEPHT(5)\n"


def estate(folder: Path) -> Path:
    files = {
        "repos/pay/mqlint.yaml": "",
        "repos/pay/prod/a.mqsc": WRONG,
        "repos/stock/mqlint.yaml": "",
        "repos/stock/b.mqsc": "DEFINE QLOCAL(A) MAXDEPTH(5)\n",
        "estate.yaml": "repositories: [{path: repos/*}]\n",
    }
    return write(folder, files)


def scan(folder: Path, *words: str) -> dict[str, list[str]]:
    """The places of findings in each file that was written."""
    done = run(
        *("estate", "scan", *words, "--out", "out", "--engine", "process"),
        *("--sarif", "sarif", "--fail-on", "never", "--quiet"),
        cwd=folder,
    )
    assert (done.exit_code, done.stderr) == (0, "")
    return {
        file.name: [
            place["physicalLocation"]["artifactLocation"]["uri"]
            for sarif_run in json.loads(file.read_text())["runs"]
            for result in sarif_run["results"]
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


def test_each_report_says_what_is_in_force_in_its_repository(tmp_path: Path) -> None:
    folder = estate(tmp_path)
    (folder / "repos/pay/mqlint.yaml").write_text("severity: {VOC002: note}\nexclude: [old]\n")
    scan(folder, "estate.yaml", "--ignore", "VOC001", "--format", "json=all.json")
    rows = {
        name: {(row["kind"], row["name"], row["value"], row["path"]) for row in found}
        for name, found in (
            ("all", json.loads((folder / "all.json").read_text())["in_force"]),
            ("pay", in_force(folder / "sarif/pay.sarif")),
            ("stock", in_force(folder / "sarif/stock.sarif")),
        )
    }
    command_line = {("ignore", "VOC001", None, None), ("fail_on", None, "never", None)}
    own = {("severity", "VOC002", "note", "pay"), ("exclude", "old", None, "pay")}
    assert rows == {"all": command_line | own, "pay": command_line | own, "stock": command_line}


def in_force(file: Path) -> list[dict[str, object]]:
    (invocation,) = json.loads(file.read_text())["runs"][0]["invocations"]
    rows: list[dict[str, object]] = invocation["properties"]["inForce"]
    return rows


@pytest.mark.parametrize("name", ["waivers", "baseline", "policies"])
def test_a_repository_reads_nothing_outside_of_itself(tmp_path: Path, name: str) -> None:
    folder = estate(tmp_path)
    secret = "canary-7f3a"
    (tmp_path / "shadow").write_text(f"root:{secret}:19000:0:99999:7:::\n")
    (folder / "repos/pay/.git").mkdir()
    (folder / "repos/pay/.git/config").write_text(f"[{secret}]\n")
    (folder / "repos/pay/link").symlink_to("../../shadow")
    (folder / "repos/pay/inside").write_text(f"{secret}: {secret}\n")
    for path in ("../../shadow", str(tmp_path / "shadow"), ".git/config", "link", "inside"):
        text = f"policies: ['{path}']\n" if name == "policies" else f"{name}: '{path}'\n"
        (folder / "repos/pay/mqlint.yaml").write_text(text)
        done = run(
            *("estate", "scan", "estate.yaml", "--out", "out", "--engine", "process"),
            *("--format", "json=all.json", "--quiet", "--exit-zero"),
            cwd=folder,
        )
        assert done.exit_code == 0, done.stderr
        assert secret not in (folder / "all.json").read_text() + done.stdout + done.stderr
