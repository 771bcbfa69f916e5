"""One cause, one finding; queue managers of one name in unrelated folders; what messages advise."""

from __future__ import annotations

import pytest

from mqlint.config.settings import Settings
from mqlint.engine import Analyser, check
from mqlint.finding import Finding
from mqlint.policy.rulebook import Rulebook
from tests.engine.conftest import Lint, inputs, settings_of

QUEUE = "DEFINE QLOCAL(Q{}) QDPHIEV(ENABLED)\n"
EVENTS_OFF = "ALTER QMGR PERFMEV(DISABLED)\n"
COMPOSE = """\
services:
  mq:
    image: icr.io/ibm-messaging/mq:9.4.0.0-r1
    environment: {{LICENSE: accept, MQ_QMGR_NAME: QM1{more}}}
    volumes: [./q.mqsc:/etc/mqm/q.mqsc]
"""
DUMP = """\
* Queue manager name: QM1
* Command issued: dmpmqcfg -m QM1 -a
DEFINE QLOCAL('OTHER') REPLACE
"""
SCRIPT = 'crtmqm QM1\necho "DEFINE QLOCAL(APP.IN)" | runmqsc QM1\n'


def of_rule(found: list[Finding], rule: str) -> list[Finding]:
    return [finding for finding in found if finding.rule.id == rule]


def test_many_effects_of_one_word_are_one_finding_at_that_word(lint: Lint) -> None:
    few = EVENTS_OFF + "".join(QUEUE.format(number) for number in range(2))
    many = EVENTS_OFF + "".join(QUEUE.format(number) for number in range(241))
    (before,) = of_rule(lint({"q.mqsc": few}).findings, "EVT002")
    (after,) = of_rule(lint({"q.mqsc": many}).findings, "EVT002")
    assert after.location.start.line == 1
    assert after.fingerprint == before.fingerprint
    assert after.message.endswith("(and 240 more)")
    assert [place.location.start.line for place in after.related] == [2, 3, 4, 5, 6]
    assert (after.subject.object_type, after.subject.attribute) == ("qmgr", "PERFMEV")


def test_references_to_one_missing_object_are_one_incident(lint: Lint) -> None:
    text = "".join(
        f"DEFINE QREMOTE(R{number}) RNAME(A) RQMNAME(QMB) XMITQ({queue})\n"
        for number, queue in enumerate(("GONE", "GONE", "LOST"))
    )
    settings = settings_of("inventory: {objects: complete}\nqueue_managers: '{queue_manager}/*'\n")
    found = of_rule(lint({"QMA/q.mqsc": text}, settings).findings, "REF001")
    incidents = [finding.incident for finding in found]
    assert incidents[0] == incidents[1] != incidents[2]
    assert None not in incidents


@pytest.mark.parametrize(
    ("command", "rules"),
    [
        ('DEFINE QLOCAL("A") DESCR("x") TRIGDATA("y")', ["SYN018"]),
        ("ALTER CHANNEL CHLTYPE(TO.QMB) DISCINT(0)", ["VOC016"]),
        ("RESOLVE CHANNEL(TO.QMB) BACKOUT", ["VOC002"]),
        ("SET CHLAUTH(A) TYP(ADDRESSMAP) ADDRESS('192.0.2.1') USERSRC(CHANNEL)", ["VOC002"]),
        ("ALTER CHANNEL CHLTYPE(SVRCONN) DISCINT(0) MAXINST(X)", ["VOC005", "VOC016"]),
        ("RESOLVE CHANNEL(TO.QMB)", ["VOC015"]),
    ],
)
def test_one_slip_in_a_command_is_one_finding(command: str, rules: list[str], lint: Lint) -> None:
    found = lint({"q.mqsc": f"{command}\n"}).findings
    assert sorted(finding.rule.id for finding in found if finding.severity.word == "error") == [
        rule for rule in rules if rule != "SYN018"
    ]
    assert len(of_rule(found, "SYN018")) == rules.count("SYN018")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("STOP CHANNEL(TO.QMB) FORCE\n", "(write MODE(FORCE))"),
        (
            "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT,ALT)\n",
            "(did you mean ALTUSR?)",
        ),
        ("DEFINE QLOCAL(A) \\\nDEFINE QLOCAL(B)\n", "is a command of its own: remove it"),
        ("DEFINE QLOCAL(A) \\\n  MAXDEPTH(10)\n", ", only + and - do"),
        ("DEFINE QLOCAL(A) \\\n", ", only + and - do"),
    ],
)
def test_the_advice_fits_what_is_written(text: str, words: str, lint: Lint) -> None:
    messages = [finding.message for finding in lint({"q.mqsc": text}).findings]
    assert any(message.endswith(words) for message in messages), messages


