"""The route of a message from a remote queue, alias queue or subscription, at one queue manager.

The steps are those of name resolution (IBM: q025990, "Name resolution"; q103620, "XmitQName").
Beyond the channel another queue manager decides: policies follow by a related check across.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field

from mqlint.dataclass import mutable
from mqlint.finding import Location
from mqlint.model.core.fact import DerivedFact, Readers, derived_type
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, known_text
from mqlint.model.facts.routing.cluster import clusters

_ALIASES = 16
_CLUSTER_QUEUE = "SYSTEM.CLUSTER.TRANSMIT.QUEUE"


@mutable
class Route:
    """The queues on a route: `hops`, and `state` with the reason where it ends.

    `target` is the queue manager and the queue of the message. `channels` are those that read the
    transmission queue `queue`. `at` is the hop at which the route is broken or unknown.
    """

    hops: list[MQObject] = field(default_factory=list)
    state: str = "unknown"
    reason: str = ""
    at: str = ""
    target: tuple[str, str] = ("", "")
    channels: tuple[str, ...] = ()
    queue: str = ""

    def ends(self, state: str, reason: str = "", at: str = "") -> Route:
        self.state, self.reason, self.at = state, reason, at
        return self


class _Start:
    """Where messages come from; the route is followed at the first asking."""

    __slots__ = ("_route", "found")

    def __init__(self, found: MQObject) -> None:
        self.found = found
        self._route: Route | None = None

    @property
    def route(self) -> Route:
        if self._route is None:
            self._route = _follow(self.found)
        return self._route


_REMOTE = {"qremote": ("RNAME", "RQMNAME"), "sub": ("DEST", "DESTQMGR")}
"""The attributes that name the queue and the queue manager, of what leads to another one."""


def _place(fact: DerivedFact[_Start], attribute: str | None) -> Location:
    found = fact.source.found
    queue, manager = _REMOTE.get(found.type, ("TARGET", "TARGET"))
    return found.where(manager if attribute == "target_manager" else queue)


def _text_of(read: Callable[[Route], str]) -> Callable[[DerivedFact[_Start]], Value]:
    return lambda fact: read(fact.source.route) or ABSENT


def _hops(route: Route) -> Value:
    channels = [f"channel {', '.join(route.channels)}"] if route.channels else []
    return (*(f"{queue.type} {queue.name}" for queue in route.hops), *channels)


def _via(route: Route) -> Value:
    return route.queue if route.queue != route.target[0] else ABSENT


def _strays(fact: DerivedFact[_Start]) -> Value:
    """The transmission queue of another queue manager, though the target has one of its own here.

    A queue named after both, as a class of service is, is not another's. That of another has a
    channel that is named after it.
    """
    route, manager = fact.source.route, fact.manager
    used, target = route.queue, route.target[0]
    if route.state != "sent" or not target or target in used or used in target:
        return ABSENT
    is_others = any(name.endswith(f".{used}") for name in route.channels)
    own = manager.find("qlocal", target)
    has_own = own is not None and own.value("USAGE") == "XMITQ"
    return used if is_others and has_own and target in manager.cached(_readers) else ABSENT


_READERS: Readers[_Start] = Readers(
    "path",
    place=_place,
    values={
        "object.type": lambda fact: fact.source.found.type,
        "state": _text_of(lambda route: route.state),
        "reason": _text_of(lambda route: route.reason),
        "broken_at": _text_of(lambda route: route.at),
        "hops": lambda fact: _hops(fact.source.route),
        "target_manager": _text_of(lambda route: route.target[0]),
        "target_queue": _text_of(lambda route: route.target[1]),
        "channels": lambda fact: fact.source.route.channels,
        "via": lambda fact: _via(fact.source.route),
        "strays": _strays,
    },
    key=lambda fact: f"{'sub ' * (fact.source.found.type == 'sub')}{fact.name}",
)


def _paths(manager: QueueManager) -> Iterator[tuple[str, _Start]]:
    """Return the routes from the alias queues, remote queues and subscriptions."""
    starts = (found for kind in ("qalias", *_REMOTE) for found in manager.objects(kind))
    return ((found.name, _Start(found)) for found in starts if _is_start(found))


PATH = derived_type(_READERS, _paths, cheap=("object.type", "state", "reason"))
"""The route of messages from one remote or alias queue, or from a subscription."""


def _is_start(found: MQObject) -> bool:
    """Whether messages are put on it: not on a topic alias, nor on what names no target."""
    if not found.is_named or found.name.startswith("SYSTEM.DEFAULT."):
        return False
    if found.type == "qalias":
        return found.value("TARGTYPE") != "TOPIC"
    if found.type == "sub":
        named = found.value("DESTQMGR")
        is_far = not _is_blank(named) and named != found.manager.key.name
        return is_far and found.value("DESTCLAS") == "PROVIDED"
    return not all(_is_blank(found.value(word)) for word in _REMOTE[found.type])


def _follow(start: MQObject) -> Route:
    route = Route([start])
    if start.type in _REMOTE:
        return _remote(start, route)
    target = known_text(start.value("TARGET"))
    if target is None:
        return route.ends("unknown", "template", start.name)
    if not target:
        return route.ends("broken", "missing-target", start.name)
    found = start.manager.find("queue", target)
    if found is None:
        return _missing(start, target, route)
    route.hops.append(found)
    if found.type == "qalias":
        reason = "loop" if found is start else "alias-of-alias"
        return route.ends("broken", reason, found.name)
    if found.type == "qmodel":
        return route.ends("broken", "wrong-type", found.name)
    if found.type == "qremote":
        return _remote(found, route)
    route.target = (start.manager.key.name, target)
    return route.ends("reached")


def _missing(start: MQObject, target: str, route: Route) -> Route:
    """An alias whose target is not defined here: it may be a queue of a cluster."""
    manager = start.manager
    if manager.exists("queue", target) is not False:
        return route.ends("unknown", "not-all-here", target)
    if manager.cached(may_be_in_cluster):
        return route.ends("unknown", "cluster", target)
    return route.ends("broken", "missing-target", target)


def _remote(found: MQObject, route: Route) -> Route:
    """The way on to another queue manager: its aliases, a transmission queue, a channel."""
    manager = found.manager
    queue, there = (known_text(found.value(word)) for word in _REMOTE[found.type])
    if queue is None or there is None:
        return route.ends("unknown", "template", found.name)
    route.target = (there, queue)
    if not there or there == manager.key.name:
        return route.ends("unknown", "own", found.name)
    through, seen = found, {found.name}
    while known_text(through.value("XMITQ")) == "":
        alias = manager.find("qremote", there)
        if alias is None or not _is_blank(alias.value("RNAME")):
            break
        if alias is through and manager.key.anonymous:  # it may be an alias of its own name
            return route.ends("unknown", "own", alias.name)
        if alias.name in seen:
            return route.ends("broken", "loop", alias.name)
        if len(seen) > _ALIASES:
            return route.ends("unknown", "too-long", alias.name)
        seen.add(alias.name)
        named = known_text(alias.value("RQMNAME"))
        if named is None:
            return route.ends("unknown", "template", alias.name)
        route.hops.append(alias)
        through, there = alias, named or there
        route.target = (there, queue)
    return _transmission(through, there, route)


def _transmission(through: MQObject, there: str, route: Route) -> Route:
    """The transmission queue: XMITQ, else that of the queue manager's name, else the default."""
    manager = through.manager
    name = known_text(through.value("XMITQ"))
    if name is None:
        return route.ends("unknown", "template", through.name)
    if not name and (named := manager.find("queue", there)) is not None:
        if named.type != "qlocal" or named.value("USAGE") not in ("XMITQ", UNKNOWN):
            return route.ends("broken", "wrong-queue-of-that-name", there)
        name = there
    if not name:
        if manager.exists("queue", there) is not False:
            return route.ends("unknown", "not-all-here", there)
        if manager.cached(may_be_in_cluster):
            return route.ends("unknown", "cluster", there)
        default = _default_queue(manager)
        if default is None:
            return route.ends("unknown", "not-all-here", "DEFXMITQ")
        # The queue of a reply-to alias is here; a remote queue of the same name is not that queue.
        target = manager.find("queue", route.target[1])
        if not default and through.type == "qremote" and target not in (None, through):
            return route.ends("unknown", "reply", through.name)
        if not default:
            return route.ends("broken", "no-transmission-queue", through.name)
        name = default
    return _channel(manager, name, route)


