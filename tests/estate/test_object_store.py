"""Tables in an object store: servers of S3 and Google's on this machine, asked by Arrow."""

from __future__ import annotations

import json
import logging
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("duckdb")
pytest.importorskip("moto")

from moto.s3.models import s3_backends
from moto.server import ThreadedMotoServer
from pyarrow.fs import FileSystem

from mqlint.cli import main
from mqlint.cli.estate.tables_folder import tables_folder
from mqlint.estate.history.object_store import ObjectStore
from mqlint.estate.history.reading import table_rows
from mqlint.estate.history.store import latest
from mqlint.estate.io.sources import FOLDERS
from tests.estate.estates import as_zip
from tests.files import write
from tests.policy.making import policy

pytestmark = pytest.mark.slow

BUCKET = "tables"
FINDINGS = "SELECT count(*) AS n FROM findings"
KEYS = {"AWS_ACCESS_KEY_ID": "ada", "AWS_SECRET_ACCESS_KEY": "geheim"}


@pytest.fixture(scope="module")
def settings() -> Iterator[str]:
    """The settings in URIs of a server with a bucket."""
    server = ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**KEYS, "AWS_EC2_METADATA_DISABLED": "true"}.items():
            patch.setenv(name, value)
        logging.getLogger("werkzeug").setLevel(logging.WARNING)
        host, port = server.get_host_and_port()
        found = f"?endpoint_override={host}:{port}&scheme=http&region=eu-west-2"
        store, _ = FileSystem.from_uri(f"s3://{BUCKET}{found}&allow_bucket_creation=true")
        store.create_dir(BUCKET)
        yield found
    server.stop()


