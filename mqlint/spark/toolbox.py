"""What executors need to judge, and what each of their processes builds from it once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from mqlint.config.settings import Settings
from mqlint.engine.analyse import Analyser
from mqlint.engine.assemble import Assembly
from mqlint.engine.run import grading_of
from mqlint.policy.build import Compiled
from mqlint.policy.judge import Grading
from mqlint.policy.rulebook import Rulebook
from mqlint.vocabulary import Vocabulary

Fed = tuple[str, str, str]
"""A script, the file it feeds to runmqsc, and the queue manager it feeds it to."""


@dataclass(frozen=True)
class Setup:
    """All that judging needs, in a form that can be sent: plain data, no open files.

    `digest` differs for setups that differ.
    """

    vocabulary: Mapping[str, Mapping[str, object]]
    policies: tuple[Compiled, ...]
    settings: Settings
    grading: Grading
    fed: tuple[Fed, ...] = ()
    digest: str = ""

    def knowing(self, fed: Sequence[Fed]) -> Setup:
        """Return this setup for an estate whose scripts feed the files `fed`."""
        content = json.dumps([self.digest, list(fed)])
        return replace(self, fed=tuple(fed), digest=_digest(content))


def setup_of(
    vocabulary: Mapping[str, Mapping[str, object]],
    rulebook: Rulebook,
    settings: Settings,
    profiles: Sequence[str] = (),
) -> Setup:
    """Return what executors need: the compiled `vocabulary`, the rules, the settings.

    The rules go with the values that the settings give to parameters; ConfigError as of
    `Rulebook.tuned`.
    """
    compiled = tuple(rulebook.tuned(settings.parameters).compiled)
    content = json.dumps([vocabulary, compiled, repr(settings), sorted(profiles)], sort_keys=True)
    return Setup(
        vocabulary, compiled, settings, grading_of(settings, profiles), digest=_digest(content)
    )


def _digest(content: str) -> str:
    return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


class Toolbox:
    """What a process builds from a setup: the parser, the rules and the assembly."""

    def __init__(self, setup: Setup) -> None:
        """Build everything now: it is asked for once for each process and setup."""
        self.grading = setup.grading
        self.vocabulary = Vocabulary.from_compiled(setup.vocabulary)
        self.analyser = Analyser(self.vocabulary)
        self.rulebook = Rulebook(setup.policies)
        self.assembly = Assembly(setup.settings, self.vocabulary, setup.fed)
        self._alone = Assembly(setup.settings, self.vocabulary)

    def is_fed(self, path: str) -> bool:
        """Whether it takes a script that feeds the file `path` to know whose it is."""
        return self.assembly.owner(path, None) != self._alone.owner(path, None)


_toolboxes: dict[str, Toolbox] = {}


def toolbox(setup: Setup) -> Toolbox:
    """Return this process's tools for `setup`, built at the first call."""
    found = _toolboxes.get(setup.digest)
    if found is None:
        _toolboxes.clear()
        found = _toolboxes[setup.digest] = Toolbox(setup)
    return found
