"""The identity of a channel for its two ends: its name, and its target.

The target of a sender and a server is their transmission queue, which has the name of the queue
manager it leads to if names are resolved without a remote queue (IBM: q025990). If it does not, the
name of the channel may tell: QMA.QMB and QMA.TO.QMB of QMA lead to QMB, and so does ORD.PAY of ORD
to PAY if PAY is also part of its transmission queue, PAY.XQ, or that of a remote queue. So does
PAY.SDR with PAY.XQ, if a remote queue is for PAY. Cluster channels have no target; both ends name
the addresses of the one that is called.
"""

from __future__ import annotations

from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, addresses, flag, is_local
from mqlint.model.facts.routing.cluster import clusters_of
from mqlint.patterns import later

_NOT_USED = ("SYSTEM.DEF.", "SYSTEM.AUTO.")
_COMMON_NAME = later(r"(?:^|[,;])\s*[Cc][Nn]\s*=\s*\"?([^\",;]+)")
_JOINTS = (".TO.", "_TO_", ".", "_")
"""What is between the two queue managers in the name of a channel, the longer ones first."""
_MOST = 50
_ALIKE = 2
"""Letters with which the names of queue managers of one estate begin alike, as in QMA and QMB."""


def pair_of(channel: MQObject) -> Value:
    """Return the text that both ends of a message channel have in common.

    Unknown if a part of it is; absent for client channels, default objects and channels without a
    target.
    """
    if not channel.is_named or channel.name.startswith(_NOT_USED):
        return ABSENT
    way = _way(channel)
    if not isinstance(way, str):
        return way
    return f"{channel.name} {way}" if way else ABSENT


def _way(channel: MQObject) -> Value:
    """The target of the channel: a queue manager of its site, or addresses."""
    key = channel.manager.key
    if channel.subtype in ("SDR", "SVR"):
        partner = partner_of(channel)
        return f"{key.site}/{partner}" if isinstance(partner, str) and partner else partner
    if channel.subtype in ("RCVR", "RQSTR"):
        return f"{key.site}/{key.name}"
    if channel.subtype in ("CLUSSDR", "CLUSRCVR"):
        called = channel.value("CONNAME")
        return UNKNOWN if called is UNKNOWN else ",".join(sorted(set(addresses(called))))
    return ABSENT


def partner_of(channel: MQObject) -> Value:
    """Return the queue manager that a sender or server leads to: see the top of this module.

    Unknown if its transmission queue is, absent for any other channel.
    """
    queue = channel.value("XMITQ") if channel.subtype in ("SDR", "SVR") else ABSENT
    if not isinstance(queue, str) or not queue.strip() or not channel.is_named:
        return queue
    manager, name, queue = channel.manager, str(channel.name), queue.strip()
    own = manager.key.name
    rest = name.removeprefix(own + ".").removeprefix("TO.")
    is_plain = queue.isalnum() and queue[:_ALIKE] == own[:_ALIKE]
    if is_plain or queue in name.split("."):
        return queue
    if rest == name:
        named = manager.cached(_destinations).intersection(queue.split("."), name.split("."))
        return next(iter(named)) if len(named) == 1 else queue
    is_alike = own[:_ALIKE] == rest[:_ALIKE] and len(own) > _ALIKE
    is_known = rest in queue.split(".") or rest in manager.cached(_destinations)
    return rest if is_alike or is_known else queue


def named_partner(channel: MQObject) -> Value:
    """Return the queue manager at the other end of a message channel, if its name has it.

    The name of a sender or server ends with it, that of a receiver, requester or CHLAUTH record
    begins with it. Absent for other names: a channel to a hub may read the transmission queue of
    one behind it, and a transmission queue with a dot in its name is that of a class of service.
    """
    if channel.type == "chlauth" or channel.subtype in ("RCVR", "RQSTR"):
        return _calling(channel)
    partner = partner_of(channel)
    if not isinstance(partner, str) or not partner:
        return partner
    is_named = (
        channel.is_named
        and partner.isalnum()
        and str(channel.name).endswith((f".{partner}", f"_{partner}"))
    )
    return partner if is_named else ABSENT


def _calling(called: MQObject) -> Value:
    """The queue manager at the beginning of a name that ends with the own one: QMB of QMB.QMA."""
    own = called.manager.key.name
    first, _ = _before(called, own)
    return first if first.isalnum() and _is_alike(first, own) else ABSENT


def own_name_of(sender: MQObject) -> Value:
    """Return the name that a sender has if it is named after its own queue manager.

    Absent if it is not named after another one, as QMA.QMB at QMC, or if QMC.QMB is here too.
    """
    partner, own = partner_of(sender), sender.manager.key.name
    first, joint = _before(sender, partner) if isinstance(partner, str) and partner else ("", "")
    if not first.isalnum() or not _is_alike(first, own):
        return partner if partner is UNKNOWN else ABSENT
    name = f"{own}{joint}{partner}"
    return ABSENT if sender.manager.find("channel", name) is not None else name


