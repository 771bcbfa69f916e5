"""Which language a file is in; false recognition is worse than a miss."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.language.registry import recognise
from tests.linear import is_linear_in_time

DUMP = "****\n* Script generated on 2026-05-14   at 14.47.03\n* Queue manager name: QMA\n"
QM_INI = "#* Module Name: qm.ini  *#\n\nExitPath:\n   ExitsDefaultPath=/x\n"
CL = "PGM\nENDMQM MQMNAME(A)\nENDPGM\n"
CRON = "SHELL=/bin/sh\n15 1 * * * mqm /opt/mqm/bin/rcdmqimg -m QMA -t all '*'\n"

JCL = "//MQCOPY   JOB (ACCT),'MQ'\n//COPY     EXEC PGM=IDCAMS\n//SYSIN    DD *\n/*\n"
POLICY = (
    "id: OWN1\nseverity: {default: note}\nmessage: x\ncases:\n"
    "  - files:\n      a.yml: |\n        jobs:\n          a:\n            steps:\n"
    "              - run: runmqsc QMA < a.mqsc\n"
)
FILES = [
    ("start", "docker run -e MQ_QMGR_NAME=QMA icr.io/ibm-messaging/mq:9.4.2.0-r1\n", "shell"),
    ("start", "# once\nsudo podman run -d \\\n  --env MQ_DEV=true example/mq\n", "shell"),
    ("start", "docker run -e NAME=QMA registry.example.com/shop\n", None),
    ("up.ps1", "docker run -e MQ_QMGR_NAME=QMA icr.io/ibm-messaging/mq:9.4.2.0-r1\n", "powershell"),
    ("up.ps1", '$env:MQSERVER = "APP.SVRCONN/TCP/mq1(1414)"\n', "powershell"),
    ("up.cmd", "set IBM_MQ_CHANNEL=APP.SVRCONN\njava -jar shop.jar\n", "cmd"),
    ("up.cmd", "set NAME=QMA\ndocker run registry.example.com/shop\n", None),
    (
        "cm.json",
        '{"apiVersion": "v1", "kind": "ConfigMap", "data": {"a.mqsc": "ALTER QMGR FORCE"}}',
        "manifest",
    ),
    ("cm.json", '{"apiVersion": "v1", "kind": "ConfigMap", "data": {"a.txt": "x"}}', None),
    ("cm.yml", "{kind: ConfigMap, apiVersion: v1, data: {a.mqsc: ALTER QMGR FORCE}}", "manifest"),
    ("cm.yml", "'kind': 'ConfigMap'\n'data':\n  'a.mqsc': ALTER QMGR FORCE\n", "manifest"),
    *(
        ("cm.yml", f"{kind}\ndata:\n  a.mqsc: ALTER QMGR FORCE\n", "manifest")
        for kind in (
            *("kind : ConfigMap", "kind: !!str ConfigMap", "kind: &k ConfigMap"),
            *("kind:\n  ConfigMap", "kind: >-\n  ConfigMap", "? kind\n: ConfigMap"),
        )
    ),
    ("cm.yml", "kind : ConfigMap\ndata:\n  a.txt: x\n", None),
    ("cm.yml", "kind: ConfigMap\ndata: !!map\n  ? a.mqsc\n  : !!str ALTER QMGR\n", "manifest"),
    ("cm.yml", "kind: ConfigMap\ndata:\n  ? a.txt\n  : x\n", None),
    (
        "docker-compose.yml",
        '{"services": {"a": {"image": "icr.io/ibm-messaging/mq", "environment": {"MQ_DEV": 1}}}}',
        "manifest",
    ),
    ("qm.json", '{"kind": "QueueManager", "apiVersion": "mq.ibm.com/v1beta1"}', "manifest"),
    ("chart.json", '{"kind": "MQ", "apiVersion": "v1", "queueManager": "QMA"}', None),
    ("vars/floodMq.groovy", "def call(qm) {\n  sh 'runmqsc QMA < a'\n}\n", "jenkins"),
    ("src/Flood.groovy", "class Flood { String command = 'runmqsc QMA < a' }\n", "source"),
    ("ci/flood.yml", "flood:\n  script:\n    - runmqsc QMA < a\n", "pipeline"),
    ("data/flood.yml", "flood:\n  script: runmqsc QMA\n", None),
    ("Jenkinsfile", "#!/usr/bin/env groovy\nnode { sh 'runmqsc QMA < a' }\n", "jenkins"),
    ("qm.j2", "apiVersion: mq.ibm.com/v1beta1\nkind: QueueManager\nspec: {}\n", "manifest"),
    ("qm.tpl", "{{- if .on }}\n---\nkind: ConfigMap\ndata:\n  a.mqsc: ALTER QMGR\n", "manifest"),
    (
        "site.yml",
        "- hosts: a\n  tasks:\n  - docker_container:\n      env: {MQ_QMGR_NAME: QMA}\n",
        "pipeline",
    ),
    ("site.yml", "- hosts: a\n  tasks:\n  - docker_container:\n      env: {NAME: QMA}\n", None),
    ("own1.yaml", POLICY, None),
    ("own1.yaml", POLICY.replace("message: x\n", ""), "pipeline"),
    ("other.j2", "apiVersion: apps/v1\nkind: Deployment\nspec: {}\n", None),
    # path, text, language
    ("a/dump.txt", DUMP, "mqsc"),
    ("a/dump", DUMP, "mqsc"),
    ("a/b.mqsc", "", "mqsc"),
    ("a/b.mqsc", "* later\n", "mqsc"),
    ("a\\B.MQS", "def ql(a)", "mqsc"),
    ("a/b.in", "\n* x\ndefine qlocal(a) replace\n", "mqsc"),
    ("a/b.in", "* a long header\n" * 99 + "define qlocal(a) replace\n", "mqsc"),
    ("a/QMA.CSQINP2", "* objects\nDEFINE STGCLASS( 'FAST' ) PSID( 03 )\n", "mqsc"),
    ("a/b.conf", "Define queue(s) for the printer\n", None),
    ("a/b.txt", "ALTER QMGR +\n  DEADQ(DLQ)\n", "mqsc"),
    ("a/b.txt", "refresh security type(connauth)\n", "mqsc"),
    ("a/b", "SET AUTHREC PROFILE(A)\n", "mqsc"),
    ("a/b", "DEFINE CHANNEL (A) CHLTYPE(SVRCONN)\n", "mqsc"),
    ("a/mqclient.ini", "SSL\n   OutboundSNI=HOSTNAME\n", "ini"),
    ("a/mqclient.ini", "[SSL]\nSSLKeyRepository=/app/key\n", "ini"),
    ("a/qm.ini", "[General]\nname=x\n", None),
    ("a/b.mqsc.tftpl", "%{ for q in queues }\nDEFINE QLOCAL(${q})\n%{ endfor }\n", "mqsc"),
    ("mq-image.timer", "[Timer]\nOnCalendar=daily\n", "systemd"),
    ("web.timer", "[Timer]\nOnCalendar=daily\n", None),
    ("mq.pkr.hcl", 'provisioner "shell" { inline = ["strmqm QMA"] }\n', "terraform"),
    ("a.hcl", 'locals { what = "strmqm QMA" }\n', None),
    ("a/b.in.j2", "{% for q in queues %}\nDEFINE QLOCAL({{ q }})\n{% endfor %}\n", "mqsc"),
    ("a/b.mqsc.tpl", "ALTER QMGR SSLKEYR('{{ .K }}')\n", "mqsc"),
    ("a/run.out", "Starting MQSC for queue manager A.\n     1 : ping qmgr\n", "mqsc"),
    (
        "a/run.log",
        "$ runmqsc A\n5724-H72 (C) Copyright IBM Corp. 1994\n"
        "Starting MQSC for queue manager A.\n\n 1 : ping qmgr\n",
        "mqsc",
    ),
    (
        "a/run.txt",
        "     1 : ping qmgr\nAMQ8415I: Ping IBM MQ Queue Manager command complete.\n",
        "mqsc",
    ),
    (
        "a/run.out",
        "State of QMA\nQMNAME(QMA)\n\n5724-H72 (C) Copyright IBM Corp. 1994\n"
        "Starting MQSC for queue manager QMA.\n\n     1 : ping qmgr\n",
        "mqsc",
    ),
    (
        "a/run.txt",
        "# Notes\n```\n5724-H72 (C) Copyright IBM Corp. 1994\n"
        "Starting MQSC for queue manager QMA.\n     1 : ping qmgr\n```\n",
        None,
    ),
    ("a/run.log", "1 : ping qmgr\n", None),
    ("a/objects.ini", "* Objects\nDEFINE QLOCAL(A)\n", "mqsc"),
    ("a/objects.ini", "* a long header\n" * 99 + "DEFINE QLOCAL(A)\n", "mqsc"),
    ("a/objects.properties", "define channel(A.SVRCONN) chltype(SVRCONN)\n", "mqsc"),
    ("a/b.QM1", "ALTER QMGR DEADQ(D)\n", "mqsc"),
    ("a/b.sql", "ALTER TABLE A ADD B\n", None),
    ("a/b.sql", "DELETE FROM A;\nDEFINE QLOCAL(A)\n", None),
    ("a/b.dat", "DEFINE QLOCAL(A)\nThis defines a queue.\n", None),
    ("a/b.py", "DEFINE QLOCAL(A)\n", None),
    ("a/b.html", "DEFINE QLOCAL(A)\n", None),
    ("a/b.sh", "#!/bin/sh\necho 'define qlocal(A)' >> $1\n", "shell"),
    ("a/b.sh", "#!/bin/sh\n$a$b QMA <<'E'\n  ALTER QMGR CHLAUTH(DISABLED)\nE\n", "shell"),
    ("a/b.sh", "#!/bin/sh\n${a%x} QMA <<< 'def ql(A)'\n", "shell"),
    ("a/b.sh", "#!/bin/sh\necho 'define your queue' >> $1\n", None),
    (
        "a.yaml",
        "# make it\ncat <<EOF | oc apply -f -\napiVersion: mq.ibm.com/v1beta1\nEOF\n",
        "shell",
    ),
    ("a.yaml", "oc apply -f - <<EOF\nkind: Service\nEOF\n", None),
    ("a.yaml", "cat: <<EOF | oc\nkind: QueueManager\n", None),
    (
        "a.sh",
        "cat <<E | oc apply -f -\nspec:\n  containers:\n  - env:\n    - name: MQ_QMGR_NAME\nE\n",
        "shell",
    ),
    ("a.txt", "#!/bin/bash -e\n/opt/mqm/bin/setmqinst -i -p /opt/mqm\n", "shell"),
    ("Dockerfile", "FROM shop-base\nCOPY objects.mqsc /etc/mqm/\n", "docker"),
    ("Dockerfile", "FROM shop-base\nCOPY objects.json /etc/mqmore/\n", None),
    ("docker-compose.yml", "services:\n  a:\n    image: example/ibm-mq-exporter:1\n", None),
    ("docker-compose.yml", "services:\n  a:\n    image: example/ibm-mq-server:1\n", "manifest"),
    (
        "a.yaml",
        "kind: IntegrationAssembly\nspec:\n  managedInstances:\n    list:\n"
        "    - kind: QueueManager\n",
        "manifest",
    ),
    ("patch.yaml", "spec:\n  version: 9.4.2.0-r1\n  queueManager:\n    name: PAY\n", "manifest"),
    (
        "list.yaml",
        "kind: List\nitems:\n  - metadata: {}\n    kind: ConfigMap\n    data:\n      a.mqsc: END\n",
        "manifest",
    ),
    (
        "Vagrantfile",
        'config.vm.provision "shell", inline: <<-SHELL\n  strmqm QMA\nSHELL\n',
        "terraform",
    ),
    ("own.yaml", POLICY, None),
    ("a.md", "```\nDEFINE QLOCAL(A)\n```\n", None),
    ("docker-compose.yml", "mq:\n  image: ibmcom/mq\n  ports: []\n", "manifest"),
    ("a.yml", "mq:\n  image: ibmcom/mq\n  ports: []\n", None),
    (
        "a.yaml",
        'kind: ConfigMap\ndata:\n  a: |\n    {"channel": [{"clientConnection": {}}]}\n',
        "manifest",
    ),
    ("a.yaml", "kind: ConfigMap\ndata:\n  a.sh: |\n    strmqm QMA\n", "pipeline"),
    ("a.yaml", "kind: ConfigMap\ndata:\n  a: |\n    #!/bin/sh\n    strmqm QMA\n", "pipeline"),
    ("a.yaml", "kind: ConfigMap\ndata:\n  a: |\n    strmqm QMA\n", None),
    ("a.yaml", "kind: Job\nargs:\n- -c\n- |\n  strmqm QMA\n", None),
    ("a.yaml", "kind: Job\nspec:\n  args:\n  - -c\n  - |\n    strmqm QMA\n", "pipeline"),
    ("a.yaml", "#cloud-config\nruncmd:\n  - strmqm QMA\n", "pipeline"),
    (
        "a.yaml",
        "A:\n  UserData:\n    Fn::Base64: |\n      #!/bin/sh\n      strmqm QMA\n",
        "pipeline",
    ),
    ("a.yaml", "#cloud-config\nwrite_files:\n- content: x\n  path: /a/b.mqsc\n", "pipeline"),
    ("a.yaml", "write_files:\n- path: /a/b.txt\nother:\n  path: /a/b.mqsc\n", None),
    ("a/run.log", "DEFINE QLOCAL(A)\n", None),
    ("a/dump.log", DUMP, "mqsc"),
    (
        "a/QMA",
        "*\n* This file generated by saveqmgr.c V7.0 on 2010-02-03 at 04.05.06 hours.\n",
        "mqsc",
    ),
    ("a/makedef", "DEFINE NOREPLACE                                -\n QLOCAL('A')\n", "mqsc"),
    ("a/csqinp2", "DEFINE NOREPLACE QLOCAL('A')\n", "mqsc"),
    ("a/console.txt", "+CSQ1 DISPLAY QMGR\n", "mqsc"),
    ("a/console.txt", "%CSQ1 DISPLAY QMGR\n", "mqsc"),
    ("a/job.lst", " CSQU000I CSQUTIL IBM MQ for z/OS V9.4.0\n", "mqsc"),
    ("a/console.log", "CSQM201I +MQ7A CSQMDRTC  DISPLAY QMGR DETAILS\nQMNAME(MQ7A)\n", "mqsc"),
    ("a/console.txt", "\n+MQ7A DIS QMGR\nCSQM201I +MQ7A DISPLAY QMGR DETAILS\n", "mqsc"),
    ("a/console.log", "12.01.02 STC1 CSQM201I +MQ7A CSQMDRTC DISPLAY QMGR DETAILS\n", None),
    ("a/job.lst", " CSQY000I IBM MQ for z/OS V9.4.0\n", None),
    ("a/b.sh", "cat > defs.mqsc <<E\nEND\nE\n", "shell"),
    ("a/b.sh", "echo END | sudo tee -a /etc/mqm/defs.mqsc\n", "shell"),
    ("a/b.sh", "oc apply -f - <<E\nkind: ConfigMap\ndata:\n  a.mqsc: |\n    END\nE\n", "shell"),
    ("a/b.sh", "cat defs.mqsc\n", None),
    (
        "vars_dr.sh",
        "#!/bin/ksh\n# DR\nexport QM=QMA\nHOST='a'; export HOST\n",
        "environment",
    ),
    ("a/dr.conf", "QMGR_NAME = QMA\r\n", "environment"),
    ("a/dr.sh", "set -e\ncd /opt\n./build.sh QMA a.example\nexit 0\n", "environment"),
    ("a/dr.sh", "./build.sh a.example\n", None),
    ("a/dr.sh", "QM=QMA\nUP=$(dspmq -m QMA)\n", "shell"),
    ("a/dr.sh", "QM=QMA; strmqm QMA\n", "shell"),
    ("a/dr.sh", "QM=QMA\necho 'DEFINE QLOCAL(A)' | runmqsc QMA\n", "shell"),
    ("a/dr.sh", "export MQSERVER='A/TCP/a.example'\nexport QM=QMA\n", "shell"),
    ("a/app.conf", "[main]\nqm = QMA\n", None),
    ("Dockerfile", "FROM x\nRUN echo END > /etc/mqm/defs.mqsc\n", "docker"),
    ("Dockerfile", "FROM x\nCOPY defs.mqsc /etc/mqm/\nRUN x\n", "docker"),
    ("Dockerfile", "FROM icr.io/ibm-messaging/mq:9.4.2.0-r1\nCOPY a.mqsc /etc/mqm/\n", "docker"),
    ("Dockerfile", "FROM --platform=linux/amd64 ibmcom/mq AS base\n", "docker"),
    ("Dockerfile", "FROM x\nENV A=b \\\n    MQ_ADMIN_PASSWORD=c\n", "docker"),
    ("Dockerfile", "FROM cp.icr.io/cp/ibm-mqadvanced-server-integration:9.3\n", "docker"),
    ("Dockerfile", "FROM rabbitmq:3\n", None),
    ("compose.yaml", "services:\n  mq:\n    image: icr.io/ibm-messaging/mq\n", "manifest"),
    ("compose.yaml", "services:\n\n  x:\n    environment:\n    - MQ_QMGR_NAME=A\n", "manifest"),
    ("compose.yaml", "services:\n  mq:\n    image: rabbitmq:3\n", None),
    ("ci.yml", "jobs:\n  a:\n    services:\n      q:\n        image: ibmcom/mq\n", "manifest"),
    ("ci.yml", "jobs:\n  a:\n    services:\n      db: {image: x}\n", None),
    ("a/z.yml", "- zos_operator:\n    cmd: '+MQ7A DIS QLOCAL(A)'\n", "pipeline"),
    ("a/z.yml", "- zos_operator:\n    cmd: 'D A,L'\n", None),
    (
        ".gitlab-ci.yml",
        "services:\n  - name: x\na:\n  variables:\n    MQ_QMGR_NAME: A\n  script:\n  - strmqm A\n",
        "pipeline",
    ),
    ("Dockerfile", "FROM golang\nCOPY mq /mq\n", None),
    ("a/b.sh", "oc apply -f - <<E\napiVersion: mq.ibm.com/v1beta1\nE\n", "shell"),
    ("a/grants.txt", "setmqaut -m QMA -t qmgr -g app +connect\n", "shell"),
    ("a/grants.txt", "setmqaut grants authorities\n", None),
    (
        "a/load",
        "# each queue manager\nrunmqsc -e QMA < queues.in\nrunmqsc QMB < queues.in\n",
        "shell",
    ),
    ("a/load.txt", "echo 'DISPLAY QMGR' | runmqsc QMA\n", "shell"),
    ("a/load.txt", "runmqsc <QMNAME> reads commands\n", None),
    ("a/load.txt", "runmqsc QMA\n", None),
    (
        "a/run.txt",
        "Microsoft Windows [Version 10.0]\n(c) 2020 Microsoft Corporation.\n\n"
        "C:\\>runmqsc QMA\n5724-H72 (C) Copyright IBM Corp. 1994, 2020.\n"
        "Starting MQSC for queue manager QMA.\n 1 : ping qmgr\n",
        "mqsc",
    ),
    (
        "a/run.log",
        "0783889,5724-B41 (C) Copyright IBM Corp.\nStarting MQSC for queue manager QMA.\n"
        " 1 : ping qmgr\n",
        "mqsc",
    ),
    (
        "a/run.log",
        "5724-B41 © Copyright IBM Corp.\nStarting MQSC for queue manager .\n 1 : ping qmgr\n",
        "mqsc",
    ),
    ("a/b.txt", "Display queue status on the second screen.\n", None),
    ("a/b.txt", "Display queue (local ones) and wait.\n", None),
    ("a/b.txt", "Start channel A before noon\n", None),
    ("a/b.txt", "Display security settings\n", None),
    ("a/b.txt", "define process(x):\n    return x\n", None),
    ("a/b.txt", "", None),
    ("a/b.py", "def process(a):\n", None),
    ("a/README.md", "DEFINE QLOCAL(A)\n", None),
    ("a/b.yaml", "Log:\n  LogType: LINEAR\n", None),
    ("a/b.json", '{"DEFINE": "QLOCAL(A)"}', None),
    ("a/b.txt", "DEFINE QLOCAL(A)\0\n", None),
    ("a/qm.ini", QM_INI, "ini"),
    ("a/qm.ini", "Log:\n   LogType=LINEAR\n", "ini"),
    ("a/qm.ini", "Channel: 2\n  MaxChannels=5\n", "ini"),
    ("a/other.ini", "Channel: 2\n  MaxChannels=5\n", None),
    ("a/extra.ini", "TuningParameters:\n  DefaultQBufferSize=1\n", "ini"),
    ("a/rdqm.ini.j2", "{% for h in hosts %}\nNode:\n  Name={{ h }}\n{% endfor %}\n", "ini"),
    ("a/mqs.ini", "AllQueueManagers:\n   DefaultPrefix=/var/mqm\n", "ini"),
    ("a/qm.ini", "[section]\nkey=value\n", None),
    ("a/setup.ini", "[log]\nfile=a\n", None),
    ("a/other.ini", "Anything:\n  key=value\n", None),
    ("a/other.ini", "Service:\n  name: value\n", None),
    ("a/php.ini", "", None),
    ("a/up.sh", "strmqm QMA\n", "shell"),
    ("a/up.bat", "StrMQM.exe QMA\r\n", "cmd"),
    ("a\\up.CMD", "rem x\r\ncall runmqsc QMA < a.mqsc\r\n", "cmd"),
    ("a/up.cmd", "DEFINE QLOCAL(A)\n", "mqsc"),
    ("a/up.cmd", "dir\n", None),
    ("a/up.txt", "@ECHO OFF\nendmqm QMA\n", "cmd"),
    ("a/up.txt", "dir\nendmqm QMA\n", None),
    ("a/up.ps1", "& StrMQM.exe QMA\n", "powershell"),
    ("a/up.psm1", "Set-Content $dir/a.mqsc $text\n", "powershell"),
    ("a/up.ps1", "Write-Host 'MQ'\n", None),
    ("a/up", "#!/usr/bin/env bash\nstrmqm QMA\n", "shell"),
    ("a/up", "#! /usr/bin/ksh93\n/opt/mqm/bin/strmqm QMA\n", "shell"),
    ("a/up.sh.j2", "#!/bin/sh\nstrmqm {{ q }}\n", "shell"),
    ("a/up.sh", "#!/bin/sh\n" + "# x\n" * 9000 + "strmqm QMA\n", "shell"),
    ("a/up.sh", "echo nothing of MQ\n", None),
    ("a/up.sh", "runswchl -m QMA -c '*' -q\n", "shell"),
    ("a.sh", "curl -d @b.json https://h/ibmmq/rest/v2/admin/action/qmgr/Q/mqsc\n", "shell"),
    (".profile", "export MQSERVER='APP/TCP/h(1414)'\n", "shell"),
    ("home/app/.bash_profile", ". /opt/mqm/bin/setmqenv -s\n", "shell"),
    ("a.sh", "curl -k https://h/ibmmq/rest/v2/messaging/qmgr/Q/queue/IN/message\n", "shell"),
    ("a/up", "#\n# Copyright\n#!/bin/ksh\nstrmqm QMA\n", "shell"),
    ("a/up", "#!/usr/bin/python3\nprint('strmqm QMA')\n", "python"),
    ("a/up.sh", "#!/usr/bin/perl\nsystem('strmqm QMA');\n", None),
    # remarks at the beginning, however many, hide nothing
    ("a/qm.ini", "# 2026: reviewed\n\n" * 900 + QM_INI, "ini"),
    ("a/mqcopy.jcl", "//* CHANGE LOG\n" * 900 + JCL, "jcl"),
    ("cron.d/mq", "# nightly\n" * 900 + CRON, "crontab"),
    ("a/mq.rules", "* retry\n" * 1200 + "INPUTQ(DLQ) RETRYINT(60)\n", "dlq-rules"),
    ("QCLSRC/NIGHT", "/* night\n run */\n" * 900 + CL, "cl"),
    ("a/defs", "* queues\n" * 1200 + "DEFINE NOREPLACE QLOCAL('A')\n", "mqsc"),
    ("cron.d/mq", CRON, "crontab"),
    ("a/mqm.crontab", "# x\n" + CRON, "crontab"),
    ("cron.d/other", "1 2 * * * root /bin/true\n", None),
    ("a/mqcopy.jcl", JCL, "jcl"),
    ("jobs/MQCOPY", "//* a comment\n" + JCL, "jcl"),
    ("jobs/MQCOPY", JCL.replace("IDCAMS", "SHOPPROG"), None),
    ("a/mqcopy.sh", JCL, None),
    ("a/MQ7AMSTR.proc", "//MQ7AMSTR PROC\n//S EXEC PGM=CSQYASCP\n", "jcl"),
    ("a/zparm.asm", "* log\nLOGP     CSQ6LOGP OFFLOAD=YES\n         END\n", "zparm"),
    ("a/other.asm", "MAIN     CSECT\n         END\n", None),
    ("a.jcl", "//A JOB 1\n//S EXEC MQUTIL\n//SYSIN DD *\n COMMAND DDNAME(C)\n", "jcl"),
    ("a.sh", "#!/bin/sh\nzowe mq run mqsc QM1 'DISPLAY QMGR'\n", "shell"),
    ("racf.txt", "Profiles\n\n  TSO RDEF MQCONN QM1.CHIN UACC(NONE)\n", "jcl"),
    ("a.rexx", "/* REXX */\n'PERMIT' q'.**' 'CLASS(MQQUEUE) ID(*) ACC(READ)'\n", "jcl"),
    ("racf.txt", "PERMIT DB2.** CLASS(DSNR) ID(*)\nWe RDEFINE MQCONN later\n", None),
    ("a.jcl", "//A JOB 1\n//S EXEC UTIL\n//SYSIN DD *\n COMMAND LIST\n", None),
    ("a.jcl", "//A JOB 1\n// COMMAND '!MQ7A START CHINIT'\n//S EXEC PGM=X\n", "jcl"),
    ("a.jcl", "//A JOB 1\n// COMMAND '-DB2P START DATABASE(A)'\n//S EXEC PGM=X\n", None),
    ("a/LOGP", f"         CSQ6LOGP{'X':>55}\n               INBUFF=60\n         END\n", "zparm"),
    ("a/LOGP.txt", "The macro CSQ6LOGP X\n  has INBUFF=60\n", None),
    ("a/CSQINPX", "START LISTENER TRPTYPE(TCP) PORT(1414) INDISP(QMGR)\n", "mqsc"),
    ("a/start.txt", "Start listener port (1414) before the channels.\n", None),
    ("a.sh", "submit <<EOF\n//A JOB 1\n//S EXEC PGM=CSQJU004\nEOF\n", "shell"),
    ("a.sh", "submit <<EOF\n//A JOB 1\n//S EXEC PGM=IEBCOPY\nEOF\n", None),
    ("a/readme", "//cc: CSQ6LOGP is a macro of PGM=CSQUTIL\n", None),
    ("a/night.clle", CL, "cl"),
    ("a/night.cl", "ENDMQM MQMNAME(A)\n", "cl"),
    ("a/NIGHT.CLLE.txt", CL, "cl"),
    ("QCLSRC/NIGHT", "0001.00 " + CL, "cl"),
    ("QCLSRC/NIGHT.mbr", "/* night */\n START: " + CL, "cl"),
    ("a/old.clp", "PGM\nSAVLIB LIB(QMQMDATA)\nENDPGM\n", "cl"),
    ("a/files.clle", "SAV OBJ('/QIBM/UserData/mqm')\n", "cl"),
    ("a/receivers.clle", "DLTJRNRCV QMA/AMQA*\n", "cl"),
    ("a/kernel.cl", "__kernel void night(int a) { }\n", None),
    ("a/other.clle", "PGM\nSAVLIB LIB(ORDLIB)\nENDPGM\n", None),
    ("a/readme", "Programs end with ENDPGM, queue managers with ENDMQM.\n", None),
    ("a/numbers.txt", "1 2 3 4 5 6\n7 8 9 10 11 12\n", None),
]


NAMED = [
    # path, text, language
    ("a.md", "# Queues\n```\nDEFINE QLOCAL(A)\n```\n", "markdown"),
    ("a.adoc", "[source,sh]\n----\nstrmqm QMA\n----\n", "markdown"),
    ("README.md", "docker run -e MQ_QMGR_NAME=QMA example/mq\n", "markdown"),
    ("README.md", "# Nothing about it\n", None),
    ("a.txt", "DEFINE QLOCAL(A)\n", "mqsc"),
]


@pytest.mark.parametrize(("path", "text", "language"), NAMED)
def test_documents_are_read_when_somebody_names_them(
    path: str, text: str, language: str | None
) -> None:
    assert recognise(path, text, named=True) == language


@pytest.mark.parametrize(("path", "text", "language"), FILES)
def test_a_file_is_told_by_what_stands_in_it(path: str, text: str, language: str | None) -> None:
    assert recognise(path, text) == language


@given(st.text(max_size=20), st.text())
def test_any_name_and_text_gives_an_answer(path: str, text: str) -> None:
    assert recognise(path, text) in (None, "mqsc", "ini", "shell", "crontab")


@pytest.mark.growth
@pytest.mark.sample(7)
@pytest.mark.parametrize(
    "unit", ["a ", "DEFINE ", "alter qmgr a", "alter qmgr(a", "{{", "* * ", "1 2 "]
)
@pytest.mark.parametrize("path", ["a", "a.ini", "a.txt", "a.sh", "a.cmd", "a.clle", "a.yaml"])
def test_time_is_linear(unit: str, path: str) -> None:
    text = unit * (2_000_000 // len(unit))
    assert is_linear_in_time(lambda size: recognise(path, text[:size]), 500_000)


def _read(path: Path) -> str:
    return path.read_bytes()[:100_000].decode("utf-8", "replace")


@pytest.mark.slow
def test_the_projects_own_sources_are_not_taken_for_configuration() -> None:
    root = Path(__file__).parents[2]
    folders = ("mqlint", "tests", "policies", "grammar", "benchmarks", "docs")
    files = [path for folder in folders for path in (root / folder).rglob("*") if path.is_file()]
    plain = [path for path in files if path.suffix in (".py", ".md", ".yaml", ".lark", ".json")]
    plain = [path for path in plain if root / "tests/recall" not in path.parents]
    # The keys of a connector, which nothing but its configuration has otherwise.
    plain.remove(root / "mqlint/vocabulary/data/applications.yaml")
    plain.remove(root / "tests/engine/lookups.yaml")  # cases with files of CI
    plain.remove(root / "tests/engine/owners.yaml")
    plain.remove(root / "tests/engine/single_values.yaml")
    plain.remove(root / "tests/engine/stretches.yaml")
    plain.remove(root / "tests/engine/variables.yaml")
    assert plain
    found = {path: recognise(str(path), _read(path)) for path in plain}
    # Programs that make scripts have their commands.
    assert [path for path, language in found.items() if language not in (None, "python")] == []


def test_the_examples_are_recognised(estate: Path) -> None:
    missed = [
        path.name
        for path in estate.rglob("*")
        if path.is_file() and recognise(str(path), _read(path)) is None
    ]
    assert sorted(missed) == ["MISTAKES.md", "mqlint.yaml"]


@pytest.mark.slow
def test_texts_of_other_packages_are_not_taken_for_configuration() -> None:
    folder = Path("/usr/share/doc")
    if not folder.is_dir():
        pytest.skip("no /usr/share/doc here")
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    assert [path for path in files[:5000] if recognise(str(path), _read(path))] == []


def test_the_corpus_is_recognised(corpus: Path) -> None:
    found: dict[str | None, set[str]] = {}
    for path in corpus.rglob("*"):
        if path.is_file():
            found.setdefault(recognise(str(path), _read(path)), set()).add(path.suffix.lower())
    assert found["ini"] <= {".ini", ".j2", ".default"}
    assert found["mqsc"] <= {".mqsc", ".mqs", ".tpl", ".j2", ".txt"}
    assert found[None] <= {".json", ".yaml", ".yaml_template", ".tsv", ".ini"}
