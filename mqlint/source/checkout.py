"""The files beside a document, asked of the checkout itself: the documents of a run are a part."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import field
from functools import cache, partial
from pathlib import Path
from posixpath import basename, dirname, join, normpath, splitext
from typing import Any, Final, TypeVar

from mqlint.config.globs import Glob, GlobError, compile_glob
from mqlint.dataclass import frozen
from mqlint.patterns import later
from mqlint.source.project_files import ProjectFiles

T = TypeVar("T")
_PLAIN = later(r"[\w.-][\w./ -]*")
"""A line of .gitignore without wildcards."""
_MOST_PATTERNS: Final = 200
"""Limit of the patterns in a .gitignore."""


@frozen
class Checkout:
    """The names in each folder, None for one that is missing or not to be read, and small texts.

    Paths are relative to the root of the project, as those of documents.
    """

    names: Callable[[str], Collection[str] | None]
    text: Callable[[str], str]
    _known: dict[tuple[str, str], Any] = field(default_factory=dict, compare=False, repr=False)
    """What was made of a folder, as many files of it may be missing."""

    @classmethod
    def of(cls, files: ProjectFiles, root: Path) -> Checkout:
        def text(path: str) -> str:
            data = files.read(root / path)
            return data.decode("utf-8", "replace") if isinstance(data, bytes) else ""

        return cls(cache(lambda folder: files.names(root / folder)), cache(text))

    @classmethod
    def of_texts(cls, texts: Mapping[str, str]) -> Checkout:
        folders: dict[str, set[str]] = {}
        for path in texts:
            for folder in folders_above(path):
                folders.setdefault(folder, set()).add(basename(path))
                path = folder
        return cls(folders.get, lambda path: texts.get(path, ""))

    def lacks(self, path: str) -> bool:
        """Whether a file, or a folder above it, is missing and nothing there is its source.

        A file that git ignores comes from elsewhere, and an empty folder may be a submodule that is
        not checked out. Of `a.mqsc` a file `a.mqsc.j2` or `a.mqsc.example` may be the source.
        """
        missing = path
        while (folder := dirname(missing)) not in ("", missing) and self.names(folder) is None:
            missing = folder
        name = basename(missing)
        names = None if path.startswith("../") else self.names(folder)
        if not names or name in self._of("names", folder, partial(_with_sources, names)):
            return False
        return not self._is_ignored(path)

    def same_ending(self, path: str) -> list[str]:
        """Return the names beside a path that have the ending of its name, which may be blank."""
        ending = splitext(path)[1]
        return [name for name in self.names(dirname(path)) or () if splitext(name)[1] == ending]

    def _is_ignored(self, path: str) -> bool:
        for folder in folders_above(path):
            text = self.text(join(folder, ".gitignore"))
            if text and self._of("ignored", folder, partial(_Ignored, text)).may_hold(
                path.removeprefix(f"{folder}/")
            ):
                return True
        return False

    def _of(self, what: str, folder: str, make: Callable[[], T]) -> T:
        known = self._known
        if (what, folder) not in known:
            known[what, folder] = make()
        made: T = known[what, folder]
        return made


def path_beside(document: str, name: str) -> str:
    return normpath(join(dirname(document), name))


def folders_above(path: str) -> Iterator[str]:
    """Yield the folders of a path upwards; the last is blank, or `/` if the path is absolute."""
    while (folder := dirname(path)) != path:
        yield folder
        path = folder


def _with_sources(names: Iterable[str]) -> frozenset[str]:
    """The names in a folder, and those of which one of them may be the source."""
    return frozenset(
        name[:at]
        for name in names
        for at in (len(name), *(at for at, sign in enumerate(name) if sign == "."))
    )


class _Ignored:
    """The lines of a .gitignore; one that is not understood may be about any path.

    So may those beyond a limit of the patterns, as each path is compared with each of them. Names
    without wildcards are looked up.
    """

    def __init__(self, text: str) -> None:
        self._names: set[str] = set()
        self._paths: set[str] = set()
        self._globs: list[Glob] = []
        self._is_open = False
        for pattern in dict.fromkeys(map(str.strip, text.splitlines())):
            if pattern and not pattern.startswith(("#", "!")):
                self._add(pattern)

    def _add(self, pattern: str) -> None:
        anchored = "/" in pattern.rstrip("/")
        try:
            glob = compile_glob(pattern.strip("/"), beneath=True, floating=not anchored)
        except GlobError:
            self._is_open = True
            return
        if _PLAIN.fullmatch(pattern.strip("/")) is not None:
            (self._paths if anchored else self._names).add(pattern.strip("/"))
        elif len(self._globs) < _MOST_PATTERNS:
            self._globs.append(glob)
        else:
            self._is_open = True

    def may_hold(self, path: str) -> bool:
        """Whether a line may be about a path, or about a folder above it."""
        if self._is_open or not self._names.isdisjoint(path.split("/")):
            return True
        above = {path, *folders_above(path)}
        return not self._paths.isdisjoint(above) or any(glob.matches(path) for glob in self._globs)
