"""Where in a configuration file a setting is."""

from __future__ import annotations

from collections.abc import Sequence

from mqlint.config.node import Node


def place_of(root: Node, keys: Sequence[str]) -> tuple[int, int, int]:
    """Return line, column and length of what the keys lead to, or of the last that is there.

    A key is that of a mapping, or the text of an item of a list. The first character of the file
    stands for a setting of which nothing is there.
    """
    node, place = root, (1, 1, 1)
    for key in keys:
        item = next((one for one in node.items if one.raw == key), None)
        if item is not None:
            line, column = item.position
        elif key in node.pairs:
            item = node.pairs[key]
            line, column = item.key_line, item.key_column
        else:
            break
        node, place = item, (line, column, max(len(key), 1))
    return place
