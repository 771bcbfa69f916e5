"""Texts of each language that grow in one way: many statements, deep nesting, open quotes, ..."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Text = Callable[[int], str]
"""A text of so many pieces."""

NUMBER = "№"
"""Stands in a piece for its number."""


def many(piece: str, before: str = "", after: str = "", closing: str = "") -> Text:
    """Texts of a piece again and again, and as often what closes it, if anything does."""

    def text(count: int) -> str:
        pieces = (piece.replace(NUMBER, str(number)) for number in range(count))
        return before + "".join(pieces) + closing * count + after

    return text


@dataclass(frozen=True)
class Language:
    """The name that a file of a language has, and its texts by what there is much of."""

    path: str
    texts: Mapping[str, Text]


MQSC = Language(
    "a.mqsc",
    {
        "commands": many("DEFINE QLOCAL(Q№) MAXDEPTH(№)\n"),
        "commands of one object": many("ALTER QLOCAL(A) MAXDEPTH(№)\n"),
        "commands in one line": many("DEFINE QLOCAL(Q№); "),
        "attributes": many(" PUT(ENABLED) +\n", "ALTER QLOCAL(A) +\n", " FORCE\n"),
        "unknown attributes": many(" WORD№(x) +\n", "ALTER QMGR +\n", " FORCE\n"),
        "attributes in one line": many("MAXDEPTH(№)" + " " * 100, "DEFINE QLOCAL(A) "),
        "names in a list": many("Q№,", "DEFINE NAMELIST(A) NAMES(", "Z)\n"),
        "continuations": many("+\n", "ALTER QMGR ", " FORCE\n"),
        "a long value": many("abcdefgh", "DEFINE QLOCAL(A) DESCR('", "')\n"),
        "parentheses": many("(", "ALTER QMGR DESCR", "\n", ")"),
        "open parentheses": many("ALTER QMGR DESCR(\n"),
        "open quotes": many("ALTER QMGR DESCR('a\n"),
        "quotes": many("''", "ALTER QMGR DESCR('", "')\n"),
        "comments": many("* said №\n"),
        "comments in a command": many("* said №\n", "ALTER QMGR +\n", " FORCE\n"),
        "templates": many("DEFINE QLOCAL({{ q№ }}) MAXDEPTH(1)\n"),
        "ignores": many("* mqlint: ignore[VOC001] known №\nDEFINE QLOCAL(Q№) MAXDEPHT(№)\n"),
        "words of an ignore": many("VOC00№, ", "* mqlint: ignore[", "] x\nPING QMGR\n"),
        "objects like each other": many("DEFINE QLOCAL(A№) LIKE(A)\n"),
        "objects like one that is altered": many(
            "ALTER QLOCAL(A) MAXDEPTH(№)\nDEFINE QLOCAL(A№) LIKE(A)\n", "DEFINE QLOCAL(A)\n"
        ),
        "objects like the last": many("DEFINE QLOCAL(A№1) LIKE(A№)\n"),
        "channels": many(
            "DEFINE CHANNEL(C№) CHLTYPE(SDR) CONNAME('h№(1414)') XMITQ(X№)\n"
            "DEFINE QLOCAL(X№) USAGE(XMITQ)\nDEFINE QREMOTE(R№) RNAME(Q) RQMNAME(B) XMITQ(X№)\n"
        ),
        "cluster channels": many(
            "DEFINE CHANNEL(C№) CHLTYPE(CLUSRCVR) CONNAME('h№(1414)') CLUSTER(C)\n"
            "DEFINE QLOCAL(Q№) CLUSTER(C)\n"
        ),
        "clusters in a namelist": many(
            "K№,",
            "".join(
                f"DEFINE CHANNEL(C{n}) CHLTYPE(CLUSRCVR) CLUSNL(N)\nDEFINE QLOCAL(Q{n}) CLUSNL(N)\n"
                for n in range(20)
            )
            + "DEFINE NAMELIST(N) NAMES(",
            "Z)\n",
        ),
        "cluster channels of one host": many(
            "DEFINE CHANNEL(C№) CHLTYPE(CLUSRCVR) CONNAME('localhost(№)') CLUSTER(C)\n"
            "DEFINE CHANNEL(D№) CHLTYPE(CLUSSDR) CONNAME('localhost(1№)') CLUSTER(C)\n"
        ),
        "channel authentication records": many(
            "SET CHLAUTH(C№) TYPE(ADDRESSMAP) ADDRESS('10.0.№.*') USERSRC(MAP) MCAUSER('u№')\n"
        ),
        "records of one channel": many(
            "SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('10.№.0.*') USERSRC(MAP) MCAUSER('u№')\n"
        ),
        "ranges of one channel": many(
            "SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('10.№.1-9.*') USERSRC(MAP) MCAUSER('u№')\n"
        ),
        "records of users": many(
            "SET CHLAUTH(C) TYPE(USERMAP) CLNTUSER('u№') USERSRC(MAP) MCAUSER('v№')\n"
            "SET CHLAUTH(C*) TYPE(SSLPEERMAP) SSLPEER('CN=a№') USERSRC(CHANNEL)\n",
            "DEFINE CHANNEL(C) CHLTYPE(SVRCONN)\n",
        ),
        "server-connection channels and records": many(
            "DEFINE CHANNEL(C№) CHLTYPE(SVRCONN)\nSET CHLAUTH(C№) TYPE(BLOCKUSER) USERLIST('a№')\n"
        ),
        "records for the ends of names": many(
            "DEFINE CHANNEL(C№) CHLTYPE(SVRCONN)\n"
            "SET CHLAUTH('*C№') TYPE(ADDRESSMAP) ADDRESS('10.1.*') USERSRC(MAP) MCAUSER('u')\n"
        ),
        "authority records": many(
            "SET AUTHREC PROFILE(Q№) OBJTYPE(QUEUE) GROUP('g№') AUTHADD(GET)\n"
        ),
        "authorities of one profile": many(
            "SET AUTHREC PROFILE(Q.*) OBJTYPE(QUEUE) GROUP('g№') AUTHADD(GET)\n"
        ),
        "aliases of aliases": many("DEFINE QALIAS(A№) TARGET(A№1)\n"),
        "queues made and deleted": many("DEFINE QLOCAL(A)\nDELETE QLOCAL(A)\n"),
        "deleted queues with subscriptions": many(
            "DEFINE QLOCAL(A)\nDEFINE SUB(S№) TOPICSTR('a') DEST(A)\nDELETE QLOCAL(A)\n"
        ),
        "subscriptions": many("DEFINE SUB(S№) TOPICSTR('a/№') DEST(Q№)\n"),
        "echoes": many("     № : DEFINE QLOCAL(Q№)\nAMQ8006I: IBM MQ queue created.\n"),
        "sessions": many("Starting MQSC for queue manager A№.\n 1 : DEFINE QLOCAL(Q)\n"),
        "conflicts": many("<<<<<<< a\nDEFINE QLOCAL(A№)\n=======\nDEFINE QLOCAL(B№)\n>>>>>>> b\n"),
        "starts and stops": many("STOP CHANNEL(C№)\nRESET CHANNEL(C№)\nSTART CHANNEL(C№)\n"),
    },
)

_QM = "crtmqm -lc QMA\n"
_LOOKED_UP = "runmqsc ${Q[$S]} <<E\nDEFINE QLOCAL(A${Q[$S]})\nE\n"
SHELL = Language(
    "a.sh",
    {
        "queue managers": many("strmqm QM№\n"),
        "queue managers and variables": many("crtmqm QM№\nstrmqm $X№\n"),
        "copies by root": many("cp -r /b№ /var/mqm/qmgrs/Q№/\n", "su - mqm -c x\n"),
        "copied files": many("/b№ ", "su - mqm -c x\ncp -r ", "/var/mqm/qmgrs/Q/\n"),
        "awaited states": many("endmqm -i Q№\nuntil dspmq | grep 'Ended normally'; do\n:\ndone\n"),
        "searched messages": many("AMQ8409:|", "echo x | runmqsc Q | grep '", "'\n"),
        "fetched folders": many("git clone h/t№ && cd t№ && sh x\n", "strmqm QMA\n"),
        "folders of subshells": many("(cd t№\n", "strmqm QMA\n", "", ")\n"),
        "commands": many("strmqm QMA\n"),
        "commands in one line": many("strmqm QMA; "),
        "options": many("-lf 4096 ", "crtmqm ", "QMA\n"),
        "unknown options": many("-z№ ", "crtmqm ", "QMA\n"),
        "words": many("a№ ", "crtmqm ", "\n"),
        "continuations": many("-lp 3 \\\n", "crtmqm ", "QMA\n"),
        "a long word": many("abcdefgh", "crtmqm ", "\n"),
        "conditions": many("if true; then strmqm QMA; fi\n"),
        "nested conditions": many("if true; then\n", _QM, "", "fi\n"),
        "nested conditions with a command": many("if a; then strmqm QMA\n", "", "", "fi\n"),
        "open conditions": many("if a; then\n", "", _QM),
        "open expansions in one line": many("${", f"{_QM}echo ", "\n"),
        "backquotes in backquotes": many("\\`a\\` ", f"{_QM}x=`echo ", "`\n"),
        "written and run files": many("echo strmqm QMA > f№\nsh f№\n"),
        "nested loops": many("for a in b c; do\n", "", _QM, "done\n"),
        "nested while": many("while a; do\n", _QM, "", "done\n"),
        "variables of branches": many('if [ -n "$V№" ]; then V№=3; fi\n', _QM),
        "questions for sites": many("if [ $A = dr ]; then\nstrmqm QMA\nelse\n", _QM, "", "fi\n"),
        "functions of sites": many(
            "f№() {\n  A=$1\n}\nf№ QMA\n",
            "case $1 in\nprod) QM=QMA;;\ndr) QM=QMA;;\nesac\nstrmqm QMA\n",
        ),
        "tables of sites": many(
            "while read site qm; do\nstrmqm $qm\ndone <<E\nprod QMA\ndr QMA\nE\n", _QM
        ),
        "open loops over tables": many("while read site qm; do\nstrmqm $qm\n", _QM),
        "rows of a table": many(
            "dr QM№\n", f"{_QM}while read site qm; do\nstrmqm $qm\ndone <<E\nprod QMA\n", "E\n"
        ),
        "dumps that are loaded": many(
            "B№=$QM\ndmpmqcfg -m QMA > /tmp/a№.mqsc\nrunmqsc QMB < /tmp/a№.mqsc\n", "QM=QMA\n"
        ),
        "nested cases": many("case a in b)\n", "", _QM, ";;esac\n"),
        "nested braces": many("{ ", "", _QM, "}\n"),
        "jobs of z/OS": many(
            "submit <<E\n//A JOB 1\n//S EXEC PGM=CSQUTIL\n//SYSIN DD *\n FORMAT №\n/*\nE\n"
        ),
        "nested subshells": many("( ", "", _QM, ") "),
        "nested substitutions": many("$(", _QM + "echo ", "", ")"),
        "nested substitutions in quotes": many('"$(echo ', _QM + "echo ", "", ')"'),
        "commands that are not followed": many("$R QMA <<E\nDEFINE QLOCAL(A)\nE\n"),
        "functions that may run MQ": many("up strmqm QMA\n", "up() {\n x $CMD\n}\n"),
        "prefixes": many("nice ", "", _QM),
        "settings": many("A№=b ", "env ", _QM),
        "elements of a mapping": many("[prod№]=QM№ ", "declare -A Q=( [dr]=A ", f")\n{_LOOKED_UP}"),
        "mappings": many("declare -A Q№=( [prod]=A [dr]=A )\nstrmqm ${Q№[$S]}\n", _LOOKED_UP),
        "open mappings": many("Q№=( [prod]=A\n", _LOOKED_UP),
        "lookups in a mapping": many(
            "echo ${Q[$A№]}\n", "declare -A Q=( [prod]=A [dr]=A )\n", _LOOKED_UP
        ),
        "branches for sites": many("'prod' {\nQ№=A\n}\n'dr' {\nQ№=A\n}\n", _LOOKED_UP),
        "loops over lists": many('for s№ in "${Q[@]}"; do strmqm $s№; done\n', "Q=(prod:A dr:A)\n"),
        "executed by find": many("-exec strmqm QM№{} \\; ", "find . "),
        "scripts of find": many("-exec sh -c 'strmqm QM№{}' \\; ", "find . "),
        "groups of one setmqaut": many("-g g№ ", "setmqaut -m Q -n A -t queue ", "+get\n"),
        "groups and authorities of one setmqaut": many(
            "-g g№ +get ", "setmqaut -m Q -n A -t queue ", "\n"
        ),
        "users of a group in one line": many("MCAUSER(a) ", f"usermod -aG mqm a\n{_QM}"),
        "texts for runmqsc in one line": many("printf 'A' | runmqsc Q; ", _QM),
        "mentions of commands in a word": many("; strmqm is a", f"{_QM}run 'a", "'\n"),
        "words of xargs": many("{}", "xargs -I{} strmqm ", "\n"),
        "nested su": many('su -c "', "", _QM, '"'),
        "open quotes": many("strmqm 'A\n"),
        "open double quotes": many('strmqm "A\n'),
        "open backquotes": many("strmqm `A\n"),
        "open substitutions": many("strmqm $(\n"),
        "open expansions": many("strmqm ${a\n"),
        "open here-documents": many("runmqsc QMA <<E№\nDEFINE QLOCAL(A)\n"),
        "open here-documents of one mark": many("runmqsc A <<E\n"),
        "here-documents that blanks leave open": many("runmqsc QMA <<E№\nDEFINE QLOCAL(A№)\n E№\n"),
        "here-documents": many("runmqsc QMA <<E\nDEFINE QLOCAL(A) MAXDEPHT(1)\nE\n"),
        "here-documents of one queue manager": many("runmqsc QMA <<E\nDEFINE QLOCAL(A№)\nE\n"),
        "here-documents in a line": many("<<E№ ", "runmqsc A ", "\n"),
        "a long here-document": many("DEFINE QLOCAL(A№) MAXDEPHT(1)\n", "runmqsc QMA <<E\n", "E\n"),
        "here-strings": many("runmqsc QMA <<< 'DEFINE QLOCAL(A№)'\n"),
        "pipes": many("echo 'DEFINE QLOCAL(A№)' | runmqsc QMA\n"),
        "a pipe": many("| cat ", "echo 'DEFINE QLOCAL(A)' ", "| runmqsc QMA\n"),
        "and": many("true && ", "", _QM),
        "lines echoed into a file": many(
            "echo 'DEFINE QLOCAL(A№)' >> t\n", "", "runmqsc QMA < t\n"
        ),
        "files echoed": many("echo 'DEFINE QLOCAL(A№)' > t№\nrunmqsc QMA < t№\n"),
        "one file written and read": many("echo 'DEFINE QLOCAL(A№)' >> t\nrunmqsc QMA < t\n"),
        "variables": many("A№=QMA\nstrmqm $A№\n"),
        "variables of the last": many("A№1=$A№\n", "A0=Q\n", "strmqm $A1\n"),
        "one variable": many("A=QMA\nstrmqm $A\n"),
        "one variable appended": many("A=$A.№\n", "", "strmqm $A\n"),
        "uses of a variable": many("$A", "A=QM\nstrmqm ", "\n"),
        "variables that name queue managers": many("echo x | runmqsc $QM№\n"),
        "typos of variables": many("NAME№=A\nrunmqsc QMA <<E\nDEFINE QLOCAL($NAMF№)\nE\n"),
        "arrays": many("a+=(b№)\n", "", "strmqm ${a[@]}\n"),
        "functions": many("f№() { strmqm $1; }\nf№ QMA\n"),
        "calls of a function": many("f QMA\n", "f() { strmqm $1; }\n"),
        "functions that call the last": many(
            "f№1() { f№ $1; }\n", "f0() { strmqm $1; }\n", "f1 A\n"
        ),
        "loops": many("for q in A B; do strmqm $q; done\n"),
        "words of a loop": many("A№ ", "for q in ", "; do strmqm $q; done\n"),
        "cases": many("a№) strmqm QMA;;\n", "case x in\n", "esac\n"),
        "comments": many("# said №\n", "", _QM),
        "ignores": many("# mqlint: ignore[CTL001] known №\nstrmqm -q QMA\n"),
        "assignments before a command": many("A№=b ", "", _QM),
        "authorities": many("setmqaut -m QMA -n Q№ -t q -g g№ +get\n"),
        "copies": many("cp -r /var/mqm/qmgrs/QMA/№ /backup/№\n"),
        "paths of a copy": many("/var/mqm/qmgrs/QMA/№ ", "tar cf x ", "\n"),
        "calls of scripts": many("./b№.sh QMA\n", _QM),
        "calls of scripts between queue managers": many(
            "./b№.sh\necho 'REFRESH CLUSTER(A) REPOS(YES)' | runmqsc QM№\nendmqm QM№\n"
        ),
        "ssh": many("ssh h№ strmqm QMA\n"),
        "redirections": many("> t№ ", "strmqm A ", "\n"),
        "objects like one that is defined on conditions": many(
            "if [ -f a№ ]; then runmqsc QMA <<< 'DEFINE QLOCAL(A) REPLACE MAXDEPTH(№)'; fi\n"
            "runmqsc QMA <<< 'DEFINE QLOCAL(A№) LIKE(A)'\n"
        ),
        "images": many("rcdmqimg -m QMA -t all '*'\nstrmqm QMA\nendmqm -w QMA\n"),
        "commands of MFT": many("fteCreateQueue -x\n", "strmqm QMA\n"),
    },
)

CMD = Language(
    "a.cmd",
    {
        "queue managers": many("strmqm QM№\r\n"),
        "commands in one line": many("strmqm QMA & "),
        "options": many("-lf 4096 ", "crtmqm ", "QMA\r\n"),
        "unknown options": many("-z№ ", "crtmqm ", "QMA\r\n"),
        "words": many("a№ ", "crtmqm ", "\r\n"),
        "continuations": many("-lp 3 ^\r\n", "crtmqm ", "QMA\r\n"),
        "a long word": many("abcdefgh", "crtmqm ", "\r\n"),
        "conditions": many("if exist a strmqm QMA\r\n"),
        "nested conditions": many("if exist a (\r\n", "", _QM, ")\r\n"),
        "conditions in a line": many("if exist a ", "", _QM),
        "nested parentheses": many("(", "", "strmqm A\r\n", ")"),
        "open parentheses": many("(strmqm QMA\r\n"),
        "nested loops": many("for %%i in (A B) do (\r\n", "", "strmqm A\r\n", ")\r\n"),
        "loops": many("for %%i in (A B) do strmqm %%i\r\n"),
        "words of a loop": many("A№ ", "for %%i in (", ") do strmqm %%i\r\n"),
        "open quotes": many('strmqm "A\r\n'),
        "open variables": many("strmqm %A\r\n"),
        "variables": many("set A№=QMA\r\nstrmqm %A№%\r\n"),
        "variables of the last": many("set A№1=%A№%\r\n", "set A0=Q\r\n", "strmqm %A1%\r\n"),
        "one variable": many("set A=QMA\r\nstrmqm %A%\r\n"),
        "names with a blank": many("set A№ =QMA\r\nstrmqm %B№%\r\n"),
        "one variable appended": many("set A=%A%.№\r\n", "", "strmqm %A%\r\n"),
        "uses of a variable": many("%A%", "set A=QM\r\nstrmqm ", "\r\n"),
        "delayed variables": many(
            "set A№=QMA\r\nstrmqm !A№!\r\n", "setlocal enabledelayedexpansion\r\n"
        ),
        "labels": many(":l№\r\nstrmqm QMA\r\n"),
        "calls of labels": many("call :l№ A\r\n:l№\r\nstrmqm %1\r\ngoto :eof\r\n"),
        "calls of a label": many("call :l A\r\n", "", "goto :eof\r\n:l\r\nstrmqm %1\r\n"),
        "jumps": many("goto l№\r\n:l№\r\nstrmqm QMA\r\n"),
        "pipes": many("echo DEFINE QLOCAL(A№) | runmqsc QMA\r\n"),
        "a pipe": many("| more ", "echo DEFINE QLOCAL(A) ", "| runmqsc QMA\r\n"),
        "lines echoed into a file": many("echo DEFINE QLOCAL(A№)>>t\r\n", "", "runmqsc QMA<t\r\n"),
        "files echoed": many("echo DEFINE QLOCAL(A№)>t№\r\nrunmqsc QMA<t№\r\n"),
        "echoed by a block": many("echo DEFINE QLOCAL(A№)\r\n", "(\r\n", ") | runmqsc QMA\r\n"),
        "comments": many("rem said №\r\n", "", "strmqm A\r\n"),
        "ignores": many("rem mqlint: ignore[CTL001] known №\r\nstrmqm -q QMA\r\n"),
        "copies": many("xcopy C:\\mqm\\qmgrs\\QMA\\№ D:\\backup\\№\r\n", "strmqm A\r\n"),
        "calls of scripts": many("call b№.cmd QM№\r\n", "strmqm A\r\n"),
        "carets": many("^", "strmqm A", "\r\n"),
    },
)

POWERSHELL = Language(
    "a.ps1",
    {
        "queue managers": many("strmqm QM№\n"),
        "commands in one line": many("strmqm QMA; "),
        "redirections of one command": many("echo t>", "strmqm QMA\n"),
        "options": many("-lf 4096 ", "crtmqm ", "QMA\n"),
        "unknown options": many("-z№ ", "crtmqm ", "QMA\n"),
        "words": many("a№ ", "crtmqm ", "\n"),
        "variables that are not set": many("$alpha№ = 1\nrunmqsc $omega№\n"),
        "continuations": many("-lp 3 `\n", "crtmqm ", "QMA\n"),
        "a long word": many("abcdefgh", "crtmqm ", "\n"),
        "conditions": many("if ($a) { strmqm QMA }\n"),
        "nested conditions": many("if ($a) {\n", "", "strmqm A\n", "}\n"),
        "nested conditions with a command": many("if ($a) { strmqm QMA\n", "", "", "}\n"),
        "open conditions": many("if ($a) { strmqm QMA\n"),
        "nested loops": many("foreach ($q in 'A','B') {\n", "", "strmqm A\n", "}\n"),
        "nested blocks": many("& { ", "", "strmqm A\n", "}\n"),
        "nested parentheses": many("(", "", "strmqm A", ")"),
        "nested substitutions": many("$(", "strmqm ", "", ")"),
        "nested substitutions in quotes": many('"$(echo ', "strmqm ", "", ')"'),
        "nested arrays": many("@(", "strmqm A\n$a = ", "", ")"),
        "nested tables": many("@{a=", "strmqm A\n$a = ", "1", "}"),
        "open quotes": many("strmqm 'A\n"),
        "open double quotes": many('strmqm "A\n'),
        "open substitutions": many('strmqm "$(\n'),
        "open here-strings": many("@'\nDEFINE QLOCAL(A№)\n", "strmqm A\n"),
        "open comments": many("<# strmqm A\n"),
        "here-strings": many("@'\nDEFINE QLOCAL(A№) MAXDEPHT(1)\n'@ | runmqsc QMA\n"),
        "a long here-string": many("DEFINE QLOCAL(A№)\n", "@'\n", "'@ | runmqsc QMA\n"),
        "variables": many("$A№ = 'QMA'\nstrmqm $A№\n"),
        "variables of the last": many("$A№1 = $A№\n", "$A0 = 'Q'\n", "strmqm $A1\n"),
        "one variable": many("$A = 'QMA'\nstrmqm $A\n"),
        "one variable appended": many("$A += '.№'\n", "$A = 'Q'\n", "strmqm $A\n"),
        "an array appended": many("$A += 'DEF QL(A№)'\n", "$A = @()\n", "$A | runmqsc QMA\n"),
        "uses of a variable": many("$A", '$A = "QM"\nstrmqm "', '"\n'),
        "elements": many("'DEF QL(A№)',", "$A = ", "'PING QMGR'\n$A | runmqsc QMA\n"),
        "additions": many("'a№' + ", "$A = ", "'b'\nstrmqm $A\n"),
        "functions": many("function f№ { strmqm $args[0] }\nf№ QMA\n"),
        "calls of a function": many("f QMA\n", "function f($q) { strmqm $q }\n"),
        "functions that call the last": many(
            "function f№1 { f№ }\n", "function f0 { strmqm A }\n", "f1\n"
        ),
        "loops": many("foreach ($q in 'A','B') { strmqm $q }\n"),
        "words of a loop": many("'A№',", "foreach ($q in ", "'Z') { strmqm $q }\n"),
        "pipes": many("'DEFINE QLOCAL(A№)' | runmqsc QMA\n"),
        "a pipe": many("| % { $_ } ", "'DEFINE QLOCAL(A)' ", "| runmqsc QMA\n"),
        "lines written into a file": many(
            "Add-Content t 'DEFINE QLOCAL(A№)'\n", "", "gc t | runmqsc QMA\n"
        ),
        "one file written and read": many("'DEF QL(A№)' >> t\ngc t | runmqsc QMA\n"),
        "comments": many("# said №\n", "", "strmqm A\n"),
        "ignores": many("# mqlint: ignore[CTL001] known №\nstrmqm -q QMA\n"),
        "copies": many("Copy-Item C:\\mqm\\qmgrs\\QMA\\№ D:\\backup\\№\n", "strmqm A\n"),
        "calls of scripts": many("./b№.ps1 QM№\n", "strmqm A\n"),
    },
)

_JOB = "0 1 * * * mqm "
CRONTAB = Language(
    "cron.d/mq",
    {
        "jobs": many(_JOB + "strmqm QMA\n"),
        "jobs of one queue manager": many("№ 1 * * * mqm rcdmqimg -m QMA -t all x\n"),
        "a list of minutes": many("1,", "", "2 1 * * * mqm strmqm QMA\n"),
        "commands": many("strmqm QMA; ", _JOB, "\n"),
        "variables": many("A№=b\n", _JOB + "strmqm A\n"),
        "comments": many("# said №\n", _JOB + "strmqm A\n"),
        "lines of input": many("%DEFINE QLOCAL(A№)", _JOB + "runmqsc QMA", "\n"),
        "nested substitutions": many("$(", _JOB + "strmqm ", "\n", ")"),
        "open quotes": many(_JOB + "strmqm 'A\n"),
        "ignores": many("# mqlint: ignore[CTL001] known\n" + _JOB + "strmqm -q QMA\n"),
        "calls": many(_JOB + "./b№.sh; echo 'RESET CHANNEL(A)' | runmqsc QMA\n"),
    },
)

SYSTEMD = Language(
    "mq.service",
    {
        "commands": many("ExecStart=/opt/mqm/bin/strmqm QMA\n", "[Service]\n"),
        "sections": many("[Service]\nExecStart=/opt/mqm/bin/strmqm QMA\n"),
        "continuations": many("-lp 3 \\\n", "[Service]\nExecStart=/opt/mqm/bin/crtmqm ", "QMA\n"),
        "variables": many("Environment=A№=b\nExecStart=/opt/mqm/bin/strmqm $A№\n", "[Service]\n"),
        "words": many("a№ ", "[Service]\nExecStart=/opt/mqm/bin/crtmqm ", "\n"),
        "open quotes": many("ExecStart=/opt/mqm/bin/strmqm 'A\n", "[Service]\n"),
        "comments": many("# said №\n", "[Service]\n", "ExecStart=/opt/mqm/bin/strmqm A\n"),
        "nested scripts": many('sh -c "', "[Service]\nExecStart=", "/opt/mqm/bin/strmqm A\n", '"'),
    },
)

DOCKER = Language(
    "Dockerfile",
    {
        "commands": many("RUN strmqm QMA\n", "FROM a\n"),
        "stages": many("FROM a AS b№\nRUN strmqm QMA\n"),
        "misspelt stages": many(
            "FROM a AS stage№x\nCOPY --from=stoge№x a b\n", "", "FROM icr.io/ibm-messaging/mq:9.4\n"
        ),
        "continuations": many("strmqm QMA && \\\n", "FROM a\nRUN ", "strmqm A\n"),
        "here-documents": many("RUN <<E\nstrmqm QMA\nE\n", "FROM a\n"),
        "open here-documents": many("RUN <<E№\nstrmqm QMA\n", "FROM a\n"),
        "variables": many("ENV A№=b№\nRUN strmqm $A№\n", "FROM a\n"),
        "words of a list": many('"a№", ', 'FROM a\nRUN ["strmqm", ', '"A"]\n'),
        "open lists": many('RUN ["strmqm", \n', "FROM a\n"),
        "comments": many("# said №\n", "FROM a\n", "RUN strmqm A\n"),
        "comments in a command": many("# said №\n", "FROM a\nRUN true && \\\n", "strmqm A\n"),
        "nested conditions": many("if a; then ", "FROM a\nRUN ", "\n", "strmqm A; fi; "),
        "settings": many("ENV MQ_APP_PASSWORD№=a \\\n", "FROM mq\nENV MQ_QMGR_NAME=A\n", "b=c\n"),
        "old variables": many("ENV MQ_QMGR_NAME A№\n", "FROM mq\n"),
        "copies": many("COPY a№.mqsc /etc/mqm/\n", "FROM mq\nENV MQ_QMGR_NAME=A\n"),
        "blanks of a copy": many(" ", "FROM mq\nENV MQ_QMGR_NAME=A\nCOPY a.mqsc", "/etc/mqm\n"),
    },
)

UPSTART = Language(
    "mq.conf",
    {
        "commands": many("exec strmqm QMA\n", "start on boot\n"),
        "scripts": many("script\nstrmqm QMA\nend script\n", "start on boot\n"),
        "a long script": many("strmqm QMA\n", "start on boot\nscript\n", "end script\n"),
        "open scripts": many("script\n", "start on boot\n", "exec strmqm QMA\n"),
        "continuations": many("-lp 3 \\\n", "start on boot\nexec crtmqm ", "QMA\n"),
        "comments": many("# said №\n", "start on boot\n", "exec strmqm A\n"),
    },
)

_TASK = '<Task xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">\n'
_STRMQM = "<Command>strmqm.exe</Command>"
TASK = Language(
    "a.xml",
    {
        "actions": many(f"<Exec>{_STRMQM}<Arguments>QM№</Arguments></Exec>\n", _TASK),
        "a long line": many("-m QMA ", f"{_TASK}<Exec>{_STRMQM}<Arguments>", "</Arguments></Exec>"),
        "entities": many("&quot;", f"{_TASK}<Exec>{_STRMQM}<Arguments>", "</Arguments></Exec>"),
        "open actions": many("<Exec>", f"{_TASK}{_STRMQM}"),
        "a long path": many("C:\\", f"{_TASK}<Exec><Command>", "strmqm.exe</Command></Exec>"),
    },
)

MAKEFILE = Language(
    "Makefile",
    {
        "recipes": many("a№:\n\tstrmqm QMA\n"),
        "targets for sites": many("dr-№:\n\t./a.sh\n\tstrmqm QMA\n", "prod:\n\tstrmqm QMA\n"),
        "a long recipe": many("\tstrmqm QMA\n", "a:\n"),
        "continuations": many("\t-lp 3 \\\n", "a:\n\tcrtmqm \\\n", "\tQMA\n"),
        "variables": many("A№ = b\n", "", "a:\n\tstrmqm $(A1)\n"),
        "variables in variables": many("A№ = $(A№) b\n", "", "a:\n\tstrmqm $(A1)\n"),
        "a variable that stands for itself": many("$(A) ", "A = ", "\na:\n\tstrmqm $(A)\n"),
        "references": many("$(A) ", "A = b\na:\n\tstrmqm ", "\n"),
        "open references": many("$(", "a:\n\tstrmqm ", "\n"),
        "values of many lines": many("b\n", "define A\n", "endef\na:\n\tstrmqm $(A)\n"),
        "open definitions": many("define A№\n", "a:\n\tstrmqm QMA\n"),
        "conditions": many("ifdef A№\n", "a:\n\t@true\n", "\tstrmqm QMA\n"),
        "texts for the shell": many(
            '\techo "$$A" | runmqsc QMA\n', "define A\nDEFINE QLOCAL(A)\nendef\na:\n"
        ),
        "comments": many("# said №\n", "a:\n\tstrmqm QMA\n"),
        "colons": many(": ", "a:\n\tstrmqm QMA\n"),
    },
)

JENKINS = Language(
    "Jenkinsfile",
    {
        "steps": many("sh 'strmqm QMA'\n", "node {\n", "}\n"),
        "long steps": many("sh '''\nstrmqm QMA\n'''\n", "node {\n", "}\n"),
        "a long step": many("strmqm QMA\n", "node {\nsh '''\n", "'''\n}\n"),
        "nested blocks": many("stage('a№') {\n", "", "sh 'strmqm A'\n", "}\n"),
        "blocks around steps": many("stage('a№') {\nsh 'strmqm QMA'\n", "", "", "}\n"),
        "open quotes": many("sh '''\nstrmqm QMA\n", "node {\n"),
        "open brackets": many("sh([\n", "node {\n", "sh 'strmqm A'"),
        "nested substitutions": many("${", 'node {\nsh "strmqm ', '"\n}\n', "}"),
        "additions": many("'strmqm QMA\\n' + ", "node {\nsh ", "''\n}\n"),
        "variables": many("def a№ = 'b'\nsh \"strmqm ${a№}\"\n", "node {\n", "}\n"),
        "comments": many("// said №\n", "node {\n", "sh 'strmqm A'\n}\n"),
        "open comments": many("/* said №\n", "node {\nsh 'strmqm A'\n"),
    },
)

_DATA = 'r "a" "b" {\nuser_data = <<-E\n#!/bin/sh\nstrmqm A\nE\n}\n'
_RUN = 'provisioner "local-exec" { command = "strmqm QMA" }\n'
TERRAFORM = Language(
    "main.tf",
    {
        "resources": many('resource "a" "b№" {\n user_data = <<-E\n#!/bin/sh\nstrmqm QMA\nE\n}\n'),
        "documents": many(
            '"a№.mqsc" = <<-E\nDEFINE QLOCAL(A№)\nE\n', 'resource "a" "b" {\ndata = {\n', "}\n}\n"
        ),
        "a long document": many(
            "DEFINE QLOCAL(A№)\n", 'resource "a" "b" {\ndata = {\n"a.mqsc" = <<-E\n', "E\n}\n}\n"
        ),
        "open documents": many('"a№.mqsc" = <<-E№\nDEFINE QLOCAL(A№)\n', 'a "b" {\nd = {\n'),
        "provisioners": many(
            'provisioner "local-exec" {\ncommand = "strmqm QM№"\n}\n', 'a "b" {\n', "}\n"
        ),
        "commands": many(
            '"runmqsc QMA < ${path.module}/a№.mqsc",\n',
            'a "b" {\nprovisioner "remote-exec" {\ninline = [\n',
            "]\n}\n}\n",
        ),
        "open provisioners": many('provisioner "local-exec" {\ncommand = "strmqm QM№ ${a\n'),
        "typed resources": many(
            'resource "kubernetes_pod" "a№" {\nspec {\ncontainer {\nenv {\nname = "LICENSE"\n'
            'value = "accept"\n}\nenv {\nname = "MQ_QMGR_NAME"\nvalue = local.a\n}\n}\n}\n}\n',
            'locals {\na = { b = "c" }\n}\n',
        ),
        "open typed resources": many(
            'resource "kubernetes_config_map" "a№" {\ndata = {\nb = <<E\n', _RUN
        ),
        "nested typed resources": many("a {\n", f'{_RUN}resource "kubernetes_pod" "a" {{\n'),
        "keys of a typed resource": many(
            "a№ {\n}\n", f'{_RUN}resource "kubernetes_pod" "a" {{\n', "}\n"
        ),
        "words": many("word№ ", 'provisioner "local-exec" { command = "strmqm QMA" }\n'),
        "nested blocks": many(
            'a "b" {\n', "", '"a.mqsc" = <<-E\nDEFINE QLOCAL(A)\nE\nx = "strmqm"\n', "}\n"
        ),
        "nested templates": many(
            "${", 'r "a" "b" {\nuser_data = <<-E\n#!/bin/sh\nstrmqm A', "\nE\n}\n", "}"
        ),
        "open quotes": many('a = "strmqm \n', _DATA),
        "comments": many("# said №\n", _DATA),
    },
)

_SCRIPT = "job:\n  script: [strmqm A]\n"
PIPELINE = Language(
    ".gitlab-ci.yml",
    {
        "jobs": many("job№:\n  script:\n    - strmqm QMA\n"),
        "lines": many("    - strmqm QMA\n", "job:\n  script:\n"),
        "a long script": many("      strmqm QMA\n", "job:\n  script:\n    - |\n"),
        "here-documents": many(
            "      runmqsc QMA <<E\n      DEFINE QLOCAL(A) MAXDEPHT(1)\n      E\n",
            "job:\n  script:\n    - |\n",
        ),
        "loops over one list": many(
            '- command: strmqm {{ item.a }}\n  loop: "{{ qms }}"\n',
            "- hosts: a\n  vars: {qms: [{a: A}, {a: B}]}\n- become: yes\n",
        ),
        "elements of a loop": many(
            "    - {a: A№}\n", "- become: yes\n  command: strmqm {{ item.a }}\n  loop:\n"
        ),
        "nested lists": many("[", "job:\n  script: ", "\n", "strmqm A]"),
        "nested maps": many("{a: ", "job:\n  script: [strmqm A]\nb: ", "1\n", "}"),
        "nested entries": many("- ", "job:\n  script:\n    - strmqm A\n    ", "a\n"),
        "open lists": many("job№: [a\n", _SCRIPT),
        "open quotes": many("job№: {a: 'b\n", _SCRIPT),
        "anchors": many("a№: &a№\n  script: [strmqm QMA]\nb№:\n  <<: *a№\n"),
        "aliases of one anchor": many("b№:\n  <<: *a\n", "a: &a\n  script: [strmqm A]\n"),
        "aliases of the last": many("a№1: &a№1\n  <<: *a№\n", "a0: &a0\n  script: [strmqm A]\n"),
        "documents": many("---\njob:\n  script: [strmqm QMA]\n"),
        "variables": many("  A№: QM№\n", "variables:\n", "job:\n  script: [strmqm $A0]\n"),
        "comments": many("# said №\n", "", "job:\n  script: [strmqm A]\n"),
        "tasks for variables": many("- command: strmqm {{ q№ }}\n", "- hosts: a\n  tasks:\n"),
        "tasks": many("- name: a№\n  shell: strmqm QMA\n  when: b\n", "- hosts: a\n  tasks:\n"),
    },
)

CAPTURED = Language(
    "qmgrs.txt",
    {
        "queue managers": many("QMNAME(QM№)   STATUS(Running)\n"),
        "instances": many(" INSTANCE(h№) MODE(Active)\n", "QMNAME(QMA) STATUS(Running)\n"),
        "status": many(
            "Queue manager name:   A№\nHA status:   Normal\nHA preferred location:   b\n",
            "$ rdqmstatus\n",
        ),
        "nodes": many(
            "Node:   h№\nHA status:   Normal\n", "$ rdqmstatus\nQueue manager status:   Running\n"
        ),
        "commands": many("$ dspmq -m QMA\nQMNAME(A№) STATUS(Running)\n"),
        "stanzas": many("QueueManager:\n   Name=A№\n   DataPath=/x/№\n"),
        "entries": many("   A№=B\n", "QueueManager:\n   Name=A\n   DataPath=/x\n"),
        "information": many(
            "addmqinf -s QueueManager -v Name=A№ -v Prefix=/x\n", "QMNAME(A) STATUS(Running)\n"
        ),
        "words of a line": many("A№(B) ", "QMNAME(A) ", "\n"),
        "other lines": many("said №\n", "QMNAME(A) STATUS(Running)\n"),
    },
)

DRBD = Language(
    "a.res",
    {
        "resources": many(
            "resource a№ {\n net { protocol C; }\n on h1 { address 10.0.0.1:7000; }\n"
            " on h2 { address 10.0.0.2:7000; }\n}\n"
        ),
        "hosts": many(
            "on h№ { address 10.0.0.№:7000; }\n", "resource a {\n net { protocol C; }\n", "}\n"
        ),
        "connections": many(
            "connection { host a№ port 7000; host b№ port 7001; }\n",
            "resource a {\n net { protocol C; }\n",
            "}\n",
        ),
        "hosts of a mesh": many(
            "h№ ", "resource a {\n net { protocol C; }\n connection-mesh { hosts ", "; }\n}\n"
        ),
        "volumes": many("volume № { device /dev/drbd№; }\n", "resource a {\n on h1 {\n", "}\n}\n"),
        "nested blocks": many("a { ", "resource a {\n net { protocol C; }\n", "}\n", "}\n"),
        "open blocks": many("on h№ {\n", "resource a {\n net { protocol C; }\n"),
        "words": many("a№ ", "resource a {\n net { protocol ", "; }\n}\n"),
        "open quotes": many('address "10.0.0.1\n', "resource a {\n net { protocol C; }\n"),
        "comments": many("# said №\n", "resource a {\n net { protocol C; }\n", "}\n"),
    },
)

_EXEC = "//S№ EXEC PGM=CSQUTIL,PARM='MQ7A'\n"
JCL = Language(
    "COPY.jcl",
    {
        "rules of the handler": many(
            "DESTQ(A№) ACTION(FWD)\n", "//C JOB 1\n//S EXEC PGM=CSQUDLQH\n//SYSIN DD *\n"
        ),
        "steps with rules": many(
            "//S EXEC PGM=CSQUDLQH\n//SYSIN DD *\nACTION(FWD)\n", "//C JOB 1\n"
        ),
        "profiles in mixed case": many(
            " RDEFINE MQQUEUE Q1.Pay№ UACC(NONE)\n",
            "//C JOB 1\n//S EXEC PGM=IKJEFT01\n//SYSTSIN DD *\n RDEFINE MQQUEUE Q.A\n",
        ),
        "symbols without a value": many(
            "// SET ABC№X=1\n//D№ DD DSN=&ABD№X\n", "//C JOB 1\n//S EXEC PGM=CSQUTIL\n"
        ),
        "profiles in a list": many("RDEFINE MQQUEUE &Q..Pay№ UACC(NONE) /* -\n"),
        "profiles in REXX": many('"RDEFINE MQQUEUE" q".Pay№"||,\n" UACC(NONE)"\n', "/* REXX */\n"),
        "a long command in REXX": many('x" A№" ,\n', "/* REXX */\n'RDEFINE MQQUEUE Q.A ',\n"),
        "certificates": many(
            " RACDCERT ID(A) GENCERT WITHLABEL('a№x')\n"
            " RACDCERT ID(A) CONNECT(ID(A) LABEL('a№y') RING(R))\n",
            "//C JOB 1\n//S EXEC PGM=IKJEFT01\n//SYSTSIN DD *\n RDEFINE MQQUEUE Q.A\n",
        ),
        "steps": many(_EXEC + "//SYSIN DD *\n SCOPY QUEUE(A№)\n", "//COPY JOB 1\n"),
        "steps with commands": many(
            _EXEC + "//SYSIN DD *\n COMMAND DDNAME(C)\n//C DD *\n DEFINE QLOCAL(A№) MAXDEPHT(1)\n",
            "//COPY JOB 1\n",
        ),
        "a long input": many(
            " DEFINE QLOCAL(A№)\n",
            "//COPY JOB 1\n//S EXEC PGM=CSQUTIL\n//SYSIN DD *\n COMMAND DDNAME(C)\n//C DD *\n",
        ),
        "statements of an input": many(
            " COPY QUEUE(A№)\n", "//COPY JOB 1\n//S EXEC PGM=CSQUTIL\n//SYSIN DD *\n"
        ),
        "data sets": many("//D№ DD DSN=A.B№,DISP=SHR\n", "//COPY JOB 1\n//S EXEC PGM=CSQUTIL\n"),
        "concatenated data sets": many(
            "//         DD DSN=A.B№,DISP=SHR\n",
            "//COPY JOB 1\n//S EXEC PGM=CSQUTIL\n//SYSIN DD DSN=A,DISP=SHR\n",
        ),
        "continuations": many("//  DCB=A,\n", "//COPY JOB 1\n//S EXEC PGM=CSQUTIL,\n", "//  A=B\n"),
        "parameters": many("A№=B,", "//COPY JOB 1\n//S EXEC PGM=CSQUTIL,", "C=D\n"),
        "words over lines": many(
            " A№(B) -\n", "//MQA JOB 1\n//S EXEC PGM=IDCAMS\n//SYSIN DD *\n DEFINE -\n"
        ),
        "symbols": many("// SET A№=B№\n", "//COPY JOB 1\n", "//S EXEC PGM=CSQUTIL,PARM='&A0'\n"),
        "symbols of in-stream data": many(
            "// SET A№=B№\n" + _EXEC + "//SYSIN DD *\n COMMAND DDNAME(C)\n"
            "//C DD *,SYMBOLS=JCLONLY\n DEFINE QLOCAL(&A№)\n",
            "//COPY JOB 1\n// EXPORT SYMLIST=*\n",
        ),
        "submitted jobs": many(
            "//S EXEC PGM=IEBGENER\n//SYSUT1 DD DATA,DLM=$$\n//A JOB 1\n//U EXEC PGM=CSQUTIL\n"
            "//SYSIN DD *\n FORMAT TYPE(№)\n$$\n",
            "//COPY JOB 1\n",
        ),
        "jobs inside jobs": many(
            "//A JOB 1\n//U EXEC PGM=CSQUTIL\n//D DD DATA,DLM=$№\n", "//COPY JOB 1\n"
        ),
        "called procedures": many(
            "//S EXEC MQUTIL\n//SYSIN DD *\n COMMAND DDNAME(C)\n//C DD *\n DEFINE QLOCAL(A№)\n",
            "//COPY JOB 1\n",
        ),
        "emptied queues": many(
            _EXEC + "//SYSIN DD *\n COPY QUEUE(A№)\n" + _EXEC + "//SYSIN DD *\n EMPTY QUEUE(A№)\n",
            "//COPY JOB 1\n",
        ),
        "profiles of two classes": many(
            " RDEFINE MQQUEUE Q1.PAY.A№ UACC(NONE)\n PERMIT Q1.PAY.A№ CLASS(MQADMIN) ID(A)\n",
            "//C JOB 1\n//S EXEC PGM=IKJEFT01\n//SYSTSIN DD *\n RDEFINE MQQUEUE Q.A\n",
        ),
        "symbols of the last": many(
            "// SET A№1=&A№..B\n",
            "//COPY JOB 1\n// SET A0=C\n",
            "//S EXEC PGM=CSQUTIL,PARM='&A11'\n",
        ),
        "procedures": many(
            "//P№ PROC\n//S EXEC PGM=CSQUTIL\n// PEND\n//C№ EXEC P№\n", "//COPY JOB 1\n"
        ),
        "calls of a procedure": many(
            "//C№ EXEC P\n", "//COPY JOB 1\n//P PROC\n//S EXEC PGM=CSQUTIL\n// PEND\n"
        ),
        "conditions": many(
            "// IF (S.RC=0) THEN\n//S№ EXEC PGM=CSQUTIL\n// ENDIF\n", "//COPY JOB 1\n"
        ),
        "nested conditions": many(
            "// IF (S.RC=0) THEN\n", "//COPY JOB 1\n//S EXEC PGM=CSQUTIL\n", "", "// ENDIF\n"
        ),
        "nested conditions around steps": many(
            "// IF (S.RC=0) THEN\n//S№ EXEC PGM=CSQUTIL\n", "//COPY JOB 1\n", "", "// ENDIF\n"
        ),
        "open conditions": many(
            "// IF (S.RC=0) THEN\n", "//COPY JOB 1\n", "//S EXEC PGM=CSQUTIL\n"
        ),
        "parentheses": many("(", "//COPY JOB 1\n//S EXEC PGM=CSQUTIL,COND=", "\n", ")"),
        "open quotes": many("//S№ EXEC PGM=CSQUTIL,PARM='A\n", "//COPY JOB 1\n"),
        "comments": many("//* said №\n", "//COPY JOB 1\n", "//S EXEC PGM=CSQUTIL\n"),
        "open comments": many("/* ", "//MQA JOB 1\n//S EXEC PGM=IDCAMS\n//SYSIN DD *\n"),
        "clusters": many(
            " DEFINE CLUSTER(NAME(A№) LINEAR)\n", "//MQA JOB 1\n//S EXEC PGM=IDCAMS\n//SYSIN DD *\n"
        ),
        "copies": many(
            " REPRO INFILE(A№) OUTFILE(B№)\n", "//MQA JOB 1\n//S EXEC PGM=IDCAMS\n//SYSIN DD *\n"
        ),
        "logs": many(
            " NEWLOG DSNAME=A.L№,COPY1\n", "//A JOB 1\n//S EXEC PGM=CSQJU003\n//SYSIN DD *\n"
        ),
        "operands of a log": many(
            "A№=B,", "//A JOB 1\n//S EXEC PGM=CSQJU003\n//SYSIN DD *\n NEWLOG ", "C=D\n"
        ),
        "ignores": many("//* mqlint: ignore[ZOS001] known\n" + _EXEC, "//COPY JOB 1\n"),
    },
)

KEYSTORE = Language(
    "keystore.conf",
    {
        "parameters": many("cms.keystore№ = /home/key.kdb\n"),
        "passwords": many("jks.key_pass = a№\n"),
    },
)

DLQ_RULES = Language(
    "a.rul",
    {
        "rules": many("REASON(№) ACTION(RETYR)\n", "INPUTQM(QMA)\n"),
        "keywords of a rule": many("REASON(№) ", "INPUTQM(QMA)\n", "ACTION(FWD)\n"),
        "lines of a rule": many("REASON(№) +\n", "INPUTQM(QMA)\n", "ACTION(FWD)\n"),
        "quotes": many("''", "INPUTQM(QMA)\nREASON('", "') ACTION(FWD)\n"),
        "open parentheses": many("REASON(", "INPUTQM(QMA)\n"),
        "open quotes": many("REASON('", "INPUTQM(QMA)\n"),
        "letters": many("A", "INPUTQM(QMA)\n"),
    },
)

ZPARM = Language(
    "ZPARM.asm",
    {
        "macros": many(" CSQ6ARVP ARCRETN=№\n", "", " END\n"),
        "operands": many("A№=B,", " CSQ6ARVP ", "ARCRETN=5\n END\n"),
        "continuations": many(
            "         CSQ6LOGP A=B,".ljust(71) + "X\n" + "               A№=B\n", "", " END\n"
        ),
        "a long macro": many(
            "               A=B,".ljust(71) + "X\n",
            "         CSQ6LOGP A=B,".ljust(71) + "X\n",
            "               C=D\n END\n",
        ),
        "parentheses": many("(", " CSQ6ARVP ARCRETN=", "\n END\n", ")"),
        "open quotes": many(" CSQ6ARVP ARCPFX1='A\n", "", " END\n"),
        "comments": many("* said №\n", "", " CSQ6ARVP ARCRETN=5\n END\n"),
    },
)

CL = Language(
    "save.clle",
    {
        "queue managers": many("STRMQM MQMNAME(QM№)\n", "PGM\n", "ENDPGM\n"),
        "commands": many(
            "ENDMQM MQMNAME(QMA) OPTION(*WAIT)\nSTRMQM MQMNAME(QMA)\n", "PGM\n", "ENDPGM\n"
        ),
        "parameters": many("A№(B) ", "PGM\nCRTMQM MQMNAME(A) ", "\nENDPGM\n"),
        "words of a parameter": many("A№ ", "PGM\nSAVLIB LIB(", ")\nSTRMQM A\nENDPGM\n"),
        "continuations": many("+\n", "PGM\nSTRMQM ", "MQMNAME(A)\nENDPGM\n"),
        "words over lines": many("A№ +\n", "PGM\nSTRMQM ", "\nENDPGM\n"),
        "parameters over lines": many("A№(B) +\n", "PGM\nCRTMQM ", "\nENDPGM\n"),
        "conditions": many("IF COND(&A) THEN(STRMQM MQMNAME(A))\n", "PGM\n", "ENDPGM\n"),
        "nested conditions": many(
            "IF COND(&A) THEN(DO)\n", "PGM\n", "STRMQM A\nENDPGM\n", "ENDDO\n"
        ),
        "nested conditions with a command": many(
            "IF COND(&A) THEN(DO)\nSTRMQM QMA\n", "PGM\n", "ENDPGM\n", "ENDDO\n"
        ),
        "conditions in a line": many("IF COND(&A) THEN(", "PGM\n", "\nSTRMQM A\nENDPGM\n", ")"),
        "open conditions": many("IF COND(\n", "PGM\n", "STRMQM A\nENDPGM\n"),
        "blocks": many("DO\n", "PGM\n", "STRMQM A\nENDPGM\n", "ENDDO\n"),
        "selections": many("SELECT\nWHEN COND(&A) THEN(\n", "PGM\n", "STRMQM A\nENDPGM\n"),
        "nested selections": many(
            "SELECT\nOTHERWISE DO\n", "PGM\n", "STRMQM A\n", "ENDDO\nENDSELECT\n"
        ),
        "parentheses": many("(", "PGM\nSTRMQM MQMNAME", "\nENDPGM\n", ")"),
        "open quotes": many("STRMQM 'A\n", "PGM\n", "ENDPGM\n"),
        "open comments": many("/* said №\n", "PGM\nSTRMQM A\n", "ENDPGM\n"),
        "comments": many("/* said № */\n", "PGM\n", "STRMQM A\nENDPGM\n"),
        "variables": many(
            "DCL VAR(&A№) TYPE(*CHAR) VALUE('QMA')\nSTRMQM MQMNAME(&A№)\n", "PGM\n", "ENDPGM\n"
        ),
        "one variable": many(
            "CHGVAR VAR(&A) VALUE('QMA')\nSTRMQM MQMNAME(&A)\n",
            "PGM\nDCL VAR(&A) TYPE(*CHAR)\n",
            "ENDPGM\n",
        ),
        "variables of the last": many(
            "CHGVAR VAR(&A№1) VALUE(&A№ *CAT 'B')\n", "PGM\n", "STRMQM &A1\nENDPGM\n"
        ),
        "additions": many("'A' *CAT ", "PGM\nCHGVAR VAR(&A) VALUE(", "'B')\nSTRMQM &A\nENDPGM\n"),
        "labels": many("L№: STRMQM MQMNAME(A)\n", "PGM\n", "ENDPGM\n"),
        "jumps": many("GOTO L№\nL№: STRMQM MQMNAME(A)\n", "PGM\n", "ENDPGM\n"),
        "jumps back": many("GOTO L\n", "PGM\nL: STRMQM A\n", "ENDPGM\n"),
        "subroutines": many("CALLSUBR S№\nSUBR S№\nSTRMQM QMA\nENDSUBR\n", "PGM\n", "ENDPGM\n"),
        "monitors": many("MONMSG CPF№ EXEC(STRMQM A)\n", "PGM\nSTRMQM A\n", "ENDPGM\n"),
        "objects": many("CRTMQMQ QNAME('A№') QTYPE(*LCL) MQMNAME(A)\n", "PGM\n", "ENDPGM\n"),
        "journals": many(
            "CHGJRN JRN(QMA/AMQAJRN) JRNRCV(*GEN)\nRCDMQMIMG OBJ(*ALL) MQMNAME(A)\n",
            "PGM\n",
            "ENDPGM\n",
        ),
        "saved objects": many("('/QIBM/a/№') ", "PGM\nSAV OBJ(", ")\nSTRMQM A\nENDPGM\n"),
        "calls": many("CALL PGM(B№) PARM('A№')\n", "PGM\nSTRMQM A\n", "ENDPGM\n"),
        "members": many(
            "STRMQMMQSC SRCMBR(M№) SRCFILE(MQCFG/QMQSC) MQMNAME(A)\n", "PGM\n", "ENDPGM\n"
        ),
    },
)

_RESOURCE = "apiVersion: mq.ibm.com/v1beta1\nkind: QueueManager\nmetadata: {name: a№}\n"
_MAP = "kind: ConfigMap\nmetadata: {name: m}\ndata:\n"
MANIFEST = Language(
    "objects.yaml",
    {
        "resources": many(f"---\n{_RESOURCE}spec:\n  queueManager:\n    name: QM№\n"),
        "namespaces of sites": many(
            "---\nkind: ConfigMap\nmetadata: {name: m, namespace: dr-№}\n"
            "data:\n  a.mqsc: DEFINE QLOCAL(A№)\n",
            "kind: ConfigMap\nmetadata: {name: m, namespace: prod}\n",
        ),
        "maps": many(
            "---\nkind: ConfigMap\nmetadata: {name: m№}\ndata:\n  a.mqsc: DEFINE QLOCAL(A№)\n"
        ),
        "resources and maps": many(
            f"---\n{_RESOURCE}spec:\n  queueManager:\n    name: QMA\n"
            "    mqsc: [{configMap: {name: m№, items: [a.mqsc]}}]\n"
            "---\nkind: ConfigMap\nmetadata: {name: m№}\ndata:\n  a.mqsc: DEFINE QLOCAL(A№)\n"
        ),
        "files of applications in one map": many(
            "---\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n"
            "  application.properties: |\n    ibm.mq.channel=${C}\n"
            "---\nkind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n"
            "        - env: [{name: C, value: A№}]\n"
            "      volumes: [{name: v, configMap: {name: m}}]\n"
        ),
        "resources of one map": many(
            f"---\n{_RESOURCE}spec:\n  queueManager:\n    name: QMA\n"
            "    mqsc: [{configMap: {name: m, items: [a.mqsc]}}]\n",
            f"---\n{_MAP}  a.mqsc: DEFINE QLOCAL(A)\n",
        ),
        "entries": many("  a№.mqsc: DEFINE QLOCAL(A№) MAXDEPHT(1)\n", _MAP),
        "a long entry": many("    DEFINE QLOCAL(A№)\n", _MAP + "  a.mqsc: |\n"),
        "entries of stanzas": many("  a№.ini: |\n    Log:\n      LogType=SPIRAL\n", _MAP),
        "references": many(
            "    - configMap: {name: m№, items: [a.mqsc]}\n",
            _RESOURCE + "spec:\n  queueManager:\n    name: QMA\n    mqsc:\n",
        ),
        "fields": many("  a№: b\n", _RESOURCE + "spec:\n  queueManager: {name: QMA}\n"),
        "containers": many(
            "  - name: q№\n    env:\n    - {name: MQ_QMGR_NAME, value: A}\n",
            "kind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n",
        ),
        "variables": many(
            "    - {name: A№, value: B}\n",
            "kind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: q\n    env:\n"
            "    - {name: MQ_QMGR_NAME, value: A}\n",
        ),
        "volumes": many(
            "    - {name: v№, mountPath: /etc/mqm/a№.mqsc}\n",
            "kind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: q\n    env:\n"
            "    - {name: MQ_QMGR_NAME, value: A}\n    volumeMounts:\n",
        ),
        "nested maps": many("{a: ", _RESOURCE + "spec: ", "1\n", "}"),
        "nested lists": many("[", _RESOURCE + "spec: ", "\n", "]"),
        "nested entries": many("- ", _RESOURCE + "spec:\n  a:\n  ", "b\n"),
        "nested lists of resources": many("{kind: List, items: [", _RESOURCE + "a: ", "1\n", "]}"),
        "lists of resources": many(
            "- apiVersion: mq.ibm.com/v1beta1\n  kind: QueueManager\n  metadata: {name: a№}\n",
            "kind: List\nitems:\n",
        ),
        "open maps": many("a№: {b: c\n", _RESOURCE),
        "open quotes": many("a№: 'b\n", _RESOURCE),
        "anchors": many("a№: &a№ [b]\nc№: *a№\n", _RESOURCE),
        "aliases of the last": many("a№1: &a№1 [*a№, *a№]\n", _RESOURCE + "a0: &a0 [b]\n"),
        "templates": many("{{ if a }}\nb№: c\n{{ end }}\n", _RESOURCE),
        "comments": many("# said №\n", _RESOURCE),
        "routes": many(
            "---\nkind: Route\nmetadata: {name: r№}\nspec:\n"
            "  host: a2e№.chl.mq.ibm.com\n  to: {name: a}\n"
        ),
        "ignores": many("# mqlint: ignore[K8S001] known\na№: b\n", _RESOURCE),
        "services of Compose": many(
            "  s№:\n    image: mq\n    environment: [MQ_QMGR_NAME=A№, MQ_APP_PASSWORD=b]\n"
            "    volumes: ['./a№.mqsc:/etc/mqm/a.mqsc']\n",
            "services:\n",
        ),
        "entries that are not there": many(
            "    - configMap: {name: c№, items: [a.mqsc, b№.mqsc]}\n",
            "kind: QueueManager\napiVersion: mq.ibm.com/v1beta1\n"
            "spec:\n  queueManager:\n    mqsc:\n",
            "---\nkind: ConfigMap\nmetadata: {name: c1}\ndata: {a.mqsc: DEFINE QLOCAL(A)}\n",
        ),
        "ConfigMaps without a reader": many(
            "---\nkind: ConfigMap\nmetadata: {name: c№}\ndata:\n  a.mqsc: DEFINE QLOCAL(A)\n"
        ),
        "readers of one entry": many(
            "---\nkind: QueueManager\napiVersion: mq.ibm.com/v1beta1\nmetadata: {name: q№}\nspec:\n"
            "  queueManager: {mqsc: [{configMap: {name: c}}]}\n",
            "kind: ConfigMap\nmetadata: {name: c}\ndata: {a.mqsc: DEFINE QLOCAL(A)}\n",
        ),
    },
)

CCDT = Language(
    "ccdt.json",
    {
        "channels": many(
            '{"name": "C№", "type": "clientConnection", "clientConnection": {"connection": '
            '[{"host": "h№", "port": 1414}], "queueManager": "A"}},\n',
            '{"channel": [',
            "{}]}",
        ),
        "faults": many('{"clientConnection": {"queueManagr": "A№"}},\n', '{"channel": [', "{}]}"),
        "connections": many(
            '{"host": "h№", "port": 1414},',
            '{"channel": [{"name": "C", "clientConnection": {"connection": [',
            "{}]}}]}",
        ),
        "keys": many('"a№": 1,', '{"channel": [{"name": "C", "clientConnection": {', '"b": 1}}]}'),
        "equal keys": many(
            '"a": 1,', '{"channel": [{"name": "C", "clientConnection": {', '"b": 1}}]}'
        ),
        "nested lists": many("[", '{"channel": [{"clientConnection": 1}, ', "]}", "]"),
        "nested maps": many('{"a": ', '{"channel": [{"clientConnection": 1}, ', "]}", "1}"),
        "open maps": many('{"clientConnection": {', '{"channel": ['),
        "open quotes": many('{"name": "C\n', '{"channel": [{"clientConnection": 1},'),
        "escapes": many("\\u0041", '{"channel": [{"clientConnection": {"queueManager": "', '"}}]}'),
        "a long word": many("abcdefgh", '{"channel": [{"clientConnection": {"a": "', '"}}]}'),
        "blank lines": many("\n", '{"channel": [', '{"clientConnection": 1}]}'),
    },
)

PROPERTIES = Language(
    "application.properties",
    {
        "settings": many("ibm.mq.a№=b\n", "ibm.mq.channel=A\n"),
        "one setting": many("ibm.mq.channel=A№\n"),
        "queue managers": many("ibm.mq.q№.channel=A\nibm.mq.q№.connName=h(1414)\n"),
        "hosts": many("h№(1414),", "ibm.mq.channel=A\nibm.mq.connName=", "h(1414)\n"),
        "continuations": many("h№(1414),\\\n", "ibm.mq.channel=A\nibm.mq.connName=", "h(1414)\n"),
        "references": many("a№=${a№1:b}\n", "ibm.mq.channel=${a0}\n"),
        "nested references": many("${a:", "ibm.mq.channel=", "\n", "}"),
        "comments": many("# said №\n", "ibm.mq.channel=A\n"),
        "profiles": many("#---\nspring.profiles=p№\nibm.mq.channel=A№\n"),
    },
)

SPRING = Language(
    "application.yaml",
    {
        "settings": many("    a№: b\n", "ibm:\n  mq:\n    channel: A\n"),
        "documents": many("---\nibm:\n  mq:\n    channel: A\n"),
        "queue managers": many("    q№: {channel: A, connName: h(1)}\n", "ibm:\n  mq:\n"),
        "hosts": many("h№(1414),", "ibm:\n  mq:\n    connName: ", "h(1414)\n"),
        "nested maps": many("{a: ", "ibm:\n  mq:\n    channel: A\n    b: ", "1\n", "}"),
        "nested lists": many("[", "ibm:\n  mq:\n    channel: A\n    b: ", "\n", "]"),
        "open quotes": many("    a№: 'b\n", "ibm:\n  mq:\n    channel: A\n"),
        "anchors": many("a№: &a№ [b]\nc№: *a№\n", "ibm:\n  mq:\n    channel: A\n"),
        "comments": many("# said №\n", "ibm:\n  mq:\n    channel: A\n"),
    },
)

CONNECTOR_PROPERTIES = Language(
    "mq-source.properties",
    {
        "settings": many("mq.a№=b\n", "mq.channel.name=A\n"),
        "one setting": many("mq.channel.name=A№\n"),
        "hosts": many("h№(1414),", "mq.connection.name.list=", "h(1414)\n"),
        "comments": many("# said №\n", "mq.channel.name=A\n"),
    },
)

CLIENT_XML = Language(
    "server.xml",
    {
        "factories": many('<a><properties.wmqJms channel="A№" port="№"/></a>\n'),
        "queues": many('<jmsQueue id="q№"><properties.wmqJms baseQueueName="Q№"/></jmsQueue>\n'),
        "attributes": many('a№="b" ', '<properties.wmqJms channel="A" ', "/>"),
        "open tags": many("<a ", '<properties.wmqJms channel="A"/>'),
        "open comments": many("<!-- ", '<properties.wmqJms channel="A"/>'),
        "hyphens": many("-", '<properties.wmqJms channel="A"/><!--'),
        "open quotes": many('a="', '<properties.wmqJms channel="A" ', "/>"),
        "policies": many(
            '<policy policyType="MQEndpoint"><connection>CLIENT</connection>'
            "<channelName>A№</channelName></policy>\n"
        ),
    },
)

WEB_SERVER = Language(
    "mqwebuser.xml",
    {
        "roles": many(
            '<security-role name="MQWebAdmin№"><user name="u№"/></security-role>\n',
            '<enterpriseApplication id="com.ibm.mq.rest">\n<basicRegistry/>\n',
        ),
        "users": many(
            '<user name="u№" password="{hash}a"/>\n',
            '<enterpriseApplication id="com.ibm.mq.rest">\n<basicRegistry>\n',
        ),
        "variables": many(
            '<variable name="a№" value="b"/>\n', '<variable name="mqRestTrace" value="b"/>\n'
        ),
    },
)

ENVIRONMENT = Language(
    "app.env",
    {
        "variables": many("IBM_MQ_CHANNEL=A№\n"),
        "other variables": many("A№=b\n", "MQSERVER=A/TCP/h\n"),
        "open quotes": many("A='", "MQSERVER=A/TCP/h\n"),
        "blanks": many(" ", "MQSERVER=A/TCP/h\nA="),
        "comments": many("# №\n", "MQSERVER=A/TCP/h\n"),
    },
)

JMS_OBJECTS = Language(
    "objects.scp",
    {
        "factories": many("DEF QCF(A№) TRAN(CLIENT) QMGR(A) CNLIST(h(1),g)\n"),
        "destinations": many("DEF Q(A№) QU(B№) QMGR(A)\n", "DEF QCF(A) TRAN(CLIENT) QMGR(A)\n"),
        "continuations": many("HOST(h№) +\n", "DEF QCF(A) +\n"),
        "open parentheses": many("A(", "DEF QCF(A) "),
        "open words": many("A", "DEF QCF(A) +\n"),
        "comments": many("* said №\n", "DEF QCF(A)\n"),
        "calls": many("AdminTask.createWMQQueue(s, '[-queueName A№ -qmgr B]')\n"),
        "open calls": many(
            "AdminTask.createWMQQueue(", "AdminTask.createWMQQueue(s, '[-queueName A]')\n"
        ),
        "options": many("-queueName A№ ", "AdminTask.createWMQQueue(s, '["),
    },
)

TRANSFER_PROPERTIES = Language(
    "agent.properties",
    {
        "settings": many("agent№=b\n", "agentQMgr=A\n"),
        "one setting": many("agentQMgr=A№\nagentQMgrHost=h\n"),
        "comments": many("# said №\n", "agentQMgr=A\n"),
    },
)

TRANSFER_JSON = Language(
    "agentcfg.json",
    {
        "agents": many(
            '{"name": "A№", "qmgrName": "Q", "qmgrHost": "h"},\n',
            '{"commandQMgr": {"name": "A"}, "agents": [',
            "{}]}",
        ),
        "nested maps": many('{"a": ', '{"commandQMgr": {"name": ', "1}}", "}"),
    },
)

ROUTES = Language(
    "mqipt.conf",
    {
        "routes": many("[route]\nDestination=h№\nDestinationPort=1414\n", "[global]\n"),
        "settings": many("a№=b\n", "[route]\nDestinationPort=1414\n"),
        "typos": many("Destinaton№=b\n", "[route]\nDestinationPort=1414\n"),
        "open sections": many("[", "[route]\nDestinationPort=1414\n"),
    },
)

EXPORTER = Language(
    "mq_prometheus.yaml",
    {
        "documents": many("---\nconnection:\n  queueManager: A№\n  channel: A\n"),
        "settings": many("  a№: b\n", "connection:\n  queueManager: A\n"),
        "lines before": many("  a№:\n", "connection:\n", "  queueManager: A\n"),
        "blank lines": many("\n", "connection:\n", "  queueManager: A\n"),
    },
)

CLIENT_KEYS = Language(
    "appsettings.json",
    {
        "items": many('{"a": "A№", "b": ["Q"]},\n', '{"mq.channel.name": "A", "b": [', "{}]}"),
        "nested lists": many("[", '{"mq.channel.name": "A", "b": ', "\n", "]"),
    },
)

CONNECTOR = Language(
    "mq-source.json",
    {
        "connectors": many('{"mq.channel.name": "A№", "mq.queue": "Q"},\n', "[", "{}]"),
        "settings": many('"mq.a№": "b",\n', '{"mq.channel.name": "A",', '"a": "b"}'),
        "nested maps": many('{"a": ', '{"mq.channel.name": "A", "b": ', "1", "}"),
        "hosts": many("h№(1414),", '{"mq.channel.name": "A", "mq.connection.name.list": "', '"}'),
    },
)

INI = Language(
    "qm.ini",
    {
        "stanzas": many("Log:\n   LogType=SPIRAL\n"),
        "stanzas of names": many("ServiceComponent:\n   Name=A№\n   Module=b\n"),
        "unknown stanzas": many("Log№:\n   A=B\n", "Log:\n"),
        "entries": many("   LogPrimaryFiles=№\n", "Log:\n"),
        "unknown entries": many("   Logs№=3\n", "Log:\n"),
        "lines that are no entries": many("   said №\n", "Log:\n"),
        "a long value": many("abcdefgh", "Log:\n   LogPath=", "\n"),
        "templates": many("{% if a %}\n   LogType=SPIRAL\n", "Log:\n", "", "{% endif %}\n"),
        "open templates": many("   LogPath={{ a\n", "Log:\n"),
        "comments": many("; said №\n", "Log:\n"),
        "brackets": many("[x№] ", "Log:\n", "\n"),
        "exits": many("ApiExitLocal:\n   Name=A№\n   Sequence=№\n   Module=b\n   Function=c\n"),
        "ignores": many("; mqlint: ignore[INI001] known\n   Logs№=3\n", "Log:\n"),
    },
)

_SAID = "Then do all of this, at night.\n"
NOTES = Language(
    "a.txt",
    {
        "stretches": many("Then make queue №, please.\n\ndefine qlocal (Q№) replace\n"),
        "commands of one stretch": many("DEFINE QLOCAL(Q№)\n", _SAID),
        "prose": many("This is what they said №.\n", _SAID, "DEFINE QLOCAL(A)\n"),
        "a line of prose": many("said № ", _SAID, "\nDEFINE QLOCAL(A)\n"),
        "words that open": many("DEFINE QLOCAL(", _SAID, "\nDEFINE QLOCAL(A)\n"),
        "continuations": many(" +\n", _SAID + "ALTER QMGR", " FORCE\nDEFINE QLOCAL(A)\n"),
        "remarks": many("# DEFINE QLOCAL(Q№)\n"),
        "quoting": many("> ", _SAID, "\nDEFINE QLOCAL(A)\n"),
        "near verbs": many("DEFNE QLOCAL(Q№)\n", _SAID, "DEFINE QLOCAL(A)\n"),
        "sessions": many("runmqsc QM№\nDEFINE QLOCAL(A)\n", _SAID),
    },
)

MOUNTS = Language(
    "fstab",
    {
        "mounts": many("nas:/mq№ /mnt/mq№ nfs4 rw,soft 0 0\n"),
        "options": many("soft,", "nas:/mq /mnt/mq nfs4 rw,", "hard 0 0\n"),
        "settings": many("Type=nfs\nWhat=nas:/mq№\nOptions=soft\n", "nas:/mq /mq nfs4 hard 0 0\n"),
        "mounts beside queue managers": many(
            "crtmqm -md /data№/a Q№\nnas:/v№ /app№ nfs4 soft 0 0\n",
            "nas:/mq /mnt/mq nfs4 soft 0 0\n",
        ),
        "comments": many("# said №\n", "", "nas:/mq /mnt/mq nfs4 soft 0 0\n"),
        "a long line": many("a:/mq ", "", " /mnt/mq nfs4 soft\nnas:/mq /mnt/mq nfs4 soft 0 0\n"),
        "rotated files": many("/var/mqm/log/Q№/active/*.LOG {\n}\n", "nas:/mq /mq nfs4 soft 0 0\n"),
        "paths of a block": many("/var/mqm/errors/№.LOG\n", "nas:/mq /mq nfs4 soft 0 0\n", "{\n"),
        "paths without a block": many("/a№ ", "nas:/mq /mq nfs4 soft 0 0\n"),
        "copied folders": many(
            "backup\t/var/mqm/qmgrs/Q№\tmq/\n", "nas:/mq /mq nfs4 soft 0 0\nsnapshot_root\t/b\n"
        ),
        "excluded folders": many(
            "exclude /a№\n",
            "nas:/mq /mq nfs4 soft 0 0\nsnapshot_root\t/b\n",
            "backup\t/var/mqm/\tmq/\n",
        ),
    },
)

_CRM = 'primitive qm ocf:a:mq params qmname="QMA"\n'
_VCS = "group g (\n SystemList = { a = 0 }\n AutoStartList = { b }\n)\nWebSphereMQ q (\n)\n"
_CIB = '<cib a="b"><resources><primitive id="q" class="a" provider="b" type="mq"/>\n'
FAILOVER = Language(
    "main.crm",
    {
        "resources": many("primitive qm№ ocf:a:mq op stop timeout=9\n", _CRM),
        "options": many("stonith-enabled=false ", _CRM + "property a: ", "\n"),
        "members": many("qm№ ", _CRM + "group g ", "\n"),
        "open lines": many("op stop \\\n", _CRM + "primitive a ocf:b:c ", "\n"),
        "comments": many("# said №\n", _CRM),
        "groups": many(_VCS),
        "resources of a group": many("WebSphereMQ q№ (\n)\nMount m№ (\n)\n", _VCS),
        "dependencies": many("q№ requires q\n", _VCS + "Mount m (\n)\n"),
        "systems": many("b№ ", _VCS + "AutoStartList = { ", "}\n"),
        "elements": many('<primitive id="q№" class="a" type="mq"/>\n', _CIB, "</cib>"),
        "open groups": many('<group id="g№"><primitive id="q" type="mq"/>\n', _CIB, "</cib>"),
        "settings": many('<nvpair name="no-quorum-policy" value="ignore"/>\n', _CIB),
        "open tags": many("<primitive ", _CIB),
        "a long tag": many(' a="b"', _CIB + "<primitive", "/>"),
    },
)

CHEF = Language(
    "a.rb",
    {
        "resources": many("bash 'a№' do\n  code <<-EOH\n    strmqm QMA\n  EOH\nend\n"),
        "commands": many("execute 'a№' do\n  command 'strmqm QMA'\nend\n"),
        "folders": many("directory '/var/mqm/qmgrs/Q№' do\n  action :delete\nend\n"),
        "open scripts": many("bash 'a№' do\n  code <<-EOH\n    strmqm QMA\n"),
        "a long script": many("strmqm QMA\n", "bash 'a' do\n  code <<-EOH\n", "EOH\nend\n"),
        "templates": many("#{a}", "bash 'a' do\n  code <<-EOH\nstrmqm ", "\nEOH\nend\n"),
    },
)

PYTHON = Language(
    "a.py",
    {
        "calls": many('run(["endmqm", "-w", name№])\n'),
        "commands": many("os.system('strmqm Q№')\n"),
        "MQSC": many("send('DEFINE QLOCAL(A№) REPLACE')\n"),
        "joined strings": many('"DEFINE QLOCAL(" + name + ") " ', "send(", ")\n"),
        "joined values": many(" + name", "send('strmqm Q'", ")\n"),
        "elements": many('name, "-w", ', 'run(["endmqm", ', "name])\n"),
        "open lists": many('run(["endmqm", ', "run('strmqm Q')\n"),
        "open strings": many('"""strmqm Q№\n', "run('strmqm Q')\n"),
        "what is put in": many("{a} %s ", 'run(f"strmqm ', '")\n'),
        "backslashes": many("\\\\", 'run("strmqm Q")\nrun("strmqm ', '")\n'),
        "constants": many('A№ = "Q"\nrun(["strmqm", A№])\n'),
        "opened files": many('with open("№") as f:\n    run(["runmqsc", "Q"], stdin=f)\n'),
        "heads": many("if a:\n    run(['strmqm', 'Q'])\n"),
        "connections of pymqi": many('pymqi.connect("QM", "A№", "h(1414)", user, (password)\n'),
        "fields of pymqi": many("cd.ChannelName = b'A№'\n", "cd = pymqi.CD()\n"),
        "what is added": many(
            "text = 'DEFINE QLOCAL(A№)'\ntext += ' REPLACE'\n", "run('strmqm Q')\n"
        ),
    },
)

