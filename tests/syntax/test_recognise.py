"""Which language a file is in; false recognition is worse than a miss."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.syntax.recognise import recognise
from tests.timing import seconds

DUMP = "****\n* Script generated on 2026-05-14   at 14.47.03\n* Queue manager name: QMA\n"
QM_INI = "#* Module Name: qm.ini  *#\n\nExitPath:\n   ExitsDefaultPath=/x\n"
CRON = "SHELL=/bin/sh\n15 1 * * * mqm /opt/mqm/bin/rcdmqimg -m QMA -t all '*'\n"

FILES = [
    # path, text, language
    ("a/dump.txt", DUMP, "mqsc"),
    ("a/dump", DUMP, "mqsc"),
    ("a/b.mqsc", "", "mqsc"),
    ("a/b.mqsc", "* later\n", "mqsc"),
    ("a\\B.MQS", "def ql(a)", "mqsc"),
    ("a/b.in", "\n* x\ndefine qlocal(a) replace\n", "mqsc"),
    ("a/b.txt", "ALTER QMGR +\n  DEADQ(DLQ)\n", "mqsc"),
    ("a/b.txt", "refresh security type(connauth)\n", "mqsc"),
    ("a/b", "SET AUTHREC PROFILE(A)\n", "mqsc"),
    ("a/b", "DEFINE CHANNEL (A) CHLTYPE(SVRCONN)\n", "mqsc"),
    ("a/b.in.j2", "{% for q in queues %}\nDEFINE QLOCAL({{ q }})\n{% endfor %}\n", "mqsc"),
    ("a/b.mqsc.tpl", "ALTER QMGR SSLKEYR('{{ .K }}')\n", "mqsc"),
    ("a/b.txt", "Display queue status on the second screen.\n", None),
    ("a/b.txt", "Display queue (local ones) and wait.\n", None),
    ("a/b.txt", "Start channel A before noon\n", None),
    ("a/b.txt", "Display security settings\n", None),
    ("a/b.txt", "define process(x):\n    return x\n", None),
    ("a/b.txt", "", None),
    ("a/b.py", "def process(a):\n", None),
    ("a/README.md", "DEFINE QLOCAL(A)\n", None),
    ("a/b.yaml", "Log:\n  LogType: LINEAR\n", None),
    ("a/b.json", '{"DEFINE": "QLOCAL(A)"}', None),
    ("a/b.txt", "DEFINE QLOCAL(A)\0\n", None),
    ("a/qm.ini", QM_INI, "ini"),
    ("a/qm.ini", "Log:\n   LogType=LINEAR\n", "ini"),
    ("a/qm.ini", "Channel: 2\n  MaxChannels=5\n", "ini"),
    ("a/other.ini", "Channel: 2\n  MaxChannels=5\n", None),
    ("a/extra.ini", "TuningParameters:\n  DefaultQBufferSize=1\n", "ini"),
    ("a/rdqm.ini.j2", "{% for h in hosts %}\nNode:\n  Name={{ h }}\n{% endfor %}\n", "ini"),
    ("a/mqs.ini", "AllQueueManagers:\n   DefaultPrefix=/var/mqm\n", "ini"),
    ("a/qm.ini", "[section]\nkey=value\n", None),
    ("a/setup.ini", "[log]\nfile=a\n", None),
    ("a/other.ini", "Anything:\n  key=value\n", None),
    ("a/other.ini", "Service:\n  name: value\n", None),
    ("a/php.ini", "", None),
    ("a/up.sh", "strmqm QMA\n", "shell"),
    ("a/up", "#!/usr/bin/env bash\nstrmqm QMA\n", "shell"),
    ("a/up", "#! /usr/bin/ksh93\n/opt/mqm/bin/strmqm QMA\n", "shell"),
    ("a/up.sh.j2", "#!/bin/sh\nstrmqm {{ q }}\n", "shell"),
    ("a/up.sh", "#!/bin/sh\n" + "# x\n" * 9000 + "strmqm QMA\n", "shell"),
    ("a/up.sh", "echo nothing of MQ\n", None),
    ("a/up", "#!/usr/bin/python3\nprint('strmqm QMA')\n", None),
    ("a/up.sh", "#!/usr/bin/perl\nsystem('strmqm QMA');\n", None),
    ("cron.d/mq", CRON, "crontab"),
    ("a/mqm.crontab", "# x\n" + CRON, "crontab"),
    ("cron.d/other", "1 2 * * * root /bin/true\n", None),
    ("a/numbers.txt", "1 2 3 4 5 6\n7 8 9 10 11 12\n", None),
]


@pytest.mark.parametrize(("path", "text", "language"), FILES)
def test_a_file_is_told_by_what_stands_in_it(path: str, text: str, language: str | None) -> None:
    assert recognise(path, text) == language


@given(st.text(max_size=20), st.text())
def test_any_name_and_text_gives_an_answer(path: str, text: str) -> None:
    assert recognise(path, text) in (None, "mqsc", "ini", "shell", "crontab")


@pytest.mark.parametrize(
    "unit", ["a ", "DEFINE ", "alter qmgr a", "alter qmgr(a", "{{", "* * ", "1 2 "]
)
def test_it_is_cheap(unit: str) -> None:
    text = unit * (2_000_000 // len(unit))
    paths = ("a", "a.ini", "a.txt", "a.sh")
    assert seconds(lambda: [recognise(path, text) for path in paths]) < 2


def _read(path: Path) -> str:
    return path.read_bytes()[:100_000].decode("utf-8", "replace")


def test_the_projects_own_sources_are_not_taken_for_configuration() -> None:
    root = Path(__file__).parents[2]
    folders = ("mqlint", "tests", "policies", "grammar", "benchmarks", "docs")
    files = [path for folder in folders for path in (root / folder).rglob("*") if path.is_file()]
    plain = [path for path in files if path.suffix in (".py", ".md", ".yaml", ".lark", ".json")]
    assert plain
    assert [path for path in plain if recognise(str(path), _read(path))] == []


def test_the_examples_are_recognised(estate: Path) -> None:
    missed = [
        path.name
        for path in estate.rglob("*")
        if path.is_file() and recognise(str(path), _read(path)) is None
    ]
    assert sorted(missed) == ["MISTAKES.md", "mqlint.yaml"]


def test_texts_of_other_packages_are_not_taken_for_configuration() -> None:
    folder = Path("/usr/share/doc")
    if not folder.is_dir():
        pytest.skip("no /usr/share/doc here")
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    assert [path for path in files[:5000] if recognise(str(path), _read(path))] == []


def test_the_corpus_is_recognised(corpus: Path) -> None:
    found: dict[str | None, set[str]] = {}
    for path in corpus.rglob("*"):
        if path.is_file():
            found.setdefault(recognise(str(path), _read(path)), set()).add(path.suffix.lower())
    assert found["ini"] <= {".ini", ".j2", ".default"}
    assert found["mqsc"] <= {".mqsc", ".mqs", ".tpl", ".j2", ".txt"}
    assert found[None] <= {".json", ".yaml", ".yaml_template", ".tsv", ".ini"}
