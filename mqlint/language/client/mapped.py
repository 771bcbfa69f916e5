"""Applications with keys of their own, in files that `clients` of mqlint.yaml maps.

A path is `$.mq.host`; `[*]` is each item of a list. If the keys of a connection are below one list,
each of its items is a connection.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Set

from mqlint.config.settings import Client
from mqlint.dataclass import NamedTuple
from mqlint.language.base import ClientContext, Parsed
from mqlint.language.client.connection import (
    Setting,
    add_address,
    connection,
    is_written_out,
    key_before,
    password_fault,
    setting_at,
)
from mqlint.language.client.properties import properties
from mqlint.language.client.signs import POLICY
from mqlint.language.declaration import Declared, NamedFile
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.vocabulary.applications import application_formats
from mqlint.vocabulary.unknown import UNKNOWN

_FORMATS = application_formats()


def _each(path: str, form: str) -> Client:
    """Return an application of a known format, with the keys of each item of a list."""
    attributes = _FORMATS[form].attributes.items()
    return Client(form, tuple((name, f"{path}.{key}") for key, name in attributes))


_SAMPLES = _each("$.MQ_ENDPOINTS[*]", "samples")
_DATADOG = _each("$.instances[*]", "datadog")
_ENDPOINTS = '"MQ_ENDPOINTS"'
_OWN = _FORMATS["own"].attributes
_PREFIX = later(r"\A(?:ibm|websphere|wmq|mq)+(?=[a-z])")
_OF_QUEUE = later(r"(?i)queues?(?:[._-]?names?)?(?:[._-][a-z]{1,40})?\Z")
_OTHER_BROKER = later(r"(?i)rabbit|active-?mq|artemis|amqp|sqs|solace|stomp|service-?bus")
"""Products with queues of their own, in a key of their connection or of a queue."""
_OTHER_QUEUES = later(r"(?i)kafka|redis|model|task|thread|remote")
_QUEUE = later(r"[A-Z][A-Z0-9]{0,20}(?:[._][A-Z0-9]{1,24}){1,8}")
_ACTIONS = ("get", "put", "open")
_USED = (*_ACTIONS, "topic")
_EACH = "[*]"
_DEEPEST = 20
"""Limit of the keys above a section."""

Sections = dict[tuple[str, ...], dict[str, Setting]]
"""Settings by attribute, by the path of keys of their section."""

ConnectionValues = Mapping[str, tuple[Setting, ...]]
"""The values of a connection, by attribute; a queue may have several."""


class Connected(NamedTuple):
    """A connection that settings describe, with its uses, and the password among them.

    Nothing is declared if they describe none.
    """

    declared: tuple[Declared, ...] = ()
    password: Setting | None = None


def connections_of_keys(
    text: str, clients: Iterable[Client], budget: Budget
) -> Iterator[Connected]:
    lines = {f"$.{key}": (setting,) for key, _, setting in properties(text)}
    documents = tuple(read_documents(text, budget))
    for client in clients:
        mapped = {name for name, _ in client.keys}
        for found in _of_tree(documents, client):
            yield _connected(found, mapped)
        if not any(document.kind == "mapping" for document in documents):
            found = {name: lines.get(path, ()) for name, path in client.keys}
            yield _connected(found, mapped)


def _of_tree(documents: Iterable[Node], client: Client) -> Iterator[ConnectionValues]:
    """The values of each connection: of each item of the list that its keys are below, if any."""
    of_connection = [path for name, path in client.keys if name not in _USED]
    base = max((path.rpartition(_EACH)[0] for path in of_connection), key=len, default="")
    base = f"{base}{_EACH}" if base else "$"
    for document in documents:
        for item in _below(document, base):
            found: dict[str, tuple[Setting, ...]] = {}
            for name, path in client.keys:
                is_inside = path.startswith(base)
                nodes = (
                    _below(item, path.removeprefix(base)) if is_inside else _below(document, path)
                )
                values = (setting_at(node) for node in nodes if node.kind == "scalar")
                found[name] = (*found.get(name, ()), *values)
            yield found


def _below(node: Node, path: str) -> list[Node]:
    found = [node]
    for step in path.removeprefix("$").replace(_EACH, f".{_EACH}").split(".")[1:]:
        if step == _EACH:
            found = [item for value in found for item in value.items]
        else:
            found = [child for value in found if (child := value.child(step)) is not None]
    return found


def _connected(found: ConnectionValues, mapped: Set[str]) -> Connected:
    """The connection of values and its uses; `mapped` are those that keys are known for.

    Without a channel, where there could be one, an address is that of another protocol.
    """
    first = {name: values[0] for name, values in found.items() if values}
    settings = {
        name: setting for name, setting in first.items() if name not in (*_USED, "host", "port")
    }
    if "channel" in settings or "channel" not in mapped:
        add_address(settings, first, "host", "port")
    declared = connection(
        "keys",
        settings,
        whole="SSLCIPH" in mapped and is_written_out(settings),
        queues=[(action, queue) for action in _ACTIONS for queue in found.get(action, ())],
        topics=[("open", topic) for topic in found.get("topic", ())],
    )
    return Connected(tuple(declared), settings.get("password"))


def own_attribute(key: str) -> str | None:
    """Return what a key of an application says, as `own` of applications.yaml has it.

    MQ_ChannelName is channelname there.
    """
    plain = "".join(filter(str.isalnum, key)).lower()
    return _OWN.get(_PREFIX.sub("", plain, count=1))


def is_of_other_broker(key: str) -> bool:
    """Return whether a key is about another product with queues: any queue beside may be its."""
    return _OTHER_BROKER.search(key) is not None


def names_queue(key: str, setting: Setting) -> bool:
    """Return whether a key of an application names a queue of MQ: by the key and by its value.

    Names in capitals with a separator are usual for MQ, not for other products.
    """
    is_of_queue = _OF_QUEUE.search(key) is not None and _OTHER_QUEUES.search(key) is None
    value = setting.value if is_of_queue else UNKNOWN
    return isinstance(value, str) and _QUEUE.fullmatch(value) is not None


def connections_of_own_keys(
    settings: Mapping[str, Setting], source: str, more: Mapping[str, Setting] | None = None
) -> Connected:
    """Return the connection of one section of settings, if it has a queue manager and a channel.

    `more` are settings by attribute that the section does not have.
    """
    found: dict[str, Setting] = {**(more or {})}
    for key, setting in settings.items():
        attribute = own_attribute(key)
        if attribute is not None:
            found.setdefault(attribute, setting)
    return connections_of_section(found, source)


def connections_of_section(found: Mapping[str, Setting], source: str) -> Connected:
    """Return the connection of a section by attribute, as `connections_of_own_keys` does."""
    if not ("QMNAME" in found and "channel" in found):
        return Connected()
    rest = ("host", "port", "queue")
    settings = {name: setting for name, setting in found.items() if name not in rest}
    add_address(settings, found, "host", "port")
    address = settings.get("CONNAME")
    if address is not None and ":" in str(address.value):  # the application takes it apart
        settings["CONNAME"] = Setting(UNKNOWN, address.span)
    queues = [("open", found["queue"])] if "queue" in found else []
    declared = connection(source, settings, queues=queues)
    return Connected(tuple(declared), settings.get("password"))


def sections_of(documents: Iterable[Node]) -> Sections:
    """Return the settings of each section by attribute; case does not count in its path."""
    found: Sections = {}
    waiting = deque[tuple[tuple[str, ...], Node]](((), document) for document in documents)
    while waiting:
        path, node = waiting.popleft()
        for key, value in node.pairs.items():
            attribute = own_attribute(key) if value.kind == "scalar" else None
            if attribute is not None:
                found.setdefault(path, {}).setdefault(attribute, setting_at(value))
            below = (*path, key.lower())
            if len(below) < _DEEPEST:
                waiting.append((below, value))
                waiting.extend(((*below, str(at)), item) for at, item in enumerate(value.items))
    return found


def _policies(text: str) -> Iterator[NamedFile]:
    """Yield the file of the policy with which an integration server connects to MQ.

    The name has that of its project ("MQEndpoint policy" of IBM App Connect Enterprise).
    """
    for policy in POLICY.finditer(text):
        yield NamedFile(f"{policy['project']}/{policy['name']}.policyxml", policy.span("whole"))


def read(text: str, context: ClientContext) -> Parsed:
    """Read a file of an application by the paths that the settings give."""
    samples = () if context.clients else (_SAMPLES if _ENDPOINTS in text else _DATADOG,)
    found = [*connections_of_keys(text, (*context.clients, *samples), context.budget)]
    is_own = not any(each.declared for each in found) and not context.clients
    if is_own:
        sections = sections_of(read_documents(text, context.budget)).values()
        found = [connections_of_section(section, "keys") for section in sections]
    passwords = [each.password for each in found if each.declared and each.password]
    faults = [
        fault for found in passwords for fault in password_fault(found, key_before(text, found))
    ]
    return Parsed(
        declared=tuple(declared for each in found for declared in each.declared),
        diagnostics=faults,
        files=tuple(_policies(text)),
        joins=is_own,
        secrets=[
            password.span
            for password in passwords
            if password.value and isinstance(password.value, str)
        ],
    )