def _before(channel: MQObject, last: str) -> tuple[str, str]:
    """What is before a queue manager at the end of a name, and what is between the two."""
    name = str(channel.name) if channel.is_named and not channel.manager.key.anonymous else ""
    joint = next((joint for joint in _JOINTS if name.endswith(joint + last)), "")
    return (name.removesuffix(joint + last), joint) if joint else ("", "")


def _is_alike(name: str, own: str) -> bool:
    """Whether a name may be that of another queue manager of the same estate."""
    return name[:_ALIKE] == own[:_ALIKE] and len(name) > _ALIKE and not own.startswith(name)


def stray_peer(found: MQObject) -> Value:
    """Return the name, in lower case, that a channel or record requires instead of its partner's.

    It is CN in SSLPEER of a channel, or QMNAME of a CHLAUTH record. Absent if that is or may be the
    partner that the channel is named after.
    """
    partner = named_partner(found)
    required = found.value("QMNAME" if found.type == "chlauth" else "SSLPEER")
    if not isinstance(partner, str) or not isinstance(required, str) or not partner:
        return required if required is UNKNOWN else ABSENT
    if found.type == "channel":
        common = _COMMON_NAME.search(required)
        required = "" if common is None else common[1]
    name = required.strip().lower()
    return ABSENT if name in ("", partner.lower()) or "*" in name else name


def _destinations(manager: QueueManager) -> frozenset[Value]:
    """The queue managers of the remote queues."""
    queues = manager.objects("queue")
    return frozenset(queue.value("RQMNAME") for queue in queues if queue.type == "qremote")


class _Called:
    """The addresses that the cluster-senders of a queue manager call, by cluster.

    All receivers of a cluster have the same neighbours, and there may be thousands of either, so
    the senders are read once, and an answer has at most `_MOST` addresses.
    """

    def __init__(self, manager: QueueManager) -> None:
        self._by_cluster: dict[str, dict[str, None]] = {}
        self._unknown = set[str]()
        self._is_open = False
        self._answers: dict[tuple[str, ...], Value] = {}
        for channel in manager.channels("CLUSSDR"):
            self._add(channel)

    def _add(self, sender: MQObject) -> None:
        clusters, called = clusters_of(sender), sender.value("CONNAME")
        if not isinstance(clusters, tuple):
            self._is_open = True
        elif called is UNKNOWN:
            self._unknown.update(clusters)
        else:
            found = dict.fromkeys(addresses(called))
            for cluster in clusters:
                self._by_cluster.setdefault(cluster, {}).update(found)

    def of(self, clusters: tuple[str, ...]) -> Value:
        """Return the addresses that are called in any of these clusters, other hosts first."""
        if clusters not in self._answers:
            self._answers[clusters] = self._of(clusters)
        return self._answers[clusters]

    def _of(self, clusters: tuple[str, ...]) -> Value:
        if self._is_open or not self._unknown.isdisjoint(clusters):
            return UNKNOWN
        found: dict[str, None] = {}
        for cluster in clusters:
            found.update(self._by_cluster.get(cluster, {}))
        if len(found) <= _MOST:
            return tuple(found) or ABSENT
        others = [address for address in found if not is_local(address)]
        return tuple(others[:_MOST]) or UNKNOWN


def called_neighbours(channel: MQObject) -> Value:
    """Return the addresses that cluster-senders of the same clusters here call; absent for none.

    They are unknown if one of them is. Of more than fifty, some that are not of this host are
    returned.
    """
    mine = clusters_of(channel)
    return channel.manager.cached(_Called).of(mine) if isinstance(mine, tuple) else mine


def names_known_partner(record: MQObject) -> Value:
    """Whether QMNAME of a CHLAUTH record is a name that queues or channels here have or name.

    A channel is often named after both ends, so each of its first and last parts counts.
    """
    name = record.value("QMNAME") if record.type == "chlauth" else ABSENT
    if not isinstance(name, str):
        return name
    return flag(name in record.manager.cached(_partner_names))


def _partner_names(manager: QueueManager) -> frozenset[Value]:
    names: set[Value] = set()
    for queue in manager.objects("queue"):
        if queue.type == "qremote" or queue.value("USAGE") == "XMITQ":
            names |= {queue.name, queue.value("RQMNAME")}
    for channel in manager.objects("channel"):
        parts = channel.name.split(".")
        for at in range(len(parts)):
            names |= {".".join(parts[: at + 1]), ".".join(parts[at:])}
    return frozenset(names)
