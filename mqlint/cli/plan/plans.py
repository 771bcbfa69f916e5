"""The plans of all queue managers of two sides."""

from __future__ import annotations

from dataclasses import replace

from mqlint.cli.common.group import Refusal
from mqlint.cli.common.project import ProjectOptions
from mqlint.cli.diff.pairs import Rename, Result, compare_sides
from mqlint.cli.diff.sides import Side, sides_of
from mqlint.config.errors import not_among
from mqlint.dataclass import frozen
from mqlint.model.change.plan import Plan, plan_of
from mqlint.model.comparison.difference import Difference, Ignored
from mqlint.report.terminal import visible
from mqlint.vocabulary.effects import Effects


@frozen
class Plans:
    """The plans of all queue managers; `result` is the comparison of B with A, in this order."""

    a: Side
    b: Side
    result: Result
    plans: tuple[Plan, ...]

    @property
    def alone(self) -> list[Difference]:
        """Queue managers and files that only one side has, or that were not read."""
        return [found.flipped() for found in self.result.alone]

    def only(self, name: str) -> Plans:
        """Return the plan of one queue manager; Refusal if there is none of the name."""
        plans = tuple(plan for plan in self.plans if plan.now.key.name == name)
        if not plans:
            known = [plan.now.key.name for plan in self.plans]
            why = not_among(name, known)
            raise Refusal(f"no queue manager {visible(name)} on both sides: {visible(why)}")
        return replace(self, plans=plans)


def plans_of(
    paths: tuple[str, ...], ignored: Ignored, rename: Rename, options: ProjectOptions
) -> Plans:
    """Return the plans for two sides; Refusal if one cannot be read, or has no configuration."""
    a, b = sides_of(paths, options)
    for side in (a, b):
        if not side.digests and not side.gaps:
            raise Refusal(f"no MQ configuration in {visible(side.label)}")
    result = compare_sides(b, a, ignored, rename)
    plans: tuple[Plan, ...] = ()
    if result.comparisons:
        effects = Effects(result.comparisons[0].a.vocabulary)
        plans = tuple(plan_of(comparison, rename, effects) for comparison in result.comparisons)
    return Plans(a, b, result, plans)
