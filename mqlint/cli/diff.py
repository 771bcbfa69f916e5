"""`mqlint check --diff BASE`: only what a change brought, wherever it broke something."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mqlint.cli.group import Refusal
from mqlint.cli.project import Session
from mqlint.config.project import git_top
from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Input, Run
from mqlint.engine.change import Before, check_change, narrowed
from mqlint.engine.run import Suppressing
from mqlint.finding.baseline import Entry, split
from mqlint.report import Known
from mqlint.report.shown import visible
from mqlint.source.commit import PastFile, contents, past_files
from mqlint.source.git import GitError, commit_of, content_id


def check_diff(
    session: Session,
    settings: Settings,
    base: str,
    everything: Sequence[Input],
    judged: Iterable[str],
    *,
    profiles: Sequence[str],
    jobs: int,
    suppressing: Suppressing,
) -> tuple[Run, Known]:
    """Judge a project and what it was at the commit `base`; return the run, and what was known.

    `everything` is the whole project, `judged` are the paths that are reported on. The rules and
    the configuration are those of now for both. Refusal where git cannot tell what was.
    """
    before = _before(session, base, everything)
    analyser, rulebook = Analyser(session.vocabulary), session.rulebook
    now, then = check_change(
        everything,
        before,
        settings,
        analyser,
        rulebook,
        profiles=profiles,
        jobs=jobs,
        suppressing=suppressing,
    )
    parts = split(now.findings, map(Entry.of, then.findings))
    paths = set(judged)
    if suppressing.waivers is not None:
        paths.add(suppressing.waivers.path)
    now.findings = parts.new
    known = [one for one in parts.known if one.location.path in paths]
    return narrowed(now, paths), Known("base", base, known)


def _before(session: Session, base: str, everything: Iterable[Input]) -> Before:
    root = session.project.root
    top = git_top(root)
    if top is None:
        raise Refusal(
            f"--diff needs git: {visible(str(root))}, the root of the project, is in no checkout"
        )
    try:
        commit = commit_of(root, base)
        files = past_files(top, root, commit, session.settings.exclude)
        same = _unchanged(files, {one.path: one for one in everything})
        changed = [one for one in files if one.path not in same]
        return Before(same, [Input(path, data=data) for path, data in contents(top, changed)])
    except GitError as error:
        raise Refusal(f"--diff {visible(base)}: {visible(str(error))}") from None


def _unchanged(files: Iterable[PastFile], now: dict[str, Input]) -> frozenset[str]:
    """The paths of the files that hold what they held."""
    return frozenset(one.path for one in files if _holds(now.get(one.path), one.oid))


def _holds(one: Input | None, oid: str) -> bool:
    data = one.load() if one is not None else None
    return isinstance(data, bytes) and content_id(data, oid) == oid
