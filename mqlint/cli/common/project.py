"""The session of a command: the project, its settings, its rules, the cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from mqlint.cli.common.files import readable, text_in
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import EXISTING_FILE, option
from mqlint.config.errors import not_among
from mqlint.config.project import Project, find_project, git_top, limits_of
from mqlint.config.settings import PROFILES, Settings, severities_in
from mqlint.config.user_cache import user_cache
from mqlint.dataclass import NamedTuple, frozen
from mqlint.language.registry import unknown_types
from mqlint.policy.load import PolicySource, load_rulebook, user_sources
from mqlint.policy.rulebook import Rulebook
from mqlint.report.terminal import visible
from mqlint.source.project_files import OnDisk, ProjectFiles
from mqlint.source.read import Unreadable
from mqlint.source.secrets import secret_spans
from mqlint.vocabulary import Vocabulary
from mqlint.vocabulary.load import load_vocabulary

if TYPE_CHECKING:
    from mqlint.config.extends import Shared
    from mqlint.config.node import Node
    from mqlint.engine import Analyser


class Resident(NamedTuple):
    """What a server has loaded for all commands; those of the user are not among the rules."""

    analyser: Analyser
    rulebook: Rulebook


RESIDENT: Final[list[Resident]] = []
"""That of the server of which this process is a copy; empty in any other process."""


@frozen(slots=False)
class Session:
    """One run of a command: built once, loads each part when it is first used.

    `policies` are the files and folders named on the command line, `waivers` and `baseline` the
    files named there, `cache` the folder to keep compiled rules in. `config_named` says that the
    command line names the configuration. `past` are the files at a commit, None for those of now.
    `first` is the session whose vocabulary this one shares, None for its own.
    """

    project: Project
    policies: tuple[Path, ...] = ()
    cache: Path | None = None
    config_named: bool = False
    waivers: Path | None = None
    baseline: Path | None = None
    past: ProjectFiles | None = None
    first: Session | None = None

    def beside(self, project: Project) -> Session:
        return self if project == self.project else replace(self, project=project, first=self)

    @cached_property
    def files(self) -> ProjectFiles:
        """What the configuration, and what it names, is read from."""
        return self.past or OnDisk(limits_of(self.project))

    @property
    def written(self) -> Node | None:
        """The YAML value of the configuration with what it extends; None without a file."""
        return self._configuration[0]

    @property
    def shared(self) -> tuple[Shared, ...]:
        return self._configuration[1]

    @cached_property
    def _configuration(self) -> tuple[Node | None, tuple[Shared, ...]]:
        path = self.project.config_path
        if path is None:
            return None, ()
        from mqlint.config.stored import stored_settings  # here, as many projects have none

        text = self.text_of(path, named=self.config_named)
        is_own = self.past is None and self.first is None and not secret_spans(text)
        root = stored_settings(text, self.shown(path), self.cache if is_own else None)
        if root.kind != "mapping" or "extends" not in root.pairs:
            return root, ()
        from mqlint.cli.common.shared import with_shared  # here, as most extend nothing

        found = with_shared(root, self)
        return found.root, found.shared

    @cached_property
    def settings(self) -> Settings:
        """What the configuration says; ConfigError if it is wrong."""
        if self.written is None:
            return Settings()
        from mqlint.config.loader import settings_from

        return settings_from(self.written)

    @property
    def baseline_path(self) -> Path | None:
        """The file of the baseline: the one named, else that of the configuration."""
        configured = self.settings.baseline
        return self.baseline or (self.project.root / configured if configured else None)

    def shown(self, path: Path) -> str:
        """Return a path of the configuration as messages name it."""
        return shown_path(path) + self.files.label

    def bytes_of(self, path: Path, *, named: bool) -> bytes:
        """Return the bytes of a file of the configuration; Refusal where it cannot be read.

        `named` says that the command line names it. ConfigError if the configuration does.
        """
        data, shown = self.files.read(path, named=named), self.shown(path)
        if isinstance(data, Unreadable) and not named and path != self.project.config_path:
            for setting in map(self._setting, ("waivers", "baseline")):
                if setting is not None and self.project.root / setting.raw == path:
                    raise setting.error(f"cannot read {shown}: {data.reason}")
        return readable(data, shown)

    def _setting(self, *keys: str) -> Node | None:
        """The value in the configuration that is at these keys, if it is written there."""
        node = self.written
        for key in keys:
            node = node.get(key) if node is not None and node.kind == "mapping" else None
        return node

    def text_of(self, path: Path, *, named: bool) -> str:
        """Return the text of such a file; Refusal also if it is not text."""
        return text_in(self.bytes_of(path, named=named), self.shown(path))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary: commands, attributes and values of MQ."""
        if RESIDENT:
            return RESIDENT[0].analyser.vocabulary
        return load_vocabulary(self.cache) if self.first is None else self.first.vocabulary

    @cached_property
    def analyser(self) -> Analyser:
        from mqlint.engine import Analyser  # here, as some commands read nothing

        return RESIDENT[0].analyser if RESIDENT else Analyser(self.vocabulary)

    @cached_property
    def rulebook(self) -> Rulebook:
        """The rules of the tool, of the configuration and of the command line."""
        if RESIDENT and not self.own_policies:
            rulebook = RESIDENT[0].rulebook
        else:
            rulebook = load_rulebook(self.vocabulary, self.cache, self.own_policies)
        return rulebook.tuned(self.settings.parameters)

    @cached_property
    def own_policies(self) -> list[PolicySource]:
        """The policies that do not come with the tool."""
        return [
            *user_sources(self._shared_policies, named=True),
            *user_sources(self.policy_folders, self.files),
            *user_sources(self.policies, self.files, named=True),
        ]

    @cached_property
    def policy_folders(self) -> list[Path]:
        """The files and folders of policies in the project that the configuration names."""
        paths = [
            path
            for path in (self.project.root / folder for folder in self.settings.policies)
            if path not in self._shared_policies
        ]
        for path in paths:
            fault = self.files.fault(path)
            if fault is not None:
                raise Refusal(f"cannot read {self.shown(path)}: {fault}")
        missing = [path for path in paths if not self.files.exists(path)]
        if missing:
            shown = ", ".join(visible(self.shown(path)) for path in missing)
            message = f"policies that do not exist: {shown}"
            setting = self._setting("policies")
            raise Refusal(message) if setting is None else setting.error(message)
        return paths

    @cached_property
    def _shared_policies(self) -> list[Path]:
        """The files and folders of policies that packages brought."""
        folders = [folder.folder for folder in self.shared if folder.folder]
        paths = [Path(policy) for policy in self.settings.policies] if folders else []
        return [path for path in paths if any(path.is_relative_to(folder) for folder in folders)]

    def require_known_words(self, profiles: Sequence[str]) -> None:
        """Refuse profiles and rules that no policy knows: a typo would silently check less."""
        for profile in profiles:
            own = [defined.name for defined in self.settings.own_profiles]
            if profile not in PROFILES and profile not in own:
                words = not_among(profile, (*PROFILES, *own))
                raise Refusal(f"unknown profile {visible(profile)!r}: {words}")
        path = self.project.config_path
        place = "" if path is None else f"{self.shown(path)}: "
        for problem in unknown_types(self.settings.files.types):
            raise Refusal(f"{place}files: types: {problem}")
        for key, severity in severities_in(self.settings):
            for rule in severity:
                for problem in self.rulebook.unknown([rule]):
                    setting = self._setting(key, rule)
                    if setting is not None:
                        raise setting.key_error(f"{key}: {problem}")
                    raise Refusal(f"{place}{key}: {problem}")


