"""Pages are easy to read: short paragraphs, flat lists, links to known sources."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml

from tests.docs.markdown import faults
from tests.docs.prose import depth_of_lists, paragraphs

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
GUIDES = [DOCS / "tutorial.md", *sorted((DOCS / "guides").glob("*.md"))]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    ROOT / "benchmarks" / "README.md",
    *sorted(DOCS.glob("*.md")),
    *sorted((DOCS / "guides").glob("*.md")),
]
SOURCES = set(yaml.safe_load((Path(__file__).parent / "sources.yaml").read_text("utf-8")))
_ADDRESS = re.compile(r"(?:\]\(|<)(https?:[^)>\s]*)")


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_no_paragraph_is_long(page: Path) -> None:
    long = [text for text in paragraphs(page.read_text("utf-8")) if len(text) > 300]
    assert long == []


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_no_list_is_deep(page: Path) -> None:
    assert depth_of_lists(page.read_text("utf-8")) <= 2


@pytest.mark.parametrize("page", GUIDES, ids=named)
def test_links_of_guides_lead_to_files_and_headings(page: Path) -> None:
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)|\]\(https?:[^)]*\)", "", page.read_text("utf-8"))
    assert faults(text, page.parent) == []


def test_external_links_lead_to_known_sources() -> None:
    unknown = set()
    for page in [*PAGES, *sorted((DOCS / "policies").glob("*.md"))]:
        for address in _ADDRESS.findall(page.read_text("utf-8")):
            is_sound = re.fullmatch(r"[\w./?=&%#:~,;+@()-]+", address.partition("//")[2])
            if urlsplit(address).hostname not in SOURCES or not is_sound:
                unknown.add((named(page), address))
    assert unknown == set(), "add its host to tests/docs/sources.yaml"
