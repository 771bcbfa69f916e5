"""Manifests that are composed of several files, read as what is applied.

An overlay of Kustomize and its bases, or files of Compose, are one text here: the texts of the
files one after the other, so that each value keeps its place, and a place leads to its file.
Whatever the files do not show makes the whole undecided, and each file is then judged alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from itertools import chain, starmap
from posixpath import basename, dirname

from mqlint.dataclass import NamedTuple, mutable
from mqlint.finding import Diagnostic, diagnostic
from mqlint.grouping import grouped
from mqlint.language.client.dotenv import variables_of
from mqlint.language.client.signs import is_environment, is_tree
from mqlint.language.client.together import applications, is_application
from mqlint.language.declaration import Declared
from mqlint.language.embedding import declared_in, embedded_in, reported_in
from mqlint.language.feeding import is_direct
from mqlint.language.kubernetes import KUSTOMIZATIONS, installs, is_override
from mqlint.language.kubernetes.compose.merged import (
    Project,
    has_tags,
    variables_of_compose,
)
from mqlint.language.kubernetes.compose.shared import SharedServices
from mqlint.language.kubernetes.deployed import (
    is_workload,
    read_application,
    read_workload,
    with_manifests,
    with_variables,
)
from mqlint.language.kubernetes.entries import GENERATORS, is_kustomization
from mqlint.language.kubernetes.helm.charts import chart_folders, releases_of, rendered
from mqlint.language.kubernetes.helm.releases import ELSEWHERE, Applied, Release, ReleaseReader
from mqlint.language.kubernetes.kustomize.overlay import Overlay, folder_of, is_composing
from mqlint.language.kubernetes.kustomize.resources import Built
from mqlint.language.kubernetes.manifest import MOST_JOINED, Manifest, parse_manifest, read_manifest
from mqlint.language.kubernetes.merge import Undecided
from mqlint.language.kubernetes.substitution import (
    Substitution,
    add_substituted,
    files_below,
    substitutions_of,
)
from mqlint.language.script.step import Embedded
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.source.budget import Budget
from mqlint.source.checkout import folders_above, path_beside

_ABSENT_SOURCE = "source-missing"
_OF_ABSENCE = frozenset({_ABSENT_SOURCE, "entry-missing"})
_BETWEEN = "\n---\n"
_MOST = 200
"""Limit of the compositions of a project."""
_PASSIVE = frozenset(
    {
        *("apiVersion", "kind", "metadata", "resources", "bases", "namespace", "commonLabels"),
        *("labels", "commonAnnotations", "sortOptions", "buildMetadata"),
    }
)
"""Keys of a kustomization that change no value that is judged."""

FileText = tuple[str, str]
"""The path of a file and its text without secrets."""


class Composition(NamedTuple):
    """Files that are applied together: the one that names the others, and the texts of all.

    `place` is a path of its site. `release` is that of a chart, if these are files of one, and
    `substitution` says which variables Flux puts into them. `shared` are the services of Compose
    that other files may change too.
    """

    root: str
    files: tuple[FileText, ...]
    place: str
    release: Release | None = None
    substitution: Substitution | None = None
    shared: frozenset[str] = frozenset()


@mutable
class Composed:
    """What the files of a composition say together; places are those of `starts`.

    `texts` are the MQSC of queue managers: path, offset of a text inside a manifest or -1 for a
    whole file, and name of the queue manager, blank if it is not known. `rendered` are those that
    templates of a chart make of its values. `fed` are files that only other files show, as in a
    reading.
    """

    starts: Sequence[int]
    paths: Sequence[str]
    declared: Sequence[Declared]
    diagnostics: Sequence[Diagnostic]
    texts: Sequence[tuple[str, int, str]]
    rendered: Sequence[Embedded] = ()
    fed: Sequence[tuple[str, str]] = ()

    def place(self, offset: int) -> tuple[str, int]:
        """Return the file of an offset, and where the file begins."""
        at = max(bisect_right(self.starts, offset) - 1, 0)
        return self.paths[at], self.starts[at]


def compositions_of(
    texts: Mapping[str, str], site_of: Callable[[str], str]
) -> tuple[list[Composition], list[str]]:
    """Return the compositions of a project, and what is undecided before any is read.

    `texts` are those of its manifests, by path. `site_of` returns the site of a path, blank if none
    is known.
    """
    reader = ReleaseReader(texts, chart_folders(texts).keys(), site_of)
    candidates = _candidates(_Graph(texts, site_of), reader)
    found: list[Composition] = []
    room = 20 * MOST_JOINED
    for composition in candidates:
        size = sum(len(text) for _, text in composition.files)
        room -= size
        if room <= 0 or len(found) == _MOST:
            reader.undecided.append("the manifests are too many to read all as they are applied")
            break
        found += [composition] if size <= MOST_JOINED else []
    return found, reader.undecided


def _candidates(graph: _Graph, reader: ReleaseReader) -> Iterator[Composition]:
    """Yield the compositions of a project, however large they are."""
    texts, roots = graph.texts, graph.overlays()

    def made(root: str, members: Iterable[str]) -> Composition:
        return Composition(root, tuple((path, texts[path]) for path in sorted(members)), root)

    changed = graph.members(roots)
    trees = [path for path in texts if is_tree(path)]
    substituted: set[str] = set()
    for each in substitutions_of(texts, {*map(dirname, trees)}, reader):
        main = folder_of("", each.folder, graph.parsed)
        own = graph.members([main]) if main else files_below(each.folder, trees)
        substituted.add(main)
        given = {value[1] for _, value in each.variables if value is not None}
        composition = made(each.root, {*own, each.root, *given})
        yield composition._replace(place=each.place, substitution=each)
    overlays = [made(root, graph.members([root])) for root in roots if root not in substituted]
    yield from overlays
    shared = SharedServices(texts, MOST_JOINED)
    read = set[str]()
    for root, members in graph.projects():
        main = _main(root, sorted(members - graph.environments))
        read.add(main)
        yield made(root, members)._replace(shared=shared.of(main))
    yield from starmap(made, with_manifests(applications(texts), texts))
    for release, members in _releases(texts, reader, overlays, changed):
        yield made(release.root, members)._replace(place=release.place, release=release)
    yield from starmap(made, with_variables(texts, changed))
    for path in sorted(texts.keys() - read):
        if names := shared.of(path):
            yield made(path, [path])._replace(shared=names)


def _releases(
    texts: Mapping[str, str],
    reader: ReleaseReader,
    overlays: Iterable[Composition],
    changed: Set[str],
) -> Iterator[tuple[Release, set[str]]]:
    """Yield the releases of charts with their files."""
    templates = chart_folders(texts)
    declaring = {path for path, text in texts.items() if installs(path, text)}
    alone = (
        Applied(path, reader.documents(path), [0], [path]) for path in sorted(declaring - changed)
    )
    built = (each for each in overlays if not declaring.isdisjoint(dict(each.files)))
    yield from releases_of(templates, texts, reader, chain(alone, map(_applied_by, built)))


def _applied_by(composition: Composition) -> Applied:
    """What an overlay makes; only what it says itself if that is undecided."""
    files = _joined_files(composition)
    own = files.documents[composition.root]
    try:
        built = Overlay(files.documents, files.environments, files.budget).build(composition.root)
    except Undecided:
        return Applied(composition.root, own, files.starts, files.paths)
    generated = {
        name: resource.files
        for resource in built.resources
        for name in resource.names
        if resource.files
    }
    documents = [*own, *(resource.node for resource in built.resources)]
    return Applied(composition.root, documents, files.starts, files.paths, generated)


def _is_flat(path: str) -> bool:
    """Whether a file has lines of `name=value` and is not YAML."""
    return is_environment(path) or path.endswith(".properties")


class _Graph:
    """Which manifests of a project name which others."""

    def __init__(self, texts: Mapping[str, str], site_of: Callable[[str], str]) -> None:
        self.texts = texts
        self.site_of = site_of
        self.environments = {path for path in texts if is_environment(path)}
        self.parsed = {
            path: read_documents(text)
            for path, text in texts.items()
            if basename(path) in KUSTOMIZATIONS and len(text) <= MOST_JOINED
        }

    def overlays(self) -> list[str]:
        """Return the kustomizations that no other changes."""
        found: list[str] = []
        named: set[str] = set()
        passive = {path for path in self.parsed if self._is_passive(path)}
        for path in self.parsed:
            if path not in passive:
                named.update(self._below(path))
        for path in sorted(self.parsed):
            own = next(filter(is_composing, self.parsed[path]), None)
            if own is None or own.word("kind") == "Component" or path in named or path in passive:
                continue
            found.append(path)
        return found

    def _is_passive(self, path: str) -> bool:
        """Whether a kustomization only lists resources of its site: each is applied as it is."""
        own = next(filter(is_kustomization, self.parsed[path]), None)
        if own is None or not set(own.pairs.names()) <= _PASSIVE:
            return False
        site = self.site_of(path)
        return all(self.site_of(below) == site for below in self._below(path))

    def _below(self, path: str) -> Iterator[str]:
        for document in self.parsed[path]:
            for key in ("resources", "bases", "components"):
                for name in document.entries(key):
                    below = folder_of(path, name.word(), self.parsed)
                    if below:
                        yield below

    def members(self, roots: Iterable[str]) -> set[str]:
        """Return the files of which some kustomizations are made."""
        members: set[str] = set()
        waiting = [*roots]
        while waiting:
            own = waiting.pop()
            if own in members:
                continue
            members.add(own)
            waiting.extend(self._below(own))
            members.update(file for file in self._files(own) if file in self.texts)
        return members

    def _files(self, path: str) -> Iterator[str]:
        for document in self.parsed[path]:
            for key in ("resources", "patchesStrategicMerge"):
                yield from (path_beside(path, item.word()) for item in document.entries(key))
            for key in ("patches", "patchesJson6902"):
                yield from (path_beside(path, item.word("path")) for item in document.entries(key))
            for key in GENERATORS:
                for made in document.entries(key):
                    names = [*made.entries("envs"), *filter(None, [made.child("env")])]
                    yield from (path_beside(path, name.word()) for name in names)

    def projects(self) -> Iterator[tuple[str, set[str]]]:
        """Yield files of Compose with those that they are read with."""
        folders = grouped(
            (dirname(path), path)
            for path, text in self.texts.items()
            if path in self.environments or "services:" in text
        )
        overridden = {folder for folder, own in folders.items() if any(map(is_override, own))}
        tagged = {path for path, text in self.texts.items() if has_tags(text)} if folders else set()
        open_folders = {folder for folder, own in folders.items() if not tagged.isdisjoint(own)}
        for path in sorted(self.texts):
            text = self.texts[path]
            if path in self.environments or "services:" not in text or is_override(path):
                continue
            names_files = "env_file" in text or "extends" in text
            variables = variables_of_compose(text) if "$" in text else set[str]()
            sites = self._sites(path, variables) if variables else ()
            is_changed = names_files or dirname(path) in overridden
            is_changed |= bool(variables) and path_beside(path, ".env") in self.environments
            if not is_changed and not sites:
                continue
            if dirname(path) in open_folders or len(text) > MOST_JOINED:
                continue
            near = {*folders[dirname(path)]}
            for document in read_documents(text) if names_files else ():
                for node in document.walk():
                    if node.kind == "scalar" and len(node.text) < 200 and "$" not in node.text:
                        file = path_beside(path, node.text)
                        near |= {file} & self.texts.keys()
            if not tagged.isdisjoint(near):
                continue
            others = {file for file in near - {path} if "services:" in self.texts[file]}
            own = near - {file for file in others if not is_override(file)}
            yield from ((site, own | {site}) for site in sites)
            if not sites:
                yield path, near

    @cached_property
    def _set_in(self) -> Mapping[str, Set[str]]:
        """The variables that each file of variables sets: several files of Compose ask for them."""
        return {
            path: {name for name, _ in variables_of(self.texts[path])} for path in self.environments
        }

    def _sites(self, path: str, variables: set[str]) -> Sequence[str]:
        """The files of variables for a file of Compose, one for each of several sites."""
        by_site = grouped(
            (site, other)
            for other in sorted(self.environments)
            if dirname(path) in folders_above(other) and (site := self.site_of(other))
            if not variables.isdisjoint(self._set_in[other])
        )
        is_clear = len(by_site) > 1 and all(len(found) == 1 for found in by_site.values())
        return [found[0] for found in by_site.values()] if is_clear else ()


def composed(composition: Composition) -> tuple[Composed | None, set[str], str]:
    """Return what a composition says, the files that it is made of, and why it is undecided."""
    if is_application(composition.root):
        own = read_application(composition.root, composition.files)
        return (None, set(), "") if own is None else (Composed(*own[:3], (), ()), own[3], "")
    text = dict(composition.files)[composition.root]
    if composition.substitution is not None:
        return _substituted(composition, composition.substitution)
    if composition.release is None and is_workload(text):
        return Composed(*read_workload(composition.root, composition.files), (), ()), set(), ""
    files = _joined_files(composition)
    try:
        if composition.release is not None:
            return _of_chart(composition.release, files)
        built, made, used = _built(composition, files)
    except Undecided as why:
        return None, set(), str(why)
    if built is None:
        return None, set(), ""
    generated = _generated(made) if made is not None else set()
    manifest = read_manifest(files.text, built, files.budget, generated)
    result = Composed(files.starts, files.paths, manifest.declared, manifest.diagnostics, ())
    faults = (_in_its_file(fault, files) for fault in files.faults)
    manifest.diagnostics.extend(each for each in faults if result.place(each.start)[0] in used)
    if made is not None:
        _add_faults(manifest, made)
    direct = [feed for feed in manifest.fed if is_direct(*feed)]
    main = _main(composition.root, files.documents)
    fed = ((path_beside(main, file), -1, name) for file, name in direct)
    result.texts = sorted({*_texts(result, manifest, made), *fed})
    result.fed = [feed for feed in manifest.fed if feed not in direct]
    return result, used, ""


def _generated(built: Built) -> set[tuple[str, str]]:
    """The kinds and names of the resources that generators make."""
    return {
        (resource.kind, resource.node.word("metadata", "name"))
        for resource in built.resources
        if resource.is_generated
    }


class _JoinedFiles(NamedTuple):
    """The files of a composition as one text, each with the offset at which it starts there."""

    text: str
    starts: list[int]
    paths: list[str]
    documents: dict[str, list[Node]]
    environments: dict[str, list[tuple[str, Node]]]
    budget: Budget
    faults: list[Diagnostic]


def _joined_files(composition: Composition) -> _JoinedFiles:
    """Return the files as one text: those of YAML first, then those that hold no documents."""
    whole = [file for file in composition.files if not _is_flat(file[0])]
    flat = [file for file in composition.files if _is_flat(file[0])]
    text, starts = "", []
    for _, part in whole:
        starts.append(len(text))
        text += part + _BETWEEN
    budget = Budget(len(text))
    documents: dict[str, list[Node]] = {path: [] for path, _ in whole}
    faults: list[Diagnostic] = []
    for document in read_documents(text, budget, faults):
        documents[whole[bisect_right(starts, document.start) - 1][0]].append(document)
    environments = {}
    for path, part in flat:
        starts.append(len(text))
        environments[path] = list(variables_of(part, len(text)))
        text += part + "\n"
    paths = [path for path, _ in (*whole, *flat)]
    return _JoinedFiles(text, starts, paths, documents, environments, budget, faults)


def _add_faults(manifest: Manifest, made: Built) -> None:
    """Add the faults of an overlay; what others may supply, or it renames, is not absent."""
    unsure = _OF_ABSENCE if made.is_open else {_ABSENT_SOURCE} if made.has_unread else ()
    manifest.diagnostics[:] = (each for each in manifest.diagnostics if each.code not in unsure)
    manifest.diagnostics.extend(made.faults)
    renamed = list(_renamed(manifest, made))
    places = {fault.span for fault in renamed}
    manifest.diagnostics[:] = [
        fault
        for fault in manifest.diagnostics
        if fault.code not in _OF_ABSENCE or fault.span not in places
    ]
    manifest.diagnostics.extend(renamed)


def _of_chart(release: Release, files: _JoinedFiles) -> tuple[Composed | None, set[str], str]:
    """What the files of a chart say with its values; nothing if no value is replaced."""
    ends = [start - len(_BETWEEN) for start in (*files.starts[1:], len(files.text))]
    parts = zip(files.paths, files.starts, ends, strict=True)
    chart, used, is_changed = rendered(release, files.text, parts, files.budget)
    manifest = parse_manifest(chart.text, files.budget) if is_changed else Manifest()
    has_manager = any(declared.type == "manifest" for declared in manifest.declared)
    if not is_changed or not (release.is_installed or has_manager):
        return None, set(), ""
    result = _hosted(manifest, chart, files)
    if release.chart == ELSEWHERE:  # the words of each file of values are judged by themselves
        own = chain.from_iterable(files.documents[path] for path in sorted(used))
        alone = read_manifest(files.text, list(own), files.budget).diagnostics if used else []
        places = {(fault.code, fault.start) for fault in alone}
        modes = [fault for fault in result.diagnostics if used and fault.code == "chart-two-modes"]
        together = (fault for fault in modes if (fault.code, fault.start) not in places)
        result.diagnostics = [*alone, *together]
    return result, {*used}, ""


def _hosted(manifest: Manifest, text: MappedText, files: _JoinedFiles) -> Composed:
    """What a text says that is made of files, at its places in these."""
    result = Composed(files.starts, files.paths, (), (), ())
    result.declared = [declared_in(declared, text) for declared in manifest.declared]
    result.diagnostics = [
        _in_its_file(reported_in(fault, text), files) for fault in manifest.diagnostics
    ]
    result.rendered = [
        replace(embedded_in(inner, text, maybe=False), model=inner.model)
        for inner in manifest.embedded
        if inner.language == "mqsc" and inner.segments
    ]
    return result


def _in_its_file(fault: Diagnostic, files: _JoinedFiles) -> Diagnostic:
    """Return a fault at its file, whose end an open bracket is seen behind."""
    number = bisect_right(files.starts, fault.start)
    following = files.starts[number] if number < len(files.starts) else len(files.text)
    last = max(files.starts[number - 1], following - len(_BETWEEN) - 1)
    return fault if fault.start <= last else replace(fault, start=last, end=last + 1)


def _substituted(
    composition: Composition, found: Substitution
) -> tuple[Composed | None, set[str], str]:
    """What the files of a folder say with the variables that Flux puts into them."""
    files = _joined_files(composition)
    starts = dict(zip(files.paths, files.starts, strict=True))
    main = folder_of("", found.folder, files.documents)
    own = [path for path in files.documents if path != composition.root]
    own = own if main else [*files_below(found.folder, own)]
    builder, places = MappedTextBuilder(), dict[int, str]()
    for path, text in composition.files:
        if path in own:
            places[builder.length] = path
            add_substituted(text, starts[path], found, starts, builder)
            builder.add(_BETWEEN, starts[path] + len(text))
    whole = builder.finish(len(files.text))
    if not files.budget.spend(len(whole.text)):
        return None, set(), "its variables make too long a text"
    documents: dict[str, list[Node]] = {path: [] for path in own}
    begins = [*places]
    for document in read_documents(whole.text, files.budget):
        documents[places[begins[bisect_right(begins, document.start) - 1]]].append(document)
    nodes = [*chain.from_iterable(documents.values())]
    generated = set[tuple[str, str]]()
    if main:
        try:
            made = Overlay(documents, files.environments, files.budget).build(main)
        except Undecided as why:
            return None, set(), str(why)
        nodes = [resource.node for resource in made.resources]
        generated = _generated(made)
    manifest = read_manifest(whole.text, nodes, files.budget, generated)
    return _hosted(manifest, whole, files), {*own}, ""


def _built(
    composition: Composition, files: _JoinedFiles
) -> tuple[Sequence[Node] | None, Built | None, set[str]]:
    """The documents that are applied, what an overlay made them of, and the files used."""
    root = composition.root
    documents, environments, budget = files.documents, files.environments, files.budget
    if basename(root) in KUSTOMIZATIONS:
        built = Overlay(documents, environments, budget).build(root)
        nodes = [resource.node for resource in built.resources]
        return nodes, built, {*documents, *environments}
    project = Project(documents, environments, budget, root if root in environments else "")
    node = project.build(_main(root, documents), composition.shared)
    return (None if node is None else [node]), None, project.used


def _main(root: str, paths: Iterable[str]) -> str:
    """The file of Compose of a composition; `root` may be the variables of a site for it."""
    if not is_environment(root):
        return root
    return next(path for path in paths if not is_override(path))


def _texts(
    result: Composed, manifest: Manifest, made: Built | None
) -> Iterator[tuple[str, int, str]]:
    """The MQSC of each queue manager: in ConfigMaps, and in files that generators take."""
    for inner in manifest.embedded:
        if inner.segments:
            path, start = result.place(inner.segments[0][1])
            yield path, inner.segments[0][1] - start, inner.queue_manager or ""
    for resource in made.resources if made is not None else ():
        for reader in manifest.readers.get(resource.node.word("metadata", "name"), ()):
            source = reader.source
            if reader.queue_manager is None or source.kind != resource.kind:
                continue
            wanted = None if source.items is None else {item.text for item in source.items}
            for key, file in resource.files.items():
                if wanted is None or key in wanted:
                    yield file, -1, reader.queue_manager


def _renamed(manifest: Manifest, made: Built) -> Iterator[Diagnostic]:
    """Yield names in custom resources of what Kustomize gives another name, by a prefix or a hash.

    It changes references only in built-in resources.
    """
    if made.is_described:
        return
    custom = [resource for resource in made.resources if resource.is_custom]
    inside = {id(node) for resource in custom for node in resource.node.walk()}
    final: dict[tuple[str, str], set[str]] = {}
    plain: set[tuple[str, str]] = set()
    for resource in made.resources:
        name = resource.node.word("metadata", "name")
        shown = f"{name}-HASH" if resource.has_hash else name
        plain.update([(resource.kind, name)] if not resource.has_hash else [])
        for old in resource.names:
            final.setdefault((resource.kind, old), set()).add(shown)
    for name, readers in manifest.readers.items():
        for source in (reader.source for reader in readers):
            key = (source.kind, name)
            where = source.node.child("name") or source.node.child("secretName")
            if id(source.node) in inside and key in final and key not in plain and where:
                new = min(final[key])
                yield diagnostic(
                    "source-renamed", where.span, word=name, kind=source.kind, nearest=new
                )


def raw_faults(path: str, text: str) -> Iterable[Diagnostic]:
    return parse_manifest(text).diagnostics if is_tree(path) else ()
