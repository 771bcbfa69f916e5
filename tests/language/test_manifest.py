"""Manifests: what they say of queue managers, and the documents inside them."""

from __future__ import annotations

from base64 import b64encode

import pytest

from mqlint.language.client.ccdt import parse_ccdt
from mqlint.language.declaration import Declared
from mqlint.language.kubernetes.manifest import parse_manifest
from mqlint.language.registry import recognise
from mqlint.vocabulary.unknown import UNKNOWN
from tests.languages import parsed
from tests.linear import is_linear_in_steps

RESOURCE = """\
apiVersion: mq.ibm.com/v1beta1
kind: QueueManager
metadata: {name: pay}
spec:
  license: {use: Production}
  queueManager:
    name: PAY
    availability: {type: NativeHA}
    mqsc:
    - configMap: {name: objects, items: [a.mqsc]}
    - secret: {name: hidden, items: [b.mqsc]}
"""
MQSC = "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\n"
HOLDERS = f"""\
---
apiVersion: v1
kind: ConfigMap
metadata: {{name: objects}}
data:
  a.mqsc: |
    DEFINE QLOCAL(A)
  php.ini: |
    [php]
    memory=1
---
apiVersion: v1
kind: Secret
metadata: {{name: hidden}}
data:
  b.mqsc: {b64encode(MQSC.encode()).decode()}
  tls.key: c2VjcmV0
stringData:
  c.mqsc: DEFINE QLOCAL(C)
"""


def test_a_resource_says_how_its_queue_manager_runs() -> None:
    (found,) = parse_manifest(RESOURCE).declared
    assert (found.name, found.queue_manager, found.open) == ("pay", "PAY", False)
    values = {field.name: field.value for field in found.fields}
    assert values["availability"] == "NativeHA"
    assert values["log.type"] == "replicated"
    assert values["license.use"] == "Production"
    assert "storage.type" not in values


def test_documents_inside_belong_to_who_reads_them() -> None:
    text = RESOURCE + HOLDERS
    found = parse_manifest(text).embedded
    assert [(embedded.language, embedded.text, embedded.queue_manager) for embedded in found] == [
        ("mqsc", "DEFINE QLOCAL(A)\n", "PAY"),
        ("mqsc", MQSC, "PAY"),
        ("mqsc", "DEFINE QLOCAL(C)", None),
    ]
    assert text[found[0].host(7) :].startswith("QLOCAL(A)")
    encoded = text.index("b.mqsc: ") + len("b.mqsc: ")
    assert encoded <= found[1].host(MQSC.index("QLOCAL(B)")) < text.index("\n", encoded)


def test_what_nobody_here_reads_is_nobodys() -> None:
    found = parse_manifest(HOLDERS).embedded
    assert {embedded.queue_manager for embedded in found} == {None}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ("queueManager:\n  name: A\n  nativeha: {enable: true}\n", "NativeHA"),
        ("queueManager:\n  name: A\n  multiinstance: {enable: true}\n", "MultiInstance"),
        ("mq:\n  queueManager:\n    name: A\n    nativeha: {enable: false}\n", "SingleInstance"),
    ],
)
def test_values_of_a_chart_choose_the_availability(values: str, expected: str) -> None:
    (found,) = parse_manifest(values).declared
    said = found.field("availability")
    assert said is not None
    assert (found.queue_manager, said.value) == ("A", expected)


WORKLOAD = """\
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: mq}
spec:
  template:
    spec:
      containers:
      - name: qmgr
        image: icr.io/ibm-messaging/mq:9.4.0.0-r1
        env: [{name: LICENSE, value: accept}]
        volumeMounts:
"""


def _storage(mounts: str, volumes: str) -> object:
    (found,) = parse_manifest(f"{WORKLOAD}{mounts}      volumes:\n{volumes}").declared
    return found.value("storage.type")


