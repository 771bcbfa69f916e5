"""Kubernetes resources and Helm values: how a queue manager is to run, and texts inside.

These are read: QueueManager resources of the MQ Operator, routes of OpenShift to channels, values
of the public MQ charts (and the same charts beneath a key of another), Deployments, StatefulSets
and Pods with a container of MQ, ConfigMaps and Secrets whose entries are MQSC or stanzas, and MQSC
that values keep below a key like `mqsc`. A missing value is absent, or unknown if a template may
add it. Values of Secrets and passwords are not stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import field, replace

from mqlint.dataclass import NamedTuple, mutable
from mqlint.finding import Diagnostic
from mqlint.language.base import Parsed
from mqlint.language.declaration import (
    PUBLISHED_BESIDE,
    SERVICE_HOSTS,
    Declared,
    Field,
    FieldValue,
    NamedFile,
)
from mqlint.language.kubernetes.compose.files import files_of, texts_of
from mqlint.language.kubernetes.compose.services import (
    is_compose,
    is_pipeline,
    published_beside,
    queue_manager_of,
    services_of,
    taken_from_elsewhere,
)
from mqlint.language.kubernetes.declarations import (
    charts_of,
    declarations_of,
    is_resource,
    services_of_managers,
)
from mqlint.language.kubernetes.entries import (
    HOLDERS,
    MADE_SECRETS,
    Reader,
    embedded_in,
    files_of_kustomization,
    generated_by,
    holder_of,
    is_kustomization,
    is_patch,
    merged_entries,
    secret_of_controller,
    undecoded_entries,
)
from mqlint.language.kubernetes.faults.check import (
    Holder,
    faults_of_chart,
    faults_of_kind,
    faults_of_resource,
    faults_of_sources,
    keys_twice,
)
from mqlint.language.kubernetes.faults.references import reference_faults
from mqlint.language.kubernetes.faults.services import host_names, hosts_of
from mqlint.language.kubernetes.faults.workload import workload_faults
from mqlint.language.kubernetes.pod import INSTANCE, pod_of
from mqlint.language.kubernetes.source import ConfigurationSource, sources_of_variables
from mqlint.language.kubernetes.tasks import tasks_of
from mqlint.language.script.step import Embedded
from mqlint.language.yaml.embedded_mqsc import folded_mqsc
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.source.budget import Budget
from mqlint.source.lines import Span
from mqlint.vocabulary.unknown import UNKNOWN

_JOINED = HOLDERS | {
    *("Route", "Service", "NetworkPolicy", "Application", "ApplicationSet", "HelmRelease"),
    *("PodDisruptionBudget", "HorizontalPodAutoscaler", *MADE_SECRETS),
}


@mutable
class Manifest:
    """The content of a file of manifests: declarations, embedded documents, and faults.

    `readers` are those of each ConfigMap or Secret, by its name. `joins`: other files may name
    resources of it, or it those of other files.
    """

    declared: list[Declared] = field(default_factory=list)
    embedded: list[Embedded] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    wired: list[tuple[str, str]] = field(default_factory=list)
    fed: list[tuple[str, str]] = field(default_factory=list)
    files: list[NamedFile] = field(default_factory=list)
    unfollowed: list[int] = field(default_factory=list)
    readers: dict[str, list[Reader]] = field(default_factory=dict)
    joins: bool = False

    def parsed(self) -> Parsed:
        """Return the content as that of any language."""
        return Parsed(
            declared=tuple(self.declared),
            embedded=self.embedded,
            diagnostics=self.diagnostics,
            about="manifest",
            wired=tuple(self.wired),
            fed=tuple(self.fed),
            files=tuple(self.files),
            joins=self.joins,
            unfollowed=tuple(self.unfollowed),
        )


_OF_CLIENTS = ("MQ", "mq", "QMgr", "QMGR", "queueManager", "DestinationPort", '"clientConnection"')
"""Words of which one is in each text that has connections of applications."""
MOST_JOINED = 100_000
"""Limit of the characters of the manifests of a folder that are compared."""


def parse_manifest(text: str, budget: Budget | None = None) -> Manifest:
    """Read a file of manifests or Helm values; for any text at all, without an error."""
    budget = budget or Budget(len(text))
    faults: list[Diagnostic] = []
    manifest = read_manifest(text, read_documents(text, budget, faults), budget)
    manifest.diagnostics.extend(faults)
    return manifest


def read_manifest(
    text: str,
    documents: Iterable[Node],
    budget: Budget,
    generated: Set[tuple[str, str]] = frozenset(),
) -> Manifest:
    """Read the documents of one file, or those that are composed of several, from `text`.

    `generated` are the kinds and names of ConfigMaps and Secrets that a kustomization makes.
    """
    reader = _ManifestReader(text, documents, budget)
    reader.generated = generated
    return reader.read()


class _Described(NamedTuple):
    """A declaration, the sources that it reads, and their namespace."""

    declared: Declared
    sources: list[ConfigurationSource]
    namespace: str


class _ManifestReader:
    """Reads the documents of one file, which refer to one another."""

    def __init__(self, text: str, documents: Iterable[Node], budget: Budget) -> None:
        self.text = text
        self.budget = budget
        self.has_passwords = "assword" in text or "ASSWORD" in text
        self.documents = list(_resources(documents))
        self.manifest = Manifest()
        self.generated: Set[tuple[str, str]] = frozenset()
        self.described: list[_Described] = []
        self.pods: list[tuple[Node, str]] = []
        self.services = services_of_managers(self.documents)
        self.leading = [each for each in self.documents if each.word("kind") == "Service"]
        self.readers = self.manifest.readers

    def read(self) -> Manifest:
        manifest, documents = self.manifest, self.documents
        kinds = {document.word("kind") for document in documents}
        if any(word in self.text for word in _OF_CLIENTS):
            self.read_clients()
        if any(name in self.text for name in ("MQCCDTURL", "MQCHLLIB")):
            self.read_channel_tables()
        leads = "ibm-mq" in self.text or "CONNAME" in self.text
        selects = "QueueManager" in kinds and INSTANCE in self.text
        if "Route" in kinds or ("Service" in kinds and leads) or selects:
            from mqlint.language.kubernetes.faults.service_network import (  # loaded late
                faults_of_ways,
            )

            manifest.diagnostics.extend(faults_of_ways(documents))
        for document in documents:
            self.describe(document)
        self.distinguish()
        self.check_sources()
        manifest.diagnostics.extend(workload_faults(documents, self.text))
        of_compose = {tuple(text.segments) for text in manifest.embedded}
        for document in documents:
            self.read_entries(document, of_compose)
        if kinds & HOLDERS and ".key" in self.text and (self.described or manifest.embedded):
            from mqlint.language.kubernetes.credentials import private_keys  # loaded late

            manifest.diagnostics.extend(key for node in documents for key in private_keys(node))
        manifest.declared.extend(self.with_replication())
        is_of_mq = bool(self.described or manifest.declared)
        manifest.joins = is_of_mq or any(map(_may_join, documents))
        return manifest

    def read_clients(self) -> None:
        """Add the connections of applications, and check them against the file's services."""
        from mqlint.language.kubernetes.clients import (  # loaded late
            clients_of,
            containers_by_map,
            entries_of,
            held_in,
            scaler_faults,
        )

        manifest, documents = self.manifest, self.documents
        clients, mounted = [], containers_by_map(documents, self.budget)
        entries = entries_of(documents)
        for document in documents:
            declared = [*clients_of(document, entries, self.budget)]
            manifest.diagnostics.extend(scaler_faults(document))
            for held in held_in(document, mounted, self.text, self.budget):
                declared.extend(held.declared)
                manifest.diagnostics.extend(held.diagnostics)
            clients.append((document, declared))
        manifest.declared.extend(found for _, declared in clients for found in declared)
        if any(declared for _, declared in clients):
            from mqlint.language.kubernetes.faults.service_network import cluster_faults

            manifest.diagnostics.extend(cluster_faults(documents, clients))

    def read_channel_tables(self) -> None:
        """Add the files that hold channel tables of clients, and tables that are not mounted."""
        from mqlint.language.kubernetes.tables import (  # loaded late
            files_of_services,
            table_faults,
        )

        self.manifest.diagnostics.extend(table_faults(self.documents))
        for document in self.documents:
            self.manifest.files.extend(files_of_services(document))

    def describe(self, document: Node) -> None:
        """Add the declarations and the faults of a document."""
        manifest = self.manifest
        if self.has_passwords:
            from mqlint.language.kubernetes.credentials import password_faults  # loaded late

            identity = document.word("kind"), document.word("metadata", "name")
            is_generated = identity in self.generated
            faults = password_faults(document, self.text, is_generated=is_generated)
            manifest.diagnostics.extend(faults)
        if is_compose(document):
            self.describe_services(document)
            return
        manifest.files.extend(files_of_kustomization(document))
        manifest.diagnostics.extend(faults_of_kind(document))
        if is_resource(document):
            manifest.diagnostics.extend(faults_of_resource(document))
        else:
            for values in charts_of(document, self.budget):
                manifest.diagnostics.extend(faults_of_chart(values))
        found, pod = [*declarations_of(document, self.budget)], pod_of(document)
        if pod is not None:
            self.pods.append((pod, document.word("metadata", "namespace")))
        for declared, sources in found:
            if declared.type == "route":
                own = self.services.get(document.word("spec", "to", "name"))
                declared = replace(declared, queue_manager=own)
            else:
                declared = self.with_services(declared, document)
            named_sources = [source for source in sources if source.name]
            namespace = document.word("metadata", "namespace")
            self.described.append(_Described(declared, named_sources, namespace))

    def describe_services(self, document: Node) -> None:
        """Add the queue managers of services, their files, and the faults of both."""
        from mqlint.language.kubernetes.faults.compose import faults_of_compose  # loaded late
        from mqlint.language.kubernetes.faults.network import network_faults

        manifest, is_of_mq = self.manifest, False
        manifest.diagnostics.extend(faults_of_compose(document))
        is_for_job = is_pipeline(document)
        services = services_of(document)
        every = [service for _, service in services]
        for name, service in services:
            manifest.unfollowed.extend(taken_from_elsewhere(service))
            declared = queue_manager_of(name, service, is_for_job=is_for_job)
            if declared is None:
                continue
            is_of_mq, own = True, declared.queue_manager
            beside = published_beside(service, every)
            if beside is not None:
                known = Field(PUBLISHED_BESIDE, beside, service.span)
                declared = replace(declared, fields=(*declared.fields, known))
            files = files_of(document, service)
            manifest.fed.extend((file, own) for file in files if own is not None)
            manifest.embedded.extend(texts_of(document, service, own))
            self.described.append(_Described(declared, [], ""))
        if is_of_mq:
            manifest.diagnostics.extend(network_faults(document))

    def distinguish(self) -> None:
        """Add the readers of ConfigMaps and Secrets.

        Queue managers of one name in several namespaces are judged as if they had none, each alone.
        """
        namespaces: dict[str, set[str]] = {}
        for declared, _, namespace in self.described:
            if declared.queue_manager is not None and namespace:
                namespaces.setdefault(declared.queue_manager, set()).add(namespace)
        for at, (own, sources, namespace) in enumerate(self.described):
            if len(namespaces.get(own.queue_manager or "", ())) > 1:
                own = replace(own, queue_manager=None, model=f"#{own.span[0]}")
                self.described[at] = _Described(own, sources, namespace)
            for source in sources:
                reader = Reader(own.queue_manager, own.model, source, namespace)
                self.readers.setdefault(source.name, []).append(reader)

    def with_services(self, declared: Declared, document: Node) -> Declared:
        """Return a queue manager with the services that lead to its pods, and a model if needed."""
        model = f"#{document.start}" if declared.queue_manager is None else declared.model
        hosts = tuple(hosts_of(document, self.leading)) if pod_of(document) is not None else ()
        if document.word("kind") == "QueueManager" and declared.name:
            hosts = tuple(host_names(document, f"{declared.name}-ibm-mq"))
        added = [Field(SERVICE_HOSTS, hosts, declared.span)] if hosts else []
        return replace(declared, model=model, fields=(*declared.fields, *added))

    def check_sources(self) -> None:
        """Compare what declarations read with the ConfigMaps and Secrets of the file."""
        holders: dict[str, list[Holder]] = {}
        for document in self.documents:
            found = [
                *generated_by(document, self.readers),
                *secret_of_controller(document, self.readers),
            ]
            if document.word("kind") in HOLDERS:
                holder = holder_of(document, self.readers)
                is_generated = (holder.kind, holder.name) in self.generated
                found.append(replace(holder, is_generated=is_generated))
            for holder in found:
                holders.setdefault(holder.name, []).append(holder)
        for pod, namespace in self.pods:
            variables = sources_of_variables(pod)
            self.manifest.diagnostics.extend(faults_of_sources(variables, namespace, holders))
        for declared, sources, namespace in self.described:
            self.manifest.diagnostics.extend(faults_of_sources(sources, namespace, holders))
            if declared.queue_manager is not None:
                self.manifest.wired.extend(
                    (entry, declared.queue_manager)
                    for source in sources
                    if source.name not in holders and source.use != "key"
                    for entry in source.entries()
                )
        every = [holder for group in holders.values() for holder in group]
        known = {fault.span for fault in self.manifest.diagnostics}
        self.manifest.diagnostics.extend(
            fault for fault in reference_faults(self.documents, every) if fault.span not in known
        )

    def read_entries(self, document: Node, known: Set[tuple[Span, ...]]) -> None:
        """Keep the documents in other languages that a document holds; `known` are kept already."""
        manifest = self.manifest
        texts = embedded_in(document, self.readers, self.budget)
        found = [text for text in texts if tuple(text.segments) not in known]
        manifest.embedded.extend(found)
        for part in ("data", "stringData") if found and document.word("kind") in HOLDERS else ():
            entries = document.child(part)
            manifest.diagnostics.extend(keys_twice(entries) if entries is not None else ())
        manifest.diagnostics.extend(folded_mqsc(document))
        manifest.unfollowed.extend(merged_entries(document, self.text))
        manifest.unfollowed.extend(undecoded_entries(document))

    def with_replication(self) -> Iterator[Declared]:
        """Yield the declarations, each with whether its replication is encrypted."""
        here = {document.word("metadata", "name") for document in self.documents}
        keyed = {
            (text.queue_manager, text.model)
            for text in self.manifest.embedded
            if "KeyRepository" in text.text
        }
        for declared, sources, _ in self.described:
            yield _replication(declared, sources, here, keyed)