PERL = Language(
    "a.pl",
    {
        "calls": many("system('endmqm', '-w', $name);\n"),
        "MQSC": many('print $fh "DEFINE QLOCAL($a{№}) REPLACE\\n";\n'),
        "here-documents": many("print <<EOT;\nDEFINE QLOCAL(A№)\nEOT\n"),
        "open here-documents": many("print <<EOT№;\nDEFINE QLOCAL(A№)\n"),
        "quotes": many("run(qq{strmqm Q№});\nrun(q(strmqm (Q)));\n"),
        "open quotes": many("run(qq(strmqm ((", "system('strmqm Q');\n"),
        "joined values": many(" . $name", "run('strmqm Q'", ");\n"),
        "manuals": many("=head1 strmqm\n\nDEFINE QLOCAL(A)\n\n=cut\n", "system('strmqm Q');\n"),
        "open manuals": many("=head1 strmqm\n\nDEFINE QLOCAL(A)\n", "system('strmqm Q');\n"),
        "variables": many("$a{b}->[1] @c ", 'run("strmqm ', '");\n'),
    },
)

SOURCE = Language(
    "a.java",
    {
        "calls": many('new ProcessBuilder("endmqm -w QM№");\n'),
        "MQSC": many('send("DEFINE QLOCAL(A№) " + name() + " REPLACE");\n'),
        "texts of several lines": many('send("""\nDEFINE QLOCAL(A№)\n""");\n'),
        "open texts": many('send(`DEFINE QLOCAL(A№)\n"""', 'run("strmqm Q");\n'),
        "remarks": many("/* strmqm * Q№ */ // strmqm\n", 'run("strmqm Q");\n'),
        "open remarks": many("/* strmqm * ", 'run("strmqm Q");\n'),
        "joined values": many(" + name", 'run("strmqm Q"', ");\n"),
        "lists": many('"DEFINE QLOCAL(A№)", "DESCR(№)", ', 'run("strmqm Q"); list('),
    },
)

