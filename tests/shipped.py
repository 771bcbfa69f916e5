"""The vocabulary and the rules that come with the tool, loaded once a process.

Compiling the rules from their YAML takes about a second, and dozens of test modules need them when
they are imported.
"""

from __future__ import annotations

from functools import cache

from mqlint.policy.load import load_rulebook
from mqlint.policy.rulebook import Rulebook
from mqlint.vocabulary import Vocabulary
from mqlint.vocabulary.load import load_vocabulary


@cache
def shipped_vocabulary() -> Vocabulary:
    return load_vocabulary()


@cache
def shipped_rulebook() -> Rulebook:
    return load_rulebook(shipped_vocabulary())
