"""Copies of files that are kept beside them: only their passwords are reported."""

from __future__ import annotations

import pytest

from mqlint.config.settings import Settings
from tests.engine.conftest import Lint, settings_of

LIVE = "DEFINE CHANNEL(APP) CHLTYPE(SVRCONN) MAXINST(10)\n"
COPY = (
    "DEFINE CHANNEL(APP) CHLTYPE(SVRCONN) MAXINST(20) MCAUSER('mqm')\n"
    "DEFINE CHANNEL(TO.B) CHLTYPE(SDR) CONNAME('b.example') XMITQ(B) PASSWORD('hedgehog')\n"
    "DEFINE QLOCAL(A) MAXDEPHT(3)\n"
)
KEPT = (
    *("a.mqsc.bak", "a.mqsc.BAK2", "a.mqsc.old", "a.mqsc.orig", "a.mqsc~", "a.mqsc.bak-20261130"),
    *("a_old.mqsc", "a.bak.mqsc", "a-backup.mqsc", "old/a.mqsc", "archive/a.mqsc"),
    *("a.mqsc.20261130", "a.mqsc.2026-11-30", "a.mqsc-20261130.0215", "a.mqsc_20261130_021500"),
    *("a - Copy.mqsc", "a (copy).mqsc"),
)


@pytest.mark.parametrize("path", KEPT)
def test_a_copy_is_no_other_definition(path: str, lint: Lint) -> None:
    run = lint({"mq/a.mqsc": LIVE, f"mq/{path}": COPY}, Settings())
    copied = [finding for finding in run.findings if finding.location.path != "mq/a.mqsc"]
    assert [(finding.rule.id, finding.location.start.line) for finding in copied] == [("SEC010", 2)]
    said = f"mq/{path} is a copy of mq/a.mqsc, by its name, so only its passwords are checked"
    assert said in run.assumptions


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("src/main/resources/mq/a.mqsc", "target/classes/mq/a.mqsc"),
        ("app/src/main/resources/a.mqsc", "app/build/resources/main/a.mqsc"),
        ("src/test/resources/a.mqsc", "target/test-classes/a.mqsc"),
    ],
)
def test_what_a_build_copies_is_no_other_definition(source: str, path: str, lint: Lint) -> None:
    run = lint({source: LIVE, path: COPY}, Settings())
    assert {finding.rule.id for finding in run.findings if finding.location.path == path} == {
        "SEC010"
    }
    alone = {finding.rule.id for finding in lint({path: COPY}, Settings()).findings}
    assert "VOC002" in alone


@pytest.mark.parametrize(
    "path", ["b.mqsc.bak", "threshold.mqsc", "v1/a.mqsc", "a.mqsc.bank", "a_20261130.mqsc"]
)
def test_other_names(path: str, lint: Lint) -> None:
    run = lint({"mq/a.mqsc": LIVE, f"mq/{path}": COPY}, Settings())
    found = {finding.rule.id for finding in run.findings if finding.location.path == f"mq/{path}"}
    assert "SEC004" in found
    assert not any("copy" in text for text in run.assumptions)


def test_where_paths_name_queue_managers(lint: Lint) -> None:
    settings = settings_of('queue_managers: "{queue_manager}/**"\n')
    files = {"QMA/a.mqsc": LIVE, "QMA/a.mqsc.bak": COPY, "QMA/run.sh.old": "runmqsc QMB < a.mqsc\n"}
    found = [(finding.rule.id, finding.location.path) for finding in lint(files, settings).findings]
    assert ("SEC010", "QMA/a.mqsc.bak") in found
    assert {rule for rule, path in found if path == "QMA/a.mqsc.bak"} == {"SEC010"}
    files["QMA/old/a.mqsc"] = files.pop("QMA/a.mqsc.bak")
    found = [(finding.rule.id, finding.location.path) for finding in lint(files, settings).findings]
    assert {rule for rule, path in found if path == "QMA/old/a.mqsc"} > {"SEC010"}


@pytest.mark.parametrize(("script", "is_live"), [("run.sh", True), ("run.sh.old", False)])
def test_a_file_that_a_script_feeds_is_live(script: str, is_live: bool, lint: Lint) -> None:
    files = {"a.mqsc": LIVE, "a.mqsc.bak": COPY, script: "runmqsc QMB < a.mqsc.bak\n"}
    run = lint({**files, "run.sh": files.get("run.sh", "strmqm QMB\n")}, Settings())
    found = {finding.rule.id for finding in run.findings if finding.location.path == "a.mqsc.bak"}
    assert ("SEC004" in found) is is_live
