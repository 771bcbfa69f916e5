"""Edits of a text that the `repair` of a policy makes at the place of a finding.

An edit is only a proposal: `mqlint.engine.fixing.repair` proves what it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from mqlint.dataclass import frozen
from mqlint.engine.document.reading import Reading
from mqlint.finding import Diagnostic
from mqlint.language.mqsc import Command, decode
from mqlint.language.mqsc.command import command_at
from mqlint.language.mqsc.lines import BLANKS
from mqlint.model.change.mqsc import quoted
from mqlint.patterns import later
from mqlint.policy.compile.pattern import LONGEST_ANYWHERE
from mqlint.policy.language.repair import filled

_PLAIN = later(r"[A-Z0-9_]+")
"""A value that needs no quotation marks: a keyword or a number."""
_QUOTES = "\"'"


@frozen
class Edit:
    """The replacement of the text from offset `start` to `end` by `text`.

    `also` are the same replacements at other places.
    """

    start: int
    end: int
    text: str
    also: tuple[Edit, ...] = ()

    @property
    def parts(self) -> tuple[Edit, ...]:
        """Each replacement, the first one first."""
        return (self, *self.also)

    def whole(self, text: str) -> Edit:
        """Return one replacement, of the stretch of `text` that holds all."""
        start, end = min(part.start for part in self.parts), max(part.end for part in self.parts)
        moved = (Edit(part.start - start, part.end - start, part.text) for part in self.parts)
        return Edit(start, end, applied(text[start:end], moved))


class IndexedText:
    """The text of a file, with indexes that are computed once for all its findings."""

    def __init__(self, reading: Reading, text: str) -> None:
        self.reading = reading
        self.text = text

    @cached_property
    def commands(self) -> Sequence[Command]:
        """The commands of an MQSC file in order; empty for other files."""
        parts = self.reading.parts
        return parts[0].commands if len(parts) == 1 and parts[0].segments is None else ()

    @cached_property
    def repeated(self) -> frozenset[int]:
        """Offsets of the commands that are equal to an earlier command."""
        seen: set[tuple[object, ...]] = set()
        found: set[int] = set()
        for command in self.commands:
            words = command.shape.words
            key = (command.verb, command.noun, words, *map(decode, command.values))
            if key in seen:
                found.add(command.start)
            elif not command.marks:
                seen.add(key)
        return frozenset(found)

    @cached_property
    def values(self) -> Mapping[tuple[str, str], Sequence[tuple[int, int]]]:
        """The places of each value, by attribute and text; without those that may not count."""
        found: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for command in self.commands:
            if command.marks or command.form.secrets:
                continue
            for index, word in enumerate(command.shape.words):
                if command.shape.slots[index] >= 0:
                    start, end = command.span_of_value(index)
                    found.setdefault((word, self.text[start:end].strip()), []).append((start, end))
        return found

    def command_at(self, offset: int) -> Command | None:
        """Return the command at an offset, None if it may not run as written or has a secret."""
        found = command_at(self.commands, offset)
        return None if found is None or found.marks or found.form.secrets else found


@frozen
class FindingPlace:
    """The offsets of a finding in a text, and its diagnostic, None for a finding of a fact."""

    source: IndexedText
    start: int
    end: int
    diagnostic: Diagnostic | None = None

    @property
    def text(self) -> str:
        return self.source.text

    @property
    def found(self) -> str:
        return self.text[self.start : self.end]


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return a text after edits, which do not overlap."""
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        pieces += text[at : edit.start], edit.text
        at = edit.end
    return "".join([*pieces, text[at:]])


def edit_of(repair: Mapping[str, Any], place: FindingPlace) -> Edit | None:
    """Return the edit of a repair at a place; None if the repair does not apply there."""
    kind: str = repair["edit"]
    if kind == "word":
        return _word(repair["word"], place)
    if kind == "end":
        if not place.source.commands:
            return None
        end = len(place.text.rstrip())
        return Edit(end, len(place.text), f"\n{repair['end']}\n")
    if kind in ("set", "remove"):
        command = place.source.command_at(place.start)
        if command is None:
            return None
        if kind == "set":
            return _set(command, repair["values"], place.text)
        if repair["what"] == "equal-command":
            return _without_equal(command, place)
        return _without_attribute(command, place)
    start, end = _stretch(kind, place)
    edit = None if start < 0 else _replaced(repair, kind, place.text, start, end)
    if edit is None or not repair.get("everywhere"):
        return edit
    others = (_replaced(repair, kind, place.text, *other) for other in _equal_values(place))
    also = (other for other in others if other is not None and other.text == edit.text)
    return Edit(edit.start, edit.end, edit.text, tuple(also))


