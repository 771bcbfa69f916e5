"""Applications with the containers that run them, whose variables replace settings of files."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, islice
from posixpath import basename, dirname

from mqlint.grouping import grouped
from mqlint.language.client.signs import is_tree, profile_of
from mqlint.language.client.spring import Container
from mqlint.language.client.together import PlacedFile, below, declared_together
from mqlint.language.declaration import Declared
from mqlint.language.kubernetes import KUSTOMIZATIONS, is_override
from mqlint.language.kubernetes.clients import (
    MOST_CONTAINERS,
    connections_beside,
    containers_of,
    holders_named_by,
    holders_of,
    maps_of,
)
from mqlint.language.kubernetes.environment import environment_of, variables_in
from mqlint.language.kubernetes.pod import pod_entries, pod_of
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span

_BETWEEN = "\n---\n"
_FOLDERS = ("src/main/resources", "src/main/liberty/config", "config", "resources")
"""Where applications keep their settings."""
_TESTS = "/src/test/"
_MAPS = later(r"configMap(?:Key)?Ref|secret(?:Key)?Ref|kind:[ \t]*[\"']?(?:ConfigMap|Secret)\b")
_OF_CONTAINERS = ("env:", "environment:", "ConfigMap")

Files = Sequence[tuple[str, str]]
"""The path and the text of each file."""


def with_manifests(
    together: Iterable[tuple[str, set[str]]], texts: Mapping[str, str]
) -> Iterator[tuple[str, set[str]]]:
    """Yield the files of applications, with manifests that may run them.

    These are all of the project if it has one application, otherwise those in its folder. Manifests
    that other files change are left out.
    """
    found = [*together]
    bases = {root: _base(root) for root, _ in found if _TESTS not in f"/{root}"}
    manifests, ordered = sorted(_manifests(texts)) if bases else [], sorted(bases.values())
    for root, members in found:
        base = "" if len(bases) == 1 else bases.get(root, "")
        if root in bases and len(below(base, ordered)) == 1:
            members |= {manifests[at] for at in below(base, manifests)}
        if len(members) > 1:
            yield root, members


def _manifests(texts: Mapping[str, str]) -> Iterator[str]:
    """Yield the manifests with variables that no other file changes."""
    changed = {
        dirname(path) for path in texts if basename(path) in KUSTOMIZATIONS or is_override(path)
    }
    for path, text in texts.items():
        is_alone = dirname(path) not in changed and "/templates/" not in f"/{path}"
        if is_alone and is_tree(path) and any(word in text for word in _OF_CONTAINERS):
            yield path


def _base(path: str) -> str:
    """Return the folder of an application by the path of its settings, with a slash if any."""
    folder = dirname(path)
    for inner in _FOLDERS:
        if f"/{folder}".endswith(f"/{inner}"):
            return folder.removesuffix(inner)
    return f"{folder}/" if folder else ""


def with_variables(texts: Mapping[str, str], changed: Set[str]) -> Iterator[tuple[str, set[str]]]:
    """Yield workloads, with the files of their folder whose ConfigMaps give them variables.

    Files that others change are left out, and a ConfigMap that several files of a folder have.
    """
    folders = grouped(
        (dirname(path), path)
        for path, text in texts.items()
        if path not in changed and is_tree(path) and _MAPS.search(text) is not None
    )
    for paths in folders.values():
        documents = {path: read_documents(texts[path]) for path in paths}
        named = {path: {*chain(*map(holders_named_by, documents[path]))} for path in paths}
        held = {path: dict(holders_of(documents[path])) for path in paths}
        places = grouped((holder, path) for path, own in held.items() for holder in own)
        for path in paths:
            given = (places.get(holder, ()) for holder in named[path])
            members = {other[0] for other in given if len(other) == 1} - {path}
            if members:
                yield path, {path, *members}


def replaced_in_maps(texts: Mapping[str, str]) -> dict[str, frozenset[Span]]:
    """Return the places of variables of ConfigMaps, by path, that no container has as written.

    Every container that has all of a ConfigMap sets these variables itself.
    """
    taken = {path: text for path, text in texts.items() if is_tree(path) and "configMapRef" in text}
    setting = grouped(
        found
        for text in taken.values()
        for document in read_documents(text)
        for container in pod_entries(document, "containers")
        for found in _set_beside(container)
    )
    set_by_all = {name: frozenset.intersection(*names) for name, names in setting.items()}
    if not any(set_by_all.values()):
        return {}
    found = {
        path: frozenset(
            variable.value_span
            for name, data in maps_of(read_documents(text))
            if name in set_by_all
            for key, variable in variables_in(data)
            if key in set_by_all[name]
        )
        for path, text in texts.items()
        if "ConfigMap" in text
    }
    return {path: places for path, places in found.items() if places}


def _set_beside(container: Node) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each ConfigMap that a container has all of, and the variables it sets besides."""
    own = environment_of(container.child("env"))
    for source in container.entries("envFrom"):
        prefix = source.word("prefix")
        names = frozenset(name[len(prefix) :] for name in own if name.startswith(prefix))
        yield source.word("configMapRef", "name"), names


