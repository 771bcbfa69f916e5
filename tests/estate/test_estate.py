"""`mqlint estate`, as a person runs it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.generate import generate_estate
from benchmarks.standalone import PATIENCE
from tests.conftest import ROOT
from tests.files import write

pytest.importorskip("pyspark")

import pyarrow.parquet as parquet
from pyspark.sql import SparkSession
from table_columns import with_columns

from mqlint.cli.estate.rows import FORMATS
from mqlint.estate.history.answer import QueryError
from mqlint.estate.history.store import latest
from mqlint.estate.spark.query import ask
from mqlint.estate.tables.schema import ALWAYS, TABLES
from tests.estate.estates import run

pytestmark = pytest.mark.spark

DOCUMENT = (ROOT / "docs" / "estate.md").read_text("utf-8")
QUESTIONS = re.findall(r"```sql\n(.*?)```", DOCUMENT, re.S)

SECRETS = tuple(f"Pl4nted-secret-{number}" for number in range(7))
WITH_SECRETS = """\
ALTER QMGR KEYRPWD('{0}')
DEFINE AUTHINFO(LDAP) AUTHTYPE(IDPWLDAP) LDAPUSER('cn=mq') LDAPPWD('{1}') CONNAME('l.example')
DEFINE CHANNEL(TO.PARTNER) CHLTYPE(SDR) XMITQ(X) CONNAME('p.example') USERID(u) PASSWORD('{2}')
DEFINE CHANNEL(MISSPELT) CHLTYPE(SDR) XMITQ(X) CONNAME('p.example') PASWORD('{3}')
DEFINE CHANNEL(TWICE) CHLTYPE(SDR) XMITQ(X) CONNAME('p.example') PASSWORD('{4}') PASSWORD('{4}')
"""
WAIVERS = """\
waivers:
  - rule: VOC002
    object: MISSPELT
    owner: messaging team
    reason: the word is that of a release to come
