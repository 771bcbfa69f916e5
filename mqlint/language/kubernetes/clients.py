"""Applications in resources of Kubernetes and in Compose files that connect to queue managers.

Their variables are in a container, a service, a ConfigMap or values of a chart. A ConfigMap may
also hold files of Spring Boot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import cast

from mqlint.dataclass import NamedTuple
from mqlint.finding import Diagnostic
from mqlint.language.base import ClientContext, Parsed
from mqlint.language.client import CCDT
from mqlint.language.client.connection import (
    Setting,
    Settings,
    add_address,
    by_attribute,
    connection,
    has_hidden_password,
    setting_at,
    setting_fault,
    setting_faults,
    topic_uri,
    uses,
)
from mqlint.language.client.environment import arguments_in, connections_of_variables
from mqlint.language.client.kafka import connectors_of
from mqlint.language.client.settings import declared_by_files
from mqlint.language.client.signs import is_channel_table, profile_of
from mqlint.language.client.spring import Container, pages_of
from mqlint.language.declaration import Declared, Field, FieldValue
from mqlint.language.embedding import declared_in, reported_in, span_in
from mqlint.language.kubernetes.compose.services import environment_of_service, services_of
from mqlint.language.kubernetes.container import is_of_mq
from mqlint.language.kubernetes.environment import Variable, environment_of, variables_in
from mqlint.language.kubernetes.pod import pod_entries, pod_of
from mqlint.language.registry import LANGUAGES, reader_of
from mqlint.language.yaml.embedded_mqsc import decoded
from mqlint.language.yaml.tree import Keys, Node
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.masking import is_hidden
from mqlint.vocabulary.applications import application_formats
from mqlint.vocabulary.unknown import UNKNOWN

_IN_ENTRIES = (
    "client-properties web-server client-yaml connector-properties connector client-xml"
    " transfer-properties transfer-json routes exporter client-keys"
).split()
"""The languages of files that an entry may hold, in the order of their ranks."""
_ENDINGS = ("yaml", "properties", "xml", "conf", "json")
Holder = tuple[str, str]
"""The kind and the name of a resource that gives variables to containers."""
Entries = Mapping[Holder, Mapping[str, Variable]]
_PARTS = {"ConfigMap": ("data",), "Secret": ("data", "stringData")}
_REFERENCES = (("configMapKeyRef", "ConfigMap"), ("secretKeyRef", "Secret"))
MOST_CONTAINERS = 8
"""Limit of the containers that are compared with the settings of one application."""
_KAMELET = application_formats()["kamelet"]
_SCALER = application_formats()["keda"]
_QUEUES = {"queueName", "queueNames"}
"""The keys of a trigger of KEDA for queues, of which one is required."""
_KAMELETS = {"jms-ibm-mq-source": "get", "jms-ibm-mq-sink": "put"}
_OF_REST = later(r"/action/qmgr/([A-Za-z0-9._%-]{1,48})(?:/|\Z)")
"""The queue manager in an address of the administrative REST API."""


def clients_of(document: Node, entries: Entries, budget: Budget) -> Iterator[Declared]:
    """Yield the connections that one document of a manifest or a Compose file describes.

    `entries` are those of ConfigMaps and Secrets, which its containers may have.
    """
    services = services_of(document)
    managers = _managers(services)
    for _, service in services:
        instances = _instances(service.get("deploy", "replicas"))
        found = connections_of_service(service, instances)
        yield from (_called(declared, managers) for declared in found)
    pod, kind = pod_of(document), document.child("kind")
    if not services and kind is None:
        for node in document.walk():
            yield from connections_of_environment(_set_in(node))
    elif pod is None and (kind is not None or document.child("jobs") is not None):
        for node in document.walk():  # steps of tasks, of jobs
            yield from connections_of_environment(_environment(node.child("env")))
    for container in pod_entries(document, "containers"):
        instances = _instances(document.get("spec", "replicas"))
        variables = dict(_settings(_environment_of(container, entries, budget)))
        yield from _connections(variables, container, ("command", "args"), instances)
    own = _data_of(document)
    if own is not None:
        yield from connections_of_environment(dict(_given_by(own)))
    if document.word("kind") == "KafkaConnector":
        yield from connectors_of([document])
    for trigger in document.entries("spec", "triggers"):
        yield from _scaled_by(trigger)
    ends = (document.get("spec", "source"), document.get("spec", "sink"))
    for step in (*ends, *document.entries("spec", "steps")):
        if step is not None:
            yield from _of_kamelet(step)


def _scaled_by(trigger: Node) -> Iterator[Declared]:
    """Yield the queues whose depth a trigger of KEDA asks of the REST API of a queue manager.

    The path of its host names the queue manager ("IBM MQ" in the documentation of KEDA).
    """
    host, queues = trigger.get("metadata", "host"), trigger.get("metadata", "queueNames")
    queues = queues or trigger.get("metadata", "queueName")
    found = _OF_REST.search(host.text) if host is not None else None
    if trigger.word("type") != "ibmmq" or host is None or queues is None or found is None:
        return
    names = queues.value if isinstance(queues.value, str) else ""
    settings = {"QMNAME": Setting(found[1], host.span)}
    for over in connection("keda", settings):
        yield from uses(over, [("open", Setting(name, queues.span)) for name in names.split(",")])


def scaler_faults(document: Node) -> Iterator[Diagnostic]:
    """Yield what is wrong in triggers of KEDA that ask for the depth of a queue."""
    for trigger in document.entries("spec", "triggers"):
        own = trigger.child("metadata")
        if trigger.word("type") != "ibmmq" or own is None or own.kind != "mapping":
            continue
        settings = {key: setting_at(value) for key, value in own.pairs.items()}
        faults = [*setting_faults(settings, _SCALER)]
        yield from faults
        if not (faults or own.open or trigger.open or _QUEUES & settings.keys()):
            fault = "names no queue, and KEDA needs queueName"
            yield setting_fault("the ibmmq trigger", Setting("", trigger.key_span("type")), fault)


def _of_kamelet(step: Node) -> Iterator[Declared]:
    """Yield the connection of a step of a Pipe of Camel that is a Kamelet of MQ, and its queue."""
    action = _KAMELETS.get(step.word("ref", "name"))
    if action is None:
        return
    values = {
        key: setting_at(value)
        for key, value in step.members("properties").items()
        if value.kind in ("scalar", "empty")
    }
    settings = by_attribute(values, _KAMELET.attributes)
    add_address(settings, values, "serverName", "serverPort")
    queue, kind = values.get("destinationName"), values.get("destinationType")
    if kind is not None and kind.value != "queue":
        queue = topic_uri(queue) if kind.value == "topic" else None
    queues = [(action, queue)] if queue is not None else []
    yield from connection("kamelet", settings, whole=True, queues=queues)


def _managers(services: Iterable[tuple[str, Node]]) -> dict[str, str]:
    """The queue managers that services of Compose run, by the names of the services."""
    found: dict[str, str] = {}
    for name, service in services:
        variable = environment_of_service(service).get("MQ_QMGR_NAME")
        if variable is not None and isinstance(variable.value, str) and variable.value:
            names = (name, service.word("container_name"), service.word("hostname"))
            found.update(dict.fromkeys(filter(None, names), variable.value))
    return found


def _called(declared: Declared, managers: Mapping[str, str]) -> Declared:
    """Return a connection that names no queue manager with the one that its hosts run."""
    hosts = declared.field("CONNAME")
    if not managers or hosts is None or not isinstance(hosts.value, str):
        return declared
    if declared.field("QMNAME") is not None or declared.field("ccdt") is not None:
        return declared
    called = {managers.get(host.partition("(")[0].strip()) for host in hosts.value.split(",")}
    name = called.pop() if len(called) == 1 else None
    if name is None:
        return declared
    return replace(declared, fields=(*declared.fields, Field("QMNAME", name, hosts.span)))


def _environment(node: Node | None) -> dict[str, Variable]:
    """The variables of a step, as a mapping or a list; those of a queue manager are none."""
    found = {} if node is None else _set_in(node)
    return {} if is_of_mq(found) else found


def _set_in(node: Node) -> dict[str, Variable]:
    """The variables that values of a chart give to a container: keys of a mapping, or a list."""
    if node.kind == "list":
        return environment_of(node)
    return dict(variables_in(node))


def _instances(replicas: Node | None) -> dict[str, Setting]:
    """In how many processes an application runs, if a number is written."""
    if replicas is None or replicas.kind != "scalar":
        return {}
    return {"instances": Setting(replicas.value, replicas.span)}


def containers_of(documents: Sequence[Node]) -> Iterator[Container]:
    """Yield the containers of applications whose variables are all here."""
    entries = entries_of(documents)
    for document in documents:
        for _, service in services_of(document):
            if service.child("env_file") is None:
                more = _instances(service.get("deploy", "replicas"))
                yield from _container(environment_of_service(service), more)
        yield from _of_pod(document, entries)


def containers_by_map(documents: Sequence[Node], budget: Budget) -> dict[str, list[Container]]:
    """Return the containers of pods with a volume of a ConfigMap, by its name: a limited number."""
    entries, found = entries_of(documents), dict[str, list[Container]]()
    maps = {name for kind, name in entries if kind == "ConfigMap"}
    for document in documents:
        volumes = pod_entries(document, "volumes")
        names = {volume.word("configMap", "name") for volume in volumes} & maps
        own = [*islice(_of_pod(document, entries, budget), MOST_CONTAINERS)] if names else []
        for name in names:
            known = found.setdefault(name, [])
            known.extend(own[: MOST_CONTAINERS - len(known)])
    return found


def _of_pod(document: Node, entries: Entries, budget: Budget | None = None) -> Iterator[Container]:
    """Yield the containers of a workload, with the variables that `entries` give them."""
    for container in pod_entries(document, "containers"):
        if all(_named_by(source) in entries for source in container.entries("envFrom")):
            environment = _environment_of(container, entries, budget)
            yield from _container(environment, _instances(document.get("spec", "replicas")))


def _environment_of(
    container: Node, entries: Entries, budget: Budget | None
) -> dict[str, Variable]:
    """The variables of a container: those of whole ConfigMaps and Secrets, and its own."""
    found: dict[str, Variable] = {}
    for source in container.entries("envFrom"):
        given, prefix = entries.get(_named_by(source), {}), source.word("prefix")
        if budget is None or budget.spend(0, len(given)):
            found |= {f"{prefix}{name}": variable for name, variable in given.items()}
    own = environment_of(container.child("env"))
    names = Counter(item.word("name") for item in container.entries("env"))
    for item in container.entries("env"):
        name = item.word("name")
        variable = _referred(item.child("valueFrom"), entries)
        if variable is not None and names[name] == 1:
            own[name] = variable
    return found | own


def connections_beside(
    documents: Sequence[Node], others: Iterable[Node], budget: Budget
) -> Iterator[Declared]:
    """Yield the connections of workloads that have all variables with `others` only."""
    alone = entries_of(documents)
    entries = {**entries_of(others), **alone}
    for document in documents:
        instances = _instances(document.get("spec", "replicas"))
        for container in pod_entries(document, "containers"):
            environment = _environment_of(container, entries, budget)
            if environment != _environment_of(container, alone, budget):
                yield from connections_of_environment(environment, instances)


def _referred(source: Node | None, entries: Entries) -> Variable | None:
    """The entry of a ConfigMap or a Secret that a variable has, at its place there."""
    for key, kind in _REFERENCES:
        entry = source.child(key) if source is not None else None
        if entry is not None:
            return entries.get((kind, entry.word("name")), {}).get(entry.word("key"))
    return None


def _named_by(source: Node) -> Holder:
    secret = source.word("secretRef", "name")
    return ("Secret", secret) if secret else ("ConfigMap", source.word("configMapRef", "name"))


def _given_by(data: Node) -> Iterator[tuple[str, Variable]]:
    """Yield the variables of a ConfigMap or a Secret; most values of a Secret are masked."""
    for name, variable in variables_in(data):
        is_masked = is_hidden(variable.text)
        yield name, replace(variable, value=UNKNOWN, text="") if is_masked else variable


def holders_named_by(document: Node) -> Iterator[Holder]:
    """Yield the ConfigMaps and Secrets of which containers of a workload have variables."""
    for container in pod_entries(document, "containers"):
        yield from map(_named_by, container.entries("envFrom"))
        for item in container.entries("env"):
            for key, kind in _REFERENCES:
                name = item.get("valueFrom", key)
                if name is not None:
                    yield kind, name.word("name")


def maps_of(documents: Iterable[Node]) -> Iterator[tuple[str, Node]]:
    """Yield the name and the data of each ConfigMap that is all here."""
    return ((name, data) for (kind, name), data in holders_of(documents) if kind == "ConfigMap")


def entries_of(documents: Iterable[Node]) -> Entries:
    """Return the entries of ConfigMaps and Secrets by name, as variables of a container."""
    return {holder: dict(_given_by(data)) for holder, data in holders_of(documents)}


def holders_of(documents: Iterable[Node]) -> Iterator[tuple[Holder, Node]]:
    """Yield each ConfigMap that is all here, and each Secret with values of one form.

    Those of one name in several namespaces or branches of a template are left out.
    """
    found = [
        ((document.word("kind"), document.word("metadata", "name")), data)
        for document in documents
        if (data := _data_of(document)) is not None
    ]
    names = Counter(holder for holder, _ in found)
    for holder, data in found:
        if holder[1] and names[holder] == 1 and not data.open:
            yield holder, data


def _data_of(document: Node) -> Node | None:
    """The entries of a ConfigMap or a Secret, in plain text; None if they have two forms."""
    kind = document.word("kind")
    parts = [part for key in _PARTS.get(kind, ()) if (part := document.child(key)) is not None]
    if len(parts) != 1 or parts[0].kind != "mapping":
        return None
    is_encoded = kind == "Secret" and document.child("data") is not None
    return _plain(parts[0]) if is_encoded else parts[0]


def _plain(data: Node) -> Node:
    """The entries of a Secret without base64, each at its place; unknown if it is masked."""
    pairs = Keys()
    for key, span, value in data.pairs:
        text = decoded(value)
        entry = Node(value.start, value.end, "scalar", known=text is not None, text=text)
        pairs.append(key, span, entry)
    return Node(data.start, data.end, "mapping", open=data.open, pairs=pairs)


def _container(
    environment: dict[str, Variable], more: Mapping[str, Setting]
) -> Iterator[Container]:
    if environment and not is_of_mq(environment):
        yield Container(dict(_settings(environment)), more)


def _settings(environment: Mapping[str, Variable]) -> Iterator[tuple[str, Setting]]:
    for name, variable in environment.items():
        yield name, Setting(_value_or_secret(variable), variable.value_span)


def connections_of_environment(
    environment: dict[str, Variable], more: Mapping[str, Setting] = MappingProxyType({})
) -> Iterator[Declared]:
    """Yield the connections that the variables of a container describe, with `more` settings."""
    yield from connections_of_variables(_settings(environment), more)


def connections_of_service(
    service: Node, more: Mapping[str, Setting] = MappingProxyType({})
) -> Iterator[Declared]:
    """Yield the connections that a service of Compose describes, by variables or arguments."""
    variables = dict(_settings(environment_of_service(service)))
    yield from _connections(variables, service, ("command", "entrypoint"), more)


def _connections(
    variables: Mapping[str, Setting], container: Node, keys: Iterable[str], more: Settings
) -> Iterator[Declared]:
    """Yield the connections of variables, and of arguments, which take precedence."""
    arguments = [*_arguments(container, keys)]
    names = {name for name, _ in arguments if name}
    others = [found for found in variables.items() if found[0] not in names]
    yield from connections_of_variables([*others, *arguments], more)


def _arguments(container: Node, keys: Iterable[str]) -> Iterator[tuple[str, Setting]]:
    """Yield the words of a command, or the arguments in a word as variables at their places."""
    for key in keys:
        for word in container.entries_or_value(key):
            text = word.mapped if word.kind == "scalar" else None
            found = [*arguments_in(text)] if text is not None else []
            yield from found or [("", setting_at(word))]


def _value_or_secret(variable: Variable) -> FieldValue:
    """The value, or a secret as it is, so that it is known to be there."""
    is_secret = is_hidden(variable.text) or has_hidden_password(variable.text)
    return variable.text if is_secret else variable.value


def held_in(
    document: Node, mounted: Mapping[str, Sequence[Container]], text: str, budget: Budget
) -> Iterator[Parsed]:
    """Yield what files of applications say that a ConfigMap holds, at its places in `text`.

    Containers in which it is `mounted` may change settings of Spring Boot.
    """
    containers = mounted.get(document.word("metadata", "name"), ())
    if document.word("kind") != "ConfigMap":
        return
    for key, value in document.members("data").items():
        inner = value.mapped
        found = None if inner is None else _read_held(key, inner.text, budget)
        if inner is None or found is None:
            continue
        declared = tuple(declared_in(declared, inner) for declared in found.declared)
        profile = profile_of(key)
        if containers and profile is not None:
            pages = [
                page.placed(partial(span_in, outer=inner)) for page in pages_of(key, inner.text)
            ]
            declared = declared_by_files([(profile, pages)], containers, text)
        faults = [reported_in(fault, inner) for fault in found.diagnostics]
        yield Parsed(declared=declared, diagnostics=faults)


class _Context(NamedTuple):
    budget: Budget
    clients: tuple[()] = ()
    path: str = ""


def _read_held(name: str, text: str, budget: Budget) -> Parsed | None:
    """Return what a file of an application says; None if it is not one.

    A channel table may have any name, and a name without an ending says nothing of the language.
    """
    names = [name] if "." in name else [f"{name}.{ending}" for ending in _ENDINGS]
    fits = (
        language
        for each in names
        for language in _IN_ENTRIES
        if LANGUAGES[language].accepts(each, text)
    )
    language = CCDT.name if is_channel_table(text) else next(fits, None)
    if language is None:
        return None
    # What reads files of applications needs no more of a context than this.
    reader = cast("Callable[[str, ClientContext], Parsed]", reader_of(language))
    return reader(text, _Context(budget))
