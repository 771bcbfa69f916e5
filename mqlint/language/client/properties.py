"""Lines `key=value` of Java properties: settings of Spring Boot and Kafka Connect, among others."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.dataclass import NamedTuple
from mqlint.language.client.connection import Setting, SettingText
from mqlint.patterns import later
from mqlint.source.lines import Span

_LINE = later(r"(?m)^[ \t]*(?P<key>%?[A-Za-z][\w.-]{0,120})[ \t]*[=:][ \t]*(?P<value>[^\r\n]*)")


class Property(NamedTuple):
    """One line: its key with its place, and its value."""

    key: str
    span: Span
    setting: Setting


def properties(text: str) -> Iterator[Property]:
    """Yield the lines with a key and a value, in order."""
    settings = SettingText(text)
    for match in _LINE.finditer(text):
        setting = settings.setting(match.span("value"))
        yield Property(match["key"], match.span("key"), setting)
