"""The commands in the tutorial and the guides print what the pages show."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

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


@pytest.fixture(scope="module")
def served() -> Iterator[dict[str, str]]:
    """Variables with which commands run in a server: a start takes longer than most of them."""
    with TemporaryDirectory(prefix="mq") as folder:  # the path of a socket must be short
        variables = {"XDG_RUNTIME_DIR": folder, "MQLINT_SERVER": "1"}
        words = [str(Path(sys.executable).with_name("mqlint")), "server"]
        process = subprocess.Popen(
            words, env={**os.environ, **variables}, stderr=subprocess.DEVNULL
        )
        while process.poll() is None and not any(Path(folder).glob("mqlint/*.socket")):
            time.sleep(0.05)
        yield variables
        process.kill()
        process.wait()


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_output_is_that_of_a_run(page: Path, served: dict[str, str], tmp_path: Path) -> None:
    text = page.read_text("utf-8")
    assert present(text, tmp_path, served) == text, "run `make docs`"


@pytest.mark.slow
@pytest.mark.sample(1)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_output_is_that_of_a_run_without_a_server(page: Path, tmp_path: Path) -> None:
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
