"""`mqlint estate tables`: what a scan left, and what its columns are."""

from __future__ import annotations

from collections.abc import Iterator

import click

from mqlint.cli.check.command import CLEAN, FOUND
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import options
from mqlint.cli.common.output import echo
from mqlint.cli.estate.command import TableOptions, reading, require_tables
from mqlint.cli.estate.rows import Cells, echo_rows, rows_option
from mqlint.report.terminal import counted, visible


@click.command("tables", short_help="List tables, their columns and the stored scans.")
@click.argument("name", metavar="[TABLE]", required=False)
@options("out", tables=TableOptions)
@rows_option
def command(name: str | None, tables: TableOptions, form: str) -> int:
    """List the tables of the last scan in DIR, or the columns of TABLE.

    With the format table the scans that are kept in DIR follow. Exit with 1 if a table file of
    one of them was changed, added or removed. Needs no Java.
    """
    require_tables()
    from mqlint.estate.history.store import changes_of, latest, scans
    from mqlint.estate.tables.schema import TABLES, meaning_of, sql_type

    out = tables.out.pulled()
    with reading(tables.out):
        manifest = latest(out)
    if name is None:
        columns = ("table", "rows", "columns")
        rows: list[Cells] = [
            (table, manifest.tables.get(table), len(TABLES[table].names)) for table in TABLES
        ]
    elif name in TABLES:
        columns = ("column", "type", "meaning")
        rows = [(column.name, sql_type(column.type), meaning_of(column)) for column in TABLES[name]]
    else:
        raise Refusal(f"table {name} does not exist, only {', '.join(TABLES)}")
    echo_rows(form, columns, rows)
    stored = scans(out)
    if name is None and form == "table":
        earlier = [
            f"{scan.scan}, {counted(scan.tables.get('findings', 0), 'finding')}" for scan in stored
        ]
        echo("".join(_scans(earlier)))
    changes = [
        f"{scan.folder}/{change}"
        for scan in stored
        if scan.files  # an early mqlint wrote no digests
        for change in changes_of(out / scan.folder, scan.files)
    ]
    for change in changes:
        click.echo(f"mqlint: {visible(change)}", err=True)
    return FOUND if changes else CLEAN


def _scans(scans: list[str]) -> Iterator[str]:
    yield f"\n{counted(len(scans), 'scan')} kept, the last one asked by `mqlint estate query`:\n"
    for scan in scans:
        yield f"  {visible(scan)}\n"
