"""Elements of XML with their places, read without a parser so that parts of files can be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mqlint.dataclass import frozen
from mqlint.language.client.connection import Setting, SettingText
from mqlint.language.text.templates import (
    PLACEHOLDER,
    with_attribute_placeholders,
)
from mqlint.patterns import later
from mqlint.source.lines import Span

_COMMENT = later(r"<!--(?:[^-]|-(?!->))*+(?:-->)?")
_TAG = later(r"<(/?)([A-Za-z][\w.:-]{0,80})([^<>]*)>[^<>]*")
_END_OF_TEXT = later(r"[^<>]*")
_ATTRIBUTE = later(
    r"(?<![\w.:-])([A-Za-z][\w.:-]{0,80}+)[ \t\r\n]*+=[ \t\r\n]*+(?:\"([^\"]*+)\"|'([^']*+)')"
)


class _Source:
    """A text with elements: as it is, and without comments and templates."""

    __slots__ = ("bare", "settings")

    def __init__(self, text: str) -> None:
        self.settings = SettingText(text)
        bare = with_attribute_placeholders(text)
        self.bare = _COMMENT.sub(lambda found: " " * len(found[0]), bare)

    def setting(self, span: Span) -> Setting:
        value = self.settings.text[slice(*span)]
        return self.settings.setting(span, is_plain="&" not in value and PLACEHOLDER not in value)


@frozen(eq=False)
class Element:
    """An element that opens or ends, with its name at `start`.

    A file may have tens of thousands, so attributes and text are read each time they are asked
    for. `replaced` are the attributes if they are not those of the text.
    """

    name: str
    start: int
    is_end: bool
    is_empty: bool
    source: _Source
    replaced: Mapping[str, Setting] | None = None

    @property
    def span(self) -> Span:
        return self.start, self.start + len(self.name)

    @property
    def attributes(self) -> Mapping[str, Setting]:
        if self.replaced is not None:
            return self.replaced
        attributes: dict[str, Setting] = {}
        source, begin = self.source, self.start + len(self.name)
        for found in _ATTRIBUTE.finditer(source.bare, begin, self._end):
            group = 2 if found[2] is not None else 3
            attributes[found[1]] = source.setting(found.span(group))
        return attributes

    @property
    def text(self) -> Setting:
        """The text after the tag, with its place."""
        bare, begin = self.source.bare, self._end + 1
        end = _END_OF_TEXT.match(bare, begin)
        return self.source.setting((begin, begin if end is None else end.end()))

    @property
    def _end(self) -> int:
        return self.source.bare.index(">", self.start)


def elements_of(text: str) -> Iterator[Element]:
    """The elements in order, without those in comments."""
    source = _Source(text)
    names: dict[str, str] = {}
    for tag in _TAG.finditer(source.bare):
        name = names.setdefault(tag[2], tag[2])
        yield Element(name, tag.start(2), tag[1] == "/", tag[3].endswith("/"), source)