DRIFT = ("DRF001", "DRF004", "DRF005")


def drifts(files: dict[str, str], lint: Lint, settings: str = "{}") -> list[str]:
    found = lint(files, settings_of(settings)).findings
    return [finding.location.path for finding in found if finding.rule.id in DRIFT]


@pytest.mark.parametrize(
    ("paths", "more", "apart"),
    [
        (("shop/compose.yaml", "bank/make.sh", "bank/dump.mqsc"), "", False),
        (("shop/compose.yaml", "bank/make.sh", "old/dump.mqsc"), "", True),
        (("samples/shop/compose.yaml", "samples/bank/make.sh", "samples/old/dump.mqsc"), "", True),
        (("compose.yaml", "bank/make.sh", "old/dump.mqsc"), "", False),
        (("shop/compose.yaml", "shop/make.sh", "old/dump.mqsc"), "", False),
        (("a/compose.yaml", "b/make.sh", "old/dump.mqsc"), ", MQ_NATIVE_HA: 'true'", False),
    ],
)
def test_folders_that_each_create_a_queue_manager_of_a_name_have_their_own(
    paths: tuple[str, str, str], more: str, apart: bool, lint: Lint
) -> None:
    """What a script makes is not looked for in the dump of another folder's queue manager."""
    compose, script, dump = paths
    files = {compose: COMPOSE.format(more=more), script: SCRIPT, dump: DUMP}
    assert drifts(files, lint) == ([] if apart else [script])


@pytest.mark.parametrize("line", ["crtmqm -sxs QM1", "crtmqm -rr s QM1"])
def test_the_secondary_of_a_pair_is_no_other_queue_manager(line: str, lint: Lint) -> None:
    files = {"a/make.sh": SCRIPT, "b/make.sh": f"{line}\n", "c/dump.mqsc": DUMP}
    assert drifts(files, lint) == ["a/make.sh"]


def test_a_configuration_that_names_queue_managers_by_path_is_believed(lint: Lint) -> None:
    files = {"a/QM1/make.sh": SCRIPT, "b/QM1/make.sh": SCRIPT, "c/QM1/dump.mqsc": DUMP}
    assert not drifts(files, lint)
    assert drifts(files, lint, "queue_managers: '*/{queue_manager}/*'\n") == ["b/QM1/make.sh"]


@pytest.mark.parametrize(
    ("disposition", "platform", "missing"),
    [
        ("SHARED) CFSTRUCT(S1", "zos", []),
        ("GROUP", "zos", []),
        ("QMGR", "zos", ["MQ7B/q.mqsc:1", "MQ7B/q.mqsc:2"]),
        ("GROUP", "linux", ["MQ7B/q.mqsc:1", "MQ7B/q.mqsc:2"]),
    ],
)
def test_a_member_of_a_queue_sharing_group_has_what_another_one_shares(
    disposition: str, platform: str, missing: list[str], lint: Lint
) -> None:
    files = {
        "MQ7A/q.mqsc": "DEFINE CFSTRUCT(S1)\n"
        f"DEFINE QLOCAL(TO.QMX) USAGE(XMITQ) QSGDISP({disposition})\n",
        "MQ7B/q.mqsc": "DEFINE QREMOTE(R) RNAME(A) RQMNAME(QMX) XMITQ(TO.QMX)\n"
        "DEFINE CHANNEL(B.QMX) CHLTYPE(SDR) CONNAME('qmx') XMITQ(TO.QMX)\n"
        "DEFINE QREMOTE(S) RNAME(A) RQMNAME(QMX) XMITQ(TO.QMY)\n",
    }
    settings = settings_of(
        "inventory: {objects: complete}\nqueue_managers: '{queue_manager}/*'\n"
        f"target: {{platform: {platform}}}\n"
    )
    found = lint(files, settings).findings
    places = [
        f"{finding.location.path}:{finding.location.start.line}"
        for finding in found
        if finding.rule.id in ("REF001", "REF002")
    ]
    assert places == [*missing, "MQ7B/q.mqsc:3"]


