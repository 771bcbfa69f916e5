"""How applications connect, read from each format."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from mqlint.engine.analyse import Analyser
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
        [{"channel": "APP.ONE", "CONNAME": "a.example(1414)", "source": "MQSERVER"}],
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
            if is_written and isinstance(field.value, str) and field.value:
                assert field.value in text[slice(*field.span)].replace("'", "")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("application.yml", "server:\n  port: 8080\nspring:\n  application:\n    name: tills\n"),
        ("application.properties", "server.port=8080\nspring.application.name=tills\n"),
        ("compose.yml", "services:\n  a:\n    image: postgres\n"),
        ("deploy.yaml", "kind: Deployment\nspec:\n  template:\n    spec:\n      containers: []\n"),
        ("config.json", '{"mq": {"queue": "A"}}'),
    ],
)
def test_files_without_a_connection_are_not_recognised(path: str, text: str) -> None:
    assert recognise(path, text) is None


def test_a_password_is_not_kept() -> None:
    for path, text in (
        ("application.properties", "ibm.mq.channel=APP.ONE\nibm.mq.password=harbour\n"),
        ("mq-source.properties", "mq.channel.name=APP.ONE\nmq.password=harbour\n"),
        ("c.json", '{"mq.channel.name": "APP.ONE", "mq.password": "harbour"}'),
        ("compose.yml", "services:\n  a:\n    environment:\n      IBM_MQ_CHANNEL: APP.ONE\n"
         "      IBM_MQ_PASSWORD: harbour\n"),
    ):  # fmt: skip
        (found,) = _found(path, text)
        assert "harbour" not in repr(found)
        assert found.field("password") is not None
