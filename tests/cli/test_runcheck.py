"""`mqlint runcheck` and `mqlint chlauth audit`: what people and programs are told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import Result

from tests.cli.conftest import Mqlint

SCRIPT = """\
ALTER QMGR CHLAUTH(ENABLED)
DEFINE CHANNEL(APP.SVRCONN) CHLTYPE(SVRCONN)
DEFINE CHANNEL(TO.QM1) CHLTYPE(CLUSRCVR) CONNAME('a.example.com') CLUSTER(C) MCAUSER('nobody')
SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)
SET CHLAUTH('APP.SVRCONN') TYPE(ADDRESSMAP) ADDRESS('10.20.*') USERSRC(MAP) MCAUSER('app')
SET CHLAUTH('APP.SVRCONN') TYPE(USERMAP) CLNTUSER('anna') USERSRC(CHANNEL)
SET CHLAUTH('TO.*') TYPE(QMGRMAP) QMNAME('QM2*') ADDRESS('10.30.1-9.*') MCAUSER('mover')
"""
CONFIG = """\
queue_managers: "{site}/{queue_manager}/*"
sites:
  leeds: {role: production, paths: ["leeds/**"]}
  derby: {role: dr, paths: ["derby/**"]}
"""


@pytest.fixture
def estate(project: Path) -> Path:
    """Two sites with three queue managers, two of one name."""
    (project / "mqlint.yaml").write_text(CONFIG)
    for name in ("leeds/QM1", "leeds/QM2", "derby/QM1"):
        (project / name).mkdir(parents=True)
        (project / name / "a.mqsc").write_text(SCRIPT)
    return project


@pytest.fixture
def path(project: Path) -> Path:
    """One file, which does not say whose it is."""
    (project / "a.mqsc").write_text(SCRIPT)
    return project


def told(result: Result) -> dict[str, Any]:
    return cast(dict[str, Any], json.loads(result.stdout))


def test_the_answer_for_people(path: Path, mqlint: Mqlint) -> None:
    words = ("--channel", "APP.SVRCONN", "--address", "10.20.3.4", "--client-user", "otto")
    done = mqlint("runcheck", *words)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "a.mqsc: channel APP.SVRCONN (SVRCONN) from 10.20.3.4"
    assert lines[1] == "allowed as app: the record maps it"
    assert lines[2] == "  by ADDRESSMAP(APP.SVRCONN) ADDRESS(10.20.*) (a.mqsc:5)"
    assert "  - USERMAP(APP.SVRCONN) CLNTUSER(anna): otto is not CLNTUSER(anna) (a.mqsc:6)" in lines
    assert "  - otto is no MQ administrator" not in lines
    assert "  - app is not an MQ administrator" in lines
    assert lines[-1] == (
        "  DISPLAY CHLAUTH('APP.SVRCONN') MATCH(RUNCHECK) ALL ADDRESS('10.20.3.4') CLNTUSER('otto')"
    )


def test_files_that_a_script_runs_describe_its_queue_manager(project: Path, mqlint: Mqlint) -> None:
    commands = SCRIPT.splitlines(keepends=True)
    (project / "channels.mqsc").write_text("".join(commands[:3]))
    (project / "records.mqsc").write_text("".join(commands[3:]))
    (project / "run.sh").write_text(
        "#!/bin/sh\nrunmqsc QM1 < channels.mqsc\nrunmqsc QM1 < records.mqsc\n"
    )
    words = ("--channel", "APP.SVRCONN", "--address", "10.20.3.4", "--client-user", "otto")
    lines = mqlint("runcheck", *words).stdout.splitlines()
    assert lines[0] == "QM1: channel APP.SVRCONN (SVRCONN) from 10.20.3.4"
    assert lines[2] == "  by ADDRESSMAP(APP.SVRCONN) ADDRESS(10.20.*) (records.mqsc:2)"


def test_the_answer_for_programs(path: Path, mqlint: Mqlint) -> None:
    words = ("--channel", "TO.QM1", "--address", "10.30.4.5", "--remote-queue-manager", "QM2A")
    done = mqlint("runcheck", *words, "--format", "json")
    found = told(done)
    assert (done.exit_code, found["verdict"], found["user"]) == (0, "allowed", "mover")
    assert (found["record"]["path"], found["record"]["line"]) == ("a.mqsc", 7)
    assert [named["record"]["line"] for named in found["passed_over"]] == [4]
    assert found["checks"][-1]["read"] is True
    assert found["assumptions"]
    assert found["possible"] == []
    assert found["confidence"] == "high"


def test_a_blocked_and_an_unknown_connection_have_a_status_of_their_own(
    path: Path, mqlint: Mqlint
) -> None:
    asked = ("runcheck", "--channel", "APP.SVRCONN", "--format", "json")
    blocked = mqlint(*asked, "--address", "192.0.2.1", "--client-user", "otto")
    assert (blocked.exit_code, told(blocked)["verdict"]) == (1, "blocked")
    unknown = mqlint(*asked, "--address", "10.20.1.1")
    assert (unknown.exit_code, told(unknown)["verdict"]) == (4, "unknown")
    possible = {(named["verdict"], named["user"]) for named in told(unknown)["possible"]}
    assert possible == {("allowed", None), ("allowed", "app")}


def test_all_addresses_of_a_network_are_cut_into_regions(path: Path, mqlint: Mqlint) -> None:
    words = ("--channel", "TO.QM1", "--from", "10.30.0.0/16", "--remote-queue-manager", "QM2A")
    done = mqlint("runcheck", *words, "--format", "json")
    found = {tuple(named["addresses"]): named["verdict"] for named in told(done)["regions"]}
    assert found == {("10.30.1-9.*",): "allowed", ("10.30.0.*", "10.30.10-255.*"): "blocked"}
    assert "10.30.1-9.*\n  allowed as mover" in mqlint("runcheck", *words).stdout


@pytest.mark.parametrize("user", ["o'hara", "x') ADDRESS('*", "a\\b", "'", "ünal"])
def test_a_hostile_name_cannot_break_the_command_for_a_live_queue_manager(
    path: Path, mqlint: Mqlint, user: str
) -> None:
    words = ("--channel", "APP.SVRCONN", "--address", "10.20.3.4", "--client-user", user)
    text = told(mqlint("runcheck", *words, "--format", "json"))["runcheck"]
    (path / "ask.mqsc").write_text(text + "\n")
    (shown,) = told(mqlint("show", "ask.mqsc", "--format", "json"))["statements"]
    values = {word["word"]: word["value"] for word in shown["attributes"]}
    assert values["CLNTUSER"] == user
    assert values["ADDRESS"] == "10.20.3.4"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--channel", "A.B"), "give either --address or --from"),
        (("--channel", "A.*", "--address", "10.1.1.1"), "'A.*' is not a valid channel name"),
        (("--channel", "APP.SVRCONN", "--address", "10.1.*"), "is not an IP address"),
        (("--channel", "APP.SVRCONN", "--address", "db"), "is not an IP address"),
        (("--channel", "APP.SVRCONN", "--from", "10.1.*"), "write it as 10.20.0.0/16, or any"),
        (("--channel", "APP.SRVCONN", "--address", "10.1.1.1"), "did you mean APP.SVRCONN?"),
        (("--channel", "APP.SVRCONN", "--address", "10.1.1.1", "no.such"), "no such file"),
        (
            ("--channel", "APP.SVRCONN", "--address", "10.1.1.1", "--client-user", "a\nb"),
            "has a control character in it",
        ),
        (
            ("--channel", "A", "--address", "10.1.1.1", "--no-password", "--authenticated", "u"),
            "contradict each other",
        ),
        (
            ("--channel", "A", "--address", "10.1.1.1", "--queue-manager", "QM1"),
            "set queue_managers: in mqlint.yaml to name it",
        ),
    ],
)
def test_what_cannot_be_asked(
    path: Path, mqlint: Mqlint, words: tuple[str, ...], message: str
) -> None:
    done = mqlint("runcheck", *words)
    assert done.exit_code == 2
    assert message in done.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "name one with --queue-manager: QM1 at derby, QM1 at leeds, QM2 at leeds"),
        (("--queue-manager", "QM3"), "did you mean QM2?"),
        (("--queue-manager", "PAYROLL"), "the files describe QM1, QM2"),
        (("--queue-manager", "QM1"), "choose with --site: QM1 at derby, QM1 at leeds"),
        (("--queue-manager", "QM2", "--site", "derby"), "QM2 is not at derby, but at leeds"),
    ],
)
def test_which_queue_manager_is_meant(
    estate: Path, mqlint: Mqlint, words: tuple[str, ...], message: str
) -> None:
    done = mqlint("runcheck", "--channel", "APP.SVRCONN", "--address", "10.1.1.1", *words)
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())


def test_a_queue_manager_of_one_site(estate: Path, mqlint: Mqlint) -> None:
    words = ("--channel", "APP.SVRCONN", "--address", "10.1.1.1", "--client-user", "otto")
    done = mqlint("runcheck", "--queue-manager", "QM1", "--site", "derby", *words)
    assert done.exit_code == 1
    assert "derby/QM1/a.mqsc:4" in done.stdout


def test_the_audit_says_of_each_channel_who_can_start_it(path: Path, mqlint: Mqlint) -> None:
    done = mqlint("chlauth", "audit")
    assert done.exit_code == 0
    assert "  APP.SVRCONN (SVRCONN)  a.mqsc:2\n    anybody\n" in done.stdout
    assert "    user anna\n      allowed as anna from any address (a.mqsc:6)\n" in done.stdout
    assert "    queue manager QM2*\n      allowed as mover from 10.30.1-9.*" in done.stdout


def test_the_audit_of_a_channel_without_a_user(tmp_path: Path, mqlint: Mqlint) -> None:
    channel = "DEFINE CHANNEL(APP) CHLTYPE(SVRCONN)\n"
    record = "SET CHLAUTH(APP) TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(CHANNEL) ACTION(ADD)\n"
    (tmp_path / "a.mqsc").write_text(channel + record, "utf-8")
    done = mqlint("chlauth", "audit", str(tmp_path))
    assert "    anybody\n      allowed as the user that it sends from any address" in done.stdout


def test_the_audit_for_programs(estate: Path, mqlint: Mqlint) -> None:
    done = mqlint("chlauth", "audit", "--format", "json", "--from", "10.20.0.0/16")
    managers = told(done)["queue_managers"]
    names = [(manager["queue_manager"], manager["site"]) for manager in managers]
    assert names == [("QM1", "derby"), ("QM1", "leeds"), ("QM2", "leeds")]
    (anybody,) = [
        manager
        for manager in managers[0]["channels"]
        if (manager["name"], manager["who"]) == ("APP.SVRCONN", "anybody")
    ]
    (region,) = anybody["regions"]
    assert (region["addresses"], region["verdict"], region["user"]) == (
        ["10.20.*"],
        "allowed",
        "app",
    )


@pytest.mark.slow
def test_records_that_fall_into_too_many_parts_end_with_a_message(
    project: Path, mqlint: Mqlint
) -> None:
    rows = [
        f"SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('{first}.*.{first}.{last}') USERSRC(CHANNEL)"
        for first in range(0, 250, 3)
        for last in (1, 5)
    ]
    rows += [
        f"SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*.{number}.{number}.7') USERSRC(NOACCESS)"
        for number in range(150)
    ]
    text = "DEFINE CHANNEL(A.B) CHLTYPE(SVRCONN)\n" + "\n".join(rows) + "\n"
    (project / "a.mqsc").write_text(text)
    done = mqlint("runcheck", "--channel", "A.B", "--from", "any", "--client-user", "u")
    assert done.exit_code == 2
    assert "more than 20000 parts: use a smaller network" in done.output
    audit = mqlint("chlauth", "audit")
    assert audit.exit_code == 0
    assert "not worked out: the addresses fall into more than 20000 parts" in audit.stdout


def test_the_audit_writes_a_long_outcome_once(project: Path, mqlint: Mqlint) -> None:
    records = "".join(
        f"SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('10.1.{number}.7') USERSRC(MAP) MCAUSER(U)\n"
        for number in range(30)
    )
    channels = "".join(f"DEFINE CHANNEL(C{number}) CHLTYPE(SVRCONN)\n" for number in range(3))
    (project / "a.mqsc").write_text(channels + records)
    found = json.loads(mqlint("chlauth", "audit", "--format", "json", ".").stdout)
    rows = found["queue_managers"][0]["channels"]
    shared = {row["name"]: row["same_as"] for row in rows}
    assert shared["C0"] is None
    assert (shared["C1"], shared["C2"]) == ("C0", "C0")
    addresses = [len(region["addresses"]) for row in rows for region in row["regions"]]
    assert max(addresses) >= 30
    assert len(addresses) == 4


SECURED = """
DEFINE AUTHINFO(OWN.IDPW) AUTHTYPE(IDPWOS) CHCKCLNT(REQUIRED) ADOPTCTX(NO)
ALTER QMGR CONNAUTH(OWN.IDPW)
DEFINE CHANNEL(TLS.SVRCONN) CHLTYPE(SVRCONN) +
  SSLCIPH(ANY_TLS12_OR_HIGHER) SSLCAUTH(OPTIONAL) SSLPEER('CN=app')
SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN') ACTION(REPLACE)
"""


@pytest.mark.parametrize(
    ("omitted", "why"),
    [
        ("", ""),
        ("--client-user", "mqm is blocked by BLOCKUSER(*)"),
        ("--authenticated", "CHCKCLNT(REQUIRED) requires a user and password, but none are given"),
        ("--sslpeer", "the certificate does not match SSLPEER(CN=app) of the channel"),
    ],
)
def test_what_is_omitted_is_unknown_if_it_decides(
    project: Path, mqlint: Mqlint, omitted: str, why: str
) -> None:
    (project / "a.mqsc").write_text(SECURED)
    given = {"--client-user": "anna", "--authenticated": "anna", "--sslpeer": "CN=app,O=Example"}
    words = [word for pair in given.items() if pair[0] != omitted for word in pair]
    asked = ("runcheck", "--channel", "TLS.SVRCONN", "--address", "10.20.1.1", "--format", "json")
    done = mqlint(*asked, *words)
    reasons = {found["why"] for found in told(done)["possible"]}
    assert (done.exit_code, told(done)["verdict"]) == (
        (4, "unknown") if omitted else (0, "allowed")
    )
    assert why in (reasons or {""})


@pytest.mark.parametrize(
    ("settings", "verdict"),
    [
        ("SSLCIPH(ANY_TLS12_OR_HIGHER) SSLCAUTH(OPTIONAL)", "allowed"),
        ("SSLCIPH(ANY_TLS12_OR_HIGHER) SSLCAUTH({{ asked }})", "unknown"),
        ("SSLCIPH(' ') SSLCAUTH({{ asked }})", "allowed"),
        ("SSLCIPH('{{ cipher }}')", "unknown"),
        ("SSLCIPH(ANY_TLS12_OR_HIGHER) SSLCAUTH(OPTIONAL) SSLPEER('{{ peer }}')", "unknown"),
        ("SSLCIPH(' ') SSLPEER('{{ peer }}')", "allowed"),
        ("MCAUSER('{{ user }}')", "unknown"),
    ],
)
def test_a_template_in_the_channel_may_refuse_the_partner(
    project: Path, mqlint: Mqlint, settings: str, verdict: str
) -> None:
    (project / "a.mqsc").write_text(
        f"ALTER QMGR CONNAUTH(' ')\nDEFINE CHANNEL(A.SVRCONN) CHLTYPE(SVRCONN) {settings}\n"
    )
    words = ("--channel", "A.SVRCONN", "--address", "10.20.1.1", "--client-user", "anna")
    done = mqlint("runcheck", *words, "--no-certificate", "--format", "json")
    assert told(done)["verdict"] == verdict


@pytest.mark.parametrize("user", ["{{ user }}", ""])
def test_a_user_of_a_record_that_is_not_known_may_be_blocked(
    project: Path, mqlint: Mqlint, user: str
) -> None:
    (project / "a.mqsc").write_text(
        "DEFINE CHANNEL(A.SVRCONN) CHLTYPE(SVRCONN)\n"
        f"SET CHLAUTH('A.*') TYPE(ADDRESSMAP) ADDRESS('*') MCAUSER('{user}')\n"
    )
    words = ("--channel", "A.SVRCONN", "--address", "10.20.1.1", "--client-user", "anna")
    assert mqlint("runcheck", *words, "--no-password").exit_code == 4


def test_commands_that_are_only_verified_may_not_run(project: Path, mqlint: Mqlint) -> None:
    record = "SET CHLAUTH('A.SVRCONN') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)"
    (project / "run.sh").write_text(
        "#!/bin/sh\nrunmqsc QM1 <<END\nDEFINE CHANNEL(A.SVRCONN) CHLTYPE(SVRCONN)\nEND\n"
        f"runmqsc -v QM1 <<END\n{record}\nEND\n"
    )
    words = ("--channel", "A.SVRCONN", "--address", "10.20.1.1", "--client-user", "anna")
    assert mqlint("runcheck", *words).exit_code == 4


DIRECTORY = """
DEFINE AUTHINFO(DIR) AUTHTYPE(IDPWLDAP) CONNAME('ldap.example.com') SHORTUSR('uid') USRFIELD('{}')
ALTER AUTHINFO(DIR) AUTHTYPE(IDPWLDAP) CHCKCLNT(REQUIRED) ADOPTCTX(YES)
ALTER QMGR CONNAUTH(DIR)
DEFINE CHANNEL(A.SVRCONN) CHLTYPE(SVRCONN)
{}
"""


@pytest.mark.parametrize(
    ("field", "blocked", "given", "verdict", "user"),
    [
        ("uid", "bob", "anna", "allowed", "anna"),
        ("uid", "anna", "anna", "blocked", "anna"),
        ("mail", "anna", "uid=anna,ou=people", "blocked", "anna"),
        ("mail", "anna", "anna@example.com", "unknown", None),
        ("mail", "", "anna@example.com", "allowed", None),
    ],
)
def test_ldap_gives_the_user_that_is_adopted(
    project: Path, mqlint: Mqlint, field: str, blocked: str, given: str, verdict: str, user: str
) -> None:
    record = f"SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('{blocked}') ACTION(REPLACE)"
    (project / "a.mqsc").write_text(DIRECTORY.format(field, record if blocked else ""))
    asked = ("runcheck", "--channel", "A.SVRCONN", "--address", "10.20.1.1", "--format", "json")
    done = mqlint(*asked, "--client-user", "otto", "--authenticated", given)
    assert (told(done)["verdict"], told(done)["user"]) == (verdict, user)


COMPOSE = """
services:
  qm1:
    image: {}
    environment: {{LICENSE: accept, MQ_QMGR_NAME: QM1}}
    volumes: ["./a.mqsc:/etc/mqm/a.mqsc"]
