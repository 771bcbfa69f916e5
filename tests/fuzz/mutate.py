"""Texts to read, made of real ones by a seed: the same seed makes the same texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

_TOKEN = re.compile(rb"[A-Za-z0-9_.]+|[ \t]+|\n|.", re.DOTALL)
_LINES = re.compile(rb"[^\n]*\n?")
_SPITE = (
    *(b"\0", b"\xff", b"\r", b"\r\n", b"\x85", b"\x1a", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"),
    *(b"\xee\x80\x80", b"\xee\x80\x81", b"\xc3\x9f", b"\xe2\x80\x99", b"\xe2\x80\xa8", b"\xc2\xa0"),
    *(b"'", b'"', b"(", b")", b"+\n", b"-\n", b" +\n", b"*", b";", b"#", b"\\\n", b"=", b":", b","),
    *(
        b"{{ a }}",
        b"{% if a %}\n",
        b"{% endif %}\n",
        b"${A}",
        b"$(A)",
        b"@A@",
        b"<a>",
        b"{{",
        b"}}",
    ),
    *(b"\n", b" ", b"\t", b"\n\n", b"0", b"-1", b"99999999999999999999", b"A" * 300),
)


class Mutator:
    """Makes texts out of `corpus` and `tokens`, words that mean something in a language."""

    def __init__(
        self,
        seed: str,
        corpus: Sequence[bytes],
        tokens: Sequence[bytes],
        longest: int = 600,
        whole: float = 0.0,
    ) -> None:
        """Let `seed` decide everything; no text has more than `longest` bytes.

        `whole` is the share of texts made from a whole file, the others are from a few lines:
        many short texts find more than few long ones.
        """
        self.random = Random(seed)  # noqa: S311  nothing secret depends on it
        self.corpus = corpus
        self.longest, self.whole = longest, whole
        self.lines = [[match.span() for match in _LINES.finditer(text)] for text in corpus]
        self.tokens = [*tokens, *_SPITE]

    def texts(self) -> Iterator[bytes]:
        """Yield texts without end."""
        while True:
            kind = self.random.random()
            if kind < 0.1:
                text = self.generated()
            elif kind < 0.12:
                text = self.random.randbytes(self.random.randrange(40))
            else:
                text = self.mutated()
            yield text[: self.longest]

    def pieces(self, number: int) -> Iterator[bytes]:
        """Yield pieces of real texts as they are."""
        for _ in range(number):
            yield self.piece()

    def generated(self) -> bytes:
        """Return a text of nothing but tokens."""
        between = self.random.choice((b"", b" ", b" ", b"\n"))
        return between.join(self.random.choices(self.tokens, k=self.random.randrange(1, 14)))

    def piece(self) -> bytes:
        """Return a few lines of a real text, or all of it."""
        index = self.random.randrange(len(self.corpus))
        if self.random.random() < self.whole:
            return self.corpus[index][: self.longest]
        lines = self.lines[index]
        first = self.random.randrange(len(lines))
        last = min(first + self.random.randrange(8), len(lines) - 1)
        return self.corpus[index][lines[first][0] : lines[last][1]][: self.longest]

    def mutated(self) -> bytes:
        """Return a piece of a real text after a few changes, now and then after none."""
        return self.changed(self.piece(), self.random.randrange(6))

    def changed(self, text: bytes, times: int) -> bytes:
        """Return a text after a number of changes."""
        for _ in range(times):
            change = self.random.choice(
                (self.in_tokens, self.in_tokens, self.in_bytes, self.splice)
            )
            text = change(text)
        return text

    def in_tokens(self, text: bytes) -> bytes:
        """Drop, double, swap, replace or put in words."""
        words = _TOKEN.findall(text)
        at = self.random.randrange(len(words) + 1)
        until = min(at + self.random.randrange(4), len(words))
        kind = self.random.randrange(5)
        middle = words[at:until]
        if kind == 0:
            middle = []
        elif kind == 1:
            middle = middle * self.random.randrange(2, 5)
        elif kind == 2:
            middle = middle[::-1]
        else:
            new = self.random.choice(self.tokens)
            middle = [new] if kind == 3 else [new, *middle]
        return b"".join([*words[:at], *middle, *words[until:]])

    def in_bytes(self, text: bytes) -> bytes:
        """Change, drop or put in bytes."""
        at = self.random.randrange(len(text) + 1)
        kind = self.random.randrange(4)
        if kind == 0:
            return text[:at] + text[at + self.random.randrange(1, 9) :]
        if kind == 1:
            return text[:at] + bytes([self.random.randrange(256)]) + text[at:]
        if kind == 2:
            return text[:at]
        return text[:at] + bytes([self.random.randrange(256)]) + text[at + 1 :]

    def splice(self, text: bytes) -> bytes:
        """Put a piece of another text in."""
        at = self.random.randrange(len(text) + 1)
        other = self.piece()
        return text[:at] + other[self.random.randrange(len(other) + 1) :] + text[at:]
