"""Jobs, procedures and macros of z/OS."""

from __future__ import annotations

import pytest

from mqlint.language.declaration import Declared
from mqlint.language.mqsc.value import Secret
from mqlint.language.script.step import ShellScript
from mqlint.vocabulary.unknown import UNKNOWN
from tests.languages import parsed, script_in
from tests.linear import is_linear_in_time


def read(text: str) -> ShellScript:
    return script_in("jcl", text)


def options(text: str) -> dict[str, object]:
    (step,) = read(text).steps
    return {option.name: option.value for option in step.options}


def fields(declared: Declared) -> dict[str, object]:
    return {field.name: field.value for field in declared.fields}


COPY = """\
//MQCOPY   JOB (ACCT),'MQ'
//COPY     EXEC PGM=IDCAMS
//*        a comment
//FROM     DD DISP=SHR,DSN=MQ.MQ7A.PSID03
//TO       DD DISP=(NEW,CATLG,DELETE),     a comment behind a comma
//*        a comment between
//            DSN=MQ.SAFE.PSID03(+1),UNIT=TAPE,
//            DCB=(RECFM=F,LRECL=4096)
//SYSIN    DD *
  REPRO - /* from there */
    INFILE(FROM) -
    OUTFILE(TO)
/*
"""


def test_a_statement_goes_on_behind_a_comma_and_a_utility_behind_a_hyphen() -> None:
    found = options(COPY)
    wanted = {
        "program": "IDCAMS",
        "from": "MQ.MQ7A.PSID03",
        "from.disp": "SHR",
        "to": "MQ.SAFE.PSID03",
        "to.disp": "NEW",
        "to.generation": "+1",
        "to.unit": "TAPE",
        "to.recfm": "F",
        "to.lrecl": "4096",
        "without_dd": "none",
    }
    assert {key: found[key] for key in wanted} == wanted


def test_lines_of_a_template_end_no_statement() -> None:
    text = COPY.replace("//            DSN=", "{% if tape %}\n//            DSN=")
    text = text.replace("    INFILE", "{% if safe %}\n    INFILE").replace(
        "  OUT", "{# to #}\n  OUT"
    )
    found = options(text)
    assert {key: found[key] for key in ("to", "to.unit", "from", "without_dd")} == {
        "to": "MQ.SAFE.PSID03",
        "to.unit": "TAPE",
        "from": "MQ.MQ7A.PSID03",
        "without_dd": "none",
    }


def test_columns_behind_72_are_not_read() -> None:
    wide = "\n".join(f"{line:<72}{number:08}" for number, line in enumerate(COPY.splitlines()))
    assert options(wide) == options(COPY)


def test_every_place_leads_into_the_text() -> None:
    (step,) = read(COPY).steps
    assert COPY[slice(*step.command_span)] == "REPRO"
    assert COPY[slice(*step.span)].startswith("REPRO - /*")
    assert COPY[: step.span[1]].endswith("OUTFILE(TO)")


STREAMS = [
    ("//CMDS     DD *\nDIS QMGR\n/*\n", "DIS QMGR\n"),
    ("//CMDS     DD *\nDIS QMGR\n", "DIS QMGR\n"),
    ("//CMDS     DD DATA,DLM=@@\n//NO JCL\nDIS QMGR\n/*\n@@\n", "//NO JCL\nDIS QMGR\n/*\n"),
    ("//CMDS     DD DATA\n//NO JCL\n/*\n", "//NO JCL\n"),
    ("//CMDS     DD *,DLM='##'\nDIS QMGR\n##\n", "DIS QMGR\n"),
]


@pytest.mark.parametrize(("stream", "inside"), STREAMS)
def test_in_stream_data_end_at_their_delimiter(stream: str, inside: str) -> None:
    text = f"//A EXEC PGM=CSQUTIL,PARM=' MQ7A'\n{stream}//SYSIN DD *\nCOMMAND DDNAME(CMDS)\n/*\n"
    (document,) = read(text).embedded
    assert document.text == inside
    assert document.queue_manager == "MQ7A"
    assert text[document.host(0)] == inside[0]


def test_data_without_a_dd_statement_are_sysin() -> None:
    text = "//A EXEC PGM=IDCAMS\nLISTCAT LEVEL(MQ)\n  DELETE MQ.X\n"
    assert [step.command for step in read(text).steps] == ["LISTCAT", "DELETE"]


@pytest.mark.parametrize("name", ["CSQINP1", "CSQINP2", "CSQINPX"])
def test_commands_in_the_procedure_are_mqsc_of_its_queue_manager(name: str) -> None:
    program = "CSQXJST" if name == "CSQINPX" else "CSQYASCP"
    ends = "CHIN" if name == "CSQINPX" else "MSTR"
    text = f"//MQ7A{ends} PROC\n//S EXEC PGM={program}\n//{name} DD *\nSTART CHINIT\n/*\n"
    (document,) = read(text).embedded
    assert (document.text, document.queue_manager) == ("START CHINIT\n", "MQ7A")


