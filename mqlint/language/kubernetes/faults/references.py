"""Names of ConfigMaps, Secrets and claims in workloads that are a typo of one which they have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.kubernetes.faults.check import MOST_COMPARED, Holder
from mqlint.language.kubernetes.pod import may_be_same, pod_of
from mqlint.language.yaml.tree import Node
from mqlint.vocabulary.distance import same_but_for_tag, typo_of

_CLAIM = "PersistentVolumeClaim"
_REFERENCES = {
    "configMap": "ConfigMap",
    "configMapRef": "ConfigMap",
    "configMapKeyRef": "ConfigMap",
    "secret": "Secret",
    "secretRef": "Secret",
    "secretKeyRef": "Secret",
    "persistentVolumeClaim": _CLAIM,
}
"""Keys below which a resource is named, with its kind."""
_NAMES = ("name", "secretName", "claimName")


def reference_faults(documents: Sequence[Node], holders: Iterable[Holder]) -> Iterator[Diagnostic]:
    """Yield names that are a typo of a resource which nothing names.

    `holders` are the ConfigMaps and Secrets that the documents have or make. What is optional may
    be missing.
    """
    present = {(each.kind, each.name, each.namespace) for each in holders}
    present |= {
        (_CLAIM, document.word("metadata", "name"), document.word("metadata", "namespace"))
        for document in documents
        if document.word("kind") == _CLAIM
    }
    references = [
        (document, *found) for document in documents for found in _references_in(document)
    ]
    named = {(kind, place.word()) for _, kind, place, _ in references}
    free = [found for found in present if found[:2] not in named]
    known = {found[:2] for found in present}
    for document, kind, place, source in references if len(free) <= MOST_COMPARED else ():
        written, namespace = place.word(), document.word("metadata", "namespace")
        is_certain = pod_of(document) is not None and source.word("optional") != "true"
        if not is_certain or not written or (kind, written) in known:
            continue
        own = {name for other, name, of in free if other == kind and may_be_same(of, namespace)}
        near = typo_of(written, own)
        if near and not same_but_for_tag(near, written):
            yield diagnostic("source-missing", place.span, word=written, kind=kind, nearest=near)


def _references_in(document: Node) -> Iterator[tuple[str, Node, Node]]:
    """Yield kind and place of each name of a resource, and the node that names it."""
    for node in document.walk():
        for key, kind in _REFERENCES.items():
            source = node.child(key)
            places = map(source.child, _NAMES) if source is not None else ()
            place = next(filter(None, places), None)
            if source is not None and place is not None:
                yield kind, place, source
