"""The plans of all queue managers of two sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from mqlint.chlauth.access import ChannelAccess
from mqlint.chlauth.admission import Admission, admissions
from mqlint.chlauth.wildcard import generic_fits
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.project import ProjectOptions
from mqlint.cli.diff.sides import Result, Side, compare_sides, sides_of
from mqlint.config.errors import not_among
from mqlint.dataclass import frozen
from mqlint.model.change.between import Precedence, precedences
from mqlint.model.change.dependants import Dependants
from mqlint.model.change.plan import Plan, plan_of
from mqlint.model.comparison.difference import Difference, Ignored
from mqlint.model.comparison.written import Rename
from mqlint.model.core.queue_manager import QueueManager
from mqlint.vocabulary.effects import Effects

_DECIDING = ("CHLAUTH", "CONNAUTH", "REVDNS")
"""Attributes of the queue manager that decide on connections."""


@frozen
class Plans:
    """The plans of all queue managers; `result` is the comparison of B with A, in this order.

    `admitted` are the connections that channel authentication decides in another way afterwards.
    `between` is what one queue manager needs before another.
    """

    a: Side
    b: Side
    result: Result
    plans: tuple[Plan, ...]
    admitted: Mapping[Plan, tuple[Admission, ...]]
    between: tuple[Precedence, ...]

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
            raise Refusal(f"no queue manager {name} on both sides: {why}")
        between = tuple(
            found
            for found in self.between
            if name in (found.first.queue_manager, found.then.queue_manager)
        )
        return replace(self, plans=plans, between=between)


def plans_of(
    paths: tuple[str, ...], ignored: Ignored, rename: Rename, options: ProjectOptions
) -> Plans:
    """Return the plans for two sides; Refusal if one cannot be read, or has no configuration."""
    a, b = sides_of(paths, options)
    result = compare_sides(b, a, ignored, rename)
    plans: tuple[Plan, ...] = ()
    if result.comparisons:
        effects = Effects(result.comparisons[0].a.vocabulary)
        dependants = Dependants(b.managers, rename)
        plans = tuple(
            plan_of(comparison, rename, effects, dependants) for comparison in result.comparisons
        )
    # The records that decide must have the names and addresses of A.
    wanted = b.mapped(rename) if rename is not str and plans else {}
    admitted = {}
    for plan in plans:
        after = plan.wanted if rename is str else wanted.get(plan.wanted.key)
        admitted[plan] = () if after is None else tuple(_admitted(plan, after))
    return Plans(a, b, result, plans, admitted, tuple(precedences(plans, rename)))


def _admitted(plan: Plan, after: QueueManager) -> Iterator[Admission]:
    """The connections that are decided differently; unchanged channels are not evaluated.

    `after` is the wanted queue manager with the names and values of A.
    """
    profiles, is_about_all = set[str](), False
    for step in plan.steps:
        words = {change.attribute for change in step.changes}
        is_about_all |= step.type == "authinfo" or (
            step.type == "qmgr" and not words.isdisjoint(_DECIDING)
        )
        if step.type in ("chlauth", "channel"):
            profiles.add(step.name.partition(" TYPE(")[0])
    if not profiles and not is_about_all:
        return

    generic = [profile for profile in profiles if "*" in profile]

    def is_concerned(channel: str) -> bool:
        if is_about_all or channel in profiles:
            return True
        return any(generic_fits(profile, channel) for profile in generic)

    now, wanted = ChannelAccess(plan.now), ChannelAccess(after)
    yield from admissions(now, wanted, is_concerned)
