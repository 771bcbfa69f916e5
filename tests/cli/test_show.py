"""`mqlint show`: what was understood, decoded, with its doubts and without its secrets."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from tests.cli.conftest import Mqlint
from tests.files import write

Show = Callable[..., dict[str, Any]]

SCRIPT = """\
* orders
def ql(orders.in) replace +
    descr('It''s for Leeds') +
    maxdepht(20000)
DEFINE CHANNEL(A.B) CHLTYPE(SDR) XMITQ(B) +
    CONNAME('b.example(1414),c.example(1414)') PASSWORD('swordfish')
DEFINE QLOCAL({{ name }}) MAXDEPTH({{ depth }})
DEFINE QLOCAL(BROKEN
"""


@pytest.fixture
def show(mqlint: Mqlint, project: Path) -> Show:
    """What `show` says, for programs, of a text in a file of some name."""

    def run(text: str, name: str = "a.mqsc", *options: str) -> dict[str, Any]:
        write(project, {name: text})
        done = mqlint("show", name, "--format", "json", *options)
        assert done.exit_code == 0, done.output
        return cast(dict[str, Any], json.loads(done.stdout))

    return run


def words(statement: dict[str, Any]) -> dict[str, object]:
    return {one["word"]: one["value"] for one in statement["attributes"]}


def test_command_is_shown_in_full_and_decoded(show: Show) -> None:
    first = show(SCRIPT)["statements"][0]
    assert (first["verb"], first["noun"], first["name"]) == ("DEFINE", "QLOCAL", "ORDERS.IN")
    assert (first["start"]["line"], first["end"]["line"]) == (2, 4)
    assert words(first) == {"REPLACE": None, "DESCR": "It's for Leeds", "MAXDEPHT": "20000"}


def test_what_is_not_understood_is_said_with_its_reason(show: Show) -> None:
    found = show(SCRIPT)
    first = found["statements"][0]
    assert first["understood"] is False
    (doubt,) = first["doubts"]
    assert doubt["start"] == {"line": 4, "column": 5}
    assert doubt["rule"].startswith("VOC")
    assert "MAXDEPHT" in doubt["message"]
    last = found["statements"][-1]
    assert (last["kind"], last["start"]["line"]) == ("unread", 8)
    assert last["doubts"]
    assert (found["commands"], found["understood"]) == (4, 2)


def test_template_is_unknown(show: Show) -> None:
    third = show(SCRIPT)["statements"][2]
    (depth,) = [one for one in third["attributes"] if one["word"] == "MAXDEPTH"]
    assert depth == {"word": "MAXDEPTH", "value": "{{ depth }}", "unknown": True}


SECRETS = [
    "DEFINE CHANNEL(A.B) CHLTYPE(SDR) PASSWORD('swordfish')",
    "DEFINE CHANNEL(A.B) CHLTYPE(SDR) PASWORD('swordfish')",
    "DEFINE CHANNEL(A.B) CHLTYPE(SDR) PASSWORD swordfish",
    "DEFINE CHANNEL(A.B) CHLTYPE(SDR) PASSWORD('swordfish XMITQ(B)",
    "ALTER AUTHINFO(A) AUTHTYPE(IDPWLDAP) LDAPPWD(swordfish)",
    "ALTER QMGR SSLCRYP('swordfish {{ x }}')",
]


@pytest.mark.parametrize("command", SECRETS)
def test_secrets_are_masked(mqlint: Mqlint, project: Path, command: str) -> None:
    (project / "a.mqsc").write_text(f"{command}\n")
    for form in ("text", "json"):
        done = mqlint("show", "a.mqsc", "--format", form)
        assert done.exit_code == 0
        assert "swordfish" not in done.output.casefold()


def test_mqsc_inside_a_shell_script(show: Show) -> None:
    text = "#!/bin/sh\nstrmqm QM1\nrunmqsc QM1 <<EOF\ndef ql(A) +\n  maxdepth(5)\nEOF\n"
    found = show(text, "a.sh")
    kinds = [(one["kind"], one["title"], one["start"]["line"]) for one in found["statements"]]
    assert kinds == [
        ("step", "strmqm", 2),
        ("step", "runmqsc", 3),
        ("command", "DEFINE QLOCAL", 4),
    ]
    command = found["statements"][2]
    assert (command["queue_manager"], words(command)) == ("QM1", {"MAXDEPTH": "5"})
    assert command["end"] == {"line": 5, "column": 14}


def test_commands_in_a_document(show: Show) -> None:
    found = show("# Queues\n\n```mqsc\nDEFINE QLOCAL(A) MAXDEPTH(5)\n```\n", "README.md")
    assert [statement["name"] for statement in found["statements"]] == ["A"]


def test_stanzas(show: Show) -> None:
    found = show("Log:\n   LogType=LINEAR\n   LogTyp\n", "QMA/qm.ini")
    stanza = found["statements"][0]
    assert (stanza["kind"], stanza["title"]) == ("stanza", "Log")
    assert words(stanza) == {"LogType": "LINEAR"}
    assert found["statements"][1]["kind"] == "unread"


def test_connections_of_applications(show: Show) -> None:
    found = show(
        "mq.queue.manager=QMA\nmq.channel.name=${CHANNEL}\nmq.password=${SECRET}\nmq.queue=PAY.IN\n",
        "mq-sink.properties",
    )
    kinds = [(each["kind"], each["title"], each["name"]) for each in found["statements"]]
    assert kinds == [("declaration", "connection", None), ("declaration", "use", "PAY.IN")]
    assert words(found["statements"][0]) == {
        "source": "kafka",
        "QMNAME": "QMA",
        "channel": None,
        "password": None,
    }


def test_site_queue_manager_and_target(show: Show, project: Path) -> None:
    (project / "mqlint.yaml").write_text("queue_managers: ['{site}/{queue_manager}/*']\n")
    found = show("DEFINE QLOCAL(A)\n", "prod/QMA/a.mqsc", "--target", "9.4.0/linux")
    assert (found["site"], found["site_guessed"]) == ("production", True)
    assert (found["queue_manager"], found["target"]) == ("QMA", "9.4.0/linux")


def test_sites_of_the_parts_of_a_file(show: Show, mqlint: Mqlint) -> None:
    script = "#!/bin/sh\ncase $1 in\nprod) strmqm ORDQM1 ;;\ndr) strmqm ORDQM1 ;;\nesac\ndspmq\n"
    found = show(script, "start.sh")["statements"]
    assert [one.get("site") for one in found] == ["production", "dr", None]
    assert "4  strmqm  (guessed site dr, queue manager ORDQM1" in mqlint("show", "start.sh").output
    found = show(script, "prod/start.sh")["statements"]
    assert [one.get("site") for one in found] == [None] * 3


def test_text_form(mqlint: Mqlint, project: Path) -> None:
    (project / "a.mqsc").write_text(SCRIPT)
    lines = mqlint("show", "a.mqsc").output.splitlines()
    assert lines[0] == "a.mqsc: mqsc, utf-8"
    assert lines[1] == "2  DEFINE QLOCAL ORDERS.IN  (not understood)"
    assert lines[3] == "     DESCR     It's for Leeds"
    assert lines[5].startswith("     ! 4:5 VOC")
    assert "8  could not be read" in lines
    assert lines[-1] == "2 of 4 commands understood."


def test_standard_input(mqlint: Mqlint, project: Path) -> None:
    done = mqlint("show", "-", "--stdin-filename", "x.mqsc", stdin="DEF QL(A)\n")
    assert done.output.startswith("x.mqsc: mqsc")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gone.mqsc", "no such file"),
        ("a.txt", "is not a file type that mqlint knows"),
        (".", "a folder"),
    ],
)
def test_what_cannot_be_shown_is_said(mqlint: Mqlint, project: Path, name: str, said: str) -> None:
    (project / "a.txt").write_text("Dear reader,\n")
    done = mqlint("show", name)
    assert done.exit_code == 2
    assert said in done.stderr


@pytest.mark.parametrize("data", [b"", b"\0" * 99, bytes(range(256)) * 3, b"DEF QL('" * 99])
def test_any_bytes(mqlint: Mqlint, project: Path, data: bytes) -> None:
    (project / "a.mqsc").write_bytes(data)
    done = mqlint("show", "a.mqsc")
    assert done.exit_code in (0, 2)
    assert "mqlint stopped" not in done.stderr


def test_control_characters_are_shown(mqlint: Mqlint, project: Path) -> None:
    (project / "a.mqsc").write_text("DEFINE QLOCAL(A) DESCR('\x1b[31m')\n")
    assert "\\x1b[31m" in mqlint("show", "a.mqsc").output