@pytest.mark.parametrize(
    ("path", "severities"),
    [
        ("dev/q.mqsc", {"SEC001": "note", "VOC002": "error"}),
        ("uat/q.mqsc", {"SEC001": "note", "VOC002": "error"}),
        ("shop-test/q.mqsc", {"SEC001": "note", "VOC002": "error"}),
        ("src/tests/q.mqsc", {"SEC001": "note", "VOC002": "error"}),
        ("app/src/it/resources/q.mqsc", {"SEC001": "note", "VOC002": "error"}),
        ("src/integrationTest/resources/mq/q.mqsc", {"SEC001": "note", "VOC002": "error"}),
        ("fixtures/q.mqsc", {"SEC001": "note", "VOC002": "error"}),
        ("src/integration/q.mqsc", {"SEC001": "warning", "VOC002": "error"}),
        ("src/main/resources/q.mqsc", {"SEC001": "warning", "VOC002": "error"}),
        ("mq-dev-patterns/q.mqsc", {"SEC001": "warning", "VOC002": "error"}),
        ("live/q.mqsc", {"SEC001": "warning", "VOC002": "error"}),
        ("q.mqsc", {"SEC001": "warning", "VOC002": "error"}),
    ],
)
def test_what_only_production_must_do_is_a_note_where_things_are_tried_out(
    path: str, severities: dict[str, str | None], analyser: Analyser, rulebook: Rulebook
) -> None:
    text = "ALTER QMGR CHLAUTH(DISABLED)\nDEFINE QLOCAL(A) MAXDEPHT(1)\n"
    for profiles in ((), ("audit",)):
        found = check(inputs({path: text}), Settings(), analyser, rulebook, profiles=profiles)
        got = {finding.rule.id: finding.severity.word for finding in found.findings}
        wanted = {**severities, **({"SEC001": got["SEC001"]} if profiles else {})}
        assert {rule: got.get(rule) for rule in severities} == wanted
        assert not profiles or got["SEC001"] != "note"


@pytest.mark.parametrize(
    ("folder", "severity"), [("integration-tests", "note"), ("dev", "note"), ("shop", "warning")]
)
def test_what_a_document_alone_says_is_graded_by_its_folder_too(
    folder: str, severity: str, analyser: Analyser, rulebook: Rulebook
) -> None:
    text = "ibm.mq.queueManager=QMA\nibm.mq.password=harbour\n"
    files = inputs({f"{folder}/application.properties": text})
    (found,) = check(files, Settings(), analyser, rulebook).findings
    assert (found.rule.id, found.severity.word) == ("CLT029", severity)


def test_what_two_files_contradict_each_other_in_names_both(lint: Lint) -> None:
    settings = settings_of("queue_managers: '{queue_manager}/*'\n")
    files = {
        "QMA/a.mqsc": "DEFINE QLOCAL(A) MAXDEPTH(10)\n",
        "QMA/b.mqsc": "ALTER QLOCAL(A) MAXDEPTH(20)\n",
    }
    (found,) = of_rule(lint(files, settings).findings, "DRF005")
    named = {found.location.path, *(place.location.path for place in found.related)}
    assert named == set(files)
    assert all("MAXDEPTH(" in place.message for place in found.related)


def test_a_script_and_a_dump_that_differ_are_both_named(lint: Lint) -> None:
    dump = DUMP + "DEFINE QLOCAL('APP.IN') MAXDEPTH(7) REPLACE\n"
    files = {"a.sh": 'echo "ALTER QLOCAL(APP.IN) MAXDEPTH(8)" | runmqsc QM1\n', "q.dump": dump}
    (found,) = of_rule(lint(files).findings, "DRF001")
    assert [(place.location.path, place.message) for place in found.related] == [
        ("q.dump", "in the dump: MAXDEPTH(7)")
    ]


def test_no_message_has_a_question_mark_for_a_value(lint: Lint) -> None:
    copied = (
        "//J JOB A\n//S EXEC PGM=IDCAMS\n//P DD DISP=SHR,DSN=MQ.MQ7A.PSID00\n"
        "//B DD DSN=MQ.MQ7A.PSID00.SAFE(+1),UNIT=CART,RECFM=VB\n//SYSIN DD *\n"
        "  REPRO INFILE(P) OUTFILE(B)\n/*\n"
    )
    run = lint({"MQ7A/d.jcl": copied}, settings_of("queue_managers: '{queue_manager}/*'\n"))
    (found,) = of_rule(run.findings, "ZOS032")
    assert found.message.endswith("RECFM=VB LRECL=not set")
    assert "?" not in found.message
