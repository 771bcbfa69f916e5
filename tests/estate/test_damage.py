"""Tables of a scan that were damaged: each command says so, and the next scan works."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("duckdb")

import pyarrow as pa
import pyarrow.parquet as parquet

from mqlint.cli import main
from tests.files import write

READERS = {
    "diff": ("diff", "--out", "{0}"),
    "report": ("report", "{0}", "--out", "{0}/page"),
    "query": ("query", "--out", "{0}", "SELECT rule FROM findings"),
    "evidence": ("evidence", "{0}"),
}
SCAN = ("scan", "{1}/estate", "--engine=process", "--quiet", "--out", "{0}")


def run(out: Path, *words: str) -> Result:
    runner = CliRunner(env={"COLUMNS": "1000", "MQLINT_CACHE_DIR": str(out.parent / "cache")})
    return runner.invoke(main, ["estate", *(word.format(out, out.parent) for word in words)])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two scans."""
    place = tmp_path_factory.mktemp("whole")
    write(place / "estate", {"QM1/a.mqsc": "DEFINE QLOCAL(A) MAXDEPHT(5)\n"})
    for _ in range(2):
        assert run(place / "out", *SCAN).exit_code == 1
    return place


def manifest(out: Path, **changed: object) -> None:
    file = out / "scan.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | changed))


def part(out: Path) -> Path:
    folder: str = json.loads((out / "scan.json").read_text())["folder"]
    (found,) = (out / folder / "findings").glob("*.parquet")
    return found


def rewritten(file: Path, column: str, value: str | None) -> None:
    """Write a table again, with another value in all rows of a column."""
    table = parquet.read_table(file)
    at = table.schema.get_field_index(column)
    changed = pa.array([value] * len(table), table.schema.field(at).type)
    parquet.write_table(table.set_column(at, table.schema.field(at), changed), file)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "cut": lambda out: part(out).write_bytes(part(out).read_bytes()[:500]),
    "changed": lambda out: rewritten(part(out), "message", "nothing"),
    "gone": lambda out: part(out).unlink(),
    "foreign": lambda out: parquet.write_table(pa.table({"x": [1]}), part(out)),
    "tables": lambda out: manifest(out, tables=[1]),
    "elsewhere": lambda out: manifest(out, tables={"../..": 1}),
    "digests": lambda out: manifest(out, files={"a": 5}),
    "id": lambda out: manifest(out, scan=7),
}


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_damage_is_reported_and_the_next_scan_works(
    damage: Callable[[Path], object], whole: Path, tmp_path: Path
) -> None:
    shutil.copytree(whole, tmp_path / "copy")
    out = tmp_path / "copy" / "out"
    damage(out)
    for words in READERS.values():
        done = run(out, *words)
        assert (done.exit_code, "MQLINT_DEBUG" in done.output) == (2, False), done.output
        assert done.stderr.startswith("Error: ")
    assert run(out, *SCAN).exit_code == 1
    assert run(out, *READERS["query"]).exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("value", ["apocalypse", None])
def test_values_that_no_scan_writes_are_damage(
    value: str | None, whole: Path, tmp_path: Path
) -> None:
    """Tables of a stranger, with the digests of what is in them."""
    shutil.copytree(whole, tmp_path / "copy")
    out = tmp_path / "copy" / "out"
    file = part(out)
    rewritten(file, "severity", value)
    folder = file.parents[1]
    files = json.loads((out / "scan.json").read_text())["files"]
    digest = sha256(file.read_bytes()).hexdigest()
    manifest(out, files={**files, file.relative_to(folder).as_posix(): digest})
    done = run(out, *READERS["report"])
    assert (done.exit_code, "MQLINT_DEBUG" in done.output) == (2, False), done.output
    assert "is damaged" in done.stderr


@pytest.mark.slow
def test_a_damaged_earlier_scan_is_left_out(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path / "copy")
    out = tmp_path / "copy" / "out"
    earlier = min(out.glob("scan-*"))
    (file,) = (earlier / "findings").glob("*.parquet")
    rewritten(file, "rule", "VOC001")
    done = run(out, "query", "--out", "{0}", "--format=csv", "SELECT rule FROM history_findings")
    assert (done.exit_code, done.stdout.splitlines()) == (1, ["rule", "VOC002"])
    reason = f"{earlier.name}/findings/{file.name} was changed after the scan"
    told = f"mqlint: scan {earlier.name.removeprefix('scan-')} is left out: {reason}\n"
    assert done.stderr == told
    page = run(out, *READERS["report"])
    assert (page.exit_code, page.stderr) == (0, told)


@pytest.mark.slow
def test_a_scan_from_the_future_does_not_hide_later_ones(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path / "copy")
    out = tmp_path / "copy" / "out"
    found = json.loads((out / "scan.json").read_text())
    later = str(int(found["scan"][:4]) + 1) + found["scan"][4:]
    (out / found["folder"]).rename(out / f"scan-{later}")
    manifest(out, scan=later, folder=f"scan-{later}")
    shutil.copy(out / "scan.json", out / f"scan-{later}")
    assert run(out, *SCAN).exit_code == 1
    assert json.loads((out / "scan.json").read_text())["scan"] < later
