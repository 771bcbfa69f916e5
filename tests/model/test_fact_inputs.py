"""Types of facts whose inputs a queue manager lacks are skipped: it must have none of them.

Texts are those of the cases of all policies. Else a type that is made of more than its `inputs`
say would have facts that no rule sees.
"""

from __future__ import annotations

import pytest

from mqlint.engine.document.analyse import Analyser
from mqlint.engine.loading.load import Input
from mqlint.engine.project import Project
from mqlint.model.facts.registry import FACT_TYPES
from mqlint.policy.language.cases import cases_of
from mqlint.policy.load import PolicySource, builtin_sources


@pytest.mark.slow
@pytest.mark.parametrize("source", builtin_sources(), ids=lambda source: source.path)
def test_no_fact_is_skipped(source: PolicySource, analyser: Analyser) -> None:
    for case in cases_of(source):
        inputs = [
            Input(path, data=text.encode("utf-8", "surrogatepass")) for path, text in case.files
        ]
        for descriptions in Project.of(inputs, case.settings, analyser).descriptions():
            for facts in descriptions:
                skipped = FACT_TYPES.keys() - {*facts.possible(FACT_TYPES)}
                found = {kind for kind in skipped if any(True for _ in facts.of(kind))}
                assert not found, (case.name, facts.inputs)
