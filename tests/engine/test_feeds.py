"""Files that scripts feed to several queue managers belong to each of them."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.engine.conftest import Lint, settings_of

COMMON = "DEFINE QLOCAL(COMMON.DLQ)\nDEFINE CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('mqm')\n"
OWN = "ALTER QMGR DEADQ(COMMON.DLQ)\n"
RECEIVER = "DEFINE CHANNEL(TO.ORD) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('ord.example')\n"
COMPLETE = "inventory: {objects: complete}\n"
LOOP = "for q in QMA QMB; do\n  runmqsc $q < common.mqsc\n  runmqsc $q < $q.mqsc\ndone\n"
LINES = "".join(
    f"runmqsc {name} < {file}\n"
    for name, file in (
        *(("QMA", "common.mqsc"), ("QMA", "QMA.mqsc"), ("QMB", "common.mqsc"), ("QMB", "QMB.mqsc")),
    )
)


@pytest.mark.parametrize("script", [LOOP, LINES])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_common_file_is_part_of_each_queue_manager(script: str, jobs: int, lint: Lint) -> None:
    files = {"common.mqsc": COMMON, "QMA.mqsc": OWN, "QMB.mqsc": OWN, "all.sh": script}
    found = Counter(
        finding.rule.id for finding in lint(files, settings_of(COMPLETE), jobs=jobs).findings
    )
    assert found["REF006"] == 0
    assert found["SEC004"] == 2


HOLDER = """apiVersion: v1
kind: ConfigMap
metadata: {name: common}
data:
  c.mqsc: |
    DEFINE CHANNEL('+AUTOCL+.+QMNAME+') CHLTYPE(CLUSRCVR) CLUSTER('+AUTOCL+') CONNAME('x(1414)')
  c.ini: |
    AutoCluster:
      Type=Uniform
      ClusterName=TILLS
"""
READER = """apiVersion: mq.ibm.com/v1beta1
kind: QueueManager
metadata: {name: pay}
spec:
  queueManager:
    name: QMA
    storage: {queueManager: {type: ephemeral}}
    mqsc: [{configMap: {name: common, items: [c.mqsc]}}]
    ini: [{configMap: {name: common, items: [c.ini]}}]
"""


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("names", [["QMA"], ["QMA", "QMB"], ["QMA", "QMB", "QMC"]])
def test_an_entry_in_a_file_of_its_own_is_part_of_each_reader(
    names: list[str], jobs: int, lint: Lint
) -> None:
    readers = {f"k/{name}.yaml": READER.replace("QMA", name) for name in names}
    run = lint({"k/common.yaml": HOLDER, **readers}, jobs=jobs)
    found = [
        finding.subject.queue_manager for finding in run.findings if finding.rule.id == "CON001"
    ]
    assert sorted(map(str, found)) == names


def test_an_entry_is_not_part_of_readers_in_other_folders(lint: Lint) -> None:
    readers = {f"{name}/q.yaml": READER.replace("QMA", name) for name in ("QMA", "QMB")}
    run = lint({"k/common.yaml": HOLDER, **readers})
    assert "CON001" not in {finding.rule.id for finding in run.findings}


def test_what_only_one_queue_manager_lacks_is_reported(lint: Lint) -> None:
    files = {"common.mqsc": OWN, "QMA.mqsc": COMMON, "QMB.mqsc": "DEFINE QLOCAL(B)\n"}
    run = lint({**files, "all.sh": LINES}, settings_of(COMPLETE))
    assert [
        (finding.location.path, finding.subject.queue_manager)
        for finding in run.findings
        if finding.rule.id == "REF006"
    ] == [("common.mqsc", "QMB")]


def test_a_common_file_is_at_the_sites_of_its_scripts(lint: Lint) -> None:
    script = "runmqsc ORD < ../common/a.mqsc\n"
    files = {"common/a.mqsc": RECEIVER, "prod/all.sh": script, "dr/all.sh": script}
    found = [finding for finding in lint(files).findings if finding.rule.id == "DR001"]
    assert sorted(str(finding.subject.site) for finding in found) == ["dr", "production"]


def test_a_file_that_names_its_site_stays_there(lint: Lint) -> None:
    script = "runmqsc ORD < ../prod/a.mqsc\n"
    files = {"prod/a.mqsc": RECEIVER, "prod/all.sh": script, "dr/all.sh": script}
    assert "DR001" not in {finding.rule.id for finding in lint(files).findings}


@pytest.mark.slow
def test_what_many_queue_managers_are_made_of_has_a_limit_that_is_reported(lint: Lint) -> None:
    common = "".join(f"DEFINE QLOCAL(APP.Q{number})\n" for number in range(1000))
    script = "".join(f"runmqsc QM{number} < a.mqsc\n" for number in range(102))
    own = "".join(f"runmqsc QM{number} < b.mqsc\n" for number in range(102))
    files = {"a.mqsc": common, "b.mqsc": "DEFINE QALIAS(A) TARGET(APP.Q1)\n"}
    run = lint({**files, "all.sh": script, "own.sh": own})
    found = [finding for finding in run.findings if finding.rule.id == "SYN022"]
    assert [(finding.location.path, finding.message) for finding in found] == [
        ("a.mqsc", "the file is fed to 102 queue managers, and only 100 are judged with it")
    ]


@pytest.mark.slow
def test_files_that_are_compared_with_patterns_have_a_limit_that_is_reported(lint: Lint) -> None:
    files = {f"m/a{number}.mqsc": "DEFINE QLOCAL(A)\n" for number in range(1_000)}
    loop = 'for f in m/x{0}*.mqsc; do runmqsc QM1 < "$f"; done\n'
    found = [
        finding.location.path
        for count in (100, 1_000)
        for finding in lint({**files, "a.sh": "".join(map(loop.format, range(count)))}).findings
        if finding.rule.id == "SYN022"
    ]
    assert found == ["a.sh"]
