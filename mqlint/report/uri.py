"""Paths for programs on other machines: percent-encoded, or with the file's own characters."""

from __future__ import annotations

import posixpath
import re

from mqlint.patterns import later

_ESCAPE = later(r"\\(?:([nrt\\])|x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))")
_NAMED = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\"}
_DRIVE = later(r"[A-Za-z]:/")
_PLAIN = later(r"[A-Za-z0-9._~/-]*\Z")


def file_name(path: str) -> str:
    """Return the file's own name for a displayed path: the inverse of `display_path`.

    A byte that is not text comes back as Python's surrogate for it.
    """
    return _ESCAPE.sub(_character, path) if "\\" in path else path


def _character(match: re.Match[str]) -> str:
    named, byte, short, long = match.groups()
    if named:
        return _NAMED[named]
    if byte:
        return chr(0xDC00 + int(byte, 16))
    code = int(short or long, 16)
    return chr(code) if code <= 0x10FFFF else match[0]


def in_checkout(path: str, below: str) -> str:
    """Return a path of the project as the checkout has it, of which the project is `below`."""
    if not below or is_absolute(path) or path == "-":
        return path
    return posixpath.normpath(posixpath.join(below, path))


def checkout_name(path: str, below: str) -> str:
    """Return the file's name below the top of its checkout, as a program there opens it."""
    return file_name(in_checkout(path, below))


def is_absolute(path: str) -> bool:
    """Whether a displayed path is outside of the project."""
    return path.startswith("/") or _DRIVE.match(path) is not None


def uri_of(path: str) -> str:
    """Return a displayed path as a URI reference (RFC 3986); an absolute one as a `file:` URI."""
    if _PLAIN.match(path):
        return f"file://{path}" if path.startswith("/") else path
    from urllib.parse import quote_from_bytes  # here, as few paths need it

    name = file_name(path)
    try:
        data = name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = name.encode("utf-8", "surrogatepass")
    if _DRIVE.match(path):
        return "file:///" + quote_from_bytes(data, safe="/:")
    return ("file://" if path.startswith("/") else "") + quote_from_bytes(data, safe="/")
