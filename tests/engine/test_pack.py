"""Readings that went through JSON and back say the same."""

from __future__ import annotations

import tracemalloc
from collections.abc import Mapping

import pytest
from hypothesis import given, settings

from mqlint.config.settings import Settings
from mqlint.engine import Analyser
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.document.pack import (
    from_bytes,
    pack_finding,
    to_bytes,
    unpack_finding,
)
from mqlint.engine.document.reading import Reading
from mqlint.engine.judgement.criteria import Criteria, Suppressing
from mqlint.engine.loading.load import Loaded, load
from mqlint.engine.run import judge_loaded
from mqlint.finding import FileCoverage, Finding
from tests.engine.conftest import PROFILES, estate_files, estate_settings, inputs
from tests.engine.test_hostile import mutated
from tests.shipped import shipped_rulebook, shipped_vocabulary

ANALYSER = Analyser(shipped_vocabulary())
RULEBOOK = shipped_rulebook()


def read(files: Mapping[str, str | bytes], configured: Settings) -> dict[str, Reading]:
    assembly = Assembly(configured, ANALYSER.vocabulary)
    loaded = {one.path: load(one, assembly, ANALYSER) for one in inputs(files)}
    return {path: one.reading for path, one in loaded.items() if one.reading is not None}


def findings(readings: Mapping[str, Reading], configured: Settings) -> list[Finding]:
    loaded = {
        path: Loaded(FileCoverage(path, "checked"), reading.text, reading)
        for path, reading in readings.items()
    }
    plain = Suppressing(comments=False)
    return judge_loaded(
        loaded, Criteria.of(configured, ANALYSER, RULEBOOK, PROFILES, plain)
    ).findings


def sent(readings: Mapping[str, Reading]) -> dict[str, Reading]:
    """The readings as another process has them, which learns all forms from what is sent."""
    parser = Analyser(ANALYSER.vocabulary).parser
    return {path: from_bytes(to_bytes(reading), parser) for path, reading in readings.items()}


def test_what_may_do_anything_is_told_after_a_journey() -> None:
    script = "#!/bin/sh\nendmqm QMA\n./start.sh\nrcdmqimg -m QMA -t all '*'\n"
    readings = read({"a.sh": script}, Settings())
    assert sent(readings)["a.sh"].calls == (script.index("./start.sh"),)


def test_many_lines_take_few_bytes_after_a_journey() -> None:
    text = "* a comment\n" * 20_000
    packed = to_bytes(read({"a.mqsc": text + "DEFINE QLOCAL(A)\n"}, Settings())["a.mqsc"])
    tracemalloc.start()
    try:
        reading = from_bytes(packed, ANALYSER.parser)
        size, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(reading.lines.starts) > 20_000
    assert size < len(text)


@pytest.mark.slow
def test_the_estate_is_judged_the_same_after_a_journey() -> None:
    readings = read(estate_files(), estate_settings())
    assert findings(sent(readings), estate_settings()) == findings(readings, estate_settings())
    assert {path: to_bytes(one) for path, one in sent(readings).items()} == {
        path: to_bytes(one) for path, one in readings.items()
    }


@pytest.mark.slow
@given(mutated())
@settings(max_examples=60, deadline=None)
def test_spoilt_files_are_judged_the_same_after_a_journey(files: dict[str, bytes]) -> None:
    readings = read(files, estate_settings())
    assert findings(sent(readings), estate_settings()) == findings(readings, estate_settings())


@pytest.mark.slow
def test_findings_come_back_as_they_were() -> None:
    configured = estate_settings()
    readings = read(estate_files(), configured)
    for finding in findings(readings, configured):
        assert unpack_finding(pack_finding(finding), RULEBOOK.rules) == finding
