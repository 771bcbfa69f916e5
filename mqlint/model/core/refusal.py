"""Commands that the queue manager refuses because of their content, so that they change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from mqlint.finding import Diagnostic
from mqlint.language.mqsc import Command
from mqlint.validity import Validity
from mqlint.vocabulary import Target, Vocabulary

_CERTAIN = frozenset(
    "unknown-attribute misplaced-attribute repeated-attribute exclusive-attributes"
    " missing-attribute missing-value misquoted-value unwanted-value empty-value missing-name"
    " bad-name bad-value bad-address address-range address-overlap too-long too-many-items"
    " attribute-conflict chlauth-profile chlauth-source chlauth-removal chlauth-client-user"
    " chlauth-peer-name".split()
)
"""Diagnostics for which a source says that the command is rejected."""


@lru_cache(maxsize=32)
def _validity(vocabulary: Vocabulary, target: Target) -> Validity:
    return Validity(vocabulary, target)


def is_refused(command: Command, vocabulary: Vocabulary, target: Target) -> bool | None:
    """Whether the queue manager rejects a command for its words and values alone.

    None if it may: a word or a value is only for other platforms.
    """
    codes = {diagnostic.code for diagnostic in _validity(vocabulary, target).check(command)}
    if not codes.isdisjoint(_CERTAIN):
        return True
    return None if "wrong-platform" in codes else False


def foreign_words(command: Command, vocabulary: Vocabulary, target: Target) -> Iterator[Diagnostic]:
    """Yield the words of a command that the platform of `target` does not have."""
    for found in _validity(vocabulary, target).check(command):
        if found.code == "wrong-platform":
            yield found
