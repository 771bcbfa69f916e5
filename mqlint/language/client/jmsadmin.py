"""Connection factories and destinations that JNDI holds.

They are in scripts of JMSAdmin and wsadmin, and in `.bindings` files.

Sources: "Dependencies between properties" (q112700_) for what TRANSPORT(BIND), the default, leaves
out, and "Configuring JMS objects using the administration tool" for the form of commands. The file
system context of JNDI keeps an object as lines `NAME/ClassName`, and `NAME/RefAddr/N/Type` and
`/Content` of each property, with the short names of JMSAdmin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mqlint.dataclass import NamedTuple
from mqlint.language.base import Context, Parsed
from mqlint.language.client.connection import (
    Setting,
    SettingText,
    add_address,
    by_attribute,
    connection,
    setting_faults,
    setting_of,
    topic_uri,
    unused_address,
    uses,
)
from mqlint.language.client.signs import BOUND
from mqlint.language.client.wsadmin import CALL, WSADMIN, objects_of_calls
from mqlint.language.declaration import Declared
from mqlint.patterns import later
from mqlint.vocabulary.applications import ApplicationFormat, application_formats
from mqlint.vocabulary.unknown import UNKNOWN

_LINE = later(r"[^\n]*(?:\n|\Z)")
_COMMAND = later(
    r"(?i)[ \t]*(?:InitCtx[^>\n]{0,200}>[ \t]*)?(?:DEFINE|DEF|(?P<alter>ALTER|ALT))[ \t]+"
    r"(?P<type>(?:XA)?(?:Q|T)?CF|Q|T)[ \t]*\((?P<name>[^()\n]*)\)"
)
_PROPERTY = later(
    r"(?i)(?<![\w.])(?P<key>[A-Z]\w{1,40})[ \t]*\((?P<value>(?:[^()\n]|\([^()\n]*\))*)\)"
)
_REFERENCE = later(
    r"(?m)^(?P<name>[^#!\s=][^\n=]{0,200}?)/(?:ClassName|RefAddr/(?P<number>\d{1,4})/(?P<part>Type|Content))"
    r"[ \t]*=[ \t]*(?P<value>[^\r\n]*)"
)
_CLASS = later(
    r"com\.ibm\.mq\.(?:jakarta\.)?jms\.MQ(?:(?P<factory>\w{0,20}ConnectionFactory)|Queue)\s*"
)
_ESCAPE = later(r"\\(?=[^\n])")
_CLIENT = "1"
"""TRANSPORT(CLIENT) in a `.bindings` file."""
_DEFAULT_LIST = "localhost(1414)"
"""The list of addresses of a factory in a `.bindings` file for which none was given."""
_JMS = application_formats()["jmsadmin"]
_DEFAULT_CHANNEL = "SYSTEM.DEF.SVRCONN"
_ADDRESSES = ("HOSTNAME", "CONNECTIONNAMELIST", "CCDTURL")
"""What a factory with TRANSPORT(BIND), the default, leaves out."""


class _Object(NamedTuple):
    """A factory or a destination: its type, where its name is, and its properties."""

    type: str
    name: Setting
    properties: dict[str, Setting]
    is_altered: bool = False


def connections_of_objects(text: str) -> Iterator[Declared]:
    """Yield the connections of factories for clients, and the queues of destinations."""
    is_script = CALL.search(text) is not None
    if is_script:
        objects = tuple(_Object(*found) for found in objects_of_calls(text))
    else:
        objects = tuple(_bound(text) if BOUND.search(text) else _objects(text))
    factories = [found for found in objects if found.type.endswith("CF")]
    managers = {found.properties.get("QMANAGER", Setting("", (0, 0))).value for found in factories}
    last: Declared | None = None
    for factory in factories:
        transport = factory.properties.get("TRANSPORT")
        if transport is None or str(transport.value).upper() != "CLIENT":
            continue
        settings = by_attribute(factory.properties, _JMS.attributes)
        add_address(settings, factory.properties, "HOSTNAME", "PORT")
        place = settings.get("CONNAME", settings.get("QMNAME", factory.name))
        if not is_script:
            settings.setdefault("channel", Setting(_DEFAULT_CHANNEL, place.span))
        for last in connection(
            "wsadmin" if is_script else "jmsadmin", settings, whole=not is_script
        ):
            yield last
    for found in objects:
        queue, owner = found.properties.get("QUEUE"), found.properties.get("QMANAGER")
        if found.type == "T":
            queue, owner = topic_uri(found.properties.get("TOPIC")), None
        if found.type not in ("Q", "T") or queue is None:
            continue
        if owner is not None and owner.value:
            for target in connection("jmsadmin", {"QMNAME": owner}):
                yield from uses(target, [("open", queue)])
        elif last is not None and len(managers) == 1:
            yield from uses(last, [("open", queue)])


def _objects(text: str) -> list[_Object]:
    """The objects that commands define, with what they alter, in order.

    Of an object that another script defines the transport is not known.
    """
    objects: dict[tuple[str, str], _Object] = {}
    for found in _commands(text):
        key = (found.type, found.name.text)
        if found.is_altered and key in objects:
            objects[key].properties.update(found.properties)
            continue
        if found.is_altered:
            found.properties.setdefault("TRANSPORT", Setting(UNKNOWN, found.name.span))
        objects[key] = found
    return [*objects.values()]


def _commands(text: str) -> Iterator[_Object]:
    settings = SettingText(text)
    begun: _Object | None = None
    is_continued = False
    for line in _LINE.finditer(text):
        shown = line[0].strip()
        if not shown or shown[0] in "*#/":
            continue
        at = line.start()
        if not is_continued:
            if begun is not None:
                yield begun
            begun = None
            command = _COMMAND.match(text, *line.span())
            if command is not None:
                name = settings.setting(command.span("name"))
                is_altered = command["alter"] is not None
                begun, at = _Object(command["type"].upper(), name, {}, is_altered), command.end()
        if begun is not None:
            for match in _PROPERTY.finditer(text, at, line.end()):
                key = match["key"].upper()
                value = settings.setting(match.span("value"))
                begun.properties[_JMS.synonyms.get(key, key)] = value
        is_continued = shown.endswith("+")
    if begun is not None:
        yield begun


def _bound(text: str) -> Iterator[_Object]:
    """The objects of MQ in a `.bindings` file, in no order."""
    types: dict[str, _Object] = {}
    words: dict[tuple[str, str], str] = {}
    values: dict[tuple[str, str], Setting] = {}
    for line in _REFERENCE.finditer(text):
        name, number, value = line["name"], line["number"], _ESCAPE.sub("", line["value"])
        if number is None:
            kind = _CLASS.fullmatch(value)
            if kind is not None:
                owner = Setting(name, line.span("name"))
                types[name] = _Object("CF" if kind["factory"] else "Q", owner, {})
        elif line["part"] == "Type":
            words[name, number] = value.strip()
        elif value.strip() not in ("", "null"):
            values[name, number] = setting_of(value, line.span("value"), is_plain=True)
    for (name, number), setting in values.items():
        key = words.get((name, number), "")
        if name in types and not (key == "CRSHOSTS" and setting.value == _DEFAULT_LIST):
            types[name].properties[_JMS.synonyms.get(key, key)] = setting
    for found in types.values():
        transport = found.properties.get("TRANSPORT")
        if transport is not None and transport.value == _CLIENT:
            found.properties["TRANSPORT"] = Setting("CLIENT", transport.span)
        yield found


def _judged(found: _Object) -> dict[str, Setting]:
    """The properties of an object that may be faults: of a destination only those with words."""
    if found.type.endswith("CF"):
        return found.properties
    return _with_words(found.properties, _JMS)


def _with_words(properties: Mapping[str, Setting], form: ApplicationFormat) -> dict[str, Setting]:
    return {key: setting for key, setting in properties.items() if key in form.words}


def read(text: str, context: Context) -> Parsed:
    is_script = CALL.search(text) is not None
    if is_script:
        calls = [*objects_of_calls(text)]
        judged = [(_with_words(found, WSADMIN), WSADMIN) for _, _, found in calls]
        factories = [found for kind, _, found in calls if kind.endswith("CF")]
    else:
        objects = [] if BOUND.search(text) else _objects(text)
        judged = [(_judged(found), _JMS) for found in objects]
        factories = [found.properties for found in objects if found.type.endswith("CF")]
    faults = [fault for found, form in judged for fault in setting_faults(found, form)]
    for factory in factories:
        faults += unused_address(factory, "TRANSPORT", _ADDRESSES, "" if is_script else "BIND")
    return Parsed(declared=tuple(connections_of_objects(text)), diagnostics=faults)