REXX = Language(
    "a.rexx",
    {
        "lines of the queue": many("queue 'DEFINE QLOCAL(A№) +'\nqueue ' REPLACE'\n"),
        "stems": many("line.№ = \"DEFINE QLOCAL('A№')\"\n"),
        "joined values": many(" name", "'strmqm Q'"),
        "joined lines": many(" ||,\n ' A'", "'strmqm Q'"),
        "quotes": many("''", "'strmqm Q'\nsay '", "'"),
        "remarks": many("/* strmqm * Q№ */\n", "'strmqm Q'\n"),
    },
)

MARKDOWN = Language(
    "a.md",
    {
        "blocks of commands": many("Queue №:\n\n```\nDEFINE QLOCAL(Q№)\n```\n"),
        "scripts": many("```sh\nstrmqm QM№\n```\n"),
        "resources": many(
            "```yaml\nkind: ConfigMap\ndata:\n  a.mqsc: |\n    DEFINE QLOCAL(A№)\n```\n"
        ),
        "stanzas": many("```ini\nLog:\n   LogPrimaryFiles=№\n```\n", "DEFINE QLOCAL(A)\n"),
        "open fences": many("````\nsaid №\n", "DEFINE QLOCAL(A)\n"),
        "signs of fences": many("`", "DEFINE QLOCAL(A)\n", "\n"),
        "prose": many("This is what they said №.\n", "DEFINE QLOCAL(A)\n"),
    },
)

