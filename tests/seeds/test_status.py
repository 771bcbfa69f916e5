"""Ini files and status as the documents behind the tool print them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from mqlint.config.reader import read_yaml
from mqlint.config.settings import PROFILES, Settings
from mqlint.engine import Analyser, check
from mqlint.policy.load import load_rulebook
from mqlint.vocabulary.load import load_vocabulary
from tests.engine.conftest import inputs

HERE = Path(__file__).parent
ANALYSER = Analyser(load_vocabulary())
RULEBOOK = load_rulebook(ANALYSER.vocabulary)
SETTINGS = Settings(queue_managers=("{queue_manager}/*",))


def seeds() -> Iterator[object]:
    path = HERE / "status.yaml"
    for group, rows in read_yaml(path.read_text("utf-8"), path.name).mapping().items():
        for row in rows.sequence():
            files = {name: text.text() for name, text in row.require("files").mapping().items()}
            found = row.get("found")
            wanted = () if found is None else tuple(found.strings())
            read = tuple(row.require("read").strings())
            yield pytest.param(files, read, wanted, id=f"{group}, line {row.line}")


@pytest.mark.parametrize(("files", "read", "wanted"), list(seeds()))
def test_each_form_has_its_verdict(
    files: Mapping[str, str], read: tuple[str, ...], wanted: tuple[str, ...]
) -> None:
    run = check(inputs(files), SETTINGS, ANALYSER, RULEBOOK, profiles=PROFILES)
    places = {(one.rule.id, one.location) for one in run.findings}
    assert {f"{rule}:{at.path}:{at.start.line}" for rule, at in places} == set(wanted)
    assert sorted(row.language or "none" for row in run.coverage.files) == sorted(read)
