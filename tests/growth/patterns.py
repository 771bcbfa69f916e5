"""The regular expressions of the package, and texts made of each that may take it long.

Such a text repeats what the pattern repeats, or characters of it, behind what the pattern needs to
get there, and has an end on which it fails.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from importlib import import_module
from itertools import product
from pathlib import Path
from pkgutil import walk_packages
from re import _constants as code
from re import _parser
from typing import Any, NamedTuple

import mqlint
from mqlint.patterns import later
from mqlint.source.secrets.forms import Form

ONE_PLACE = frozenset({"match", "fullmatch"})
EVERY_PLACE = frozenset({"search", "finditer", "findall", "sub", "subn", "split"})
ANY_PLACE = ONE_PLACE | EVERY_PLACE
COMMON = "aA1 '\"(=:-/\\.,;|\n\t+*<>{}[]$%#@!_~`)\r&^?x"
"""What is tried for a class of characters."""
REPEATS = (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT)
END = "\0"
_WORD = re.compile(r"\w+")

Tree = Any
Argument = Any
"""What the parser of `re` makes has no types."""


class Attack(NamedTuple):
    """A text: a piece again and again."""

    before: str
    piece: str
    after: str = END

    def text(self, size: int) -> str:
        return self.before + self.piece * (size // len(self.piece)) + self.after


@cache
def patterns() -> dict[str, tuple[re.Pattern[Any], frozenset[str]]]:
    """Return the patterns that are a name of a module, by that name, and the methods used of each.

    Those of estate scans are left out: they see paths and settings, and need other libraries.
    All methods count for one that is used in another way than by a call of a method.
    """
    found = {
        f"{info.name}.{name}": value
        for info in walk_packages(mqlint.__path__, "mqlint.")
        if "__main__" not in info.name and not info.name.startswith("mqlint.estate")
        for name, value in _patterns_in(vars(import_module(info.name)))
    }
    names = {title: title.partition("[")[0] for title in found}
    used = _uses({name.rpartition(".")[2] for name in names.values()})
    return {
        title: (found[title], frozenset(used[name]))
        for title, name in names.items()
        if name in used
    }


def _patterns_in(names: Mapping[str, object]) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Yield the patterns of a module by name, and those of a table of forms with their numbers."""
    for name, value in names.items():
        if isinstance(value, (type(later("")), re.Pattern)):
            yield name, value
        elif isinstance(value, tuple):
            forms = (form for form in value if isinstance(form, Form))
            yield from ((f"{name}[{number}]", form.pattern) for number, form in enumerate(forms))


