"""Fixes of findings for reports that can propose them: each is proven as `mqlint fix` does."""

from __future__ import annotations

from collections.abc import Sequence

from mqlint.cli.check.run import ProjectRun, RunOptions
from mqlint.cli.check.waivers import waivers_of
from mqlint.cli.common.targets import Scope
from mqlint.engine import Analyser
from mqlint.engine.fixing.repair import Repair
from mqlint.engine.judgement.criteria import Criteria, Suppressing


def propose(scopes: Sequence[Scope], outcomes: Sequence[ProjectRun], options: RunOptions) -> None:
    """Give findings of runs the fixes that are proven."""
    for scope, outcome in zip(scopes, outcomes, strict=True):
        session, targets = scope.session, scope.targets
        if not outcome.run.findings:
            continue
        waivers = waivers_of(session, complete=targets.complete) if options.ignores else None
        criteria = Criteria.of(
            outcome.settings,
            Analyser(session.vocabulary),
            session.rulebook,
            options.profiles,
            Suppressing(options.ignores, waivers),
        )
        repair = Repair(targets.everything, criteria)
        outcome.run.findings = repair.with_proposals(outcome.run.findings)
