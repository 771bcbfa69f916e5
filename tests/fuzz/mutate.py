"""Texts to read, made of real ones by a seed: the same seed makes the same texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

_TOKEN = re.compile(rb"[A-Za-z0-9_.]+|[ \t]+|\n|.", re.DOTALL)
_NUMBER = re.compile(rb"\d+")
_NUMBERS = (b"0", b"1", b"-1", b"2", b"7", b"10", b"255", b"256", b"65536", b"999999999", b"1e9")
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
        """Change, drop, repeat, copy or put in bytes."""
        random = self.random
        at = random.randrange(len(text) + 1)
        until = at + random.randrange(1, 9)
        match random.randrange(8):
            case 0:
                return text[:at] + text[until:]
            case 1:
                return text[:at] + random.randbytes(1) + text[at:]
            case 2:
                return text[:at]
            case 3:
                return text[:at] + random.randbytes(1) + text[at + 1 :]
            case 4:
                flipped = bytes(byte ^ 1 << random.randrange(8) for byte in text[at : at + 1])
                return text[:at] + flipped + text[at + 1 :]
            case 5:
                return (
                    text[:at] + text[at : at + 1] * random.choice((2, 3, 8, 100)) + text[at + 1 :]
                )
            case 6:
                to = random.randrange(len(text) + 1)
                return text[:to] + text[at:until] + text[to + random.choice((0, until - at)) :]
        return self.in_number(text)

    def in_number(self, text: bytes) -> bytes:
        """Put another number where one is, or after the text."""
        numbers = [match.span() for match in _NUMBER.finditer(text)]
        start, end = self.random.choice(numbers) if numbers else (len(text), len(text))
        return text[:start] + self.random.choice(_NUMBERS) + text[end:]

    def splice(self, text: bytes) -> bytes:
        """Put a piece of another text in."""
        at = self.random.randrange(len(text) + 1)
        other = self.piece()
        return text[:at] + other[self.random.randrange(len(other) + 1) :] + text[at:]
