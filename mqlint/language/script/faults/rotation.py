"""Files of queue managers that logrotate renames, in the files that it reads."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.patterns import later

_BLOCK = later(r"(?m)^(?P<paths>[ \t]*[\"']?/[^{}#]{1,600}?)\{(?P<body>[^{}]{0,4000}+)")
"""Paths, which may be on several lines, and what follows the brace after them."""
_PATH = later(r"/[^\s{}\"']{1,200}")
_FOLDER = r"/(?:var/mqm|MQHA|mnt/mqm)"
_EXTENTS = later(
    rf"{_FOLDER}/(?:[^/]{{1,60}}/)?logs?/[^/]{{1,60}}/(?:active/)?(?:\*|(?:S|\*)\S{{0,20}}\.LOG|S\*)"
)
"""The extents of a log: S0000000.LOG in the folder `active` of a queue manager."""
_ERROR_LOGS = later(
    rf"{_FOLDER}(?:/qmgrs/[^/]{{1,60}})?/errors/(?:AMQERR\S{{0,12}}|\*|\*\.LOG|\*\.\*)"
)
_COPIES = later(r"(?m)^[ \t]*(copy(?:truncate)?)\b")


def rotates_files_of_mq(text: str) -> bool:
    """Whether a file of logrotate has a path of MQ."""
    return any("/mq" in found["paths"].lower() for found in _BLOCK.finditer(text))


def rotation_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the extents that logrotate renames or truncates, and the error logs that it renames.

    What is outside of the blocks counts for all of them.
    """
    copies_all = _COPIES.search(_BLOCK.sub("", text))
    for block in _BLOCK.finditer(text):
        copies = _COPIES.search(block["body"]) or copies_all
        if copies is not None and copies[1] == "copy":
            continue
        for path in _PATH.finditer(text, *block.span("paths")):
            if _EXTENTS.fullmatch(path[0]) is not None:
                yield diagnostic("extents-rotated", path.span(), path=path[0])
            elif copies is None and _ERROR_LOGS.fullmatch(path[0]) is not None:
                yield diagnostic("errors-rotated", path.span(), path=path[0])
