"""`mqlint baseline`: record existing findings, so that only new ones count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from mqlint.cli.check.comparison import read_baseline, stale, unproven_rules
from mqlint.cli.check.run import RunOptions, judge
from mqlint.cli.common.documents import report_unread
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import options
from mqlint.cli.common.output import echo, write_file
from mqlint.cli.common.project import ProjectOptions, Session, shown_path
from mqlint.cli.common.targets import Scope, collect
from mqlint.dataclass import frozen
from mqlint.engine import Run
from mqlint.finding.baseline import FILE_NAME, BaselineEntry, Split, converted, split, written
from mqlint.report.terminal import counted, visible


@click.group(
    "baseline", short_help="Record existing findings so that only new ones fail the check."
)
def command() -> None:
    """Record existing findings so that only new ones fail the check.

    All files of the project are checked. Findings that comments or waivers suppress are not
    recorded.
    """


_OPTIONS = options(
    "baseline config profiles policies jobs cache no_cache",
    {"profiles": "As with mqlint check."},
    project=ProjectOptions,
    run=RunOptions,
)


@frozen
class _Baseline:
    """The baseline of a project: its file, and how the project is judged."""

    session: Session
    file: Path
    options: RunOptions

    @classmethod
    def of(cls, project: ProjectOptions, run: RunOptions) -> _Baseline:
        session = project.session()
        return cls(session, session.baseline_path or session.project.root / FILE_NAME, run)

    @property
    def shown(self) -> str:
        """The file as a person would write it."""
        return visible(shown_path(self.file))

    def entries(self) -> tuple[BaselineEntry, ...]:
        """Return what the file holds; Refusal where there is none."""
        if not self.file.exists():
            raise Refusal(f"{self.shown} does not exist: create it with mqlint baseline create")
        return read_baseline(self.session, self.file)

    def run(self) -> Run:
        session = self.session
        session.require_known_words(self.options.profiles)
        targets = collect(session, (str(session.project.root),))
        run = judge(Scope(session, targets), session.settings, self.options)
        report_unread(run.coverage.files, targets.inputs)
        return run

    def divided(self, entries: Sequence[BaselineEntry]) -> tuple[Split, list[BaselineEntry]]:
        """Judge the project; return its findings divided by `entries`, and the stale ones."""
        session, run = self.session, self.run()
        entries = converted(entries, run.findings, session.settings.repository)
        parts = split(run.findings, entries)
        unproven = unproven_rules(
            session, session.settings, run.coverage.checked_paths(), self.options.profiles
        )
        return parts, stale(parts, unproven)

    def write(self, entries: Sequence[BaselineEntry]) -> None:
        """Write the file as a whole; Refusal where it cannot be, or must not be, written."""
        fault = None if self.session.baseline else self.session.files.fault(self.file)
        if fault is not None:
            raise Refusal(f"cannot write {self.shown}: {fault}")
        write_file(self.file, written(entries))


@command.command("create", short_help="Record all findings in a new file.")
@_OPTIONS
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def create(project: ProjectOptions, run: RunOptions, force: bool) -> None:
    """Record all findings of the project in a new file, mqlint-baseline.json."""
    baseline = _Baseline.of(project, run)
    if baseline.file.exists() and not force:
        raise Refusal(f"{baseline.shown} already exists: use mqlint baseline update, or --force")
    parts, _ = baseline.divided(())
    baseline.write([BaselineEntry.of(finding) for finding in parts.new])
    echo(f"{baseline.shown}: {counted(len(parts.new), 'finding')} recorded\n")
    if baseline.session.project.root / baseline.session.settings.baseline != baseline.file:
        echo(f"Use it with --baseline {baseline.shown}, or with `baseline:` in mqlint.yaml.\n")


@command.command("update", short_help="Remove entries whose findings are fixed.")
@_OPTIONS
@click.option("--add", is_flag=True, help="Also record new findings.")
def update(project: ProjectOptions, run: RunOptions, add: bool) -> None:
    """Remove the entries that no longer match a finding, and keep the others."""
    baseline = _Baseline.of(project, run)
    entries = baseline.entries()
    parts, gone = baseline.divided(entries)
    silent = [entry for entry in parts.stale if entry not in gone]  # of rules that did not run
    added = parts.new if add else []
    baseline.write([*map(BaselineEntry.of, [*parts.known, *added]), *silent])
    echo(
        f"{baseline.shown}: {counted(len(gone), 'finding')} removed, {len(added):,} added, "
        f"{len(entries) - len(gone) + len(added):,} recorded\n"
    )
    if parts.new and not add:
        echo(f"{counted(len(parts.new), 'new finding')} not recorded (--add records them)\n")


@command.command("convert", short_help="Rewrite a baseline of an earlier mqlint.")
@_OPTIONS
@click.option(
    "--repository",
    metavar="NAME",
    help="Value of `repository:` in mqlint.yaml when the baseline was written. Default: its "
    "value now.",
)
def convert(project: ProjectOptions, run: RunOptions, repository: str | None) -> None:
    """Rewrite a file of an earlier mqlint with the fingerprints of this one.

    Fingerprints held the name that `repository:` in mqlint.yaml gives. No finding is added, and no
    entry is removed.
    """
    baseline = _Baseline.of(project, run)
    entries, findings = baseline.entries(), baseline.run().findings
    name = baseline.session.settings.repository if repository is None else repository
    current = converted(entries, findings, name)
    parts = split(findings, current)
    baseline.write([*map(BaselineEntry.of, parts.known), *parts.stale])
    changed = sum(old != new for old, new in zip(entries, current, strict=True))
    echo(
        f"{baseline.shown}: {counted(len(entries), 'finding')} recorded, "
        f"{changed:,} with another fingerprint than before\n"
    )
    if parts.stale:
        echo(f"{counted(len(parts.stale), 'finding')} no longer found, kept as recorded\n")


@command.command("show", short_help="Show the recorded findings, and which of them are fixed.")
@_OPTIONS
def show(project: ProjectOptions, run: RunOptions) -> None:
    """Show how many findings of each rule are recorded, and the entries that are stale."""
    baseline = _Baseline.of(project, run)
    entries = baseline.entries()
    _, gone = baseline.divided(entries)
    echo("".join(f"{line}\n" for line in _shown(entries, gone)))


def _shown(entries: Sequence[BaselineEntry], gone: Sequence[BaselineEntry]) -> Iterator[str]:
    rules = Counter((entry.rule, entry.name) for entry in entries)
    for (rule, name), number in sorted(rules.items()):
        yield visible(f"{number:>7,}  {rule} {name}".rstrip())
    yield f"{counted(len(entries), 'finding')} recorded, {len(gone):,} stale"
    for entry in gone:
        yield visible(f"stale: {entry.words}")
