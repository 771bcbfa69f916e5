"""`mqlint diff`: what differs in meaning between two descriptions of queue managers."""

from __future__ import annotations

import click

from mqlint.cli.common.options import options, paths_argument
from mqlint.cli.common.output import answer, echo_lines
from mqlint.cli.common.project import ProjectOptions
from mqlint.cli.diff.render import as_json, markdown_lines, text_lines
from mqlint.cli.diff.sides import ORDER, ComparisonOptions, compare_sides, renames_help, sides_of

EQUAL, DIFFERENT = 0, 1
"""Exit statuses, as of diff; 2 stands for every error."""


@click.command("diff", short_help="Compare two descriptions of queue managers by meaning.")
@paths_argument
@options(ORDER, renames_help("A"), comparison=ComparisonOptions)
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text")
@options("config cache no_cache", project=ProjectOptions)
def command(
    paths: tuple[str, ...],
    form: str,
    project: ProjectOptions,
    comparison: ComparisonOptions,
) -> int:
    """Compare two descriptions of queue managers by meaning.

    PATHS are two files or folders, A and B, or two commits as BASE..HEAD. Order, spelling,
    synonyms and defaults make no difference. What the files do not decide is reported as
    undecided.

    \b
    Exit status:
      0  no differences
      1  differences, or something undecided
      2  an error
    """  # noqa: D301 a mark for click: keep these lines
    ignored, rename = comparison.ignored, comparison.rename
    a, b = sides_of(paths, project)
    result = compare_sides(a, b, ignored, rename)
    if form == "markdown":
        echo_lines(markdown_lines(result, a, b))
    else:
        answer(form, lambda: as_json(result, a, b), lambda width: text_lines(result, a, b, width))
    return DIFFERENT if result.differences else EQUAL
