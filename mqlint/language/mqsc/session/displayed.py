"""Output of DISPLAY in a session, as the commands that define what it shows.

    AMQ8409I: Display Queue details.                  DEFINE QLOCAL('Pay.In') GET('ENABLED')
       QUEUE(Pay.In)           TYPE(QLOCAL)     ->
       GET(ENABLED)

Values are shown as they are, without quotes, in one column or several; a list goes over several
lines. "AMQ8xxx: Administration" (9.2) lists the messages for each type of object. The layout is
that of examples on IBM's pages and of a published listing of a queue manager of 9.4.2; other types
of objects are assumed to look the same. A value without a clear end is left out, so it is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from mqlint.dataclass import frozen, mutable
from mqlint.language.mqsc.session.recording import Reply, Session
from mqlint.language.text.mapped import MappedText, MappedTextBuilder
from mqlint.patterns import later

_KINDS: Mapping[str, tuple[str, str]] = {
    "8096": ("SUB", "DEFINE SUB"),
    "8407": ("PROCESS", "DEFINE PROCESS"),
    "8408": ("QMNAME", "ALTER QMGR"),
    "8409": ("QUEUE", "DEFINE"),
    "8414": ("CHANNEL", "DEFINE CHANNEL"),
    "8417": ("CHANNEL", "DISPLAY CHSTATUS"),
    "8441": ("CLUSQMGR", "DISPLAY CLUSQMGR"),
    "8550": ("NAMELIST", "DEFINE NAMELIST"),
    "8566": ("AUTHINFO", "DEFINE AUTHINFO"),
    "8629": ("SERVICE", "DEFINE SERVICE"),
    "8630": ("LISTENER", "DEFINE LISTENER"),
    "8633": ("TOPIC", "DEFINE TOPIC"),
    "8861": ("COMMINFO", "DEFINE COMMINFO"),
    "8864": ("PROFILE", "SET AUTHREC"),
    "8878": ("CHLAUTH", "SET CHLAUTH"),
}
"""The messages before details: the word that names the object, and the command that sets it."""
_ON_ZOS: Mapping[str, tuple[str, str]] = {
    "QUEUE": ("QUEUE", "DEFINE"),
    "QMNAME": ("QMNAME", "ALTER QMGR"),
    "CHLAUTH": ("CHLAUTH", "SET CHLAUTH"),
    **{
        noun: (noun, f"DEFINE {noun}")
        for noun in ("CHANNEL", "NAMELIST", "PROCESS", "STGCLASS", "TOPIC", "AUTHINFO")
    },
}
"""The same for z/OS by the first word of a message, which names the object."""
_OF_ZOS = "04"
"""How the codes of such messages begin: CSQM4nnI."""
_QUEUES = frozenset({"QLOCAL", "QALIAS", "QREMOTE", "QMODEL"})
_LISTS = frozenset({"NAMES", "USERLIST", "ADDRLIST", "AUTHADD"})
_WITH_TYPE = frozenset({"SET CHLAUTH"})
"""Commands with an attribute TYPE; elsewhere TYPE repeats the type of the object."""

_WORD = later(r"(?m)[ \t]*([A-Z][A-Z0-9]*)(\(|(?=[ \t]|$))")
_FOLLOWS = later(r"(?m)[ \t]*$|[ \t]+[A-Z][A-Z0-9]*(?:\(|[ \t]|$)")
_BRACKET = later(r"[()]")
_ITEM = later(r"[^,\s]+")


@mutable
class _Shown:
    """One attribute: its word, and the pieces of its value with their offsets; None for a flag."""

    word: str
    start: int
    pieces: list[tuple[int, int]] | None = None
    depth: int = 0

    def text(self, source: str) -> str:
        """The value without the blanks around it."""
        return "".join(source[slice(*piece)] for piece in self.pieces or ()).strip()


@mutable
class _DisplayReader:
    source: str
    found: list[_Shown] = field(default_factory=list)
    open: _Shown | None = None

    def read(self, lines: Iterable[tuple[int, int]]) -> list[_Shown]:
        """Return the attributes whose values are certain."""
        for start, end in lines:
            self._line(start, end)
        self._close()
        return self.found

    def _line(self, at: int, end: int) -> None:
        if self.open is not None:
            begins = _WORD.match(self.source, at, end)
            if begins is not None and self._could_end():
                self._close()
            else:
                at += len(self.source[at:end]) - len(self.source[at:end].lstrip(" \t"))
                at = self._value(self.open, at, end)
        while at < end and (word := _WORD.match(self.source, at, end)) is not None:
            shown = _Shown(word[1], word.start(1))
            at = word.end()
            if word[2]:
                shown.pieces = []
                at = self._value(shown, at, end)
            else:
                self.found.append(shown)

    def _value(self, shown: _Shown, at: int, end: int) -> int:
        """Read a value, or its part on this line; return its end, `end` if nothing follows."""
        pieces = shown.pieces if shown.pieces is not None else []
        shown.depth = shown.depth or 1
        for bracket in _BRACKET.finditer(self.source, at, end):
            shown.depth += 1 if bracket.group() == "(" else -1
            if not shown.depth:
                self.open = None
                if _FOLLOWS.match(self.source, bracket.end(), end) is None:
                    return end
                pieces.append((at, bracket.start()))
                self.found.append(shown)
                return bracket.end()
        pieces.append((at, end))
        self.open = shown
        return end

    def _could_end(self) -> bool:
        """Whether the open value may have ended with its last line, parentheses unbalanced."""
        pieces = self.open.pieces if self.open is not None else None
        return bool(pieces) and self.source[: pieces[-1][1]].endswith(")") if pieces else False

    def _close(self) -> None:
        """End the open value with the parenthesis that its last line ends with, or drop it."""
        if self.open is not None and self.open.pieces and self._could_end():
            start, end = self.open.pieces[-1]
            self.open.pieces[-1] = start, max(start, end - 1)
            self.found.append(self.open)
        self.open = None


def shown_in(session: Session, source: str) -> MappedText | None:
    """Return the commands for what a session of `source` showed, a line each; or None."""
    builder = MappedTextBuilder()
    end = session.start
    for reply in session.replies():
        if not reply.lines:
            continue
        end = reply.lines[-1][1]
        row = _row(reply, source)
        if row is not None:
            _write(builder, row, source)
            builder.add("\n", end, 0)
    return builder.finish(end) if builder.length else None


def named_in(session: Session, source: str) -> str | None:
    """Return the queue manager that DISPLAY QMGR names, for a session that does not say it."""
    for reply in session.replies():
        asked = reply.code == "8408" or reply.code.startswith(_OF_ZOS)
        row = _row(reply, source) if asked else None
        if row is not None and row.name is not None and row.command == "ALTER QMGR":
            return row.name.text(source)
    return None


@frozen
class _Row:
    """A command, the attribute that is its object's name, and the others."""

    command: str
    name: _Shown | None
    others: tuple[_Shown, ...]