def read_workload(root: str, composed: Files) -> tuple[list[int], list[str], list[Declared]]:
    """Return where each file begins, their paths, and the connections that only all show."""
    files = sorted(composed, key=lambda file: file[0] != root)
    text, starts = "", list[int]()
    for _, part in files:
        starts.append(len(text))
        text += part + _BETWEEN
    documents = [*read_documents(text)]
    own = bisect_left([document.start for document in documents], len(files[0][1]))
    found = connections_beside(documents[:own], documents[own:], Budget(len(text)))
    return starts, [path for path, _ in files], [*found]


def is_workload(text: str) -> bool:
    """Whether a composition with this text as the first is a workload and its ConfigMaps."""
    return any(pod_of(document) is not None for document in read_documents(text))


def read_application(
    root: str, composed: Files
) -> tuple[list[int], list[str], Sequence[Declared], set[str]] | None:
    """Return what the files of an application say: places, paths, declarations, and its own files.

    None if it has one file, and no container changes it.
    """
    manifests = {path for path, _ in composed if is_tree(path) and path != root}
    text, files = "", list[PlacedFile]()
    for path, part in sorted(composed, key=lambda file: file[0] not in manifests):
        files.append(PlacedFile(path, part, len(text)))
        text += part + _BETWEEN
    own = [file for file in files if file.path not in manifests]
    found = islice(_containers(files, text[: own[0].start]), MOST_CONTAINERS + 1)
    containers = [*found]
    if len(containers) > MOST_CONTAINERS:  # which of them run the application is not known
        containers = []
    if len(own) == 1 and not containers:
        return None
    declared = declared_together(root, own, containers)
    paths = [file.path for file in files]
    return [file.start for file in files], paths, declared, {file.path for file in own}


def _containers(files: Sequence[PlacedFile], text: str) -> Iterator[Container]:
    """The containers of the manifests in a text; their ConfigMaps are in the same folder."""
    starts = [file.start for file in files]
    folders = grouped(
        (dirname(files[bisect_right(starts, document.start) - 1].path), document)
        for document in (read_documents(text) if text else ())
    )
    for documents in folders.values():
        data = dict(maps_of(documents))
        yield from containers_of([page for page in documents if not _has_own_file(page, data)])


def _has_own_file(document: Node, data: Mapping[str, Node]) -> bool:
    """Whether a ConfigMap may give the pods of a workload a file of settings."""
    for volume in pod_entries(document, "volumes"):
        name = volume.word("configMap", "name")
        keys = data[name].pairs.names() if name in data else ()
        if name and (not keys or any(profile_of(key) is not None for key in keys)):
            return True
    return False
