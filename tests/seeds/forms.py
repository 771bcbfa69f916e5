"""Forms that the documents behind the tool print: re-authored with a verdict, and as printed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mqlint.config.reader import read_yaml
from mqlint.config.settings import PROFILES, Settings
from mqlint.engine import Analyser, check
from tests.engine.conftest import inputs
from tests.shipped import shipped_rulebook, shipped_vocabulary

HERE = Path(__file__).parent
ANALYSER = Analyser(shipped_vocabulary())
RULEBOOK = shipped_rulebook()
_CODE = re.compile(r"`([^`]+)`")


def forms(name: str, file: str) -> Iterator[object]:
    """The rows of a list: the file's name (`file` where it says none), its text, `rule:line`."""
    path = HERE / name
    for group, rows in read_yaml(path.read_text("utf-8"), path.name).mapping().items():
        for row in rows.sequence():
            found, named = row.get("found"), row.get("file")
            wanted = tuple(found.strings()) if found is not None else ()
            values = (file if named is None else named.text(), row.require("text").text(), wanted)
            yield pytest.param(*values, id=f"{group}, line {row.line}")


def verdict(file: str, text: str) -> tuple[set[str], list[str | None]]:
    """What all profiles say of a file, as `rule:line`, and the language it is taken for."""
    run = check(inputs({file: text}), Settings(), ANALYSER, RULEBOOK, profiles=PROFILES)
    found = {f"{finding.rule.id}:{finding.location.start.line}" for finding in run.findings}
    return found, [row.language for row in run.coverage.files]


def printed(section: str) -> list[str]:
    """What stands between backquotes in a section of the reference; skips without it."""
    named = os.environ.get("MQLINT_REFERENCE")
    page = Path(named or "") / "seed-rules.md"
    if not named or not page.is_file():
        pytest.skip("nothing printed: MQLINT_REFERENCE is not set, or has none")
    table = page.read_text("utf-8").partition(f"\n### {section} ")[2].partition("\n### ")[0]
    return _CODE.findall(table)