def _row(reply: Reply, source: str) -> _Row | None:
    """Return what one message shows; None when it is no object or says nothing certain of it."""
    if reply.code not in _KINDS and not reply.code.startswith(_OF_ZOS):
        return None
    read = _DisplayReader(source).read(reply.lines)
    kind = _KINDS.get(reply.code) or (_on_zos(read, source) if read else None)
    if kind is None:
        return None
    word, command = kind
    found = {record_batch.word: record_batch for record_batch in reversed(read)}
    name = found.pop(word, None)
    if name is not None and name.pieces is None:
        name = None  # a word without a value names nothing
    if name is None and command != "ALTER QMGR":
        return None
    if command == "DEFINE":
        queue = found["TYPE"].text(source) if "TYPE" in found else ""
        if queue not in _QUEUES or _is_dynamic(found, source):
            return None
        command = f"DEFINE {queue}"
    if command == "SET AUTHREC":
        _rename(found, source)
    if command not in _WITH_TYPE:
        found.pop("TYPE", None)
    return _Row(command, name, tuple(reversed(found.values())))


def _on_zos(read: Iterable[_Shown], source: str) -> tuple[str, str] | None:
    """Return the object in a message of z/OS; a definition of a group is no object of its own."""
    first, *others = read
    if any(other.word == "QSGDISP" and other.text(source) == "GROUP" for other in others):
        return None
    return _ON_ZOS.get(first.word)


def _is_dynamic(found: Mapping[str, _Shown], source: str) -> bool:
    """Whether an application made the queue; dumps do not have such queues either."""
    return "DEFTYPE" in found and found["DEFTYPE"].text(source) != "PREDEFINED"


def _rename(found: dict[str, _Shown], source: str) -> None:
    """Rename the words of an authority record to those of SET AUTHREC."""
    kind = found.pop("ENTTYPE", None)
    if kind is not None and "ENTITY" in found:
        found["ENTITY"].word = "GROUP" if kind.text(source) == "GROUP" else "PRINCIPAL"
    if "AUTHLIST" in found:
        found["AUTHLIST"].word = "AUTHADD"


def _write(builder: MappedTextBuilder, row: _Row, source: str) -> None:
    start = row.name.start if row.name is not None else row.others[0].start if row.others else 0
    builder.add(row.command, start, 1)
    if row.name is not None and row.command not in ("ALTER QMGR", "SET AUTHREC"):
        _write_value(builder, row.name, source)
    elif row.name is not None:
        _write_attribute(builder, row.name, source)
    for other in row.others:
        _write_attribute(builder, other, source)


def _write_attribute(builder: MappedTextBuilder, shown: _Shown, source: str) -> None:
    builder.add(" ", shown.start, 0)
    builder.add(shown.word, shown.start)
    if shown.pieces is not None:
        _write_value(builder, shown, source)


def _write_value(builder: MappedTextBuilder, shown: _Shown, source: str) -> None:
    """Append a value in quotes; of a list each element in its own."""
    pieces = shown.pieces or []
    builder.add("(", pieces[0][0] - 1)
    ranges = list(_items(pieces, source)) if shown.word in _LISTS else [_trimmed(pieces, source)]
    for number, ranges_of_value in enumerate(ranges or [[]]):
        at = ranges_of_value[0][0] if ranges_of_value else pieces[0][0]
        builder.add(",'" if number else "'", at, 0)
        for start, end in ranges_of_value:
            _write_text(builder, source, start, end)
        builder.add("'", ranges_of_value[-1][1] if ranges_of_value else at, 0)
    builder.add(")", pieces[-1][1])


def _write_text(builder: MappedTextBuilder, source: str, start: int, end: int) -> None:
    """Append a stretch of the source with its quotes doubled."""
    while start < end:
        quote = source.find("'", start, end)
        stop = end if quote < 0 else quote
        builder.add(source[start:stop], start)
        if quote >= 0:
            builder.add("''", quote, 1)
            stop += 1
        start = stop


def _items(pieces: list[tuple[int, int]], source: str) -> Iterator[list[tuple[int, int]]]:
    for start, end in pieces:
        yield from ([item.span()] for item in _ITEM.finditer(source, start, end))


def _trimmed(pieces: list[tuple[int, int]], source: str) -> list[tuple[int, int]]:
    """The pieces without the blanks at the ends of lines."""
    found = []
    for start, end in pieces:
        text = source[start:end]
        start += len(text) - len(text.lstrip())
        end = start + len(text.strip())
        if start < end:
            found.append((start, end))
    return found