def _equal_values(place: FindingPlace) -> Iterator[tuple[int, int]]:
    """The other places in the file at which the attribute has the value of the finding."""
    command = place.source.command_at(place.start)
    if command is None:
        return
    for index, word in enumerate(command.shape.words):
        if command.shape.slots[index] < 0:
            continue
        start, end = command.span_of_value(index)
        if start <= place.start < end:
            key = word, place.text[start:end].strip()
            yield from (span for span in place.source.values.get(key, ()) if span[0] != start)


def _word(datum: str, place: FindingPlace) -> Edit | None:
    """Return the edit to the suggested word; None if the diagnostic does not name the old word.

    If the finding is about more than a word, the old word must be in it once.
    """
    if place.diagnostic is None:
        return None
    data = place.diagnostic.data
    meant, word = data.get(datum, "").split(), place.found.strip(_QUOTES)
    start = place.start + place.found.find(word)
    olds = [value.split() for name, value in data.items() if name != datum] if meant else []
    for written in olds:
        if len(written) == len(meant) and written[-1].upper() == word.upper():
            text = meant[-1].lower() if word.islower() and meant[-1].isupper() else meant[-1]
            return Edit(start, start + len(word), text)
    for written in olds:
        if len(written) == len(meant) == 1:
            found = list(re.finditer(rf"(?<![\w.-]){re.escape(written[0])}(?![\w.-])", place.found))
            if len(found) == 1:
                return Edit(place.start + found[0].start(), place.start + found[0].end(), meant[0])
    return None


def _stretch(kind: str, place: FindingPlace) -> tuple[int, int]:
    """The offsets between which a repair searches for its pattern; (-1, -1) for none."""
    text = place.text
    begin, end = _line(text, place.start)
    if kind == "text":
        return place.start, end
    if kind == "line":
        return begin, end
    while begin > 0:
        begin, end = _line(text, begin - 1)
        if end > begin and not text.startswith("*", begin):
            return begin, end
    return -1, -1


def _line(text: str, at: int) -> tuple[int, int]:
    """The offsets of the line at an offset, without trailing blanks."""
    begin = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return begin, begin + len(text[begin:end].rstrip(BLANKS))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a compiled pattern. It was checked when its policy was loaded."""
    return re.compile(pattern, re.ASCII)


def _replaced(repair: Mapping[str, Any], kind: str, text: str, start: int, end: int) -> Edit | None:
    if end - start > LONGEST_ANYWHERE:
        return None
    stretch = text[start:end]
    match = _compiled(repair["pattern"]).search(stretch)
    if match is None:
        return None
    becomes = filled(repair["becomes"], match)
    if kind == "line" and not becomes and not stretch[: match.start()] + stretch[match.end() :]:
        stop = text.find("\n", end)
        return Edit(start, len(text) if stop < 0 else stop + 1, "")
    return Edit(start + match.start(), start + match.end(), becomes)


def _set(command: Command, values: Mapping[str, str], text: str) -> Edit | None:
    """Return the edit that sets attributes: one edit, of the whole command if several are set."""
    start, end = command.span()
    edits = []
    added = ""
    for word, value in values.items():
        written = f"{word}({value if _PLAIN.fullmatch(value) else quoted(value)})"
        if word in command.shape.words:
            span = command.span_of_attribute(command.shape.words.index(word))
            edits.append(Edit(*span, written))
        else:
            added += f" {written}"
    if added:
        edits.append(Edit(end, end, added))
    if len(edits) == 1:
        return edits[0]
    return Edit(start, start, "", (*edits, Edit(end, end, ""))).whole(text)


def _without_equal(command: Command, place: FindingPlace) -> Edit | None:
    """Return the edit that removes a command with its lines; None if no earlier one is equal."""
    if command.start not in place.source.repeated:
        return None
    text = place.text
    start, end = command.span()
    begin = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop + 1
    alone = not text[begin:start].strip(BLANKS) and not text[end:stop].strip(f"{BLANKS}\n;")
    return Edit(begin, stop, "") if alone else Edit(start, end, "")


def _without_attribute(command: Command, place: FindingPlace) -> Edit | None:
    """Return the edit that removes a repeated attribute; None if its value is different."""
    words = command.shape.words
    for index, word in enumerate(words):
        start, end = command.span_of_attribute(index)
        if start == place.start and words.index(word) < index:
            first = command.span_of_attribute(words.index(word))
            text = place.text
            if text[start:end].upper() != text[slice(*first)].upper():
                return None
            return Edit(len(text[:start].rstrip(BLANKS)), end, "")
    return None
