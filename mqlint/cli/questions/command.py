"""`mqlint questions`: what only people know, asked before a disaster or its rehearsal."""

from __future__ import annotations

import click

from mqlint.cli.common.documents import project_of
from mqlint.cli.common.options import options, paths_argument
from mqlint.cli.common.output import echo_lines, terminal_width
from mqlint.cli.common.project import ProjectOptions, Session
from mqlint.cli.common.targets import collect
from mqlint.cli.questions.questionnaire import FORMS
from mqlint.engine.questions import QuestionEntry, questionnaire
from mqlint.policy.questions import load_questions


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
