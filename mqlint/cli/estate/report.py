"""`mqlint estate report`: one HTML page about a scan, from its tables."""

from __future__ import annotations

from pathlib import Path

import click

from mqlint.cli.check.command import warn
from mqlint.cli.common.options import option, options
from mqlint.cli.common.output import echo, make_folder, write_file
from mqlint.cli.common.project import ProjectOptions, shown_path
from mqlint.cli.estate.command import Mounted, TablesType, reading, require_tables
from mqlint.cli.estate.tables_folder import TablesFolder
from mqlint.dataclass import frozen
from mqlint.report.terminal import counted, visible

PAGE = "index.html"
"""What the page is called in its folder."""


@frozen
class PageOptions:
    """The option that says where the page goes."""

    out: Path = option(
        "--out REPORT",
        f"The folder of the page, {PAGE}.",
        required=True,
        type=Mounted(file_okay=False, path_type=Path),
    )


@click.command("report", short_help="Write an HTML page about a scan.")
@click.argument("tables", metavar="DIR", type=TablesType(exists=True))
@options("out policies cache no_cache", page=PageOptions, project=ProjectOptions)
def command(tables: TablesFolder, page: PageOptions, project: ProjectOptions) -> None:
    """Write REPORT/index.html about the last scan in DIR: one file that opens offline.

    DIR is the folder that `mqlint estate scan --out` wrote, or one of the scans kept in it. Needs
    no Java, and none of the files that were scanned.
    """
    require_tables()
    from mqlint.estate.history.store import scan_at
    from mqlint.estate.report import estate_of, outcome
    from mqlint.report.html.content import content_of
    from mqlint.report.html.page import page_of

    with reading(tables):
        folder, manifest = scan_at(tables.pulled())
        rules = project.session().rulebook.rules
        report = outcome(folder, manifest, rules, warn)
        data = content_of(report, estate_of(folder, manifest, rules, warn))
    file = page.out / PAGE
    make_folder(page.out)
    write_file(file, page_of(data))
    echo(f"{counted(len(report.findings), 'finding')} in {visible(shown_path(file))}\n")
