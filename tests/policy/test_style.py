"""Texts of policies are in plain English: short, without the words of style.yaml."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypedDict, cast

import pytest
import yaml

from mqlint.cli.policy.new import skeleton
from mqlint.policy.language.cases import cases_of
from mqlint.policy.load import PolicySource, builtin_sources, compile_sources, user_sources
from tests.policy.making import policy
from tests.shipped import shipped_vocabulary

EXAMPLES = Path(__file__).parents[2] / "examples" / "policies"
MOST_OF_SUMMARY = 70
MOST_OF_WHY = 60
MOST_OF_SENTENCE = 30
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_QUOTED = re.compile(r"\{[^}]*\}|`[^`]*`|\"[^\"]*\"|'[^'\s]*'")
_PASSIVE_START = re.compile(r"(The|A|An|This|It|There|What|Nothing|That)\b")


class Banned(TypedDict):
    pattern: str
    instead: str


class Style(TypedDict):
    allowed: list[str]
    banned: list[Banned]
    pending: list[str] | None


class Text(NamedTuple):
    """A text of a policy; `is_prose` tells that it has sentences, not only a heading."""

    key: str
    text: str
    is_prose: bool


STYLE = cast(
    "Style", yaml.safe_load(Path(__file__).with_name("style.yaml").read_text(encoding="utf-8"))
)
ALLOWED = re.compile("|".join(STYLE["allowed"]), re.IGNORECASE)
BANNED = [(re.compile(row["pattern"], re.IGNORECASE), row["instead"]) for row in STYLE["banned"]]
PENDING = STYLE["pending"] or []


@cache
def sources() -> dict[str, list[PolicySource]]:
    found: dict[str, list[PolicySource]] = {}
    for source in (*builtin_sources(), *user_sources([EXAMPLES])):
        found.setdefault(source.group, []).append(source)
    return found


def texts_of(source: PolicySource) -> Iterator[Text]:
    """Every text of a policy that a user may read."""
    (compiled,) = compile_sources([source], shipped_vocabulary())
    for key in ("summary", "message"):
        yield Text(key, compiled[key], is_prose=False)
    for key in ("why", "fix", "more"):
        yield Text(key, compiled[key], is_prose=True)
    for name, parameter in compiled.get("parameters", {}).items():
        yield Text(f"parameter {name}", parameter["says"], is_prose=True)
    for case in cases_of(source):
        yield Text("name of a case", case.name, is_prose=False)


def faults(source: PolicySource) -> Iterator[str]:
    for text in texts_of(source):
        for wrong in (*length_faults(text), *form_faults(text), *word_faults(text)):
            yield f"{source.path}: {text.key}: {wrong}"


def length_faults(text: Text) -> Iterator[str]:
    if text.key == "summary" and len(text.text) > MOST_OF_SUMMARY:
        yield f"{len(text.text)} characters, at most {MOST_OF_SUMMARY}"
    if text.key == "why" and len(text.text.split()) > MOST_OF_WHY:
        yield f"{len(text.text.split())} words, at most {MOST_OF_WHY}"
    for sentence in _sentences(text):
        if len(sentence.split()) > MOST_OF_SENTENCE:
            yield f"a sentence of {len(sentence.split())} words: {sentence}"


def form_faults(text: Text) -> Iterator[str]:
    if text.key in ("summary", "message") and text.text.endswith("."):
        yield "ends with a full stop"
    if text.key == "message" and re.search(r"\?|;|\. ", text.text):
        yield "more than one clause, or a question"
    if text.key == "fix" and _PASSIVE_START.match(text.text):
        yield "begins with neither an action nor its condition"


def word_faults(text: Text) -> Iterator[str]:
    for line in text.text.split("\n"):
        own = "" if line.startswith(" ") else ALLOWED.sub("", _QUOTED.sub("''", line))
        for pattern, instead in BANNED:
            if found := pattern.search(own):
                yield f"{found[0].strip()!r}; write: {instead}"


def _sentences(text: Text) -> Iterator[str]:
    for line in text.text.split("\n") if text.is_prose else ():
        if not line.startswith(" "):
            yield from _SENTENCE_END.split(line)


@pytest.mark.parametrize("group", sorted(sources()))
def test_policies_are_in_plain_english(group: str) -> None:
    if group in PENDING:
        pytest.skip("its texts have not been rewritten yet")
    assert [wrong for source in sources()[group] for wrong in faults(source)] == []


def test_pending_are_groups() -> None:
    assert {*PENDING} <= sources().keys()


def test_a_new_policy_starts_in_plain_english() -> None:
    assert list(faults(PolicySource("own/own001.yaml", "own", skeleton("OWN001")))) == []


@pytest.mark.parametrize(
    ("key", "text", "wrong"),
    [
        ("summary", "x" * 71, "71 characters"),
        ("summary", "A queue.", "full stop"),
        ("message", "is {name} right?", "a question"),
        ("message", "{name} is full; delete it", "more than one clause"),
        ("why", "word " * 20 + ". " + "word " * 20 + ". " + "word " * 21, "at most 60"),
        ("why", "word " * 31, "a sentence of 31 words"),
        ("fix", "word " * 31, "a sentence of 31 words"),
        ("fix", "The channel is to be altered.", "neither an action"),
        ("more", "word " * 31, "a sentence of 31 words"),
        ("more", "Nobody mends it.", "'mends'; write: fix"),
        ("why", "It fails. Where it does not, it ends.", "Where"),
        ("cases", [{"name": "told", "files": {}, "flagged": []}], "told"),
    ],
)
def test_each_fault_is_noticed(key: str, text: str, wrong: str) -> None:
    assert wrong in "\n".join(faults(PolicySource("x/tst001.yaml", "x", policy(**{key: text}))))


@pytest.mark.parametrize(
    "text",
    [
        'The log says "told anew".',
        "Use `said`.",
        "MCAUSER('nobody') is set.",
        "A standby starts where the disk is.",
        "A host behind a load balancer is no longer known.",
        "Do this:\n\n    mend anew\n",
    ],
)
def test_quotations_and_terms_of_mq_are_allowed(text: str) -> None:
    written = policy(fix="Cure it.", more=text)
    assert list(faults(PolicySource("x/tst001.yaml", "x", written))) == []
