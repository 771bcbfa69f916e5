"""The YAML value of a configuration, kept in the cache: to import yaml takes as long as 80 files.

What is stored is the last text that was read and its value. Errors are not: they are found again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mqlint
from mqlint.config.cache import JsonValue, cached
from mqlint.config.loader import KEYS, read_settings
from mqlint.config.node import Node


def stored_settings(text: str, path: str, folder: Path | None) -> Node:
    """Return what `read_settings` does, from the cache in `folder` if the text is the same."""
    key = "\n".join((mqlint.__version__, *KEYS, text))
    value = cached(folder, "configuration", key, lambda: _row(read_settings(text, path)), list)
    return _node(value, path)


def _row(node: Node) -> JsonValue:
    """A value as a list: its kind, its text, its places, and what is in it."""
    places = (node.line, node.column, node.key_line, node.key_column)
    items = list(map(_row, node.items))
    return [
        node.kind,
        node.raw,
        *places,
        items,
        {key: _row(value) for key, value in node.pairs.items()},
    ]


def _node(row: Any, path: str) -> Node:  # noqa: ANN401 what `_row` makes
    kind, raw, line, column, key_line, key_column, items, pairs = row
    node = Node(kind, raw, path, line, column)
    node.key_line, node.key_column = key_line, key_column
    if kind == "sequence":
        node.items = [_node(item, path) for item in items]
    elif kind == "mapping":
        node.pairs = {key: _node(value, path) for key, value in pairs.items()}
    return node
