"""Charts of Helm as tools install them: the values that each release has, and its site.

Sources: "Helm" and "Multiple Sources" of Argo CD, "Helm Releases" of Flux, "Configuration" of
Helmfile, "helmCharts" of Kustomize. Argo CD: `parameters` replace `valuesObject` or `values`, and
these `valueFiles`. Flux: `values` replace `valuesFrom`, and `valuesFiles` the defaults of a chart.
Helmfile: `set` replaces `values`. Of several files each replaces those before it. If one that is
named is not read, the release is undecided: it may set anything. Each tool has an option by which
it skips a file that is missing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property, lru_cache, partial
from itertools import chain
from posixpath import basename, dirname, join, normpath

from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.language.kubernetes import is_helmfile
from mqlint.language.kubernetes.applications import (
    Application,
    Paths,
    PlacedText,
    applications_of,
    root_of,
)
from mqlint.language.kubernetes.clients import maps_of
from mqlint.language.kubernetes.declarations import IBM_CHART
from mqlint.language.kubernetes.helm.helmfile import State, filled, is_template, states_of
from mqlint.language.kubernetes.helm.pipelines import Key
from mqlint.language.kubernetes.helm.values import Values, merged, plain, values_in, values_of
from mqlint.language.kubernetes.merge import Undecided
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.budget import Budget

_COMMON = tuple(
    f"{name}.{ending}"
    for word in ("common", "base", "default", "defaults", "global", "shared", "all")
    for name in (f"values-{word}", f"values.{word}", f"values_{word}", f"{word}-values")
    for ending in ("yaml", "yml")
)
"""Files that people name for all sites, beside one for each, if they use a chart of others."""
_DEFAULTS = ("values.yaml", "values.yml", *_COMMON)
_READ = 256
"""Files whose documents are kept: several releases may have the same files of values."""
_KEY = later(r"[^\[\]\\{},]{1,200}")
"""The name of a parameter, up to an index of a list, or a sign that is escaped."""
_OTHER_VALUES = ("inherit", "valuesTemplate", "setTemplate")
"""Keys of a release of Helmfile that set values too, which are not read."""
_SECRETS = later(r"^\w{0,20}secrets?(?:\+[\w-]{1,40})?://|(?:^|/)secrets?\b[^/]*$")
"""A file of values that is encrypted."""


ELSEWHERE = "*"
"""The folder of a chart that no project has; that of the whole project is blank."""


class Release(NamedTuple):
    """A chart as it is installed once.

    `root` is the file that says so, `place` a path of its site, `chart` the folder of the chart,
    `ELSEWHERE` for IBM's chart of MQ. `is_installed`: not only defaults are known.
    """

    root: str
    place: str
    chart: str
    values: tuple[tuple[Key, PlacedText | None], ...]
    is_installed: bool = True

    @property
    def files(self) -> Set[str]:
        """The files that say so, and that set its values."""
        return {self.root, *(value[1] for _, value in self.values if value is not None)}


class Applied(NamedTuple):
    """Documents that are applied together: those of a file, or what an overlay makes.

    Offsets are those of texts in a row: `starts` has where that of each path begins. `generated`
    has the file of each entry of a ConfigMap that a generator makes, by the ConfigMap's name.
    """

    root: str
    documents: Sequence[Node]
    starts: Sequence[int]
    paths: Sequence[str]
    generated: Mapping[str, Mapping[str, str]] = {}

    def place(self, offset: int) -> tuple[str, int]:
        at = max(bisect_right(self.starts, offset) - 1, 0)
        return self.paths[at], offset - self.starts[at]


class ReleaseReader:
    """Reads releases of charts; `charts` are the folders that have templates."""

    def __init__(
        self, texts: Mapping[str, str], charts: Set[str], site_of: Callable[[str], str]
    ) -> None:
        self._texts = texts
        self._charts = charts
        self.site_of = site_of
        self.documents = lru_cache(_READ)(lambda path: read_documents(texts.get(path, "")))
        self.values = lru_cache(_READ)(
            lambda path: values_of(self.documents(path), lambda offset: (path, offset))
        )
        self.undecided: list[str] = []
        self._paths = Paths(texts)
        self._ends = grouped((basename(chart), chart) for chart in charts)
        self._budget = Budget(sum(map(len, texts.values())))

    def releases(self, applied: Iterable[Applied]) -> Iterator[Release]:
        """Yield the releases of what is applied; why others are undecided is noted."""
        for each in applied:
            try:
                for chart, place, layers in self._of(each):
                    yield from self._release(each.root, chart, place, layers)
            except Undecided as why:
                self._note(each.root, why)

    def _release(
        self, root: str, chart: str, place: str, layers: Callable[[], Iterable[Values]]
    ) -> Iterator[Release]:
        try:
            values = merged(map(self._counted, layers()))
        except Undecided as why:
            self._note(root, why)
        else:
            yield Release(root, place or root, chart, tuple(values.items()))

    def _counted(self, values: Values) -> Values:
        """The values of a layer; raises Undecided if those of all releases are too many."""
        if not self._budget.spend(0, len(values)):
            raise Undecided("the values of all releases are too many")
        return values

    def _note(self, root: str, why: Undecided) -> None:
        note = f"a release of a chart in {root} is not judged: {why}"
        if note not in self.undecided:
            self.undecided.append(note)

    def _of(self, applied: Applied) -> Iterator[tuple[str, str, Callable[[], Iterable[Values]]]]:
        """Yield the chart of each release, a path of its site, and what returns its values."""
        root = applied.root
        own = root if self.site_of(root) else ""
        if is_helmfile(root):
            for state in states_of(root, self._texts, self._named):
                place = root_of([state.environment], self.site_of) or own
                for node in state.releases:
                    written = node.word("chart")
                    chart = _folder(join(dirname(root), written))
                    is_of_ibm = basename(written) == IBM_CHART
                    if chart in self._charts or is_of_ibm:
                        chart = chart if chart in self._charts else ELSEWHERE
                        yield chart, place, partial(self._of_helmfile, node, state, chart, root)
            return
        for document in applied.documents:
            kind = document.word("kind")
            if kind == "HelmRelease":
                path = inside(document.word("spec", "chart", "spec", "chart"))
                chart = self._chart(path)
                names = [document.word("metadata", key) for key in ("name", "namespace")]
                if chart != ELSEWHERE or path == IBM_CHART:
                    prefix = _prefix(chart, path)
                    layers = partial(self._of_flux, document, applied, chart, prefix)
                    yield chart, own or root_of(names, self.site_of), layers
            elif kind in ("Application", "ApplicationSet"):
                found = applications_of(root, document, self._paths, self.documents, self.site_of)
                for application in found:
                    for source, path in application.charts():
                        chart = self._chart(path)
                        prefix = _prefix(chart, path)
                        layers = partial(self._of_argo, source, application, applied, chart, prefix)
                        if chart != ELSEWHERE or path == IBM_CHART:
                            yield chart, application.place, layers
            home = join(dirname(root), document.word("helmGlobals", "chartHome") or "charts")
            for node in document.entries("helmCharts"):
                chart = _folder(join(home, node.word("name")))
                if chart in self._charts or node.word("name") == IBM_CHART:
                    chart = chart if chart in self._charts else ELSEWHERE
                    yield chart, own, partial(self._of_kustomize, node, applied, chart)

    def defaults(self, chart: str) -> Values:
        return self.values(defaults_in(chart, self._texts)) if chart != ELSEWHERE else {}

    def _named(self, path: str, *, may_be_missing: bool = False) -> Values:
        """The values of a file that another one names; none of one that may be missing, and is."""
        if _SECRETS.search(path) is not None:
            return {}
        path = normpath(path)
        if path not in self._texts:
            if may_be_missing:
                return {}
            raise Undecided(f"it has the values of {path}, which is not read")
        return self.values(path)

    def _chart(self, path: str) -> str:
        """The folder of a chart that has a path, or is further down here."""
        if path and _folder(path) in self._charts:
            return _folder(path)
        found = [
            chart for chart in self._ends.get(basename(path), ()) if chart.endswith(f"/{path}")
        ]
        return found[0] if len(found) == 1 else ELSEWHERE

    def _of_argo(
        self, source: Node, found: Application, applied: Applied, chart: str, prefix: str
    ) -> Iterator[Values]:
        yield self.defaults(chart)
        helm = source.child("helm") or Node(0, 0)
        for name in helm.entries("valueFiles"):
            written = found.filled(name.text)
            if written is None:
                raise Undecided(f"the name of a file of values is not known ({name.text})")
            of_repository = written[:1] in ("$", "/")
            below = written.partition("/")[2]
            file = f"{prefix}{below}" if of_repository else join(chart, written)
            may_be_missing = helm.word("ignoreMissingValueFiles") == "true"
            yield self._named(file, may_be_missing=may_be_missing)
        own, block = helm.child("valuesObject"), helm.child("values")
        if own is not None:
            yield values_of([own], applied.place, found.value)
        elif block is not None:
            yield values_in(block, applied.place, found.fill)
        of_files = ((each.word("name"), None) for each in helm.entries("fileParameters"))
        given = ((each.word("name"), each.child("value")) for each in helm.entries("parameters"))
        yield _parameters(
            chain(given, of_files),
            lambda value: found.value(value.text, applied.place(value.start)[1]),
        )

    def _of_flux(
        self, document: Node, applied: Applied, chart: str, prefix: str
    ) -> Iterator[Values]:
        files = document.entries("spec", "chart", "spec", "valuesFiles")
        is_strict = document.word("spec", "chart", "spec", "ignoreMissingValuesFiles") != "true"
        for file in files:
            yield self._named(f"{prefix}{inside(file.word())}", may_be_missing=not is_strict)
        if not files:
            yield self.defaults(chart)
        for given in document.entries("spec", "valuesFrom"):
            if given.word("kind") == "ConfigMap":
                yield self._of_map(given, applied)
        yield values_of(filter(None, [document.get("spec", "values")]), applied.place)

    def _of_map(self, given: Node, applied: Applied) -> Values:
        """The values that a HelmRelease takes from a ConfigMap."""
        name, key = given.word("name"), given.word("valuesKey") or "values.yaml"
        if given.child("targetPath") is not None:
            raise Undecided(f"it has one value of the ConfigMap {name}")
        if name in applied.generated and key in applied.generated[name]:
            return self._named(applied.generated[name][key])
        own = [(each, applied) for each in maps_of(applied.documents)]
        held = [(data, place) for (holder, data), place in own if holder == name]
        held = held or [*self.maps_named(name, applied.root)]
        if not held and given.word("optional") == "true":
            return {}
        node = held[0][0].child(key) if len(held) == 1 else None
        if node is None:
            raise Undecided(f"it has values of the ConfigMap {name}, which is not read")
        return values_in(node, held[0][1].place)

    def maps_named(self, name: str, root: str) -> Iterator[tuple[Node, Applied]]:
        """Yield the ConfigMaps of a name in the folder of a file, otherwise those at its site."""
        paths, site = self._maps.get(name, ()), self.site_of(root)
        near = [path for path in paths if dirname(path) == dirname(root)]
        for path in near or [path for path in paths if self.site_of(path) == site]:
            documents = self.documents(path)
            held = (data for holder, data in maps_of(documents) if holder == name)
            yield from ((data, Applied(path, documents, [0], [path])) for data in held)

    @cached_property
    def _maps(self) -> Mapping[str, Sequence[str]]:
        """The files that have a ConfigMap, by its name."""
        texts = ((path, text) for path, text in self._texts.items() if "ConfigMap" in text)
        return grouped(
            (name, path) for path, _ in texts for name, _ in maps_of(self.documents(path))
        )

    def _of_kustomize(self, node: Node, applied: Applied, chart: str) -> Iterable[Values]:
        folder = dirname(applied.root)
        files = [*filter(None, [node.child("valuesFile")]), *node.entries("additionalValuesFiles")]
        layers = [self._named(join(folder, file.word())) for file in files]
        inline = values_of(filter(None, [node.child("valuesInline")]), applied.place)
        way = node.word("valuesMerge") or "override"
        layers = [inline, *layers] if way == "merge" else [*layers, inline]
        return [self.defaults(chart), *(layers if way != "replace" else [inline])]

    def _of_helmfile(self, node: Node, state: State, chart: str, root: str) -> Iterator[Values]:
        if any(node.child(key) is not None for key in _OTHER_VALUES):
            raise Undecided("a template sets values of the release")
        yield self.defaults(chart)
        for item in node.entries("values"):
            if item.kind != "scalar":
                yield values_of([item], state.place)
                continue
            path = normpath(join(dirname(root), item.text))
            if "{{" in path:
                raise Undecided(f"the name of a file of values is not known ({item.text})")
            if is_template(path) and path in self._texts:
                yield values_of(*filled(path, self._texts, state.environment, state.values))
            else:
                is_strict = node.word("missingFileHandler") in ("", "Error")
                yield self._named(path, may_be_missing=not is_strict)
        given = ((each.word("name"), each.child("value")) for each in node.entries("set"))
        yield _parameters(given, lambda value: (value.text, *state.place(value.start)))


def _parameters(
    given: Iterable[tuple[str, Node | None]], read: Callable[[Node], PlacedText | None]
) -> Values:
    """The values of parameters by their keys; None for one that is a list or is in a file.

    A parameter with an index or an escaped sign in its name leaves unknown what is above it.
    """
    found: dict[Key, PlacedText | None] = {}
    for name, value in given:
        known = _KEY.match(name)
        if known is None:
            continue
        is_whole = known.end() == len(name)
        keys = known[0] if is_whole or name[known.end()] == "[" else known[0].rpartition(".")[0]
        if keys:
            is_known = is_whole and value is not None and value.kind == "scalar"
            found[tuple(keys.split("."))] = plain(read(value)) if value and is_known else None
    return found


def inside(path: str) -> str:
    return path.removeprefix("./").strip("/")


def _folder(path: str) -> str:
    """A path as the name of a folder, blank for the whole project."""
    found = normpath(path)
    return "" if found == "." else found


def _prefix(chart: str, path: str) -> str:
    """What is before a path in the folder of the chart that has it."""
    return chart.removesuffix(path) if chart != ELSEWHERE else ""


def defaults_in(folder: str, paths: Iterable[str]) -> str:
    """The path of the defaults of the chart in a folder, also if it is not among `paths`."""
    names = [f"{folder}/{name}".removeprefix("/") for name in _DEFAULTS]
    return next((name for name in names if name in paths), names[0])
