"""The one strict YAML reader: a small, safe part of YAML 1.1 read into `Node`s.

Refused, each with its place: anchors, aliases and merge keys (a short text could become an endless
one), tags, several documents, keys given twice, keys of several words, deep nesting. The
tree is built from the parser's events, which cost half of what `yaml.compose` does and are the only
ones that say where an alias is.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NoReturn

import yaml

from mqlint.config.errors import ConfigError, choices, nearest
from mqlint.config.node import Kind, Node

__all__ = ["ConfigError", "Node", "read_kind", "read_yaml"]

_Loader = type["yaml.CSafeLoader | yaml.SafeLoader"]
LOADER: _Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
TOO_DEEP = "maximum nesting depth"
"""Words of the error of libyaml if its own limit of nesting is exceeded."""
DEEPEST = 64
"""How many mappings and lists may be in each other."""

# What libyaml and PyYAML say, and what an administrator has to do about it.
_EXPLAINED = (
    (
        "mapping values are not allowed",
        "a second ': ' on this line, or the indentation is off: put the text in quotes",
    ),
    (
        "node content",
        "a list or mapping opened with [ or { is not closed, or a value is missing",
    ),
    ("expected ',' or", "a list or mapping opened with [ or { is not closed, or lacks a comma"),
    ("end of stream", "text in quotes is not closed"),
    (
        "alphabetic or numeric character",
        "text that starts with * or & must be put in quotes",
    ),
    ("could not find expected ':'", "a line with neither ': ' nor '- ', or off its indentation"),
    ("did not find expected key", "a key is expected here: is the indentation the same as above?"),
    ("expected <block end>", "a key is expected here: is the indentation the same as above?"),
)


def read_yaml(text: str, path: str) -> Node:
    """Return the value that the YAML `text` holds; an empty text gives an empty node.

    `path` is only for messages. Raises ConfigError, and nothing else, for any text.
    """
    try:
        return _built(text, path)
    except yaml.MarkedYAMLError as error:
        raise _marked_error(error, text, path) from None
    except (yaml.YAMLError, ValueError, OverflowError):
        # A character that YAML forbids, or (PyYAML without libyaml) an escape beyond Unicode.
        raise _character_error(text, path) from None


def _built(text: str, path: str) -> Node:
    try:
        return _Builder(text, path, LOADER).build()
    except yaml.MarkedYAMLError as error:
        if TOO_DEEP not in (error.problem or ""):
            raise
    # libyaml from 0.2.6 on scans ahead of its events: the place is only known without it.
    return _Builder(text, path, yaml.SafeLoader).build()


def read_kind(text: str, path: str, keys: Collection[str]) -> Node:
    """Return the value of a YAML text that is expected to have some of the top-level `keys`.

    Raises ConfigError as `read_yaml` does. Of a text of another kind the error quotes nothing: a
    stranger's configuration may name any file of the checkout, also one that holds a password. A
    text is of the kind when one of its keys is among `keys`, or the first resembles one.
    """
    try:
        root = read_yaml(text, path)
    except ConfigError as error:
        if any(re.search(rf"^{key}[ \t]*:", text, re.MULTILINE) for key in keys):
            raise
        raise ConfigError(path, error.line, error.column, f"not valid YAML{_no(keys)}") from None
    if root.is_empty or root.kind == "sequence":
        return root
    if root.kind != "mapping":
        raise root.error(f"expected 'key: value' pairs{_no(keys)}")
    first = next(iter(root.pairs), None)  # the first that is not known is what an error quotes
    if first is not None and root.pairs.keys().isdisjoint(keys) and nearest(first, keys) is None:
        raise root.error(f"no known key{_no(keys)}")
    return root


def _no(keys: Collection[str]) -> str:
    return f": the file has none of the keys {choices(keys)}"


_Decorated = yaml.ScalarEvent | yaml.CollectionStartEvent


class _Builder:
    """Turns one stream of parser events into a tree, without recursion."""

    def __init__(self, text: str, path: str, loader: _Loader) -> None:
        self.path = path
        self.root: Node | None = None
        self.stack: list[Node] = []
        self.keys: list[Node | None] = []
        self.loader = loader(text)

    def build(self) -> Node:
        next_event = self.loader.get_event
        while True:
            event = next_event()
            if isinstance(event, yaml.ScalarEvent):
                self._scalar(event)
            elif isinstance(event, yaml.MappingStartEvent):
                self._open(event, "mapping")
            elif isinstance(event, yaml.SequenceStartEvent):
                self._open(event, "sequence")
            elif isinstance(event, yaml.CollectionEndEvent):
                self.stack.pop()
                self.keys.pop()
            elif isinstance(event, yaml.AliasEvent):
                self._refuse(
                    event,
                    f"the alias *{event.anchor} is not supported: write the value out, "
                    "or put text that starts with * in quotes",
                )
            elif isinstance(event, yaml.DocumentStartEvent):
                self._document(event)
            elif isinstance(event, yaml.StreamEndEvent):
                return self.root or Node("plain", "", self.path, 1, 1)

    def _document(self, event: yaml.DocumentStartEvent) -> None:
        if self.root is not None:
            self._refuse(event, "a second document starts here: a file can have only one")
        if event.tags:
            self._refuse(event, "%TAG is not supported")

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        if event.anchor is not None or event.tag is not None:
            self._refuse_decoration(event)
        kind: Kind = "quoted" if event.style else "plain"
        node = Node(kind, event.value, self.path, *_place(event))
        if self._wants_key():
            self._key(node)
        else:
            self._add(node)

    def _open(self, event: yaml.CollectionStartEvent, kind: Kind) -> None:
        if event.anchor is not None or event.tag is not None:
            self._refuse_decoration(event)
        if len(self.stack) >= DEEPEST:
            self._refuse(event, f"nested more than {DEEPEST} levels deep")
        if self._wants_key():
            self._refuse(event, "a key must be a single word; put text with [ or { in quotes")
        node = Node(kind, "", self.path, *_place(event))
        if kind == "mapping":
            node.pairs = {}
        else:
            node.items = []
        self._add(node)
        self.stack.append(node)
        self.keys.append(None)

    def _wants_key(self) -> bool:
        return bool(self.stack) and self.stack[-1].kind == "mapping" and self.keys[-1] is None

    def _key(self, key: Node) -> None:
        first = self.stack[-1].pairs.get(key.raw)
        if first is not None:
            raise key.error(f"the key {key.raw!r} is repeated, first in line {first.key_line}")
        if key.raw == "<<" and key.kind == "plain":
            raise key.error("the merge key << is not supported: write the keys out")
        if key.is_empty:
            raise key.error("a key is missing before ':'")
        self.keys[-1] = key

    def _add(self, node: Node) -> None:
        if not self.stack:
            self.root = node
            return
        parent = self.stack[-1]
        if parent.kind == "sequence":
            parent.items.append(node)
            return
        key = self.keys[-1]
        if key is not None:
            node.key_line, node.key_column = key.line, key.column
            parent.pairs[key.raw] = node
            self.keys[-1] = None

    def _refuse_decoration(self, event: _Decorated) -> NoReturn:
        if event.anchor is not None:
            self._refuse(
                event,
                f"the anchor &{event.anchor} is not supported: write the value out "
                "where it is needed, or put text that starts with & in quotes",
            )
        self._refuse(
            event,
            f"the tag {event.tag} is not supported; put text that starts with ! in quotes",
        )

    def _refuse(self, event: yaml.Event, message: str) -> NoReturn:
        raise ConfigError(self.path, *_place(event), message)


def _place(event: yaml.Event) -> tuple[int, int]:
    """Return the line and column, from 1, where an event starts; parsers always say it."""
    mark = event.start_mark
    return (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)


def _marked_error(error: yaml.MarkedYAMLError, text: str, path: str) -> ConfigError:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    problem = error.problem or error.context or "it cannot be read"
    if mark and text[mark.index : mark.index + 1] == "\t":
        problem = "a tab is used here: indent with blanks"
    elif mark and text[mark.index : mark.index + 1] in ("@", "`", "%"):
        problem = f"text that starts with {text[mark.index]} must be put in quotes"
    else:
        problem = next((advice for part, advice in _EXPLAINED if part in problem), problem)
        opened = error.context_mark
        if (
            opened
            and opened.line < line - 1
            and text[opened.index : opened.index + 1] in ("[", "{")
        ):
            problem += f" (opened in line {opened.line + 1})"
    return ConfigError(path, line, column, f"not valid YAML: {problem}")


def _character_error(text: str, path: str) -> ConfigError:
    at = next((at for at, char in enumerate(text) if not _allowed(char)), None)
    if at is None:
        return ConfigError(path, 1, 1, "not valid YAML: an escape (\\U...) is not a character")
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    return ConfigError(path, line, column, f"the character U+{ord(text[at]):04X} is not allowed")


def _allowed(char: str) -> bool:
    """Return whether YAML 1.1 (section 5.1) allows `char` in a text."""
    code = ord(char)
    if code < 0x20:
        return char in "\t\n\r"
    if code < 0xA0:
        return code < 0x7F or code == 0x85
    return code < 0xD800 or 0xDFFF < code < 0xFFFE or code > 0xFFFF
