"""Pipelines in templates of Helm: the values and functions in an action.

Source: "Template Function List" of Helm, and the package text/template of Go. What is false: false,
zero, an empty text, null, and an empty list or mapping. A value that no file sets is unknown,
except a field of an element of a list. A function that is not listed gives an unknown value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from mqlint.dataclass import NamedTuple
from mqlint.language.text.mapped import MappedText, joined, mapped_at
from mqlint.number import whole_number
from mqlint.patterns import later

Value = tuple[str, int] | None
"""A value and its place; None if it is not known."""
Key = tuple[str, ...]
"""The path of a value. An element of a list has `#` and its number."""
ChartValues = Mapping[Key, Value]
"""The values by the path of their keys; a list has an unknown one with the key `#` too."""
LISTED = "#"
_ROOT = "Values"
_TOKEN = later(
    r"(?P<blanks>\s*)(?:\"(?P<quoted>(?:[^\"\\]|\\.)*+)\"|`(?P<raw>[^`]*+)`"
    r"|(?P<number>-?\d+)(?![\w.])|(?P<sign>[()|])|(?P<name>\w+)(?!\.)|(?P<path>(?:\$\w*)?(?:\.\w+)+|\.|\$\w*))"
)
_LINE_END = later(r"\n(?=.)")
_ESCAPED = later(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t"}
_ENDS = ("|", ")")
_VERB = later(r"%[sdv]")
_NO = ("false", "no", "n", "off", "null")
_FALSE = frozenset({"", "~", *_NO, *map(str.upper, _NO), *map(str.capitalize, _NO)})
"""Words that are false or null in YAML 1.1, which Helm reads (kubernetes-sigs/yaml)."""
_ZERO = later(r"[-+]?(?=\.?0)0*+(?:\.0*+)?")
_MOST = 60
"""Limit of the words of a pipeline."""
_DEEPEST = 8
"""Limit of brackets in one another."""
_WIDEST = 60
"""Limit of the blanks before a line."""

Operand = MappedText | Key | Mapping[str, Any] | None
"""A text, the path of what the chart knows, or what `dict` makes; None if it is not known."""


NOTHING = MappedText("", (), 0)
"""A field that an element of a list does not have."""


class KnownValues:
    """The values of a chart, in the text that they are from."""

    def __init__(self, values: ChartValues, text: str) -> None:
        self._values = values
        self._text = text

    @cached_property
    def _children(self) -> Mapping[Key, dict[str, None]]:
        found: dict[Key, dict[str, None]] = {}
        for key in self._values:
            for at in range(len(key)):
                found.setdefault(key[:at], {})[key[at]] = None
        return found

    def of(self, path: Key) -> Operand:
        """What has a path: a text, or the path if it has others below it."""
        key = path[1:]
        if path[:1] != (_ROOT,) or key in self._children:
            return path
        if key not in self._values:
            return NOTHING if any(word.startswith(LISTED) for word in key) else None
        value = self._values[key]
        return None if value is None else mapped_at(*value)

    def elements(self, path: Key) -> Sequence[tuple[str, Key]] | None:
        """The index or key of each element of a list or mapping, and its path."""
        children = self._children.get(path[1:]) if path[:1] == (_ROOT,) else None
        if children is None:
            return None
        if LISTED in children:
            numbers = (whole_number(child[1:]) for child in children)
            listed = sorted(number for number in numbers if number is not None)
            return [(str(at), (*path, f"{LISTED}{at}")) for at in listed]
        return [(child, (*path, child)) for child in sorted(children)]

    def is_true(self, operand: Operand) -> bool | None:
        if isinstance(operand, tuple):
            elements = self.elements(operand)
            return None if elements is None else bool(elements)
        if isinstance(operand, MappedText):
            is_quoted = self._text.startswith(("'", '"'), operand.host(0)) and operand.text
            is_true = operand.text not in _FALSE and _ZERO.fullmatch(operand.text) is None
            return bool(is_quoted) or is_true
        return None if operand is None else bool(operand)


class Scope(NamedTuple):
    """What `.` and the variables are where an action is, and the place of the action."""

    dot: Operand
    variables: Mapping[str, Operand]
    at: int


Include = Callable[[str, Operand], Operand]
"""Renders a named template with a value for `.`."""
Spend = Callable[[int], None]
"""Called with the length of each text before it is made; raises if that is too long."""


class _Token(NamedTuple):
    kind: str
    text: str


class Pipeline:
    """Evaluates what is in one action, from left to right."""

    def __init__(
        self, text: str, values: KnownValues, scope: Scope, include: Include, spend: Spend
    ) -> None:
        self._tokens = [*_tokens(text)]
        self._values = values
        self._scope = scope
        self._include = include
        self._spend = spend
        self._depth = 0

    def value(self) -> Operand:
        found = self._piped()
        return None if self._tokens else found

    def _piped(self) -> Operand:
        """The value of commands with `|` between them, up to a closing bracket."""
        found = self._command(())
        while self._takes("|"):
            found = self._command((found,))
        return found

    def _command(self, given: tuple[Operand, ...]) -> Operand:
        """The value of a function with its arguments, and `given` after them, or of an operand."""
        name = self._tokens.pop(0).text if self._is_at("name") else ""
        operands = (*self._operands(), *given)
        if name:
            return self._called(name, operands)
        return operands[0] if len(operands) == 1 and not given else None

    def _operands(self) -> Iterator[Operand]:
        while self._tokens and self._tokens[0].text not in _ENDS:
            kind, text = self._tokens.pop(0)
            if kind == "text":
                yield self._text(text[1:])
            elif kind == "path":
                variable, _, fields = text.partition(".")
                yield self._field(self._scope.variables.get(variable, self._scope.dot), fields)
            elif kind == "sign":
                found = self._bracketed() if text == "(" else None
                found = found if self._takes(")") else None
                yield (
                    self._field(found, self._tokens.pop(0).text) if self._is_at("field") else found
                )
            else:
                yield None

    def _bracketed(self) -> Operand:
        if self._depth == _DEEPEST:
            return None
        self._depth += 1
        found = self._piped()
        self._depth -= 1
        return found

    def _field(self, found: Operand, fields: str) -> Operand:
        for field in filter(None, fields.split(".")):
            if isinstance(found, tuple):
                found = self._values.of((*found, field))
            else:
                found = found.get(field) if isinstance(found, Mapping) else None
        return found

    def _is_at(self, kind: str) -> bool:
        return bool(self._tokens) and self._tokens[0].kind == kind

    def _takes(self, sign: str) -> bool:
        is_next = self._tokens[:1] == [_Token("sign", sign)]
        if is_next:
            self._tokens.pop(0)
        return is_next

    def _text(self, text: str) -> MappedText:
        return MappedText(text, ((0, self._scope.at),) if text else (), self._scope.at)

    def _called(self, name: str, given: tuple[Operand, ...]) -> Operand:
        """The value of a function, None if it is not one of those that are known here."""
        *before, last = given or (None,)
        truth = self._values.is_true
        if name == "dict":
            keys = [each.text for each in given[::2] if isinstance(each, MappedText)]
            return dict(zip(keys, given[1::2], strict=False))
        if name == "include":
            named = given[0] if len(given) == 2 else None
            return self._include(named.text, last) if isinstance(named, MappedText) else None
        if name in ("and", "or"):
            return self._decided(given, name == "or")
        if name in ("not", "empty"):
            return self._told(None if (verdict := truth(last)) is None else not verdict)
        if name == "default":
            verdict = truth(last)
            return None if verdict is None else last if verdict else before[0] if before else None
        texts = [each.text for each in given if isinstance(each, MappedText)]
        if name in ("eq", "ne") and len(texts) == len(given) == 2:
            return self._told((texts[0] == texts[1]) == (name == "eq"))
        if not isinstance(last, MappedText) or len(texts) != len(given):
            return None
        self._spend(_length(name, texts))
        return _changed(name, texts[:-1], last) if name != "printf" else _printed(given)

    def _decided(self, given: Iterable[Operand], is_or: bool) -> Operand:
        """The first operand that decides `and` or `or`, otherwise the last."""
        found: Operand = None
        for found in given:
            verdict = self._values.is_true(found)
            if verdict is None or verdict == is_or:
                return found
        return found

    def _told(self, verdict: bool | None) -> Operand:
        return None if verdict is None else self._text("true" if verdict else "false")


def _tokens(text: str) -> Iterator[_Token]:
    """The tokens of an action; what is not understood ends them with an unknown one."""
    at, left = 0, _MOST
    while at < len(text.rstrip()):
        found = _TOKEN.match(text, at)
        left -= 1
        if found is None or not left:
            yield _Token("unknown", "")
            return
        kind, written = found.lastgroup or "", found[found.lastgroup or 0]
        if kind == "quoted":
            yield _Token(
                "text", f"={_ESCAPED.sub(lambda each: _ESCAPES.get(each[1], each[1]), written)}"
            )
        elif kind in ("raw", "number") or written in ("true", "false"):
            yield _Token("text", f"={written}")
        else:
            is_field = kind == "path" and not found["blanks"] and text[at - 1 : at] == ")"
            yield _Token("field" if is_field else kind, written)
        at = found.end()


def _length(name: str, texts: Sequence[str]) -> int:
    """The most characters that a function makes of its arguments."""
    *before, last = texts
    if name == "replace" and before:
        return len(last) * (1 + len(before[-1]))
    if name in ("indent", "nindent"):
        return len(last) + (last.count("\n") + 1) * (_width(before) or 0)
    return sum(map(len, texts))


def _width(arguments: Sequence[str]) -> int | None:
    """The blanks that `indent` puts before a line."""
    width = whole_number(arguments[0]) if len(arguments) == 1 else None
    return None if width is None else min(width, _WIDEST)


def _changed(name: str, arguments: Sequence[str], text: MappedText) -> Operand:
    """What a function makes of a text; none if it changes one that is not all known."""
    if name in ("quote", "squote"):
        quote = '"' if name == "quote" else "'"
        marks = mapped_at(quote, text.host(0), text.host(0))
        return joined((marks, text, marks), "")
    width = _width(arguments)
    if name in ("indent", "nindent") and width is not None:
        blanks = " " * width
        before = "\n" if name == "nindent" else ""
        inside = text.sub(_LINE_END, lambda found: found[0] + blanks)
        return joined((mapped_at(before + blanks, text.host(0), text.host(0)), inside), "")
    if name in ("toString", "int", "int64", "toYaml") or (name == "required" and text.text):
        return text
    if name == "trim":
        left = len(text.text) - len(text.text.lstrip())
        return text.part(left, max(left, len(text.text.rstrip())))
    if "{{" in text.text or name not in _CHANGES:
        return None
    changed = _CHANGES[name](text.text, *arguments)
    return None if changed is None else mapped_at(changed, text.host(0), text.end)


def _printed(given: Sequence[Operand]) -> Operand:
    """What `printf` makes of a format and its arguments."""
    template, *others = (each for each in given if isinstance(each, MappedText))
    pieces = _VERB.split(template.text)
    if len(pieces) != len(others) + 1 or "%" in "".join(pieces):
        return None
    parts = [mapped_at(pieces[0], template.host(0))]
    for other, piece in zip(others, pieces[1:], strict=True):
        parts += other, mapped_at(piece, template.host(0), template.host(0))
    return joined(parts, "")


def _cut(text: str, length: str) -> str | None:
    number = whole_number(length)
    return None if number is None else text[:number]


_CHANGES: Mapping[str, Callable[..., str | None]] = {
    "upper": lambda text: text.upper(),
    "lower": lambda text: text.lower(),
    "trunc": lambda text, length="": _cut(text, length),
    "trimSuffix": lambda text, suffix="": text.removesuffix(suffix),
    "trimPrefix": lambda text, prefix="": text.removeprefix(prefix),
    "replace": lambda text, old="", new="": text.replace(old, new) if old else None,
}
