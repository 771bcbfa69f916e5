"""Connections in XML: Liberty, MQEndpoint policies, factories of application servers, .NET.

Sources: "Deploying JMS applications to Liberty to use the IBM MQ messaging provider"
(twlp_dep_msg_wmq), where the user may configure a resource adapter with an `id` of its own,
"MQEndpoint policy" of IBM App Connect Enterprise (`policyType`) and of IBM Integration Bus 10
(`type`), and for .NET "Configuration files for IBM MQ classes for .NET" (q029490_) with the
settings of WmqDotNETXAMonitor (q029360_). Spring XML (`bean`), JBoss and WildFly
(`connection-definition`) and Tomcat (`Resource`) name a class of MQ's JMS, and its properties:
"Properties of IBM MQ classes for JMS objects" and "Properties of an IBM MQ resource adapter".
GlassFish and Payara (`connector-connection-pool`) name the adapter itself. "MFT credentials file
format" (mqm_credentials_format) has the passwords of Managed File Transfer, and "fteObfuscate" the
attributes that replace them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from xml.parsers import expat

from mqlint.dataclass import NamedTuple
from mqlint.finding import Diagnostic
from mqlint.language.base import ClientContext, Parsed
from mqlint.language.client.connection import (
    Setting,
    add_address,
    connection,
    named,
    password_fault,
    server_connection,
    setting_faults,
    setting_of,
    uses,
)
from mqlint.language.client.mapped import connections_of_own_keys
from mqlint.language.client.signs import ADAPTER, MFT_CREDENTIALS, POOL_ADAPTER
from mqlint.language.declaration import Declared, FieldValue
from mqlint.language.text.templates import PLACEHOLDER, is_known, with_placeholders
from mqlint.language.text.well_formed import broken, is_final
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.applications import application_formats
from mqlint.vocabulary.unknown import UNKNOWN

_COMMENT = later(r"<!--(?:[^-]|-(?!->))*+(?:-->)?")
_TAG = later(r"<(?P<end>/?)(?P<name>[A-Za-z][\w.:-]{0,80})(?P<rest>[^<>]*)>(?P<text>[^<>]*)")
_ATTRIBUTE = later(
    r"(?<![\w.:-])([A-Za-z][\w.:-]{0,80}+)[ \t\r\n]*+=[ \t\r\n]*+(?:\"([^\"]*+)\"|'([^']*+)')"
)
_ADAPTER = later(ADAPTER)
_LIBERTY_VARIABLE = later(r"\$\{([\w.-]{1,80})\}")
_FORMATS = application_formats()
_LIBERTY, _POLICY, _MONITOR = (_FORMATS[name] for name in ("liberty", "policy", "monitor"))

_CLASS = later(
    r"com\.ibm\.mq\.(?:(?:jakarta\.)?jms\.MQ\w{0,20}ConnectionFactory"
    r"|(?:jakarta\.)?connector\.outbound\.ManagedConnectionFactoryImpl)"
)
"""A class of MQ that connects."""
_CLASS_KEYS = ("class", "class-name", "type")
_POOL_ADAPTER = later(POOL_ADAPTER)
_CREDENTIALS = later(MFT_CREDENTIALS)
_DTD = "<!DOCTYPE"
_SEVERAL_ROOTS = expat.errors.codes[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT]
_PROPERTIES = frozenset({"property", "config-property"})
_OTHER_MODES = frozenset({"0", "bindings"})

Settings = dict[str, Setting]


class Element(NamedTuple):
    """An element that opens or ends: its attributes, the text after it and where that is."""

    name: str
    attributes: Mapping[str, Setting]
    text: Setting
    is_end: bool
    span: Span
    is_empty: bool


def read(text: str, context: ClientContext) -> Parsed:
    elements = tuple(elements_of(text))
    resources = _resources(elements, text)
    elements = _with_variables(elements, resources, text)
    declared = _declared(elements, resources)
    faults = [*_faults(elements, resources), *broken_xml(text)]
    if _CREDENTIALS.search(text) is not None:
        faults += _credentials(elements)
    return Parsed(declared=declared, diagnostics=faults)


def _declared(elements: tuple[Element, ...], resources: frozenset[str]) -> tuple[Declared, ...]:
    """The connections that resources, policies, sections for .NET and factories describe."""
    liberty = _of_liberty(elements, resources)
    policies = _of_policies(elements)
    return (*liberty, *policies, *_of_sections(elements), *_of_factories(elements))


def _credentials(elements: Iterable[Element]) -> Iterator[Diagnostic]:
    """Yield passwords that fteObfuscate has not replaced by an attribute with the ending Cipher."""
    for element in elements:
        for key, setting in element.attributes.items():
            if key.lower().endswith("password"):
                yield from password_fault(setting, f"{key} of {element.name.rpartition(':')[2]}")


def _resources(elements: Iterable[Element], text: str) -> frozenset[str]:
    """The names of the elements of Liberty with the properties of MQ's resource adapter."""
    names = {"properties.wmqJms"}
    for element in elements:
        location, own = (element.attributes.get(key) for key in ("location", "id"))
        if element.name != "resourceAdapter" or location is None or own is None:
            continue
        if _ADAPTER.search(text, *location.span) is not None:
            names.add(f"properties.{own.value}")
    return frozenset(names)


