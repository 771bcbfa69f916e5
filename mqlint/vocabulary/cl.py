"""What commands of CL do with a queue manager on IBM i, and what they take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from mqlint.config.node import Node, Plain
from mqlint.dataclass import frozen
from mqlint.number import whole_number
from mqlint.patterns import later
from mqlint.vocabulary.shape import (
    EVIDENCE,
    FLAG,
    LISTS,
    PAIRS,
    TEXT,
    TEXTS,
    WORDS,
    Shape,
    entries,
    keys,
    known,
    one_of,
    optional,
    required,
    sections,
    table_of,
)

_TOUCHES = one_of(
    *("device", "journal", "receiver", "library", "objects", "files"),
    *("job", "subsystem", "exit", "system"),
)
_WORDS = table_of(PAIRS)
_RANGE = later(r"(\d+)-(\d+)")
_SHOWING = ("DSP", "RTV", "WRK")


@frozen
class ClSpec:
    """One command.

    `action` is its class. `queue_manager` is the parameter that names it, blank if none does.
    `parameters` may be given without their keywords, in this order; `complete` is true if there are
    no others. `same` maps a parameter with its value (`STRSVC *NO`) to the option of the control
    command that does the same. `mqsc` is the MQSC command that does the same, `words` what values
    of a parameter are called there, `defaults` what is meant where one is left out. `attributes`
    are, by types of object, the MQSC attribute of a parameter (`MAXMSGLEN`), the one that has its
    special values without their asterisk (`SSLCIPH *`), or the words of a parameter with a value
    (`USAGE *TMQ`). `maps_as` is a command with the same `words` and `attributes`. `takes` are the
    special values and ranges of numbers that a parameter takes, of those that take nothing else.
    `refuses` are values of a parameter that the value of another one rules out; its keys are the
    other parameter, its value and the parameter (`OBJTYPE *MQM AUT`).
    `requires` are parameters that must be written, `after` those that must be written if another
    one has a value (`CHLTYPE *SDR`). `instead` maps words that are no parameters to those that are.
    `touches` says what a command of the system is about. `runs` are parameters whose value is a
    command, which a clock (`schedule`) or another job (`batch`) runs.
    """

    name: str
    action: str = required(TEXT, "class")
    evidence: str = required(EVIDENCE)
    see: str = optional(TEXT, "")
    queue_manager: str = optional(TEXT, "")
    parameters: tuple[str, ...] = optional(TEXTS, ())
    complete: bool = optional(FLAG, False)
    same: Mapping[str, str] = optional(PAIRS, {}, "as")
    mqsc: str = optional(TEXT, "")
    words: Mapping[str, Mapping[str, str]] = optional(_WORDS, {})
    defaults: Mapping[str, str] = optional(PAIRS, {})
    attributes: Mapping[str, Mapping[str, str]] = optional(_WORDS, {})
    maps_as: str = optional(TEXT, "")
    takes: Mapping[str, tuple[str, ...]] = optional(LISTS, {})
    refuses: Mapping[str, tuple[str, ...]] = optional(LISTS, {})
    requires: tuple[str, ...] = optional(TEXTS, ())
    after: Mapping[str, tuple[str, ...]] = optional(LISTS, {})
    instead: Mapping[str, str] = optional(PAIRS, {})
    touches: str = optional(_TOUCHES, "")
    runs: tuple[str, ...] = optional(TEXTS, ())
    schedule: bool = optional(FLAG, False)
    batch: bool = optional(FLAG, False)

    def accepts(self, parameter: str, value: str) -> bool:
        """Whether a parameter takes a value; true for all of which the values are not known."""
        allowed = self.takes.get(parameter)
        return allowed is None or any(fits(value, word) for word in allowed)


def fits(value: str, word: str) -> bool:
    """Return whether a value is the word, or a number in the range that the word is (`1-99`)."""
    bounds = _RANGE.fullmatch(word)
    if bounds is None:
        return value == word
    number = whole_number(value.lstrip("0") or "0")
    return number is not None and int(bounds[1]) <= number <= int(bounds[2])


@frozen
class ClVocabulary:
    """The commands by name, those that change nothing, and what old releases had.

    `programs`, `libraries` and `journals` are gone since release 5.1.
    """

    commands: Mapping[str, ClSpec]
    quiet: frozenset[str]
    programs: frozenset[str]
    libraries: frozenset[str]
    journals: frozenset[str]

    def is_quiet(self, name: str) -> bool:
        """Whether a command changes nothing of a queue manager: it shows, asks, or waits."""
        return name in self.quiet or name.startswith(_SHOWING)


_COMMANDS = entries(ClSpec)
_GONE = sections(dict.fromkeys(("programs", "libraries", "journals"), WORDS))


def _check(root: Node) -> Plain:
    root.keys_allowed(("commands", "quiet", "gone"))
    commands = root.require("commands").mapping()
    for command in commands.values():
        if (other := command.get("maps_as")) is not None:
            known(other, commands, "command")
    commands |= {name: _resolved(command, commands) for name, command in commands.items()}
    return keys({"commands": _COMMANDS.check, "quiet": WORDS.check, "gone": _GONE.check}, {})(root)


def _resolved(command: Node, commands: Mapping[str, Node]) -> Node:
    same_as = command.get("same_as")
    if same_as is None:
        return command
    if len(command.mapping()) > 1:
        raise command.error("same_as is the only key of an entry")
    other = commands[known(same_as, commands, "command")]
    if other.get("same_as") is not None:
        raise same_as.error("same_as names a command with an entry of its own")
    return other


def _load(raw: Mapping[str, Any]) -> ClVocabulary:
    commands, quiet = _COMMANDS.load(raw["commands"]), WORDS.load(raw["quiet"])
    mapped = {name: _mapped(spec, commands) for name, spec in commands.items()}
    return ClVocabulary(mapped, quiet, **_GONE.load(raw["gone"]))


def _mapped(spec: ClSpec, commands: Mapping[str, ClSpec]) -> ClSpec:
    if not spec.maps_as:
        return spec
    other = commands[spec.maps_as]
    return replace(spec, words=other.words, attributes=other.attributes)


SHAPE: Final = Shape(_check, _load)
