"""The vocabulary of CL: commands, what they take, and what they do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mqlint.config.errors import ConfigError
from mqlint.config.reader import read_yaml
from mqlint.vocabulary.cl import SHAPE
from mqlint.vocabulary.load import load_vocabulary
from tests.shipped import shipped_vocabulary

GOOD = {
    "commands": {
        "ENDMQM": {
            "class": "end",
            "queue_manager": "MQMNAME",
            "parameters": ["MQMNAME", "OPTION"],
            "as": {"OPTION *WAIT": "w"},
            "evidence": "document",
        },
        "ENDOTHER": {"same_as": "ENDMQM"},
    },
    "quiet": ["DLYJOB"],
    "gone": {"programs": ["OLD"], "libraries": ["QOLD"], "journals": ["QOLD/JRN"]},
}


def broken(name: str, **changes: object) -> dict[str, object]:
    document = json.loads(json.dumps(GOOD))
    document["commands"].setdefault(name, {}).update(changes)
    return document  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ([], "expected 'key: value' pairs, found a list"),
        ({"commands": {}, "quiet": []}, "the key 'gone' is missing"),
        ({**GOOD, "commands": []}, "expected 'key: value' pairs, found a list"),
        ({**GOOD, "gone": {"programs": []}}, "the key 'libraries' is missing"),
        (broken("ENDMQM", clas="end"), "unknown key 'clas': did you mean 'class'"),
        (broken("ENDMQM", evidence="guess"), "found 'guess': allowed: document, product"),
        (broken("ENDMQM", touches="tape"), "found 'tape': allowed: device, exit, files"),
        (broken("NEW", evidence="recall"), "the key 'class' is missing"),
        (broken("ENDOTHER", evidence="recall"), "same_as is the only key"),
        (broken("NEW", same_as="NOBODY"), "unknown command 'NOBODY'"),
        (broken("ENDMQM", maps_as="NOBODY"), "unknown command 'NOBODY'"),
        (broken("NEW", same_as="ENDOTHER"), "a command with an entry of its own"),
    ],
)
def test_mistakes_are_refused(document: object, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        SHAPE.check(read_yaml(json.dumps(document), "cl.yaml"))


def test_what_is_compiled_can_be_sent_as_json() -> None:
    found = SHAPE.load(json.loads(json.dumps(SHAPE.check(read_yaml(json.dumps(GOOD), "cl.yaml")))))
    spec = found.commands["ENDMQM"]
    assert (spec.action, spec.queue_manager, spec.parameters) == (
        "end",
        "MQMNAME",
        ("MQMNAME", "OPTION"),
    )
    assert spec.same == {"OPTION *WAIT": "w"}
    assert found.commands["ENDOTHER"].same == spec.same
    assert sorted(found.programs | found.libraries) == ["OLD", "QOLD"]


def test_what_shows_or_asks_changes_nothing() -> None:
    cl = shipped_vocabulary().cl
    assert all(cl.is_quiet(name) for name in ("DSPMQM", "WRKMQM", "RTVJOBA", "DLYJOB", "MONMSG"))
    assert not any(cl.is_quiet(name) for name in ("CALL", "ENDMQM", "OURTOOL", "DLTF2"))


def test_no_parameter_stands_twice_and_each_that_is_meant_is_there() -> None:
    for spec in shipped_vocabulary().cl.commands.values():
        assert len(set(spec.parameters)) == len(spec.parameters)
        if spec.queue_manager and spec.complete:
            assert spec.queue_manager in spec.parameters
        assert set(spec.instead.values()) | set(spec.runs) <= set(spec.parameters)
        assert {key.split()[0] for key in spec.same} <= set(spec.parameters)
        assert set(spec.words) | set(spec.defaults) <= set(spec.parameters)


def test_a_warm_cache_gives_the_same(tmp_path: Path) -> None:
    cold = load_vocabulary(tmp_path).cl
    assert (tmp_path / "vocabulary-cl.json").is_file()
    assert load_vocabulary(tmp_path).cl == cold == shipped_vocabulary().cl
