"""The names that a script of a shell sets, by its text alone: once, several times, in loops."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.language.script.posix.choices import Choices
from mqlint.language.script.posix.lists import COUNTED
from mqlint.language.script.scanner import set_once
from mqlint.patterns import later

_SETTING = later(r"(?<![\w$.-])([A-Za-z_]\w*)(?:\+=|=(?!\$(?:\1\b|\{\1\})(?:[\s\"'`;,)\]]|\Z)))")
"""A name that is set, and not to itself, as in `echo "QM=$QM"`."""
_BINDING = later(r"\b(read|for|select|getopts|unset|local|typeset|declare)\b(?=([^\n;]{0,200}))")
_COMMAND_BEGINS = later(
    r"(?:\A|[\n;&|(){!`\"']|\b(?:do|then|else|while|until|if))[ \t]*(?:[A-Za-z_]\w*=\S*[ \t]+)?\Z"
)
"""The end of the text before a command: in prose and comments the same words bind no name."""
_LONGEST_PREFIX = 80
_NAME = later(r"(?<![\w${=.-])[A-Za-z_]\w*")
"""A bare word, which can be the name of a variable; `$NAME` is the value of one."""
_LOOPS = ("for", "select")
_DECLARING = ("local", "typeset", "declare")


def choices_in(text: str) -> Choices:
    """Return what may be known of names that are set several times."""
    bound = (name for _, names in _bindings(text) for name in names)
    return Choices(names_in(text, 0, len(text)), bound)


def set_once_in(text: str, *, declared: bool = False) -> set[str]:
    """Return the names that are set exactly once, and nowhere read or looped over.

    With `declared`, the names that a function declares as its own.
    """
    names = set_once(match[1] for match in _SETTING.finditer(text))
    own: set[str] = set()
    for command, bound in _bindings(text) if names else ():
        if declared and command in _DECLARING:
            own.update(bound)
        else:
            names.difference_update(bound)
    return names & own if declared else names


def assigned_in(text: str) -> frozenset[str]:
    """Return the names that a text sets otherwise than by a loop."""
    text = COUNTED.sub("", text)
    names = {match[1] for match in _SETTING.finditer(text)}
    for command, bound in _bindings(text):
        if command != "for":
            names.update(bound)
    return frozenset(names)


def names_in(text: str, start: int, end: int) -> Iterator[str]:
    return (match[1] for match in _SETTING.finditer(text, start, end))


def _bindings(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the commands that set variables otherwise than by `=`, each with their names."""
    for match in _BINDING.finditer(text):
        before = text[max(0, match.start() - _LONGEST_PREFIX) : match.start()]
        if _COMMAND_BEGINS.search(before) is not None:
            names = _NAME.findall(match[2])
            yield match[1], names[:1] if match[1] in _LOOPS else names
