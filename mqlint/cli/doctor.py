"""`mqlint doctor`: what mqlint runs with, which configuration it finds, and what it would check."""

from __future__ import annotations

import platform
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click

from mqlint import __version__
from mqlint.cli.check.run import RunOptions, judge
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import options, paths_argument
from mqlint.cli.common.output import echo_lines
from mqlint.cli.common.project import ProjectOptions, Session, shown_path
from mqlint.cli.common.targets import Naming, Scope, owners_of, scopes_of
from mqlint.finding import STATUSES, Coverage
from mqlint.report.terminal import counted, visible
from mqlint.source.child import environment, program

PACKAGES = ("click", "lark", "pyyaml", "pyarrow", "pandas", "pyspark")
"""What mqlint uses; the last three are needed for scans of estates only."""


@click.command("doctor", short_help="Show versions, configuration, and what would be checked.")
@paths_argument
@options("config policies cache no_cache", project=ProjectOptions)
def command(paths: tuple[str, ...], project: ProjectOptions) -> None:
    """Show what mqlint runs with, which configuration it finds, and what it checks of PATHS.

    Default: this folder. No finding is shown, and nothing is changed.
    """
    named = paths or (".",)
    first = project.session(named)
    scopes = scopes_of(named, owners_of(first, named), first.beside, Naming())
    lines = [*_program(first), *_cache(first)]
    for scope in scopes:
        lines += ["", *_project(scope)]
    echo_lines(lines)


def _program(session: Session) -> Iterator[str]:
    checked = session.project.root
    yield f"mqlint {__version__} in {visible(str(Path(__file__).parents[1]))}"
    python = f"Python {platform.python_version()} on {platform.system()}"
    yield f"{python}: {visible(sys.executable)}"
    yield f"packages: {', '.join(map(_package, PACKAGES))}"
    yield f"git: {visible(program('git', environment(checked)) or 'not found')}"
    yield f"Java: {_java(checked)}"


def _package(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"{name} not installed"


def _java(checked: Path) -> str:
    from mqlint.cli.estate.java import find_java

    try:
        return visible(str(find_java(checked)))
    except Refusal as refusal:
        return f"{refusal.message.partition(' Spark needs')[0]} (needed for scans on Spark only)"


def _cache(session: Session) -> Iterator[str]:
    folder = session.cache
    if folder is None:
        yield "cache: none"
    elif not folder.is_dir():
        yield f"cache: {visible(str(folder))} (not made yet)"
    else:
        size = sum(file.stat().st_size for file in folder.iterdir() if file.is_file())
        yield f"cache: {visible(str(folder))} ({size / 1e6:.1f} MB)"


def _project(scope: Scope) -> Iterator[str]:
    session = scope.session
    project = session.project
    yield f"project: {visible(str(project.root))}"
    path = project.config_path
    yield (
        "configuration: none found in this folder or above it, so defaults apply"
        if path is None
        else f"configuration: {visible(shown_path(path))}"
    )
    rules = session.rulebook.rules
    profiles = ", ".join(session.settings.profiles) or "default"
    own = f", {len(session.own_policies):,} of them your own" if session.own_policies else ""
    yield f"rules: {len(rules):,}{own}; profiles: {profiles}"
    yield from _files(judge(scope, session.settings, RunOptions()).coverage)


def _files(coverage: Coverage) -> Iterator[str]:
    for status, words in STATUSES.items():
        rows = [row for row in coverage.files if row.status == status]
        if not rows:
            continue
        languages = Counter(row.language for row in rows if row.language)
        kinds = ", ".join(f"{name} {number:,}" for name, number in languages.most_common())
        yield f"{counted(len(rows), 'file')} {words}" + (f": {kinds}" if kinds else "")
