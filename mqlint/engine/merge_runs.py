"""The runs of several projects merged into one, for a report about all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain

from mqlint.engine.run import Run
from mqlint.finding import Coverage, Finding, below, rules_waiting


def merge_runs(runs: Iterable[tuple[str, Run]]) -> Run:
    """Return the runs of several projects as one; each comes with the folder of its paths.

    The folder ends with a slash, and is blank if paths stay as they are; it is the `repository` of
    the findings below it. Fingerprints are those of each run alone.
    """
    moved = [_below(folder, run) for folder, run in runs]
    files = chain.from_iterable(run.coverage.files for run in moved)
    return Run(
        findings=_in_order(run.findings for run in moved),
        coverage=Coverage(
            tuple(sorted(files, key=lambda file: file.path)),
            waiting=rules_waiting(run.coverage.waiting for run in moved),
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
    files = (replace(file, path=below(folder, file.path)) for file in run.coverage.files)
    return replace(
        run,
        findings=[finding.below(folder) for finding in run.findings],
        coverage=replace(run.coverage, files=tuple(files)),
        assumptions=[f"{folder.rstrip('/')}: {assumption}" for assumption in run.assumptions],
        texts={below(folder, path): text for path, text in run.texts.items()},
        ignored=[finding.below(folder) for finding in run.ignored],
    )
