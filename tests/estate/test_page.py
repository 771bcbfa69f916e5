"""The HTML page about a scan, from its tables: the map, what changed, and what was read."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from mqlint.cli import main

pytest.importorskip("pyarrow")

from mqlint.engine.projections import table_columns
from mqlint.estate.history.reading import table_rows
from mqlint.estate.history.store import latest
from mqlint.estate.tables.schema import TABLES, without_labels

pytestmark = pytest.mark.slow


def mqlint(*words: str | Path) -> Result:
    return CliRunner(env={"COLUMNS": "100"}).invoke(main, [str(word) for word in words])


WAIVER = """\
waivers:
  - rule: DR002
    queue_manager: ARCHIVE1
    owner: archive team
    reason: both copies are read only
    expires: 2027-03-31
"""

CONTROLS = """\
framework: House rules
controls:
  H-1: {title: Names are unique, rules: [DR001, DR002]}
"""


def scan(estate: Path, out: Path, *more: str | Path) -> None:
    words = ("--engine", "process", "--quiet", *more)
    done = mqlint("estate", "scan", estate, "--out", out, *words)
    assert done.exit_code == 1, done.output


def page(tables: Path, folder: Path) -> dict[str, Any]:
    done = mqlint("estate", "report", tables, "--out", folder)
    assert done.exit_code == 0, done.output
    text = (folder / "index.html").read_text("utf-8")
    (written,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    found: dict[str, Any] = json.loads(written)
    return found


@pytest.fixture(scope="module")
def tables(estate: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of two scans: between them a queue manager's script was replaced."""
    work = tmp_path_factory.mktemp("page")
    shutil.copytree(estate, work / "estate")
    scan(work / "estate", work / "out")
    script = work / "estate" / "dr" / "DRSORD1" / "queues.mqsc"
    script.write_text("DEFINE QLOCAL(DRSORD1.DLQ) MAXDEPHT(5)\n")
    (work / "estate" / "mqlint-waivers.yaml").write_text(WAIVER)
    (work / "controls.yaml").write_text(CONTROLS)
    scan(work / "estate", work / "out", "--controls", work / "controls.yaml")
    return work / "out"


