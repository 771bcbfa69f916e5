"""Write manual pages of the commands (`make man`): one for each command, made from its help.

`python .ci/man_pages.py OUT` writes OUT/man1/mqlint.1, OUT/man1/mqlint-check.1 and so on. The date
is that of SOURCE_DATE_EPOCH, and none without it, so equal sources give equal pages.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import click

from mqlint import __version__
from mqlint.cli import main

Command = tuple[click.Context, click.Command]


def commands(name: str, command: click.Command, parent: click.Context | None) -> Iterator[Command]:
    """Yield a command and all below it."""
    ctx = click.Context(command, parent, info_name=name, **command.context_settings)
    yield ctx, command
    if isinstance(command, click.Group):
        for below in command.list_commands(ctx):
            found = command.get_command(ctx, below)
            if found is not None:
                yield from commands(below, found, ctx)


def page(ctx: click.Context, command: click.Command) -> str:
    """Return the manual page of a command."""
    return "\n".join([*_head(ctx, command), *_body(ctx, command)]) + "\n"


def _head(ctx: click.Context, command: click.Command) -> Iterator[str]:
    path = ctx.command_path
    stamp = os.environ.get("SOURCE_DATE_EPOCH")
    date = datetime.fromtimestamp(int(stamp), UTC).date().isoformat() if stamp else ""
    title = path.replace(" ", "-")
    yield f'.TH "{_escaped(title.upper())}" "1" "{date}" "mqlint {__version__}" "mqlint"'
    yield ".SH NAME"
    short = command.get_short_help_str(limit=200).rstrip(".")
    yield f"{_escaped(title)} \\- {_escaped(short)}"
    yield ".SH SYNOPSIS"
    usage = " ".join(command.collect_usage_pieces(ctx))
    yield f"\\fB{_escaped(path)}\\fR {_escaped(usage)}"


def _body(ctx: click.Context, command: click.Command) -> Iterator[str]:
    yield ".SH DESCRIPTION"
    yield from _paragraphs(command.help or "")
    options = [param.get_help_record(ctx) for param in command.get_params(ctx)]
    yield from _list("OPTIONS", [record for record in options if record and record[1]])
    if isinstance(command, click.Group):
        found = ((name, command.get_command(ctx, name)) for name in command.list_commands(ctx))
        rows = [(name, below.get_short_help_str(limit=200)) for name, below in found if below]
        yield from _list("COMMANDS", rows)
        below_path = ctx.command_path.replace(" ", "-")
        pages = [f"\\fB{_escaped(f'{below_path}-{name}')}\\fR(1)" for name, _ in rows]
        yield ".SH SEE ALSO"
        yield ",\n".join(pages)


def _paragraphs(text: str) -> Iterator[str]:
    r"""The text of a help; paragraphs after \b keep their lines."""
    for number, paragraph in enumerate(re.split(r"\n\s*\n", text.strip())):
        lines = paragraph.split("\n")
        if number:
            yield ".PP"
        if lines[0].strip() == "\b":
            yield ".nf"
            yield from map(_escaped, lines[1:])
            yield ".fi"
        else:
            yield _escaped(" ".join(line.strip() for line in lines))


def _list(title: str, rows: list[tuple[str, str]]) -> Iterator[str]:
    if rows:
        yield f".SH {title}"
    for term, words in rows:
        yield ".TP"
        yield f"\\fB{_escaped(term)}\\fR"
        yield _escaped(" ".join(words.split()))


def _escaped(text: str) -> str:
    """Text for roff: no character of it commands anything."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


def write(out: Path) -> list[Path]:
    """Write all pages, and return their paths."""
    folder = out / "man1"
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for ctx, command in commands("mqlint", main, None):
        path = folder / f"{ctx.command_path.replace(' ', '-')}.1"
        path.write_text(page(ctx, command), encoding="utf-8")
        written.append(path)
    return written


if __name__ == "__main__":
    write(Path(sys.argv[1]))
