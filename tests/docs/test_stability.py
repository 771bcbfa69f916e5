"""docs/stability.md promises what the code has."""

from __future__ import annotations

import re
from pathlib import Path

from mqlint.cli.check import command as check
from mqlint.cli.chlauth import runcheck
from mqlint.cli.common.group import FAILED, INTERRUPTED
from mqlint.finding import baseline
from mqlint.finding.fingerprint import SCHEME
from mqlint.report import json
from tests.docs.markdown import faults

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "stability.md").read_text("utf-8")


def test_versions_are_those_of_the_code() -> None:
    assert f"`version: {json.VERSION}` in the report" in PAGE
    assert f"| `version: {baseline.VERSION}` |" in PAGE
    assert f"has a name: `{SCHEME}`" in PAGE


def test_exit_statuses_are_those_of_the_code() -> None:
    assert (check.CLEAN, check.FOUND, FAILED, check.NOTHING) == (0, 1, 2, 3)
    assert (runcheck.LET_IN, runcheck.REFUSED, runcheck.UNSURE) == (0, 1, 4)
    assert f"After Ctrl-C the status is {INTERRUPTED}." in PAGE


def test_schemas_exist() -> None:
    schemas = re.findall(r"`(\w+/[\w.]+\.schema\.json)`", PAGE)
    assert len(schemas) == 5
    assert all((DOCS.parent / "mqlint" / schema).is_file() for schema in schemas)


def test_links_lead_to_files_and_headings() -> None:
    assert [fault for fault in faults(PAGE, DOCS) if "https:" not in fault] == []
