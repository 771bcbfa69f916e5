"""Waivers at work: what they suppress, in one process and in several, and what is said of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

import pytest

from mqlint.config.reader import read_yaml
from mqlint.engine import Analyser, Run, check
from mqlint.finding import Excuse
from mqlint.finding.waiver import Waivers, waivers_from
from tests.engine.conftest import inputs, settings_of
from tests.shipped import shipped_rulebook, shipped_vocabulary

ANALYSER = Analyser(shipped_vocabulary())
RULEBOOK = shipped_rulebook()
TODAY = date(2026, 6, 1)
WRONG = "DEFINE QLOCAL(APP.IN) MAXDEPHT(10)\n"
SIGNED = "owner: messaging team, reason: agreed"
CONFIG = 'queue_managers: "{queue_manager}/*"\n'


def waivers(*entries: str, complete: bool = True) -> Waivers:
    text = "waivers:\n" + "".join(f"  - {{{entry}, {SIGNED}}}\n" for entry in entries)
    found = waivers_from(read_yaml(text, "mqlint-waivers.yaml"), RULEBOOK.rules)
    return Waivers(found, TODAY, complete, text=text)


def judge(
    files: Mapping[str, str],
    given: Waivers,
    *,
    config: str = CONFIG,
    jobs: int = 1,
    ignores: bool = True,
    context: Mapping[str, str] | None = None,
) -> Run:
    return check(
        inputs(dict(files)),
        settings_of(config),
        ANALYSER,
        RULEBOOK,
        context=inputs(dict(context or {})),
        jobs=jobs,
        ignores=ignores,
        waivers=given,
    )


def said(run: Run) -> list[str]:
    return [finding.rule.name for finding in run.findings]


def test_waived_finding_keeps_its_fingerprint_and_says_why() -> None:
    plain = judge({"QM1/a.mqsc": WRONG}, waivers())
    run = judge(
        {"QM1/a.mqsc": WRONG},
        waivers("rule: VOC002, queue_manager: QM1, ticket: CHG-1, expires: 2027-01-31"),
    )
    (hidden,) = run.ignored
    assert said(run) == []
    assert hidden.ignored == Excuse("agreed", "waiver", "messaging team", "CHG-1", "2027-01-31")
    assert [hidden.fingerprint] == [finding.fingerprint for finding in plain.findings]


def test_the_comment_counts_where_both_suppress() -> None:
    text = f"* mqlint: ignore[VOC002] as it must be\n{WRONG}"
    run = judge({"QM1/a.mqsc": text}, waivers("rule: VOC002, object: APP.IN"))
    assert said(run) == []
    assert [finding.ignored for finding in run.ignored] == [Excuse("as it must be")]


def test_expired_waiver_covers_nothing_and_a_later_one_does() -> None:
    ended = "rule: VOC002, object: APP.IN, expires: 2026-05-31"
    run = judge({"QM1/a.mqsc": WRONG}, waivers(ended))
    assert said(run) == ["unknown-attribute", "waiver-expired"]
    assert "(owner: messaging team)" in run.findings[1].message
    run = judge(
        {"QM1/a.mqsc": WRONG},
        waivers(ended, "rule: VOC002, site: x", "rule: VOC002, object: APP.IN"),
    )
    assert said(run) == ["waiver-expired", "waiver-unmatched"]
    assert len(run.ignored) == 1


def test_no_ignores_shows_all_and_says_nothing_of_waivers() -> None:
    run = judge({"QM1/a.mqsc": WRONG}, waivers("rule: VOC002, object: APP.*"), ignores=False)
    assert (said(run), run.ignored) == (["unknown-attribute"], [])


def test_part_of_a_project_tells_of_no_waiver_without_a_finding() -> None:
    entries = (
        "rule: VOC002, object: GONE",
        "rule: VOC002, object: GONE, expires: 2020-01-01",
        "rule: VOC002, object: APP.IN, expires: 2020-01-01",
    )
    files = {"QM1/a.mqsc": WRONG}
    part = judge(files, waivers(*entries, complete=False), context={"QM1/b.mqsc": WRONG})
    assert said(part) == ["unknown-attribute", "waiver-expired"]
    assert part.findings[1].location.start.line == 4
    whole = judge(files, waivers(*entries))
    assert sorted(said(whole)) == [
        "unknown-attribute",
        "waiver-expired",
        "waiver-expired",
        "waiver-unmatched",
    ]


@pytest.mark.parametrize(("role", "found"), [("production", ["waiver-unmatched"]), ("test", [])])
def test_waiver_of_a_rule_that_does_not_run_is_not_unmatched(role: str, found: list[str]) -> None:
    """CHN010 is in the profile `production`, and not in `default`."""
    config = f"{CONFIG}sites: {{leeds: {{role: {role}, paths: ['**']}}}}\n"
    files = {"QM1/a.mqsc": "DEFINE QLOCAL(APP.IN)\n"}
    assert said(judge(files, waivers("rule: CHN010, object: GONE"), config=config)) == found


def test_findings_about_waivers_are_shown_in_their_file() -> None:
    given = waivers("rule: VOC002, object: GONE")
    run = judge({"QM1/a.mqsc": ""}, given)
    (one,) = run.findings
    start = one.location.start
    line = (run.text_of(one.location.path) or "").splitlines()[start.line - 1]
    assert line[start.column - 1 :].startswith("rule: VOC002")


def test_rules_that_cannot_be_ignored_watch_over_waivers() -> None:
    names = ("waiver-expired", "waiver-unmatched", "waiver-ends-soon")
    rules = {rule.name: rule for rule in RULEBOOK.rules.values()}
    assert not any(rules[name].ignorable for name in names)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_several_processes_suppress_the_same(jobs: int) -> None:
    files = {f"QM{n % 3}/{n}.mqsc": WRONG for n in range(40)}
    given = waivers(
        "rule: VOC002, queue_manager: QM1",
        "rule: VOC002, paths: 'QM2/**', expires: 2026-06-10",
        "rule: VOC002, queue_manager: QM9",
    )
    run = judge(files, given, jobs=jobs)
    alone = judge(files, given)
    assert (run.findings, run.ignored) == (alone.findings, alone.ignored)
    assert len(run.ignored) == 26
    assert said(run)[-2:] == ["waiver-ends-soon", "waiver-unmatched"]


def test_order_of_entries_does_not_change_what_identifies_a_complaint() -> None:
    entries = ["rule: VOC002, object: GONE", "rule: VOC001, object: GONE"]
    one, two = (judge({"a.mqsc": ""}, waivers(*order)) for order in (entries, entries[::-1]))
    assert {f.fingerprint for f in one.findings} == {f.fingerprint for f in two.findings}
    later = replace(waivers(*entries), today=date(2026, 7, 1))
    assert {f.fingerprint for f in judge({"a.mqsc": ""}, later).findings} == {
        f.fingerprint for f in one.findings
    }
