"""Kustomize: the resources that an overlay makes of its bases, components, generators and patches.

Sources: "Kustomization File" reference of Kustomize, and "Declarative Management of Kubernetes
Objects Using Kustomize" of Kubernetes. Kustomize changes references to a name that it changes only
in built-in resources, not in custom ones such as a QueueManager, unless `configurations`, `crds`
or `openapi` describe them ("Transformer Configurations" of Kustomize).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from posixpath import join, normpath

from mqlint.finding import diagnostic
from mqlint.grouping import grouped
from mqlint.language.kubernetes import KUSTOMIZATIONS
from mqlint.language.kubernetes.entries import GENERATORS, HOLDERS, is_kustomization
from mqlint.language.kubernetes.kustomize.replacements import replace_fields
from mqlint.language.kubernetes.kustomize.resources import (
    Built,
    Part,
    Resource,
    Selector,
    size_of,
)
from mqlint.language.kubernetes.merge import (
    Undecided,
    changed,
    hosted,
    mapping,
    merged,
    patched,
    scalar,
    with_child,
    with_value,
)
from mqlint.language.text.templates import is_known
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.checkout import path_beside

_UNDECIDED = (
    *("transformers", "generators", "vars", "helmCharts"),
    "helmChartInflationGenerator",
)
"""Keys whose effect is not followed."""
_DESCRIBING = ("configurations", "crds", "openapi")
"""Keys that may describe references of custom resources."""
_REPLICATED = frozenset({"Deployment", "StatefulSet", "ReplicaSet", "ReplicationController"})
_LOCAL_FILE = later(r"(?:\./)?[\w./-]{1,200}\.ya?ml")
_DEEPEST = 32
_MOST_STEPS = 500_000
"""Limit of the nodes and resources that patches, names and images of an overlay are tried on."""


class Overlay:
    """Builds one kustomization.

    `documents` are those of each file, and `environments` the variables of files `name=value`.
    """

    def __init__(
        self,
        documents: Mapping[str, Sequence[Node]],
        environments: Mapping[str, Sequence[tuple[str, Node]]],
        budget: Budget,
    ) -> None:
        self._documents = documents
        self._environments = environments
        self._budget = budget
        self._steps = _MOST_STEPS

    def _spend(self, steps: int) -> None:
        """Count steps: an overlay may try many changes on many resources."""
        self._steps -= steps
        if self._steps < 0:
            raise Undecided("the manifests are too large")

    def build(self, path: str) -> Built:
        """Return what a kustomization makes; raise `Undecided` if the files do not show it."""
        built = Built()
        self._build(path, built, 0, 0)
        if built.has_patches_elsewhere:
            for resource in built.resources:
                replicas = resource.node.get("spec", "replicas")
                if replicas is not None:
                    replicas.known = False
        return built

    def _build(self, path: str, built: Built, start: int, depth: int) -> None:
        """Add what a kustomization makes; it changes the resources from `start` on.

        These are its own, and for a component those of the kustomization that names it so far.
        """
        kustomization = next(filter(is_composing, self._documents.get(path, ())), None)
        if kustomization is None or depth > _DEEPEST:
            raise Undecided(f"{path} is not read")
        if _has_templates(kustomization):
            raise Undecided(f"{path} has templates")
        found = next((key for key in _UNDECIDED if kustomization.entries(key)), "")
        if found:
            raise Undecided(f"{path} has `{found}`")
        built.is_described = built.is_described or any(map(kustomization.child, _DESCRIBING))
        for name in (*kustomization.entries("resources"), *kustomization.entries("bases")):
            self._add(path, name, built, depth)
        own = Part(built, start)
        self._generate(path, kustomization, own)
        for name in kustomization.entries("components"):
            below = folder_of(path, name.word(), self._documents)
            if not below:
                raise Undecided(f"{path} takes a component from elsewhere")
            self._build(below, built, start, depth + 1)
        self._change(path, kustomization, own)

    def _add(self, path: str, name: Node, built: Built, depth: int) -> None:
        """Add the resources of a file or folder that a kustomization names."""
        file = path_beside(path, name.word())
        documents = self._documents.get(file)
        if documents is not None:
            for document in documents:
                size = size_of(document)
                if not self._budget.spend(0, 1 + size):
                    raise Undecided("the manifests are too large")
                names = [document.word("metadata", "name")]
                built.resources.append(Resource(document, names, size))
            return
        below = folder_of(path, name.word(), self._documents)
        if below:
            self._build(below, built, len(built.resources), depth + 1)
        elif _LOCAL_FILE.fullmatch(name.word()) is not None:
            built.has_unread = True
        else:
            built.is_open = True

    def _generate(self, path: str, kustomization: Node, own: Part) -> None:
        """Add the ConfigMaps and Secrets of generators, or change those of a base."""
        options = kustomization.child("generatorOptions")
        for generator, kind in GENERATORS.items():
            for made in kustomization.entries(generator):
                name, node = made.word("name"), made.child("name")
                if not name or node is None:
                    raise Undecided(f"{path} makes a {kind} whose name is not known")
                behaviour = made.word("behavior") or "create"
                pairs, files = self._entries(path, made, kind)
                self._spend(len(own.resources) + len(pairs))
                target = own.find(kind, name) if behaviour != "create" else None
                if target is None and behaviour != "create":
                    if own.built.may_have_more(kind):
                        continue
                    raise Undecided(f"{path} changes a {kind} {name} that no base has")
                if target is None:
                    has_hash = not any(map(_is_plain, (options, made.child("options"))))
                    target = Resource(_holder(kind, name, node, made), [name])
                    target.is_generated, target.has_hash = True, has_hash
                    own.built.resources.append(target)
                data = target.node.child("data") if behaviour == "merge" else None
                entries = dict(data.pairs.items()) if data else {}
                self._spend(len(entries))
                own_entries = dict(pairs)
                entries |= own_entries
                target.node = with_child(target.node, "data", mapping(entries.items(), made.span))
                present = target.files if behaviour == "merge" else {}
                kept = {key: file for key, file in present.items() if key not in own_entries}
                target.files = kept | files
                target.size += len(pairs)

    def _entries(
        self, path: str, made: Node, kind: str
    ) -> tuple[list[tuple[str, Node]], dict[str, str]]:
        """The entries of a generator, and the files that hold those of `files`."""
        pairs: list[tuple[str, Node]] = []
        files: dict[str, str] = {}
        for item in made.entries("literals"):
            key, sign, text = item.text.partition("=")
            if sign:
                pairs.append((key, scalar(text.strip("\"'"), item.span)))
        for item in made.entries("files"):
            key, sign, name = item.text.rpartition("=")
            key = key if sign else name.rpartition("/")[2]
            files[key] = path_beside(path, name)
            pairs.append((key, Node(*item.span)))
        alone = made.child("env")
        for item in (*made.entries("envs"), *((alone,) if alone is not None else ())):
            variables = self._environments.get(path_beside(path, item.word()))
            if variables is None:
                raise Undecided(
                    f"{path} makes a {kind} of {item.word() or 'a file'}, which is not read"
                )
            pairs.extend(variables)
        return pairs, files

    def _change(self, path: str, kustomization: Node, own: Part) -> None:
        """Apply patches, then names, numbers of replicas, images, and replacements."""
        self._spend(len(own.resources))
        for patch, target in self._patches(path, kustomization, own.built):
            self._patch(patch, target, own)
            if target is not None and kustomization.word("kind") != "Component":
                self._check_target(target, own)
        self._rename(kustomization, own)
        counts = _by_name(kustomization.entries("replicas"))
        for resource in own.resources if counts else ():
            found = [item for name in resource.names for item in counts.get(name, ())]
            item = max(found, key=lambda item: item.start, default=None)
            count = None if item is None else item.child("count")
            if count is not None and resource.kind in _REPLICATED:
                resource.node = with_value(resource.node, ("spec", "replicas"), count)
        images = _by_name(kustomization.entries("images"))
        for resource in own.resources if images else ():
            self._spend(resource.size)
            if not resource.is_custom:
                resource.node = with_images(resource.node, images)
        for replacement in kustomization.entries("replacements"):
            file = replacement.child("path")
            if file is not None:
                raise Undecided(f"{path} has a replacement in a file of its own")
            replace_fields(replacement, own, self._spend)

    def _rename(self, kustomization: Node, own: Part) -> None:
        """Give resources the prefix and the suffix, and built-in ones the new names they use."""
        prefix, suffix = kustomization.word("namePrefix"), kustomization.word("nameSuffix")
        place = kustomization.child("namePrefix") or kustomization.child("nameSuffix")
        if place is None:
            return
        renamed: dict[tuple[str, str], str] = {}
        for resource in own.resources:
            name = resource.node.word("metadata", "name")
            new = f"{prefix}{name}{suffix}"
            self._spend(resource.size + len(new))
            if name:
                resource.rename(new, place)
            if name and resource.kind in HOLDERS:
                renamed[resource.kind, name] = new
        for resource in own.resources if renamed else ():
            if not resource.is_custom:
                resource.node = with_references(resource.node, renamed)

    def _patches(
        self, path: str, kustomization: Node, built: Built
    ) -> Iterator[tuple[Node, Node | None]]:
        """Yield the documents of all patches, each with the selector of its target."""
        for item in kustomization.entries("patchesStrategicMerge"):
            if item.text.strip() and "\n" in item.text.strip():
                yield from ((patch, None) for patch in self._inner(item))
            else:
                yield from ((patch, None) for patch in self._outer(path, item, built))
        for key in ("patches", "patchesJson6902"):
            for item in kustomization.entries(key):
                target, inline, file = map(item.child, ("target", "patch", "path"))
                if inline is not None:
                    yield from ((patch, target) for patch in self._inner(inline))
                elif file is not None:
                    yield from ((patch, target) for patch in self._outer(path, file, built))

    def _inner(self, item: Node) -> Iterator[Node]:
        mapped = item.mapped
        if mapped is None or not item.known or item.maybe or not is_known(mapped.text):
            raise Undecided("a patch has templates")
        if not self._budget.spend(len(mapped.text), len(mapped.segments)):
            raise Undecided("the manifests are too large")
        for document in read_documents(mapped.text, self._budget):
            yield hosted(document, mapped)

    def _outer(self, path: str, name: Node, built: Built) -> Iterable[Node]:
        file = path_beside(path, name.word())
        documents = self._documents.get(file)
        if documents is None:
            built.has_patches_elsewhere = True
        return documents or ()

    def _check_target(self, target: Node, own: Part) -> None:
        """Add a fault if a target names a resource that is missing: the patch changes nothing."""
        name, kind = target.word("name"), target.word("kind")
        named = [resource.names for resource in own.resources if resource.kind == kind]
        is_plain = name.replace("-", "").isalnum() and not own.built.may_have_more(kind)
        if is_plain and named and not any(name in names for names in named):
            where = target.child("name") or target
            nearest = ", ".join(names[0] for names in named[:3])
            words = {"word": name, "kind": kind, "nearest": nearest}
            own.built.faults.append(diagnostic("patch-selects-none", where.span, **words))

    def _patch(self, patch: Node, target: Node | None, own: Part) -> None:
        size = size_of(patch)
        self._spend(len(own.resources) + size)
        if _has_templates(patch):
            raise Undecided("a patch has templates")
        selector = Selector(target) if target is not None and own.resources else None
        if patch.kind == "list":
            for resource in own.resources if selector is not None else ():
                if selector is not None and selector.takes(resource):
                    self._spend(resource.size * len(patch.items))
                    resource.node = patched(resource.node, patch.items)
                    resource.size += size
            return
        kind, name = patch.word("kind"), patch.word("metadata", "name")
        if target is not None:
            chosen = [
                resource
                for resource in own.resources
                if selector is not None and selector.takes(resource)
            ]
        else:
            chosen = [
                resource
                for resource in own.resources
                if resource.kind == kind and name in resource.names
            ]
            if not chosen and name and not own.built.may_have_more(kind):
                where = patch.get("metadata", "name") or patch
                others = [resource.names[0] for resource in own.resources if resource.kind == kind]
                words = {"word": name, "kind": kind, "nearest": ", ".join(others[:3])}
                own.built.faults.append(diagnostic("patch-without-target", where.span, **words))
        if patch.word("$patch") == "delete":
            own.remove(chosen)
            return
        for resource in chosen:
            self._spend(resource.size)
            resource.size += size
            change = patch
            metadata = patch.child("metadata")
            if metadata is not None and metadata.child("name") is not None:
                change = with_child(patch, "metadata", with_child(metadata, "name", None))
            resource.node = merged(resource.node, change, lists=not resource.is_custom)


def is_composing(document: Node) -> bool:
    return document.word("kind") == "Component" or is_kustomization(document)


def _has_templates(document: Node) -> bool:
    """Whether a template may add entries; a secret that is masked in a text is none."""
    return any(node.open and node.kind != "scalar" for node in document.walk())


def _by_name(entries: Iterable[Node]) -> Mapping[str, list[Node]]:
    return grouped((entry.word("name"), entry) for entry in entries)


def folder_of(path: str, name: str, documents: Mapping[str, object]) -> str:
    """Return the kustomization of a folder that another names, blank if it is not here."""
    folder = path_beside(path, name or ".")
    candidates = (normpath(join(folder, own)) for own in KUSTOMIZATIONS)
    return next((own for own in candidates if own in documents and own != path), "")


def _holder(kind: str, name: str, place: Node, made: Node) -> Node:
    metadata = [("name", scalar(name, place.span))]
    namespace = made.child("namespace")
    if namespace is not None:
        metadata.append(("namespace", namespace))
    pairs = [
        ("apiVersion", scalar("v1", place.span)),
        ("kind", scalar(kind, place.span)),
        ("metadata", mapping(metadata, place.span)),
    ]
    return mapping(pairs, made.span)


def _is_plain(options: Node | None) -> bool:
    """Whether options of a generator leave the hash of its content out of the name."""
    return options is not None and options.word("disableNameSuffixHash") == "true"


# -- names and images inside resources -------------------------------------------------------------


_REFERENCES = {
    **dict.fromkeys(("configMap", "configMapRef", "configMapKeyRef"), ("ConfigMap", "name")),
    **dict.fromkeys(("secretRef", "secretKeyRef"), ("Secret", "name")),
    "secret": ("Secret", "secretName"),
}
"""The keys below which a built-in resource names a ConfigMap or a Secret."""


def with_references(node: Node, renamed: Mapping[tuple[str, str], str]) -> Node:
    """Return a resource whose references to ConfigMaps and Secrets have the new names."""

    def renaming(key: str, value: Node) -> Node:
        if key not in _REFERENCES:
            return value
        kind, word = _REFERENCES[key]
        new, own = renamed.get((kind, value.word(word))), value.child(word)
        return (
            value if new is None or own is None else with_child(value, word, scalar(new, own.span))
        )

    return _rewritten(node, renaming)


def with_images(node: Node, images: Mapping[str, Sequence[Node]]) -> Node:
    """Return a workload whose images have the names, tags and digests of a kustomization."""

    def replacing(key: str, value: Node) -> Node:
        if key == "image" and value.kind == "scalar":
            name = re.split(r"@|:(?=[^/]*$)", value.text)[0]
            for image in images.get(name, ()):
                value = _image(value, name, image)
        return value

    return _rewritten(node, replacing)


def _rewritten(node: Node, change: Callable[[str, Node], Node]) -> Node:
    """Return a tree in which `change` has replaced the value of each key, the innermost first."""
    if node.kind == "list":
        return changed(node, items=(_rewritten(item, change) for item in node.items))
    if node.kind != "mapping":
        return node
    pairs = [(key, span, change(key, _rewritten(value, change))) for key, span, value in node.pairs]
    return changed(node, pairs=pairs)


def _image(node: Node, name: str, image: Node) -> Node:
    place = next(filter(None, map(image.child, ("newTag", "digest", "newName"))), None)
    if place is None:
        return node
    new, tag, digest = (image.word(key) for key in ("newName", "newTag", "digest"))
    rest = node.text[len(name) :]
    rest = f"@{digest}" if digest else f":{tag}" if tag else rest
    return scalar(f"{new or name}{rest}", place.span)