@pytest.mark.parametrize(
    ("mount", "expected"),
    [
        ("{name: data, mountPath: /mnt/mqm}", "persistent-claim"),
        ("{name: work, mountPath: /mnt/mqm}", "ephemeral"),
        ("{name: host, mountPath: /mnt/mqm}", UNKNOWN),
        ("{name: work, mountPath: /work}", "ephemeral"),
        ("{name: data, mountPath: /work}", UNKNOWN),
        ("{name: work, mountPath: '{{ .Values.path }}'}", UNKNOWN),
        ("{name: '{{ .Values.volume }}', mountPath: /work}", UNKNOWN),
    ],
)
def test_storage_is_known_if_all_mounts_are(mount: str, expected: object) -> None:
    volumes = (
        "      - {name: data, persistentVolumeClaim: {claimName: a}}\n"
        "      - {name: work, emptyDir: {}}\n      - {name: host, hostPath: {path: /a}}\n"
        "      - {name: '{{ .Values.other }}', persistentVolumeClaim: {claimName: b}}\n"
    )
    assert _storage(f"        - {mount}\n", volumes) == expected


def test_mounts_and_volumes_are_not_compared_in_pairs() -> None:
    def read(count: int) -> None:
        mounts = (f"        - {{name: v{at}, mountPath: /m{at}}}\n" for at in range(count))
        volumes = (f"      - {{name: v{at}, emptyDir: {{}}}}\n" for at in range(count))
        assert _storage("".join(mounts), "".join(volumes)) == "ephemeral"

    assert is_linear_in_steps(read, 60)


def test_a_password_is_named_and_not_kept() -> None:
    text = (
        "kind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: q\n    env:\n"
        "    - {name: MQ_QMGR_NAME, value: A}\n    - {name: MQ_APP_PASSWORD, value: hunter2}\n"
    )
    (found,) = parse_manifest(text).declared
    said = found.field("passwords")
    assert said is not None
    assert said.value == ("MQ_APP_PASSWORD",)
    assert "hunter2" not in repr(found)


def test_a_channel_table_speaks_the_words_of_mqsc() -> None:
    table = parse_ccdt(
        '{"channel": [{"name": "APP", "type": "clientConnection", '
        '"clientConnection": {"queueManager": "QMA", "connection": '
        '[{"host": "a", "port": 1414}, {"host": "b"}]}, "connectionManagement": '
        '{"defaultReconnect": "queueManager", "clientWeight": 3}}, 5, {"name": "$N", '
        '"type": "clientConnection", "clientConnection": {"queueManager": "B"}}]}'
    )
    first, second = table.declared
    values = {field.name: field.value for field in first.fields}
    assert (first.name, values["QMNAME"], values["CONNAME"]) == ("APP", "QMA", "a(1414),b(1414)")
    assert (values["DEFRECON"], values["CLNTWGHT"], values["SHARECNV"]) == ("QMGR", "3", "10")
    assert second.field("CONNAME") is None
    assert [fault.code for fault in table.diagnostics] == ["ccdt-no-address"]


def client_channels(language: str, text: str) -> list[Declared]:
    return [found for found in parsed(language, text).declared if found.type == "client_channel"]


def test_settings_of_spring_are_the_same_in_both_forms() -> None:
    properties = (
        "ibm.mq.channel=APP\nibm.mq.conn-name=a(1)\nibm.mq.reconnect=qmgr\nibm.mq.password=x\n"
    )
    yaml = (
        "ibm:\n  mq:\n    channel: APP\n    connName: a(1)\n    reconnect: qmgr\n    password: x\n"
    )
    for language, text in (("client-properties", properties), ("client-yaml", yaml)):
        (channel,) = client_channels(language, text)
        values = {field.name: field.value for field in channel.fields}
        assert (channel.name, values) == (
            "APP",
            {"source": "spring", "CONNAME": "a(1)", "DEFRECON": "QMGR"},
        )
    assert client_channels("client-properties", "ibm.mq.user=x\n") == []


@pytest.mark.parametrize(
    ("path", "text", "language"),
    [
        ("k/qm.yaml", RESOURCE, "manifest"),
        ("k/qm.yaml_template", HOLDERS.removeprefix("---\n"), "manifest"),
        ("values.yaml", "queueManager:\n  nativeha:\n    enable: true\n", "manifest"),
        ("ccdt.JSON", '{"channel": [{"clientConnection": {}}]}', "ccdt"),
        ("application.yml", "ibm:\n  mq:\n    channel: A\n", "client-yaml"),
        ("a.properties", "ibm.mq.channel=A\n", "client-properties"),
        ("a.properties", "db.channel=A\n", None),
        ("deploy.yaml", "kind: Deployment\nspec:\n  containers: []\n", None),
        (
            "typo.yaml",
            "kind: Deployment\nspec:\n  containers:\n  - image: a/mq:1\n    env: [{name: MQ_X}]\n",
            "manifest",
        ),
        ("package.json", '{"channel": "x"}', None),
        ("config.yaml", "kind: ConfigMap\ndata:\n  app.properties: x\n", None),
    ],
)
def test_what_a_file_is_taken_for(path: str, text: str, language: str | None) -> None:
    assert recognise(path, text) == language


