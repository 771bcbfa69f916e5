"""The site is built without a warning, its links lead somewhere, and it needs no network."""

from __future__ import annotations

import html
import json
import re
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urldefrag

import pytest

from tests.shipped import shipped_rulebook

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci"))
import site_pages  # noqa: E402  beside what runs it, and not installed

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CODE = re.compile(r"<(script|style)\b([^>]*)>.*?</\1>", re.DOTALL)
_LINK = re.compile(r"<(\w+)\b[^>]*?\s(?:href|src)=(\"[^\"]*\"|[^\s>]+)")
_ANCHOR = re.compile(r"\s(?:id|name)=(\"[^\"]*\"|[^\s>]+)")
_ADDRESS = re.compile(r"[a-z]+:|//")


def pages_of_rules() -> list[PurePosixPath]:
    return [site_pages.DOCS / "policies" / f"{rule}.md" for rule in shipped_rulebook().rules]


@pytest.fixture(scope="module", params=[30, pytest.param(1, marks=pytest.mark.long)])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site with the page of every 30th rule, or of all: to render one takes 30 ms."""
    if not site_pages.SETTINGS_FILE.is_file():
        pytest.skip("no docs here")
    folder = tmp_path_factory.mktemp("site")
    pages = pages_of_rules()
    done = site_pages.build(folder, {*pages}.difference(pages[:: request.param]))
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "html"


@pytest.fixture(scope="module")
def links(site: Path) -> dict[str, list[tuple[str, str]]]:
    """The links of each page, each with the name of its element."""
    return {
        page.relative_to(site).as_posix(): [
            (link[1], html.unescape(link[2].strip('"')))
            for link in _LINK.finditer(_content(page))
        ]
        for page in site.rglob("*.html")
    }  # fmt: skip


def _content(page: Path) -> str:
    return _CODE.sub(r"<\1\2>", _COMMENT.sub("", page.read_text("utf-8")))


@pytest.mark.slow
def test_links_lead_to_pages_and_headings(
    site: Path, links: dict[str, list[tuple[str, str]]]
) -> None:
    @cache
    def anchors(page: Path) -> set[str]:
        return {anchor[1].strip('"') for anchor in _ANCHOR.finditer(_content(page))}

    @cache
    def file_at(folder: Path, path: str) -> Path | None:  # most pages of a folder link to the same
        file = (folder / unquote(path)).resolve()
        return file if file.is_file() else None

    broken = defaultdict(set)
    for page, targets in links.items():
        for target in {target for _, target in targets if not _ADDRESS.match(target)}:
            path, anchor = urldefrag(target)
            file = file_at((site / page).parent, path or Path(page).name)
            is_there = file is not None and (
                not anchor or file.suffix != ".html" or unquote(anchor) in anchors(file)
            )
            if page != "404.html" and not is_there:
                broken[page].add(target)
    assert broken == {}


@pytest.mark.slow
def test_pages_request_nothing_from_outside(
    site: Path, links: dict[str, list[tuple[str, str]]]
) -> None:
    loaded = {
        (element, target)
        for targets in links.values()
        for element, target in targets
        if element != "a" and _ADDRESS.match(target) and not target.startswith("data:")
    }
    assert loaded == set()
    for sheet in [*site.rglob("*.css"), *site.rglob("*.svg")]:
        text = sheet.read_text("utf-8")
        assert re.findall(r"(?:url\(|@import )[\"']?(?:https?:)?//", text) == [], sheet


@pytest.mark.slow
def test_each_rule_is_found_by_its_messages(site: Path) -> None:
    texts: defaultdict[str, str] = defaultdict(str)
    for item in json.loads((site / "search.json").read_text("utf-8"))["items"]:
        texts[urldefrag(item["location"])[0]] += f"{item['title']} {item['text']} "
    rules = shipped_rulebook().rules.values()
    built = [rule for rule in rules if (site / "policies" / f"{rule.id}.html").is_file()]
    assert built
    for rule in built:
        text = texts[f"policies/{rule.id}.html"]
        missing = {word for word in (rule.id, *rule.messages) if word not in text}
        assert missing == set(), rule.id


@pytest.mark.slow
def test_each_guide_is_in_the_navigation(site: Path) -> None:
    settings = site_pages.SETTINGS_FILE.read_text("utf-8")
    listed = set(re.findall(r'= "([\w/.-]+\.md)"', settings))
    pages = site.parent / "pages"
    assert {page for page in listed if not (pages / page).is_file()} == set()
    guides = {f"guides/{path.name}" for path in (pages / "guides").glob("*.md")}
    assert guides | {"tutorial.md"} <= listed


def test_links_of_a_page_follow_its_place_in_the_site() -> None:
    text = "[a](../SECURITY.md#x) [b](https://example.org/) `[c](d.md)`\n```\n[e](../f.md)\n```\n"
    moved, linked = site_pages.rewritten(text, PurePosixPath("docs/cli.md"))
    assert moved.startswith("[a](security.md#x) [b](https://example.org/)")
    assert "\n[e](../f.md)\n" in moved
    assert PurePosixPath("SECURITY.md") in linked
    assert site_pages.place(PurePosixPath("docs/policies/DR001.md")) == PurePosixPath(
        "policies/DR001.md"
    )
    assert site_pages.place(PurePosixPath("policies/dr/dr001.yaml")).parts[0] == "files"
