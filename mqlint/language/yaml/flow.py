"""Collections of YAML in brackets, which is also how JSON writes all of them."""

from __future__ import annotations

import re

from mqlint.language.text.mapped import whole
from mqlint.language.text.templates import is_known
from mqlint.language.yaml.scalar import double_quoted, single_quoted
from mqlint.language.yaml.tree import Node, Span
from mqlint.source.budget import Budget

_PLAIN = re.compile(
    r"[^\s,\[\]{}:#][^,\[\]{}\n:#]*+"
    r"(?:(?::(?![\s,\[\]{}])|(?<!\s)#)[^,\[\]{}\n:#]*+)*+"
)


class Flow:
    """One collection in brackets, with all that stands in it."""

    def __init__(self, text: str, covered: str, slot: Node, maybe: bool, budget: Budget) -> None:
        """It becomes the value of `slot`; `maybe` tells that it stands in a branch."""
        self.text = text
        self.budget = budget
        self.covered = covered
        self.maybe = maybe
        self.stack: list[Node] = []
        self.keys: list[tuple[str, Span] | None] = []
        self.slot = slot
        self.deep = 0

    def read(self, at: int) -> int:
        """Read from the opening bracket on."""
        size = len(self.text)
        while at < size:
            sign = self.covered[at]
            if sign in " \t\r\n:":
                at += 1
            elif sign in "{[":
                self._open(at)
                at += 1
            elif sign in "}]":
                at += 1
                if self._close(at):
                    return at
            elif sign == ",":
                self._end_entry(at)
                at += 1
            elif sign == "#":
                found = self.covered.find("\n", at)
                at = size if found < 0 else found
            else:
                at = self._token(at)
        return size

    def _open(self, at: int) -> None:
        if self.deep or not self.budget.enters(len(self.stack)):
            self.deep += 1
            return
        node = self.slot if not self.stack else Node(at, at)
        node.kind = "mapping" if self.covered[at] == "{" else "list"
        node.start = node.end = at
        if self.stack:
            self._attach(node)
        self.stack.append(node)
        self.keys.append(None)

    def _close(self, at: int) -> bool:
        """Close the innermost collection; whether it was the last."""
        if self.deep:
            self.deep -= 1
            return False
        self._end_entry(at)
        self.stack.pop().end = at
        self.keys.pop()
        return not self.stack

    def _end_entry(self, at: int) -> None:
        """A key without a value has none."""
        if not self.deep and self.keys[-1] is not None:
            self._attach(Node(at, at))

    def _token(self, at: int) -> int:
        """Read one scalar: a key or a value."""
        first = self.covered[at]
        if first in "\"'":
            read = double_quoted if first == '"' else single_quoted
            cooked, behind = read(self.text, at, len(self.text))
        else:
            match = _PLAIN.match(self.covered, at)
            stop = match.end() if match is not None else at + 1
            stop = max(at + len(self.covered[at:stop].rstrip()), at + 1)
            cooked, behind = whole(self.text, at, stop), stop
        if self.deep:
            return behind
        node = Node(at, behind, "scalar", cooked, first in "\"'", maybe=self.maybe)
        node.known = is_known(self.covered[at:behind]) and first != "*"
        if self.stack[-1].kind == "mapping" and self.keys[-1] is None:
            self.keys[-1] = (cooked.text, (at, behind))
        else:
            self._attach(node)
        return behind

    def _attach(self, node: Node) -> None:
        parent, key = self.stack[-1], self.keys[-1]
        if parent.kind == "list":
            parent.items.append(node)
        elif key is not None:
            parent.pairs.append((key[0], key[1], node))
            self.keys[-1] = None
