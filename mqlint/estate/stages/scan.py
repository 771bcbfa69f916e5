"""The result of a scan: its findings, what was read, and the tables it left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from mqlint.dataclass import frozen
from mqlint.estate.history.reading import coverage_of, files_of
from mqlint.estate.history.store import Manifest
from mqlint.estate.stages.collect import Configuration
from mqlint.finding import Checked, Coverage, FileCoverage, Finding, rules_waiting
from mqlint.finding.baseline import BaselineEntry


@frozen
class Counts:
    """How much a scan had to do: of all documents those read and those parsed, and so on.

    `unjudged` are the queue managers that could not be checked.
    """

    documents: int = 0
    checked: int = 0
    read: int = 0
    parsed: int = 0
    queue_managers: int = 0
    judged: int = 0
    unjudged: int = 0


@frozen(slots=False)
class Scan:
    """The result of a scan: findings in order of place, what was read, and the tables it left.

    `ignored` are the findings that comments in the files, and waivers, suppress; `known` those that
    baselines cover, by the repository of the baseline. `stale` are by repository the entries of
    its baseline that no finding of it matches.
    """

    findings: Sequence[Finding]
    manifest: Manifest
    ignored: Sequence[Finding]
    known: Mapping[str, Sequence[Finding]]
    stale: Mapping[str, Sequence[BaselineEntry]]
    counts: Counts
    checked: Mapping[str, Checked]
    """By repository."""

    waiting: Mapping[str, Mapping[str, tuple[str, ...]]]
    """By repository, as of `Coverage`."""

    assumed: Sequence[str]
    """Sentences about what Git did not tell, and about MQSC whose queue manager is not known."""

    configuration: Configuration
    out: Path
    verdicts: Mapping[str, int]
    """How many rules of all queue managers have each verdict; none without that table."""

    @cached_property
    def coverage(self) -> Coverage:
        """What was read: rows of files not checked, or in part, read when they are asked for.

        Statements that were not judged are counted only: `whole_coverage` has them.
        """
        return self._coverage(statements=False)

    def whole_coverage(self) -> Coverage:
        """Return what was read, with the statements that were not judged."""
        return self._coverage(statements=True)

    def _coverage(self, *, statements: bool) -> Coverage:
        found = coverage_of(self.out, self.manifest, statements=statements)
        return replace(found, waiting=rules_waiting(self.waiting.values()))

    def checked_paths(self) -> Iterator[str]:
        """Yield the paths of the files that were checked, in no order."""
        return (file.path for file in self.files(statements=False) if file.status == "checked")

    def files(self, *, statements: bool = True) -> Iterator[FileCoverage]:
        return files_of(self.out, self.manifest, statements=statements)