_BODY = '{"type": "runCommandJSON", "command": "define", "qualifier": "qlocal", "name": "Q№", '
REST = Language(
    "a.json",
    {
        "bodies": many(_BODY + '"parameters": {"maxdepth": №}},\n', "[", "{}]"),
        "parameters": many(
            '"word№": "\'",\n', _BODY.replace("№", "A") + '"parameters": {', '"put": 1}}'
        ),
        "texts of bodies": many(
            '{"url": "http://h/admin/action/qmgr/QM№/mqsc", "body": {"raw": "{\\"type\\": '
            '\\"runCommand\\", \\"parameters\\": '
            '{\\"command\\": \\"ALTER QMGR Z(№)\\"}}"}},\n',
            '{"request": [',
            "{}]}",
        ),
        "open objects": many('{"a": ', _BODY.replace("№", "A")),
    },
)

MQ_COMMANDS = Language(
    "a.yml",
    {
        "commands": many(
            "  - command: define\n    qualifier: qlocal\n    name: Q№\n"
            "    parameters: {maxdepth: №}\n",
            "mq_commands:\n",
        ),
    },
)

MQDEF = Language(
    "a.mqdef_overrides",
    {
        "targets": many(
            '{"targetEnvName": "E№", "storage": {"maximumDepth": -№}},\n',
            '{"resource": {"queue": [{"command": "DEFINE", "name": "Q", "deploymentTargets": [',
            "{}]}]}}",
        ),
        "groups": many(
            '"a": {', '{"resource": {"queue": [{"command": "DEFINE", "name": "Q", ', "}]}}", "}"
        ),
    },
)