def test_the_procedure_declares_page_sets_and_bootstrap_data_sets() -> None:
    text = (
        "//MQ7AMSTR PROC\n//S EXEC PGM=CSQYASCP\n//BSDS1 DD DISP=SHR,DSN=MQ.BSDS01\n"
        "//CSQP0007 DD DISP=OLD,DSN=MQ.PSID07\n//CSQP0008 DD DISP=OLD,DSN=&HLQ..PSID08\n"
    )
    bsds, seven, eight = parsed("jcl", text).declared
    assert (bsds.type, bsds.name, bsds.queue_manager) == ("bsds", "BSDS1", "MQ7A")
    assert seven.name == "7"
    assert fields(seven)["number"] == ("7", "07", "007", "0007")
    assert fields(seven)["data_set"] == "MQ.PSID07"
    assert fields(eight)["data_set"] is UNKNOWN


def test_a_queue_manager_named_once_is_that_of_the_whole_job() -> None:
    text = COPY + "//C EXEC PGM=CSQUTIL,PARM='MQ7A'\n//SYSIN DD *\nPAGEINFO\n/*\n"
    assert {step.queue_manager for step in read(text).steps} == {"MQ7A"}
    two = text + "//D EXEC PGM=CSQUTIL,PARM='MQ7B'\n//SYSIN DD *\nPAGEINFO\n/*\n"
    assert [step.queue_manager for step in read(two).steps] == ["MQ7A", "MQ7A", "MQ7B"]
    neither = two.replace("MQ.MQ7A.", "MQ.PAY.")
    assert [step.queue_manager for step in read(neither).steps] == [None, "MQ7A", "MQ7B"]
    jobs = neither.replace("//D EXEC", "//TWO JOB A\n//D EXEC")
    assert [step.queue_manager for step in read(jobs).steps] == ["MQ7A", "MQ7A", "MQ7B"]


SYMBOLS = """\
// SET QMGR=MQ7A,HLQ='MQ.PROD'
//A EXEC PGM=CSQUTIL,PARM='&QMGR'
//SYSIN DD *
 SCOPY PSID(1) DDNAME(OUT)
/*
//OUT DD DISP=OLD,DSN=&HLQ..&QMGR..SAVE&SUFFIX
// SET SUFFIX=1
//IN  DD DISP=OLD,DSN=&HLQ..&QMGR..SAVE&SUFFIX,VOL=SER=&&TEMP
"""


def test_symbols_have_the_values_that_set_gives_them_before() -> None:
    (step,) = read(SYMBOLS).steps
    assert step.queue_manager == "MQ7A"
    assert step.option("data").value is UNKNOWN  # type: ignore[union-attr]
    later = SYMBOLS.replace("DDNAME(OUT)", "DDNAME(IN)")
    assert options(later)["data"] == "MQ.PROD.MQ7A.SAVE1"


@pytest.mark.parametrize(("program", "name"), [("CSQYASCP", "MQ.MQ7A.BSDS01"), ("IDCAMS", None)])
def test_defaults_of_a_procedure_count_if_an_operator_starts_it(
    program: str, name: str | None
) -> None:
    text = (
        f"//P PROC Q=MQ7A\n//S EXEC PGM={program}\n//BSDS1 DD DSN=MQ.&Q..BSDS01\n"
        "//O DD DSN=A\n//SYSIN DD *\n REPRO INFILE(BSDS1) OUTFILE(O)\n/*\n"
    )
    if name is None:
        assert options(text)["from"] is UNKNOWN
    else:
        (bsds,) = parsed("jcl", text).declared
        assert fields(bsds)["data_set"] == name


def test_a_step_in_a_branch_may_not_run() -> None:
    text = "//A IF (RC = 0) THEN\n//B EXEC PGM=CSQJU004\n// ENDIF\n//C EXEC PGM=CSQJU004\n"
    assert [step.execution.maybe for step in read(text).steps] == [True, False]


INVENTORY = """\
//J EXEC PGM=CSQJU003
//SYSUT1 DD DISP=SHR,DSN=MQ.BSDS01
//SYSIN DD *
* comment
 NEWLOG DSNAME=MQ.LOGCOPY1.DS01,COPY1,PASSWORD=HUSH,   behind a blank
  STARTRBA=197000,ENDRBA=00000000005CEFFF
 NEWLOG DSNAME=MQ.LOGCOPY2.DS01,COPY2,
  STARTRBA=000000197000,ENDRBA=5CEFFF
 CRESTART CREATE,ENDRBA=05CF000
/*
"""


