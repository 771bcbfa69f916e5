"""The page on channel authentication says what the tool does."""

from __future__ import annotations

from pathlib import Path

from mqlint.cli.chlauth.runcheck import command
from mqlint.vocabulary.chlauth import evaluation_steps

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "chlauth.md").read_text("utf-8")


def test_the_page_has_every_step_with_its_source() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `") and line.count("|") == 4]
    told = [row for row in rows if not row.startswith("| `--")]
    assert told == [
        f"| `{step.name}` | {step.summary} | {step.source}{'' if step.read else ' (recalled)'} |"
        for step in evaluation_steps().values()
    ]


def test_the_page_has_every_option_that_says_something_of_the_connection() -> None:
    plain = {"--channel", "--format", "--config", "--cache-dir", "--no-cache"}
    options = {name for param in command.params for name in param.opts if name.startswith("--")}
    assert {name for name in options - plain if f"`{name}" not in PAGE} == set()
