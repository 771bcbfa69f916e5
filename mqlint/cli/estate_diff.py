"""`mqlint estate diff`: what became better and worse from one scan to another."""

from __future__ import annotations

from pathlib import Path

import click

from mqlint.cli.estate import require_packages
from mqlint.cli.group import Refusal
from mqlint.cli.output import echo, terminal_width
from mqlint.cli.rows import FORMATS
from mqlint.report.shown import visible

_GROUPS = ("rule", "theme", "severity", "site", "queue_manager", "path")
_scan = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command("diff", short_help="Count what is new, fixed and remains in two scans.")
@click.argument("before", metavar="SCAN1", type=_scan)
@click.argument("after", metavar="SCAN2", type=_scan)
@click.option(
    "--by",
    multiple=True,
    type=click.Choice(_GROUPS),
    default=("rule",),
    show_default=True,
    help="Count for each value of this column of `findings`; may be given more than once.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="table",
    show_default=True,
    help="csv is safe to open in a spreadsheet.",
)
def command(before: Path, after: Path, by: tuple[str, ...], form: str) -> None:
    """Count the findings that are new, fixed and remain from SCAN1 to SCAN2.

    Both are folders that `mqlint estate scan --out` wrote. A finding is the same by its
    fingerprint: lines may move and files be renamed. Needs no Java.
    """
    require_packages()
    from mqlint.spark.difference import differences
    from mqlint.spark.store import NoScanError

    by = tuple(dict.fromkeys(by))
    try:
        found = list(differences(before, after, by))
    except NoScanError as error:
        raise Refusal(f"there are no two scans to compare: {visible(str(error))}") from None
    for piece in FORMATS[form]((*by, "new", "fixed", "remaining"), found, terminal_width()):
        echo(piece)
