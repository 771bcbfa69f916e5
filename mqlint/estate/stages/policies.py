"""Policies that repositories have of their own: their texts, compiled on the driver."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import field

from mqlint.config.errors import ConfigError
from mqlint.dataclass import mutable
from mqlint.estate.io.config_files import Content, Texts, bytes_of
from mqlint.estate.io.sources import below
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
