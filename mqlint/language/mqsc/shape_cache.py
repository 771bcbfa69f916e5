"""Shapes that earlier runs met, kept in the user's cache: a small run then needs no grammar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final
from zlib import adler32, crc32

from mqlint.config.cache import JsonValue, recalled, remember
from mqlint.config.data import data_of

Elements = Sequence[tuple[str, bool]]
"""The words of a shape in order, and whether each has parentheses."""

_NAME: Final = "shapes"
_FORMAT: Final = "2"
_MOST: Final = 2048
_LONGEST: Final = 8192
_BOUND: Final = "("


class KnownShapes:
    """What Lark said of canonical texts, by the text.

    Only texts are kept of which each word is one of MQ: a word that is none may be a password
    that lost its parentheses. What is found is what the grammar would say: the file goes by the
    digest of the grammar.
    """

    def __init__(self, folder: Path | None) -> None:
        """Keep them in `folder`; without one nothing is kept, and nothing is known."""
        self._folder = folder
        self._key = ""
        self._known: dict[str, str] | None = None
        self._is_new = False

    def find(self, text: str) -> Elements | None:
        """Return the elements of a canonical text, None when it is not known."""
        written = self._loaded().get(text)
        return None if written is None else [_element(word) for word in written.split(" ")]

    def learn(self, text: str, elements: Elements, is_word: Callable[[str], bool]) -> None:
        """Take in what Lark said of a text if all words are MQ's, as `is_word` tells."""
        known = self._loaded()
        if self._folder is None or len(text) > _LONGEST or len(known) >= _MOST:
            return
        if all(is_word(word) for word, _ in elements):
            known[text] = " ".join(map(_written, elements))
            self._is_new = True

    def keep(self) -> None:
        """Write what was learned to the folder."""
        if self._is_new and self._known is not None:
            remember(self._folder, _NAME, self._key, {**self._known})
            self._is_new = False

    def _loaded(self) -> dict[str, str]:
        """The shapes as they are written: only those that a run needs are taken apart."""
        if self._known is None:
            self._known = {}
            if self._folder is not None:
                self._key = _digest()
                self._known.update(_read(recalled(self._folder, _NAME, self._key)))
        return self._known


def _digest() -> str:
    """Changes when the grammar does; hashlib would cost a start more than all shapes."""
    grammar = data_of("mqlint.grammar").joinpath("mqsc.lark").read_bytes()
    return f"{_FORMAT} {len(grammar)} {crc32(grammar):08x} {adler32(grammar):08x}"


def _written(element: tuple[str, bool]) -> str:
    word, bound = element
    return word + _BOUND if bound else word


def _read(found: JsonValue) -> Mapping[str, str]:
    """The shapes of a file; of one that is not as it is written, none."""
    if not isinstance(found, dict):
        return {}
    return {text: words for text, words in found.items() if isinstance(words, str)}


def _element(written: str) -> tuple[str, bool]:
    word = written.removesuffix(_BOUND)
    return sys.intern(word), word != written