"""
IN_SHELL = """\
#!/bin/sh
runmqsc PRDQM0001 <<EOF
ALTER CHANNEL(TO.PARTNER) CHLTYPE(SDR) PASSWORD('{5}')
EOF
echo "ALTER QMGR KEYRPWD('{6}')" | runmqsc PRDQM0001
"""


@dataclass(frozen=True)
class Done:
    """What a command came to."""

    status: int
    out: str
    err: str


def here(*words: str | Path, cwd: Path, **changes: str) -> Done:
    """Run a command in this process: a start takes longer than most commands."""
    done = run(*words, cwd=cwd, **changes)
    return Done(done.exit_code, done.stdout, done.stderr)


def mqlint(*words: str | Path, cwd: Path, **changes: str) -> Done:
    """Run a command in a process of its own."""
    environment = {**os.environ, "COLUMNS": "100", **changes}
    command = [sys.executable, "-m", "mqlint", *map(str, words)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=cwd, env=environment, timeout=PATIENCE
    )
    return Done(done.returncode, done.stdout, done.stderr)


@dataclass(frozen=True)
class Scanned:
    """A folder, where its tables are, and what the scan said."""

    folder: Path
    out: Path
    done: Done
    report: dict[str, object]


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Scanned:
    """A generated estate with secrets, scanned into a folder of an odd name inside it.

    Some of what is found is waived, and some was there when a baseline was made.
    """
    work = tmp_path_factory.mktemp("scanned")
    folder = generate_estate(work / "estate", 6, 1)
    environment = {"PYTHONSAFEPATH": "1", "MQLINT_CACHE_DIR": str(work / "cache")}
    (folder / "mqlint-waivers.yaml").write_text(WAIVERS)
    assert mqlint("baseline", "create", cwd=folder, **environment).status == 0
    with (folder / "mqlint.yaml").open("a") as config:
        config.write("baseline: mqlint-baseline.json\n")
    home = folder / "prod" / "PRDQM0001"
    (home / "secrets.mqsc").write_text(WITH_SECRETS.format(*SECRETS))
    (home / "secrets.sh").write_text(IN_SHELL.format(*SECRETS))
    # Whatever lies in the folder that is scanned, none of it is run.
    for module in ("pyarrow.py", "pandas.py", "sitecustomize.py"):
        (folder / module).write_text("open('was-run', 'w').close()\nraise SystemExit(9)\n")
    out = folder / "tables [1] $x é"
    words = (
        "--engine=spark",
        "--out",
        out,
        "--partitions",
        "3",
        "--format=text",
        "--format=json=../report.json",
    )
    done = mqlint("estate", "scan", ".", *words, cwd=folder, **environment)
    return Scanned(folder, out, done, json.loads((work / "report.json").read_text()))


STAGES = ("starting Spark", "listing files", "reading", "judging", "writing")


def test_progress_is_a_line_a_stage_where_there_is_no_terminal(scanned: Scanned) -> None:
    lines = [line.removeprefix("mqlint: ") for line in scanned.done.err.splitlines()]
    assert len(lines) == len(STAGES)
    assert all(line.startswith(stage) for line, stage in zip(lines, STAGES, strict=True))


def test_summary_says_what_was_found_and_where_it_is(scanned: Scanned) -> None:
    done = scanned.done
    assert done.status == 1
    assert re.search(r"^\d+ errors?", done.out)
    assert re.search(r"\d+ files checked, \d+ without MQ configuration", done.out)
    for table in TABLES:
        assert re.search(rf"\b{table} \d+", done.out)
    assert latest(scanned.out).folder in done.out
    assert "spark.log" in done.out
    assert (scanned.out / "spark.log").stat().st_size > 0


def test_nothing_of_the_folder_was_run_and_nothing_left_in_it(scanned: Scanned) -> None:
    assert not list(scanned.folder.rglob("was-run"))
    found = {path.name for path in scanned.folder.iterdir()}
    ours = {"mqlint.yaml", "prod", "dr", "pyarrow.py", "pandas.py", "sitecustomize.py"}
    ours |= {"mqlint-waivers.yaml", "mqlint-baseline.json"}
    assert found == {*ours, scanned.out.name}


def test_report_is_that_of_check(scanned: Scanned, tmp_path: Path) -> None:
    again = tmp_path / "check.json"
    words = (".", f"--format=json={again}", "--fail-on=never")
    exclude = scanned.folder / "mqlint.yaml"
    text = exclude.read_text()
    exclude.write_text(f"{text}exclude: ['tables*']\n")
    try:
        assert here("check", *words, cwd=scanned.folder).status == 0
    finally:
        exclude.write_text(text)
    checked = json.loads(again.read_text())
    for report in (checked, scanned.report):
        assert report["in_force"]  # of other options and files: see tests/estate/test_reports.py
    assert checked["coverage"]["unjudged"]["not-understood"] > 0
    assert {**checked, "in_force": None} == {**scanned.report, "in_force": None}
    assert scanned.report["suppressed"]
    assert scanned.report["known"]


def test_no_secret_is_in_a_table_a_report_or_a_log(scanned: Scanned) -> None:
    files = [path for path in scanned.out.rglob("*") if path.is_file()]
    whole = scanned.out / latest(scanned.out).folder
    tables = [path for path in whole.rglob("*.parquet") if path.is_file()]
    assert {path.parent.name for path in tables} == set(TABLES)
    texts = [str(parquet.read_table(path).to_pylist()) for path in tables]
    texts += [path.read_bytes().decode("latin-1") for path in files]
    texts += [json.dumps(scanned.report), scanned.done.out]
    assert any("********" in text for text in texts)
    assert any("TO.PARTNER" in text for text in texts)
    for secret in SECRETS:
        assert not any(secret in text or secret.upper() in text for text in texts), secret


def test_query_through_the_command(scanned: Scanned) -> None:
    question = "SELECT role, count(*) AS n FROM queue_managers GROUP BY role ORDER BY role"
    words = ("--out", scanned.out, question, "--format", "json")
    done = here("estate", "query", *words, cwd=scanned.folder)
    assert done.err == ""
    assert json.loads(done.out) == [{"role": "dr", "n": 3}, {"role": "production", "n": 3}]


def test_wrong_sql_is_explained_in_short(scanned: Scanned) -> None:
    words = ("--out", scanned.out, "SELEC rule FROM findings")
    done = here("estate", "query", *words, cwd=scanned.folder)
    assert (done.status, done.out) == (2, "")
    assert 'syntax error at or near "SELEC"' in done.err
    assert "at org.apache" not in done.err
    assert "Traceback" not in done.err
    assert len(done.err.splitlines()) < 8


Ask = Callable[..., str]


@pytest.fixture
def query(spark: SparkSession, scanned: Scanned) -> Ask:
    def run(question: str, form: str = "csv", width: int = 80) -> str:
        answer = ask(spark, scanned.out, latest(scanned.out), question)
        return "".join(FORMATS[form](answer.columns, answer.rows, width))

    return run


@pytest.fixture(scope="module")
def answered(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Asks the tables of the example estate, scanned in one process."""
    out = tmp_path_factory.mktemp("example") / "out"
    words = ("--engine", "process", "--quiet", "--fail-on", "never")
    done = here("estate", "scan", ROOT / "examples" / "estate", "--out", out, *words, cwd=ROOT)
    assert done.status == 0, done.err

    def run(question: str, form: str = "csv", width: int = 100) -> str:
        answer = ask(spark, out, latest(out), question)
        return "".join(FORMATS[form](answer.columns, answer.rows, width))

    return run


