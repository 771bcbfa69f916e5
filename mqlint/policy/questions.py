"""Questions that only people can answer, from `policies/questions.yaml`.

A question is put to those who have a fact that meets its `match`, a condition of the policy
language. Answers in the files are filled in; a question never reports that something is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, cast, get_args

from mqlint.config.data import data_of
from mqlint.config.node import Node, Plain
from mqlint.config.reader import read_yaml
from mqlint.dataclass import frozen
from mqlint.model.core.fact import Fact
from mqlint.patterns import later
from mqlint.policy.compile.operators import Json
from mqlint.policy.compile.predicate import Condition, compile_condition
from mqlint.policy.language.conditions import Conditions
from mqlint.policy.language.forms import formed
from mqlint.policy.policy import words_of
from mqlint.policy.run.message import fill, placeholders
from mqlint.vocabulary import Vocabulary

PATH = "policies/questions.yaml"
"""The file of the questions that come with mqlint."""

Party = Literal["estate", "site", "queue_manager"]
"""The addressee of a question: the estate once, or each site or queue manager."""

_ID = formed(later(r"ASK\d{2}\Z"), "ASK and two digits")
_ROW = formed(later(r"[A-Z]{3,4}-\d+\Z"), "a row of the catalogue such as CDR-019")
_KEYS = ("id", "theme", "ask", "why", "rows", "of", "match", "known", "scenario")


@frozen
class Known:
    """Something that the files may answer: `says` is its text where `when` certainly holds.

    With `answers` there is nothing left to ask.
    """

    when: Condition
    says: str
    answers: bool

    def answer(self, fact: Fact) -> str | None:
        """Return the text for `fact`; None unless `when` certainly holds."""
        if self.when(fact) is not True:
            return None
        return fill(self.says, words_of(fact, placeholders(self.says)))


@frozen
class Question:
    """One question: `object` and `match` say for which facts it is asked, `of` whom.

    Without an `object` it is asked in any case. `rows` are those of the catalogue that it asks.
    `scenario` is what says the answer in a scenario of a rehearsal, blank if nothing does.
    """

    id: str
    theme: str
    ask: str
    why: str
    rows: tuple[str, ...]
    of: Party
    object: str
    match: Condition | None
    known: tuple[Known, ...]
    scenario: str = ""

    def is_about(self, fact: Fact) -> bool:
        """Whether the question is certainly to be asked because of `fact`."""
        return self.match is None or self.match(fact) is True


def load_questions(vocabulary: Vocabulary) -> tuple[Question, ...]:
    """Return the questions that come with mqlint; ConfigError when one is not right."""
    text = (data_of("mqlint.policies") / "questions.yaml").read_text("utf-8")
    return read_questions(text, PATH, vocabulary)


def read_questions(text: str, path: str, vocabulary: Vocabulary) -> tuple[Question, ...]:
    """Return the questions in `text`; `path` is for messages.

    Raises ConfigError at the first thing that is wrong.
    """
    root = read_yaml(text, path)
    root.keys_allowed(("questions",))
    found: dict[str, Question] = {}
    for node in root.require("questions").sequence():
        question = _question(node, vocabulary)
        if question.id in found:
            raise node.require("id").error(f"the question {question.id} is repeated")
        found[question.id] = question
    return tuple(found.values())


def rows_asked(questions: Iterable[Question]) -> Mapping[str, str]:
    """Return the rows of the catalogue that are asked, each with the id of its question."""
    return {row: question.id for question in questions for row in question.rows}


def _question(node: Node, vocabulary: Vocabulary) -> Question:
    node.keys_allowed(_KEYS)
    match = node.get("match")
    about = None if match is None else Conditions(vocabulary, "").of(match)
    scenario = node.get("scenario")
    return Question(
        id=_ID.read(node.require("id")),
        theme=node.require("theme").string(),
        ask=node.require("ask").string(),
        why=" ".join(node.require("why").string().split()),
        rows=tuple(_rows(node.require("rows"))),
        of=cast("Party", node.require("of").one_of(get_args(Party))),
        object="" if about is None else about.object,
        match=None if about is None or match is None else _condition(match, about),
        known=tuple(_known(node, about)),
        scenario="" if scenario is None else scenario.string(),
    )


def _rows(node: Node) -> Iterator[str]:
    if not node.sequence():
        raise node.error("a question asks for at least one row of the catalogue")
    for row in node.sequence():
        yield _ROW.read(row)


def _known(node: Node, about: Conditions | None) -> Iterator[Known]:
    known = node.get("known")
    if known is None:
        return
    if about is None:
        raise known.key_error("known needs a fact: set it under `match`")
    for entry in known.sequence():
        entry.keys_allowed(("when", "says", "answers"))
        says, answers = entry.require("says"), entry.get("answers")
        for word in placeholders(says.string()):
            about.key(says, word)
        when = _condition(entry.require("when"), about)
        yield Known(when, says.string(), answers is not None and answers.boolean())


def _condition(node: Node, about: Conditions) -> Condition:
    compiled: dict[str, Plain] = about.condition(node, skip=("object",))
    return compile_condition(cast("Mapping[str, Json]", compiled))
