"""`mqlint questions`: who is asked what, and what is filled in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Mqlint

CONFIG = """\
sites:
  leeds: {{role: production, paths: ["prod/**"]}}
  derby: {{role: dr, paths: ["dr/**"]{more}}}
queue_managers: "*/{{queue_manager}}/*"
"""
CHANNELS = """\
DEFINE CHANNEL(TO.LEEDS) CHLTYPE(SDR) CONNAME('mq.leeds.example') XMITQ(LEEDS) TRPTYPE(TCP)
DEFINE CHANNEL(TO.YORK) CHLTYPE(SDR) CONNAME('10.9.9.9(1414)') XMITQ(YORK) TRPTYPE(TCP)
"""

Entries = dict[str, dict[str, Any]]


@pytest.fixture
def estate(project: Path) -> Path:
    """A production and two DR queue managers."""
    for name, text in (
        ("prod/QMA", "DEFINE QLOCAL(IN)\n"),
        ("dr/QMB", CHANNELS),
        ("dr/QMC", "DEFINE QLOCAL(IN)\n"),
    ):
        (project / name).mkdir(parents=True)
        (project / name / "q.mqsc").write_text(text)
    (project / "mqlint.yaml").write_text(CONFIG.format(more=""))
    return project


def asked(mqlint: Mqlint, *words: str) -> Entries:
    done = mqlint("questions", "--format", "json", *words)
    assert done.exit_code == 0, done.stderr
    return {load["id"]: load for load in json.loads(done.stdout)}


def isolated(estate: Path, more: str) -> None:
    (estate / "mqlint.yaml").write_text(CONFIG.format(more=more))


def test_without_paths_all_are_listed(mqlint: Mqlint, project: Path) -> None:
    entries = asked(mqlint)
    assert {"ASK01", "ASK43", "ASK60", "ASK73"} <= entries.keys()
    assert [entry["asked"] for entry in entries.values() if entry["asked"]] == []


def test_a_question_is_put_to_those_it_concerns(mqlint: Mqlint, estate: Path) -> None:
    entries = asked(mqlint, ".")
    assert [(entry["site"], entry["queue_manager"]) for entry in entries["ASK01"]["asked"]] == [
        ("derby", "QMB"),
        ("derby", "QMC"),
    ]
    assert [(entry["site"], entry["queue_manager"]) for entry in entries["ASK10"]["asked"]] == [
        ("derby", None)
    ]
    assert entries["ASK05"]["asked"] == []


def test_nobody_is_asked_about_what_is_not_there(mqlint: Mqlint, estate: Path) -> None:
    entries = asked(mqlint, ".")
    assert not entries.keys() & {"ASK08", "ASK20", "ASK43", "ASK51", "ASK60", "ASK73"}


def test_what_the_files_tell_is_filled_in(mqlint: Mqlint, estate: Path) -> None:
    (one,) = asked(mqlint, ".")["ASK12"]["asked"]
    assert one["queue_manager"] == "QMB"
    assert one["known"] == ["TO.LEEDS names mq.leeds.example"]


def test_what_the_configuration_answers_need_not_be_asked(mqlint: Mqlint, estate: Path) -> None:
    before = asked(mqlint, ".")["ASK10"]
    isolated(estate, ", isolation: network, reinstated_by: replication")
    after = asked(mqlint, ".")
    assert (before["answered"], after["ASK10"]["answered"]) == (False, True)
    assert after["ASK10"]["asked"][0]["known"] == [
        "mqlint.yaml declares isolation: network for derby"
    ]
    assert after["ASK11"]["answered"] is False
    still = asked(mqlint, ".", "--open")
    assert after.keys() - still.keys() == {"ASK01", "ASK10", "ASK15"}


def test_a_question_is_answered_only_when_it_is_for_all(mqlint: Mqlint, estate: Path) -> None:
    (estate / "york" / "QMD").mkdir(parents=True)
    (estate / "york" / "QMD" / "q.mqsc").write_text("DEFINE QLOCAL(IN)\n")
    isolated(
        estate,
        ', isolation: network}\n  york: {role: dr, stands_in_for: leeds, paths: ["york/**"]',
    )
    entry = asked(mqlint, ".")["ASK10"]
    assert [(policy["site"], policy["answered"]) for policy in entry["asked"]] == [
        ("derby", True),
        ("york", False),
    ]
    assert entry["answered"] is False


def test_the_text_names_those_alike_once(mqlint: Mqlint, estate: Path) -> None:
    done = mqlint("questions", ".")
    assert done.exit_code == 0
    assert "         [ ] QMB, QMC at derby\n" in done.stdout
    answer = "- mqlint.yaml sets definitions for derby, or does not set it\n"
    assert f"             {answer}" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_markdown_leaves_room_for_answers(mqlint: Mqlint, estate: Path) -> None:
    isolated(estate, ", isolation: network")
    text = mqlint("questions", ".", "--format", "markdown").stdout
    assert "# Questions for DR" in text
    assert "- [x] **derby**:\n  - mqlint.yaml declares isolation: network for derby\n" in text
    assert "- [ ] **the estate**:\n" in text
    assert "2 of them answered by the files." in text


def test_many_channels_are_counted(mqlint: Mqlint, estate: Path) -> None:
    lines = [
        f"DEFINE CHANNEL(C.{number}) CHLTYPE(SDR) CONNAME('h{number}') XMITQ(X) TRPTYPE(TCP)\n"
        for number in range(12)
    ]
    (estate / "dr" / "QMB" / "q.mqsc").write_text("".join(lines))
    text = mqlint("questions", ".").stdout
    assert "- C.7 names h7\n             - and 4 more\n" in text
    assert "C.8 names" not in text


def test_names_from_files_cannot_steer_a_terminal(mqlint: Mqlint, estate: Path) -> None:
    (estate / "dr" / "QMB" / "q.mqsc").write_text(
        "DEFINE CHANNEL(C.1) CHLTYPE(SDR) CONNAME('a\x1b[2Jb') XMITQ(X) TRPTYPE(TCP)\n"
    )
    for form in ("text", "markdown", "json"):
        assert "\x1b" not in mqlint("questions", ".", "--format", form).stdout


def test_secrets_are_not_told(mqlint: Mqlint, estate: Path) -> None:
    (estate / "dr" / "QMB" / "q.mqsc").write_text(
        "DEFINE CHANNEL(C.1) CHLTYPE(SDR) CONNAME('h1') XMITQ(X) PASSWORD('hunter2')\n"
    )
    assert "hunter2" not in mqlint("questions", ".", "--format", "json").stdout


def test_nothing_there(mqlint: Mqlint, project: Path) -> None:
    (project / "note.txt").write_text("no MQ here\n")
    done = mqlint("questions", ".")
    assert (done.exit_code, done.stdout) == (0, "0 questions.\n")
    assert mqlint("questions", "missing.mqsc").exit_code == 2
