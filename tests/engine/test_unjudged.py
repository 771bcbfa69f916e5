"""What may not run is judged by itself: no conclusion needs it to have run, or the rest of it."""

from __future__ import annotations

import pytest

from mqlint.engine import Analyser
from mqlint.engine.document.unjudged import uncertain
from mqlint.finding import Finding
from mqlint.vocabulary import Target
from tests.engine.conftest import Lint, settings_of

OFF = "ALTER QMGR CHLAUTH(DISABLED)"
MAPS = "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(MAP) MCAUSER('mqm')"

FOUND = {
    "in a function that nothing calls": (
        "a.sh",
        f"setup() {{\nrunmqsc QM1 <<X\n{OFF}\nX\n}}\n",
        [("SEC001", 3)],
    ),
    "a record in a function that nothing calls": (
        "a.sh",
        f"setup() {{\nrunmqsc QM1 <<X\n{MAPS}\nX\n}}\n",
        [("SEC023", 3)],
    ),
    "in a branch": (
        "a.sh",
        f'if [ -n "$DEV" ]; then\nrunmqsc QM1 <<X\n{OFF}\nX\nfi\n',
        [("SEC001", 3)],
    ),
    "in a loop": (
        "a.sh",
        f"while read q; do\nrunmqsc $q <<X\n{OFF}\nX\ndone\n",
        [("SEC001", 3)],
    ),
    "in each of two branches, at its place": (
        "a.sh",
        f"if [ $1 ]; then\nrunmqsc QM1 <<X\n{OFF}\nX\nelse\nrunmqsc QM1 <<X\n{OFF}\nX\nfi\n",
        [("SEC001", 3), ("SEC001", 7)],
    ),
    "in a branch of a template": (
        "a.mqsc",
        f"{{% if dev %}}\n{OFF}\n{{% else %}}\nALTER QMGR CHLAUTH(ENABLED)\n{{% endif %}}\n",
        [("SEC001", 2)],
    ),
    "a log of a queue manager whose name is not known": (
        "a.sh",
        'crtmqm -lc -lf 16384 "$1"\n',
        [("LOG001", 1)],
    ),
    "two logs of queue managers whose names are not known": (
        "a.sh",
        'crtmqm -lc -lf 16384 "$1"\ncrtmqm -ll -lf 16384 "$2"\n',
        [("LOG001", 1)],
    ),
}

SILENT = {
    "the sides of an alternative define one queue": (
        "a.sh",
        "if [ $1 ]; then\nrunmqsc QM1 <<X\nDEFINE QLOCAL(A) MAXDEPTH(10)\nX\nelse\n"
        "runmqsc QM1 <<X\nDEFINE QLOCAL(A) MAXDEPTH(20)\nX\nfi\n",
        ["DRF001", "DRF002", "DRF003"],
    ),
    "the sides of a template define one queue": (
        "a.mqsc",
        "{% if a %}\nDEFINE QLOCAL(A) MAXDEPTH(10)\n{% else %}\nDEFINE QLOCAL(A) MAXDEPTH(20)\n"
        "{% endif %}\n",
        ["DRF001", "DRF002", "DRF003"],
    ),
    "a log that is changed later": (
        "a.sh",
        'crtmqm -lc "$1"\nmigmqlog -m "$1" -ll\n',
        ["LOG001"],
    ),
    "what a session refused": (
        "a.txt",
        "5724-H72 (C) Copyright IBM Corp. 1994, 2021.\n"
        "Starting MQSC for queue manager QM1.\n\n\n"
        f"     1 : {OFF}\nAMQ8405E: Syntax error detected at or near end of "
        "command segment below:-\n"
        "One MQSC command read.\n",
        ["SEC001"],
    ),
}


def places(findings: list[Finding]) -> list[tuple[str, int]]:
    return [(finding.rule.id, finding.location.start.line) for finding in findings]


@pytest.mark.parametrize("case", FOUND)
def test_what_may_not_run_is_judged(case: str, lint: Lint) -> None:
    path, text, expected = FOUND[case]
    rules = {rule for rule, _ in expected}
    found = places(lint({path: text}).findings)
    assert sorted(place for place in found if place[0] in rules) == expected


@pytest.mark.parametrize("case", SILENT)
def test_what_may_not_run_is_no_evidence_of_the_final_state(case: str, lint: Lint) -> None:
    path, text, rules = SILENT[case]
    assert not {rule for rule, _ in places(lint({path: text}).findings)} & set(rules)


