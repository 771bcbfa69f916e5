"""`mqlint baseline`: record the findings that are there, so that only new ones count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mqlint.cli.check.accepted import baseline_option, baseline_path
from mqlint.cli.check.judging import How, judge
from mqlint.cli.check.known import read_baseline, stale, unproven_rules
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.output import echo, write_file
from mqlint.cli.common.project import (
    Session,
    cache_options,
    config_option,
    open_session,
    policies_option,
    shown_path,
)
from mqlint.cli.common.targets import Scope, gather
from mqlint.finding.baseline import FILE_NAME, Entry, Split, split, written
from mqlint.report.terminal import counted, visible

if TYPE_CHECKING:
    from click.decorators import FC


@click.group("baseline", short_help="Record the findings there are: only new ones count then.")
def command() -> None:
    """Begin with many findings: record those that are there, so that only new ones count.

    All files of the project are judged. Findings that comments or waivers suppress are not
    recorded.
    """


def run_options(function: FC) -> FC:
    """Add the options that say what is judged and how."""
    options: tuple[Callable[[FC], FC], ...] = (
        baseline_option,
        config_option,
        click.option(
            "--profile", "profiles", metavar="NAME", multiple=True, help="As with mqlint check."
        ),
        policies_option,
        click.option(
            "--jobs", metavar="N", type=click.IntRange(min=1), default=1, help="Processes."
        ),
        cache_options,
    )
    for option in reversed(options):
        function = option(function)
    return function


@dataclass(frozen=True, slots=True)
class _Work:
    """The baseline of a project: its file, and what the project is judged by."""

    session: Session
    file: Path
    profiles: Sequence[str]
    jobs: int

    @property
    def shown(self) -> str:
        """The file as a person would write it."""
        return visible(shown_path(self.file))

    def entries(self) -> tuple[Entry, ...]:
        """Return what the file holds; Refusal where there is none."""
        if not self.file.exists():
            raise Refusal(f"there is no {self.shown}: mqlint baseline create writes one")
        return read_baseline(self.session, self.file)

    def parts(self, entries: Sequence[Entry]) -> tuple[Split, list[Entry]]:
        """Judge the project; return its findings parted by `entries`, and the stale ones."""
        session = self.session
        session.require_known_words(self.profiles)
        targets = gather(session, (str(session.project.root),))
        how = How(profiles=self.profiles, jobs=self.jobs)
        run = judge(Scope(session, targets), session.settings, how)
        parts = split(run.findings, entries)
        unproven = unproven_rules(
            session, session.settings, run.coverage.checked_paths(), self.profiles
        )
        return parts, stale(parts, unproven)

    def write(self, entries: Sequence[Entry]) -> None:
        """Write the file as a whole; Refusal where it cannot be, or must not be, written."""
        fault = None if self.session.baseline else self.session.files.fault(self.file)
        if fault is not None:
            raise Refusal(f"cannot write {self.shown}: {fault}")
        write_file(self.file, written(entries))


def _work(
    baseline: Path | None,
    config: Path | None,
    profiles: tuple[str, ...],
    policies: tuple[Path, ...],
    jobs: int,
    cache: Path | None,
) -> _Work:
    session = open_session((), config, policies, cache, baseline=baseline)
    file = baseline_path(session) or session.project.root / FILE_NAME
    return _Work(session, file, profiles, jobs)


@command.command("create", short_help="Record all findings in a new file.")
@run_options
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def create(force: bool, **given: object) -> None:
    """Record all findings of the project in a new file, mqlint-baseline.json."""
    work = _work(**given)  # type: ignore[arg-type]
    if work.file.exists() and not force:
        raise Refusal(f"{work.shown} is there already: mqlint baseline update, or --force")
    parts, _ = work.parts(())
    work.write([Entry.of(finding) for finding in parts.new])
    echo(f"{work.shown}: {counted(len(parts.new), 'finding')} recorded\n")
    if work.session.project.root / work.session.settings.baseline != work.file:
        echo(f"Use it with --baseline {work.shown}, or with `baseline:` in mqlint.yaml.\n")


@command.command("update", short_help="Take out what has been mended.")
@run_options
@click.option("--add", is_flag=True, help="Record new findings too.")
def update(add: bool, **given: object) -> None:
    """Take the entries out of the file that match no finding any more; others stay."""
    work = _work(**given)  # type: ignore[arg-type]
    entries = work.entries()
    parts, gone = work.parts(entries)
    silent = [entry for entry in parts.stale if entry not in gone]  # of rules that did not run
    added = parts.new if add else []
    work.write([*map(Entry.of, [*parts.known, *added]), *silent])
    echo(
        f"{work.shown}: {counted(len(gone), 'finding')} taken out, {len(added):,} added, "
        f"{len(entries) - len(gone) + len(added):,} recorded\n"
    )
    if parts.new and not add:
        echo(f"{counted(len(parts.new), 'new finding')} not recorded (--add records them)\n")


@command.command("show", short_help="Show what is recorded, and what of it has been mended.")
@run_options
def show(**given: object) -> None:
    """Show how many findings of each rule are recorded, and the entries that are stale."""
    work = _work(**given)  # type: ignore[arg-type]
    entries = work.entries()
    _, gone = work.parts(entries)
    echo("".join(f"{line}\n" for line in _shown(entries, gone)))


def _shown(entries: Sequence[Entry], gone: Sequence[Entry]) -> Iterator[str]:
    rules = Counter((one.rule, one.name) for one in entries)
    for (rule, name), number in sorted(rules.items()):
        yield visible(f"{number:>7,}  {rule} {name}".rstrip())
    yield f"{counted(len(entries), 'finding')} recorded, {len(gone):,} stale"
    for entry in gone:
        yield visible(f"stale: {entry.words}")
