"""Applications of Argo CD, and those that an ApplicationSet makes of the elements of generators.

Source: "Declarative Setup", "Generators", "List Generator", "Git Generator" and "Matrix Generator"
in the documentation of Argo CD. A generator with a selector may leave out elements, and those of
other kinds ask what no file shows: neither makes an Application here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, product
from posixpath import basename, dirname

from mqlint.config.globs import GlobError, compile_glob
from mqlint.dataclass import NamedTuple
from mqlint.language.client.together import below
from mqlint.language.text.mapped import MappedText
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.checkout import folders_above

_PARAMETER = later(r"\{\{-? *\.?(?P<key>[\w.-]{1,100}(?:\[\d\])?) *-?\}\}")
_INDEXED = later(r"\{\{-? *index +\.path\.segments +(?P<key>\d) *-?\}\}")
_WORDS = later(r"[A-Za-z0-9]{1,60}")
_PLAIN = later(r"(?:[^*?\[\]{}/]+/)*")
_LONGEST = 300
_MOST = 50
"""Limit of the elements of a generator."""
_READ = 256
"""Patterns whose paths are kept: several generators may have the same ones."""

PlacedText = tuple[str, str, int]
"""A text, the path of its file, and its offset there."""
Parameters = Mapping[str, PlacedText]
Read = Callable[[str], Sequence[Node]]
"""Returns the documents of a file."""


class Application(NamedTuple):
    """An Application: its `spec`, the values of what that has in braces, and a path of its site.

    The path is blank if nothing shows a site. `path` is that of the file, which has an
    ApplicationSet if parameters are not None.
    """

    path: str
    spec: Node
    parameters: Parameters | None
    place: str

    def folders(self) -> Iterator[tuple[Node, str]]:
        """Yield each source with the folder that it has in its repository, if that is known."""
        for source in _sources_of(self.spec):
            node = source.child("path")
            path = self.filled(node.text) if node is not None else None
            if path:
                yield source, path.removeprefix("./").strip("/")

    def charts(self) -> Iterator[tuple[Node, str]]:
        """Yield each source with the folder of its chart, or the name of one that is elsewhere."""
        yield from self.folders()
        named = ((source, source.word("chart")) for source in _sources_of(self.spec))
        yield from ((source, name) for source, name in named if name)

    def filled(self, text: str) -> str | None:
        """A text with its parameters, None if one is not known."""
        if self.parameters is None or "{{" not in text:
            return text
        values = self.parameters
        text = _INDEXED.sub(lambda at: f"{{{{path[{at['key']}]}}}}", text)
        text = _PARAMETER.sub(lambda at: values.get(at["key"], ("{{}}",))[0], text)
        return None if "{{" in text else text

    def fill(self, text: MappedText) -> MappedText:
        """A text with those of its parameters that are known."""
        values = self.parameters or {}
        return text.sub(
            _PARAMETER, lambda at: values[at["key"]][0] if at["key"] in values else at[0]
        )

    def value(self, text: str, offset: int) -> PlacedText | None:
        """A text with its parameters; what is one parameter alone is where that is set."""
        whole = _PARAMETER.fullmatch(text) if self.parameters else None
        if whole is not None and self.parameters is not None:
            return self.parameters.get(whole["key"])
        filled = self.filled(text)
        return None if filled is None else (filled, self.path, offset)


class Paths:
    """The paths of a project, and those that patterns of generators fit."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._ordered = sorted(paths)
        self.files = lru_cache(_READ)(self._files)
        self.folders = lru_cache(_READ)(self._folders)

    def _files(self, pattern: str) -> Sequence[str]:
        """The first files that a pattern fits."""
        return [*islice(_matching(pattern, self._near(pattern)), _MOST)]

    def _folders(self, pattern: str) -> Sequence[str]:
        """The first folders that a pattern fits."""
        near = (folder for path in self._near(pattern) for folder in folders_above(path))
        return [*islice(_matching(pattern, dict.fromkeys(near)), _MOST)]

    def _near(self, pattern: str) -> Iterable[str]:
        """The paths in the folder that a pattern names before its first wildcard."""
        folder = _PLAIN.match(pattern)
        places = below(folder[0] if folder is not None else "", self._ordered)
        return (self._ordered[at] for at in places)


