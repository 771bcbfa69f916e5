"""What one policy calls clean, no other calls wrong, unless the case says so under `also:`."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqlint.config.errors import ConfigError
from mqlint.engine.cases import run_case
from mqlint.engine.document.analyse import Analyser
from mqlint.policy.language.cases import Case, cases_of
from mqlint.policy.load import PolicySource, builtin_sources
from mqlint.policy.rulebook import Rulebook


def raised_besides(case: Case, rule: str, analyser: Analyser, rulebook: Rulebook) -> set[str]:
    """Return the other rules that a case raises, under each profile of the policy in turn."""
    profiles = case.profiles or tuple(rulebook.rules[rule].severity)
    runs = (run_case(case, analyser, rulebook, {profile}) for profile in profiles)
    return {finding.rule.id for run in runs for finding in run.findings} - {rule}


@pytest.mark.slow
@pytest.mark.sample(30)  # in all profiles at once: tests/policy/test_cases.py
@pytest.mark.parametrize("source", builtin_sources(), ids=lambda source: Path(source.path).stem)
def test_clean_cases_raise_only_what_they_list_in_each_profile(
    source: PolicySource, analyser: Analyser, rulebook: Rulebook
) -> None:
    rule = Path(source.path).stem.upper()
    clean = [case for case in cases_of(source) if not case.flagged]
    raised = {case.name: raised_besides(case, rule, analyser, rulebook) for case in clean}
    assert raised == {case.name: set(case.also) for case in clean}


CASE = """
cases:
  - name: one
    files: {{a.mqsc: ""}}
    {}
"""


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ("flagged: [a.mqsc:1]\n    also: [CHN001]", "6:5: also is only for cases without findings"),
        ("flagged: []\n    profiles: [prodction]", "6:16: found 'prodction': did you mean"),
        ("flagged: []\n    als: [CHN001]", "6:5: unknown key 'als': did you mean 'also'?"),
    ],
)
def test_a_case_that_is_not_well_formed(keys: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        cases_of(PolicySource("a.yaml", "a", CASE.format(keys)))
    assert f"a.yaml:{says}" in str(caught.value)
