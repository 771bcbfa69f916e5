"""What a trial of fixes is judged by: queue managers, renamed findings, and what is worse."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Set

from mqlint.computed import Computed
from mqlint.engine.assembly.building import describe
from mqlint.engine.loading.load import Loaded
from mqlint.engine.project import Project
from mqlint.finding import Finding
from mqlint.model.comparison.difference import Difference
from mqlint.model.core.key import QueueManagerKey
from mqlint.model.core.queue_manager import QueueManager

_WHOLE = ("only-in-a", "only-in-b")


class DescribedManagers:
    """The queue managers that the documents describe, each built when it is first asked for."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self.managers = Computed(self._manager)
        """Each by its key."""

    @property
    def keys(self) -> Set[QueueManagerKey]:
        return self._project.contributions.keys()

    def _manager(self, key: QueueManagerKey) -> QueueManager:
        contributions = self._project.contributions[key]
        return describe(self._project.assembly, key, contributions)[0].manager

    def keys_of(self, paths: Collection[str]) -> dict[str, set[QueueManagerKey]]:
        found: dict[str, set[QueueManagerKey]] = {path: set() for path in paths}
        for key, contributions in self._project.contributions.items():
            for contribution in contributions:
                if contribution.path in found:
                    found[contribution.path].add(key)
        return found


def without_renamed(
    new: Iterable[Finding], gone: Iterable[Finding]
) -> tuple[list[Finding], list[Finding]]:
    """Leave out what is the same finding before and after, but about another name.

    It has the same rule and line.
    """
    lines = Counter(_line_of(finding) for finding in new)
    lines &= Counter(_line_of(finding) for finding in gone)
    rest = lines.copy()
    return list(_less(new, lines)), list(_less(gone, rest))


def _less(findings: Iterable[Finding], lines: Counter[tuple[str, str, int]]) -> Iterator[Finding]:
    for finding in findings:
        if lines[_line_of(finding)] > 0:
            lines[_line_of(finding)] -= 1
        else:
            yield finding


def _line_of(finding: Finding) -> tuple[str, str, int]:
    return finding.rule.id, finding.location.path, finding.location.start.line


def objects(differences: Iterable[Difference]) -> int:
    """The number of objects that differ; a renamed object counts once."""
    names: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for found in differences:
        kind = "" if found.attribute else _WHOLE[found.place_a is None]
        names[kind].add((found.type if found.attribute else "", found.name))
    return max(len(names[state]) for state in _WHOLE) + len(names[""])


def is_worse(before: Loaded, after: Loaded) -> bool:
    """Whether less of a file is understood than before, so that findings may only be hidden."""
    then, now = before.coverage, after.coverage
    if (then.status, then.language, then.reason) != (now.status, now.language, now.reason):
        return True
    missed = then.commands - then.understood, now.commands - now.understood
    return missed[1] > missed[0] or any(
        number > then.counts.get(kind, 0) for kind, number in now.counts.items()
    )
