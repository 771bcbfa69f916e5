"""The vocabulary of z/OS: programs, their statements, and the macros of system parameters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mqlint.config.errors import ConfigError
from mqlint.config.reader import read_yaml
from mqlint.vocabulary.load import load_vocabulary
from mqlint.vocabulary.zos import SHAPE
from tests.shipped import shipped_vocabulary

GOOD = {
    "programs": {"A": {"style": "words", "evidence": "recall", "statements": {"DO": "copy"}}},
    "macros": {"M": {"evidence": "document", "defaults": {"X": "1"}}},
}


def broken(kind: str, name: str, **changes: object) -> dict[str, object]:
    document = json.loads(json.dumps(GOOD))
    document[kind][name].update(changes)
    return document  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ([], "expected 'key: value' pairs, found a list"),
        ({"programs": {}}, "the key 'macros' is missing"),
        ({"programs": [], "macros": {}}, "expected 'key: value' pairs, found a list"),
        (broken("programs", "A", stile="words"), "unknown key 'stile': did you mean 'style'"),
        (broken("programs", "A", style="other"), "found 'other': allowed: commas, none or words"),
        (broken("programs", "A", evidence="guess"), "found 'guess': allowed: document, product"),
        (broken("macros", "M", evidence="guess"), "found 'guess': allowed: document, product"),
        (broken("macros", "M", style="words"), "unknown key 'style'"),
    ],
)
def test_mistakes_are_refused(document: object, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        SHAPE.check(read_yaml(json.dumps(document), "zos.yaml"))


def test_what_is_compiled_can_be_sent_as_json() -> None:
    found = SHAPE.load(json.loads(json.dumps(SHAPE.check(read_yaml(json.dumps(GOOD), "zos.yaml")))))
    assert found.programs["A"].statements == {"DO": "copy"}
    assert found.macros["M"].defaults == {"X": "1"}


def test_defaults_are_those_of_the_product() -> None:
    logs = shipped_vocabulary().zos.macros["CSQ6LOGP"].defaults
    assert {logs[key] for key in ("OFFLOAD", "TWOACTV", "TWOARCH", "TWOBSDS")} == {"YES"}
    assert logs["MAXARCH"] == "500"


def test_a_warm_cache_gives_the_same(tmp_path: Path) -> None:
    cold = load_vocabulary(tmp_path).zos
    assert (tmp_path / "vocabulary-zos.json").is_file()
    assert load_vocabulary(tmp_path).zos == cold == shipped_vocabulary().zos
