"""One target a language: what it starts from, and what is checked quickly and thoroughly."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from mqlint.config.reader import read_yaml
from mqlint.engine.cases import cases_of
from mqlint.policy.load import builtin_sources
from mqlint.source.decode import ENCODINGS, Decoded, decode, encode
from mqlint.syntax.recognise import recognise
from tests.fuzz import invariants
from tests.syntax import test_powershell
from tests.syntax.test_cmd import COMMANDS, DOCUMENTS
from tests.syntax.test_script_host import HOSTS

ROOT = Path(__file__).parents[2]
Check = Callable[[bytes], None]

MQSC = (
    "DEFINE ALTER DELETE DISPLAY DIS SET START STOP REFRESH RESET CLEAR PING END DEF QLOCAL QL "
    "QREMOTE QALIAS QMODEL CHANNEL CHL CHLAUTH QMGR AUTHREC LISTENER SERVICE NAMELIST TOPIC SUB "
    "AUTHINFO PROCESS CLUSTER STGCLASS QSTATUS CHSTATUS (A) ('a b') ('') (A,B) ('it''s') (*) "
    "REPLACE NOREPLACE LIKE(A) LIKE ALL WHERE(A,EQ,B) CHLTYPE(SDR) CHLTYPE(SVRCONN) TYPE MCAUSER "
    "CONNAME('h(1),g') CLUSTER(C) PUT(ENABLED) MAXDEPTH(5) DESCR('x LDAPPWD(pw) KEYRPWD PASSWORD= "
    "ACTION(REMOVEALL) ADDRESS('*') USERLIST(a) PROFILE('x.**') AUTHADD(GET) AMQ8006I: CSQ9022I "
    "*DEF(x)+ CRDATE(2020-01-01) QMID(A) CMDLEVEL(940) PLATFORM(UNIX) -- // # runmqsc "
    "mqlint:ignore[VOC001] 1:"
).split()
INI = (
    "Log: Channels: TCP: SSL: [Log] AllQueueManagers: QueueManager: ServiceComponent: Security: "
    "LogType=CIRCULAR LogPrimaryFiles=3 Name= LogPath=/x KeyRepositoryPassword=x = : # ; "
    "XAOpenString=a,b=c SSLKeyRPWD Include={{a}} {%if%} mqlint:ignore[INI001]"
).split()
SHELL = (
    "crtmqm strmqm endmqm runmqsc rcdmqimg dmpmqcfg setmqaut -m -lla -ll -u -f QMA $QM ${QM:-A} "
    "$(id) `id` << <<- <<< <<'E' <<E E EOF | || && & ; ( ) { } if then else fi for do done while "
    "case esac in function $(( )) \\\n \" ' # sudo su - -c sh echo printf cat > < >&2 2>&1 QM=QMA "
    "export read ssh exec set -- % tar czf -C cp find -delete xargs rm /var/mqm/qmgrs/QMA +get "
    "-t queue -n A -p bob /var/mqm/log"
).split(" ")
CMD = (
    "crtmqm strmqm endmqm runmqsc rcdmqimg dmpmqcfg -m -lla -u -f QMA %QM% %1 %%i %%~ni !QM! %~dp0 "
    "%QM:~0,2% set QM=QMA set /p @echo off echo echo. rem :: :eof goto call start cmd /c if not "
    "exist defined errorlevel == else for %%q in (A do ( ) ^( ^) ^ ^\n & && | || > >> < 2>&1 1> "
    'enabledelayedexpansion " \\" a.txt type .exe % %% ! exit /b DEFINE QLOCAL(A)'
).split(" ")
POWERSHELL = (
    "crtmqm strmqm endmqm runmqsc -m -lla -f QMA $QM ${QM} $env:QM $script:QM $_ $x.Name $a[0] $( "
    "@( @{ @\" \n\"@ @' \n'@ \" ' ` `n \n ; | || && & . , + += = -f -join -replace ( ) { } # <# #> "
    "function param( if else foreach $a in try catch finally return exit % ForEach-Object echo "
    "Get-Content gc -Path -Raw Set-Content Out-File Add-Content -Value > >> 2>&1 Start-Process "
    "-ArgumentList -RedirectStandardInput cmd /c docker exec -i Join-Path DEFINE QLOCAL(A) {0}"
).split(" ")
CRONTAB = "* */5 1-5 @daily @reboot mon,tue mqm root % \\% 0 5 * * * MAILTO=a # runmqsc".split()
CAPTURED = (
    "QMNAME(A) STATUS(Running) INSTANCE(b) MODE(Active) REPLADDR(h(1)) Node: alpha HA role: "
    "Primary DR port: 7000 Queue manager name: A QueueManager: Name=A DataPath=/x addmqinf -v -s "
    "dspmq rdqmstatus -m $ # None is online [92%]"
).split(" ")
DRBD = (
    "resource qma { } ; on alpha net protocol C A device minor 100 /dev/drbd100 address ipv4 "
    '10.0.0.1:7000 [::1]:7000 host connection connection-mesh volume 0 " # node-id disk'
).split(" ")
JCL = (
    "//A JOB EXEC PGM=IDCAMS,COND=(4,LT) DD * DISP=SHR,DSN=MQ.PSID00 SYSIN DATA,DLM=@@ /* // //* "
    "PROC PEND IF THEN ELSE ENDIF SET INCLUDE &HLQ.. PARM='MQ7A' CSQUTIL CSQJU003 CSQJU004 ADRDSSU "
    "DUMP CSQYASCP CSQP0000 BSDS1 REPRO INFILE(A) OUTFILE(B) DEFINE CLUSTER (NAME(X) LINEAR) - + "
    "DELETE NEWLOG DSNAME=X,COPY1,STARTRBA=1000,ENDRBA=1FFF PASSWORD=X CRESTART CREATE, COMMAND "
    "DDNAME(C) MAKEDEF RESETPAGE CSQS0000 CSQT0000 CSQ6LOGP OFFLOAD=NO, ' ( ) = ,"
).split(" ")
CL = (
    "PGM ENDPGM PARM(&QM) DCL VAR(&QM) VALUE('QMA') CHGVAR ENDMQM STRMQM CRTMQM MQMNAME(QMA) "
    "OPTION( *IMMED RCDMQMIMG *ALL OBJ(*ALL) CHGJRN CRTJRNRCV DLTJRNRCV JRN(QMA/AMQAJRN) AMQA* "
    "AMQA000041 DLTRCV(*YES) SAVLIB LIB(QMQMA *ALLUSR) SAV RSTLIB STRMQMMQSC SRCMBR(A) RFRMQMCL "
    "OBJ(('/QIBM/UserData/mqm/qmgrs/QMA' *OMIT)) CLUSTER(C) CRTMQMQ QNAME('a') QTYPE(*LCL) QSH "
    "SBMJOB CMD( ADDJOBSCDE FRQ(*WEEKLY) CALL PGM(QCMDEXC) PARM(' MONMSG CPF0000 EXEC( IF THEN( "
    "COND(&A DO ENDDO ELSE SELECT WHEN GOTO CMDLBL(X) X: RETURN SUBR + - /* */ ' '' ( ) %SST( "
    "*CAT 0001.00 \n"
).split(" ")
HOSTED = (
    "run: script: shell: | > - when: if: {{ qm }} ${{ x }} RUN CMD <<EOF EOF [ ] , sh -c "
    "ExecStart= ExecStop=- %i strmqm QMA crtmqm -lc ' \" \\ "
    "user_data=<<-EOF\n ${var.qm} $${A} %{if}"
).split(" ")
YAML = (
    "sites: queue_managers: target: profiles: severity: overrides: role: paths: networks: match: "
    "check: object: attributes: grouped: related: unless: message: cases: any: all: not: matches: "
    "blank: [ ] { } , : - ? | > & * ! % @ ` <<: *a &a !!str --- ... '' \"\" null true 1.5 0x1f ~ "
    '"\\UFFFFFFFF" "{queue_manager}/*" /(a|b)*/ 10.0.0.0/8 diagnostic: same: exists: none: id:'
).split(" ")

MANIFEST = (
    "apiVersion: mq.ibm.com/v1beta1 kind: QueueManager ConfigMap Secret StatefulSet "
    "metadata: spec: data: stringData: queueManager: name: mqsc: ini: configMap: "
    "availability: type: NativeHA nativeha: enable: true containers: env: value: "
    "MQ_QMGR_NAME volumeMounts: items: - -- --- | |- > >2 & * ! ? : , [ ] { } ' '' \" \\ # "
    '{{ }} {{if}} {{end}} ${A} a.mqsc: qm.ini: REVGSU5F "channel": "clientConnection": '
    '"connection": "host": "port": 1414 "defaultReconnect": "yes" ibm: mq: '
    "ibm.mq.channel=A \t"
).split(" ")


@dataclass(frozen=True)
class FuzzTarget:
    """What one language is tried with.

    `quick` runs on every text, `deep` on one of `deep_each`. `longest` is the length of a text in
    bytes, `whole` the share of texts made from a whole file instead of a few lines.
    """

    language: str
    corpus: Callable[[], list[bytes]]
    tokens: tuple[str, ...]
    quick: Check
    deep: Check
    deep_each: int = 20
    longest: int = 600
    whole: float = 0.0

    def words(self) -> list[bytes]:
        """The tokens, each with a blank behind it."""
        return [f"{one} ".encode() for one in self.tokens]


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.stat().st_size < 1 << 20:
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def _cases() -> Iterator[tuple[str, bytes]]:
    """The texts of cases: those of the rules, and of the tests of MQSC."""
    for source in builtin_sources():
        for case in cases_of(source):
            yield from ((path, text.encode("utf-8", "replace")) for path, text in case.files)
    root = read_yaml((ROOT / "tests/seeds/mqsc.yaml").read_text("utf-8"), "mqsc.yaml")
    for rows in root.mapping().values():
        yield from (("a.mqsc", row.require("text").text().encode()) for row in rows.sequence())
    yield "a.mqsc", (ROOT / "tests/syntax/mqsc/cases.yaml").read_bytes()


@cache
def _by_language() -> dict[str, list[bytes]]:
    """All texts there are, by what they are taken for; `` holds the others."""
    found: dict[str, list[bytes]] = {language: [] for language in (*invariants.LANGUAGES, "")}
    texts = [*_files(ROOT / "examples" / "estate"), *_cases()]
    named = os.environ.get("MQLINT_CORPUS")
    if named and Path(named).is_dir():
        texts += _files(Path(named))
    for path, data in texts:
        if data:
            found.setdefault(recognise(path, decode(data).text) or "", []).append(data)
    return found


def _texts(language: str) -> list[bytes]:
    return _by_language()[language]


def _everything() -> list[bytes]:
    return [data for texts in _by_language().values() for data in texts]


def _encoded() -> list[bytes]:
    """Real texts in every encoding that is read."""
    found = []
    for index, data in enumerate(_everything()):
        text = decode(data).text[:2000]
        encoding = ENCODINGS[index % len(ENCODINGS)]
        ends = "nel" if encoding.startswith("cp") and index % 2 else "lf"
        try:
            found.append(encode(Decoded(text, encoding, ends, False)))  # type: ignore[arg-type]
        except (UnicodeEncodeError, ValueError):
            found.append(data)
    return found


def _commands() -> list[bytes]:
    """A line for each control command, with all its options, and a line for each option."""
    lines = []
    for name, spec in sorted(invariants.CONTROL.items()):
        flags = [f"-{one}" for one in sorted(spec.flags)]
        values = [f"-{one} v" for one in sorted(spec.values)]
        lines += [" ".join([name, *flags, *values, "QMA"])]
        lines += [f"{name} {one} QMA" for one in (*flags, *values)]
    return [line.encode() for line in lines]


def _batch_files() -> list[bytes]:
    """Batch files are rare where MQ is set up: those of the tests stand in."""
    shown = [str(row[0]) for row in (*COMMANDS, *DOCUMENTS)]
    return [*_texts("cmd"), *(text.encode() for text in shown)]


def _powershell() -> list[bytes]:
    """Scripts of PowerShell are rare in the corpus: those of the tests stand in."""
    rows = (*test_powershell.COMMANDS, *test_powershell.DOCUMENTS, *test_powershell.FILES)
    return [*_texts("powershell"), *(str(row[0]).encode() for row in rows)]


def _captures() -> list[bytes]:
    """Captures, of the tests where there are no others."""
    root = read_yaml((ROOT / "tests/model/cases/host.yaml").read_text("utf-8"), "host.yaml")
    files = [case.require("files").mapping() for case in root.sequence()]
    return [
        *_texts("captured"),
        *(one.string().encode() for each in files for one in each.values()),
    ]


def _hosted() -> list[bytes]:
    """Files that hold scripts: those of the tests."""
    return [text.encode() for _, _, text, _ in HOSTS]


def _yaml() -> list[bytes]:
    sources = [source.text.encode() for source in builtin_sources()]
    examples = [data for path, data in _files(ROOT / "examples") if path.endswith(".yaml")]
    return [*examples * 4, *sources]


TARGETS = {
    target.language: target
    for target in (
        FuzzTarget(
            "mqsc",
            partial(_texts, "mqsc"),
            tuple(MQSC),
            invariants.mqsc,
            invariants.mqsc_with_twin,
        ),
        FuzzTarget(
            "ini",
            partial(_texts, "ini"),
            tuple(INI),
            invariants.ini,
            partial(invariants.in_the_engine, "ini", "qm.ini"),
        ),
        FuzzTarget(
            "shell",
            partial(_texts, "shell"),
            tuple(SHELL),
            invariants.shell,
            partial(invariants.in_the_engine, "shell", "a.sh"),
        ),
        FuzzTarget(
            "cmd",
            _batch_files,
            tuple(CMD),
            invariants.cmd,
            partial(invariants.in_the_engine, "cmd", "a.bat"),
        ),
        FuzzTarget(
            "powershell",
            _powershell,
            tuple(POWERSHELL),
            invariants.powershell,
            partial(invariants.in_the_engine, "powershell", "a.ps1"),
        ),
        FuzzTarget(
            "crontab",
            partial(_texts, "crontab"),
            (*CRONTAB, *SHELL),
            invariants.crontab,
            partial(invariants.in_the_engine, "crontab", "crontab"),
        ),
        FuzzTarget(
            "captured",
            _captures,
            tuple(CAPTURED),
            invariants.captured,
            partial(invariants.in_the_engine, "captured", "a.txt"),
        ),
        FuzzTarget(
            "drbd",
            _captures,
            tuple(DRBD),
            invariants.drbd,
            partial(invariants.in_the_engine, "drbd", "a.res"),
        ),
        FuzzTarget(
            "jcl",
            lambda: [*_texts("jcl"), *_texts("zparm")],
            tuple(JCL),
            invariants.jcl,
            partial(invariants.in_the_engine, "jcl", "a.jcl"),
        ),
        FuzzTarget(
            "cl",
            partial(_texts, "cl"),
            tuple(CL),
            invariants.cl,
            partial(invariants.in_the_engine, "cl", "a.clle"),
        ),
        FuzzTarget(
            "manifest",
            lambda: [*_texts("manifest"), *_texts("client-yaml")],
            tuple(MANIFEST),
            invariants.manifest,
            partial(invariants.in_the_engine, "manifest", "a.yaml"),
            whole=0.3,
        ),
        FuzzTarget(
            "ccdt",
            lambda: [*_texts("ccdt"), *_texts("client-properties")],
            tuple(MANIFEST),
            invariants.manifest,
            partial(invariants.in_the_engine, "ccdt", "a.json"),
        ),
        FuzzTarget(
            "hosted",
            _hosted,
            (*HOSTED, "\n", "\n  ", "\n- ", *SHELL),
            invariants.hosted,
            partial(invariants.in_the_engine, "pipeline", "a.yml"),
        ),
        FuzzTarget(
            "control",
            _commands,
            ("-m", "-m v", "-", "--", "-x", "-lla", "QMA", "\ue000", "-t all", "*"),
            invariants.control,
            partial(invariants.in_the_engine, "shell", "a.sh"),
        ),
        FuzzTarget(
            "yaml", _yaml, tuple(YAML), invariants.yaml, invariants.policy, 4, 4000, whole=0.5
        ),
        FuzzTarget(
            "recognise",
            _everything,
            (*MQSC, *INI, *SHELL, *CMD, *CRONTAB, "#!/bin/sh\n", "#!/usr/bin/env bash\n"),
            invariants.recognised,
            invariants.recognised_and_run,
        ),
        FuzzTarget(
            "decode",
            _encoded,
            ("\r", "\n", "\ufeff", "é", "ü"),
            invariants.decoded,
            invariants.decoded_and_run,
        ),
    )
}
