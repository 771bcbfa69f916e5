"""Connections of applications to a queue manager, joined with its objects."""

from __future__ import annotations

from collections.abc import Mapping, Set

from mqlint.dataclass import NamedTuple
from mqlint.language.declaration import LOOPBACK, PUBLISHED, PUBLISHED_BESIDE, service_hosts
from mqlint.model.core.fact import Places
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.shipped import product_default, shipped_channel_type
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, addresses, flag, is_local
from mqlint.model.facts.application.cipher import cipher_state
from mqlint.model.facts.application.connecting import refusing_record, user_without_connect
from mqlint.model.facts.application.undefined import (
    FOR_CLIENTS,
    OF_CONTAINER,
    is_made_here,
    may_define_channels,
    similar,
    undefined,
)
from mqlint.model.facts.files.resources import ResourceFact, resource_type
from mqlint.model.facts.queue_manager.qmgr import qmgr_of
from mqlint.number import whole_number
from mqlint.patterns import later
from mqlint.vocabulary.container import MQ_PORT

_IN_CLUSTER = later(r"[a-z][\w-]*|[\w-]+-ibm-mq\.[\w-]+|[\w-]+\.[\w-]+\.svc(?:\.cluster\.local)?")
"""The names of services that other containers call."""


def server_of(fact: ResourceFact) -> MQObject | None:
    """Return the channel at the queue manager that a connection names, None if it is not here."""
    name = fact.value("channel")
    if not isinstance(name, str) or not name or fact.manager.key.anonymous or _has_table(fact):
        return None
    if _is_elsewhere(fact):
        return None
    found = fact.manager.find("channel", name)
    return found if found is not None and found.subtype != "CLNTCONN" else None


def _is_elsewhere(fact: ResourceFact) -> bool:
    """Whether the connection may lead to another queue manager of the same name.

    Its connection name is blank, to be filled in later, or it calls a service, or a host without
    a domain, that is none of the names of its container, or the HTTPS port of a router, which no
    container has but one of the MQ Operator. Without MQSC, any other host is elsewhere.
    """
    if fact.value("CONNAME") == "":
        return True
    own, called = fact.manager.cached(_service_hosts), addresses(fact.value("CONNAME"))
    hosts = {host.partition("(")[0].lower() for host in called}
    others = hosts - own - {"localhost", fact.manager.key.name.lower()}
    if not own or not others:
        return False
    if not fact.manager.scripts or any(_IN_CLUSTER.fullmatch(host) for host in others):
        return True
    is_routed = any(address.endswith("(443)") for address in called)
    return is_routed and not fact.manager.cached(_has_operator)


def _has_table(fact: ResourceFact) -> bool:
    """Whether a channel table is set, which clients use instead of the channel."""
    return fact.source.declared.value("ccdt") not in (None, "")


def _channel_state(fact: ResourceFact) -> Value:
    """`server`, `unsuitable` (no client can start this type), `missing`, `deleted`, or unknown.

    `undefined` if it may be missing: a script that was read creates the queue manager, and a text
    defines a channel for clients, but none defines this one.
    """
    name, manager = fact.value("channel"), fact.manager
    if not isinstance(name, str) or manager.key.anonymous or _has_table(fact):
        return UNKNOWN
    if _is_elsewhere(fact):
        return UNKNOWN
    if not name:
        return ABSENT
    found = server_of(fact)
    if found is not None:
        if found.subtype is None or not found.exists:
            return UNKNOWN
        return "server" if found.subtype == FOR_CLIENTS else "unsuitable"
    shipped = shipped_channel_type(name)
    if shipped is not None:
        return "server" if shipped == FOR_CLIENTS else "unsuitable"
    if _is_missing(manager, name) and not OF_CONTAINER.fullmatch(name):
        return "missing" if _deleted_channel(fact) is None else "deleted"
    return undefined(manager, "channel", name) or UNKNOWN


def _similar_channel(fact: ResourceFact) -> Value:
    """A server-connection channel of which the name that no command defines is a typo."""
    name = fact.value("channel")
    if not isinstance(name, str) or _channel_state(fact) not in (UNKNOWN, "undefined"):
        return ABSENT
    if fact.manager.key.anonymous or _has_table(fact):
        return ABSENT
    return similar(fact.manager, "channel", name)


