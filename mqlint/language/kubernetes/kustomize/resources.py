"""The resources of an overlay of Kustomize, and which of them a patch selects."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field

from mqlint.dataclass import mutable
from mqlint.finding import Diagnostic
from mqlint.language.kubernetes.merge import Undecided, scalar, with_value
from mqlint.language.yaml.tree import Node

_SELECTORS = ("labelSelector", "annotationSelector")


@mutable
class Resource:
    """A resource as it is so far, and the names that it had.

    `size` is the number of its nodes. `files` are the files that hold entries of a generated one.
    `has_hash`: Kustomize adds a hash of the content to its name.
    """

    node: Node
    names: list[str]
    size: int = 1
    files: dict[str, str] = field(default_factory=dict)
    is_generated: bool = False
    has_hash: bool = False

    @property
    def kind(self) -> str:
        return self.node.word("kind")

    @property
    def is_custom(self) -> bool:
        group, slash, _ = self.node.word("apiVersion").partition("/")
        return bool(slash) and "." in group and not group.endswith(".k8s.io")

    def rename(self, name: str, place: Node) -> None:
        own = self.node.get("metadata", "name")
        span = own.span if own is not None else place.span
        self.node = with_value(self.node, ("metadata", "name"), scalar(name, span))
        self.names.append(name)


@mutable
class Built:
    """What a kustomization makes.

    `is_open` is true if it takes resources that are not in the files, `has_patches_elsewhere` if it
    has such patches. `is_described` is true if it may change references of custom resources.
    """

    resources: list[Resource] = field(default_factory=list)
    faults: list[Diagnostic] = field(default_factory=list)
    is_open: bool = False
    has_patches_elsewhere: bool = False
    is_described: bool = False


@mutable
class Part:
    """The resources of one kustomization: those of a list from `start` on."""

    built: Built
    start: int

    @property
    def resources(self) -> list[Resource]:
        return self.built.resources[self.start :]

    def remove(self, resources: Iterable[Resource]) -> None:
        removed = {id(resource) for resource in resources}
        rest = (resource for resource in self.built.resources if id(resource) not in removed)
        self.built.resources[:] = rest

    def find(self, kind: str, name: str) -> Resource | None:
        for resource in self.resources:
            if resource.kind == kind and name in resource.names:
                return resource
        return None


def size_of(document: Node) -> int:
    return sum(1 for _ in document.walk())


def is_selected(resource: Resource, target: Node) -> bool:
    """Whether a resource has what a selector asks for; names are regular expressions."""
    if any(map(target.child, _SELECTORS)):
        raise Undecided("a patch selects its target by labels")
    group, _, version = resource.node.word("apiVersion").rpartition("/")
    own = {"group": group, "version": version, "kind": resource.kind}
    for key, value in own.items():
        wanted = target.word(key)
        if wanted and not _matches(wanted, value):
            return False
    wanted = target.word("name")
    return not wanted or any(_matches(wanted, name) for name in resource.names)


def _matches(pattern: str, text: str) -> bool:
    if pattern == text:
        return True
    if re.fullmatch(r"[\w.-]*(?:\.\*)?[\w.-]*", pattern) is None:
        if re.fullmatch(r"[\w-]+(?:\|[\w-]+)*", pattern) is not None:
            return text in pattern.split("|")
        raise Undecided("a patch selects its target by a pattern")
    return re.fullmatch(pattern, text) is not None
