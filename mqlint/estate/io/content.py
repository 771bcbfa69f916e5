"""The location of a document's bytes, in a form that can be sent, and how they are read there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mqlint.dataclass import frozen
from mqlint.source.archive import members
from mqlint.source.git import Contents, GitError
from mqlint.source.read import Unreadable, read

if TYPE_CHECKING:
    from mqlint.estate.io.store import Objects

PlaceKind = Literal["file", "git", "archive", "object", "sent"]

LIMIT = 64 << 20
"""The largest document of an estate that is read, in bytes."""


@frozen
class Place:
    """A file; a content of git; a member of an archive; an object of a store; or sent bytes.

    `at` is the file, the repository, the archive or the store, `part` the id of the content, the
    name of the member or the path in the store. Both may have bytes that are no text, as
    `os.fsdecode` has them.
    """

    kind: PlaceKind
    at: str = ""
    part: str = ""

    @classmethod
    def unpacked(cls, packed: str) -> Place:
        """Return what `packed` was made of; blank for bytes that were sent."""
        return cls(*json.loads(packed)) if packed else cls("sent")

    def packed(self) -> str:
        return json.dumps([self.kind, self.at, self.part])


class Places:
    """Reads documents; keeps the git open that it asked last, until it is closed."""

    def __init__(self) -> None:
        """Begin with nothing open."""
        self._git: Contents | None = None
        self._open = ""
        self._objects: Objects | None = None
        self._readers: dict[PlaceKind, Callable[[Place], bytes | Unreadable]] = {
            "file": lambda place: read(place.at, limit=LIMIT),
            "git": self._of_git,
            "archive": _of_archive,
            "object": self._of_object,
            "sent": lambda place: Unreadable("no such file"),
        }

    def read(self, place: Place) -> bytes | Unreadable:
        return self._readers[place.kind](place)

    def close(self) -> None:
        """End the git that is open."""
        git, self._git = self._git, None
        if git is not None:
            git.close()

    def _of_git(self, place: Place) -> bytes | Unreadable:
        try:
            if self._git is None or self._open != place.at:
                self.close()
                self._git, self._open = Contents(Path(place.at)), place.at
            data = self._git.read(place.part, LIMIT)
        except GitError as error:
            self.close()
            return Unreadable(str(error))
        return data if data is not None else Unreadable(f"larger than the limit of {LIMIT:,} bytes")

    def _of_object(self, place: Place) -> bytes | Unreadable:
        if self._objects is None:
            from mqlint.estate.io.store import Objects  # here, as few estates have one

            self._objects = Objects()
        return self._objects.read(place.at, place.part, LIMIT)


def _of_archive(place: Place) -> bytes | Unreadable:
    every = members(Path(place.at), limit=LIMIT)
    return next(
        (member.data for member in every if member.name == place.part), Unreadable("no such file")
    )
