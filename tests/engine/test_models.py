"""Texts whose queue manager is not known are one model only where something says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.engine.conftest import Lint, settings_of

CASES = yaml.safe_load(Path(__file__).with_name("models.yaml").read_text("utf-8"))
_RULES = ("DRF006", "DRF008")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_is_one_model(case: dict[str, Any], lint: Lint) -> None:
    run = lint({case["path"]: case["text"]})
    found = [
        [finding.rule.id, finding.location.start.line]
        for finding in run.findings
        if finding.rule.id in _RULES
    ]
    assert found == case["found"]


RESOURCE = """\
apiVersion: mq.ibm.com/v1beta1
kind: QueueManager
metadata: {name: pay}
spec:
  queueManager:
    name: NAME
    mqsc: [{configMap: {name: objects, items: [a.mqsc]}}]
    ini: [{configMap: {name: settings}}]
"""
HOLDERS = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: objects}
data:
  a.mqsc: |
    DEFINE QLOCAL(A) MAXDEPHT(5)
  b.mqsc: |
    DEFINE QLOCAL(B) MAXDEPHT(5)
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data:
  a.ini: |
    Channels:
      MaxChannels=many
"""


@pytest.mark.parametrize(
    ("files", "names"),
    [
        ({"k/qm.yaml": "PAY", "k/maps.yaml": ""}, ["PAY", None, "PAY"]),
        ({"other/qm.yaml": "PAY", "k/maps.yaml": ""}, ["PAY", None, "PAY"]),
        ({"k/a.yaml": "PAY", "k/b.yaml": "OWN", "k/maps.yaml": ""}, [None, None, None]),
        ({"k/a.yaml": '"{{ .Values.name }}"', "k/maps.yaml": ""}, [None, None, None]),
    ],
)
def test_manifests_say_whose_entries_are(
    files: dict[str, str], names: list[str | None], lint: Lint
) -> None:
    texts = {path: RESOURCE.replace("NAME", name) for path, name in files.items() if name}
    run = lint({**texts, "k/maps.yaml": HOLDERS})
    found = [
        finding.subject.queue_manager
        for finding in run.findings
        if finding.location.path == "k/maps.yaml" and finding.rule.id in ("VOC002", "INI003")
    ]
    assert found == names


@pytest.mark.parametrize(
    ("manager", "names"), [("PAY", ["PAY", None, "PAY"]), ("$NAME", [None, None, None])]
)
def test_here_documents_of_a_script_say_whose_entries_are(
    manager: str, names: list[str | None], lint: Lint
) -> None:
    holders = "\n".join(f"cat > h.yaml <<EOF\n{text}\nEOF" for text in HOLDERS.split("---\n"))
    resource = RESOURCE.replace("NAME", manager)
    run = lint({"deploy.sh": f"#!/bin/sh\n{holders}\noc apply -f - <<EOF\n{resource}\nEOF\n"})
    found = [
        finding.subject.queue_manager
        for finding in run.findings
        if finding.rule.id in ("VOC002", "INI003")
    ]
    assert found == names


OBJECTS = "DEFINE CHANNEL(A.B) CHLTYPE(SDR) CONNAME('b(1414)') XMITQ(B)\n"
COMPLETE = settings_of("inventory: {objects: complete}")


@pytest.mark.parametrize(
    ("files", "found", "left_open"),
    [
        pytest.param({"a.mqsc": OBJECTS}, [None], 0, id="one text is a queue manager"),
        pytest.param(
            {"a.mqsc": OBJECTS, "make.sh": "crtmqm QMA\n"}, ["QMA"], 0, id="the one that is named"
        ),
        pytest.param(
            {"x/a.mqsc": OBJECTS, "x/make.sh": "crtmqm QMA\n", "y/make.sh": "crtmqm QMB\n"},
            ["QMA"],
            0,
            id="the one of the folder",
        ),
        pytest.param({"a.mqsc": OBJECTS, "b.mqsc": OBJECTS}, [], 1, id="two texts"),
        pytest.param(
            {"a.mqsc": OBJECTS, "make.sh": "crtmqm QMA\ncrtmqm QMB\n"}, [], 1, id="two are named"
        ),
    ],
)
def test_whose_objects_are_complete(
    files: dict[str, str], found: list[str | None], left_open: int, lint: Lint
) -> None:
    run = lint(files, COMPLETE)
    missing = [finding for finding in run.findings if finding.rule.id == "REF002"]
    assert [finding.subject.queue_manager for finding in missing] == found
    assert sum("queue_managers:" in text for text in run.assumptions) == left_open


COMPOSE = """\
services:
  mq:
    image: icr.io/ibm-messaging/mq:9.4.2.0-r1
    environment: [LICENSE=accept, MQ_QMGR_NAME=QMA]
    volumes: ["./conf/a.mqsc:/etc/mqm/a.mqsc:ro", "./conf/b.mqsc:/opt/b.mqsc"]
"""
STACK = """\
configs:
  a: {file: ./conf/a.mqsc}
  b: {file: ./conf/b.mqsc}
services:
  mq:
    image: icr.io/ibm-messaging/mq:9.4.2.0-r1
    environment: [LICENSE=accept, MQ_QMGR_NAME=QMA]
    configs:
      - {source: a, target: /etc/mqm/30-a.mqsc}
      - {source: b, target: /opt/b.mqsc}
      - {source: c, target: /etc/mqm/c.mqsc}
      - b
"""
IMAGE = """\
FROM icr.io/ibm-messaging/mq:9.4.2.0-r1
ENV MQ_QMGR_NAME=QMA
COPY --chown=1001 conf/a.mqsc conf/x.txt /etc/mqm/
COPY conf/b.mqsc /opt/
"""


@pytest.mark.parametrize(
    ("path", "text"),
    [("compose.yaml", COMPOSE), ("stack.yaml", STACK), ("Dockerfile", IMAGE)],
)
def test_files_that_a_container_is_made_with_are_of_its_queue_manager(
    path: str, text: str, lint: Lint
) -> None:
    broken = "DEFINE QLOCAL(A) MAXDEPHT(5)\n"
    run = lint({path: text, "conf/a.mqsc": broken, "conf/b.mqsc": broken})
    found = [finding for finding in run.findings if finding.rule.id == "VOC002"]
    assert [finding.subject.queue_manager for finding in found] == ["QMA", None]
