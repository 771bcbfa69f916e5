"""The resources of an overlay of Kustomize, and which of them a patch selects."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field

from mqlint.dataclass import mutable
from mqlint.finding import Diagnostic
from mqlint.language.kubernetes.merge import Undecided, scalar, with_value
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later

_PLAIN, _ALTERNATIVES = later(r"[\w-]*"), later(r"[\w-]+(?:\|[\w-]+)*")
_SIMPLE = later(r"[\w.-]*(?:\.\*[\w.-]*)?")
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

    `is_open` is true if it takes resources from elsewhere, `has_unread` if it takes a file that is
    not read, because it is not here or says nothing of MQ. `has_patches_elsewhere` is true if it
    has patches from elsewhere, `is_described` if it may change references of custom resources.
    """

    resources: list[Resource] = field(default_factory=list)
    faults: list[Diagnostic] = field(default_factory=list)
    is_open: bool = False
    has_unread: bool = False
    has_patches_elsewhere: bool = False
    is_described: bool = False

    def may_have_more(self, kind: str) -> bool:
        """Whether it may have resources of a kind that no file shows; a QueueManager is of MQ."""
        return self.is_open or (self.has_unread and kind != "QueueManager")


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


class Selector:
    """What a patch asks of its target; names are regular expressions."""

    def __init__(self, target: Node) -> None:
        """Raise `Undecided` if it asks for labels."""
        if any(map(target.child, _SELECTORS)):
            raise Undecided("a patch selects its target by labels")
        self._name = _Words(target.word("name"))
        self._kind, self._group, self._version = (
            _Words(target.word(key)) for key in ("kind", "group", "version")
        )

    def takes(self, resource: Resource) -> bool:
        """Whether a resource has it; raise `Undecided` for a pattern that is not followed."""
        if self._name and not any(map(self._name.fits, resource.names)):
            return False
        if self._kind and not self._kind.fits(resource.kind):
            return False
        if not (self._group or self._version):
            return True
        group, _, version = resource.node.word("apiVersion").rpartition("/")
        return all(
            not words or words.fits(text)
            for words, text in ((self._group, group), (self._version, version))
        )


class _Words:
    """The words that a pattern stands for, or what compares a word with it."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._words: frozenset[str] = frozenset()
        self._regex: re.Pattern[str] | None = None
        if _PLAIN.fullmatch(pattern) is not None:
            self._words = frozenset((pattern,))
        elif _ALTERNATIVES.fullmatch(pattern) is not None:
            self._words = frozenset(pattern.split("|"))
        elif _SIMPLE.fullmatch(pattern) is not None:
            self._regex = re.compile(pattern)

    def __bool__(self) -> bool:
        return bool(self._pattern)

    def fits(self, text: str) -> bool:
        if self._words:
            return text in self._words
        if self._regex is not None:
            return text == self._pattern or self._regex.fullmatch(text) is not None
        if text == self._pattern:
            return True
        raise Undecided("a patch selects its target by a pattern")
