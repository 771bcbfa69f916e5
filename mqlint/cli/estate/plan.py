"""What is scanned: one project as `mqlint check` reads it, or an estate of repositories."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mqlint.cli.check.in_force import in_order, of_command_line, of_project, of_repository
from mqlint.cli.check.run import RunOptions
from mqlint.cli.check.waivers import today, waivers_of
from mqlint.cli.common.files import text_of
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.policy_choice import PolicyChoice
from mqlint.cli.common.project import Session, shown_path
from mqlint.cli.estate.audited import Audited, AuditOptions, audited_by
from mqlint.config.errors import ConfigError
from mqlint.config.project import absolute_path
from mqlint.config.settings import Settings
from mqlint.dataclass import frozen
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.run import assumptions
from mqlint.finding.baseline import BaselineEntry
from mqlint.grouping import grouped
from mqlint.report.in_force import InForce
from mqlint.report.report import Known

if TYPE_CHECKING:
    from mqlint.config.estate.repositories import Estate
    from mqlint.estate.io.config_files import Texts
    from mqlint.estate.io.repositories import Repository
    from mqlint.estate.io.sources import Source
    from mqlint.estate.scanning import Configure
    from mqlint.estate.stages.collect import Configuration
    from mqlint.estate.stages.scan import Scan


_NOTHING_GIVEN = AuditOptions()


@frozen
class ProjectPlan:
    """One folder, judged by the configuration found upward from it."""

    session: Session
    settings: Settings
    folder: Path
    out: Path
    profiles: tuple[str, ...]
    audited: Audited

    @property
    def _complete(self) -> bool:
        return self.folder == self.session.project.root

    @property
    def sources(self) -> Sequence[Source]:
        """What is read."""
        from mqlint.estate.io.sources import Source

        root, folder = str(self.session.project.root), str(self.folder)
        exclude = self.session.settings.exclude
        return [Source("", "project", folder, root, exclude=exclude, without=(str(self.out),))]

    @property
    def is_empty(self) -> bool:
        """Whether it has neither a file nor a repository."""
        walked = os.walk(self.folder)
        return not any(
            files and not Path(folder).is_relative_to(self.out) for folder, _, files in walked
        )

    def configure(self, texts: Mapping[str, Texts]) -> Configuration:
        from mqlint.estate.stages.collect import Configuration
        from mqlint.estate.stages.context import setup_of

        session = self.session
        compiled = session.vocabulary.compiled
        setup = setup_of(compiled, session.rulebook, self.settings, self.profiles)
        waivers = waivers_of(session, complete=self._complete)
        baseline = self._baseline()
        return Configuration(
            setup,
            waivers={} if waivers is None else {"": waivers},
            baselines={} if baseline is None else {"": baseline},
            settings={"": session.settings},
            teams=self.audited.teams,
            register=self.audited.register,
        )

    def _baseline(self) -> Sequence[BaselineEntry] | None:
        file = self.session.baseline_path
        if file is None:
            return None
        from mqlint.cli.check.comparison import read_baseline  # here, as few runs need it

        return read_baseline(self.session, file)

    def known(self, found: Scan) -> list[Known]:
        """Return what baselines know of the findings."""
        file = self.session.baseline_path
        if file is None:
            return []
        from mqlint.cli.check.comparison import unproven_rules  # here, as few runs need it

        gone: list[BaselineEntry] = []
        if self._complete:
            paths = found.checked_paths()
            unproven = unproven_rules(self.session, self.settings, paths, self.profiles)
            gone = [entry for entry in found.stale[""] if entry.rule not in unproven]
        return [Known("baseline", shown_path(file), found.known.get("", ()), gone)]

    def assumed(self, found: Scan) -> list[str]:
        """Return what a person should know of how it was judged."""
        assembly = Assembly(self.settings, self.session.vocabulary)
        own = assumptions(found.checked_paths(), assembly)
        return [*self.audited.notes, *own, *found.assumed]

    def in_force(self, found: Scan, known: Sequence[Known], options: RunOptions) -> list[InForce]:
        """Return what makes it judge otherwise than by default."""
        return in_order(of_project(self.session, found.ignored, known, options))


@frozen
class EstatePlan:
    """Repositories and dumps, each judged by the configuration at its top."""

    session: Session
    repositories: Mapping[str, Repository]
    choice: PolicyChoice
    profiles: tuple[str, ...]
    audited: Audited

    @property
    def sources(self) -> Sequence[Source]:
        return [repository.source for repository in self.repositories.values()]

    @property
    def is_empty(self) -> bool:
        return not self.repositories

    @property
    def configure(self) -> Configure:
        from mqlint.estate.stages.configuration import Configurator

        session = self.session
        return Configurator(
            self.repositories,
            session.vocabulary,
            session.rulebook,
            self.profiles,
            self.choice.settings,
            today(),
            self.audited.teams,
            self.audited.register,
        )

    def known(self, found: Scan) -> list[Known]:
        return [
            Known("baseline", f"the baseline of {name}", found.known.get(name, ()))
            for name in found.configuration.baselines
        ]

    def assumed(self, found: Scan) -> list[str]:
        return [*self.audited.notes, *found.configuration.notes, *found.assumed]

    def in_force(self, found: Scan, known: Sequence[Known], options: RunOptions) -> list[InForce]:
        """Each repository has settings of its own."""
        names = found.configuration.settings
        ignored = grouped((finding.repository, finding) for finding in found.ignored)
        rules = self.session.rulebook.rules
        rows = (
            row
            for name, settings in names.items()
            for row in of_repository(name, settings, rules, ignored.get(name, ()), options)
        )
        return in_order([*rows, *of_command_line(options, known)])


ScanPlan = ProjectPlan | EstatePlan
"""What is scanned, how it is judged, and what of its findings is known."""


def plan_of(
    estate: Path,
    session: Session,
    choice: PolicyChoice,
    out: Path,
    profiles: tuple[str, ...],
    files: AuditOptions = _NOTHING_GIVEN,
) -> ScanPlan:
    """Return what ESTATE, a file or a folder, stands for; ConfigError where the file is wrong.

    `files` override what the file says of the register and of teams.
    """
    from mqlint.estate.io.repositories import repositories_in, repositories_of

    place = absolute_path(estate)
    if not estate.is_dir():
        _require_no_baseline(session)
        described = _described(estate)
        found = repositories_of(described, place.parent, out)
        audited = audited_by(files, described, place.parent)
        return EstatePlan(session, found, choice, profiles, audited)
    audited = audited_by(files)
    if session.project.config_path is None and not _is_in_checkout(estate):
        found = repositories_in(place, out)
        if found:
            _require_no_baseline(session)
            return EstatePlan(session, found, choice, profiles, audited)
    settings = choice.settings(session.settings, lambda: session.rulebook.rules)
    return ProjectPlan(session, settings, place, out, profiles, audited)


def _described(file: Path) -> Estate:
    """What a file says of an estate; ConfigError, or Refusal if it is not meant to say that."""
    from mqlint.config.estate.repositories import KEYS, estate_from
    from mqlint.config.reader import read_kind

    text = text_of(file)
    try:
        return estate_from(read_kind(text, str(file), KEYS))
    except ConfigError:
        if file.suffix.lower() in (".yaml", ".yml"):
            raise
        raise Refusal(
            f"{file} is not a YAML file with repositories and dumps: ESTATE is one, or a folder"
        ) from None


def _require_no_baseline(session: Session) -> None:
    if session.baseline is not None:
        raise Refusal("--baseline is for one project, but ESTATE has several")


def _is_in_checkout(folder: Path) -> bool:
    from mqlint.config.project import git_top

    return git_top(folder) is not None