"""


@pytest.mark.parametrize(
    ("image", "records", "status"),
    [
        ("icr.io/ibm-messaging/mq:9.4.2.0-r1", "", 4),
        ("icr.io/ibm-messaging/mq:9.4.2.0-r1", "USERSRC(CHANNEL)", 0),
        ("registry.example.com/mq:9.4.2.0-r1", "", 0),
    ],
)
def test_an_image_for_developers_may_refuse(
    project: Path, mqlint: Mqlint, image: str, records: str, status: int
) -> None:
    record = f"SET CHLAUTH('A.SVRCONN') TYPE(ADDRESSMAP) ADDRESS('*') {records}"
    commands = ["DEFINE CHANNEL(A.SVRCONN) CHLTYPE(SVRCONN)", *([record] if records else [])]
    (project / "a.mqsc").write_text("\n".join(commands) + "\n")
    (project / "compose.yaml").write_text(COMPOSE.format(image))
    words = ("--channel", "A.SVRCONN", "--address", "10.20.1.1", "--client-user", "anna")
    done = mqlint("runcheck", *words)
    assert done.exit_code == status
    assert ("(shipped with an image for developers)" in done.stdout) == (status == 4)


def test_files_of_no_named_queue_manager(project: Path, mqlint: Mqlint) -> None:
    for name in ("a.mqsc", "b.mqsc"):
        (project / name).write_text("DEFINE CHANNEL(A.SVRCONN) CHLTYPE(SVRCONN)\n")
    done = mqlint("runcheck", "--channel", "A.SVRCONN", "--address", "10.20.1.1")
    assert done.exit_code == 2
    assert "set queue_managers: in mqlint.yaml if several are for one" in done.stderr


def test_more_users_than_ldap_is_asked_for_leave_the_verdict_unknown(
    project: Path, mqlint: Mqlint
) -> None:
    records = "".join(
        f"SET CHLAUTH(APP) TYPE(USERMAP) CLNTUSER('u{number}') USERSRC(CHANNEL)\n"
        for number in range(60)
    )
    (project / "q.mqsc").write_text(
        "ALTER QMGR CHLAUTH(ENABLED) CONNAUTH(DIR)\nDEFINE AUTHINFO(DIR) AUTHTYPE(IDPWLDAP)"
        " CONNAME('l.example') SHORTUSR(uid) USRFIELD(cn) ADOPTCTX(YES) CHCKCLNT(OPTIONAL)\n"
        f"DEFINE CHANNEL(APP) CHLTYPE(SVRCONN)\n{records}"
    )
    asked = ("--channel", "APP", "--address", "10.1.1.1", "--authenticated", "anna")
    result = mqlint("runcheck", "q.mqsc", *asked)
    assert result.exit_code == 4
    assert "records name more than 50 users, and LDAP may give any of them" in result.output
