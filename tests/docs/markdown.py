"""What a reader of Markdown would stumble over in a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_COMMENT = re.compile(r"<!-- [^<>]* -->\Z")
_LINK = re.compile(r"(?<!\\)\]\(([^)]*)\)")
_ADDRESS = re.compile(r"<https?://[^\s<>]+>")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")


def faults(text: str, folder: Path) -> list[str]:
    """Return raw HTML, fences left open and links to nothing in the page of a folder."""
    return list(_faults(text.split("\n"), folder))


def _faults(lines: list[str], folder: Path) -> Iterator[str]:
    fence = ""
    for line in lines:
        run = re.match(r" {0,3}(`{3,}|~{3,})(.*)", line)
        if fence:
            if run and run[1].startswith(fence) and not run[2].strip():
                fence = ""
        elif run:
            fence = run[1]
        elif not line.startswith("    ") and not _COMMENT.match(line):
            yield from _inline(_CODE.sub("", line), folder)
    if fence:
        yield "a fence is left open"


def _inline(line: str, folder: Path) -> Iterator[str]:
    rest = _ADDRESS.sub("", line)
    if re.search(r"(?<!\\)[<`]", rest):
        yield f"raw HTML or half a code span: {line}"
    for target in _LINK.findall(rest):
        path, _, anchor = target.partition("#")
        file = folder / path if path else folder / "README.md"
        if not file.is_file():
            yield f"a link to nothing: {target}"
        elif anchor and anchor not in _anchors(file):
            yield f"a link to no heading: {target}"


def _anchors(file: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", file.read_text("utf-8"), re.MULTILINE)
    names = (re.sub(r"[^\w -]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in names}