ANSWERS = [
    "7",
    "DR001,cluster-receiver channel LOGISTICS.ORD1",
    "leeds,PRDEDGE1,9.3.0",
    "20",
    "LOGISTICS,",
    "ANY_TLS12_OR_HIGHER,",
    "derby,DRSHUB1,LOGISTICS.DRSHUB1,SSLPEERMAP,mqclus",
    "LOGISTICS.HUB2,CLUSSDR,derby,DRSORD1,leeds,PRDHUB2",
    "prod/PRDWMS1/WMSNIGHT.clle,",
    "2026-06-02 05.20.08,2,",
    "PRDPAY2,PAY.SETTLE,40000,derby,DRSPAY1,20000",
    ",,",
]
"""A line of the answer to each question of the document, or how it begins."""


@pytest.mark.parametrize(("question", "line"), [*zip(QUESTIONS, ANSWERS, strict=True)])
def test_questions_of_the_document_are_answered(answered: Ask, question: str, line: str) -> None:
    assert any(one.startswith(line) for one in answered(question).splitlines()[1:])


WRONG = {
    "SELECT nope FROM findings": "`nope` cannot be resolved",
    "SELECT * FROM nowhere": "`nowhere` cannot be found",
    "SELECT int('x') FROM findings": "malformed",
    "": "Syntax error",
}


@pytest.mark.parametrize(("question", "said"), WRONG.items())
def test_mistakes_in_questions(query: Ask, question: str, said: str) -> None:
    with pytest.raises(QueryError, match=re.escape(said)) as caught:
        query(question)
    assert "org.apache" not in str(caught.value)


def test_cells_survive_every_format(query: Ask) -> None:
    question = (
        "SELECT '=1+1' a, '+1' a, '-x' c, '@x' d, char(9) || 'x' e, 'two\\nlines, \"q\"' f,"
        " -5 g, double('NaN') h, array(1, null) i, map('k', 'w') j, null k, date'2026-01-02' l,"
        " named_struct('x', -1.50BD) m, X'00ff' n, '\\u0000é日' o"
    )
    safe = query(question, "csv")
    assert safe.startswith("a,a_2,c,d,e,f,g,")
    assert safe.split("\r\n", 1)[1].startswith(
        '\'=1+1,\'+1,\'-x,\'@x,\\tx,"two\\nlines, ""q""",-5,'
    )
    (row,) = json.loads(query(question, "json"))
    assert row["a"], row["a_2"] == ("=1+1", "+1")
    assert (row["g"], row["h"], row["i"]) == (-5, "nan", [1, None])
    assert (row["j"], row["k"], row["l"]) == ({"k": "w"}, None, "2026-01-02")
    assert (row["m"], row["n"], row["o"]) == ({"x": "-1.50"}, "AP8=", "\0é日")
    assert json.loads(query("SELECT 1 WHERE false", "json")) == []


