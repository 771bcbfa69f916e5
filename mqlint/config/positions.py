"""Where in a configuration file a setting is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mqlint.config.node import Node


class Positions:
    """Finds the places of settings; a list is searched once, however many of it are asked for."""

    def __init__(self, root: Node, names: Mapping[str, str] | None = None) -> None:
        """`root` is the value of the whole file, `names` has the files it extends by their paths.

        A name is what reports call such a file.
        """
        self._root = root
        self._names = names or {}
        self._items: dict[int, dict[str, Node]] = {}

    def of(self, keys: Sequence[str]) -> tuple[int, int, int]:
        """Return line, column and length of what the keys lead to, or of the last that is there.

        A key is that of a mapping, or the text of an item of a list. The first character of the
        file stands for a setting of which nothing is there.
        """
        place = (1, 1, 1)
        for item, key, is_key in self._way(keys):
            line, column = (item.key_line, item.key_column) if is_key else item.position
            place = (line, column, max(len(key), 1))
        return place

    def file_of(self, keys: Sequence[str]) -> str | None:
        """Return the name of the file that has a setting, None for the configuration itself."""
        way = list(self._way(keys))
        return self._names.get(way[-1][0].path) if way else None

    def _way(self, keys: Sequence[str]) -> Iterator[tuple[Node, str, bool]]:
        """What the keys lead to, one after the other, and whether it is the value of a key."""
        node = self._root
        for key in keys:
            item = node.pairs.get(key) or self._item(node, key)
            if item is None:
                break
            yield item, key, key in node.pairs
            node = item

    def _item(self, node: Node, text: str) -> Node | None:
        if id(node) not in self._items:
            self._items[id(node)] = {item.raw: item for item in reversed(node.items)}
        return self._items[id(node)].get(text)
