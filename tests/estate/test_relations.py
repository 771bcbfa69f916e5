"""What files of one repository say about each other: a scan finds what a check finds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from mqlint.config.loader import load_settings
from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Run, check
from mqlint.finding import Finding
from mqlint.policy.rulebook import Rulebook
from mqlint.vocabulary import Vocabulary
from tests.estate.conftest import inputs_in
from tests.estate.estates import scanned
from tests.files import write

pytest.importorskip("pyarrow")

from tests.estate.stages import setup_of, staged

pytestmark = pytest.mark.slow

MANIFEST = """\
apiVersion: mq.ibm.com/v1beta1
kind: QueueManager
metadata: {name: orders}
spec:
  version: 9.3.0.0-r1
  license: {accept: true, license: L-RJON-BZFQU2, use: NonProduction}
  queueManager:
    name: ORDERS1
    mqsc: [{configMap: {name: orders-mqsc, items: [orders.mqsc]}}]
"""
CONFIG_MAP = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: orders-mqsc}
data:
  orders.mqsc: |
    ALTER QMGR CHLAUTH(DISABLED) DEADQ(GONE)
    DEFINE QLOCAL(A) MAXDEPHT(5)
"""
SCRIPT = "#!/bin/sh\ncrtmqm QM1\nstrmqm QM1\nrunmqsc QM1 < queues.mqsc\n"
QUEUES = "DEFINE QLOCAL(APP.IN) REPLACE\nDEFINE QALIAS(APP.OUT) TARGET(NOT.HERE) REPLACE\n"
SENDER = "DEFINE CHANNEL(A.B) CHLTYPE(SDR) CONNAME('b(1414)') XMITQ(B)\n"
GROUP = "DEFINE QLOCAL(APP.Q) QSGDISP(SHARED) CFSTRUCT(APP)\nDEFINE QLOCAL(APP.R) QSGDISP(QMGR)\n"
COMPLETE = "inventory: {objects: complete}\n"

COMPLETE_ON_ZOS = """\
inventory: {objects: complete}
queue_managers: "{queue_manager}/*"
target: {platform: zos}
"""

BY_PATH = 'queue_managers: "mq/{queue_manager}/*"\n'
RECEIVER = """\
ALTER QMGR CHLAUTH(DISABLED)
DEFINE CHANNEL(TO.QMA) CHLTYPE(RCVR)
DEFINE LISTENER(TCP.1) TRPTYPE(TCP) PORT(1415) IPADDR('a.example')
"""
CALLED = f"#!/bin/sh\nQM=$1\ncrtmqm $QM\nrunmqsc $QM <<EOF\n{RECEIVER}DEFINE QLOCAL($QM.A)\nEOF\n"
CALLING = "prod:\n  script: [./run.sh {}]\ndr:\n  script: [./run.sh {}]\n"
CALLS_QMA = "ibm.mq.queueManager=QMA\nibm.mq.channel=TO.QMA\n"
CALLS_HOST = "#!/bin/sh\nexport MQSERVER='TO.QMA/TCP/a.example(1415)'\n"

THROUGH = "ibm.mq.sslCipherSpec=TLS_AES_256_GCM_SHA384\nibm.mq.connName=ipt.example("
ROUTE = """\
[route]
ListenerPort=1417
Destination=a.example
DestinationPort=1415
SSLServer=true
"""

BUILDS = """\
services:
  pay:
    build: mq
    environment: {LICENSE: accept, MQ_QMGR_NAME: PAY}
"""
DOCKERFILE = "FROM icr.io/ibm-messaging/mq:9.4.2.0-r1\nCOPY *.mqsc /etc/mqm/\n"
STARTS = "START CHANNEL(TO.GONE)\nALTER CHANNEL(TO.QMA) CHLTYPE(SDR)\n"
REGISTERED = "QueueManager:\n   Name=PAY\n   Prefix=/var/mqm\n   Directory=PAY2\n"
FILES_OF_IMAGE = {"mq/Dockerfile": DOCKERFILE, "mq/a.mqsc": RECEIVER, "mq/b.mqsc": STARTS}

