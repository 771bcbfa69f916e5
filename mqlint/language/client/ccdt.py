"""Client channel definition tables in JSON: channels, and what is wrong with the table."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import replace

from mqlint.config.json_reader import json_fault, read_json
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.base import ClientContext, Parsed
from mqlint.language.client.connection import Setting, connection
from mqlint.language.declaration import Declared, Field
from mqlint.language.text.templates import is_known, with_placeholders
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.masking import is_hidden
from mqlint.vocabulary.ccdt import CcdtKey, ccdt_vocabulary
from mqlint.vocabulary.distance import nearest, nearest_in_any_case
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

_RECONNECT = {"QUEUEMANAGER": "QMGR"}
_UPPER = frozenset({"AFFINITY", "DEFRECON", "CHLTYPE"})
_VARIABLE = later(r"\$\{?[A-Za-z_]|%[A-Za-z_]\w*%|__\w+__")
"""Text that a tool replaces before a client reads the table, outside of strings."""
_TRAILING = later(r",\s*$")
_REMARK = later(r"(?i)\W|_|comment|note|remark|x-")
"""The beginning of keys for remarks: "_comment", "//", "$schema"."""
_OF_CONNECTION = frozenset(
    "QMNAME CONNAME SSLCIPH SSLPEER CERTLABL DEFRECON SHARECNV HBINT".split()
)
_CLIENT = "clientConnection"
_LISTS = ("channel", "connection", "header", "message")
_CCDT = ccdt_vocabulary()
_OBJECTS = frozenset(_CCDT.objects) - {"connection"}


def parse_ccdt(text: str, budget: Budget | None = None) -> Parsed:
    """Return the channels of a table, and faults of its keys; for any text, without an error."""
    declared: list[Declared] = []
    diagnostics: list[Diagnostic] = []
    broken = _broken(text)
    if broken is not None:
        diagnostics.append(broken)
    for document in read_documents(text, budget):
        if document.child("channel") is None:
            diagnostics.extend(_unknown_keys(document, "table"))
        for item in document.taken("channel"):
            if item.kind == "mapping":
                declared.append(_channel(item))
                diagnostics.extend(_unknown_keys(item, "channel"))
                if broken is None:
                    diagnostics.extend(_faults(item, "channel", text))
                    diagnostics.extend(_missing(item))
    return Parsed(declared=tuple(declared), diagnostics=diagnostics, about="client_channel")


def _broken(text: str) -> Diagnostic | None:
    """Report text that is not JSON, unless a template may change it before a client reads it."""
    if not text.strip():
        return None
    try:
        read_json(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        at = error.pos + text.startswith("\ufeff")
        line = text[text.rfind("\n", 0, at) + 1 :].partition("\n")[0]
        if not is_known(with_placeholders(text)) or _VARIABLE.search(line) is not None:
            return None
        comma = _TRAILING.search(text, max(0, at - 1000), at)
        if comma is not None and text[at : at + 1] in ("}", "]"):
            return diagnostic("ccdt-comma", (comma.start(), comma.start() + 1))
        at = min(at, len(text.rstrip()) - 1)
        return diagnostic("ccdt-broken", (at, at + 1), fault=json_fault(error))
    except ValueError:  # a number or a nesting that only this reader limits
        return None
    return None


def _faults(node: Node, name: str, text: str) -> Iterator[Diagnostic]:
    """Values of other types, ranges and words than their keys take, and keys that come twice."""
    known, seen = _CCDT.objects.get(name, {}), set[str]()
    for key, span, value in node.pairs:
        if key not in known:
            continue
        if key in seen:
            yield diagnostic("ccdt-again", span, key=key)
        seen.add(key)
        if known[key].has_values:
            values = value.items if key in _LISTS and value.kind == "list" else (value,)
            for item in values:
                yield from _value_fault(item, known[key], text)
        elif key in _LISTS and value.kind not in ("list", "empty") and value.known:
            yield diagnostic(
                "ccdt-value", span, key=key, value=_shown(value, text), expected="a list in [ ]"
            )
        elif key in _OBJECTS and value.kind in ("scalar", "list") and value.known:
            yield diagnostic(
                "ccdt-value", span, key=key, value=_shown(value, text), expected="an object in { }"
            )
        for inner in value.items or [value]:
            yield from _faults(inner, key, text)


def _shown(value: Node, text: str) -> str:
    """A value as it is written, or the kind of a collection."""
    if value.kind == "scalar":
        return text[value.start : value.end]
    return "{ }" if value.kind == "mapping" else "[ ]"


def _value_fault(value: Node, key: CcdtKey, text: str) -> Iterator[Diagnostic]:
    if value.kind == "scalar":
        known = value.value
        if not isinstance(known, str) or is_hidden(known) or known.startswith("<"):
            return  # a text in angle brackets says what to write here
        if key.accepts(known, quoted=text[value.start : value.start + 1] == '"'):
            return
    elif value.kind == "empty" or value.open:
        return
    yield diagnostic(
        "ccdt-value", value.span, key=key.name, value=_shown(value, text), expected=key.expected
    )


def _missing(channel: Node) -> Iterator[Diagnostic]:
    """Keys that a channel must have, and an address that is only a port."""
    if channel.open:
        return
    start = channel.start, channel.start + 1
    for key in _CCDT.needed:
        if channel.child(key) is None:
            yield diagnostic("ccdt-missing", start, key=key)
    client = channel.child(_CLIENT)
    addresses = channel.get(_CLIENT, "connection")
    if addresses is None or addresses.open:
        if client is None and not any(nearest(key, (_CLIENT,)) for key in channel.pairs.names()):
            yield diagnostic("ccdt-no-address", start)
        elif client is not None and addresses is None and not _has_typo_of_list(client):
            yield diagnostic("ccdt-no-address", (client.start, client.start + 1))
    elif addresses.kind == "list":
        if not addresses.items:
            yield diagnostic("ccdt-no-address", addresses.span)
        for address in addresses.items:
            if address.kind != "mapping" or address.open:
                continue
            if not any(key == "host" or _meant(key, ("host",)) for key in address.pairs.names()):
                yield diagnostic("ccdt-no-address", address.span)


def _has_typo_of_list(client: Node) -> bool:
    """Whether the list of addresses may be there under another name, or a template writes it."""
    return (
        client.kind != "mapping"
        or client.open
        or any(value.kind == "list" for value in client.pairs.values())
    )


def _channel(node: Node) -> Declared:
    """One channel, its values under the names of MQSC."""
    fields = [Field("source", "ccdt", node.span)]
    for key, keys in _CCDT.objects.items():
        part = node if key == "channel" else node.child(key)
        for name, known in keys.items():
            value = part.child(name) if part is not None and known.attribute else None
            if value is not None and value.kind == "scalar":
                fields.append(Field(known.attribute, _value(value, known.attribute), value.span))
    fields.extend(_connections(node))
    written = {field.name for field in fields}
    fields.extend(
        Field(name, value, node.span)
        for name, value in _CCDT.defaults.items()
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
    known = _CCDT.objects.get(name)
    if known is None:
        return
    listed = ", ".join(known)
    for key, span, value in node.pairs:
        if key in known:
            for inner in value.items or [value]:
                yield from _unknown_keys(inner, key)
            continue
        near = _meant(key, known)
        if near:
            yield diagnostic("ccdt-unknown-key", span, key=key, nearest=near)
        elif name != "table" and _REMARK.match(key) is None and not is_hidden(key):
            yield diagnostic("ccdt-other-key", span, key=key, object=name, keys=listed)


def _meant(key: str, known: Collection[str]) -> str:
    """The key that is meant, empty if it is not clear."""
    meant = _CCDT.mistaken.get(key, "")
    if meant in known:
        return meant
    return nearest_in_any_case(key, known) if len(key) > 3 else ""


def read(text: str, context: ClientContext) -> Parsed:
    table = parse_ccdt(text, context.budget)
    return replace(table, declared=(*table.declared, *connections_of(table)))


def connections_of(table: Parsed) -> Iterator[Declared]:
    """Yield the connections that a table offers to applications, one a channel."""
    for channel in table.declared:
        values = {
            field.name: Setting(field.value, field.span)
            for field in channel.fields
            if field.name in _OF_CONNECTION
        }
        settings = {"channel": Setting(channel.name, channel.span), **values}
        own = {field: field for field in channel.fields}  # both have most fields: kept once
        for found in connection("ccdt", settings):
            yield replace(found, fields=tuple(own.get(field, field) for field in found.fields))