def test_a_patch_leaves_open_what_it_does_not_say() -> None:
    (found,) = parse_manifest(RESOURCE.replace("  license: {use: Production}\n", "")).declared
    assert found.open
    assert found.field("log.type") is not None
    bare = "apiVersion: mq.ibm.com/v1beta1\nkind: QueueManager\nmetadata: {name: pay}\nspec: {}\n"
    (patch,) = parse_manifest(bare).declared
    assert (patch.open, patch.field("availability")) == (True, None)


ROUTE = """\
apiVersion: route.openshift.io/v1
kind: Route
metadata: {{name: pay}}
spec:
  host: {host}
  tls: {{termination: edge}}
"""


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("to2e-pay.chl.mq.ibm.com", {"sni": "channel", "channel": "TO.PAY"}),
        ("to.pay.chl.mq.ibm.com", {"sni": "broken"}),
        ("pay.apps.example.com", {}),
    ],
)
def test_a_route_tells_the_channel_it_leads_to(host: str, expected: dict[str, str]) -> None:
    text = ROUTE.format(host=host)
    assert recognise("route.yaml", text) == ("manifest" if ".chl." in host else None)
    (found,) = parse_manifest(text).declared
    values = {field.name: field.value for field in found.fields}
    assert values == {"host": host, "termination": "edge", **expected}


SHARED = "---\nkind: ConfigMap\nmetadata:\n  name: shared\ndata:\n  a.mqsc: |\n    END\n"


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        ("data: {a.mqsc: DIS QMGR}\n", []),
        ("data:\n  <<: *a\n", [4]),
        ("data:\n  b: x\n  <<: [*a]\n", [5]),
        ("data: *a\n", [3]),
        ('data:\n  "<<": x\n  b: *b\n', []),
    ],
)
def test_entries_from_elsewhere_in_the_file_are_not_followed(data: str, lines: list[int]) -> None:
    text = f"x: &a {{a.mqsc: DIS QMGR}}\nkind: ConfigMap\n{data}"
    places = parse_manifest(text).unfollowed
    assert [text.count("\n", 0, place) + 1 for place in places] == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("x-a: &a {image: icr.io/ibm-messaging/mq}\nservices:\n  a: *a\n", [3]),
        ("x-a: &a {image: icr.io/ibm-messaging/mq}\nservices:\n  a:\n    <<: *a\n", [4]),
        (
            "x-a: &a {MQ_QMGR_NAME: QMA}\nservices:\n  a:\n    image: ibmcom/mq\n"
            "    environment: *a\n",
            [5],
        ),
        (
            "x-a: &a {MQ_QMGR_NAME: QMA}\nservices:\n  a:\n    image: ibmcom/mq\n"
            "    environment:\n      <<: *a\n",
            [6],
        ),
        (
            "x-a: &a {restart: always}\nservices:\n  a:\n    <<: *a\n    image: postgres\n"
            "  b: {<<: *a, image: ibmcom/mq, environment: {MQ_QMGR_NAME: QMA}}\n"
            "  c: {<<: *a, build: c}\n",
            [],
        ),
        ("x: &a {queueManager: {name: Q}}\nkind: QueueManager\nspec: *a\n", [3]),
        (
            "kind: QueueManager\nmetadata: {labels: &a {b: c}}\n"
            "spec: {labels: *a, queueManager: {name: &n QMA, host: *n}}\n",
            [],
        ),
    ],
)
def test_a_queue_manager_from_elsewhere_in_the_file_is_not_followed(
    text: str, lines: list[int]
) -> None:
    places = parse_manifest(text).unfollowed
    assert [text.count("\n", 0, place) + 1 for place in places] == lines


