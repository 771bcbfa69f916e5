"""Scripts of JMSAdmin: connection factories and destinations that JNDI holds.

Sources: "Dependencies between properties" (q112700_) for what TRANSPORT(BIND), the default, leaves
out, and "Configuring JMS objects using the administration tool" for the form of commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.dataclass import NamedTuple
from mqlint.language.base import Context, Parsed
from mqlint.language.client.connection import (
    Setting,
    add_address,
    connection,
    named,
    setting_faults,
    setting_of,
    uses,
)
from mqlint.language.declaration import Declared
from mqlint.language.text.templates import is_known, with_placeholders
from mqlint.patterns import later
from mqlint.vocabulary.applications import application_formats

_LINE = later(r"[^\n]*(?:\n|\Z)")
_COMMAND = later(
    r"[ \t]*(?:InitCtx[^>\n]{0,200}>[ \t]*)?(?:DEFINE|DEF|ALTER|ALT)[ \t]+"
    r"(?P<type>(?:XA)?(?:Q|T)?CF|Q|T)[ \t]*\((?P<name>[^()\n]*)\)",
    re.IGNORECASE,
)
_PROPERTY = later(
    r"(?<![\w.])(?P<key>[A-Z]\w{1,40})[ \t]*\((?P<value>(?:[^()\n]|\([^()\n]*\))*)\)", re.IGNORECASE
)
_JMS = application_formats()["jmsadmin"]
_DEFAULT_CHANNEL = "SYSTEM.DEF.SVRCONN"


class _Object(NamedTuple):
    """A factory or a destination: its type, where its name is, and its properties."""

    type: str
    name: Setting
    properties: dict[str, Setting]


def connections_of_objects(text: str) -> Iterator[Declared]:
    """Yield the connections of factories for clients, and the queues of destinations."""
    objects = tuple(_objects(text))
    factories = [found for found in objects if found.type.endswith("CF")]
    managers = {found.properties.get("QMANAGER", Setting("", (0, 0))).value for found in factories}
    last: Declared | None = None
    for factory in factories:
        transport = factory.properties.get("TRANSPORT")
        if transport is None or str(transport.value).upper() != "CLIENT":
            continue
        settings = named(factory.properties, _JMS.attributes)
        add_address(settings, factory.properties, "HOSTNAME", "PORT")
        place = settings.get("CONNAME", settings.get("QMNAME", factory.name))
        settings.setdefault("channel", Setting(_DEFAULT_CHANNEL, place.span))
        for last in connection("jmsadmin", settings, whole=True):
            yield last
    for found in objects:
        queue, owner = found.properties.get("QUEUE"), found.properties.get("QMANAGER")
        if found.type != "Q" or queue is None:
            continue
        if owner is not None and owner.value:
            for target in connection("jmsadmin", {"QMNAME": owner}):
                yield from uses(target, [("open", queue)])
        elif last is not None and len(managers) == 1:
            yield from uses(last, [("open", queue)])


def _objects(text: str) -> Iterator[_Object]:
    """The objects that commands define or alter, in order."""
    covered = with_placeholders(text)
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
                name = _value(text, covered, command.span("name"))
                begun, at = _Object(command["type"].upper(), name, {}), command.end()
        if begun is not None:
            for match in _PROPERTY.finditer(text, at, line.end()):
                key = match["key"].upper()
                value = _value(text, covered, match.span("value"))
                begun.properties[_JMS.synonyms.get(key, key)] = value
        is_continued = shown.endswith("+")
    if begun is not None:
        yield begun


def _value(text: str, covered: str, span: tuple[int, int]) -> Setting:
    return setting_of(text[slice(*span)], span, is_plain=is_known(covered[slice(*span)]))


def read(text: str, context: Context) -> Parsed:
    """Read a script of JMSAdmin as a document."""
    faults = (
        fault
        for found in _objects(text)
        if found.type.endswith("CF")
        for fault in setting_faults(found.properties, _JMS)
    )
    return Parsed(declared=tuple(connections_of_objects(text)), diagnostics=[*faults])
