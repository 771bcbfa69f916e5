"""Text that was taken out of another text, and the way back to it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from re import Match, Pattern

from mqlint.dataclass import frozen

Segments = Sequence[tuple[int, int]]
"""Pairs of an offset in the inner text and the offset of that character in its host."""


@frozen
class MappedText:
    """A text that was taken out of a host text, without its quotes, escapes and continuations.

    Each segment has the offsets, here and in the host, at which a run of characters begins. `end`
    is the offset in the host after the last character. A placeholder covers what is unknown.
    """

    text: str
    segments: Segments
    end: int

    def host(self, offset: int) -> int:
        if offset == len(self.text) and self.segments and self.segments[-1][1] < self.end:
            return self.end  # a placeholder may be shorter than what it covers
        return host_offset(self.segments, offset, self.end)

    def part(self, begin: int, end: int) -> MappedText:
        """Return a stretch of this text, with the way back to its host."""
        first, after = _segment_after(self.segments, begin), bisect_left(self.segments, (end,))
        borders = [at for at, _ in self.segments[first:after]]
        builder = MappedTextBuilder()
        for left, right in zip([begin, *borders], [*borders, end], strict=True):
            if right > left:
                builder.add(self.text[left:right], self.host(left))
        return builder.finish(min(self.host(end - 1) + 1, self.end) if end else self.end)

    def sub(self, pattern: Pattern[str], write: Callable[[Match[str]], str]) -> MappedText:
        """Return this text with what `pattern` finds replaced by what `write` returns."""
        builder, done = MappedTextBuilder(), 0
        for match in pattern.finditer(self.text):
            builder.add_mapped(self.part(done, match.start()))
            builder.add(write(match), self.host(match.start()), len(match[0]))
            done = match.end()
        builder.add_mapped(self.part(done, len(self.text)))
        return builder.finish(self.end)

    def within(self, outer: MappedText) -> MappedText:
        """Return the same text with the host of `outer`, where `outer` is the host of this.

        A run may be longer than what it stands for, as the value of a variable is.
        """
        segments: list[tuple[int, int]] = []
        for index, (inner, host) in enumerate(self.segments):
            last = index + 1 == len(self.segments)
            length = (len(self.text) if last else self.segments[index + 1][0]) - inner
            following = self.end if last else self.segments[index + 1][1]
            limit = following if following > host else max(self.end, host + 1)
            segments.append((inner, outer.host(host)))
            first = _segment_after(outer.segments, host)
            after = _segment_after(outer.segments, min(host + length, limit) - 1)
            segments.extend(
                (inner + start - host, target) for start, target in outer.segments[first:after]
            )
        return MappedText(self.text, tuple(segments), outer.host(self.end))


def _segment_after(segments: Segments, offset: int) -> int:
    """Return the index of the first run that begins after `offset`."""
    return bisect_right(segments, (offset, 1 << 62))


def host_offset(segments: Segments, offset: int, end: int) -> int:
    """Return the host's offset of the character at `offset`.

    It is at most the start of the next run, if that is further on in the host.
    """
    index = _segment_after(segments, offset) - 1
    if index < 0:
        return end
    inner, host = segments[index]
    limit = segments[index + 1][1] if index + 1 < len(segments) else end
    if limit < host:
        limit = end
    return min(host + offset - inner, max(limit, host))


class MappedTextBuilder:
    __slots__ = ("length", "next_host", "parts", "segments")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.segments: list[tuple[int, int]] = []
        self.length = 0
        self.next_host = -1

    def add(self, text: str, host: int, width: int | None = None) -> None:
        """Append `text`, that is at `host` and takes `width` characters there."""
        if not text:
            return
        if host != self.next_host:
            self.segments.append((self.length, host))
        self.parts.append(text)
        self.length += len(text)
        self.next_host = host + len(text) if width in (None, len(text)) else -1

    def add_mapped(self, mapped: MappedText) -> None:
        """Append another mapped text of the same host."""
        if not mapped.text:
            return
        self.segments.extend((self.length + inner, host) for inner, host in mapped.segments)
        self.parts.append(mapped.text)
        self.length += len(mapped.text)
        self.next_host = -1

    def move_last(self, host: int) -> None:
        """Give the last character another place."""
        if self.segments and self.segments[-1][0] == self.length - 1:
            self.segments.pop()
        self.segments.append((self.length - 1, host))
        self.next_host = -1

    def finish(self, end: int) -> MappedText:
        """Return the text; `end` is the host's offset after it."""
        return MappedText("".join(self.parts), tuple(self.segments), end)


def mapped_at(text: str, start: int, end: int | None = None) -> MappedText:
    """Return a text that is at `start` of its host, and takes the stretch up to `end` there."""
    return MappedText(text, ((0, start),), start + len(text) if end is None else end)


def mapped_slice(text: str, start: int = 0, end: int | None = None) -> MappedText:
    stop = len(text) if end is None else end
    return mapped_at(text[start:stop], start, stop)


def joined(parts: Iterable[MappedText], between: str) -> MappedText:
    """Return the parts with `between` after each but the last.

    It ends where the last part with a character in it does: a part without any may be from nowhere.
    """
    builder = MappedTextBuilder()
    end = 0
    for part in parts:
        if builder.parts:
            builder.add(between, end, 0)
        builder.add_mapped(part)
        if part.text or not builder.length:
            end = part.end
    return builder.finish(end)