def test_nothing_is_missing_from_what_may_not_run(lint: Lint) -> None:
    """What a START names must be there whenever it runs, which is for REF028 to say."""
    text = "setup() {\nrunmqsc QM1 <<X\nALTER QMGR DEADQ(DLQ)\nSTOP CHANNEL(TO.B)\nX\n}\n"
    whole = settings_of("inventory: {objects: complete}\n")
    assert lint({"a.sh": text}, whole).findings == lint({"a.sh": text}).findings


def test_one_text_in_two_descriptions_is_found_once(lint: Lint) -> None:
    branch = "if [ $1 ]; then\nrunmqsc QM1 <<X\nALTER QMGR MAXUMSGS(9)\nX\nfi\n"
    text = f"runmqsc QM1 <<X\n{OFF}\nX\n{branch}"
    found = [place for place in places(lint({"a.sh": text}).findings) if place[0] == "SEC001"]
    assert found == [("SEC001", 2)]


def test_a_fault_in_a_text_that_runs_for_several_is_reported_once(lint: Lint) -> None:
    text = "for q in A B; do\nrunmqsc $q <<X\nDEFINE QLOCAL(Q) MAXDEPHT(5)\nX\ndone\n"
    assert len(lint({"a.sh": text}).findings) == 1


CALLED = {
    "a function": (
        f'mq() {{ runmqsc "$1"; }}\nmq QM1 <<X\n{OFF}\nX\nmq QM2 <<X\nALTER QMGR MAXUMSGS(9)\nX\n',
        [("QM1", 3)],
    ),
    "a function that is given the text": (
        'in_box() { docker exec "$1" bash -c "$2"; }\n'
        f"in_box a \"cat <<'X' | runmqsc QM1\n{OFF}\nX\"\n",
        [("QM1", 3)],
    ),
    "a function that holds the text": (
        f'off() {{\nlocal qm="$1"\nrunmqsc "$qm" <<X\n{OFF}\nX\n}}\noff QM1\noff QM2\n',
        [("QM1", 4), ("QM2", 4)],
    ),
    "a loop": (
        f"for q in QM1 QM2; do\nrunmqsc $q <<X\n{OFF}\nX\ndone\n",
        [("QM1", 3), ("QM2", 3)],
    ),
    "a loop that a pipe reads": (
        f'for a in "{OFF}" "ALTER QMGR MAXUMSGS(9)"; do\necho "$a"\ndone | runmqsc QM1\n',
        [("QM1", 2)],
    ),
}


@pytest.mark.parametrize("case", CALLED)
def test_calls_and_loops_are_followed(case: str, lint: Lint) -> None:
    text, expected = CALLED[case]
    found = [
        (finding.subject.queue_manager, finding.location.start.line)
        for finding in lint({"a.sh": text}).findings
        if finding.rule.id == "SEC001"
    ]
    assert sorted(found) == expected


WHY = {
    "f() { strmqm QM1; }\n": ["function"],
    "f() { if true; then strmqm QM1; fi; }\n": ["function"],
    "if true; then strmqm QM1; fi\n": ["branch"],
    "case $1 in a) strmqm QM1;; esac\n": ["branch"],
    "test -f x && strmqm QM1\n": ["branch"],
    "while true; do strmqm QM1; done\n": ["loop"],
    'strmqm "$1"\n': ["unknown queue manager"],
    "strmqm QM1\n": [],
    "get | runmqsc QM1\n": ["unknown input"],
    "get | ssh box 'runmqsc QM1'\n": ["unknown input"],
    "get | sudo su - mqm -c 'runmqsc QM1'\n": ["unknown input"],
    'echo "$(cat a)" | runmqsc QM1\n': ["unknown input"],
    'runmqsc QM1 <<< "$X"\n': ["unknown input"],
    "coproc runmqsc QM1\necho 'DISPLAY QMGR' >&${COPROC[1]}\n": ["unknown input"],
    "exec 3> >(runmqsc QM1)\necho 'DISPLAY QMGR' >&3\n": ["unknown input"],
    "exec 3> >(cat < a.mqsc; runmqsc QM1 < a.mqsc)\n": [],
    "runmqsc QM1 <<X\nDISPLAY QMGR\n$(cat a)\nX\n": ["unknown input"],
    "echo 'DISPLAY QMGR' | runmqsc QM1\n": [],
    "runmqsc QM1 <<X\nDISPLAY QLOCAL($Q)\nX\n": [],
    "if true; then\nrunmqsc QM1 <<X\nEND\nX\nfi\n": ["branch", "branch"],
}


