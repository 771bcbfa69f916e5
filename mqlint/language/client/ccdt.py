"""Client channel definition tables in JSON: channels, and keys that no client knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from mqlint.finding import Diagnostic
from mqlint.language.base import Context, Parsed
from mqlint.language.declaration import Declared, Field
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.source.budget import Budget
from mqlint.vocabulary.ccdt import CCDT_DEFAULTS, CCDT_MISTAKEN, CCDT_OBJECTS
from mqlint.vocabulary.distance import nearest
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

_RECONNECT = {"QUEUEMANAGER": "QMGR"}
_UPPER = frozenset({"AFFINITY", "DEFRECON", "CHLTYPE"})


@dataclass(slots=True)
class ChannelTable:
    """What a table says: its channels, and what is wrong with its keys."""

    declared: list[Declared] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)


def parse_ccdt(text: str, budget: Budget | None = None) -> ChannelTable:
    """Read a channel table; for any text at all, without an error."""
    table = ChannelTable()
    for document in read_documents(text, budget):
        for item in document.entries("channel"):
            if item.kind == "mapping":
                table.declared.append(_channel(item))
                table.diagnostics.extend(_unknown_keys(item, "channel"))
    return table


def _channel(node: Node) -> Declared:
    """One channel, its values under the names of MQSC."""
    fields = [Field("source", "ccdt", node.span)]
    for key, keys in CCDT_OBJECTS.items():
        part = node if key == "channel" else node.child(key)
        for name, attribute in keys.items():
            value = part.child(name) if part is not None and attribute is not None else None
            if value is not None and attribute is not None and value.kind == "scalar":
                fields.append(Field(attribute, _value(value, attribute), value.span))
    fields.extend(_connections(node))
    written = {field.name for field in fields}
    fields.extend(
        Field(name, value, node.span)
        for name, value in CCDT_DEFAULTS.items()
        if name not in written
    )
    label = node.child("name")
    name = label.text if label is not None else ""
    where = label.span if label is not None else (node.start, node.start + 1)
    return Declared("client_channel", name, tuple(fields), where)


def _value(node: Node, attribute: str) -> str | Unknown:
    value = node.value
    if not isinstance(value, str) or attribute not in _UPPER:
        return value
    return _RECONNECT.get(value.upper(), value.upper())


def _connections(channel: Node) -> Iterator[Field]:
    """CONNAME, as MQSC would write the list of hosts and ports."""
    connections = channel.get("clientConnection", "connection")
    if connections is None or not connections.items:
        return
    names = []
    for item in connections.items:
        host, port = item.child("host"), item.child("port")
        values = (host.value if host else UNKNOWN, port.value if port else "1414")
        if not all(isinstance(value, str) for value in values):
            yield Field("CONNAME", UNKNOWN, connections.span)
            return
        names.append(f"{values[0]}({values[1]})")
    host = connections.items[0].child("host")
    yield Field("CONNAME", ",".join(names), host.span if host is not None else connections.span)


def _unknown_keys(node: Node, name: str) -> Iterator[Diagnostic]:
    """Keys that are a typo or a wrong word for a key of this object."""
    known = CCDT_OBJECTS.get(name)
    if known is None:
        return
    for key, span, value in node.pairs:
        if key in known:
            for inner in value.items or [value]:
                yield from _unknown_keys(inner, key)
            continue
        near = _meant(key, known)
        if near:
            yield Diagnostic("ccdt-unknown-key", *span, {"key": key[:60], "nearest": near})


def _meant(key: str, known: object) -> str:
    """The key that was meant, empty when nobody can tell."""
    words = list(known) if isinstance(known, dict) else []
    by_lower = {word.casefold(): word for word in words}
    meant = CCDT_MISTAKEN.get(key, "")
    if meant in words:
        return meant
    return by_lower.get(nearest(key.casefold(), by_lower), "") if len(key) > 3 else ""


def read(text: str, context: Context) -> Parsed:
    """Read a channel table as a document."""
    table = parse_ccdt(text, context.budget)
    return Parsed(
        declared=tuple(table.declared), diagnostics=table.diagnostics, about="client_channel"
    )
