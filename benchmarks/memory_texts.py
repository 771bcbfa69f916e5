"""Texts in the shape of real files, as long as wanted, for most kinds of files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from benchmarks.generate import generate_dump

_MQSC: Final = """\
DEFINE QLOCAL('APP№.IN') REPLACE DESCR('Requests of №') DEFPSIST(YES) MAXDEPTH(500№)
DEFINE QALIAS('APP№.ALIAS') REPLACE TARGET('APP№.IN')
DEFINE CHANNEL('APP№.SVR') CHLTYPE(SVRCONN) TRPTYPE(TCP) REPLACE MCAUSER('nobody')
SET AUTHREC PROFILE('APP№.IN') OBJTYPE(QUEUE) GROUP('app') AUTHADD(GET,PUT,INQ)
"""
_CONTINUED: Final = _MQSC.replace(" REPLACE ", " REPLACE +\n  ").replace(" OBJ", " +\n  OBJ")
_INDENTED: Final = "".join(f"    {line}\n" for line in _MQSC.splitlines())

_PIECES: Final[Mapping[str, tuple[str, str]]] = {
    "objects.mqsc": ("", _MQSC),
    "job.jcl": (
        "//MQJOB JOB (ACCT),'MQ',CLASS=A\n",
        "//S№ EXEC PGM=CSQUTIL,PARM='QM01'\n//SYSPRINT DD SYSOUT=*\n//SYSIN DD *\n"
        f"COMMAND DDNAME(CMD)\n/*\n//CMD DD *\n{_CONTINUED}/*\n",
    ),
    "manifests.yaml": (
        "",
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app№\n"
        f"data:\n  objects.mqsc: |\n{_INDENTED}",
    ),
    "create.sh": (
        "#!/bin/sh\n",
        f"crtmqm -lc APPQM№\nstrmqm APPQM№\nrunmqsc APPQM№ <<EOF\n{_MQSC}EOF\n",
    ),
    "define.sh": (
        "#!/bin/sh\n",
        "# queue of №\nrunmqsc APPQM1 <<EOF\nDEFINE QLOCAL('APP№.IN') REPLACE DEFPSIST(YES)\nEOF\n"
        'if [ $? -ne 0 ]; then\n  echo "could not define APP№" >&2\n  exit 1\nfi\n'
        "setmqaut -m APPQM1 -n APP№.IN -t queue -g app№ +get +put +inq\n",
    ),
    "create.cmd": (
        "@echo off\r\n",
        "set QM=APPQM№\r\ncrtmqm -lc %QM%\r\nif errorlevel 1 goto failed\r\n"
        "strmqm %QM%\r\nrunmqsc %QM% < app№.mqsc\r\n",
    ),
    "create.ps1": (
        "",
        "# queue manager №\n$name = 'APPQM№'\ncrtmqm -lc $name\n"
        'if ($LASTEXITCODE -ne 0) { throw "could not create $name" }\nstrmqm $name\n'
        "@\"\nDEFINE QLOCAL('APP№.IN') REPLACE DEFPSIST(YES)\n\"@ | runmqsc $name\n",
    ),
    "crontab": (
        "",
        "# image of №\n15 3 * * 0 mqm /opt/mqm/bin/rcdmqimg -m APPQM1 -t ql APP№.IN >/dev/null\n",
    ),
    "mq.service": (
        "",
        "[Unit]\nDescription=Queue manager №\nAfter=network.target\n\n[Service]\nType=forking\n"
        "User=mqm\nExecStart=/opt/mqm/bin/strmqm APPQM№\nExecStop=/opt/mqm/bin/endmqm -i APPQM№\n",
    ),
    "Makefile": (
        "",
        "app№: app№.mqsc\n\tcrtmqm -lc APPQM№\n\tstrmqm APPQM№\n\trunmqsc APPQM№ < app№.mqsc\n\n",
    ),
    "Dockerfile": (
        "FROM base\n",
        "RUN crtmqm -lc APPQM№ \\\n && strmqm APPQM№ \\\n"
        ' && echo "DEFINE QLOCAL(APP№.IN)" | runmqsc APPQM№\nCOPY app№.mqsc /etc/mqm/\n',
    ),
    "play.yml": (
        "- hosts: mq\n  tasks:\n",
        "    - name: create APPQM№\n      ansible.builtin.shell: crtmqm -lc -p 1414 APPQM№\n"
        "      become: true\n      become_user: mqm\n    - name: define queues of №\n"
        "      shell: |\n        runmqsc APPQM№ <<EOF\n        DEFINE QLOCAL(APP№.IN) REPLACE\n"
        "        EOF\n",
    ),
    "main.tf": (
        "",
        'resource "kubernetes_config_map" "app№" {\n  data = {\n    "a.mqsc" = <<-EOF\n'
        "      DEFINE QLOCAL('APP№.IN') REPLACE DEFPSIST(YES)\n"
        "      DEFINE QALIAS('APP№.ALIAS') REPLACE TARGET('APP№.IN')\n    EOF\n  }\n}\n\n",
    ),
    "docker-compose.yml": (
        "services:\n",
        "  qm№:\n    image: icr.io/ibm-messaging/mq:9.3.0.10\n    environment:\n"
        "      - LICENSE=accept\n      - MQ_QMGR_NAME=APPQM№\n"
        '    ports:\n      - "14№:1414"\n    volumes:\n      - qm№:/mnt/mqm\n',
    ),
    "ccdt.json": (
        '{"channel": [\n',
        '  {\n    "name": "APP№.SVRCONN",\n    "clientConnection": {\n'
        '      "connection": [{"host": "mq№.example", "port": 1414}],\n'
        '      "queueManager": "APPQM№"\n    },\n    "type": "clientConnection"\n  },\n',
    ),
    "application.properties": (
        "",
        "# №\napp.service№.url=http://app№.example/api\nibm.mq.q№.queueManager=APPQM1\n"
        "ibm.mq.q№.channel=APP.SVRCONN\nibm.mq.q№.connName=mq№.example(1414)\n",
    ),
    "server.xml": (
        "<server>\n",
        '<jmsConnectionFactory jndiName="jms/cf№">\n  <properties.wmqJms queueManager="APPQM1"'
        ' channel="APP№.SVRCONN" hostName="mq.example" port="1414"/>\n</jmsConnectionFactory>\n',
    ),
    "session.out": (
        "5724-H72 (C) Copyright IBM Corp. 1994, 2026.\nStarting MQSC for queue manager APPQM1.\n\n",
        "     № : DISPLAY QLOCAL(APP№.IN) ALL\nAMQ8409I: Display Queue details.\n"
        "   QUEUE(APP№.IN)                          TYPE(QLOCAL)\n"
        "   ALTTIME(10.22.11)                       BOQNAME( )\n"
        "   MAXDEPTH(5000)                          MAXMSGL(4194304)\n",
    ),
    "qmgrs.txt": (
        "",
        "QMNAME(APPQM№)          STATUS(Running) DEFAULT(no) INSTNAME(Installation1)\n"
        "    INSTANCE(host№) MODE(Active)\n    INSTANCE(hosu№) MODE(Standby)\n",
    ),
    "define.clle": (
        "PGM\n",
        "             CRTMQMQ    QNAME('APP№.IN') QTYPE(*LCL) MQMNAME(APPQM1) REPLACE(*YES) +\n"
        "                          TEXT('Requests of №') DFTMSGPST(*YES)\n"
        "             MONMSG     MSGID(AMQ8000) EXEC(DO)\n"
        "             SNDPGMMSG  MSG('could not make APP№.IN')\n             ENDDO\n",
    ),
    "qm.ini": (
        "",
        "ApiExitLocal:\n   Sequence=№\n   Function=EntryPoint\n"
        "   Module=/var/mqm/exits/amqsaxe№\n   Name=Exit№\n",
    ),
    "notes.txt": (
        "",
        "What we do for application №, before noon:\n\n  define qlocal (APP№.IN) maxdepth(5)\n\n",
    ),
}


def text_of(name: str, size: int) -> str:
    """Return the text of the file `name` of at least `size` bytes."""
    if name == DUMP:
        return generate_dump(size)
    head, piece = _PIECES[name]
    count = -(-size // len(piece.replace("№", "00000")))
    text = head + "".join(piece.replace("№", f"{number:05d}") for number in range(count))
    return text.rstrip(",\n") + "\n]}\n" if name.endswith(".json") else text


DUMP: Final = "dump.txt"
NAMES: Final = (DUMP, *_PIECES)
