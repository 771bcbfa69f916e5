"""A small file of each language that mqlint reads, and what its reader makes of a text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from mqlint.language.base import Context, Parsed
from mqlint.language.mqsc import Dialect, Parser
from mqlint.language.registry import reader_of
from mqlint.language.script.step import ShellScript
from mqlint.source.budget import Budget
from tests.shipped import shipped_vocabulary

ONE_OF_EACH: Mapping[str, str] = {
    "prod/PRDSALES/orders.mqsc": "DEFINE QLOCAL(ORDER.1)\n",
    "prod/PRDSALES/session.out": (
        "5724-H72 (C) Copyright IBM Corp. 1994, 2026.\n"
        "Starting MQSC for queue manager PRDSALES.\n\n\n"
        "     1 : DISPLAY QLOCAL(ORDER.1) MAXDEPTH\n"
        "AMQ8409I: Display Queue details.\n"
        "   QUEUE(ORDER.1)                          TYPE(QLOCAL)\n"
        "   MAXDEPTH(5000)\n"
    ),
    "prod/PRDSALES/make.cmd": (
        "@echo off\r\ncrtmqm -lc PRDTILLS\r\nstrmqm PRDTILLS\r\n"
        "runmqsc PRDTILLS < tills.mqsc\r\nrunmqsc PRDTILLS < ..\\..\\loose\\fed.mqsc\r\n"
    ),
    "prod/PRDSALES/more.ps1": (
        "crtmqm -lc PRDDESKS\r\nstrmqm PRDDESKS\r\n"
        "@'\r\nDEFINE QLOCAL(DESKS.IN) MAXDEPHT(5)\r\n'@ | runmqsc PRDDESKS\r\n"
    ),
    "prod/PRDSALES/tills.mqsc": "DEFINE QLOCAL(TILLS.IN) MAXDEPHT(5)\n",
    "loose/fed.mqsc": "DEFINE QLOCAL(TILLS.OUT) MAXDEPHT(5)\n",
    "prod/PRDSALES/backup.sh": (
        "#!/bin/sh\nendmqm -w PRDSALES\nstrmqm PRDSALES\n"
        "tar cf /backup/sales.tar /var/mqm/qmgrs/PRDSALES /var/mqm/log/PRDSALES\n"
    ),
    "prod/hosts/one/cron.d/mq": "0 3 * * * mqm /opt/mqm/bin/rcdmqimg -m PRDSALES -t all '*'\n",
    "prod/hosts/one/qmgrs.txt": "QMNAME(PRDSALES)   STATUS(Running)\n",
    "prod/hosts/one/prdsales.res": (
        "resource prdsales {\n  on one {\n    address 10.10.7.1:7000;\n  }\n"
        "  on two {\n    address 10.20.7.1:7000;\n  }\n  net {\n    protocol A;\n  }\n}\n"
    ),
    "prod/PRDSALES/friday.txt": (
        "What we do on Friday, before noon:\n\n  define qlocal (FRIDAY.IN) maxdepht(5)\n"
    ),
    "prod/hosts/one/fstab": "nas:/mq /MQHA nfs4 rw,soft 0 0\n",
    "prod/hosts/one/mq.crm": (
        'primitive qm ocf:shop:mq params qmname="PRDSALES" op stop timeout=5s\n'
    ),
    "prod/hosts/recipes/mq.rb": (
        "bash 'make' do\n  code <<-EOH\n    crtmqm -lc PRDCHEF\n  EOH\nend\n"
    ),
    "prod/hosts/one/add_queue.py": (
        "import subprocess\n"
        "subprocess.run(['runmqsc', 'PRDSALES'], input='DEFINE QLOCAL(PY.IN) MAXDEPHT(5)')\n"
    ),
    "prod/hosts/one/add_queue.pl": (
        "#!/usr/bin/perl\nuse strict;\nsystem('strmqm PRDSALES');\n"
        "open(my $mqsc, '|-', 'runmqsc PRDSALES');\n"
        'print $mqsc "DEFINE QLOCAL(PL.IN) MAXDEPHT(5)\\n";\n'
    ),
    "prod/hosts/one/queues.rexx": (
        "/* REXX */\nqueue 'DEFINE QLOCAL(RX.IN) +'\nqueue ' MAXDEPHT(5)'\n\"runmqsc PRDSALES\"\n"
    ),
    "prod/hosts/one/Queues.java": (
        'class Queues {\n  String text = "DEFINE QLOCAL(JA.IN) MAXDEPHT(5)";\n}\n'
    ),
    "prod/hosts/one/mqm.service": "[Service]\nExecStart=/opt/mqm/bin/strmqm -ns PRDSALES\n",
    "prod/hosts/one/image.xml": (
        '<Task xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">\n<Actions><Exec>'
        "<Command>rcdmqimg.exe</Command><Arguments>-m PRDDESKS -t queus *</Arguments>"
        "</Exec></Actions>\n</Task>\n"
    ),
    "prod/hosts/one/qm.ini": "Log:\n   LogType=SPIRAL\n",
    "prod/hosts/Dockerfile": "FROM base\nRUN crtmqm -lc PRDBOX && strmqm PRDBOX\n",
    "prod/hosts/Makefile": "stalls:\n\tcrtmqm -lc PRDSTALLS\n\tstrmqm PRDSTALLS\n",
    "prod/hosts/init/mq-kiosk.conf": (
        "start on runlevel [2345]\nstop on runlevel [016]\nexec strmqm -ns PRDKIOSK\n"
    ),
    "prod/hosts/Jenkinsfile": "stage('x') { steps {\n  sh 'crtmqm -lc PRDPIPE'\n} }\n",
    "prod/hosts/main.tf": (
        'resource "x" "mq" {\n  user_data = <<-EOF\n    #!/bin/sh\n    crtmqm -lc PRDCLOUD\n'
        '  EOF\n  data = {\n    "a.mqsc" = <<-EOF\n      DEFINE QLOCAL(CLOUD.IN) MAXDEPHT(5)\n'
        "    EOF\n  }\n}\n"
    ),
    "prod/hosts/.gitlab-ci.yml": (
        "make:\n  script:\n    - crtmqm -lc PRDCI\n    - |\n"
        "      runmqsc PRDCI <<EOF\n      DEFINE QLOCAL(CI.1) MAXDEPHT(5)\n      EOF\n"
    ),
    "dr/apps/application.properties": "ibm.mq.channel=TILLS\nibm.mq.connName=10.10.7.1(1414)\n",
    "dr/apps/application.yaml": (
        "ibm:\n  mq:\n    channel: TILLS\n    connName: 10.10.7.1(1414)\n"
    ),
    "prod/zos/MQ7A/ZPARM.asm": " CSQ6ARVP ARCRETN=5\n END\n",
    "prod/zos/MQ7A/COPY.jcl": (
        "//COPY     JOB 1\n//S1       EXEC PGM=CSQUTIL,PARM='MQ7A'\n"
        "//SYSIN    DD *\n  COMMAND DDNAME(CMDS)\n//CMDS     DD *\n"
        " DEFINE QLOCAL(ORDER.1) MAXDEPHT(5)\n"
    ),
    "prod/PRDSALES/save.clle": (
        "PGM\nENDMQM MQMNAME(PRDSTORE) OPTION(*WAIT)\n"
        "SAV DEV('/QSYS.LIB/TAP01.DEVD') OBJ(('/QIBM/UserData/mqm/qmgrs/PRDSTORE'))\n"
        "STRMQM MQMNAME(PRDSTORE)\n"
        "STRMQMMQSC SRCMBR(STORE) SRCFILE(MQCFG/QMQSC) MQMNAME(PRDSTORE)\nENDPGM\n"
    ),
    "prod/PRDSALES/QMQSC/store.mqsc": "DEFINE QLOCAL(STORE.IN) MAXDEPHT(5)\n",
    "prod/k8s/objects.yaml": (
        "kind: ConfigMap\ndata:\n  a.mqsc: |\n    DEFINE QLOCAL(ORDERS.BACK) MAXDEPHT(7000)\n"
    ),
    "dr/apps/mq-source.properties": (
        "connector.class=com.ibm.eventstreams.connect.mqsource.MQSourceConnector\n"
        "mq.queue.manager=PRDSALES\nmq.channel.name=TILLS\nmq.queue=TILLS.IN\n"
    ),
    "dr/apps/server.xml": (
        '<server><jmsConnectionFactory><properties.wmqJms queueManager="PRDSALES"\n'
        '  channel="TILLS" hostName="10.10.7.1"/></jmsConnectionFactory></server>\n'
    ),
    "dr/apps/mqwebuser.xml": (
        '<server><enterpriseApplication id="com.ibm.mq.rest"><application-bnd>\n'
        '<security-role name="MQWebAdmin"><group name="MQAdmins"/></security-role>\n'
        "</application-bnd></enterpriseApplication></server>\n"
    ),
    "dr/apps/mq-sink.json": (
        '{"name": "tills", "config": {"mq.queue.manager": "PRDSALES", "mq.queue": "TILLS.OUT",\n'
        ' "mq.channel.name": "TILLS", "mq.connection.name.list": "10.10.7.1(1414)"}}\n'
    ),
    "prod/PRDSALES/rest.json": (
        '{"type": "runCommandJSON", "command": "define", "qualifier": "qlocal",\n'
        ' "name": "REST.IN", "parameters": {"maxdepht": 5, "replace": "yes"}}\n'
    ),
    "prod/PRDSALES/queues.yml": (
        "mq_commands:\n  - command: define\n    qualifier: qlocal\n    name: LISTED.IN\n"
        "    parameters:\n      maxdepht: 5\n"
    ),
    "prod/PRDSALES/uc.mqdef_base": (
        '{"resource": {"queue": [{"command": "DEFINE", "name": "UC.IN", "type": "local",\n'
        '  "storage": {"maximumDepth": 9999999999}}]}}\n'
    ),
    "prod/PRDSALES/keystore.conf": "cms.keystore = /home/till/key\ncms.certificat = till\n",
    "prod/PRDSALES/dead.rul": "INPUTQM(PRDSALES) WAIT(YES)\nREASON(MQRC_Q_FULL) ACTION(RETYR)\n",
    "prod/hosts/make.exp": (
        '#!/usr/bin/expect\nspawn ssh h\nexpect "Password:"\nsend "hyacinth\\n"\n'
        'send "mqcli\\n"\nsend "crtmqm -lc PRDAPPL\\n"\nsend "runmqsc PRDAPPL\\n"\n'
        'send "DEFINE QLOCAL(APPL.IN) MAXDEPHT(5)\\n"\nsend "end\\n"\n'
    ),
    "prod/hosts/site.pp": "mq_queue { 'PRDPUP/QLOCAL/PUP.IN':\n  maxdepht => 5,\n}\n",
    "prod/hosts/data.yaml": (
        "ibm_profile::mq_machine::messaging_setup::queue_list:\n"
        "  PRDHIERA/QLOCAL/HIERA.IN:\n    maxdepht: 5\n"
    ),
    "dr/apps/app.env": "IBM_MQ_CHANNEL=TILLS\nIBM_MQ_CONNNAME=10.10.7.1(1414)\n",
    "dr/apps/objects.scp": "DEF QCF(TILLS) TRAN(CLIENT) QMGR(PRDSALES) HOST(h.example)\n",
    "dr/apps/agent.properties": "agentQMgr=PRDSALES\nagentQMgrHost=h.example\n",
    "dr/apps/agentcfg.json": (
        '{"commandQMgr": {"name": "PRDSALES"},\n'
        ' "agents": [{"name": "A", "qmgrName": "PRDSALES", "qmgrHost": "h.example"}]}\n'
    ),
    "dr/hosts/mqipt.conf": (
        "[route]\nListenerPort=1415\nDestination=h.example\nDestinationPort=1414\n"
    ),
    "dr/hosts/mq_prometheus.yaml": "connection:\n  queueManager: PRDSALES\n  channel: TILLS\n",
    "dr/apps/env.json": (
        '{"MQ_ENDPOINTS": [{"HOST": "mq.wharfe.example", "PORT": "1414", "CHANNEL": "APP.SVRCONN",'
        ' "QMGR": "A"}]}'
    ),
    "dr/apps/ccdt.json": '{"channel": [{"clientConnection": {"queueManagr": "A"}}]}',
}
"""Texts by path: one production and one DR site, folders of queue managers, hosts, programs."""


@cache
def _parser() -> Parser:
    return Parser(shipped_vocabulary())


def parsed(language: str, text: str) -> Parsed:
    """Return what the reader of a language makes of a text."""
    budget, dialect = Budget(len(text)), Dialect(zos=False)
    context = Context(language, shipped_vocabulary(), budget, _parser(), dialect)
    return reader_of(language)(text, context)


def script_in(language: str, text: str) -> ShellScript:
    """Return the script that the reader of a language makes of a text."""
    script = parsed(language, text).script
    assert script is not None
    return script
