"""EBCDIC text: the code page z/OS UNIX uses, and how to tell EBCDIC from other bytes."""

from __future__ import annotations

from functools import cache

# Code page 1047 (CCSID 1047, "Latin 1/Open Systems") holds the same 256 characters as code page 37,
# which Python has, and differs in these six places. Source: IBM's Character Data Representation
# Architecture, as glibc's and ICU's tables for IBM-1047 have it; compared with glibc's iconv for
# all 256 bytes.
_DIFFERS_FROM_037 = {
    0x5F: "^",
    0xAD: "[",
    0xB0: "\u00ac",  # not sign
    0xBA: "\u00dd",  # Y acute
    0xBB: "\u00a8",  # diaeresis
    0xBD: "]",
}


@cache
def _cp037() -> str:
    """The character of every byte of code page 37."""
    return bytes(range(256)).decode("cp037")


@cache
def cp1047() -> str:
    """Return the character of every byte of code page 1047; each occurs once."""
    return "".join(_DIFFERS_FROM_037.get(byte, char) for byte, char in enumerate(_cp037()))


@cache
def _latin_1() -> tuple[bytes, bytes]:
    """Tables from code page 1047 to Latin-1, which has all its characters, and back.

    To translate bytes is forty times as fast as to translate text.
    """
    there = cp1047().encode("latin-1")
    return there, bytes(there.index(byte) for byte in range(256))


_SWAP_NEL = {0x85: 0x0A, 0x0A: 0x85}
_ENOUGH = 0.9
_SAMPLE = 65536


@cache
def _usual() -> bytes:
    """Bytes of letters, digits, blank and MQSC punctuation, and of control characters met in text.

    They are the same in every Latin EBCDIC code page that Python knows: tab, CR, NEL, LF.
    """
    signs = " .<(+&*);-/,%_>?:'=\"\t\r\n"
    chars = enumerate(_cp037())
    usual = [byte for byte, char in chars if char.isascii() and (char.isalnum() or char in signs)]
    return bytes(usual) + b"\x15"


def decode_1047(data: bytes) -> str:
    """Return the text of bytes in code page 1047; every byte has a character."""
    return data.translate(_latin_1()[0]).decode("latin-1")


def encode_1047(text: str) -> bytes:
    """Return the bytes in code page 1047 of a text that `decode_1047` gave."""
    return text.encode("latin-1").translate(_latin_1()[1])


def swap_nel(text: str) -> str:
    """Exchange NEL (x'15', which ends lines on z/OS) and line feed (x'25'); twice undoes it."""
    if "\n" not in text:
        return text.replace("\x85", "\n")
    if "\x85" not in text:
        return text.replace("\n", "\x85")
    return text.translate(_SWAP_NEL)


def looks_ebcdic(data: bytes) -> bool:
    """Say by byte statistics whether `data`, which is not UTF-8, is EBCDIC text.

    Nine bytes in ten must be EBCDIC letters, digits, blanks or common punctuation, and there must
    be a blank or a line end; only the first 64 KiB are read for this.
    """
    sample = data[:_SAMPLE]
    if not (b"\x40" in sample or b"\x15" in sample or b"\x25" in sample):
        return False
    foreign = len(sample.translate(None, delete=_usual()))
    return foreign <= len(sample) * (1 - _ENOUGH)


def prefers_037(data: bytes) -> bool:
    """Return whether EBCDIC `data` has code page 37's brackets and not code page 1047's.

    Nothing else that MQSC is written with tells the two apart, so 1047 is the answer when in doubt.
    """
    sample = data[:_SAMPLE]
    of_037 = sample.count(b"\xba") + sample.count(b"\xbb") + sample.count(b"\xb0")
    of_1047 = sample.count(b"\xad") + sample.count(b"\xbd") + sample.count(b"\x5f")
    return of_037 > of_1047
