"""`mqlint fix`: which fixes are offered, that each is proven, and what is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft4Validator

from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Input
from mqlint.engine.fixing.repair import Repair
from mqlint.engine.judgement.criteria import Criteria
from tests.cli.conftest import Mqlint
from tests.linear import is_linear_in_steps
from tests.shipped import shipped_rulebook, shipped_vocabulary

REPORTS = Path(__file__).parents[1] / "report"
SARIF = Draft4Validator(json.loads((REPORTS / "sarif-schema-2.1.0.json").read_text("utf-8")))

UNSAFE = {
    "an attribute": ("DEFINE QLOCAL(A) MAXDEPT(5)\n", "DEFINE QLOCAL(A) MAXDEPTH(5)\n"),
    "a verb": ("DEFNIE QLOCAL(B)\n", "DEFINE QLOCAL(B)\n"),
    "a noun": ("DEFINE QLOCL(C)\n", "DEFINE QLOCAL(C)\n"),
    "a value": ("DEFINE QLOCAL(D) PUT(ENABLD)\n", "DEFINE QLOCAL(D) PUT(ENABLED)\n"),
    "a missing continuation": (
        "DEFINE QLOCAL(G) +\n  DESCR('y')\n* how deep\n  MAXDEPTH(7)\n",
        "DEFINE QLOCAL(G) +\n  DESCR('y') +\n* how deep\n  MAXDEPTH(7)\n",
    ),
    "two in one file": (
        "DEFINE QLOCAL(A) MAXDEPT(5)\r\nDEFINE QLOCAL(D) PUT(ENABLD)\r\n",
        "DEFINE QLOCAL(A) MAXDEPTH(5)\r\nDEFINE QLOCAL(D) PUT(ENABLED)\r\n",
    ),
}


@pytest.mark.parametrize("name", UNSAFE)
def test_unsafe_fixes(name: str, project: Path, mqlint: Mqlint) -> None:
    before, after = UNSAFE[name]
    file = project / "a.mqsc"
    file.write_bytes(before.encode())
    done = mqlint("fix", "a.mqsc")
    assert done.exit_code == 0
    assert "unsafe not tried (--unsafe)" in done.output
    done = mqlint("fix", "--unsafe", "a.mqsc")
    assert done.exit_code == 1
    assert file.read_bytes() == before.encode()
    done = mqlint("fix", "--unsafe", "--write", "a.mqsc")
    assert done.exit_code == 0
    assert file.read_bytes() == after.encode()
    assert mqlint("fix", "--unsafe", "a.mqsc").exit_code == 0


DESTROYING = {
    "a verb": "DELTE QLOCAL(A)\n",
    "a noun": "CLEAR QLOCL(A)\n",
    "an attribute": "DELETE QLOCAL(A) AUTHRC(NO)\n",
    "a cluster": "REFRSH CLUSTER(C)\n",
    "the queue manager": "STOP QMGRR\n",
    "a channel authentication record": "SET CHLAUTH(A) TYPE(BLOCKUSER) ACTION(REMOVEAL)\n",
    "a sequence number": "RESET CHANNEL(A) SEQNM(1)\n",
    "a member of a cluster": "RESET CLUSTER(C) ACTION(FORCEREMOV) QMNAME(Q)\n",
}


@pytest.mark.parametrize("name", DESTROYING)
def test_no_fix_lets_a_command_run_that_destroys(name: str, project: Path, mqlint: Mqlint) -> None:
    file = project / "a.mqsc"
    file.write_text(DESTROYING[name])
    done = mqlint("fix", "--unsafe", "--write", "a.mqsc")
    assert "not offered: lets a command run that cannot be undone" in done.output
    assert file.read_text() == DESTROYING[name]


def test_a_command_that_destroys_anyway_is_fixed(project: Path, mqlint: Mqlint) -> None:
    file = project / "a.mqsc"
    file.write_text("RESET QSTATZ(A)\nDELETE QLOCAL(A) PURGE\n")
    mqlint("fix", "--unsafe", "--write", "a.mqsc")
    assert file.read_text() == "RESET QSTATS(A)\nDELETE QLOCAL(A)\n"


def test_a_fix_that_is_not_offered_is_named_with_its_reason(project: Path, mqlint: Mqlint) -> None:
    file = project / "a.mqsc"
    file.write_text("ALTER QMGR CHLAUTH(DISABLD)\n")
    done = mqlint("fix", "--unsafe", "--diff", "a.mqsc")
    assert done.exit_code == 0
    assert "a.mqsc:1: VOC005: DISABLD -> DISABLED (not offered: causes SEC001)" in done.output
    assert mqlint("fix", "--diff", "--write", "a.mqsc").exit_code == 2


def test_the_second_of_two_equal_commands_is_removed(project: Path, mqlint: Mqlint) -> None:
    file = project / "a.mqsc"
    file.write_text("DEFINE QLOCAL(A) MAXDEPTH(5)\nDEFINE QLOCAL(A) MAXDEPTH(6)\n")
    assert "0 fixes proven" in mqlint("fix", "a.mqsc").output
    file.write_text("DEFINE QLOCAL(A) MAXDEPTH(5)\nDEF QL(B)\ndef ql(a) +\n maxdepth(5)\n")
    done = mqlint("fix", "--write", "a.mqsc")
    assert done.exit_code == 0
    assert "a.mqsc:3: DRF008: def ql(a) + maxdepth(5) is removed (safe)" in done.output
    assert file.read_text() == "DEFINE QLOCAL(A) MAXDEPTH(5)\nDEF QL(B)\n"


NOT_OFFERED = {
    "a fix that brings another finding": "DEFINE QLOCAL(A) MAXDEPT(-5)\n",
    "a word that is not near one": "DEFINE QLOCAL(A) FROBNICATE(5)\n",
    "a command that only looks equal": ("DEFINE QLOCAL(A)\nDELETE QLOCAL(A)\nDEFINE QLOCAL(A)\n"),
    "a template": "DEFINE QLOCAL({{ a }}) MAXDEPTH(5)\nDEFINE QLOCAL({{ a }}) MAXDEPTH(5)\n",
}


@pytest.mark.parametrize("name", NOT_OFFERED)
def test_what_is_not_proven_is_not_offered(name: str, project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text(NOT_OFFERED[name])
    done = mqlint("fix", "--unsafe", "a.mqsc")
    assert done.exit_code == 0
    assert "0 fixes proven" in done.output


def test_keys_of_ini_files(project: Path, mqlint: Mqlint) -> None:
    (project / "qm.ini").write_text("Log:\n   LogPrimryFiles=3\n")
    done = mqlint("fix", "--unsafe", "--write", "qm.ini")
    assert "INI004" in done.output
    assert (project / "qm.ini").read_text() == "Log:\n   LogPrimaryFiles=3\n"


def test_no_line_with_a_secret_is_shown(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text(
        "DEFINE CHANNEL(C) CHLTYPE(SVRCONN) PASSWORD('hunter2hunter2') MAXINSTT(5)\n"
    )
    done = mqlint("fix", "--unsafe", "a.mqsc")
    assert "hunter2" not in done.output
    mqlint("fix", "--unsafe", "--write", "a.mqsc")
    assert "PASSWORD('hunter2hunter2')" in (project / "a.mqsc").read_text()


def test_any_bytes_are_taken(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_bytes(bytes(range(1, 256)) + b"\nDEFINE QLOCAL(A) MAXDEPT(5)\n")
    (project / "b.mqsc").write_bytes(b"DEFINE QLOCAL('\x1b[2J') MAXDEPT(5)\n" * 80)
    done = mqlint("fix", "--unsafe", ".")
    assert done.exit_code in (0, 1)
    assert "\x1b" not in done.output


def test_what_a_comment_suppresses_is_not_fixed(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text(
        "* mqlint: ignore[VOC002] a word of the vendor\nDEFINE QLOCAL(A) MAXDEPT(5)\n"
    )
    assert mqlint("fix", "--unsafe", "a.mqsc").output == "0 fixes proven.\n"


HIDING = {
    "a value that ends the mapping": ("a.yaml", "{a: {name: MQ_ENABLE_METRICS, value: [1]}}\n"),
    "a command that is then rejected": ("a.mqsc", "DEFINE QLOCAL(A) MAXDEPT(5) MAXDEPTH(6)\n"),
}


@pytest.mark.parametrize("name", HIDING)
def test_a_fix_hides_nothing(name: str, project: Path, mqlint: Mqlint) -> None:
    file, text = HIDING[name]
    (project / file).write_text(text)
    assert "0 fixes proven" in mqlint("fix", "--unsafe", file).output


def test_one_wrong_fix_does_not_keep_others_back(project: Path, mqlint: Mqlint) -> None:
    right = [f"DEFINE QLOCAL(A{number}) MAXDEPT(5)\n" for number in range(7)]
    (project / "a.mqsc").write_text("".join(right) + "DEFINE QLOCAL(B) MAXDEPT(-5)\n")
    (project / "b.mqsc").write_text("DEFINE QLOCAL(C) PUT(ENABLD)\n")
    assert "8 fixes proven." in mqlint("fix", "--unsafe", ".").output


@pytest.mark.slow
def test_a_value_is_fixed_at_all_its_places(project: Path, mqlint: Mqlint) -> None:
    """Objects that every queue manager may have are renamed too, and findings about the name."""
    grant = "SET AUTHREC PROFILE({}) OBJTYPE(QUEUE) GROUP(admins) AUTHADD({})\n"
    other = "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP(readers) AUTHADD(GET)\n"
    text = "".join(
        (
            grant.format("'**'", "ALL,CRT"),
            other,
            grant.format("SYSTEM.ADMIN.COMMAND.QUEUE", "PUT"),
            other.replace("(A)", "(B)"),
        )
    )
    (project / "a.mqsc").write_text(text)
    output = mqlint("fix", "--unsafe", "--write", "a.mqsc").output
    assert "a.mqsc:1: SEC024: admins -> 'admins', at 2 places (unsafe)" in output
    assert "2 fixes applied." in output
    (project / "a.mqsc").write_text(text)
    report = json.loads(mqlint("check", "--fixes", "--format", "json", "a.mqsc").output)
    edits = [found["edit"] for found in report["findings"] if "edit" in found]
    assert [edit["text"].count("'admins'") for edit in edits] == [2, 0]
    (project / "a.mqsc").write_text(text.replace("AUTHADD(GET)", "AUTHADD(GET)\n" + "*\n" * 3_000))
    report = json.loads(mqlint("check", "--fixes", "--format", "json", "a.mqsc").output)
    assert not any("edit" in found for found in report["findings"])
    (project / "a.mqsc").write_text(text)
    assert "2 fixes applied." in mqlint("fix", "--unsafe", "--write", "a.mqsc").output
    wanted = text.replace("(admins)", "('admins')").replace("(readers)", "('readers')")
    assert (project / "a.mqsc").read_text() == wanted


@pytest.mark.slow
def test_a_fix_is_not_refused_for_that_of_another_file(project: Path, mqlint: Mqlint) -> None:
    (project / "mqlint.yaml").write_text('queue_managers: "{queue_manager}/*"\n')
    (project / "QMA").mkdir()
    again = "DEFINE QLOCAL(A)\n"
    (project / "QMA" / "a.mqsc").write_text(again + "DEFINE QLOCAL(B)\n" + again)
    channel = "DEFINE CHANNEL(C) CHLTYPE(SVRCONN) MCAUSER({})\n"
    (project / "QMA" / "b.mqsc").write_text(channel.format("mqm"))
    (project / "QMA" / "c.mqsc").write_text(channel.format("'mqm'"))
    output = mqlint("fix", "--unsafe", ".").output
    assert "QMA/a.mqsc:3: DRF008" in output
    assert "QMA/b.mqsc:1: SEC024: mqm -> 'mqm' (not offered" in output
    assert "1 fix proven." in output


def test_reports_propose_proven_fixes(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text(
        "DEFINE QLOCAL(A) DESCR('\u00f6') MAXDEPT(5)\n"
        "DEFINE CHANNEL(C) CHLTYPE(SVRCONN) PASSWORD('hunter2hunter2') MAXINSTT(5)\n"
    )
    log = json.loads(mqlint("check", "--fixes", "--format", "sarif", "a.mqsc").output)
    SARIF.validate(log)
    fixes = [fix for result in log["runs"][0]["results"] for fix in result.get("fixes", ())]
    (change,) = (change for fix in fixes for change in fix["artifactChanges"])
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 1, "startColumn": 29, "endLine": 1, "endColumn": 36},
            "insertedContent": {"text": "MAXDEPTH"},
        }
    ]
    report = json.loads(mqlint("check", "--fixes", "--format", "rdjson", "a.mqsc").output)
    suggested = [row["suggestions"] for row in report["diagnostics"] if "suggestions" in row]
    start, end = {"line": 1, "column": 30}, {"line": 1, "column": 37}  # bytes of UTF-8
    assert suggested == [[{"range": {"start": start, "end": end}, "text": "MAXDEPTH"}]]
    report = json.loads(mqlint("check", "--fixes", "--format", "json", "a.mqsc").output)
    edits = [found["edit"] for found in report["findings"] if "edit" in found]
    start, end = {"line": 1, "column": 29}, {"line": 1, "column": 36}
    assert edits == [{"start": start, "end": end, "text": "MAXDEPTH", "safe": False}]
    report = json.loads(mqlint("check", "--format", "json", "a.mqsc").output)
    assert not any("edit" in found for found in report["findings"])


@pytest.mark.growth
def test_work_grows_with_the_project() -> None:
    def work(size: int) -> None:
        texts = {f"QM{n}/a.mqsc": "DEFINE QLOCAL(A) MAXDEPT(5)\n" for n in range(size)}
        inputs = [Input(path, data=text.encode()) for path, text in texts.items()]
        settings = Settings(queue_managers=("{queue_manager}/*",))
        analyser, rulebook = Analyser(shipped_vocabulary()), shipped_rulebook()
        repair = Repair(inputs, Criteria.of(settings, analyser, rulebook))
        proven = repair.proven(texts, unsafe=True)
        assert sum(len(file.fixes) for file in proven.files) == size

    assert is_linear_in_steps(work, 8)


def test_a_fix_that_brings_a_finding_at_another_queue_manager(
    project: Path, mqlint: Mqlint
) -> None:
    """What a queue manager says of others counts, also if nothing about it was judged again."""
    (project / "mqlint.yaml").write_text('queue_managers: "{queue_manager}/*"\n')
    for name, word in (("QMA", "CLUSTER"), ("QMB", "CLUSTR"), ("QMC", "MAXDEPT")):
        (project / name).mkdir()
        (project / name / "a.mqsc").write_text(
            f"DEFINE CHANNEL(TO.ONE) CHLTYPE(CLUSRCVR) CONNAME('{name}(1414)') {word}(ORDERS)\n"
            if name != "QMC"
            else f"DEFINE QLOCAL(A) {word}(5)\n"
        )
    done = mqlint("fix", "--unsafe", ".")
    assert "QMC/a.mqsc:1: VOC002: MAXDEPT -> MAXDEPTH" in done.output
    refused = "QMB/a.mqsc:1: VOC002: CLUSTR -> CLUSTER (not offered: causes CLU001)"
    assert refused in done.output
    assert "1 fix proven." in done.output
