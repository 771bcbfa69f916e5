"""What a command does to files of queue managers, and the words that name them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from posixpath import isabs, join

from mqlint.dataclass import frozen
from mqlint.language.script.command import Word
from mqlint.language.script.files.path import QueueManagerPath, queue_manager_path
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later

_PATH = later(r"^(?!/[A-Za-z](?::|$)|-).*[\\/]|" + PLACEHOLDER)
Options = Sequence[tuple[Word, Word | None]]
"""The options of a command, each with its value, or None."""


@frozen
class Touched:
    """A word that names a queue manager's files, and its path with the folder it starts from."""

    word: Word
    path: str
    leads_to: QueueManagerPath


@frozen
class FileCommand:
    """The effect of a command on queue managers' files.

    `action` is copy, restore, snapshot, remove, kill, memory (removed from it), mount, unmount,
    query, clock, service or packages; if only
    configuration files are touched, `keep` (copied from there) or `edit` (written there). `other`
    is the other end: the target of a copy, the source of a restore. `options` are pairs of an
    option and its value or None. `every` is true for all queue managers of the host.
    """

    action: str
    touched: tuple[Touched, ...] = ()
    other: Word | None = None
    options: tuple[tuple[Word, Word | None], ...] = ()
    queue_manager: str | None = None
    every: bool = False


FileCommandReader = Callable[[str, Sequence[Word], str], FileCommand | None]
"""Returns the effect of a command; takes its name, all its words and its folder."""


def touched_by(words: Sequence[Word], folder: str) -> tuple[Touched, ...]:
    """Return those of the words that name files of queue managers; they start from `folder`."""
    found = []
    for word in words:
        path = word.text
        if folder and not isabs(path) and not path.startswith(PLACEHOLDER):
            path = join(folder, path)
        leads_to = queue_manager_path(path)
        if leads_to is not None:
            found.append(Touched(word, path, leads_to))
    return tuple(found)


def only_data(command: FileCommand, words: Sequence[Word]) -> bool:
    """Return whether a command copies data of queue managers, and nothing else that has a path."""
    if command.action != "copy" or {path.leads_to.part for path in command.touched} != {"data"}:
        return False
    known = {path.word.start for path in command.touched}
    known |= set() if command.other is None else {command.other.start}
    return all(
        word.start in known or _PATH.search(word.text) is None or queue_manager_path(word.text)
        for word in words[1:]
    )


def command_on(
    action: str,
    touched: tuple[Touched, ...],
    other: Word | None,
    options: Options,
) -> FileCommand | None:
    """Return the command, None if it does not touch files of one queue manager or of all."""
    if any("qmgrs" in word.text for pair in options for word in pair if word is not None):
        touched = tuple(path for path in touched if path.leads_to.part != "whole")  # all but those
    if not touched:
        return None
    names = {path.leads_to.queue_manager for path in touched} - {None}
    every = any(path.leads_to.every for path in touched)
    name = next(iter(names)) if len(names) == 1 and not every else None
    if {path.leads_to.part for path in touched} <= {"configuration", "installations"}:
        action = "keep" if action == "copy" else "edit"
    return FileCommand(action, touched, other, tuple(options), name, every)