BY_SITE = "DEFINE CHANNEL(C.${mq}) CHLTYPE(CLUSRCVR) CONNAME('a.example') CLUSTER(C)\n"
APPLIED = "kind: Application\nmetadata: {name: mq}\nspec: {source: {path: mq/base}}\n"
MATRIX = """\
on: push
jobs:
  apply:
    strategy:
      matrix:
        site: [prod, dr]
    steps:
      - run: ssh mq-${{ matrix.site }} runmqsc ORDERS1 < mq/a.mqsc
"""
FOLDERS: Mapping[str, tuple[Mapping[str, str], set[str | None]]] = {
    "wired": ({"qm.yaml": MANIFEST, "map.yaml": CONFIG_MAP}, {"ORDERS1"}),
    "at sites by their names": (
        {"mq/QMPROD1.mqsc": RECEIVER, "mq/QMDR1.mqsc": RECEIVER},
        {"QMPROD1", "QMDR1"},
    ),
    "at sites by names in a script": (
        {
            "a.mqsc": RECEIVER,
            "a.sh": "#!/bin/sh\nrunmqsc QMPROD1 < a.mqsc\nrunmqsc QMDR1 < a.mqsc\n",
        },
        {"QMPROD1", "QMDR1"},
    ),
    "at no sites by names in a script": (
        {
            "a.mqsc": RECEIVER,
            "a.sh": "#!/bin/sh\nrunmqsc QMPROD1 < a.mqsc\nrunmqsc QMDR2 < a.mqsc\n",
        },
        {"QMPROD1", "QMDR2"},
    ),
    "at sites by their namespaces": (
        {
            "one.yaml": MANIFEST.replace("orders}", "orders, namespace: mq-prod}"),
            "two.yaml": MANIFEST.replace("orders}", "orders, namespace: mq-dr}"),
            "map.yaml": CONFIG_MAP.replace("mqsc}", "mqsc, namespace: mq-prod}"),
            "map2.yaml": CONFIG_MAP.replace("mqsc}", "mqsc, namespace: mq-dr}"),
        },
        {"ORDERS1"},
    ),
    "at no sites by their namespaces": (
        {
            "one.yaml": MANIFEST.replace("orders}", "orders, namespace: mq-one}"),
            "two.yaml": MANIFEST.replace("orders}", "orders, namespace: mq-two}"),
            "map.yaml": CONFIG_MAP.replace("mqsc}", "mqsc, namespace: mq-one}"),
            "map2.yaml": CONFIG_MAP.replace("mqsc}", "mqsc, namespace: mq-two}"),
        },
        {"ORDERS1"},
    ),
    "at no sites": (
        {"mq/QMPROD1.mqsc": RECEIVER, "mq/QMDR2.mqsc": RECEIVER},
        {"QMPROD1", "QMDR2"},
    ),
    "wired to two": (
        {
            "qm.yaml": MANIFEST,
            "other.yaml": MANIFEST.replace("ORDERS1", "ORDERS2").replace("orders}", "second}"),
            "map.yaml": CONFIG_MAP,
        },
        {"ORDERS1", "ORDERS2", None},
    ),
    "wired by a script": (
        {"deploy.sh": f"cat > m.yaml <<E\n{CONFIG_MAP}\nE\noc apply -f - <<E\n{MANIFEST}\nE\n"},
        {"ORDERS1"},
    ),
    "misspelt": (
        {
            "qm.yaml": MANIFEST.replace("orders-mqsc", "order-mqsc"),
            "map.yaml": CONFIG_MAP,
        },
        {None},
    ),
    "of two folders": (
        {
            "one/make.sh": SCRIPT,
            "one/queues.mqsc": QUEUES,
            "two/make.sh": SCRIPT,
            "two/queues.mqsc": QUEUES,
        },
        {"QM1"},
    ),
    "obvious": (
        {"mqlint.yaml": COMPLETE, "make.sh": "crtmqm QM1\n", "queues.mqsc": SENDER},
        {"QM1"},
    ),
    "only text": ({"mqlint.yaml": COMPLETE, "queues.mqsc": SENDER}, {None}),
    "queue-sharing group": (
        {
            "mqlint.yaml": COMPLETE_ON_ZOS,
            "MQA1/a.mqsc": GROUP,
            "MQA2/b.mqsc": "DEFINE QALIAS(APP.ALIAS) TARGET(APP.Q)\n",
        },
        {"MQA1"},
    ),
    "called by name": (
        {"mqlint.yaml": BY_PATH, "mq/QMA/a.mqsc": RECEIVER, "app.properties": CALLS_QMA},
        {"QMA"},
    ),
    "called by address": (
        {"mqlint.yaml": BY_PATH, "mq/QMA/a.mqsc": RECEIVER, "run.sh": CALLS_HOST},
        {"QMA"},
    ),
    "called through MQIPT": (
        {
            "mqlint.yaml": BY_PATH,
            "mq/QMA/a.mqsc": RECEIVER.replace("CHLTYPE(RCVR)", "CHLTYPE(SVRCONN)"),
            "mqipt.conf": ROUTE,
            "app.properties": f"{CALLS_QMA}{THROUGH}1417)\n",
            "other.properties": f"{CALLS_QMA}{THROUGH}1418)\n",
        },
        {"QMA"},
    ),
    "in an image that is built": (
        {
            "compose.yaml": BUILDS,
            "mq/Dockerfile": DOCKERFILE,
            "mq/a.mqsc": RECEIVER,
            "mq/b.mqsc": STARTS,
        },
        {"PAY"},
    ),
    "in an image": (
        FILES_OF_IMAGE,
        {None},
    ),
    "registered": (
        {"mqs.ini": REGISTERED, "qmgrs/PAY2/qm.ini": "Channels:\n   MaxChannels=many\n"},
        set(),
    ),
    "variables of each site": (
        {
            "mq/a.mqsc": BY_SITE,
            "mq/prod.tfvars": 'mq = "QM"\n',
            "mq/dr.tfvars": 'mq = "QM"\n',
        },
        {None},
    ),
    "a folder that two sites apply": (
        {
            "prod/app.yaml": APPLIED,
            "dr/app.yaml": APPLIED,
            "mq/base/map.yaml": CONFIG_MAP,
            "mq/base/qm.yaml": MANIFEST,
        },
        {"ORDERS1"},
    ),
    "a matrix of sites": (
        {".github/workflows/mq.yml": MATRIX, "mq/a.mqsc": RECEIVER},
        {"ORDERS1"},
    ),
    "a matrix of one site": (
        {".github/workflows/mq.yml": MATRIX.replace("dr", "live"), "mq/a.mqsc": RECEIVER},
        {"ORDERS1"},
    ),
    "twins by their names": (
        {
            "prod/QMP/a.mqsc": f"{RECEIVER}DEFINE QLOCAL(A) MAXDEPTH(9000)\n",
            "dr/QMPDR/a.mqsc": f"{RECEIVER}DEFINE QLOCAL(A) MAXDEPTH(100)\n",
            "create.sh": "crtmqm -lla QMP\ncrtmqm -lla QMPDR\n",
        },
        {"QMP", "QMPDR"},
    ),
    "a script with arguments": (
        {".gitlab-ci.yml": CALLING.format("QM1", "QM1"), "run.sh": CALLED},
        {"QM1"},
    ),
    "a script with other arguments": (
        {".gitlab-ci.yml": CALLING.format("QM1", "QM2"), "run.sh": CALLED},
        {"QM1", "QM2"},
    ),
    "overlays of one site": (
        {
            "base/orders.yaml": MANIFEST,
            "base/orders.mqsc": "ALTER QMGR CHLAUTH(DISABLED)\n",
            "base/kustomization.yaml": (
                "resources: [orders.yaml]\ngeneratorOptions: {disableNameSuffixHash: true}\n"
                "configMapGenerator: [{name: orders-mqsc, files: [orders.mqsc]}]\n"
            ),
            "prod/a/kustomization.yaml": "resources: [../../base]\nnamespace: a\n",
            "prod/b/kustomization.yaml": "resources: [../../base]\nnamespace: b\n",
        },
        {"ORDERS1"},
    ),
    "a file of a host, by a path of its own": (
        {
            "mqlint.yaml": BY_PATH,
            "two/run.sh": "runmqsc QM1 < /opt/two/a.mqsc\nrunmqsc QM1 < /opt/two/b.mqsc\n",
            "two/a.mqsc": "DEFINE QLOCAL(A)\n",
            "two/b.mqsc": "DEFINE QLOCAL(A)\n",
        },
        {"QM1"},
    ),
    "called by nobody": ({"mqlint.yaml": BY_PATH, "mq/QMA/a.mqsc": RECEIVER}, {"QMA"}),
}
"""Folders, and the queue managers of the findings at MQSC in them."""