@frozen
class ProjectOptions:
    """The options that say which project it is, by which files it is judged, and what is cached."""

    config: Path | None = option(
        "--config FILE",
        "Use this mqlint.yaml; its folder is the root. Default: the nearest one upward.",
        type=EXISTING_FILE,
    )
    policies: tuple[Path, ...] = option(
        "--policies DIR",
        "Your own policies: a folder or a file. May be given several times.",
        multiple=True,
        type=click.Path(exists=True, path_type=Path),
    )
    waivers: Path | None = option(
        "--waivers FILE",
        "Use this waivers file. Overrides `waivers:` in mqlint.yaml.",
        type=EXISTING_FILE,
    )
    baseline: Path | None = option(
        "--baseline FILE",
        "Count only findings that are not in this file. Overrides `baseline:` in mqlint.yaml.",
        type=click.Path(dir_okay=False, path_type=Path),
    )
    cache: Path | None = option(
        "--cache-dir DIR",
        "Keep compiled rules in DIR, not in the user's cache folder.",
        type=click.Path(file_okay=False, path_type=Path),
        envvar="MQLINT_CACHE_DIR",
    )
    no_cache: bool = option("--no-cache", "Do not read or write a cache.")

    def session(self, paths: Sequence[str] = ()) -> Session:
        """Return the session of the project of the first path, or of the configuration named."""
        if self.config is not None:
            path = self.config.absolute()
            project = Project(path.parent, path)
        else:
            project = find_project(Path(next((path for path in paths if path != "-"), ".")))
        return self.session_of(project)

    def session_of(self, project: Project) -> Session:
        return Session(
            project,
            self.policies,
            self.cache_folder(),
            self.config is not None,
            self.waivers,
            self.baseline,
        )

    def cache_folder(self) -> Path | None:
        """Return the folder of the cache, the user's own where none is named; None for no cache."""
        if self.no_cache:
            return None
        if self.cache is not None:
            require_untracked(self.cache)
        return self.cache or usual_cache()


def usual_cache() -> Path | None:
    """Return the user's own cache folder; None if git tracks files in it, or cannot tell.

    Pipelines that keep caches between jobs often have XDG_CACHE_HOME in the checkout.
    """
    cache = Path(user_cache())
    top = git_top(cache.resolve())
    if top is None:
        return cache
    from mqlint.source.git import GitError

    try:
        return None if _is_tracked(cache, top) else cache
    except GitError:
        return None


def _is_tracked(cache: Path, top: Path) -> bool:
    """Whether git tracks files of a cache in the checkout `top`: a change could bring them."""
    from mqlint.source.git import is_tracked  # here, as the usual cache is in no checkout

    return is_tracked(top, cache.resolve().relative_to(top).as_posix())


def require_untracked(cache: Path) -> None:
    """Refuse a cache in a checkout if git tracks files in it: a change could bring its content."""
    top = git_top(cache.resolve())
    if top is not None and _is_tracked(cache, top):
        raise Refusal(
            f"the cache {shown_path(cache)} has files that git tracks, so a change could "
            "alter what mqlint reads from it: name another folder"
        )


def shown_path(path: Path) -> str:
    """Return a path as a person would write it: relative when it is below the working folder."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
