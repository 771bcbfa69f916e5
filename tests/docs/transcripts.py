"""The commands of a page, run one after the other, and the output that the page shows.

A block `console` holds commands after `$ ` and their output; a line `...` stands for any lines. A
block with `title="PATH"` is a file, which is written before the commands after it run. A comment
`<!-- run: COMMAND -->` is a command that prepares the next ones and is not shown.

`python -m tests.docs.transcripts [PAGE...]` writes the present output into pages (`make docs`).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from platformdirs import user_cache_path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
GUIDES = (DOCS / "tutorial.md", *sorted((DOCS / "guides").glob("*.md")))
PAGES = (*GUIDES, DOCS / "cli.md")
COLUMNS = "80"

_PART = re.compile(
    r"^(?:<!-- run: (?P<hidden>[^\n]*?) -->"
    r"|```(?P<language>\w+)(?: title=\"(?P<title>[^\"\n]+)\")?\n(?P<text>.*?)^```)$",
    re.DOTALL | re.MULTILINE,
)


class Block(NamedTuple):
    """One block of code of a page; `hidden` is a command that is not shown."""

    language: str
    title: str
    text: str
    hidden: str
    start: int


def blocks(page: str) -> Iterator[Block]:
    """Yield the blocks of code of a page, and its commands that are not shown."""
    for part in _PART.finditer(page):
        start = part.start("text") if part["language"] else part.start()
        yield Block(
            part["language"] or "", part["title"] or "", part["text"] or "", part["hidden"] or "",
            start,
        )  # fmt: skip


def commands(text: str) -> list[tuple[str, str]]:
    """Return each command of a block `console` with the output under it."""
    parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def is_shown(expected: str, output: str) -> bool:
    """Return whether `expected` shows `output`; its lines `...` stand for any lines."""
    pattern = "".join(
        "(?:.*\n)*?" if line == "...\n" else re.escape(line)
        for line in expected.splitlines(keepends=True)
    )
    return re.fullmatch(pattern, output) is not None


class Shell:
    """Runs the commands of one page in a folder that holds the examples, as a new user would.

    `variables` are added to the environment.
    """

    def __init__(self, folder: Path, variables: Mapping[str, str] = MappingProxyType({})) -> None:
        self.folder = folder / "mqlint"
        self.folder.mkdir()
        shutil.copytree(ROOT / "examples", self.folder / "examples")
        self._place = folder / "place"
        home = folder / "home"
        home.mkdir()
        self._environment = {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "COLUMNS": COLUMNS,
            "LC_ALL": "C.UTF-8",
            "NO_COLOR": "1",
            "MQLINT_CACHE_DIR": os.environ.get("MQLINT_CACHE_DIR", str(user_cache_path("mqlint"))),
            "MQLINT_TODAY": "2026-11-23",
            **{f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in (
                ("NAME", "A. Nother"), ("EMAIL", "a.nother@example"),
                ("DATE", "2026-11-23T03:00:00Z"),
            )},
            **variables,
        }  # fmt: skip

    def run(self, command: str) -> str:
        """Run a command in the present folder, and return what it prints."""
        done = subprocess.run(
            ["bash", "-c", f'{command}\nstatus=$?; pwd > "{self._place}"; exit $status'],
            cwd=self.folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if "This is a fault of mqlint" in done.stdout:
            raise RuntimeError(f"{command}\n{done.stdout}")
        if self._place.is_file():
            self.folder = Path(self._place.read_text().strip())
        return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())

    def write(self, path: str, text: str) -> None:
        """Write a file that a page shows."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def present(page: str, folder: Path, variables: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return a page with the output that its commands have in `folder`, where it differs."""
    shell, parts, end = Shell(folder, variables), [], 0
    for block in blocks(page):
        if block.hidden:
            shell.run(block.hidden)
        elif block.title:
            shell.write(block.title, block.text)
        elif block.language == "console":
            text = ""
            for command, expected in commands(block.text):
                output = shell.run(command)
                text += f"$ {command}\n{expected if is_shown(expected, output) else output}"
            parts += [page[end : block.start], text]
            end = block.start + len(block.text)
    return "".join([*parts, page[end:]])


def update(pages: Iterable[Path]) -> None:
    """Write the present output into the files `pages`."""
    for path in pages:
        with tempfile.TemporaryDirectory() as folder:
            path.write_text(present(path.read_text("utf-8"), Path(folder)), encoding="utf-8")


if __name__ == "__main__":
    update([Path(name) for name in sys.argv[1:]] or PAGES)
