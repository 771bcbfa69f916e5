"""Client channels of all sources: CLNTCONN objects, JSON tables, settings of programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from posixpath import dirname

from mqlint.grouping import grouped
from mqlint.model.core.fact import DerivedFact, Fact, Readers, derived_type, never
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.files.resources import resource_type

ClientChannel = DerivedFact[Fact]


class _Groups:
    """The client channels of each queue manager name: mostly one."""

    def __init__(self, manager: QueueManager) -> None:
        channels = manager.cached(CLIENT_CHANNEL.find)
        self._channels = grouped((channel.value("QMNAME"), channel) for channel in channels)
        self._counts: dict[tuple[str, str], Counter[str]] = {}

    def counts(self, name: str, attribute: str) -> Counter[str]:
        """Return the number of channels for a name with each value; unknown counts as blank."""
        found = self._counts.get((name, attribute))
        if found is None:
            channels = self._channels[name]
            values = (channel.value(attribute) for channel in channels)
            found = Counter(value if isinstance(value, str) else "" for value in values)
            if len(channels) > 1:
                self._counts[name, attribute] = found
        return found


def _weights(channel: ClientChannel) -> Value:
    name = channel.value("QMNAME")
    if not isinstance(name, str):
        return UNKNOWN
    weights = channel.manager.cached(_Groups).counts(name, "CLNTWGHT")
    return UNKNOWN if "" in weights else tuple(sorted(weights))


def _alternatives(channel: ClientChannel) -> Value:
    name, own = channel.value("QMNAME"), channel.value("CONNAME")
    if not isinstance(name, str) or not isinstance(own, str):
        return UNKNOWN
    addresses = channel.manager.cached(_Groups).counts(name, "CONNAME")
    return UNKNOWN if "" in addresses else str(addresses.total() - addresses[own])


def _value(channel: ClientChannel, attribute: str) -> Value:
    if isinstance(channel.source, MQObject) and not attribute.isupper():
        return "mqsc" if attribute == "source" else ABSENT
    return channel.source.value(attribute)


_READERS: Readers[Fact] = Readers(
    "client_channel",
    place=lambda channel, attribute: channel.source.where(attribute),
    values={
        "alternatives": _alternatives,
        "weights": _weights,
        "folder": lambda channel: dirname(channel.where().path) or ".",
    },
    other=_value,
)
_DECLARED = resource_type("client_channel")


def _client_channels(manager: QueueManager) -> Iterator[tuple[str, Fact]]:
    """Return the client channels of a queue manager, or of a table without a queue manager."""
    objects = manager.channels("CLNTCONN")
    return ((source.name, source) for source in chain(_DECLARED.find(manager), objects))


CLIENT_CHANNEL = derived_type(
    _READERS,
    _client_channels,
    (
        *("source", "alternatives", "weights", "folder", "ccdt", "reconnect.timeout", "client.id"),
        *("AFFINITY", "CERTLABL", "CHLTYPE", "CLNTWGHT", "CONNAME", "DEFRECON", "DESCR"),
        *("DISCINT", "HBINT", "KAINT", "MAXMSGL", "QMNAME", "SHARECNV", "SSLCIPH", "SSLPEER"),
    ),
    never,
)
"""A client channel under the names of MQSC."""
