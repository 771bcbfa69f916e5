"""Questions are read strictly, and those that come with mqlint ask what the catalogue says."""

from __future__ import annotations

import re
from itertools import groupby

import pytest
from catalogue import load_catalogue

from mqlint.config.errors import ConfigError
from mqlint.policy.questions import Question, load_questions, read_questions, rows_asked
from mqlint.vocabulary import Vocabulary
from tests.shipped import shipped_vocabulary

SMALL = """\
questions:
  - id: ASK01
    theme: Tea
    ask: Who makes the tea?
    why: Somebody has to.
    rows: [ABC-001, ABC-002]
    of: queue_manager
    match: {object: qlocal, MAXDEPTH: {gt: 10}}
    known:
      - when: {GET: DISABLED}
        says: "{name} cannot be read"
        answers: true
  - id: ASK02
    theme: Tea
    ask: Is there milk?
    why: Some want it.
    rows: [ABC-003]
    of: estate
"""


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return shipped_vocabulary()


@pytest.fixture(scope="module")
def shipped(vocabulary: Vocabulary) -> tuple[Question, ...]:
    return load_questions(vocabulary)


def test_what_is_read(vocabulary: Vocabulary) -> None:
    first, second = read_questions(SMALL, "questions.yaml", vocabulary)
    assert (first.id, first.object, first.of, first.rows) == (
        "ASK01",
        "qlocal",
        "queue_manager",
        ("ABC-001", "ABC-002"),
    )
    assert [known.says for known in first.known] == ["{name} cannot be read"]
    assert (second.object, second.match, second.known) == ("", None, ())
    assert rows_asked((first, second)) == {
        "ABC-001": "ASK01",
        "ABC-002": "ASK01",
        "ABC-003": "ASK02",
    }


@pytest.mark.parametrize(
    ("old", "new", "where", "message"),
    [
        ("theme: Tea", "theem: Tea", "3:5", "theem"),
        ("ASK01", "ASK1", "2:9", "ASK and two digits"),
        ("ASK02", "ASK01", "13:9", "is repeated"),
        ("[ABC-003]", "[]", "17:11", "at least one row"),
        ("[ABC-003]", "[milk]", "17:12", "a row of the catalogue"),
        ("of: estate", "of: everybody", "18:9", "everybody"),
        ("MAXDEPTH", "MAXDEPHT", "8:29", "MAXDEPTH"),
        ("GET: DISABLED", "GOT: DISABLED", "10:16", "GOT"),
        ("{name} cannot", "{nmae} cannot", "11:9", "nmae"),
        ("answers: true", "answers: often", "12:18", "true or false"),
        ("    match: {object: qlocal, MAXDEPTH: {gt: 10}}\n", "", "8:5", "under `match`"),
    ],
)
def test_questions_are_read_strictly(
    vocabulary: Vocabulary, old: str, new: str, where: str, message: str
) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)) as caught:
        read_questions(SMALL.replace(old, new, 1), "questions.yaml", vocabulary)
    assert f"questions.yaml:{where}" in str(caught.value)


def test_every_row_that_only_people_know_is_asked_once(shipped: tuple[Question, ...]) -> None:
    asked = [row for question in shipped for row in question.rows]
    rows = load_catalogue().rows()
    assert sorted(asked) == sorted(
        row.id for row in rows if "plan" in row.needs and not row.refused
    )


def test_a_question_is_one_and_has_a_reason(shipped: tuple[Question, ...]) -> None:
    assert [question.id for question in shipped if not question.ask.endswith("?")] == []
    assert [question.id for question in shipped if not question.why.endswith(".")] == []
    assert len({question.ask for question in shipped}) == len(shipped)


def test_questions_of_a_theme_stand_together(shipped: tuple[Question, ...]) -> None:
    themes = [question.theme for question in shipped]
    assert [theme for theme, _ in groupby(themes)] == list(dict.fromkeys(themes))
    assert [question.id for question in shipped] == sorted(question.id for question in shipped)
