"""Routes of IBM MQ Internet Pass-Thru (mqipt.conf): to which queue managers they lead.

Source: "IBM MQ Internet Pass-Thru configuration reference" (ipt2540_) and "MQIPT route properties"
(ipt2190_). A property of `[global]` holds for each route that does not set it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.language.base import Context, Parsed
from mqlint.language.client.connection import Setting, add_address, connection
from mqlint.language.client.properties import properties
from mqlint.language.declaration import Declared
from mqlint.patterns import later

_SECTION = later(r"^[ \t]*\[[ \t]*(?P<name>global|route)[ \t]*\]", re.MULTILINE | re.IGNORECASE)


def connections_of_routes(text: str) -> Iterator[Declared]:
    """Yield what each active route connects to, except routes to another MQIPT over HTTP."""
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
    for key, word in (("Active", "false"), ("HTTP", "true"), ("SocksClient", "true")):
        value = values[key].value if key in values else ""
        if not isinstance(value, str) or value.lower() == word:
            return
    settings: dict[str, Setting] = {}
    add_address(settings, values, "Destination", "DestinationPort")
    if "Name" in values:
        settings["application"] = values["Name"]
    if "CONNAME" in settings:
        yield from connection("mqipt", settings)


def read(text: str, context: Context) -> Parsed:
    """Read the routes of mqipt.conf as a document."""
    return Parsed(declared=tuple(connections_of_routes(text)))
