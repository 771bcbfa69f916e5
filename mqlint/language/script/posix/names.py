"""The names that a script of a shell sets, by its text alone: once, several times, in loops."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.language.script.posix.choices import Choices
from mqlint.language.script.posix.lists import COUNTED
from mqlint.language.script.scanner import set_once
from mqlint.patterns import later

_SETTING = later(r"(?<![\w$.-])([A-Za-z_]\w*)\+?=")
_BINDING = later(r"\b(?:read|for|select|getopts|unset|local|typeset|declare)\b([^\n;]{0,200})")
_DECLARING = ("local", "typeset", "declare")


def choices_in(text: str) -> Choices:
    """Return what may be known of names that are set several times."""
    bound: list[str] = []
    for match in _BINDING.finditer(text):
        names = re.split(r"\W+", match[1])
        bound += names[:2] if match[0].startswith("for") else names
    return Choices(names_in(text, 0, len(text)), bound)


def set_once_in(text: str, *, declared: bool = False) -> set[str]:
    """Return the names that are set exactly once, and nowhere read or looped over.

    With `declared`, the names that a function declares as its own.
    """
    names = set_once(match[1] for match in _SETTING.finditer(text))
    own: set[str] = set()
    for match in _BINDING.finditer(text) if names else ():
        bound = re.split(r"\W+", match[1])
        if match[0].startswith("for"):
            del bound[2:]  # what the loop goes through
        if declared and match[0].startswith(_DECLARING):
            own.update(bound)
        else:
            names.difference_update(bound)
    return names & own if declared else names


def assigned_in(text: str) -> frozenset[str]:
    """Return the names that a text sets otherwise than by a loop."""
    text = COUNTED.sub("", text)
    names = {match[1] for match in _SETTING.finditer(text)}
    for match in _BINDING.finditer(text):
        if not match[0].startswith("for"):
            names.update(re.split(r"\W+", match[1]))
    return frozenset(names)


def names_in(text: str, start: int, end: int) -> Iterator[str]:
    """Yield the names that are set in a stretch of a text."""
    return (match[1] for match in _SETTING.finditer(text, start, end))
