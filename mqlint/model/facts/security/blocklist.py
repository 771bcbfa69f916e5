"""Lists of users that may not use a channel, as commands leave them: also those they take away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mqlint.model.core.fact import Readers, derived_type
from mqlint.model.core.layer import Change, Layer
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.shipped import SHIPPED_RECORDS
from mqlint.model.core.value import UNKNOWN, Value, flag
from mqlint.vocabulary.distance import nearest_in_any_case

ADMINISTRATORS = "*MQADMIN"
"""The entry for every user with full authority in a list of blocked users."""
_BEGINNINGS = ("*M", "*AD", "*QM", "*QA", "MQADMIN")
"""Other words may be the names of users."""


_READERS: Readers[MQObject] = Readers(
    "blocklist",
    place=lambda fact, _: fact.source.where("USERLIST"),
    values={"administrators": lambda fact: _administrators(fact.source)},
    key=lambda fact: fact.source.key,
)


def _blocklists(manager: QueueManager) -> Iterator[tuple[str, MQObject]]:
    """Return the lists of blocked users that commands name, those they remove among them."""
    records = filter(_is_of_users, manager.all_named("chlauth"))
    return ((record.name, record) for record in records)


BLOCKLIST = derived_type(_READERS, _blocklists)
"""The blocked users of one profile of channel names, by TYPE(BLOCKUSER) records."""


def _administrators(found: MQObject) -> Value:
    listed = holds(found, ADMINISTRATORS)
    return "misspelt" if listed is False and _has_typo(found) else flag(listed)


def _has_typo(found: MQObject) -> bool:
    """Whether a command puts an entry on the list that is a typo of the administrators."""
    layers = (layer for chain in found.chains for layer in chain)
    added = (layer for layer in layers if layer.change in (Change.MAKE, Change.JOIN))
    lists = (layer.items("USERLIST") for layer in added)
    entries = {entry for entries in lists if entries is not UNKNOWN for entry in entries}
    return any(
        entry.startswith(_BEGINNINGS) and nearest_in_any_case(entry, [ADMINISTRATORS])
        for entry in entries
        if entry.upper() != ADMINISTRATORS
    )


def _is_of_users(found: MQObject) -> bool:
    return found.key.split("\x1f")[1:2] == ["BLOCKUSER"]


def holds(found: MQObject, entry: str) -> bool | None:
    """Whether a list of blocked users has an entry after all commands; None when not known."""
    start = _after(found.dump, entry, None)
    if start is None and not found.dump and is_new_list(found):
        start = False
    ends = {_after(chain, entry, start) for chain in found.chains} or {start}
    return ends.pop() if len(ends) == 1 else None


def is_new_list(found: MQObject) -> bool:
    """Return whether the first command about a list of users adds to it, and none is shipped.

    Then the command makes the list.
    """
    is_shipped = (found.name, "BLOCKUSER") in SHIPPED_RECORDS
    return not is_shipped and all(chain[0].change is Change.JOIN for chain in found.chains)


def _after(layers: Iterable[Layer], entry: str, there: bool | None) -> bool | None:
    for layer in layers:
        after = _after_layer(layer, entry, there)
        there = None if layer.maybe and after is not there else after
    return there


def _after_layer(layer: Layer, entry: str, there: bool | None) -> bool | None:
    """Whether the entry is there after one command, if it was (or not) before."""
    if layer.change is Change.REMOVE:
        return False
    entries = layer.items("USERLIST")
    if entries is UNKNOWN:
        settled = {Change.JOIN: True, Change.ALTER: False}.get(layer.change)
        return there if settled is not None and there is settled else None
    if layer.change is Change.MAKE:
        return entry in entries
    if entry not in entries:
        return there
    return layer.change is Change.JOIN
