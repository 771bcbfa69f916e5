"""Where facts come from: one document, or a document inside another."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import field

from mqlint.dataclass import frozen
from mqlint.finding import Location
from mqlint.language.mqsc import Command
from mqlint.language.mqsc.lines import Segments, stretch
from mqlint.model.core.inserts import NO_INSERTS, Inserts
from mqlint.source.lines import LineMap, Span

Files = tuple[tuple[int, str, LineMap], ...]
"""Several files that are one text: where each begins in it, its path and its lines."""


@frozen(eq=False)
class Origin:
    """The document that a fact comes from.

    `segments` map an embedded document (MQSC in a shell script) to offsets in `path`; None for a
    document that is a file. `observed` is true for a dump (the present state), false for a script
    (the intended state). `maybe` is True if a branch decides whether the document applies. `shown`
    is true for output of DISPLAY: what it omits is not known. `inserts` are those of the queue
    manager it is applied to. `supposed` is true if the document is read as if it ran, so that its
    commands are judged alone. `files` are those of manifests that are composed of several. `entry`
    is the name of an embedded document in its file, such as the DD name in a job.
    """

    path: str
    lines: LineMap
    segments: Segments | None = None
    observed: bool = False
    maybe: bool = False
    shown: bool = False
    inserts: Inserts = field(default_factory=lambda: NO_INSERTS)
    supposed: bool = False
    files: Files = ()
    entry: str = ""

    def location(self, span: Span) -> Location:
        """Return the place of `span` (offsets in the document) in the file."""
        start, end = span
        if self.segments is not None:
            start, end = stretch(self.segments, start, end)
        if self.files:
            at = bisect_right(self.files, start, key=lambda file: file[0]) - 1
            begin, path, lines = self.files[at]
            return Location.of(path, lines, start - begin, max(end, start) - begin)
        return Location.of(self.path, self.lines, start, end)


@frozen(eq=False)
class Document:
    """A file of MQSC: its language, the digest of its bytes, and its commands."""

    language: str
    digest: str
    origin: Origin
    commands: Sequence[Command]
