"""Source members of CL: commands, what runs, and what is MQ's."""

from __future__ import annotations

import pytest

from mqlint.language.cl.source import commands
from mqlint.language.mqsc.value import Secret
from mqlint.language.script.step import ShellScript, Step
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.vocabulary.unknown import UNKNOWN
from tests.languages import script_in
from tests.linear import is_linear_in_time
from tests.shipped import shipped_vocabulary

VOCABULARY = shipped_vocabulary()


def read(text: str) -> ShellScript:
    return script_in("cl", text)


def only(text: str) -> Step:
    (step,) = read(text).steps
    return step


def options(step: Step) -> dict[str, object]:
    return {option.name: option.value for option in step.options}


LINES = [
    ("one line", "ENDMQM MQMNAME(A)", ["ENDMQM MQMNAME(A)"]),
    ("plus, which eats blanks", "ENDMQM +\n   MQMNAME(A)", ["ENDMQM MQMNAME(A)"]),
    ("minus, which keeps them", "TEXT('A-\n  B')", ["TEXT('A  B')"]),
    ("inside a word", "MQMNAME(OR+\n   DERS)", ["MQMNAME(ORDERS)"]),
    ("blanks behind the sign", "ENDMQM +  \n  A", ["ENDMQM A"]),
    ("a remark behind the command", "ENDMQM A /* now */", ["ENDMQM A"]),
    ("a remark before the sign", "ENDMQM /* now */ +\n A", ["ENDMQM  A"]),
    ("a remark over lines", "/* one\n two */\nENDMQM A", ["ENDMQM A"]),
    ("a remark that nothing ends", "/* one\nENDMQM A", ["ENDMQM A"]),
    ("a name is no remark", "SAVOBJ OBJ(LIB/*ALL)", ["SAVOBJ OBJ(LIB/*ALL)"]),
    ("a string is no remark", "RST OBJ('/ /* x')", ["RST OBJ('/ /* x')"]),
    ("a remark of stars", "/****/ENDMQM A", ["ENDMQM A"]),
    ("numbers with a point", "0001.00 ENDMQM +\n0002.00  A   26/01/31", ["ENDMQM A"]),
    ("numbers and dates", "000100260131ENDMQM +\n000200260131 A", ["ENDMQM A"]),
    ("numbers", "000100 ENDMQM A", ["ENDMQM A"]),
    ("a value is no number", "CRTMQM THRESHOLD(+\n100000)", ["CRTMQM THRESHOLD(100000)"]),
    ("line ends of Windows", "ENDMQM +\r\n A\r\n", ["ENDMQM A"]),
]


@pytest.mark.parametrize(("text", "wanted"), [row[1:] for row in LINES], ids=[r[0] for r in LINES])
def test_lines_are_joined(text: str, wanted: list[str]) -> None:
    assert [command.text.strip() for command in commands(text)] == wanted


VALUES = [
    ("folded to capitals", "ENDMQM MQMNAME(orders)", {"MQMNAME": "ORDERS"}),
    ("in apostrophes as it is", "ENDMQM MQMNAME('orders')", {"MQMNAME": "orders"}),
    ("a doubled apostrophe", "CRTMQM MQMNAME(A) TEXT('it''s')", {"TEXT": "it's"}),
    ("by its place", "ENDMQM orders *immed", {"MQMNAME": "ORDERS", "OPTION": "*IMMED"}),
    ("both ways", "RCDMQMIMG *ALL *ALL MQMNAME(A)", {"OBJ": "*ALL", "MQMNAME": "A"}),
    ("a list", "SAVLIB LIB(QMA QMB) DEV(TAP01)", {"LIB": "QMA QMB"}),
    ("a list in a list", "RST OBJ(('/QIBM/UserData/mqm/qmgrs/A' *INCLUDE))", {"library": None}),
    ("a variable", "ENDMQM MQMNAME(&QM)", {"MQMNAME": UNKNOWN}),
    ("an expression", "ENDMQM MQMNAME(&A *TCAT 'B')", {"MQMNAME": UNKNOWN}),
    ("a template", "ENDMQM MQMNAME({{ qm }})", {"MQMNAME": UNKNOWN}),
    ("a prompt for one value", "ENDMQM ?*MQMNAME(A)", {"MQMNAME": "A"}),
    ("from a library", "QMQM/ENDMQM MQMNAME(A)", {"MQMNAME": "A"}),
    ("as the other command", "STRMQM A STRSVC(*NO)", {"ns": None, "c": None}),
]


