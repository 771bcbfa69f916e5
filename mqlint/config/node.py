"""A piece of a YAML text that knows where it is and says exactly what is wrong with it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from mqlint.config.errors import ConfigError, choices, nearest, not_among, shortened
from mqlint.patterns import later

Plain = str | int | bool | None | list["Plain"] | dict[str, "Plain"]
"""What `Node.plain` gives: also what JSON holds, less the fractions."""

Kind = Literal["mapping", "sequence", "quoted", "plain"]
"""What was written: a mapping, a list, text in quotes or a block, or a bare word."""

_INTEGER = later(r"-?(?:0|[1-9][0-9]*)\Z")
_LONGEST_INTEGER = 19
_MOST_SHOWN = 60


class Node:
    """One value of a YAML text, with its place.

    Only a bare `true` or `false` is a boolean, only bare decimal digits are an integer; every
    other bare word (NO, ON, Y, ~, 1:30, 2024-01-31, 1.5) is the text that was written.
    """

    __slots__ = (
        "column",
        "items",
        "key_column",
        "key_line",
        "kind",
        "line",
        "pairs",
        "path",
        "raw",
    )

    def __init__(self, kind: Kind, raw: str, path: str, line: int, column: int) -> None:
        """`raw` is a scalar's text; `line` and `column` count from 1."""
        self.kind = kind
        self.raw = raw
        self.path = path
        self.line = line
        self.column = column
        self.key_line = line
        self.key_column = column
        self.items: list[Node] = _NO_ITEMS
        self.pairs: dict[str, Node] = _NO_PAIRS

    @property
    def position(self) -> tuple[int, int]:
        """Line and column of the value, both from 1."""
        return self.line, self.column

    @property
    def is_empty(self) -> bool:
        """True where nothing at all was written, as after `sites:` at the end of a line."""
        return self.kind == "plain" and not self.raw

    def error(self, message: str) -> ConfigError:
        return ConfigError(self.path, self.line, self.column, message)

    def key_error(self, message: str) -> ConfigError:
        return ConfigError(self.path, self.key_line, self.key_column, message)

    def mapping(self) -> dict[str, Node]:
        """Return keys and values in the order written; ConfigError for anything else."""
        if self.kind != "mapping":
            raise self._unexpected("'key: value' pairs")
        return self.pairs

    def get(self, key: str) -> Node | None:
        """Return the value of `key`, or None; ConfigError if this is not a mapping."""
        return self.mapping().get(key)

    def section(self, key: str) -> dict[str, Node]:
        """Return the mapping under `key`, empty without the key; ConfigError for anything else."""
        found = self.get(key)
        return {} if found is None else found.mapping()

    def require(self, key: str) -> Node:
        """Return the value of `key` in this mapping; ConfigError where it is missing."""
        self.require_all((key,))
        return self.mapping()[key]

    def require_all(self, keys: Iterable[str]) -> None:
        """Raise ConfigError if this mapping lacks some of `keys`; it names all that are missing."""
        missing = [key for key in keys if self.get(key) is None]
        if missing:
            noun, verb = ("key", "is") if len(missing) == 1 else ("keys", "are")
            near = next(filter(None, (nearest(key, self.mapping()) for key in missing)), None)
            hint = f"; {_short(near)} may be a typo" if near is not None else ""
            raise self.error(f"the {noun} {', '.join(map(repr, missing))} {verb} missing{hint}")

    def keys_allowed(self, allowed: Collection[str]) -> None:
        """Raise ConfigError at the first key that is not in `allowed`, or if this has no keys."""
        if self.kind != "mapping":
            error = self._unexpected("'key: value' pairs")
            raise self.error(f"{error.message}; allowed keys: {choices(allowed)}")
        for key, value in self.mapping().items():
            if key not in allowed:
                raise value.key_error(f"unknown key {_short(key)}: {not_among(key, allowed)}")

    def sequence(self) -> list[Node]:
        """Return the values of a list; ConfigError for anything else."""
        if self.kind != "sequence":
            hint = "" if self.kind == "mapping" or self.is_empty else ": put [ and ] around it"
            raise self.error(f"expected a list, found {self._found()}{hint}")
        return self.items

    def text(self) -> str:
        """Return any scalar as it was written (9.4 stays '9.4'); ConfigError for the rest."""
        if self.kind in ("mapping", "sequence") or self.is_empty:
            raise self._unexpected("a single value")
        return self.raw

    def string(self) -> str:
        """Return a text; ConfigError for bare numbers and booleans too, which want quotes."""
        if self._is_boolean() or self._is_integer():
            raise self.error(
                f"found {self._found()} but expected text: put it in quotes, '{self.raw}'"
            )
        if self.kind in ("mapping", "sequence") or self.is_empty:
            raise self._unexpected("text")
        return self.raw

    def one_of(self, allowed: Collection[str]) -> str:
        """Return a text that is one of `allowed`; ConfigError with the nearest one otherwise."""
        word = self.text()
        if word not in allowed:
            raise self.error(f"found {_short(word)}: {not_among(word, allowed)}")
        return word

    def strings(self) -> tuple[str, ...]:
        """Return a list of texts; ConfigError at the first that is none."""
        return tuple(item.string() for item in self.sequence())

    def integer(self) -> int:
        """Return a bare whole decimal number; ConfigError otherwise."""
        if not self._is_integer():
            raise self._unexpected("a whole number")
        return int(self.raw)

    def boolean(self) -> bool:
        """Return a bare `true` or `false`; ConfigError otherwise."""
        if not self._is_boolean():
            raise self._unexpected("true or false")
        return self.raw == "true"

    def plain(self) -> Plain:
        """Return the value as plain Python; None if nothing was written."""
        if self.kind == "mapping":
            return {key: value.plain() for key, value in self.pairs.items()}
        if self.kind == "sequence":
            return [item.plain() for item in self.items]
        if self.kind == "plain":
            return self._plain_word()
        return self.raw

    def _plain_word(self) -> Plain:
        if self._is_boolean():
            return self.raw == "true"
        if self._is_integer():
            return int(self.raw)
        return self.raw or None

    def _is_boolean(self) -> bool:
        return self.kind == "plain" and self.raw in ("true", "false")

    def _is_integer(self) -> bool:
        return (
            self.kind == "plain"
            and len(self.raw) <= _LONGEST_INTEGER
            and _INTEGER.match(self.raw) is not None
        )

    def _found(self) -> str:
        if self.kind == "mapping":
            return "'key: value' pairs"
        if self.kind == "sequence":
            return "a list"
        if self.is_empty:
            return "nothing"
        if self._is_boolean():
            return f"the boolean {self.raw}"
        if self._is_integer():
            return f"the number {self.raw}"
        return f"the text {_short(self.raw)}"

    def _unexpected(self, wanted: str) -> ConfigError:
        return self.error(f"expected {wanted}, found {self._found()}")


_NO_ITEMS: list[Node] = []
_NO_PAIRS: dict[str, Node] = {}


def _short(text: str) -> str:
    return repr(shortened(text, _MOST_SHOWN))


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
