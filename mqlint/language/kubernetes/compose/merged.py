"""Files of Compose that are read as one: the override beside a file, `extends`, and `env_file`.

Sources: "Merge Compose files", "Extend your Compose file" and "env_file" in the documentation of
Docker Compose. A variable of `environment` replaces one of `env_file`, and a later file an earlier
one. Variables have the values of `.env`. Without `-f` the file `compose.override.yaml` or
`docker-compose.override.yml` is read too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from posixpath import dirname, join, normpath

from mqlint.language.kubernetes import is_compose_default, is_override
from mqlint.language.kubernetes.compose.services import is_compose
from mqlint.language.kubernetes.container import PASSWORDS
from mqlint.language.kubernetes.merge import Undecided, changed, scalar, with_child
from mqlint.language.yaml.tree import Keys, Node
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span

_TAGS = later(r"!(?:reset|override)\b")
_DEEPEST = 16
Environments = Mapping[str, Sequence[tuple[str, Node]]]
"""The variables of each file `name=value`."""


def compose_files(path: str, documents: Mapping[str, Sequence[Node]]) -> Iterator[str]:
    """Yield the file and the one that overrides it, as Compose reads them without `-f`."""
    yield path
    if not is_compose_default(path):
        return
    for other in documents:
        if dirname(other) == dirname(path) and is_override(other):
            yield other


class Project:
    """The services of a file of Compose, with those of the files that it is read with."""

    def __init__(
        self,
        documents: Mapping[str, Sequence[Node]],
        environments: Environments,
        budget: Budget,
        variables: str = "",
    ) -> None:
        """`variables` is the file whose values replace variables, if it is not `.env`."""
        self._documents = documents
        self._environments = environments
        self._budget = budget
        self._variables = variables
        self.used: set[str] = set()
        self._is_changed = False
        self._found: dict[str, dict[str, Node]] = {}

    def build(self, path: str, shared: Set[str] = frozenset()) -> Node | None:
        """Return the whole document; None if no other file is a part of it.

        Of the services `shared`, other files may set more than is known.
        """
        found: dict[str, Node] = {}
        top: Node | None = None
        for file in compose_files(path, self._documents):
            for document in self._documents.get(file, ()):
                if not is_compose(document) or document.child("jobs") is not None:
                    continue
                self.used.add(file)
                top = top or document
                for name, service in document.members("services").items():
                    own = self._extended(file, service, 0)
                    found[name] = _with(found[name], own) if name in found else own
        services = top.child("services") if top is not None else None
        if top is None or services is None:
            return None
        variables = self._variables or join(dirname(path), ".env")
        if variables in self._environments:
            given = ((name, node.value) for name, node in self._environments[variables])
            values = {name: value for name, value in given if isinstance(value, str)}
            replaced = {
                name: interpolated(service, values, self._budget) for name, service in found.items()
            }
            self._is_changed |= any(found[name] is not replaced[name] for name in found)
            found = replaced
        found = {name: self._with_files(path, service) for name, service in found.items()}
        shared = shared & found.keys()
        if self.used <= {path} and not self._is_changed and not shared:
            return None
        for name in shared:
            found[name] = changed(found[name])
            found[name].open = True
        spans = {name: span for name, span, _ in services.pairs}
        pairs = [(name, spans.get(name, node.span), node) for name, node in found.items()]
        return with_child(top, "services", changed(services, pairs=pairs))

    def _extended(self, file: str, service: Node, depth: int) -> Node:
        """Return a service on top of the one that it extends."""
        extends = service.child("extends")
        if extends is None:
            return service
        if depth > _DEEPEST:
            raise Undecided(f"{file} extends too many services")
        name = extends.word("service") or extends.word()
        path = extends.word("file")
        other = normpath(join(dirname(file), path)) if path else file
        base = self._services(other).get(name)
        if base is None:
            return service
        self.used.add(other)
        self._is_changed = True
        return _with(self._extended(other, base, depth + 1), with_child(service, "extends", None))

    def _services(self, file: str) -> Mapping[str, Node]:
        """The services of a file by name, those of its first document first."""
        services = self._found.get(file)
        if services is None:
            services = self._found[file] = {}
            for document in filter(is_compose, self._documents.get(file, ())):
                own = dict(document.members("services").items())
                services |= own | services
        return services

    def _with_files(self, path: str, service: Node) -> Node:
        """Return a service whose environment has the variables of its files."""
        node = service.child("env_file")
        if node is None:
            return service
        names = [
            item.word("path") if item.kind == "mapping" else item.word()
            for item in node.entries_or_value()
        ]
        files = [normpath(join(dirname(path), name)) for name in names]
        if not all(
            name and file in self._environments for name, file in zip(names, files, strict=True)
        ):
            return service
        self.used.update(files)
        variables = {
            name: (value.span, value)
            for file in files
            for name, value in self._environments[file]
            if name not in PASSWORDS  # of which the file itself is told
        }
        environment = service.child("environment")
        variables |= dict(_variables(environment))
        whole = _mapping(variables, node.span)
        whole.open = environment is not None and environment.open
        return with_child(with_child(service, "env_file", None), "environment", whole)


def _with(base: Node, later_one: Node) -> Node:
    """Return a service with the settings of another that is read after it."""
    found = {name: (span, value) for name, span, value in base.pairs}
    for name, span, value in later_one.pairs:
        known = found[name][1] if name in found else None
        if known is None:
            found[name] = span, value
        elif name == "environment":
            variables = {**dict(_variables(known)), **dict(_variables(value))}
            whole = _mapping(variables, value.span)
            whole.open = known.open or value.open
            found[name] = span, whole
        elif known.kind == value.kind == "list" and name not in ("command", "entrypoint"):
            found[name] = span, changed(known, items=(*known.items, *value.items))
        elif known.kind == value.kind == "mapping":
            found[name] = span, _with(known, value)
        else:
            found[name] = span, value
    whole = changed(base, pairs=((name, *found[name]) for name in found))
    whole.open = base.open or later_one.open
    return whole


def _variables(node: Node | None) -> Iterator[tuple[str, tuple[Span, Node]]]:
    """Yield the variables of a mapping, or of a list of `name=value`, with the places of names."""
    if node is None:
        return
    for key, span, value in node.pairs:
        yield key, (span, value)
    for item in node.items:
        key, sign, text = item.text.partition("=")
        if sign:
            value = scalar(text, item.span)
            value.known = item.known and not item.maybe
            yield key.strip(), (value.span, value)


def _mapping(variables: Mapping[str, tuple[Span, Node]], span: Span) -> Node:
    return Node(*span, kind="mapping", pairs=Keys((name, *variables[name]) for name in variables))


def has_tags(text: str) -> bool:
    """Whether a file removes or replaces what a file before it has, which is not followed."""
    return _TAGS.search(text) is not None


# -- variables -------------------------------------------------------------------------------------


_VARIABLE = later(
    r"\$(?:(?P<sign>\$)|(?P<plain>[A-Za-z_]\w{0,100})"
    r"|\{(?P<name>[A-Za-z_]\w{0,100})(?:(?P<blank>:?)(?:-(?P<default>[^${}\n]*)|\?[^{}\n]*))?\})"
)


def variables_of_compose(text: str) -> set[str]:
    found = (each["plain"] or each["name"] for each in _VARIABLE.finditer(text))
    return {name for name in found if name}


def interpolated(node: Node, values: Mapping[str, str], budget: Budget) -> Node:
    """Return a tree with the values of variables; a text with another one stays as it is.

    The shell may override what `.env` or the file of `--env-file` says, so the values are those
    that are intended ("Interpolation" in the reference of Compose files).
    """
    if node.kind == "scalar":
        text = _replaced(node.text, values, budget) if "$" in node.text else None
        return node if text is None else scalar(text, node.span)
    pairs = [(name, span, interpolated(value, values, budget)) for name, span, value in node.pairs]
    items = [interpolated(item, values, budget) for item in node.items]
    old = [*(value for _, _, value in node.pairs), *node.items]
    new = [*(value for _, _, value in pairs), *items]
    is_same = all(before is after for before, after in zip(old, new, strict=True))
    return node if is_same else changed(node, pairs=pairs, items=items)


def _replaced(text: str, values: Mapping[str, str], budget: Budget) -> str | None:
    found = [*_VARIABLE.finditer(text)]
    if not found or "$" in _VARIABLE.sub("", text):
        return None
    texts = [_value(each, values) for each in found]
    if None in texts or not budget.spend(sum(len(value or "") for value in texts)):
        return None
    given = iter(texts)
    return _VARIABLE.sub(lambda _: next(given) or "", text)


def _value(found: re.Match[str], values: Mapping[str, str]) -> str | None:
    if found["sign"]:
        return "$"
    value = values.get(found["plain"] or found["name"])
    return found["default"] if value is None or (found["blank"] and not value) else value
