"""Each seeded mistake that this version claims to find is found, at one of its places."""

from __future__ import annotations

import pytest

from mqlint.config.loader import settings_from
from mqlint.config.reader import read_yaml
from mqlint.engine import Analyser, check, inputs_of
from tests.examples.test_mistakes import ESTATE, Row, rows
from tests.shipped import shipped_rulebook, shipped_vocabulary

FOUND_BY_NOW = {"2", "4", "5", "6", "21"}

NOT_YET: dict[str, str] = {}
"""Mistakes that no rule finds yet, with the reason."""

Place = tuple[str, str]
"""Theme and `path:line`."""


@pytest.fixture(scope="module")
def found() -> set[Place]:
    settings = settings_from(read_yaml((ESTATE / "mqlint.yaml").read_text("utf-8"), "mqlint.yaml"))
    files = sorted(path for path in ESTATE.rglob("*") if path.is_file() and path.suffix != ".md")
    analyser = Analyser(shipped_vocabulary())
    run = check(inputs_of(files, ESTATE), settings, analyser, shipped_rulebook())
    return {
        (finding.rule.group, f"{where.path}:{line}")
        for finding in run.findings
        for where in [finding.location]
        for line in range(where.start.line, where.end.line + 1)
    }


def _mistakes() -> list[object]:
    by_id: dict[str, list[Row]] = {}
    for row in rows():
        if row.issue in FOUND_BY_NOW:
            by_id.setdefault(row.id, []).append(row)
    return [
        pytest.param(
            places,
            id=f"{key}-{places[0].theme}",
            marks=[pytest.mark.xfail(reason=NOT_YET[key])] if key in NOT_YET else [],
        )
        for key, places in by_id.items()
    ]


@pytest.mark.parametrize("places", _mistakes())
def test_a_mistake_is_found_at_one_of_its_places(places: list[Row], found: set[Place]) -> None:
    assert found & {(row.theme, row.place) for row in places}


def test_only_mistakes_that_are_listed_are_not_found_yet() -> None:
    assert set(NOT_YET) <= {row.id for row in rows()}
