"""`mqlint diff`: what is equal by meaning, what differs, and what the files leave open."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Mqlint
from tests.files import git as run_git

EQUAL = {
    "synonyms, case and order": (
        "DEFINE QLOCAL(Q1) MAXDEPTH(10) DESCR('x')\nDEFINE QLOCAL(Q2)\n",
        "def ql(q2)\ndef ql('Q1') descr('x') +\n  maxdepth(10)\n",
    ),
    "replace": ("DEFINE QLOCAL(Q1) REPLACE\n", "DEFINE QLOCAL(Q1)\n"),
    "a default": (
        "DEFINE QLOCAL(Q1)\n",
        "DEFINE QLOCAL(Q1) MAXDEPTH(5000) PUT(ENABLED) NOTRIGGER\n",
    ),
    "alter after define": (
        "DEFINE QLOCAL(Q1)\nALTER QLOCAL(Q1) GET(DISABLED)\n",
        "DEFINE QLOCAL(Q1) GET(DISABLED)\n",
    ),
    "like": (
        "DEFINE QLOCAL(Q1) MAXDEPTH(7)\nDEFINE QLOCAL(Q2) LIKE(Q1)\n",
        "DEFINE QLOCAL(Q1) MAXDEPTH(7)\nDEFINE QLOCAL(Q2) MAXDEPTH(7)\n",
    ),
    "signers of a policy in another order": (
        "SET POLICY(Q) SIGNALG(SHA256) SIGNER('CN=a') SIGNER('CN=b')\n",
        "SET POLICY(Q) SIGNER('CN=b') SIGNER('CN=a') SIGNALG(SHA256) ACTION(REPLACE)\n",
    ),
    "a port and blanks": (
        "DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('Host.example(1414)') XMITQ(X)\n",
        "DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME(' host.example') XMITQ(X)\n",
    ),
    "any address": (
        "SET CHLAUTH(A) TYPE(USERMAP) CLNTUSER('u') ADDRESS('*') USERSRC(NOACCESS)\n",
        "SET CHLAUTH(A) TYPE(USERMAP) CLNTUSER('u') USERSRC(NOACCESS) ACTION(REPLACE)\n",
    ),
    "authorities in two commands": (
        "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('u') AUTHADD(GET,PUT)\n",
        "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('u') AUTHADD(PUT)\n"
        "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('u') AUTHADD(GET)\n",
    ),
    "the profile of the queue manager": (
        "SET AUTHREC OBJTYPE(QMGR) GROUP('g') AUTHADD(CONNECT)\n",
        "SET AUTHREC PROFILE('self') OBJTYPE(QMGR) GROUP('g') AUTHADD(CONNECT)\n",
    ),
    "a list without quotes": (
        "DEFINE NAMELIST(N) NAMES(A, B)\nDEFINE CHANNEL(C) CHLTYPE(SVRCONN) COMPMSG(RLE,NONE)\n",
        "DEFINE NAMELIST(N) NAMES('A','B')\nDEFINE CHANNEL(C) CHLTYPE(SVRCONN) COMPMSG(RLE NONE)\n",
    ),
    "a default object as shipped": (
        "DEFINE QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(5000)\nDEFINE QLOCAL(Q)\n",
        "DEFINE QLOCAL(Q)\n",
    ),
    "a template with the same text": (
        "DEFINE QLOCAL(Q) MAXDEPTH({{ depth }}) DESCR('a')\n",
        "DEFINE QLOCAL(Q) DESCR('a') MAXDEPTH({{ depth }})\n",
    ),
}


@pytest.mark.parametrize("name", EQUAL)
def test_equal_spellings_are_equal(name: str, project: Path, mqlint: Mqlint) -> None:
    done, rows = compared(project, mqlint, *EQUAL[name])
    assert rows == []
    assert done["equal"] is True


DIFFERENT: dict[str, tuple[str, str, list[tuple[str, str, str, str]]]] = {
    "a value": (
        "DEFINE QLOCAL(Q) MAXDEPTH(1)\n",
        "DEFINE QLOCAL(Q)\n",
        [("differs", "qlocal", "Q", "MAXDEPTH")],
    ),
    "only one side": (
        "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(A)\n",
        "DEFINE QLOCAL(Q)\nDEFINE TOPIC(T) TOPICSTR('t')\n",
        [("only-in-a", "qlocal", "A", ""), ("only-in-b", "topic", "T", "")],
    ),
    "another type": (
        "DEFINE QLOCAL(Q)\n",
        "DEFINE QALIAS(Q) TARGET(X)\n",
        [("differs", "qlocal", "Q", "type")],
    ),
    "a default object that one side changes": (
        "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(9)\nDEFINE QLOCAL(Q)\n",
        "DEFINE QLOCAL(Q)\n",
        [
            ("differs", "qlocal", "Q", "MAXDEPTH"),
            ("differs", "qlocal", "SYSTEM.DEFAULT.LOCAL.QUEUE", "MAXDEPTH"),
        ],
    ),
    "case of a quoted name": (
        "DEFINE QLOCAL('q')\n",
        "DEFINE QLOCAL(q)\n",
        [("only-in-b", "qlocal", "Q", ""), ("only-in-a", "qlocal", "q", "")],
    ),
    "a record": (
        "SET CHLAUTH(A) TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(NOACCESS)\n",
        "SET CHLAUTH(A) TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(CHANNEL)\n",
        [("differs", "chlauth", "A TYPE(ADDRESSMAP) ADDRESS(10.*)", "USERSRC")],
    ),
    "an attribute of the queue manager": (
        "ALTER QMGR MAXHANDS(256)\nALTER QMGR DEADQ(A)\n",
        "ALTER QMGR DEADQ(B)\n",
        [("differs", "qmgr", "", "DEADQ"), ("undecided", "qmgr", "", "MAXHANDS")],
    ),
    "a template": (
        "DEFINE QLOCAL(Q) MAXDEPTH({{ a }})\n",
        "DEFINE QLOCAL(Q) MAXDEPTH({{ b }})\n",
        [("undecided", "qlocal", "Q", "MAXDEPTH")],
    ),
    "an object that one side deletes": (
        "DEFINE QLOCAL(Q)\nDELETE QLOCAL(OLD)\n",
        "DEFINE QLOCAL(Q)\n",
        [("undecided", "qlocal", "OLD", "")],
    ),
    "a command that is not understood": (
        "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R MAXDEPTH(5)\n",
        "DEFINE QLOCAL(Q)\n",
        [("undecided", "file", "a.mqsc", "")],
    ),
    "a record of a new queue manager": (
        "ALTER QMGR CHLAUTH(ENABLED)\n"
        "SET CHLAUTH('SYSTEM.*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) ACTION(REPLACE)\n",
        "ALTER QMGR CHLAUTH(ENABLED)\n",
        [("differs", "chlauth", "SYSTEM.* TYPE(ADDRESSMAP)", "USERSRC")],
    ),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_differences_are_found(name: str, project: Path, mqlint: Mqlint) -> None:
    a, b, wanted = DIFFERENT[name]
    _, rows = compared(project, mqlint, a, b)
    found = [(row["state"], row["type"], row["name"], row["attribute"] or "") for row in rows]
    assert sorted(found) == sorted(wanted)


def compared(
    project: Path, mqlint: Mqlint, a: str, b: str, *words: str
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The comparison of two texts in JSON, and its differences; equal ones exit with 0."""
    (project / "mqlint.yaml").write_text("target: {level: 9.3.0, platform: linux}\n")
    (project / "a.mqsc").write_text(a)
    (project / "b.mqsc").write_text(b)
    done = mqlint("diff", "a.mqsc", "b.mqsc", "--format", "json", *words)
    found = json.loads(done.stdout)
    rows = [*found["alone"]]
    for pair in found["queue_managers"]:
        rows += pair["differences"]
    assert found["version"] == 1
    assert done.exit_code == (1 if rows else 0)
    return found, rows


