"""A run over a project as it is and as it was, under the same rules and settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mqlint.config.settings import Settings
from mqlint.engine.analyse import Analyser
from mqlint.engine.load import Input
from mqlint.engine.run import Run, Suppressing, grading_of, judge_loaded, load_all
from mqlint.finding import Coverage
from mqlint.policy.rulebook import Rulebook
from mqlint.source.memory import collector_paused


@dataclass(frozen=True, slots=True)
class Before:
    """What a project was: the files that were as they are, by path, and those that were not."""

    unchanged: frozenset[str]
    changed: Sequence[Input]


@collector_paused()
def check_change(
    inputs: Sequence[Input],
    before: Before,
    settings: Settings,
    analyser: Analyser,
    rulebook: Rulebook,
    *,
    profiles: Iterable[str] = (),
    jobs: int = 1,
    suppressing: Suppressing | None = None,
) -> tuple[Run, Run]:
    """Judge `inputs`, the whole project, and what it was `before`; return both runs.

    A file that has not changed is read and parsed once.
    """
    grading = grading_of(settings, profiles)
    suppressing = suppressing or Suppressing()
    loaded = load_all(inputs, settings, analyser, jobs)
    past = {path: loaded[path] for path in loaded.keys() & before.unchanged}
    past |= load_all(before.changed, settings, analyser, jobs)
    now, then = (
        judge_loaded(one, one.keys(), settings, analyser, rulebook, grading, suppressing)
        for one in (loaded, past)
    )
    return now, then


def narrowed(run: Run, paths: Iterable[str]) -> Run:
    """Return a run with what it says of some files only."""
    kept = frozenset(paths)
    return replace(
        run,
        findings=[one for one in run.findings if one.location.path in kept],
        ignored=[one for one in run.ignored if one.location.path in kept],
        coverage=Coverage(tuple(row for row in run.coverage.files if row.path in kept)),
    )
