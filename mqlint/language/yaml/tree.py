"""Trees of keys and values with their places: what YAML and JSON files hold.

The nodes are the same for both, so that a reader of manifests or channel tables reads
either. A scalar keeps the way back to the file, so that a document inside it
(MQSC in a ConfigMap) has its own lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal

from mqlint.compact import packed_place, place_of
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import is_known
from mqlint.language.yaml.scalar import YamlText
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

Kind = Literal["empty", "scalar", "mapping", "list"]

VARIABLE = later(r"\$(?:[A-Za-z_]\w*|[({])")
"""Text that a shell, envsubst or Kubernetes replaces."""


class Keys:
    """The keys of a mapping in order, each with its place and value; keys may repeat.

    A file may have 100,000, so a tuple of one is made when it is asked for.
    """

    __slots__ = ("_flat",)

    def __init__(self, pairs: Iterable[tuple[str, Span, Node]] = ()) -> None:
        self._flat: Any = []  # a tuple when it is complete
        for pair in pairs:
            self.append(*pair)

    def append(self, name: str, span: Span, value: Node) -> None:
        self._flat += (name, packed_place(span), value)

    def trim(self) -> None:
        """Free the room for further keys."""
        self._flat = tuple(self._flat)

    def last(self, name: str) -> Node | None:
        """Return the value of the last key with this name, unknown if it may be one of several."""
        names = self.names()
        number = names.count(name)
        if number < 2:
            last: Node | None = self._flat[3 * names.index(name) + 2] if number else None
            return last
        *others, last = self.values_of(name)
        if last.maybe or any(value.maybe for value in others):
            last.known = False
        return last

    def newest(self) -> Node | None:
        """Return the value of the last key so far."""
        newest: Node | None = self._flat[-1] if self._flat else None
        return newest

    def names(self) -> Sequence[str]:
        names: Sequence[str] = self._flat[::3]
        return names

    def values(self) -> Sequence[Node]:
        values: Sequence[Node] = self._flat[2::3]
        return values

    def items(self) -> Iterator[tuple[str, Node]]:
        return zip(self.names(), self.values(), strict=True)

    def values_of(self, name: str) -> Sequence[Node]:
        """Return the values of the keys with this name, in order."""
        if name not in self._flat:
            return ()
        return [value for each, value in self.items() if each == name]

    def __len__(self) -> int:
        return len(self._flat) // 3

    def __iter__(self) -> Iterator[tuple[str, Span, Node]]:
        return zip(self.names(), map(place_of, self._flat[1::3]), self.values(), strict=True)


NO_KEYS: Final = Keys()


class Node:
    """One value.

    `known` is False for a scalar that a tool or a reference decides. `maybe` is true in a branch of
    a template. `open` is true if a mapping or list, or anything in it, may have more entries than
    are written; `whole` if that is only in it. The text of a scalar is built from `file` on demand.

    A file may have 100,000: one slot has what differs by `kind`, and one number both offsets.
    """

    __slots__ = ("_content", "_place", "_text", "column", "kind", "known", "maybe", "open", "whole")

    def __init__(
        self,
        start: int,
        end: int,
        kind: Kind = "empty",
        file: YamlText | None = None,
        column: int = -1,
        known: bool = True,
        maybe: bool = False,
        open: bool = False,
        pairs: Keys = NO_KEYS,
        items: Sequence[Node] = (),
        text: MappedText | None = None,
    ) -> None:
        """Make a scalar of a `file` or a `text`, a mapping of `pairs`, or a list of `items`."""
        self.span = start, end
        self.kind = kind
        self._content: YamlText | Keys | Sequence[Node] = file or pairs or items
        self._text: MappedText | str | None = text
        self.column = column
        self.known = known
        self.maybe = maybe
        self.open = open
        self.whole = False

    @property
    def is_partial(self) -> bool:
        """Whether this value itself may have more entries than are written."""
        return self.open and not self.whole

    @property
    def span(self) -> Span:
        return place_of(self._place)

    @span.setter
    def span(self, span: Span) -> None:
        self._place = packed_place(span)

    @property
    def start(self) -> int:
        return self.span[0]

    @property
    def end(self) -> int:
        return self.span[1]

    @property
    def file(self) -> YamlText | None:
        """The file that a scalar is read from, None for anything else."""
        return self._content if isinstance(self._content, YamlText) else None

    @property
    def pairs(self) -> Keys:
        return self._content if isinstance(self._content, Keys) else NO_KEYS

    @property
    def items(self) -> Sequence[Node]:
        return () if isinstance(self._content, YamlText | Keys) else self._content

    def become(self, kind: Kind, content: YamlText | Keys | Sequence[Node]) -> None:
        """Make an empty value a scalar of a file, a mapping of keys or a list of values."""
        self.kind, self._content = kind, content

    @property
    def mapped(self) -> MappedText | None:
        """The text of a scalar with the way to the file, None for anything else."""
        file = self.file
        if isinstance(self._text, MappedText) or file is None:
            return self._text if isinstance(self._text, MappedText) else None
        mapped = file.scalar(*self.span, self.column)
        if len(mapped.segments) > 1:  # any other takes more memory than time
            self._text = mapped
        return mapped

    @property
    def unfolded(self) -> MappedText | None:
        """The text of a block scalar `>` with its line breaks, None for anything else."""
        return None if self.file is None else self.file.unfolded(*self.span, self.column)

    @property
    def text(self) -> str:
        """The text of a scalar, empty for anything else."""
        text = self._text
        if text is None:
            mapped = self.mapped
            text = mapped.text if mapped is not None else ""
            if self._text is None:
                self._text = text
        return text.text if isinstance(text, MappedText) else text

    @property
    def is_quoted(self) -> bool:
        return self.end - self.start != len(self.text)

    @property
    def value(self) -> str | Unknown:
        """The text of a scalar that is known before anything runs, else UNKNOWN."""
        if not self.known or self.maybe:
            return UNKNOWN
        text = self.text
        return text if is_known(text) and not VARIABLE.search(text) else UNKNOWN

    def get(self, *path: str) -> Node | None:
        """Return the value below a path of keys; the last of several keys counts; None for none.

        A value that may be one of several is marked as unknown.
        """
        node: Node | None = self
        for key in path:
            node = None if node is None else node.child(key)
        return node

    def child(self, key: str) -> Node | None:
        return self._content.last(key) if isinstance(self._content, Keys) else None

    def word(self, *path: str) -> str:
        """Return the text below a path of keys if it is known, else an empty one."""
        node = self.get(*path)
        value = node.value if node is not None else ""
        return value if isinstance(value, str) else ""

    def entries(self, *path: str) -> Sequence[Node]:
        """Return the values of the list below a path of keys, none if there is no list."""
        node = self.get(*path)
        return node.items if node is not None else ()

    def entries_or_value(self, *path: str) -> Sequence[Node]:
        """Return the values of the list below a path of keys, or the one value there, if any."""
        node = self.get(*path)
        return () if node is None else node.items or (node,)

    def taken(self, *path: str) -> Iterator[Node]:
        """Yield the values of the list below a path, and free each when the next is asked for."""
        node = self.get(*path)
        if node is not None and node.items:
            waiting = [*reversed(node.items)]
            node.become("list", ())
            while waiting:
                yield waiting.pop()

    def members(self, *path: str) -> Keys:
        """Return the keys of the mapping below a path, with their places and values, or none."""
        node = self.get(*path)
        return node.pairs if node is not None else NO_KEYS

    def key_span(self, key: str) -> Span:
        """Return the place of a key, this value's own place when it is not here."""
        return next((span for name, span, _ in self.pairs if name == key), self.span)

    def walk(self) -> Iterator[Node]:
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.items))
            waiting.extend(reversed(node.pairs.values()))
