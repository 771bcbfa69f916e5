"""Ini files and status as the documents behind the tool print them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from mqlint.config.reader import read_yaml
from mqlint.config.settings import PROFILES, Settings
from mqlint.engine import check
from tests.engine.conftest import inputs
from tests.seeds.forms import ANALYSER, HERE, RULEBOOK

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
    places = {(finding.rule.id, finding.location) for finding in run.findings}
    assert {f"{rule}:{at.path}:{at.start.line}" for rule, at in places} == set(wanted)
    assert sorted(row.language or "none" for row in run.coverage.files) == sorted(read)
