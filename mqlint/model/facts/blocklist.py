"""Lists of users that may not use a channel, as commands leave them: also those they take away."""

from __future__ import annotations

from collections.abc import Iterable

from mqlint.finding import Location
from mqlint.model.core.layer import Change, Layer
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value

ADMINISTRATORS = "*MQADMIN"
"""Stands for every user with full authority in a list of blocked users."""


class BlocklistFact:
    """The blocked users of one profile of channel names, by TYPE(BLOCKUSER) records.

    `administrators` tells whether privileged users are among them: true, false or unknown. A list
    that commands only add to or take from may have others in it that are not known.
    """

    __slots__ = ("_found",)

    type = "blocklist"

    def __init__(self, found: MQObject) -> None:
        """Take a record, which commands may have taken away."""
        self._found = found

    @property
    def manager(self) -> QueueManager:
        """The queue manager that has it."""
        return self._found.manager

    @property
    def name(self) -> str:
        """The profile."""
        return self._found.name

    @property
    def key(self) -> str:
        """The key of the record."""
        return self._found.key

    def value(self, attribute: str) -> Value:
        """Return `administrators`."""
        if attribute != "administrators":
            return ABSENT
        known = holds(self._found, ADMINISTRATORS)
        return UNKNOWN if known is None else "true" if known else "false"

    def where(self, attribute: str | None = None) -> Location:
        """Return the place of the list, else of the last command about it."""
        return self._found.where("USERLIST")


def blocklists(manager: QueueManager) -> tuple[BlocklistFact, ...]:
    """Return the lists of blocked users that commands of a queue manager speak of."""
    said = manager.all_named("chlauth")
    return tuple(BlocklistFact(mqobject) for mqobject in said if _is_of_users(mqobject))


def _is_of_users(found: MQObject) -> bool:
    return found.key.split("\x1f")[1:2] == ["BLOCKUSER"]


def holds(found: MQObject, entry: str) -> bool | None:
    """Whether a list of blocked users has an entry after all commands; None when not known."""
    start = _after(found.dump, entry, None)
    ends = {_after(chain, entry, start) for chain in found.chains} or {start}
    return ends.pop() if len(ends) == 1 else None


def _after(layers: Iterable[Layer], entry: str, there: bool | None) -> bool | None:
    for layer in layers:
        after = _after_one(layer, entry, there)
        there = None if layer.maybe and after is not there else after
    return there


def _after_one(layer: Layer, entry: str, there: bool | None) -> bool | None:
    """Whether the entry is there after one command, if it was (or not) before."""
    if layer.change is Change.REMOVE:
        return False
    named = layer.items("USERLIST")
    if named is UNKNOWN:
        settled = {Change.JOIN: True, Change.ALTER: False}.get(layer.change)
        return there if settled is not None and there is settled else None
    if layer.change is Change.MAKE:
        return entry in named
    if entry not in named:
        return there
    return layer.change is Change.JOIN
