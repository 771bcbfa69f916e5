"""Owners and modes of MQ's files that a script sets, and that let others read, write or own them.

They are found by lines. A key without a folder is in the one that the last `cd` before it names.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import replace

from mqlint.finding import Diagnostic
from mqlint.patterns import later

_OF_MQ = r"/(?:var/mqm|MQHA|mnt/mqm)(?:/(?:qmgrs|log|vols)\S{0,200})?"
_OPEN_TO_ALL = later(
    r"^[^#\n]*(?<![\w-])chmod[ \t]+(?:-\w+[ \t]+)*+[\"']?"
    r"(0?[0-7]{2}[2367]|(?:[ao]|ugo)\+(?=\w*w)\w++)[\"']?[ \t]+"
    rf"[\"']?({_OF_MQ})(?=[\"']?(?:\s|$))",
    re.MULTILINE,
)
_KEYS_OPEN = later(
    r"^[^#\n]*(?<![\w-])chmod[ \t]+(?:-\w+[ \t]+)*+[\"']?"
    r"(0?[0-7]{2}[4-7]|(?:[ao]|ugo)\+(?=\w*r)\w++)[\"']?[ \t]+"
    r"(?:[\"']?[^\s#;&|]{0,200}[ \t]+){0,5}?[\"']?"
    r"([^\s#;&|\"']{0,200}/(?:qmgrs|mqm/ssl)/[^\s#;&|\"']{0,200}\.(?:kdb|sth|p12|\*)"
    r"|[\w.-]{1,60}\.(?:kdb|sth|p12)(?=[\"']?(?:\s|$)))",
    re.MULTILINE,
)
_FOLDER = later(r"(?m)^[ \t]*(?:cd|pushd)[ \t]+([^\n;&|]{1,200})")
_COMMANDS = {"mode": "chmod", "owner": "chown"}
_KEYS_OF_MQ = later(r"/(?:qmgrs/[^/\s]+|mqm)/ssl[\"'/]*\s*$")
_FOREIGN_OWNER = later(
    r"^[^#\n]*(?<![\w-])chown[ \t]+(?:-\w+[ \t]+)*+[\"']?(root|nobody)(?::(?!mqm\b)\w*)?[\"']?"
    rf"[ \t]+[\"']?({_OF_MQ})(?=[\"']?(?:\s|$))",
    re.MULTILINE,
)


def permission_faults(text: str) -> Iterator[Diagnostic]:
    """Yield owners and modes with which others than mqm read, write or own MQ's files."""
    if "chmod" in text:
        folders = _Folders(text)
        for found in _OPEN_TO_ALL.finditer(text):
            yield _fault("open-to-all", found, "write")
        for found in _KEYS_OPEN.finditer(text):
            is_open = _OPEN_TO_ALL.match(text, found.start()) is not None
            if not is_open and ("/" in found[2] or folders.has_keys(found.start())):
                yield _fault("open-to-all", found, "read")
    if "chown" in text:
        for found in _FOREIGN_OWNER.finditer(text):
            yield Diagnostic("foreign-owner", *found.span(1), {"owner": found[1], "path": found[2]})


def resource_faults(
    path: str, settings: Iterable[tuple[str, str, tuple[int, int]]]
) -> Iterator[Diagnostic]:
    """Yield the faults of a file that a tool describes: its path, and its `mode` and `owner`.

    Each of the `settings` has its name, its value and the place of that.
    """
    for name, value, span in settings:
        command = _COMMANDS.get(name, "")
        for fault in permission_faults(f"{command} {value} {path}") if command else ():
            yield replace(fault, start=span[0], end=span[1])


class _Folders:
    """The folders that `cd` names, in the order of the text."""

    def __init__(self, text: str) -> None:
        self._found = [
            (found.start(), _KEYS_OF_MQ.search(found[1]) is not None)
            for found in _FOLDER.finditer(text)
        ]

    def has_keys(self, offset: int) -> bool:
        """Whether a command at an offset runs in the folder of a queue manager's keys."""
        at = bisect_left(self._found, (offset,))
        return at > 0 and self._found[at - 1][1]


def _fault(code: str, found: re.Match[str], does: str) -> Diagnostic:
    data = {"mode": found[1], "does": does, "path": found[2][:60]}
    return Diagnostic(code, *found.span(1), data)
