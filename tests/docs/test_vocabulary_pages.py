"""The pages for readers are those of the data, and tell of every attribute."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.shipped import shipped_vocabulary

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / ".ci"))
from vocabulary_pages import pages, write  # noqa: E402  beside what runs it, and not installed

FOLDER = ROOT / "docs" / "vocabulary"
VOCABULARY = shipped_vocabulary()


def test_the_pages_in_the_repository_are_up_to_date() -> None:
    if not FOLDER.is_dir():
        pytest.skip("no docs here")
    found = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    assert found == pages(VOCABULARY), "run `make docs`"


def test_every_attribute_has_a_row() -> None:
    text = "".join(pages(VOCABULARY).values())
    for name in VOCABULARY.commands():
        verb, _, noun = name.partition(" ")
        command = VOCABULARY.command(verb, noun or None)
        if command is None or not noun or command.is_display:
            continue
        assert f"| {command.text} |" in text
        assert {spec.word for spec in command.attributes if f"`{spec.word}`" not in text} == set()


def test_a_row_says_what_a_reader_asks() -> None:
    text = pages(VOCABULARY)["channels.md"]
    (row,) = (line for line in text.splitlines() if line.startswith("| `COMPMSG`"))
    for part in ("ZLIBHIGH", "`NONE`", "LZ4FAST: since 9.4.0 (LTS)", "ANY: for RCVR, RQSTR"):
        assert part in row


def test_pages_are_written_where_one_says(tmp_path: Path) -> None:
    write(VOCABULARY, tmp_path / "new")
    assert {path.name for path in (tmp_path / "new").iterdir()} == set(pages(VOCABULARY))
