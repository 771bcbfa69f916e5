"""The keys of a definition for UrbanCode, and the MQSC that its plug-in writes for them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from mqlint.dataclass import frozen
from mqlint.vocabulary.load import compiled_table
from mqlint.vocabulary.shape import PAIRS, TEXT, entries, optional, sections

KINDS: Final = ("queue", "channel")
"""The kinds of resources."""


@frozen
class PluginKey:
    """A key, as `group.key`; urbancode.yaml describes the fields."""

    name: str
    word: str = optional(TEXT, "")
    values: Mapping[str, str] = optional(PAIRS, {})
    flag: str = optional(TEXT, "")
    flags: Mapping[str, str] = optional(PAIRS, {})


SHAPE: Final = sections(dict.fromkeys(KINDS, entries(PluginKey)))


@cache
def plugin_keys() -> Mapping[str, Mapping[str, PluginKey]]:
    """Return the keys by the kind of resource and their names."""
    return SHAPE.load(compiled_table("urbancode"))


@cache
def _names_of_words() -> Mapping[str, str]:
    return {
        word: key.name
        for keys in plugin_keys().values()
        for key in keys.values()
        for word in filter(None, (key.word, key.flag, *key.flags.values()))
    }


def key_of_word(word: str) -> str | None:
    """Return the key that the plug-in writes a word of MQSC for; None if there is none."""
    return _names_of_words().get(word)
