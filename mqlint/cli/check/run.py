"""Runs of `check` over projects: each is judged by its own configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mqlint import engine
from mqlint.cli.check.waivers import waivers_of
from mqlint.cli.common import completion
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import AT_LEAST_ONE, group, option
from mqlint.cli.common.policy_choice import PolicyChoice
from mqlint.cli.common.project import Session
from mqlint.cli.common.targets import Scope
from mqlint.config.project import Project, limits_of
from mqlint.config.settings import Settings
from mqlint.dataclass import frozen
from mqlint.engine import Run
from mqlint.finding import Finding, Rule, Severity
from mqlint.report import Known
from mqlint.source.checkout import Checkout
from mqlint.source.display import display_path
from mqlint.source.project_files import OnDisk

if TYPE_CHECKING:
    from mqlint.cli.check.diff import CommitChange


@frozen
class RunOptions:
    """The options that say how a run judges.

    `fail_on` is None if each project's configuration decides.
    """

    choice: PolicyChoice = group(PolicyChoice)
    profiles: tuple[str, ...] = option(
        "--profile NAME",
        "Run the rules of this profile.",
        multiple=True,
        shell_complete=completion.profiles,
    )
    jobs: int | None = option(
        "--jobs N",
        "Share the work between up to N processes. Default: as many as pay off.",
        type=AT_LEAST_ONE,
    )
    no_ignores: bool = option(
        "--no-ignores",
        "Also show findings that comments (mqlint: ignore[...]) and waivers suppress.",
    )
    fail_on: str | None = option(
        "--fail-on",
        "Exit with 1 for findings of this severity or higher. Default: fail_on of "
        "mqlint.yaml, otherwise error.",
        type=click.Choice(["note", "warning", "error", "never"]),
    )

    @property
    def ignores(self) -> bool:
        """Whether comments and waivers suppress findings."""
        return not self.no_ignores


@frozen
class GitComparison:
    """The options that say which commit a run is compared with."""

    base: str | None = option(
        "--diff BASE",
        "Report only findings that are new since this Git commit (main, HEAD, origin/main...).",
    )
    accept_exceptions: bool = option(
        "--accept-exceptions",
        "With --diff: apply new ignores, waivers and looser settings, and still report them.",
    )


@frozen
class ProjectRun:
    """The result of one project: `known` findings are not new; `fails` is for the other ones.

    `settings` are those of the project with what the command line says.
    """

    session: Session
    settings: Settings
    run: Run
    known: list[Known]
    fails: bool


def run_check(
    scopes: Sequence[Scope], options: RunOptions, change: CommitChange | None
) -> list[ProjectRun]:
    """Judge each project by its own configuration; of a change, by what it was before."""
    if len(scopes) > 1:
        _require_one_project(scopes[0].session)
    for scope in scopes:
        scope.session.require_known_words(options.profiles)

    def rules() -> Mapping[str, Rule]:
        """All rules that words on the command line may name."""
        rulebooks = [scope.session.rulebook.rules for scope in scopes]
        return {key: rule for rules in rulebooks for key, rule in rules.items()}

    outcomes = []
    for scope in scopes:
        settings = options.choice.settings(scope.session.settings, rules)
        if change is None:
            run, known = judge(scope, settings, options), []
        else:
            run, at_base = change.judge(scope, settings, options)
            known = [at_base]
        outcomes.append(_compared(scope, settings, options, run, known))
    return outcomes


def _require_one_project(session: Session) -> None:
    for name, file in (("--waivers", session.waivers), ("--baseline", session.baseline)):
        if file is not None:
            raise Refusal(f"{name} is for one project, but PATHS belong to several")


def judge(scope: Scope, settings: Settings, options: RunOptions) -> Run:
    session, targets = scope.session, scope.targets
    run = engine.check(
        targets.inputs,
        settings,
        session.analyser,
        session.rulebook,
        context=targets.context,
        profiles=options.profiles,
        jobs=options.jobs,
        ignores=options.ignores,
        waivers=waivers_of(session, complete=targets.complete) if options.ignores else None,
        checkout=checkout_of(session.project),
    )
    run.assumptions.extend(targets.notes)
    return run


def checkout_of(project: Project) -> Checkout:
    return Checkout.of(OnDisk(limits_of(project)), project.root)


def _compared(
    scope: Scope, settings: Settings, options: RunOptions, run: Run, known: list[Known]
) -> ProjectRun:
    """The findings of a run that the baseline does not know, and whether they fail the check."""
    session = scope.session
    file = session.baseline_path
    if file is not None:
        from mqlint.cli.check.comparison import (  # here, as few runs need it
            compared,
            unproven_rules,
        )

        checked = run.coverage.checked_paths()
        unproven = unproven_rules(session, settings, checked, options.profiles)
        gone = unproven if scope.targets.complete else None
        run.findings, known = compared(session, run.findings, file, gone, known)
    fails = verdict(run.findings, options.fail_on or settings.fail_on)
    return ProjectRun(session, settings, run, known, fails)


def folder_of(project: Project, root: Path) -> str:
    """Return what the paths of a project begin with when they are relative to `root`."""
    return "" if project.root == root else f"{display_path(project.root, root)}/"


def verdict(findings: Sequence[Finding], threshold: str) -> bool:
    """Return whether findings fail a check, from the severity `threshold` on."""
    if threshold == "never":
        return False
    limit = Severity.of(threshold)
    return any(finding.severity >= limit for finding in findings)
