"""The variables of templates of Terraform, each time that a configuration renders them.

Source: "templatefile Function", "Modules", "for_each", "Local Values" and "Input Variables" in the
documentation of Terraform, "inputs" in that of Terragrunt. A configuration is read with the
variables of each site's `*.tfvars`, a module with the arguments of each block that calls it, and a
block with each element of its `for_each`. The site is that of the element, the arguments, the
name of the module, or the path, in this order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from posixpath import basename, dirname, normpath
from typing import Any

from mqlint.config.estate.roles import role_as
from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.text.hcl import (
    Block,
    Call,
    Expression,
    Items,
    Object,
    Reference,
    Text,
    parts_of,
    read_hcl,
)
from mqlint.language.variables.inventory import Inventory
from mqlint.language.variables.sources import ANY, PLAIN
from mqlint.patterns import later
from mqlint.source.budget import Budget

_INSERT = later(r"\$\{([^{}\"]{1,200})\}")
_CASES: Mapping[str, Callable[[str], str]] = {
    "lower": str.lower,
    "upper": str.upper,
    "trimspace": str.strip,
    "tostring": str,
}
_RENDER = ("templatefile", 2)
"""The function that renders a template, and the number of its arguments."""
_DEEPEST = 6
"""Limit of modules in one another, and of values that others are made of."""
_MOST = 500
"""Limit of the texts that a project renders."""
_LARGEST = 200_000
"""Limit of the characters of a file."""
_LONGEST = 60
"""Limit of the texts that may name a site."""
_GENERAL = ("terraform.tfvars",)
_WHOLE = ((0, 1 << 60),)
_WORD = later(r"[A-Za-z0-9]{1,60}")


Known = Any
"""A text, or a mapping or list of such; None if it is not known."""


class _Place(NamedTuple):
    """Where a folder is read: its name, and what may show its site, the nearest first."""

    hints: tuple[tuple[str, ...], ...]
    name: str

    def inside(self, name: str, *hints: Sequence[str]) -> _Place:
        return _Place((*map(tuple, hints), *self.hints), f"{self.name} {name}".strip())


_Rendered = tuple[str, Mapping[str, Known], _Place]
"""The path of a template, its variables, and where it is rendered."""


class Scope(NamedTuple):
    """What names stand for in a folder; `each` has the element of a loop.

    The budget is that of the project: values that it refuses are unknown.
    """

    folder: str
    given: Mapping[str, Known]
    local: Mapping[str, Expression]
    each: Mapping[str, Known]
    budget: Budget

    def value(self, found: Expression | None, depth: int = 0) -> Known:
        """The value of an expression, None if it is not known."""
        inner = parts_of(found)
        if depth > _DEEPEST or not self.budget.spend(0, max(len(inner), 1)):
            return None
        if isinstance(found, Text):
            return self._filled(found.text, depth)
        if isinstance(found, Reference):
            return self._named(found.name.split("."), depth)
        values = [self.value(each, depth + 1) for each in inner]
        if isinstance(found, Object):
            return dict(zip((entry.key for entry in found.entries), values, strict=True))
        if isinstance(found, Items):
            return values
        if not isinstance(found, Call):
            return None
        if found.function == "toset":
            return values[0] if values else None
        if found.function == "merge" and all(isinstance(each, dict) for each in values):
            return {key: value for each in values for key, value in each.items()}
        change = _CASES.get(found.function)
        text = values[0] if len(values) == 1 else None
        return change(text) if change is not None and isinstance(text, str) else None

    def _filled(self, text: str, depth: int) -> str | None:
        """A text with its interpolations."""
        inside = [*_INSERT.finditer(text)]
        if text.count("${") != len(inside) or "%{" in text:
            return None
        for insert in reversed(inside):
            body = read_hcl(f"value = {insert[1]}\n").attributes
            value = self.value(body.get("value"), depth + 1)
            if not isinstance(value, str):
                return None
            text = f"{text[: insert.start()]}{value}{text[insert.end() :]}"
        return text if self.budget.spend(len(text)) else None

    def _named(self, words: Sequence[str], depth: int) -> Known:
        first, *rest = words
        if first == "path":
            return {"module": self.folder or "."}.get(rest[0]) if rest else None
        if first == "local":
            found = self.value(self.local.get(rest[0]) if rest else None, depth + 1)
            rest = rest[1:]
        else:
            found = {"var": self.given, "each": self.each}.get(first)
        for word in rest:
            found = found.get(word) if isinstance(found, Mapping) else None
        return found


def of_terraform(
    texts: Mapping[str, str],
    site_of: Callable[[str], str],
    naming: Mapping[str, Sequence[str]],
) -> tuple[list[tuple[str, Inventory]], list[str]]:
    """Return the variables of each template, as often as the configurations render it.

    And what is not followed.
    """
    files = {path: text for path, text in texts.items() if path.endswith((".tf", ".hcl"))}
    if not any("templatefile" in text for text in files.values()):
        return [], []
    read = {path: read_hcl(text) for path, text in files.items() if len(text) <= _LARGEST}
    large = sorted(files.keys() - read)
    undecided = [f"{path} is too large: its values are not followed" for path in large]
    budget = Budget(sum(map(len, files.values())))
    rendered = [*islice(_Configuration(read, texts, budget, site_of).rendered(), _MOST + 1)]
    if budget.is_spent or len(rendered) > _MOST:
        undecided.append("Terraform renders too many templates: not all values are followed")
    return [*_inventories(rendered[:_MOST], site_of, naming)], undecided


def _inventories(
    rendered: Iterable[_Rendered],
    site_of: Callable[[str], str],
    naming: Mapping[str, Sequence[str]],
) -> Iterator[tuple[str, Inventory]]:
    for number, (path, values, place) in enumerate(rendered):
        known = {
            f"${name}": value
            for name, value in values.items()
            if isinstance(value, str) and PLAIN.fullmatch(value)
        }
        root, site = _site(place, f"{path}/", site_of)
        root = next(
            each
            for folder in (dirname(root), root)
            if site_of(each := f"{folder}/{ANY}{number}") == site or folder is root
        )
        names = naming.get(path, ())
        yield path, Inventory.of(root, "", site, place.name, known, known, names, _WHOLE)


def _site(place: _Place, around: str, site_of: Callable[[str], str]) -> tuple[str, str]:
    """A path of the site that the nearest hint shows, and the site; blank if none does."""
    for words in place.hints:
        roots = (
            root
            for text in words
            for root in (
                [text]
                if "/" in text
                else [f"{around}{role_as(word)}/{ANY}" for word in _WORD.findall(text)]
            )
        )
        sites = {site: root for root in roots if (site := site_of(root))}
        if sites:
            site, root = sites.popitem()
            return (f"{around}{ANY}", "") if sites else (root, site)
    return f"{around}{ANY}", site_of(around)


class _Configuration:
    """The folders of Terraform in a project, and what gives values to their variables."""

    def __init__(
        self,
        files: Mapping[str, Block],
        texts: Mapping[str, str],
        budget: Budget,
        site_of: Callable[[str], str],
    ) -> None:
        self._site_of = site_of
        self._files = files
        self._texts = texts
        self._budget = budget
        self._blocks = grouped(
            (dirname(path), block)
            for path, file in files.items()
            if path.endswith(".tf")
            for block in file.blocks
        )

    def rendered(self) -> Iterator[_Rendered]:
        """Yield each text that is rendered."""
        called: set[str | None] = set()
        for path, file in self._files.items():
            sources = [each for each in file.blocks if each.words[0] in ("terraform", "module")]
            for block in sources:
                target = _target(dirname(path), block)
                called.add(target)
                if block.words[0] == "terraform" and target in self._blocks:
                    scope = Scope(dirname(path), {}, {}, {}, self._budget)
                    given = scope.value(file.attributes.get("inputs")) or {}
                    place = _Place((_texts_in(given), (path,)), path)
                    yield from self._of_folder(target, given, place, 0)
        for folder in sorted(self._blocks.keys() - called):
            for given, place in self._environments(folder):
                yield from self._of_folder(folder, given, place, 0)

    def _environments(self, folder: str) -> Iterator[tuple[Mapping[str, Known], _Place]]:
        """The variables of a folder in each file that sets them.

        Without such a file, what a default says may be replaced when Terraform runs, except in a
        folder of one site: it is that of the site.
        """
        bare = Scope(folder, {}, {}, {}, self._budget)
        files = {
            path: {name: bare.value(value) for name, value in read_hcl(text).attributes.items()}
            for path, text in self._texts.items()
            if path.endswith(".tfvars") and (path.startswith(f"{folder}/") or not folder)
        }
        general = {path for path in files if basename(path) in _GENERAL}
        given = {name: value for path in sorted(general) for name, value in files[path].items()}
        for path in sorted(files.keys() - general):
            yield {**given, **files[path]}, _Place(((path,),), path)
        if not files.keys() - general:
            is_decided = files or self._site_of(f"{folder}/main.tf")
            unknown = {} if is_decided else dict.fromkeys(self._variables(folder))
            yield {**unknown, **given}, _Place(((f"{folder}/main.tf",),), folder)

    def _variables(self, folder: str) -> dict[str, Expression | None]:
        """The variables of a folder with their defaults."""
        return {
            block.words[1]: block.attributes.get("default")
            for block in self._blocks.get(folder, ())
            if block.words[0] == "variable" and len(block.words) > 1
        }

    def _of_folder(
        self, folder: str, given: Mapping[str, Known], place: _Place, depth: int
    ) -> Iterator[_Rendered]:
        blocks = self._blocks.get(folder, ())
        bare = Scope(folder, {}, {}, {}, self._budget)
        defaults = {name: bare.value(found) for name, found in self._variables(folder).items()}
        own = (block.attributes for block in blocks if block.words[0] == "locals")
        local = {name: value for found in own for name, value in found.items()}
        scope = Scope(folder, {**defaults, **given}, local, {}, self._budget)
        for block in blocks:
            looped = block.attributes.get("for_each")
            elements = _elements(scope.value(looped)) if looped is not None else [{}]
            for each in elements:
                if not self._budget.spend(0):
                    return
                inside = place.inside(" ".join(block.words[1:]), block.words[-1:])
                if each:
                    key = each["key"]
                    inside = inside.inside(key, (key, *_texts_in(each["value"])))
                yield from self._of_block(block, scope._replace(each=each), inside, depth)

    def _of_block(
        self, block: Block, scope: Scope, place: _Place, depth: int
    ) -> Iterator[_Rendered]:
        target = _target(scope.folder, block) if block.words[0] == "module" else None
        if target in self._blocks and depth < _DEEPEST:
            given = {name: scope.value(value) for name, value in block.attributes.items()}
            given.pop("source", None)
            yield from self._of_folder(target, given, place.inside("", _texts_in(given)), depth + 1)
        for call in _calls(value for each in block.walk() for value in each.attributes.values()):
            path, values = (scope.value(each) for each in call.arguments[:2])
            if isinstance(path, str) and isinstance(values, dict):
                near = path if path.startswith(f"{scope.folder}/") else f"{scope.folder}/{path}"
                yield _path(near), values, place


def _calls(expressions: Iterable[Expression]) -> Iterator[Call]:
    """Yield the calls of `templatefile` in some values."""
    waiting = [*expressions]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Call) and (found.function, len(found.arguments)) == _RENDER:
            yield found
        waiting += parts_of(found)


def _elements(looped: Known) -> Sequence[Mapping[str, Known]]:
    """The elements over which a block is repeated; none if they are not known."""
    if isinstance(looped, dict):
        return [{"key": key, "value": value} for key, value in looped.items()]
    listed = looped if isinstance(looped, list) else ()
    return [{"key": each, "value": each} for each in listed if isinstance(each, str)]


def _texts_in(value: Known) -> tuple[str, ...]:
    """The texts that a value has, for the site that they may name."""
    found = value.values() if isinstance(value, dict) else [value]
    return tuple(each for each in found if isinstance(each, str) and len(each) <= _LONGEST)


def _target(folder: str, block: Block) -> str | None:
    """The folder of this project that a block has as its source, None for any other."""
    source = block.attributes.get("source")
    text = source.text.replace("//", "/") if isinstance(source, Text) else ""
    return _path(f"{folder}/{text}") if text.startswith(".") else None


def _path(written: str) -> str:
    return normpath(f"/{written}").lstrip("/")
