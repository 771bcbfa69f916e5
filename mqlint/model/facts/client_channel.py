"""Client channels, whoever writes them: CLNTCONN objects, JSON tables, settings of programs."""

from __future__ import annotations

from collections import Counter

from mqlint.finding import Location
from mqlint.model.core.key import Numbered
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.resources import DeclaredFact, declared_of

CLIENT_KEYS = (
    *("source", "alternatives", "weights", "ccdt", "reconnect.timeout", "client.id"),
    *("AFFINITY", "CERTLABL", "CHLTYPE", "CLNTWGHT", "CONNAME", "DEFRECON", "DESCR", "DISCINT"),
    *("HBINT", "KAINT", "MAXMSGL", "QMNAME", "SHARECNV", "SSLCIPH", "SSLPEER"),
)
"""What a client channel can be asked."""

_GROUPED = ("alternatives", "weights")


class ClientChannel:
    """A client channel under the names of MQSC.

    `source` is mqsc, ccdt or spring. `alternatives` is the number of channels for the same queue
    manager name that lead to another address, `weights` are the CLNTWGHT of all for this name.
    """

    type = "client_channel"

    def __init__(self, manager: QueueManager, said: DeclaredFact | MQObject, key: str) -> None:
        """`key` tells channels of one name apart."""
        self.manager = manager
        self.name = said.name
        self.key = key
        self._said = said

    def value(self, attribute: str) -> Value:
        """Return an attribute, or a key of this type of fact."""
        if attribute in _GROUPED:
            return _among(self, attribute)
        if attribute == "source" and isinstance(self._said, MQObject):
            return "mqsc"
        if isinstance(self._said, MQObject) and not attribute.isupper():
            return ABSENT
        return self._said.value(attribute)

    def where(self, attribute: str | None = None) -> Location:
        """Return the place that says it."""
        return self._said.where(attribute)


class _Groups:
    """What the channels of each queue manager name have, with how often each value stands.

    A value that is not known stands as a blank one.
    """

    def __init__(self, manager: QueueManager) -> None:
        self.weights: dict[str, Counter[str]] = {}
        self.addresses: dict[str, Counter[str]] = {}
        for one in manager.once(client_channels):
            name = one.value("QMNAME")
            if isinstance(name, str):
                for found, key in ((self.weights, "CLNTWGHT"), (self.addresses, "CONNAME")):
                    value = one.value(key)
                    known = value if isinstance(value, str) else ""
                    found.setdefault(name, Counter())[known] += 1


def _among(channel: ClientChannel, attribute: str) -> Value:
    name = channel.value("QMNAME")
    if not isinstance(name, str):
        return UNKNOWN
    groups = channel.manager.once(_Groups)
    if attribute == "weights":
        weights = groups.weights.get(name, Counter())
        return UNKNOWN if "" in weights else tuple(sorted(weights))
    addresses, own = groups.addresses.get(name, Counter()), channel.value("CONNAME")
    if "" in addresses or not isinstance(own, str):
        return UNKNOWN
    return str(addresses.total() - addresses[own])


_declared = declared_of("client_channel")


def client_channels(manager: QueueManager) -> tuple[ClientChannel, ...]:
    """Return the client channels of a queue manager, or of a table that is nobody's."""
    keys = Numbered()
    objects = (object for object in manager.objects("channel") if object.subtype == "CLNTCONN")
    said: list[DeclaredFact | MQObject] = [*manager.once(_declared), *objects]
    return tuple(
        ClientChannel(manager, declared_fact, keys.of(declared_fact.name)) for declared_fact in said
    )
