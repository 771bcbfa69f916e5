"""Kubernetes resources, Helm values and what stands in them: how a queue manager is to run.

Read are QueueManager resources of the MQ Operator, routes of OpenShift to channels, values of the
public MQ charts (and the same charts beneath a key of another), Deployments, StatefulSets and Pods
with a container of MQ, ConfigMaps and Secrets whose entries are MQSC or stanzas, and MQSC that
values keep below a key like `mqsc`. What is not written is absent, or unknown where a template may
add it. Values of Secrets and passwords are kept nowhere.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mqlint.language.base import Context, Parsed
from mqlint.language.declaration import Declared, Field, FieldValue
from mqlint.language.ini import INI
from mqlint.language.kubernetes.fields import (
    derived_of,
    fields_of_container,
    fields_of_resource,
    fields_of_route,
    fields_of_values,
)
from mqlint.language.mqsc.language import MQSC
from mqlint.language.script.step import Embedded
from mqlint.language.text.mapped import Cooked
from mqlint.language.yaml.embedded_mqsc import embedded, kept_mqsc
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


@dataclass(slots=True)
class Manifest:
    """What a file of manifests says: declarations, and documents in other languages."""

    declared: list[Declared] = field(default_factory=list)
    embedded: list[Embedded] = field(default_factory=list)


def parse_manifest(text: str, budget: Budget | None = None) -> Manifest:
    """Read a file of manifests or Helm values; for any text at all, without an error."""
    budget = budget or Budget(len(text))
    documents = list(_resources(read_documents(text, budget)))
    found = Manifest()
    owners: dict[str, list[str]] = {}
    described: list[tuple[Declared, list[str]]] = []
    for document in documents:
        for declared, references in _declared(document, budget):
            references = [name for name in references if name]
            described.append((declared, references))
            if declared.queue_manager is not None:
                for name in references:
                    owners.setdefault(name, []).append(declared.queue_manager)
    for document in documents:
        found.embedded.extend(_entries(document, owners, budget))
    here = {_word(document, "metadata", "name") for document in documents}
    keyed = {one.queue_manager for one in found.embedded if "KeyRepository" in one.text}
    found.declared.extend(_replication(*one, here, keyed) for one in described)
    return found


def _replication(
    declared: Declared, references: list[str], here: set[str], keyed: set[str | None]
) -> Declared:
    """Add that stanzas choose TLS for the replication, or may: they are kept elsewhere."""
    if declared.field("replication.tls") is not None:
        return declared
    if declared.queue_manager in keyed and declared.queue_manager is not None:
        value: FieldValue = "stanza"
    elif all(name in here for name in references):
        return declared
    else:
        value = UNKNOWN
    added = Field("replication.tls", value, declared.span)
    return replace(declared, fields=(*declared.fields, added))


def _resources(documents: Iterable[Node]) -> Iterator[Node]:
    """The documents, and each item of a List."""
    for document in documents:
        items = document.get("items")
        if _word(document, "kind").endswith("List") and items is not None:
            yield from items.items
        else:
            yield document


def _word(node: Node, *path: str) -> str:
    """A text that is known, else an empty one."""
    found = node.get(*path)
    value = found.value if found is not None else ""
    return value if isinstance(value, str) else ""


def _declared(document: Node, budget: Budget) -> Iterator[tuple[Declared, list[str]]]:
    """The queue managers that a document describes, with the names of what they read."""
    kind = _word(document, "kind")
    if kind == "QueueManager" and _word(document, "apiVersion").startswith("mq.ibm.com/"):
        yield _resource(document)
    elif kind == "Route" and _word(document, "apiVersion").startswith("route.openshift.io/"):
        yield _route(document), []
    elif kind in _WORKLOADS:
        yield from _workload(document, kind, budget)
    elif not kind:
        for values in _charts(document):
            yield _values(values)


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


def _resource(document: Node) -> tuple[Declared, list[str]]:
    """A QueueManager of the Operator: its name is that of the queue manager unless it says."""
    own = document.get("metadata", "name")
    named = document.get("spec", "queueManager", "name")
    where = named if named is not None and named.kind == "scalar" else own
    value = where.value if where is not None else UNKNOWN
    queue_manager = value if isinstance(value, str) and "-" not in value else None
    references = [
        _word(item, source, "name")
        for key in ("mqsc", "ini")
        for item in _items(document.get("spec", "queueManager", key))
        for source in ("configMap", "secret")
    ]
    name = _word(document, "metadata", "name")
    fields = fields_of_resource(document)
    found = _declaration(document, name, queue_manager, fields, where or own, _is_open(document))
    whole = document.get("spec", "license") is not None  # which a resource must have, a patch not
    return replace(found, open=found.open or not whole), references


def _route(document: Node) -> Declared:
    """A route of OpenShift; where it leads to is named by its service, not by a queue manager."""
    name, where = _word(document, "metadata", "name"), document.get("metadata", "name")
    span = where.span if where is not None else document.span
    return Declared("route", name, tuple(fields_of_route(document)), span)


def _items(node: Node | None) -> Sequence[Node]:
    return node.items if node is not None else ()


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


def _values(values: Node) -> tuple[Declared, list[str]]:
    """Values of a chart: without a name the queue manager is called like the release."""
    named = values.get("queueManager", "name")
    name = _word(values, "queueManager", "name")
    references = [
        _word(item, "name")
        for key in ("mqscConfigMaps", "mqscSecrets", "qminiConfigMaps", "qminiSecrets")
        for item in _items(values.get("queueManager", key))
    ]
    where = named if name else values.get("queueManager")
    fields, is_open = fields_of_values(values), _is_open(values)
    return _declaration(values, name, name or None, fields, where, is_open), references


def _workload(document: Node, kind: str, budget: Budget) -> Iterator[tuple[Declared, list[str]]]:
    """A workload with a container that runs a queue manager: it is told MQ_QMGR_NAME."""
    spec = _pod(document, kind)
    if spec is None:
        return
    references = [
        _word(volume, source, key)
        for volume in _items(spec.child("volumes"))
        for source, key in (("configMap", "name"), ("secret", "secretName"))
    ]
    is_open = _is_open(document)
    for container in _containers(document, kind):
        environment = {_word(item, "name"): item for item in _items(container.child("env"))}
        named = environment.get("MQ_QMGR_NAME")
        if named is None:
            continue
        if not budget.spend(0, 1 + len(references)):  # each container has all volumes
            return
        value = named.get("value")
        name = value.value if value is not None else UNKNOWN
        queue_manager = name if isinstance(name, str) and name else None
        fields = fields_of_container(document, spec, container, environment, kind)
        own = _word(document, "metadata", "name")
        yield _declaration(document, own, queue_manager, fields, value, is_open), references


def _pod(document: Node, kind: str) -> Node | None:
    """What a workload says of its pods."""
    return document.get("spec") if kind == "Pod" else document.get("spec", "template", "spec")


def _containers(document: Node, kind: str) -> Sequence[Node]:
    spec = _pod(document, kind)
    return _items(spec.child("containers")) if spec is not None else ()


# -- documents inside ------------------------------------------------------------------------------


def _entries(document: Node, owners: Mapping[str, list[str]], budget: Budget) -> Iterator[Embedded]:
    """The MQSC and stanza files that a document holds, those of ConfigMaps once for each reader."""
    kind = _word(document, "kind")
    if kind not in _HOLDERS:
        yield from kept_mqsc(document)
        return
    name = _word(document, "metadata", "name")
    readers: list[str | None] = [*dict.fromkeys(owners.get(name, []))]
    readers = readers or [None]
    for part in ("data", "stringData", "binaryData"):
        entries = document.child(part)
        for key, _, value in entries.pairs if entries is not None else ():
            if value.cooked is None or not value.known:
                continue
            encoded = part == "binaryData" or (kind == "Secret" and part == "data")
            cooked = _decoded(value) if encoded else value.cooked
            holds = cooked is not None and cooked.text.strip()
            language = _language(key, cooked.text) if cooked is not None and holds else None
            if cooked is None or language not in ("mqsc", "ini"):
                continue
            for number, reader in enumerate(readers):
                if number and not budget.spend(len(cooked.text), len(cooked.segments)):
                    break
                yield embedded(language, cooked, reader, maybe=value.maybe, encoded=encoded)


def _language(key: str, text: str) -> str | None:
    """The language of an entry: by its name and content, or else by its content alone."""
    for language, name in ((MQSC, key), (INI, key), (MQSC, "")):
        if language.accepts(name, text):
            return language.name
    return None


def _decoded(value: Node) -> Cooked | None:
    """The text that is kept as base64; each of its lines leads to about where it stands."""
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
    return Cooked(text.replace("\r\n", " \n"), tuple(segments), value.end)


def read(text: str, context: Context) -> Parsed:
    """Read resources and values as a document."""
    manifest = parse_manifest(text, context.budget)
    return Parsed(declared=tuple(manifest.declared), embedded=manifest.embedded)
