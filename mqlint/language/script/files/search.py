"""The commands find and xargs, and what they do to all files of a search."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mqlint.language.script.command import Word
from mqlint.language.script.files.touched import (
    FileCommand,
    Options,
    Touched,
    command_on,
    touched_by,
)
from mqlint.language.script.host_command import ON_NUMBERS, on_numbers
from mqlint.patterns import later

REMOVERS = ("rm", "unlink", "shred", "gzip", "compress", "bzip2", "xz")
"""Commands that remove a file, or replace it by a compressed one."""

_EXTENTS = later(r"s[\d*?\[\]-]{1,40}\.log$", re.IGNORECASE)
_LOGS = later(r"[s*?][*?]*(?:\.log[*]?)?$|\*?amqhlctl", re.IGNORECASE)
"""What find may be asked for, to find extents: in any folder, and in that of a log."""
_WITHOUT_VALUE = frozenset({"-delete", "-print", "-print0", "-depth", "-o", "-a", "-not", "-xdev"})


def find(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Return what find does with -delete, or by a command that removes, moves or copies."""
    paths, tests = _found(words)
    last = [word.text.rpartition("/")[2] for word, _ in tests]
    runs = [value for word, value in tests if word.text in ("-exec", "-execdir", "-ok")]
    does = [value.text.rpartition("/")[2] for value in runs if value is not None]
    if "-delete" in last or {*REMOVERS, "mv"}.intersection(does):
        return command_on("remove", _meant(paths, folder, tests), None, tests)
    if {"cp", "rsync", "scp"}.intersection(does):
        return command_on("copy", _meant(paths, folder, tests), None, tests)
    return None


def _meant(paths: Sequence[Word], folder: str, tests: Options) -> tuple[Touched, ...]:
    """The folders of queue managers that find searches, by the names that it asks for."""
    names = [value.text for word, value in tests if value and word.text in ("-name", "-iname")]
    touched = touched_by(paths, folder)
    if not names:
        return touched
    return tuple(
        path
        for path in touched
        if any(name == "*" or _EXTENTS.match(name) for name in names)
        or (path.leads_to.part == "log" and any(_LOGS.match(name) for name in names))
    )


def _found(words: Sequence[Word]) -> tuple[list[Word], list[tuple[Word, Word | None]]]:
    """The folders that find starts from, and its tests with their values."""
    paths: list[Word] = []
    tests: list[tuple[Word, Word | None]] = []
    rest = list(words[1:])
    while rest and not rest[0].text.startswith(("-", "(", "!")):
        paths.append(rest.pop(0))
    for number, word in enumerate(rest):
        if word.text.startswith("-") and len(word.text) > 1 and not word.quoted:
            takes = word.text not in _WITHOUT_VALUE and number + 1 < len(rest)
            tests.append((word, rest[number + 1] if takes else None))
    return paths, tests


def xargs(
    words: Sequence[Word], folder: str, piped: Sequence[Word], processes: frozenset[str]
) -> FileCommand | None:
    """Return what xargs does to the files that find or ls give to it."""
    names = [word.text.rpartition("/")[2] for word in words[1:]]
    verb = next((name for name in names if name in REMOVERS or name in ("mv", *ON_NUMBERS)), None)
    if verb in ON_NUMBERS:
        return on_numbers(verb, processes)
    if verb is None or not piped or piped[0].text.rpartition("/")[2] not in ("find", "ls"):
        return None
    if piped[0].text.rpartition("/")[2] == "ls":
        listed = [word for word in piped[1:] if not word.text.startswith("-")]
        return command_on("remove", touched_by(listed, folder), None, ())
    paths, tests = _found(piped)
    return command_on("remove", _meant(paths, folder, tests), None, tests)
