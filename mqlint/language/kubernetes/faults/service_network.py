"""Applications, services and routes of Kubernetes in one file: whether they reach a queue manager.

A service leads to the pods that its selector chooses, and a QueueManager has one of its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

from mqlint.dataclass import NamedTuple
from mqlint.finding import Diagnostic, diagnostic
from mqlint.grouping import grouped
from mqlint.language.declaration import Declared
from mqlint.language.embedding import span_in
from mqlint.language.kubernetes.container import is_of_mq
from mqlint.language.kubernetes.entries import HOLDERS
from mqlint.language.kubernetes.environment import environment_of
from mqlint.language.kubernetes.faults.network import HOST, ITSELF, LISTENS, other_manager
from mqlint.language.kubernetes.pod import (
    INSTANCE,
    OPERATED,
    may_be_same,
    number_of,
    pod_entries,
    pod_labels,
    pod_of,
    selects,
)
from mqlint.language.yaml.tree import Node
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.distance import distance, is_of_series, nearest, same_but_for_tag
from mqlint.vocabulary.sni import SUFFIX

_FEW = 20
"""Limit of the queue managers of a file that are compared with each selector."""
_LONGEST = 63
"""Limit of the characters in the name of a service."""
_OTHER_PORTS = frozenset({"9157", "9414", "9443"})
"""Ports of the container for metrics, replication and the console."""
_NODE_PORTS = range(30000, 32768)
"""Ports of nodes that Kubernetes gives to services by default ("Service", type NodePort)."""


_CONNAME = later(r"(?im)^(?![ \t]*\*)[^\n]{0,400}?\bCONNAME[ \t]*\([ \t]*'([^'\n]{1,264})'")
"""A connection name in a line of MQSC, comments left out."""
_IN_CLUSTER = later(
    r"(?P<name>[a-z0-9-]{1,63})(?:\.(?P<space>[a-z0-9-]{1,63})(?P<svc>\.svc(?:\.[\w.-]{1,200})?)?)?"
)
"""A host that may be a service ("DNS for Services and Pods" of Kubernetes)."""


_Fixed = tuple[str, frozenset[str]]
"""The namespace and the ports of a service."""


class _Service(NamedTuple):
    """A service of Kubernetes, or of the Operator: its queue manager and ports where known."""

    namespace: str
    queue_manager: str | None
    ports: frozenset[str]


def cluster_faults(
    documents: Sequence[Node], clients: Iterable[tuple[Node, Sequence[Declared]]]
) -> Iterator[Diagnostic]:
    """Yield what applications have wrong about services of the same file that lead to MQ.

    A service has the name `NAME`, `NAME.NAMESPACE` or `NAME.NAMESPACE.svc` ("DNS for Services and
    Pods" of Kubernetes). The service of a QueueManager is called `NAME-ibm-mq`. A namespace that no
    manifest has is a typo if that of the application has the service and the queue manager.
    """
    services = grouped(_cluster_services(documents))
    own_names = {name for name in map(_own_name, documents) if name}
    spaces = {
        found.word("metadata", "name" if found.word("kind") == "Namespace" else "namespace")
        for found in documents
    }
    for document, declared in clients:
        own, pod = document.word("metadata", "namespace"), pod_of(document)
        yield from _beside(document, declared)
        if pod is not None and pod.child("hostAliases") is not None:
            continue  # names of its own for addresses
        for client in declared:
            hosts = client.field("CONNAME")
            called = [*HOST.finditer(hosts.value)] if hosts and isinstance(hosts.value, str) else []
            if not services or hosts is None or len(called) != 1:
                continue
            first, _, rest = called[0][1].partition(".")
            port, space = called[0][2] or LISTENS, rest.partition(".")[0] or own
            alike = services.get(first, [])
            if not alike and f"{first}-ibm-mq" in services and first not in own_names:
                fault = f"calls {first}, and the service of this QueueManager is {first}-ibm-mq"
                yield diagnostic("compose-connection", hosts.span, fault=fault, reason="2538")
            if not alike and first not in own_names and not rest:
                yield from _misspelt(client, hosts.span, first, services)
            if len(alike) != 1:
                continue
            if space and alike[0].namespace not in ("", space):
                is_same = client.value("QMNAME") == alike[0].queue_manager
                if is_same and own == alike[0].namespace and space not in spaces:
                    fault = f"calls {first} of namespace {space}, and {first} is in {own}"
                    yield diagnostic("compose-connection", hosts.span, fault=fault, reason="2538")
                continue
            if alike[0].ports and port not in alike[0].ports:
                fault = f"calls port {port} of service {first}, which does not have it"
                yield diagnostic("compose-connection", hosts.span, fault=fault, reason="2538")
            yield from other_manager(client, first, alike[0].queue_manager)


def _beside(document: Node, clients: Iterable[Declared]) -> Iterator[Diagnostic]:
    """Yield clients that name another queue manager than the one in their own pod."""
    managers = {
        variable.value
        for container in pod_entries(document, "containers")
        if is_of_mq(variables := environment_of(container.child("env")))
        if (variable := variables.get("MQ_QMGR_NAME")) is not None
    }
    name = next(iter(managers)) if len(managers) == 1 else None
    for client in clients if isinstance(name, str) else ():
        hosts = client.field("CONNAME")
        called = HOST.fullmatch(hosts.value) if hosts and isinstance(hosts.value, str) else None
        if called is not None and called[1] in ITSELF and (called[2] or LISTENS) == LISTENS:
            yield from other_manager(client, called[1], name)


def _misspelt(
    client: Declared, span: Span, host: str, services: Mapping[str, Sequence[_Service]]
) -> Iterator[Diagnostic]:
    """Yield a host that is a typo of the service of the queue manager that a client names."""
    name = client.value("QMNAME")
    meant = {
        service
        for service, found in services.items()
        if name and any(each.queue_manager == name for each in found)
    }
    near = nearest(host, meant) if len(meant) <= _FEW else ""
    if near and not same_but_for_tag(near, host):
        fault = f"calls {host}, and the service of {name} is {near}"
        yield diagnostic("compose-connection", span, fault=fault, reason="2538")


def faults_of_ways(documents: Sequence[Node]) -> Iterator[Diagnostic]:
    """Yield the faults of routes and services that lead to queue managers."""
    kinds = grouped((document.word("kind"), document) for document in documents)
    managers, routes = kinds.get("QueueManager", ()), kinds.get("Route", ())
    services = {each.word("metadata", "name"): each for each in kinds.get("Service", ())}
    leading = {name for name, _ in _cluster_services(documents)} if routes else ()
    if managers:
        yield from _routes_elsewhere(routes, managers, services)
    for route in routes:
        name = route.word("spec", "to", "name")
        if SUFFIX in route.word("spec", "host"):
            yield from _port_of_channel_route(route)
        elif name in leading:
            yield from _ended_tls(route, services.get(name))
        if name in leading and name in services:
            yield from _route_port(route, services[name])
    for document in documents if managers else ():
        for labels in _other_selectors(document):
            yield from _label_misspelt(labels, document.word("metadata", "namespace"), managers)
    for service in kinds.get("Service", ()):
        yield from _service_misspelt(service, managers)
    yield from _channels_to_other_ports(documents)


def _channels_to_other_ports(documents: Sequence[Node]) -> Iterator[Diagnostic]:
    """Connection names in MQSC with a port that the service of Kubernetes does not have.

    A service forwards its own ports only, but a headless one is the address of its pods ("Service"
    of Kubernetes).
    """
    services = grouped(_fixed_ports(documents))
    holders = [document for document in documents if document.word("kind") in HOLDERS]
    for holder in holders if services else ():
        own = holder.word("metadata", "namespace")
        entries = chain(*(holder.members(part).values() for part in ("data", "stringData")))
        for mqsc in filter(None, (entry.mapped for entry in entries)):
            for written in _CONNAME.finditer(mqsc.text):
                for called in HOST.finditer(mqsc.text, *written.span(1)):
                    data = _other_port(called, own, services)
                    if data is not None:
                        yield diagnostic("channel-port", span_in(called.span(), mqsc), **data)


def _other_port(
    called: re.Match[str], own: str, services: Mapping[str, Sequence[_Fixed]]
) -> Mapping[str, str] | None:
    """The port that a connection name in a namespace has, and the service does not."""
    host = _IN_CLUSTER.fullmatch(called[1])
    found = services.get(host["name"], []) if host is not None else []
    if host is None or len(found) != 1 or not called[2]:
        return None
    space, ports = found[0]
    may_be_other = host["space"] and not host["svc"] and host["space"] != space
    if may_be_other or not may_be_same(host["space"] or own, space) or called[2] in ports:
        return None
    return {"port": called[2], "service": host["name"], "ports": " and ".join(sorted(ports))}


def _fixed_ports(documents: Iterable[Node]) -> Iterator[tuple[str, _Fixed]]:
    """The services with an address of their own, by name: their namespaces and ports."""
    for document in documents:
        ports = _forwarded(document) if document.word("kind") == "Service" else None
        if ports and not document.open:
            name, namespace = (document.word("metadata", key) for key in ("name", "namespace"))
            yield name, (namespace, ports)


def _forwarded(service: Node) -> frozenset[str]:
    """The ports of a service, none if one is not known or it does not forward them itself.

    A headless service is the address of its pods, and an external name that of another host
    ("Service" of Kubernetes).
    """
    ports = [port.word("port") for port in service.entries("spec", "ports")]
    is_headless = service.word("spec", "clusterIP") == "None"
    is_alias = service.word("spec", "type") == "ExternalName"
    is_known = all(map(is_digits, ports)) and not is_headless and not is_alias
    return frozenset(ports if is_known else ())


def _routes_elsewhere(
    routes: Iterable[Node], managers: Sequence[Node], services: Collection[str]
) -> Iterator[Diagnostic]:
    """Routes to the service of a QueueManager that no file has, beside one that has another.

    A route leads to a service of its own namespace ("Route" of OpenShift).
    """
    made = {f"{found.word('metadata', 'name')}-ibm-mq" for found in managers}
    first = sorted(made)[:_FEW]
    for route in routes:
        target = route.get("spec", "to", "name")
        name = target.value if target is not None else None
        near = nearest(name, made) if isinstance(name, str) and len(managers) <= _FEW else ""
        is_of_channel = SUFFIX in route.word("spec", "host")
        is_meant = isinstance(name, str) and (name.endswith("-ibm-mq") or near or is_of_channel)
        if target is None or not isinstance(name, str) or not is_meant:
            continue
        beside = {
            manager.word("metadata", "namespace") == route.word("metadata", "namespace")
            for manager in managers
            if near in ("", f"{manager.word('metadata', 'name')}-ibm-mq")
        }
        if name not in made and name not in services and beside == {True}:
            meant = near or min(first, key=partial(distance, name, limit=_LONGEST))
            yield diagnostic("route-service", target.span, service=name, meant=meant)


def _service_misspelt(service: Node, managers: Sequence[Node]) -> Iterator[Diagnostic]:
    """A service with a label that no QueueManager has, or with a port that no node gives.

    The Operator labels the pods of a QueueManager with the name of the resource.
    """
    selector = service.get("spec", "selector")
    has_port = any(port.word("port") == LISTENS for port in service.entries("spec", "ports"))
    kind = selector.word(OPERATED) if selector is not None else ""
    if selector is None or not (kind == "ibm-mq" or (has_port and not kind)):
        return
    for port in service.entries("spec", "ports"):
        own, number = port.child("nodePort"), number_of(port.child("nodePort"))
        if own is not None and number is not None and number not in _NODE_PORTS:
            fault = f"a node gives ports from {_NODE_PORTS[0]} to {_NODE_PORTS[-1]}"
            yield diagnostic("service-port", own.span, port=own.word(), fault=fault)
    yield from _label_misspelt(selector, service.word("metadata", "namespace"), managers)


def _other_selectors(document: Node) -> Iterator[Node]:
    """Yield what disruption budgets, network policies and the affinity of pods select."""
    kind = document.word("kind")
    if kind == "QueueManager":
        places = [document.get("spec", "affinity"), document.get("spec", "template")]
    elif kind in ("PodDisruptionBudget", "NetworkPolicy"):
        places = [document.get("spec", key) for key in ("selector", "podSelector")]
    else:
        return
    for place in places:
        for node in place.walk() if place is not None else ():
            labels = node.child("matchLabels")
            if labels is not None:
                yield labels


def _label_misspelt(selector: Node, space: str, managers: Sequence[Node]) -> Iterator[Diagnostic]:
    """Yield the label of an instance that no QueueManager of a namespace has, but almost."""
    label = selector.child(INSTANCE)
    names = {
        manager.word("metadata", "name")
        for manager in managers
        if may_be_same(manager.word("metadata", "namespace"), space)
    }
    written = label.word() if label is not None else ""
    near = nearest(written, names) if written not in names and len(names) <= _FEW else ""
    if label is not None and near and not is_of_series(written, near):
        yield diagnostic("service-selector", label.span, key=INSTANCE, value=written, nearest=near)


def _ended_tls(route: Node, service: Node | None) -> Iterator[Diagnostic]:
    """A route at which the router ends TLS, and which leads to the port of a queue manager.

    Such a router expects HTTP ("Secured routes" of OpenShift), which MQ does not speak.
    `targetPort` is a port of the pods, or the name of a port of the service. A route whose host is
    the TLS name of a channel is declared instead.
    """
    node, port = route.get("spec", "tls", "termination"), route.word("spec", "port", "targetPort")
    numbers = {
        found.word("targetPort") or found.word("port")
        for found in (service.entries("spec", "ports") if service else ())
        if found.word("name") == port
    }
    is_ended = node is not None and node.value in ("edge", "reencrypt")
    if node is not None and is_ended and (port == LISTENS or numbers == {LISTENS}):
        yield diagnostic("route-ends-tls", node.span, termination=node.text)


def _port_of_channel_route(route: Node) -> Iterator[Diagnostic]:
    """The port of a route with the TLS name of a channel, which no client can use.

    The host of such a route tells the router which queue manager a client calls ("Connecting to a
    queue manager deployed in an OpenShift cluster").
    """
    port = route.get("spec", "port", "targetPort")
    word = port.word() if port is not None else ""
    is_of_operator = route.word("spec", "to", "name").endswith("-ibm-mq")
    is_other = is_of_operator and is_digits(word) and word != LISTENS
    if port is not None and (is_other or word in _OTHER_PORTS):
        fault = f"the queue manager listens at {LISTENS}"
        yield diagnostic("service-port", port.span, port=word, fault=fault)


def _route_port(route: Node, service: Node) -> Iterator[Diagnostic]:
    """The name of a port of a route that its service does not have."""
    port, ports = route.get("spec", "port", "targetPort"), service.get("spec", "ports")
    word = port.word() if port is not None else ""
    spaces = (each.word("metadata", "namespace") for each in (service, route))
    if port is None or not word or is_digits(word) or ports is None or ports.open:
        return
    if may_be_same(*spaces) and word not in {entry.word("name") for entry in ports.items}:
        fault = f"service {service.word('metadata', 'name')} has no port of this name"
        yield diagnostic("service-port", port.span, port=word, fault=fault)


def _own_name(document: Node) -> str:
    """The name of a service, blank for other resources."""
    return document.word("metadata", "name") if document.word("kind") == "Service" else ""


def _cluster_services(documents: Iterable[Node]) -> Iterator[tuple[str, _Service]]:
    """Yield the services that lead to one queue manager of the file, by name."""
    managers = [manager for document in documents for manager in _managers_of_pod(document)]
    for document in documents:
        name, namespace = (document.word("metadata", key) for key in ("name", "namespace"))
        if document.word("kind") == "QueueManager" and name:
            own = document.get("spec", "queueManager", "name")
            value = own.value if own is not None and isinstance(own.value, str) else None
            yield f"{name}-ibm-mq", _Service(namespace, value, frozenset({LISTENS}))
        selector = document.get("spec", "selector") if document.word("kind") == "Service" else None
        if selector is None or selector.open or not selector.pairs or len(managers) > _FEW:
            continue
        chosen = [
            manager
            for space, labels, manager in managers
            if space in ("", namespace) or not namespace
            if selects(selector, labels)
        ]
        if len(chosen) == 1:
            yield name, _Service(namespace, chosen[0], _forwarded(document))


def _managers_of_pod(document: Node) -> Iterator[tuple[str, Mapping[str, object], str | None]]:
    """Yield the namespace, the labels and the name of each queue manager of a pod with labels."""
    labels = pod_labels(document)
    for container in pod_entries(document, "containers") if labels else ():
        variable = environment_of(container.child("env")).get("MQ_QMGR_NAME")
        if variable is not None and labels is not None:
            name = variable.value if isinstance(variable.value, str) else None
            yield document.word("metadata", "namespace"), labels, name
