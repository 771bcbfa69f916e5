"""What only the other manifests of the same folder show of manifests: faults, and services."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import accumulate
from posixpath import dirname

from mqlint.dataclass import NamedTuple
from mqlint.finding import Diagnostic
from mqlint.language.declaration import service_hosts
from mqlint.language.kubernetes.entries import is_kustomization
from mqlint.language.kubernetes.manifest import MOST_JOINED, parse_manifest
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.vocabulary.distance import nearest

_CODES = frozenset(
    {
        *("source-missing", "entry-missing", "entry-not-applied", "entry-of-other-language"),
        *("service-port", "service-selector", "policy-port", "compose-connection"),
        *("route-service", "route-ends-tls", "table-not-mounted"),
        *("channel-port", "policy-replication", "budget-of-majority", "autoscaled"),
    }
)
_BETWEEN = "\n---\n"
_ELSEWHERE = ("bases", "components", "helmCharts", "transformers", "generators", "replacements")
"""Keys of a kustomization that bring in, or change, what its folder does not show."""
_ENTRY = later(r"[\w.-]{1,100}\.(?:mqsc|ini)\b")
_MOST = 50
"""Of how many files of a folder the manifests are compared."""


class Shown(NamedTuple):
    """What the other texts show of one: faults, and (host, queue manager) of services."""

    faults: list[Diagnostic]
    hosts: list[tuple[str, str]]


def shown_by_others(texts: Sequence[str]) -> list[Shown]:
    """Return what the others show of each text, for texts of one folder.

    If two texts describe the same resource, or a kustomization takes resources of another folder,
    they do not show what is applied together, and nothing is returned.
    """
    found = [Shown([], []) for _ in texts]
    if len(texts) > _MOST or sum(map(len, texts)) > MOST_JOINED:
        return found
    joined = _BETWEEN.join(texts)
    starts = [*accumulate((len(text) + len(_BETWEEN) for text in texts[:-1]), initial=0)]
    manifest = parse_manifest(joined)
    faults = [fault for fault in manifest.diagnostics if fault.code in _CODES]
    managers = [made for made in manifest.declared if made.queue_manager and service_hosts(made)]
    if not (faults or managers) or not _is_whole(read_documents(joined)):
        return found
    for fault in faults:
        at = bisect_right(starts, fault.start) - 1
        start, end = fault.start - starts[at], fault.end - starts[at]
        found[at].faults.append(replace(fault, start=start, end=end))
    for made in managers:
        hosts = ((host, made.queue_manager or "") for host in service_hosts(made))
        found[bisect_right(starts, made.span[0]) - 1].hosts.extend(hosts)
    for text, shown in zip(texts, found, strict=True):
        own = parse_manifest(text).diagnostics if shown.faults else ()
        shown.faults[:] = [fault for fault in shown.faults if fault not in own]
    return found


def typos_across_folders(texts: Mapping[str, str]) -> Iterator[tuple[str, list[Diagnostic]]]:
    """Yield names that are typos of a resource in another folder of a project, by path.

    The folders below one folder are compared if they describe each resource once, as parts of one
    deployment do. What one of them does not have at all may be made by other means.
    """
    below: dict[str, dict[str, None]] = {}
    for path in texts:
        folder = f"/{path}".rpartition("/")[0]
        while folder:
            below.setdefault(folder, {})[path] = None
            folder = folder.rpartition("/")[0]
        below.setdefault("", {})[path] = None
    seen = set[tuple[str, ...]]()
    for paths in map(tuple, below.values()):
        if len(paths) > _MOST or len({*map(dirname, paths)}) == 1 or paths in seen:
            continue
        seen.add(paths)
        shown = shown_by_others([texts[path] for path in paths])
        entries: set[str] = (
            {*_ENTRY.findall(" ".join(texts[path] for path in paths))}
            if any(of.faults for of in shown)
            else set()
        )
        for path, (faults, _) in zip(paths, shown, strict=True):
            typos = [fault for fault in faults if _is_typo(fault, entries)]
            if typos:
                yield path, typos


def _is_typo(fault: Diagnostic, entries: Set[str]) -> bool:
    """Return whether a fault is a name beside a similar one."""
    data = fault.data
    if fault.code == "source-missing":
        return " " not in data["nearest"]
    if fault.code == "route-service":
        return bool(nearest(data["service"], (data["meant"],)))
    return fault.code == "entry-missing" and bool(nearest(data["word"], entries - {data["word"]}))


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
