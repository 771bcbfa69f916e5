"""What is scanned: one project as `mqlint check` reads it, or an estate of repositories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
from mqlint.config.project import Project, absolute_path, git_top
from mqlint.config.settings import Settings
from mqlint.dataclass import frozen
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.run import assumptions
from mqlint.finding.baseline import BaselineEntry
from mqlint.grouping import grouped
from mqlint.report.in_force import InForce
from mqlint.report.report import Known
from mqlint.source.walk import walked

if TYPE_CHECKING:
    from mqlint.config.estate.repositories import Estate
    from mqlint.estate.io.config_files import Texts
    from mqlint.estate.io.repositories import Repository
    from mqlint.estate.io.sources import Source
    from mqlint.estate.stages.collect import Configuration
    from mqlint.estate.stages.configuration import Configurator, ProjectJudging
    from mqlint.estate.stages.scan import Scan
    from mqlint.policy.rulebook import Rulebook


_NOTHING_GIVEN = AuditOptions()


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
        """What is read."""
        return [repository.source for repository in self.repositories.values()]

    @property
    def is_empty(self) -> bool:
        """Whether it has neither a file nor a repository."""
        return not self.repositories

    def configure(self, texts: Mapping[str, Texts]) -> Configuration:
        """Return how it is judged, and how folders in it are that have settings of their own."""
        return self._configurator(self.session.rulebook)(texts)

    def _configurator(
        self, rulebook: Rulebook, project: ProjectJudging | None = None
    ) -> Configurator:
        from mqlint.estate.stages.configuration import Configurator

        return Configurator(
            self.repositories,
            self.session.vocabulary,
            rulebook,
            self.profiles,
            self.choice.settings,
            today(),
            self.audited.teams,
            self.audited.register,
            project,
        )

    def known(self, found: Scan) -> list[Known]:
        """Return what baselines know of the findings."""
        return [
            Known("baseline", f"the baseline of {name}", found.known.get(name, ()))
            for name in _named(found)
            if name in found.configuration.baselines
        ]

    def assumed(self, found: Scan) -> list[str]:
        """Return what a person should know of how it was judged."""
        return [*self.audited.notes, *found.configuration.notes, *found.assumed]

    def in_force(self, found: Scan, known: Sequence[Known], options: RunOptions) -> list[InForce]:
        """Return what makes it judge otherwise than by default."""
        return in_order([*self._of_repositories(found, options), *of_command_line(options, known)])

    def _of_repositories(self, found: Scan, options: RunOptions) -> Iterator[InForce]:
        """What makes repositories with settings of their own be judged otherwise."""
        rules, settings = self.session.rulebook.rules, found.configuration.settings
        ignored = grouped((finding.repository, finding) for finding in found.ignored)
        for name in _named(found):
            yield from of_repository(name, settings[name], rules, ignored.get(name, ()), options)


@frozen
class ProjectPlan(EstatePlan):
    """One folder, judged by the configuration found upward from it."""

    settings: Settings
    folder: Path
    out: Path

    @property
    def _complete(self) -> bool:
        return self.folder == self.session.project.root

    @property
    def is_empty(self) -> bool:
        return not any(
            files and not Path(folder).is_relative_to(self.out)
            for folder, files in walked(self.folder)
        )

    def configure(self, texts: Mapping[str, Texts]) -> Configuration:
        from mqlint.estate.stages.configuration import ProjectJudging
        from mqlint.estate.stages.context import OwnPolicies

        session = self.session
        shared = session.beside(Project(session.project.root, None)) if texts else session
        ids = {policy["id"] for policy in shared.rulebook.compiled}
        own = [policy for policy in session.rulebook.compiled if policy["id"] not in ids]
        judging = ProjectJudging(
            session.settings,
            self.settings,
            OwnPolicies(tuple(own)),
            waivers_of(session, complete=self._complete),
            self._baseline(),
        )
        return self._configurator(shared.rulebook, judging)(texts)

    def _baseline(self) -> Sequence[BaselineEntry] | None:
        file = self.session.baseline_path
        if file is None:
            return None
        from mqlint.cli.check.comparison import read_baseline  # here, as few runs need it

        return read_baseline(self.session, file)

    def known(self, found: Scan) -> list[Known]:
        inner = EstatePlan.known(self, found)
        file = self.session.baseline_path
        if file is None:
            return inner
        from mqlint.cli.check.comparison import unproven_rules  # here, as few runs need it

        gone: list[BaselineEntry] = []
        if self._complete:
            paths = self._checked_paths(found)
            unproven = unproven_rules(self.session, self.settings, paths, self.profiles)
            gone = [entry for entry in found.stale[""] if entry.rule not in unproven]
        return [Known("baseline", shown_path(file), found.known.get("", ()), gone), *inner]

    def assumed(self, found: Scan) -> list[str]:
        assembly = Assembly(self.settings, self.session.vocabulary)
        own = assumptions(self._checked_paths(found), assembly)
        return [*self.audited.notes, *found.configuration.notes, *own, *found.assumed]

    def in_force(self, found: Scan, known: Sequence[Known], options: RunOptions) -> list[InForce]:
        ignored = [finding for finding in found.ignored if not finding.repository]
        own = of_project(self.session, ignored, known, options)
        return in_order([*own, *self._of_repositories(found, options)])

    def _checked_paths(self, found: Scan) -> Iterator[str]:
        """The files that were checked, without those in folders with settings of their own."""
        from mqlint.estate.io.sources import repository_of

        names = found.configuration.settings
        return (path for path in found.checked_paths() if not repository_of(path, names))


def _named(found: Scan) -> list[str]:
    """The repositories, and folders of a project, with settings of their own."""
    return [name for name in found.configuration.settings if name]


def plan_of(
    estate: Path,
    session: Session,
    choice: PolicyChoice,
    out: Path,
    profiles: tuple[str, ...],
    files: AuditOptions = _NOTHING_GIVEN,
) -> EstatePlan:
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
    if session.project.config_path is None and git_top(estate) is None:
        found = repositories_in(place, out)
        if found:
            _require_no_baseline(session)
            return EstatePlan(session, found, choice, profiles, audited)
    settings = choice.settings(session.settings, lambda: session.rulebook.rules)
    project = {"": _project(session, place, out)}
    return ProjectPlan(session, project, choice, profiles, audited, settings, place, out)


def _project(session: Session, folder: Path, out: Path) -> Repository:
    """A folder of a project as the only repository, without a name; nothing in `out` is read."""
    from mqlint.config.estate.repositories import EstateEntry
    from mqlint.config.node import Node
    from mqlint.estate.io.repositories import Repository
    from mqlint.estate.io.sources import Source

    path, exclude = str(folder), session.settings.exclude
    root = str(session.project.root)
    source = Source("", "project", path, root, exclude=exclude, without=(str(out),))
    return Repository(source, EstateEntry("repository", path, Node("plain", path, path, 1, 1)))


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
