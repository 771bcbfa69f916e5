"""Here-documents, and searches for closing signs that never go back."""

from __future__ import annotations

from bisect import bisect_left

from mqlint.dataclass import NamedTuple
from mqlint.language.script.command import HereDocument
from mqlint.language.text.mapped import MappedTextBuilder
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.language.text.variables import Variables
from mqlint.patterns import later
from mqlint.source.lines import Span

_BODY = later(r"\\[\\$`\n]|\$\{|\$\(|`|\$(?:[A-Za-z_]\w*|[0-9@*#?!$-])|[^\\$`]+|[\\$]")
_SUBSTITUTED = later(
    r"\$\((?:[^()\n]{0,200}+(?:\((?:[^()\n]{0,200}+(?:\([^()\n]{0,200}+\))?+){1,9}+\))?+){1,9}+\)"
)
"""A command whose output replaces it, with up to two levels of parentheses in it."""


class HereText(NamedTuple):
    """A here-document of a file, up to its delimiter; `is_script` if a shell reads it as one.

    If it `expands`, the outer shell replaces variables in it.
    """

    start: int
    end: int
    expands: bool
    is_script: bool = False


class Finder:
    """Finds signs in one text up to `stop`; asked in rising order, it reads each stretch once."""

    __slots__ = ("found", "stop", "text")

    def __init__(self, text: str, stop: int | None = None) -> None:
        self.text = text
        self.stop = len(text) if stop is None else stop
        self.found: dict[str, int] = {}

    def after(self, sign: str, at: int) -> int:
        """Return the offset after the next `sign` on this line, `at` when there is none."""
        end = self.next(sign, at)
        return end + len(sign) if end < self.next("\n", at) else at

    def go_back(self, start: int, at: int) -> None:
        """Be asked again from `start` on, after questions up to `at`."""
        for sign in self.found:
            again = self.text.find(sign, start, at)
            self.found[sign] = again if again >= 0 else self.found[sign]

    def next(self, sign: str, at: int) -> int:
        """Return the offset of the next `sign`, beyond the end of the text if there is none."""
        known = self.found.get(sign, -1)
        if known < at:
            known = self.text.find(sign, at, self.stop)
            known = len(self.text) + (sign != "\n") if known < 0 else known
            self.found[sign] = known
        return known


class _Ends:
    """The lines that may end a here-document, found in one pass over the text."""

    def __init__(self, text: str) -> None:
        self.last: dict[tuple[str, bool], int] = {}
        """Where the last line is that ends it, by delimiter and whether tabs may precede it."""
        self.lines: dict[str, list[tuple[int, int]]] = {}
        """The places of lines of one word, which may have blanks around it."""
        at = 0
        for line in text.split("\n"):
            bare = line.rstrip("\r")
            self.last[bare, False] = self.last[bare.lstrip("\t"), True] = at
            self.lines.setdefault(bare.strip(), []).append((at, at + len(bare)))
            at += len(line) + 1

    def meant(self, here: HereDocument, at: int) -> tuple[int, int] | None:
        """Return the first line from `at` on that has the delimiter and blanks, if none ends it."""
        if self.last.get((here.delimiter, here.strip), -1) >= at:
            return None
        lines = self.lines.get(here.delimiter, [])
        first = bisect_left(lines, (at, at))
        return lines[first] if first < len(lines) else None


class HereReader:
    """Reads the bodies of here-documents; `values` are the variables that are known."""

    def __init__(self, finder: Finder, values: Variables) -> None:
        self.text = finder.text
        self.finder = finder
        self.values = values
        self.ends: _Ends | None = None
        self.substituted: list[Span] = []
        """The commands in the last body, whose output replaces them."""

    def read(self, here: HereDocument, at: int) -> int:
        """Read the lines up to the delimiter, or to the end of the text.

        Without a delimiter, the first line that is meant as one ends the here-document.
        """
        begin = at
        self.substituted.clear()
        if self.ends is not None:
            here.not_ended = self.ends.meant(here, begin)
        builder = MappedTextBuilder()
        size = len(self.text)
        while at < size:
            end = self.text.find("\n", at)
            end = size if end < 0 else end + 1
            start = at
            if here.strip:
                start = end - len(self.text[at:end].lstrip("\t"))
            is_meant = here.not_ended is not None and at <= here.not_ended[0] < end
            length = end - start if is_meant else here.end_in(self.text[start:end])
            if length >= 0:
                here.body = builder.finish(at)
                return start + length
            self.line(here, builder, start, end)
            at = end
        if self.ends is None:
            self.ends = _Ends(self.text)
            if self.ends.meant(here, begin) is not None:
                return self.read(here, begin)
        here.body = builder.finish(at)
        return at

    def line(self, here: HereDocument, builder: MappedTextBuilder, start: int, end: int) -> None:
        if not here.expands:
            builder.add(self.text[start:end], start)
            return
        while start < end:
            match = _BODY.match(self.text, start, end)
            piece = match.group() if match else self.text[start]
            start = self.piece(piece, builder, start)

    def piece(self, piece: str, builder: MappedTextBuilder, at: int) -> int:
        """Add one run, escape or expansion of a here-document that expands."""
        end = at + len(piece)
        if piece in ("${", "$(", "`"):
            whole = _SUBSTITUTED.match(self.text, at)
            if whole is not None:
                end = whole.end()
            else:
                end = self.finder.after({"${": "}", "$(": ")", "`": "`"}[piece], end)
            if piece != "${":
                self.substituted.append((at, end))
            value = self.values.expanded(self.text[at + 2 : end - 1]) if piece == "${" else None
        elif piece[0] == "\\" and len(piece) == 2:
            builder.add(piece[1].strip("\n"), at + 1)
            return end
        elif piece[0] == "$" and len(piece) > 1:
            value = self.values.expanded(piece[1:])
        else:
            builder.add(piece, at)
            return end
        if value is None:
            builder.add(PLACEHOLDER * (end - at), at)
        else:
            builder.add(value, at, end - at)
        return end