def test_addresses_of_6_and_8_bytes_are_compared() -> None:
    first, second, change = parsed("jcl", INVENTORY).declared
    assert fields(first)["start"] == fields(second)["start"] == "0000000000197000"
    found = fields(change)
    assert (found["ranges"], found["restart"]) == ("equal", "follows")
    assert found["second_bsds"] == "false"


def test_no_password_is_kept() -> None:
    assert "HUSH" not in repr(parsed("jcl", INVENTORY))
    found = read(INVENTORY)
    password = found.steps[0].option("PASSWORD")
    assert password is not None
    assert isinstance(password.value, Secret)
    assert "HUSH" not in repr(found)
    ((start, end),) = found.secrets
    assert "HUSH" in INVENTORY[start:end]


MACRO = """\
*  CSQ6LOGP in a comment
LOGP     CSQ6LOGP INBUFF=60,      size of the buffer                   X
*  a comment between
               OFFLOAD=NO,                                             X
               TWOBSDS=&DUAL
         CSQ6ARVP ARCPFX1=MQ.ARC1,
               ARCPFX2=MQ.ARC2
         CSQ6SYSP
         END
"""


def test_macros_are_continued_and_have_defaults() -> None:
    logs, archives, system = parsed("zparm", MACRO).declared
    found = fields(logs)
    assert (found["OFFLOAD"], found["TWOACTV"], found["TWOBSDS"]) == ("NO", "YES", UNKNOWN)
    assert fields(archives)["ARCPFX2"] == "MQ.ARC2"
    assert fields(system)["LOGLOAD"] == "500000"
    offload = logs.field("OFFLOAD")
    assert offload is not None
    assert MACRO[slice(*offload.span)] == "OFFLOAD=NO"


@pytest.mark.parametrize(
    ("around", "wanted"), [(("", ""), "OUT"), (("//P PROC\n", "// PEND\n"), UNKNOWN)]
)
def test_who_calls_a_procedure_may_add_dd_statements(
    around: tuple[str, str], wanted: object
) -> None:
    step = "//A EXEC PGM=IDCAMS\n//SYSIN DD *\n REPRO OUTFILE(OUT)\n/*\n"
    assert options(around[0] + step + around[1])["without_dd"] == wanted


def test_what_is_not_known_may_do_anything() -> None:
    text = "//A EXEC PGM=SHOPPROG\n//B EXEC SHOPPROC\n//C EXEC PGM=IDCAMS\n//SYSIN DD DSN=X\n"
    assert len(read(text).calls) == 3


HOSTILE = [
    "//A EXEC PGM=IDCAMS\n//SYSIN DD *\n" + "REPRO -\n" * 10_000,
    "//A EXEC PGM=IDCAMS\n//SYSIN DD *\n DEFINE CLUSTER " + "(" * 10_000,
    "//A DD DSN=X,\n" * 10_000,
    "//A EXEC PGM=IDCAMS\n//SYSIN DD *\n" + "/* " * 25_000,
    "         CSQ6LOGP A=B,\n" + "               A=B,\n" * 5_000,
    "//A EXEC PGM=CSQJU003\n//SYSIN DD *\n NEWLOG " + "A=B,\n" * 10_000,
    "//A EXEC PGM=CSQUTIL\n" * 2_500,
]


@pytest.mark.growth
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_takes_time_in_line_with_its_length(text: str) -> None:
    def work(times: int) -> None:
        several = "\n".join([text] * times)
        read(several)
        parsed("zparm", several)

    assert is_linear_in_time(work, 1)


CALL = """\
//MQDEF JOB (ACCT),'MQ'
//DEF EXEC MQUTIL,QM=MQ7A
//UTIL.SYSIN DD *
  COMMAND MAKEDEF(OUT) DDNAME(CMDS)
//UTIL.CMDS DD *
DEFINE QLOCAL(A)
"""


def test_a_procedure_that_reads_a_command_statement_runs_the_utility() -> None:
    found = read(CALL)
    (mqsc,) = found.embedded
    assert (mqsc.text, mqsc.queue_manager) == ("DEFINE QLOCAL(A)\n", "MQ7A")
    assert found.unfollowed == ()
    assert found.calls  # what else the procedure does is not known
    own = read(CALL.replace("UTIL.", ""))
    assert [mqsc.text for mqsc in own.embedded] == ["DEFINE QLOCAL(A)\n"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("MAKEDEF(OUT) DDNAME(CMDS)", "LIST"), ("//UTIL.CMDS", "//OTHER.CMDS"), ("SYSIN", "SYSTSIN")],
)
def test_what_a_procedure_reads_is_not_guessed(old: str, new: str) -> None:
    found = read(CALL.replace(old, new))
    assert found.embedded == ()
    assert len(found.unfollowed) == 1


