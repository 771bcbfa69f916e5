"""What MQ knows of its configuration files: stanzas, keys, and what may stand behind them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mqlint.vocabulary.compile import VocabularyError
from mqlint.vocabulary.target import Level, parse_level

INI_KINDS = ("qm.ini", "mqs.ini", "mqclient.ini", "mqat.ini", "rdqm.ini")
"""The files whose stanzas are known, by their usual names."""

_STANZA_KEYS = frozenset(
    {"name", "in", "evidence", "see", "keys", "also", "open", "silent", "single", "secret"}
)
_KEY_KEYS = frozenset({"int", "words", "list", "default", "repeat", "deprecated", "instead"})
_EVIDENCE = ("product", "document", "recall")

Raw = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class KeySpec:
    """One key: a number from `low` to `high`, or one of `words`; anything when there is neither.

    `many` allows several words, parted by commas or blanks; `repeatable` that the key stands more
    than once; `default` is the value that holds without the key, None where it is not known.
    `deprecated` is the level from which the key `instead` takes its place.
    """

    name: str
    low: int | None = None
    high: int | None = None
    words: tuple[str, ...] = ()
    many: bool = False
    repeatable: bool = False
    default: str | None = None
    deprecated: Level | None = None
    instead: str = ""

    @property
    def checked(self) -> bool:
        """Whether anything is known of the value."""
        return self.low is not None or bool(self.words)

    def accepts(self, value: str) -> bool:
        """Tell whether `value` may stand behind this key; words in any case."""
        allowed = {word.casefold() for word in self.words}
        given = value.replace(",", " ").split() if self.many else [value]
        return all(one.casefold() in allowed or self._in_range(one) for one in given)

    def _in_range(self, value: str) -> bool:
        if self.low is None:
            return not self.words
        plain = value.isascii() and value.isdigit() and len(value) <= 18
        return plain and self.low <= int(value) <= (self.high or self.low)

    def expected(self) -> str:
        """Say in words what may stand there."""
        parts = [] if self.low is None else [f"a number from {self.low} to {self.high}"]
        return " or ".join([*parts, *([", ".join(self.words)] if self.words else [])])


@dataclass(frozen=True, slots=True)
class StanzaSpec:
    """One stanza of the files `kinds`; `keys` are found by their name in lower case.

    `open` stanzas have keys that are not all known; `silent` ones treat a wrong value as the
    default without a word. Of `single` ones only the first in a file is read, up to a fix of 2021.
    The values of the keys `secret` are never kept. `evidence` is product, document or recall; `see`
    IBM's page.
    """

    name: str
    kinds: tuple[str, ...]
    evidence: str
    see: str = ""
    open: bool = False
    silent: bool = False
    single: bool = False
    secret: tuple[str, ...] = ()
    keys: Mapping[str, KeySpec] = field(default_factory=dict)

    def key(self, name: str) -> KeySpec | None:
        """Return the key called `name`, in any case; None when it is not known."""
        return self.keys.get(name.casefold())


class IniVocabulary:
    """The stanzas of all files; `secret_keys` are those with secret values, in one case."""

    __slots__ = ("_by_name", "secret_keys", "stanzas")

    def __init__(self, stanzas: Iterable[StanzaSpec]) -> None:
        """`stanzas` may hold one name several times, for different files."""
        self.stanzas = tuple(stanzas)
        self.secret_keys = frozenset(
            key.casefold() for stanza in self.stanzas for key in stanza.secret
        )
        self._by_name: dict[str, list[StanzaSpec]] = {}
        for stanza in self.stanzas:
            self._by_name.setdefault(stanza.name.casefold(), []).append(stanza)

    def stanza(self, kind: str, name: str) -> StanzaSpec | None:
        """Return the stanza `name`, in any case, as it is in files of `kind`; None if unknown."""
        found = self._by_name.get(name.casefold(), [])
        return next((stanza for stanza in found if kind in stanza.kinds), None)

    def knows(self, name: str) -> bool:
        """Tell whether any file has a stanza `name`, in any case."""
        return name.casefold() in self._by_name

    def names(self, kind: str) -> list[str]:
        """Return the names of the stanzas of `kind`."""
        return [stanza.name for stanza in self.stanzas if kind in stanza.kinds]

    @classmethod
    def from_compiled(cls, raw: Raw) -> IniVocabulary:
        """Return the vocabulary that `compile_ini` made plain data of."""
        return cls(_stanza(one) for one in _list(raw["stanzas"], "stanzas"))


def compile_ini(document: object) -> dict[str, object]:
    """Check the parsed YAML of ini.yaml and return plain, JSON-able data.

    Raises VocabularyError where it has an unknown key, file or domain, or no evidence.
    """
    top = _mapping(document, "ini.yaml")
    domains = _mapping(top.get("domains", {}), "domains")
    stanzas = [_mapping(one, "stanzas") for one in _list(top.get("stanzas"), "stanzas")]
    return {"stanzas": [_compiled_stanza(stanza, domains) for stanza in stanzas]}


def _compiled_stanza(raw: Raw, domains: Raw) -> dict[str, object]:
    name = str(raw.get("name", ""))
    _only(raw, _STANZA_KEYS, name)
    kinds = [str(kind) for kind in _list(raw.get("in"), name)]
    if not name or not kinds or not set(kinds) <= set(INI_KINDS):
        raise VocabularyError(f"stanza {name!r}: `in` names files out of {', '.join(INI_KINDS)}")
    if raw.get("evidence") not in _EVIDENCE:
        raise VocabularyError(f"{name}: evidence is one of {', '.join(_EVIDENCE)}")
    secret = [str(key) for key in _list(raw.get("secret", []), name)]
    keys: dict[str, object] = {str(key): {} for key in _list(raw.get("also", []), name)}
    for key, domain in _mapping(raw.get("keys", {}), name).items():
        if key in keys:
            raise VocabularyError(f"{name}: {key} stands there twice")
        entry = domains.get(domain) if isinstance(domain, str) else domain
        _only(_mapping(entry, f"{name}.{key}"), _KEY_KEYS, f"{name}.{key}")
        keys[key] = entry
    if not set(secret) <= set(keys):
        raise VocabularyError(f"{name}: `secret` names a key that the stanza does not have")
    return {**raw, "in": kinds, "keys": keys, "also": [], "secret": secret}


def _stanza(value: object) -> StanzaSpec:
    raw = _mapping(value, "stanza")
    keys = _mapping(raw["keys"], "keys")
    return StanzaSpec(
        name=str(raw["name"]),
        kinds=tuple(str(kind) for kind in _list(raw["in"], "in")),
        evidence=str(raw["evidence"]),
        see=str(raw.get("see", "")),
        open=bool(raw.get("open")),
        silent=bool(raw.get("silent")),
        single=bool(raw.get("single")),
        secret=tuple(str(key) for key in _list(raw.get("secret", []), "secret")),
        keys={name.casefold(): _key(name, _mapping(entry, name)) for name, entry in keys.items()},
    )


def _key(name: str, raw: Raw) -> KeySpec:
    low, high = (
        (int(str(bound)) for bound in _list(raw["int"], name)) if "int" in raw else (None,) * 2
    )
    default, deprecated = raw.get("default"), raw.get("deprecated")
    return KeySpec(
        name=name,
        low=low,
        high=high,
        words=tuple(str(word) for word in _list(raw.get("words", []), name)),
        many=bool(raw.get("list")),
        repeatable=bool(raw.get("repeat")),
        default=None if default is None else str(default),
        deprecated=None if deprecated is None else parse_level(str(deprecated)),
        instead=str(raw.get("instead", "")),
    )


def _mapping(value: object, where: str) -> Raw:
    if not isinstance(value, Mapping):
        raise VocabularyError(f"{where} should be a mapping")
    return value


def _list(value: object, where: str) -> list[object]:
    if not isinstance(value, list):
        raise VocabularyError(f"{where} should be a list")
    return value


def _only(entry: Raw, keys: frozenset[str], where: str) -> None:
    strange = sorted(set(entry) - keys)
    if strange:
        raise VocabularyError(f"{where}: unknown key {strange[0]}")
