"""The clusters of one queue manager, and its part in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from mqlint.dataclass import NamedTuple
from mqlint.finding import Location
from mqlint.model.core.fact import DerivedFact, FactType, Readers
from mqlint.model.core.ini_settings import setting, written
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, listed
from mqlint.model.facts.queue_manager.wholeness import is_read_whole
from mqlint.number import whole_number
from mqlint.vocabulary.limits import NAMES_IN_LIST


class _Cluster(NamedTuple):
    """A cluster, and what makes the queue manager a repository or, failing that, a member of it."""

    name: str
    place: Location


_EACH_PAIR = 4
"""Characters in budgets for two clusters of one object: up to 16 clusters take what it has."""
ClusterFact = DerivedFact[_Cluster]


def _full_repository(fact: ClusterFact) -> Value:
    manager = fact.manager
    found = manager.own_object()
    named = _is_named_by(fact.name, found)
    return "false" if named is UNKNOWN and _is_never_one(manager, found) else named


def _is_never_one(manager: QueueManager, found: MQObject | None) -> bool:
    """Return whether all commands of the queue manager are known, and none sets a repository.

    REPOS and REPOSNL of a new queue manager are blank.
    """
    if not manager.complete or _is_automatic(manager):
        return False
    if found is None:
        return True
    words = (word for word in ("REPOS", "REPOSNL") if found.writes(word))
    return all(found.value(word) in ("", ABSENT) for word in words)


def _is_automatic(manager: QueueManager) -> bool:
    """Whether an automatic cluster defines channels and repositories by itself."""
    return any(stanza.name.lower() == "autocluster" for stanza, _ in manager.stanzas)


def _is_named_by(cluster: str, found: MQObject | None) -> Value:
    """Whether an object names the cluster; one name is certain while others are not."""
    if found is None:
        return UNKNOWN
    if any(name == cluster for name, _ in _named(found)):
        return "true"
    return UNKNOWN if clusters_of(found) is UNKNOWN else "false"


def _has_channel(subtype: str, other: str) -> Callable[[ClusterFact], Value]:
    """Return what reads whether the queue manager has a channel of a type for the cluster.

    That it has none is known only of a complete queue manager that defines its own channels. It is
    `undefined` if all texts of the queue manager were read, which define the `other` type for it.
    """
    find, find_other = (
        partial(_clusters_of_all, subtype=subtype),
        partial(_clusters_of_all, subtype=other),
    )

    def read(fact: ClusterFact) -> Value:
        manager = fact.manager
        clusters, is_open = manager.cached(find)
        if fact.name in clusters:
            return "true"
        if is_open or _is_automatic(manager):
            return UNKNOWN
        if manager.has_all("channel"):
            return "false"
        is_set_up = fact.name in manager.cached(find_other)[0] and manager.cached(is_read_whole)
        return "undefined" if is_set_up else UNKNOWN

    return read


def _clusters_of_all(manager: QueueManager, subtype: str) -> tuple[set[str], bool]:
    """The clusters of the channels of a type, and whether some of them are unknown."""
    called: set[str] = set()
    is_open = False
    for channel in _channels(manager, subtype):
        called.update(name for name, _ in _named(channel))
        is_open = is_open or clusters_of(channel) is UNKNOWN
    return called, is_open


_READERS: Readers[_Cluster] = Readers(
    "cluster",
    place=lambda fact, _: fact.source.place,
    values={
        "full_repository": _full_repository,
        "sender": _has_channel("CLUSSDR", "CLUSRCVR"),
        "receiver": _has_channel("CLUSRCVR", "CLUSSDR"),
    },
    key=lambda fact: fact.name,
)


def clusters(manager: QueueManager) -> tuple[ClusterFact, ...]:
    """Return the clusters in which `manager` is a full repository or has a cluster-receiver."""
    holders = [*manager.objects("qmgr"), *_channels(manager, "CLUSRCVR")]
    places: dict[str, Location] = {}
    for holder in holders:
        for name, by_list in _named(holder):
            if name not in places:
                places[name] = _place(holder, name, by_list)
    return tuple(
        DerivedFact(_READERS, manager, name, _Cluster(name, place))
        for name, place in places.items()
    )


CLUSTER = FactType("cluster", clusters, tuple(_READERS.values))
"""The part of one queue manager in one cluster."""


def clusters_of(found: MQObject) -> Value:
    """Return the clusters an object is in: its CLUSTER, else the names in its namelist.

    An object that has a CLUSTER has no namelist. (IBM MQ documentation, q085710_: no more than one
    of the two may be nonblank.)
    """
    word, namelist = _words(found)
    direct, by_list = _names(found, word, False), _names(found, namelist, True)
    if by_list is UNKNOWN and isinstance(direct, tuple) and direct:
        return direct
    if not isinstance(direct, tuple) or not isinstance(by_list, tuple):
        return UNKNOWN
    return by_list if not direct else tuple(dict.fromkeys(direct + by_list))


def use_of_queue(found: MQObject) -> Value:
    """Return whether puts at its queue manager stay with a local queue: the CLWLUSEQ in force.

    That is its own, and with QMGR that of the queue manager.
    """
    if found.type != "qlocal":
        return ABSENT
    own = found.value("CLWLUSEQ")
    holder = found.manager.own_object()
    if own != "QMGR":
        return own
    return UNKNOWN if holder is None else holder.value("CLWLUSEQ")


def retry_seconds(found: MQObject) -> Value:
    """Return for how many seconds a channel tries to connect again before it gives up."""
    if found.type != "channel":
        return ABSENT
    total = 0
    for count, interval in (("SHORTRTY", "SHORTTMR"), ("LONGRTY", "LONGTMR")):
        values = [found.value(count), found.value(interval)]
        numbers = [number for number in map(whole_number, values) if number is not None]
        if len(numbers) < len(values):
            return ABSENT if ABSENT in values else UNKNOWN
        total += numbers[0] * numbers[1]
    return str(total)


def _channels(manager: QueueManager, subtype: str) -> Iterator[MQObject]:
    """Yield the channels of one type, the shipped default objects left out."""
    for channel in manager.channels(subtype):
        if not channel.name.startswith("SYSTEM.DEF."):
            yield channel


def _words(found: MQObject) -> tuple[str, str]:
    """The attributes that name one cluster, and a namelist of clusters."""
    return ("REPOS", "REPOSNL") if found.type == "qmgr" else ("CLUSTER", "CLUSNL")


def _names(found: MQObject, attribute: str, namelist: bool) -> Value:
    """The clusters that one attribute names, directly or by a namelist."""
    value = found.value(attribute)
    if not isinstance(value, str) or not value:
        return UNKNOWN if value is UNKNOWN else ()
    return found.manager.cached_for(_names_by_list, found) if namelist else (value,)


def _names_by_list(manager: QueueManager, found: MQObject) -> Value:
    """The clusters in the namelist of an object: each is compared with all of them.

    Unknown if many objects are in many clusters.
    """
    names = manager.cached_for(_names_in, str(found.value(_words(found)[1])))
    cost = _EACH_PAIR * len(names) ** 2 if isinstance(names, tuple) else 0
    return names if manager.budget("clusters in namelists").spend(cost) else UNKNOWN


def _names_in(manager: QueueManager, namelist: str) -> Value:
    """The names in a namelist; unknown if it has more than a namelist can have."""
    holder = manager.find("namelist", namelist)
    names = UNKNOWN if holder is None else listed(holder.value("NAMES"))
    if not isinstance(names, tuple):
        return names
    return tuple(dict.fromkeys(names)) if len(names) <= NAMES_IN_LIST else UNKNOWN


def _named(found: MQObject) -> Iterator[tuple[str, bool]]:
    """The clusters an object names for certain, and whether by its namelist."""
    for attribute, by_list in zip(_words(found), (False, True), strict=True):
        names = _names(found, attribute, by_list)
        for name in names if isinstance(names, tuple) else ():
            yield name, by_list


def _place(found: MQObject, name: str, by_list: bool) -> Location:
    """The place at which an object, or its namelist, names a cluster."""
    word, namelist = _words(found)
    holder = found.manager.find("namelist", str(found.value(namelist))) if by_list else None
    return found.where(word) if holder is None else holder.where_item("NAMES", name)


def uniform_clusters(manager: QueueManager) -> Value:
    """Return the uniform clusters of a queue manager, by AutoCluster and TuningParameters.

    IBM MQ documentation, "Using automatic cluster configuration" (q133780_).
    """
    kind = written(setting(manager.stanzas, "autocluster", "Type"))
    named = written(setting(manager.stanzas, "tuningparameters", "UniformClusterName"))
    automatic = written(setting(manager.stanzas, "autocluster", "ClusterName"))
    found = [named]
    if isinstance(kind, str) and kind.lower() == "uniform":
        found.append(automatic)
    if UNKNOWN in found:
        return UNKNOWN
    return tuple(dict.fromkeys(name for name in found if isinstance(name, str) and name)) or UNKNOWN