def _default_queue(manager: QueueManager) -> str | None:
    """The default transmission queue: none if all commands are here, and no command sets it."""
    own = manager.own_object()
    if manager.complete and (own is None or not own.writes("DEFXMITQ")):
        # On z/OS, a queue-sharing group may know the other queue manager.
        is_open = manager.key.anonymous or manager.target.on_zos is not False
        return None if is_open else ""
    return None if own is None else known_text(own.value("DEFXMITQ"))


def _channel(manager: QueueManager, name: str, route: Route) -> Route:
    if name == _CLUSTER_QUEUE:
        return route.ends("unknown", "cluster", name)
    queue = manager.find("queue", name)
    if queue is None:
        if manager.exists("queue", name) is False:
            return route.ends("broken", "missing-transmission-queue", name)
        return route.ends("unknown", "not-all-here", name)
    route.hops.append(queue)
    usage = queue.value("USAGE")
    if usage is UNKNOWN:
        return route.ends("unknown", "template", name)
    if usage != "XMITQ":
        return route.ends("broken", "not-a-transmission-queue", name)
    readers = manager.cached(_readers)
    route.queue = name
    route.channels = tuple(readers.get(name, ()))
    if route.channels:
        return route.ends("sent")
    known = manager.has_all("channel") and "" not in readers
    return route.ends("broken" if known else "unknown", "no-channel", name)


def _readers(manager: QueueManager) -> dict[str, list[str]]:
    """The channels that read each transmission queue; under a blank those that may read any."""
    found: dict[str, list[str]] = {}
    for channel in manager.objects("channel"):
        if channel.subtype not in ("SDR", "SVR", None):
            continue
        name = known_text(channel.value("XMITQ"))
        if name != "" or channel.subtype is None:
            found.setdefault(name or "", []).append(channel.name)
    return found


def may_be_in_cluster(manager: QueueManager) -> bool:
    """Whether it is, or may be, a member of a cluster, so that others' names resolve here."""
    if manager.cached(clusters):
        return True
    return any(
        channel.subtype in ("CLUSRCVR", "CLUSSDR", None)
        for channel in manager.objects("channel")
        if not channel.name.startswith("SYSTEM.DEF.")
    )


def stream_target(queue: MQObject) -> Value:
    """Return the queue to which STREAMQ of a queue leads, by an alias or not.

    Absent for none, and for a topic; unknown if it is not known what the alias is for.
    """
    named = queue.value("STREAMQ")
    alias = queue.manager.find("qalias", named) if isinstance(named, str) else None
    if alias is None:
        return named
    kind = alias.value("TARGTYPE")
    target = alias.value("TARGET") if kind in ("QUEUE", UNKNOWN) else ABSENT
    return UNKNOWN if kind is UNKNOWN else target


def _is_blank(value: Value) -> bool:
    return known_text(value) == ""
