"""`mqlint estate evidence`: what a scan found, as a statement that can be signed."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mqlint.cli.common.group import Refusal, refusing
from mqlint.cli.common.output import put
from mqlint.cli.estate.command import TablesType, reading, require_tables
from mqlint.cli.estate.tables_folder import TablesFolder
from mqlint.report.terminal import visible


@click.command("evidence", short_help="Write a statement of a scan that can be signed.")
@click.argument("folder", metavar="DIR", type=TablesType())
@click.option(
    "--out",
    "file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to FILE instead of standard output.",
)
def command(folder: TablesFolder, file: Path | None) -> None:
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
