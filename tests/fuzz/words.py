"""Words that mean something: what mutated texts and the dictionary of a campaign are made of.

Each language has some written here, with the signs that go with them; the others come from the
vocabulary, so that they grow with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mqlint.vocabulary.ccdt import ccdt_vocabulary
from tests.fuzz.program import ANALYSER, RULEBOOK

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
NOTES = (
    "Then make the queue, please. DEFINE QLOCAL(A) define qlocal (A) DEFNE QREMOTE(B) REPLACE "
    "MAXDEPTH(5) + - # -- // ; > $ ` 1. ==== runmqsc QMA <<EOF EOF AMQ8006I: 5 : ALTER QMGR * (s) :"
).split(" ")
MARKDOWN = [
    *NOTES,
    *("```sh\n", "```\n", "~~~\n", "   ```yaml\n", "```ini\n", "kind: ConfigMap\n", "data:\n"),
    *("  a.mqsc: |\n    DEFINE QLOCAL(B)\n", "Log:\n", "   LogType=LINEAR\n", "strmqm QMB\n"),
]
MOUNTS = (
    "nas:/mq /mnt/mq /MQHA nfs nfs4 rw,soft hard,intr vers=3 nolock 0 [Mount] What= Where= Type= "
    "Options= # \n"
).split(" ")
FAILOVER = (
    "pcs property set resource create group add primitive qm ocf:a:mq ocf:heartbeat:Filesystem op "
    "stop timeout=5s stonith-enabled=false no-quorum-policy=ignore params qmname=QMA \\ <cib> "
    '<primitive id="qm" type="mq"> </primitive> <group id="g"> <nvpair name="stonith-enabled" '
    'value="false"/> <op name="stop" timeout="9"/> SystemList = { a = 0 } AutoStartList = { b } '
    "WebSphereMQ ( ) Mount requires ' # \n"
).split(" ")
DRBD = (
    "resource qma { } ; on alpha net protocol C A device minor 100 /dev/drbd100 address ipv4 "
    '10.0.0.1:7000 [::1]:7000 host connection connection-mesh volume 0 " # node-id disk'
).split(" ")
KEYSTORE = (
    "cms. jks. pkcs11. keystore certificate key_pass token_pin = : <AMS> /home/key .kdb # \\ "
    "{{ x }} \n"
).split(" ")
DLQ_RULES = (
    "INPUTQM(QMA) INPUTQ( RETRYINT(30) WAIT(YES) ACTION(FWD) ACTION(RETRY) ACTION( FWDQ(&DESTQ) "
    "FWDQM(A) HEADER(NO) PUTAUT(CTX) RETRY(3) REASON(*) REASON('A''B') DESTQ() + - * ( ) , "
    "{{ x }} \n"
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

CLIENT_XML = (
    "< > / </ /> <!-- --> = \" ' ${a} &amp; {{ }} \n server jmsQueue jmsActivationSpec policy "
    "properties.wmqJms queueManager= channel= hostName= port= baseQueueName= destinationRef= id= "
    'policyType="MQEndpoint" <connection>CLIENT</connection> <channelName> <useSSL>false</useSSL>'
).split(" ")

OBJECTS = (
    *('{ } [ ] : , " \' => ; / - | > \n {{ }} $a ${b} \\" \\ # /*'.split(" ")),
    *('"type": "runCommandJSON", runCommand "command": "define", "qualifier": "qlocal",'.split()),
    *('"name": "parameters": "maxdepth": "ldappwd": "names": replace: yes no "raw":'.split()),
    *("mq_commands: mq_queue mq_manager 'QM1/QLOCAL/A': ensure if body: \"body\":".split()),
    *('"resource": "queue": "deploymentTargets": "storage": "maximumDepth": "enabled":'.split()),
    *("queue_manager: qmname: state: present mqsc_file: ibm_profile::mq_managers:".split()),
)

CONNECTOR = (
    "mq.queue.manager mq.channel.name mq.connection.name.list mq.queue mq.password mq.ccdt.url "
    "connector.class MQSourceConnector MQSinkConnector name = : , { } [ ] \" ' \n ${A} h(1414) "
    "kind: KafkaConnector spec: config: MQSERVER=A/TCP/h IBM_MQ_CHANNEL=A IBM_MQ_CONN_NAME"
).split(" ")

ENVIRONMENT = (
    "MQSERVER= IBM_MQ_CHANNEL= IBM_MQ_QUEUEMANAGER= IBM_MQ_CONNNAME= MQ_QMGR_NAME= export # A/TCP/h"
    " ${A} ' \" \n \r\n {{ }} LICENSE=accept MQCCDTURL= h(1414)"
).split(" ")

KUSTOMIZE = (
    "resources: bases: components: patches: patchesStrategicMerge: patchesJson6902: target: patch:"
    " path: op: add remove replace value: configMapGenerator: secretGenerator: behavior: merge"
    " create files: literals: envs: namePrefix: nameSuffix: replicas: count: images: newTag:"
    " [../base] /spec/queueManager/name $patch: delete env_file: extends: service: services:"
    " environment: ---\n"
).split(" ")

JMS_OBJECTS = (
    "DEFINE DEF ALTER XAQCF QCF CF XACF Q T (A) ( ) + \n * # InitCtx> QMGR(QMA) TRAN(CLIENT) "
    "QMANAGER CHAN(A) HOST(h) PORT(1) CNLIST(h(1414),g) QU(Q) QUEUE SCPHS(*TLS12) ${A} {{ }} ' \" "
    "AdminTask.createWMQConnectionFactory(s, $AdminTask createWMQQueue '[ ]') [' '] -qmgrName "
    "-queueName A -wmqTransportType CLIENT -qmgrHostname h"
).split(" ")

TRANSFER = (
    "agentName= agentQMgr= agentQMgrHost= agentQMgrPort= connectionQMgr=A coordinationQMgrHost= "
    "agentSslCipherSpec= fteCreateAgent -agentName -agentQMgr -agentQMgrHost \\\n A h 1414 ${A} { "
    '} [ ] [route] [global] Destination=h DestinationPort=1 Active=false HTTP=true Name= \n " : , '
    '"coordinationQMgr": "commandQMgr": "agents": "name": "qmgrName": "host": connection: '
    "queueManager: connName: ccdtUrl: password:"
).split(" ")

ARCHIVE = (
    "ustar",
    "../",
    "/etc/passwd",
    "C:\\",
    "PK\x03\x04",
    "PK\x01\x02",
    "PK\x05\x06",
    "0000644",
)
WAIVERS = (
    "waivers: - rule: site: queue_manager: object: paths: owner: reason: ticket: expires: "
    "2027-03-31 2027-13-99 QMA* **/a [ ] { } ' \" # DR001 VOC001 leeds"
).split(" ")
BASELINE = (
    '{"version": 1, "findings": [ ]} {"rule": "name": "site": "queue_manager": "object": '
    '"attribute": "path": "fingerprint": "0123456789abcdef0123456789abcdef" , null true NaN 1e999 '
    '"\\ud800" [[ {{ <<<<<<< >>>>>>> ======='
).split(" ")
ESTATE = (
    "repositories: dumps: - path: name: ref: team: labels: defaults: override: hdfs://h:1/a "
    "s3a://u:p@h/a file:/a file://b/c C:/a ../ * ? [ ] { } sites: severity:"
).split(" ")
PATTERN = (
    r"( ) (?: | * + ? {2} {1,3} {0,} [ ] [^ - ^ $ . \d \w \s \D \W \S \. \\ a b A 1 _ [a-z] "
    r"(a|b)* (a*)* .* .*? \A \Z \b \x41 \u00e9"
).split(" ")
ADDRESS = "* . : :: - 0 1 255 256 10. 10.0.0.0/8 ::ffff: 1-5 ffff 2001:db8:: /64 * ::1 a-f\n".split(
    " "
)
NAME = (
    "CN= OU= O= C= L= ST= SP= S= DC= UID= USERID= E= EMAILADDRESS= SERIALNUMBER= T= PC= DNQ= "
    'UNSTRUCTUREDNAME= , ; " \\ \\, * + =\n'
).split(" ")
COMMENT = (
    "* # ; :: rem REM @rem mqlint:ignore mqlint:ignore[ ] [VOC001] , reason + +\n DEFINE "
    "QLOCAL(A) MAXDEPHT(5) crtmqm -zz Log: LogType=X << EOF\nEOF"
).split(" ")
STORE = (
    '{"scan": "finished": "folder": "tables": { } [ ] , "key": "value": null true 1 '
    '-1 1e99 "scan-1" ".." "/" "language": "starts": "digest": "parts": "stanzas": "steps": "fed": '
    '"calls": "declared": "reported": "suppressions": "counts": {"is": "of": {"unknown": true} '
    '{"text": {"map": {"severity": {"width": "encoded": {"template": "forms": "commands": PAR1'
).split(" ")
HOSTILE = (
    "\x1b[2J \x1b]8;; \x9b \r \x08 \u202e \u2066 \u2028 \u2029 \u200b \ufeff "
    "\U000e0041 \0 \x7f </script> <!-- =A1 +1 @SUM -1 ::error %0A %25 {{ }} %s {0} "
    "[link](http://a) | ` \t"
).split(" ")


def control_words() -> Iterator[str]:
    """The control commands and their options."""
    for name, spec in sorted(ANALYSER.vocabulary.control.items()):
        yield from (name, *(f"-{option}" for option in sorted(spec.flags | spec.values)))


def mqsc_words() -> Iterator[str]:
    """Verbs, nouns and attributes, as they are written in a command."""
    vocabulary = ANALYSER.vocabulary
    yield from vocabulary.verb_words
    yield from vocabulary.noun_words
    for noun in sorted(vocabulary.nouns):
        yield from (f"{word}(" for word in sorted(vocabulary.attributes_of(noun.lower())))


def ini_words() -> Iterator[str]:
    """Stanzas and keys."""
    for stanza in ANALYSER.vocabulary.ini.stanzas:
        yield f"{stanza.name}:\n"
        yield from (f"{key.name}=" for key in stanza.keys.values())


def jcl_words() -> Iterator[str]:
    """Programs, their statements and the macros of system parameters."""
    for name, program in sorted(ANALYSER.vocabulary.zos.programs.items()):
        yield from (f"PGM={name}", *sorted(program.statements))
    for macro, spec in sorted(ANALYSER.vocabulary.zos.macros.items()):
        yield from (macro, *(f"{name}=" for name in sorted(spec.defaults)))


def cl_words() -> Iterator[str]:
    """Commands and their parameters."""
    for name, spec in sorted(ANALYSER.vocabulary.cl.commands.items()):
        yield from (name, *(f"{parameter}(" for parameter in spec.parameters))


def ccdt_words() -> Iterator[str]:
    """Keys of a client channel definition table."""
    for keys in ccdt_vocabulary().objects.values():
        yield from (f'"{key}": ' for key in keys)


def rule_words() -> Iterator[str]:
    """The ids and names of rules."""
    for rule in RULEBOOK.rules.values():
        yield from (rule.id, rule.name)


def joined(*lists: Iterable[str]) -> tuple[str, ...]:
    """All words of some lists, each once."""
    return tuple(dict.fromkeys(word for words in lists for word in words if word))
