"""A scan that dies leaves nothing that is read as whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from secrets import token_hex

import pytest

pytest.importorskip("pyspark")

import pyarrow.parquet as parquet

from mqlint.estate.history.store import (
    MANIFEST,
    Draft,
    Manifest,
    NoScanError,
    drafting,
    latest,
    remove_abandoned,
    scan_at,
    scans,
)
from mqlint.estate.tables.schema import ALWAYS, TABLES, Labels, Row, without_labels
from mqlint.estate.tables.writer import LostPartError


def row_of(table: str) -> Row:
    """A row without what is added when it is written: labels, the scan and its time."""
    return tuple(None for _ in without_labels(TABLES[table]).names)


def filled(draft: Draft, tables: tuple[str, ...] = tuple(TABLES)) -> None:
    with draft.writing() as writer:
        for table in tables:
            writer.add_rows(table, [row_of(table)] * 3)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def scanned(out: Path, history: int = 10, second: int | None = None) -> Manifest:
    """A whole scan; those of one test are told apart by `second`, as they take no time."""
    with drafting(out) as draft:
        filled(draft)
        if second is not None:
            draft.stamp = replace(draft.stamp, scan=f"20260101T00000{second}.000Z-{token_hex(3)}")
        return draft.commit(history)


def test_a_whole_scan_is_found(tmp_path: Path) -> None:
    manifest = scanned(tmp_path / "deep" / "out")
    assert latest(tmp_path / "deep" / "out") == manifest
    assert manifest.tables == dict.fromkeys(TABLES, 3)


def test_labels_and_the_scan_are_added_and_a_draft_can_be_read_back(tmp_path: Path) -> None:
    with drafting(tmp_path) as draft:
        rows = [
            (name, "checked", "mqsc", None, 3, 2, 1) for name in ("payments", "web", "payments")
        ]
        draft.labels = {"payments": Labels("money", {"tier": "gold"})}
        with draft.writing() as tables:
            tables.add_rows("coverage", rows)
        columns = ["repository", "team", "labels", "files", "scan", "scanned"]
        found = [row for batch in draft.read("coverage", columns) for row in batch.to_pylist()]
        stamp = {"scan": draft.stamp.scan, "scanned": draft.stamp.scanned}
        money: tuple[object, ...] = ("payments", "money", [("tier", "gold")])
        web: tuple[object, ...] = ("web", None, [])
        heads = (dict(zip(columns, one, strict=False)) for one in (money, web, money))
        assert found == [{**head, "files": 3, **stamp} for head in heads]


def test_what_no_task_told_of_is_removed_and_what_is_not_there_is_missed(tmp_path: Path) -> None:
    with drafting(tmp_path) as draft:
        with draft.sink.writing() as died:
            died.add_rows("objects", [row_of("objects")] * 5)
            list(died.finish())
        filled(draft)
        assert draft.commit().tables["objects"] == 3
    table = tmp_path / latest(tmp_path).folder / "objects"
    assert [parquet.read_metadata(file).num_rows for file in table.iterdir()] == [3]
    with drafting(tmp_path) as draft:
        draft.add_part("objects/part-elsewhere.parquet", 3)
        with pytest.raises(LostPartError, match="shared path"):
            draft.commit()


def test_a_writer_that_fails_leaves_no_file(tmp_path: Path) -> None:
    with drafting(tmp_path) as draft:
        with suppress(KeyboardInterrupt), draft.writing() as tables:
            tables.add_rows("objects", [row_of("objects")] * 5)
            raise KeyboardInterrupt
        assert [*draft.folder.rglob("*.parquet")] == []


def test_a_scan_may_leave_few_tables(tmp_path: Path) -> None:
    with drafting(tmp_path, ALWAYS) as draft:
        filled(draft, ALWAYS)
        manifest = draft.commit()
    assert latest(tmp_path) == manifest
    assert tuple(manifest.tables) == ALWAYS
    assert names(tmp_path / manifest.folder) == sorted([*ALWAYS, MANIFEST])


def test_a_scan_that_fails_leaves_the_one_before(tmp_path: Path) -> None:
    before = scanned(tmp_path)
    with suppress(KeyboardInterrupt), drafting(tmp_path) as draft:
        filled(draft, ("files", "objects"))
        raise KeyboardInterrupt
    assert latest(tmp_path) == before
    assert names(tmp_path) == [before.folder, MANIFEST]


def test_a_scan_takes_the_place_of_the_one_before_which_stays(tmp_path: Path) -> None:
    before, after = scanned(tmp_path), scanned(tmp_path)
    assert before.scan != after.scan
    assert latest(tmp_path) == after
    assert scans(tmp_path) == [before, after]


def test_a_scan_that_ends_after_a_later_one_is_not_the_current_scan(tmp_path: Path) -> None:
    with drafting(tmp_path) as early, drafting(tmp_path) as late:
        late.stamp = replace(late.stamp, scan=f"{early.stamp.scan}-later")
        for draft in (late, early):
            filled(draft)
        current, before = late.commit(), early.commit(history=1)
    assert latest(tmp_path) == current
    assert {before.folder, current.folder} <= set(names(tmp_path))


def test_of_many_scans_the_last_ones_stay(tmp_path: Path) -> None:
    made = [scanned(tmp_path, history=3, second=number) for number in range(5)]
    assert scans(tmp_path) == made[2:]
    assert names(tmp_path) == sorted([MANIFEST, *(one.folder for one in made[2:])])


def test_a_path_stands_for_the_current_scan_or_one_that_is_kept(tmp_path: Path) -> None:
    before, after = scanned(tmp_path, second=1), scanned(tmp_path, second=2)
    assert scan_at(tmp_path) == (tmp_path, after)
    assert scan_at(tmp_path / before.folder) == (tmp_path, before)
    with pytest.raises(NoScanError, match="it has no complete scan"):
        scan_at(tmp_path / "scan-of-nobody")


def killed_while_writing(out: Path) -> None:
    filled(Draft(out), ("files",))


def killed_before_its_manifest(out: Path) -> None:
    draft = Draft(out)
    filled(draft)
    draft.folder.rename(out / f"scan-{draft.stamp.scan}")


@pytest.mark.parametrize("killed", [killed_while_writing, killed_before_its_manifest])
def test_a_scan_that_was_killed_is_none(tmp_path: Path, killed: Callable[[Path], None]) -> None:
    killed(tmp_path)
    with pytest.raises(NoScanError, match="it has no complete scan"):
        latest(tmp_path)
    whole = scanned(tmp_path)
    killed(tmp_path)
    assert latest(tmp_path) == whole


@pytest.mark.parametrize("killed", [killed_while_writing, killed_before_its_manifest])
def test_what_killed_scans_left_is_removed_when_it_is_old(
    tmp_path: Path, killed: Callable[[Path], None]
) -> None:
    whole = scanned(tmp_path)
    killed(tmp_path)
    remove_abandoned(tmp_path, age=3600)
    assert len(names(tmp_path)) == 3
    remove_abandoned(tmp_path, age=-1)
    assert names(tmp_path) == [whole.folder, MANIFEST]


def test_folders_of_others_are_not_removed(tmp_path: Path) -> None:
    own = ("scan-results", "scan-2024-01-01", ".scan-settings", "scan-20240101T000000.000Z-of-ada")
    for name in own:
        (tmp_path / name).mkdir()
    remove_abandoned(tmp_path, age=-1)
    assert set(names(tmp_path)) == set(own)


MANIFESTS = {
    "no JSON": "{",
    "another shape": "[]",
    "fields missing": "{}",
    "a folder elsewhere": {"folder": "../scan-x"},
    "tables gone": {"folder": "scan-x"},
}


@pytest.mark.parametrize("text", MANIFESTS.values(), ids=MANIFESTS.keys())
def test_a_manifest_that_is_wrong_is_said_to_be(tmp_path: Path, text: str | dict[str, str]) -> None:
    if isinstance(text, dict):
        text = json.dumps({"scan": "x", "finished": "", "tables": {}, **text})
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(NoScanError, match=r"scan\.json|these tables of its scan are missing"):
        latest(tmp_path)


def test_a_table_without_rows_is_a_table(tmp_path: Path) -> None:
    with drafting(tmp_path) as draft:
        assert draft.commit().tables == dict.fromkeys(TABLES, 0)
