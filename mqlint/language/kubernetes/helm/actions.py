"""Templates of Go: their texts, actions and blocks.

Source: the package text/template of Go. A minus sign beside a brace removes the blanks around an
action. A block without an end, or an end without a block, is an action that is not understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.dataclass import NamedTuple, mutable
from mqlint.patterns import later
from mqlint.source.lines import Span

_ACTION = later(
    r"\{\{(?P<body>(?:/\*[^*]{0,2000}\*/|\"(?:[^\"\\\n]|\\[^\n]){0,300}+\"|`[^`]{0,300}+`"
    r"|(?!\}\}|/\*)[^\"`]){0,900}+)\}\}"
)
_WORD = later(r"(if|range|with|define|block|else|end)(?![\w.])")
_BRANCH = later(r"else\s+(?:if|with)(?![\w.])")
_BLANKS = " \t\r\n"


class Action(NamedTuple):
    """What is between braces, without them; `outer` has the blanks that it removes too."""

    word: str
    rest: str
    start: int
    end: int
    outer: Span


@mutable
class Branch:
    """What follows `if`, `range`, `with`, `define` or `else` up to the next of these or `end`."""

    action: Action
    nodes: list[Node]


class Block(NamedTuple):
    branches: list[Branch]
    end: Action


Node = Span | Action | Block
"""A stretch of text, an action, or a block."""


def nodes_of(text: str, start: int, end: int) -> list[Node]:
    """Return the nodes of a template, which is a stretch of a text."""
    found: list[Node] = []
    waiting: list[tuple[list[Node], list[Branch]]] = []
    nodes = found
    for piece in _pieces(text, start, end):
        if isinstance(piece, Action) and piece.word:
            if piece.word == "end" and waiting:
                outer, branches = waiting.pop()
                outer.append(Block(branches, piece))
                nodes = outer
                continue
            if piece.word == "else" and waiting:
                waiting[-1][1].append(Branch(piece, []))
                nodes = waiting[-1][1][-1].nodes
                continue
            if piece.word not in ("else", "end"):
                waiting.append((nodes, [Branch(piece, [])]))
                nodes = waiting[-1][1][-1].nodes
                continue
        nodes.append(piece)
    for outer, branches in reversed(waiting):
        for branch in branches:
            outer.append(branch.action)
            outer += branch.nodes
    return found


def _pieces(text: str, start: int, end: int) -> Iterator[Span | Action]:
    at = start
    for found in _ACTION.finditer(text, start, end):
        body, (first, last) = found["body"], found.span()
        left, right = first, last
        if body[:1] == "-" and body[1:2] in _BLANKS:
            left = at + len(text[at:first].rstrip(_BLANKS))
        if body[-1:] == "-" and body[-2:-1] in _BLANKS:
            right = _after_blanks(text, last, end)
        if left > at:
            yield at, left
        inner = body.removeprefix("-").removesuffix("-").strip()
        word = _WORD.match(inner)
        rest = inner[word.end() :].strip() if word is not None else inner
        yield Action(word[1] if word is not None else "", rest, first, last, (max(left, at), right))
        at = right
    if end > at:
        yield at, end


def _after_blanks(text: str, at: int, end: int) -> int:
    blanks = re.compile(r"\s*").match(text, at, end)
    return blanks.end() if blanks is not None else at
