"""Settings of a task of Ansible or of a unit: lines with a key and a value, in any order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mqlint.patterns import later

_KEY = later(
    r"[ \t]*(?:- +)?([A-Za-z_]{2,16})[ \t]*[:=][ \t]*(?:\"([^\"\n]{1,200})\"|'([^'\n]{1,200})'|"
    r"([^\s\"'](?:[^\n\"'#]{0,200}[^\s\"'#])?))"
)
"""A setting on a line of its own, its value in quotes or without them."""
_NEIGHBOURS = 6
_NEAR = 2_000


def settings_around(text: str, start: int) -> Mapping[str, tuple[str, int]]:
    """Return the settings of the lines around the one at `start`, at most six each way.

    Each has its value and the offset of that. Another line ends them.
    """
    found: dict[str, tuple[str, int]] = {}
    for line, at in _around(text, start):
        setting = _KEY.match(line)
        if setting is not None:
            group = next(number for number in (2, 3, 4) if setting[number] is not None)
            found.setdefault(setting[1].lower(), (setting[group], at + setting.start(group)))
    return found


def _around(text: str, start: int) -> Iterator[tuple[str, int]]:
    """Yield the lines of one item around `start` that are settings, with their offsets."""
    at = start
    lines = text[start : start + _NEAR].split("\n")[: _NEIGHBOURS + 1]
    for number, line in enumerate(lines):
        if _KEY.match(line) is None or (number and _begins_item(line)):
            break
        yield line, at
        at += len(line) + 1
    before = text[max(0, start - _NEAR) : start].split("\n")[:-1]
    at = start
    for line in () if _begins_item(lines[0]) else reversed(before[-_NEIGHBOURS:]):
        at -= len(line) + 1
        if _KEY.match(line) is None:
            break
        yield line, at
        if _begins_item(line):
            break


def _begins_item(line: str) -> bool:
    return line.lstrip().startswith("- ")