def test_table_fits_its_width(query: Ask) -> None:
    table = query("SELECT * FROM findings", "table", 60)
    assert max(map(len, table.splitlines())) <= 60


def test_every_column_is_described_as_the_tables_say() -> None:
    assert with_columns(DOCUMENT) == DOCUMENT, "make docs"
    described = DOCUMENT.partition("\n## Tables\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"^### (\w+)$", described, re.M)) == set(TABLES)


def java(folder: Path, script: str) -> Path:
    """A home of Java in which `java` is a script."""
    program = folder / "home" / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return folder / "home"


ELEVEN = """echo 'openjdk version "11.0.2" 2019-01-15' >&2"""
EIGHT = """echo 'java version "1.8.0_392"' >&2"""
CUT = """case "$*" in *add-modules*) exit 1;; esac; echo 'openjdk version "21.0.1"' >&2"""
NOT_JAVA = "echo Welcome"
JAVAS = {
    "none": (None, "found no Java"),
    "eleven": (ELEVEN, "is Java 11"),
    "eight": (EIGHT, "is Java 8"),
    "cut down": (CUT, "without its module jdk.incubator.vector"),
    "no java": (NOT_JAVA, "does not report a Java version"),
}


@pytest.mark.parametrize(("script", "said"), JAVAS.values(), ids=JAVAS.keys())
def test_unfit_java_is_named(tmp_path: Path, script: str | None, said: str) -> None:
    (tmp_path / "a.mqsc").write_text("DEFINE QLOCAL(A)\n")
    home = str(java(tmp_path, script)) if script is not None else ""
    words = ("scan", tmp_path, "--out", tmp_path / "out", "--engine=spark")
    done = here("estate", *words, cwd=tmp_path, PATH=str(tmp_path), JAVA_HOME=home)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert "release 17 or newer" in done.err
    assert "`mqlint check` needs no Java" in done.err
    assert len(done.err.splitlines()) == 1


SHORT_OF_MEMORY = """case "$*" in *-version*) echo 'openjdk version "21.0.1"' >&2; exit 0;; esac
echo 'There is insufficient memory for the Java Runtime Environment to continue.' >&2; exit 1"""


def test_a_java_that_gets_no_memory_is_explained(tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_text("DEFINE QLOCAL(A)\n")
    home = java(tmp_path / "java", SHORT_OF_MEMORY)
    words = ("scan", tmp_path, "--out", tmp_path / "out", "--quiet", "--engine=spark")
    done = mqlint("estate", *words, cwd=tmp_path, JAVA_HOME=str(home))
    assert (done.status, done.out) == (2, "")
    assert "Java does not have enough memory" in done.err
    assert len(done.err.splitlines()) == 1


def test_one_process_needs_no_java(tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_text("DEFINE QLOCAL(A)\n")
    words = ("scan", ".", "--out", "out", "--engine=process", "--quiet")
    done = here("estate", *words, cwd=tmp_path, PATH=str(tmp_path), JAVA_HOME="")
    assert (done.status, done.err) == (0, "")
    assert "1 file checked" in done.out
    assert "1 read, 1 parsed" in done.out
    assert not (tmp_path / "out" / "spark.log").exists()


def test_a_gate_asks_for_few_tables(spark: SparkSession, tmp_path: Path) -> None:
    words = ("scan", ROOT / "examples" / "estate", "--out", "out", "--engine=process", "--quiet")
    done = here("estate", *words, "--no-tables", cwd=tmp_path)
    assert done.err == ""
    few = latest(tmp_path / "out")
    assert set(few.tables) == set(ALWAYS)
    with pytest.raises(QueryError, match="--no-tables"):
        ask(spark, tmp_path / "out", few, "SELECT * FROM objects")
    whole = here("estate", *words, cwd=tmp_path)
    assert (done.status, done.out.split("files:")[0]) == (1, whole.out.split("files:")[0])
    count = "SELECT count(*) FROM history_"
    many = latest(tmp_path / "out")
    for table, scans in (("objects", 1), ("findings", 2)):
        (row,) = ask(spark, tmp_path / "out", many, count + table).rows
        assert row == [scans * many.tables[table]]
    listed = here("estate", "tables", "--out", "out", "--format=json", cwd=tmp_path)
    assert {row["table"]: row["rows"] for row in json.loads(listed.out)} == many.tables


def test_missing_package_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_text("DEFINE QLOCAL(A)\n")
    (tmp_path / "blocked").mkdir()
    (tmp_path / "blocked" / "pyarrow.py").write_text("raise ImportError\n")
    words = ("scan", tmp_path, "--out", tmp_path / "out")
    done = mqlint("estate", *words, cwd=tmp_path, PYTHONPATH=str(tmp_path / "blocked"))
    assert done.status == 2
    assert "pip install 'mqlint[estate]'" in done.err


def test_the_folder_of_tables_may_not_contain_the_estate(tmp_path: Path) -> None:
    write(tmp_path / "estate", {"a.mqsc": "DEFINE QLOCAL(A)\n"})
    for out in (tmp_path / "estate", tmp_path):
        done = here("estate", "scan", tmp_path / "estate", "--out", out, cwd=tmp_path)
        assert (done.status, done.out) == (2, "")
        assert "contains ESTATE" in done.err
    assert {path.name for path in tmp_path.iterdir()} == {"estate"}


def test_empty_folder_is_no_estate(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = here("estate", "scan", tmp_path / "empty", "--out", tmp_path / "out", cwd=tmp_path)
    assert (done.status, done.out) == (3, "")
    assert "no file to scan" in done.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "sign",
    [
        pytest.param("spark.log", id="starting", marks=pytest.mark.long),
        pytest.param(".scan-2*", id="scanning"),
    ],
)
def test_interrupt_ends_quietly_and_leaves_nothing(
    scanned: Scanned, tmp_path: Path, sign: str
) -> None:
    out, scratch = tmp_path / "out", tmp_path / "scratch"
    scratch.mkdir()
    words = ("estate", "scan", str(scanned.folder), "--out", str(out), "--engine=spark")
    running = subprocess.Popen(
        [sys.executable, "-m", "mqlint", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(scratch)},
        text=True,
    )
    deadline = time.monotonic() + PATIENCE
    while not list(out.glob(sign)) and time.monotonic() < deadline:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    said = running.communicate(timeout=PATIENCE)
    assert (running.returncode, said[0].strip()) == (130, "")
    assert all(line.startswith("mqlint: ") for line in said[1].splitlines() if line)
    assert {path.name for path in out.iterdir()} <= {"spark.log", "cache"}
    assert not [line for line in command_lines() if str(scratch) in line]


def command_lines() -> Iterator[str]:
    """The command lines of all processes, where the system shows them as files."""
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            yield file.read_text("utf-8", "replace")


def test_query_without_a_scan(tmp_path: Path) -> None:
    done = here("estate", "query", "SELECT 1", "--out", tmp_path, cwd=tmp_path)
    assert (done.status, done.out) == (2, "")
    assert "it has no complete scan" in done.err


def test_out_that_cannot_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_text("DEFINE QLOCAL(A)\n")
    words = ("scan", tmp_path, "--out", tmp_path / "a.mqsc" / "out")
    done = here("estate", *words, cwd=tmp_path)
    assert done.status == 2
    assert "cannot write to" in done.err


def test_unknown_master_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_text("DEFINE QLOCAL(A)\n")
    words = ("scan", tmp_path, "--out", tmp_path / "out", "--master", "nowhere")
    done = mqlint("estate", *words, cwd=tmp_path)
    assert (done.status, done.out) == (2, "")
    assert "Spark did not start on nowhere" in done.err
    assert "spark.log" in done.err
    assert "Traceback" not in done.err
