"""`mqlint estate verify`: whether the tables of a scan are those of a statement."""

from __future__ import annotations

from pathlib import Path

import click

from mqlint.cli.check.command import CLEAN, FOUND
from mqlint.cli.common.files import text_of
from mqlint.cli.common.group import refusing
from mqlint.cli.common.output import echo
from mqlint.cli.estate.command import TablesType, require_tables
from mqlint.cli.estate.tables_folder import TablesFolder
from mqlint.report.terminal import counted, visible

_MOST_SHOWN = 20


@click.command("verify", short_help="Compare a statement of a scan with its files.")
@click.argument("statement", metavar="FILE", type=click.Path(exists=True, path_type=Path))
@click.argument(
    "folder",
    metavar="[DIR]",
    required=False,
    type=TablesType(exists=True),
)
def command(statement: Path, folder: TablesFolder | None) -> int:
    """Compare FILE, which `mqlint estate evidence` wrote, with the table files in DIR.

    DIR is the folder of the tables, by default the folder of FILE.

    Exit with 1 if a file was changed, added or removed, or if FILE says something else about the
    scan than its tables. FILE may be in a DSSE envelope, whose signature is not checked.
    """
    require_tables()
    from mqlint.estate.history.evidence import EvidenceError, differences, read_statement

    with refusing(EvidenceError, f"cannot use {statement}"):
        found = read_statement(text_of(statement))
        out = folder.pulled() if folder is not None else statement.absolute().parent
        changes = differences(found, out)
    for change in changes[:_MOST_SHOWN]:
        echo(f"{visible(change)}\n")
    if changes:
        echo(f"{counted(len(changes), 'difference')} from the statement\n")
        return FOUND
    echo(f"{counted(len(found['subject']), 'file')} as in the statement\n")
    return CLEAN
