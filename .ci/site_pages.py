"""Build the documentation as a site: `python .ci/site_pages.py FOLDER` (`make site`).

FOLDER/pages gets the pages, FOLDER/html the site. `docs/` is the top of the site, so a rule has the
address policies/DR001. Pages outside `docs/` (`README.md`, `CONTRIBUTING.md` ...) are copied beside
them, and links are rewritten to where their targets are in the site.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
DOCS = PurePosixPath("docs")
SETTINGS = DOCS / "site" / "zensical.toml"
SETTINGS_FILE = ROOT / SETTINGS
OUTSIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Pages outside `docs/`, by the path that each has in the site."""

_LINK = re.compile(r"(?<!\\)(\]\()(?![a-z]+:|#)([^()\s#]+)(#[^()\s]*)?(?=\))")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def build(
    folder: Path, omitted: Collection[PurePosixPath] = ()
) -> subprocess.CompletedProcess[str]:
    """Build the site into `folder`, and return what zensical printed. A warning is an error.

    Links to an omitted page lead to the README of its folder.
    """
    shutil.rmtree(folder, ignore_errors=True)
    pages = folder / "pages"
    for source in _sources():
        if source not in omitted:
            _copy(source, pages, omitted)
    shutil.copy(SETTINGS_FILE, folder)
    return subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def place(source: PurePosixPath) -> PurePosixPath:
    """Return the path in the site of a file of the repository."""
    if outside := OUTSIDE.get(str(source)):
        return PurePosixPath(outside)
    if source.is_relative_to(DOCS):
        return source.relative_to(DOCS)
    return PurePosixPath("files", source)


def _sources() -> Iterator[PurePosixPath]:
    yield from map(PurePosixPath, OUTSIDE)
    for path in sorted((ROOT / DOCS).rglob("*")):
        source = PurePosixPath(path.relative_to(ROOT).as_posix())
        if path.is_file() and source != SETTINGS:
            yield source


def _copy(source: PurePosixPath, pages: Path, omitted: Collection[PurePosixPath]) -> None:
    target = pages / place(source)
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.suffix != ".md":
        shutil.copy(ROOT / source, target)
        return
    text, linked = rewritten((ROOT / source).read_text("utf-8"), source, omitted)
    target.write_text(text, encoding="utf-8")
    for path in linked:
        file = ROOT / path
        if file.is_file() and place(path).parts[0] == "files":
            (pages / place(path)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, pages / place(path))


def rewritten(
    text: str, source: PurePosixPath, omitted: Collection[PurePosixPath] = ()
) -> tuple[str, set[PurePosixPath]]:
    """Return a page with the links that it has in the site, and the files that it links to."""
    linked: set[PurePosixPath] = set()
    folder = str(place(source).parent)

    def target(link: re.Match[str]) -> str:
        path = PurePosixPath(os.path.normpath(source.parent / link[2]))
        linked.add(path)
        if path in omitted:
            return f"{link[1]}{os.path.relpath(place(path.parent / 'README.md'), folder)}"
        return f"{link[1]}{PurePosixPath(os.path.relpath(place(path), folder))}{link[3] or ''}"

    lines, fence = [], ""
    for line in text.split("\n"):
        opening = _FENCE.match(line)
        if fence:
            fence = "" if opening and opening[1].startswith(fence) else fence
        elif opening:
            fence = opening[1]
        else:
            line = _LINK.sub(target, line)
        lines.append(line)
    return "\n".join(lines), linked


if __name__ == "__main__":
    done = build(Path(sys.argv[1]))
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    print(f"{sys.argv[1]}/html/index.html")