@pytest.mark.parametrize(
    ("text", "wanted"), [row[1:] for row in VALUES], ids=[row[0] for row in VALUES]
)
def test_values_are_bound(text: str, wanted: dict[str, object]) -> None:
    found = options(only(text))
    told = {key: value for key, value in wanted.items() if value is not None or key in found}
    assert {key: found.get(key) for key in told} == told


def test_a_flag_of_the_other_command_is_set_by_its_value_alone() -> None:
    assert "ns" in options(only("STRMQM A STRSVC(*NO)"))
    assert "ns" not in options(only("STRMQM A STRSVC(*YES)"))
    assert "w" in options(only("ENDMQM A ENDCCTJOB(*YES)"))


DECLARED = [
    ("with a value", "", "ORDERS"),
    ("changed", "CHGVAR VAR(&QM) VALUE('STOCK')\n", UNKNOWN),
    ("read by a change of another", "CHGVAR VAR(&X) VALUE(&QM)\n", "ORDERS"),
    ("given to a program", "CALL PGM(A) PARM(&QM)\n", UNKNOWN),
    ("filled by the system", "RTVDTAARA DTAARA(MQ) RTNVAR(&QM)\n", UNKNOWN),
    ("given to an unknown command", "OURTOOL QM(&QM)\n", UNKNOWN),
    ("given to the program", "PGM PARM(&QM)\n", UNKNOWN),
    ("shown", "SNDPGMMSG MSG(&QM)\n", "ORDERS"),
    ("declared twice", "DCL VAR(&QM) TYPE(*CHAR) LEN(48) VALUE('STOCK')\n", UNKNOWN),
    ("changed in a branch", "IF COND(&X) THEN(CHGVAR VAR(&QM) VALUE('STOCK'))\n", UNKNOWN),
]


@pytest.mark.parametrize(
    ("more", "wanted"), [row[1:] for row in DECLARED], ids=[row[0] for row in DECLARED]
)
def test_a_variable_that_nothing_changes_is_known(more: str, wanted: object) -> None:
    text = f"DCL VAR(&QM) TYPE(*CHAR) LEN(48) VALUE('ORDERS')\n{more}ENDMQM MQMNAME(&QM)\n"
    (step,) = (one for one in read(text).steps if one.command == "ENDMQM")
    assert options(step)["MQMNAME"] == wanted
    assert step.queue_manager == (wanted if isinstance(wanted, str) else None)


FLOW = [
    ("by itself", "ENDMQM A", False),
    ("in a branch", "IF COND(&X) THEN(ENDMQM A)", True),
    ("in a branch without keywords", "IF (&X *EQ 1) ENDMQM MQMNAME(A)", True),
    ("in the other branch", "ELSE CMD(ENDMQM A)", True),
    ("in a group of a branch", "IF COND(&X) THEN(DO)\nENDMQM A\nENDDO", True),
    ("behind a group", "IF COND(&X) THEN(DO)\nENDDO\nENDMQM A", False),
    ("in a group of its own", "DO\nENDMQM A\nENDDO", False),
    ("in a loop", "DOWHILE COND(&X)\nENDMQM A\nENDDO", True),
    ("in a choice", "SELECT\nWHEN COND(&X) THEN(ENDMQM A)\nENDSELECT", True),
    ("behind a choice", "SELECT\nWHEN COND(&X) THEN(DO)\nENDDO\nENDSELECT\nENDMQM A", False),
    ("in a subroutine", "SUBR SUBR(X)\nENDMQM A\nENDSUBR", True),
    ("when something fails", "MONMSG MSGID(CPF0000) EXEC(ENDMQM A)", True),
    (
        "behind what is done when something fails",
        "MONMSG CPF0000 EXEC(GOTO X)\nENDMQM A\nX:",
        False,
    ),
    ("behind a group for failures", "MONMSG CPF0000 EXEC(DO)\nGOTO X\nENDDO\nENDMQM A\nX:", False),
    ("behind a jump out", "IF (&X) THEN(GOTO X)\nENDMQM A\nX: DLYJOB 1", False),
    ("before what is done on errors", "IF (&X) GOTO E\nENDMQM A\nRETURN\nE: DLYJOB 1", False),
    ("skipped by a jump", "IF (&X) THEN(GOTO X)\nENDMQM A\nX: STRMQM B", True),
    ("behind the label", "IF (&X) THEN(GOTO X)\nX: ENDMQM A", False),
    ("between a label and the jump back", "X: DLYJOB 1\nENDMQM A\nIF (&X) GOTO X", True),
    ("behind a return", "RETURN\nE: ENDMQM A", True),
    ("behind a return of a branch", "IF (&X) THEN(RETURN)\nENDMQM A", False),
    ("in another job", "SBMJOB CMD(ENDMQM A) JOB(X)", True),
    ("by the interpreter", "CALL PGM(QCMDEXC) PARM('ENDMQM A' 8)", False),
    ("in the shell", "QSH CMD('rm -r /QIBM/UserData/mqm/qmgrs/A')", False),
]


