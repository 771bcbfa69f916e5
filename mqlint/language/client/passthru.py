"""Routes of IBM MQ Internet Pass-Thru (mqipt.conf): to which queue managers they lead.

Source: "IBM MQ Internet Pass-Thru configuration reference" (ipt2540_), "MQIPT route properties"
(ipt2190_) and "Compatible configurations". A property of `[global]` holds for each route that does
not set it.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.dataclass import NamedTuple
from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.base import ClientContext, Parsed
from mqlint.language.client.connection import (
    Setting,
    add_address,
    connection,
    is_port,
    password_fault,
)
from mqlint.language.client.properties import Property, properties
from mqlint.language.declaration import LOOPBACK, Declared, FieldValue
from mqlint.number import is_digits
from mqlint.patterns import headed, later
from mqlint.source.lines import Span
from mqlint.vocabulary.applications import application_formats
from mqlint.vocabulary.distance import extended, nearest
from mqlint.vocabulary.unknown import UNKNOWN

_SECTION = later(r"(?im)^[ \t]*\[[ \t]*(?P<name>global|route)[ \t]*\]")

_UNREAD = (
    *(("Active", "false"), ("HTTP", "true")),
    *(("SocksClient", "true"), ("SocksServer", "true")),
)
"""Routes that do not connect to the queue manager at their destination."""
_REQUIRED = ("ListenerPort", "Destination", "DestinationPort")
_MQIPT = application_formats()["mqipt"]
_SWITCHES = _MQIPT.switches
_KNOWN = frozenset((*_SWITCHES, *_MQIPT.keys))
"""Properties. What is not listed and not near one is not reported."""
_SPELLING = {key.lower(): key for key in _KNOWN}
"""Properties by name in lower case: IBM's pages write some in two ways (SSLClientCAKeyring)."""
_PASSWORD = later(r"AccessPW|LDAPServer[12]Password")
"""Passwords. Those of key rings may be names of files, so they are not judged."""
_DISTINCT = later(r"SSL(?:Server|Client)(?:Site)?DN_|LDAPServer[12]|.*\d")
"""Names that are near one another, and valid in more forms than are listed."""
_WEAK = later(r"[A-Z0-9_]{0,60}_(?:RC[24]|3?DES\d{0,2}|NULL|anon|EXPORT\d{0,4})_\w{1,60}")
"""A CipherSuite with a broken cipher, without one, or without a certificate of the server.

("Deprecated CipherSpecs", q014265_.)
"""


class _Section(NamedTuple):
    """A section of the file: whether it is a route, where its header is, its properties by key."""

    is_route: bool
    span: Span
    properties: dict[str, Property]


def _sections(text: str) -> Iterator[_Section]:
    lines = iter((*properties(text), None))
    line = next(lines)
    for header, end in headed(_SECTION, text):
        found: dict[str, Property] = {}
        while line is not None and line.span[0] < end:
            if line.span[0] > header.start():
                found[_SPELLING.get(line.key.lower(), line.key)] = line
            line = next(lines)
        yield _Section(header["name"].lower() == "route", header.span("name"), found)


def connections_of_routes(text: str) -> Iterator[Declared]:
    """Yield what each active route connects to, except routes to another MQIPT over HTTP.

    A route of SOCKS has no destination of its own. `listener.port` is where applications call the
    route. `route.tls` is `changed` if TLS ends or begins there, else `passed`, and `seen_as` the
    address that the queue manager sees.
    """
    for _, route in _routes(text):
        yield from _connection({key: line.setting for key, line in route.items()})


_THREADS = ("MaxConnectionThreads", "MinConnectionThreads")


def _routes(text: str) -> Iterator[tuple[_Section, dict[str, Property]]]:
    """Yield each route with the properties that hold for it: its own and those of `[global]`."""
    general: dict[str, Property] = {}
    for section in _sections(text):
        if section.is_route:
            yield section, {**general, **section.properties}
        else:
            general = section.properties


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


def read(text: str, context: ClientContext) -> Parsed:
    return Parsed(declared=tuple(connections_of_routes(text)), diagnostics=[*_faults(text)])


