"""Files in, questions about queue managers out: what the model knows and what it does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mqlint.config.loader import settings_from
from mqlint.config.node import Node
from mqlint.config.reader import read_yaml
from mqlint.config.settings import Settings
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.assembly.feeds import find_feeds
from mqlint.engine.assembly.links import links_of
from mqlint.engine.assembly.relations import Relations
from mqlint.engine.assembly.wiring import Wiring
from mqlint.engine.document.analyse import Analyser
from mqlint.engine.loading.load import Input, load
from mqlint.engine.project import queue_managers
from mqlint.model.core.fact import Fact
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.queue_manager.channel_limit import CHANNEL_LIMITS
from mqlint.model.facts.queue_manager.folder import FOLDERS
from mqlint.model.facts.queue_manager.log import LOG_SIZE, LOG_TYPE
from mqlint.model.facts.queue_manager.qmgr import QMGR, qmgr_of
from mqlint.model.facts.registry import Facts
from mqlint.model.facts.security.security_policy import SECURITY_POLICY

CASES = Path(__file__).with_name("cases")
QUESTION = re.compile(
    r"(?:\[(?P<where>[^]]*)\] )?(?P<type>[a-z_]+) (?:(?P<name>\S+) )?(?P<key>\S+)"
)


def cases() -> list[object]:
    return [
        pytest.param(case, id=f"{path.stem}: {case.require('name').string()}")
        for path in sorted(CASES.glob("*.yaml"))
        for case in read_yaml(path.read_text("utf-8"), path.name).sequence()
    ]


def build(case: Node, analyser: Analyser) -> dict[str, Facts]:
    """The descriptions of all queue managers: `site/name`, and `site/name dump` of a second."""
    config = case.get("config")
    settings = Settings() if config is None else settings_from(config)
    plain = Assembly(settings, analyser.vocabulary)
    readings = {}
    for path, text in case.require("files").mapping().items():
        loaded = load(Input(path, data=text.string().encode()), plain, analyser)
        assert loaded.reading is not None, f"{path} is of no language"
        readings[path] = loaded.reading
    links = {path: links_of(path, reading, plain) for path, reading in readings.items()}
    feeds, _ = find_feeds(links, Wiring(()))
    assembly = plain.related(Relations(feeds=feeds))
    found = {}
    for descriptions in queue_managers(readings, assembly):
        key = descriptions[0].manager.key
        name = f"{key.site}/{key.name}"
        found[name] = descriptions[0]
        for facts in descriptions[1:]:
            found[f"{name} dump"] = facts
    return found


def answer(question: str, described: dict[str, Facts]) -> str | list[str]:
    """What the model says, as the cases write it."""
    asked = QUESTION.fullmatch(question)
    assert asked is not None, question
    facts = next(iter(described.values())) if asked["where"] is None else described[asked["where"]]
    if asked["type"] == "exists":
        object_type, _, name = asked["key"].partition("/")
        return shown(facts.exists(object_type, name))
    if asked["type"] == "count":
        return str(sum(1 for _ in facts.of(asked["key"])))
    key = (asked["name"] or "").replace("|", "\x1f")
    (fact,) = [one for one in facts.of(asked["type"]) if key in (one.key, one.name) or not key]
    return shown(place(fact, asked["key"]) or fact.value(asked["key"]))


def place(fact: Fact, key: str) -> str | None:
    """`@MAXDEPTH` asks where it is said."""
    if not key.startswith("@"):
        return None
    location = fact.where(key.removeprefix("@") or None)
    return f"{location.path}:{location.start.line}:{location.start.column}"


def shown(value: Value | bool | None) -> str | list[str]:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is UNKNOWN or value is None:
        return "UNKNOWN"
    if value is ABSENT:
        return "ABSENT"
    return list(value) if isinstance(value, tuple) else str(value)


@pytest.mark.parametrize("case", cases())
def test_what_the_model_says(case: Node, analyser: Analyser) -> None:
    described = build(case, analyser)
    there = case.get("queue_managers")
    if there is not None:
        assert sorted(described) == sorted(there.strings())
    asked = case.get("ask")
    questions = {} if asked is None else asked.mapping()
    wanted = {
        question: list(node.strings()) if node.kind == "sequence" else node.text()
        for question, node in questions.items()
    }
    assert {question: answer(question, described) for question in wanted} == wanted


def test_a_queue_manager_has_the_attributes_of_its_sections(analyser: Analyser) -> None:
    """They are listed where their modules are not imported: none is missing, and none too many."""
    sections = (LOG_TYPE, SECURITY_POLICY, LOG_SIZE, FOLDERS, CHANNEL_LIMITS)
    of_sections = [word for section in sections for word in section.values]
    prefixes = ("log.", "data.", "channels.", "security.", "repository.", "label.")
    listed = [word for word in QMGR.attributes if word.startswith(prefixes)]
    assert listed == of_sections
    case = read_yaml("files: {a.mqsc: DEFINE QLOCAL(A)}", "case.yaml")
    for facts in build(case, analyser).values():
        for word in listed:
            qmgr_of(facts.manager).value(word)
