"""`mqlint estate diff`: what became better and worse from one scan to another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from mqlint.cli.common.group import Refusal, refusing
from mqlint.cli.common.output import echo
from mqlint.cli.estate.command import TablesType, require_tables
from mqlint.cli.estate.rows import echo_rows, rows_option
from mqlint.cli.estate.tables_folder import TablesFolder
from mqlint.report.terminal import counted, visible

_GROUPS = ("repository", "team", "site", "queue_manager", "path", "rule", "theme", "severity")


@click.command("diff", short_help="Count or list new, fixed and remaining findings of two scans.")
@click.argument("places", metavar="[SCAN1 SCAN2]", nargs=-1, type=TablesType())
@click.option(
    "--out",
    metavar="DIR",
    type=TablesType(exists=True),
    help="SCAN1 and SCAN2 are scans in DIR, by their ids; by default the last two.",
)
@click.option(
    "--by",
    multiple=True,
    type=click.Choice(_GROUPS),
    default=("rule",),
    show_default=True,
    help="Count for each value of this column of `findings`; may be given more than once.",
)
@click.option(
    "--list", "listed", is_flag=True, help="List the new and fixed findings instead of counts."
)
@rows_option
def command(
    places: tuple[TablesFolder, ...],
    out: TablesFolder | None,
    by: tuple[str, ...],
    listed: bool,
    form: str,
) -> None:
    """Count the new, fixed and remaining findings from SCAN1 to SCAN2, or list them.

    Each is a folder that `mqlint estate scan --out` wrote, or one of the scans kept in it. A
    finding is the same by its repository and fingerprint: lines may move and files be renamed.
    Needs no Java.
    """
    require_tables()
    from mqlint.estate.history.difference import LISTED, difference
    from mqlint.estate.history.store import NoScanError

    by = tuple(dict.fromkeys(by))
    before, after = _two(places, out)
    with refusing(NoScanError, "cannot compare the scans"):
        found = difference(before, after, by)
    if found.by_subject:
        old, new = (f"mqlint/{scheme}" for scheme in found.schemes)
        click.echo(
            f"mqlint: the scans have fingerprints of {old} and {new}: "
            f"{counted(found.by_subject, 'finding')} matched by rule, object and file",
            err=True,
        )
    if listed and form == "table":
        echo("".join(_lines(found.changes)))
    elif listed:
        echo_rows(form, ("change", *LISTED), found.changes)
    else:
        echo_rows(form, (*by, "new", "fixed", "remaining"), found.rows)


def _lines(changes: Sequence[Sequence[object]]) -> Iterator[str]:
    """A line for each finding: whether it is new or fixed, its place, and what is wrong."""
    for change, severity, rule, _, path, line, _, _, _, _, message, _ in changes:
        yield visible(f"{change}: {path}:{line}: {severity}: {message} [{rule}]") + "\n"
    numbers = Counter(str(change) for change, *_ in changes)
    yield f"{numbers['new']:,} new, {numbers['fixed']:,} fixed\n"


def _two(places: tuple[TablesFolder, ...], out: TablesFolder | None) -> tuple[Path, Path]:
    """The folders of both scans."""
    if len(places) not in ((0, 2) if out is not None else (2,)):
        raise Refusal("name two scans, SCAN1 and SCAN2, or --out DIR for the last two in it")
    if out is None:
        return places[0].pulled(), places[1].pulled()
    from mqlint.estate.history.store import scans

    folder = out.pulled()
    stored = {scan.scan: folder / scan.folder for scan in scans(folder)}
    if not places and len(stored) < 2:
        raise Refusal(f"two scans are required, but {out} has {len(stored)}")
    for place in places:
        if str(place) not in stored:
            raise Refusal(
                f"{out} has no scan {place}: `mqlint estate tables` lists the existing ones"
            )
    first, second = (str(place) for place in places) if places else [*stored][-2:]
    return stored[first], stored[second]
