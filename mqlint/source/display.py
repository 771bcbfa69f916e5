"""How a path is shown: relative to the project, on one line, in printable characters. Lists."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath

_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}


def display_path(path: Path | str, root: Path) -> str:
    """Return the display form of `path`: relative to `root`, with forward slashes, printable.

    A path outside the root stays absolute. What cannot be printed is escaped (a line feed as
    backslash n, an undecodable byte as backslash x and two digits, a backslash as two), so that
    two paths never look the same and no file name can forge a line of a report.
    """
    text = os.fspath(path)
    base = os.fspath(root)
    if text.startswith(base) and text[len(base) : len(base) + 1] == os.sep:
        text = text[len(base) + 1 :]  # by far the most frequent, and the quickest
    else:
        text = _relative(Path(text), root)
    if os.sep != "/":
        text = text.replace(os.sep, "/")
    return text if text.isprintable() and "\\" not in text else "".join(map(_shown, text))


def _relative(path: PurePath, root: Path) -> str:
    if not path.is_absolute():
        return str(path)
    try:
        return str(path.relative_to(root))
    except ValueError:
        return str(path)


def listed(texts: Sequence[str], most: int) -> str:
    """Return the first `most` texts, and the number of the others: `a, b and 3 more`."""
    more = f" and {len(texts) - most:,} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def enumerated(texts: Iterable[str], most: int = 6) -> str:
    """Return texts as in a sentence, `a, b and c`; beyond `most` only their number."""
    found = list(texts)
    if len(found) > most:
        return listed(found, most)
    return " and ".join(filter(None, [", ".join(found[:-1]), *found[-1:]]))


def _shown(char: str) -> str:
    if char in _NAMED:
        return _NAMED[char]
    if char.isprintable():
        return char
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8, as os.fsdecode returns it
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
