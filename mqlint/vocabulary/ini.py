"""The configuration files of MQ: their stanzas, keys and values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, cast

from mqlint.config.forms import items
from mqlint.config.node import Node, Plain
from mqlint.dataclass import frozen
from mqlint.grouping import grouped
from mqlint.number import whole_number
from mqlint.vocabulary.shape import (
    BOUNDS,
    EVIDENCE,
    FLAG,
    LEVEL,
    TEXT,
    TEXTS,
    Shape,
    entries,
    entry,
    known,
    list_of,
    one_of,
    optional,
    required,
    shape_of,
    table_of,
)
from mqlint.vocabulary.target import Level, platforms_named

INI_KINDS = ("qm.ini", "mqs.ini", "mqclient.ini", "mqat.ini", "rdqm.ini")
"""The files whose stanzas are known, by their usual names."""


@frozen
class KeySpec:
    """One key: a number within `bounds`, or one of `words`; anything when there is neither.

    `many` allows several words, parted by commas or blanks; `repeatable` if the key is more than
    once; `default` is the value that holds without the key, None if it is not known. `deprecated`
    is the level from which the key `instead` takes its place. `form` is a pattern of the value
    without blanks, which `says` describes. `on` has the bounds that are others on one platform.
    """

    name: str
    bounds: tuple[int, ...] = optional(BOUNDS, (), "int")
    words: tuple[str, ...] = optional(TEXTS, ())
    on: Mapping[str, tuple[int, ...]] = optional(table_of(BOUNDS), {}, hashed=False)
    many: bool = optional(FLAG, False, "list")
    repeatable: bool = optional(FLAG, False, "repeat")
    default: str | None = optional(TEXT, None)
    deprecated: Level | None = optional(LEVEL, None)
    instead: str = optional(TEXT, "")
    form: str = optional(TEXT, "")
    says: str = optional(TEXT, "")

    def on_platform(self, platform: str) -> KeySpec:
        for name, limits in self.on.items():
            if platforms_named(platform) <= platforms_named(name):
                return replace(self, bounds=limits)
        return self

    @property
    def checked(self) -> bool:
        """Whether anything is known of the value."""
        return bool(self.bounds or self.words or self.form)

    def accepts(self, value: str) -> bool:
        """Return whether `value` may be after this key; words in any case."""
        if self.form:
            return re.fullmatch(self.form, re.sub(r"\s*([(),])\s*", r"\1", value)) is not None
        allowed = {word.casefold() for word in self.words}
        texts = value.replace(",", " ").split() if self.many else [value]
        return all(text.casefold() in allowed or self._in_range(text) for text in texts)

    def _in_range(self, value: str) -> bool:
        if not self.bounds:
            return not self.words
        number = whole_number(value)
        return number is not None and self.bounds[0] <= number <= self.bounds[1]

    def expected(self) -> str:
        """Return the values that are allowed, in words."""
        numbers = "a number from {} to {}".format(*self.bounds) if self.bounds else ""
        return " or ".join(filter(None, (", ".join(self.words), numbers, self.says)))


_KEYS = entries(KeySpec)
_KEYS_IN_ANY_CASE: Shape[Mapping[str, KeySpec]] = Shape(
    _KEYS.check, lambda raw: {name.casefold(): key for name, key in _KEYS.load(raw).items()}
)


@frozen
class StanzaSpec:
    """One stanza of the files `kinds`; `keys` are found by their name in lower case.

    `open` stanzas have keys that are not all known; `silent` ones treat a wrong value as the
    default without a word. Of `single` ones only the first in a file is read, up to a fix of 2021.
    The values of the keys `secret` are never kept; a stanza without one of `needs` is not complete.
    `evidence` is product, document or recall; `see` IBM's page.
    """

    name: str = required(TEXT)
    kinds: tuple[str, ...] = required(list_of(one_of(*INI_KINDS)), "in")
    evidence: str = required(EVIDENCE)
    see: str = optional(TEXT, "")
    open: bool = optional(FLAG, False)
    silent: bool = optional(FLAG, False)
    single: bool = optional(FLAG, False)
    secret: tuple[str, ...] = optional(TEXTS, ())
    also: tuple[str, ...] = optional(TEXTS, ())
    needs: tuple[str, ...] = optional(TEXTS, ())
    keys: Mapping[str, KeySpec] = optional(_KEYS_IN_ANY_CASE, {})

    def key(self, name: str, platform: str = "") -> KeySpec | None:
        """Return the key called `name`, in any case, on a platform; None when it is not known."""
        key = self.keys.get(name.casefold())
        return key.on_platform(platform) if key is not None and key.on and platform else key


class IniVocabulary:
    """The stanzas of all files; `secret_keys` are those with secret values, in one case."""

    __slots__ = ("_by_name", "secret_keys", "stanzas")

    def __init__(self, stanzas: Iterable[StanzaSpec]) -> None:
        """`stanzas` may hold one name several times, for different files."""
        self.stanzas = tuple(stanzas)
        self.secret_keys = frozenset(
            key.casefold() for stanza in self.stanzas for key in stanza.secret
        )
        self._by_name = grouped((stanza.name.casefold(), stanza) for stanza in self.stanzas)

    def stanza(self, kind: str, name: str) -> StanzaSpec | None:
        """Return the stanza `name`, in any case, as it is in files of `kind`; None if unknown."""
        found = self._by_name.get(name.casefold(), [])
        return next((stanza for stanza in found if kind in stanza.kinds), None)

    def knows(self, name: str) -> bool:
        """Return whether any file has a stanza `name`, in any case."""
        return name.casefold() in self._by_name

    def names(self, kind: str) -> list[str]:
        return [stanza.name for stanza in self.stanzas if kind in stanza.kinds]

    def homes(self, kind: str, key: str) -> list[str]:
        """Return the stanzas of `kind` that have `key`, in any case, by their names."""
        return [
            stanza.name
            for stanza in self.stanzas
            if kind in stanza.kinds and stanza.key(key) is not None
        ]


_STANZA, _KEY = shape_of(StanzaSpec), entry(KeySpec)


def _check(root: Node) -> Plain:
    """The plain data of ini.yaml, in which a key whose value is a name has the domain of that."""
    root.keys_allowed(("domains", "stanzas"))
    domains, stanzas = root.section("domains"), root.require("stanzas").sequence()
    return {"stanzas": [_compiled(stanza, domains) for stanza in stanzas]}


def _compiled(stanza: Node, domains: Mapping[str, Node]) -> Plain:
    keys = stanza.section("keys")
    for key, domain in keys.items():
        if domain.kind in ("plain", "quoted"):
            keys[key] = domains[domain.one_of(domains)]
    compiled = cast("dict[str, Plain]", _STANZA.check(stanza))
    also = items(stanza.get("also"))
    for item in also:
        if item.raw in keys:
            raise item.error(f"{item.raw!r} is among the keys too")
    names = dict.fromkeys(item.raw for item in also)
    for item in (*items(stanza.get("secret")), *items(stanza.get("needs"))):
        known(item, {**names, **keys}, "key")
    checked = {key: _KEY(domain) for key, domain in keys.items()}
    return {**compiled, "also": [], "keys": {**{name: {} for name in names}, **checked}}


SHAPE: Final = Shape(_check, lambda raw: IniVocabulary(map(_STANZA.load, raw["stanzas"])))
