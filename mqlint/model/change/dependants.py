"""What depends on an object: other objects, queue managers and applications that name it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

from mqlint.dataclass import frozen
from mqlint.finding import Location
from mqlint.grouping import grouped
from mqlint.model.comparison.written import Rename
from mqlint.model.core.action import family
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.facts.names.uses import uses_of


@frozen
class Dependant:
    """An object that names another one: its type, its name, and the attribute with the name.

    `queue_manager` and `site` are blank if both are of one queue manager.
    """

    type: str
    name: str
    attribute: str = ""
    queue_manager: str = ""
    site: str = ""
    place: Location | None = None


_OTHER_ENDS: Mapping[str, frozenset[str]] = {
    "SDR": frozenset({"RCVR", "RQSTR"}),
    "SVR": frozenset({"RCVR", "RQSTR"}),
    "RCVR": frozenset({"SDR", "SVR"}),
    "RQSTR": frozenset({"SDR", "SVR"}),
    "CLUSSDR": frozenset({"CLUSRCVR"}),
    "CLUSRCVR": frozenset({"CLUSSDR"}),
    "SVRCONN": frozenset({"CLNTCONN"}),
}
"""The types that a channel of the same name has at the other end, by the type here."""


class Dependants:
    """What names the objects of queue managers that are described together."""

    def __init__(self, managers: Sequence[QueueManager], rename: Rename) -> None:
        """Take all queue managers; `rename` makes of a text what it is called in the plan."""
        self._managers = managers
        self._rename = rename
        self._own: dict[int, dict[tuple[str, str], list[Dependant]]] = {}

    def of(
        self, manager: QueueManager, object_type: str, subtype: str | None, name: str
    ) -> Iterator[Dependant]:
        own = self._of_own(manager)
        yield from own.get((family(object_type), name), ())
        if object_type == "channel":
            yield from self._other_ends(manager, subtype, name)
        elif family(object_type) == "queue":
            owner = self._rename(manager.key.name)
            for found in self._by_queue.get((owner, name), ()):
                if found.manager is not manager:
                    yield self._elsewhere(found, "RNAME")

    # -- the same queue manager ---------------------------------------------------------------

    def _of_own(self, manager: QueueManager) -> dict[tuple[str, str], list[Dependant]]:
        found = self._own.get(id(manager))
        if found is None:
            found = self._own[id(manager)] = grouped(
                (*self._objects(manager), *self._applications(manager))
            )
        return found

    def _objects(self, manager: QueueManager) -> Iterator[tuple[tuple[str, str], Dependant]]:
        for use in uses_of(manager):
            if use.holder_type != "command":
                holder = "" if use.holder_type == "qmgr" else self._rename(use.holder)
                dependant = Dependant(use.holder_type, holder, use.word, place=use.place)
                yield (family(use.target), self._rename(use.name)), dependant

    def _applications(self, manager: QueueManager) -> Iterator[tuple[tuple[str, str], Dependant]]:
        for declared, origin in manager.declarations("connection"):
            channel = declared.field("channel")
            if channel is not None and isinstance(channel.value, str):
                place = origin.location(channel.span)
                yield ("channel", channel.value), _application(declared.name, origin, place)
        for declared, origin in manager.declarations("use"):
            place = origin.location(declared.span)
            yield ("queue", declared.name), _application("", origin, place)

    # -- other queue managers -----------------------------------------------------------------

    def _other_ends(
        self, manager: QueueManager, subtype: str | None, name: str
    ) -> Iterator[Dependant]:
        """The channels of the same name, which are its other ends, and client channels."""
        types = _OTHER_ENDS.get(subtype or "")
        by_type = self._by_channel.get(name, {})
        fitting = (
            channels
            for other, channels in by_type.items()
            if types is None or other is None or other in types
        )
        for found in chain.from_iterable(fitting):
            is_client = found.subtype == "CLNTCONN"
            if is_client and subtype == "SVRCONN":
                yield Dependant(
                    *("client channel", name, ""), *self._owner(found, manager), place=found.where()
                )
            elif found.manager is not manager and not is_client and subtype != "SVRCONN":
                yield self._elsewhere(found, "")

    def _elsewhere(self, found: MQObject, word: str) -> Dependant:
        key = found.manager.key
        name = self._rename(found.name)
        place = found.where(word or None)
        return Dependant(found.type, name, word, self._rename(key.name), key.site, place)

    def _owner(self, found: MQObject, manager: QueueManager) -> tuple[str, str]:
        key = found.manager.key
        return ("", "") if found.manager is manager else (self._rename(key.name), key.site)

    @cached_property
    def _by_channel(self) -> dict[str, dict[str | None, list[MQObject]]]:
        channels = (found for found in self._all("channel") if not found.name.startswith("SYSTEM."))
        by_name = grouped((self._rename(found.name), found) for found in channels)
        return {
            name: grouped((found.subtype, found) for found in alike)
            for name, alike in by_name.items()
        }

    @cached_property
    def _by_queue(self) -> dict[tuple[str, str], list[MQObject]]:
        named = (
            (each.value("RQMNAME"), each.value("RNAME"), each) for each in self._all("qremote")
        )
        return grouped(
            ((self._rename(owner), self._rename(queue)), found)
            for owner, queue, found in named
            if isinstance(owner, str) and isinstance(queue, str) and queue
        )

    def _all(self, object_type: str) -> Iterable[MQObject]:
        for manager in self._managers:
            for found in manager.objects(object_type):
                if found.is_named:
                    yield found


def _application(name: str, origin: Origin, place: Location) -> Dependant:
    return Dependant("application", name or origin.path, place=place)
