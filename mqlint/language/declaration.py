"""Declarations of files other than MQSC: data sets, system parameters, page sets, connections."""

from __future__ import annotations

from mqlint.dataclass import frozen
from mqlint.source.lines import Span
from mqlint.vocabulary.unknown import Unknown

FieldValue = str | tuple[str, ...] | Unknown

CONNECTION = "connection"
"""The type of a declaration that describes how an application connects."""
USE = "use"
"""The type of a declaration that names a queue which an application opens."""
TOPIC_USE = "topic_use"
"""The type of a declaration that names a topic string on which an application works."""
ENTRIES = "mqsc.entries"
"""The field of a manifest that says how many texts of MQSC make the objects, if it shows all."""
SERVICE_HOSTS = "service.hosts"
"""The field of a manifest with the names of the services that lead to its queue manager."""
PUBLISHED = "published.ports"
"""The field of a service of Compose with the ports of the host that lead to its listener."""
PUBLISHED_BESIDE = "published.beside"
"""The field of a service of Compose with the ports of the host that other services publish."""
LOOPBACK = ("localhost", "127.0.0.1")
"""Hosts that are the application's own, so not a name of one queue manager."""
HANDLED = "handled_queue"
"""The type of a declaration that names a queue of the dead-letter queue handler."""
AGENT = "agent"
"""The type of a declaration that names an agent of Managed File Transfer and its queue manager."""
CLIENT_TYPES = (CONNECTION, USE, TOPIC_USE, HANDLED, AGENT)
"""The types of declarations that belong to the queue manager to which an application connects."""


@frozen
class Field:
    """A value of a declaration and its place; UNKNOWN if a symbol or template decides the value."""

    name: str
    value: FieldValue
    span: Span


@frozen
class NamedFile:
    """A file that a document names by its path from the folder of the document.

    Without `is_certain` a script or a build may run in another folder, or make the file.
    """

    name: str
    span: Span
    is_certain: bool = False


@frozen
class Declared:
    """One declaration, whatever language it is written in; the model makes a fact of it.

    `type` is the type of that fact, `name` its name (`Templated` if it is not known).
    `queue_manager` is None if the document does not name it; `model` then identifies the texts for
    the same queue manager (see `Embedded`). `open` is true if other files may add fields, so that a
    missing field is unknown.
    """

    type: str
    name: str
    fields: tuple[Field, ...]
    span: Span
    queue_manager: str | None = None
    open: bool = False
    model: str = ""

    def field(self, name: str) -> Field | None:
        return next((field for field in self.fields if field.name == name), None)

    def value(self, name: str) -> FieldValue | None:
        field = self.field(name)
        return None if field is None else field.value


def service_hosts(declared: Declared) -> tuple[str, ...]:
    """Return the names under which other containers reach the queue manager of a manifest.

    The service of a QueueManager is called `NAME-ibm-mq`, that of Compose as in its file. Services
    of Kubernetes have any name.
    """
    kind = declared.value("kind") if declared.type == "manifest" else None
    hosts = declared.value(SERVICE_HOSTS) if kind is not None else None
    if isinstance(hosts, tuple):
        return tuple(host.lower() for host in hosts)
    if kind is None or not declared.name:
        return ()
    return {
        "Compose": (declared.name.lower(),),
        "QueueManager": (f"{declared.name}-ibm-mq".lower(),),
    }.get(str(kind), ())
