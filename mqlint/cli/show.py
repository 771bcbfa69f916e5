"""`mqlint show`: what was understood of a file, statement by statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import click

from mqlint.cli.common.group import Refusal
from mqlint.cli.common.options import format_option, option, options
from mqlint.cli.common.output import answer
from mqlint.cli.common.policy_choice import with_target
from mqlint.cli.common.project import ProjectOptions, Session
from mqlint.cli.common.targets import fault_of, standard_input
from mqlint.config.estate.roles import role_of_all
from mqlint.config.project import Project
from mqlint.config.settings import Role
from mqlint.dataclass import frozen
from mqlint.engine import Input, inputs_of
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.document.outline import OutlineEntry, Word, outline
from mqlint.engine.loading.isolation import IsolatedLoader
from mqlint.finding import FileCoverage, Position
from mqlint.report.json import Json, fields_of, json_position
from mqlint.report.terminal import counted, visible, wrap

_UNREAD = "could not be read"
_FAULT = "fault"
_SYNTAX = "SYN"


@frozen
class Shown:
    """A file and what was understood of it; `target` is blank where none is known.

    `parts` are the places of its parts that are each for one site, with the role of that.
    """

    coverage: FileCoverage
    statements: Sequence[OutlineEntry]
    site: str | None
    guessed: bool
    queue_manager: str | None
    target: str
    parts: Sequence[tuple[Position, Position, Role | None]]

    @property
    def path(self) -> str:
        return self.coverage.path

    def role_of(self, statement: OutlineEntry) -> Role | None:
        """The role of the site that the part of a statement is for; None if the file has none."""
        at = statement.start
        return next((role for start, end, role in self.parts if start <= at < end), None)


@frozen
class FileOptions:
    target: str = option("--target LEVEL[/PLATFORM]", "Release and platform of FILE.", default="")
    stdin_filename: str | None = option(
        "--stdin-filename NAME", "File name of the text on standard input (FILE `-`)."
    )


@click.command("show", short_help="Show how mqlint reads a file.")
@click.argument("file", metavar="FILE")
@format_option
@options(
    "config target policies stdin_filename cache no_cache",
    project=ProjectOptions,
    origin=FileOptions,
)
def command(
    file: str,
    form: str,
    project: ProjectOptions,
    origin: FileOptions,
) -> None:
    """Show how mqlint reads FILE: each command, stanza, step and connection, decoded.

    Commands, including MQSC in shell scripts, are shown with their full verb and noun and with the
    values that the queue manager would see. Text that mqlint cannot read is shown with the reason.
    Secrets are masked. Policies are not checked here: use `mqlint check`.
    """
    session = project.session((file,))
    shown = read_file(file, session, origin)
    answer(form, lambda: as_json(shown), lambda width: lines(shown, width))


def read_file(file: str, session: Session, origin: FileOptions) -> Shown:
    """Return what is understood of a file; Refusal when it cannot be read or is none of MQ's."""
    project = session.project
    settings = session.settings
    if origin.target:
        settings = with_target(settings, origin.target)
    document = (
        standard_input(origin.stdin_filename, project.root)
        if file == "-"
        else _input(file, project)
    )
    assembly = Assembly(settings, session.vocabulary)
    with closing(IsolatedLoader(session.analyser)) as guard:
        loaded = guard.load(document, assembly.target(document.path), settings.templates)
    row = loaded.coverage
    if loaded.reading is None:
        reason = f": {row.reason}" if row.reason else ""
        unreadable = row.status == "unreadable"
        words = "cannot be read" if unreadable else "is not a file type that mqlint knows"
        raise Refusal(f"{row.path} {words}{reason}")
    goal = assembly.target(row.path)
    found = outline(loaded.reading, session.vocabulary, goal, session.rulebook.by_code)
    place = assembly.placement.site_of(row.path)
    names = (part.queue_manager for part in loaded.reading.parts)
    in_file = next(filter(None, names), None)
    position = loaded.reading.lines.position
    stretches = loaded.reading.stretches if place is None else ()
    return Shown(
        row,
        found,
        place.site.name if place is not None else None,
        place is not None and place.guessed,
        assembly.owner(row.path, in_file if row.language == "mqsc" else None),
        assembly.placement.target_of(row.path).text,
        [(position(start), position(end), role_of_all(name)) for start, end, name in stretches],
    )


