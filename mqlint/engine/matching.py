"""How many facts of some files each policy matches, whatever its check finds."""

from __future__ import annotations

from dataclasses import replace

from mqlint.engine.project import Project
from mqlint.policy.rulebook import Rulebook
from mqlint.policy.run.index import Index


def matches(project: Project, rulebook: Rulebook) -> dict[str, int]:
    """Return the number of facts that each policy matches, by the policy's id.

    A fact that scripts and a dump of one queue manager both describe counts once.
    """
    # An index leaves out what cannot be wrong: here it is asked without what it knows.
    index = Index(replace(policy, clauses=()) for policy in rulebook.policies)
    counts = dict.fromkeys((policy.id for policy in rulebook.policies), 0)
    for descriptions in project.descriptions():
        seen: dict[str, set[tuple[str, str]]] = {}
        for facts in descriptions:
            for rule, found in index.matched(facts).items():
                seen.setdefault(rule, set()).update((fact.type, fact.key) for fact in found)
        for rule, keys in seen.items():
            counts[rule] += len(keys)
    return counts
