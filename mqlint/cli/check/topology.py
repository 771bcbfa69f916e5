"""The queue managers, clusters and channels of a run, for a report that has a map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mqlint import engine
from mqlint.cli.check.run import ProjectRun, folder_of
from mqlint.cli.common.targets import Scope
from mqlint.engine.project import Project
from mqlint.engine.projections import (
    CHANNEL_PAIRS,
    PROJECTIONS,
    ends_by_pair,
    judged_queue_managers,
    pair_rows,
    table_columns,
)
from mqlint.finding import below
from mqlint.report.topology import TABLES, Topology, topology

_PATHS = ("path", "to_path")
_OF_FILES = frozenset({"clients", "connections"})
"""Tables that are joined with findings by file; those of a check have no repository."""


def topology_of(outcomes: Sequence[ProjectRun], scopes: Sequence[Scope], root: Path) -> Topology:
    """Return what the files of the projects of a run, and their context, describe.

    The files are read once more: a run keeps no queue managers. Paths are relative to `root`.
    """
    tables: dict[str, list[Mapping[str, Any]]] = {name: [] for name in TABLES}
    columns = {name: ("repository", *table_columns()[name]) for name in TABLES}
    for outcome, scope in zip(outcomes, scopes, strict=True):
        folder = folder_of(outcome.session.project, root)
        for name, row in _rows(outcome, scope):
            values = dict(zip(columns[name], row, strict=True))
            moved = {key: below(folder, str(values[key])) for key in _PATHS if values.get(key)}
            beside = "" if name in _OF_FILES else folder
            tables[name].append(values | moved | {"repository": beside})
    return topology(tables)


def _rows(outcome: ProjectRun, scope: Scope) -> Iterator[tuple[str, tuple[object, ...]]]:
    analyser = engine.Analyser(outcome.session.vocabulary)
    project = Project.of(scope.targets.everything, outcome.settings, analyser)
    found = list(judged_queue_managers(project))
    for name in PROJECTIONS.keys() & TABLES:
        for judged in found:
            for row in PROJECTIONS[name](judged):
                yield name, row
    for ends in ends_by_pair(found):
        for row in pair_rows(ends):
            yield CHANNEL_PAIRS, row
