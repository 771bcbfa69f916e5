"""The manual names every option and format, and its examples are true."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import click
import pytest

from mqlint.cli import fix, policy, show
from mqlint.cli import format as formatting
from mqlint.cli.check import baseline
from mqlint.cli.check import command as check
from mqlint.cli.config import command as config
from mqlint.cli.diff import command as diff
from mqlint.cli.rehearse import command as rehearsing
from mqlint.config.reader import read_yaml
from mqlint.finding.waiver import waivers_from
from mqlint.report import FORMATS
from tests.cli.conftest import Mqlint
from tests.files import write
from tests.shipped import shipped_rulebook

DOCS = Path(__file__).parents[2] / "docs"
CONTEXT = click.Context(policy.command)
POLICY = policy.command.list_commands(CONTEXT)
COMMANDS: dict[str, click.Command | None] = {
    "check": check.command,
    "show": show.command,
    "diff": diff.command,
    "fix": fix.command,
    "format": formatting.command,
    "rehearse": rehearsing.command,
    "config show": config.show,
    "config init": config.init,
    **{f"policy {name}": policy.command.get_command(CONTEXT, name) for name in POLICY},
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_described(name: str) -> None:
    text = (DOCS / "cli.md").read_text("utf-8")
    command = COMMANDS[name]
    assert command is not None
    options = {opt for param in command.params for opt in param.opts if opt[0] == "-"}
    assert {option for option in options if f"`{option}" not in text} == set()
    assert re.search(f"`mqlint {name}[ `]", text)


def test_options_of_baselines_are_described() -> None:
    text = (DOCS / "cli.md").read_text("utf-8")
    for name, one in baseline.command.commands.items():
        options = {word for param in one.params for word in param.opts if word[0] == "-"}
        assert {word for word in options if f"`{word}" not in text} == set()
        assert f"`mqlint baseline {name}" in text


def test_example_of_waivers_is_true() -> None:
    text = (DOCS / "cli.md").read_text("utf-8")
    (example,) = re.findall(r"```yaml\n(waivers:.*?)```", text, re.DOTALL)
    rules = shipped_rulebook().rules
    (waiver,) = waivers_from(read_yaml(example, "cli.md"), rules)
    assert all(
        getattr(waiver, field.name) for field in fields(waiver) if field.name not in ("sites",)
    )


def test_every_format_is_described() -> None:
    headings = re.findall(r"^## (\w+)$", (DOCS / "formats.md").read_text("utf-8"), re.MULTILINE)
    assert headings == list(FORMATS)


def test_example_of_comments_is_true(mqlint: Mqlint, project: Path) -> None:
    text = (DOCS / "cli.md").read_text("utf-8")
    (example,) = re.findall(r"```\n(\* mqlint: ignore.*?)```", text, re.DOTALL)
    files = {"prod/LEEDS1/a.mqsc": example, "dr/DERBY1/a.mqsc": example.split("\n", 1)[1]}
    write(project, files)
    (project / "mqlint.yaml").write_text('queue_managers: "*/{queue_manager}/*"\n')
    done = mqlint("check", "prod", "--select", "DR001,value-not-allowed,suppression")
    assert done.output.startswith("No findings")
    assert "2 findings ignored" in done.output


def test_links_lead_somewhere() -> None:
    for page in ("cli.md", "formats.md"):
        for link in re.findall(r"\]\(([\w.-]+\.md)", (DOCS / page).read_text("utf-8")):
            assert (DOCS / link).is_file()
