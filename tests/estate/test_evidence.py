"""Evidence of a scan, and the tables as other programs read them."""

from __future__ import annotations

import base64
import itertools
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("duckdb")

import duckdb
import pyarrow.parquet as parquet

from mqlint.cli import main
from mqlint.estate.history.evidence import PREDICATE, STATEMENT
from mqlint.estate.history.store import latest
from mqlint.estate.tables.schema import AUDIT, JUDGEMENTS, TABLES, meaning_of
from tests.conftest import ROOT


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["estate", *map(str, words)])


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scanned")
    (folder / "estate").mkdir()
    (folder / "estate" / "a.mqsc").write_text("DEFINE QLOCAL(A) MAXDEPHT(5)\n")
    words = ("--engine=process", "--quiet", "--exit-zero", "--out", folder / "out")
    assert run("scan", folder / "estate", *words).exit_code == 0
    return folder / "out"


@pytest.fixture
def out(scanned: Path, tmp_path: Path) -> Path:
    """What a scan wrote: a copy, which a test may change."""
    return Path(shutil.copytree(scanned, tmp_path / "out", symlinks=True))


def statement(out: Path) -> dict[str, Any]:
    done = run("evidence", out)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def changed(file: Path, column: str, value: str) -> None:
    """Change a cell of all rows of a table file."""
    table = parquet.ParquetFile(file).read()
    rows = [{**row, column: value} for row in table.to_pylist()]
    parquet.write_table(type(table).from_pylist(rows, table.schema), file)


def test_evidence_does_not_replace_a_file_of_its_scan(out: Path) -> None:
    manifest = (out / "scan.json").read_bytes()
    part = next((out / latest(out).folder / "rules").glob("*.parquet"))
    for file in (out / "scan.json", out / "." / "scan.json", part):
        refused = run("evidence", out, "--out", file)
        assert (refused.exit_code, "is a file of the scan" in refused.stderr) == (2, True)
    assert (out / "scan.json").read_bytes() == manifest


def test_evidence_is_an_in_toto_statement(out: Path) -> None:
    found = statement(out)
    assert found["_type"] == "https://in-toto.io/Statement/v1"
    manifest = latest(out)
    assert {item["name"].split("/")[1] for item in found["subject"]} == set(TABLES)
    assert all(len(item["digest"]["sha256"]) == 64 for item in found["subject"])
    predicate = found["predicate"]
    assert predicate["scan_id"] == manifest.scan
    assert predicate["findings"] == {"error": 1}
    assert predicate["scans"][0]["mqlint_version"]
    assert predicate["repositories"][0]["read_status"] == "whole"
    assert predicate["coverage"]
    assert predicate["exceptions"] == []


def test_changed_row_is_found(out: Path) -> None:
    assert run("evidence", out, "--out", out / "evidence.json").exit_code == 0
    done = run("verify", out / "evidence.json")
    assert (done.exit_code, done.stdout) == (0, f"{len(TABLES)} files as in the statement\n")
    assert run("tables", "--out", out).exit_code == 0
    (part,) = (out / latest(out).folder / "findings").glob("*.parquet")
    changed(part, "severity", "note")
    done = run("verify", out / "evidence.json")
    assert done.exit_code == 1
    assert f"findings/{part.name} was changed" in done.stdout
    listed = run("tables", "--out", out)
    assert (listed.exit_code, "was changed" in listed.stderr) == (1, True)
    refused = run("evidence", out)
    assert (refused.exit_code, "was changed" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("coverage", []),
        ("coverage", [{}]),
        ("findings", {"note": 1}),
        ("findings", {}),
        ("rows", {"findings": 0}),
        ("scan_id", "another"),
        ("exceptions", None),
        ("more", 1),
    ],
)
def test_statement_that_says_something_else_than_the_tables_is_found(
    name: str, value: object, out: Path, tmp_path: Path
) -> None:
    found, file = statement(out), tmp_path / "evidence.json"
    file.write_text(json.dumps(found))
    assert run("verify", file, out).exit_code == 0
    found["predicate"] = {**found["predicate"], name: value}
    if value is None:
        del found["predicate"][name]
    file.write_text(json.dumps(found))
    done = run("verify", file, out)
    assert (done.exit_code, f"`{name}` of the statement" in done.stdout) == (1, True), done.output


@pytest.mark.parametrize("is_current", [False, True])
def test_changed_manifest_is_found(is_current: bool, out: Path, tmp_path: Path) -> None:
    file = tmp_path / "evidence.json"
    file.write_text(json.dumps(statement(out)))
    manifest = (out if is_current else out / latest(out).folder) / "scan.json"
    manifest.write_text(manifest.read_text().replace('"findings": 1', '"findings": 0'))
    assert run("verify", file, out).exit_code == 1


def test_missing_and_added_files_are_found_in_an_envelope_too(out: Path, tmp_path: Path) -> None:
    payload = base64.b64encode(json.dumps(statement(out)).encode()).decode()
    (tmp_path / "signed.json").write_text(json.dumps({"payload": payload, "signatures": []}))
    (part,) = (out / latest(out).folder / "findings").glob("*.parquet")
    part.rename(part.with_name("part-other.parquet"))
    done = run("verify", tmp_path / "signed.json", out)
    assert done.exit_code == 1
    assert "is missing" in done.stdout
    assert "part-other.parquet was added" in done.stdout


