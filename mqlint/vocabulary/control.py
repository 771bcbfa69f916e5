"""What MQ's control commands are called, do, and take."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set
from typing import Final

from mqlint.config.errors import choices
from mqlint.config.forms import items
from mqlint.config.node import Node, Plain
from mqlint.dataclass import frozen
from mqlint.number import whole_number
from mqlint.patterns import later
from mqlint.vocabulary.distance import distance, nearest_in_any_case
from mqlint.vocabulary.shape import (
    EVIDENCE,
    LEVEL,
    LISTS,
    TEXT,
    WORDS,
    Shape,
    entries,
    known,
    optional,
    required,
    table_of,
    texts,
)
from mqlint.vocabulary.target import PLATFORM_WORDS, Level, platforms_named

_ALSO = "..."
"""Among the words of a value: there may be others."""
_LONGEST_JOINED = 2
"""How many letters an option has at most whose value may follow without a blank."""
_LONGEST_WORD = 40
"""Letters of an option."""
_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_PLACES = ("operand", "second", "Name", "none")
"""Where the queue manager may be named but in an option of its own."""
_RANGE = later(r"(\d{1,9})\.\.(\d{1,9})([A-Z]*)")


@frozen
class Domain:
    """What the value of an option may be: one of `words`, or a number from `least` to `most`.

    After the number may be one letter of `units`. If `also` is true, releases have further words,
    so that only a typo of a known one is not accepted.
    """

    words: frozenset[str] = frozenset()
    least: int = 0
    most: int = 0
    units: str = ""
    also: bool = False

    def accepts(self, value: str) -> bool:
        """Return whether it may be `value`; capitals do not count."""
        if self.words:
            word = value.lower()
            return any(word == other.lower() for other in self.words) or (
                self.also and not self._is_typo(word)
            )
        has_unit = value[-1:].upper() in tuple(self.units)
        number = whole_number(value[:-1] if has_unit else value)
        return number is not None and self.least <= number <= self.most

    def _is_typo(self, word: str) -> bool:
        return any(distance(word, other.lower(), 1) <= 1 for other in self.words if len(other) > 2)

    def expected(self, value: str = "") -> str:
        """Return the values that are allowed instead of `value`, for a message."""
        if self.also:
            return nearest_in_any_case(value, self.words) or choices(self.words)
        if self.words:
            return choices(self.words)
        unit = f", with or without {' or '.join(self.units)}" if self.units else ""
        return f"a number from {self.least} to {self.most}{unit}"


def _check_domain(node: Node) -> Plain:
    if node.kind == "sequence":
        return texts(node)
    if _RANGE.fullmatch(node.text()) is None:
        raise node.error(f"found {node.raw!r}, expected a list of words, or LEAST..MOST")
    return node.raw


def _check_range(node: Node) -> Plain:
    found = _RANGE.fullmatch(node.text())
    if found is None or found[3]:
        raise node.error(f"found {node.raw!r}, expected LEAST..MOST")
    return node.raw


def _load_domain(domain: list[str] | str) -> Domain:
    if isinstance(domain, list):
        words = frozenset(domain)
        return Domain(words - {_ALSO}, also=_ALSO in words)
    least, most, units = _limits(domain)
    return Domain(least=least, most=most, units=units)


def _limits(domain: str) -> tuple[int, int, str]:
    least, _, rest = domain.partition("..")
    most = rest.rstrip(_CAPITALS)
    return int(least), int(most), rest[len(most) :]


_TAKES = table_of(Shape(_check_domain, _load_domain))
_RANGE_OF: Shape[tuple[int, int] | None] = Shape(_check_range, lambda raw: _limits(raw)[:2])
_CHOICES: Shape[tuple[tuple[str, ...], ...]] = Shape(
    texts, lambda raw: tuple(tuple(words.split("|")) for words in raw)
)


@frozen
class ControlSpec:
    """One control command.

    `action` is its class (create, start, end, delete, image, recover, mqsc, dump ...).
    `queue_manager` is the option that names it, or `operand` (the last word), `second` (the second
    operand), `Name` (the option `-v Name=`) or `none`. `flags` are options without a value,
    `values` those with one; the value of a `secret` option is never kept, that of an option in
    `inserts` is NAME=VALUE. Options are compared as written: -lr is not -LR. From the level
    `removed` on the command is gone, and `instead` does what it did. `takes` is what the values of
    options may be, where IBM's page says it.

    `takes_on` has the values that are others on one platform.

    Of the options of each of `alternatives` the command takes one; of each of `needs` it needs one.
    What `unless` has an entry for is not needed if the option (`t qmgr`) has that value; `operand`
    is for the operands. `after` lists, for options that are all given, others that the command then
    needs (`d|v`: one of them); an option of `alone` takes no other option and no operand. The
    command exists on `platform`, options on those of `platforms`; blank is everywhere. `actions`
    lists the second option for each first one. Two options of `differ` never have the same
    value. It takes at least and at most `operands` operands.
    """

    name: str
    action: str = required(TEXT, "class")
    queue_manager: str = required(TEXT)
    evidence: str = required(EVIDENCE)
    see: str = optional(TEXT, "")
    flags: frozenset[str] = optional(WORDS, frozenset())
    values: frozenset[str] = optional(WORDS, frozenset())
    secret: frozenset[str] = optional(WORDS, frozenset())
    inserts: frozenset[str] = optional(WORDS, frozenset())
    removed: Level | None = optional(LEVEL, None)
    instead: str = optional(TEXT, "")
    takes: Mapping[str, Domain] = optional(_TAKES, {}, hashed=False)
    takes_on: Mapping[str, Mapping[str, Domain]] = optional(table_of(_TAKES), {}, hashed=False)
    alternatives: tuple[tuple[str, ...], ...] = optional(_CHOICES, ())
    needs: tuple[tuple[str, ...], ...] = optional(_CHOICES, ())
    differ: tuple[tuple[str, ...], ...] = optional(_CHOICES, ())
    after: Mapping[str, tuple[str, ...]] = optional(LISTS, {}, hashed=False)
    unless: Mapping[str, tuple[str, ...]] = optional(LISTS, {}, hashed=False)
    actions: Mapping[str, tuple[str, ...]] = optional(LISTS, {}, hashed=False)
    operands: tuple[int, int] | None = optional(_RANGE_OF, None)
    alone: frozenset[str] = optional(WORDS, frozenset())
    platform: str = optional(TEXT, "")
    platforms: Mapping[str, frozenset[str]] = optional(table_of(WORDS), {}, hashed=False)

    def domain(self, option: str, platform: str) -> Domain | None:
        """Return what the value of `option` may be on a platform, None if that is not known."""
        for word, takes in self.takes_on.items():
            if option in takes and platform and platforms_named(platform) <= platforms_named(word):
                return takes[option]
        return self.takes.get(option)

    def joined(self, word: str) -> str:
        """Return the longest option with a value that begins `word`, '' when none does.

        Only after a few letters may the value follow without a blank (`-mQMA`, `-lf4096`). What
        follows a secret option in one word is masked nevertheless.
        """
        for length in range(min(_LONGEST_WORD, len(word) - 1), 0, -1):
            option = word[:length]
            if option in self.secret or (option in self.values and len(option) <= _LONGEST_JOINED):
                return option
        return ""


def in_any_case(commands: Mapping[str, ControlSpec]) -> dict[str, ControlSpec]:
    """Return the commands by their names and by these in lower case, for shells of Windows."""
    return {**{name.lower(): spec for name, spec in commands.items()}, **commands}


_COMMANDS = entries(ControlSpec)


def _check(root: Node) -> Plain:
    compiled = _COMMANDS.check(root)
    for command in root.mapping().values():
        _check_options(command)
    return compiled


SHAPE: Final = Shape(_check, _COMMANDS.load)
"""The commands, by name."""


def _check_options(command: Node) -> None:
    """Check that each option is listed once, and that all keys name listed options."""
    flags, values = ([item.raw for item in items(command.get(key))] for key in ("flags", "values"))
    for item in items(command.get("values")):
        if item.raw in flags:
            raise item.error(f"the option {item.raw!r} is among the flags too")
    for key in ("secret", "inserts", "alone"):
        for item in items(command.get(key)):
            known(item, (*flags, *values), "option")
    known(command.require("queue_manager"), (*_PLACES, *flags, *values), "option")
    for takes in _by_platform(command, "takes_on"):
        _check_keys(takes.mapping(), values)
    for options in _by_platform(command, "platforms"):
        for item in items(options):
            known(item, (*flags, *values), "option")
    _check_keys(command.section("takes"), values)
    _check_relations(command, {*flags, *values})


def _by_platform(command: Node, key: str) -> Iterator[Node]:
    for word, node in command.section(key).items():
        if word not in PLATFORM_WORDS:
            raise node.key_error(f"unknown platform {word!r}")
        yield node


def _check_keys(domains: Mapping[str, Node], values: Collection[str]) -> None:
    """Check that all keys are listed options with a value."""
    for option, domain in domains.items():
        if option not in values:
            raise domain.key_error(f"unknown option {option!r} with a value")


def _check_relations(command: Node, options: Set[str]) -> None:
    """Check that keys about several options name listed options."""
    for key in ("alternatives", "needs", "differ"):
        for item in items(command.get(key)):
            for option in item.raw.split("|"):
                if option not in (*options, "operand"):
                    raise item.error(f"unknown option {option!r}")
    for key in ("after", "actions"):
        for condition, others in command.section(key).items():
            options_named = {option for item in items(others) for option in item.raw.split("|")}
            if not {*condition.split(), *options_named} <= options:
                raise others.key_error(f"an option of {condition!r} is unknown")