def _input(file: str, project: Project) -> Input:
    path = Path(file)
    if not path.exists():
        raise Refusal(f"no such file: {file}")
    if path.is_dir():
        raise Refusal(f"{file} is a folder: show takes one file")
    source = inputs_of([path.absolute()], project.root)[0]
    return replace(source, fault=fault_of(source.file, project), named=True)


def lines(shown: Shown, width: int) -> Iterator[str]:
    yield _head(shown)
    margin = len(str(max((statement.start.line for statement in shown.statements), default=1)))
    for statement in shown.statements:
        yield from _statement(statement, shown, margin, width)
    yield _sum(shown)


def _head(shown: Shown) -> str:
    row = shown.coverage
    facts = [row.language or "", row.encoding or ""]
    if shown.queue_manager:
        facts.append(f"queue manager {visible(shown.queue_manager)}")
    if shown.site:
        facts.append(f"site {visible(shown.site)}{' (guessed)' if shown.guessed else ''}")
    if shown.target:
        facts.append(f"for {shown.target}")
    return f"{visible(shown.path)}: {', '.join(filter(None, facts))}"


def _statement(statement: OutlineEntry, shown: Shown, margin: int, width: int) -> Iterator[str]:
    title = visible(f"{statement.title} {statement.name or ''}".rstrip())
    if statement.kind == "unread":
        is_syntax = all(
            not doubt.rule or doubt.rule.startswith(_SYNTAX) for doubt in statement.doubts
        )
        title = _UNREAD if is_syntax else _FAULT
    remarks = []
    role = shown.role_of(statement)
    if role is not None:
        remarks.append(f"guessed site {role}")
    if statement.queue_manager and statement.queue_manager != shown.queue_manager:
        remarks.append(f"queue manager {visible(statement.queue_manager)}")
    if statement.kind in ("command", "refused") and not statement.understood:
        remarks.append("not understood")
    if statement.kind == "refused":
        remarks.append("refused by the queue manager")
    if statement.maybe:
        remarks.append("may not run")
    remark = f"  ({', '.join(remarks)})" if remarks else ""
    yield f"{statement.start.line:>{margin}}  {title}{remark}"
    indent = " " * (margin + 4)
    column = max((len(visible(word.word)) for word in statement.words), default=0)
    for word in statement.words:
        yield f"{indent}{visible(word.word):<{column}}  {_value(word)}".rstrip()
    for doubt in statement.doubts:
        place = f"{doubt.start.line}:{doubt.start.column}"
        lead = f"{indent}! {place} {doubt.rule}".rstrip() + " "
        yield from wrap(doubt.message, width, lead, indent + "  ")


def _value(word: Word) -> str:
    if word.value is None:
        return "?" if word.unknown else ""
    text = word.value if isinstance(word.value, str) else ", ".join(word.value)
    return (visible(text) or "''") + ("  (unknown: a template)" if word.unknown else "")


def _sum(shown: Shown) -> str:
    seen, understood = shown.coverage.commands, shown.coverage.understood
    if not seen:
        return f"{counted(len(shown.statements), 'statement')}."
    if seen == understood:
        return f"{counted(seen, 'command')}, all understood."
    return f"{understood:,} of {counted(seen, 'command')} understood."


def as_json(shown: Shown) -> dict[str, Json]:
    row = shown.coverage
    return {
        "version": 1,
        **fields_of(row, "path language encoding"),
        "site": shown.site,
        "site_guessed": shown.guessed,
        **fields_of(shown, "queue_manager target?"),
        **fields_of(row, "commands understood"),
        "statements": [
            _statement_json(statement, shown.role_of(statement)) for statement in shown.statements
        ],
    }


def _statement_json(statement: OutlineEntry, role: Role | None) -> dict[str, Json]:
    verb, _, noun = statement.title.partition(" ")
    is_command = statement.kind in ("command", "refused")
    return {
        "kind": statement.kind,
        "start": json_position(statement.start),
        "end": json_position(statement.end),
        "title": statement.title,
        "verb": verb if is_command else None,
        "noun": (noun or None) if is_command else None,
        **fields_of(statement, "name queue_manager"),
        **({} if role is None else {"site": role}),
        "attributes": [fields_of(word, "word value unknown") for word in statement.words],
        **fields_of(statement, "understood maybe"),
        "doubts": [
            {"start": json_position(doubt.start), **fields_of(doubt, "rule? message")}
            for doubt in statement.doubts
        ],
    }
