"""Queries by DuckDB: one SELECT over the tables of a scan, and nothing else."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("duckdb")

from mqlint.cli import main
from mqlint.cli.estate.rows import FORMATS
from mqlint.estate.history.answer import QueryError
from mqlint.estate.history.store import latest
from mqlint.estate.query.answering import answer
from mqlint.estate.query.limits import Limits
from tests.conftest import ROOT

pytestmark = pytest.mark.slow

SECRET = "the-content-of-another-file"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a scan in `out [1]*`, a file that is none of its tables, and its own scan."""
    folder = tmp_path_factory.mktemp("queries")
    (folder / "secret.csv").write_text(f"text\n{SECRET}\n")
    (folder / "secret.json").write_text(json.dumps({"text": SECRET}))
    words = ["estate", "scan", str(ROOT / "examples" / "estate"), "--engine=process", "--quiet"]
    done = CliRunner().invoke(main, [*words, "--exit-zero", "--out", str(folder / "out [1]*")])
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture(scope="module")
def out(place: Path) -> Path:
    return place / "out [1]*"


def asked(out: Path, question: str, limits: Limits | None = None) -> list[list[object]]:
    with answer(out, latest(out), question, limits or Limits()) as result:
        return [list(row) for row in result.rows]


def digests(folder: Path) -> dict[str, str]:
    return {
        str(file): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_a_file_that_the_scan_did_not_write_has_no_rows(out: Path, tmp_path: Path) -> None:
    copied = shutil.copytree(out, tmp_path / "out")
    [part] = (copied / latest(copied).folder / "findings").iterdir()
    shutil.copy(part, part.with_name("part-other.parquet"))
    question = "SELECT count(*) FROM findings"
    assert asked(copied, question) == asked(out, question)


ATTACKS = (
    "SELECT * FROM read_csv('{0}/secret.csv')",
    "SELECT * FROM read_csv_auto('{0}/secret.csv')",
    "SELECT * FROM read_text('{0}/secret.csv')",
    "SELECT * FROM read_blob('{0}/secret.csv')",
    "SELECT * FROM read_json('{0}/secret.json')",
    "SELECT * FROM read_json_objects('{0}/secret.json')",
    "SELECT * FROM read_parquet('{0}/*/*/*/*.parquet')",
    "SELECT * FROM parquet_scan('{0}/*/*/*/*.parquet')",
    "SELECT * FROM parquet_metadata('{0}/*/*/*/*.parquet')",
    "SELECT * FROM sniff_csv('{0}/secret.csv')",
    "SELECT * FROM glob('{0}/*')",
    "SELECT * FROM '{0}/secret.csv'",
    'SELECT * FROM "{0}/secret.csv"',
    "FROM '{0}/secret.json'",
    "SELECT * FROM '/etc/passwd'",
    "SELECT (SELECT text FROM '{0}/secret.csv')",
    "WITH t AS (SELECT * FROM '{0}/secret.csv') SELECT * FROM t",
    "WITH t AS (SELECT 1) SELECT * FROM t, (WITH u AS (FROM '{0}/secret.csv') FROM u)",
    "SELECT 1 WHERE EXISTS (SELECT * FROM read_text('{0}/secret.csv'))",
    "SELECT * FROM findings UNION ALL SELECT * FROM '{0}/secret.csv'",
    "SELECT * FROM query('SELECT * FROM read_text(''{0}/secret.csv'')')",
    "SELECT * FROM query_table('{0}/secret.csv')",
    "SELECT * FROM query_table(['findings'])",
    "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
    "SELECT json_serialize_plan('SELECT 1')",
    "SELECT * FROM 'https://example.com/a.parquet'",
    "SELECT * FROM read_csv('https://example.com/a.csv')",
    "SELECT * FROM 's3://bucket/a.parquet'",
    "COPY findings TO '{0}/copied.csv'",
    "COPY (SELECT 1) TO '{0}/copied.parquet' (FORMAT parquet)",
    "COPY findings FROM '{0}/secret.csv'",
    "EXPORT DATABASE '{0}/exported'",
    "IMPORT DATABASE '{0}'",
    "ATTACH '{0}/attached.db'",
    "ATTACH '{0}/attached.db' AS other; SELECT 1",
    "DETACH memory",
    "USE memory",
    "INSTALL httpfs",
    "LOAD httpfs",
    "LOAD '{0}/secret.csv'",
    "PRAGMA database_list",
    "PRAGMA enable_profiling",
    "SET enable_external_access = true",
    "SET threads = 64",
    "RESET lock_configuration",
    "CREATE TABLE t AS SELECT 1",
    "CREATE VIEW findings AS SELECT 1",
    "CREATE MACRO f() AS 1",
    "CREATE SECRET (TYPE s3)",
    "CREATE TEMP TABLE t (a int)",
    "DROP VIEW findings",
    "INSERT INTO findings SELECT * FROM findings",
    "DELETE FROM findings",
    "UPDATE findings SET message = ''",
    "TRUNCATE findings",
    "WITH t AS (INSERT INTO findings VALUES (1) RETURNING *) SELECT * FROM t",
    "WITH t AS (DELETE FROM findings RETURNING *) SELECT * FROM t",
    "MERGE INTO findings USING findings ON true WHEN MATCHED THEN DELETE",
    "BEGIN TRANSACTION",
    "CHECKPOINT",
    "CALL pragma_version()",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "EXPLAIN ANALYZE SELECT 1",
    "SELECT 1; SELECT 2",
    "SELECT 1; COPY findings TO '{0}/copied.csv'",
    "SELECT 1 /* */; -- \nDROP VIEW findings",
    "SELECT $1",
    "SELECT ?",
    "",
    ";",
    "-- nothing",
    "SELECT getenv('HOME')",
    "SELECT current_setting('allowed_paths')",
    "SELECT main.current_setting('allowed_paths')",
    "SELECT \"CURRENT_SETTING\"('allowed_paths')",
    "SELECT current_query()",
    "SELECT getvariable('a')",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM duckdb_views()",
    "SELECT * FROM duckdb_secrets()",
    "SELECT * FROM pragma_database_size()",
    "SELECT sql FROM sqlite_master",
    "SELECT * FROM pg_catalog.pg_class",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM memory.main.findings",
    "SELECT * FROM duckdb_tables",
    "SELECT write_log('a')",
    "SELECT * FROM enable_logging('QueryLog', storage => 'file')",
    "SELECT sleep_ms(1)",
    "SELECT nextval('a')",
    "SELECT * FROM findings, LATERAL (SELECT * FROM read_text('{0}/secret.csv'))",
    "SELECT list_transform([1], lambda x: (SELECT text FROM '{0}/secret.csv'))",
    "SELECT * FROM summary(TABLE findings)",
    "SHOW TABLES",
    "DESCRIBE findings",
    "SUMMARIZE findings",
    "VACUUM",
    "SELECT * FROM sql",
    "SELECT * FROM connection",
    "SELECT * FROM files_of_python",
)
"""Statements that read or write elsewhere, tell about the machine, or are no single SELECT."""


@pytest.mark.parametrize("statement", ATTACKS)
def test_attack_is_refused(
    statement: str, place: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    monkeypatch.setitem(sys.modules[__name__].__dict__, "files_of_python", [SECRET])
    before = digests(place)
    with pytest.raises(QueryError) as refused:
        asked(out, statement.replace("{0}", str(place)))
    assert SECRET not in str(refused.value)
    assert "allowed_paths" not in str(refused.value) or "current_setting" in statement
    assert len(str(refused.value)) < 400
    assert digests(place) == before


@pytest.mark.slow
def test_engine_refuses_what_the_check_would_let_through(
    place: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mqlint.estate.query.answering.require_select", lambda *_: None)
    before = digests(place)
    for statement in ATTACKS:
        if "{0}" in statement or "http" in statement or statement.startswith(("SET", "RESET")):
            with pytest.raises(QueryError) as refused:
                asked(out, statement.replace("{0}", str(place)))
            assert SECRET not in str(refused.value)
    assert digests(place) == before


ENDLESS = (
    "SELECT count(*) FROM range(100000000) a, range(100000000) b",
    "SELECT count(*) FROM findings a, findings b, findings c, findings d, findings e, findings f",
    "WITH RECURSIVE t AS (SELECT 1 n UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t",
    "WITH RECURSIVE t AS (SELECT 1 n UNION SELECT n + 1 FROM t) SELECT * FROM t ORDER BY n DESC",
)


@pytest.mark.parametrize("statement", ENDLESS)
def test_query_without_end_is_stopped(statement: str, out: Path) -> None:
    with pytest.raises(QueryError, match=r"stopped after 0\.2 s|needs more than 256 MiB"):
        asked(out, statement, Limits(memory=256, seconds=0.2))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the address space is limited on Linux only")
@pytest.mark.parametrize(
    "statement",
    [
        "SELECT length(repeat('x', 3000000000))",
        "SELECT list_sum(range(1000000000))",
        "SELECT list(a.range) FROM range(1000000000) a",
    ],
)
def test_query_that_needs_too_much_memory_is_stopped(statement: str, out: Path) -> None:
    with pytest.raises(QueryError, match="needs more than 256 MiB: --memory allows more"):
        asked(out, statement, Limits(memory=256))


def test_rows_that_nobody_reads_are_not_worked_out(out: Path) -> None:
    """Else to close the connection waits for a query that has no end."""
    endless = "WITH RECURSIVE t(n) AS (SELECT 1::HUGEINT UNION ALL SELECT n + 1 FROM t) FROM t"
    with answer(out, latest(out), endless, Limits(seconds=600)) as result:
        assert next(iter(result.rows)) == (1,)


def test_answer_of_too_many_rows_ends_with_an_error(out: Path) -> None:
    with answer(out, latest(out), "FROM range(1000000000)", Limits(rows=1500)) as result:
        rows: Iterator[object] = result.rows
        assert [next(rows) for _ in range(1500)][-1] == (1499,)
        with pytest.raises(QueryError, match="stopped after 1,500 rows: --limit allows more"):
            next(rows)
    assert len(asked(out, "SELECT * FROM range(1500)", Limits(rows=1500))) == 1500


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("SELECT " + "+".join(["1"] * 3000), "the query is nested too deeply"),
        ("SELECT (SELECT rule FROM rules)", "More than one row returned by a subquery"),
    ],
    ids=["deep", "subquery"],
)
def test_refusal_advises_nothing_that_a_query_cannot_do(
    question: str, reason: str, out: Path
) -> None:
    with pytest.raises(QueryError, match=reason) as refused:
        asked(out, question)
    assert not re.search(r"\b(SET|PRAGMA|INSTALL|LOAD)\b", str(refused.value))


def test_depth_that_duckdb_allows_is_no_fault_of_mqlint(out: Path) -> None:
    """Python 3.13 reads a syntax tree that is too deep for 3.11 and 3.12."""
    outcome: object
    try:
        outcome = next(iter(asked(out, "SELECT " + "+".join(["1"] * 900))[0]))
    except QueryError as refused:
        outcome = str(refused)
    assert outcome in (900, "the query is nested too deeply")


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("SELECT count(*) > 50 FROM findings", True),
        ("-- comment\nSELECT 1 /* ; */;", 1),
        ("FROM findings SELECT count(*) > 50", True),
        ("WITH a AS (SELECT 2 AS n), b AS (SELECT n + 1 AS n FROM a) SELECT n FROM b", 3),
        ("SELECT value FROM attributes WHERE value = 'DISABLED' LIMIT 1", "DISABLED"),
        ("SELECT count(*) > 100 FROM grants WHERE authority = 'CONNECT' OR true", True),
        ("SELECT count(*) = (SELECT count(*) FROM findings) FROM history_findings", True),
        ("SELECT len(collect_set(rule)) > 20 FROM FINDINGS", True),
        ("SELECT sum(n) FROM unnest([1, 2]) AS t(n), generate_series(1, 2)", 6),
        ("SELECT count(DISTINCT rule) FILTER (WHERE rule = 'DR001') FROM findings", 1),
        ("SELECT ';' || 'COPY'", ";COPY"),
        ("SELECT count(*) FROM (VALUES (1), (2)) AS t(a)", 2),
    ],
)
def test_question_is_answered(question: str, value: object, out: Path) -> None:
    assert asked(out, question)[0] == [value]


