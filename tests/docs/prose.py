"""The paragraphs and lists of a page of Markdown, as a reader sees them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = re.compile(r" *(`{3,}|~{3,})")
_ITEM = re.compile(r"( *)(?:[-*+]|\d+\.) +")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def paragraphs(page: str) -> Iterator[str]:
    """Yield the text of each paragraph and item of a list, without the targets of links."""
    for block in re.split(r"\n(?:[ \t]*\n)+|\n(?= *(?:[-*+]|\d+\.) )", _outside_fences(page)):
        lines = [line.strip() for line in block.splitlines()]
        if any(line and not line.startswith(("|", "#", "<!--")) for line in lines):
            yield _LINK.sub(r"\1", " ".join(line for line in lines if line))


def depth_of_lists(page: str) -> int:
    """Return how many lists the deepest item is in."""
    deepest = 0
    margins: list[int] = []
    for line in _outside_fences(page).splitlines():
        item = _ITEM.match(line)
        if item:
            margins = [margin for margin in margins if margin < len(item[1])] + [len(item[1])]
            deepest = max(deepest, len(margins))
        elif line and not line.startswith(" "):
            margins = []
    return deepest


def _outside_fences(page: str) -> str:
    kept, fence = [], ""
    for line in page.splitlines():
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif mark:
            fence = mark[1]
            kept.append("")
        elif not line.startswith("    ") or _ITEM.match(line):
            kept.append(line)
    return "\n".join(kept)
