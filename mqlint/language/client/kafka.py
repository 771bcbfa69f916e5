"""Connectors of Kafka Connect that read from a queue or write to one.

They are properties, JSON for the REST interface, or resources of Strimzi, with the keys of the
connectors of IBM, or of Confluent. Keys of other connectors are similar, so they are not judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.base import ClientContext, Parsed
from mqlint.language.client.connection import (
    Setting,
    add_address,
    by_attribute,
    connection,
    password_fault,
    setting_at,
    setting_fault,
    setting_faults,
    setting_of,
    topic_uri,
    unused_address,
)
from mqlint.language.client.properties import properties
from mqlint.language.declaration import Declared
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.number import whole_number
from mqlint.patterns import later
from mqlint.vocabulary.applications import application_formats
from mqlint.vocabulary.container import MQ_PORT

_CONNECTOR = application_formats()["kafka"]
_OF_IBM = "com.ibm."
_PACKAGES = "com.ibm.eventstreams.connect."
_BUILDERS = {
    "mq.record.builder": f"{_PACKAGES}mqsource",
    "mq.message.builder": f"{_PACKAGES}mqsink",
}
"""Keys for a class, with the package of the connector that reads the key (its README.md)."""
_CONFLUENT = application_formats()["confluent"]
_OF_CONFLUENT = frozenset({"mq.hostname", "mq.transport.type", "mq.connection.list"})
_MANAGER = "mq.queue.manager"
_LINE = later(r"[^\n]+")
_PAIR = later(r"\"(?P<key>[\w.-]{1,80})\"[ \t]*:[ \t]*\"?(?P<value>[^\"\n,]*)")
_BRACES = ("{", "}")
_OF_SHELL = frozenset("'$`")
"""Signs of a value that the shell puts in."""
_TEMPLATE = "{{"
"""With it a file may be one of a chart, whose values are elsewhere."""
_ACTIONS = {
    **dict.fromkeys(("MQSourceConnector", "IbmMQSourceConnector"), "get"),
    **dict.fromkeys(("MQSinkConnector", "IbmMqSinkConnector"), "put"),
}

_TOPICS = {"MQSourceConnector": ("topic",), "MQSinkConnector": ("topics", "topics.regex")}

Values = Mapping[str, Setting]


def read_properties(text: str, context: ClientContext) -> Parsed:
    values = {key: setting for key, _, setting in properties(text)}
    return Parsed(declared=tuple(_declared(values)), diagnostics=[*_faults(values)])


def read_tree(text: str, context: ClientContext) -> Parsed:
    """Read connectors in JSON, or resources of Strimzi, as a document."""
    faults: list[Diagnostic] = []
    found = [*_of_tree(read_documents(text, context.budget, faults))]
    declared = tuple(declared for values in found for declared in _declared(values))
    faults.extend(fault for values in found for fault in _faults(values))
    return Parsed(declared=declared, diagnostics=faults, joins=_TEMPLATE in text)


def connectors_of(documents: Iterable[Node]) -> Iterator[Declared]:
    """Yield the connections of connectors, and their queues."""
    for values in _of_tree(documents):
        yield from _declared(values)


def connectors_of_script(text: str) -> Iterator[Declared]:
    """Yield the connectors in JSON that a script sends, in quotes or in a here-document.

    The lines with keys that follow one another are one connector.
    """
    values: dict[str, Setting] = {}
    for line in _LINE.finditer(text):
        pairs = tuple(_PAIR.finditer(text, *line.span()))
        for pair in pairs:
            is_plain = not _OF_SHELL.intersection(pair["value"])
            values[pair["key"]] = setting_of(pair["value"], pair.span("value"), is_plain=is_plain)
        if not pairs and line[0].strip()[:1] not in _BRACES:
            yield from _of_lines(values)
            values = {}
    yield from _of_lines(values)


def _of_lines(values: Values) -> Iterator[Declared]:
    return iter(()) if _MANAGER not in values else _declared(values)


def _of_tree(documents: Iterable[Node]) -> Iterator[Values]:
    """The values of each connector: those beside `mq.queue.manager`, with its name and class."""
    for document in documents:
        for holder, node in _with_parents(document):
            if any(key in _CONNECTOR.attributes and key != "name" for key in node.pairs.names()):
                found = {
                    key: setting_at(value)
                    for key, value in node.pairs.items()
                    if value.kind in ("scalar", "empty")
                }
                outer = (
                    *(("connector.class", ("class",)), ("name", ("name",))),
                    ("tasks.max", ("tasksMax",)),
                )
                for key, path in outer:
                    value = holder.get(*path) if holder is not None else None
                    if key not in found and value is not None and value.kind == "scalar":
                        found[key] = setting_of(value.text, value.span, is_plain=True)
                yield found


def _with_parents(document: Node) -> Iterator[tuple[Node | None, Node]]:
    """Each value below a document, with the mapping that holds it."""
    waiting: list[tuple[Node | None, Node]] = [(None, document)]
    while waiting:
        holder, node = waiting.pop()
        yield holder, node
        waiting.extend((node, item) for item in reversed(node.items))
        waiting.extend((node, value) for value in reversed(node.pairs.values()))


def _declared(values: Values) -> Iterator[Declared]:
    is_confluent = not _OF_CONFLUENT.isdisjoint(values)
    settings = _of_confluent(values) if is_confluent else _of_ibm(values)
    queue = values.get("jms.destination.name" if is_confluent else "mq.queue")
    if "jms.destination.type" in values and values["jms.destination.type"].value != "queue":
        queue = topic_uri(queue) if values["jms.destination.type"].value == "topic" else None
    state, kind = values.get("mq.exactly.once.state.queue"), values.get("connector.class")
    written = kind.text.rpartition(".")[2] if kind is not None else ""
    action = _ACTIONS.get(written, "open")
    found = ((action, queue), ("get", state))
    queues = [(action, name) for action, name in found if name is not None]
    yield from connection("kafka", settings, whole=True, queues=queues)


def _of_ibm(values: Values) -> dict[str, Setting]:
    """The settings of a connector of IBM; only the queue manager if it connects locally."""
    settings = by_attribute(values, _CONNECTOR.attributes)
    return _of_mode(values.get("mq.connection.mode"), settings)


def _of_mode(mode: Setting | None, settings: dict[str, Setting]) -> dict[str, Setting]:
    """The settings that count in this mode: a local connection uses no channel."""
    if mode is None or mode.value in ("client", ""):
        return settings
    is_local = mode.value == "bindings"
    return {name: value for name, value in settings.items() if is_local and name == "QMNAME"}


def _of_confluent(values: Values) -> dict[str, Setting]:
    listed = values.get("mq.connection.list")
    settings = by_attribute(values, _CONFLUENT.attributes)
    if listed is not None and isinstance(listed.value, str):
        hosts_and_ports = (host.strip().partition(":") for host in listed.text.split(","))
        hosts = ",".join(f"{host}({port or MQ_PORT})" for host, _, port in hosts_and_ports if host)
        settings["CONNAME"] = Setting(hosts, listed.span)
    add_address(settings, values, "mq.hostname", "mq.port")
    return _of_mode(values.get("mq.transport.type"), settings)


def _faults(values: Values) -> Iterator[Diagnostic]:
    yield from password_fault(values.get("mq.password"), "mq.password")
    kind = values.get("connector.class")
    is_other = kind is not None and not str(kind.value).startswith(_OF_IBM)
    if not is_other and _OF_CONFLUENT.isdisjoint(values):
        own = {key: setting for key, setting in values.items() if key.startswith("mq.")}
        yield from setting_faults(own, _CONNECTOR)
        addresses = ("mq.connection.name.list", "mq.ccdt.url")
        yield from unused_address(own, "mq.connection.mode", addresses)
        yield from _without_topic(values)
        yield from _exactly_once_faults(values)
        for key, package in _BUILDERS.items():
            builder = values.get(key)
            if builder is None or not str(builder.value).startswith(_PACKAGES):
                continue
            if package not in str(builder.value):
                other = f"names a class of the other connector, not of {package}"
                yield setting_fault(key, builder, other)


def _without_topic(values: Values) -> Iterator[Diagnostic]:
    """Yield the class of a connector that is whole and names no topic of Kafka.

    ("Configuration" in its README.md; `topics.regex` of Kafka Connect chooses them by a pattern.)
    """
    kind = values.get("connector.class")
    keys = _TOPICS.get(kind.text.rpartition(".")[2], ()) if kind is not None else ()
    is_whole = _MANAGER in values and "value.converter" in values
    if kind is not None and keys and is_whole and not any(key in values for key in keys):
        yield setting_fault(keys[0], kind, "is missing, and the connector needs it")


def _exactly_once_faults(values: Values) -> Iterator[Diagnostic]:
    """What makes exactly-once delivery impossible: more tasks than one, several queue managers.

    The state queue is at the queue manager of the other queue ("Exactly-once support" in the
    documentation of IBM Event Streams).
    """
    state = values.get("mq.exactly.once.state.queue")
    if state is None or state.value == "":
        return
    tasks = values.get("tasks.max")
    number = whole_number(tasks.value) if tasks is not None else None
    if tasks is not None and number is not None and number > 1:
        yield diagnostic("exactly-once", tasks.span, fault=f"runs up to {number} tasks")
    name = values.get("mq.queue.manager")
    if name is not None and name.text.startswith("*"):
        fault = f"connects to any queue manager of the group {name.text[1:49]}"
        yield diagnostic("exactly-once", name.span, fault=fault)
