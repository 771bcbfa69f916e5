"""Keys and words of Kubernetes for IBM MQ: the Operator, its chart, the container, licences.

A key at a path is a key of the mapping there; kubernetes.yaml describes the fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, TypeVar

from mqlint.config.node import Node
from mqlint.dataclass import frozen
from mqlint.patterns import later
from mqlint.vocabulary.load import compiled_table
from mqlint.vocabulary.shape import (
    LISTS,
    PAIRS,
    WORDS,
    Shape,
    required,
    several,
    shape_of,
    table,
    texts,
)
from mqlint.vocabulary.target import Level, parse_level

Path = tuple[str, ...]
Value = TypeVar("Value")

_VERSION = later(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})\.")


def _path(text: str) -> Path:
    return tuple(text.split(".")) if text else ()


def _paths(found: list[str]) -> tuple[Path, ...]:
    return tuple(map(_path, found))


def _by_path(of: Callable[[list[str]], Value]) -> Shape[Mapping[Path, Value]]:
    return Shape(table(texts), lambda raw: {_path(path): of(found) for path, found in raw.items()})


_PATHS: Shape[tuple[Path, ...]] = Shape(texts, _paths)
_KEYS: Shape[Mapping[Path, frozenset[str]]] = _by_path(frozenset)
_BY_PATH: Shape[Mapping[Path, tuple[str, ...]]] = _by_path(tuple)
_FIELDS: Shape[Mapping[str, tuple[Path, ...]]] = Shape(
    table(several(Node.text)), lambda raw: {name: _paths(found) for name, found in raw.items()}
)


@frozen
class OperatorVocabulary:
    keys: Mapping[Path, frozenset[str]] = required(_KEYS)
    lists: Mapping[Path, frozenset[str]] = required(_KEYS)
    source_keys: frozenset[str] = required(WORDS)
    words: Mapping[Path, tuple[str, ...]] = required(_BY_PATH)
    near_words: Mapping[Path, tuple[str, ...]] = required(_BY_PATH)
    mistaken: Mapping[str, str] = required(PAIRS)
    mistaken_keys: Mapping[str, tuple[str, ...]] = required(LISTS)
    switches: tuple[Path, ...] = required(_PATHS)
    sizes: tuple[Path, ...] = required(_PATHS)
    fields: Mapping[str, tuple[Path, ...]] = required(_FIELDS)


@frozen
class WorkloadVocabulary:
    """What workloads, claims and services may have; a path begins with the kind, or with `pod`."""

    keys: Mapping[Path, frozenset[str]] = required(_KEYS)
    words: Mapping[Path, tuple[str, ...]] = required(_BY_PATH)
    ports: tuple[Path, ...] = required(_PATHS)
    sizes: tuple[Path, ...] = required(_PATHS)


@frozen
class ChartVocabulary:
    keys: Mapping[Path, frozenset[str]] = required(_KEYS)
    fields: Mapping[str, tuple[Path, ...]] = required(_FIELDS)


@frozen
class ContainerVocabulary:
    variables: Mapping[str, tuple[str, ...]] = required(LISTS)
    mistaken: Mapping[str, str] = required(PAIRS)
    foreign_probes: frozenset[str] = required(WORDS)


@frozen
class KubernetesVocabulary:
    """All parts; `licences` are those that are for each release and later ones of it."""

    operator: OperatorVocabulary = required(shape_of(OperatorVocabulary))
    workload: WorkloadVocabulary = required(shape_of(WorkloadVocabulary))
    chart: ChartVocabulary = required(shape_of(ChartVocabulary))
    container: ContainerVocabulary = required(shape_of(ContainerVocabulary))
    licences: Mapping[str, tuple[str, ...]] = required(LISTS)


SHAPE: Final = shape_of(KubernetesVocabulary)


@cache
def kubernetes_vocabulary() -> KubernetesVocabulary:
    return SHAPE.load(compiled_table("kubernetes"))


@cache
def releases_of_licences() -> Mapping[str, Level]:
    """Return the first release of each licence that is known."""
    licences = kubernetes_vocabulary().licences
    return {word: parse_level(release) for release, words in licences.items() for word in words}


def licence_fits(licence: str, version: str) -> bool | None:
    """Return whether a licence is for a version (9.4.2.0-r1); None when it is not known."""
    match, first = _VERSION.match(version), releases_of_licences().get(licence)
    if match is None or first is None:
        return None
    level = tuple(map(int, match.groups()))
    return level[:2] == first[:2] and level >= first
