"""Declarations of a document: queue managers of resources, charts and containers, and routes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from mqlint.language.declaration import Declared, Field
from mqlint.language.kubernetes.container import (
    entries_of_container,
    is_client,
    runs_image_of_mq,
)
from mqlint.language.kubernetes.fields import (
    derived_of,
    fields_of_container,
    fields_of_resource,
    fields_of_route,
    fields_of_values,
    is_whole,
)
from mqlint.language.kubernetes.merge import hosted
from mqlint.language.kubernetes.pod import TASK, pod_of
from mqlint.language.kubernetes.source import (
    ConfigurationSource,
    sources_of_container,
    sources_of_resource,
    sources_of_values,
)
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.source.budget import Budget
from mqlint.vocabulary.unknown import UNKNOWN

_WORKLOADS = frozenset({"Deployment", "StatefulSet", "Pod", "DaemonSet", "ReplicaSet", "Job", TASK})
_INSTALLERS = frozenset({"HelmRelease", "Application", "ApplicationSet"})
IBM_CHART = "ibm-mq"
"""The name of the chart of ibm-messaging/mq-helm."""
_CHART_KEYS = frozenset(
    {
        *("nativeha", "multiinstance", "mqscConfigMaps", "mqscSecrets", "qminiConfigMaps"),
        *("qminiSecrets", "envVariables"),
    }
)


def declarations_of(
    document: Node, budget: Budget
) -> Iterator[tuple[Declared, list[ConfigurationSource]]]:
    """The queue managers that a document describes, with the names of what they read."""
    kind = document.word("kind")
    if is_resource(document):
        yield _resource(document)
    elif kind == "Route" and document.word("apiVersion").startswith("route.openshift.io/"):
        yield _route(document), []
    elif kind in _WORKLOADS:
        yield from _workload(document, kind, budget)
    else:
        for values in charts_of(document, budget):
            yield _values(values)


def is_resource(document: Node) -> bool:
    """Whether a document is a QueueManager of the Operator, or a patch of one without a kind."""
    api, kind = document.word("apiVersion"), document.word("kind")
    if not api and not kind:
        settings = document.get("spec", "queueManager")
        return settings is not None and settings.kind == "mapping"
    return kind == "QueueManager" and (api.startswith("mq.ibm.com/") or not api)


def services_of_managers(documents: Iterable[Node]) -> dict[str, str]:
    """Return the queue managers of resources by the name of the service that the Operator makes.

    (IBM MQ documentation, "Connecting to a queue manager deployed in a Red Hat OpenShift cluster".)
    """
    found = {}
    for document in filter(is_resource, documents):
        name, (_, queue_manager) = document.word("metadata", "name"), _named(document)
        if name and queue_manager is not None:
            found[f"{name}-ibm-mq"] = queue_manager
    return found


def _named(document: Node) -> tuple[Node | None, str | None]:
    """Where the name of a resource's queue manager is, and that name if it is known.

    Without one of its own, the queue manager is called like the resource.
    """
    where = document.get("spec", "queueManager", "name")
    if where is None or where.kind != "scalar":
        where = document.get("metadata", "name")
    value = where.value if where is not None else UNKNOWN
    return where, value if isinstance(value, str) and "-" not in value else None


def _declaration(
    node: Node,
    name: str,
    queue_manager: str | None,
    fields: list[Field],
    where: Node | None,
    is_open: bool,
) -> Declared:
    fields.extend(derived_of(fields))
    span = where.span if where is not None else node.span
    return Declared("manifest", name, tuple(fields), span, queue_manager, is_open)


def _is_open(node: Node) -> bool:
    """Whether a template may add something anywhere below a value."""
    return any(below.open for below in node.walk())


def _resource(document: Node) -> tuple[Declared, list[ConfigurationSource]]:
    """A QueueManager of the Operator."""
    where, queue_manager = _named(document)
    name = document.word("metadata", "name")
    fields = fields_of_resource(document)
    declared = _declaration(document, name, queue_manager, fields, where, _is_open(document))
    is_open = declared.open or not is_whole(document)
    return replace(declared, open=is_open), sources_of_resource(document)


def _route(document: Node) -> Declared:
    """A route of OpenShift; a service, not a queue manager, names its target."""
    name, where = document.word("metadata", "name"), document.get("metadata", "name")
    span = where.span if where is not None else document.span
    return Declared("route", name, tuple(fields_of_route(document)), span)


def charts_of(document: Node, budget: Budget) -> Iterator[Node]:
    """Yield the values of the MQ chart: at the top level, or below the name of a parent chart.

    A HelmRelease of Flux and an Application of Argo CD have them too, if they name the chart.
    """
    kind = document.word("kind")
    if kind:
        installed = _installed(document, budget) if kind in _INSTALLERS else ()
        yield from filter(_is_chart, installed)
    elif _is_chart(document):
        yield document
    else:
        yield from filter(_is_chart, document.pairs.values())


def _installed(document: Node, budget: Budget) -> Iterator[Node]:
    """The values with which a resource installs the chart."""
    spec = document.child("spec")
    spec = document.get("spec", "template", "spec") or spec
    if spec is None:
        return
    if spec.word("chart", "spec", "chart") == IBM_CHART:
        yield from filter(None, [spec.child("values")])
    for source in (*spec.entries("sources"), *filter(None, [spec.child("source")])):
        helm = source.child("helm")
        if helm is None or source.word("chart") != IBM_CHART:
            continue
        yield from filter(None, [helm.child("valuesObject")])
        written = helm.child("values")
        mapped = written.mapped if written is not None else None
        if mapped is not None and budget.spend(len(mapped.text), len(mapped.segments)):
            yield from (hosted(inner, mapped) for inner in read_documents(mapped.text, budget))


def _is_chart(values: Node) -> bool:
    settings = values.child("queueManager")
    if settings is None or settings.kind != "mapping":
        return False
    keys = set(settings.pairs.names())
    beside = set(values.pairs.names())
    return bool(keys & _CHART_KEYS) or ("name" in keys and bool(beside & {"license", "pki"}))


def _values(values: Node) -> tuple[Declared, list[ConfigurationSource]]:
    """Values of a chart: without a name the queue manager is called like the release."""
    name = values.word("queueManager", "name")
    where = values.get("queueManager", "name") if name else values.get("queueManager")
    fields, is_open = fields_of_values(values), _is_open(values)
    declared = _declaration(values, name, name or None, fields, where, is_open)
    return declared, sources_of_values(values)


def _workload(
    document: Node, kind: str, budget: Budget
) -> Iterator[tuple[Declared, list[ConfigurationSource]]]:
    """A workload with a container that runs a queue manager.

    MQ_QMGR_NAME is set, or LICENSE and an image of MQ that runs its own program. An application
    may have a variable of this name beside an address.
    """
    spec = pod_of(document)
    if spec is None:
        return
    is_open = _is_open(document)
    for container in spec.entries("containers"):
        environment = {item.word("name"): item for item in container.entries("env")}
        variable = environment.get("MQ_QMGR_NAME")
        is_licensed = "LICENSE" in environment and runs_image_of_mq(container)
        if (variable is None or is_client(environment)) and not is_licensed:
            continue
        if not budget.spend(0, 1 + len(spec.entries("volumes"))):  # each container has all
            return
        value = None if variable is None else variable.get("value")
        name = value.value if value is not None else UNKNOWN
        queue_manager = name if isinstance(name, str) and name else None
        fields = fields_of_container(document, spec, container, environment, kind)
        fields.extend(entries_of_container(document, spec, container))
        own = document.word("metadata", "name")
        declared = _declaration(document, own, queue_manager, fields, value, is_open)
        yield declared, sources_of_container(spec, container)
