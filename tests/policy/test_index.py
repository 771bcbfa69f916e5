"""The index only saves time: judgements are those of asking every policy of every fact."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqlint.config.loader import load_settings
from mqlint.config.settings import PROFILES, Settings
from mqlint.engine import Analyser, Input, check, inputs_of
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.assembly.building import describe
from mqlint.engine.assembly.contribution import Contribution
from mqlint.engine.loading.isolation import load_each
from mqlint.finding import Severity
from mqlint.model.core.key import QueueManagerKey
from mqlint.model.facts.registry import Facts
from mqlint.policy.compile.clauses import needs_in, needs_of, storable_needs
from mqlint.policy.compile.head import head_of, heads_in, storable_heads
from mqlint.policy.load import load_rulebook
from mqlint.policy.run.claim import Claim
from mqlint.policy.run.grading import Grading
from mqlint.policy.run.index import Index
from mqlint.policy.run.judge import judge_claims, judge_queue_manager
from tests.shipped import shipped_rulebook, shipped_vocabulary

VOCABULARY = shipped_vocabulary()
ANALYSER = Analyser(VOCABULARY)
RULEBOOK = shipped_rulebook()


def described(inputs: list[Input], settings: Settings) -> Iterator[Facts]:
    """All queue managers that the inputs describe."""
    assembly = Assembly(settings, VOCABULARY)
    given: dict[QueueManagerKey, list[Contribution]] = {}
    for path, loaded in load_each(inputs, settings, ANALYSER):
        if loaded.reading is not None:
            for key, contribution in assembly.contributions(path, loaded.reading):
                given.setdefault(key, []).append(contribution)
    for key, contributions in given.items():
        yield from describe(assembly, key, contributions)


def test_what_a_wheel_stores_is_what_would_be_worked_out() -> None:
    for policy in RULEBOOK.policies:
        stored = json.dumps(storable_needs(policy.source))
        assert needs_in(stored) == needs_of(policy.source), policy.id


def test_a_stored_head_says_what_the_text_of_its_policy_does() -> None:
    compiled = RULEBOOK.compiled
    heads = heads_in(json.loads(json.dumps(storable_heads(compiled))))
    assert [*heads.values()] == [head_of(policy) for policy in compiled]
    for key, rule in RULEBOOK.rules.items():
        assert (heads[key].severities, heads[key].habit) == (rule.severity, rule.habit), key


@pytest.mark.slow
def test_few_policies_are_read_for_a_small_file() -> None:
    book = load_rulebook(VOCABULARY)
    check([Input("a.mqsc", data=b"DEFINE QLOCAL(A)\n")], Settings(), ANALYSER, book)
    assert len(book.read) < len(book.rules) / 5


@pytest.mark.parametrize(
    ("profiles", "severity"),
    [
        ({"default"}, Severity.NOTE),
        ({"default", "production"}, Severity.ERROR),
        ({"dr-test"}, None),
        (set(), None),
    ],
)
def test_the_worst_severity_of_the_profiles_counts(
    profiles: set[str], severity: Severity | None
) -> None:
    severities = {"default": Severity.NOTE, "production": Severity.ERROR}
    rule = replace(next(iter(RULEBOOK.rules.values())), severity=severities)
    assert Grading().severity_in(frozenset(profiles), rule, None) == severity


GRADING = Grading(frozenset(PROFILES))
PLAIN = Index(replace(policy, clauses=()) for policy in RULEBOOK.policies)
"""An index that knows nothing, so that every policy is asked of every fact."""


@pytest.mark.slow
def test_the_example_estate_is_judged_alike(estate: Path) -> None:
    settings = load_settings((estate / "mqlint.yaml").read_text("utf-8"), "mqlint.yaml")
    files = [file for file in estate.rglob("*") if file.is_file()]
    seen = 0
    for facts in described(inputs_of(files, estate), settings):
        judgement = judge_queue_manager(RULEBOOK.index, [facts], GRADING)
        assert judgement == judge_queue_manager(PLAIN, [facts], GRADING)
        seen += len(judgement.findings) + len(judgement.claims)
    assert seen > 50


WORDS = {
    "QLOCAL": ["CLUSTER(C1)", "CLUSTER(' ')", "CLUSNL(N)", "USAGE(XMITQ)", "DEFBIND(OPEN)"],
    "QREMOTE": ["XMITQ(X)", "XMITQ(' ')", "RQMNAME(QMB)", "CLUSTER(C1)", "XMITQ({{ .X }})"],
    "QALIAS": ["TARGET(T)", "TARGQ(T)", "CLUSTER(C1)", "TARGTYPE(TOPIC)"],
}


@st.composite
def scripts(draw: st.DrawFn) -> str:
    """Definitions that lean on defaults, on each other and on changed default objects."""
    lines = []
    for _ in range(draw(st.integers(1, 8))):
        noun = draw(st.sampled_from(sorted(WORDS)))
        words = draw(st.lists(st.sampled_from(WORDS[noun]), max_size=3, unique=True))
        name = draw(st.sampled_from(["A", "B", "C", "SYSTEM.DEFAULT.LOCAL.QUEUE"]))
        verb = draw(st.sampled_from(["DEFINE", "ALTER", "DEFINE", "DELETE"]))
        extra = draw(st.sampled_from(["", " LIKE(B)", " REPLACE"])) if verb == "DEFINE" else ""
        lines.append(f"{verb} {noun}({name}) {' '.join(words)}{extra}")
    return "\n".join(lines)


@pytest.mark.slow
@given(scripts())
@settings(deadline=None)
def test_any_script_is_judged_alike(text: str) -> None:
    bound = Settings(queue_managers=("{queue_manager}/*",))
    for facts in described([Input("QMA/a.mqsc", data=text.encode())], bound):
        judgement = judge_queue_manager(RULEBOOK.index, [facts], GRADING)
        assert judgement == judge_queue_manager(PLAIN, [facts], GRADING)


def under_keys(claims: Iterable[Claim]) -> set[Claim]:
    """Claims with one key each: an offer has only the keys that are asked."""
    return {replace(claim, key=key, also=()) for claim in claims for key in claim.keys}


@pytest.mark.slow
def test_a_queue_manager_alone_is_judged_alike(estate: Path) -> None:
    settings = load_settings((estate / "mqlint.yaml").read_text("utf-8"), "mqlint.yaml")
    files = [file for file in estate.rglob("*") if file.is_file()]
    kept = dropped = 0
    for facts in described(inputs_of(files, estate), settings):
        every, few = (
            judge_queue_manager(RULEBOOK.index, [facts], GRADING, alone=alone)
            for alone in (False, True)
        )
        assert few.findings == every.findings
        assert under_keys(few.claims.values()) <= under_keys(every.claims.values())
        policies = RULEBOOK.policies_by_id
        found = judge_claims(policies, few.claims.values())
        assert sorted(map(str, found)) == sorted(
            map(str, judge_claims(policies, every.claims.values()))
        )
        kept, dropped = kept + len(found), dropped + len(every.claims) - len(few.claims)
    assert kept > 0
    assert dropped > 0
