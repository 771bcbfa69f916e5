"""Manifests that are composed of several files: what is applied is judged, where it is set."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from mqlint.language.kubernetes.composed import Composition, composed
from tests.engine.conftest import Lint, settings_of

QM = """\
apiVersion: mq.ibm.com/v1beta1
kind: QueueManager
metadata: {name: pay}
spec:
  version: 9.4.2.0-r1
  license: {accept: false, license: L-QYVA-B365MB, use: NonProduction}
  queueManager:
    name: PAY
    storage: {queueManager: {type: ephemeral}}
    mqsc:
    - configMap: {name: pay-mqsc, items: [pay.mqsc]}
"""
BASE = {
    "base/qm.yaml": QM,
    "base/pay.mqsc": "DEFINE QLOCAL(PAY.IN) REPLACE\n",
    "base/kustomization.yaml": (
        "resources: [qm.yaml]\n"
        "generatorOptions: {disableNameSuffixHash: true}\n"
        "configMapGenerator: [{name: pay-mqsc, files: [pay.mqsc]}]\n"
    ),
}
HEAD = "apiVersion: mq.ibm.com/v1beta1\nkind: QueueManager\nmetadata: {name: pay}\n"
ACCEPT = HEAD + "spec: {license: {accept: true}}\n"
PERSISTENT = HEAD + "spec: {queueManager: {storage: {queueManager: {type: persistent-claim}}}}\n"
OVER = "resources: [../base]\npatches: [{path: a.yaml}, {path: b.yaml}]\n"
PATCHED = {
    **BASE,
    "over/kustomization.yaml": OVER,
    "over/a.yaml": ACCEPT,
    "over/b.yaml": PERSISTENT,
}
SERVICE = (
    "services:\n  mq:\n    image: icr.io/ibm-messaging/mq:9.4.2.0-r1\n"
    "    volumes: [data:/mnt/mqm]\n"
)
REPLACED = (
    "resources: [../base]\n"
    "configMapGenerator: [{{name: set, literals: [a=no/NativeHA]}}]\n"
    "replacements:\n"
    "- source: {{kind: ConfigMap, name: set, fieldPath: data.a{}}}\n"
    "  targets:\n"
    "  - select: {{kind: QueueManager}}\n"
    "    fieldPaths: [{}]\n"
)
"""A replacement, with options of its source, and the field it changes."""
BRANCHES = (
    "apiVersion: mq.ibm.com/v1beta1\nkind: QueueManager\nmetadata: {name: pay}\nspec:\n"
    "  license: {accept: true, license: L-QYVA-B365MB, use: NonProduction}\n"
    "  queueManager:\n    name: PAY\n    availability: {type: NativeHA}\n"
    "    storage:\n      queueManager:\n"
    "        {{- if CONDITION }}\n"
    "        type: ephemeral\n"
    "        {{- if .Values.more }}\n"
    "        size: 4Gi\n"
    "        {{- end }}\n"
    "        {{- else if .Values.other }}\n"
    "        type: ephemerl\n"
    "        {{- else }}\n"
    "        type: persistent-claim\n"
    "        {{- end }}\n"
)
"""A template of a chart: the line of each type shows which branch counts."""


def chart(condition: str, values: str) -> dict[str, str]:
    template = BRANCHES.replace("CONDITION", condition)
    return {
        "c/Chart.yaml": "name: c\n",
        "c/values.yaml": values + "ibmmq: {}\n",
        "c/templates/q.yaml": template,
    }


COMPLETE = "inventory: {objects: complete}\n"


@dataclass(frozen=True)
class Case:
    name: str
    files: dict[str, str]
    found: set[str]
    rules: set[str] = field(default_factory=set)
    settings: str = ""


RULES = {"CON008", "CON019"}
CASES = [
    Case("a base alone", BASE, {"base/qm.yaml:6"}, {"CON017"}),
    Case("an overlay accepts the licence", PATCHED, set(), {"CON017", "CON008"}),
    Case(
        "an overlay chooses instances on storage of the base",
        {
            **PATCHED,
            "over/b.yaml": HEAD + "spec: {queueManager: {availability: {type: NativeHA}}}\n",
        },
        {"base/qm.yaml:9"},
        {"CON017", "CON008"},
    ),
    Case(
        "the values of a patch have their place in it",
        {
            **PATCHED,
            "over/kustomization.yaml": "resources: [../base]\npatches:\n- target: {kind: Queue.*}\n"
            "  patch: |-\n    - op: replace\n      path: /spec/queueManager/name\n"
            "      value: PAY-1\n",
        },
        {"over/kustomization.yaml:7"},
        {"CON029"},
    ),
    Case(
        "a replacement that makes a field of a part of another",
        {
            **PATCHED,
            "over/kustomization.yaml": REPLACED.format(
                ", options: {delimiter: /, index: 1}", "spec.queueManager.availability.type"
            )
            + "    options: {create: true}\n",
        },
        {"base/qm.yaml:6", "base/qm.yaml:9"},
        {"CON017", "CON008"},
    ),
    Case(
        "a replacement of a part of a name",
        {
            **PATCHED,
            "over/kustomization.yaml": "resources: [../base]\nreplacements:\n"
            "- sourceValue: PAY-1\n"
            "  targets:\n"
            "  - select: {name: pay}\n"
            "    fieldPaths: [spec.queueManager.name]\n"
            "    options: {delimiter: ., index: 1}\n",
        },
        {"over/kustomization.yaml:3"},
        {"CON029"},
    ),
    Case(
        "a replacement of the name of each entry in a list, by that of a resource elsewhere",
        {
            **PATCHED,
            "over/kustomization.yaml": REPLACED.replace("../base", "../base, other.yaml")
            .replace("name: set, f", "name: other, f")
            .format("", '"spec.queueManager.mqsc.*.configMap.name"'),
            "base/kustomization.yaml": "resources: [qm.yaml]\n",
        },
        {"base/qm.yaml:6"},
        {"CON017", "CON023"},
    ),
    Case(
        "a replacement by the index or the name of an entry",
        {
            **PATCHED,
            "over/kustomization.yaml": "resources: [../base, sts.yaml]\nreplacements:\n"
            "- sourceValue: P-1\n"
            "  targets:\n"
            "  - select: {kind: StatefulSet}\n"
            "    fieldPaths: ['spec.template.spec.containers.0.env.[name=MQ_QMGR_NAME].value']\n",
            "over/sts.yaml": "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: p}\nspec:\n"
            "  template:\n    spec:\n      containers:\n      - name: q\n        env:\n"
            "        - {name: LICENSE, value: accept}\n        - {name: MQ_QMGR_NAME, value: P1}\n",
        },
        {"over/kustomization.yaml:3"},
        {"CON029"},
    ),
    Case(
        "a transformer makes the whole undecided, and each file is judged alone",
        {**PATCHED, "over/kustomization.yaml": OVER + "transformers: [sed.yaml]\n"},
        {"base/qm.yaml:6"},
        {"CON017"},
    ),
    Case(
        "each overlay has the MQSC of the base, and its own",
        {
            **PATCHED,
            "over/kustomization.yaml": OVER
            + "configMapGenerator: [{name: pay-mqsc, behavior: merge, files: [more.mqsc]}]\n"
            "patchesJson6902:\n- target: {kind: QueueManager}\n"
            "  patch: '[{op: add, path: /spec/queueManager/mqsc/0/configMap/items/-,"
            " value: more.mqsc}]'\n",
            "over/more.mqsc": "DEFINE QALIAS(PAY.A) TARGET(PAY.IN) REPLACE\n"
            "DEFINE QALIAS(PAY.B) TARGET(PAY.IM) REPLACE\n",
        },
        {"over/more.mqsc:2"},
        {"REF005"},
        COMPLETE,
    ),
    Case(
        "two overlays with one name are two queue managers",
        {
            **PATCHED,
            "test/kustomization.yaml": "resources: [../base]\npatches: [{path: a.yaml}]\n"
            "configMapGenerator: [{name: pay-mqsc, behavior: replace, files: [pay.mqsc]}]\n",
            "test/a.yaml": ACCEPT,
            "test/pay.mqsc": "DEFINE QALIAS(PAY.A) TARGET(PAY.IN) REPLACE\n",
        },
        {"test/pay.mqsc:1"},
        {"REF005"},
        COMPLETE,
    ),
    Case(
        "overlays of two sites that change nothing but the namespace",
        {
            **BASE,
            "base/pay.mqsc": "DEFINE CHANNEL(TO.PAY) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('pay')\n",
            "prod/kustomization.yaml": "resources: [../base]\nnamespace: mq-prod\n",
            "dr/kustomization.yaml": "resources: [../base]\nnamespace: mq-dr\n",
        },
        {"base/pay.mqsc:1"},
        {"DR001"},
    ),
    Case(
        "overlays of one site that change nothing but the namespace",
        {
            **BASE,
            "base/pay.mqsc": "DEFINE CHANNEL(TO.PAY) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('pay')\n",
            "prod/a/kustomization.yaml": "resources: [../../base]\nnamespace: a\n",
            "prod/b/kustomization.yaml": "resources: [../../base]\nnamespace: b\n",
        },
        set(),
        {"DR001", "DR002", "DR004", "DR007"},
    ),
    Case(
        "a file of variables, which the service overrides in part",
        {
            "compose.yaml": SERVICE + "    env_file: mq.env\n    environment: {LICENSE: accept}\n",
            "mq.env": "LICENSE=no\nMQ_QMGR_NAME=QM-A\n",
        },
        {"mq.env:2"},
        {"CON017", "CON029", "CON045"},
    ),
    Case(
        "a file of variables that is not here",
        {"compose.yaml": SERVICE + "    env_file: mq.env\n    environment: {MQ_QMGR_NAME: QMA}\n"},
        set(),
        {"CON017", "CON045"},
    ),
    Case(
        "the override that Compose reads without being told",
        {
            "docker-compose.yml": SERVICE + "    environment: {LICENSE: 'no', MQ_QMGR_NAME: QMA}\n",
            "docker-compose.override.yml": "services:\n  mq:\n    environment:\n"
            "    - LICENSE=accept\n    - MQ_QMGR_NAME=QM-A\n",
        },
        {"docker-compose.override.yml:5"},
        {"CON017", "CON029"},
    ),
    Case(
        "a generator with secrets",
        {
            **PATCHED,
            "over/kustomization.yaml": OVER
            + "secretGenerator:\n- name: p\n  literals:\n  - admin-password='harbour'\n",
        },
        set(),
        {"CON017"},
    ),
    Case(
        "a patch deletes a resource",
        {
            **BASE,
            "over/kustomization.yaml": "resources: [../base]\npatches:\n- patch: |-\n"
            "    $patch: delete\n    kind: QueueManager\n    metadata: {name: pay}\n",
        },
        set(),
        {"CON017"},
    ),
    Case(
        "a service of GitLab has the variables of its job",
        {
            ".gitlab-ci.yml": "variables: {LICENSE: accept, MQ_QMGR_NAME: QM-A}\n"
            "it:\n  services:\n    - name: icr.io/ibm-messaging/mq:9.4.2.0-r1\n"
            "  script: [make it]\n"
        },
        {".gitlab-ci.yml:1"},
        {"CON029", "CON045"},
    ),
    Case(
        "a file of Spring for one profile",
        {
            "qm/QMA/a.mqsc": "DEFINE CHANNEL(A.ONE) CHLTYPE(SVRCONN)\n",
            "app/application.yml": "ibm:\n  mq:\n    queueManager: QMA\n    channel: A.ONE\n",
            "app/application-live.properties": "ibm.mq.connName=h(1414)\nibm.mq.channel=A.TWO\n",
        },
        {"app/application-live.properties:2"},
        {"APP001"},
        COMPLETE + "queue_managers: 'qm/{queue_manager}/*'\n",
    ),
    *(
        Case(
            f"a branch of a chart: {condition}, {values!r}", chart(condition, values), found, RULES
        )
        for condition, values, found in (
            (".Values.a", "a: true\n", {"c/templates/q.yaml:12"}),
            ("not $.Values.b.a", "b: {a: false}\n", {"c/templates/q.yaml:12"}),
            ('eq .Values.a "x"', "a: 'x'\n", {"c/templates/q.yaml:12"}),
            ('ne .Values.a "x"', "a: y\n", {"c/templates/q.yaml:12"}),
            (".Values.a", "a: 'false'\n", {"c/templates/q.yaml:12"}),
            (".Values.a", "a: null\nother: true\n", {"c/templates/q.yaml:17"}),
            (".Values.a", "a: 0\nother: 0\n", set()),
            (".Values.a", "a: false\n", set()),
            (".Values.a", "a: no\n", set()),
            (".Values.a", "a: 'no'\n", {"c/templates/q.yaml:12"}),
            (".Values.a", "a: 0.0\n", set()),
            ("not .Values.a", "a: OFF\n", {"c/templates/q.yaml:12"}),
            (".Values.a", "b: false\n", set()),
            ("and .Values.a .Values.a", "a: true\n", {"c/templates/q.yaml:12"}),
            ('hasKey .Values "a"', "a: true\n", set()),
        )
    ),
    Case(
        "a service that is extended",
        {
            "common.yml": SERVICE + "    environment: {LICENSE: accept}\n",
            "compose.yaml": "services:\n  qm:\n    extends: {file: common.yml, service: mq}\n"
            "    environment: {MQ_QMGR_NAME: QM-A}\n",
        },
        {"compose.yaml:4"},
        {"CON029", "CON045"},
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_applied_is_judged(case: Case, lint: Lint) -> None:
    run = lint(case.files, settings_of(case.settings) if case.settings else None)
    places = {
        f"{finding.location.path}:{finding.location.start.line}"
        for finding in run.findings
        if finding.rule.id in case.rules
    }
    assert places == case.found


def test_the_report_says_what_is_not_followed(lint: Lint) -> None:
    files = {**PATCHED, "over/kustomization.yaml": OVER + "vars: [{name: A}]\n"}
    assert any("has `vars`" in text for text in lint(files).assumptions)


@pytest.mark.slow
def test_an_overlay_that_repeats_its_patches_too_often_is_undecided() -> None:
    resources = "".join(f"---\nkind: ConfigMap\nmetadata: {{name: a{at}}}\n" for at in range(800))
    patch = "kind: ConfigMap\nmetadata: {name: b}\n"
    overlay = "resources: [r.yaml]\npatches:\n" + "- path: p.yaml\n" * 800
    files = (("kustomization.yaml", overlay), ("p.yaml", patch), ("r.yaml", resources))
    assert composed(Composition("kustomization.yaml", files, "")) == (
        None,
        set(),
        "the manifests are too large",
    )


def test_replacements_that_double_a_field_again_and_again_are_undecided() -> None:
    doubling = (
        "- source: {kind: ConfigMap, name: a, fieldPath: data.a}\n"
        "  targets:\n"
        "  - select: {kind: ConfigMap}\n"
        "    fieldPaths: [data.a]\n"
        "    options: {delimiter: '|', index: -1}\n"
    )
    overlay = "resources: [r.yaml]\nreplacements:\n" + doubling * 24
    resource = "kind: ConfigMap\nmetadata: {name: a}\ndata: {a: text}\n"
    files = (("kustomization.yaml", overlay), ("r.yaml", resource))
    assert (
        composed(Composition("kustomization.yaml", files, ""))[2] == "the manifests are too large"
    )


@pytest.mark.parametrize(("times", "is_followed"), [(1, True), (400, False)])
def test_values_of_variables_in_compose_are_limited(times: int, is_followed: bool) -> None:
    text = SERVICE + f"    environment: {{LICENSE: accept, TEXT: '{'$A ' * times}'}}\n"
    files = (("compose.yaml", text), (".env", f"A={'x' * 10_000}\n"))
    assert (composed(Composition("compose.yaml", files, ""))[0] is not None) is is_followed


def test_a_text_that_two_sites_read_is_reported_once(lint: Lint) -> None:
    inventory = "inventories/{}/group_vars/all.yml"
    path = "roles/mq/templates/a.mqsc.j2"
    found = lint(
        {
            path: (
                "ALTER QMGR CHLAUTH(DISABLED)\n"
                "DEFINE QLOCAL({{ mq_name }})\n"
                "DEFINE CHANNEL(APP.IN) CHLTYPE(SVRCONN) MCAUSER('mqm')\n"
            ),
            inventory.format("prod"): "mq_name: APP.ONE\n",
            inventory.format("dr"): "mq_name: APP.TWO\n",
        }
    ).findings
    once = [finding for finding in found if finding.rule.id == "SEC004"]
    assert [finding.subject.site for finding in once] == [None]
