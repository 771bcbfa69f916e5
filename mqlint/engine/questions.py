"""Which questions are to be put to whom, and what the files answer already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mqlint.config.settings import Settings
from mqlint.engine.analyse import Analyser
from mqlint.engine.assemble import Assembly
from mqlint.engine.load import Input
from mqlint.engine.run import fed_by, load_all, queue_managers
from mqlint.model.facts.registry import Facts
from mqlint.policy.questions import Party, Question


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody to whom a question is put.

    `site` and `queue_manager` are blank where it is put to more than one of them. `known` is
    what the files tell, a line each; `answered` says that they tell all.
    """

    site: str
    queue_manager: str
    known: tuple[str, ...]
    answered: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """A question, and those to whom it is put; to all and nobody where no files were read."""

    question: Question
    asked: tuple[Asked, ...] = ()

    @property
    def answered(self) -> bool:
        """Whether the files answer it for everybody."""
        return bool(self.asked) and all(policy.answered for policy in self.asked)


def questionnaire(
    questions: Sequence[Question],
    inputs: Sequence[Input],
    settings: Settings,
    analyser: Analyser,
) -> list[Entry]:
    """Return the questions that concern somebody in the files, each with those concerned."""
    loaded = load_all(inputs, settings, analyser, 1)
    readings = {path: one.reading for path, one in loaded.items() if one.reading is not None}
    assembly = Assembly(settings, analyser.vocabulary, fed_by(readings))
    found: dict[str, list[Asked]] = {one.id: [] for one in questions}
    for descriptions in queue_managers(readings, assembly):
        for question in questions:
            found[question.id] += _asked(question, descriptions)
    return [
        Entry(one, tuple(_together(found[one.id], one.of)))
        for one in questions
        if found[one.id] or (readings and one.match is None)
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
            told = [(one, one.answer(fact)) for one in question.known]
            known |= dict.fromkeys(text for _, text in told if text is not None)
            answers.append(any(one.answers for one, text in told if text is not None))
    if key is not None:
        yield Asked(key.site, key.name, tuple(known), all(answers))


def _together(asked: Iterable[Asked], of: Party) -> Iterator[Asked]:
    """Put those together to whom a question is put once."""
    if of == "queue_manager":
        yield from asked
        return
    parties: dict[str, list[Asked]] = {}
    for one in asked:
        parties.setdefault(one.site if of == "site" else "", []).append(one)
    for site, members in parties.items():
        known = dict.fromkeys(text for member in members for text in member.known)
        yield Asked(site, "", tuple(known), all(member.answered for member in members))
