"""What counts as a paragraph and as a list."""

from __future__ import annotations

from tests.docs.prose import depth_of_lists, paragraphs


def test_what_a_paragraph_is() -> None:
    page = (
        "# Title\n\none\ntwo [link](a/b.md)\n\n```\ncode\n```\n"
        "| a |\n|---|\n\n- x\n- y\n  z\n\n  more\n"
    )
    assert list(paragraphs(page)) == ["one two link", "- x", "- y z", "more"]


def test_how_deep_a_list_is() -> None:
    assert depth_of_lists("text\n\n- a\n  - b\n    - c\n- d\n") == 3
    assert depth_of_lists("- a\n\ntext\n\n  - b\n") == 1
