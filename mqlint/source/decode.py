"""Bytes to text and back: encodings guessed or given, one kind of line ends, nothing lost.

`encode(decode(data)) == data` for any bytes at all. The text handed on ends its lines in a line
feed; a carriage return before it stays in the text.
"""

from __future__ import annotations

import codecs
from typing import Literal

from mqlint.dataclass import frozen
from mqlint.source.ebcdic import decode_1047, encode_1047, looks_ebcdic, prefers_037, swap_nel

LineEnds = Literal["lf", "cr", "nel", "records-80"]
"""What ended the lines in the bytes: a line feed (with or without a carriage return before it),
a lone carriage return, EBCDIC's NEL, or nothing, in records of 80 bytes."""

RECORD = 80
"""Bytes of a card image: the record length of a PDS member that holds MQSC or JCL."""

_BOMS = {
    "utf-8-bom": codecs.BOM_UTF8,
    "utf-32-le-bom": codecs.BOM_UTF32_LE,  # before UTF-16, whose mark it begins with
    "utf-32-be-bom": codecs.BOM_UTF32_BE,
    "utf-16-le-bom": codecs.BOM_UTF16_LE,
    "utf-16-be-bom": codecs.BOM_UTF16_BE,
}
_BODY_OF_BOM = {
    "utf-8-bom": "utf-8",
    "utf-32-le-bom": "utf-32-le",
    "utf-32-be-bom": "utf-32-be",
    "utf-16-le-bom": "utf-16-le",
    "utf-16-be-bom": "utf-16-be",
}
_EBCDIC = frozenset({"cp037", "cp1047", "cp1140", "cp273", "cp500"})

_TYPOGRAPHIC = tuple(bytes([mark]) for mark in range(0x91, 0x98))
"""Quotation marks and dashes of Windows-1252; Latin-1 has control characters there."""

ENCODINGS = ("utf-8", "utf-16", "latin-1", "iso8859-15", "cp1252", *sorted(_EBCDIC))
"""The names a hint may have; `utf-16` covers both byte orders, with and without a mark."""

_UTF16_SAMPLE = 4096


@frozen
class Decoded:
    """A text and what it takes to write its bytes again.

    `encoding` is a name of Python's, `cp1047`, or a name with `-bom` after it where a byte order
    mark stood first. `assumed` is true where the encoding was guessed from the bytes and another
    reading is possible: Latin-1, Windows-1252, EBCDIC, UTF-16 without a mark, or a hint that did
    not fit.
    """

    text: str
    encoding: str
    line_ends: LineEnds
    assumed: bool


def decode(data: bytes, *, encoding: str | None = None) -> Decoded:
    """Return the text of `data`; never fails, as Latin-1 reads every byte.

    `encoding` is a hint, one of `ENCODINGS` (ValueError when it is none of them); where the bytes
    do not fit it, the encoding is guessed as if there were none, and reported as assumed.
    """
    if encoding is not None:
        return _hinted(data, _hint_name(encoding))
    if b"\0" not in data and data[:3] != codecs.BOM_UTF8:
        text = _strictly(data, "utf-8")
        if text is not None:
            return _plain(text, "utf-8", assumed=False)
    return _guessed(data)


def encode(decoded: Decoded) -> bytes:
    """Return the bytes that `decode` was given."""
    text, encoding = decoded.text, decoded.encoding
    if decoded.line_ends == "cr":
        text = text.replace("\n", "\r")
    elif decoded.line_ends == "nel":
        text = swap_nel(text)
    elif decoded.line_ends == "records-80":
        text = text.replace("\n", "")
    if encoding == "cp1047":
        return encode_1047(text)
    if encoding in _BOMS:
        return _BOMS[encoding] + text.encode(_BODY_OF_BOM[encoding])
    return text.encode(encoding)


def utf16_without_mark(data: bytes) -> str | None:
    """Return `utf-16-le` or `utf-16-be` where every other byte is mostly NUL, else None.

    That is how a Windows PowerShell redirect looks whose byte order mark was cut off.
    """
    sample = data[:_UTF16_SAMPLE]
    pairs = len(sample) // 2
    if not pairs:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd * 2 >= pairs and even * 20 <= pairs:
        return "utf-16-le"
    if even * 2 >= pairs and odd * 20 <= pairs:
        return "utf-16-be"
    return None


def is_ebcdic(encoding: str) -> bool:
    """Return whether an encoding is one of mainframes, whose texts may hold NUL as filler."""
    return encoding in _EBCDIC


def _hint_name(encoding: str) -> str:
    name = encoding.lower().replace("_", "-")
    aliases = {"utf8": "utf-8", "utf16": "utf-16", "latin1": "latin-1", "iso-8859-1": "latin-1"}
    name = aliases.get(name, name)
    number = name.removeprefix("ibm").removeprefix("cp").lstrip("-0")
    name = next((page for page in _EBCDIC if page.lstrip("cp0") == number), name)
    if name not in ENCODINGS:
        raise ValueError(f"unknown encoding {encoding!r}: use one of {', '.join(ENCODINGS)}")
    return name


def _hinted(data: bytes, name: str) -> Decoded:
    if name in _EBCDIC:
        return _ebcdic(data, name, assumed=False)
    if name.startswith("utf-"):
        found = _marked(data, name)
        if found is not None:
            return found
    if name == "utf-16":
        name = utf16_without_mark(data) or "utf-16-le"
    text = _strictly(data, name)
    if text is None:
        return _guessed(data, assumed=True)
    return _plain(text, name, assumed=False)


def _guessed(data: bytes, *, assumed: bool = False) -> Decoded:
    found = _marked(data, "utf-")
    if found is not None:
        return found
    unmarked = utf16_without_mark(data) if b"\0" in data else None
    text = _strictly(data, unmarked) if unmarked else None
    if unmarked and text is not None:
        return _plain(text, unmarked, assumed=True)
    text = _strictly(data, "utf-8")
    if text is not None:
        return _plain(text, "utf-8", assumed=assumed)
    if looks_ebcdic(data):
        return _ebcdic(data, "cp037" if prefers_037(data) else "cp1047", assumed=True)
    name = "cp1252" if any(mark in data for mark in _TYPOGRAPHIC) else "latin-1"
    text = _strictly(data, name)
    if text is not None:
        return _plain(text, name, assumed=True)
    return _plain(data.decode("latin-1"), "latin-1", assumed=True)


def _marked(data: bytes, prefix: str) -> Decoded | None:
    """Decode by a byte order mark of the wanted kind, if it is there and the bytes agree."""
    for name, mark in _BOMS.items():
        if name.startswith(prefix) and data.startswith(mark):
            text = _strictly(data[len(mark) :], _BODY_OF_BOM[name])
            if text is not None:
                return _plain(text, name, assumed=False)
    return None


def _strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _plain(text: str, encoding: str, *, assumed: bool) -> Decoded:
    if "\r" in text and "\n" not in text:
        return Decoded(text.replace("\r", "\n"), encoding, "cr", assumed)
    return Decoded(text, encoding, "lf", assumed)


def _ebcdic(data: bytes, encoding: str, *, assumed: bool) -> Decoded:
    text = decode_1047(data) if encoding == "cp1047" else data.decode(encoding)
    if "\x85" in text:
        return Decoded(swap_nel(text), encoding, "nel", assumed)
    if text and len(text) % RECORD == 0 and "\n" not in text and "\r" not in text:
        records = (text[at : at + RECORD] for at in range(0, len(text), RECORD))
        return Decoded("\n".join(records) + "\n", encoding, "records-80", assumed)
    return _plain(text, encoding, assumed=assumed)
