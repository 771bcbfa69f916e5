"""Files that are read beside those to check: they count as context, and nothing else changes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mqlint.engine import Analyser, check
from mqlint.finding import Finding
from mqlint.vocabulary import Target
from tests.engine.conftest import inputs, settings_of
from tests.shipped import shipped_rulebook, shipped_vocabulary

HUB = """\
DEFINE CHANNEL(PAY.HUB) CHLTYPE(CLUSRCVR) REPLACE TRPTYPE(TCP) +
       CONNAME('hub.{site}.example(1414)') CLUSTER(PAYMENTS)
DEFINE QREMOTE({site}.OUT) RNAME(ORDERS.IN) RQMNAME(PRDSHP1) XMITQ(PRDSHP1) REPLACE
"""
FILES = {
    "prod/PRDPAY1/channels.mqsc": HUB.format(site="leeds"),
    "dr/DRSPAY1/channels.mqsc": HUB.format(site="derby"),
    "prod/PRDPAY1/queues.mqsc": "DEFINE QLOCAL(PAY.IN) MAXDEPTH(5000) MAXMSGL(1000) REPLACE\n",
    "dr/DRSPAY1/queues.mqsc": "DEFINE QLOCAL(PAY.IN) MAXDEPTH(9000) MAXMSGL(2000) REPLACE\n",
    "prod/PRDSHP1/queues.mqsc": "DEFINE QLOCAL(ORDERS.IN) MAXDEPHT(7000)\n",
    "prod/PRDSHP1/channels.mqsc": "DEFINE CHANNEL(A.B) CHLTYPE(SVRCONN) MCAUSER('mqm') REPLACE\n",
    "other/queues.mqsc": "DEFINE QALIAS(A) TARGET(NOT.THERE) REPLACE\n",
}
SETTINGS = """\
queue_managers: ["{site}/{queue_manager}/*"]
sites:
  prod: {role: production, paths: ['prod/**']}
  dr: {role: dr, stands_in_for: prod, paths: ['dr/**']}
twins: {rename: {PRD: DRS}}
"""


def found(paths: Sequence[str]) -> list[Finding]:
    documents = {document.path: document for document in inputs(FILES)}
    run = check(
        [documents[path] for path in paths],
        settings_of(SETTINGS),
        Analyser(shipped_vocabulary()),
        shipped_rulebook(),
        context=[document for path, document in documents.items() if path not in paths],
    )
    return run.findings


@pytest.mark.parametrize("path", FILES)
def test_findings_of_a_file_do_not_depend_on_which_others_are_checked(path: str) -> None:
    everything = found([*FILES])
    assert found([path]) == [finding for finding in everything if finding.location.path == path]


@pytest.mark.parametrize(("name", "rule"), [("channels.mqsc", "DR001"), ("queues.mqsc", "DR041")])
def test_the_other_site_is_seen_though_it_is_context(name: str, rule: str) -> None:
    findings = found([f"dr/DRSPAY1/{name}"])
    assert rule in {finding.rule.id for finding in findings}
    places = {place.location.path for finding in findings for place in finding.related}
    assert f"prod/PRDPAY1/{name}" in places


def test_a_script_that_was_made_from_a_dump_is_no_dump_of_the_context_either() -> None:
    text = (
        "* Queue manager name: PRDPAY1\n"
        "* Queue manager command level: (800/800)\n"
        "* Command issued: dmpmqcfg -a -m PRDPAY1\n"
        "DEFINE QLOCAL('PAY.IN') +\n   STREAMQ('PAY.COPY') +\n   REPLACE\n"
    )
    analyser = Analyser(shipped_vocabulary())
    for judged in (True, False):
        (part,) = analyser.analyse(text, "mqsc", Target(), judged=judged).parts
        assert part.header is not None
        assert part.header.edited
