"""The manual names every option and format, and its examples are true."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import Result

from mqlint.cli import check, config, show
from mqlint.report import FORMATS

Mqlint = Callable[..., Result]

DOCS = Path(__file__).parents[2] / "docs"
COMMANDS: dict[str, click.Command] = {
    "check": check.command,
    "show": show.command,
    "config show": config.show,
    "config init": config.init,
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_described(name: str) -> None:
    text = (DOCS / "cli.md").read_text("utf-8")
    options = {one for param in COMMANDS[name].params for one in param.opts if one[0] == "-"}
    assert {one for one in options if f"`{one}" not in text} == set()
    assert f"`mqlint {name} " in text


def test_every_format_is_described() -> None:
    headings = re.findall(r"^## (\w+)$", (DOCS / "formats.md").read_text("utf-8"), re.MULTILINE)
    assert headings == list(FORMATS)


def test_example_of_comments_is_true(mqlint: Mqlint, project: Path) -> None:
    text = (DOCS / "cli.md").read_text("utf-8")
    (example,) = re.findall(r"```\n(\* mqlint: ignore.*?)```", text, re.DOTALL)
    files = {"prod/LEEDS1/a.mqsc": example, "dr/DERBY1/a.mqsc": example.split("\n", 1)[1]}
    for path, content in files.items():
        (project / path).parent.mkdir(parents=True)
        (project / path).write_text(content)
    (project / "mqlint.yaml").write_text('queue_managers: "*/{queue_manager}/*"\n')
    done = mqlint("check", "prod", "--select", "DR001,value-not-allowed,suppression")
    assert done.output.startswith("No findings")
    assert "2 findings ignored" in done.output


def test_links_lead_somewhere() -> None:
    for page in ("cli.md", "formats.md"):
        for link in re.findall(r"\]\(([\w.-]+\.md)", (DOCS / page).read_text("utf-8")):
            assert (DOCS / link).is_file()
