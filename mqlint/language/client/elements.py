"""Elements of XML with their places, read without a parser so that parts of files can be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mqlint.dataclass import NamedTuple
from mqlint.language.client.connection import Setting, SettingText
from mqlint.language.text.templates import (
    PLACEHOLDER,
    with_attribute_placeholders,
)
from mqlint.patterns import later
from mqlint.source.lines import Span

_COMMENT = later(r"<!--(?:[^-]|-(?!->))*+(?:-->)?")
_TAG = later(r"<(?P<end>/?)(?P<name>[A-Za-z][\w.:-]{0,80})(?P<rest>[^<>]*)>(?P<text>[^<>]*)")
_ATTRIBUTE = later(
    r"(?<![\w.:-])([A-Za-z][\w.:-]{0,80}+)[ \t\r\n]*+=[ \t\r\n]*+(?:\"([^\"]*+)\"|'([^']*+)')"
)


class Element(NamedTuple):
    """An element that opens or ends: its attributes, the text after it and where that is."""

    name: str
    attributes: Mapping[str, Setting]
    text: Setting
    is_end: bool
    span: Span
    is_empty: bool


def elements_of(text: str) -> Iterator[Element]:
    """The elements in order, without those in comments."""
    settings = SettingText(text)
    bare = _COMMENT.sub(lambda found: " " * len(found[0]), with_attribute_placeholders(text))
    for tag in _TAG.finditer(bare):
        attributes = {}
        for found in _ATTRIBUTE.finditer(bare, *tag.span("rest")):
            group = 2 if found[2] is not None else 3
            attributes[found[1]] = _setting(settings, found.span(group))
        inner = _setting(settings, tag.span("text"))
        is_empty = tag["rest"].endswith("/")
        yield Element(tag["name"], attributes, inner, tag["end"] == "/", tag.span("name"), is_empty)


def _setting(settings: SettingText, span: Span) -> Setting:
    value = settings.text[slice(*span)]
    return settings.setting(span, is_plain="&" not in value and PLACEHOLDER not in value)