def _may_join(document: Node) -> bool:
    """Whether a document may belong to others that are applied together."""
    return (
        document.word("kind") in _JOINED
        or not document.child("kind")
        or pod_of(document) is not None
        or is_kustomization(document)
        or is_patch(document)
        or is_compose(document)
    )


def _replication(
    declared: Declared,
    sources: Iterable[ConfigurationSource],
    here: set[str],
    keyed: set[tuple[str | None, str]],
) -> Declared:
    """Add that stanzas choose TLS for the replication, or may: those are in other files."""
    if declared.field("replication.tls") is not None:
        return declared
    if (declared.queue_manager, declared.model) in keyed:
        value: FieldValue = "stanza"
    elif all(source.name in here for source in sources if source.use != "key"):
        return declared
    else:
        value = UNKNOWN
    added = Field("replication.tls", value, declared.span)
    return replace(declared, fields=(*declared.fields, added))


def _resources(documents: Iterable[Node]) -> Iterator[Node]:
    """The documents, items of a List, objects of a Template, and instances of an assembly.

    Task definitions of Amazon ECS are workloads (OpenShift documentation, "Using templates";
    IntegrationAssembly of the Cloud Pak).
    """
    for document in documents:
        if document.word("kind").endswith("List") and document.get("items") is not None:
            yield from document.entries("items")
        elif document.word("kind") == "Template" and document.get("objects") is not None:
            yield from document.entries("objects")
        elif document.word("kind") == "IntegrationAssembly":
            yield from document.entries("spec", "managedInstances", "list")
        elif tasks := [*tasks_of(document)]:
            yield from tasks
        else:
            yield document
