"""The files of a commit, found as `discover` finds those of the checkout."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mqlint.config.globs import compile_glob
from mqlint.source.display import display_path
from mqlint.source.git import Blob, contents_of, files_of
from mqlint.source.likely import likely
from mqlint.source.read import LIMIT

_HOPS = 8
"""Links that lead to links are followed as often as this."""


@dataclass(frozen=True, slots=True)
class PastFile:
    """A file as a commit has it: its path as shown, and the name of its content."""

    path: str
    oid: str


def past_files(top: Path, root: Path, commit: str, exclude: Sequence[str] = ()) -> list[PastFile]:
    """Return the files of a commit below `root`, a folder of the checkout whose top is `top`.

    Files that by their names are no text are left out, and so is what `exclude` fits. A link is
    found where it leads to a file below the root. GitError where git cannot say.
    """
    below = root.relative_to(top).as_posix()
    prefix = "" if below == "." else f"{below}/"
    blobs = {one.path: one for one in files_of(top, commit) if one.path.startswith(prefix)}
    excluding = [compile_glob(item, beneath=True, floating=True) for item in exclude]
    found = []
    for path, oid in _followed(top, blobs):
        shown = display_path(os.path.join(top, path), root)  # noqa: PTH118 as in discover
        if likely(shown, b"") and not any(glob.matches(shown) for glob in excluding):
            found.append(PastFile(shown, oid))
    return found


def contents(top: Path, files: Sequence[PastFile]) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of files of a commit; one that is too large to read is left out."""
    oids = [one.oid for one in files]
    for one, data in zip(files, contents_of(top, oids, LIMIT), strict=True):
        if data is not None:
            yield one.path, data


def _followed(top: Path, blobs: Mapping[str, Blob]) -> Iterator[tuple[str, str]]:
    """Yield path and content of the files, and of the links that lead to one of them."""
    links = [one for one in blobs.values() if one.is_link]
    targets = dict(zip((one.path for one in links), _targets(top, links), strict=True))
    for path, blob in blobs.items():
        here: str | None = path
        for _ in range(_HOPS):
            here = targets.get(here, here) if here is not None else None
        end = blobs.get(here) if here is not None else None
        if end is not None and not end.is_link:
            yield path, blob.oid if not blob.is_link else end.oid


def _targets(top: Path, links: Iterable[Blob]) -> Iterator[str | None]:
    """Yield where each link leads to in the checkout, None where that is not in it."""
    links = list(links)
    for link, data in zip(links, contents_of(top, [one.oid for one in links], 4096), strict=True):
        target = os.fsdecode(data or b"")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(link.path), target))
        yield None if target.startswith("/") or path.startswith("..") or not target else path