@pytest.fixture(scope="module")
def data(tables: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return page(tables, tmp_path_factory.mktemp("report") / "new")


def test_map_shows_the_channel_that_leads_to_production(data: dict[str, Any]) -> None:
    nodes = data["map"]["nodes"]
    crossing = [
        (nodes[link["from"]]["name"], nodes[link["to"]]["name"], link["names"])
        for link in data["map"]["links"]
        if link["crosses"] and link["kind"] == "cluster"
    ]
    assert crossing == [("DRSORD1", "PRDHUB2", ["LOGISTICS.HUB2"])]
    assert [row["name"] for row in data["map"]["crossings"]] == ["LOGISTICS.HUB2"]


def test_map_shows_names_that_two_sites_share(data: dict[str, Any]) -> None:
    found = {row["rule"]: row["places"] for row in data["map"]["collisions"]}
    assert found["DR001"] == ["DRSORD1 at derby", "PRDORD1 at leeds"]
    assert found["DR005"] == ["ARCHIVE1 at derby", "ARCHIVE1 at leeds"]
    (shared,) = [row for row in data["map"]["clusters"] if len(row["sites"]) > 1]
    assert shared["name"] == "LOGISTICS"


def test_full_repositories_are_marked(data: dict[str, Any]) -> None:
    hubs = {node["name"] for node in data["map"]["nodes"] if node["full"]}
    assert hubs == {"PRDHUB1", "PRDHUB2", "DRSHUB1", "DRSHUB2"}


def test_new_fixed_and_remaining_findings_are_told_apart(data: dict[str, Any]) -> None:
    new = [row for row in data["findings"] if row.get("state") == "new"]
    assert any("MAXDEPHT" in row["message"] for row in new)
    assert any(row["path"].endswith("DRSORD1/queues.mqsc") for row in data["fixed"])
    before, now = (scan["began"] for scan in data["scans"])
    assert {row["first_seen"] for row in new} == {now}
    counting = [row for row in data["findings"] if row.get("state") != "suppressed"]
    assert {row["first_seen"] for row in counting} == {before, now}
    last = sum(number for *_, number in data["scans"][-1]["counts"])
    assert last == len(counting)


def test_waivers_are_told_with_their_end(data: dict[str, Any]) -> None:
    waived = [row for row in data["findings"] if row.get("state") == "suppressed"]
    assert [row["rule"] for row in waived] == ["DR002", "DR002"]
    assert waived[0]["excuse"] == {
        "by": "waiver",
        "reason": "both copies are read only",
        "owner": "archive team",
        "expires": "2027-03-31",
    }


def test_controls_have_their_rules(data: dict[str, Any]) -> None:
    assert data["controls"] == [
        {"name": "House rules H-1", "title": "Names are unique", "rules": ["DR001", "DR002"]}
    ]


def test_findings_have_the_texts_of_their_rules(data: dict[str, Any]) -> None:
    assert all(data["rules"][row["rule"]]["why"] for row in data["findings"])


def test_queue_managers_have_their_log_and_images(data: dict[str, Any]) -> None:
    found = {(row["site"], row["name"]): row for row in data["queue_managers"]}
    assert found["leeds", "PRDORD1"]["log_type"] == "circular"
    assert found["leeds", "PRDPAY2"]["images"] == ["IMGSCHED(MANUAL)"]


def drawn(found: dict[str, Any]) -> dict[str, Any]:
    """A map without the numbers of findings."""
    nodes = [
        {key: value for key, value in node.items() if key not in ("error", "warning", "note")}
        for node in found["nodes"]
    ]
    shown = found.get("applications")
    applications = {**shown, "drawing": drawn(shown["drawing"])} if shown else None
    return {**found, "nodes": nodes, "applications": applications}


def test_map_is_that_of_a_check_of_the_same_files(tables: Path, data: dict[str, Any]) -> None:
    estate = tables.parent / "estate"
    report = tables.parent / "check.html"
    done = mqlint("check", estate, "--format", f"html={report}")
    assert done.exit_code == 1, done.output
    text = report.read_text("utf-8")
    (written,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    checked = json.loads(written)
    assert drawn(checked["map"]) == drawn(data["map"])
    assert data["map"]["applications"]["number"] > 10
    assert checked["queue_managers"] == data["queue_managers"]


def test_page_has_the_verdicts_of_each_site(tables: Path, data: dict[str, Any]) -> None:
    manifest = latest(tables)
    assert {row["site"] for row in data["verdicts"]} == {"derby", "leeds"}
    words = {"pass": "passed", "fail": "failed", "unknown": "unknown"}
    counts: dict[str, int] = dict.fromkeys(words, 0)
    for row in table_rows(tables, manifest, "judgements"):
        if row["verdict"] in counts:
            counts[row["verdict"]] += row["rules_total"]
    found = {key: sum(row.get(word, 0) for row in data["verdicts"]) for key, word in words.items()}
    assert found == counts
    assert sum(number for _, number in data["missing"]) <= counts["unknown"]


def test_earlier_scan_has_a_page_of_its_own(tables: Path, tmp_path: Path) -> None:
    first = sorted(tables.glob("scan-*"))[0]
    found = page(first, tmp_path / "old")
    assert len(found["scans"]) == 1
    assert "fixed" not in found


def test_scan_without_most_tables_has_a_page(estate: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ("--engine", "process", "--quiet", "--no-tables", "--no-cache")
    assert mqlint("estate", "scan", estate / "dr", "--out", out, *words).exit_code == 1
    found = page(out, tmp_path / "report")
    assert found["findings"]
    assert "queue_managers" not in found


def test_folder_without_tables_is_refused(tmp_path: Path) -> None:
    done = mqlint("estate", "report", tmp_path, "--out", tmp_path / "report")
    assert done.exit_code == 2
    assert "cannot use the tables of" in done.output


@pytest.mark.parametrize("table", TABLES)
def test_columns_are_those_of_the_tables(table: str) -> None:
    assert ["repository", *table_columns()[table]] == without_labels(TABLES[table]).names


def test_trend_counts_what_the_page_counts(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "a.mqsc").write_text("DEFINE QLOCAL(A) MAXDEPHT(5)\n")
    (work / "mqlint.yaml").write_text("baseline: known.json\n")
    made = mqlint("baseline", "create", "--config", work / "mqlint.yaml")
    assert made.exit_code == 0, made.output
    (work / "b.mqsc").write_text("DEFINE QLOCAL(B) MAXDEPHT(5)\n")
    scan(work, tmp_path / "out")
    found = page(tmp_path / "out", tmp_path / "page")
    states = [row.get("state") for row in found["findings"]]
    assert (len(states), states.count("known")) == (2, 1)
    assert sum(number for *_, number in found["scans"][-1]["counts"]) == 1
