"""Lists and mappings that a program has as literals, whatever its language.

    declare -A QM=( [prod]=ORDQM1 [dr]=ORDQM2 )
    $sites = @{ prod = @{ Qm = 'ORDQM1' }; dr = @{ Qm = 'ORDQM2' } }
    SITES = [{"site": "prod", "qm": "ORDQM1"}, ("dr", "ORDQM2")]

Brackets of all kinds hold entries, and a key is before `=`, `:` or `=>`, or in brackets of its own.
What is not a plain text is unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from mqlint.dataclass import mutable
from mqlint.number import is_digits
from mqlint.patterns import later

Literal = Any
"""A text, a list or a mapping; None if it is not known."""

_ASSIGNED = later(
    r"(?m)^[ \t]*+(?:(?:declare|typeset|local|readonly|export|def|my|our|const|let|var|final)"
    r"[ \t]++(?:-\w{1,5}[ \t]++)?)?[$@%]?(?P<name>[A-Za-z_]\w{0,80}+)[ \t]*+="
    r"[ \t]*+(?:\[\w{1,40}\])?"
    r"(?=@?[\[({])"
)
_ELEMENT = later(
    r"(?m)(?:^|;)[ \t]*+\$?(?P<name>[A-Za-z_]\w{0,80}+)\[[\"']?(?P<key>[\w.-]{1,80})[\"']?\]"
    r"[ \t]*+=[ \t]*+(?:\"(?P<double>[^\"\n]{0,200})\"|'(?P<single>[^'\n]{0,200})'"
    r"|(?P<bare>[\w./:()-]{0,200}))[ \t]*+(?=[;#\r\n]|\Z)"
)
_TOKEN = later(
    r"(?P<blank>\s++|(?:\#|//)[^\n]*+)|(?P<open>@?[\[({])|(?P<close>[\])}])|(?P<end>[,;])"
    r"|(?P<key>=>|[:=])|(?:[fFrRbBuU]{1,2}(?=[\"']))?(?:\"(?P<double>(?:[^\"\\\n]|\\.)*+)\""
    r"|'(?P<single>(?:[^'\\\n]|\\.)*+)')|(?P<word>[\w./@*-]++)|(?P<other>.)"
)
_FIXED = later(
    r"(?m)^(?:(?:export|readonly)[ \t]++)?\$?(?P<name>[A-Za-z_]\w{0,80}+)[ \t]*+="
    r"[ \t]*+[\"']?(?P<value>[\w-]{1,80})[\"']?[ \t]*+;?[ \t]*+(?:#[^\n]*+)?\r?$"
)
"""A variable that is set at the margin, thus not in a branch."""
_CHANGED = later(
    r"(?<![\w.-])(?:(?P<name>\w{1,80}+)\}?[ \t]*+[:?+]?=(?!=)"
    r"|(?:read|for|foreach|getopts|unset|printf[ \t]++-v)\b(?P<names>[^\n;|]{1,200}+))"
)
_NAME = later(r"\w{1,80}+")
_LONGEST = 20_000
"""Limit of the characters of a literal."""
_DEEPEST = 8
_MOST = 200
"""Limit of the literals of a text."""


@mutable
class _Container:
    """An open bracket: its entries, and the one that is being read. `is_call`: it is not a literal.

    `is_pending`: the last value may be a key, or a part of an expression if `is_open`. `is_name`:
    it is a word without quotes, which only a shell takes as a text.
    """

    is_call: bool
    items: list[Literal]
    named: dict[str, Literal]
    value: Literal = None
    key: str | None = None
    is_pending: bool = False
    is_open: bool = False
    is_name: bool = False

    def take(self, value: Literal, *, is_name: bool = False) -> None:
        """Begin an entry with a value, or go on with an expression, which is unknown."""
        if self.is_pending and not self.is_open:
            self.finish()
        self.value = None if self.is_open else value
        self.is_pending, self.is_name = True, is_name

    def spoil(self) -> None:
        self.value, self.is_pending, self.is_open = None, True, True

    def name(self) -> None:
        """Take the last value as a key: `qm:` or `[qm]=`."""
        value = self.value
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if self.is_pending and self.key is None and isinstance(value, str):
            self.key, self.value, self.is_pending = value, None, False
        elif self.is_pending:
            self.spoil()

    def finish(self) -> None:
        value = None if self.is_name else self.value
        if self.key is not None:
            self.named[self.key] = value
        elif self.is_pending:
            self.items.append(value)
        self.value, self.key, self.is_pending, self.is_open = None, None, False, False

    def literal(self) -> Literal:
        self.finish()
        return None if self.is_call else self.named or self.items


def literals_in(text: str) -> dict[str, Literal]:
    """Return the lists and mappings that a text sets, by name; one set twice is unknown."""
    found: dict[str, Literal] = {}
    at = 0
    for _ in range(_MOST):
        head = _ASSIGNED.search(text, at)
        if head is None:
            break
        value, end = _read(text, head.end())
        at = max(end, head.end() + 1)
        found[head["name"]] = value if head["name"] not in found else None
    for name, key, value in _elements(text):
        table = found.setdefault(name, {})
        if isinstance(table, dict):
            table[key] = value if key not in table else None
    return found


def fixed_in(text: str) -> dict[str, str]:
    """Return the variables that a text sets once, to a plain text, and without a condition."""
    fixed = {found["name"]: found["value"] for found in _FIXED.finditer(text)}
    changes = (
        name
        for found in (_CHANGED.finditer(text) if fixed else ())
        for name in ([found["name"]] if found["name"] else _NAME.findall(found["names"]))
    )
    counts = Counter(changes)
    return {name: value for name, value in fixed.items() if counts[name] == 1}


def _elements(text: str) -> Iterator[tuple[str, str, Literal]]:
    """Yield what a text sets for one key each: `QM[prod]=ORDQM1`."""
    for found in _ELEMENT.finditer(text):
        yield found["name"], found["key"], found["double"] or found["single"] or found["bare"]


def _read(text: str, start: int) -> tuple[Literal, int]:
    """Return the literal at an offset and its end; None if it does not end."""
    opened: list[_Container] = [_Container(False, [], {})]
    is_shell = text[start - 1 : start + 1] == "=("
    end = start
    for token in _TOKEN.finditer(text, start, start + _LONGEST):
        container = opened[-1]
        if token["open"] is not None:
            _drop_type(container, token["open"])
            is_call = container.is_pending and token.start() == end and token["open"] == "("
            opened.append(_Container(is_call or len(opened) > _DEEPEST, [], {}))
        elif token["close"] is not None:
            closed = opened.pop()
            if len(opened) == 1:
                return closed.literal(), token.end()
            if closed.is_call:
                opened[-1].spoil()
            else:
                opened[-1].take(closed.literal())
        elif token["end"] is not None:
            container.finish()
        elif token["key"] is not None:
            container.name()
        elif token["other"] is not None:
            container.spoil()
        elif token["blank"] is None:
            word = token["word"] or ""
            is_name = bool(word) and not is_shell and not is_digits(word)
            container.take(token["double"] or token["single"] or word, is_name=is_name)
        end = token.end()
    return None, end


def _drop_type(container: _Container, opening: str) -> None:
    """Omit the type before a mapping of PowerShell: `[PSCustomObject]@{`."""
    value = container.value
    if opening == "@{" and container.is_pending and isinstance(value, list) and len(value) == 1:
        container.is_pending, container.value = False, None


def entries(node: Literal) -> Iterable[tuple[str, Literal]]:
    """Return the entries of a list or mapping with their keys, none for any other value."""
    if isinstance(node, dict):
        return node.items()
    return ((str(at), item) for at, item in enumerate(node)) if isinstance(node, list) else ()