def _deleted_channel(fact: ResourceFact) -> MQObject | None:
    """The channel of the connection that a command at the queue manager deletes."""
    name = fact.value("channel")
    found = fact.manager.deleted("channel", name) if isinstance(name, str) else None
    return found if found is not None and found.subtype != "CLNTCONN" else None


def _is_missing(manager: QueueManager, name: str) -> bool:
    """Whether no channel but perhaps a client-connection channel has this name, for certain."""
    if may_define_channels(manager):
        return False
    deleted = manager.deleted("channel", name)
    is_of_server = deleted is None or deleted.subtype != "CLNTCONN"
    if manager.exists("channel", name) is False and (is_of_server or manager.has_all("channel")):
        return True
    here = tuple(manager.named("channel", name))
    is_table_only = bool(here) and all(found.subtype == "CLNTCONN" for found in here)
    is_open = manager.has_unnamed("channel") or manager.is_external("channel", name)
    return is_table_only and manager.has_all("channel") and not is_open


def _channel_type(fact: ResourceFact) -> Value:
    found = server_of(fact)
    if found is not None:
        return found.subtype or UNKNOWN
    name = fact.value("channel")
    return (shipped_channel_type(name) if isinstance(name, str) else None) or UNKNOWN


def _channel_cipher(fact: ResourceFact) -> Value:
    if _channel_state(fact) != "server":
        return UNKNOWN
    found = server_of(fact)
    if found is not None:
        return found.value("SSLCIPH")
    manager = fact.manager
    return product_default(manager.vocabulary, manager.target, "channel", FOR_CLIENTS, "SSLCIPH")


def via_of(fact: ResourceFact) -> Value:
    """`mqipt` if the application calls a port of MQIPT, at no address of the queue manager."""
    if fact.source.declared.field("via.tls") is None:
        return ABSENT
    own, called = qmgr_of(fact.manager).value("receives_at"), addresses(fact.value("CONNAME"))
    is_direct = isinstance(own, tuple) and called and {*called} <= {*own}
    return ABSENT if is_direct else "mqipt"


def _cipher_state(fact: ResourceFact) -> Value:
    """`missing` or `unexpected` at the application, `different`, `equal`, or unknown.

    A route of MQIPT may have another TLS session with the queue manager, or none.
    """
    if via_of(fact) == "mqipt" and fact.value("via.tls") != "passed":
        return UNKNOWN
    theirs, mine = _channel_cipher(fact), fact.value("SSLCIPH")
    if not isinstance(theirs, str) or mine is UNKNOWN or isinstance(mine, tuple):
        return UNKNOWN
    return cipher_state(theirs, mine if isinstance(mine, str) else "") or UNKNOWN


def _limit(fact: ResourceFact) -> Value:
    """The lower of MAXINST and MAXINSTC that this application alone exceeds; absent for none.

    An application in several instances is in as many processes, which share no channel instance. A
    limit for each client (MAXINSTC) counts by address, so only 0 is too few for certain.
    """
    return _exceeded(fact, 1)


