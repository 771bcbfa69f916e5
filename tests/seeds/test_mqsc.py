"""The forms of command that the documents behind the tool print, and those documents themselves."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mqlint.config.reader import read_yaml
from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Run, check
from tests.engine.conftest import PROFILES, inputs, settings_of
from tests.shipped import shipped_rulebook, shipped_vocabulary

HERE = Path(__file__).parent
ANALYSER = Analyser(shipped_vocabulary())
RULEBOOK = shipped_rulebook()
UNREAD = re.compile(r"SYN\d+|VOC001")
"""Rules that say that a text is no MQSC command."""

_ROW = re.compile(r"\| (`.*?) \|")
_CODE = re.compile(r"`([^`]+)`")
_INDEXED = re.compile(r"(?P<text>\S.*?) {4}\[(?P<line>\d+)[\d,.]*\]")
_FIRST = re.compile(r"\W*(\w+)")


@dataclass(frozen=True)
class Seed:
    """A command and what the tool has to say of it."""

    name: str
    text: str
    platform: str
    found: tuple[str, ...]


def lint(text: str, platform: str = "") -> Run:
    settings = settings_of(f"target: {{platform: {platform}}}\n") if platform else Settings()
    return check(inputs({"a.mqsc": text}), settings, ANALYSER, RULEBOOK, profiles=PROFILES)


def seeds() -> Iterator[Seed]:
    path = HERE / "mqsc.yaml"
    for group, rows in read_yaml(path.read_text("utf-8"), path.name).mapping().items():
        for row in rows.sequence():
            row.keys_allowed(("text", "platform", "found"))
            platform, found = row.get("platform"), row.get("found")
            yield Seed(
                f"{group}, line {row.line}",
                row.require("text").text(),
                platform.text() if platform else "",
                found.strings() if found else (),
            )


@pytest.mark.parametrize("seed", list(seeds()), ids=lambda seed: seed.name)
def test_each_form_has_its_verdict(seed: Seed) -> None:
    run = lint(seed.text, seed.platform)
    found = tuple(f"{finding.rule.id}:{finding.location.start.line}" for finding in run.findings)
    assert found == seed.found
    (row,) = run.coverage.files
    assert row.commands
    if not found:
        assert row.understood == row.commands


@pytest.fixture(scope="module")
def reference() -> str:
    """The page of commands as they are printed, where this machine has it."""
    named = os.environ.get("MQLINT_REFERENCE")
    if not named:
        pytest.skip("no printed commands: MQLINT_REFERENCE is not set")
    page = Path(named) / "seed-rules.md"
    if not page.is_file():
        pytest.skip(f"no printed commands: MQLINT_REFERENCE has no {page.name}: {named}")
    return page.read_text("utf-8")


def printed(page: str) -> Iterator[tuple[int, str]]:
    """Yield the first printed line number and the text of each command that may be MQSC."""
    table = page.partition("\n### 5.1 ")[2].partition("\n### ")[0]
    for row in table.splitlines():
        cell = _ROW.match(row)
        if cell is not None and (number := re.search(r"\d{3,}", row[cell.end() :])) is not None:
            yield from ((int(number[0]), text) for text in _CODE.findall(cell[1]))
    index = page.partition("\n### 5.6 ")[2].partition("```text")[2].partition("```")[0]
    for row in index.splitlines():
        match = _INDEXED.fullmatch(row.strip())
        if match is not None:
            yield int(match["line"]), match["text"]


def begins_as_mqsc(text: str) -> bool:
    word = _FIRST.match(text)
    return word is not None and ANALYSER.vocabulary.verb(word[1].upper()) is not None


def test_the_printed_commands_are_read(reference: str) -> None:
    path = HERE / "printed.yaml"
    excused = {int(line) for line in read_yaml(path.read_text("utf-8"), path.name).mapping()}
    commands = [one for one in printed(reference) if begins_as_mqsc(one[1])]
    assert len(commands) > 50
    unread = {
        line: text
        for line, text in commands
        if any(UNREAD.fullmatch(finding.rule.id) for finding in lint(text + "\n").findings)
    }
    assert {line: text for line, text in unread.items() if line not in excused} == {}
    assert sorted(excused) == sorted(unread)
