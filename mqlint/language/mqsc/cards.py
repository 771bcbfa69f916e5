"""Records of 80 columns, of which z/OS reads the first 72.

"Building command scripts" (IBM MQ 7.5 to 9.0): scripts are held in data sets with fixed records of
80 characters, and columns 73 to 80 are ignored. Editors of z/OS put the record's number there.
"""

from __future__ import annotations

from mqlint.patterns import later

_READ = 72
_WIDTH = 80
_NUMBER = later(r"\d{8}")
_FEW = 3
_NEARLY_ALL = 0.9


def without_numbers(text: str, zos: bool) -> str:
    """Return `text` with blanks in columns that are not read; unchanged if all are read.

    The text says so if nearly every line has a number in these columns. `zos` says so of texts
    whose lines all fit into records. The length stays the same.
    """
    first = text.lstrip("\r\n").partition("\n")[0].rstrip("\r")
    if not zos and not (len(first) == _WIDTH and _NUMBER.fullmatch(first, _READ)):
        return text
    lines = text.split("\n")
    widths = [len(line.rstrip("\r")) for line in lines]
    if max(widths) > _WIDTH or not (zos or _are_numbered(lines)):
        return text
    return "\n".join(
        line if width <= _READ else line[:_READ] + " " * (width - _READ) + line[width:]
        for line, width in zip(lines, widths, strict=True)
    )


def _are_numbered(lines: list[str]) -> bool:
    """Return whether nearly every line that is not blank has a number after its text."""
    written = [line for line in lines if line.strip()]
    numbered = sum(_NUMBER.fullmatch(line.rstrip("\r"), _READ) is not None for line in written)
    return numbered >= _FEW and numbered >= _NEARLY_ALL * len(written)
