"""Operators: what changes a clean configuration. Most are data, in `operators/*.yaml`.

An operator finds text by a regular expression and replaces it. Each states the effect of the
mistake and the source of that fact; `legal` ones make changes without an effect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.recall.mutant import Mutant, line_of
from tests.recall.project import FOLDER, Project
from tests.rows import rows_of

Rewrite = Callable[[re.Match[str]], list[str]]
"""Gives the texts that replace a match, each in a mutant of its own."""

TYPES: Mapping[str, tuple[str, ...]] = {
    "mqsc": ("*.mqsc",),
    "any-mqsc": ("*.mqsc", "*.sh", "*.ksh", "*.ps1", "*.yaml", "*.yml", "*.jcl", "*Jenkinsfile"),
    "ini": ("*qm.ini", "*mqs.ini"),
    "client-ini": ("*mqclient.ini",),
    "ccdt": ("*ccdt.json",),
    "script": ("*.sh", "*.ksh", "*.ps1", "*.cmd", "*.bat", "*.yml", "*Jenkinsfile"),
    "shell": ("*.sh", "*.ksh"),
    "container": ("*.yaml", "docker-compose.yml", "*Dockerfile"),
}
"""Names of groups of files that `in` may use besides patterns."""


@dataclass(frozen=True, slots=True)
class Operator:
    """What one kind of mistake does to a text.

    `about` is the class of the mistake, `kind` what is done to the text. `also` are patterns of
    further places where a finding is right: in them {0}, {1} stand for the match and its groups.
    `right` are patterns of the rules that name the mistake.
    """

    id: str
    about: str
    kind: str
    patterns: tuple[str, ...]
    find: re.Pattern[str]
    replace: tuple[str, ...]
    rewrite: Rewrite | None
    also: tuple[str, ...]
    append: bool
    effect: str
    source: str
    right: tuple[str, ...]
    legal: bool
    held: bool
    at_most: int
    only: tuple[str, ...]

    def mutants(self, project: Project) -> Iterator[Mutant]:
        """Yield the mutants of a clean configuration, spread evenly over its places."""
        if self.only and project.name not in self.only:
            return
        made = list(self._all(project))
        step = max(len(made) / self.at_most, 1.0)
        chosen = {int(number * step) for number in range(self.at_most)}
        yield from (mutant for number, mutant in enumerate(made) if number in chosen)

    def _all(self, project: Project) -> Iterator[Mutant]:
        for path, text in project.matching(self.patterns):
            for match in self.find.finditer(text):
                for new in self._texts(match):
                    if new != match.group():
                        yield self._mutant(project, path, text, match, new)

    def _texts(self, match: re.Match[str]) -> list[str]:
        if self.rewrite is not None:
            return self.rewrite(match)
        return [match.expand(template) for template in self.replace]

    def _mutant(
        self, project: Project, path: str, text: str, match: re.Match[str], new: str
    ) -> Mutant:
        old = match.group()
        if self.append:
            start = len(text)
            changed = text + new
        else:
            start = match.start() + _common(old, new)
            changed = text[: match.start()] + new + text[match.end() :]
        end = start if self.append else match.start() + len(new)
        last = len(changed) if self.append else max(start, end - _common(old[::-1], new[::-1]))
        files = {**project.files, path: changed}
        first = line_of(changed, start)
        head = _head(changed, first)
        places = [(path, first, line_of(changed, last)), (path, head, head)]
        values = [re.escape(group or "") for group in (old, *match.groups())]
        for pattern in self.also:
            for number, value in enumerate(values):
                pattern = pattern.replace(f"{{{number}}}", value)
            places += _places(re.compile(pattern, re.MULTILINE), files)
        return Mutant(self.id, project.name, {path: changed}, tuple(places), _change(old, new))


def _places(wanted: re.Pattern[str], files: Mapping[str, str]) -> Iterator[tuple[str, int, int]]:
    """Yield the places of what a pattern matches."""
    for path, text in files.items():
        for found in wanted.finditer(text):
            yield path, line_of(text, found.start()), line_of(text, found.end())


def _head(text: str, line: int) -> int:
    """Return the line that a command begins on which goes on in `line` after a plus sign."""
    lines = text.split("\n")
    while line > 1 and lines[line - 2].endswith((" +", " -", " ^", " \\")):
        line -= 1
    return line


def _common(old: str, new: str) -> int:
    """Return how many characters two texts begin with in common."""
    length = 0
    for left, right in zip(old, new, strict=False):
        if left != right:
            break
        length += 1
    return length


def _change(old: str, new: str) -> str:
    ahead = _common(old, new)
    ahead = max(ahead - 20, 0)
    return f"{_short(old[ahead:])} -> {_short(new[ahead:])}"


def _short(text: str) -> str:
    text = " ".join(text.split()) or "(nothing)"
    return text if len(text) <= 70 else text[:67] + "..."


def _swapped(word: str) -> str:
    """Return a word with two different neighbouring letters in the middle exchanged."""
    for at in range(len(word) // 2, len(word) - 1):
        if word[at] != word[at + 1]:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word + word[-1]


def _each_group(change: Callable[[str], str]) -> Rewrite:
    """Return what changes the text of the first group and keeps what is around it."""

    def rewrite(match: re.Match[str]) -> list[str]:
        text, start, end = (
            match.group(),
            match.start(1) - match.start(),
            match.end(1) - match.start(),
        )
        return [text[:start] + change(match.group(1)) + text[end:]]

    return rewrite


REWRITES: Mapping[str, Rewrite] = {
    "swap letters": _each_group(_swapped),
    "drop a letter": _each_group(lambda word: word[: len(word) // 2] + word[len(word) // 2 + 1 :]),
    "double a letter": _each_group(lambda word: word[:2] + word[1:]),
    "lower case": _each_group(str.lower),
    "upper case": _each_group(str.upper),
    "misspell": _each_group(lambda word: word[:-1] + ("X" if word[-1] != "X" else "Y")),
    "lengthen": _each_group(
        lambda word: word + ".THAT.IS.MUCH.TOO.LONG.FOR.A.NAME.OF.ANY.KIND.OF.OBJECT"
    ),
    "delete": _each_group(lambda word: ""),
    "twice": lambda match: [match.group() + match.group()],
    "reverse order of two": lambda match: [match.group(2) + match.group(1)],
}


@cache
def operators() -> tuple[Operator, ...]:
    """Return all operators of `operators/*.yaml`, in order of file and place."""
    right = rows_of(FOLDER / "right.yaml")
    marked = set(rows_of(FOLDER / "held.yaml")["operators"])
    rows = [
        (path, row)
        for path in sorted((FOLDER / "operators").glob("*.yaml"))
        for row in rows_of(path)
    ]
    ids = [row["id"] for _, row in rows]
    for what, names in (("held.yaml", marked), ("right.yaml", set(right["operators"]))):
        unknown = names - set(ids)
        if unknown:
            raise ValueError(f"{what} names operators that do not exist: {sorted(unknown)}")
    if len(ids) != len(set(ids)):
        raise ValueError(f"operators of one name: {sorted({i for i in ids if ids.count(i) > 1})}")
    return tuple(_operator(path, row, right, marked) for path, row in rows)


IN_COMMAND = r"(?:[^\n]|(?<=[+-])\n)*?"
"""What `[^;]*?` stands for in a pattern: text that does not go past the end of a command."""

KEYS = frozenset("id about kind in find with how also append effect source at_most only".split())


def _operator(
    path: Path, row: dict[str, Any], right: Mapping[str, Mapping[str, list[str]]], marked: set[str]
) -> Operator:
    if set(row) - KEYS:
        raise ValueError(f"{path.name}: {row.get('id')}: unknown keys {sorted(set(row) - KEYS)}")
    legal = path.stem == "legal"
    templates = row.get("with", [])
    kinds = row["in"] if isinstance(row["in"], list) else [row["in"]]
    return Operator(
        id=row["id"],
        about=row["about"],
        kind=row["kind"],
        patterns=tuple(pattern for kind in kinds for pattern in TYPES.get(kind, (kind,))),
        find=re.compile(row["find"].replace("[^;]*?", IN_COMMAND), re.MULTILINE),
        replace=(templates,) if isinstance(templates, str) else tuple(templates),
        rewrite=REWRITES[row["how"]] if "how" in row else None,
        also=tuple(row.get("also", ())),
        append=row.get("append", False),
        effect=row["effect"],
        source=row.get("source", ""),
        right=()
        if legal
        else tuple(right["operators"].get(row["id"], right["classes"][row["about"]])),
        legal=legal,
        held=row["id"] in marked,
        at_most=row.get("at_most", 8),
        only=tuple(row.get("only", ())),
    )
