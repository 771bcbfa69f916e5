"""Connections in XML: Liberty, MQEndpoint policies, factories of application servers, .NET.

Sources: "MQEndpoint policy" of IBM App Connect Enterprise (`policyType`) and of IBM Integration
Bus 10 (`type`), and for .NET "Configuration files for IBM MQ classes for .NET" (q029490_) with the
settings of WmqDotNETXAMonitor (q029360_). Spring XML (`bean`), JBoss and WildFly
(`connection-definition`) and Tomcat (`Resource`) name a class of MQ's JMS, and its properties:
"Properties of IBM MQ classes for JMS objects" and "Properties of an IBM MQ resource adapter".
Factories of WebSphere Application Server are in its `resources.xml`, with the type in `xmi:type`.
GlassFish and Payara (`connector-connection-pool`) name the adapter itself. Message-driven beans
have properties of an ActivationSpec ("Configuring the resource adapter for inbound communication",
q031670_). "MFT credentials file
format" (mqm_credentials_format) has the passwords of Managed File Transfer, and "fteObfuscate" the
attributes that replace them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from re import Pattern
from xml.parsers import expat

from mqlint.finding import Diagnostic
from mqlint.language.base import ClientContext, Parsed
from mqlint.language.client.beans import SHORT, bean_faults
from mqlint.language.client.connection import (
    Setting,
    add_address,
    by_attribute,
    connection,
    password_fault,
    server_connection,
    setting_fault,
    setting_faults,
    topic_uri,
    unused_address,
    uses,
)
from mqlint.language.client.elements import Element, elements_of, parts
from mqlint.language.client.liberty import LIBERTY, Server
from mqlint.language.client.mapped import connections_of_own_keys
from mqlint.language.client.signs import MFT_CREDENTIALS, POOL_ADAPTER, TRANSFERS
from mqlint.language.client.transfer import definition_faults, queues_of_definitions
from mqlint.language.declaration import Declared
from mqlint.language.text.templates import with_attribute_placeholders
from mqlint.language.text.well_formed import broken, is_final
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.vocabulary.applications import application_formats

_FORMATS = application_formats()
_POLICY, _MONITOR = (_FORMATS[name] for name in ("policy", "monitor"))
_FACTORY = _FORMATS["factory"].attributes
_SECTIONS = ("CHANNELS", "dnetxa", "appSettings")

_CLASS = later(
    r"com\.ibm\.mq\.(?:(?:jakarta\.)?jms\.MQ\w{0,20}ConnectionFactory"
    r"|(?:jakarta\.)?connector\.outbound\.ManagedConnectionFactoryImpl)"
)
"""A class of MQ that connects."""
_DESTINATION = later(
    r"com\.ibm\.mq\.(?:jakarta\.)?(?:jms\.MQ(?:Queue|Topic)"
    r"|connector\.outbound\.MQ(?:Queue|Topic)Proxy)"
)
"""A class of MQ for a queue or a topic."""
_NAMES = (("basequeuename", "qu"), ("basetopicname", "top"))
"""The properties with the name of a queue or a topic; Tomcat has the short ones."""
_CLASS_KEYS = ("class", "class-name", "type")
_OF_MULE = "ibm-mq:client"
"""The element with the connection of MuleSoft's connector ("IBM MQ Connector")."""
_XMI_TYPE = "resources.jms.mqseries:"
"""How the type of a factory or a queue of WebSphere Application Server begins."""
_DESTINATIONS = (f"{_XMI_TYPE}MQQueue", f"{_XMI_TYPE}MQTopic")
_POOL_ADAPTER = later(POOL_ADAPTER)
_CREDENTIALS = later(MFT_CREDENTIALS)
_DTD = "<!DOCTYPE"
_SEVERAL_ROOTS = expat.errors.codes[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT]
_NO_END = {
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION],
}
"""Errors whose place is where the comment, tag or section begins that has no end."""
_PROPERTIES = frozenset({"property", "config-property"})
_ADDRESSES = ("hostName", "connectionNameList", "ccdtURL")
_OTHER_MODES = frozenset({"0", "bindings", "bindings_then_client"})

Settings = dict[str, Setting]


def read(text: str, context: ClientContext) -> Parsed:
    elements = elements_of(text)
    liberty = Server.of(elements, text)
    declared = (
        *liberty.connections(),
        *_of_policies(elements),
        *_of_sections(elements),
        *_with_queues([*_of_factories(elements)], elements),
        *_of_beans(elements),
        *(queues_of_definitions(elements) if TRANSFERS.search(text) is not None else ()),
    )
    faults = [*_faults(elements, liberty), *broken_xml(text)]
    if TRANSFERS.search(text) is not None:
        faults += definition_faults(elements)
    if _CREDENTIALS.search(text) is not None:
        faults += _credentials(elements)
    return Parsed(declared=declared, diagnostics=faults, joins=liberty.joins)


