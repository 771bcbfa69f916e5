"""Applications and queue managers of one file: whether they reach each other.

Services of one file share a network in which each has its name, and the ports of its container:
published ports are for others (reference of Compose files, "Networking in Compose"). The image of
MQ listens at 1414, and defines the channels `DEV.*` unless MQ_DEV is false (docs/usage.md and
docs/developer-config.md of ibm-messaging/mq-container).
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping

from mqlint.dataclass import NamedTuple
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.client.connection import Setting
from mqlint.language.declaration import Declared, FieldValue
from mqlint.language.kubernetes.clients import connections_of_environment, connections_of_service
from mqlint.language.kubernetes.compose.files import mounts_configuration
from mqlint.language.kubernetes.compose.services import (
    environment_of_service,
    has_image_of_mq,
    ports_of,
    services_of,
)
from mqlint.language.kubernetes.container import PORT, is_of_mq
from mqlint.language.kubernetes.environment import Variable
from mqlint.language.yaml.tree import Node
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.vocabulary.container import CONTAINER_PORTS, DATA_FOLDER, MQ_PORT
from mqlint.vocabulary.distance import distance, nearest
from mqlint.vocabulary.limits import CHANNEL_NAME

LISTENS = str(MQ_PORT)
ITSELF = frozenset({"localhost", "127.0.0.1", "::1"})
HOST = later(r"([^\s,()]+)[ \t]*(?:\([ \t]*(\d+)[ \t]*\))?")
_SERVICE = later(r"[A-Za-z][\w-]{0,62}")
"""The name of a host without a domain."""
_HOST_OF_MQ = later(r"(?:(?!RABBIT_|ACTIVE_)[A-Z][A-Z0-9]{0,19}_)?(?:IBM_?)?MQ_HOST(?:_?NAME)?")
"""A variable with the host of a queue manager, with the name of an application before it."""
_DEVELOPER = ("DEV.APP.SVRCONN", "DEV.ADMIN.SVRCONN", "DEV.APP.SVRCONN.0TLS")
"""The channels that the image defines for developers."""
_ELSEWHERE = ("build", "command", "entrypoint", "env_file", "extends", "<<")
"""Keys of a service that may change what its image does."""


class _Server(NamedTuple):
    """A service that runs a queue manager: its name, its variables, its ports by place.

    `is_plain` is true if it is the image of MQ and no other file configures it.
    """

    name: str
    environment: Mapping[str, Variable]
    ports: tuple[tuple[str, str, Node], ...]
    is_plain: bool


class _Service(NamedTuple):
    """A service, and what it is to its network if it runs a queue manager."""

    name: str
    node: Node
    server: _Server | None


_SELF = _Server("", {}, (), is_plain=False)
"""The container of an application itself, under a name that it gets."""


def network_faults(document: Node) -> Iterator[Diagnostic]:
    """Yield what keeps applications of a Compose file or of its host from its queue managers."""
    servers: dict[str, _Server | None] = {}
    services = [*_services(document)]
    shared = {service.node.word("network_mode") for service in services}
    has_own_ports = not any("service:" in mode for mode in shared)
    has_own_ports &= "jobs" not in document.pairs.names()
    for name, service, server in services:
        if server is None:
            continue
        for alias in (name, *_names_of(service)):
            servers.setdefault(alias, server)
        yield from _unlicensed(service, server)
        yield from _published(server, is_alone=has_own_ports)
    servers.pop("", None)
    yield from _shared_data(services)
    yield from _port_again(services)
    names = (name for service in services for name in _names_of(service.node))
    others = dict.fromkeys((*names, *(service.name for service in services)))
    networks = document.child("networks")
    is_shared_network = networks is not None and any(
        network.child("external") is not None for network in networks.pairs.values()
    )
    is_alone = not is_shared_network and not any(map(document.child, ("include", "jobs")))
    for name, service, server in services if servers else ():
        if server is not None:
            continue
        is_shared = service.child("network_mode") is not None or f"service:{name}" in shared
        hosts = ChainMap(dict(_extra_hosts(service)), servers, others)
        for declared in connections_of_service(service):
            yield from _reached(declared, hosts, is_shared=is_shared)
        is_open = service.open or any(map(service.child, ("extends", "<<")))
        if is_alone and not is_shared and not is_open:
            yield from _unknown_host(service, hosts)
    jobs = document.child("jobs")
    for job in jobs.pairs.values() if jobs is not None and servers else ():
        yield from _of_job(job)


def _unlicensed(service: Node, server: _Server) -> Iterator[Diagnostic]:
    """Yield the image of MQ of a service that accepts no licence."""
    key = next(filter(service.child, ("environment", "env")), "image")
    holder = None if key == "image" else service.child(key)
    if not has_image_of_mq(service) or any(map(service.child, _ELSEWHERE)):
        return
    is_known = not service.open and (holder is None or not holder.open)
    if is_known and all(distance(key, "LICENSE", 2) > 2 for key in server.environment):
        yield diagnostic("container-license", service.key_span(key))


def _services(document: Node) -> Iterator[_Service]:
    for name, node in services_of(document):
        yield _Service(name, node, _server(name, node))


def _server(name: str, service: Node) -> _Server | None:
    """Return what a service is to its network if it runs a queue manager."""
    environment, is_image = environment_of_service(service), has_image_of_mq(service)
    if not (is_image or is_of_mq(environment)):
        return None
    is_plain = is_image and not service.open and not any(map(service.child, _ELSEWHERE))
    is_fixed = is_plain and not any(mounts_configuration(service))
    return _Server(name, environment, tuple(ports_of(service)), is_fixed)


def _extra_hosts(service: Node) -> Iterator[tuple[str, _Server | None]]:
    """Yield the names that a service gives to addresses, with None for one of another host."""
    hosts = service.child("extra_hosts")
    if hosts is None:
        return
    pairs = [(name, value.text) for name, value in hosts.pairs.items()]
    for item in hosts.items:
        name, _, address = item.text.partition("=" if "=" in item.text else ":")
        pairs.append((name.strip(), address.strip()))
    yield from ((name, _SELF if address.strip("[]") in ITSELF else None) for name, address in pairs)


def _of_job(job: Node) -> Iterator[Diagnostic]:
    """Yield what the steps of a job of GitHub Actions have wrong about the job's services.

    Steps on the runner reach a service at the port of the runner that it publishes.
    """
    services = ((name, _server(name, node)) for name, node in job.members("services").items())
    own = {name: server for name, server in services if server is not None}
    published = {
        port: server
        for server in own.values()
        for port, inner, _ in server.ports
        if inner == LISTENS
    }
    for holder in (job, *job.entries("steps")):
        for declared in connections_of_environment(environment_of_service(holder)):
            hosts = declared.field("CONNAME")
            called = hosts.value if hosts is not None else None
            for found in HOST.finditer(called) if isinstance(called, str) else ():
                is_runner = found[1].lower() in ITSELF and job.child("container") is None
                port = found[2] or LISTENS
                server = published.get(port) if is_runner else own.get(found[1])
                if server is not None:
                    yield from _misnamed(declared, server, is_known=False)
                elif is_runner and hosts is not None and len(published) == len(own) == 1:
                    (other,) = published
                    fault = f"calls port {port} of the runner, which has the listener at {other}"
                    runs = published[other].environment.get("MQ_QMGR_NAME")
                    if other and runs is not None and runs.value == declared.value("QMNAME"):
                        yield diagnostic(
                            "compose-connection", hosts.span, fault=fault, reason="2538"
                        )


def _shared_data(services: Iterable[_Service]) -> Iterator[Diagnostic]:
    """Yield the volume of a queue manager's data that another queue manager has too.

    Services with profiles may be alternatives, as one without replicas, and instances of one queue
    manager share folders.
    """
    owners: dict[str, str] = {}
    for name, service, server in services:
        if (
            server is None
            or not has_image_of_mq(service)
            or any(map(service.child, _ELSEWHERE))
            or _is_optional(service)
        ):
            continue
        for volume in service.entries("volumes"):
            source, target, mode = (*volume.text.split(":"), "", "")[:3]
            if volume.kind == "mapping":
                source, target = volume.word("source"), volume.word("target")
                mode = "ro" if volume.word("read_only") == "true" else ""
            is_part = volume.get("volume", "subpath") is not None or "ro" in mode.split(",")
            is_data = target.rstrip("/") in (DATA_FOLDER, "/var/mqm")
            if "$" in source or not is_data or is_part:
                continue
            other = owners.setdefault(source.rstrip("/"), name)
            if other != name and "MQ_MULTI_INSTANCE" not in server.environment:
                yield diagnostic("shared-data", volume.span, volume=source, other=other)


def _is_optional(service: Node) -> bool:
    """Whether a service may run without the others: it has profiles, or no replica."""
    replicas = service.get("deploy", "replicas")
    counts = (service.word("scale"), replicas.text if replicas is not None else "")
    return service.child("profiles") is not None or "0" in counts


def _port_again(services: Iterable[_Service]) -> Iterator[Diagnostic]:
    """Yield a port of the host that two services publish, one of which is of MQ."""
    owners: dict[tuple[str, str], tuple[str, bool]] = {}
    for name, service, server in services:
        if _is_optional(service):
            continue
        is_mq = server is not None
        for port in service.entries("ports"):
            address, published = _on_host(port)
            other, is_other_mq = owners.setdefault((address, published), (name, is_mq))
            if published and other != name and (is_mq or is_other_mq):
                yield diagnostic(
                    "port-again", port.span, port=published, other=f"service {other[:60]}"
                )


def _on_host(port: Node) -> tuple[str, str]:
    """The address and the number at which a port is published; a blank number if it has none."""
    if port.kind == "mapping":
        is_tcp = port.word("protocol") in ("", "tcp")
        return port.word("host_ip"), port.word("published") if is_tcp else ""
    found = PORT.fullmatch(port.word())
    return ((found[1] or "").strip("[]:"), found[2] or "") if found is not None else ("", "")


def _published(server: _Server, *, is_alone: bool) -> Iterator[Diagnostic]:
    """Yield ports of the host that lead to one of the container at which nothing listens.

    With `is_alone` no other service shares the network of the container, as an exporter may. More
    listeners than the first one may be in the data of the queue manager.
    """
    is_alone = is_alone and all(target != LISTENS for _, target, _ in server.ports)
    for published, target, node in server.ports:
        is_swapped = sorted(target) == sorted(LISTENS)  # MQSC defines no listener at 1441
        is_wrong = published == LISTENS != target
        if server.is_plain and is_alone and published and is_digits(target):
            is_wrong = is_wrong or int(target) not in CONTAINER_PORTS
        if (server.is_plain or is_swapped) and is_wrong:
            fault = f"the queue manager listens at {LISTENS}"
            yield diagnostic("service-port", node.span, port=target, fault=fault)


def _reached(
    declared: Declared, servers: Mapping[str, _Server | None], *, is_shared: bool
) -> Iterator[Diagnostic]:
    """Yield what an application has wrong about the queue manager that it calls."""
    hosts = declared.field("CONNAME")
    if hosts is None or not isinstance(hosts.value, str):
        return
    for found in HOST.finditer(hosts.value):
        host, port = found[1], found[2] or LISTENS
        server = servers.get(host)
        fault = ""
        is_own_address = host not in servers and host.lower() in ITSELF and not is_shared
        if server is _SELF or is_own_address:
            fault = f"calls {host}, which is its own container"
        elif server is not None and _is_closed(server, port):
            fault = f"calls port {port} of {server.name}, which listens at {LISTENS}"
        if fault:
            yield diagnostic("compose-connection", hosts.span, fault=fault, reason="2538")
        if server is not None and server is not _SELF:
            yield from _misnamed(declared, server)


def _names_of(service: Node) -> Iterator[str]:
    """The names and addresses that a service has besides its own name, and those of its links."""
    yield from (service.word("container_name"), service.word("hostname"))
    for key in ("links", "external_links"):
        yield from (link.text.rpartition(":")[2] for link in service.entries(key))
    for network in service.members("networks").values():
        yield from (alias.text for alias in network.entries("aliases"))
        yield network.word("ipv4_address")


def _unknown_host(service: Node, servers: Mapping[str, _Server | None]) -> Iterator[Diagnostic]:
    """Yield a host that no service has, of an application that names or awaits a queue manager.

    An application that names none is meant for the only one that it depends on.
    """
    awaited = {
        name: server
        for name in _depends_on(service)
        if (server := servers.get(name)) is not None and server is not _SELF
    }
    for hosts, name in _called_by(service):
        called = [found[1] for found in HOST.finditer(hosts.text)]
        runs = awaited if name is None else _running(servers, name)
        is_unknown = all(
            _SERVICE.fullmatch(host) and host not in servers and host not in ITSELF
            for host in called
        )
        if called and is_unknown and len(runs) == 1:
            (other,) = runs
            what = "a queue manager" if name is None else name
            fault = f"calls {called[0][:63]}, but no service has this name: {other} runs {what}"
            yield diagnostic("compose-connection", hosts.span, fault=fault, reason="2538")


def _running(servers: Mapping[str, _Server | None], name: FieldValue) -> dict[str, _Server]:
    """The services that run the queue manager of a name."""
    return {
        server.name: server
        for server in servers.values()
        if server is not None and server.environment.get("MQ_QMGR_NAME") is not None
        if server.environment["MQ_QMGR_NAME"].value == name
    }


def _called_by(service: Node) -> Iterator[tuple[Setting, FieldValue | None]]:
    """Yield the addresses that an application calls, and the queue manager that it names.

    If its variables describe no connection, these are hosts of MQ, as of LAB_MQ_HOST.
    """
    declared = [*connections_of_service(service)]
    for found in declared:
        hosts = found.field("CONNAME")
        if hosts is not None:
            yield Setting(hosts.value, hosts.span), found.value("QMNAME")
    if declared:
        return
    variables = environment_of_service(service)
    hosts_of_mq = [found for name, found in variables.items() if _HOST_OF_MQ.fullmatch(name)]
    if len(hosts_of_mq) == 1:
        yield Setting(hosts_of_mq[0].value, hosts_of_mq[0].value_span), None


def _depends_on(service: Node) -> Iterator[str]:
    yield from service.members("depends_on").names()
    yield from (item.text for item in service.entries("depends_on"))


def _is_closed(server: _Server, port: str) -> bool:
    """Whether a queue manager does not listen at a port of its container.

    MQSC of other files may define more listeners, but not for a port that is only published.
    """
    if port == LISTENS or any(port == inner for _, inner, _ in server.ports):
        return False
    return server.is_plain or any(port == published for published, _, _ in server.ports)


def _misnamed(
    declared: Declared, server: _Server, *, is_known: bool = True
) -> Iterator[Diagnostic]:
    """Yield another queue manager than the service runs, and a channel that it does not define.

    Of a queue manager whose name is known the model has the channels, and APP023 reports a typo;
    but not in a step of a job (`is_known` is false), or for an application that names another.
    """
    owner, dev = (server.environment.get(key) for key in ("MQ_QMGR_NAME", "MQ_DEV"))
    yield from other_manager(declared, server.name, owner.value if owner is not None else None)
    is_without = dev is not None and dev.value == "false"
    name = owner.value if owner is not None else None
    is_named = is_known and isinstance(name, str) and declared.value("QMNAME") in (None, name)
    is_typo = not is_named and declared.name not in _DEVELOPER
    is_typo = is_typo and nearest(declared.name[:CHANNEL_NAME], _DEVELOPER) != ""
    if server.is_plain and declared.name.startswith("DEV.") and (is_without or is_typo):
        fault = f"uses channel {declared.name}, which {server.name} does not define"
        yield diagnostic("compose-connection", declared.span, fault=fault, reason="2540")


def other_manager(declared: Declared, server: str, runs: FieldValue | None) -> Iterator[Diagnostic]:
    """Yield the name of a queue manager that is not the one that a server runs."""
    name = declared.field("QMNAME")
    called = name.value if name is not None and isinstance(name.value, str) else ""
    is_other = isinstance(runs, str) and called not in ("", runs)
    if name is not None and is_other and not called.startswith("*"):
        fault = f"names queue manager {called}, but {server} runs {runs}"
        yield diagnostic("compose-connection", name.span, fault=fault, reason="2058")
