"""No sign of this program's own stands in what people or programs are given.

Readers cover templates, branches and secrets with private-use characters. None may get out.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mqlint.report import FORMATS
from tests.cli.conftest import Mqlint

OWN = re.compile(r"[\ue000-\uf8ff]|\\u[eE][0-9a-fA-F]{3}")
COMMANDS = """\
DEFINE QLOCAL(!.IN) MAXDEPHT(5) DESCR('for !')
DEFINE QLOCAL(!-OUT) MAXDEPTH(99999999999) BOQNAME(!.BOQ)
DEFINE QLOCAL(A-B.!)
DEFINE CHANNEL(!.SVRCONN) CHLTYPE(SVRCONN) MCAUSER('mqm') SSLCIPH(RC4_MD5_US) SSLCAUTH(SOME)
DEFINE CHANNEL(TO.!) CHLTYPE(SDR) XMITQ(!) CONNAME('!(1414)') PASSWORD('hunter2!')
SET CHLAUTH(!.SVRCONN) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)
SET AUTHREC PROFILE(!.**) OBJTYPE(QUEUE) GROUP('!') AUTHADD(ALL)
ALTER QMGR CHLAUTH(DISABLED) CONNAUTH(' ') DEADQ(!)
DEFINE !(X) MAXDEPTH(5)
DELETE QLOCAL(!.OLD) PRUGE
"""


def with_form(form: str, line: str = "{}\n") -> str:
    return "".join(line.format(command.replace("!", form)) for command in COMMANDS.splitlines())


FILES = {
    "braces.mqsc": "{% if x %}\n" + with_form("{{ app }}") + "{% endif %}\n",
    "dollar.mqsc": with_form("$APP"),
    "run.sh": "#!/bin/sh\nQM=$1\ncrtmqm -lc -u $QM.DLQ $QM\nrunmqsc $QM <<X\n"
    + with_form("$APP")
    + "X\nrm -rf /var/mqm/qmgrs/$QM\nendmqm -p $QM\nsetmqaut -m $QM -t q -n $APP.IN -g $GRP +al\n",
    "run.bat": with_form("%APP%", "echo {} | runmqsc %QM%\n"),
    "run.ps1": 'crtmqm -lc $QM\n@"\n' + with_form("$App") + '"@ | runmqsc $QM\n',
    "play.yml": "- hosts: all\n  tasks:\n  - shell: |\n      runmqsc {{ qm }} <<'X'\n"
    + with_form("{{ app }}", "      {}\n")
    + "      X\n",
    "map.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ app }}'}\ndata:\n"
    + "  a.mqsc: |\n"
    + with_form("{{ app }}", "    {}\n"),
    "qm.ini": "Log:\n  LogType={{ type }}\n  LogPath=C{{ x }} y\nLogg:\n  {{ key }}=1\nLog:\n  A\n",
    "job.jcl": "//JOB1 JOB (A),'X'\n//S1 EXEC PGM=CSQUTIL,PARM='{{ ssid }}'\n//SYSIN DD *\n"
    + "COMMAND DDNAME(CMDS)\n//CMDS DD *\n"
    + with_form("&APP.")
    + "/*\n",
}


@pytest.fixture
def files(project: Path) -> list[str]:
    for name, text in FILES.items():
        (project / name).write_text(text, encoding="utf-8")
    return [*FILES]


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("profile", ["default", "audit"])
def test_no_report_holds_a_placeholder(
    mqlint: Mqlint, files: list[str], form: str, profile: str
) -> None:
    result = mqlint("check", ".", "--no-cache", "--format", form, "--profile", profile)
    assert ("VOC002" if form == "statistics" else "MAXDEPHT") in result.output
    assert OWN.findall(result.output) == []


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_is_shown_of_a_file_holds_no_placeholder(
    mqlint: Mqlint, files: list[str], form: str
) -> None:
    for name in files:
        result = mqlint("show", name, "--format", form)
        assert result.exit_code == 0
        assert OWN.findall(result.output) == []


@pytest.mark.parametrize(
    "words",
    [
        ("questions", "."),
        ("chlauth", "audit", "."),
        ("baseline", "."),
        ("config", "."),
        ("why", "SEC004", "."),
        ("why", "SEC004", ".", "--format", "json"),
    ],
)
def test_no_other_command_prints_a_placeholder(
    mqlint: Mqlint, project: Path, files: list[str], words: tuple[str, ...]
) -> None:
    assert OWN.findall(mqlint(*words).output) == []
    written = [path for path in project.iterdir() if path.name not in FILES]
    assert [path.name for path in written if OWN.search(path.read_text("utf-8"))] == []
