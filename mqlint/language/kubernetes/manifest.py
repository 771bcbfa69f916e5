"""Kubernetes resources, Helm values and what stands in them: how a queue manager is to run.

Read are QueueManager resources of the MQ Operator, routes of OpenShift to channels, values of the
public MQ charts (and the same charts beneath a key of another), Deployments, StatefulSets and Pods
with a container of MQ, ConfigMaps and Secrets whose entries are MQSC or stanzas, and MQSC that
values keep below a key like `mqsc`. What is not written is absent, or unknown where a template may
add it. Values of Secrets and passwords are not stored.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain

from mqlint.dataclass import frozen, mutable
from mqlint.finding import Diagnostic
from mqlint.language.client.ccdt import connections_of, parse_ccdt
from mqlint.language.client.signs import is_channel_table
from mqlint.language.declaration import Declared, Field, FieldValue
from mqlint.language.embedding import declared_in, reported_in
from mqlint.language.ini import INI
from mqlint.language.kubernetes.chart import faults_of_chart
from mqlint.language.kubernetes.check import (
    Holder,
    faults_of_kind,
    faults_of_resource,
    faults_of_sources,
)
from mqlint.language.kubernetes.compose import is_compose, parse_compose
from mqlint.language.kubernetes.fields import (
    derived_of,
    fields_of_container,
    fields_of_resource,
    fields_of_route,
    fields_of_values,
)
from mqlint.language.kubernetes.source import (
    Source,
    entry_name,
    sources_of_container,
    sources_of_resource,
    sources_of_values,
)
from mqlint.language.kubernetes.workload import workload_faults
from mqlint.language.mqsc.language import MQSC
from mqlint.language.script.step import Embedded
from mqlint.language.text.mapped import MappedText
from mqlint.language.yaml.embedded_mqsc import folded_mqsc, lines_of, mqsc_in
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.source.budget import Budget
from mqlint.vocabulary.unknown import UNKNOWN

_HOLDERS = frozenset({"ConfigMap", "Secret"})
_WORKLOADS = frozenset({"Deployment", "StatefulSet", "Pod", "DaemonSet", "ReplicaSet", "Job"})
_CHART_KEYS = frozenset(
    {
        *("nativeha", "multiinstance", "mqscConfigMaps", "mqscSecrets", "qminiConfigMaps"),
        *("qminiSecrets", "envVariables"),
    }
)


@mutable
class Manifest:
    """What a file of manifests says: declarations, documents in other languages, and faults."""

    declared: list[Declared] = field(default_factory=list)
    embedded: list[Embedded] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    wired: list[tuple[str, str]] = field(default_factory=list)
    fed: list[tuple[str, str]] = field(default_factory=list)


def parse_manifest(text: str, budget: Budget | None = None) -> Manifest:
    """Read a file of manifests or Helm values; for any text at all, without an error."""
    budget = budget or Budget(len(text))
    documents = list(_resources(read_documents(text, budget)))
    manifest = Manifest()
    readers: dict[str, list[_Reader]] = {}
    described: list[tuple[Declared, list[Source]]] = []
    namespaces: list[str] = []
    if "MQ" in text or "mq" in text:
        from mqlint.language.kubernetes.clients import clients_of  # here, to be loaded late

        manifest.declared.extend(
            declared for document in documents for declared in clients_of(document, budget)
        )
    for document in documents:
        if is_compose(document):
            services = parse_compose(document)
            manifest.fed.extend(services.fed)
            manifest.diagnostics.extend(services.diagnostics)
            described.extend((declared, []) for declared in services.declared)
            namespaces.extend("" for _ in services.declared)
            continue
        manifest.diagnostics.extend(faults_of_kind(document))
        if _is_resource(document):
            manifest.diagnostics.extend(faults_of_resource(document))
        elif not document.word("kind"):
            for values in _charts(document):
                manifest.diagnostics.extend(faults_of_chart(values))
        for declared, sources in _declared(document, budget):
            if declared.queue_manager is None and declared.type != "route":
                declared = replace(declared, model=f"#{document.start}")
            sources = [source for source in sources if source.name]
            described.append((declared, sources))
            namespaces.append(document.word("metadata", "namespace"))
            for source in sources:
                readers.setdefault(source.name, []).append(
                    _Reader(declared.queue_manager, declared.model, source)
                )
    holders: dict[str, list[Holder]] = {}
    for document in documents:
        if document.word("kind") in _HOLDERS:
            holder = _holder(document, readers)
            holders.setdefault(holder.name, []).append(holder)
    for (declared, sources), namespace in zip(described, namespaces, strict=True):
        manifest.diagnostics.extend(faults_of_sources(sources, namespace, holders))
        if declared.queue_manager is not None:
            manifest.wired.extend(
                (entry, declared.queue_manager)
                for source in sources
                if source.name not in holders
                for entry in source.entries()
            )
    manifest.diagnostics.extend(workload_faults(documents, text))
    for document in documents:
        manifest.embedded.extend(_entries(document, readers, budget))
        manifest.diagnostics.extend(folded_mqsc(document))
        for table in _tables(document):
            channels = parse_ccdt(table.text, budget)
            found = (*channels.declared, *connections_of(channels))
            manifest.declared.extend(declared_in(declared, table) for declared in found)
            faults = (reported_in(fault, table) for fault in channels.diagnostics)
            manifest.diagnostics.extend(faults)
    here = {document.word("metadata", "name") for document in documents}
    keyed = {
        (text.queue_manager, text.model)
        for text in manifest.embedded
        if "KeyRepository" in text.text
    }
    manifest.declared.extend(_replication(*pair, here, keyed) for pair in described)
    return manifest


def _replication(
    declared: Declared,
    sources: Iterable[Source],
    here: set[str],
    keyed: set[tuple[str | None, str]],
) -> Declared:
    """Add that stanzas choose TLS for the replication, or may: those are in other files."""
    if declared.field("replication.tls") is not None:
        return declared
    if (declared.queue_manager, declared.model) in keyed:
        value: FieldValue = "stanza"
    elif all(source.name in here for source in sources):
        return declared
    else:
        value = UNKNOWN
    added = Field("replication.tls", value, declared.span)
    return replace(declared, fields=(*declared.fields, added))


def _resources(documents: Iterable[Node]) -> Iterator[Node]:
    """The documents, each item of a List, and each instance of an IntegrationAssembly."""
    for document in documents:
        if document.word("kind").endswith("List") and document.get("items") is not None:
            yield from document.entries("items")
        elif document.word("kind") == "IntegrationAssembly":
            yield from document.entries("spec", "managedInstances", "list")
        else:
            yield document


def _declared(document: Node, budget: Budget) -> Iterator[tuple[Declared, list[Source]]]:
    """The queue managers that a document describes, with the names of what they read."""
    kind = document.word("kind")
    if _is_resource(document):
        yield _resource(document)
    elif kind == "Route" and document.word("apiVersion").startswith("route.openshift.io/"):
        yield _route(document), []
    elif kind in _WORKLOADS:
        yield from _workload(document, kind, budget)
    elif not kind:
        for values in _charts(document):
            yield _values(values)


def _is_resource(document: Node) -> bool:
    """Whether a document is a QueueManager of the Operator, or a patch of one without a kind."""
    api, kind = document.word("apiVersion"), document.word("kind")
    if not api and not kind:
        settings = document.get("spec", "queueManager")
        return settings is not None and settings.kind == "mapping"
    return kind == "QueueManager" and (api.startswith("mq.ibm.com/") or not api)


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


def _resource(document: Node) -> tuple[Declared, list[Source]]:
    """A QueueManager of the Operator: its name is that of the queue manager unless it says."""
    own = document.get("metadata", "name")
    where = document.get("spec", "queueManager", "name")
    if where is None or where.kind != "scalar":
        where = own
    value = where.value if where is not None else UNKNOWN
    queue_manager = value if isinstance(value, str) and "-" not in value else None
    name = document.word("metadata", "name")
    fields = fields_of_resource(document)
    declared = _declaration(document, name, queue_manager, fields, where, _is_open(document))
    whole = document.get("spec", "license") is not None  # which a resource must have, a patch not
    return replace(declared, open=declared.open or not whole), sources_of_resource(document)


def _route(document: Node) -> Declared:
    """A route of OpenShift; a service, not a queue manager, names its target."""
    name, where = document.word("metadata", "name"), document.get("metadata", "name")
    span = where.span if where is not None else document.span
    return Declared("route", name, tuple(fields_of_route(document)), span)


def _charts(document: Node) -> Iterator[Node]:
    """Where values of a chart of MQ stand: at the top, or below the name that a chart gave it."""
    if _is_chart(document):
        yield document
        return
    for _, _, value in document.pairs:
        if _is_chart(value):
            yield value


def _is_chart(values: Node) -> bool:
    settings = values.child("queueManager")
    if settings is None or settings.kind != "mapping":
        return False
    keys = {key for key, _, _ in settings.pairs}
    beside = {key for key, _, _ in values.pairs}
    return bool(keys & _CHART_KEYS) or ("name" in keys and bool(beside & {"license", "pki"}))


def _values(values: Node) -> tuple[Declared, list[Source]]:
    """Values of a chart: without a name the queue manager is called like the release."""
    name = values.word("queueManager", "name")
    where = values.get("queueManager", "name") if name else values.get("queueManager")
    fields, is_open = fields_of_values(values), _is_open(values)
    declared = _declaration(values, name, name or None, fields, where, is_open)
    return declared, sources_of_values(values)


def _workload(document: Node, kind: str, budget: Budget) -> Iterator[tuple[Declared, list[Source]]]:
    """A workload with a container that runs a queue manager: MQ_QMGR_NAME is set."""
    spec = _pod(document, kind)
    if spec is None:
        return
    is_open = _is_open(document)
    for container in _containers(document, kind):
        environment = {item.word("name"): item for item in container.entries("env")}
        variable = environment.get("MQ_QMGR_NAME")
        if variable is None:
            continue
        if not budget.spend(0, 1 + len(spec.entries("volumes"))):  # each container has all
            return
        value = variable.get("value")
        name = value.value if value is not None else UNKNOWN
        queue_manager = name if isinstance(name, str) and name else None
        fields = fields_of_container(document, spec, container, environment, kind)
        own = document.word("metadata", "name")
        declared = _declaration(document, own, queue_manager, fields, value, is_open)
        yield declared, sources_of_container(spec, container)


def _pod(document: Node, kind: str) -> Node | None:
    """What a workload says of its pods."""
    return document.get("spec") if kind == "Pod" else document.get("spec", "template", "spec")


def _containers(document: Node, kind: str) -> Sequence[Node]:
    spec = _pod(document, kind)
    return spec.entries("containers") if spec is not None else ()


# -- documents inside ------------------------------------------------------------------------------


@frozen
class _Reader:
    """A queue manager that is given entries of a ConfigMap or Secret, and how it names them."""

    queue_manager: str | None
    model: str
    source: Source


class _Readers:
    """Who reads each entry of one ConfigMap or Secret."""

    def __init__(self, kind: str, given: Iterable[_Reader]) -> None:
        self._of_all: list[_Reader] = []
        self._of_key: dict[str, list[_Reader]] = {}
        for reader in given:
            if reader.source.kind != kind:
                continue
            if reader.source.items is None:
                self._of_all.append(reader)
            for item in reader.source.items or ():
                self._of_key.setdefault(item.text, []).append(reader)

    def of(self, key: str) -> Iterator[_Reader]:
        """Yield the readers of an entry, each queue manager once."""
        seen: set[tuple[str | None, str]] = set()
        for reader in chain(self._of_key.get(key, ()), self._of_all):
            if (reader.queue_manager, reader.model) not in seen:
                seen.add((reader.queue_manager, reader.model))
                yield reader


def _entries(
    document: Node, given: Mapping[str, list[_Reader]], budget: Budget
) -> Iterator[Embedded]:
    """The MQSC and stanza files that a document holds, those of ConfigMaps once for each reader."""
    kind = document.word("kind")
    if kind not in _HOLDERS:
        yield from mqsc_in(document)
        return
    name = document.word("metadata", "name")
    readers = _Readers(kind, given.get(name, ()))
    for part in ("data", "stringData", "binaryData"):
        entries = document.child(part)
        for key, _, value in entries.pairs if entries is not None else ():
            if value.mapped is None or not value.known:
                continue
            encoded = part == "binaryData" or (kind == "Secret" and part == "data")
            mapped = _decoded(value) if encoded else lines_of(value)
            holds = mapped is not None and mapped.text.strip()
            language = _language(key, mapped.text) if mapped is not None and holds else None
            if mapped is None or language not in ("mqsc", "ini"):
                continue
            found = Embedded.of(
                *(language, mapped, None),
                maybe=value.maybe,
                encoded=encoded,
                model=f"#{value.start}",
            )
            number = -1
            for number, reader in enumerate(readers.of(key)):
                if number and not budget.spend(len(mapped.text), len(mapped.segments)):
                    break
                applied = reader.source.applies and key.endswith(".mqsc")
                owner = reader.queue_manager
                yield replace(found, queue_manager=owner, model=reader.model, applied=applied)
            if number < 0:
                yield replace(found, entry=entry_name(kind, name, key) if name else "")


def _tables(document: Node) -> Iterator[MappedText]:
    """The channel tables of clients that a ConfigMap holds."""
    entries = document.child("data") if document.word("kind") == "ConfigMap" else None
    for _, _, value in entries.pairs if entries is not None else ():
        if value.mapped is not None and value.known and is_channel_table(value.mapped.text):
            yield value.mapped


def _holder(document: Node, readers: Mapping[str, list[_Reader]]) -> Holder:
    """A ConfigMap or Secret with the languages of its entries, by what these begin with."""
    languages: dict[str, str | None] = {}
    is_open = document.open
    for part in ("data", "stringData", "binaryData"):
        entries = document.child(part)
        if entries is None:
            continue
        is_open = is_open or entries.open or entries.kind not in ("mapping", "empty")
        for key, _, value in entries.pairs:
            text = value.text if part == "data" and value.known else ""
            languages[key] = _content(text) if text.strip() else None
    name, kind = document.word("metadata", "name"), document.word("kind")
    namespace = document.word("metadata", "namespace")
    return Holder(kind, name, namespace, languages, is_open, name in readers)


def _content(text: str) -> str | None:
    """The language of an entry by its content alone."""
    if MQSC.accepts("", text):
        return "mqsc"
    return "ini" if INI.accepts("a.ini", text) else None


def _language(key: str, text: str) -> str | None:
    """The language of an entry: by its name and content, or else by its content alone."""
    for language, name in ((MQSC, key), (INI, key), (MQSC, "")):
        if language.accepts(name, text):
            return language.name
    return None


def _decoded(value: Node) -> MappedText | None:
    """The text in base64; each of its lines is mapped to about where it is in the file."""
    packed = "".join(value.text.split())
    try:
        text = b64decode(packed, validate=True).decode()
    except (binascii.Error, ValueError):
        return None
    segments = [(0, value.start)]
    at = text.find("\n")
    while at >= 0:
        segments.append((at + 1, min(value.start + (at + 1) * 4 // 3, value.end - 1)))
        at = text.find("\n", at + 1)
    return MappedText(text.replace("\r\n", " \n"), tuple(segments), value.end)
