"""Which questions are to be put to whom, and what the files answer already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mqlint.config.settings import Settings
from mqlint.dataclass import frozen
from mqlint.engine.analyse import Analyser
from mqlint.engine.load import Input
from mqlint.engine.project import Project
from mqlint.model.facts.registry import Facts
from mqlint.policy.questions import Party, Question


@frozen
class Asked:
    """Somebody to whom a question is put.

    `site` and `queue_manager` are blank if it is put to more than one of them. `known` is what the
    files tell, a line each; `answered` says that they tell all.
    """

    site: str
    queue_manager: str
    known: tuple[str, ...]
    answered: bool


@frozen
class Entry:
    """A question, and those to whom it is put; to all and nobody where no files were read."""

    question: Question
    asked: tuple[Asked, ...] = ()

    @property
    def answered(self) -> bool:
        """Whether the files answer it for everybody."""
        return bool(self.asked) and all(party.answered for party in self.asked)


def questionnaire(
    questions: Sequence[Question],
    inputs: Sequence[Input],
    settings: Settings,
    analyser: Analyser,
) -> list[Entry]:
    """Return the questions that concern somebody in the files, each with those concerned."""
    project = Project.of(inputs, settings, analyser)
    found: dict[str, list[Asked]] = {question.id: [] for question in questions}
    for descriptions in project.descriptions():
        for question in questions:
            found[question.id] += _asked(question, descriptions)
    return [
        Entry(question, tuple(_merged(found[question.id], question.of)))
        for question in questions
        if found[question.id] or (project.readings and question.match is None)
    ]


def _asked(question: Question, descriptions: Iterable[Facts]) -> Iterator[Asked]:
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
        yield Asked(key.site, key.name, tuple(known), all(answers))


def _merged(asked: Iterable[Asked], of: Party) -> Iterator[Asked]:
    """Merge those to whom a question is put once."""
    if of == "queue_manager":
        yield from asked
        return
    parties: dict[str, list[Asked]] = {}
    for party in asked:
        parties.setdefault(party.site if of == "site" else "", []).append(party)
    for site, members in parties.items():
        known = dict.fromkeys(text for member in members for text in member.known)
        yield Asked(site, "", tuple(known), all(member.answered for member in members))
