"""Teams of files and repositories: by CODEOWNERS, by CSV, or by patterns in `estate.yaml`.

Patterns match paths as reports have them, which begin with the name of the repository. The last
pattern that matches decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from mqlint.config.csv_reader import read_csv
from mqlint.config.errors import ConfigError
from mqlint.config.globs import Glob, GlobError, compile_glob
from mqlint.dataclass import frozen
from mqlint.patterns import later

_COMMENT = later(r"(?<!\\)(?:^|\s)#.*")
_WORD = later(r"(?:\\.|\S)+")
_SECTION = later(r"\^?\[")
_COLUMNS = ("pattern", "team")
_OF_REPOSITORY = "mqlint.yaml"


@frozen
class TeamPattern:
    """The files that a pattern matches belong to a team; None for no team."""

    pattern: str
    team: str | None


@frozen(slots=False)
class Teams:
    patterns: tuple[TeamPattern, ...] = ()

    def team_of(self, repository: str, path: str | None, otherwise: str | None) -> str | None:
        """Return the team of a path, or without one that of the top of a repository.

        `otherwise` is the result if no pattern matches.
        """
        if path is None:
            path = f"{repository}/{_OF_REPOSITORY}" if repository else _OF_REPOSITORY
        for glob, team in self._reversed:
            if glob.matches(path):
                return team
        return otherwise

    @cached_property
    def _reversed(self) -> list[tuple[Glob, str | None]]:
        return [(_glob(entry.pattern), entry.team) for entry in reversed(self.patterns)]


def teams_from(text: str, path: str) -> tuple[TeamPattern, ...]:
    """Return the patterns of a file: CSV if its name ends in .csv, CODEOWNERS otherwise.

    ConfigError at the first fault.
    """
    found = []
    for line, pattern, team in _csv(text, path) if path.endswith(".csv") else _owners(text):
        try:
            found.append(checked_pattern(pattern, team))
        except GlobError as error:
            raise ConfigError(path, line, 1, f"{pattern!r}: {error}") from None
    return tuple(found)


def checked_pattern(pattern: str, team: str | None) -> TeamPattern:
    """Return a pattern and its team; GlobError if it is not a pattern."""
    _glob(pattern)
    return TeamPattern(pattern, team)


def _owners(text: str) -> Iterator[tuple[int, str, str | None]]:
    """Lines of CODEOWNERS; headings of sections, as GitLab has them, are skipped."""
    for number, line in enumerate(text.splitlines(), 1):
        words = _WORD.findall(_COMMENT.sub("", line))
        if words and not _SECTION.match(words[0]):
            pattern = re.sub(r"\\(.)", r"\1", words[0])
            yield number, pattern, " ".join(words[1:]) or None


def _csv(text: str, path: str) -> Iterator[tuple[int, str, str | None]]:
    for line, row in read_csv(text, path, _COLUMNS):
        if row["pattern"]:
            yield line, row["pattern"], row["team"] or None


def _glob(pattern: str) -> Glob:
    """A pattern as CODEOWNERS has it: without a slash inside at any depth, with all beneath."""
    inner = pattern.removeprefix("/")
    floating = not pattern.startswith("/") and "/" not in inner.rstrip("/")
    text = f"**/{inner.rstrip('/')}" if floating and inner.endswith("/") else inner
    return compile_glob(text, beneath=True, floating=floating)
