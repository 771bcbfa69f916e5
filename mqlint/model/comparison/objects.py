"""The objects and records of two queue managers compared, attribute by attribute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from mqlint.finding import Location
from mqlint.model.comparison.comparable import comparable, shown
from mqlint.model.comparison.difference import (
    Difference,
    Ignored,
    State,
    on_side,
    side,
)
from mqlint.model.comparison.written import (
    MASK,
    SAME_TEXT,
    SECRETS,
    Rename,
    by_key,
    exists,
    is_open,
    layers_of,
    name_of,
    same_template,
    signature,
    written_words,
)
from mqlint.model.core.action import key_words, subtype_word
from mqlint.model.core.layer import Change
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.shipped import SHIPPED_RECORDS, default_object_name, product_default
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.vocabulary.unknown import Unknown

_SHIPPED = "default objects and records that one side does not name are as shipped"
_DEFAULT = "default of a new queue manager"
_OPEN_DEFAULT = ", and its default depends on the release or platform (`target:` in mqlint.yaml)"
_RECORDS: Mapping[tuple[str, str], tuple[str, Value]] = {
    ("SYSTEM.ADMIN.SVRCONN", "ADDRESSMAP"): ("USERSRC", "CHANNEL"),
    ("SYSTEM.*", "ADDRESSMAP"): ("USERSRC", "NOACCESS"),
    ("*", "BLOCKUSER"): ("USERLIST", ("*MQADMIN",)),
}
"""The default rules in the records of a new queue manager (IBM: q132560)."""


class ObjectComparison:
    """Compares the objects of two queue managers; `notes` count what is treated as equal."""

    def __init__(self, a: QueueManager, b: QueueManager, ignored: Ignored, rename: Rename) -> None:
        """`rename` returns the name in B for a name of A."""
        self._a = a
        self._b = b
        self._ignored = ignored
        self._rename = rename
        self.notes = Counter[str]()

    def differences(self) -> Iterator[Difference]:
        """Yield all differences; the methods below leave the name and the key to this one."""
        here, there = by_key(self._a, self._rename), by_key(self._b, str)
        for key in sorted(here.keys() | there.keys()):
            a, b = here.get(key), there.get(key)
            found = a if a is not None else b
            if found is None or self._ignored.object(found.type, name_of(key)):
                continue
            if a is not None and b is not None:
                differences = self._on_both_sides(a, b)
            else:
                differences = self._on_one_side(found, in_a=a is not None)
            yield from (replace(each, name=name_of(key), key=key) for each in differences)

    # -- an object of one side --------------------------------------------------------------

    def _on_one_side(self, found: MQObject, *, in_a: bool) -> Iterator[Difference]:
        """What only one side names: it is there, it is deleted, or every queue manager has it."""
        other = self._b if in_a else self._a
        if exists(found) is False:
            if not self._has_all(other, found):
                why = f"{side(in_a)} deletes it, {side(not in_a)} does not name it"
                yield self._whole("undecided", found, in_a, why)
            return
        if found.type == "qmgr":
            for word in self._words(found):
                yield self._set_once(found, word, in_a)
            return
        shipped = self._shipped(found, other)
        if shipped is not None:
            yield from self._against_shipped(found, shipped, in_a)
        elif _is_products(found) and not self._has_all(other, found):
            why = f"every queue manager may have it, {side(not in_a)} does not name it"
            yield self._whole("undecided", found, in_a, why)
        elif exists(found) is None:
            why = f"a branch, template or order of scripts decides if {side(in_a)} has it"
            yield self._whole("undecided", found, in_a, why)
        else:
            yield self._whole("only-in-a" if in_a else "only-in-b", found, in_a)

    def _whole(self, state: State, found: MQObject, in_a: bool, why: str = "") -> Difference:
        places = on_side(_place(found), in_a)
        return Difference(state, found.type, "", "", None, None, *places, why)

    def _set_once(self, found: MQObject, word: str, in_a: bool) -> Difference:
        """An attribute of the queue manager that the files of one side set, and the other's not."""
        texts = on_side(_text(found, word, found.value(word)), in_a)
        places = on_side(found.where(word), in_a)
        why = f"{side(not in_a)} does not set it"
        return Difference("undecided", found.type, "", word, *texts, *places, why)

    def _has_all(self, other: QueueManager, found: MQObject) -> bool:
        """Whether `other`, which does not name an object, does not have it either.

        A dump without any object of the product of this type leaves all of them out.
        """
        if not other.has_all(found.type) or not _is_products(found):
            return other.has_all(found.type)
        return found.type in other.cached(_types_of_products)

    def _shipped(self, found: MQObject, other: QueueManager) -> Callable[[str], Value] | None:
        """The values with which `other` has this object if no command of its files names it."""
        if self._has_all(other, found):
            return None
        if default_object_name(found.type, found.subtype) == found.name:
            subtype = found.subtype

            def default(word: str) -> Value:
                return product_default(other.vocabulary, other.target, found.type, subtype, word)

            return default
        record = (found.name, found.subtype or "")
        if found.type == "chlauth" and record in SHIPPED_RECORDS:
            name, value = _RECORDS[record]
            return lambda word: value if word == name else UNKNOWN
        return None

    def _against_shipped(
        self, found: MQObject, shipped: Callable[[str], Value], in_a: bool
    ) -> Iterator[Difference]:
        for word in self._words(found):
            own, other = found.value(word), shipped(word)
            if word == subtype_word(found.type) or self._is_secret(found, word):
                continue
            left, right = (comparable(found, word, value) for value in (own, other))
            if left is not None and left == right:
                self.notes[_SHIPPED] += 1
                continue
            state: State = "differs" if left is not None and right is not None else "undecided"
            texts = (_text(found, word, own), _text(found, word, other))
            texts = texts if in_a else texts[::-1]
            places = on_side(found.where(word), in_a)
            why = f"{side(not in_a)} does not name it: {_DEFAULT}"
            yield Difference(state, found.type, "", word, *texts, *places, why)

    # -- an object of both sides ------------------------------------------------------------

    def _on_both_sides(self, a: MQObject, b: MQObject) -> Iterator[Difference]:
        same_text = signature(a, self._rename) == signature(b, str)
        in_a, in_b = exists(a), exists(b)
        if in_a is in_b is False:
            return
        if in_a is not in_b or (in_a is None and not same_text):
            state: State = "undecided"
            if None not in (in_a, in_b):
                state = "only-in-a" if in_a else "only-in-b"
            gone = "A" if in_a is False else "B" if in_b is False else ""
            why = f"{gone} deletes it" if gone else "whether it exists is not known"
            places = (_place(a), _place(b))
            yield Difference(state, a.type, "", "", None, None, *places, why)
            if in_a is not in_b:
                return
        elif in_a is None:
            self.notes[SAME_TEXT] += 1
        if a.type != b.type:
            yield Difference("differs", a.type, "", "type", a.type, b.type, a.where(), b.where())
            return
        if not same_text and (is_open(a) or is_open(b)):
            why = "a template may add attributes"
            yield Difference("undecided", a.type, "", "", None, None, a.where(), b.where(), why)
        for word in sorted({*self._words(a), *self._words(b)}):
            found = self._attribute(a, b, word, same_text=same_text)
            if found is not None:
                yield found

    def _words(self, found: MQObject) -> list[str]:
        """The attributes that may have another value than the product's default."""
        return [
            word
            for word in sorted(written_words(found, set()))
            if word not in key_words(found.type) and not self._ignored.attribute(found.type, word)
        ]

    def _is_secret(self, found: MQObject, word: str) -> bool:
        return found.manager.vocabulary.is_secret(word) or found.secret(word) is not None

    def _attribute(
        self, a: MQObject, b: MQObject, word: str, *, same_text: bool
    ) -> Difference | None:
        if self._is_secret(a, word) or self._is_secret(b, word):
            return self._secret(a, b, word)
        mine, other = _renamed(a.value(word), self._rename), b.value(word)
        state: State = "differs"
        why = ""
        sides = {"A": (a, mine), "B": (b, other)}
        unknown = {side: found for side, (found, value) in sides.items() if value is UNKNOWN}
        if unknown:
            if len(unknown) > 1 and (same_text or same_template(a, b, word)):
                self.notes[SAME_TEXT] += 1
                return None
            state, why = _undecided(unknown, word)
        else:
            left, right = comparable(a, word, mine), comparable(b, word, other)
            if mine == other or (left is not None and left == right):
                return None
            is_list = isinstance(mine, tuple) and isinstance(other, tuple)
            if is_list and a.type == "authrec" and None in (left, right):
                state, why = "undecided", "what ALL stands for depends on the type of object"
        texts = _text(a, word, mine), _text(b, word, other)
        places = _where(a, word), _where(b, word)
        return Difference(state, a.type, "", word, *texts, *places, why)

    def _secret(self, a: MQObject, b: MQObject, word: str) -> Difference | None:
        """Two secrets: they are masked, so that only their lengths can tell them apart."""
        left, right = a.secret(word), b.secret(word)
        places = (_where(a, word), _where(b, word))
        if left is None and right is None:
            if a.writes(word) == b.writes(word):
                if a.writes(word) and not a.value(word) == b.value(word) == "":
                    self.notes[SECRETS] += 1
                return None
            why = "whether it is a secret, or blank, is not known"
            return Difference("undecided", a.type, "", word, None, None, *places, why)
        if left is None or right is None:
            texts = (MASK if left is not None else None, MASK if right is not None else None)
            return Difference("differs", a.type, "", word, *texts, *places)
        if left.width == right.width:
            self.notes[SECRETS] += 1
            return None
        why = "secrets are not compared; what is written has another length"
        return Difference("undecided", a.type, "", word, MASK, MASK, *places, why)


