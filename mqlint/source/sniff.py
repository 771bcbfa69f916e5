"""Is this file text at all? Asked of the first bytes, so that archives and images cost nothing."""

from __future__ import annotations

import codecs

from mqlint.source.decode import utf16_without_mark
from mqlint.source.ebcdic import looks_ebcdic

HEAD = 8192
"""How many first bytes of a file are enough for `is_text`."""

_NEVER_TEXT = frozenset(
    "7z a avi bin bmp bz2 class cms dll doc docx dylib ear exe gif gz ico jar jceks jks jpeg jpg"
    " kdb mov mp3 mp4 o otf p12 parquet pdf pfx png pptx pyc rar rdb rpm so sqlite sth tar tgz tif"
    " tiff ttf war wasm webp whl woff woff2 xlsx xz z zip zst".split()
)
"""Endings of names. Key databases (kdb, sth, rdb, cms, p12, jks) also so that no key is read."""
_MAGIC = (
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"\x28\xb5\x2f\xfd",
    b"7z\xbc\xaf",
    b"Rar!",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"%PDF-",
    b"\x7fELF",
    b"\xca\xfe\xba\xbe",
    b"\xfe\xed\xfe\xed",
    b"SQLite format 3",
    b"PAR1",
    b"\xed\xab\xee\xdb",
)
_PROGRAMS = (b"\x7fELF", b"\x01\xdf\x00", b"\x01\xf7\x00", b"\xcf\xfa\xed\xfe")
_CONTROL = bytes(set(range(32)) - set(b"\t\n\v\f\r\b\x1a\x1b")) + b"\x7f"


def is_text(path: str, head: bytes) -> bool:
    """Return whether a file that starts with `head` may be text.

    `head` is the file's first `HEAD` bytes or more; when it is empty the name alone decides. NUL
    bytes mean binary, unless they are those of UTF-16, or of UTF-32 with a byte order mark; a
    twentieth of control characters does too, unless the bytes are EBCDIC.
    """
    _, dot, ending = path.rpartition(".")
    if dot and ending.lower() in _NEVER_TEXT:
        return False
    if head.startswith(_MAGIC):
        return False
    head = head[:HEAD]
    if b"\0" in head:
        return _is_wide(head) or looks_ebcdic(head)
    controls = len(head) - len(head.translate(None, delete=_CONTROL))
    return controls * 20 <= len(head) or looks_ebcdic(head)


def is_program(path: str, head: bytes) -> bool:
    """Return whether a file without an ending begins as a program of Linux, AIX or macOS does."""
    return head.startswith(_PROGRAMS) and "." not in path.replace("\\", "/").rpartition("/")[2]


def without_controls(data: bytes) -> bytes:
    """Return bytes without the characters that no text has: what a shell reads of a script.

    A byte order mark goes with the NUL bytes that follow it.
    """
    plain = data.translate(None, delete=_CONTROL)
    return plain.removeprefix(codecs.BOM_UTF16_LE).removeprefix(codecs.BOM_UTF16_BE)


def _is_wide(head: bytes) -> bool:
    marks = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
    if head.startswith(marks):
        return True
    return utf16_without_mark(head) is not None
