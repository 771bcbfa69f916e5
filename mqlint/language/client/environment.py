"""Connections that variables of the environment describe: MQSERVER, and `IBM_MQ_*` of Spring Boot.

Sources: "MQSERVER" (q016990_), and for the names of Spring Boot the README.md of
ibm-messaging/mq-jms-spring with "Binding from Environment Variables" of Spring Boot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mqlint.language.client.connection import Setting, connection, server_connection, setting_of
from mqlint.language.client.spring import ATTRIBUTES, folded
from mqlint.language.declaration import Declared
from mqlint.language.text.templates import is_known, with_placeholders
from mqlint.patterns import later
from mqlint.vocabulary.unknown import UNKNOWN

_PREFIX = "IBM_MQ_"
_TARGETS = frozenset({"QMNAME", "channel", "CONNAME", "ccdt"})
_WHOLE_LINE = later(r"(?:(?<=\n)|\A)[ \t]*\S[^\n]*")
_COMMENTS = ("#", "rem ", "REM ", "::")
_SETTING = later(
    r"(?<![\w$.{-])(?:\$env:)?(MQSERVER|IBM_MQ_[A-Z_]{1,60})(?:=|[ \t]+=?[ \t]*)"
    r"((?:'[^'\n]*'|\"[^\"\n]*\"|[^\s;\"'])+)",
    re.MULTILINE,
)
_VARIABLE = later(r"[$%`]")


def connections_of_script(text: str) -> Iterator[Declared]:
    """Yield the connections of the variables that a script or a Dockerfile sets."""
    covered = with_placeholders(text)
    found: list[tuple[str, Setting]] = []
    for line in _WHOLE_LINE.finditer(text):
        if line[0].lstrip().startswith(_COMMENTS):
            continue
        for match in _SETTING.finditer(text, *line.span()):
            value, span = re.sub(r"['\"]", "", match[2]), match.span(2)
            is_plain = is_known(covered[slice(*span)]) and _VARIABLE.search(match[2]) is None
            found.append((match[1], setting_of(value, span, is_plain=is_plain)))
    yield from connections_of_variables(found)


def connections_of_variables(variables: Iterable[tuple[str, Setting]]) -> Iterator[Declared]:
    """Yield the connections of variables by name; of one that is set twice the value is unknown."""
    settings: dict[str, Setting] = {}
    for name, setting in variables:
        if name == "MQSERVER":
            yield from server_connection("MQSERVER", setting)
        elif name.startswith(_PREFIX):
            attribute = ATTRIBUTES.get(folded(name.removeprefix(_PREFIX)))
            if attribute is not None:
                known = settings.get(attribute)
                is_same = known is None or known.value == setting.value
                settings[attribute] = setting if is_same else Setting(UNKNOWN, setting.span)
    if _TARGETS & settings.keys():
        yield from connection("environment", settings)
