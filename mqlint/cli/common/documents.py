"""The documents that a command reads, and its words about those that it could not read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import click

from mqlint.cli.common.project import Session
from mqlint.engine.loading.load import Input
from mqlint.engine.project import Project
from mqlint.finding import FileCoverage
from mqlint.report.terminal import visible

_MOST = 10


def project_of(session: Session, inputs: Sequence[Input]) -> Project:
    """Read documents; name on standard error those that are unread, also in part."""
    project = Project.of(inputs, session.settings, session.analyser)
    report_unread((document.coverage for document in project.loaded.values()), inputs)
    return project


def report_unread(files: Iterable[FileCoverage], inputs: Sequence[Input]) -> None:
    """Name on standard error the documents that are unread, also in part."""
    named = {source.path for source in inputs if source.named}
    rows = unread(files, named)
    for row in rows[:_MOST]:
        how = "read in part" if row.status == "checked" else "not read"
        reason = row.reason or "its language is not recognised"
        click.echo(f"mqlint: {how}: {visible(row.path)}: {visible(reason)}", err=True)
    if len(rows) > _MOST:
        click.echo(f"mqlint: not read: {len(rows) - _MOST:,} more (see mqlint check -v)", err=True)


def unread(rows: Iterable[FileCoverage], named: Collection[str] = ()) -> list[FileCoverage]:
    """Return the rows of documents that are unread, also in part, and of `named` unknown ones."""
    return [
        row
        for row in rows
        if row.is_missed
        or (row.status == "checked" and row.reason)
        or (row.status == "not-recognised" and row.path in named)
    ]