def test_names_and_values_are_safe_on_a_terminal_and_in_a_spreadsheet(out: Path) -> None:
    question = (
        "SELECT '\x1b[31mred' AS \"\x1b]0;title\x07\", '=1+1' AS \"=cmd\", 'a\n##vso[x]' AS log"
    )
    with answer(out, latest(out), question, Limits()) as result:
        columns, rows = result.columns, [list(row) for row in result.rows]
    for form in FORMATS:
        text = "".join(FORMATS[form](columns, rows, 80))
        assert "\x1b" not in text
        assert "##vso[" not in text
    assert "'=cmd" in "".join(FORMATS["csv"](columns, rows, 80))
    assert "'=1+1" in "".join(FORMATS["csv"](columns, rows, 80))


def test_command_prints_the_answer_and_refuses_in_one_message(place: Path, out: Path) -> None:
    runner = CliRunner(env={"COLUMNS": "100"})
    words = ["estate", "query", "--out", str(out), "--format", "jsonl"]
    question = "SELECT rule, count(*) AS n FROM findings GROUP BY rule ORDER BY n DESC, rule"
    done = runner.invoke(main, [*words, question])
    assert (done.exit_code, done.stderr) == (0, "")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {"rule": "DR043", "n": 7} in rows
    assert rows == sorted(rows, key=lambda row: (-row["n"], row["rule"]))
    refused = runner.invoke(main, [*words, f"FROM '{place}/secret.csv'"])
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "does not exist: `mqlint estate tables` lists the tables" in refused.stderr
    cut = runner.invoke(main, [*words, "--limit", "2", question])
    assert (cut.exit_code, len(cut.stdout.splitlines())) == (2, 2)
    assert "stopped after 2 rows" in cut.stderr


