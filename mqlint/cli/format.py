"""`mqlint format`: one layout for MQSC scripts, their meaning unchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from mqlint.cli.common.difference import shown_difference
from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import options, paths_argument
from mqlint.cli.common.output import echo, echo_lines, write_file
from mqlint.cli.common.project import ProjectOptions, Session
from mqlint.cli.common.targets import collect
from mqlint.dataclass import frozen
from mqlint.engine import Input
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.loading.load import Loaded, opened, typed
from mqlint.finding import NO_TEXT
from mqlint.language.mqsc import Dialect, Parser
from mqlint.language.mqsc.layout import Layout, formatted
from mqlint.report.terminal import counted, visible

SAME, WOULD_CHANGE = 0, 1
"""Exit statuses; 2 stands for every error."""

_MQSC = "mqsc"
_STDIN = "-"


@frozen
class Formatted:
    """A file and its formatted text; `why` says why it is left alone, blank if it is not.

    `is_read` is whether its text is known.
    """

    source: Input
    before: str
    layout: Layout
    why: str = ""
    is_read: bool = True

    @property
    def is_changed(self) -> bool:
        return not self.why and self.layout.text != self.before


@click.command("format", short_help="Give MQSC scripts one layout without changing their meaning.")
@paths_argument
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if a file would change.")
@click.option("--diff", is_flag=True, help="Write nothing; print what would change.")
@options("config cache no_cache", project=ProjectOptions)
def command(paths: tuple[str, ...], check: bool, diff: bool, project: ProjectOptions) -> int:
    """Give MQSC scripts one layout without changing their meaning.

    Each attribute is on a line of its own, aligned. Comments, dumps, templates and what is not
    understood stay as they are. A file is only written if its commands are the same afterwards.
    With - the text on standard input is printed in the layout.

    \b
    Exit status:
      0  done, or nothing to do
      1  with --check or --diff: a file would change
      2  an error
    """  # noqa: D301 a mark for click: keep these lines
    words = paths or (".",)
    session = project.session(words)
    parser = Parser(session.vocabulary)
    is_filter = _STDIN in words and not (check or diff)
    if is_filter and len(words) > 1:
        raise click.UsageError("- (standard input) is formatted alone")
    found = list(_formatted(session, words, parser))
    if is_filter:
        _print(found)
        return SAME
    changed = [file for file in found if file.is_changed]
    if diff:
        for file in changed:
            echo_lines(shown_difference(file.source.path, file.before, file.layout.text, parser))
    elif not check:
        for file in changed:
            if file.source.file is not None:
                write_file(file.source.file, [file.layout.text])
    if not found:
        click.echo("mqlint: no MQSC script was found; name the files, or their folder", err=True)
    echo_lines(_summary(found, changed, writes=not (check or diff), diff=diff))
    return WOULD_CHANGE if changed and (check or diff) else SAME


def _print(found: Sequence[Formatted]) -> None:
    """Print standard input in the layout; Refusal if it is not text that can have it."""
    for file in found:
        if not file.is_read:
            raise Refusal(f"standard input is not formatted: {file.why}")
        echo(file.layout.text)


def _formatted(session: Session, words: Sequence[str], parser: Parser) -> Iterator[Formatted]:
    assembly = Assembly(session.settings, session.vocabulary)
    templates = session.settings.templates
    for source in collect(session, words).inputs:
        document = opened(typed(source, assembly))
        if isinstance(document, Loaded):
            row = document.coverage
            if source.named or (row.status == "unreadable" and row.reason != NO_TEXT):
                why = row.reason or "its language is not recognised"
                yield Formatted(source, "", Layout(""), why, is_read=False)
            continue
        text, decoded = document.document.text, document.document.decoded
        why = ""
        if document.language != _MQSC:
            if not source.named:
                continue
            why = f"it is not an MQSC script ({document.language})"
        elif decoded.encoding != "utf-8" or decoded.line_ends != "lf":
            why = f"it is not a text file in UTF-8 ({decoded.encoding}, {decoded.line_ends})"
        if why:
            yield Formatted(source, text, Layout(text), why)
            continue
        target = assembly.target(source.path)
        dialect = Dialect(target.platform == "zos", templates.percent, templates.double_underscore)
        layout = formatted(text, parser, dialect)
        yield Formatted(source, text, layout, layout.why)


def _summary(
    found: Sequence[Formatted], changed: Sequence[Formatted], *, writes: bool, diff: bool
) -> Iterator[str]:
    would = "formatted" if writes else "would be formatted"
    for file in changed if not diff else ():
        yield visible(f"{file.source.path}: {would}")
    for file in found:
        if file.why:
            yield visible(f"{file.source.path}: left alone: {file.why}")
        elif file.layout.unchanged:
            number = counted(file.layout.unchanged, "command")
            yield visible(f"{file.source.path}: {number} left as written")
    same = sum(not file.why and not file.is_changed for file in found)
    alone = sum(bool(file.why) for file in found)
    parts = [f"{counted(len(changed), 'file')} {would}", f"{same:,} unchanged"]
    yield ", ".join([*parts, *([f"{alone:,} left alone"] if alone else [])]) + "."
