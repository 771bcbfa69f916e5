"""Variables that Flux puts into manifests after it has built them.

Source: "Kustomization", "Post build variable substitution" in the documentation of Flux. Values of
`substitute` replace those of `substituteFrom`. A variable of a Secret, or one that is cut or
replaced (`${a:0:4}`), is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from posixpath import basename, dirname

from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.kubernetes.applications import PlacedText, root_of
from mqlint.language.kubernetes.helm.releases import ReleaseReader, inside
from mqlint.language.kubernetes.helm.values import plain
from mqlint.language.text.mapped import MappedTextBuilder, mapped_at
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later

_GROUP = "kustomize.toolkit.fluxcd.io/"
_VARIABLE = later(r"\$\{(?P<name>[A-Za-z_]\w{0,100})(?::[-=](?P<default>[^{}$\n]{0,200}))?\}")
_MARK = later(r"(?m)^spec:")


class Substitution(NamedTuple):
    """A folder that Flux applies with variables.

    `root` is the file that says so, `place` a path of its site. `is_whole`: all variables are here.
    """

    root: str
    place: str
    folder: str
    variables: tuple[tuple[str, PlacedText | None], ...]
    is_whole: bool


def substitutions_of(
    texts: Mapping[str, str], folders: Iterable[str], reader: ReleaseReader
) -> Iterator[Substitution]:
    """Yield the folders that are applied with variables; `folders` are those of manifests."""
    known = {*folders}
    ends = grouped((basename(folder), folder) for folder in known)
    for path, text in sorted(texts.items()):
        if "postBuild:" not in text or _GROUP not in text or _MARK.search(text) is None:
            continue
        for document in reader.documents(path):
            spec = document.child("spec")
            if spec is None or not document.word("apiVersion").startswith(_GROUP):
                continue
            written = inside(spec.word("path"))
            near = ends.get(basename(written), ())
            found = [folder for folder in near if f"/{folder}".endswith(f"/{written}")]
            found = [written] if written in known else found
            variables, is_whole = _variables(spec, path, reader)
            if len(found) == 1 and written and variables:
                names = [document.word("metadata", key) for key in ("name", "namespace")]
                root = root_of([*names, written], reader.site_of)
                place = path if reader.site_of(path) else root
                yield Substitution(
                    path, place or path, found[0], tuple(variables.items()), is_whole
                )


def _variables(
    spec: Node, path: str, reader: ReleaseReader
) -> tuple[dict[str, PlacedText | None], bool]:
    """The variables of a Kustomization of Flux, and whether these are all."""
    found: dict[str, PlacedText | None] = {}
    is_whole = True
    for source in spec.entries("postBuild", "substituteFrom"):
        held = [*reader.maps_named(source.word("name"), path)]
        if source.word("kind") != "ConfigMap" or len(held) != 1:
            is_whole = is_whole and source.word("optional") == "true"
            continue
        data, applied = held[0]
        found.update(_texts(data, applied.place))
    own = spec.get("postBuild", "substitute")
    found.update(_texts(own, lambda offset: (path, offset)) if own is not None else {})
    return found, is_whole


def _texts(data: Node, place: Callable[[int], tuple[str, int]]) -> Mapping[str, PlacedText | None]:
    return {
        name: plain((node.text, *place(node.start))) if isinstance(node.value, str) else None
        for name, node in data.pairs.items()
    }


def add_substituted(
    text: str, start: int, found: Substitution, starts: Mapping[str, int], to: MappedTextBuilder
) -> None:
    """Add a file that is at an offset, with the variables; `starts` has where others begin."""
    variables, done = dict(found.variables), 0
    for match in _VARIABLE.finditer(text):
        if text[match.start() - 1 : match.start()] == "$":
            continue
        name, default = match["name"], match["default"]
        to.add(text[done : match.start()], start + done)
        done = match.end()
        value = variables.get(name)
        if value is not None:
            to.add_mapped(mapped_at(value[0], starts[value[1]] + value[2]))
        elif default is not None and name not in variables and found.is_whole:
            to.add(default, start + match.start("default"))
        else:
            to.add(match[0], start + match.start())
    to.add(text[done:], start + done)


def files_below(folder: str, paths: Iterable[str]) -> Sequence[str]:
    """The manifests in a folder that has no file of Kustomize: Flux applies all of them."""
    return [path for path in paths if f"{dirname(path)}/".startswith(f"{folder}/")]