def _uses(names: Set[str]) -> dict[str, set[str]]:
    """Return how each module uses what has one of the names, by module and name."""
    used: dict[str, set[str]] = {}
    folder = Path(mqlint.__path__[0])
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text("utf-8")
        if names.isdisjoint(_WORD.findall(text)):
            continue
        module = ".".join(("mqlint", *path.relative_to(folder).with_suffix("").parts))
        nodes = list(ast.walk(ast.parse(text)))
        imported = {
            alias.asname or alias.name: f"{node.module}.{alias.name}"
            for node in nodes
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        methods = {id(node.value): node.attr for node in nodes if isinstance(node, ast.Attribute)}
        for node in nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                title = imported.get(node.id, f"{module.removesuffix('.__init__')}.{node.id}")
                ways = {methods[id(node)]} if id(node) in methods else ANY_PLACE
                used.setdefault(title, set()).update(ways)
    return used


def is_binary(pattern: re.Pattern[Any]) -> bool:
    """Whether a pattern is one of bytes."""
    return isinstance(pattern.pattern, bytes)


def attacks(pattern: re.Pattern[Any], most: int) -> list[Attack]:
    """Return the texts that are tried with a pattern, `most` of the pairs of its characters."""
    flags = pattern.flags
    source = pattern.pattern
    if is_binary(pattern):
        source, flags = source.decode("latin-1"), flags & ~re.ASCII
    tree = _parser.parse(source, flags)
    found: dict[Attack, None] = {}
    for choice in range(2):
        sample = _sample(tree, choice)
        found |= dict.fromkeys(Attack("", piece) for piece in (sample, sample[:-1]) if piece)
        for before, body in _repeated(tree, "", choice):
            for piece in dict.fromkeys(_sample(body, other) for other in range(2)):
                if piece:
                    found[Attack(before, piece)] = None
                    found[Attack("", before + piece)] = None
                    found[Attack(before, piece, "")] = None
                    found |= dict.fromkeys(Attack(before, piece, end) for end in _excluded(body))
                    found[Attack("", before or piece)] = None
    signs = list(dict.fromkeys([*_signs(tree), " ", "\n"]))[:most]
    found |= dict.fromkeys(Attack("", "".join(pair)) for pair in product(signs, repeat=2))
    return list(found)


def _repeated(tree: Tree, before: str, choice: int) -> Iterator[tuple[str, Tree]]:
    """Yield what is repeated without a narrow limit, each with a text that leads to it."""
    for operation, value in tree:
        if operation in REPEATS:
            if value[1] > 50:  # narrower ones cost little
                yield before, value[2]
            yield from _repeated(value[2], before, choice)
        elif operation in (code.ASSERT, code.ASSERT_NOT):
            yield from _repeated(value[1], before, choice)
        else:
            for inner in _inside(operation, value):
                yield from _repeated(inner, before, choice)
        before += _sample([(operation, value)], choice)


def _excluded(tree: Tree) -> list[str]:
    """Return a character that a class such as `[^/]` excludes, if the tree is nothing else."""
    if len(tree) != 1:
        return []
    operation, value = tree[0]
    if operation is code.NOT_LITERAL:
        return [chr(value)]
    if operation is code.IN and value[0][0] is code.NEGATE:
        return [chr(item) for kind, item in value if kind is code.LITERAL][:1]
    return []


def _inside(operation: object, value: Argument) -> Sequence[Tree]:
    if operation is code.SUBPATTERN:
        return (value[3],)
    if operation is code.ATOMIC_GROUP:
        return (value,)
    if operation is code.BRANCH:
        return tuple(value[1])
    return ()


def _sample(tree: Tree, choice: int) -> str:
    """Return a text that matches, for what is easily made; `choice` decides between branches."""
    text = ""
    for operation, value in tree:
        if operation is code.LITERAL:
            text += chr(value)
        elif operation in (code.ANY, code.NOT_LITERAL, code.IN):
            fitting = _fitting(operation, value)
            text += fitting[choice % len(fitting)] if fitting else "a"
        elif operation in REPEATS:
            times = min(value[0] or choice % 2, 40)
            text += _sample(value[2], choice) * times
        elif operation is code.ASSERT and value[0] < 0:
            text += _sample(value[1], choice)
        elif inside := _inside(operation, value):
            text += _sample(inside[choice % len(inside)], choice)
    return text


def _fitting(operation: object, value: Argument) -> Sequence[str]:
    """Return characters that match one place of a pattern."""
    return _fitting_place(operation, tuple(value) if isinstance(value, list) else value)


@cache
def _fitting_place(operation: object, place: Argument) -> Sequence[str]:
    value = list(place) if isinstance(place, tuple) else place
    tree = _parser.parse("")
    tree.data = [(operation, value)]
    signs = (
        [chr(item) for kind, item in value if kind is code.LITERAL]
        if isinstance(value, list)
        else []
    )
    compiled = re._compiler.compile(tree)  # type: ignore[attr-defined]
    return [sign for sign in (*COMMON, *signs) if compiled.match(sign)]


def _signs(tree: Tree) -> Iterator[str]:
    """Yield the characters of a pattern, one or two for each class of them."""
    for operation, value in tree:
        if operation is code.LITERAL:
            yield chr(value)
        elif operation is code.IN:
            yield from _fitting(operation, value)[:2]
        elif operation in REPEATS:
            yield from _signs(value[2])
        for inner in _inside(operation, value):
            yield from _signs(inner)
