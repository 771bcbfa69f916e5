"""A file that is named is checked, or that it is not is a finding; what it is can be said."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path

import pytest

from mqlint.report import FORMATS
from tests.cli.conftest import Mqlint
from tests.files import write

FILES: dict[str, bytes] = {
    "prose.txt": b"Dear reader,\n",
    "picture.png": b"\x89PNG\r\n\x1a\n\0\0",
    "keys.kdb": b"\0\1\2",
    "queues.mqsc": b"DEFINE QLOCAL(APP.IN)\n",
    "spoilt.mqsc": b"DEFINE QLOCAL(APP.IN)\0\n",
    "empty.mqsc": b"",
    "build.sh": b"#!/bin/sh\nmake all\n",
    "values.yaml": b"replicas: 2\n",
    "Dockerfile": b"FROM scratch\n",
    "main.tf": b'resource "null" "x" {}\n',
    "app.properties": b"colour=blue\n",
}
UNCHECKED = {
    "prose.txt": "language not recognised",
    "picture.png": "not a text file",
    "keys.kdb": "not a text file",
    "spoilt.mqsc": "NUL bytes",
    "gone.mqsc": "no such file",
}


@pytest.fixture
def files(project: Path) -> Path:
    for name, data in FILES.items():
        (project / name).write_bytes(data)
    (project / "gone.mqsc").symlink_to("nowhere")
    return project


@pytest.mark.parametrize("name", [*FILES, "gone.mqsc"])
def test_a_file_that_is_named_is_checked_or_reported(
    files: Path, mqlint: Mqlint, name: str
) -> None:
    done = mqlint("check", name)
    reason = UNCHECKED.get(name)
    assert done.exit_code == (0 if reason is None else 1)
    assert ("FIL001" in done.output) is (reason is not None)
    assert reason is None or reason in done.output


@pytest.mark.parametrize("name", [*FILES, "gone.mqsc"])
def test_of_filtered_names_only_one_that_cannot_be_read_fails(
    files: Path, mqlint: Mqlint, name: str
) -> None:
    done = mqlint("check", "--filtered", name)
    assert done.exit_code == (1 if name in ("spoilt.mqsc", "gone.mqsc") else 0)
    assert "FIL001" not in done.output


def test_what_a_folder_holds_is_counted_and_listed(files: Path, mqlint: Mqlint) -> None:
    done = mqlint("check", ".", "--verbose", "--exit-zero")
    assert "5 without MQ configuration, 4 not recognised, 1 unreadable" in done.output
    assert "FIL001" not in done.output
    assert {"not read: prose.txt", "no MQ configuration: main.tf"} <= set(done.output.splitlines())
    coverage = json.loads(mqlint("check", ".", "--format", "json").stdout)["coverage"]
    listed = {row["path"]: row["status"] for row in coverage["not_checked"]}
    assert listed["values.yaml"] == "without-mq"
    assert listed["picture.png"] == "not-recognised"


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_names_it(files: Path, mqlint: Mqlint, form: str) -> None:
    assert "FIL001" in mqlint("check", "prose.txt", "--format", form).output


def test_an_unknown_text_on_standard_input_is_reported(project: Path, mqlint: Mqlint) -> None:
    assert mqlint("check", "-", stdin="Dear reader,\n").exit_code == 1
    assert mqlint("check", "-", "--language", "mqsc", stdin="DEFINE QLOCAL(A)\n").exit_code == 0


def test_what_is_excluded_and_named_is_reported(files: Path, mqlint: Mqlint) -> None:
    (files / "mqlint.yaml").write_text("exclude: ['*.mqsc']\n")
    done = mqlint("check", "queues.mqsc")
    assert done.exit_code == 1
    assert "excluded by `exclude: *.mqsc` in the configuration" in " ".join(done.output.split())
    assert mqlint("check", "--filtered", "queues.mqsc").exit_code == 0


MISSPELT = "define qlocal (APP.IN) maxdepht(5)\n"


@pytest.mark.parametrize("pattern", ["ops/*.md", "*.md", "ops/**"])
def test_the_configuration_says_what_files_are(project: Path, mqlint: Mqlint, pattern: str) -> None:
    (project / "ops").mkdir()
    (project / "ops" / "monday.md").write_text(MISSPELT)
    assert mqlint("check", ".").exit_code == 3
    (project / "mqlint.yaml").write_text(f"files: {{types: {{'{pattern}': mqsc}}}}\n")
    assert "VOC002" in mqlint("check", ".").output
    assert "VOC002" in mqlint("check", ".", "--jobs", "2").output


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("{types: {'*.x': mqcs}}", "'mqcs' is not a language: did you mean 'mqsc'?"),
        ("{types: {'[a': mqsc}}", "bad path pattern '[a'"),
        ("{types: [mqsc]}", "mqlint.yaml:1"),
        ("{typs: {}}", "typs"),
    ],
)
def test_a_wrong_type_is_refused(project: Path, mqlint: Mqlint, written: str, message: str) -> None:
    (project / "mqlint.yaml").write_text(f"files: {written}\n")
    done = mqlint("check", ".")
    assert done.exit_code == 2
    assert message in done.stderr


def test_commands_that_are_not_followed_are_listed_in_any_case(
    project: Path, mqlint: Mqlint
) -> None:
    (project / "a.sh").write_text("#!/bin/sh\n" + "$RUN QM1 <<X\nDEFINE QLOCAL(A)\nX\n" * 9)
    text = mqlint("check", "a.sh").output
    assert "9 statements that may have commands of MQ" in text
    assert "not followed: a.sh:2: $RUN QM1 <<X\n" in text
    assert "more (see --verbose)" in text
    assert mqlint("check", "a.sh", "--verbose").output.count("not followed: a.sh:") == 9


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("a.sh", "#!/bin/sh\nbase64 -d > x <<E\nTEXT\nE\nsh x\n", "a.sh:3: ****"),
        ("a.ps1", "iex (ConvertFrom-Own 'TEXT')\n", "a.ps1:1: iex"),
        ("a.cmd", "@echo off\r\nrem\r\nown TEXT\r\n", "a.cmd:3: own"),
    ],
)
def test_commands_in_base64_are_not_followed(
    project: Path, mqlint: Mqlint, path: str, text: str, line: str
) -> None:
    code = b64encode(b"#!/bin/sh\nstrmqm -x QM1\n").decode()
    (project / path).write_text(text.replace("TEXT", code), newline="")
    assert f"not followed: {line}" in mqlint("check", ".").output


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.sh", "#!/bin/bash\nstr\\\nmqm -nosuch QM1\n"),
        ("a.sh", "#!/bin/bash\n$'str\\x6dqm' -nosuch QM1\n"),
        ("a.cmd", "@echo off\r\nst^rmqm -nosuch QM1\r\n"),
        ("a.ps1", "str`mqm -nosuch QM1\n"),
        ("a.sh", "#!/bin/sh\nrunmqsc -f /dev/stdin QM1 <<E\nDEFINE QLOCAL(A) NOSUCH(1)\nE\n"),
        ("a.sh", "#!/bin/sh\necho 'DEFINE QL(A) NOSUCH(1)' | cat /dev/stdin | runmqsc QM1\n"),
    ],
)
def test_names_with_escapes_are_read(project: Path, mqlint: Mqlint, path: str, text: str) -> None:
    (project / path).write_text(text, newline="")
    assert "nosuch" in mqlint("check", ".").output.lower()


def test_only_keys_of_policies_make_a_policy(project: Path, mqlint: Mqlint) -> None:
    text = "severity: error\nmessage: a\ncases: b\n"
    (project / "a.yml").write_text(f"{text}a:\n  commands:\n    - strmqm -nosuch QM1\n")
    (project / "b.yml").write_text(f"{text}check: |\n  runmqsc QM1\n")
    output = mqlint("check", ".").output
    assert "not read: a.yml" in output
    assert "b.yml" not in output


def test_statements_that_were_not_judged_are_listed(project: Path, mqlint: Mqlint) -> None:
    (project / "a.sh").write_text(
        "#!/bin/sh\nif test -n $1; then\nrunmqsc QM1 <<X\nDEFINE QLOCAL(A)\nX\nfi\n"
        "runmqsc QM1 <<X\nDEFINE QLOCAL($NAME)\nDEFINE QLOCAL(B) NOSUCH(1)\nX\n"
    )
    coverage = json.loads(mqlint("check", "a.sh", "--format", "json").stdout)["coverage"]
    assert [(row["line"], row["kind"], row["text"]) for row in coverage["not_judged"]] == [
        (3, "may-not-run", "runmqsc QM1 <<X"),
        (4, "may-not-run", "DEFINE QLOCAL(A)"),
        (8, "unknown-value", "DEFINE QLOCAL($NAME)"),
        (9, "not-understood", "DEFINE QLOCAL(B) NOSUCH(1)"),
    ]
    assert coverage["unjudged"] == {
        "not-understood": 1,
        "not-followed": 0,
        "may-not-run": 2,
        "unknown-value": 1,
    }
    text = mqlint("check", "a.sh", "--verbose").output
    assert "not understood: a.sh:9: DEFINE QLOCAL(B) NOSUCH(1)" in text
    assert "checked separately: a.sh:4 (branch): DEFINE QLOCAL(A)" in text
    assert "unknown value: a.sh:8: DEFINE QLOCAL($NAME)" in text
    assert "2 statements in a branch, loop or function" in mqlint("check", "a.sh").output


def test_rules_that_wait_for_configuration_are_counted(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text(
        "DEFINE QREMOTE(A) RNAME(B) RQMNAME(QM2) XMITQ(NOWHERE)\n"
        "DEFINE CHANNEL(C.QM1) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('mq1.wharfe.example')\n"
    )
    text = " ".join(mqlint("check", ".", "--profile", "production").output.split())
    assert "rules need `inventory: objects`, `queue_managers`, `sites` in mqlint.yaml" in text
    (project / "mqlint.yaml").write_text(
        "queue_managers: '{queue_manager}.mqsc'\ninventory: {objects: complete}\n"
        "sites: {leeds: {role: production, paths: ['*']}}\n"
    )
    assert "rules need" not in mqlint("check", ".", "--profile", "production").output


@pytest.mark.parametrize("command", ["check", "chlauth audit", "questions", "policy check"])
def test_a_blank_path_is_refused(mqlint: Mqlint, command: str) -> None:
    done = mqlint(*command.split(), "")
    assert (done.exit_code, "a path is blank" in done.stderr) == (2, True)


@pytest.mark.parametrize("level", ["12.9", "9.9.0", "8.1", "0.1", "990"])
def test_a_release_that_does_not_exist_is_refused(mqlint: Mqlint, level: str) -> None:
    done = mqlint("check", "--target", level)
    assert (done.exit_code, "release" in done.stderr) == (2, True)


def test_documents_are_read_if_they_are_named(project: Path, mqlint: Mqlint) -> None:
    (project / "runbook.md").write_text("# Friday\n\n```\nALTER QMGR CHLAUTH(DISABLED)\n```\n")
    searched = mqlint("check", ".", "-v")
    assert "name documents such as runbook.md" in searched.stderr
    assert "not read: runbook.md: a document: name it to check the" in searched.stdout
    assert "SEC001" not in mqlint("check", "--filtered", "runbook.md").output
    done = mqlint("check", "runbook.md")
    assert "runbook.md:4:12 warning SEC001" in done.output
    assert "1 file checked; 1 command, all understood" in done.output


def test_programs_with_commands_are_named_in_the_summary(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text("DEFINE QLOCAL(APP.IN)\n")
    (project / "make.rb").write_text("run('runmqsc', 'QMA')\n")
    done = mqlint("check", ".")
    assert "not read: make.rb: a program with MQ commands; mqlint does not read" in done.output


def test_of_a_large_folder_only_what_is_near_the_named_file_is_read(
    project: Path, mqlint: Mqlint, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {
        "mqlint.yaml": 'queue_managers: "*/{queue_manager}/*.mqsc"\n',
        "one/QMA/use.mqsc": "DEFINE QALIAS(APP.ALIAS) TARGET(APP.QUEUE)\n",
        "two/QMA/base.mqsc": "DEFINE QLOCAL(APP.QUEEU)\n",
        "two/QMB/other.mqsc": "DEFINE QLOCAL(APP.OTHER)\n",
        "notes.txt": "nothing\n",
    }
    write(project, texts)
    words = ("check", "--config", "mqlint.yaml", "one/QMA/use.mqsc")
    assert "assumed: nothing in" not in mqlint(*words).output
    monkeypatch.setattr("mqlint.cli.common.targets.MOST_CONTEXT", 2)
    done = mqlint(*words)
    assert "APP.QUEEU" in done.output
    assert "nothing in 2 other files of this folder is about the named files" in done.output


@pytest.mark.parametrize("name", ["--exit-zero", "--ignore=VOC002", "-q", "-qv", "-", "--ignore"])
def test_a_file_does_not_become_an_option(project: Path, mqlint: Mqlint, name: str) -> None:
    (project / "a.mqsc").write_text("DEFINE QLOCAL(A) MAXDEPHT(1)\n")
    (project / name).write_text("DEFINE QLOCAL(B) MAXDEPHT(1)\n")
    done = mqlint("check", "--filtered", "a.mqsc", name)
    assert done.exit_code == 2
    assert f"write ./{name} for the file" in done.output
    for words in (("--", "a.mqsc", f"./{name}"), ("a.mqsc", f"./{name}")):
        done = mqlint("check", "--filtered", *words)
        assert done.exit_code == 1
        assert done.output.count("MAXDEPHT(1)") == 2
