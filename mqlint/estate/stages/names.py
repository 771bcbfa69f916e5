"""The names of files that documents of a repository use, and which of them the repository has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from typing import Final

from mqlint.dataclass import NamedTuple
from mqlint.engine.document.unjudged import names_of_files
from mqlint.estate.stages.context import Job
from mqlint.estate.stages.frame import Frame
from mqlint.estate.tables.batches import records, row_stage, schema_of

_Names = Mapping[str, Set[str]]
"""Names by repository."""


class _NamesRow(NamedTuple):
    """Of a row of DOCUMENTS its path, and the names of the files that it uses."""

    repository: str
    path: str
    awaits: str


class NameRow(NamedTuple):
    """A name of a file, in lower case."""

    repository: str
    name: str


NAMES: Final = schema_of(NameRow)


def with_names(job: Job, documents: Frame) -> Job:
    """Return the job with the names in use of the files of each repository."""
    used = _collected(documents.through(_used()))
    return replace(job, names=_collected(documents.through(_present(used)))) if used else job


def _collected(names: Frame) -> _Names:
    found: dict[str, set[str]] = defaultdict(set)
    for row in records(names.batches(), NameRow):
        found[row.repository].add(row.name)
    return dict(found)


@row_stage(_NamesRow, NAMES)
def _used(given: Iterable[_NamesRow]) -> Iterator[NameRow]:
    """DOCUMENTS to NAMES: those of the files that they use, once each."""
    names = ((row.repository, row.awaits.casefold()) for row in given if row.awaits)
    yield from {NameRow(home, name) for home, joined in names for name in joined.split("/")}


@row_stage(_NamesRow, NAMES)
def _present(given: Iterable[_NamesRow], used: _Names) -> Iterator[NameRow]:
    """DOCUMENTS to NAMES: those in use that a file has, once each."""
    yield from {
        NameRow(row.repository, name)
        for row in given
        if row.repository in used
        for name in names_of_files([row.path]) & used[row.repository]
    }
