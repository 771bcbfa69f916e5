"""Faults of manifests that only the other manifests of the same folder show."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate

from mqlint.finding import Diagnostic
from mqlint.language.kubernetes.entries import is_kustomization
from mqlint.language.kubernetes.manifest import MOST_JOINED, parse_manifest
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node

_CODES = frozenset(
    {
        *("source-missing", "entry-missing", "entry-not-applied", "entry-of-other-language"),
        *("service-port", "service-selector", "policy-port", "compose-connection"),
        "route-service",
    }
)
_BETWEEN = "\n---\n"
_ELSEWHERE = ("bases", "components", "helmCharts", "transformers", "generators", "replacements")
"""Keys of a kustomization that bring in, or change, what its folder does not show."""
_MOST = 50
"""Of how many files of a folder the manifests are compared."""


def faults_between(texts: Sequence[str]) -> list[tuple[Diagnostic, ...]]:
    """Return the faults of each text that only the others show, for texts of one folder.

    If two texts describe the same resource, or a kustomization takes resources of another folder,
    they do not show what is applied together, and nothing is returned.
    """
    found: list[list[Diagnostic]] = [[] for _ in texts]
    if len(texts) > _MOST or sum(map(len, texts)) > MOST_JOINED:
        return [()] * len(texts)
    joined = _BETWEEN.join(texts)
    starts = [*accumulate((len(text) + len(_BETWEEN) for text in texts[:-1]), initial=0)]
    faults = [fault for fault in parse_manifest(joined).diagnostics if fault.code in _CODES]
    for fault in faults if faults and _is_whole(read_documents(joined)) else ():
        at = bisect_right(starts, fault.start) - 1
        start, end = fault.start - starts[at], fault.end - starts[at]
        found[at].append(replace(fault, start=start, end=end))
    for text, of_text in zip(texts, found, strict=True):
        own = parse_manifest(text).diagnostics if of_text else ()
        of_text[:] = [fault for fault in of_text if fault not in own]
    return [tuple(of_text) for of_text in found]


def _is_whole(documents: Iterable[Node]) -> bool:
    """Return whether documents describe each resource once, and no other folder is part of it."""
    seen = set()
    for document in documents:
        if is_kustomization(document):
            if any(document.child(key) for key in _ELSEWHERE):
                return False
            resources = document.child("resources")
            if resources is not None and not all(map(_is_beside, resources.items)):
                return False
        name = document.word("metadata", "name")
        identity = (document.word("kind"), document.word("metadata", "namespace"), name)
        if name and identity in seen:
            return False
        seen.add(identity)
    return True


def _is_beside(resource: Node) -> bool:
    name = resource.word()
    return "/" not in name.removeprefix("./") and name.endswith((".yaml", ".yml", ".json"))
