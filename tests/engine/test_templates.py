"""What a template stands in is not judged, in whatever file the command is."""

from __future__ import annotations

import pytest

from tests.engine.conftest import Lint, settings_of

FORMS = (
    *("$NAME", "$name", "${NAME}", "${name}", "$(NAME)", "$(name)", "%NAME%", "%name%"),
    *("{{ name }}", "<NAME>", "<the name>", "[NAME]", "[the name]", "@NAME@", "@name@"),
    *("__NAME__", "__name__", "{NAME}", "#{name}", "<%= name %>"),
    *("#NAME#", "##name##", "~NAME~", "%{name}"),
)
LONG = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" * 2
COMMANDS = f"""\
DEFINE QLOCAL(!) REPLACE
DEFINE QLOCAL('!.Q') REPLACE MAXDEPTH(!) DESCR('the ! queue')
DEFINE QLOCAL(APP.!.Q) REPLACE BOQNAME('!.BOQ') BOTHRESH(3)
DEFINE QLOCAL(APP.!.Q) REPLACE
DEFINE QALIAS(!.A) TARGET(!.{LONG}) REPLACE
DEFINE CHANNEL(!.TO.{LONG[:20]}) CHLTYPE(SDR) XMITQ(!) CONNAME('!(1414)') REPLACE
DEFINE CHANNEL(TO.!) CHLTYPE(SDR) XMITQ('!.XMIT') CONNAME('a.example(!)') REPLACE
DEFINE CHANNEL(!.IN) CHLTYPE(SVRCONN) TRPTYPE(!) MAXINST(!) SSLCIPH(!) MCAUSER('!') REPLACE
DEFINE LISTENER(!.L) TRPTYPE(TCP) PORT(!) CONTROL(QMGR) REPLACE
SET CHLAUTH(!.IN) TYPE(ADDRESSMAP) ADDRESS('!') USERSRC(MAP) MCAUSER(!) ACTION(REPLACE)
SET AUTHREC PROFILE(!) OBJTYPE(QUEUE) GROUP('!') AUTHADD(PUT,!)
DEFINE TOPIC(!.T) TOPICSTR('a/!/b') REPLACE
ALTER QMGR DEADQ(!) CERTLABL('!') SSLKEYR('/mq/!/key')
START CHANNEL(!.OUT)
DELETE QLOCAL(!.OLD)
"""


def in_yaml(text: str) -> str:
    body = "".join(f"    {line}\n" for line in text.splitlines())
    head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mq}\ndata:\n"
    return f"{head}  a.mqsc: |\n{body}"


def in_script(text: str) -> str:
    return f"#!/bin/sh\ncat > a.mqsc <<'EOF'\n{text}EOF\nenvsubst < a.mqsc | runmqsc QMA\n"


@pytest.mark.parametrize("form", FORMS)
def test_a_template_of_any_form_is_not_judged(lint: Lint, form: str) -> None:
    text = COMMANDS.replace("!", form)
    for files in ({"a.mqsc": text}, {"a.yaml": in_yaml(text)}, {"a.sh": in_script(text)}):
        run = lint(files)
        assert [finding.message for finding in run.findings] == []
        assert sum(row.commands for row in run.coverage.files) == len(COMMANDS.splitlines())


def test_what_runmqsc_reads_as_it_is_written_is_judged(lint: Lint) -> None:
    text = "DEFINE QLOCAL($APP.IN) MAXDEPTH(5)\n"
    direct = {"a.sh": f"#!/bin/sh\nrunmqsc QMA <<'EOF'\n{text}EOF\n"}
    replaced = {"a.sh": f"#!/bin/sh\ncat <<'EOF' | envsubst | runmqsc QMA\n{text}EOF\n"}
    assert [finding.rule.id for finding in lint(direct).findings] == ["VOC012"]
    assert lint(replaced).findings == []


UNIFORM = """\
DEFINE CHANNEL('+AUTOCL+_+QMNAME+') CHLTYPE(CLUSRCVR) TRPTYPE(TCP) CONNAME(+CONNAME+) +
  CLUSTER('+AUTOCL+') REPLACE
DEFINE QLOCAL(ORDERS) CLUSTER(UNI1) DEFBIND(NOTFIXED) DEFPSIST(YES) REPLACE
"""
SHARED = """\
AutoCluster:
   Type=Uniform
   ClusterName=UNI1
   Repository1Name=QMA
   Repository1Conname=a.example(1414)
   Repository2Name=QMB
   Repository2Conname=b.example(1414)
"""


def member(name: str) -> dict[str, str]:
    own = f"{SHARED}Variables:\n   CONNAME={name.lower()}.example(1414)\n"
    return {f"{name}/qm.ini": own, f"{name}/uniform.mqsc": UNIFORM}


def test_a_uniform_cluster_is_as_it_should_be(lint: Lint) -> None:
    settings = settings_of("queue_managers: '{queue_manager}/*'\ninventory: {objects: complete}\n")
    together = {"uniform.mqsc": UNIFORM, "uniform.ini": SHARED}
    apart = {**member("QMA"), **member("QMB"), **member("QMC")}
    undeclared = {path: text for path, text in apart.items() if path.endswith(".mqsc")}
    for files in (together, apart, undeclared):
        run = lint(files, settings)
        assert [finding.message for finding in run.findings] == []


def test_inserts_that_make_two_queue_managers_alike_are_seen(lint: Lint) -> None:
    settings = settings_of("queue_managers: '{queue_manager}/*'\n")
    files = {
        path: text.replace("_+QMNAME+", "")
        for path, text in {**member("QMA"), **member("QMB")}.items()
    }
    assert {finding.rule.id for finding in lint(files, settings).findings} == {"CLU001"}


def test_a_text_of_which_all_lines_are_indented_is_a_block_for_another_file(lint: Lint) -> None:
    lines = ["* Queues", "DEFINE QLOCAL(A) +", "  MAXDEPHT(5)", "", "* More", "CLEAR QLOCAL(A)"]
    block = "".join(f"    {line}\n" if line else "\n" for line in lines)
    (finding,) = lint({"a.mqsc": block}).findings
    assert (finding.rule.id, finding.location.start.line, finding.location.start.column) == (
        *("VOC002", 3, 7),
    )
    ruled = {finding.rule.id for finding in lint({"a.mqsc": block + "END\n"}).findings}
    assert "SYN002" in ruled
