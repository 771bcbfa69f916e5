"""How applications connect, read from each format."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from mqlint.config.settings import Client, Forms
from mqlint.engine.document.analyse import Analyser
from mqlint.language.declaration import CONNECTION, USE, Declared
from mqlint.language.registry import recognise
from mqlint.vocabulary import Target
from mqlint.vocabulary.unknown import UNKNOWN
from tests.shipped import shipped_vocabulary

ANALYSER = Analyser(shipped_vocabulary())
TARGET: dict[str, object] = {"QMNAME": "QMA", "channel": "APP.ONE", "CONNAME": "a.example(1414)"}
Values = Mapping[str, object]

CASES: dict[str, tuple[str, str, list[Values]]] = {
    "properties, in each spelling of Spring": (
        "application.properties",
        "ibm.mq.queue-manager=QMA\nibm.mq.channel : APP.ONE\nibm.mq.CONN_NAME=a.example(1414)\n"
        "ibm.mq.sslCipherSuite=*TLS12\nibm.mq.user=app\nibm.mq.password=harbour\n"
        "spring.application.name=tills\nibm.mq.reconnect=QMGR\nibm.mq.jks.keyStore=k.jks\n",
        [
            TARGET
            | {"SSLCIPH": "*TLS12", "user": "app", "password": "given", "application": "tills"}
            | {"DEFRECON": "QMGR", "key.store": "k.jks"}
        ],
    ),
    "placeholders, and no password": (
        "application.properties",
        "ibm.mq.queueManager=${QM:QMA}\nibm.mq.channel=APP.ONE\nibm.mq.password=\n",
        [{"QMNAME": UNKNOWN, "channel": "APP.ONE", "password": "none"}],
    ),
    "a document for a profile is read on top of the general ones": (
        "application.properties",
        "ibm.mq.queueManager=QMA\nibm.mq.channel=APP.ONE\n#---\n"
        "spring.config.activate.on-profile=live\nibm.mq.channel=APP.TWO\n",
        [
            {"QMNAME": "QMA", "channel": "APP.ONE"},
            {"QMNAME": "QMA", "channel": "APP.TWO"},
        ],
    ),
    "YAML with documents": (
        "application.yml",
        "spring:\n  application:\n    name: tills\nibm:\n  mq:\n    queueManager: QMA\n"
        "    conn-name: a.example(1414)\n    channel: APP.ONE\n---\nspring:\n  config:\n"
        "    activate:\n      on-profile: live\nibm:\n  mq:\n    ssl-cipher-spec: ANY_TLS12\n",
        [TARGET | {"application": "tills"}, TARGET | {"SSLCIPH": "ANY_TLS12"}],
    ),
    "YAML with a dotted key": (
        "application.yml",
        "ibm.mq:\n  queueManager: QMA\n  channel: ${CHANNEL}\n",
        [{"QMNAME": "QMA", "channel": UNKNOWN}],
    ),
    "other trees below the prefix": (
        "application.properties",
        "ibm.mq.in.queueManager=QMA\nibm.mq.pool.enabled=true\n",
        [],
    ),
    "Compose, as a mapping and as a list": (
        "compose.yml",
        "services:\n  a:\n    environment:\n      IBM_MQ_QUEUEMANAGER: QMA\n"
        "      IBM_MQ_CHANNEL: APP.ONE\n      IBM_MQ_CONN_NAME: a.example(1414)\n"
        "  b:\n    environment:\n      - MQSERVER=APP.TWO/TCP/b.example(1415)\n",
        [TARGET, {"channel": "APP.TWO", "CONNAME": "b.example(1415)", "source": "MQSERVER"}],
    ),
    "a workload, and a ConfigMap with variables": (
        "deploy.yaml",
        "kind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n        - name: a\n"
        "          env:\n            - {name: IBM_MQ_QUEUE_MANAGER, value: QMA}\n"
        "            - {name: IBM_MQ_CHANNEL, valueFrom: {secretKeyRef: {name: a, key: b}}}\n"
        "---\nkind: ConfigMap\ndata:\n  IBM_MQ_CONNNAME: a.example(1414)\n",
        [{"QMNAME": "QMA", "channel": UNKNOWN}, {"CONNAME": "a.example(1414)"}],
    ),
    "a ConfigMap with a file": (
        "config.yaml",
        "kind: ConfigMap\ndata:\n  application.yml: |\n    ibm:\n      mq:\n"
        "        queueManager: QMA\n        channel: APP.ONE\n        connName: a.example(1414)\n",
        [TARGET],
    ),
    "a Dockerfile": (
        "Dockerfile",
        "FROM base\nENV IBM_MQ_QUEUEMANAGER=QMA IBM_MQ_CHANNEL=APP.ONE\n"
        'ENV IBM_MQ_CONNNAME "a.example(1414)"\n',
        [TARGET],
    ),
    "a shell, with quotation marks, a comment and a variable": (
        "run.sh",
        "# MQSERVER=OLD.ONE/TCP/h\nexport MQSERVER=APP.ONE/TCP/'a.example(1414)'\n"
        "export MQSERVER=$OTHER\nMQSERVER=A/LU62/BOX\n",
        [
            {"channel": "APP.ONE", "CONNAME": "a.example(1414)", "source": "MQSERVER"},
            {"parameters": "A/LU62/BOX"},
        ],
    ),
    "a batch file": (
        "run.cmd",
        "@echo off\r\nset MQSERVER=APP.ONE/TCP/a.example(1414)\r\nrem set MQSERVER=B/TCP/h\r\n"
        "runmqsc -c\r\n",
        [{"channel": "APP.ONE", "CONNAME": "a.example(1414)"}],
    ),
    "mqclient.ini": (
        "mqclient.ini",
        "CHANNELS:\n   ServerConnectionParms=APP.ONE/TCP/a.example(1414)\n",
        [{"channel": "APP.ONE", "CONNAME": "a.example(1414)", "source": "mqclient.ini"}],
    ),
    "a channel table": (
        "ccdt.json",
        '{"channel": [{"name": "APP.ONE", "type": "clientConnection", "clientConnection": '
        '{"connection": [{"host": "a.example", "port": 1414}], "queueManager": "QMA"}}]}',
        [TARGET | {"SSLCIPH": "", "source": "ccdt"}],
    ),
    "a source connector": (
        "mq-source.properties",
        "name=orders\nconnector.class=com.ibm.eventstreams.connect.mqsource.MQSourceConnector\n"
        "mq.queue.manager=QMA\nmq.channel.name=APP.ONE\n"
        "mq.connection.name.list=a.example(1414)\nmq.queue=ORDERS.IN\nmq.user.name=app\n"
        "mq.password=${file:/etc/mq.properties:password}\nmq.ssl.cipher.suite=*TLS12\n",
        [
            TARGET
            | {"application": "orders", "user": "app", "password": UNKNOWN, "SSLCIPH": "*TLS12"},
            {"name": "ORDERS.IN", "action": "get", "QMNAME": "QMA"},
        ],
    ),
    "a body for the REST interface": (
        "sink.json",
        '{"name": "orders", "config": {"connector.class": '
        '"com.ibm.eventstreams.connect.mqsink.MQSinkConnector", "mq.queue.manager": "QMA", '
        '"mq.channel.name": "APP.ONE", "mq.connection.name.list": "a.example(1414)", '
        '"mq.queue": "ORDERS.OUT"}}',
        [TARGET | {"application": "orders"}, {"name": "ORDERS.OUT", "action": "put"}],
    ),
    "Liberty": (
        "server.xml",
        '<server>\n  <!-- <properties.wmqJms channel="OLD.ONE"/> -->\n'
        '  <jmsQueueConnectionFactory jndiName="jms/cf">\n    <properties.wmqJms '
        'transportType="CLIENT" hostName="a.example" port="1414"\n      channel="APP.ONE" '
        'queueManager="QMA" userName="app" password="{xor}abc" sslCipherSuite="*TLS12"/>\n'
        "  </jmsQueueConnectionFactory>\n"
        '  <jmsQueue id="orders" jndiName="jms/orders">\n'
        '    <properties.wmqJms baseQueueName="ORDERS.IN"/>\n  </jmsQueue>\n'
        '  <jmsActivationSpec id="app/bean">\n    <properties.wmqJms destinationRef="jms/orders" '
        'queueManager="${qm}" channel="APP.TWO" connectionNameList="b.example(1415)"/>\n'
        "  </jmsActivationSpec>\n</server>\n",
        [
            TARGET | {"user": "app", "password": "given", "SSLCIPH": "*TLS12"},
            {"QMNAME": UNKNOWN, "channel": "APP.TWO", "CONNAME": "b.example(1415)"},
            {"name": "ORDERS.IN", "action": "get"},
        ],
    ),
    "a policy of ACE, and one that connects to a local queue manager": (
        "mq.policyxml",
        '<policies>\n  <policy policyType="MQEndpoint" policyName="MQ">\n'
        "    <connection>CLIENT</connection>\n"
        "    <destinationQueueManagerName>QMA</destinationQueueManagerName>\n"
        "    <queueManagerHostname>a.example</queueManagerHostname>\n"
        "    <listenerPortNumber>1414</listenerPortNumber>\n"
        "    <channelName>APP.ONE</channelName>\n    <useSSL>false</useSSL>\n"
        "    <SSLCipherSpec>ANY_TLS12</SSLCipherSpec>\n  </policy>\n"
        '  <policy policyType="MQEndpoint">\n    <connection>SERVER</connection>\n'
        "    <destinationQueueManagerName>QMB</destinationQueueManagerName>\n  </policy>\n"
        "</policies>\n",
        [TARGET | {"SSLCIPH": ""}],
    ),
    "Liberty with a resource adapter of its own": (
        "server.xml",
        '<server>\n  <resourceAdapter id="bank" location="${lib}/wmq.jakarta.jmsra.rar"/>\n'
        '  <resourceAdapter id="other" location="${lib}/other.jmsra.rar"/>\n'
        '  <jmsConnectionFactory>\n    <properties.bank channel="APP.ONE" hostName="a.example"\n'
        '      port="1414" queueManager="QMA" transportType="CLIENT"></properties.bank>\n'
        '  </jmsConnectionFactory>\n  <properties.other channel="APP.TWO"/>\n</server>\n',
        [TARGET],
    ),
    "connection pools of Payara, one of another adapter": (
        "domain.xml",
        '<domain><resources>\n<connector-connection-pool name="a" max-pool-size="8"\n'
        ' resource-adapter-name="wmq.jakarta.jmsra">\n'
        '<property name="hostName" value="a.example"></property>\n'
        '<property name="port" value="1414"/><property name="queueManager" value="QMA"/>\n'
        '<property name="channel" value="APP.ONE"/><property name="transportType" value="CLIENT"/>'
        "\n</connector-connection-pool>\n"
        '<connector-connection-pool name="b" resource-adapter-name="other">'
        '<property name="hostName" value="b"/><property name="channel" value="B"/>'
        "</connector-connection-pool>"
        '<admin-object-resource res-adapter="wmq.jakarta.jmsra" res-type="jakarta.jms.Queue">'
        '<property name="baseQueueName" value="ORDERS.IN"/></admin-object-resource>'
        "</resources></domain>\n",
        [TARGET, {"name": "ORDERS.IN", "action": "open"}],
    ),
    "Tomcat, with a queue and a topic beside the factory": (
        "context.xml",
        '<Context>\n<Resource name="jms/cf" type="com.ibm.mq.jms.MQConnectionFactory" TRAN="1"\n'
        ' HOST="a.example" PORT="1414" CHAN="APP.ONE" QMGR="QMA"/>\n'
        '<Resource name="jms/in" type="com.ibm.mq.jms.MQQueue" QU="ORDERS.IN"/>\n'
        '<Resource name="jms/news" type="com.ibm.mq.jms.MQTopic" TOP="orders/news"/>\n'
        '<Resource name="jms/x" type="com.example.Queue" QU="OTHER.IN"/>\n</Context>\n',
        [TARGET, {"name": "ORDERS.IN", "action": "open"}],
    ),
    "Tomcat with a pool of another class": (
        "context.xml",
        '<Context>\n<Resource name="jms/cf" type="org.example.Pool" factory="com.example.Pools"\n'
        ' HOST="a.example" PORT="1414" CHAN="APP.ONE" TRAN="1" QMGR="QMA"/>\n</Context>\n',
        [TARGET],
    ),
    "Liberty with users in authData, one for another factory": (
        "server.xml",
        '<server>\n<authData id="mq" user="app" password="{xor}AbC"/>\n'
        '<authData id="other" user="x" password="{xor}AbC"/>\n'
        '<jmsConnectionFactory containerAuthDataRef="mq"><connectionManager maxPoolSize="6"/>\n'
        '<properties.wmqJms channel="APP.ONE" hostName="a.example" port="1414" '
        'queueManager="QMA"/></jmsConnectionFactory>\n'
        '<jmsActivationSpec id="a/b" authDataRef="gone"><properties.wmqJms channel="APP.TWO"/>\n'
        "</jmsActivationSpec></server>\n",
        [TARGET | {"user": "app", "password": "given"}, {"channel": "APP.TWO", "user": None}],
    ),
    "Liberty with users inside, and a factory of no user after one that is empty": (
        "server.xml",
        '<server>\n<authData id="mq" user="other" password="{xor}AbC"/>\n'
        '<jmsActivationSpec id="a/b"><properties.wmqJms channel="APP.ONE" hostName="a.example"'
        ' port="1414" queueManager="QMA"/>\n<authData user="app" password="{xor}AbC"/>'
        "</jmsActivationSpec>\n"
        '<jmsConnectionFactory id="x" containerAuthDataRef="mq"/>\n'
        '<connectionFactory id="y"><properties.wmqJms channel="APP.TWO"/></connectionFactory>\n'
        '<jmsConnectionFactory id="z"><containerAuthData user="abc" password="{xor}AbC"/>'
        '<properties.wmqJms channel="APP.SIX"/></jmsConnectionFactory></server>\n',
        [
            TARGET | {"user": "app", "password": "given"},
            {"channel": "APP.TWO", "user": None},
            {"channel": "APP.SIX", "user": "abc"},
        ],
    ),
    "WildFly, with queues, one of another queue manager": (
        "standalone.xml",
        "<resource-adapter><connection-definitions><connection-definition\n"
        ' class-name="com.ibm.mq.connector.outbound.ManagedConnectionFactoryImpl">\n'
        '<config-property name="hostName">a.example</config-property>\n'
        '<config-property name="port">1414</config-property>\n'
        '<config-property name="channel">APP.ONE</config-property>\n'
        '<config-property name="queueManager">QMA</config-property>\n'
        '<config-property name="transportType">CLIENT</config-property>\n'
        "</connection-definition></connection-definitions><admin-objects>\n"
        '<admin-object class-name="com.ibm.mq.connector.outbound.MQQueueProxy">\n'
        '<config-property name="baseQueueName">ORDERS.IN</config-property>\n'
        '<config-property name="baseQueueManagerName">QMA</config-property></admin-object>\n'
        '<admin-object class-name="com.ibm.mq.connector.outbound.MQQueueProxy">\n'
        '<config-property name="baseQueueName">BILLS.IN</config-property>\n'
        '<config-property name="baseQueueManagerName">QMB</config-property></admin-object>\n'
        "</admin-objects></resource-adapter>\n",
        [TARGET, {"name": "ORDERS.IN", "action": "open"}],
    ),
    "samples of IBM with a list of queues, a queue for replies, a channel table": (
        "env.json",
        '{"MQ_ENDPOINTS": [{"QM_HOST": "a.example", "QM_PORT": 1414, "CHANNEL": "APP.ONE",\n'
        '"QMGR": "QMA", "MQCCDTURL": "file:///ccdt.json",\n'
        '"QUEUES": ["ORDERS.IN"], "REPLY_QUEUE_NAME": "ORDERS.REPLY"}]}\n',
        [
            TARGET | {"ccdt": "file:///ccdt.json"},
            {"name": "ORDERS.REPLY", "action": "get"},
            {"name": "ORDERS.IN", "action": "open"},
        ],
    ),
    "a policy of IIB": (
        "Consumer.xml",
        '<?xml version="1.0"?><policy type="MQEndpoint"><policyProperties>'
        "<mqConnectionDetailsPolicy><connection>CLIENT</connection>"
        "<destinationQueueManagerName>QMA</destinationQueueManagerName>"
        "<queueManagerHostname>a.example</queueManagerHostname>"
        "<listenerPortNumber>1414</listenerPortNumber><channelName>APP.ONE</channelName>"
        "</mqConnectionDetailsPolicy></policyProperties></policy>\n",
        [TARGET],
    ),
    "a script that names a channel table": (
        "run.sh",
        "export MQCHLLIB='/opt/pay'\nexport MQCHLTAB=$TABLE\n/opt/mqm/samp/bin/amqsghac PAY QMA\n",
        [{"ccdt": UNKNOWN, "source": "environment"}],
    ),
    "a script that gives commands to JMSAdmin": (
        "jndi.sh",
        "#!/bin/sh\nPORT=1414\nJMSAdmin -v -cfg $CFG <<EOF\n"
        "DEFINE QCF(APP) TRANSPORT(CLIENT) QMANAGER(QMA) CHANNEL(APP.ONE) +\n"
        "  HOSTNAME(a.example) PORT(${PORT})\nDEFINE CF(OTHER) TRANSPORT(CLIENT) HOSTNAME($HOST)\n"
        "END\nEOF\n",
        [TARGET | {"source": "jmsadmin"}, {"channel": "SYSTEM.DEF.SVRCONN", "CONNAME": UNKNOWN}],
    ),
    "a script with a channel table at an address, and one that has none": (
        "run.sh",
        "export MQCCDTURL=file:///opt/pay/ccdt.json MQCHLLIB=/opt/old\nMQCHLTAB=\n",
        [{"ccdt": "file:///opt/pay/ccdt.json"}],
    ),
    "a script with MQSERVER and a channel table in three variables": (
        "run.sh",
        "export MQCHLLIB=/opt/pay\nexport MQCHLTAB=old.tab\n"
        "export MQCCDTURL=file:///opt/pay/ccdt.json\n"
        "export MQSERVER='APP.ONE/TCP/a.example(1414)'\n",
        [
            {"channel": "APP.ONE", "ccdt.ignored": "file:///opt/pay/ccdt.json"},
            {"ccdt": "file:///opt/pay/ccdt.json"},
        ],
    ),
    "mqclient.ini, with other stanzas": (
        "mqclient.ini",
        "SSL:\n   SSLKeyRepository=/var/k\nCHANNELS:\n   DefRecon=QMGR\n"
        "   ServerConnectionParms=APP.ONE/TCP/a.example(1414)\n",
        [{"channel": "APP.ONE", "DEFRECON": "QMGR"}],
    ),
    "values of a chart, as a mapping and as a list": (
        "values.yaml",
        "app:\n  env:\n    IBM_MQ_QUEUEMANAGER: QMA\n    IBM_MQ_CHANNEL: APP.ONE\n"
        "    IBM_MQ_CONN_NAME: a.example(1414)\n  extraEnv:\n"
        "    - name: IBMMQ_CONNECTION_QUEUEMANAGER\n      value: QMB\n",
        [TARGET, {"QMNAME": "QMB", "source": "exporter"}],
    ),
    "an exporter": (
        "mq_prometheus.yaml",
        "global:\n  logLevel: INFO\nconnection:\n  # a client\n\n  queueManager: QMA\n  ccdtUrl:\n"
        "  connName: a.example(1414)\n  channel: APP.ONE\n  user: app\n  password: harbour\n"
        "  replyQueue: METRICS.REPLY\nobjects:\n  queues:\n",
        [
            TARGET | {"user": "app", "password": "given", "source": "exporter", "SSLCIPH": ""},
            {"name": "METRICS.REPLY", "action": "open"},
        ],
    ),
    "an exporter in an entry of a ConfigMap without an ending": (
        "map.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: metrics}\ndata:\n  file: |\n"
        "    connection:\n      queueManager: QMA\n      connName: a.example(1414)\n"
        "      channel: APP.ONE\n",
        [TARGET | {"source": "exporter"}],
    ),
    "an exporter with a channel table": (
        "mq_prometheus.yaml",
        "connection:\n  queueManager: QMA\n  ccdtUrl: file:///ccdt.json\n  channel: APP.ONE\n",
        [{"QMNAME": "QMA", "ccdt": "file:///ccdt.json", "SSLCIPH": None}],
    ),
    "settings of .NET with keys of their own": (
        "src/appsettings.Production.json",
        '{"Logging": {"Level": "Info"}, "WebSphereMQ": {"QueueManagerName": "QMA", "HostName": '
        '"a.example", "Port": 1414, "MQ_Channel": "APP.ONE", "Password": "harbour", '
        '"QueueName": "IN"}, "Rabbit": {"Channel": "A"}}',
        [TARGET | {"password": "given", "source": "keys"}, {"name": "IN", "action": "open"}],
    ),
    "appSettings of .NET": (
        "Web.config",
        '<configuration><appSettings>\n<add key="MQQueueManager" value="QMA"/>\n'
        '<add key="MQHost" value="a.example"/><add key="MQChannel" value="APP.ONE"/>\n'
        '<add key="Colour" value="red"/></appSettings></configuration>',
        [TARGET | {"source": "dotnet"}],
    ),
    "the check of Datadog": (
        "ibm_mq.d/conf.yaml",
        "init_config:\ninstances:\n  - channel: APP.ONE\n    queue_manager: QMA\n"
        "    host: a.example\n    port: 1414\n    queues:\n      - IN\n",
        [TARGET, {"name": "IN", "action": "open"}],
    ),
    "an exporter beside its queue manager": (
        "mq_prometheus.yaml",
        "connection:\n  queueManager: QMA\n  connName:\n  channel:\n  clientConnection: false\n",
        [],
    ),
    "a client in a container with the variable for the name of a queue manager": (
        "job.yaml",
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: load}\n"
        "spec:\n  template:\n    spec:\n"
        "      containers:\n      - image: registry.example/load:1\n        name: load\n"
        "        env:\n"
        "        - {name: LICENSE, value: accept}\n        - {name: MQ_QMGR_NAME, value: QMA}\n"
        "        - {name: MQ_QMGR_HOSTNAME, value: a.example}\n"
        "        - {name: MQ_QMGR_PORT, value: '1414'}\n"
        "        - {name: MQ_QMGR_CHANNEL, value: APP.ONE}\n",
        [TARGET],
    ),
    "names of variables with points": (
        "pod.yaml",
        "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: bridge\n    env:\n"
        "    - {name: websphereMQ.queueManager, value: QMA}\n"
        "    - {name: websphereMQ.channel, value: APP.ONE}\n"
        "    - {name: websphereMQ.hostName, value: a.example}\n"
        "    - {name: websphereMQ.port, value: '1414'}\n",
        [TARGET],
    ),
    "a file of variables with another word for the queue manager": (
        ".env",
        "MQ_QMANAGER=QMA\nMQ_HOST=a.example\nMQ_PORT=1414\nMQ_CHANNEL=APP.ONE\n",
        [TARGET],
    ),
    "a file of variables of IBM's samples": (
        ".env",
        "QMGR=QMA\nCHANNEL=APP.ONE\nHOST=a.example\nPORT=1414\nQUEUE_NAME=ORDERS.IN\n",
        [TARGET, {"name": "ORDERS.IN", "action": "open"}],
    ),
    "variables of an exporter": (
        "run.sh",
        "podman run -e IBMMQ_CONNECTION_QUEUEMANAGER=QMA -e IBMMQ_CONNECTION_CHANNEL='APP.ONE' \\\n"
        "  -e IBMMQ_CONNECTION_CONNNAME=a.example(1414) exporter\n",
        [{"QMNAME": "QMA", "channel": "APP.ONE"}],
    ),
    "objects of JMSAdmin: short and long names, a local factory, a default, destinations": (
        "objects.scp",
        "* factories\nDEF CTX(app)\n"
        "def qcf(one) qmgr(QMA) tran(CLIENT) chan(APP.ONE) host(a.example) port(1414) +\n"
        "   scphs(*TLS12) cropt(QMGR)\n"
        "DEFINE XACF(local) QMANAGER(QMA)\n# DEF CF(old) TRAN(CLIENT)\n"
        "InitCtx> DEF CF(two) TRANSPORT(CLIENT) CNLIST(a.example(1414),b.example(1415)) QMGR(QMA)\n"
        "DEF Q(in) QUEUE(ORDERS.IN) QMGR(QMB)\nDEF Q(out) QU(ORDERS.OUT)\nEND\n",
        [
            TARGET | {"SSLCIPH": "*TLS12", "DEFRECON": "QMGR"},
            {"channel": "SYSTEM.DEF.SVRCONN", "CONNAME": "a.example(1414),b.example(1415)"},
            {"name": "ORDERS.IN", "action": "open", "QMNAME": "QMB"},
            {"name": "ORDERS.OUT", "action": "open", "QMNAME": "QMA"},
        ],
    ),
    "an agent of Managed File Transfer, and its queues": (
        "agent.properties",
        "agentName=loader\nagentQMgr=QMA\nagentQMgrHost=a.example\nagentQMgrChannel=APP.ONE\n"
        "agentSslCipherSpec=ANY_TLS12\nagentSslCipherSuite=*TLS12\n",
        [
            TARGET | {"SSLCIPH": "ANY_TLS12", "application": "loader"},
            {"name": "SYSTEM.FTE.COMMAND.LOADER", "action": "get", "QMNAME": "QMA"},
            *[
                {"name": f"SYSTEM.FTE.{kind}.LOADER"}
                for kind in ("DATA", "EVENT", "REPLY", "STATE")
            ],
        ],
    ),
    "a coordination queue manager on the same host, and one for commands": (
        "command.properties",
        "coordinationQMgr=QMA\nconnectionQMgr=QMA\nconnectionQMgrHost=a.example\n"
        "connectionQMgrPort=1415\n",
        [{"QMNAME": "QMA", "channel": "SYSTEM.DEF.SVRCONN", "CONNAME": "a.example(1415)"}],
    ),
    "commands of Managed File Transfer": (
        "setup.sh",
        "fteCreateAgent -agentName loader -agentQMgr QMA \\\n  -agentQMgrHost a.example \\\n"
        "  -agentQMgrChannel APP.ONE -f\n# fteSetupCommands -connectionQMgr OLD\n"
        "fteSetupCommands -connectionQMgr $QM -connectionQMgrHost b.example; echo -agentQMgr X\n",
        [TARGET | {"application": "loader"}, {"QMNAME": UNKNOWN, "CONNAME": "b.example(1414)"}],
    ),
    "an agent of Managed File Transfer in a container": (
        "agentcfg.json",
        '{"coordinationQMgr": {"name": "QMA", "host": "a.example", "port": 1414, "channel": '
        '"APP.ONE", "qmgrCredentials": {\n"mqUserId": "app",\n"mqPassword": "c2VjcmV0"\n}}, '
        '"agents": [{"name": "LOADER", "qmgrName": "QMB", "qmgrHost": "b.example"}]}',
        [
            TARGET | {"user": UNKNOWN, "password": "given"},
            {"QMNAME": "QMB", "CONNAME": "b.example(1414)", "application": "LOADER"},
        ],
    ),
    "routes of MQ Internet Pass-Thru": (
        "mqipt.conf",
        "[global]\nClientAccess=true\n[route]\nName=orders\nListenerPort=1415\n"
        "Destination=a.example\nDestinationPort=1414\n[route]\nActive=false\n"
        "Destination=b.example\nDestinationPort=1414\n[route]\nHTTP=true\nDestination=c.example\nDestinationPort=80\n",
        [{"CONNAME": "a.example(1414)", "application": "orders", "source": "mqipt"}],
    ),
    ".NET": (
        "App.exe.config",
        '<configuration>\n<CHANNELS>\n<add key="ServerConnectionParms" '
        'value="APP.ONE/TCP/a.example(1414)"/>\n</CHANNELS>\n<IBM.WMQ><dnetxa>'
        '<add key="ConnectionName" value="a.example(1414)"/>'
        '<add key="ChannelName" value="APP.ONE"/>'
        '<add key="QueueManagerName" value="QMA"/></dnetxa></IBM.WMQ>\n</configuration>\n',
        [{"channel": "APP.ONE", "CONNAME": "a.example(1414)", "source": "dotnet"}, TARGET],
    ),
    "a resource of Strimzi": (
        "connector.yaml",
        "apiVersion: kafka.strimzi.io/v1beta2\nkind: KafkaConnector\nmetadata:\n  name: orders\n"
        "spec:\n  class: com.ibm.eventstreams.connect.mqsource.MQSourceConnector\n  config:\n"
        "    mq.queue.manager: QMA\n    mq.channel.name: APP.ONE\n"
        "    mq.connection.name.list: a.example(1414)\n    mq.queue: ORDERS.IN\n",
        [TARGET, {"name": "ORDERS.IN", "action": "get"}],
    ),
}


def _found(path: str, text: str) -> list[Declared]:
    language = recognise(path, text)
    assert language is not None
    reading = ANALYSER.analyse(text, language, Target(), path)
    return [found for found in reading.declared if found.type in (CONNECTION, USE)]


@pytest.mark.parametrize("name", CASES)
def test_connections_are_read(name: str) -> None:
    path, text, expected = CASES[name]
    found = _found(path, text)
    assert len(found) == len(expected)
    for declared, values in zip(found, expected, strict=True):
        given = {field.name: field.value for field in declared.fields} | {"name": declared.name}
        assert {key: given.get(key) for key in values} == values


@pytest.mark.parametrize("name", CASES)
def test_each_value_has_its_place(name: str) -> None:
    path, text, _ = CASES[name]
    for declared in _found(path, text):
        for field in declared.fields:
            is_written = field.name in ("QMNAME", "channel", "user", "SSLCIPH")
            is_default = field.value in ("", "SYSTEM.DEF.SVRCONN")
            if is_written and isinstance(field.value, str) and not is_default:
                assert field.value in text[slice(*field.span)].replace("'", "")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("application.yml", "server:\n  port: 8080\nspring:\n  application:\n    name: tills\n"),
        ("application.properties", "server.port=8080\nspring.application.name=tills\n"),
        ("compose.yml", "services:\n  a:\n    image: postgres\n"),
        ("deploy.yaml", "kind: Deployment\nspec:\n  template:\n    spec:\n      containers: []\n"),
        ("server.xml", "<server><jmsQueue><properties.wasJms queueName='A'/></jmsQueue></server>"),
        ("config.json", '{"mq": {"queue": "A"}}'),
        ("app.conf", "[route]\npath=/a\n"),
        ("config.yaml", "connection:\n  host: a\nqueueManager: QMA\n"),
        ("web.config", '<configuration><appSettings><add key="A" value="b"/></appSettings>'),
        (
            "config.yaml",
            "kind: ConfigMap\n"
            "data:\n  TILL: |\n    host: a\n    queueManager: QMA\n    channel: B\n",
        ),
        ("appsettings.json", '{"Rabbit": {"Channel": "A", "Queue": "B"}}'),
        ("settings.json", '{"Mq": {"QueueManager": "A", "Channel": "B"}}'),
        ("conf.yaml", "instances:\n  - host: a\n    channel: b\n"),
        ("code.txt", "def qcf(self):\n    return 1\n"),
    ],
)
def test_files_without_a_connection_are_not_recognised(path: str, text: str) -> None:
    assert recognise(path, text) is None


KEYS = Forms(
    clients=(
        Client(
            "app/settings.*",
            (
                *(("QMNAME", "$.mq.qm"), ("channel", "$.mq.chl"), ("host", "$.mq.host")),
                *(("password", "$.mq.kennwort"), ("get", "$.mq.queues[*].name")),
            ),
        ),
        Client(
            "many.yaml",
            (("QMNAME", "$.qm"), ("channel", "$.to[*].chl"), ("put", "$.to[*].queues[*]")),
        ),
    )
)
MAPPED: dict[str, tuple[str, list[Values]]] = {
    "app/settings.json": (
        '{"mq": {"qm": "QMA", "chl": "APP.ONE", "host": "a.example", "kennwort": "harbour", '
        '"queues": [{"name": "A"}, {"name": "${B}"}, {"name": "C"}]}}',
        [TARGET | {"password": "given"}, {"name": "A", "action": "get"}, {"name": "C"}],
    ),
    "app/settings.properties": (
        "mq.qm=QMA\nmq.chl=APP.ONE\nmq.host=a.example\nmq.kennwort=harbour\n",
        [TARGET | {"password": "given"}],
    ),
    "many.yaml": (
        "qm: QMA\nto:\n  - {chl: APP.ONE, queues: [A, B]}\n  - {chl: APP.TWO}\n",
        [
            {"QMNAME": "QMA", "channel": "APP.ONE"},
            *[{"name": "A", "action": "put"}, {"name": "B"}],
            {"QMNAME": "QMA", "channel": "APP.TWO"},
        ],
    ),
    "other/settings.json": ('{"mq": {"qm": "QMA", "chl": "APP.ONE"}}', []),
    "app/settings.yaml": ("- 1\n", []),
}


@pytest.mark.parametrize("path", MAPPED)
def test_keys_of_applications_are_mapped(path: str) -> None:
    text, expected = MAPPED[path]
    reading = ANALYSER.analyse(text, "client-keys", Target(), path, KEYS)
    assert "harbour" not in reading.text + repr(reading)
    for declared, values in zip(reading.declared, expected, strict=True):
        given = {field.name: field.value for field in declared.fields} | {"name": declared.name}
        assert {key: given.get(key) for key in values} == values


def test_a_password_is_not_kept() -> None:
    for path, text in (
        ("application.properties", "ibm.mq.channel=APP.ONE\nibm.mq.password=harbour\n"),
        ("mq-source.properties", "mq.channel.name=APP.ONE\nmq.password=harbour\n"),
        ("c.json", '{"mq.channel.name": "APP.ONE", "mq.password": "harbour"}'),
        ("server.xml", '<properties.wmqJms channel="APP.ONE" password="harbour"/>'),
        ("compose.yml", "services:\n  a:\n    environment:\n      IBM_MQ_CHANNEL: APP.ONE\n"
         "      IBM_MQ_PASSWORD: harbour\n"),
    ):  # fmt: skip
        (found,) = _found(path, text)
        assert "harbour" not in repr(found)
        assert found.field("password") is not None