def test_a_default_that_depends_on_the_platform_is_undecided(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text("DEFINE QLOCAL(Q) MAXDEPTH(5000)\n")
    (project / "b.mqsc").write_text("DEFINE QLOCAL(Q)\n")
    done = mqlint("diff", "a.mqsc", "b.mqsc")
    assert done.exit_code == 1
    assert "its default depends on the release or platform" in " ".join(done.output.split())


def test_secrets_are_masked(project: Path, mqlint: Mqlint) -> None:
    line = "DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME(h) XMITQ(X) USERID('u') PASSWORD('{}')\n"
    (project / "a.mqsc").write_text(line.format("hunter2hunter2"))
    (project / "b.mqsc").write_text(line.format("swordfish"))
    for form in ("text", "json", "markdown"):
        done = mqlint("diff", "a.mqsc", "b.mqsc", "--format", form)
        assert done.exit_code == 1
        assert "PASSWORD" in done.output
        assert "hunter" not in done.output
        assert "swordfish" not in done.output
    (project / "b.mqsc").write_text(line.format("swordfish22222"))
    done = mqlint("diff", "a.mqsc", "b.mqsc")
    assert done.exit_code == 0
    assert "secrets that are written on both sides are not compared" in done.output


def test_attributes_and_objects_are_ignored(project: Path, mqlint: Mqlint) -> None:
    a = "DEFINE QLOCAL(Q) DESCR('a')\nDEFINE QLOCAL(TMP.1)\nDEFINE QALIAS(A) DESCR('a') TARGET(Q)\n"
    b = "DEFINE QLOCAL(Q) DESCR('b')\nDEFINE QALIAS(A) DESCR('b') TARGET(Q)\n"
    _, rows = compared(project, mqlint, a, b, "--ignore", "descr", "--ignore-object", "tmp.*")
    assert rows == []
    _, rows = compared(
        project, mqlint, a, b, "--ignore", "qlocal.DESCR", "--ignore-object", "qlocal:TMP.*"
    )
    assert [row["name"] for row in rows] == ["A"]


def test_the_configuration_says_what_is_ignored(project: Path, mqlint: Mqlint) -> None:
    (project / "mqlint.yaml").write_text("compare: {ignore: [descr], ignore_objects: ['TMP.*']}\n")
    (project / "a.mqsc").write_text("DEFINE QLOCAL(Q) DESCR('a')\n")
    (project / "b.mqsc").write_text("DEFINE QLOCAL(Q) DESCR('b')\nDEFINE QLOCAL(TMP.1)\n")
    for command in ("diff", "plan"):
        for form in ("text", "markdown", "json"):
            done = mqlint(command, "a.mqsc", "b.mqsc", "--format", form)
            assert done.exit_code == 0
            assert "descr" in done.output
    (project / "mqlint.yaml").write_text("")
    assert mqlint("plan", "a.mqsc", "b.mqsc").exit_code == 1


def test_names_are_mapped(project: Path, mqlint: Mqlint) -> None:
    a = "DEFINE QREMOTE(PRD.IN) RNAME(X) RQMNAME(PRDQM)\n"
    b = "DEFINE QREMOTE(DRS.IN) RNAME(X) RQMNAME(DRSQM)\n"
    _, rows = compared(project, mqlint, a, b, "--rename", "PRD=DRS")
    assert rows == []


def test_folders_with_ini_files(project: Path, mqlint: Mqlint) -> None:
    (project / "mqlint.yaml").write_text('queue_managers: "*/{queue_manager}/*"\n')
    for side, value in (("one", "CIRCULAR"), ("two", "LINEAR")):
        folder = project / side / "QM1"
        folder.mkdir(parents=True)
        (folder / "qm.ini").write_text(f"Log:\n   LogType={value}\n   LogFilePages=4096\n")
        (folder / "x.mqsc").write_text("DEFINE QLOCAL(Q)\n")
    (project / "two" / "QM2").mkdir()
    (project / "two" / "QM2" / "x.mqsc").write_text("DEFINE QLOCAL(Q)\n")
    done = mqlint("diff", "one", "two")
    assert done.exit_code == 1
    assert "queue manager QM2: only in B" in done.output
    assert "LogType: CIRCULAR -> LINEAR" in done.output
    assert "LogFilePages" not in done.output
    markdown = mqlint("diff", "one", "two", "--format", "markdown")
    assert "| stanza qm.ini log | LogType | CIRCULAR | LINEAR |  |" in markdown.output


def test_commits_are_compared(project: Path, mqlint: Mqlint) -> None:
    git = partial(run_git, cwd=project)
    git("init", "-q", ".")
    (project / "a.mqsc").write_text("DEFINE QLOCAL(Q) MAXDEPTH(1)\n")
    git("add", ".")
    git("commit", "-qm", "one")
    (project / "a.mqsc").write_text("def ql(Q) maxdepth(1)\n")
    git("commit", "-qam", "two")
    (project / "a.mqsc").write_text("DEFINE QLOCAL(Q) MAXDEPTH(2)\n")
    git("commit", "-qam", "three")
    assert mqlint("diff", "HEAD~2..HEAD~1").exit_code == 0
    done = mqlint("diff", "HEAD~1..")
    assert done.exit_code == 1
    assert "MAXDEPTH: 1 -> 2" in done.output
    assert mqlint("diff", "nothing..HEAD").exit_code == 2


def test_wrong_usage_is_an_error(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text("DEFINE QLOCAL(Q)\n")
    (project / "b.txt").write_text("hello\n")
    for words in ((), ("a.mqsc",), ("a.mqsc", "gone"), ("a.mqsc", "b.txt"), ("a..b",)):
        done = mqlint("diff", *words)
        assert done.exit_code == 2
        assert "Traceback" not in done.output
    assert mqlint("diff", "a.mqsc", "a.mqsc", "--rename", "x").exit_code == 2


def test_any_bytes_are_taken(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_bytes(bytes(range(1, 256)) * 3 + b"\nDEFINE QLOCAL('\x1b[31m')\n")
    (project / "b.mqsc").write_bytes(b"DEFINE QLOCAL(A) LIKE(A)\nDEFINE QLOCAL(B) LIKE(A) X(+\n")
    done = mqlint("diff", "a.mqsc", "b.mqsc")
    assert done.exit_code in (0, 1, 2)
    assert "\x1b" not in done.output
    assert "fault of mqlint" not in done.output


def test_values_of_each_site_are_compared(project: Path, mqlint: Mqlint) -> None:
    for side, number in (("a", 1), ("b", 2)):
        for site in ("prod", "dr"):
            variables = project / side / "inventories" / site / "group_vars" / "all.yml"
            variables.parent.mkdir(parents=True)
            variables.write_text(f"# mq\nmq_queue: {site.upper()}.{number}\n")
        template = project / side / "roles" / "mq" / "templates" / "alias.mqsc.j2"
        template.parent.mkdir(parents=True)
        template.write_text("DEFINE QALIAS(IN) TARGET({{ mq_queue }})\n")
    output = mqlint("diff", "a", "b").output
    assert "TARGET: DR.1 -> DR.2" in output
    assert "TARGET: PROD.1 -> PROD.2" in output
    assert "2 differences" in output


def test_copies_of_a_folder_elsewhere_are_equal(project: Path, mqlint: Mqlint) -> None:
    """Queue managers of one name in several folders are told apart by their folders."""
    for side in ("one", "two"):
        for folder, value in (("x", 1), ("y", 2)):
            place = project / side / folder
            place.mkdir(parents=True)
            script = f"#!/bin/sh\ncrtmqm QM1\nrunmqsc QM1 <<E\nDEFINE QLOCAL(Q{value})\nE\n"
            (place / "make.sh").write_text(script)
    done = mqlint("diff", "one", "two")
    assert "No differences" in done.output
    assert done.exit_code == 0


def test_files_without_an_order_are_named(project: Path, mqlint: Mqlint) -> None:
    for side, depth in (("a", 100), ("b", 200)):
        folder = project / side / "QM1"
        folder.mkdir(parents=True)
        (folder.parent / "mqlint.yaml").write_text('queue_managers: "{queue_manager}/*"\n')
        (folder / "one.mqsc").write_text("DEFINE QLOCAL(A) REPLACE MAXDEPTH(7)\n")
        (folder / "two.mqsc").write_text(f"DEFINE QLOCAL(A) REPLACE MAXDEPTH({depth})\n")
    for command in ("diff", "plan"):
        text = " ".join(mqlint(command, "a", "b").output.split())
        assert "depends on the order of QM1/one.mqsc, QM1/two.mqsc" in text


def test_a_folder_beside_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mqlint: Mqlint
) -> None:
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        for name in ("a", "b"):
            (tmp_path / folder / f"{name}.mqsc").write_text(f"DEFINE QLOCAL({name})\n")
    monkeypatch.chdir(tmp_path / "new")
    assert "No differences in 2 queue managers" in mqlint("diff", "../old", ".").stdout
