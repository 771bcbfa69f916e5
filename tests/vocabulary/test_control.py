"""The vocabulary of control commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mqlint.config.errors import ConfigError
from mqlint.config.reader import read_yaml
from mqlint.vocabulary.control import SHAPE
from mqlint.vocabulary.load import load_vocabulary
from tests.shipped import shipped_vocabulary

GOOD = {"class": "start", "queue_manager": "operand", "evidence": "recall", "flags": ["x"]}
FAULTS = [
    [],
    {"a": "b"},
    {"a": {**GOOD, "strange": 1}},
    {"a": {**GOOD, "evidence": "hearsay"}},
    {"a": {**GOOD, "values": ["x"]}},
    {"a": {**GOOD, "secret": ["y"]}},
    {"a": {**GOOD, "queue_manager": "m"}},
    {"a": {**GOOD, "flags": "x"}},
    {"a": {**GOOD, "takes": {"x": ["y"]}}},
    {"a": {**GOOD, "values": ["y"], "takes": {"y": "1 to 2"}}},
    {"a": {**GOOD, "values": ["y"], "takes": ["y"]}},
]


@pytest.mark.parametrize("document", FAULTS)
def test_a_fault_in_the_data_is_refused(document: object) -> None:
    with pytest.raises(ConfigError):
        SHAPE.check(read_yaml(json.dumps(document), "control.yaml"))


def test_the_compiled_form_survives_json() -> None:
    compiled = SHAPE.check(read_yaml(json.dumps({"a": GOOD}), "control.yaml"))
    spec = SHAPE.load(json.loads(json.dumps(compiled)))["a"]
    assert (spec.action, spec.flags, spec.values) == ("start", frozenset({"x"}), frozenset())


def test_a_timed_stop_is_not_a_preemptive_one() -> None:
    spec = shipped_vocabulary().control["endmqm"]
    assert (spec.joined("tp5"), spec.joined("t5"), spec.joined("p")) == ("tp", "t", "")


def test_the_cache_gives_the_same_commands(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    cold = load_vocabulary(folder).control
    assert [path.name for path in folder.glob("*control*")] == ["vocabulary-control.json"]
    assert load_vocabulary(folder).control == cold == shipped_vocabulary().control


def test_what_an_option_takes() -> None:
    takes = shipped_vocabulary().control["crtmqm"].takes
    assert [takes["lf"].accepts(one) for one in ("32", "65535", "31", "65536", "-1", "x")] == [
        *(True, True, False, False, False, False)
    ]
    assert (takes["oa"].accepts("UserExternal"), takes["oa"].accepts("nobody")) == (True, False)
    assert takes["oa"].expected() == "group, user or userexternal"