@pytest.mark.parametrize(("text", "maybe"), [row[1:] for row in FLOW], ids=[row[0] for row in FLOW])
def test_what_may_not_run_is_told(text: str, maybe: bool) -> None:
    step = read(text).steps[0]
    assert (step.queue_manager, step.execution.maybe, step.execution.schedule) == ("A", maybe, None)


def test_the_scheduler_runs_what_it_is_given() -> None:
    step = only("ADDJOBSCDE JOB(I) CMD(RCDMQMIMG *ALL *ALL A) FRQ(*WEEKLY) SCDDAY(*SUN)")
    assert (step.command, step.execution.schedule, step.execution.maybe) == (
        "RCDMQMIMG",
        "*WEEKLY",
        False,
    )


CALLS = [
    ("CALL PGM(OUR/TOOL)", 1),
    ("CALL PGM(QCMDEXC) PARM(&CMD &LEN)", 1),
    ("OURTOOL X(1)", 1),
    ("SAVLIB LIB(&LIB)", 1),
    ("?ENDMQM MQMNAME(A)", 1),
    ("CHGJRN(A/B)", 1),
    ("/* OURTOOL X(1) */\n\n/* more */", 0),
    ("DSPMQM MQMNAME(A)", 0),
    ("DLYJOB DLY(5)", 0),
    ("SAVLIB LIB(ORDLIB)", 0),
]


@pytest.mark.parametrize(("text", "calls"), CALLS, ids=[row[0] for row in CALLS])
def test_what_is_not_known_may_do_anything(text: str, calls: int) -> None:
    found = read(text)
    assert (len(found.calls), found.steps) == (calls, ())


ABOUT = [
    ("SAVLIB LIB(QMORDERS)", "ORDERS", "log"),
    ("SAVLIB LIB(QMQM)", "", ""),
    ("SAVLIB LIB(*NONSYS)", None, "log"),
    ("SAVOBJ OBJ(*ALL) LIB(QMORDERS)", "ORDERS", "log"),
    ("SAVOBJ OBJ(*ALL) LIB(ORDLIB)", "", ""),
    ("SAV OBJ('/QIBM/UserData/mqm/qmgrs/ORDERS')", "ORDERS", "data"),
    ("SAV OBJ('/QIBM/UserData/mqm')", None, "data"),
    ("SAV OBJ(('/*') ('/QSYS.LIB' *OMIT) ('/QDLS' *OMIT))", None, "data"),
    ("SAV OBJ(('/home') ('/QIBM/UserData/mqm' *OMIT))", "", ""),
    ("SAV OBJ('/QSYS.LIB/QMORDERS.LIB')", "ORDERS", "log"),
    ("SAV OBJ('/QIBM/UserData/mqm/qmgrs/ORDERS/qm.ini')", "ORDERS", "configuration"),
    ("RST OBJ('/*')", "", ""),
    ("CHGJRN JRN(QMORDERS/AMQAJRN)", "ORDERS", "log"),
    ("CHGJRN JRN(QMORDERS/ORDJRN)", "", ""),
    ("CHGJRN JRN(*LIBL/AMQAJRN)", None, "log"),
    ("DLTJRNRCV QMORDERS/AMQA*", "ORDERS", "log"),
    ("DLTJRNRCV ORDLIB/ORDRCV0001", "", ""),
    ("CHGOBJOWN OBJ(QMORDERS/AMQA000001) OBJTYPE(*JRNRCV) NEWOWN(QMQM)", "ORDERS", "log"),
    ("CHGOBJOWN OBJ(QMORDERS/AMQA000001) OBJTYPE(*USRSPC) NEWOWN(QMQM)", "", ""),
    ("ENDJOB JOB(1/QMQM/AMQZXMA0)", None, ""),
    ("ENDJOB JOB(1/QUSER/ORDERS)", "", ""),
    ("ENDSBS SBS(QBATCH)", "", ""),
    ("ENDSBS SBS(*ALL)", None, ""),
    ("PWRDWNSYS *IMMED", None, ""),
]


@pytest.mark.parametrize(("text", "owner", "part"), ABOUT, ids=[row[0] for row in ABOUT])
def test_only_what_is_of_a_queue_manager_is_a_step(text: str, owner: str | None, part: str) -> None:
    steps = read(text).steps
    if owner == "":
        assert not steps
        return
    (step,) = steps
    assert step.queue_manager == owner
    assert [path.part for path in step.paths] == ([part] if part else [])


