"""The words of rehearsals, from `texts.yaml`: phrases, questions, and the sources of facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from mqlint.config.data import data_of
from mqlint.config.reader import read_yaml
from mqlint.dataclass import frozen
from mqlint.vocabulary.shape import (
    FLAG,
    TEXT,
    TEXTS,
    Shape,
    entries,
    optional,
    required,
    shape_of,
    word,
)

State = Literal["info", "change", "warning", "outage", "good"]
"""How much an entry matters to production: nothing, a record changed, a message is logged,
applications are hit, something is put right."""

_NONE: tuple[str, ...] = ()


@frozen
class Phrase:
    """What entries of one kind say.

    `{about}` in the text are queue managers, `{names}` queues, the other words are of the entry.
    """

    name: str
    state: State = required(Shape(word(*get_args(State)), lambda text: text))
    text: str = required(TEXT)
    sources: tuple[str, ...] = optional(TEXTS, _NONE)
    messages: tuple[str, ...] = optional(TEXTS, _NONE)
    zos: tuple[str, ...] = optional(TEXTS, _NONE)


@frozen
class RehearsalQuestion:
    """Something that neither the files nor a source decide.

    `usual` is the answer of the calendar, the worse one for production. `setting` answers it in
    the scenario or the configuration, blank if nothing does.
    """

    name: str
    text: str = required(TEXT)
    usual: bool = required(FLAG)
    setting: str = optional(TEXT, "")


@frozen
class Reference:
    """A page that documents facts of the calendar."""

    name: str
    title: str = required(TEXT)
    address: str = required(TEXT)


@frozen
class _Texts:
    phrases: Mapping[str, Phrase] = required(entries(Phrase))
    questions: Mapping[str, RehearsalQuestion] = required(entries(RehearsalQuestion))
    sources: Mapping[str, Reference] = required(entries(Reference))


def _read() -> _Texts:
    path = data_of("mqlint.rehearsal") / "texts.yaml"
    shape = shape_of(_Texts)
    return shape.load(shape.check(read_yaml(path.read_text("utf-8"), path.name)))


_TEXTS = _read()
PHRASES = _TEXTS.phrases
QUESTIONS = _TEXTS.questions
SOURCES = _TEXTS.sources
"""The sources by name, in the order in which reports list them."""


class Answers:
    """The answers that one simulation takes, and which questions it met."""

    def __init__(self, given: Mapping[str, bool] | None = None) -> None:
        self.given = dict(given or {})
        self.asked: dict[str, bool] = {}

    def ask(self, key: str) -> bool:
        """Return the answer to a question, which the simulation has met."""
        answer = self.given.get(key, QUESTIONS[key].usual)
        self.asked[key] = answer
        return answer
