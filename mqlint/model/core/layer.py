"""Layers: the commands about one object, in their order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import Enum
from functools import lru_cache

from mqlint.dataclass import frozen, mutable
from mqlint.finding import Location
from mqlint.language.mqsc import Command, Templated, decode, items
from mqlint.model.core.action import Action, Effect
from mqlint.model.core.authorities import WHOLE, expanded
from mqlint.model.core.inserts import replaced
from mqlint.model.core.origin import Origin
from mqlint.model.core.value import UNKNOWN, Unknown, Value

# Attributes to which a command adds, with the word by which another takes away.
_LIST_WORDS = {
    ("chlauth", "USERLIST"): "USERLIST",
    ("chlauth", "ADDRLIST"): "ADDRLIST",
    ("authrec", "AUTHADD"): "AUTHRMV",
}
_ADD = "ADD"
"""What SET CHLAUTH does that says no ACTION (IBM MQ documentation, SET CHLAUTH)."""
LISTS = frozenset(attribute for _, attribute in _LIST_WORDS)
"""The attributes that are such lists in one type of object or another."""


class Change(Enum):
    """The kind of change that a command makes to an object.

    MAKE defines all of it (what is omitted has the default), JOIN makes it or adds to its lists,
    ALTER changes an existing object, REMOVE deletes it.
    """

    MAKE = "make"
    JOIN = "join"
    ALTER = "alter"
    REMOVE = "remove"


_WHOLE = (Change.MAKE, Change.REMOVE)
"""Changes that leave nothing of the object as it was."""


@mutable(eq=False)
class Layer:
    """One command about one object; there are as many as commands, so none is frozen.

    `refused_if_there` is true if the queue manager refuses it when the object exists. `order` names
    its chain, and `number` its place among all commands. `maybe` is True if a branch or a template
    decides whether the command runs.
    """

    command: Command
    action: Action
    origin: Origin
    order: Origin
    change: Change
    number: int
    maybe: bool
    refused_if_there: bool = False
    _place: Location | None = field(default=None, init=False)

    def doubtful(self) -> Layer:
        """Return the same for a command that may have no effect."""
        return replace(self, maybe=True)

    def after(self, chain: Chain) -> Layer:
        """Return the layer as it is after other commands for its object in a dump.

        The first ALTER of an object in a dump describes all of it. A command that was added at the
        end changes only what it names.
        """
        is_added = self.origin.observed and self.action.effect is Effect.ALTER
        if is_added and chain and chain[-1].origin is self.origin:
            return replace(self, change=Change.ALTER)
        return self

    def repeats(self, last: Layer) -> bool:
        """Whether it repeats `last`, by the next command: then `last` has no effect."""
        return (
            self.number == last.number + 1
            and self.command.form is last.command.form
            and self.command.bound == last.command.bound
            and self.origin is last.origin
            and self.order is last.order
            and self.change is last.change
            and self.maybe is last.maybe
        )

    def span_of(self, attribute: str) -> tuple[int, int] | None:
        """Return the place of `attribute`, None if the command does not have it."""
        index = self.action.words.get(attribute)
        if index is not None:
            return self.command.span_of_attribute(index)
        return self.command.span_of_fact(attribute)

    def name_place(self) -> Location:
        """Return the place of the name, worked out once: a scan makes ten claims of an object."""
        if self._place is None:
            self._place = self.origin.location(self.command.span_of_name())
        return self._place

    @property
    def disposition(self) -> Value:
        """QSGDISP of z/OS, QMGR if the command omits it."""
        return self.value("QSGDISP") or "QMGR"

    def items(self, word: str) -> tuple[str, ...] | Unknown:
        """Return the elements of a list it writes, unknown when a template is in it."""
        raw = self.command.get(word)
        if isinstance(raw, Templated):
            return UNKNOWN
        return () if raw is None else tuple(item for item in items(raw) if item)

    def value(self, attribute: str) -> Value | None:
        index = self.action.words.get(attribute)
        if index is not None:
            return self._word_value(index, attribute)
        fact = self.command.fact(attribute)
        if fact is not None:
            return fact
        if self.command.form.shape.open:
            return UNKNOWN
        return _ADD if attribute == "ACTION" and self.action.type == "chlauth" else None

    def _word_value(self, index: int, attribute: str) -> Value:
        """The value of one word; unknown when a template is in it or may skip it."""
        if self.maybe:
            return UNKNOWN
        shape = self.command.form.shape
        slot = shape.slots[index]
        if slot < 0:
            return "NO" if shape.words[index] == "NO" + attribute else "YES"
        if attribute in self.action.repeated:
            return self._repeated(self.action.repeated[attribute])
        raw = self.command.values[slot]
        if isinstance(raw, Templated):
            value = replaced(raw, self.origin.inserts)
            return UNKNOWN if value is None else value
        return value_of(raw)

    def _repeated(self, slots: Sequence[int]) -> Value:
        """The values of an attribute that the command has several times, in any order."""
        values = {
            replaced(raw, self.origin.inserts) if isinstance(raw, Templated) else decode(raw)
            for raw in (self.command.values[slot] for slot in slots)
        }
        known = [value for value in values if isinstance(value, str)]
        return tuple(sorted(known)) if len(known) == len(values) else UNKNOWN


@lru_cache(maxsize=8192)
def value_of(raw: str) -> str | tuple[str, ...]:
    """Return the value of a text, a list if it has more than one quoted element.

    The result is cached, as the same texts are frequent.
    """
    parts = tuple(items(raw)) if "'" in raw else ()
    return parts if len(parts) > 1 else decode(raw)


_SETTLED: frozenset[bool] = frozenset()

MANY_LAYERS = 8
"""What is found in a longer chain is found once: a script may alter an object often."""


class Chain(list[Layer]):
    """The layers of one object whose order is known, the earliest first.

    `makes` says whether a command defines all of the object, `alters` whether one changes an
    existing object, `settles` whether one makes or deletes it.
    """

    __slots__ = ("_certain", "_doubts", "_index", "alters", "makes", "settles")

    def __init__(self) -> None:
        self.makes = self.alters = self.settles = False
        self._certain: bool | None = None
        self._doubts = _SETTLED
        self._index: _Index | None = None

    def add(self, layer: Layer) -> None:
        """Append a layer; one that repeats the last one replaces it."""
        self._index = None
        if self and layer.repeats(self[-1]):
            self[-1] = layer
        else:
            self.append(layer)
        if layer.change is Change.ALTER:
            self.alters = True
            return
        self.settles = True
        self.makes = self.makes or layer.change is Change.MAKE
        there = layer.change is not Change.REMOVE
        if layer.maybe:
            self._doubts |= {there}
        else:
            self._certain, self._doubts = there, _SETTLED

    def deciding(self, attribute: str, before: Layer | None) -> Iterator[Layer]:
        """Yield the layers in force that may decide the value of `attribute`, the latest first.

        Only those before the layer `before` count; all if it is of another order or None. Others
        are left out of a long chain alone, where any number of objects may be made like this one.
        """
        if before is not None and self and self[0].order is not before.order:
            before = None
        if len(self) <= MANY_LAYERS:
            return _in_force(self[at] for at in reversed(range(_end(self, before))))
        if self._index is None:
            self._index = _Index.of(self)
        return _in_force(self._index.backwards(attribute, before))

    def state(self, before: bool | None) -> bool | None:
        """Return whether the object exists after the chain if it did (or not) `before`."""
        state = before if self._certain is None else self._certain
        return state if self._doubts <= {state} else None


def chain_of(layer: Layer) -> Chain:
    chain = Chain()
    chain.add(layer)
    return chain


def in_force(chain: Sequence[Layer]) -> Iterator[Layer]:
    """Yield the layers in force, the latest first: back to the one that made the object."""
    return _in_force(reversed(chain))


def _in_force(latest_first: Iterable[Layer]) -> Iterator[Layer]:
    for layer in latest_first:
        yield layer
        if not layer.maybe and layer.change in _WHOLE:
            return


@frozen
class _Index:
    """The layers of a chain by the attributes that they may decide.

    `common` are those that may decide any attribute, `by_attribute` the others.
    """

    common: Sequence[Layer]
    by_attribute: Mapping[str, Sequence[Layer]]

    @staticmethod
    def of(chain: Sequence[Layer]) -> _Index:
        """Return the index of a chain; its size is that of the commands."""
        common: list[Layer] = []
        by_attribute: dict[str, list[Layer]] = {}
        for layer in chain:
            form = layer.command.form
            if layer.change in _WHOLE or form.shape.open or layer.action.type == "chlauth":
                common.append(layer)
                continue
            for attribute in {*layer.action.words, *form.facts}:
                by_attribute.setdefault(attribute, []).append(layer)
        return _Index(common, by_attribute)

    def backwards(self, attribute: str, before: Layer | None) -> Iterator[Layer]:
        """Yield the layers that may decide `attribute`, the latest first."""
        common, own = self.common, self.by_attribute.get(attribute, ())
        left, right = _end(common, before), _end(own, before)
        while left or right:
            if right and (not left or common[left - 1].number < own[right - 1].number):
                right -= 1
                yield own[right]
            else:
                left -= 1
                yield common[left]


def _end(layers: Sequence[Layer], before: Layer | None) -> int:
    """Return the number of layers that are earlier than another one."""
    return len(layers) if before is None else bisect_left(layers, before.number, key=_number)


def _number(layer: Layer) -> int:
    return layer.number


def is_list(object_type: str, attribute: str) -> bool:
    """Whether `attribute` is a list that grows and shrinks from command to command."""
    return (object_type, attribute) in _LIST_WORDS


def list_after(
    chain: Sequence[Layer], attribute: str, start: tuple[str, ...]
) -> tuple[str, ...] | Unknown:
    """Return the elements of a list that was `start` after all commands of `chain`."""
    items_now = dict.fromkeys(start)
    for layer in chain:
        if layer.change in _WHOLE:
            items_now.clear()
        added, taken = _added(layer, attribute), _taken(layer, attribute)
        if layer.maybe or added is UNKNOWN or taken is UNKNOWN:
            return UNKNOWN
        if "ALL" in taken:  # `-all +get` grants get alone
            items_now.clear()
        items_now.update(dict.fromkeys(added))
        if not taken or "ALL" in taken:
            continue
        before, less = (_one_by_one(layer, listed) for listed in (tuple(items_now), taken))
        if isinstance(before, Unknown) or isinstance(less, Unknown):
            return UNKNOWN
        items_now = dict.fromkeys(item for item in before if item not in less)
    return tuple(items_now)


def _one_by_one(layer: Layer, listed: tuple[str, ...]) -> tuple[str, ...] | Unknown:
    """The elements of a list, with each word that stands for several authorities written out."""
    if layer.action.type != "authrec" or WHOLE.isdisjoint(listed):
        return listed
    return expanded(str(layer.value("OBJTYPE")), listed)


def only_joins(chain: Sequence[Layer]) -> bool:
    """Whether no command of the chain takes anything away, so that its place does not matter."""
    return all(
        layer.change is Change.JOIN and layer.command.get("AUTHRMV") is None for layer in chain
    )


def _added(layer: Layer, attribute: str) -> tuple[str, ...] | Unknown:
    return layer.items(attribute) if layer.change in (Change.MAKE, Change.JOIN) else ()


def _taken(layer: Layer, attribute: str) -> tuple[str, ...] | Unknown:
    word = _LIST_WORDS[layer.action.type, attribute]
    return layer.items(word) if word != attribute or layer.change is Change.ALTER else ()


def layer_of(command: Command, action: Action, origin: Origin, order: Origin, number: int) -> Layer:
    change, refused, doubtful = Change.JOIN, False, False
    if not origin.shown:
        change, refused, doubtful = _change_of(command, action, origin.observed)
    maybe = doubtful or (not origin.supposed and (command.maybe or origin.maybe))
    return Layer(command, action, origin, order, change, number, maybe, refused)


def _change_of(command: Command, action: Action, observed: bool) -> tuple[Change, bool, bool]:
    """The kind of change, whether it fails if the object exists, and whether that is in doubt."""
    effect = action.effect
    if effect is Effect.DEFINE:
        return Change.MAKE, not action.replace, False
    if effect is Effect.DELETE:
        return Change.REMOVE, False, False
    if observed:
        return Change.MAKE, False, False
    if effect is Effect.ALTER:
        return Change.ALTER, False, False
    if action.type == "authrec":
        return Change.JOIN, False, False
    word = command.get("ACTION")
    if isinstance(word, Templated):
        return Change.REMOVE, False, True
    if action.type == "policy":
        # ADD changes the signers and recipients alone, without ACTION all of it is replaced.
        change = {"REMOVE": Change.REMOVE, "ADD": Change.ALTER}
        return change.get(decode(word or "").upper(), Change.MAKE), False, False
    return (*_change_of_record(command, _ADD if word is None else decode(word)), False)


def _change_of_record(command: Command, word: str) -> tuple[Change, bool]:
    """What SET CHLAUTH does: ADD joins a list and fails on a mapping that is there."""
    lists = [command.get(word) for word in ("USERLIST", "ADDRLIST")]
    is_list = decode(command.get("TYPE") or "") in ("BLOCKUSER", "BLOCKADDR")
    if word == "REMOVEALL" or (word == "REMOVE" and not is_list):
        return Change.REMOVE, False
    if word == "REMOVE":
        return Change.ALTER, False
    if word == "REPLACE":
        emptied = is_list and not any(raw is not None and any(items(raw)) for raw in lists)
        return Change.REMOVE if emptied else Change.MAKE, False
    return (Change.JOIN, False) if is_list else (Change.MAKE, True)
