"""`mqlint estate evidence` and `verify`: a statement of a scan that can be signed, and checked."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mqlint.cli.check.command import CLEAN, FOUND
from mqlint.cli.common.files import text_of
from mqlint.cli.common.group import Refusal, refusing
from mqlint.cli.common.output import echo, put
from mqlint.cli.estate.command import TablesType, reading, require_tables
from mqlint.cli.estate.tables_folder import TablesFolder
from mqlint.report.terminal import counted, visible

_MOST_SHOWN = 20


@click.command("evidence", short_help="Write a statement of a scan that can be signed.")
@click.argument("folder", metavar="DIR", type=TablesType())
@click.option(
    "--out",
    "file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to FILE instead of standard output.",
)
def evidence(folder: TablesFolder, file: Path | None) -> None:
    """Write an in-toto statement of the last scan in DIR.

    It has the SHA-256 of each table file, versions, commits, coverage and exceptions. Any signer
    can sign it. `mqlint estate verify` compares it with the files.
    """
    require_tables()
    from mqlint.estate.history.evidence import EvidenceError, statement_of
    from mqlint.estate.history.store import MANIFEST, latest

    with reading(folder), refusing(EvidenceError, f"no evidence of {folder}"):
        out = folder.pulled()
        manifest = latest(out)
        own = (out / MANIFEST).resolve(), (out / manifest.folder).resolve()
        if file is not None and any(file.resolve().is_relative_to(path) for path in own):
            raise Refusal(f"{visible(str(file))} is a file of the scan: choose another for --out")
        statement = statement_of(out, manifest)
    text = json.dumps(statement, indent=1, sort_keys=True) + "\n"
    put(text, file)


@click.command("verify", short_help="Compare a statement of a scan with its files.")
@click.argument("statement", metavar="FILE", type=click.Path(exists=True, path_type=Path))
@click.argument(
    "folder",
    metavar="[DIR]",
    required=False,
    type=TablesType(exists=True),
)
def verify(statement: Path, folder: TablesFolder | None) -> int:
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