LIBRARIES = [
    (
        "the name that fits",
        "ENDMQM MQMNAME('Orders.A')\nENDMQM STOCK\nSAVLIB QMORDERSA",
        "Orders.A",
    ),
    ("none that fits", "ENDMQM MQMNAME(TILLS)\nSAVLIB QMORDERS", None),
    ("what CRTMQM says", "CRTMQM MQMNAME(TILLS) MQMLIB(TILLIB)\nSAVLIB TILLIB", "TILLS"),
    ("a name that may be cut off", "SAVLIB QMWAREHOUS", None),
]


@pytest.mark.parametrize(
    ("text", "owner"), [row[1:] for row in LIBRARIES], ids=[row[0] for row in LIBRARIES]
)
def test_a_library_is_that_of_the_queue_manager_whose_name_it_bears(
    text: str, owner: str | None
) -> None:
    assert read(text).steps[-1].queue_manager == owner


def test_what_mqsc_would_do_is_kept_as_mqsc() -> None:
    text = "RSTMQMCHL CHLNAME('to.b') MQMNAME(A)\nRFRMQMCL CLUSTER(C1) MQMNAME(A) REPOS(*YES)\n"
    first, second = read(text).embedded
    assert first.text == "RESET CHANNEL('to.b') SEQNUM(1)"
    assert second.text == "REFRESH CLUSTER(C1) REPOS(YES)"
    assert text[first.host(first.text.index("to.b")) :].startswith("'to.b'")
    assert {first.queue_manager, second.queue_manager} == {"A"}


ATTRIBUTES = [
    (
        "CRTMQMQ QNAME(A) QTYPE(*LCL) MAXDEPTH(10) USAGE(*TMQ) INITQNAME('x.y') PRCNAME(*NONE)",
        "DEFINE QLOCAL('A') REPLACE MAXDEPTH(10) USAGE(XMITQ) INITQ('x.y') PROCESS(' ')",
    ),
    (
        "CRTMQMQ QNAME(A) QTYPE(*RMT) REPLACE(*YES) RMTQNAME(B) MAXMSGLEN(*SYSDFTQ)",
        "DEFINE QREMOTE('A') REPLACE RNAME('B')",
    ),
    (
        "CRTMQMQ QNAME(A) QTYPE(*LCL) MONQ(*HIGH) SRVEVT(*OK) FULLEVT(*YES)",
        "DEFINE QLOCAL('A') REPLACE MONQ(HIGH) QSVCIEV(OK) QDPMAXEV(ENABLED)",
    ),
    ("CRTMQMQ QNAME(A) QTYPE(*LCL) CUSTOM('X')", "DEFINE QLOCAL('A') REPLACE LIKE(?)"),
    ("CHGMQMQ QNAME(A) QTYPE(*LCL) MONQ(*SAME)", "DEFINE QLOCAL('A') REPLACE LIKE(?)"),
    ("CRTMQMQ QNAME(A) QTYPE(*LCL) MONQ(*SYSDFTQ)", "DEFINE QLOCAL('A') REPLACE"),
    ("CRTMQMQ QNAME(A) QTYPE(*LCL) MONQ(*X-Y)", "DEFINE QLOCAL('A') REPLACE LIKE(?)"),
    (
        "CRTMQMCHL CHLNAME(A) CHLTYPE(*RCVR) SSLCIPH(*RC4_MD5_US) COMPMSG(*RLE *ZLIBFAST)",
        "DEFINE CHANNEL('A') CHLTYPE(RCVR) REPLACE SSLCIPH(RC4_MD5_US) COMPMSG(RLE,ZLIBFAST)",
    ),
    (
        "CRTMQMCHL CHLNAME(A) CHLTYPE(*RCVR) SSLCIPH(*NONE) COMPHDR(*NONE) KAINT(60)",
        "DEFINE CHANNEL('A') CHLTYPE(RCVR) REPLACE SSLCIPH(' ') COMPHDR(NONE) KAINT(60)",
    ),
    ("CRTMQMQ QNAME(A) QTYPE(*LCL) TEXT(&TEXT)", "DEFINE QLOCAL('A') REPLACE LIKE(?)"),
    ("CRTMQMQ QNAME(A) QTYPE(*LCL) TGTQNAME(B)", "DEFINE QLOCAL('A') REPLACE LIKE(?)"),
    (
        "CHGMQMCHL CHLNAME(A) CHLTYPE(*SVRCN) MCAUSRID(APP) SSLCAUTH(*OPTIONAL)",
        "DEFINE CHANNEL('A') CHLTYPE(SVRCONN) REPLACE LIKE(?) MCAUSER('APP') SSLCAUTH(OPTIONAL)",
    ),
    (
        "CHGMQMQ QNAME(A) QTYPE(*LCL) MAXDEPTH(*SAME) PUTENBL(*NO)",
        "DEFINE QLOCAL('A') REPLACE LIKE(?) PUT(DISABLED)",
    ),
    (
        "CRTMQMPRC PRCNAME(P) APPTYPE(*CICS) APPID(TRN1)",
        "DEFINE PROCESS('P') REPLACE APPLTYPE(CICS) APPLICID('TRN1')",
    ),
    (
        "CRTMQMNL NAMELIST(N) NAMES(A B)",
        "DEFINE NAMELIST('N') REPLACE LIKE(?) NAMES('A','B')",
    ),
]


