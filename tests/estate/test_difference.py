"""`mqlint estate diff`: findings of two scans, by fingerprint. Needs no Java."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.estate.estates import run

pytest.importorskip("pyspark")

import pyarrow.parquet as parquet

from mqlint.estate.history.store import drafting
from mqlint.estate.tables.schema import FINDINGS, without_labels

pytestmark = pytest.mark.slow

Told = tuple[str, str | None, str]
"""The rule, site and fingerprint of a finding."""

BEFORE: list[Told] = [("A001", "leeds", "1"), ("A001", "derby", "2"), ("B001", None, "3")]
AFTER: list[Told] = [("A001", "derby", "2"), ("A001", "derby", "4"), ("C001", "leeds", "5")]


def scanned(
    out: Path,
    findings: Sequence[tuple[str | None, ...]],
    given: Sequence[str] = ("rule", "site", "fingerprint"),
) -> Path:
    """A whole scan with these findings and nothing else; `given` are their columns."""
    columns = without_labels(FINDINGS).names
    told = (dict(zip(given, finding, strict=True), severity="note") for finding in findings)
    with drafting(out) as draft:
        with draft.writing() as tables:
            tables.add_rows("findings", (tuple(map(one.get, columns)) for one in told))
        draft.commit()
    return out


BY = [
    (["rule"], [["A001", 1, 1, 1], ["B001", 0, 1, 0], ["C001", 1, 0, 0]]),
    (["site"], [[None, 0, 1, 0], ["derby", 1, 0, 1], ["leeds", 1, 1, 0]]),
    (
        ["site", "rule"],
        [
            [None, "B001", 0, 1, 0],
            ["derby", "A001", 1, 0, 1],
            ["leeds", "A001", 0, 1, 0],
            ["leeds", "C001", 1, 0, 0],
        ],
    ),
]


@pytest.mark.parametrize(("by", "rows"), BY)
def test_new_fixed_and_remaining(by: list[str], rows: list[object], tmp_path: Path) -> None:
    before, after = scanned(tmp_path / "a", BEFORE), scanned(tmp_path / "b", AFTER)
    words = [word for name in by for word in ("--by", name)]
    done = run("estate", "diff", before, after, *words, "--format=json", cwd=tmp_path)
    assert (done.exit_code, done.stderr) == (0, "")
    assert [list(row.values()) for row in json.loads(done.stdout)] == rows
    assert list(json.loads(done.stdout)[0]) == [*by, "new", "fixed", "remaining"]


def test_new_and_fixed_findings_are_listed(tmp_path: Path) -> None:
    before, after = scanned(tmp_path / "a", BEFORE), scanned(tmp_path / "b", AFTER)
    words = ("estate", "diff", before, after, "--list")
    done = run(*words, "--format=jsonl", cwd=tmp_path)
    assert (done.exit_code, done.stderr) == (0, "")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    changes = [(row["change"], row["rule"], row["site"]) for row in rows]
    assert sorted(changes, key=str) == [
        ("fixed", "A001", "leeds"),
        ("fixed", "B001", None),
        ("new", "A001", "derby"),
        ("new", "C001", "leeds"),
    ]
    text = run(*words, cwd=tmp_path)
    assert text.stdout.endswith("2 new, 2 fixed\n")
    assert sum(line.endswith("[C001]") for line in text.stdout.splitlines()) == 1


def made_by_an_earlier_mqlint(out: Path) -> None:
    """Take out of a scan what it tells of its fingerprints, and the digests of its files."""
    for file in (out / "scan.json", *out.glob("scan-*/scan.json")):
        told = json.loads(file.read_text())
        del told["fingerprints"], told["files"]
        file.write_text(json.dumps(told))
    for part in out.glob("scan-*/findings/*.parquet"):
        table = parquet.ParquetFile(part).read()
        parquet.write_table(table.drop(["fingerprint_scheme", "shared_fingerprint"]), part)


def test_fingerprints_of_another_scheme_are_told_and_not_taken_for_others(tmp_path: Path) -> None:
    before = scanned(tmp_path / "a", [*BEFORE, ("C001", None, "old")])
    after = scanned(tmp_path / "b", [*BEFORE, ("C001", None, "new"), ("C001", "york", "new2")])
    words = ("estate", "diff", before, after, "--format=json")
    done = run(*words, cwd=tmp_path)
    assert (json.loads(done.stdout)[-1]["new"], done.stderr) == (2, "")
    made_by_an_earlier_mqlint(before)
    done = run(*words, cwd=tmp_path)
    assert json.loads(done.stdout)[-1] == {"rule": "C001", "new": 1, "fixed": 0, "remaining": 1}
    assert done.stderr == (
        "mqlint: the scans have fingerprints of mqlint/v1 and mqlint/v2: "
        "1 finding matched by rule, object and file\n"
    )


def test_of_findings_that_cannot_be_told_apart_as_many_remain(tmp_path: Path) -> None:
    """The lines around them were changed, and with them the fingerprints of all but one."""
    columns = ("rule", "repository", "fingerprint", "shared_fingerprint")
    old = [("A", "one", "1", None), ("A", "one", "2", "1"), ("A", "two", "3", "1")]
    now = [("A", "one", "1", None), ("A", "one", "4", "1"), ("A", "one", "5", "1")]
    before, after = (
        scanned(tmp_path / name, found, columns) for name, found in (("a", old), ("b", now))
    )
    done = run("estate", "diff", before, after, "--format=json", cwd=tmp_path)
    assert json.loads(done.stdout) == [{"rule": "A", "new": 1, "fixed": 1, "remaining": 2}]


def test_a_folder_without_a_scan_is_refused(tmp_path: Path) -> None:
    before = scanned(tmp_path / "a", BEFORE)
    done = run("estate", "diff", before, tmp_path, cwd=tmp_path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "it has no complete scan" in done.stderr


def test_scans_kept_in_one_folder_are_named_by_their_ids(tmp_path: Path) -> None:
    out = scanned(scanned(tmp_path / "a", BEFORE), AFTER)
    kept = run("estate", "tables", "--out", out, cwd=tmp_path).stdout
    ids = [line.split(",")[0].strip() for line in kept.splitlines() if line.endswith("findings")]
    assert len(ids) == 2
    for places in ([], ids):
        done = run("estate", "diff", *places, "--out", out, "--format=json", cwd=tmp_path)
        assert done.exit_code == 0
        assert sum(row["new"] + row["fixed"] for row in json.loads(done.stdout)) == 4
    done = run("estate", "diff", ids[0], "no-such", "--out", out, cwd=tmp_path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "has no scan no-such" in done.stderr


def test_a_changed_file_of_an_earlier_scan_is_listed(tmp_path: Path) -> None:
    out = scanned(scanned(tmp_path / "a", BEFORE), AFTER)
    assert run("estate", "tables", "--out", out, cwd=tmp_path).exit_code == 0
    part = min(out.glob("scan-*/findings/*.parquet"))
    part.write_bytes(part.read_bytes()[:-1])
    done = run("estate", "tables", "--out", out, cwd=tmp_path)
    assert (done.exit_code, done.stderr) == (1, f"mqlint: {part.relative_to(out)} was changed\n")


def test_two_scans_must_be_named(tmp_path: Path) -> None:
    out = scanned(tmp_path / "a", BEFORE)
    assert "name two scans" in run("estate", "diff", out, cwd=tmp_path).stderr
    done = run("estate", "diff", "--out", out, cwd=tmp_path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "two scans are required" in done.stderr


def test_tables_and_their_columns_are_listed(tmp_path: Path) -> None:
    out = scanned(tmp_path / "a", BEFORE)
    done = run("estate", "tables", "--out", out, "--format=json", cwd=tmp_path)
    assert {row["table"]: row["rows"] for row in json.loads(done.stdout)}["findings"] == 3
    done = run("estate", "tables", "findings", "--out", out, "--format=json", cwd=tmp_path)
    assert [row["column"] for row in json.loads(done.stdout)] == FINDINGS.names
    done = run("estate", "tables", "finding", "--out", out, cwd=tmp_path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "table finding does not exist, only files" in done.stderr


def test_help_lists_every_command_of_the_group(tmp_path: Path) -> None:
    done = run("estate", "--help", cwd=tmp_path)
    listed = [
        line.split()[0] for line in done.stdout.partition("Commands:")[2].splitlines() if line
    ]
    assert listed == [
        *("diff", "evidence", "package", "query", "report", "scan", "tables", "verify"),
    ]
