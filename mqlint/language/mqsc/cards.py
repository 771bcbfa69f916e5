"""Text in a member of z/OS that MQ does not read.

Records have 80 columns, of which z/OS reads the first 72. "Building command scripts" (IBM MQ 7.5 to
9.0): scripts are held in data sets with fixed records of 80 characters, and columns 73 to 80 are
ignored. Editors of z/OS put the record's number there.

Listings of a CICS region have definitions for DFHCSDUP beside those of MQ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.number import is_digits
from mqlint.patterns import later
from mqlint.source.lines import line_spans

_READ = 72
_WIDTH = 80
_NUMBER = later(r"\d{8}")
_FEW = 3
_NEARLY_ALL = 0.9
CICS_TYPES = frozenset(
    "CONNECTION DB2CONN DB2ENTRY DB2TRAN FILE JVMSERVER LIBRARY LSRPOOL MAPSET MQCONN MQMONITOR"
    " PIPELINE PROFILE PROGRAM SESSIONS TCPIPSERVICE TDQUEUE TERMINAL TRANCLASS TRANSACTION TSMODEL"
    " TYPETERM URIMAP WEBSERVICE".split()
)
"""Resources of CICS that `DEFINE type(name) GROUP(group)` defines for DFHCSDUP."""
_CICS_TYPE = rf"DEFINE[ \t]++(?:{'|'.join(sorted(CICS_TYPES))})[ \t]*+\("
_CICS_HEAD = later(_CICS_TYPE)
"""The fast search: it begins with a fixed word."""
_CICS = later(
    rf"(?m)(?P<head>^[ \t]*+{_CICS_TYPE}[^()\n]{{1,32}}\)\s++GROUP[ \t]*+\([^()\n]{{1,32}}\))"
    r"(?P<rest>[^\n]*+(?:\n[ \t]*+\w++\([^\n]*+)*+)"
)
"""A definition of a CICS resource with its further lines, each of which begins with a value."""
_NO_BREAK = later(r"[^\n]")


def without_cics(text: str) -> str:
    """Return `text` with only the first words of definitions of CICS, at the same length.

    What remains of each, `DEFINE type(name) GROUP(group)`, is a command that is not understood, as
    part of the text was not read.
    """
    if "GROUP" not in text or _CICS_HEAD.search(text) is None:
        return text
    return _CICS.sub(_only_head, text)


def _only_head(found: re.Match[str]) -> str:
    head, rest = found["head"], found["rest"]
    return head.replace("\n", " ") + _NO_BREAK.sub(" ", rest)


def without_numbers(text: str, zos: bool) -> str:
    """Return `text` with blanks in columns that are not read; unchanged if all are read.

    The text says so if nearly every line has a number in these columns. `zos` says so of texts
    whose lines all fit into records. The length stays the same. What runs on from column 72 stays,
    because its author meant it to be read (see `cut_lines`).
    """
    first = text.lstrip("\r\n").partition("\n")[0].rstrip("\r")
    if not zos and not (len(first) == _WIDTH and _NUMBER.fullmatch(first, _READ)):
        return text
    lines = text.split("\n")
    widths = [len(line.rstrip("\r")) for line in lines]
    if max(widths) > _WIDTH or not (zos or _are_numbered(lines)):
        return text
    return "\n".join(
        line
        if width <= _READ or _runs_on(line)
        else line[:_READ] + " " * (width - _READ) + line[width:]
        for line, width in zip(lines, widths, strict=True)
    )


def cut_lines(text: str) -> Iterator[Diagnostic]:
    """Yield text that runs on after column 72 in records of z/OS, which do not have it."""
    spans = list(line_spans(text))
    if any(end - start > _WIDTH for start, end in spans):
        return
    for start, end in spans:
        line = text[start:end].rstrip()
        if _runs_on(line):
            yield diagnostic("cut-line", (start + _READ, start + len(line)), word=line[_READ:])


def _runs_on(line: str) -> bool:
    """Whether a word of a command begins before column 73 and ends after it."""
    before, after = line[_READ - 1 : _READ], line[_READ : _READ + 1]
    return (
        before not in ("", " ", "+", "-")
        and after not in ("", " ", "\r")
        and not line.startswith("*")
        and not is_digits(line[_READ:].strip())
    )


def _are_numbered(lines: list[str]) -> bool:
    """Return whether nearly every line that is not blank has a number after its text."""
    written = [line for line in lines if line.strip()]
    numbered = sum(_NUMBER.fullmatch(line.rstrip("\r"), _READ) is not None for line in written)
    return numbered >= _FEW and numbered >= _NEARLY_ALL * len(written)