@pytest.mark.parametrize("text", WHY)
def test_what_may_not_run_is_told_with_the_reason(text: str, analyser: Analyser) -> None:
    found = [*uncertain(analyser.analyse(text, "shell", Target()))]
    assert [statement.why for statement in found] == WHY[text]
    assert all(text[slice(*statement.span)].strip() for statement in found)


MQSC = "DISPLAY QMGR\n"
AWAITED = {
    # files of a project, and the lines of the first that no file of the project shows
    "MQSC of another host": ({"a.sh": "runmqsc QM1 < /srv/a.mqsc\n"}, [1]),
    "a template of it": ({"a.sh": "runmqsc QM1 < /srv/a.mqsc\n", "t/a.mqsc.j2": MQSC}, []),
    "a script of another host": ({"a.sh": "strmqm QM1\n. /srv/lib.sh\nsh /srv/b.ksh\n"}, [2, 3]),
    "a script that an image has": (
        {"a.sh": "strmqm QM1\n. /srv/lib.sh\n", "Dockerfile": "FROM x\n", "i/lib.sh": "ls\n"},
        [],
    ),
    "nothing of MQ": ({"a.sh": "./up.sh\n. /srv/lib.sh\n$RUN\n"}, []),
    "settings, and files of the system": (
        {"a.sh": "strmqm QM1\n. x.conf\n. /etc/x.conf\n. ~/.profile\n./mqlicense.sh\n"},
        [2],
    ),
    "scripts of the system and of MQ": (
        {
            "a.sh": "strmqm QM1\n. /lib/lsb/init-functions\n. /usr/lib/ocf/x.sh\n"
            "su - mqm -c 'bash strmqweb'\n$D/genmqpkg.sh -b /opt/x\n/opt/mqm/bin/x.sh\n"
            "/opt/mqm/y.sh\n"
        },
        [7],
    ),
    "a copy of a file": ({"a.sh": "cat a.tpl > x.env\n. ./x.env\nstrmqm QM1\n"}, [2]),
    "a copy of a file of the project": (
        {"a.sh": "cat a.tpl > x.env\n. ./x.env\nstrmqm QM1\n", "a.tpl": "A=1\n"},
        [],
    ),
    "MQSC in files that are not read": (
        {
            "a.sh": "runmqsc QM1 < a.html\nrunmqsc QM1 < b.md\nrunmqsc QM1 < c.dat\n. ./d.tpl\n",
            "a.html": MQSC,
            "b.md": MQSC,
            "c.dat": "DEFINE QLOCAL(A)\n",
            "d.tpl": "A=1\n",
        },
        [1, 2],
    ),
    "MQSC in a file of the same name that is read": (
        {"a.sh": "runmqsc QM1 < a.html\n", "a.html": MQSC, "b/a.html.mqsc": MQSC},
        [],
    ),
    "a variable": ({"a.sh": 'strmqm QM1\n$RUN\nA=true\n"$@"\nif $A; then ls; fi\n'}, [2]),
    "a line that is a variable": (
        {"a.sh": "cat > up <<E\necho\n$PLAN\nE\nsh up\nstrmqm QM1\n"},
        [5],
    ),
    "settings by a program": (
        {"a.sh": 'strmqm QM1\neval "$(x init)"\neval "$(x init bash)"\neval "$(x hook -)"\n'},
        [2],
    ),
    "groups": (
        {"a.sh": "(echo ls; cat a.sh) | sh\n(echo ls; get) | sh\n(echo ls; strmqm QM1) | sh\n"},
        [2, 3],
    ),
    "a Makefile": (
        {"Makefile": "-include a.mk b.mk\nall:\n\tstrmqm QM1\n", "lib/b.mk": "B := 1\n"},
        [1],
    ),
    "a Jenkinsfile": (
        {"Jenkinsfile": "sh 'strmqm QM1'\nsh plan\nsh(readFile('a'))\nsh \"${P}\"\n"},
        [2, 3, 4],
    ),
    "a pipeline": (
        {".gitlab-ci.yml": "a:\n  script:\n  - strmqm QM1\n  - $PLAN\n  - ls\n"},
        [4],
    ),
    "a playbook": (
        {
            "site.yml": "- hosts: a\n  tasks:\n  - shell: runmqsc QM1\n    args:\n"
            '      stdin: "{{ x }}"\n  - shell: "{{ y }}"\n'
        },
        [5, 6],
    ),
    "an image": (
        {
            "Dockerfile": "FROM icr.io/ibm-messaging/mq:9.4.2.0-r1\n"
            "ADD https://h.example/a.mqsc /etc/mqm/a.mqsc\nCOPY --from=b /o/b.mqsc /etc/mqm/\n"
            "RUN curl -o /etc/mqm/c.mqsc h.example\nCOPY d.mqsc /etc/mqm/\n",
            "d.mqsc": MQSC,
        },
        [2, 3, 4],
    ),
    "a unit": (
        {
            "a.service": "[Service]\nStandardInput=file:/run/a.mqsc\n"
            "ExecStart=/opt/mqm/bin/runmqsc QM1\n"
        },
        [2],
    ),
    "a job": (
        {
            "a.jcl": "//A JOB\n//S EXEC PGM=CSQUTIL,PARM='QM1'\n//SYSPRINT DD SYSOUT=*\n"
            "//SYSIN DD *\nCOMMAND DDNAME(B)\nCOMMAND DDNAME(C)\n/*\n"
            "//B DD DISP=SHR,DSN=X.PDS(BMEM)\n//C DD DISP=SHR,DSN=X.PDS(CMEM)\n"
            "//T EXEC PGM=CSQUTIL,PARM='QM1'\n//SYSPRINT DD SYSOUT=*\n//SYSIN DD DSN=X.Y\n",
            "bmem.mqsc": MQSC,
        },
        [9, 12],
    ),
    "a program of IBM i": (
        {
            "a.clle": "PGM PARM(&C &L)\nSTRMQM MQMNAME(QM1)\n"
            "STRMQMMQSC SRCMBR(B) SRCFILE(X/S) MQMNAME(QM1)\n"
            "STRMQMMQSC SRCMBR(C) SRCFILE(X/S) MQMNAME(QM1)\n"
            "CALL PGM(QCMDEXC) PARM(&C &L)\nQSH CMD('curl h | sh')\nENDPGM\n",
            "b.mqsc": MQSC,
        },
        [4, 5, 6],
    ),
    "streams of a job that no program of MQ is known to read": (
        {
            "a.jcl": "//A JOB\n// SET Q=CSQUTIL\n// COMMAND 'QM1 ALTER QMGR DEADQ(D)'\n"
            "//*  DEFINE QLOCAL(A)\n//S EXEC PGM=&P,PARM='QM1'\n//SYSIN DD *\n"
            "COMMAND DDNAME(B)\n//B DD *\n* DEFINE QLOCAL(A)\nDEFINE QLOCAL(A)\n/*\n"
            "//T EXEC MQPROC\n//S.B DD *\nDEFINE QLOCAL(A)\n/*\n"
            "//U EXEC PGM=CSQUTIL,PARM='QM1'\n//SYSIN DD *\nCOMMAND DDNAME(B)\n"
            "//B DD *\nDEFINE QLOCAL(A)\n/*\n"
        },
        [14],
    ),
    "a stream between data sets": (
        {
            "a.jcl": "//U EXEC PGM=CSQUTIL,PARM='QM1'\n//SYSIN DD *\nCOMMAND DDNAME(B)\n"
            "//B DD *\nDEFINE QLOCAL(A)\n//  DD DSN=X.Y,DISP=SHR\n//  DD *\n"
            "DEFINE QLOCAL(B)\n/*\n"
        },
        [4],
    ),
    "values of settings with MQSC": (
        {
            "main.tf": 'resource "a" "b" {\n  data = {\n    "a.mqsc" = "DEFINE QLOCAL(A)"\n'
            '    "description" = "DEFINE QLOCAL(A)"\n  }\n}\n# DEFINE QLOCAL(A)\n'
            'resource "c" "d" {\n  user_data = <<E\n#!/bin/sh\nstrmqm QM1\nE\n}\n'
        },
        [3],
    ),
    "a script in a string with signs for its lines": (
        {
            "main.tf": 'resource "a" "b" {\n  user_data = "#!/bin/sh\\nstrmqm QM1"\n}\n'
            'locals {\n  a = "* x\\nDEFINE QLOCAL(A)"\n  b = <<E\n#!/bin/sh\nstrmqm QM1\nE\n}\n'
        },
        [2, 5],
    ),
    "a file of MQSC that a Jenkinsfile writes": (
        {"Jenkinsfile": "sh 'strmqm QM1'\nwriteFile file: 'a', text: 'DEFINE QLOCAL(A)'\n"},
        [2],
    ),
    "an image with a command to check its health": (
        {
            "Dockerfile": "FROM icr.io/ibm-messaging/mq:9.4.2.0-r1\nCOPY <<E /etc/mqm/a.mqsc\n"
            "DEFINE QLOCAL(A)\nE\nHEALTHCHECK CMD endmqm -i QM1\nONBUILD RUN strmqm QM1\n"
            "HEALTHCHECK CMD chkmqhealthy\n"
        },
        [3, 6],  # the command that checks its health is one of a script
    ),
    "an expression of a chart": (
        {
            "templates/a.yaml": "apiVersion: v1\nkind: ConfigMap\ndata:\n"
            '  a.mqsc: {{ "DEFINE QLOCAL(A)" | quote }}\n  b.mqsc: DEFINE QLOCAL(B)\n'
        },
        [4],
    ),
    "an entry that is no text": (
        {
            "a.yaml": "apiVersion: v1\nkind: ConfigMap\ndata:\n  b.mqsc: DEFINE QLOCAL(A)\n"
            "binaryData:\n  a.mqsc: H4sIAAAAAAAAA3N09gEAAAAA//8=\n  c.p12: H4sIAAAAAAAAA3N0\n"
        },
        [6],
    ),
    "attributes of Puppet that are not known": (
        {
            "a.pp": "exec { 'a': command => '/opt/mqm/bin/strmqm QM1' }\n$c = 'strmqm QM2'\n"
            "exec { 'b': * => { command => 'endmqm -i QM1' } }\n"
            "exec { 'd': command => '/bin/true', unless => 'dspmq -m QM1' }\n"
        },
        [2, 3],
    ),
    "a program among the scripts of a task": (
        {
            "a.yaml": "kind: Task\nspec:\n  steps:\n  - script: strmqm QM1\n  - script: |\n"
            '      #!/usr/bin/env python3\n      os.system("strmqm -x QM1")\n'
        },
        [7],
    ),
    "a program of an action": (
        {
            ".github/workflows/a.yml": "jobs:\n  a:\n    steps:\n    - run: strmqm QM1\n"
            "    - uses: actions/github-script@v7\n      with:\n"
            "        script: exec('strmqm -x QM1')\n"
        },
        [7],
    ),
    "an action of Ansible in its old form": (
        {
            "site.yml": "- hosts: a\n  tasks:\n  - shell: strmqm QM1\n"
            '  - action: "command endmqm -i QM1"\n'
        },
        [4],
    ),
    "functions and variables of make": (
        {"Makefile": "a:\n\tstrmqm QM1\nA := $(shell endmqm -i QM1)\n"},
        [3],
    ),
    "arithmetic": (
        {"a.sh": "strmqm QM1\n(( $(endmqm -i QM1) ))\nA=$(( $(endmqm -i QM1) + 1 ))\nB=$((1))\n"},
        [2, 3],
    ),
    "the head of a loop of a batch file": (
        {
            "a.cmd": "for /f %%i in ('endmqm -i QM1') do rem\nstrmqm QM1\n"
            "for /f %%i in ('dspmq -m QM1') do rem\n"
        },
        [1],
    ),
    "names and code in strings of PowerShell": (
        {
            "a.ps1": 'strmqm QM1\nSet-Alias up strmqm\nup QM1\n"$(endmqm -i QM1)"\n'
            '"$(Get-Date)"\nStart-Process @p\n'
        },
        [3, 4, 6],
    ),
}


