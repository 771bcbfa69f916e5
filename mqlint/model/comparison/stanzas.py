"""The stanzas of two queue managers' ini files compared, key by key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mqlint.finding import Location
from mqlint.language.mqsc import Secret
from mqlint.model.comparison.difference import Difference, Ignored, State, on_side, side
from mqlint.model.comparison.written import MASK, SAME_TEXT, SECRETS, Rename
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import QueueManager

if TYPE_CHECKING:
    from mqlint.language.ini.parser import IniEntry, Stanza

Keyed = dict[tuple[str, str, int], tuple["Stanza", Origin]]

_TYPE = "stanza"


def stanza_differences(
    a: QueueManager, b: QueueManager, ignored: Ignored, rename: Rename, notes: Counter[str]
) -> Iterator[Difference]:
    """Yield the differences of stanzas; `notes` counts what is treated as equal."""
    if not a.stanzas or not b.stanzas:
        for manager, in_a in ((a, True), (b, False)):
            for stanza, origin in manager.stanzas[:1]:
                why = f"{side(not in_a)} has no ini file"
                places = on_side(origin.location(stanza.span), in_a)
                yield Difference("undecided", _TYPE, origin.path, "", None, None, *places, why)
        return
    here, there = _keyed(a, rename), _keyed(b, str)
    for key in sorted(here.keys() | there.keys()):
        name = _name(key)
        if ignored.object(_TYPE, name):
            continue
        left, right = here.get(key), there.get(key)
        if left is None or right is None:
            state: State = "only-in-a" if right is None else "only-in-b"
            for stanza, origin in filter(None, (left, right)):
                places = on_side(origin.location(stanza.span), right is None)
                yield Difference(state, _TYPE, name, "", None, None, *places)
            continue
        yield from _keys(name, left, right, ignored, rename, notes)


def _keys(
    name: str,
    left: tuple[Stanza, Origin],
    right: tuple[Stanza, Origin],
    ignored: Ignored,
    rename: Rename,
    notes: Counter[str],
) -> Iterator[Difference]:
    (mine, origin), (other, other_origin) = left, right
    if mine.conditional or other.conditional:
        why = "a template decides which keys there are"
        places = (origin.location(mine.span), other_origin.location(other.span))
        yield Difference("undecided", _TYPE, name, "", None, None, *places, why)
    words = {entry.key.casefold(): entry.key for entry in (*other.entries, *mine.entries)}
    for word in sorted(words):
        if ignored.attribute(_TYPE, words[word]):
            continue
        first, second = mine.get(word), other.get(word)
        state, why = _judged(first, second, rename, notes)
        if state is None:
            continue
        texts = _text(first), _text(second)
        ends = _place(first, origin), _place(second, other_origin)
        yield Difference(state, _TYPE, name, words[word], *texts, *ends, why)


def _judged(
    first: IniEntry | None, second: IniEntry | None, rename: Rename, notes: Counter[str]
) -> tuple[State | None, str]:
    """Return what is known of two entries of one key, None if they are equal, and what is not."""
    if first is None or second is None:
        return "differs", f"{'A' if first is None else 'B'} does not set it"
    if isinstance(first.value, Secret) or isinstance(second.value, Secret):
        if type(first.value) is not type(second.value):
            return "differs", ""
        notes[SECRETS] += 1
        return None, ""
    same = rename(first.value) == second.value
    if first.templated or second.templated:
        if same and first.templated and second.templated:
            notes[SAME_TEXT] += 1
            return None, ""
        return "undecided", "a template gives the value"
    return None if same else "differs", ""


def _keyed(manager: QueueManager, rename: Rename) -> Keyed:
    """Stanzas by file name, name and number: a file may have several of one name."""
    found: Keyed = {}
    for stanza, origin in (*manager.stanzas, *manager.host):
        file = origin.path.rpartition("/")[2].casefold()
        entry = stanza.get("Name")
        name = f"{file} {stanza.name.casefold()}"
        own = "" if entry is None or isinstance(entry.value, Secret) else rename(entry.value)
        number = 1
        while (name, own, number) in found:
            number += 1
        found[name, own, number] = (stanza, origin)
    return found


def _name(key: tuple[str, str, int]) -> str:
    name, own, number = key
    return f"{name}{f' Name={own}' if own else ''}{f' #{number}' if number > 1 else ''}"


def _text(entry: IniEntry | None) -> str | None:
    if entry is None:
        return None
    return MASK if isinstance(entry.value, Secret) else str(entry.value)


def _place(entry: IniEntry | None, origin: Origin) -> Location | None:
    return None if entry is None else origin.location(entry.value_span)