def _credentials(elements: Iterable[Element]) -> Iterator[Diagnostic]:
    """Yield passwords that fteObfuscate has not replaced by an attribute with the ending Cipher."""
    for element in elements:
        for key, setting in element.attributes.items():
            if key.lower().endswith("password"):
                yield from password_fault(setting, f"{key} of {element.local_name}")


def broken_xml(text: str) -> Iterator[Diagnostic]:
    """Yield the first error of a text in XML, unless it is a part of a file or has a DTD."""
    plain = text.removeprefix("\ufeff")
    if _DTD in plain or not is_final(plain):
        return
    parser = expat.ParserCreate("utf-8")
    try:
        parser.Parse(with_attribute_placeholders(plain).encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        if error.code == _SEVERAL_ROOTS and not plain.startswith("<?xml"):
            return
        lines = plain.split("\n", error.lineno)[: error.lineno]
        at = len(text) - len(plain) + sum(len(line) + 1 for line in lines[:-1]) + error.offset
        last = len(text) if error.code in _NO_END else at
        yield from broken(text, at, last, "XML", expat.ErrorString(error.code))


def _of_policies(elements: Sequence[Element]) -> Iterator[Declared]:
    """The connections of policies of the type MQEndpoint that connect as clients."""
    for inside in _policies(elements):
        mode = inside.get("connection")
        if mode is not None and mode.value == "CLIENT":
            settings = by_attribute(inside, _POLICY.attributes)
            switch = inside.get("useSSL")
            if switch is not None and switch.value == "false":
                settings["SSLCIPH"] = Setting("", switch.span)
            add_address(settings, inside, "queueManagerHostname", "listenerPortNumber")
            yield from connection("policy", settings, whole=True)


def _policies(elements: Sequence[Element]) -> Iterator[Settings]:
    """Yield the settings of each policy of the type MQEndpoint."""
    for policy, inside in parts(elements, lambda element: element.name == "policy"):
        kind = policy.attributes.get("policyType", policy.attributes.get("type"))
        if kind is not None and kind.value == "MQEndpoint":
            yield {element.name: element.text for element in inside}


def _of_factories(elements: Sequence[Element]) -> Iterator[Declared]:
    """The connections of factories that an application server or Spring makes of MQ's classes."""
    for properties in _objects(elements, _is_factory):
        yield from _of_factory(by_attribute(properties, _FACTORY))


def _objects(
    elements: Sequence[Element], is_wanted: Callable[[Element], bool]
) -> Iterator[Settings]:
    """Yield attributes and properties of each wanted element, by their names in lower case."""
    for wanted, inside in parts(elements, is_wanted):
        found = {key.lower().removeprefix(SHORT): value for key, value in wanted.attributes.items()}
        waiting = ""
        for element in inside:
            if element.name in _PROPERTIES:
                attributes = element.attributes
                key, value = attributes.get("name"), attributes.get("value") or element.text
                waiting = str(key.value).lower() if key is not None else ""
                if value.value != "":
                    found[waiting] = value
            elif element.name == "value" and waiting:
                found[waiting] = element.text
        yield found


def _of_beans(elements: Sequence[Element]) -> Iterator[Declared]:
    """The connections and queues of message-driven beans, as far as they look nothing up."""
    for _, inside in parts(elements, lambda element: element.local_name == "activation-config"):
        bean, waiting = dict[str, Setting](), ""
        for element in inside:
            if element.local_name == "activation-config-property-name":
                waiting = str(element.text.value).lower()
            elif element.local_name == "activation-config-property-value":
                bean[waiting] = element.text
        yield from _of_bean(bean)


def _of_bean(bean: Settings) -> Iterator[Declared]:
    if "queuemanager" not in bean or "connectionfactorylookup" in bean:
        return
    settings = by_attribute(bean, _FACTORY)
    queue, lookup = bean.get("destination"), bean.get("usejndi")
    is_looked_up = lookup is not None and lookup.value != "false"
    kind = str(bean["destinationtype"].value) if "destinationtype" in bean else ""
    if "Topic" in kind:
        queue = topic_uri(queue)
    is_open = queue is None or is_looked_up or not kind or "destinationlookup" in bean
    for found in _of_factory(settings):
        yield found
        yield from uses(found, [("get", queue)] if queue is not None and not is_open else [])


def _with_queues(factories: Sequence[Declared], elements: Sequence[Element]) -> Iterator[Declared]:
    """Yield factories and, if it is only one, the destinations that name no other manager.

    Of several factories the application decides.
    """
    yield from factories
    if len(factories) != 1:
        return
    names = {"", factories[0].value("QMNAME") or ""}
    for inside in _objects(elements, _is_destination):
        queue, topic = (next(filter(None, map(inside.get, keys)), None) for keys in _NAMES)
        base, manager = queue or topic_uri(topic), inside.get("basequeuemanagername")
        if base is not None and (manager is None or manager.value in names):
            yield from uses(factories[0], [("open", base)])


def _is_destination(element: Element) -> bool:
    attributes = element.attributes
    kind = attributes.get("xmi:type")
    if kind is not None and kind.value in _DESTINATIONS:
        return True
    adapter = attributes.get("res-adapter")  # of Payara, which needs no class
    is_of_mq = adapter is not None and _POOL_ADAPTER.fullmatch(str(adapter.value)) is not None
    return is_of_mq or _has_class(attributes, _DESTINATION)


def _is_factory(element: Element) -> bool:
    if element.name == _OF_MULE:
        return True
    attributes = element.attributes
    kind = attributes.get("xmi:type")
    if kind is not None:
        word = str(kind.value)
        return word.startswith(f"{_XMI_TYPE}MQ") and word.endswith("ConnectionFactory")
    adapter = attributes.get("resource-adapter-name")
    if adapter is not None and element.name == "connector-connection-pool":
        return _POOL_ADAPTER.fullmatch(str(adapter.value)) is not None
    is_of_tomcat = element.name == "Resource" and {"CHAN", "QMGR"} <= attributes.keys()
    return is_of_tomcat or _has_class(attributes, _CLASS)


def _is_of_adapter(element: Element) -> bool:
    """Whether an element has a factory of the resource adapter, as Liberty's elements have."""
    return element.name == "connection-definition" and _is_factory(element)


def _has_class(attributes: Mapping[str, Setting], pattern: Pattern[str]) -> bool:
    names = (attributes.get(key) for key in _CLASS_KEYS)
    return any(
        isinstance(name.value, str) and pattern.fullmatch(name.value)
        for name in names
        if name is not None
    )


def _of_factory(factory: Settings) -> Iterator[Declared]:
    """Yield the connection of a factory that connects as a client, as far as its settings say."""
    mode = factory.get("mode")
    if mode is not None and str(mode.value).lower() in _OTHER_MODES:
        return
    if mode is None and "host" not in factory and "CONNAME" not in factory:
        return
    settings = {key: factory[key] for key in factory if key not in ("mode", "host", "port")}
    add_address(settings, factory, "host", "port")
    yield from connection("factory", settings)


def _of_sections(elements: Sequence[Element]) -> Iterator[Declared]:
    """The connections of the sections CHANNELS, dnetxa and appSettings of .NET."""
    for section, inside in parts(elements, lambda element: element.name in _SECTIONS):
        settings: Settings = {}
        for element in inside:
            attributes = element.attributes if element.name == "add" else {}
            key, value = attributes.get("key"), attributes.get("value")
            if key is None or value is None or not isinstance(key.value, str):
                continue
            settings[key.value] = value
            if section.name == "CHANNELS" and key.value == "ServerConnectionParms":
                yield from server_connection("dotnet", value)
        if section.name == "appSettings":
            yield from connections_of_own_keys(settings, "dotnet").declared
        if section.name == "dnetxa":
            yield from connection("dotnet", by_attribute(settings, _MONITOR.attributes), whole=True)


def _faults(elements: Sequence[Element], liberty: Server) -> Iterator[Diagnostic]:
    for element in liberty.resources():
        attributes = element.attributes
        yield from password_fault(attributes.get("password"), "password")
        yield from setting_faults(attributes, LIBERTY)
        yield from unused_address(attributes, "transportType", _ADDRESSES)
    for key, named, fault in (*liberty.lost(), *liberty.adapters(), *liberty.wrong_defaults()):
        yield setting_fault(key, named, fault)
    for account in liberty.accounts():
        yield from password_fault(account.attributes.get("password"), "password of authData")
    yield from bean_faults(elements, _is_factory)
    for properties in _objects(elements, _is_of_adapter):
        mode = properties.get("transporttype")
        if mode is not None and not is_digits(mode.text):
            yield from setting_faults({"transportType": mode}, LIBERTY)
    for inside in _policies(elements):
        yield from setting_faults(inside, _POLICY)