WITH_OTHERS = {"wired": "wired to two", "obvious": "only text"}
WITH_OTHERS["in an image"], WITH_OTHERS["in an image that is built"] = (
    "in an image that is built",
    "in an image",
)
WITH_OTHERS["wired to two"], WITH_OTHERS["misspelt"] = "misspelt", "wired"
WITH_OTHERS["at sites by their names"] = "at no sites"
WITH_OTHERS["at sites by names in a script"] = "at no sites by names in a script"
WITH_OTHERS["at sites by their namespaces"] = "at no sites by their namespaces"
WITH_OTHERS["a matrix of sites"] = "a matrix of one site"
WITH_OTHERS["called by name"] = "called by nobody"
WITH_OTHERS["a script with arguments"] = "a script with other arguments"
"""What a folder may become between two scans."""


def written(files: Mapping[str, str], folder: Path) -> Settings:
    write(folder, files)
    return load_settings(files.get("mqlint.yaml", "{}"), "mqlint.yaml")


def facts(finding: Finding) -> tuple[object, ...]:
    return finding.location, finding.rule.id, finding.message, finding.fingerprint


class Both:
    """Checks a folder and scans it, with what the scan before left."""

    def __init__(self, vocabulary: Vocabulary, rulebook: Rulebook, scratch: Path) -> None:
        self.analyser = Analyser(vocabulary)
        self.rulebook = rulebook
        self.scratch = scratch

    def __call__(self, folder: Path, settings: Settings) -> tuple[Run, list[Finding]]:
        inputs = [found for found in inputs_in(folder) if found.path != "mqlint.yaml"]
        run = check(inputs, settings, self.analyser, self.rulebook)
        setup = setup_of(self.analyser.vocabulary.compiled, self.rulebook, settings)
        return run, staged(inputs, setup, self.scratch)


