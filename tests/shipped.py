"""The vocabulary and the rules that come with the tool, loaded once a process.

Compiling the rules from their YAML takes about a second, and dozens of test modules need them when
they are imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from mqlint.cli.common import project
from mqlint.policy.load import PolicySource, load_rulebook
from mqlint.policy.rulebook import Rulebook
from mqlint.vocabulary import Vocabulary
from mqlint.vocabulary.load import load_vocabulary


@cache
def shipped_vocabulary() -> Vocabulary:
    return load_vocabulary()


@cache
def shipped_rulebook() -> Rulebook:
    return load_rulebook(shipped_vocabulary())


def load_once(patch: pytest.MonkeyPatch) -> None:
    """Let commands that run in this process share both: to load them takes longer than to judge."""

    def vocabulary(cache_folder: Path | None = None) -> Vocabulary:
        return shipped_vocabulary()

    def rulebook(
        vocabulary: Vocabulary, cache_folder: Path | None, user: Sequence[PolicySource]
    ) -> Rulebook:
        return load_rulebook(vocabulary, cache_folder, user) if user else shipped_rulebook()

    patch.setattr(project, "load_vocabulary", vocabulary)
    patch.setattr(project, "load_rulebook", rulebook)
