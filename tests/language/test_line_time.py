"""Long lines and long runs take time in line with their length.

One search of a pattern goes over all of them, so steps of Python do not show it.
"""

from __future__ import annotations

from itertools import count

import pytest

from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Input
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.loading.load import load
from tests.linear import is_linear_in_time

QUEUE_MANAGER = (
    "apiVersion: mq.ibm.com/v1\nkind: QueueManager\nspec:\n  queueManager: {name: QMA}\n---\n"
)
CASES: dict[str, tuple[str, str, str, str]] = {
    "texts in quotes before runmqsc": ("a.sh", "echo runmqsc ", '"a" ', "\n"),
    "names of runmqsc in PowerShell": ("a.ps1", "", "runmqsc ", "\n"),
    "names of resource adapters": (
        *("a.xml", '<resourceAdapter id="a" location="', "wmq", '"/><properties.wmqJms/>'),
    ),
    "steps of FTP": ("a.jcl", "//A JOB\n//S EXEC PGM=CSQUTIL\n", "// PGM=FTP\n", ""),
    "blanks in a secret": ("a.yaml", f"{QUEUE_MANAGER}password:\n  - a", " ", "b\n"),
    "lines below a connection of an exporter": ("a.yaml", "connection:\n", " \n", "x\n"),
    "comments below ibm in Spring": ("a.yaml", "ibm:\r\n", "#a\r\n", "x\r\n"),
    "blanks behind a step of Jenkins": ("Jenkinsfile", "pipeline { sh 'strmqm A'; pwsh", " ", "x"),
    "open templates in Puppet": ("a.pp", "mq_queue { '", "${A", "': }"),
    "colons in Puppet": ("a.pp", "mq_queue {}", ":", ""),
    "quotes in Puppet": ("a.pp", "mq_queue {}", '\\"', ""),
    "blanks behind a name in YAML": (
        *("a.yml", "mq_commands:\n  - command: define\n    qualifier: qlocal\n", " ", "x"),
    ),
    "keys of a chart": (
        *("a.yaml", "queueManager:\n  name: PAY\nlicense: x\nmetrics: {}\nnativeha:\n"),
        *('  "port":\n', ""),
    ),
    "queue managers of an exporter": ("a.yaml", "connection:\n", "  queueManager: A\n", ""),
    "options of echo": ("a.sh", "strmqm A\nX=$(echo", " -n", "\n"),
    "files of one command": ("a.sh", "strmqm A\n", ">a ", "\n"),
    "files of one command in cmd": ("a.cmd", "strmqm A\n", ">a ", "\n"),
    "comments behind a name": (*("a.yaml", f"{QUEUE_MANAGER}name: PASSWORD\r\n", "#a\r\n", "x"),),
    "here-documents of Puppet": ("a.pp", "mq_queue {}\npassword => @(", " ", "x"),
    "pairs in one line": ("a.xml", "<properties.wmqJms/>", "value: a, name: password, ", "\n"),
    "secrets of an open list": ("a.sh", "strmqm A\n", "password[", "\n"),
    "outputs of commands": ("a.sh", "strmqm A\n", "password=$(", "\n"),
    "hashes behind secrets": ("qm.ini", "Log:\n", "SSLKeyRPWD#", "\n"),
}


SHORT_CASES: dict[str, tuple[str, str, str, str]] = {
    "open parentheses behind secrets": ("a.mqsc", "", "PASSWORT(", "\n"),
    "arguments in arguments": (
        "a.jcl",
        "//A JOB\n//S EXEC PGM=CSQUTIL\n//X DD *\n",
        "PARM=",
        "x\n",
    ),
    "here-strings": ("Dockerfile", "FROM ibm/mq\nRUN strmqm ", "<<<-none", "\n"),
    "brackets below a name": ("a.yaml", QUEUE_MANAGER, "token: [", "\n"),
    "blanks in PowerShell": ("a.ps1", "strmqm A\nConvertTo-SecureString ", " ", "\n"),
    "names of variables in CL": ("a.clle", "PGM\nSTRMQM\n&", "PW", "x\nENDPGM\n"),
    "formats": ("a.sh", 'strmqm A\nprintf "', "pw%s", "\n"),
    "addresses": ("a.sh", "strmqm A @\n", "://a:", "\n"),
    "substitutions": ("a.sh", "strmqm A\ns/", "pw", "\n"),
}
"""Texts of which a search takes a limited part: it shows in short ones."""


@pytest.mark.growth
@pytest.mark.parametrize(
    ("path", "before", "piece", "after", "size"),
    [
        *((*case, 20_000) for case in CASES.values()),
        *((*case, 2_000) for case in SHORT_CASES.values()),
    ],
    ids=[*CASES, *SHORT_CASES],
)
def test_time_grows_with_the_text(
    analyser: Analyser, path: str, before: str, piece: str, after: str, size: int
) -> None:
    assembly = Assembly(Settings(), analyser.vocabulary)
    runs = count()  # no two texts are equal: what is kept from one run to the next hides its cost

    def read(length: int) -> None:
        text = before + piece * (length // len(piece) + next(runs)) + after
        load(Input(path, data=text.encode()), assembly, analyser)

    assert is_linear_in_time(read, size)
