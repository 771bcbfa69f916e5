"""Elements of XML with their places, read without a parser so that parts of files can be read."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter

from mqlint.dataclass import mutable
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


@mutable(eq=False)
class Element:
    """An element with its name at `start`, its content up to `stop`, and the one around it.

    A file may have tens of thousands, so attributes and text are read each time they are asked
    for. `replaced` are the attributes if they are not those of the text.
    """

    name: str
    start: int
    stop: int
    source: _Source
    parent: Element | None
    replaced: Mapping[str, Setting] | None = None

    @property
    def local_name(self) -> str:
        """The name without the prefix of its name space."""
        return self.name.rpartition(":")[2]

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


def elements_of(text: str) -> list[Element]:
    """Return the elements by their beginnings, without those in comments.

    One without an end goes on to that of the element around it. An end without a beginning is left
    out, as in a part of a file.
    """
    source = _Source(text)
    names: dict[str, str] = {}
    found: list[Element] = []
    around: list[Element] = []
    open_names = Counter[str]()
    for tag in _TAG.finditer(source.bare):
        name = names.setdefault(tag[2], tag[2])
        if not tag[1]:
            is_empty = tag[3].endswith("/")
            stop, parent = tag.end(2) if is_empty else len(text), around[-1] if around else None
            found.append(Element(name, tag.start(2), stop, source, parent))
            around += [] if is_empty else found[-1:]
            open_names[name] += not is_empty
        while tag[1] and open_names[name]:
            last = around.pop()
            last.stop = tag.start()
            open_names[last.name] -= 1
            if last.name == name:
                break
    return found


def parts(
    elements: Sequence[Element], is_wanted: Callable[[Element], bool]
) -> Iterator[tuple[Element, Sequence[Element]]]:
    """Yield the elements that are wanted and in no other such one, each with all inside it."""
    end = 0
    for at, element in enumerate(elements):
        if at >= end and is_wanted(element):
            end = bisect_left(elements, element.stop, at + 1, key=_START)
            yield element, elements[at + 1 : end]


_START = attrgetter("start")
