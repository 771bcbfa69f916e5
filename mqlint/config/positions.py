"""Where in a configuration file a setting is."""

from __future__ import annotations

from collections.abc import Sequence

from mqlint.config.node import Node


class Positions:
    """Finds the places of settings; a list is searched once, however many of it are asked for."""

    def __init__(self, root: Node) -> None:
        """`root` is the value of the whole file."""
        self._root = root
        self._items: dict[int, dict[str, Node]] = {}

    def of(self, keys: Sequence[str]) -> tuple[int, int, int]:
        """Return line, column and length of what the keys lead to, or of the last that is there.

        A key is that of a mapping, or the text of an item of a list. The first character of the
        file stands for a setting of which nothing is there.
        """
        node, place = self._root, (1, 1, 1)
        for key in keys:
            item = node.pairs.get(key) or self._item(node, key)
            if item is None:
                break
            is_key = key in node.pairs
            line, column = (item.key_line, item.key_column) if is_key else item.position
            node, place = item, (line, column, max(len(key), 1))
        return place

    def _item(self, node: Node, text: str) -> Node | None:
        if id(node) not in self._items:
            self._items[id(node)] = {item.raw: item for item in reversed(node.items)}
        return self._items[id(node)].get(text)
