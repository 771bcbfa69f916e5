"""Short texts that stand for endless ones, for each language and each way to expand.

An amplifier is a row: the name of its file and pieces of text. Every second piece is repeated once
for each level, the others stand once between them. In a piece `<n>` is the number of the level (of
the last one outside of repeated pieces), `<m>` the number before it and `<r>` the number counted
from the other end.
"""

from __future__ import annotations

from collections.abc import Mapping

Amplifier = tuple[str, ...]

SHELL: Mapping[str, Amplifier] = {
    "a variable in a word": ("a.sh", "A0=Q\n", "A<n>=$A<m>$A<m>$A<m>$A<m>\n", "strmqm $A<n>\n"),
    "a variable in quotes": (
        *("a.sh", "A0='DEFINE QLOCAL(A)'\n", 'A<n>="$A<m>$A<m>$A<m>$A<m>"\n'),
        'echo "$A<n>" | runmqsc QM1\n',
    ),
    "a here-string": (
        *("a.sh", "A0=Q\n", 'A<n>="${A<m>}${A<m>}${A<m>}"\n'),
        'runmqsc QM1 <<< "DEFINE QLOCAL(${A<n>})"\n',
    ),
    "a here-document": (
        *("a.sh", "A0=Q\n", "export A<n>=$A<m>$A<m>$A<m>\n"),
        "runmqsc QM1 <<E\nDEFINE QLOCAL($A<n>)\nE\n",
    ),
    "a default value": ("a.sh", "A0=Q\n", 'A<n>="${A<m>:-x}${A<m>:-x}"\n', "strmqm $A<n>\n"),
    "an array": (
        *("a.sh", "A0=(DEFINE QLOCAL)\n", 'A<n>=("${A<m>[@]}" "${A<m>[@]}" "${A<m>[@]}")\n'),
        'echo "${A<n>[@]}" | runmqsc QM1\n',
    ),
    "one array, often": ("a.sh", "A=(", "DEFINE ", ")\n", 'echo "${A[@]}" | runmqsc QM1\n'),
    "one text, often": ("a.sh", "M='", "DEFINE QLOCAL(A)\n", "'\n", 'echo "$M" | runmqsc QM1\n'),
    "one word, often": ("a.sh", "M=", "xxxxxxxxxxxxxxxxxxxxxxxx", "\n", "strmqm $M\n"),
    "one value in a here-document, often": (
        *("a.sh", "M=", "xxxxxxxxxxxxxxxxxx", "\nrunmqsc QM1 <<E\n"),
        *("DEFINE QLOCAL(A) DESCR('$M')\n", "E\n"),
    ),
    "a text that grows": (
        *("a.sh", "M='DEFINE QLOCAL(A)'\n", 'M+="\nDEFINE QLOCAL(A)"\necho "$M" | runmqsc QM1\n'),
    ),
    "the output of cat": (
        *("a.sh", "A0='DEFINE QLOCAL(A)'\n", "A<n>=$(cat <<E\n$A<m>\n$A<m>\nE\n)\n"),
        'echo "$A<n>" | runmqsc QM1\n',
    ),
    "the output of printf": (
        *("a.sh", "A0='DEFINE QLOCAL(A)'\n", 'A<n>=$(printf "%s\\n" "$A<m>" "$A<m>")\n'),
        'echo "$A<n>" | runmqsc QM1\n',
    ),
    "a function": (
        *("a.sh", 'f() { echo "$1" | runmqsc QM1; }\nM=\'', "DEFINE QLOCAL(A)\n", "'\n"),
        'f "$M"\n',
    ),
    "a file for many queue managers": (
        *("a.sh", "cat > a.mqsc <<E\n", "DEFINE QLOCAL(A)\n", "E\n", "runmqsc QM<n> < a.mqsc\n"),
    ),
    "a command for all queue managers": (
        *("a.sh", "", "killall amqzxma0\n", "", "strmqm QM<n>\n"),
    ),
    "files of files": (
        *("a.sh", "echo 'DEFINE QLOCAL(A)' > f0\n"),
        *("cat f<m> >> f<n>\ncat f<m> >> f<n>\n", "runmqsc QM1 < f<n>\n"),
    ),
    "a pipe with many files": (
        *("a.sh", "cat <<E ", "| tee f<n>.mqsc ", "| cat\n", "DEFINE QLOCAL(A)\n", "E\n"),
    ),
    "groups in groups": (
        *("a.sh", "", "{\n", "echo 'DEFINE QLOCAL(A)'\n"),
        "echo 'DEFINE QLOCAL(B)'; } | runmqsc QM1\n",
    ),
    "a long pipe": ("a.sh", "find /var/mqm ", "| xargs rm -rf /var/mqm/qmgrs/A ", "\n"),
    "scripts in scripts": ("a.sh", "", "sh <<E<n>\n", "strmqm QM1\n", "E<r>\n"),
    "sh -c": ("a.sh", "", "sh -c ", "strmqm QM1\n"),
    "watch": ("a.sh", "", "watch ", "strmqm QM1\n"),
    "substitutions": (
        *("a.sh", "A=", "$(echo 'DEFINE QLOCAL(A)' ", "x", ")", "\necho $A | runmqsc QM1\n"),
    ),
    "another host": ("a.sh", "", "ssh h ", "strmqm QM1\n"),
    "folders made of variables": ("a.sh", "", "A<n>=$A<m>\nrm -rf /var/mqm/qmgrs/$A<n>\n", ""),
}
WINDOWS: Mapping[str, Amplifier] = {
    "a variable": ("a.cmd", "set A0=Q\n", "set A<n>=%A<m>%%A<m>%%A<m>%\n", "strmqm %A<n>%\n"),
    "delayed expansion": (
        *("a.cmd", "setlocal enabledelayedexpansion\nset A0=Q\n", "set A<n>=!A<m>!!A<m>!!A<m>!\n"),
        "echo DEFINE QLOCAL(!A<n>!) | runmqsc QM1\n",
    ),
    "a file, often": (*("a.cmd", "", "echo DEFINE QLOCAL(A)>>f\n", "", "runmqsc QM1 < f\n"),),
    "one value, often": ("a.cmd", "set A=", "xxxxxxxxxxxxxxxxxx", "\n", "strmqm %A%\n"),
    "cmd /c": ("a.cmd", "", "cmd /c ", "strmqm QM1\n"),
    "call": ("a.cmd", "", ":l<n>\ncall :l<m>\ncall :l<m>\n", "strmqm QM1\n"),
    "blocks": ("a.cmd", "", "(", "echo DEFINE QLOCAL(A)", ")", " | runmqsc QM1\n"),
    "for": ("a.cmd", "", "for %%i in (1 2 3 4) do ", "strmqm QM%%i\n"),
    "a string of PowerShell": (
        *("a.ps1", "$A0='Q'\n", '$A<n>="$A<m>$A<m>$A<m>"\n', "strmqm $A<n>\n"),
    ),
    "+ of PowerShell": (
        *("a.ps1", "$A0='DEFINE QLOCAL(A)'\n", "$A<n>=$A<m>+$A<m>+$A<m>\n"),
        "$A<n> | runmqsc QM1\n",
    ),
    "a list of PowerShell": (
        *("a.ps1", "$A0='DEFINE QLOCAL(A)'\n", "$A<n>=@($A<m>;$A<m>;$A<m>),$A<m>\n"),
        "$A<n> | runmqsc QM1\n",
    ),
    "a here-string of PowerShell": (
        *("a.ps1", "$A0='DEFINE QLOCAL(A)'\n", '$A<n>=@"\n$A<m>\n$A<m>\n"@\n'),
        "$A<n> | runmqsc QM1\n",
    ),
    "-join": (
        *("a.ps1", "$A0='DEFINE QLOCAL(A)'\n", "$A<n>=($A<m>,$A<m>) -join 'x'\n"),
        "$A<n> | runmqsc QM1\n",
    ),
    "-f": ("a.ps1", "$A0='Q'\n", "$A<n>='{0}{0}{0}' -f $A<m>\n", "strmqm $A<n>\n"),
    "a text of PowerShell that grows": (
        *("a.ps1", "$M='DEFINE QLOCAL(A)'\n", '$M += "DEFINE QLOCAL(A)`n"\n$M | runmqsc QM1\n'),
    ),
    "one text of PowerShell, often": (
        *("a.ps1", "$M=@'\n", "DEFINE QLOCAL(A)\n", "'@\n", "$M | runmqsc QM1\n"),
    ),
    "Get-Content": (
        *("a.ps1", "$M=@'\n", "DEFINE QLOCAL(A)\n", "'@\nSet-Content a.mqsc $M\n"),
        "Get-Content a.mqsc | runmqsc QM<n>\n",
    ),
}
MAINFRAME: Mapping[str, Amplifier] = {
    "SET": (
        *("a.jcl", "//J JOB 1\n// SET A0=Q\n", "// SET A<n>=&A<m>&A<m>\n"),
        "//S EXEC PGM=CSQUTIL,PARM='&A<n>'\n//SYSIN DD *\n COMMAND\n",
    ),
    "procedures": (
        *("a.jcl", "//J JOB 1\n//P0 PROC\n//S EXEC PGM=CSQUTIL,PARM='CSQ1'\n// PEND\n"),
        *("//P<n> PROC\n//S1 EXEC P<m>\n//S2 EXEC P<m>\n// PEND\n", "//S EXEC P<n>\n"),
    ),
    "members of CL": (
        *("a.clle", "PGM\n", "STRMQMMQSC SRCMBR(M<n>) SRCFILE(A/QMQSC) MQMNAME(A)\n", "ENDPGM\n"),
    ),
    "one DD, often": (
        *("a.jcl", "//J JOB 1\n//S EXEC PGM=CSQUTIL,PARM='CSQ1'\n//C DD *\n"),
        *("DEFINE QLOCAL(A)\n", "/*\n//SYSIN DD *\n", " COMMAND DDNAME(C)\n", "/*\n"),
    ),
    "page sets": (
        *("a.jcl", "//J JOB 1\n//S EXEC PGM=CSQUTIL,PARM='PAGE'\n"),
        *("//CSQS1<n> DD DSN=A,DISP=OLD\n//CSQT1<n> DD DSN=B,DISP=OLD\n", "//SYSIN DD *\n"),
        *(" COPYPAGE\n", "/*\n"),
    ),
    "a variable of CL": (
        *("a.clle", "PGM\nDCL &A0 *CHAR 9 VALUE('Q')\n"),
        *("DCL &A<n> *CHAR 99 VALUE(&A<m>&A<m>)\n", "STRMQM MQMNAME(&A<n>)\nENDPGM\n"),
    ),
    "one value of CL, often": (
        *("a.clle", "PGM\nDCL &A *CHAR 9 VALUE('", "xxxxxxxxxxxxxxxxxx", "')\n"),
        *("STRMQM MQMNAME(&A&A&A&A)\n", "ENDPGM\n"),
    ),
    "subroutines": (
        *("a.clle", "PGM\nSTRMQM QM1\n"),
        *("SUBR S<n>\nCALLSUBR S<m>\nCALLSUBR S<m>\nENDSUBR\n", "ENDPGM\n"),
    ),
    "IF in IF": ("a.clle", "PGM\n", "IF COND(1) THEN(", "STRMQM QM1", ")", "\nENDPGM\n"),
    "sh -c in QSH": ("a.clle", "PGM\nQSH CMD('", "sh -c ", "strmqm QM1')\nENDPGM\n"),
}
_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
_READER = (
    "---\napiVersion: mq.ibm.com/v1beta1\nkind: QueueManager\nmetadata: {name: q<n>}\n"
    "spec: {queueManager: {name: Q<n>, mqsc: [{configMap: {name: a, items: [a.mqsc]}}]}}\n"
)
_CONTAINER = "      - {name: c<n>, env: [{name: MQ_QMGR_NAME, value: Q<n>}]}\n"
HOSTS: Mapping[str, Amplifier] = {
    "aliases of YAML": (
        *("a.yaml", f"{_MAP}data: &x0\n  a.mqsc: PING QMGR\n"),
        *("x<n>: &x<n> [*x<m>, *x<m>]\n", ""),
    ),
    "merge keys of YAML": (
        *("a.yaml", f"{_MAP}data: &x0\n  a.mqsc: PING QMGR\n"),
        *("x<n>: &x<n>\n  <<: *x<m>\n  b: {<<: *x<m>}\n", ""),
    ),
    "an alias of a text": (
        *("a.yaml", "x: &x |\n", "  DEFINE QLOCAL(A)\n", f"{_MAP}data:\n", "  a<n>.mqsc: *x\n"),
        "",
    ),
    "readers of a ConfigMap": (
        *("a.yaml", f"{_MAP}data:\n  a.mqsc: |\n", "    DEFINE QLOCAL(A)\n", "", _READER, ""),
    ),
    "containers": (
        *("a.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n"),
        *("  # <n>\n", "  template:\n    spec:\n      volumes:\n"),
        *("      - {configMap: {name: a}}\n", "      containers:\n", _CONTAINER),
        f"---\n{_MAP}data:\n  a.mqsc: |\n    DEFINE QLOCAL(A)\n",
    ),
    "collections in collections": (
        *("a.yaml", f"{_MAP}data:\n  a.mqsc: PING QMGR\nx: ", "[", "", "]", "\n"),
    ),
    "a script of a pipeline": (
        *(".gitlab-ci.yml", "a:\n  script:\n  - |\n    A0=x\n"),
        *('    A<n>="$A<m>$A<m>$A<m>"\n', "    strmqm $A<n>\n"),
    ),
    "a loop of Ansible": (
        *("tasks/a.yml", "- command: strmqm ", "{{ item }}", "\n  loop:\n"),
        "    - AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n",
    ),
    "a script of Jenkins": (
        *("Jenkinsfile", "stage('a') { steps { sh '''\nA0=x\n", 'A<n>="$A<m>$A<m>$A<m>"\n'),
        "strmqm $A<n>\n''' } }\n",
    ),
    "a Dockerfile": (
        *("Dockerfile", "FROM x\nRUN A0=x; \\\n", 'A<n>="$A<m>$A<m>$A<m>"; \\\n'),
        "strmqm $A<n>\n",
    ),
    "settings of Docker": (
        *("Dockerfile", "FROM x\nENV A0=Q\n", "ENV A<n>=$A<m>$A<m>$A<m>\n", "RUN strmqm $A<n>\n"),
    ),
    "settings of systemd": (
        *("a.service", "[Service]\nEnvironment=A0=Q\n", "Environment=A<n>=${A<m>}${A<m>}\n"),
        "ExecStart=/opt/mqm/bin/strmqm ${A<n>}\n",
    ),
    "settings of a crontab": (
        *("crontab", "0 1 * * * strmqm QM1\nA0=Q\n", "A<n>=$A<m>$A<m>$A<m>\n"),
        "0 1 * * * strmqm $A<n>\n",
    ),
    "locals of Terraform": (
        *("a.tf", 'locals {\n a0 = "x"\n', ' a<n> = "${local.a<m>}${local.a<m>}"\n'),
        '}\ndata = {\n "a.mqsc" = <<E\nDEFINE QLOCAL(A)\nE\n}\n',
    ),
    "placeholders of Spring": (
        *("application.properties", "a0=x\n", "a<n>=${a<m>}${a<m>}${a<m>}\n"),
        "ibm.mq.queueManager=${a<n>}\nibm.mq.channel=A\n",
    ),
    "placeholders in placeholders": (
        *("application.properties", "ibm.mq.queueManager=", "${a:", "", "}", "\n"),
        "",
        "ibm.mq.channel=A\n",
    ),
    "connections of a CCDT": (
        *("ccdt.json", '{"channel":[{"name":"A","type":"clientConnection","clientConnection":'),
        *("", '{"connection":['),
        *('{"host":"h","port":1414},', '{"host":"h","port":1}],"queueManager":"QM1"}}]}'),
    ),
    "lines of an ini file": ("qm.ini", "Log:\n", "   LogPath=/x\ninclude=a<n>\n", ""),
}
MQSC: Mapping[str, Amplifier] = {
    "LIKE": ("a.mqsc", "DEFINE QLOCAL(A0)\n", "DEFINE QLOCAL(A<n>) LIKE(A<m>)\n", ""),
    "aliases": ("a.mqsc", "", "DEFINE QALIAS(A<n>) TARGET(A<m>)\n", ""),
    "CONNAME": (
        *("a.mqsc", "DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME('"),
        *("h<n>(1414),", "h(1414)')\n"),
    ),
    "changes": ("a.mqsc", "DEFINE QLOCAL(A)\n", "ALTER QLOCAL(A) MAXDEPTH(<n>)\n", ""),
    "profiles": (
        "a.mqsc",
        "",
        "SET AUTHREC PROFILE(A<n>.**) OBJTYPE(QUEUE) GROUP('g') AUTHADD(PUT)\n"
        "DEFINE QLOCAL(A<n>.B)\n",
        "",
    ),
    "profiles of any beginning": (
        "a.mqsc",
        "",
        "SET AUTHREC PROFILE(*.**.<n>) OBJTYPE(QUEUE) GROUP('g') AUTHADD(PUT)\n"
        "DEFINE QLOCAL(A.B.<n>)\n",
        "",
    ),
    "a namelist": (
        *("a.mqsc", "DEFINE NAMELIST(N) NAMES(", "C<n>,", "C)\n"),
        *("DEFINE QLOCAL(Q<n>) CLUSNL(N)\n", ""),
    ),
    "addresses": (
        *("a.mqsc", "DEFINE CHANNEL(C) CHLTYPE(SVRCONN)\n"),
        "SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('1-200.<n>.*.1-99') USERSRC(CHANNEL)\n",
        "",
    ),
    "templates": ("a.mqsc", "", "DEFINE QLOCAL({{ a<n> }}) {% if a %} MAXDEPTH(1)\n", ""),
    "conflicts": (
        "a.mqsc",
        "",
        "<<<<<<< A\nDEFINE QLOCAL(A)\n=======\nDEFINE QLOCAL(B)\n>>>>>>> B\n",
        "",
    ),
}
LANGUAGES: Mapping[str, Mapping[str, Amplifier]] = {
    "shell": SHELL,
    "windows": WINDOWS,
    "mainframe": MAINFRAME,
    "hosts": HOSTS,
    "mqsc": MQSC,
}


def text_of(amplifier: Amplifier, levels: int) -> str:
    """Return the text of an amplifier with so many levels."""
    parts: list[str] = []
    for number, piece in enumerate(amplifier[1:]):
        numbers = range(1, levels + 1) if number % 2 else (levels,)
        parts += (
            piece.replace("<n>", str(level))
            .replace("<m>", str(level - 1))
            .replace("<r>", str(levels + 1 - level))
            for level in numbers
        )
    return "".join(parts)
