"""Commands of MQ whose names a text does not show: split by escapes, or in base64 or hexadecimal.

Nothing of it is run. What is found tells that a text is about MQ, and where the report must say
that commands were not read.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from collections.abc import Iterator

from mqlint.language.script.unread.mentions import has_mqsc, names_command_in_any_case
from mqlint.patterns import later
from mqlint.source.secrets.pieces import Unescaped

_SPLIT = later(r"(?<=[A-Za-z])(?:\\\r?\n|\^(?:\r?\n)?|`(?:\r?\n)?|\\|\"\"|''|[\"'])(?=[A-Za-z])")
"""Signs inside a word that its shell removes."""
_ENCODED = later(
    r"(?<![\w+/=.-])[A-Za-z0-9+/]{20,}+(?!\w)(?:\\?\r?\n[ \t]*+[A-Za-z0-9+/]{4,}+(?!\w))*+={0,2}"
)
"""A text in base64 or hexadecimal, which may go on in other lines.

Once it has begun it matches: a search that failed at its end would begin again in each line.
"""
_SIGNS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_RUNS = bytes(ord("a" if sign in _SIGNS else " ") for sign in range(256))
_LONG = b"a" * 20
_LAYOUT = later(r"[\s\\=]+")
_HEXADECIMAL = later(r"(?:[0-9A-Fa-f]{2})+")


def hides_command(text: str) -> bool:
    """Return whether a text names a command of MQ only with escapes, or in another encoding."""
    return _splits_command(text) or next(encoded_commands(text), -1) >= 0


def _splits_command(text: str) -> bool:
    plain = Unescaped.of(text)
    joined = _SPLIT.sub("", text if plain is None else plain.text)
    return len(joined) < len(text) and names_command_in_any_case(joined)


def encoded_commands(text: str) -> Iterator[int]:
    """Yield the offset of each encoded text that has a command of MQ."""
    for found in _encoded(text):
        if any(map(_is_of_mq, _decoded(_LAYOUT.sub("", found[0])))):
            yield found.start()


def _encoded(text: str) -> Iterator[re.Match[str]]:
    """Yield what _ENCODED finds, many times as fast: it is only tried where a long run begins."""
    runs = text.encode("ascii", "replace").translate(_RUNS)
    at = runs.find(_LONG)
    while at >= 0:
        found = _ENCODED.match(text, at)
        if found is not None:
            yield found
        end = found.end() if found is not None else runs.find(b" ", at)
        at = runs.find(_LONG, end) if end >= 0 else -1


def _is_of_mq(text: str) -> bool:
    return names_command_in_any_case(text) or has_mqsc(text)


def _decoded(word: str) -> Iterator[str]:
    """Yield what a word stands for; a text in UTF-16 loses its zero bytes."""
    if _HEXADECIMAL.fullmatch(word) is not None:
        yield bytes.fromhex(word).decode("latin-1")
    try:
        data = a2b_base64(word[: len(word) - (len(word) % 4 == 1)] + "==")
    except Error:
        return
    yield data.replace(b"\0", b"").decode("latin-1")
