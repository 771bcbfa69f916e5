"""The runs of several projects as one: what a report tells when each is judged by its own rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain

from mqlint.engine.run import Run
from mqlint.finding import Coverage, Finding, below


def together(runs: Iterable[tuple[str, Run]]) -> Run:
    """Return the runs of several projects as one; each comes with the folder its paths start at.

    The folder ends with a slash, and is blank where paths stay as they are. Fingerprints are those
    of each run by itself.
    """
    moved = [_below(folder, run) for folder, run in runs]
    if len(moved) == 1:
        return moved[0]
    return Run(
        findings=_in_order(run.findings for run in moved),
        coverage=Coverage(
            tuple(
                sorted(
                    (row for run in moved for row in run.coverage.files), key=lambda row: row.path
                )
            )
        ),
        rules={key: rule for run in moved for key, rule in run.rules.items()},
        assumptions=[assumption for run in moved for assumption in run.assumptions],
        texts={path: text for run in moved for path, text in run.texts.items()},
        ignored=_in_order(run.ignored for run in moved),
    )


def _in_order(parts: Iterable[list[Finding]]) -> list[Finding]:
    return sorted(chain.from_iterable(parts), key=lambda finding: finding.location)


def _below(folder: str, run: Run) -> Run:
    """A run with its paths as they are from above `folder`."""
    if not folder:
        return run
    return Run(
        findings=[finding.below(folder) for finding in run.findings],
        coverage=Coverage(
            tuple(replace(row, path=below(folder, row.path)) for row in run.coverage.files)
        ),
        rules=run.rules,
        assumptions=[f"{folder.rstrip('/')}: {assumption}" for assumption in run.assumptions],
        texts={below(folder, path): text for path, text in run.texts.items()},
        ignored=[finding.below(folder) for finding in run.ignored],
    )
