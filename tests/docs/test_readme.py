"""The README shows what the tool really prints, and names only what exists."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest
from click.testing import CliRunner

from mqlint.cli import main
from mqlint.config.loader import load_settings
from tests.shipped import shipped_rulebook

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "mqlint" / "config" / "mqlint.schema.json"
EXAMPLE = re.compile(
    r"<!-- EXAMPLE OUTPUT: begin[^\n]*-->\n```console\n\$ mqlint ([^\n]*)\n(.*?)```\n"
    r"<!-- EXAMPLE OUTPUT: end -->",
    re.DOTALL,
)


@pytest.mark.slow
def test_the_example_output_is_that_of_a_run() -> None:
    shown = EXAMPLE.search((ROOT / "README.md").read_text("utf-8"))
    assert shown is not None
    run = subprocess.run(
        [sys.executable, "-m", "mqlint", *shown[1].split()],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "96", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert run.stdout == shown[2]


README = (ROOT / "README.md").read_text("utf-8")
NAMED = re.compile(r"(?:^\$ |`)mqlint ([a-z][^`\n#]*?)(?=`|$| +#)", re.MULTILINE)


def words_of(command: str) -> list[str]:
    """The names of commands and options in a command line, with `--help` as the last word."""
    names = list(takewhile(lambda word: word.isalpha() and word.islower(), command.split()))
    return [*names[:2], "--help"] if names[0] in GROUPS else [names[0], "--help"]


GROUPS = ("baseline", "chlauth", "config", "estate", "policy")


@pytest.mark.parametrize("command", sorted(set(NAMED.findall(README))))
def test_commands_and_options_exist(command: str) -> None:
    shown = CliRunner().invoke(main, words_of(command))
    assert shown.exit_code == 0
    for option in re.findall(r"--[a-z-]+", command):
        assert option in shown.output


def test_rules_that_are_named_exist() -> None:
    rules = shipped_rulebook().rules
    text = EXAMPLE.sub("", README)
    named = set(re.findall(r"\b(?:[A-Z]{3}|DR)\d{3}\b", text))
    assert named - {"OWN001", "OWN002"} <= rules.keys()


def test_all_keys_of_the_configuration_are_listed() -> None:
    section = README.partition("\n## Configuration\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE)
    keys = {key for row in rows for key in re.findall(r"`([a-z_]+)`", row)}
    assert keys == set(json.loads(SCHEMA.read_text("utf-8"))["properties"])


def test_the_configuration_is_read() -> None:
    (text,) = re.findall(r"```yaml\n(sites:.*?)```", README, re.DOTALL)
    settings = load_settings(text, "mqlint.yaml")
    assert {site.name for site in settings.sites} == {"leeds", "derby"}


def test_links_lead_to_files_and_headings() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]*)\)", README):
        path, _, anchor = target.partition("#")
        page = (ROOT / path).read_text("utf-8")
        headings = re.findall(r"^#+ (.*)$", page, re.MULTILINE)
        assert not anchor or anchor in {
            re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings
        }
