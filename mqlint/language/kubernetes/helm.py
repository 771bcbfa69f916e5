"""Charts of Helm: their values, and the templates that these render.

Source: "Values Files" and "Library Charts" of Helm. What an action makes of values is in
`mqlint.language.kubernetes.pipelines`; named templates may be those of another chart. A value
counts if it is the same in MQSC, in YAML and in quotes; all others are unknown.

A key has the value of `values.yaml`, unless the one other file of values, or the one Application of
Argo CD or HelmRelease of Flux, sets it. Of several such, none decides, but those of different sites
are one installation each. Defaults alone count only if the chart has the queue manager too: what
installs it may be elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import chain
from posixpath import basename, dirname

from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.kubernetes import INSTALLED, is_of_chart
from mqlint.language.kubernetes.pipelines import LISTED, ChartValues, Key, KnownValues, Value
from mqlint.language.kubernetes.rendering import Renderer
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.budget import Budget

_VALUES = ("values.yaml", "values.yml")
_REFERENCE = later(r"\.Values\.(\w+(?:\.\w+)*)")
_PLAIN = later(r"[\w.:/()*,@ -]{0,200}")
"""A value that is the same in MQSC, in YAML and in quotes."""
_BETWEEN = "\n---\n"
_DEEPEST = 8
_MOST = 20
"""Limit of the files of values that are of no chart: with more, it is not known which count."""
_READ = 64
"""Files of values whose trees are kept for the next chart, which may be given the same ones."""


def charts_of(
    texts: Mapping[str, str], site_of: Callable[[str], str]
) -> Iterator[tuple[str, set[str]]]:
    """Yield the values of each chart, with its templates and what may give it other values.

    If several sites have a file of values for it, each site's file is yielded, with what is read
    at that site.
    """
    templates: dict[str, set[str]] = {}
    for path in texts:
        folder, is_inside, _ = f"/{path}".rpartition("/templates/")
        if is_inside:
            templates.setdefault(folder.removeprefix("/"), set()).add(path)
    others = {path for path in texts if is_of_chart(path) and dirname(path) not in templates}
    if not templates or len(others) > _MOST:
        return
    taken: set[str] = set()
    files = _Files(lambda path: read_documents(texts.get(path, "")))
    of_charts = grouped((dirname(path), path) for path in texts if is_of_chart(path))
    others |= {path for path, text in texts.items() if INSTALLED.search(text) is not None}
    named = {path for found in templates.values() for path in found if _is_named(path)}
    for folder, inside in sorted(templates.items()):
        inside = {*inside, *named}
        beside = {*of_charts.get(folder, ())}
        root = _defaults_in(folder, beside)
        above = of_charts.get(dirname(dirname(folder)), ())
        parent = {path for path in above if _is_parent(path, folder)}
        given = {*beside, *others, *parent} - {root}
        asked = _asked(texts[path] for path in inside)
        sites = _by_site(root, given, asked, files, site_of)
        if len(sites) > 1 and taken.isdisjoint(paths[0] for paths in sites.values()):
            taken.update(paths[0] for paths in sites.values())
            for paths in sites.values():
                yield paths[0], {*inside, *beside & {root}, *paths}
        elif root in beside:
            yield root, {*inside, root, *given}
        elif len(beside) == 1:
            yield min(beside), {*inside, *given}


class _Files:
    """The trees of files of values, by path, and the values in them."""

    def __init__(self, read: Callable[[str], Sequence[Node]]) -> None:
        self.documents = lru_cache(_READ)(read)
        self.values = lru_cache(_READ)(lambda path: dict(_leaves(self.documents(path))))


def _defaults_in(folder: str, paths: Iterable[str]) -> str:
    """The path of the defaults of the chart in a folder, also if it is not among `paths`."""
    names = [f"{folder}/{name}".removeprefix("/") for name in _VALUES]
    return next((name for name in names if name in paths), names[0])


def _by_site(
    root: str,
    given: set[str],
    asked: Set[Key],
    files: _Files,
    site_of: Callable[[str], str],
) -> Mapping[str, Sequence[str]]:
    """The files that give values to a chart, by site; none if one of them shows no site."""
    if not 1 < len(given) <= _MOST or len({site_of(path) for path in given} - {""}) < 2:
        return {}
    sites = grouped(
        (site_of(path), path)
        for path in sorted(given)
        if any(_environments(root, [path], files, asked))
    )
    return {} if "" in sites else sites


def _is_parent(path: str, folder: str) -> bool:
    """Whether a file has the values of a chart that has the one in a folder as a dependency."""
    charts, above = dirname(folder), dirname(dirname(folder))
    return basename(charts) == "charts" and dirname(path) == above and is_of_chart(path)


class Rendered(NamedTuple):
    """The text of a chart with its values in it; `used` are its files.

    `is_changed`: a value is replaced. `is_installed`: not only defaults are known.
    """

    text: MappedText
    used: frozenset[str]
    is_changed: bool
    is_installed: bool


def chart_of(root: str, text: str, paths: Iterable[str]) -> str:
    """The defaults of the chart that a composition with this root installs, blank for any other."""
    if not is_of_chart(root) and INSTALLED.search(text) is None:
        return ""
    paths = set(paths)
    split = (f"/{path}".rpartition("/templates/") for path in sorted(paths))
    folders = [folder.removeprefix("/") for folder, inside, _ in split if inside]
    defaults = [_defaults_in(folder, paths) for folder in folders]
    return next((path for path in defaults if path in paths), defaults[0] if defaults else "")


def rendered(
    root: str,
    documents: Mapping[str, Sequence[Node]],
    text: str,
    files: Iterable[tuple[str, int, int]],
    budget: Budget,
) -> Rendered:
    """Return the values and the templates of a chart; files are (path, start, end) in `text`."""
    inside = f"{dirname(root)}/templates/".removeprefix("/")
    own = {path: (start, end) for path, start, end in files}
    own = {
        path: own[path]
        for path in own
        if path == root or path.startswith(inside) or _is_named(path)
    }
    given = _Files(lambda path: documents.get(path, ()))
    asked = _asked(text[start:end] for start, end in own.values())
    others = [other for other in _environments(root, documents, given, asked) if other]
    values = KnownValues(_values(given.values(root), others), text)
    renderer = Renderer(text, values, [own[path] for path in own if path != root], budget)
    builder, end = MappedTextBuilder(), 0
    for path, (start, end) in own.items():
        if path == root:
            builder.add(text[start:end], start)
        elif not _is_named(path):
            renderer.render((start, end), builder)
        builder.add(_BETWEEN, end)
    used = {path for path in own if not _is_named(path) or own[path] in renderer.included}
    return Rendered(builder.finish(end), frozenset(used), renderer.is_changed, bool(others))


def _is_named(path: str) -> bool:
    """Whether a file has only named templates."""
    return "/templates/" in f"/{path}" and basename(path).startswith("_")


def _asked(texts: Iterable[str]) -> Set[Key]:
    """The keys that templates refer to."""
    found = chain.from_iterable(map(_REFERENCE.findall, texts))
    return {tuple(path.split(".")) for path in found}


def _values(defaults: ChartValues, others: Sequence[ChartValues]) -> ChartValues:
    """The values of a chart: those of the one environment that is here, if there is only one.

    A list replaces all of another one. Lists of several environments are unknown.
    """
    lists = {key[:-1] for other in others for key in other if key[-1] == LISTED}
    found = {key: value for key, value in defaults.items() if not _is_below(key, lists)}
    if len(others) == 1:
        return {**found, **others[0]}
    for other in others:
        for key, value in other.items():
            if not _is_below(key, lists):
                before = found.get(key)
                is_same = before is not None and value is not None and before[0] == value[0]
                found[key] = before if is_same else None
    return found


def _is_below(key: Key, lists: Set[Key]) -> bool:
    return bool(lists) and any(key[:at] in lists for at in range(len(key)))


def _environments(
    root: str, paths: Iterable[str], files: _Files, asked: Set[Key]
) -> Iterator[ChartValues]:
    """The values that other files give to a chart.

    A file of another folder counts if it has a key of the defaults or, without defaults, one that
    templates have `asked` for.
    """
    folder, keys = dirname(root), files.values(root).keys() or asked
    for path in paths:
        own = files.documents(path)
        if path != root and _is_parent(path, folder):
            below = (node.child(basename(folder)) for node in own)
            yield dict(_leaves(filter(None, below)))
        elif path != root and is_of_chart(path):
            found = files.values(path)
            if dirname(path) == folder or any(
                key[:at] in keys for key in found for at in range(1, len(key) + 1)
            ):
                yield found
        for document in own:
            yield from _of_installation(document, folder)


def _of_installation(document: Node, folder: str) -> Iterator[ChartValues]:
    """The values that an Application of Argo CD, or a HelmRelease of Flux, gives to a chart."""
    kind, sources = document.word("kind"), list(document.entries("spec", "sources"))
    sources += filter(None, [document.get("spec", "source")])
    for source in sources if kind == "Application" else ():
        helm = source.child("helm")
        if helm is not None and _is_at(source.word("path"), folder):
            yield _of_application(helm)
    values = document.get("spec", "values") if kind == "HelmRelease" else None
    if values is not None and _is_at(document.word("spec", "chart", "spec", "chart"), folder):
        yield dict(_leaves([values]))


def _is_at(path: str, folder: str) -> bool:
    """Whether a path in the repository is that of a folder, which may be further down here."""
    path = path.removeprefix("./").strip("/")
    return bool(path) and (folder == path or folder.endswith(f"/{path}"))


def _of_application(helm: Node) -> ChartValues:
    found: dict[tuple[str, ...], Value] = {}
    written = helm.child("values")
    inner = written.mapped if written is not None else None
    if inner is not None:
        for key, value in _leaves(read_documents(inner.text)):
            found[key] = None if value is None else (value[0], inner.host(value[1]))
    own = helm.child("valuesObject")
    found.update(_leaves([own] if own is not None else []))
    for parameter in helm.entries("parameters"):
        found[tuple(parameter.word("name").split("."))] = _plain(parameter.child("value"))
    return found


def _leaves(documents: Iterable[Node]) -> Iterator[tuple[Key, Value]]:
    """The scalars below some documents, by the path of their keys; a list has one too."""
    waiting: list[tuple[Key, Node]] = [((), document) for document in documents]
    while waiting:
        path, node = waiting.pop()
        if len(path) >= _DEEPEST:
            continue
        listed = ((f"{LISTED}{at}", item) for at, item in enumerate(node.items))
        if node.kind == "list" and path:
            yield (*path, LISTED), None
        for key, value in chain(node.pairs.items(), listed):
            if value.kind == "scalar":
                yield (*path, key), _plain(value)
            waiting.append(((*path, key), value))


def _plain(node: Node | None) -> Value:
    """A value that is written out; None for any other."""
    if node is None or not isinstance(node.value, str) or _PLAIN.fullmatch(node.text) is None:
        return None
    return node.text, node.start