def _with_variables(
    elements: tuple[Element, ...], resources: frozenset[str], text: str
) -> tuple[Element, ...]:
    """Return elements with the values of variables that the same file sets once, by `value`.

    Only the command line overrides `value`, but several sources override `defaultValue`
    ("Variable overrides" in the documentation of Liberty).
    """
    values: dict[str, FieldValue] = {}
    for element in elements:
        name, value = (element.attributes.get(key) for key in ("name", "value"))
        if element.name == "variable" and not element.is_end and name is not None:
            is_single = str(name.value) not in values and value is not None
            values[str(name.value)] = value.value if is_single and value is not None else UNKNOWN

    def expanded(setting: Setting) -> Setting:
        known = [
            values.get(name, UNKNOWN) for name in _LIBERTY_VARIABLE.findall(text, *setting.span)
        ]
        if not known or not all(isinstance(value, str) for value in known):
            return setting
        raw = text[slice(*setting.span)]
        value = _LIBERTY_VARIABLE.sub(lambda found: str(values[found[1]]), raw)
        return setting_of(value, setting.span, is_plain=is_known(value))

    if not values:
        return elements
    return tuple(
        element._replace(
            attributes={key: expanded(value) for key, value in element.attributes.items()}
        )
        if element.name in resources
        else element
        for element in elements
    )