@pytest.mark.parametrize(("text", "mqsc"), ATTRIBUTES)
def test_parameters_are_attributes_in_mqsc(text: str, mqsc: str) -> None:
    (embedded,) = read(text).embedded
    assert embedded.text.replace(PLACEHOLDER * 3, "?") == mqsc


def test_no_mqsc_is_made_of_what_would_end_its_strings() -> None:
    assert not read("RSTMQMCHL CHLNAME('to''b') MQMNAME(A)").embedded
    assert not read("CRTMQMQ QNAME(A.B) MQMNAME(A)").embedded


def test_a_member_may_stand_in_a_file_of_its_name() -> None:
    step = only("STRMQMMQSC SRCMBR(ORDERS) SRCFILE(MQCFG/QMQSC) MQMNAME(A)")
    assert step.reads is not None
    assert step.reads.value == "orders.mqsc"
    assert {"QMQSC/ORDERS.mqsc", "../qmqsc/orders.mqsc", "ORDERS"} <= set(step.also)
    assert only("STRMQMMQSC SRCMBR(A) OPTION(*VERIFY) MQMNAME(A)").reads is None


def test_members_beyond_the_budget_may_be_in_any_file() -> None:
    commands = [f"STRMQMMQSC SRCMBR(M{number}) MQMNAME(A)" for number in range(2_000)]
    reads = [step.reads.value for step in read("\n".join(commands)).steps if step.reads]
    assert reads[:1_000] == [f"m{number}.mqsc" for number in range(1_000)]
    assert reads[-100:] == [UNKNOWN] * 100


def test_no_password_is_kept() -> None:
    text = "SBMRMTCMD CMD('X') RMTPWD(HUSH)\nCHGMQM MQMNAME(A) SSLKEYRPWD('HUSH')\n"
    found = read(text)
    value = found.steps[0].option("SSLKEYRPWD")
    assert value is not None
    assert isinstance(value.value, Secret)
    assert "HUSH" not in repr(found.steps)
    assert all("HUSH" in text[slice(*span)] for span in found.secrets)
    assert len(found.secrets) == 2


HOSTILE = [
    "IF COND(" * 2_500,
    "DO\n" * 10_000,
    "/* " * 25_000,
    "/* x\n" * 10_000,
    "A +\n" * 10_000,
    "'" * 25_000,
    "ENDMQM (" + "(" * 15_000,
    "ENDMQM A(B) " * 5_000,
    "GOTO X\n" * 2_000,
    "X: ENDMQM A\n" * 1_000,
    "SAVLIB LIB(" + "QMA " * 4_000 + ")",
    "DCL VAR(&A) VALUE('" + "x" * 15_000 + "')\nENDMQM &A\n" * 8,
    "0001.00 ENDMQM A +\n" * 5_000,
]


@pytest.mark.growth
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_takes_time_in_line_with_its_length(text: str) -> None:
    assert is_linear_in_time(lambda times: read("\n".join([text] * times)), 1)


@pytest.mark.parametrize(
    ("command", "places"),
    [
        ("RUNRMTCMD CMD('ENDMQM MQMNAME(QMA)') RMTLOCNAME(A)", [0]),
        ("SBMRMTCMD CMD('STRMQM MQMNAME(QMA)') DDMFILE(A)", [0]),
        ("RUNRMTCMD CMD('DLTF FILE(A)') RMTLOCNAME(A)", []),
        ("SNDPGMMSG MSG('STRMQM follows')", []),
    ],
)
def test_a_command_of_mq_for_another_system_is_not_followed(
    command: str, places: list[int]
) -> None:
    found = read(command)
    assert [*found.unfollowed] == places
