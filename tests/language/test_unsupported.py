"""Files of MQ that are not read are told apart from those that are none of its business."""

from __future__ import annotations

from base64 import b64encode

import pytest

from mqlint.language.unsupported import ENCRYPTED, encrypted, unsupported

BINDINGS = "cf/ClassName=com.ibm.mq.jms.MQConnectionFactory\n"

OWN_KEYS = "a connection to MQ in an application's own keys: map them with clients"
RUNS = "a file that runs MQ commands, in a form that mqlint does not read"
HIDES = "a file with MQ commands in base64 or hexadecimal, which mqlint does not read"
ENCODED = b64encode(b"#!/bin/sh\nstrmqm QMA\n")

FILES = [
    # path, text (blank for what is not text), what it is
    ("app/AMQCLCHL.TAB", "", "a binary channel table"),
    ("C:\\mq\\prod_ccdt.tab", "", "a binary channel table"),
    ("app/AMQCLCHL.TAB", "a table of contents", None),
    ("etc/crontab.tab", "", None),
    ("jndi/.bindings", BINDINGS, "JNDI bindings of JMS"),
    ("jndi/prod.bindings", BINDINGS, "JNDI bindings of JMS"),
    ("jndi/.bindings", "ds/ClassName=org.example.Pool\n", None),
    (
        "jms/setup.bat",
        "echo define qcf(cf) qmgr(QMA) transport(client) channel(APP.ONE) > a\nJMSAdmin < a\n",
        "commands of JMSAdmin in a form that mqlint does not read",
    ),
    (
        "mon/targets.yml",
        "# mq\nqueueManagers:\n  - name: QMA\n    host: a.example\n    channelName: APP.SVRCONN\n",
        OWN_KEYS,
    ),
    ("mqlint.yaml", "clients:\n  - queue_manager: $.mq.qm\n    channel: $.mq.channel\n", None),
    ("k8s/shop/kustomization.yaml", "resources: [shop.yaml]\n", None),
    (
        "tools/make.py",
        'subprocess.run(["runmqsc", "QMA"], input=text)\n',
        "a program with MQ commands in a form that mqlint does not read",
    ),
    (
        "tools/make",
        "#!/usr/bin/env python3\nqmgr.command('DEFINE QLOCAL(PAY.IN)')\n",
        "a program with MQ commands in a form that mqlint does not read",
    ),
    (
        "src/test/Broker.kt",
        'container.execInContainer("runmqsc", "QMA")\n',
        "a program with MQ commands in a form that mqlint does not read",
    ),
    (
        "tools/brokers.kt",
        'val old = "activemqtt"\nshell("runmqsc", "QMA")  // was activemq\n',
        "a program with MQ commands in a form that mqlint does not read",
    ),
    ("tools/brokers.kt", 'val old = "activemq" + "mqtt" + "rabbitmqctl"\n', None),
    (
        "tools/pcf.py",
        "pcf.MQCMD_CREATE_Q(args)\n",
        "a program with MQ commands in a form that mqlint does not read",
    ),
    (
        "tools/make.exp",
        'spawn runmqsc QMA\nsend "ALTER QMGR DEADQ(DLQ)\\r"\n',
        "a program with MQ commands; mqlint does not read Expect",
    ),
    (
        "dumps/all.csv",
        "host|queue manager|command\nldsmq01|QMA|DEFINE QLOCAL('PAY.IN') MAXDEPTH(5000) REPLACE\n",
        "MQSC in the cells of a table: write it to a file of its own to check it",
    ),
    (
        "register/channels.csv",
        "Queue manager;Channel;CHLTYPE;Conn_Name\nQMA;QMA.QMB;SDR;mq1.leeds.example(1414)\n",
        "a table of MQ objects: write them as MQSC to a file of its own to check them",
    ),
    ("register/hosts.csv", "host,conname\nldsmq01,mq1.leeds.example\n", None),
    ("dumps/queues.csv", "queue manager,queue\nQMA,PAY.IN\n", None),
    ("src/exit.go", "os.Exit(30) // as strmqm does\n", None),
    ("src/put.go", "/*\n * DEF QL(PAY.IN) REPLACE\n */\n", None),
    ("src/report.py", "# sums up the output of runmqsc\n", None),
    ("src/sample.c", "/*  a parameter of DEFINE CHANNEL (MQSC)  */\n", None),
    ("src/commands.go", "\tMQCMD_CREATE_Q   int32  = 11\n", None),
    ("src/Commands.java", "int MQCMD_CREATE_Q = 11;\n", None),
    ("src/commands.js", ",       MQCMD_CREATE_Q                 :11\n", None),
    (
        "src/META-INF/native-image/reflect-config.json",
        '[{"name": "com.ibm.mq.jms.MQConnectionFactory", "methods": []}]\n',
        None,
    ),
    (
        "crds/alerts.yaml",
        "about: PromQL is evaluated\nname: of alertmanager-name>' else\nchannel:\n  type: object\n",
        None,
    ),
    ("src/commands.h", "#define MQCMD_CREATE_Q    11\n", None),
    (
        "src/create.go",
        "if cfh.Command == ibmmq.MQCMD_CREATE_Q {\n",
        "a program with MQ commands in a form that mqlint does not read",
    ),
    (
        "src/start.rb",
        "# starts it\nsystem('strmqm QMA') # strmqm\n",
        "a program with MQ commands; mqlint does not read Ruby",
    ),
    ("src/text.c", '#define TEXT "DEFINE QLOCAL(PAY.IN)"\n', RUNS),
    ("agent.spec", "%files\n%{_libdir}/mq/bin/crtmqdir\n%{_libdir}/mq/bin/strmqm\n", None),
    ("agent.spec", "%post\n%{_libdir}/mq/bin/strmqm QMA\n", RUNS),
    ("tools/other.py", "print('define your queue')\n", None),
    ("tools/other", "#!/usr/bin/env python3\nprint()\n", None),
    ("k8s/qma.yaml", "kind: QueueManager\n", None),
    (
        "spring/beans.xml",
        '<bean id="cf" class="com.ibm.mq.jakarta.jms.MQQueueConnectionFactory"/>\n',
        "JMS objects of MQ in a form that mqlint does not read",
    ),
    (
        "was/jms.py",
        "AdminTask.createWMQConnectionFactory(scope, options)\n",
        "JMS objects of MQ in a form that mqlint does not read",
    ),
    (
        "was/queue.py",
        "AdminTask.createWMQQueue(scope, options)\n",
        "JMS objects of MQ in a form that mqlint does not read",
    ),
    ("pom.xml", "<artifactId>com.ibm.mq.allclient</artifactId>\n", None),
    (
        "aws/task.yaml",
        "Environment:\n  - Name: MQ_QMGR_NAME\n    Value: QMA\n",
        "a container of MQ in a form that mqlint does not read",
    ),
    (
        "k8s/qma.yaml",
        "piVersion: mq.ibm.com/v1beta1\nkind: QueueManager\nmetadata: {name: qma}\n",
        "a QueueManager without apiVersion: mq.ibm.com/v1beta1",
    ),
    ("k8s/kustomization.yaml", "patches:\n- target:\n    kind: QueueManager\n", None),
    ("ci/check.yaml", "run: echo ${MQ_QMGR_NAME}\n", None),
    (
        "src/application.yml",
        "shop:\n  mq:\n    queue-manager: QMA\n    channel: SHOP.SVRCONN\n",
        OWN_KEYS,
    ),
    (
        "till/appconfig.json",
        '{"Mq": {"Host": "mqa.example", "ManagerName": "QMA", "Channel": "TILL.IN"}}\n',
        OWN_KEYS,
    ),
    ("till/till.properties", "mq.channel=TILL.IN\nmq.qmgr=QMA\n", OWN_KEYS),
    ("till/Config.toml", 'channel = "TILL.SVRCONN"\nhost = "mqa.example"\n', OWN_KEYS),
    ("till/sender.ini", "[mq]\nqueue_manager =QMA\nchannel =TILL.IN\n", OWN_KEYS),
    (
        "till/adapter.xml",
        "<jms><queue-manager>QMA</queue-manager>\n<channel>TILL.SVRCONN</channel></jms>\n",
        OWN_KEYS,
    ),
    (
        "till/plugin.xml",
        '<mq><property name="queueManager">\n</property>'
        '<property name="channel">\n</property></mq>\n',
        None,
    ),
    ("till/old.yml", "mq:\n  # queueManager: QMA\n  # channel: TILL.SVRCONN\n", None),
    ("till/queues.properties", "; channel=TILL.SVRCONN\nmq.queue=TILL.IN\n", None),
    ("grafana/mq.json", '{"expr": "ibmmq_x{qmgr=\\"$qmgr\\",channel=\\"A.SVRCONN\\"}"}\n', None),
    ("grafana/table.json", '{"mq": {\n"qmgr": 1,\n"channel": 2\n}}\n', None),
    ("src/rabbit.yml", "mq:\n  channel: orders\n", None),
    ("src/kueue.yml", "queueManager: a\nchannel: b\n", None),
    (
        "etc/dead.rul",
        "INPUTQ(DLQ) INPUTQM(QMA) WAIT(YES)\n* again\nREASON(2053) ACTION(RETRY) RETRY(5)\n",
        "rules of the dead-letter queue handler inside another text",
    ),
    ("package.json", '{"scripts": {"start": "strmqm QMA"}}', RUNS),
    ("Rakefile", "sh %q(echo 'PING QMGR' | runmqsc QMA)\n", RUNS),
    ("tests/call.feature", "When ALTER QMGR CHLAUTH(DISABLED)\n", RUNS),
    ("aws/stack.yaml", f"x: {'y' * 300}\nrun: |\n  echo 'PING QMGR' | runmqsc QMA\n", RUNS),
    ("main.tf.json", f'{{"user_data": "{ENCODED.decode()}"}}', HIDES),
    ("boot.conf", f"run {b'strmqm QMA # the first'.hex()}\n", HIDES),
    ("ops/hooks.yaml", "hooks: [{command: [strmqm, -x, QMA]}]\n", RUNS),
    ("ops/hooks.yaml", "exec: [sh, -c, strmqm QMA]\n", RUNS),
    ("ops/hooks.yaml", "exec: [kubectl, exec, a, --, runmqsc, QMA]\n", RUNS),
    ("ops/tags.yaml", "tags: [strmqm, endmqm]\nmore: [QMA, strmqm]\nsee: (strmqm, QMA)\n", None),
    ("ops/tags.yaml", "keywords: [strmqm, MQ, endmqm]\n", None),
    ("vars/prod.yaml", "mqsc: ENC[AES256_GCM,data:YQ==]\nsops:\n  version: 3.8.1\n", ENCRYPTED),
    ("vars/prod.yaml", "jasypt: ENC[a]\n", None),
    (
        "mqlint-baseline.json",
        '{"version": 2, "findings": [\n{"rule": "CTL013", "object": "command strmqm 3"}\n]}\n',
        None,
    ),
    ("docs/run.html", "strmqm QMA\n", None),
    ("certificate.pem", f"{b64encode(bytes(range(256))).decode()}\n", None),
    ("etc/other.rul", "* REASON(2053) ACTION(RETRY)\nACTION(START)\n", None),
    ("web/server.xml", '<server><security-role name="Admin"/></server>\n', None),
    (
        "mft/monitor.sh",
        "fteDeleteMonitor -ma TILL -mn NIGHTLY\n",
        "commands of Managed File Transfer that mqlint does not read",
    ),
]


@pytest.mark.parametrize(("path", "text", "says"), FILES)
def test_what_is_not_read_is_named(path: str, text: str, says: str | None) -> None:
    assert unsupported(path, text) == says


_VAULT = "$ANSIBLE_VAULT;1.1;AES256\n3461\n62ff\n"
_AGE = "-----BEGIN AGE ENCRYPTED FILE-----\nYWJj\nYQ==\n-----END AGE ENCRYPTED FILE-----\n"
_PGP = "-----BEGIN PGP MESSAGE-----\nVersion: 1\n\nYWJj\n=ab12\n-----END PGP MESSAGE-----\n"


@pytest.mark.parametrize("text", [_VAULT, _VAULT.replace("\n", "\r\n"), _AGE, _PGP])
def test_an_encrypted_file_is_named(text: str) -> None:
    assert encrypted(text) == ENCRYPTED
    # more than that is read as what it is
    assert encrypted(f"{text}strmqm QMA\n") is None
    assert encrypted(f"strmqm QMA\n{text}") is None
    assert encrypted(text.replace("3461", "34 strmqm").replace("YWJj", "strmqm QMA")) is None
    assert encrypted(text.replace("3461", "strmqm").replace("YWJj", "strmqm")) is None
