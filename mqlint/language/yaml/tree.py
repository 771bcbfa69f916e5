"""Trees of keys and values with their places: what YAML and JSON files hold.

The nodes are the same for both, so that a reader of manifests or channel tables reads
either. A scalar keeps the way back to the file, so that a document inside it
(MQSC in a ConfigMap) has its own lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from mqlint.dataclass import mutable
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import is_known
from mqlint.language.yaml.scalar import YamlText
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

Kind = Literal["empty", "scalar", "mapping", "list"]

VARIABLE = later(r"\$(?:[A-Za-z_]\w*|[({])")
"""Text that a shell, envsubst or Kubernetes replaces."""


@mutable
class Node:
    """One value.

    `known` is False for a scalar that a tool or a reference decides. `maybe` is true in a branch of
    a template. `open` is true if a mapping or list may have more entries than are written. The text
    of a scalar is built from `file` on demand.
    """

    start: int
    end: int
    kind: Kind = "empty"
    file: YamlText | None = None
    column: int = -1
    known: bool = True
    maybe: bool = False
    open: bool = False
    pairs: Sequence[tuple[str, Span, Node]] = ()
    items: Sequence[Node] = ()
    _mapped: MappedText | None = None
    _text: str | None = None

    @property
    def mapped(self) -> MappedText | None:
        """The text of a scalar with the way to the file, None for anything else."""
        if self._mapped is not None or self.file is None:
            return self._mapped
        mapped = self.file.scalar(self.start, self.end, self.column)
        if len(mapped.segments) > 1:  # any other takes more memory than time
            self._mapped = mapped
        return mapped

    @property
    def unfolded(self) -> MappedText | None:
        """The text of a block scalar `>` with its line breaks, None for anything else."""
        return None if self.file is None else self.file.unfolded(self.start, self.end, self.column)

    @property
    def span(self) -> Span:
        return self.start, self.end

    @property
    def text(self) -> str:
        """The text of a scalar, empty for anything else."""
        if self._text is None:
            mapped = self.mapped
            self._text = mapped.text if mapped is not None else ""
        return self._text

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
        values = [value for name, _, value in self.pairs if name == key]
        if not values:
            return None
        if len(values) > 1 and any(value.maybe for value in values):
            values[-1].known = False
        return values[-1]

    def word(self, *path: str) -> str:
        """Return the text below a path of keys if it is known, else an empty one."""
        node = self.get(*path)
        value = node.value if node is not None else ""
        return value if isinstance(value, str) else ""

    def entries(self, *path: str) -> Sequence[Node]:
        """Return the values of the list below a path of keys, none if there is no list."""
        node = self.get(*path)
        return node.items if node is not None else ()

    def members(self, *path: str) -> Sequence[tuple[str, Span, Node]]:
        """Return the keys of the mapping below a path, with their places and values, or none."""
        node = self.get(*path)
        return node.pairs if node is not None else ()

    def key_span(self, key: str) -> Span:
        """Return the place of a key, this value's own place when it is not here."""
        return next((span for name, span, _ in self.pairs if name == key), self.span)

    def walk(self) -> Iterator[Node]:
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.items))
            waiting.extend(value for _, _, value in reversed(node.pairs))
