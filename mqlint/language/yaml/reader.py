"""YAML and JSON as people keep them in repositories: several documents, templates, half a file.

`mqlint.config.reader` reads mqlint's own YAML and refuses what is doubtful. Here the file is
somebody else's: what cannot be read is left out, and the rest is read. Templates are unknown
values, lines of nothing but a template may add anything. No anchor is followed: what an alias
stands for is unknown. Time is linear in the text, and nesting is bounded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mqlint.language.text.mapped import CookedBuilder, whole
from mqlint.language.text.templates import COVER, cover, is_known
from mqlint.language.yaml.flow import Flow
from mqlint.language.yaml.scalar import block_scalar, double_quoted, plain_end, single_quoted
from mqlint.language.yaml.tree import Node, Span
from mqlint.source.budget import Budget

_KEY = re.compile(r"(?P<key>[^\s\"'\[\]{},#&*!|>%@`-][^\n]*?|-[^\s][^\n]*?)[ \t]*:(?=[ \t\r]|$)")
_PROPERTY = re.compile(r"[&!][^\s,\[\]{}]*(?:[ \t]+|(?=[\r\n]|$))")
_BLOCK = re.compile(r"[|>][-+0-9]{0,2}[ \t]*(?:#[^\n]*)?\r?$")
_BEGIN = re.compile(r"\{\{-?\s*(?:if|range|with|define|block)\b|\{%-?\s*(?:if|for|macro)\b")
_END = re.compile(r"\{\{-?\s*end\b|\{%-?\s*end\w*")


@dataclass(slots=True)
class _Open:
    """A collection that is being filled, and the column at which its entries begin."""

    column: int
    node: Node
    slot: Node | None = None

    def lists_at(self, column: int) -> bool:
        """Whether this is a list whose entries begin at a column."""
        return self.column == column and self.node.kind == "list"


class _Reader:
    """One pass over the lines of a file."""

    def __init__(self, text: str, budget: Budget) -> None:
        self.text = text
        self.budget = budget
        self.covered = cover(text)
        self.documents: list[Node] = []
        self.stack: list[_Open] = []
        self.root: Node | None = None
        self.branches = 0
        self.going: tuple[Node, CookedBuilder] | None = None

    def read(self) -> list[Node]:
        """Read every line; return the documents that hold something."""
        at, size = 0, len(self.text)
        while at < size:
            end = self._end_of_line(at)
            at = self._line(at, end)
        self._settle()
        return [document for document in self.documents if document.kind != "empty"]

    def _end_of_line(self, at: int) -> int:
        found = self.covered.find("\n", at)
        return len(self.covered) if found < 0 else found

    def _line(self, at: int, end: int) -> int:
        """Read the line from `at`; return where the next one begins."""
        body = self.covered[at:end]
        bare = body.strip(" \t\r")
        if not bare or bare[0] == "#":
            return end + 1
        if body.startswith(("---", "...")) and body[3:4] in ("", " ", "\t", "\r"):
            self.root, self.branches = None, 0
            self.stack.clear()
            rest = body[3:].lstrip(" \t")
            begin = end - len(rest)
            return self._content(begin, begin - at, end) if rest.strip("\r") else end + 1
        if body[0] == "%" and self.root is None:
            return end + 1
        if not bare.strip(COVER + "- \t"):
            self._statement(at, end)
            return end + 1
        column = len(body) - len(body.lstrip(" \t"))
        return self._content(at + column, column, end)

    def _statement(self, at: int, end: int) -> None:
        """A line of nothing but templates: it may add anything, or begin or end a branch."""
        line = self.text[at:end]
        self.branches += len(_BEGIN.findall(line)) - len(_END.findall(line))
        self.branches = max(self.branches, 0)
        for one in self.stack:
            one.node.open = True

    # -- block collections -----------------------------------------------------------------

    def _content(self, at: int, column: int, end: int) -> int:
        """Read what begins at a column: entries of collections, then a value."""
        if self.root is None:
            self.root = Node(at, at)
            self.documents.append(self.root)
        while True:
            dash = self._is_dash(at)
            key = None if dash else self._key(at, end)
            slot = self._slot(column, dash, key is not None)
            if slot is None or not self.budget.enters(len(self.stack) - 1):
                return end + 1
            if not dash and key is None:
                return self._scalar(slot, at, end, column - 1)
            top = self._collection(slot, column, dash, at)
            if dash:
                value = Node(at, at, maybe=self.branches > 0)
                top.node.items.append(value)
                top.slot = value
                begin = at + 1
                begin += len(self.covered[begin:end]) - len(self.covered[begin:end].lstrip(" \t"))
                if not self._is_something(begin, end):
                    return end + 1
                if self.covered[begin] in "|>\"'{[*&!" and self._key(begin, end) is None:
                    return self._value(value, begin, end, column)
                column += begin - at
                at = begin
                continue
            if key is None:
                return end + 1
            name, span, behind = key
            value = Node(behind, behind, maybe=self.branches > 0)
            top.node.pairs.append((name, span, value))
            top.slot = value
            return self._value(value, behind, end, column)

    def _is_dash(self, at: int) -> bool:
        """Whether an entry of a list begins."""
        behind = self.covered[at + 1 : at + 2]
        return self.covered[at] == "-" and (not behind or behind in " \t\r\n")

    def _is_something(self, at: int, end: int) -> bool:
        rest = self.covered[at:end].strip(" \t\r")
        return bool(rest) and rest[0] != "#"

    def _slot(self, column: int, dash: bool, keyed: bool) -> Node | None:
        """Close what ended before `column`; return the place of what begins there, if any."""
        while self.stack and self.stack[-1].column > column:
            self.stack.pop()
        while not dash and self.stack and self.stack[-1].lists_at(column):
            self.stack.pop()
        if not self.stack:
            return self.root
        top = self.stack[-1]
        if top.column == column and (top.node.kind == "list") == dash and (dash or keyed):
            return top.node
        return top.slot

    def _collection(self, slot: Node, column: int, dash: bool, at: int) -> _Open:
        """Return the open collection that is at `column`, a new one when there is none."""
        kind = "list" if dash else "mapping"
        if self.stack and self.stack[-1].node is slot:
            return self.stack[-1]
        if slot.kind == "empty":
            slot.kind, slot.start, slot.end = ("list" if dash else "mapping"), at, at
        elif slot.kind != kind:
            slot = Node(at, at, kind="list" if dash else "mapping")  # misplaced: read, and dropped
        opened = _Open(column, slot)
        self.stack.append(opened)
        return opened

    def _key(self, at: int, end: int) -> tuple[str, Span, int] | None:
        """Return a key that stands at `at`, its place and where its value may begin."""
        quote = self.covered[at]
        if quote in "\"'":
            read = double_quoted if quote == '"' else single_quoted
            cooked, behind = read(self.text, at, end)
            colon = self.covered[behind:end].lstrip(" \t")
            if not colon.startswith(":") or colon[1:2] not in ("", " ", "\t", "\r"):
                return None
            return cooked.text, (at, behind), end - len(colon) + 1
        match = _KEY.match(self.covered, at, end)
        if match is None or " #" in match["key"]:
            return None
        span = match.span("key")
        return self.text[span[0] : span[1]], span, match.end()

    # -- values ----------------------------------------------------------------------------

    def _value(self, slot: Node, at: int, end: int, column: int) -> int:
        """Read the value behind a key or a dash; return where the next line begins."""
        while True:
            rest = self.covered[at:end]
            at += len(rest) - len(rest.lstrip(" \t"))
            match = _PROPERTY.match(self.covered, at, end)
            if match is None or match.end() == at:
                break
            at = match.end()
        if not self._is_something(at, end):
            return end + 1
        return self._scalar(slot, at, end, column)

    def _scalar(self, slot: Node, at: int, end: int, column: int) -> int:
        """Read a scalar or a flow collection; `column` is that of the collection it is in."""
        if slot.kind != "empty":
            return self._goes_on(slot, at, end)
        slot.start = at
        first = self.covered[at]
        if first in "|>" and _BLOCK.match(self.covered, at, end):
            slot.kind = "scalar"
            slot.cooked, behind = block_scalar(self.text, at, end, column)
            slot.end = max(behind - 1, at + 1)
            return behind
        if first in "{[":
            return self._end_of_line(self._flow(slot, at)) + 1
        slot.kind = "scalar"
        if first in "\"'":
            read = double_quoted if first == '"' else single_quoted
            slot.cooked, behind = read(self.text, at, len(self.text))
            slot.quoted, slot.end = True, behind
            slot.known = is_known(self.covered[at:behind])
            return self._end_of_line(behind) + 1
        stop = plain_end(self.covered, at, end)
        slot.cooked, slot.end = whole(self.text, at, stop), stop
        slot.known = is_known(self.covered[at:stop]) and first != "*"
        return end + 1

    def _goes_on(self, slot: Node, at: int, end: int) -> int:
        """A plain text may go on in deeper lines; anything else is not where it belongs."""
        if slot.kind == "scalar" and not slot.quoted and slot.cooked is not None:
            if self.going is None or self.going[0] is not slot:
                self._settle()
                self.going = (slot, CookedBuilder())
                self.going[1].add_cooked(slot.cooked)
            builder = self.going[1]
            stop = plain_end(self.covered, at, end)
            builder.add(" ", slot.end, 0)
            builder.add(self.text[at:stop], at)
            slot.end = stop
            slot.known = slot.known and is_known(self.covered[at:stop])
        return end + 1

    def _settle(self) -> None:
        """Give a plain text of several lines to its value."""
        if self.going is not None:
            slot, builder = self.going
            slot.cooked = builder.finish(slot.end)
            self.going = None

    # -- flow collections ------------------------------------------------------------------

    def _flow(self, slot: Node, at: int) -> int:
        """Read `{...}` or `[...]`, over as many lines as it takes; return where it ends."""
        return Flow(self.text, self.covered, slot, self.branches > 0, self.budget).read(at)


def read_documents(text: str, budget: Budget | None = None) -> list[Node]:
    """Return the documents of a YAML or JSON text; for any text at all, without an error."""
    return _Reader(text, budget or Budget(len(text))).read()