def broken_xml(text: str) -> Iterator[Diagnostic]:
    """Yield the first error of a text in XML, unless it is a part of a file or has a DTD."""
    plain = text.removeprefix("\ufeff")
    if _DTD in plain or not is_final(plain):
        return
    parser = expat.ParserCreate("utf-8")
    try:
        parser.Parse(plain.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        if error.code == _SEVERAL_ROOTS and not plain.startswith("<?xml"):
            return
        lines = plain.split("\n", error.lineno)[: error.lineno]
        at = len(text) - len(plain) + sum(len(line) + 1 for line in lines[:-1]) + error.offset
        yield from broken(text, at, at, "XML", expat.ErrorString(error.code))


def elements_of(text: str) -> Iterator[Element]:
    """The elements in order, without those in comments."""
    covered = with_placeholders(text)
    bare = _COMMENT.sub(lambda found: " " * len(found[0]), text)
    for tag in _TAG.finditer(bare):
        attributes = {}
        for found in _ATTRIBUTE.finditer(bare, *tag.span("rest")):
            group = 2 if found[2] is not None else 3
            attributes[found[1]] = _setting(text, covered, found.span(group))
        inner = _setting(text, covered, tag.span("text"))
        is_empty = tag["rest"].endswith("/")
        yield Element(tag["name"], attributes, inner, tag["end"] == "/", tag.span("name"), is_empty)


def _setting(text: str, covered: str, span: Span) -> Setting:
    value = text[slice(*span)]
    is_plain = is_known(covered[slice(*span)]) and "&" not in value and PLACEHOLDER not in value
    return setting_of(value, span, is_plain=is_plain)


def _of_liberty(elements: tuple[Element, ...], resources: frozenset[str]) -> Iterator[Declared]:
    """The connections of factories and activation specifications; these name their queue."""
    queues, managers = _queues_of_liberty(elements, resources)
    factories: list[Declared] = []
    read: set[Setting] = set()
    for element in elements:
        if element.name not in resources or element.is_end or "baseQueueName" in element.attributes:
            continue
        mode = element.attributes.get("transportType")
        if mode is not None and mode.value != "CLIENT":
            continue
        settings = named(element.attributes, _LIBERTY.attributes)
        add_address(settings, element.attributes, "hostName", "port")
        for declared in connection("liberty", settings, whole=True):
            yield declared
            target = element.attributes.get("destinationRef")
            queue = queues.get(str(target.value)) if target is not None else None
            if queue is not None:
                read.add(queue)
                yield from uses(declared, [("get", queue)])
            elif target is None:
                factories.append(declared)
    if len(factories) == 1:  # of several, the application decides
        own = factories[0].field("QMNAME")
        local = ("", own.value if own is not None else "")
        others = [base for base, name in managers.items() if base not in read and name in local]
        yield from uses(factories[0], [("open", base) for base in others])


def _queues_of_liberty(
    elements: tuple[Element, ...], resources: frozenset[str]
) -> tuple[dict[str, Setting], dict[Setting, FieldValue]]:
    """Return the queues by the names of their destinations, and the queue manager of each."""
    queues: dict[str, Setting] = {}
    managers: dict[Setting, FieldValue] = {}
    holder: Element | None = None
    for element in elements:
        if element.name in resources and not element.is_end:
            base = element.attributes.get("baseQueueName")
            if base is not None and holder is not None:
                names = (holder.attributes.get(key) for key in ("id", "jndiName"))
                queues.update((str(name.value), base) for name in names if name is not None)
                manager = element.attributes.get("baseQueueManagerName")
                managers[base] = manager.value if manager is not None else ""
        elif not element.is_end:
            holder = element
    return queues, managers


def _of_policies(elements: tuple[Element, ...]) -> Iterator[Declared]:
    """The connections of policies of the type MQEndpoint that connect as clients."""
    for inside in _policies(elements):
        mode = inside.get("connection")
        if mode is not None and mode.value == "CLIENT":
            settings = named(inside, _POLICY.attributes)
            switch = inside.get("useSSL")
            if switch is not None and switch.value == "false":
                settings["SSLCIPH"] = Setting("", switch.span)
            add_address(settings, inside, "queueManagerHostname", "listenerPortNumber")
            yield from connection("policy", settings, whole=True)


def _policies(elements: Iterable[Element]) -> Iterator[Settings]:
    """Yield the settings of each policy of the type MQEndpoint."""
    inside: Settings | None = None
    for element in elements:
        if element.name == "policy" and not element.is_end:
            kind = element.attributes.get("policyType", element.attributes.get("type"))
            inside = {} if kind is not None and kind.value == "MQEndpoint" else None
        elif element.name == "policy" and inside is not None:
            yield inside
            inside = None
        elif inside is not None and not element.is_end:
            inside[element.name] = element.text


def _of_factories(elements: tuple[Element, ...]) -> Iterator[Declared]:
    """The connections of factories that an application server or Spring makes of MQ's classes."""
    factory, inside, waiting = "", dict[str, Setting](), ""
    for element in elements:
        if factory and element.is_end and element.name == factory:
            yield from _of_factory(inside)
            factory = ""
        elif not factory and not element.is_end and _is_factory(element):
            factory, inside = element.name, {}
            _take(inside, element.attributes)
            if element.is_empty:
                yield from _of_factory(inside)
                factory = ""
        elif factory and element.name in _PROPERTIES and not element.is_end:
            name = element.attributes.get("name")
            value = element.attributes.get("value", element.text)
            waiting = str(name.value) if name is not None else ""
            if value.value != "":
                _take(inside, {waiting: value})
        elif factory and element.name == "value" and not element.is_end and waiting:
            _take(inside, {waiting: element.text})


def _is_factory(element: Element) -> bool:
    adapter = element.attributes.get("resource-adapter-name")
    if adapter is not None and element.name == "connector-connection-pool":
        return _POOL_ADAPTER.fullmatch(str(adapter.value)) is not None
    names = (element.attributes.get(key) for key in _CLASS_KEYS)
    return any(
        isinstance(name.value, str) and _CLASS.fullmatch(name.value)
        for name in names
        if name is not None
    )


def _take(inside: Settings, given: Mapping[str, Setting]) -> None:
    for key, setting in given.items():
        attribute = _FORMATS["factory"].attributes.get(key.lower())
        if attribute is not None:
            inside[attribute] = setting


def _of_factory(given: Settings) -> Iterator[Declared]:
    """Yield the connection of a factory that connects as a client, as far as its settings say."""
    mode = given.get("mode")
    if mode is not None and str(mode.value).lower() in _OTHER_MODES:
        return
    if mode is None and "host" not in given and "CONNAME" not in given:
        return
    settings = {key: given[key] for key in given if key not in ("mode", "host", "port")}
    add_address(settings, given, "host", "port")
    yield from connection("factory", settings)


def _of_sections(elements: tuple[Element, ...]) -> Iterator[Declared]:
    """The connections of the sections CHANNELS, dnetxa and appSettings of .NET."""
    section, inside = "", dict[str, Setting]()
    for element in elements:
        if element.name == "appSettings" and element.is_end:
            yield from (declared for declared, _ in connections_of_own_keys(inside, "dotnet"))
        if element.name in ("CHANNELS", "dnetxa", "appSettings"):
            if element.is_end and element.name == "dnetxa":
                yield from connection("dotnet", named(inside, _MONITOR.attributes), whole=True)
            section, inside = "" if element.is_end else element.name, {}
        elif section and element.name == "add" and not element.is_end:
            key, value = element.attributes.get("key"), element.attributes.get("value")
            if key is None or value is None or not isinstance(key.value, str):
                continue
            inside[key.value] = value
            if section == "CHANNELS" and key.value == "ServerConnectionParms":
                yield from server_connection("dotnet", value)


def _faults(elements: Sequence[Element], resources: frozenset[str]) -> Iterator[Diagnostic]:
    for element in elements:
        if element.name in resources:
            yield from password_fault(element.attributes.get("password"), "password")
            yield from setting_faults(element.attributes, _LIBERTY)
    for inside in _policies(elements):
        yield from setting_faults(inside, _POLICY)
