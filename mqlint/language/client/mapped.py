"""Applications with keys of their own, in files that `clients` of mqlint.yaml maps.

A path is `$.mq.host`; `[*]` is each item of a list. If the keys of a connection are below one list,
each of its items is a connection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mqlint.config.settings import Client
from mqlint.language.base import ClientContext, Parsed
from mqlint.language.client.connection import (
    Setting,
    add_address,
    connection,
    password_fault,
    setting_at,
    uses,
)
from mqlint.language.client.properties import properties
from mqlint.language.declaration import Declared
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.source.budget import Budget

_SAMPLES = Client(
    "env.json",
    tuple(
        (name, f"$.MQ_ENDPOINTS[*].{key}")
        for name, key in (
            *(("QMNAME", "QMGR"), ("channel", "CHANNEL"), ("host", "HOST"), ("port", "PORT")),
            *(("user", "APP_USER"), ("password", "APP_PASSWORD"), ("SSLCIPH", "CIPHER")),
            ("open", "QUEUE_NAME"),
        )
    ),
)
"""The keys of IBM's samples (README.md of ibm-messaging/mq-dev-patterns)."""
_ENDPOINTS = '"MQ_ENDPOINTS"'
_ACTIONS = ("get", "put", "open")
_EACH = "[*]"

Found = Mapping[str, tuple[Setting, ...]]
"""The values of a connection, by attribute; a queue may have several."""


def connections_of_keys(
    text: str, clients: Iterable[Client], budget: Budget
) -> Iterator[tuple[Declared, Setting | None]]:
    """Yield the connections and uses that keys describe, each connection with its password."""
    lines = {f"$.{key}": (setting,) for key, _, setting in properties(text)}
    documents = tuple(read_documents(text, budget))
    for client in clients:
        for found in _of_tree(documents, client):
            yield from _declared(found)
        if not any(document.kind == "mapping" for document in documents):
            yield from _declared({name: lines.get(path, ()) for name, path in client.keys})


def _of_tree(documents: Iterable[Node], client: Client) -> Iterator[Found]:
    """The values of each connection: of each item of the list that its keys are below, if any."""
    of_connection = [path for name, path in client.keys if name not in _ACTIONS]
    base = max((path.rpartition(_EACH)[0] for path in of_connection), key=len, default="")
    base = f"{base}{_EACH}" if base else "$"
    for document in documents:
        for item in _below(document, base):
            yield {
                name: tuple(
                    setting_at(node)
                    for node in (
                        _below(item, path.removeprefix(base))
                        if path.startswith(base)
                        else _below(document, path)
                    )
                    if node.kind == "scalar"
                )
                for name, path in client.keys
            }


def _below(node: Node, path: str) -> list[Node]:
    found = [node]
    for step in path.removeprefix("$").replace(_EACH, f".{_EACH}").split(".")[1:]:
        if step == _EACH:
            found = [item for value in found for item in value.items]
        else:
            found = [child for value in found if (child := value.child(step)) is not None]
    return found


def _declared(found: Found) -> Iterator[tuple[Declared, Setting | None]]:
    first = {name: values[0] for name, values in found.items() if values}
    settings = {
        name: setting for name, setting in first.items() if name not in (*_ACTIONS, "host", "port")
    }
    add_address(settings, first, "host", "port")
    for over in connection("keys", settings):
        yield over, settings.get("password")
        queues = [(action, queue) for action in _ACTIONS for queue in found.get(action, ())]
        yield from ((used, None) for used in uses(over, queues))


def read(text: str, context: ClientContext) -> Parsed:
    """Read a file of an application by the paths that the settings give."""
    samples = (_SAMPLES,) if not context.clients and _ENDPOINTS in text else ()
    found = [*connections_of_keys(text, (*context.clients, *samples), context.budget)]
    passwords = [password for _, password in found if password is not None]
    faults = [fault for found in passwords for fault in password_fault(found, "password")]
    return Parsed(
        declared=tuple(declared for declared, _ in found),
        diagnostics=faults,
        secrets=[password.span for password in passwords if isinstance(password.value, str)],
    )
