"""`mqlint questions`: what only people know, asked before a disaster or its rehearsal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import click

from mqlint.cli.common.documents import project_of
from mqlint.cli.common.options import options, paths_argument
from mqlint.cli.common.output import echo_lines, terminal_width
from mqlint.cli.common.project import ProjectOptions, Session
from mqlint.cli.common.targets import collect
from mqlint.engine.questions import Addressee, QuestionEntry, questionnaire
from mqlint.grouping import grouped
from mqlint.policy.questions import load_questions
from mqlint.report.json import Json, dump, fields_of
from mqlint.report.markdown import escaped
from mqlint.report.terminal import counted, wrap

_REHEARSED = "In a scenario of mqlint rehearse"
_MOST_SHOWN = 8
"""More than these lines of what is known are counted, not shown."""


def text(entries: Sequence[QuestionEntry], width: int) -> Iterator[str]:
    for theme, group in groupby(entries, lambda entry: entry.question.theme):
        yield theme
        for entry in group:
            question = entry.question
            yield ""
            yield from wrap(question.ask, width, f"  {question.id}  ", "         ")
            yield from wrap(f"Why: {question.why}", width, "         ")
            if question.scenario:
                yield f"         {_REHEARSED}: {question.scenario}"
            for who, party in _parties(entry.asked):
                yield from wrap(f"{_box(party)} {who}", width, "         ", "             ")
                for line in _known(party):
                    yield from wrap(line, width, "             - ")
        yield ""
    yield _summary(entries)


def markdown(entries: Sequence[QuestionEntry], width: int = 0) -> Iterator[str]:
    """Yield the lines of the questionnaire as Markdown; answers are to be written below."""
    yield "# Questions for DR"
    yield ""
    yield _summary(entries)
    for theme, group in groupby(entries, lambda entry: entry.question.theme):
        yield from ("", f"## {escaped(theme)}")
        for entry in group:
            question = entry.question
            yield from ("", f"### {question.id}: {escaped(question.ask)}", "")
            yield from (escaped(question.why), "")
            if question.scenario:
                yield from (f"{_REHEARSED}: `{question.scenario}`", "")
            for who, party in _parties(entry.asked or (Addressee("", "", (), answered=False),)):
                yield f"- {_box(party)} **{escaped(who)}**:"
                for line in _known(party):
                    yield f"  - {escaped(line)}"


def as_json(entries: Sequence[QuestionEntry], width: int = 0) -> Iterator[str]:
    yield "["
    for number, entry in enumerate(entries, start=1):
        yield dump(_object(entry)) + ("," if number < len(entries) else "")
    yield "]"


FORMS: Mapping[str, Callable[[Sequence[QuestionEntry], int], Iterator[str]]] = {
    "text": text,
    "markdown": markdown,
    "json": as_json,
}
"""The forms of a questionnaire, by the word for `--format`."""


def _object(entry: QuestionEntry) -> Json:
    question = entry.question
    return {
        **fields_of(question, "id theme ask why rows scenario? of"),
        "answered": entry.answered,
        "asked": [fields_of(party, "site? queue_manager? known answered") for party in entry.asked],
    }


def _box(asked: Addressee) -> str:
    return "[x]" if asked.answered else "[ ]"


def _parties(asked: Iterable[Addressee]) -> Iterator[tuple[str, Addressee]]:
    """Those who are asked, by name; queue managers of a site of which the same is known, once."""
    alike = grouped((replace(party, queue_manager=""), party.queue_manager) for party in asked)
    for party, names in alike.items():
        managers = ", ".join(filter(None, names))
        yield " at ".join(filter(None, (managers, party.site))) or "the estate", party


def _known(asked: Addressee) -> Iterator[str]:
    yield from asked.known[:_MOST_SHOWN]
    more = len(asked.known) - _MOST_SHOWN
    if more > 0:
        yield f"and {more:,} more"


def _summary(entries: Sequence[QuestionEntry]) -> str:
    answered = sum(entry.answered for entry in entries)
    known = f", {answered} of them answered by the files" if answered else ""
    return f"{counted(len(entries), 'question')}{known}."


@click.command("questions", short_help="Print a DR questionnaire about what no file shows.")
@paths_argument
@click.option("--format", "form", type=click.Choice([*FORMS]), default="text")
@click.option(
    "--open", "only_open", is_flag=True, help="Omit questions that the files already answer."
)
@options("config cache no_cache", project=ProjectOptions)
def command(
    paths: tuple[str, ...],
    form: str,
    only_open: bool,
    project: ProjectOptions,
) -> None:
    """Print questions about what no file shows: firewalls, clocks, alerts, runbooks.

    With PATHS, each question is asked for the queue managers and sites that it concerns, with
    answers from their files and mqlint.yaml filled in. Without PATHS, all questions are listed.
    Questions are not findings, and the exit status is 0.
    """
    session = project.session(paths)
    entries = _entries(session, paths)
    if only_open:
        entries = [entry for entry in entries if not entry.answered]
    echo_lines(FORMS[form](entries, terminal_width(100)))


def _entries(session: Session, paths: tuple[str, ...]) -> list[QuestionEntry]:
    questions = load_questions(session.vocabulary)
    if not paths:
        return [QuestionEntry(question) for question in questions]
    return questionnaire(questions, project_of(session, collect(session, paths).inputs))
