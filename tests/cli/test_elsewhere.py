"""Folders named by an absolute path from elsewhere: the same findings as from inside them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.conftest import Mqlint
from tests.files import write

_SCRIPT = "runmqsc ${QM} < a.mqsc\n"
_WRONG = "DEFINE QLOCAL(${QM}.IN) MAXDEPHT(10)\n"
_PIPELINE = """\
pipeline {
  agent any
  environment { SITE = "leeds" }
  stages { stage('Apply') { steps { sh('./apply.sh ${SITE}') } } }
}
"""
_MATRIX = """\
on: push
jobs:
  apply:
    strategy: {matrix: {site: [prod, dr]}}
    steps:
      - run: ssh mq-${{ matrix.site }} runmqsc QM < a.mqsc
"""
_DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: mq}
spec:
  selector: {matchLabels: {app: mq}}
  template:
    metadata: {labels: {app: mq}}
    spec:
      containers:
        - {name: mq, image: registry.example/orders-mq, env: [{name: MQ_QMGR_NAME, value: ORDQM1}]}
"""
_APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: mq}
spec: {source: {path: mq/queues}}
"""
PROJECTS: Mapping[str, Mapping[str, str]] = {
    "a pipeline that sets variables, and a template of others": {
        "Jenkinsfile": _PIPELINE,
        "config/a.mqsc.tmpl": _WRONG,
    },
    "a matrix of sites": {".github/workflows/a.yml": _MATRIX, "a.mqsc": _WRONG},
    "files of variables of sites": {
        "env/prod.env": "QM=ORDQM1\n",
        "env/dr.env": "QM=ORDQM2\n",
        "a.sh": _SCRIPT,
        "a.mqsc": _WRONG,
        "b.mqsc": "DEFINE QLOCAL(${LAYER}.IN) MAXDEPHT(10)\n",
    },
    "an inventory of Ansible": {
        "inventories/prod/group_vars/all.yml": "qm: ORDQM1\n",
        "inventories/dr/group_vars/all.yml": "qm: ORDQM1\n",
        "roles/mq/templates/a.mqsc.j2": "DEFINE QLOCAL({{ qm }}.IN) MAXDEPHT(10)\n",
    },
    "a container whose image another folder builds": {
        "build/Dockerfile": "FROM icr.io/ibm-messaging/mq:9.4.2.0-r1\nCOPY a.mqsc /etc/mqm/\n",
        "build/a.mqsc": _WRONG,
        "deploy/mq.yaml": _DEPLOYMENT,
    },
    "applications that deploy folders": {
        "prod/app.yaml": _APPLICATION,
        "dr/app.yaml": _APPLICATION,
        "mq/queues/deep/a.mqsc": _WRONG,
        "mq/a.mqsc": _WRONG,
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PROJECTS)
def test_a_folder_named_from_elsewhere_has_the_same_findings(
    name: str, mqlint: Mqlint, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("elsewhere")
    write(folder, PROJECTS[name])
    from_elsewhere = _rules(mqlint, str(folder))
    os.chdir(folder)
    assert from_elsewhere == _rules(mqlint, ".") != []


def _rules(mqlint: Mqlint, folder: str) -> list[tuple[str, str]]:
    report = json.loads(mqlint("check", "--format", "json", folder).stdout)
    found = report["findings"]
    return sorted((each["rule"], Path(each["path"]).name) for each in found)