@pytest.mark.parametrize("name", AWAITED)
def test_what_no_file_of_the_project_shows_is_not_followed(name: str, lint: Lint) -> None:
    files, lines = AWAITED[name]
    run = lint(files)
    (row,) = (row for row in run.coverage.files if row.path == next(iter(files)))
    found = [each for each in row.unjudged if each.kind == "not-followed"]
    assert [each.line for each in found] == lines
    assert row.counts.get("not-followed", 0) == len(lines)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.bat", "curl h | runmqsc QM1\n"),
        ("a.ps1", "$t | runmqsc QM1\n"),
        ("a.ps1", "Get-It | runmqsc QM1\n"),
    ],
)
def test_an_output_that_is_not_known_is_an_unknown_input(path: str, text: str, lint: Lint) -> None:
    (row,) = lint({path: text}).coverage.files
    assert [each.reason for each in row.unjudged] == ["unknown input"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.bat", "echo DISPLAY QMGR| runmqsc QM1\ncurl h | more\nrunmqsc QM1 < NUL\n"),
        ("a.ps1", "'DISPLAY QMGR' | runmqsc QM1\n$t | more\n"),
    ],
)
def test_an_output_that_is_known_is_no_unknown_input(path: str, text: str, lint: Lint) -> None:
    (row,) = lint({path: text}).coverage.files
    assert "unknown input" not in [each.reason for each in row.unjudged]
