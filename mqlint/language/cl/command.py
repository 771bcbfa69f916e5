"""One command of CL: its name, its parameters, and the values in them.

A value is unknown if a variable, an expression or a template decides it. What is not in apostrophes
is folded to capitals, as the system does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from sys import intern

from lark import Lark, Token, Tree
from lark.exceptions import LarkError

from mqlint.config.data import data_of
from mqlint.dataclass import frozen
from mqlint.language.text.mapped import MappedText
from mqlint.language.text.templates import is_known
from mqlint.language.text.variables import Variables
from mqlint.patterns import later
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

Span = tuple[int, int]
Text = str | Unknown

LONGEST = 32_702
"""Limit of the system for the characters of one command."""

_LISTS = 4
"""How deep lists in lists are read: commands of the system have three levels."""
_OPERATORS = frozenset({"*CAT", "*BCAT", "*TCAT", "||", "|>", "|<"})
_BARE = later(r"\s*([A-Za-z]\w{0,9})\s*")
_ONE_WORD = later(r"\s*([^\s()'&%|]+)\s*")
"""A command without parameters, and a value that is one word: they need no grammar."""
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
        """The place of the command, from its name on."""
        return self.name_span[0], _end(self.source, len(self.source.text.rstrip()))

    def argument(self, key: str, positions: Sequence[str] = ()) -> ClArgument | None:
        """Return the parameter `key`, by its keyword or its place among `positions`."""
        named = next((argument for argument in self.arguments if argument.key == key), None)
        if named is not None or key not in positions:
            return named
        place = positions.index(key)
        plain = [argument for argument in self.arguments if not argument.key]
        return plain[place] if place < len(plain) else None


@cache
def _parser() -> Lark:
    grammar = data_of("mqlint.grammar").joinpath("cl.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", start=["command", "values"], propagate_positions=True)


def _parsed(source: MappedText, start: str) -> Tree[Token] | None:
    if len(source.text) > LONGEST:
        return None
    try:
        return _parser().parse(source.text, start=start)
    except LarkError:
        return None


def parse_command(source: MappedText) -> ClCommand | None:
    """Return one command; None when the text is none."""
    bare = _BARE.fullmatch(source.text)
    if bare is not None:
        place = (source.host(bare.start(1)), _end(source, bare.end(1)))
        return ClCommand(intern(bare[1].upper()), place, (), source)
    tree = _parsed(source, "command")
    if tree is None:
        return None
    labels = tuple(str(child)[:-1].upper() for child in tree.children if isinstance(child, Token))
    trees = [child for child in tree.children if isinstance(child, Tree)]
    token = trees[0].children[0]
    written = str(token).rstrip("(")
    start = (token.start_pos or 0) if isinstance(token, Token) else 0
    name = written.rpartition("/")[2].lstrip("?").upper()
    span = (source.host(start), _end(source, start + len(written)))
    arguments = tuple(_argument(child, source) for child in trees[1:])
    return ClCommand(name, span, arguments, source, labels, written.startswith("?"))


def _argument(tree: Tree[Token], source: MappedText) -> ClArgument:
    begin, end = tree.meta.start_pos, tree.meta.end_pos
    span = (source.host(begin), _end(source, end))
    kind = str(tree.data)
    if kind == "keyword":
        opened = tree.children[0]
        key = str(opened)[:-1].lstrip("?*!&/<%-").upper()
        return ClArgument(key, source.part(begin + len(str(opened)), end - 1), span, begin)
    if kind == "list":
        return ClArgument("", source.part(begin + 1, end - 1), span, begin)
    return ClArgument("", source.part(begin, end), span, begin, True)


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
    tree = _parsed(source, "values")
    if tree is None or depth > _LISTS:
        return UNKNOWN
    found: list[ClValue] = []
    for child in tree.children:
        if not isinstance(child, Tree):
            continue
        inner = _inner(child, source, known, depth)
        if isinstance(inner, Unknown):
            return UNKNOWN
        found.extend(inner)
    return tuple(found)


def _inner(
    tree: Tree[Token], source: MappedText, known: Known, depth: int
) -> tuple[ClValue, ...] | Unknown:
    kind = str(tree.data)
    begin, end = tree.meta.start_pos, tree.meta.end_pos
    if kind == "list":
        return _values(source.part(begin + 1, end - 1), known, depth + 1)
    if kind == "keyword":
        return UNKNOWN
    text = source.text[begin:end]
    if kind == "word" and (text.upper() in _OPERATORS or text.startswith("%")):
        return UNKNOWN
    span = (source.host(begin), _end(source, end))
    return (ClValue(_decoded(text, known), span),)


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


def command_in(command: ClCommand, key: str, positions: Sequence[str] = ()) -> MappedText | None:
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