PUPPET = Language(
    "a.pp",
    {
        "resources": many("mq_queue { 'QM1/QLOCAL/Q№': maxdepht => №, }\n"),
        "titles": many("'QM1/QLOCAL/Q№',", "mq_queue { [", "'QM1/A']: maxdepht => 1 }\n"),
        "brackets": many("(", "mq_queue { 'QM1/QLOCAL/A': put => f", " }\n", ")"),
        "conditions": many("if $a { ", "", "\nmq_queue { 'QM1/A': putt => 1 }\n", "}"),
    },
)

HIERA = Language(
    "a.yaml",
    {
        "queues": many(
            "  QM1/QLOCAL/Q№:\n    maxdepht: №\n",
            "ibm_profile::mq_machine::messaging_setup::queue_list:\n",
        ),
    },
)

EXPECT = Language(
    "a.exp",
    {
        "commands": many('send "strmqm QM№\\n"\n'),
        "MQSC": many('send "DEFINE QLOCAL(Q№)\\n"\n', 'send "runmqsc QMA\\n"\n'),
        "braces": many("if {$a} {\n", "", 'send "strmqm QMA\\n"\n', "}\n"),
    },
)

LANGUAGES: Mapping[str, Language] = {
    "mqsc": MQSC,
    "expect": EXPECT,
    "rest": REST,
    "mq-commands": MQ_COMMANDS,
    "mqdef": MQDEF,
    "puppet": PUPPET,
    "hiera": HIERA,
    "notes": NOTES,
    "markdown": MARKDOWN,
    "ini": INI,
    "shell": SHELL,
    "cmd": CMD,
    "powershell": POWERSHELL,
    "crontab": CRONTAB,
    "systemd": SYSTEMD,
    "mounts": MOUNTS,
    "failover": FAILOVER,
    "chef": CHEF,
    "python": PYTHON,
    "perl": PERL,
    "source": SOURCE,
    "rexx": REXX,
    "docker": DOCKER,
    "task": TASK,
    "upstart": UPSTART,
    "jenkins": JENKINS,
    "makefile": MAKEFILE,
    "terraform": TERRAFORM,
    "pipeline": PIPELINE,
    "captured": CAPTURED,
    "drbd": DRBD,
    "jcl": JCL,
    "zparm": ZPARM,
    "dlq-rules": DLQ_RULES,
    "keystore": KEYSTORE,
    "cl": CL,
    "manifest": MANIFEST,
    "ccdt": CCDT,
    "client-properties": PROPERTIES,
    "client-yaml": SPRING,
    "connector-properties": CONNECTOR_PROPERTIES,
    "connector": CONNECTOR,
    "client-xml": CLIENT_XML,
    "web-server": WEB_SERVER,
    "environment": ENVIRONMENT,
    "jms-objects": JMS_OBJECTS,
    "transfer-properties": TRANSFER_PROPERTIES,
    "transfer-json": TRANSFER_JSON,
    "routes": ROUTES,
    "exporter": EXPORTER,
    "client-keys": CLIENT_KEYS,
}

_CHANNELS = "DEFINE CHANNEL(C№) CHLTYPE(SVRCONN) MCAUSER('m№')\n"
PLANS: Mapping[str, tuple[Text, Text]] = {
    "a list of users for each channel": (
        many(_CHANNELS),
        many(f"{_CHANNELS}SET CHLAUTH(C№) TYPE(BLOCKUSER) USERLIST('a№', '*MQADMIN')\n"),
    ),
    "objects that others use": (
        many("DEFINE QLOCAL(Q№)\nDEFINE QALIAS(A№) TARGET(Q№)\n"),
        many("DEFINE QALIAS(A№) TARGET(B№)\nDEFINE NAMELIST(N№) NAMES(N№1, A№)\n"),
    ),
}
"""What a plan starts from and what it leads to."""