def _pool_limit(fact: ResourceFact) -> Value:
    """The lower of both that the application exceeds when its pool of connections is full."""
    found, pool = server_of(fact), whole_number(fact.value("pool"))
    shared = whole_number(found.value("SHARECNV")) if found is not None else None
    if fact.source.declared.field("pool") is None:
        return ABSENT
    if pool is None or shared is None:
        return UNKNOWN
    return _exceeded(fact, -(-pool // max(shared, 1)))


def _exceeded(fact: ResourceFact, each: int) -> Value:
    """The limit that instances exceed with `each` channel instances."""
    found = server_of(fact)
    if found is None or _channel_state(fact) != "server" or _may_call_others(fact):
        return UNKNOWN
    needed = max(whole_number(fact.source.declared.value("instances") or "") or 1, 1) * each
    counts = [whole_number(found.value(name)) for name in ("MAXINST", "MAXINSTC")]
    for name, most, least in zip(("MAXINST", "MAXINSTC"), counts, (needed, each), strict=True):
        if most is not None and most < least:
            return f"{name}({most})"
    return UNKNOWN if None in counts else ABSENT


def _may_call_others(fact: ResourceFact) -> bool:
    """Whether the instances may connect to several queue managers: of a list, without one name."""
    name = fact.value("QMNAME")
    is_named = isinstance(name, str) and name.strip() and not name.startswith("*")
    return not is_named and len(addresses(fact.value("CONNAME"))) > 1


def _refused_by(fact: ResourceFact) -> Value:
    """The profile of a record of a new queue manager that refuses the channel; else absent."""
    name = fact.value("channel")
    if not isinstance(name, str):
        return UNKNOWN
    is_of_image = OF_CONTAINER.fullmatch(name) is not None and not _is_elsewhere(fact)
    if _channel_state(fact) != "server" and not is_of_image:
        return UNKNOWN
    return refusing_record(fact.manager, name, fact.value("user")) or ABSENT


def _unauthorised_user(fact: ResourceFact) -> Value:
    """A user for whom the channel runs and whom no record lets connect; else absent."""
    found = server_of(fact)
    if found is None or _channel_state(fact) != "server":
        return UNKNOWN
    return user_without_connect(fact, found) or ABSENT


def _port_state(fact: ResourceFact) -> Value:
    """`closed` if a host is the queue manager's own and it has no listener for the port.

    The hosts of a queue manager are those of its cluster-receivers, and of listeners that name
    their address. `deleted` if a command deletes the only listener for the port. Containers and
    runmqlsr may listen at other ports.
    """
    manager = fact.manager
    if manager.cached(_may_listen_elsewhere) or via_of(fact) == "mqipt":
        return UNKNOWN
    if any(manager.declarations("manifest")):
        return _port_of_container(fact)
    if _deleted_listener(fact) is not None:
        return "deleted"
    state = _by_listeners(manager, fact.value("CONNAME"))
    return state if state != UNKNOWN else _beside_others(fact)


def _beside_others(fact: ResourceFact) -> Value:
    """`closed` if a port has no listener, and other applications call its host at one that has.

    A port with the digits of the only listener in another order is closed too. Of several addresses
    some may be those of other queue managers. Files that were not read may define other listeners.
    A local address is that of another host for each application, and may be forwarded.
    """
    listeners, calls = fact.manager.cached(_listeners), fact.manager.cached(_calls)
    called = addresses(fact.value("CONNAME"))
    if UNKNOWN in listeners.possible or len(called) != 1 or is_local(called[0]):
        return UNKNOWN
    host, _, port = called[0].rstrip(")").partition("(")
    is_swapped = [sorted(port)] == [sorted(str(own)) for own in listeners.possible]
    is_called = not calls.get(host, set()).isdisjoint(listeners.tcp)
    is_other = port not in listeners.possible and (is_swapped or is_called)
    return "closed" if is_other else UNKNOWN


def _calls(manager: QueueManager) -> Mapping[str, set[str]]:
    """The ports at which applications with one address call each host for the queue manager."""
    found: dict[str, set[str]] = {}
    for declared, _ in manager.declarations("connection"):
        called = addresses(declared.value("CONNAME") or ABSENT)
        if len(called) == 1:
            host, _, port = called[0].rstrip(")").partition("(")
            found.setdefault(host, set()).add(port)
    return found


def called_port(channel: MQObject) -> Value:
    """`closed` if a client-connection channel calls its queue manager where nothing listens."""
    manager = channel.manager
    is_tcp = channel.value("TRPTYPE") not in ("LU62", "NETBIOS", "SPX")
    is_container = any(manager.declarations("manifest"))
    if not is_tcp or is_container or manager.cached(_may_listen_elsewhere):
        return UNKNOWN
    return _by_listeners(manager, channel.value("CONNAME"))


def _may_listen_elsewhere(manager: QueueManager) -> bool:
    """Whether it may listen at ports of no listener object: by command, service or default."""
    return (
        manager.key.anonymous
        or manager.has_unnamed("listener")
        or any(any(manager.control_steps(command)) for command in ("runmqlsr", "STRMQMLSR"))
        or any(map(_runs_listener, manager.objects("service")))
        or any(map(_has_default_port, manager.objects("listener")))
        or any(stanza.name == "TCP" and stanza.get("Port") for stanza, _ in manager.stanzas)
    )


def _runs_listener(service: MQObject) -> bool:
    values = service.value("STARTCMD"), service.value("STARTARG")
    return any("runmqlsr" in str(value).lower() for value in values)


def _has_default_port(listener: MQObject) -> bool:
    """Whether it starts with the queue manager at the default port."""
    is_started = listener.value("CONTROL") in ("QMGR", "STARTONLY")
    return is_started and listener.value("PORT") in (ABSENT, "0")


def listens_elsewhere(channel: MQObject) -> Value:
    """Whether its queue manager may listen at ports that no listener object has."""
    return flag(channel.manager.cached(_may_listen_elsewhere))


def _by_listeners(manager: QueueManager, conname: Value) -> Value:
    """Whether listeners of the queue manager have the ports that are called at its own hosts."""
    if not manager.has_all("listener"):
        return UNKNOWN
    own, called = manager.cached(_Receiving), addresses(conname)
    ports = manager.cached(_listeners).tcp
    # The default listener has port 0: if it is the only one, something else listens.
    if not own.is_known or ports <= {"0"} or UNKNOWN in ports or not called:
        return UNKNOWN
    for address in called:
        host, _, port = address.partition("(")
        port = port.rstrip(")")
        if host in own.hosts and port not in own.ports and port not in ports:
            return "closed"
    return "open"


class _Receiving:
    """The addresses at which a queue manager receives, if they are known, hosts and ports."""

    def __init__(self, manager: QueueManager) -> None:
        found = qmgr_of(manager).value("receives_at")
        own = found if isinstance(found, tuple) else ()
        self.is_known = isinstance(found, tuple)
        self.folded = {address.lower() for address in own}
        self.hosts = {address.rpartition("(")[0] for address in own}
        self.ports = {address.rpartition("(")[2].rstrip(")") for address in own}


def _service_hosts(manager: QueueManager) -> frozenset[str]:
    """The names under which other containers reach the queue manager."""
    manifests = manager.declarations("manifest")
    return frozenset(host for found, _ in manifests for host in service_hosts(found))


def _has_operator(manager: QueueManager) -> bool:
    """Whether the MQ Operator runs the queue manager, and makes routes to it."""
    manifests = manager.declarations("manifest")
    return any(found.value("kind") == "QueueManager" for found, _ in manifests)


def _port_of_container(fact: ResourceFact) -> Value:
    """`closed` if an application calls the service of a container at a port without a listener.

    The image of MQ listens at 1414, and at the ports of the listeners that its MQSC defines. MQSC
    that was not read may define more, but not for a port of the host that leads to 1414.
    """
    manager = fact.manager
    hosts = manager.cached(_service_hosts)
    ports = manager.cached(_listeners).possible
    called = [address.partition("(") for address in addresses(fact.value("CONNAME"))]
    if not called or UNKNOWN in ports:
        return UNKNOWN
    if all(host in LOOPBACK for host, _, _ in called):
        return _port_of_host(fact, {port.rstrip(")") for _, _, port in called})
    if any(host.lower() not in hosts for host, _, _ in called):
        return UNKNOWN
    closed = {port.rstrip(")") for _, _, port in called} - {str(MQ_PORT), *ports}
    if manager.cached(is_made_here):
        return "closed" if closed else "open"
    return UNKNOWN if closed.isdisjoint(manager.cached(_published)) else "closed"


def _port_of_host(fact: ResourceFact, called: Set[str]) -> Value:
    """`closed` if the host publishes the queue manager, but at none of the ports that are called.

    All its containers must be services of Compose with known ports. Another service that publishes
    the port may lead to the queue manager.
    """
    manifests = (found for found, _ in fact.manager.declarations("manifest"))
    found = [declared.value(PUBLISHED_BESIDE) for declared in manifests]
    published = fact.manager.cached(_published)
    others = [ports for ports in found if isinstance(ports, tuple)]
    if not published or len(others) < len(found) or not all(map(called.isdisjoint, others)):
        return UNKNOWN
    return "open" if called <= published else "closed"


def _published(manager: QueueManager) -> frozenset[str]:
    """The ports of hosts that lead to port 1414 of the container."""
    found = (declared.value(PUBLISHED) for declared, _ in manager.declarations("manifest"))
    return frozenset(port for ports in found if isinstance(ports, tuple) for port in ports)


def _is_beside_manifest(fact: ResourceFact) -> bool:
    """Whether the file of the connection runs the queue manager: its reader compares the names."""
    return fact.source.origin.path in fact.manager.cached(_paths_of_manifests)


def _paths_of_manifests(manager: QueueManager) -> frozenset[str]:
    return frozenset(origin.path for _, origin in manager.declarations("manifest"))


def _answered_by(fact: ResourceFact) -> Value:
    """The queue manager that is called, if the application names another.

    It is called by the service of its container, or at the host and port of its own definitions.
    That in a channel table may be a group ("Queue manager groups in the CCDT", q027490_).
    """
    name, manager = fact.value("QMNAME"), fact.manager
    called = {address.lower() for address in addresses(fact.value("CONNAME"))}
    if not isinstance(name, str) or name.startswith("*") or not called or _has_table(fact):
        return UNKNOWN
    if via_of(fact) == "mqipt" or fact.value("source") == "ccdt" or manager.key.anonymous:
        return UNKNOWN
    own = manager.cached(_Receiving)
    is_own = own.is_known and called <= own.folded
    hosts = {address.partition("(")[0] for address in called}
    is_service = hosts <= manager.cached(_service_hosts)
    is_service = is_service or fact.value("called.name") == manager.key.name
    is_called = is_own or (is_service and not _is_beside_manifest(fact))
    return manager.key.name if is_called and name.strip() not in ("", manager.key.name) else ABSENT


class _Listeners(NamedTuple):
    """Ports of the TCP listeners that exist, of all that may exist, and deleted ones by port."""

    tcp: frozenset[Value]
    possible: frozenset[Value]
    deleted: Mapping[str, MQObject]


def _listeners(manager: QueueManager) -> _Listeners:
    named = list(manager.all_named("listener"))
    gone = {found.value_before_deletion("PORT"): found for found in named if found.exists is False}
    there = [found for found in named if found.exists is not False]
    return _Listeners(
        frozenset(
            found.value("PORT")
            for found in there
            if found.exists and found.value("TRPTYPE") == "TCP"
        ),
        frozenset(found.value("PORT") for found in there),
        {port: found for port, found in gone.items() if isinstance(port, str)},
    )


def _deleted_listener(fact: ResourceFact) -> MQObject | None:
    """The listener of a port that is called, if a command deletes it and none has its port."""
    found = fact.manager.cached(_listeners)
    if not found.deleted or UNKNOWN in found.possible:
        return None
    ports = (address.rpartition("(")[2].rstrip(")") for address in addresses(fact.value("CONNAME")))
    gone = (port for port in ports if port in found.deleted and port not in found.possible)
    return next((found.deleted[port] for port in gone), None)


def _beside(fact: ResourceFact) -> Places:
    """The channel at the queue manager, and commands that delete it, or the listener."""
    found = (server_of(fact) or _deleted_channel(fact), _deleted_listener(fact))
    return tuple((each.where(), f"{each.type} {each.name}") for each in found if each is not None)


FIELDS = (
    *("source", "channel", "ccdt", "ccdt.folder", "ccdt.ignored", "user", "password"),
    *("application", "client.id", "key.store", "client.site", "client.role", "client.isolation"),
    *("called.name", "called.own.site", "called.others", "ccdt.names", "instances", "pool"),
    *("via.tls", "via.seen_as", "parameters"),
    *("QMNAME", "CONNAME", "SSLCIPH", "SSLPEER", "CERTLABL", "DEFRECON", "SHARECNV", "HBINT"),
)

CONNECTION = resource_type(
    "connection",
    FIELDS,
    derived={
        "channel.state": _channel_state,
        "channel.similar": _similar_channel,
        "channel.type": _channel_type,
        "channel.cipher": _channel_cipher,
        "cipher.state": _cipher_state,
        "limit": _limit,
        "pool.limit": _pool_limit,
        "port.state": _port_state,
        "refused.by": _refused_by,
        "answered.by": _answered_by,
        "unauthorised.user": _unauthorised_user,
        "via": via_of,
    },
    beside=_beside,
)
"""How an application connects to this queue manager: a fact for each configuration."""