def _unordered(found: MQObject, word: str) -> list[str]:
    """The files that set different values, if the order in which they run is not declared."""
    values = {order.path: value for order, value in found.script_values(word)}
    return list(values) if len(set(values.values())) > 1 else []


def _renamed(value: Value, rename: Rename) -> Value:
    if isinstance(value, str):
        return rename(value)
    return tuple(map(rename, value)) if isinstance(value, tuple) else value


def _undecided(unknown: Mapping[str, MQObject], word: str) -> tuple[State, str]:
    """Return how an attribute that is unknown in one or both sides differs, and why.

    What has no default, and is not set where the object is defined, has no value.
    """
    unset = [side for side, found in unknown.items() if not found.writes(word)]
    if unset:
        defaults = [_default(unknown[side], word) for side in unset]
        has_none = all(default is None for default in defaults)
        reason = _OPEN_DEFAULT if defaults[-1] is UNKNOWN else ""
        return "differs" if has_none else "undecided", f"{unset[-1]} does not set it{reason}"
    unordered = sorted({path for found in unknown.values() for path in _unordered(found, word)})
    fault = f"depends on the order of {', '.join(unordered)}" if unordered else "is not known"
    return "undecided", f"the value in {' and '.join(sorted(unknown))} {fault}"


def _default(found: MQObject, word: str) -> str | Unknown | None:
    """The default that an object got when it was made, blank if the files do not make it."""
    if all(layer.change is not Change.MAKE for layer in layers_of(found)):
        return ""
    manager = found.manager
    return manager.vocabulary.default(found.type, found.subtype, word, manager.target)


def _text(found: MQObject, word: str, value: Value) -> str | None:
    if value is UNKNOWN or value is ABSENT:
        return None
    if found.manager.vocabulary.is_secret(word):
        return MASK
    return shown(value)


def _where(found: MQObject, word: str) -> Location | None:
    return found.where(word) if found.writes(word) else _place(found)


def _place(found: MQObject) -> Location | None:
    """The last command about an object, also one that deletes it."""
    layer = next(layers_of(found), None)
    return None if layer is None else layer.name_place()


def _is_products(found: MQObject) -> bool:
    return found.name.startswith(("SYSTEM.", "AMQ."))


def _types_of_products(manager: QueueManager) -> frozenset[str]:
    """The types of which the files name an object of the product."""
    return frozenset(found.type for found in manager.all_recorded() if _is_products(found))