@pytest.fixture(scope="module")
def google() -> Iterator[str]:
    """The settings in URIs of a server like Google's, with a bucket."""
    emulator = pytest.importorskip("gcp_storage_emulator.server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = emulator.create_server("127.0.0.1", port, in_memory=True, default_bucket=BUCKET)
    server.start()
    yield f"?scheme=http&endpoint_override=127.0.0.1:{port}&retry_limit_seconds=5"
    server.stop()


@pytest.fixture(params={"s3://": "settings", "gs://anonymous@": "google"}.items(), ids=["s3", "gs"])
def uri(request: pytest.FixtureRequest) -> str:
    """An address of its own for each test."""
    name = "".join(letter for letter in request.node.name if letter.isalnum())
    start, server = request.param
    return f"{start}{BUCKET}/mq/{name}{request.getfixturevalue(server)}"


class Machine:
    """A machine with a cache of its own, and an estate."""

    def __init__(self, folder: Path) -> None:
        self.cache = folder / "cache"
        self.estate = write(folder / "estate", {"a.mqsc": "DEFINE QLOCAL(A) MAXDEPHT(5)\n"})

    def run(self, *words: str | Path) -> Result:
        runner = CliRunner(env={"XDG_CACHE_HOME": str(self.cache), "COLUMNS": "1000"})
        return runner.invoke(main, ["estate", *map(str, words)])

    def scan(self, uri: str, *words: str) -> Result:
        given = ("--engine=process", "--quiet", "--exit-zero", "--out", uri)
        return self.run("scan", self.estate, *given, *words)

    def copy(self) -> Path:
        """The folder of its copy of the tables."""
        [folder] = (self.cache / "mqlint" / "tables").iterdir()
        return folder

    def number(self, uri: str, question: str = FINDINGS) -> int:
        done = self.run("query", "--out", uri, question, "--format=json")
        assert done.exit_code == 0, done.output
        [row] = json.loads(done.output)
        return int(row["n"])


@pytest.fixture
def here(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "here")


@pytest.fixture
def there(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "there")


def folders(uri: str) -> list[str]:
    return list(ObjectStore(tables_folder(uri).address or "")._folders())


def objects(uri: str) -> tuple[Any, str]:
    """The store and the path of an address."""
    store, path = FileSystem.from_uri(uri)
    return store, path


def test_what_one_machine_scans_another_one_reads(uri: str, here: Machine, there: Machine) -> None:
    done = here.scan(uri)
    assert done.exit_code == 0, done.output
    address = uri.partition("?")[0]
    assert f"rows in {address}/scan-" in " ".join(done.output.split())
    assert there.number(uri) == 1
    write(here.estate, {"b.mqsc": "DEFINE QLOCAL(B) MAXDEPHT(5)\n"})
    assert here.scan(uri).exit_code == 0
    assert there.number(uri) == 2
    assert there.number(uri, "SELECT count(*) AS n FROM history_findings") == 3
    changes = there.run("diff", "--out", uri, "--list")
    assert "1 new, 0 fixed" in changes.output
    assert "2 scans kept" in there.run("tables", "--out", uri).output


def test_a_page_and_evidence_are_made_from_tables_in_a_store(
    uri: str, here: Machine, there: Machine, tmp_path: Path
) -> None:
    here.scan(uri)
    assert there.run("report", uri, "--out", tmp_path / "page").exit_code == 0
    assert "MAXDEPHT" in (tmp_path / "page" / "index.html").read_text("utf-8")
    statement = tmp_path / "statement.json"
    assert there.run("evidence", uri, "--out", statement).exit_code == 0
    assert here.run("verify", statement, uri).exit_code == 0


def test_a_scan_on_a_new_machine_knows_when_findings_were_first_seen(
    uri: str, here: Machine, there: Machine
) -> None:
    here.scan(uri)
    there.scan(uri)
    first = "(SELECT min(scanned) FROM history_findings)"
    assert there.number(uri, f"{FINDINGS} WHERE first_seen = {first}") == 1


def test_scans_before_the_last_ones_are_removed_from_the_store_and_from_copies(
    uri: str, here: Machine, there: Machine
) -> None:
    for _ in range(3):
        here.scan(uri, "--history=2")
        there.number(uri)
    assert len(folders(uri)) == 2
    assert len(list(there.copy().glob("scan-*"))) == 2


def test_one_scan_of_a_store_is_named_as_in_a_folder(
    uri: str, here: Machine, there: Machine
) -> None:
    here.scan(uri)
    write(here.estate, {"a.mqsc": "DEFINE QLOCAL(A)\n"})
    here.scan(uri)
    address, _, settings = uri.partition("?")
    first, second = (f"{address}/{name}?{settings}" for name in folders(uri))
    assert "0 new, 1 fixed" in there.run("diff", first, second, "--list").output


def test_a_scan_that_began_earlier_does_not_become_the_current_one(
    uri: str, here: Machine, there: Machine, tmp_path: Path
) -> None:
    here.scan(uri)
    folder = here.copy()
    manifest = latest(folder)
    name = "scan-20200101T000000.000Z-abcdef"
    earlier = replace(manifest, scan=name.removeprefix("scan-"), folder=name)
    draft = (folder / manifest.folder).rename(tmp_path / "draft")
    (draft / "scan.json").write_text(earlier.text)
    ObjectStore(tables_folder(uri).address or "").push(draft, earlier, 10)
    assert there.number(uri) == 1
    assert latest(there.copy()) == manifest


def test_a_scan_that_cannot_be_copied_leaves_the_current_one(
    uri: str, here: Machine, settings: str
) -> None:
    done = here.scan(f"s3://nosuch/mq{settings}")
    assert done.exit_code == 2
    assert "cannot write to s3://nosuch/mq: " in done.output
    here.scan(uri)
    assert here.number(uri) == 1


def test_a_changed_file_of_a_store_is_not_read(uri: str, here: Machine, there: Machine) -> None:
    here.scan(uri)
    store, path = objects(uri)
    [name] = folders(uri)
    [part] = (here.copy() / name / "findings").iterdir()
    with store.open_output_stream(f"{path}/{name}/findings/{part.name}") as stream:
        stream.write(part.read_bytes() + b"x")
    query = ("query", "--out", uri, "--format=csv")
    changed = f"{name}/findings/{part.name} was changed after the scan"
    done = there.run(*query, "SELECT rule FROM findings")
    assert (done.exit_code, changed in done.output) == (2, True)
    assert there.scan(uri).exit_code == 0
    done = there.run(*query, "SELECT rule FROM history_findings")
    assert (done.exit_code, len(done.stdout.splitlines()), changed in done.stderr) == (1, 2, True)
    with store.open_output_stream(f"{path}/{name}/findings/{part.name}") as stream:
        stream.write(part.read_bytes())
    assert there.number(uri, "SELECT count(*) AS n FROM history_findings") == 2


LEAD_ELSEWHERE: tuple[dict[str, Any], ...] = (
    {"folder": ".."},
    {"folder": "../scan-x"},
    {"files": {"../../x.parquet": "0"}},
    {"files": {"/x.parquet": "0"}},
    {"tables": 5},
)


def test_a_manifest_that_leads_elsewhere_is_refused(
    uri: str, here: Machine, tmp_path: Path
) -> None:
    here.scan(uri)
    text = json.loads((here.copy() / "scan.json").read_text())
    changed = [json.dumps(text | change).encode() for change in LEAD_ELSEWHERE]
    store, path = objects(uri)
    for number, manifest in enumerate([*changed, b"\xff"]):
        with store.open_output_stream(f"{path}/scan.json") as stream:
            stream.write(manifest)
        done = Machine(tmp_path / f"there{number}").run("query", "--out", uri, "SELECT 1")
        assert (done.exit_code, "scan.json " in done.output) == (2, True), manifest


WITH_SECRET = (
    "s3://ada:geheim@tables/mq",
    "s3a://ada:geheim@tables/mq",
    "gs://geheim@tables/mq",
    "abfs://tables:geheim@ada.dfs.core.windows.net/mq",
    "abfss://ada.blob.core.windows.net/tables/mq?sv=2020-08-04&%73ig=geheim",
    "abfs://tables@ada.dfs.core.windows.net/mq?tenant_id=x&client_secret=geheim",
)
WITHOUT_SECRET = {
    "gs://anonymous@tables/mq": "gs://anonymous@tables/mq",
    "gcs://tables/mq/": "gs://tables/mq",
    "abfss://tables@ada.dfs.core.windows.net/mq?tenant_id=x": (
        "abfss://tables@ada.dfs.core.windows.net/mq?tenant_id=x"
    ),
}


@pytest.mark.parametrize(("form", "address"), WITHOUT_SECRET.items())
def test_a_name_before_the_place_is_no_password(form: str, address: str) -> None:
    assert tables_folder(form).address == address


def test_credentials_are_not_sent_without_tls() -> None:
    """Arrow ends the process if it is asked to."""
    form = "abfss://tables@ada.dfs.core.windows.net/mq?enable_tls=false"
    with pytest.raises(ValueError, match="credential_kind=anonymous"):
        tables_folder(form)
    assert tables_folder(f"{form}&credential_kind=anonymous").address is not None


@pytest.mark.parametrize("form", WITH_SECRET)
def test_a_password_in_a_uri_is_refused_and_not_shown(form: str, here: Machine) -> None:
    done = here.scan(form)
    assert done.exit_code == 2
    assert "passwords are for the environment" in done.output
    assert "geheim" not in done.output


def test_an_empty_store_has_no_scan(uri: str, here: Machine) -> None:
    done = here.run("query", "--out", uri, "SELECT 1")
    assert done.exit_code == 2
    assert "it has no complete scan" in done.output


OWN = policy(
    id="OWN001",
    name="too-shallow",
    summary="A queue that holds little",
    check={"attributes": {"MAXDEPTH": {"ge": 7}}},
    message="{name} is shallow",
)
LAKE = {
    "mqlint.yaml": "severity: {VOC002: note}\npolicies: [site/of/rules]\n",
    "site/of/rules/own001.yaml": OWN,
    **{f"more/{number}/e.mqsc": "DEFINE QLOCAL(E) MAXDEPTH(5)\n" for number in range(FOLDERS)},
    "night/a b%20.mqsc": "DEFINE QLOCAL(A) MAXDEPHT(5)\n",
    "night/_under/b.mqsc": "DEFINE QLOCAL(B) MAXDEPHT(5)\n",
    "night/c.txt": "hello\n",
    "key.kdb": "x",
}
ENTRIES = """\
repositories: [{{path: "{0}/lake", name: lake}}, {{path: "{0}/lake/packed.zip", name: packed}}]
dumps:
  - {{path: "{0}/lake", name: all}}
  - {{path: "{0}/lake/night/*.mqsc", name: some}}
  - {{path: "{0}/lake/night/_under/b.mqsc", name: one}}
  - {{path: "{0}/none", name: none}}
"""


COMPARED = {
    "files": ("repository", "path", "status", "reason", "digest"),
    "findings": ("repository", "path", "rule", "severity", "fingerprint", "line"),
}


@pytest.fixture
def lake(uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The same files on a disk and in a store."""
    address, _, settings = uri.partition("?")
    server = parse_qs(settings)["endpoint_override"][0]
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{server}")
    monkeypatch.setenv("CLOUD_STORAGE_EMULATOR_ENDPOINT", f"http://{server}")
    disk = tmp_path / "disk"
    write(disk / "lake", LAKE)
    as_zip(disk / "lake" / "packed", {"d.mqsc": "DEFINE QLOCAL(D) MAXDEPHT(5)\n"})
    store, path = objects(uri)
    for file in disk.rglob("*.*"):
        with store.open_output_stream(f"{path}/{file.relative_to(disk)}") as stream:
            stream.write(file.read_bytes())
    return {"disk": str(disk), "store": address}


def tables_of(base: str, out: Path, *engine: str) -> set[tuple[str, str]]:
    """The rows that are compared, of a scan."""
    write(out, {"estate.yaml": ENTRIES.format(base)})
    words = [str(out / "estate.yaml"), "--out", str(out / "out"), *engine, "--quiet"]
    program = [sys.executable, "-I", "-m", "mqlint"]  # apart: a process has one session of Spark
    done = subprocess.run(
        [*program, "estate", "scan", *words, "--exit-zero"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {
        (table, repr(row))
        for table, columns in COMPARED.items()
        for row in table_rows(out / "out", latest(out / "out"), table, columns)
    }


def test_dumps_in_a_store_are_read_without_spark_as_those_of_a_disk(
    lake: dict[str, str], tmp_path: Path
) -> None:
    found = {name: tables_of(lake[name], tmp_path / name, "--engine=process") for name in lake}
    assert found["store"] ^ found["disk"] == set()
    assert sum(table == "findings" for table, _ in found["disk"]) == 8 + 2 * FOLDERS


@pytest.mark.spark
@pytest.mark.parametrize("uri", [("s3://", "settings")], ids=["s3"], indirect=True)
def test_executors_read_a_store(lake: dict[str, str], tmp_path: Path) -> None:
    pytest.importorskip("pyspark")
    found = tables_of(lake["store"], tmp_path / "spark", "--master=local[2]")
    assert found == tables_of(lake["disk"], tmp_path / "here", "--engine=process")


def test_only_changed_files_of_a_store_are_fetched(
    settings: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Times of S3 are whole seconds: they are trusted after a minute."""
    server = parse_qs(settings[1:])["endpoint_override"][0]
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{server}")
    store, _ = FileSystem.from_uri(f"s3://{BUCKET}{settings}")
    kept = s3_backends["123456789012"]["aws"].buckets[BUCKET].keys

    def put(name: str, text: str, seconds: int) -> None:
        with store.open_output_stream(f"{BUCKET}/changing/{name}") as stream:
            stream.write(text.encode())
        kept[f"changing/{name}"].last_modified = datetime(2026, 1, 1, second=seconds)

    def scanned() -> str:
        words = [str(tmp_path / "e.yaml"), "--out", str(tmp_path / "out"), "--engine=process"]
        done = CliRunner().invoke(main, ["estate", "scan", *words, "--exit-zero", "--quiet"])
        return str(re.findall("files: .*", done.output)[0])

    write(tmp_path, {"e.yaml": f'dumps: ["s3://{BUCKET}/changing"]\n'})
    put("a.mqsc", "DEFINE QLOCAL(A)\n", 1)
    put("b.mqsc", "DEFINE QLOCAL(B)\n", 1)
    assert scanned() == "files: 2 files, 2 read, 2 parsed"
    assert scanned() == "files: 2 files, 0 read, 0 parsed"
    put("b.mqsc", "DEFINE QLOCAL(C) MAXDEPHT(5)\n", 2)
    assert scanned() == "files: 2 files, 1 read, 1 parsed"
    findings = latest(tmp_path / "out").tables["findings"]
    assert findings > 0
    shutil.rmtree(tmp_path / "out" / "cache" / "facts")
    shutil.rmtree(tmp_path / "out" / "cache" / "judged")
    assert scanned() == "files: 2 files, 0 read, 0 parsed"
    assert latest(tmp_path / "out").tables["findings"] == findings
