"""Fixes of findings for reports that can propose them: each is proven as `mqlint fix` does."""

from __future__ import annotations

from collections.abc import Sequence

from mqlint.cli.check.run import ProjectRun, RunOptions
from mqlint.cli.check.waivers import waivers_of
from mqlint.cli.common.targets import Scope
from mqlint.engine import Analyser
from mqlint.engine.repair import Repair
from mqlint.engine.run import Suppressing, grading_of


def propose(scopes: Sequence[Scope], outcomes: Sequence[ProjectRun], options: RunOptions) -> None:
    """Give findings of runs the fixes that are proven."""
    for scope, outcome in zip(scopes, outcomes, strict=True):
        session, targets = scope.session, scope.targets
        if not outcome.run.findings:
            continue
        waivers = waivers_of(session, complete=targets.complete) if options.ignores else None
        repair = Repair(
            targets.everything,
            outcome.settings,
            Analyser(session.vocabulary),
            session.rulebook,
            grading_of(outcome.settings, options.profiles),
            Suppressing(options.ignores, waivers),
        )
        outcome.run.findings = repair.with_proposals(outcome.run.findings)