@pytest.mark.parametrize("is_link", [True, False])
@pytest.mark.parametrize("name", ["part.snappy", "PART.PARQUET", "year=2026/part.parquet"])
def test_added_file_that_spark_would_read_is_found(
    name: str, is_link: bool, out: Path, tmp_path: Path
) -> None:
    file = tmp_path / "evidence.json"
    file.write_text(json.dumps(statement(out)))
    folder = out / latest(out).folder
    (part,) = (folder / "rules").glob("*.parquet")
    added = folder / "rules" / name
    added.parent.mkdir(exist_ok=True)
    if is_link:
        added.symlink_to(shutil.copy(part, tmp_path))
    else:
        shutil.copy(part, added)
    verified, listed = run("verify", file, out), run("tables", "--out", out)
    assert (verified.exit_code, f"rules/{name} was added" in verified.stdout) == (1, True)
    assert (listed.exit_code, f"rules/{name} was added" in listed.stderr) == (1, True)


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", '{"_type": "x"}', '{"payload": "?"}', '{"payload": 5}', "[" * 200_000),
        json.dumps({"payload": base64.b64encode(b'{"a":' * 200_000).decode()}),
        json.dumps({"_type": STATEMENT, "predicateType": PREDICATE, "subject": [{"digest": {}}]}),
    ],
    ids=itertools.count(),
)
def test_other_files_are_no_evidence(text: str, out: Path) -> None:
    (out / "evidence.json").write_text(text)
    done = run("verify", out / "evidence.json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "it is not evidence of an estate scan" in done.stderr


@pytest.mark.parametrize("is_empty", [True, False])
def test_statement_of_no_files_or_of_one_twice_is_refused(is_empty: bool, out: Path) -> None:
    found = statement(out)
    first = found["subject"][0]
    repeated = [{**first, "digest": {"sha256": "0" * 64}}, *found["subject"]]
    found["subject"] = [] if is_empty else repeated
    (out / "evidence.json").write_text(json.dumps(found))
    done = run("verify", out / "evidence.json")
    reason = "it names no files" if is_empty else "it names a file twice"
    assert (done.exit_code, done.stdout) == (2, "")
    assert reason in done.stderr


@pytest.mark.parametrize("is_folder", [True, False])
def test_link_in_place_of_a_file_is_found(is_folder: bool, out: Path, tmp_path: Path) -> None:
    file = tmp_path / "evidence.json"
    file.write_text(json.dumps(statement(out)))
    folder = out / latest(out).folder / "findings"
    (part,) = folder.glob("*.parquet")
    moved = folder if is_folder else part
    kept = moved.rename(tmp_path / moved.name)
    moved.symlink_to(kept)
    done = run("verify", file, out)
    assert (done.exit_code, f"findings/{part.name} is missing" in done.stdout) == (1, True)
    asked = run("query", "--out", out, "SELECT * FROM findings")
    assert (asked.exit_code, "is a link" in asked.stderr) == (2, True)
    shown = run("report", out, "--out", tmp_path / "report")
    assert shown.exit_code == 2


def test_statement_cannot_name_a_folder_outside(out: Path) -> None:
    found = statement(out)
    found["subject"][0]["name"] = "../findings/a.parquet"
    (out / "evidence.json").write_text(json.dumps(found))
    done = run("verify", out / "evidence.json")
    assert (done.exit_code, "outside DIR" in done.stderr) == (2, True)


def test_each_column_has_its_meaning_in_the_files(out: Path) -> None:
    for name, schema in TABLES.items():
        for part in (out / latest(out).folder / name).glob("*.parquet"):
            written = parquet.read_schema(part)
            assert [meaning_of(column) for column in written] == list(map(meaning_of, schema))


@pytest.mark.slow
def test_other_programs_read_the_tables(out: Path) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for name, schema in TABLES.items():
        (file,) = (out / latest(out).folder / name).glob("*.parquet")
        with duckdb.connect() as connection:
            assert connection.read_parquet(str(file)).columns == schema.names
        assert list(pandas.read_parquet(file).columns) == schema.names
        assert polars.read_parquet(file).columns == schema.names


WORDS = (Path(__file__).parent / "reserved-words.txt").read_text("utf-8")
RESERVED = {
    line.partition(":")[0]: set(line.partition(":")[2].casefold().split())
    for line in WORDS.splitlines()
    if line and not line.startswith("#")
}


def test_no_name_of_the_tables_for_an_auditor_is_reserved() -> None:
    with duckdb.connect() as connection:
        keywords = connection.execute(
            "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'"
        ).fetchall()
    words = set().union({word for (word,) in keywords}, *RESERVED.values())
    assert len(words) > 400
    for name in (*AUDIT, JUDGEMENTS):
        schema = TABLES[name]
        own = {name, *schema.names} - set(TABLES["coverage"].names)
        assert own.isdisjoint(words), own & words


def test_reserved_names_of_other_tables_are_documented() -> None:
    document = (ROOT / "docs" / "estate.md").read_text("utf-8")
    words = set().union(*RESERVED.values())
    reserved = {name for schema in TABLES.values() for name in schema.names} & words
    sentence = document.partition("Quote these names")[2].partition("\n")[0]
    assert set(sentence.split("`")[1::2]) >= reserved