def _faults(text: str) -> Iterator[Diagnostic]:
    """Yield what disables a route, or what MQIPT ignores, in active routes and in `[global]`."""
    for section in _sections(text):
        for key, line in section.properties.items():
            meant, value = _meant(key, section), line.setting.value
            word = value.strip().lower() if isinstance(value, str) else "true"
            if _PASSWORD.fullmatch(key):
                yield from password_fault(line.setting, key)
            is_number = is_port if key.endswith("Port") else is_digits
            if meant:
                yield _fault(key, line.span, f"is not a property of MQIPT (did you mean {meant}?)")
            elif key in _SWITCHES and word not in ("true", "false"):
                yield _fault(key, line.setting.span, "must be true or false")
            elif key in _MQIPT.numbers and isinstance(value, str) and not is_number(word):
                number = "a port" if key.endswith("Port") else "a whole number"
                yield _fault(key, line.setting.span, f"must be {number}")
    listening: set[str] = set()
    for section, route in _routes(text):
        if "Active" in route and _is_set("Active", _settings(route)) is not True:
            continue
        yield from _faults_of_route(section, route)
        port = route["ListenerPort"].setting.value if "ListenerPort" in route else None
        address = route["ListenerAddress"].setting.value if "ListenerAddress" in route else ""
        if isinstance(port, str) and isinstance(address, str):
            if f"{address}:{port}" in listening:
                fault = f"is {port}, as in a route before it"
                yield _fault("ListenerPort", route["ListenerPort"].setting.span, fault)
            listening.add(f"{address}:{port}")


def _faults_of_route(section: _Section, route: dict[str, Property]) -> Iterator[Diagnostic]:
    misspelt = {_meant(key, section) for key in section.properties}
    for key in _REQUIRED:
        if key not in route and key not in misspelt:
            yield _fault(key, section.span, "is missing in this route")
    values = _settings(route)
    if _is_to_itself(values):
        fault = "is the port of the route itself, on its own host"
        yield _fault("DestinationPort", route["DestinationPort"].setting.span, fault)
    switched = {key for key in _SWITCHES if _is_set(key, values) is True}
    for first, others in _MQIPT.exclusive.items():
        for other in others:
            if {first, other} <= switched:
                fault = f"cannot be used together with {other}"
                yield _fault(first, route[first].span, fault)
    most, least = (values[key].text if key in values else "" for key in _THREADS)
    if is_digits(most) and is_digits(least) and int(most) < int(least):
        fault = f"is {most}, less than MinConnectionThreads={least}"
        yield _fault(_THREADS[0], route[_THREADS[0]].setting.span, fault)
    for key in ("SSLServer", "SSLClient"):
        suites = route.get(f"{key}CipherSuites") if key in switched else None
        found = _WEAK.search(suites.setting.text) if suites is not None else None
        if suites is not None and found is not None:
            yield _fault(suites.key, suites.setting.span, f"allows the weak {found[0]}")
    for key, needs in _MQIPT.needs.items():
        if key in switched:
            for group in needs:
                if not any(
                    name in switched or (name in route and name not in _SWITCHES) for name in group
                ):
                    yield _fault(key, route[key].span, f"needs {' or '.join(group)}")


def _is_to_itself(values: dict[str, Setting]) -> bool:
    """Whether a route that listens on all addresses connects to its own port."""
    names = ("Destination", "DestinationPort", "ListenerPort")
    if "ListenerAddress" in values or not all(name in values for name in names):
        return False
    host, port, listener = (values[name].value for name in names)
    if not all(isinstance(value, str) for value in (host, port, listener)):
        return False
    return port == listener and str(host).lower() in LOOPBACK


def _meant(key: str, section: _Section) -> str:
    """The property of MQIPT that a key is a typo of; blank for none, or if that is set too."""
    if key in _KNOWN or _DISTINCT.match(key):
        return ""
    free = [name for name in _KNOWN if name not in section.properties]
    spelt_out = extended(key, free)
    is_longer = key[len(spelt_out) : len(spelt_out) + 1].islower()
    return nearest(key, free) or (spelt_out if spelt_out and is_longer else "")


def _settings(route: dict[str, Property]) -> dict[str, Setting]:
    return {key: line.setting for key, line in route.items()}


def _fault(key: str, span: Span, fault: str) -> Diagnostic:
    return diagnostic("route-setting", span, key=key, fault=fault)
