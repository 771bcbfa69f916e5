"""Members of clusters, as files describe them: identities, channels, queues."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mqlint.dataclass import frozen
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import Value, addresses
from mqlint.model.facts.routing.cluster import clusters, clusters_of
from mqlint.vocabulary.target import Level

_QUEUES = ("qlocal", "qalias", "qremote")


@frozen
class Sender:
    """A manually defined cluster-sender channel; `called` are its addresses, as in CONNAME."""

    name: str
    called: tuple[str, ...]


@frozen
class Membership:
    """The part of a queue manager in one cluster.

    `channel` is its cluster-receiver channel, `called` the addresses in its CONNAME. `queues` and
    `topics` are the names of what it shares with the cluster.
    """

    cluster: str
    is_full: bool
    channel: str
    called: tuple[str, ...] = ()
    senders: tuple[Sender, ...] = ()
    queues: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()


@frozen
class Member:
    """A queue manager of one site, with its clusters.

    `qmid` is blank if no file shows it. `level` is None if it is not known.
    """

    name: str
    site: str
    qmid: str = ""
    level: Level | None = None
    is_zos: bool = False
    memberships: tuple[Membership, ...] = ()

    @property
    def title(self) -> str:
        """The queue manager as people call it: its name and site."""
        return f"{self.name} at {self.site}"


def members_of(managers: Iterable[QueueManager]) -> list[Member]:
    """Return the named queue managers of sites that are in a cluster, in the order given."""
    found = []
    for manager in managers:
        if manager.key.anonymous or manager.site is None:
            continue
        memberships = tuple(_memberships(manager))
        if memberships:
            found.append(_member(manager, memberships))
    return found


def _member(manager: QueueManager, memberships: tuple[Membership, ...]) -> Member:
    own = manager.own_object()
    qmid = own.value("QMID") if own is not None else ""
    return Member(
        name=manager.key.name,
        site=manager.key.site,
        qmid=qmid if isinstance(qmid, str) else "",
        level=manager.target.level,
        is_zos=manager.target.platform == "zos",
        memberships=memberships,
    )


def _memberships(manager: QueueManager) -> Iterator[Membership]:
    """The clusters in which it has a cluster-receiver channel: without one it is not a member."""
    receivers, senders = _channels(manager)
    shared = {kinds: _shared(manager, kinds) for kinds in (_QUEUES, ("topic",))}
    for fact in clusters(manager):
        receiver = receivers.get(fact.name)
        if receiver is None:
            continue
        yield Membership(
            cluster=fact.name,
            is_full=fact.value("full_repository") == "true",
            channel=receiver.name,
            called=_called(receiver),
            senders=tuple(
                Sender(sender.name, _called(sender)) for sender in senders.get(fact.name, ())
            ),
            queues=tuple(shared[_QUEUES].get(fact.name, ())),
            topics=tuple(shared["topic",].get(fact.name, ())),
        )


def _channels(
    manager: QueueManager,
) -> tuple[dict[str, MQObject], dict[str, list[MQObject]]]:
    receivers: dict[str, MQObject] = {}
    senders: dict[str, list[MQObject]] = {}
    for channel in manager.channels("CLUSRCVR", "CLUSSDR"):
        for cluster in _names(clusters_of(channel)):
            if channel.subtype == "CLUSRCVR":
                receivers.setdefault(cluster, channel)
            else:
                senders.setdefault(cluster, []).append(channel)
    return receivers, senders


def _shared(manager: QueueManager, kinds: tuple[str, ...]) -> dict[str, dict[str, None]]:
    """The names of the objects that each cluster sees."""
    found: dict[str, dict[str, None]] = {}
    for kind in kinds:
        for shared in manager.objects(kind):
            for cluster in _names(clusters_of(shared)):
                found.setdefault(cluster, {})[str(shared.name)] = None
    return found


def _called(channel: MQObject) -> tuple[str, ...]:
    return tuple(addresses(channel.value("CONNAME")))


def _names(value: Value) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()
