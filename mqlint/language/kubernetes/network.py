"""Applications and queue managers of one Compose file: whether they reach each other.

Services of one file share a network in which each has its name, and the ports of its container:
published ports are for others (reference of Compose files, "Networking in Compose"). The image of
MQ listens at 1414, and defines the channels `DEV.*` unless MQ_DEV is false (docs/usage.md and
docs/developer-config.md of ibm-messaging/mq-container).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mqlint.dataclass import NamedTuple
from mqlint.finding import Diagnostic
from mqlint.language.declaration import Declared
from mqlint.language.kubernetes.clients import connections_of_environment
from mqlint.language.kubernetes.compose import environment_of_service, services_of
from mqlint.language.kubernetes.container import is_mq_image, is_of_mq
from mqlint.language.kubernetes.environment import Variable
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.vocabulary.container import CONFIGURATION_FOLDER, MQ_PORT
from mqlint.vocabulary.distance import distance

_LISTENS = str(MQ_PORT)
_ITSELF = frozenset({"localhost", "127.0.0.1", "::1"})
_HOST = later(r"([^\s,()]+)[ \t]*(?:\([ \t]*(\d+)[ \t]*\))?")
_PORT = later(r"(?:[\d.]{7,15}:|\[[\da-fA-F:]{2,45}\]:)?(?:(\d{1,5}):)?(\d{1,5})(?:/tcp)?")
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


def network_faults(document: Node) -> Iterator[Diagnostic]:
    """Yield what keeps applications of a Compose file or of its host from its queue managers."""
    servers: dict[str, _Server] = {}
    for name, service in services_of(document):
        environment, image = environment_of_service(service), service.child("image")
        is_image = image is not None and is_mq_image(image.text)
        if not (is_image or is_of_mq(environment)):
            continue
        is_plain = is_image and not any(service.child(key) for key in _ELSEWHERE)
        is_fixed = is_plain and not any(_mounts_configuration(service))
        server = _Server(name, environment, tuple(_ports(service)), is_fixed)
        for alias in (name, service.word("container_name"), service.word("hostname")):
            servers.setdefault(alias, server)
        holder = service.child("environment") or service.child("env")
        is_known = not service.open and (holder is None or not holder.open)
        has_licence = any(distance(key, "LICENSE", 2) <= 2 for key in environment)
        if image is not None and is_plain and is_known and not has_licence:
            yield Diagnostic("container-license", *image.span)
        yield from _published(server)
    servers.pop("", None)
    shared = {service.word("network_mode") for _, service in services_of(document)}
    for name, service in services_of(document) if servers else ():
        environment, image = environment_of_service(service), service.child("image")
        if is_of_mq(environment) or (image is not None and is_mq_image(image.text)):
            continue
        is_shared = service.child("network_mode") is not None or f"service:{name}" in shared
        for declared in connections_of_environment(environment):
            yield from _reached(declared, servers, is_shared=is_shared)


def _mounts_configuration(service: Node) -> Iterator[bool]:
    for volume in service.entries("volumes"):
        target = volume.word("target") if volume.kind == "mapping" else volume.text
        if CONFIGURATION_FOLDER in target:
            yield True


def _ports(service: Node) -> Iterator[tuple[str, str, Node]]:
    """Yield each published port of the host, the port of the container, and the place."""
    for port in service.entries("ports"):
        if port.kind == "mapping":
            yield port.word("published"), port.word("target"), port
        elif (found := _PORT.fullmatch(port.word())) is not None:
            yield found[1] or "", found[2], port
    for port in service.entries("expose"):
        yield "", port.word().partition("/")[0], port


def _published(server: _Server) -> Iterator[Diagnostic]:
    """Yield port 1414 of the host if it leads to another one of the container."""
    for published, target, node in server.ports:
        if server.is_plain and published == _LISTENS != target:
            data = {"port": target, "fault": f"the queue manager listens at {_LISTENS}"}
            yield Diagnostic("service-port", *node.span, data)


def _reached(
    declared: Declared, servers: Mapping[str, _Server], *, is_shared: bool
) -> Iterator[Diagnostic]:
    """Yield what an application has wrong about the queue manager that it calls."""
    hosts, name = declared.field("CONNAME"), declared.field("QMNAME")
    if hosts is None or not isinstance(hosts.value, str):
        return
    for found in _HOST.finditer(hosts.value):
        host, port = found[1], found[2] or _LISTENS
        server = servers.get(host)
        fault = ""
        if host.lower() in _ITSELF and not is_shared:
            fault = f"calls {host}, which is its own container"
        elif (
            server is not None
            and server.is_plain
            and port not in (_LISTENS, *(inner for _, inner, _ in server.ports))
        ):
            fault = f"calls port {port} of {server.name}, which listens at {_LISTENS}"
        if fault:
            yield Diagnostic("compose-connection", *hosts.span, {"fault": fault, "reason": "2538"})
        if server is None:
            continue
        owner, dev = (server.environment.get(key) for key in ("MQ_QMGR_NAME", "MQ_DEV"))
        called = name.value if name is not None and isinstance(name.value, str) else ""
        runs = owner.value if owner is not None else None
        is_other = isinstance(runs, str) and called not in ("", runs)
        if name is not None and is_other and not called.startswith("*"):
            fault = f"names queue manager {called}, but {server.name} runs {runs}"
            yield Diagnostic("compose-connection", *name.span, {"fault": fault, "reason": "2058"})
        is_without = dev is not None and dev.value == "false" and server.is_plain
        if is_without and declared.name.startswith("DEV."):
            fault = f"uses channel {declared.name}, which {server.name} does not define"
            data = {"fault": fault, "reason": "2540"}
            yield Diagnostic("compose-connection", *declared.span, data)