def applications_of(
    path: str, document: Node, paths: Paths, read: Read, site_of: Callable[[str], str]
) -> Iterator[Application]:
    """Yield the Applications of a document; `paths` are those of the project."""
    kind = document.word("kind")
    spec = document.child("spec")
    if kind == "Application" and spec is not None:
        named = [document.word("metadata", "name"), *_destination(spec), *_files_of_values(spec)]
        yield Application(path, spec, None, path if site_of(path) else root_of(named, site_of))
    template = document.get("spec", "template")
    inner = template.child("spec") if template is not None else None
    if kind != "ApplicationSet" or template is None or inner is None:
        return
    for generator in document.entries("spec", "generators"):
        for parameters in islice(_elements(generator, path, paths, read), _MOST):
            found = Application(path, inner, parameters, "")
            texts = [each[0] for key, each in parameters.items() if _tells_site(key)]
            written = [template.word("metadata", "name"), *_destination(inner)]
            texts += filter(None, map(found.filled, [*written, *_files_of_values(inner)]))
            yield found._replace(place=root_of(texts, site_of))


def _tells_site(key: str) -> bool:
    """Whether a parameter may tell the site: the folders around a file may tell another one."""
    return not key.startswith("path") or key in ("path", "path.path", "path.basename")


def root_of(texts: Iterable[str], site_of: Callable[[str], str]) -> str:
    """A path of the one site that texts name, blank if they name none or several."""
    names = [name for text in texts for name in (text, *_WORDS.findall(text)) if name]
    found = {site_of(path): path for name in names if site_of(path := f"{name}/manifest.yaml")}
    return found.popitem()[1] if len(found) == 1 else ""


def _destination(spec: Node) -> Iterator[str]:
    for key in ("server", "name", "namespace"):
        node = spec.get("destination", key)
        yield node.text if node is not None else ""


def _sources_of(spec: Node) -> Sequence[Node]:
    return [*spec.entries("sources"), *filter(None, [spec.child("source")])]


def _files_of_values(spec: Node) -> Iterator[str]:
    for source in _sources_of(spec):
        yield from (node.text for node in source.entries("helm", "valueFiles"))


def _elements(
    generator: Node, path: str, paths: Paths, read: Read
) -> Iterator[dict[str, PlacedText]]:
    """Yield the parameters of each element of a generator."""
    if generator.child("selector") is not None:
        return
    for element in islice(generator.entries("list", "elements"), _MOST):
        yield dict(_scalars(element, path))
    own = dict(_scalars(generator.get("git", "values"), path, "values."))
    for files in generator.entries("git", "files"):
        for file in paths.files(files.word("path")):
            inside = (pair for document in read(file) for pair in _scalars(document, file))
            yield {**dict(_of_path(dirname(file), path, files.start)), **own, **dict(inside)}
    written = generator.entries("git", "directories")
    left_out = {
        folder
        for each in written
        if each.word("exclude") == "true"
        for folder in paths.folders(each.word("path"))
    }
    for each in written:
        if each.word("exclude") != "true":
            for folder in sorted({*paths.folders(each.word("path"))} - left_out):
                yield {**dict(_of_path(folder, path, each.start)), **own}
    inner = generator.entries("matrix", "generators")
    if len(inner) == 2:
        several = [[*islice(_elements(each, path, paths, read), _MOST)] for each in inner]
        for first, second in islice(product(*several), _MOST):
            yield {**first, **second}


def _matching(pattern: str, paths: Iterable[str]) -> Iterator[str]:
    if not pattern:
        return
    try:
        glob = compile_glob(pattern)
    except GlobError:
        return
    depth = pattern.count("/")
    for path in paths:
        if glob.matches(path) and ("**" in pattern or path.count("/") == depth):
            yield path


def _of_path(folder: str, path: str, offset: int) -> Iterator[tuple[str, PlacedText]]:
    """Yield the parameters that a generator of git makes of a folder."""
    words = folder.split("/")
    named = {"path": folder, "path.path": folder, "path.basename": basename(folder)}
    named |= {f"path[{at}]": word for at, word in enumerate(words)}
    yield from ((key, (text, path, offset)) for key, text in named.items())


def _scalars(element: Node | None, path: str, prefix: str = "") -> Iterator[tuple[str, PlacedText]]:
    """Yield the values of an element by their keys, with those below others."""
    waiting = [(prefix, element)] if element is not None else []
    while waiting:
        above, node = waiting.pop()
        for key, inner in node.pairs.items():
            if inner.kind == "scalar" and len(inner.text) <= _LONGEST:
                yield f"{above}{key}", (inner.text, path, inner.start)
            elif inner.kind == "mapping" and above.count(".") < 4:
                waiting.append((f"{above}{key}.", inner))
