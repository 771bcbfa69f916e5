"""What MQ's control commands are called, do, and take."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from mqlint.vocabulary.compile import VocabularyError
from mqlint.vocabulary.target import Level, parse_level

_KEYS = frozenset(
    {
        *("class", "queue_manager", "evidence", "see", "flags", "values", "secret", "inserts"),
        *("removed", "instead", "takes"),
    }
)
_EVIDENCE = ("product", "document", "recall")
_PLACES = ("operand", "second", "Name", "none")
"""Where the queue manager may be named but in an option of its own."""
_RANGE = re.compile(r"(\d{1,9})\.\.(\d{1,9})")


@dataclass(frozen=True, slots=True)
class Domain:
    """What the value of an option may be: one of `words`, or a number from `least` to `most`."""

    words: frozenset[str] = frozenset()
    least: int = 0
    most: int = 0

    def accepts(self, value: str) -> bool:
        """Tell whether it may be `value`; capitals do not count."""
        if self.words:
            return value.lower() in self.words
        return value.isascii() and value.isdigit() and self.least <= int(value[:12]) <= self.most

    def expected(self) -> str:
        """Return what may stand there, for a message."""
        return ", ".join(sorted(self.words)) or f"a number from {self.least} to {self.most}"


@dataclass(frozen=True, slots=True)
class ControlSpec:
    """One control command.

    `action` is its class (create, start, end, delete, image, recover, mqsc, dump ...).
    `queue_manager` is the option that names it, or `operand` (the last word), `second` (the second
    operand), `Name` (the option `-v Name=`) or `none`. `flags` are options without a value,
    `values` those with one; the value of a `secret` option is never kept, that of an option in
    `inserts` is NAME=VALUE. Options are compared as written: -lr is not -LR. From the level
    `removed` on the command is gone, and `instead` does what it did. `takes` is what the values of
    options may be, where IBM's page says it.
    """

    name: str
    action: str
    queue_manager: str
    evidence: str
    flags: frozenset[str]
    values: frozenset[str]
    secret: frozenset[str] = frozenset()
    inserts: frozenset[str] = frozenset()
    removed: Level | None = None
    instead: str = ""
    takes: Mapping[str, Domain] = field(default_factory=dict, hash=False)

    def joined(self, word: str) -> str:
        """Return the longest option with a value that begins `word`, '' when none does."""
        longest = max(map(len, self.values), default=0)
        for length in range(min(longest, len(word) - 1), 0, -1):
            if word[:length] in self.values:
                return word[:length]
        return ""


def compile_control(document: object) -> dict[str, object]:
    """Check the parsed YAML of control.yaml and return plain, JSON-able data."""
    if not isinstance(document, Mapping):
        raise VocabularyError("control.yaml should be a mapping")
    for name, entry in document.items():
        if not isinstance(entry, Mapping) or set(entry) - _KEYS:
            raise VocabularyError(f"{name}: should have keys out of {', '.join(sorted(_KEYS))}")
        if entry.get("evidence") not in _EVIDENCE:
            raise VocabularyError(f"{name}: evidence is one of {', '.join(_EVIDENCE)}")
        options = [*_words(entry, "flags"), *_words(entry, "values")]
        named = {*_words(entry, "secret"), *_words(entry, "inserts")}
        if len(set(options)) < len(options) or not named <= set(options):
            raise VocabularyError(f"{name}: an option stands twice, or is not there")
        if not set(_takes(entry)) <= set(_words(entry, "values")):
            raise VocabularyError(f"{name}: takes is about options with a value")
        if entry.get("queue_manager") not in (*_PLACES, *options):
            raise VocabularyError(f"{name}: queue_manager is {', '.join(_PLACES)} or an option")
    return dict(document)


def read_control(compiled: Mapping[str, object]) -> dict[str, ControlSpec]:
    """Return the commands, by name, that `compile_control` made plain data of."""
    return {
        name: ControlSpec(
            name=name,
            action=str(entry["class"]),
            queue_manager=str(entry["queue_manager"]),
            evidence=str(entry["evidence"]),
            flags=frozenset(_words(entry, "flags")),
            values=frozenset(_words(entry, "values")),
            secret=frozenset(_words(entry, "secret")),
            inserts=frozenset(_words(entry, "inserts")),
            takes=_takes(entry),
            removed=parse_level(str(entry["removed"])) if "removed" in entry else None,
            instead=str(entry.get("instead", "")),
        )
        for name, entry in compiled.items()
        if isinstance(entry, Mapping)
    }


def _takes(entry: Mapping[str, object]) -> dict[str, Domain]:
    """What the values of options may be: a list of words, or `LEAST..MOST`."""
    takes = entry.get("takes", {})
    if not isinstance(takes, Mapping):
        raise VocabularyError("takes should be a mapping")
    return {str(option): _domain(given) for option, given in takes.items()}


def _domain(given: object) -> Domain:
    if isinstance(given, list):
        return Domain(frozenset(str(word).lower() for word in given))
    found = _RANGE.fullmatch(str(given))
    if found is None:
        raise VocabularyError("takes: a list of words, or LEAST..MOST")
    return Domain(least=int(found[1]), most=int(found[2]))


def _words(entry: Mapping[str, object], key: str) -> list[str]:
    value = entry.get(key, [])
    if not isinstance(value, list):
        raise VocabularyError(f"{key} should be a list")
    return [str(word) for word in value]
