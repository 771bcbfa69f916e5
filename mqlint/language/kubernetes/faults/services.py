"""Services and network policies beside a workload of MQ: selectors and ports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.kubernetes.faults.instances import has_native_ha
from mqlint.language.kubernetes.pod import (
    may_share_namespace,
    number_of,
    pod_entries,
    pod_labels,
    selects,
)
from mqlint.language.yaml.tree import Node
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.vocabulary.container import (
    CONTAINER_PORTS,
    METRICS_PORT,
    MQ_PORT,
    REPLICATION_PORT,
)
from mqlint.vocabulary.distance import nearest, same_but_for_tag, typo_of

_DOMAINS = ("", ".svc", ".svc.cluster.local")
_MOST = 50
"""Of how many workloads of a file it is looked for one that a service means."""
_FOR_OTHERS = frozenset({METRICS_PORT, REPLICATION_PORT})
"""Ports of the container that no application connects to."""
_OWN_PORT = later(r"(?i)\bPORT\s*\(\s*'?(\d{1,5})")


def service_faults(
    documents: Sequence[Node],
    workloads: Sequence[Node],
    served: Sequence[tuple[Node, Node]],
    text: str,
) -> Iterator[Diagnostic]:
    """Report services that match no port or pod of a queue manager."""
    if len(workloads) > _MOST:
        return
    own = _own_ports(text)
    labels = [(workload, container, pod_labels(workload)) for workload, container in served]
    services = [each for each in documents if each.word("kind") == "Service"]
    for workload in {id(workload): workload for workload, _ in served}.values():
        yield from _own_service(workload, services)
    yield from _monitored(documents)
    for service in documents:
        selector = service.get("spec", "selector")
        if service.word("kind") != "Service" or selector is None or selector.kind != "mapping":
            continue
        if selector.open or not all(
            isinstance(value.value, str) for value in selector.pairs.values()
        ):
            continue
        meant = [
            (workload, container)
            for workload, container, of_pod in labels
            if of_pod is not None and selects(selector, of_pod)
        ]
        if meant:
            yield from _ports(service, meant, own)
        elif not any(_may_select(selector, workload) for workload in workloads):
            others = [
                (owner, of_pod)
                for owner, _, of_pod in labels
                if of_pod and not _is_mislabelled(owner, selector)
            ]
            own_labels = [of_pod for owner, of_pod in others if _names(owner, service)]
            every = [of_pod for _, of_pod in others if _leads_to_mq(service)]
            yield from _other_selector(selector, every, own_labels)


def _own_service(workload: Node, services: Sequence[Node]) -> Iterator[Diagnostic]:
    """Report the service that a StatefulSet names, if it is a typo of one that leads to its pods.

    That service gives each pod a name ("StatefulSets" of Kubernetes, "Stable Network ID").
    """
    name, labels = workload.get("spec", "serviceName"), pod_labels(workload)
    written = name.word() if name is not None else ""
    beside = [each for each in services if may_share_namespace(each, workload)][:_MOST]
    names = {each.word("metadata", "name") for each in beside}
    if name is None or labels is None or not written or written in names:
        return
    leading = [
        each.word("metadata", "name")
        for each in beside
        if (selector := each.get("spec", "selector")) is not None
        if selector.pairs and selects(selector, labels)
    ]
    near = typo_of(written, leading)
    if near and not same_but_for_tag(near, written):
        yield diagnostic("source-missing", name.span, word=written, kind="Service", nearest=near)


def policy_faults(
    documents: Sequence[Node], workloads: Iterable[Node], text: str
) -> Iterator[Diagnostic]:
    """Report network policies that close the ports of workloads or QueueManagers."""
    policies = [each for each in documents if each.word("kind") == "NetworkPolicy"]
    own = _own_ports(text)
    for workload in islice(workloads, _MOST) if policies else ():
        yield from _policies(policies, workload, own)


def _own_ports(text: str) -> set[int]:
    """The ports of listeners that MQSC in the manifests defines."""
    return {int(found[1]) for found in _OWN_PORT.finditer(text)}


def hosts_of(workload: Node, services: Iterable[Node]) -> Iterator[str]:
    """Yield the names of those services that lead to the pods of a workload, at the ports of these.

    (Kubernetes, "DNS for Services and Pods".) A service that changes a port is left out.
    """
    labels = pod_labels(workload)
    for service in islice(services, _MOST):
        selector = service.get("spec", "selector")
        if labels is None or selector is None or not selector.pairs:
            continue
        is_plain = not any(map(_is_changed, service.entries("spec", "ports")))
        if is_plain and selects(selector, labels) and may_share_namespace(service, workload):
            yield from host_names(service, service.word("metadata", "name"))


def host_names(resource: Node, name: str) -> Iterator[str]:
    space = resource.word("metadata", "namespace")
    yield name
    yield from (f"{name}.{space}{domain}" for domain in _DOMAINS if space)


def _is_changed(port: Node) -> bool:
    """Whether a service calls its pods at another port than it has itself."""
    target = port.word("targetPort")
    return is_digits(target) and target != port.word("port")


def _leads_to_mq(service: Node) -> bool:
    ports = service.entries("spec", "ports")
    words = {port.word(key) for port in ports for key in ("port", "targetPort")}
    return not words.isdisjoint(map(str, CONTAINER_PORTS))


def _names(workload: Node, service: Node) -> bool:
    """Whether a service is the one that a StatefulSet names as its own."""
    name = service.word("metadata", "name")
    is_own = bool(name) and workload.word("spec", "serviceName") == name
    return is_own and may_share_namespace(service, workload)


def _policies(policies: Sequence[Node], workload: Node, own: set[int]) -> Iterator[Diagnostic]:
    """Report ports of network policies if none is one at which the pods of a workload listen.

    Policies add up ("Network Policies" of Kubernetes): a rule without ports admits all of them.
    """
    admitted = _admitted_ports(policies, workload)
    if any(not port.word("port") or port.child("endPort") for port in admitted):
        return
    names, listening = set[str](), own | CONTAINER_PORTS
    for container in pod_entries(workload, "containers"):
        for port in container.entries("ports"):
            names.add(port.word("name"))
            listening |= {number for number in [number_of(port.child("containerPort"))] if number}
    known = [(_with_protocol(port), number_of(port.child("port"))) for port in admitted]
    spans = [(port.child("port") or port).span for port in admitted]
    listening -= _FOR_OTHERS
    if not any(
        "/" not in word and (word in names or number in listening) for word, number in known
    ):
        places = [*zip(spans, known, strict=True)]
        others = [place for place in places if place[1][1] not in _FOR_OTHERS]
        is_replicated = any(number == REPLICATION_PORT for _, number in known)
        for span, (word, _) in others or (() if is_replicated else places):
            yield diagnostic("policy-port", span, port=word, listens=str(MQ_PORT))
    elif (
        has_native_ha(workload)
        and not _is_elsewhere(workload)
        and all(number not in (None, REPLICATION_PORT) for _, number in known)
    ):
        yield diagnostic("policy-replication", spans[-1], port=str(REPLICATION_PORT))


def _with_protocol(port: Node) -> str:
    """The port of a rule, with its protocol if that is not TCP, the only one of MQ."""
    protocol = port.word("protocol")
    return port.word("port") + (f"/{protocol}" if protocol not in ("", "TCP") else "")


def _admitted_ports(policies: Iterable[Node], workload: Node) -> list[Node]:
    """The ports that network policies admit to the pods of a workload; none if all may be."""
    labels = pod_labels(workload)
    admitted: list[Node] = []
    for policy in policies:
        chosen = policy.get("spec", "podSelector")
        if labels is None or chosen is None:
            continue
        if not may_share_namespace(policy, workload):
            continue
        if chosen.child("matchExpressions"):
            return []  # which pods it selects is not judged
        selector = chosen.child("matchLabels")
        if selector is not None and not selects(selector, labels):
            continue  # without labels it selects all pods of the namespace
        for rule in policy.entries("spec", "ingress"):
            if policy.open or not rule.entries("ports"):
                return []
            admitted += rule.entries("ports")
    return admitted


def _is_elsewhere(workload: Node) -> bool:
    """Whether instances of Native HA may replicate over a port that is not the usual one."""
    items = [item for each in pod_entries(workload, "containers") for item in each.entries("env")]
    addresses = [item for item in items if "_REPLICATION_ADDRESS" in item.word("name")]
    return any(not item.word("value").endswith(f"({REPLICATION_PORT})") for item in addresses)


def _is_mislabelled(workload: Node, selector: Node) -> bool:
    """Whether a service selects what the workload itself selects: the labels of its pods differ."""
    own = workload.get("spec", "selector", "matchLabels")
    return own is not None and selects(
        selector, {key: value.value for key, value in own.pairs.items()}
    )


def _may_select(selector: Node, workload: Node) -> bool:
    labels = pod_labels(workload)
    return labels is None or selects(selector, labels)


def _other_selector(
    selector: Node, labels: Iterable[Mapping[str, object]], own: Sequence[Mapping[str, object]]
) -> Iterator[Diagnostic]:
    """A value of a selector that is a typo of the label of a pod with a queue manager.

    `own` are the labels of pods whose workload names the service: any other value is a fault.
    """
    for key, value in selector.pairs.items():
        values = [str(label[key]) for label in labels if isinstance(label.get(key), str)]
        near = nearest(value.text, values) if value.text not in values else ""
        if not near and len(own) == 1 and own[0].get(key, value.text) != value.text:
            near = str(own[0][key])
        if near and not same_but_for_tag(near, value.text):
            yield diagnostic(
                "service-selector", value.span, key=key, value=value.text, nearest=near
            )
            return


def _is_off(container: Node, name: str) -> bool:
    """Whether a container sets a switch of the image to false."""
    values = [item.word("value") for item in container.entries("env") if item.word("name") == name]
    return bool(values) and values[-1].lower() in ("false", "0")


def _monitored(documents: Iterable[Node]) -> Iterator[Diagnostic]:
    """Report ports of monitors that none of the services which they select has.

    A ServiceMonitor of Prometheus names a port of the service.
    """
    services = [each for each in documents if each.word("kind") == "Service"]
    for monitor in documents:
        selector = monitor.get("spec", "selector", "matchLabels")
        if monitor.word("kind") != "ServiceMonitor" or selector is None:
            continue
        chosen = [each for each in services if _is_selected(each, selector)]
        names = {port.word("name") for each in chosen for port in each.entries("spec", "ports")}
        if not chosen or any(each.open for each in chosen):
            continue
        for endpoint in monitor.entries("spec", "endpoints"):
            port = endpoint.child("port")
            if port is not None and port.word() and port.word() not in names:
                chosen_names = " and ".join(each.word("metadata", "name") for each in chosen)
                fault = f"service {chosen_names} has no port of this name"
                yield diagnostic("service-port", port.span, port=port.word(), fault=fault)


def _is_selected(service: Node, selector: Node) -> bool:
    labels = service.get("metadata", "labels")
    own = {key: value.value for key, value in labels.pairs.items()} if labels is not None else {}
    return selects(selector, own)


def _ports(
    service: Node, served: Sequence[tuple[Node, Node]], own: set[int]
) -> Iterator[Diagnostic]:
    """Ports of a service that lead to a port at which no queue manager listens.

    Another container of the pod, such as an exporter of metrics, may listen there. If it declares
    no port, it is not known at which (Kubernetes, "Pod v1": a port need not be declared).
    """
    declared: dict[str, int | None] = {}
    numbers: set[int] = set()
    of_mq = {id(container) for _, container in served}
    pods = {id(workload): workload for workload, _ in served}.values()
    for container in (found for pod in pods for found in pod_entries(pod, "containers")):
        ports = container.child("ports")
        if ports is None and id(container) in of_mq:
            continue
        if ports is None or ports.open:
            return
        for port in ports.items:
            number = number_of(port.child("containerPort"))
            declared[port.word("name")] = number
            if number is not None:
                numbers.add(number)
    has_metrics = not all(_is_off(container, "MQ_ENABLE_METRICS") for _, container in served)
    for port in service.entries("spec", "ports"):
        target = port.child("targetPort") or port.child("port")
        word = target.word() if target is not None else ""
        if target is None or not word:
            continue
        if word == str(METRICS_PORT) and not has_metrics and METRICS_PORT not in numbers:
            is_served = False
            fault = "MQ_ENABLE_METRICS is false, so the image does not listen there"
        elif is_digits(word):
            is_served = number_of(target) in numbers | CONTAINER_PORTS | own
            fault = f"the queue manager listens at {MQ_PORT}"
        else:
            is_served = word in declared
            fault = "no container has a port of this name"
        if is_served and "/" in _with_protocol(port) and number_of(target) in CONTAINER_PORTS | own:
            is_served, fault = False, "the queue manager listens there with TCP only"
            word = f"{word}/{port.word('protocol')}"
        if not is_served:
            yield diagnostic("service-port", target.span, port=word, fault=fault)
