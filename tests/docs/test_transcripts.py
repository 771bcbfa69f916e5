"""The commands in the tutorial and the guides print what the pages show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tests.docs.transcripts import GUIDES, PAGES, Shell, blocks, commands, is_shown, present

NOT_RUN = (
    "make release",
    "python3 -m venv ",
    "pip ",
    "~/mqlint-venv/bin/pip ",
    "export PATH=",
    "dmpmqcfg ",
    "30 3 ",
)
"""How commands in blocks `sh` begin: they install, need a queue manager or belong to cron."""

EXAMPLES = {
    path.read_text("utf-8") for path in (Path(__file__).parents[2] / "examples" / "ci").iterdir()
}
"""Files that a guide shows; `tests/examples` checks them."""


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_output_is_that_of_a_run(page: Path, tmp_path: Path) -> None:
    text = page.read_text("utf-8")
    assert present(text, tmp_path) == text, "run `make docs`"


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.stem)
def test_every_other_block_is_known(page: Path) -> None:
    for block in blocks(page.read_text("utf-8")):
        if block.text in EXAMPLES:
            continue
        if block.language == "sh":
            assert all(line.startswith(NOT_RUN) for line in block.text.splitlines())
        elif block.language == "yaml":
            assert yaml.safe_load(block.text)
        else:
            assert block.hidden or block.title or block.language == "console"


def test_blocks_are_all_found() -> None:
    for page in GUIDES:
        text = page.read_text("utf-8")
        fences = re.findall(r"^```\w", text, re.MULTILINE)
        assert len(fences) == sum(not block.hidden for block in blocks(text))


def test_a_changed_output_is_written() -> None:
    assert commands("$ echo a\na\n$ true\n") == [("echo a", "a\n"), ("true", "")]
    assert is_shown("a\n...\nd\n", "a\nb\nc\nd\n")
    assert not is_shown("a\n...\nd\n", "a\nb\nc\n")


def test_a_page_runs_in_one_folder(tmp_path: Path) -> None:
    page = (
        '```text title="a/b.txt"\nwords\n```\n<!-- run: cd a -->\n'
        "```console\n$ cat b.txt\nold\n$ cd ..; ls a\n```\n"
    )
    shown = present(page, tmp_path)
    assert shown == page.replace("old\n$ cd ..; ls a\n", "words\n$ cd ..; ls a\nb.txt\n")


def test_a_run_sees_no_settings_of_the_user(tmp_path: Path) -> None:
    assert Shell(tmp_path).run('echo "$HOME"') == f"{tmp_path}/home\n"
