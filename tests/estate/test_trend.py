"""The trend: numbers of a year, which outlive the tables of the scans that found them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from mqlint.cli import main

pytest.importorskip("pyarrow")

from mqlint.estate.history.store import MANIFEST, Draft, Manifest, drafting, latest, scans
from mqlint.estate.history.trend import trend, trend_rows
from mqlint.estate.tables.schema import ALWAYS, TABLES, TREND, without_labels

NOW = datetime(2026, 6, 30, 12, tzinfo=UTC)


def row_of(draft: Draft, table: str, **cells: object) -> tuple[object, ...]:
    names = without_labels(TABLES[table]).names
    return tuple({"repository": "", **cells}.get(name) for name in names)


def scan(out: Path, began: datetime, errors: int = 1, *, history: int = 10) -> Manifest:
    """A scan at some time that found so many errors."""
    with drafting(out, ALWAYS) as draft:
        draft.stamp = replace(draft.stamp, scan=f"{began:%Y%m%dT%H%M%S}.000Z-000000", scanned=began)
        found = [row_of(draft, "findings", site="leeds", severity="error")] * errors
        known = row_of(draft, "findings", site="leeds", severity="error", known=True)
        with draft.writing() as tables:
            tables.add_rows("findings", [*found, known])
            files = row_of(draft, "coverage", status="unreadable", files=3)
            tables.add_rows("coverage", [files])
        with draft.writing() as tables:
            tables.add_rows(TREND, trend_rows(draft))
        return draft.commit(history)


def numbers(out: Path) -> Sequence[tuple[str, str, str, int]]:
    return sorted(
        (f"{row.counted_at:%d.%m.%y %H}", row.site or "", row.measure, row.total)
        for row in trend(out, scans(out))
    )


def test_numbers_outlive_the_tables(tmp_path: Path) -> None:
    for hours in range(3):
        scan(tmp_path, NOW + timedelta(hours=hours), errors=5 - hours, history=1)
    assert [*scans(tmp_path)] == [latest(tmp_path)]
    assert numbers(tmp_path) == [
        ("30.06.26 12", "", "unreadable", 3),
        ("30.06.26 12", "leeds", "error", 5),
        ("30.06.26 13", "", "unreadable", 3),
        ("30.06.26 13", "leeds", "error", 4),
        ("30.06.26 14", "", "unreadable", 3),
        ("30.06.26 14", "leeds", "error", 3),
    ]


AGES = {
    "of a month each scan": ((0, 1, 24, 30 * 24, 30 * 24 + 1), (0, 1, 24, 30 * 24, 30 * 24 + 1)),
    "of older days the last": ((0, 32 * 24, 32 * 24 + 1, 33 * 24), (0, 32 * 24, 33 * 24)),
    "a year and a month": ((0, 399 * 24, 401 * 24), (0, 399 * 24)),
}


@pytest.mark.parametrize(("ages", "kept"), AGES.values(), ids=AGES.keys())
def test_numbers_of_a_year_are_kept(
    ages: tuple[int, ...], kept: tuple[int, ...], tmp_path: Path
) -> None:
    for hours in sorted(ages, reverse=True):
        scan(tmp_path, NOW - timedelta(hours=hours), history=1)
    found = {row.counted_at for row in trend(tmp_path, scans(tmp_path))}
    assert found == {NOW - timedelta(hours=hours) for hours in kept}


def made_earlier(out: Path, manifest: Manifest) -> None:
    """Make a scan one of an mqlint that had no trend."""
    folder = out / manifest.folder
    for file in (folder / TREND).iterdir():
        file.unlink()
    (folder / TREND).rmdir()
    for file in (out / MANIFEST, folder / MANIFEST):
        found = json.loads(file.read_text())
        if found["scan"] == manifest.scan:
            del found["tables"][TREND]
            found["files"] = {name: it for name, it in found["files"].items() if TREND not in name}
            file.write_text(json.dumps(found))


def damaged(out: Path, manifest: Manifest) -> None:
    (file,) = (out / manifest.folder / TREND).iterdir()
    file.write_bytes(file.read_bytes()[:100])


@pytest.mark.parametrize("harm", [made_earlier, damaged])
def test_stored_scans_without_numbers_are_counted(
    harm: Callable[[Path, Manifest], None], tmp_path: Path
) -> None:
    for hours in range(3):
        harm(tmp_path, scan(tmp_path, NOW + timedelta(hours=hours), errors=hours + 1))
    whole = [row for row in numbers(tmp_path) if row[2] == "error"]
    assert [row[3] for row in whole] == [1, 2, 3]
    scan(tmp_path, NOW + timedelta(hours=4), errors=7, history=1)
    assert [row[3] for row in numbers(tmp_path) if row[2] == "error"] == [1, 2, 3, 7]


@pytest.fixture(scope="module")
def scanned_thrice(estate: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("trend") / "out"
    for _ in range(3):
        words = ("estate", "scan", estate / "dr", "--out", out, "--engine=process", "--history=1")
        done = CliRunner().invoke(main, [str(word) for word in words])
        assert done.exit_code == 1, done.output
    return out


@pytest.mark.slow
def test_three_scans_of_which_one_is_stored(scanned_thrice: Path) -> None:
    words = ("query", "--out", scanned_thrice, "--format=jsonl", "SELECT * FROM trend")
    done = CliRunner().invoke(main, ["estate", *map(str, words)])
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {row["scan"] for row in rows} == {latest(scanned_thrice).scan}
    by_scan = Counter((row["counted_scan"], row["measure"]) for row in rows)
    assert len({scan for scan, _ in by_scan}) == 3
    measures = {measure for _, measure in by_scan}
    assert {"error", "warning", "pass", "fail", "unknown", "checked"} <= measures
    first, *others = [
        {
            (row["measure"], row["site"], row["counted_team"]): row["total"]
            for row in rows
            if row["counted_scan"] == scan
        }
        for scan in sorted({row["counted_scan"] for row in rows})
    ]
    assert others == [first, first]


@pytest.mark.slow
def test_the_page_shows_scans_that_are_not_stored(scanned_thrice: Path, tmp_path: Path) -> None:
    words = ("report", scanned_thrice, "--out", tmp_path / "page")
    assert CliRunner().invoke(main, ["estate", *map(str, words)]).exit_code == 0
    text = (tmp_path / "page" / "index.html").read_text("utf-8")
    data = json.loads(text.partition('id="data">')[2].partition("</script>")[0])
    assert len(data["scans"]) == 3
    assert {row["first_seen"] for row in data["findings"]} == {data["scans"][0]["began"]}