EXPORTED = """\
//MQDEF JOB (ACCT),'MQ'
// SET OLD=3
// EXPORT SYMLIST=(DEPTH,OLD,LATE)
// SET DEPTH=5000,OTHER=7
//DEF EXEC PGM=CSQUTIL,PARM='MQ7A'
//SYSIN DD *
  COMMAND DDNAME(CMDS)
//CMDS DD *,SYMBOLS=EXECSYS
DEFINE QLOCAL(A.&OTHER) MAXDEPTH(&DEPTH.0) DESCR('&OLD &LATE')
//A EXEC PGM=IEFBR14
// SET LATE=4
"""


def test_symbols_of_in_stream_data_have_the_values_that_are_set_after_export() -> None:
    (mqsc,) = read(EXPORTED).embedded
    covered = "\ue000" * 4
    assert mqsc.text == (
        f"DEFINE QLOCAL(A.&OTHER) MAXDEPTH(50000) DESCR('{covered} {covered}\ue000')\n"
    )
    assert EXPORTED[mqsc.host(mqsc.text.index("DESCR")) :].startswith("DESCR('&OLD")
    for symbols in ("", ",SYMBOLS=NONE"):
        (plain,) = read(EXPORTED.replace(",SYMBOLS=EXECSYS", symbols)).embedded
        assert "MAXDEPTH(&DEPTH.0)" in plain.text


def test_commands_of_operators_are_those_of_the_queue_manager_in_their_prefix() -> None:
    text = "//A JOB 1\n// COMMAND '!MQ7A STOP QMGR MODE(FORCE)'\n//S EXEC PGM=IEFBR14\n"
    (mqsc,) = read(text).embedded
    assert (mqsc.text, mqsc.queue_manager) == ("STOP QMGR MODE(FORCE)", "MQ7A")
    assert text[mqsc.host(0) :].startswith("STOP QMGR")
    for other in ("-DB2P STOP TRACE(GLOBAL)", "P MQ7AMSTR", "!&QM STOP QMGR", "D A,L"):
        assert read(text.replace("!MQ7A STOP QMGR MODE(FORCE)", other)).embedded == ()


SUBMITTED = """\
//OUTER JOB (ACCT),'MQ'
//SUB EXEC PGM=IEBGENER
//SYSUT2 DD SYSOUT=(A,INTRDR)
//SYSUT1 DD DATA,DLM=$$
//INNER JOB (ACCT),'MQ',PASSWORD=chalk
//DEF EXEC PGM=CSQUTIL,PARM='MQ7A'
//SYSIN DD *
  COMMAND DDNAME(CMDS)
//CMDS DD *
DEFINE QLOCAL(A)
$$
"""


def test_a_job_for_the_internal_reader_is_read_at_its_places() -> None:
    found = read(SUBMITTED)
    (mqsc,) = found.embedded
    assert mqsc.queue_manager == "MQ7A"
    assert SUBMITTED[mqsc.host(0) :].startswith("DEFINE QLOCAL(A)")
    (step,) = found.steps
    assert SUBMITTED[slice(*step.span)] == "COMMAND DDNAME(CMDS)"
    assert step.queue_manager == "MQ7A"
    assert [SUBMITTED[slice(*span)] for span in found.secrets] == ["PASSWORD=chalk"]
    assert found.unfollowed == ()
    deeper = SUBMITTED.replace(
        "DEFINE QLOCAL(A)\n", "DEFINE QLOCAL(A)\n" + SUBMITTED.replace("$$", "##")
    )
    assert len(read(deeper).embedded) == 1


def test_security_policies_that_a_job_sets_are_read() -> None:
    text = (
        "//A JOB 1\n//S EXEC PGM=CSQ0UTIL\n//SYSIN DD *\n"
        'setmqspl -m MQ7A -p PAY.IN -e AES256 -s SHA256 -r "CN=a reader,\nO=ORG"\n'
        "dspmqspl -m MQ7A -p PAY.*\n"
    )
    found = read(text)
    assert found.unfollowed == ()
    assert [(step.command, step.queue_manager) for step in found.steps] == [
        ("setmqspl", "MQ7A"),
        ("dspmqspl", "MQ7A"),
    ]
    values = {option.name: option.value for option in found.steps[0].options}
    assert (values["p"], values["r"]) == ("PAY.IN", "CN=a reader,\nO=ORG")
    assert [text[slice(*step.span)][:8] for step in found.steps] == ["setmqspl", "dspmqspl"]
