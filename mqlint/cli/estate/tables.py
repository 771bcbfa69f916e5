"""`mqlint estate tables`: what a scan left, and what its columns are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from mqlint.cli.common.group import Refusal
from mqlint.cli.common.output import echo, terminal_width
from mqlint.cli.estate.command import out_option, require_packages
from mqlint.cli.estate.rows import FORMATS, Cells, rows_option
from mqlint.report.terminal import counted, visible


@click.command("tables", short_help="List tables, their columns, and scans kept.")
@click.argument("name", metavar="[TABLE]", required=False)
@out_option
@rows_option
def command(name: str | None, out: Path, form: str) -> None:
    """List the tables of the last scan in DIR, or the columns of TABLE.

    With the format table the scans that are kept in DIR follow. Needs no Java.
    """
    require_packages()
    from mqlint.estate.tables.schema import TABLES
    from mqlint.estate.tables.store import NoScanError, latest, scans

    try:
        manifest = latest(out)
    except NoScanError as error:
        raise Refusal(f"there are no tables in {visible(str(out))}: {error}") from None
    if name is None:
        columns = ("table", "rows", "columns")
        rows: list[Cells] = [
            (table, manifest.tables.get(table), len(TABLES[table].names)) for table in TABLES
        ]
    elif name in TABLES:
        columns = ("column", "type", "meaning")
        rows = [
            (field.name, field.dataType.simpleString(), field.metadata.get("comment", ""))
            for field in TABLES[name].fields
        ]
    else:
        raise Refusal(f"there is no table {visible(name)}: there are {', '.join(TABLES)}")
    for piece in FORMATS[form](columns, rows, terminal_width()):
        echo(piece)
    if name is None and form == "table":
        kept = [
            f"{scan.scan}, {counted(scan.tables.get('findings', 0), 'finding')}"
            for scan in scans(out)
        ]
        echo("".join(_kept(kept)))


def _kept(scans: list[str]) -> Iterator[str]:
    yield f"\n{counted(len(scans), 'scan')} kept, the last one asked by `mqlint estate query`:\n"
    for scan in scans:
        yield f"  {visible(scan)}\n"
