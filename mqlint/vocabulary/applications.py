"""The keys with which configurations of applications describe connections."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from mqlint.dataclass import frozen
from mqlint.vocabulary.load import compiled_table
from mqlint.vocabulary.shape import (
    GROUPS,
    LISTS,
    PAIRS,
    TEXTS,
    WORDS,
    entries,
    optional,
    table_of,
)

AGENT_QUEUES: Final = tuple(
    f"SYSTEM.FTE.{kind}." for kind in ("COMMAND", "DATA", "EVENT", "REPLY", "STATE")
)
"""The beginnings of the names of an agent's queues ("MFT Agent queue settings")."""

_NOTHING: frozenset[str] = frozenset()


@frozen
class ApplicationFormat:
    """A format; applications.yaml describes the fields."""

    name: str
    attributes: Mapping[str, str] = optional(PAIRS, {})
    synonyms: Mapping[str, str] = optional(PAIRS, {})
    keys: tuple[str, ...] = optional(TEXTS, ())
    words: Mapping[str, tuple[str, ...]] = optional(LISTS, {})
    of_connection: frozenset[str] = optional(WORDS, _NOTHING)
    switches: frozenset[str] = optional(WORDS, _NOTHING)
    numbers: frozenset[str] = optional(WORDS, _NOTHING)
    commands: frozenset[str] = optional(WORDS, _NOTHING)
    exclusive: Mapping[str, tuple[str, ...]] = optional(LISTS, {})
    needs: Mapping[str, tuple[tuple[str, ...], ...]] = optional(table_of(GROUPS), {})

    @property
    def known(self) -> tuple[str, ...]:
        """All keys of which a typo is likely."""
        return (*self.attributes, *self.keys)


SHAPE: Final = entries(ApplicationFormat)


@cache
def application_formats() -> Mapping[str, ApplicationFormat]:
    return SHAPE.load(compiled_table("applications"))