DOCUMENT = (ROOT / "docs" / "estate.md").read_text("utf-8")
QUESTIONS = re.findall(r"```sql\n(.*?)```", DOCUMENT, re.DOTALL)
ANSWERS = (
    ["7"],
    ["DR001", "cluster-receiver channel LOGISTICS.ORD1"],
    ["leeds", "PRDEDGE1", "9.3.0"],
    ["20"],
    ["LOGISTICS"],
    ["ANY_TLS12_OR_HIGHER"],
    ["derby", "DRSHUB1", "LOGISTICS.DRSHUB1", "SSLPEERMAP", "mqclus"],
    ["LOGISTICS.HUB2", "CLUSSDR", "derby", "DRSORD1", "leeds", "PRDHUB2"],
    ["prod/PRDWMS1/WMSNIGHT.clle"],
    ["2026-06-02 05.20.08", "2"],
    ["PRDPAY2", "PAY.SETTLE", "40000", "derby", "DRSPAY1", "20000"],
    [""],
)
"""How a row of the answer to each question of the document begins; of the last cell, its begin."""


@pytest.mark.parametrize(("question", "cells"), [*zip(QUESTIONS, ANSWERS, strict=True)])
def test_questions_of_the_document_are_answered(question: str, cells: list[str], out: Path) -> None:
    rows = [["" if cell is None else str(cell) for cell in row] for row in asked(out, question)]
    *whole, last = cells
    assert any(row[: len(whole)] == whole and row[len(whole)].startswith(last) for row in rows), (
        rows
    )
