"""Files of Helmfile, as they are for each of their environments.

Source: "Configuration", "Environment Values" and "Templating" of Helmfile. Templates in the file
and in files `*.gotmpl` have the values of the environment.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from posixpath import basename, dirname, join, normpath

from mqlint.dataclass import NamedTuple
from mqlint.language.kubernetes.helm.pipelines import KnownValues
from mqlint.language.kubernetes.helm.rendering import Renderer
from mqlint.language.kubernetes.helm.values import Place, Values, merged, values_of
from mqlint.language.text.mapped import MappedTextBuilder, mapped_slice
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.budget import Budget

_STATE = later(r"(?<![\w)])\.(?:(Environment\.Name)|StateValues|Environment\.Values)(?!\w)")
_NAME = later(r"\{\{-? *\.Environment\.Name *-?\}\}")
_MOST = 20
"""Limit of the environments of a file."""

Named = Callable[[str], Values]
"""Returns the values of a file; raises Undecided if it is not read."""


class State(NamedTuple):
    """What a file of Helmfile says in one environment."""

    environment: str
    values: Values
    documents: Sequence[Node]
    place: Place

    @property
    def releases(self) -> Iterator[Node]:
        for document in self.documents:
            for release in document.entries("releases"):
                is_off = release.word("installed") == "false"
                key = tuple(release.word("condition").split("."))
                condition = self.values.get(key)
                if not is_off and (condition is None or condition[0] != "false"):
                    yield release


def states_of(path: str, texts: Mapping[str, str], named: Named) -> Iterator[State]:
    """Yield what a file says in each environment; raises Undecided if values are not read."""
    environments: dict[str, Sequence[Node]] = {}
    for document in read_documents(texts[path]):
        for name, node in document.members("environments").items():
            environments[name] = node.entries("values")
    if len(environments) > 1:
        environments.pop("default", None)
    for name, given in islice((environments or {"default": ()}).items(), _MOST):
        layers = []
        for item in given:
            written = _NAME.sub(lambda _: name, item.text)  # noqa: B023 used at once
            is_file = item.kind == "scalar"
            file = normpath(join(dirname(path), written))
            layers.append(
                named(file) if is_file else values_of([item], lambda offset: (path, offset))
            )
        values = merged(layers)
        yield State(name, values, *filled(path, texts, name, values))


def filled(
    path: str, texts: Mapping[str, str], environment: str, values: Values
) -> tuple[Sequence[Node], Place]:
    """The documents of a file with templates, and what returns their places."""
    own = mapped_slice(texts[path]).sub(
        _STATE, lambda at: f'"{environment}"' if at[1] else ".Values"
    )
    text, starts, paths = own.text + "\n", list[int](), list[str]()
    for file in sorted({found[1] for found in values.values() if found is not None}):
        starts.append(len(text))
        paths.append(file)
        text += texts[file] + "\n"
    begins = dict(zip(paths, starts, strict=True))
    known = {
        key: None if found is None else (found[0], begins[found[1]] + found[2])
        for key, found in values.items()
    }
    budget = Budget(len(text))
    renderer = Renderer(text, KnownValues(known, text), [(0, len(own.text))], budget)
    builder = MappedTextBuilder()
    renderer.render((0, len(own.text)), builder)
    rendered = builder.finish(len(own.text))

    def place(offset: int) -> tuple[str, int]:
        host = rendered.host(offset)
        at = bisect_right(starts, host) - 1
        return (path, own.host(host)) if at < 0 else (paths[at], host - starts[at])

    return read_documents(rendered.text), place


def is_template(path: str) -> bool:
    return basename(path).endswith(".gotmpl")
