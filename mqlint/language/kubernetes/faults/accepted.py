"""Keys, words and numbers that Kubernetes does not accept in workloads, claims and services."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Diagnostic
from mqlint.language.kubernetes.faults.check import key_faults, word_faults
from mqlint.language.kubernetes.pod import number_of
from mqlint.language.kubernetes.quantity import quantity_faults
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.vocabulary.distance import nearest_in_any_case
from mqlint.vocabulary.kubernetes import Path, kubernetes_vocabulary
from mqlint.vocabulary.limits import PORT

_KNOWN = kubernetes_vocabulary().workload
_CLAIM = "PersistentVolumeClaim"
_NAMED = frozenset({"ConfigMap", "Secret", "Service", _CLAIM})
_NAME = later(r"[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?")
_NAMES = "names of lower-case letters, digits, - and ."
_APPS = ("Deployment", "StatefulSet", "ReplicaSet", "DaemonSet")
WORKLOADS = frozenset({*_APPS, "Pod"})


def kind_meant(document: Node) -> str:
    """Return the kind of workload that a document is of, or whose name it misspells."""
    kind = document.word("kind")
    if kind in WORKLOADS or document.word("apiVersion").partition("/")[0] != "apps":
        return kind
    return nearest_in_any_case(kind, _APPS) or kind


def kind_faults(workload: Node) -> Iterator[Diagnostic]:
    """Yield a kind in another case or with a typo, and the version of the API of other kinds.

    Groups of other products may have kinds of the same name.
    """
    kind, version = workload.child("kind"), workload.child("apiVersion")
    meant, api = kind_meant(workload), workload.word("apiVersion")
    if kind is not None:
        yield from word_faults(kind, "kind", (meant,))
    wanted = "apps/v1" if meant in _APPS else "v1"
    is_other = "/" not in api or (meant not in _APPS and api.startswith("apps/"))
    if version is not None and api and is_other:
        yield from word_faults(version, "apiVersion", (wanted,))


def workload_schema_faults(workload: Node, pod: Node) -> Iterator[Diagnostic]:
    yield from _faults(pod, "pod")
    yield from beside_faults(workload)
    for claim in workload.entries("spec", "volumeClaimTemplates"):
        yield from _faults(claim, _CLAIM)


def beside_faults(document: Node) -> Iterator[Diagnostic]:
    """Yield the faults of a claim, a service or another resource beside a queue manager."""
    kind, name = kind_meant(document), document.get("metadata", "name")
    yield from _faults(document, kind)
    written = document.word("metadata", "name")
    if name is None or not written or kind not in WORKLOADS | _NAMED:
        return
    if not _NAME.fullmatch(written):
        yield from word_faults(name, "name", (_NAMES,))


def _faults(root: Node, kind: str) -> Iterator[Diagnostic]:
    for path, known in _KNOWN.keys.items():
        for node in _at(root, kind, path):
            yield from key_faults(node, known)
    for path, words in _KNOWN.words.items():
        for node in _at(root, kind, path):
            yield from word_faults(node, path[-1], words)
    for path in _KNOWN.ports:
        for node in _at(root, kind, path):
            number = number_of(node)
            if number is not None and not 1 <= number <= PORT:
                yield from word_faults(node, path[-1], (f"1 to {PORT}",))
    for path in _KNOWN.sizes:
        for node in _at(root, kind, path):
            yield from quantity_faults(node, path[-1])


def _at(root: Node, kind: str, path: Path) -> Iterator[Node]:
    """Yield the nodes at a path of a kind; of a list, it goes on in each entry."""
    if path[0] != kind:
        return
    nodes = [root]
    for key in path[1:]:
        nodes = [entry for node in nodes for entry in node.entries_or_value(key)]
    yield from nodes
