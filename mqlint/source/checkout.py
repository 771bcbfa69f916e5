"""The files beside a document, asked of the checkout itself: the documents of a run are a part."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from posixpath import basename, dirname, join, normpath

from mqlint.config.globs import GlobError, compile_glob
from mqlint.dataclass import frozen
from mqlint.source.project_files import ProjectFiles


@frozen
class Checkout:
    """The names in each folder, None for one that is missing or not to be read, and small texts.

    Paths are relative to the root of the project, as those of documents.
    """

    names: Callable[[str], Collection[str] | None]
    text: Callable[[str], str]

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
        if not names or any(other == name or other.startswith(f"{name}.") for other in names):
            return False
        return not self._is_ignored(path)

    def same_ending(self, path: str) -> list[str]:
        """Return the names in the folder of a path that have the ending of its name."""
        ending = basename(path).rpartition(".")[2]
        return [name for name in self.names(dirname(path)) or () if name.endswith(f".{ending}")]

    def _is_ignored(self, path: str) -> bool:
        return any(
            _fits(line.strip(), path.removeprefix(f"{folder}/"))
            for folder in folders_above(path)
            for line in self.text(join(folder, ".gitignore")).splitlines()
        )


def path_beside(document: str, name: str) -> str:
    """Return the path of a file that a document names."""
    return normpath(join(dirname(document), name))


def folders_above(path: str) -> Iterator[str]:
    """Yield the folders of a path upwards; the last is blank, or `/` if the path is absolute."""
    while (folder := dirname(path)) != path:
        yield folder
        path = folder


def _fits(pattern: str, path: str) -> bool:
    """Whether a line of .gitignore may be about a path; one that is not understood may be."""
    if not pattern or pattern.startswith(("#", "!")):
        return False
    anchored = "/" in pattern.rstrip("/")
    try:
        glob = compile_glob(pattern.strip("/"), beneath=True, floating=not anchored)
    except GlobError:
        return True
    return glob.matches(path)