def test_a_key_may_be_the_language_alone() -> None:
    text = SHARED.replace("a.mqsc", "mqsc").replace("END", "PING QMGR")
    assert recognise("a.yaml", text) == "manifest"
    assert [embedded.text for embedded in parse_manifest(text).embedded] == ["PING QMGR\n"]
    assert parse_manifest(text.replace("PING", "see")).embedded == []


@pytest.mark.parametrize(
    "key",
    [
        "mqsc.ini",
        "MQSC_20.txt",
        "setup",
        "$QM.more",
        "${QM}.mqsc",
        "{{ .name }}.mqsc",
        '"{{a}}.mqsc"',
    ],
)
def test_an_entry_of_mqsc_may_be_called_otherwise(key: str) -> None:
    text = SHARED.replace("a.mqsc", key).replace("END", "DEFINE QLOCAL(A)")
    assert recognise("a.yaml", text) == "manifest"
    assert [embedded.text for embedded in parse_manifest(text).embedded] == ["DEFINE QLOCAL(A)\n"]


@pytest.mark.parametrize("first", ["#!/bin/sh", "Notes", "log: x", "{"])
def test_an_entry_that_does_not_begin_with_a_command_is_no_mqsc(first: str) -> None:
    text = SHARED.replace("a.mqsc", "setup").replace("END", f"{first}\n    DEFINE QLOCAL(A)")
    assert parse_manifest(text).embedded == []


KEPT = """\
queueManagers:
- name: FIRST
  mqsc: |
    PING QMGR
- name: SECOND
  mqscCommands:
    queues:
    - DEFINE QLOCAL({{ queue }})
    - Display queue status of all
  mqscConfigMaps: [{name: other}]
  note: DEFINE QLOCAL(NOT.HERE)
later_mqsc: "CLEAR QLOCAL(A)"
"""


def test_values_keep_mqsc_for_a_template() -> None:
    for path in ("group_vars/all.yml", "r/defaults/main.yaml", "values-test.yaml"):
        assert recognise(path, KEPT) == "manifest"
    assert recognise("cases/all.yml", KEPT) is None
    found = parse_manifest(KEPT).embedded
    assert [embedded.queue_manager for embedded in found] == ["FIRST", "SECOND", None]
    assert [KEPT[embedded.host(0) :][:4] for embedded in found] == ["PING", "DEFI", "CLEA"]


@pytest.mark.parametrize(
    "text",
    ["image:\n  mqscPath: /etc/mqm/a.mqsc\n", "tool: |\n  runs mqsc\n", "mqsc:\n- configMap: {}\n"],
)
def test_a_key_alone_keeps_no_mqsc(text: str) -> None:
    assert recognise("group_vars/all.yml", text) == "manifest"  # its values may be in other files
    assert not parse_manifest(text).embedded
    assert not parse_manifest(text).embedded


TABLE = (
    '{"channel": [{"name": "A.SVRCONN", "clientConnection": {"queueManager": "QMA"}, '
    '"type": "clientConnection", "clientConection": {}}]}'
)
TABLES = f"""\
apiVersion: v1
kind: ConfigMap
metadata: {{name: clients}}
data:
  run.sh: |
    cat > a.json <<E
    {TABLE}
    E
  ccdt.json: |
    {TABLE}
"""


def test_a_channel_table_in_a_config_map() -> None:
    found = parse_manifest(TABLES)
    channel, connection = found.declared
    assert (channel.type, channel.name) == ("client_channel", "A.SVRCONN")
    assert (connection.type, connection.name) == ("connection", "A.SVRCONN")
    assert TABLES[slice(*channel.span)].strip('"') == "A.SVRCONN"
    unknown, _ = found.diagnostics
    assert "clientConection" in TABLES[unknown.start : unknown.end]


def test_services_of_the_first_version_of_compose() -> None:
    text = "mq:\n  image: ibmcom/mq\n  environment:\n    - MQ_QMGR_NAME=QMA\n"
    (found,) = parse_manifest(text).declared
    assert (found.name, found.queue_manager) == ("mq", "QMA")
    assert parse_manifest(text.replace("MQ_QMGR_NAME", "OTHER")).declared == []
