"""One slice of a document with its lines joined: mostly one command, by mistake several.

z/OS reads `WORD=value` as `WORD(value)`: an equals sign begins the value of a parameter, which a
comma or a blank ends ("Generic values and characters with special meanings", IBM MQ 7.5 to 9.2).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING

from mqlint.dataclass import frozen
from mqlint.language.mqsc.branches import MARK
from mqlint.language.mqsc.command import Command, command_of
from mqlint.language.mqsc.diagnose import (
    misplaced,
    misquoted,
    names_together,
    remark,
    remark_code,
    word_before,
)
from mqlint.language.mqsc.limits import MOST_VALUES, is_too_long
from mqlint.language.mqsc.lines import BLANKS, Segments, join, origin
from mqlint.language.mqsc.scan import Fault, Scanned, scan
from mqlint.language.mqsc.shape import Names
from mqlint.language.mqsc.value import Templated
from mqlint.language.text.templates import PLACEHOLDER, is_known
from mqlint.patterns import later
from mqlint.source.pairs import Pairs
from mqlint.vocabulary.limits import COMMAND

if TYPE_CHECKING:
    from mqlint.language.mqsc.reader import ExactReader

_PIECE = later(
    r"(?<![^\s,)])[A-Za-z]\w*+=(?P<value>'(?:[^']|'')*+'|[^\s,;()'=][^\s,;()']*+)|[()]"
    r"|'(?:[^']|'')*+'"
)

Places = list[tuple[int, int]]
"""The places of the equals signs, and the ends of the values after them."""


def places_of(joined: str) -> Places:
    """Return the places of attributes with an equals sign in a command, outside parentheses."""
    found: Places = []
    depth = 0
    for piece in _PIECE.finditer(joined):
        text = piece.group()
        if text in "()":
            depth += 1 if text == "(" else -1
        elif piece["value"] is not None and depth == 0:
            found.append((piece.start("value") - 1, piece.end()))
    return found


def in_parentheses(text: str, places: Places) -> str:
    """Return `text` with parentheses around the values at `places`."""
    pieces: list[str] = []
    done = 0
    for sign, end in places:
        pieces += text[done:sign], "(", text[sign + 1 : end], ")"
        done = end
    return "".join(pieces) + text[done:]


def moved(segments: Segments, places: Places) -> Pairs:
    """Return the segments of a text after `in_parentheses`, which made it longer.

    The closing parenthesis of a value is mapped to the last character of the value.
    """
    ends = [end for _, end in places]
    result = {offset + bisect_right(ends, offset): source for offset, source in segments}
    for count, end in enumerate(ends, 1):
        result[end + count - 1] = origin(segments, end - 1)
        result[end + count] = origin(segments, end)
    return Pairs(max(result), sorted(result.items()))


_BLANK = later(r"[ \t\r\f\v]*")
_NOTHING = later(r"[ \t\r\f\v,;]*")
_WORD = r"(?!(?:END|REM)\b)[A-Z0-9_.]++[ \t\r\f\v]*+;[ \t\r\f\v,;]*+"
_LONE = later(rf"(?i){_WORD}")
_LONE_ONES = later(rf"(?i)(?:{_WORD})++")
_NOTE = later(
    r"(?m)^\*[ \t]*([A-Za-z]+)[ \t]*\(((?:[^()'\n]++|'[^'\n]*+')*+)\)[ \t]*+\+?[ \t\r]*+$"
)


class Joined:
    """One slice with its lines joined: mostly one command, by mistake several."""

    def __init__(self, reader: ExactReader, chunk: str, start: int) -> None:
        self.reader = reader
        self.start = start
        self.end = start + len(chunk)
        self.joined, self.segments = join(chunk)
        self.original = self.joined
        if PLACEHOLDER in self.joined:
            self.original = _as_written(reader.text, start, self.segments, len(self.joined))
        if reader.zos and "=" in self.joined and (places := places_of(self.joined)):
            self.segments = moved(self.segments, places)
            self.original = in_parentheses(self.original, places)
            self.joined = in_parentheses(self.joined, places)
        self.ended = False
        self.size = len(self.joined.rstrip(BLANKS))

    def read(self) -> None:
        at, begin = 0, self.start
        if _end_of(_NOTHING, self.joined, 0) == len(self.joined):
            self.reader.script.slices.add("blank", self.start, self.end)
            return
        while True:
            found = scan(self.joined, at)
            if isinstance(found, Fault):
                self._give_up(self._quotes(found, at), begin, self.end)
                return
            rest = _end_of(_NOTHING, self.joined, found.end)
            last = rest >= len(self.joined)
            end = self.end if last else self._place(rest)
            self._add_command(found, at, begin, end)
            if last or self.ended:
                return
            if at:
                rest, end = self._after_lone_words(rest, end)
            if rest == len(self.joined) or self._is_remark(rest, end):
                return
            if at == 0:
                span = (self._place(rest), self._place(self.size - 1) + 1)
                self.reader.report("second-command", span)
            at, begin = rest, end

    def _after_lone_words(self, at: int, begin: int) -> tuple[int, int]:
        """Give up a run of lone words at once if there are too many; return its end."""
        found = _LONE_ONES.match(self.joined, at) if self.reader.is_full_of_words() else None
        if found is None:
            return at, begin
        stop = found.end()
        end = self.end if stop == len(self.joined) else self._place(stop)
        self.reader.give_up_words(begin, end, sum(1 for _ in _LONE.finditer(self.joined, at, stop)))
        return stop, end

    def _add_command(self, found: Scanned, at: int, begin: int, end: int) -> None:
        """Add or give up one command whose parentheses and quotes are correct."""
        if self.reader.is_lone_word(found.skeleton):
            self.reader.give_up_unknown(begin, end)
            return
        names = self.reader.forms.names
        stop = found.end if found.whole else found.spans[-1][1] + 1
        segments = self._segments(at, stop)
        fault = misplaced(self._masked(found, at), segments, names)
        if fault is not None:
            fault = Fault(fault.code, fault.start + at, fault.end + at, fault.data)
            self._give_up(fault, begin, end)
            if fault.code not in ("swallowed-command", "command-in-a-command"):
                self.reader.go_astray()
            return
        if not found.whole or is_too_long(found.skeleton):
            self._give_up_too_long(found, at, begin, end)
            return
        notes = None if at else _notes(self.reader.covered[self.start : end])
        if notes is not None and notes.rest is not None:
            self._leave_facts(self.start + notes.rest)
        lines = notes.lines if notes else ""
        if not self.reader.admits(found.skeleton + lines, begin, end):
            return
        command = self._command(found, segments, notes)
        if command is None:
            stop = len(self.joined[at : found.end].rstrip(" \t\r\n;")) + at
            self._give_up(Fault("not-a-command", at, stop), begin, end)
        elif _starts_with_attribute(command, names):
            self._cut_off(command, begin, end)
        else:
            self.ended = command.verb == "END"
            # COMMAND of CSQUTIL ignores what follows a semicolon (csqsaw03103); CSQINP2 may not.
            command.maybe = command.maybe or (at > 0 and self.reader.zos)
            self.reader.add(command, begin, self.end if self.ended else end)

    def _give_up_too_long(self, found: Scanned, at: int, begin: int, end: int) -> None:
        """A command that is longer than any, without its values even: its words are not read."""
        stop = found.spans[-1][1] + 1 if found.spans else found.end
        what = f"a command of more than {COMMAND:,} characters is not read"
        self._give_up(Fault("beyond-limits", at, stop, {"what": what}), begin, end)

    def _leave_facts(self, start: int) -> None:
        """Of the facts in the comments of a command only so many are read."""
        what = f"of the facts in the comments of a command {MOST_VALUES:,} are read, not those from"
        span = (start, self.reader.line_end(start))
        self.reader.report("beyond-limits", span, what=f"{what} here on")

    def _cut_off(self, command: Command, begin: int, end: int) -> None:
        """A line that begins with an attribute: the line before it does not continue."""
        reader = self.reader
        if reader.is_astray():
            reader.give_up(begin, end)
        elif reader.script.commands or reader.script.broken:
            word = command.shape.verb_word
            two = names_together(word, reader.forms.names)
            code = "missing-continuation" if two is None else "names-together"
            if two is None and reader.script.commands:
                reader.script.cut.add(reader.script.commands[-1].start)
            reader.report(code, command.span_of_verb(), word=word, meant=two or "")
            reader.give_up(begin, end)
            reader.go_astray()
        else:
            reader.add(command, begin, end)

    def _quotes(self, fault: Fault, at: int) -> Fault:
        return misquoted(self.joined, at, fault) if fault.code == "unterminated-string" else fault

    def _is_remark(self, rest: int, begin: int) -> bool:
        """Whether what follows a semicolon is no command but a remark."""
        mark = remark(self.joined, rest)
        if mark is None:
            return False
        fault = Fault(remark_code(mark), rest, self.size, {"mark": mark})
        self._give_up(fault, begin, self.end)
        return True

    def _masked(self, found: Scanned, at: int) -> str:
        """The text of one command with its values and their parentheses as runs of NUL."""
        pieces = []
        for start, end in found.spans:
            pieces.append(self.joined[at : start - 1])
            pieces.append("\0" * (end - start + 2))
            at = end + 1
        return "".join(pieces) + (self.joined[at : found.end] if found.whole else "")

    def _segments(self, at: int, end: int) -> Pairs:
        """The segments of the joined text from `at` to `end`, relative to `at`."""
        if not at and end == len(self.joined):
            return self.segments
        first = max(bisect_right(self.segments.firsts, at) - 1, 0)
        last = bisect_right(self.segments.firsts, end)
        pairs = Pairs(self.end)
        for offset, source in self.segments[first:last]:
            lead = max(at - offset, 0)
            pairs.append(offset + lead - at, source + lead)
        return pairs

    def _command(self, found: Scanned, segments: Pairs, notes: _Notes | None) -> Command | None:
        form = self.reader.forms.joined_form(found.skeleton + (notes.lines if notes else ""))
        if form is None:
            return None
        raw = [
            value if is_known(value) else Templated(self.original[slice(*span)])
            for value, span in zip(found.values, found.spans, strict=True)
        ]
        start, places = self.start, None
        if notes is not None:
            size = len(found.skeleton) + sum(len(value) + 1 for value in found.values)
            places = notes.after(segments, size)
            raw += notes.values
        elif len(segments) == 1:
            start += segments[0][1]
        else:
            places = segments
        return command_of(form, raw, start, places, self.reader.shared)

    def _give_up(self, fault: Fault, start: int, end: int) -> None:
        self.reader.give_up(start, end)
        if not self.reader.has_room(fault.code):
            self.reader.report(fault.code, (start, start + 1))
            return
        begin = min(_end_of(_BLANK, self.joined, fault.start), len(self.joined) - 1)
        place = self._place(begin)
        stop = min(self._place(max(fault.end, begin + 1) - 1) + 1, self.reader.line_end(place))
        word = word_before(self.joined, fault.start) or "this command"
        words = {"word": word, **fault.data}
        self.reader.report(fault.code, (place, max(stop, place + 1)), **words)

    def _place(self, offset: int) -> int:
        return self.start + origin(self.segments, offset)


@frozen
class _Notes:
    """The lines between those of a command: facts in comments, statements of templates.

    `lines` are added to the command's skeleton, and `values` to its values. `offsets` are those of
    the parentheses of the values in the slice, and `rest` that of the first fact beyond the limit.
    """

    lines: str
    values: list[str]
    offsets: list[int]
    rest: int | None

    def after(self, segments: Pairs, size: int) -> Pairs:
        """Return the segments of a joined text of `size` characters with these lines after it."""
        found = segments[: bisect_right(segments.firsts, size)]
        for line, value, offset in zip(
            self.lines.split("\0"), self.values, self.offsets, strict=False
        ):
            size += len(line)
            found.append(size, offset)
            size += len(value) + 2
        return found


def _notes(chunk: str) -> _Notes | None:
    """Return the lines between those of a command, up to the limit of facts."""
    if "\n" not in chunk:
        return None
    written = _NOTE.finditer(chunk, chunk.index("\n") + 1)
    found = [*islice(written, MOST_VALUES)]
    lines = [f"* {note[1]}\0" for note in found]
    if MARK in chunk:
        lines.insert(0, PLACEHOLDER)
    elif not found:
        return None
    return _Notes(
        "".join(f"\n{line}" for line in lines),
        [note[2] for note in found],
        [note.start(2) - 1 for note in found],
        next((note.start() for note in written), None),
    )


def _starts_with_attribute(command: Command, names: Names) -> bool:
    """Whether the first word is no verb but an attribute, or has a value as only those have."""
    shape = command.shape
    if shape.verb is not None or PLACEHOLDER in shape.verb_word:
        return False
    return shape.has_value[:1] == (True,) or names.is_attribute(shape.verb_word)


def _as_written(text: str, start: int, segments: Iterable[tuple[int, int]], size: int) -> str:
    """The joined text of `size` characters before its templates were covered.

    It is joined from the same stretches, as lines of statements are dropped only from the covered
    text.
    """
    pieces = []
    for (begin, source), (end, _) in pairwise(chain(segments, ((size, 0),))):
        pieces.append(text[start + source : start + source + end - begin])
    return "".join(pieces).replace("\0", "\ufffd")


def _end_of(pattern: re.Pattern[str], text: str, offset: int) -> int:
    found = pattern.match(text, offset)
    return found.end() if found else offset
