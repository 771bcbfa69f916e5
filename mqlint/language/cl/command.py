"""One command of CL: its name, its parameters, and the values in them.

    AGAIN: ENDMQM MQMNAME('Orders') OPTION(*WAIT) ENDCCTJOB(*YES)
    SAV    DEV('/QSYS.LIB/MQSAVE.LIB/Q.FILE') OBJ(('/QIBM/UserData/mqm/qmgrs/ORDERS'))
    IF     COND(&RC *NE 0) THEN(GOTO CMDLBL(ERROR))

A keyword and its parenthesis stand together; what stands alone is a value by its position. What a
keyword means, and which takes a command as its value, is the vocabulary's to say. Lines, comments
and continuation are undone before: `mqlint.language.cl.source`.

A value is unknown if a variable, an expression or a template decides it. What is not in apostrophes
is folded to capitals, as the system does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from sys import intern

from mqlint.dataclass import NamedTuple, frozen
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import is_known
from mqlint.language.text.variables import Variables
from mqlint.patterns import later
from mqlint.source.lines import Span
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

Text = str | Unknown

LONGEST = 32_702
"""Limit of the system for the characters of one command."""

_LISTS = 4
"""How deep lists in lists are read: commands of the system have three levels."""
_OPERATORS = frozenset({"*CAT", "*BCAT", "*TCAT", "||", "|>", "|<"})
_BARE = later(r"\s*([A-Za-z]\w{0,9})\s*")
_ONE_WORD = later(r"\s*([^\s()'&%|]+)\s*")
"""A command without parameters, and a value that is one word: they need no grammar."""
_TOKEN = later(
    r"\s*(?:(?P<label>[A-Za-z$#@][\w$#@.]*:(?=\s|$))"
    r"|(?P<keyword>(?:\?[?*!&/<%-]{0,2})?[A-Za-z$#@][\w$#@.]*\()|(?P<list>\()|(?P<close>\))"
    r"|(?P<string>'(?:[^']|'')*+')|(?P<word>[^\s()']+))"
)
_VARIABLE = later(r"&[A-Za-z$#@][\w$#@]*")


@frozen
class ClArgument:
    """One parameter, or a value by its position (`key` is blank then).

    `source` is the text in its parentheses, or the value itself. `span` is the place of all of it,
    and `begin` its offset in the text of its command. A bare value has no parentheses.
    """

    key: str
    source: MappedText
    span: Span
    begin: int
    bare: bool = False


@frozen
class ClCommand:
    """One command; `name` has no library.

    `labels` have no colons. `prompted` is true if the person who runs it is asked for values first.
    """

    name: str
    name_span: Span
    arguments: tuple[ClArgument, ...]
    source: MappedText
    labels: tuple[str, ...] = ()
    prompted: bool = False

    @property
    def span(self) -> Span:
        return self.name_span[0], _end(self.source, len(self.source.text.rstrip()))

    def argument(self, key: str, positions: Sequence[str] = ()) -> ClArgument | None:
        """Return the parameter `key`, by its keyword or its place among `positions`."""
        by_key = next((argument for argument in self.arguments if argument.key == key), None)
        if by_key is not None or key not in positions:
            return by_key
        place = positions.index(key)
        plain = [argument for argument in self.arguments if not argument.key]
        return plain[place] if place < len(plain) else None


class _Item(NamedTuple):
    """A label, a keyword with its values, a list, a string or a word that no parentheses enclose.

    What looks like a label is a word after the name of the command. `begin` and `end` are its
    place; `text` is its first token: a keyword's has the parenthesis.
    """

    kind: str
    text: str
    begin: int
    end: int


def _items(source: MappedText) -> list[_Item] | None:
    """Return what no parentheses enclose; None if the text is neither a command nor values."""
    text = source.text.rstrip()
    if len(source.text) > LONGEST:
        return None
    items: list[_Item] = []
    opened: re.Match[str] | None = None
    depth = at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            return None
        at, kind = token.end(), token.lastgroup
        if kind in ("keyword", "list"):
            opened = opened if depth else token
            depth += 1
        elif kind == "close":
            depth -= 1
            if depth < 0:
                return None
        if depth == 0:
            first = opened or token
            items.append(_item(first, at))
            opened = None
    return None if depth else items


def _item(first: re.Match[str], end: int) -> _Item:
    kind = first.lastgroup or ""
    return _Item(kind, first[kind], first.start(kind), end)


def parse_command(source: MappedText) -> ClCommand | None:
    bare = _BARE.fullmatch(source.text)
    if bare is not None:
        place = (source.host(bare.start(1)), _end(source, bare.end(1)))
        return ClCommand(intern(bare[1].upper()), place, (), source)
    items = _items(source) or []
    name_at = next((at for at, item in enumerate(items) if item.kind != "label"), len(items))
    name = items[name_at] if name_at < len(items) else None
    if name is None or name.kind not in ("word", "keyword"):
        return None
    if name.kind == "keyword" and source.text[name.begin + len(name.text) : name.end - 1].strip():
        return None
    written = name.text.rstrip("(")
    span = (source.host(name.begin), _end(source, name.begin + len(written)))
    return ClCommand(
        name=written.rpartition("/")[2].lstrip("?").upper(),
        name_span=span,
        arguments=tuple(_argument(item, source) for item in items[name_at + 1 :]),
        source=source,
        labels=tuple(item.text[:-1].upper() for item in items[:name_at]),
        prompted=written.startswith("?"),
    )


def _argument(item: _Item, source: MappedText) -> ClArgument:
    begin, end = item.begin, item.end
    span = (source.host(begin), _end(source, end))
    if item.kind not in ("keyword", "list"):
        return ClArgument("", source.part(begin, end), span, begin, True)
    key = item.text[:-1].lstrip("?*!&/<%-").upper()
    return ClArgument(key, source.part(begin + len(item.text), end - 1), span, begin)


def _end(source: MappedText, offset: int) -> int:
    """The offset in the host after the character before `offset`."""
    return source.host(max(offset - 1, 0)) + 1 if offset else source.host(0)


@frozen
class ClValue:
    value: Text
    span: Span


Known = Variables | None
"""What variables hold that never change, by their names in capitals."""


def values(argument: ClArgument, known: Known = None) -> tuple[ClValue, ...] | Unknown:
    """Return the values of a parameter, nested lists made flat; UNKNOWN for an expression.

    `known` are the variables with a known value.
    """
    return _values(argument.source, known, 0)


def _values(source: MappedText, known: Known, depth: int) -> tuple[ClValue, ...] | Unknown:
    one_word = _ONE_WORD.fullmatch(source.text)
    if one_word is not None and one_word[1].upper() not in _OPERATORS:
        place = (source.host(one_word.start(1)), _end(source, one_word.end(1)))
        return (ClValue(_decoded(one_word[1], known), place),)
    items = _items(source)
    if items is None or depth > _LISTS:
        return UNKNOWN
    found: list[ClValue] = []
    for item in items:
        inner = _inner(item, source, known, depth)
        if isinstance(inner, Unknown):
            return UNKNOWN
        found.extend(inner)
    return tuple(found)


def _inner(
    item: _Item, source: MappedText, known: Known, depth: int
) -> tuple[ClValue, ...] | Unknown:
    if item.kind == "list":
        return _values(source.part(item.begin + 1, item.end - 1), known, depth + 1)
    if item.kind == "keyword" or item.text.upper() in _OPERATORS or item.text.startswith("%"):
        return UNKNOWN
    span = (source.host(item.begin), _end(source, item.end))
    return (ClValue(_decoded(item.text, known), span),)


def _decoded(text: str, known: Known) -> Text:
    if not is_known(text):
        return UNKNOWN
    if text.startswith("'"):
        return text[1:-1].replace("''", "'")
    pieces: list[str] = []
    done = 0
    for match in _VARIABLE.finditer(text):
        value = None if known is None else known.expanded(match.group().upper())
        if value is None:
            return UNKNOWN
        pieces += [text[done : match.start()].upper(), value]
        done = match.end()
    return "".join([*pieces, text[done:].upper()])


def command_in(command: ClCommand, key: str, positions: Sequence[str]) -> MappedText | None:
    """Return the command that is the value of another one: THEN(...), CMD(...), EXEC(...).

    Without a keyword and parentheses it goes on to the end of the command.
    """
    argument = command.argument(key, positions)
    if argument is None or not argument.bare:
        return None if argument is None else argument.source
    return command.source.part(argument.begin, len(command.source.text))


def variables(source: MappedText) -> Iterator[str]:
    """Yield the names of the variables in a text, in capitals."""
    return (match.group().upper() for match in _VARIABLE.finditer(source.text))