@pytest.fixture
def both(vocabulary: Vocabulary, rulebook: Rulebook, tmp_path: Path) -> Both:
    return Both(vocabulary, rulebook, tmp_path / "scratch")


@pytest.mark.parametrize("name", FOLDERS)
def test_scan_finds_what_check_finds(name: str, both: Both, tmp_path: Path) -> None:
    files, expected = FOLDERS[name]
    settings = written(files, tmp_path / "folder")
    for _ in ("first", "from the cache"):
        run, found = both(tmp_path / "folder", settings)
        assert sorted(map(facts, found)) == sorted(map(facts, [*run.findings, *run.ignored]))
    at_text = [
        finding for finding in found if finding.location.path.endswith(("map.yaml", ".mqsc", ".sh"))
    ]
    assert {finding.subject.queue_manager for finding in at_text} == expected


@pytest.mark.parametrize("name", WITH_OTHERS)
def test_scan_notices_that_another_file_changed(name: str, both: Both, tmp_path: Path) -> None:
    both(tmp_path / "one", written(FOLDERS[name][0], tmp_path / "one"))
    files = FOLDERS[WITH_OTHERS[name]][0]
    run, found = both(tmp_path / "two", written(files, tmp_path / "two"))
    assert sorted(map(facts, found)) == sorted(map(facts, run.findings))


@pytest.mark.parametrize("name", ["called by name", "called by address"])
def test_an_application_is_compared_with_whom_it_calls(
    name: str, both: Both, tmp_path: Path
) -> None:
    _, found = both(tmp_path / "folder", written(FOLDERS[name][0], tmp_path / "folder"))
    of_application = [finding for finding in found if finding.rule.id == "APP002"]
    assert [finding.subject.queue_manager for finding in of_application] == ["QMA"]
    assert [place.location.path for place in of_application[0].related] == ["mq/QMA/a.mqsc"]


def test_queue_managers_of_two_folders_are_two(both: Both, tmp_path: Path) -> None:
    alias = "DEFINE QALIAS(APP.ALIAS) TARGET(APP.IN) REPLACE\n"
    files = {**FOLDERS["of two folders"][0], "mqlint.yaml": COMPLETE, "two/queues.mqsc": alias}
    settings = written(files, tmp_path / "folder")
    _, found = both(tmp_path / "folder", settings)
    assert ("two/queues.mqsc", "REF005") in {
        (finding.location.path, finding.rule.id) for finding in found
    }


MQ = {"mqlint.yaml": BY_PATH + COMPLETE, "mq/QMA/a.mqsc": RECEIVER}
OTHER = {"mqlint.yaml": BY_PATH, "mq/QMA/a.mqsc": "DEFINE QLOCAL(A)\n"}
APPS = {
    "app.properties": CALLS_QMA,
    "gone.properties": CALLS_QMA.replace("TO.QMA", "TO.NOBODY"),
    "run.sh": CALLS_HOST,
}


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ((), [("app.properties", "APP002"), ("gone.properties", "APP001"), ("run.sh", "APP002")]),
        ((OTHER,), [("run.sh", "APP002")]),
    ],
    ids=["in another repository", "by a name that two repositories have"],
)
def test_an_application_is_compared_with_a_queue_manager(
    others: tuple[Mapping[str, str], ...], expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    # The name of the applications comes first, so that the settings are not theirs by chance.
    for number, files in enumerate((APPS, MQ, *others)):
        write(tmp_path / f"r{number}", files)
    entries = [f"{{name: r{number}, path: r{number}}}" for number in range(2 + len(others))]
    found = scanned(tmp_path, *entries).report["findings"]
    of_applications = [finding for finding in found if str(finding["rule"]).startswith("APP")]
    assert sorted((f["path"], f["rule"]) for f in of_applications) == [
        (f"r0/{path}", rule) for path, rule in expected
    ]
