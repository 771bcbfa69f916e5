"""The questions for each queue manager and site, and the answers in the files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mqlint.dataclass import frozen
from mqlint.engine.project import Project
from mqlint.grouping import grouped
from mqlint.model.facts.registry import Facts
from mqlint.policy.questions import Party, Question


@frozen
class Addressee:
    """The addressee of a question.

    `site` and `queue_manager` are blank if it is for several of them. `known` are the answers of
    the files, a line each; `answered` is true if they are complete.
    """

    site: str
    queue_manager: str
    known: tuple[str, ...]
    answered: bool


@frozen
class QuestionEntry:
    """A question and its addressees; it is for everybody if no files were read."""

    question: Question
    asked: tuple[Addressee, ...] = ()

    @property
    def answered(self) -> bool:
        return bool(self.asked) and all(party.answered for party in self.asked)


def questionnaire(questions: Sequence[Question], project: Project) -> list[QuestionEntry]:
    """Return the questions that concern queue managers in the files, with their addressees."""
    found: dict[str, list[Addressee]] = {question.id: [] for question in questions}
    for descriptions in project.descriptions():
        for question in questions:
            found[question.id] += _asked(question, descriptions)
    return [
        QuestionEntry(question, tuple(_merged(found[question.id], question.of)))
        for question in questions
        if found[question.id] or (project.readings and question.match is None)
    ]


def _asked(question: Question, descriptions: Iterable[Facts]) -> Iterator[Addressee]:
    """What one queue manager is asked, if anything, by all descriptions of it."""
    if question.match is None:
        return
    known: dict[str, None] = {}
    answers: list[bool] = []
    key = None
    for facts in descriptions:
        for fact in facts.of(question.object):
            if not question.is_about(fact):
                continue
            key = fact.manager.key
            texts = [(source, source.answer(fact)) for source in question.known]
            known |= dict.fromkeys(text for _, text in texts if text is not None)
            answers.append(any(source.answers for source, text in texts if text is not None))
    if key is not None:
        yield Addressee(key.site, key.name, tuple(known), all(answers))


def _merged(asked: Iterable[Addressee], of: Party) -> Iterator[Addressee]:
    """Merge the addressees that get a question once."""
    if of == "queue_manager":
        yield from asked
        return
    parties = grouped((party.site if of == "site" else "", party) for party in asked)
    for site, members in parties.items():
        known = dict.fromkeys(text for member in members for text in member.known)
        yield Addressee(site, "", tuple(known), all(member.answered for member in members))
