"""How each repository of an estate is judged, by its own settings and policies.

Both are read, and policies are compiled, on the driver.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import date

from mqlint.config.errors import ConfigError
from mqlint.config.estate.repositories import WrittenSettings, given_by, merged
from mqlint.config.estate.teams import Teams
from mqlint.config.globs import Globs
from mqlint.config.loader import read_settings
from mqlint.config.project import CONFIG_NAMES
from mqlint.config.reader import read_kind
from mqlint.config.settings import Settings, severities_in
from mqlint.dataclass import frozen, mutable
from mqlint.engine.judgement.register import Registered
from mqlint.estate.io.config_files import (
    NAMES,
    ConfigNames,
    Content,
    Texts,
    bytes_of,
    place_of,
    with_shared,
)
from mqlint.estate.io.repositories import Repository
from mqlint.estate.io.sources import below, repositories_of
from mqlint.estate.stages.collect import Configuration
from mqlint.estate.stages.context import OwnPolicies, setup_for
from mqlint.estate.tables.schema import Labels
from mqlint.finding import Rule
from mqlint.finding.baseline import BaselineEntry as Known
from mqlint.finding.baseline import BaselineError
from mqlint.finding.baseline import parsed as baseline_of
from mqlint.finding.waiver import TOP, Waivers, waivers_from
from mqlint.grouping import grouped
from mqlint.language.registry import unknown_types
from mqlint.policy.compile.build import Compiled
from mqlint.policy.load import PolicySource, compile_sources
from mqlint.policy.rulebook import Rulebook
from mqlint.vocabulary import Vocabulary


@mutable
class Compiler:
    """Compiles policies; equal texts, as of one set that many repositories hold, once.

    `rulebook` are the rules of all repositories: an id of theirs is taken, but for the same policy.
    """

    vocabulary: Vocabulary
    rulebook: Rulebook
    _done: dict[tuple[str, str], Compiled] = field(default_factory=dict)
    _shared: dict[str, Compiled] = field(default_factory=dict)

    def compiled(
        self, name: str, paths: Sequence[str], texts: Texts
    ) -> tuple[tuple[Compiled, ...], dict[str, str]]:
        """Return the policies of the repository `name`, and by path why some are not run.

        `paths` are those of its policies in the repository, in order.
        """
        own: dict[str, Compiled] = {}
        faults: dict[str, str] = {}
        for path in paths:
            try:
                policy = self._policy(name, path, texts[path])
                if policy["id"] in own:
                    raise ConfigError(f"{name}/{path}", 1, 1, _taken(policy["id"]))
                if policy["id"] not in self._rules:
                    own[policy["id"]] = policy
            except ConfigError as error:
                faults[below(name, path)] = f"a policy is not run: {error}"
        return tuple(own.values()), faults

    def _policy(self, name: str, path: str, data: Content) -> Compiled:
        shown = f"{name}/{path}"
        try:
            text = bytes_of(data, shown).decode("utf-8")
        except UnicodeDecodeError:
            raise ConfigError(shown, 1, 1, "it is not UTF-8") from None
        group = posixpath.basename(posixpath.dirname(shown))
        if (group, text) not in self._done:
            self._done[group, text] = self._compile(PolicySource(shown, group, text))
        return self._done[group, text]

    def _compile(self, source: PolicySource) -> Compiled:
        """A policy; the same object as that of all repositories if it is a copy."""
        (compiled,) = compile_sources([source], self.vocabulary)
        shared = self._rules.get(compiled["id"])
        if shared is not None and {**shared, "group": ""} == {**compiled, "group": ""}:
            return shared
        if shared is not None:
            raise ConfigError(source.path, 1, 1, _taken(compiled["id"]))
        if compiled["kind"] == "diagnostic":
            message = "check: diagnostic is reserved to the rules that come with mqlint"
            raise ConfigError(source.path, 1, 1, message)
        return compiled

    @property
    def _rules(self) -> Mapping[str, Compiled]:
        """The rules of all repositories, by their ids."""
        if not self._shared:
            self._shared = {compiled["id"]: compiled for compiled in self.rulebook.compiled}
        return self._shared


def _taken(rule: str) -> str:
    return f"the id {rule} is taken by another policy"


Chosen = Callable[[Settings, Callable[[], Mapping[str, Rule]]], Settings]
"""Returns settings with what the command line says of rules; it may ask which there are."""


@frozen
class ProjectJudging:
    """How a project is judged, as `mqlint check` does: known before it is listed.

    `chosen` are its settings with what the command line says.
    """

    settings: Settings
    chosen: Settings
    own: OwnPolicies
    waivers: Waivers | None
    baseline: Sequence[Known] | None


@mutable
class Configurator:
    """Works out how each repository is judged, once its own files of settings are here.

    `chosen` adds what the command line says of rules, `today` is the day waivers are judged on,
    `teams` and `register` are those of the estate. `project` is the repository without a name.
    `own` is what repositories have of their own, by their names.
    """

    repositories: Mapping[str, Repository]
    vocabulary: Vocabulary
    rulebook: Rulebook
    profiles: Sequence[str]
    chosen: Chosen
    today: date
    teams: Teams = Teams()
    register: Sequence[Registered] | None = None
    project: ProjectJudging | None = None
    notes: list[str] = field(default_factory=list)
    faults: dict[str, ConfigError] = field(default_factory=dict)
    own: dict[str, OwnPolicies] = field(default_factory=dict)

    def __call__(self, texts: Mapping[str, Texts]) -> Configuration:
        """Return how the estate is judged; a repository whose settings are wrong is not."""
        settings: dict[str, Settings] = {}
        compiler = Compiler(self.vocabulary, self.rulebook)
        repositories, excluding = dict(self.repositories), dict[str, Globs]()
        for name in [*self.repositories, *sorted(texts.keys() - self.repositories.keys())]:
            if name not in repositories:
                inner = self._inner(name, repositories, excluding)
                if inner is None:
                    continue
                repositories[name] = inner
            repository = repositories[name]
            try:
                settings[name] = self._settings(name, repository, texts.get(name, {}), compiler)
            except ConfigError as error:
                self.faults[name] = error
            else:
                excluding[name] = Globs.of_exclude(settings[name].exclude)
        self._note_shared_names(settings)
        of_repositories = dict(settings)
        others = {key: rule for name in settings for key, rule in self._own_rules(name)}
        for name, own in settings.items():
            self._note_unknown_words(name, own)
            settings[name] = self._chosen(name, own, others)
        waivers: dict[str, Waivers] = {}
        baselines: dict[str, tuple[Known, ...]] = {}
        for name, own in settings.items():
            self._accepted(name, own, texts.get(name, {}), waivers, baselines)
        compiled = self.vocabulary.compiled
        setup = setup_for(compiled, self.rulebook, settings, self.faults, self.profiles, self.own)
        labels: dict[str, Labels] = {}
        guests: dict[str, list[str]] = defaultdict(list)
        for name, repository in repositories.items():
            labels[name] = Labels(repository.entry.team, repository.entry.labels)
            if repository.owner is not None:
                guests[repository.owner].append(name)
        notes = tuple(self.notes)
        exceptions = (waivers, baselines, notes, of_repositories, guests)
        return Configuration(setup, labels, *exceptions, self.teams, self.register)

    def _chosen(self, name: str, own: Settings, others: Mapping[str, Rule]) -> Settings:
        """The settings with what the command line says, whose words may stand for `others` too."""
        if not name and self.project is not None:
            return self.project.chosen
        return self.chosen(own, lambda: {**others, **self._rules(name).rules})

    @staticmethod
    def _inner(
        name: str, repositories: Mapping[str, Repository], excluding: Mapping[str, Globs]
    ) -> Repository | None:
        """A folder with settings of its own; None if a repository around it excludes it.

        ESTATE says the same of it as of the repository.
        """
        around = list(repositories_of(name, repositories))
        for outer in around:
            folder = name.removeprefix(f"{outer}/")
            if outer in excluding and excluding[outer].matches(folder):
                return None
        nearest = repositories[around[0]]
        return Repository(nearest.source.inside(name), nearest.entry)

    def _settings(
        self, name: str, repository: Repository, texts: Texts, compiler: Compiler
    ) -> Settings:
        """The settings of a repository, whose policies are compiled on the way."""
        if not name and self.project is not None:
            self.own[name] = self.project.own
            return self.project.settings
        file = next((path for path in CONFIG_NAMES if path in texts), None)
        own = WrittenSettings()
        if file is not None:
            root = read_settings(_decoded(texts[file], f"{name}/{file}"), f"{name}/{file}")
            own = given_by(with_shared(root, texts.get, name))
        settings, overridden = merged(own, repository.entry)
        if overridden:
            self.notes.append(f"{', '.join(overridden)} of {name} overridden by ESTATE")
        self._note_missing(name, settings, repository, texts)
        paths = ConfigNames.by(settings).policies_among(texts)
        policies, faults = compiler.compiled(name, paths, texts)
        self.notes += faults.values()
        self.own[name] = OwnPolicies(policies, faults)
        self._rules(name).tuned(settings.parameters)
        return settings

    def _note_missing(
        self, name: str, settings: Settings, repository: Repository, texts: Texts
    ) -> None:
        named = ConfigNames.by(settings, repository.source.named)
        self.notes += [f"{below(name, path)}: {reason}" for path, reason in named.missing(texts)]
        if len(settings.policies) > NAMES:
            self.notes.append(f"{name} names more than {NAMES} folders of policies: not all run")

    def _note_shared_names(self, settings: Mapping[str, Settings]) -> None:
        """Report repositories that take one name for their queue managers at no site."""
        named = grouped((chosen.repository or name, name) for name, chosen in settings.items())
        self.notes += [
            f"{', '.join(names[:3])} go by one name, {name!r}: "
            "queue managers of one name that are at no site are one in all"
            for name, names in named.items()
            if len(names) > 1
        ]

    def _note_unknown_words(self, name: str, settings: Settings) -> None:
        """Speak of languages and rules that the settings name and that there are not."""
        problems = unknown_types(settings.files.types)
        self.notes += [f"{name}: files: types: {problem}" for problem in problems]
        for key, severity in severities_in(settings):
            unknown = self._rules(name).unknown(severity)
            self.notes += [f"{name}: {key}: {problem}" for problem in unknown]

    def _rules(self, name: str) -> Rulebook:
        """All rules that a repository is judged by, without its values of parameters."""
        own = self.own[name].policies
        return Rulebook.extended(self.rulebook, own) if own else self.rulebook

    def _own_rules(self, name: str) -> Iterator[tuple[str, Rule]]:
        rules = self._rules(name)
        return ((key, rules.rules[key]) for key in rules.own)

    def _accepted(
        self,
        name: str,
        own: Settings,
        texts: Texts,
        waivers: dict[str, Waivers],
        baselines: dict[str, tuple[Known, ...]],
    ) -> None:
        """Add the waivers and the baseline of a repository; faults in them become notes."""
        if not name and self.project is not None:
            if self.project.waivers is not None:
                waivers[name] = self.project.waivers
            if self.project.baseline is not None:
                baselines[name] = tuple(self.project.baseline)
            return
        faults = dict(self.own[name].faults)
        file = place_of(own.waivers)
        if own.waivers and file in texts:
            try:
                text = _decoded(texts[file], below(name, file))
                entries = waivers_from(read_kind(text, file, TOP), self._rules(name).rules)
                waivers[name] = Waivers(entries, self.today, True, file, text)
            except ConfigError as error:
                faults[below(name, file)] = f"waivers are not used: {error}"
        file = place_of(own.baseline)
        if own.baseline and file in texts:
            try:
                baselines[name] = baseline_of(bytes_of(texts[file], below(name, file)))
            except (ConfigError, BaselineError) as error:
                faults[below(name, file)] = f"the baseline is not used: {error}"
        added = [text for path, text in faults.items() if path not in self.own[name].faults]
        self.notes += [f"{name}: {text}" for text in added]
        self.own[name] = replace(self.own[name], faults=faults)


def _decoded(data: Content, path: str) -> str:
    try:
        return bytes_of(data, path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError(path, 1, 1, "it is not UTF-8") from None
