"""One document of an estate: its record, and its reading only if it is needed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, field
from typing import Protocol

from mqlint.dataclass import frozen
from mqlint.finding import Unjudged

INLINE = 1 << 20
"""Contents of git of more bytes are read again where they are parsed, and not sent there; files
always are: the system has them in memory still, and a shuffle would copy them again and again."""

_SEPARATOR = "\x1f"


@frozen
class DocumentRecord:
    """The status of a document, and a summary of its reading.

    `facts` is the key of its reading, blank if it has none. `keys` are the queue managers it speaks
    of, `reported` the findings of readers, packed, `ignores` its comments that suppress findings,
    packed. `links` are what other documents may have to know of it, packed. `reads` and `judged_by`
    are digests of what the reading, and then the rest, depend on besides the bytes.
    """

    status: str = "checked"
    language: str | None = None
    encoding: str | None = None
    reason: str | None = None
    digest: str | None = None
    commands: int = 0
    understood: int = 0
    feeds: tuple[tuple[str, str], ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    unjudged: tuple[Unjudged, ...] = ()
    keys: tuple[str, ...] = ()
    reported: tuple[str, ...] = ()
    ignores: str | None = None
    links: str = ""
    facts: str = ""
    reads: str = ""
    judged_by: str = ""

    @classmethod
    def unread(cls, reason: str) -> DocumentRecord:
        """Return a document that could not be read."""
        return cls("unreadable", reason=reason)

    @classmethod
    def unpacked(cls, packed: str) -> DocumentRecord:
        """Return the document that `packed` is made of."""
        values = json.loads(packed)
        for name in ("keys", "reported"):
            values[name] = tuple(values[name])
        values["unjudged"] = tuple(Unjudged(**found) for found in values.get("unjudged", ()))
        values["feeds"] = tuple((file, name) for file, name in values["feeds"])
        return cls(**values)

    def packed(self) -> str:
        """Return all of it as JSON."""
        return json.dumps(asdict(self))


@frozen
class Identified:
    """A document whose bytes are known: whether they were read for it, and those to send on."""

    document: DocumentRecord
    read: bool = False
    data: bytes | None = None


class Located(Protocol):
    """A row that says where the bytes of a document are."""

    @property
    def repository(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def place(self) -> str: ...
