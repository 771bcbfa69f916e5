"""Routes of IBM MQ Internet Pass-Thru (mqipt.conf): to which queue managers they lead.

Source: "IBM MQ Internet Pass-Thru configuration reference" (ipt2540_), "MQIPT route properties"
(ipt2190_) and "Compatible configurations". A property of `[global]` holds for each route that does
not set it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.language.base import Context, Parsed
from mqlint.language.client.connection import Setting, add_address, connection
from mqlint.language.client.properties import properties
from mqlint.language.declaration import Declared, FieldValue
from mqlint.patterns import later
from mqlint.vocabulary.unknown import UNKNOWN

_SECTION = later(r"^[ \t]*\[[ \t]*(?P<name>global|route)[ \t]*\]", re.MULTILINE | re.IGNORECASE)

_UNREAD = (
    *(("Active", "false"), ("HTTP", "true")),
    *(("SocksClient", "true"), ("SocksServer", "true")),
)
"""Routes that do not connect to the queue manager at their destination."""


def connections_of_routes(text: str) -> Iterator[Declared]:
    """Yield what each active route connects to, except routes to another MQIPT over HTTP.

    A route of SOCKS has no destination of its own. `listener.port` is where applications call the
    route. `route.tls` is `changed` if TLS ends or begins there, else `passed`, and `seen_as` the
    address that the queue manager sees.
    """
    sections = list(_SECTION.finditer(text))
    lines = iter((*properties(text), None))
    line = next(lines)
    general: dict[str, Setting] = {}
    for number, section in enumerate(sections):
        end = sections[number + 1].start() if number + 1 < len(sections) else len(text)
        found: dict[str, Setting] = {}
        while line is not None and line.span[0] < end:
            if line.span[0] > section.start():
                found[line.key] = line.setting
            line = next(lines)
        if section["name"].lower() == "global":
            general = found
        else:
            yield from _connection({**general, **found})


def _connection(values: dict[str, Setting]) -> Iterator[Declared]:
    for key, word in _UNREAD:
        value = values[key].value if key in values else ""
        if not isinstance(value, str) or value.lower() == word:
            return
    settings: dict[str, Setting] = {}
    add_address(settings, values, "Destination", "DestinationPort")
    if "Name" in values:
        settings["application"] = values["Name"]
    for key, name in (("ListenerPort", "listener.port"), ("LocalAddress", "seen_as")):
        if key in values:
            settings[name] = values[key]
    if "CONNAME" in settings:
        settings["route.tls"] = Setting(_tls(values), settings["CONNAME"].span)
    if "CONNAME" in settings:
        yield from connection("mqipt", settings)


def _tls(values: dict[str, Setting]) -> FieldValue:
    """`changed` if one side of a route has TLS and the other another session, or none."""
    if _is_set("SSLProxyMode", values) is True:
        return "passed"
    sides = [_is_set(key, values) for key in ("SSLServer", "SSLClient", "SSLProxyMode")]
    if True in sides[:2]:
        return "changed"
    return UNKNOWN if None in sides else "passed"


def _is_set(key: str, values: dict[str, Setting]) -> bool | None:
    value = values[key].value if key in values else "false"
    return value.strip().lower() == "true" if isinstance(value, str) else None


def read(text: str, context: Context) -> Parsed:
    """Read the routes of mqipt.conf as a document."""
    return Parsed(declared=tuple(connections_of_routes(text)))
