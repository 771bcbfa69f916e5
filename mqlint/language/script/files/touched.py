"""What a command does to files of queue managers, and the words that name them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from posixpath import join

from mqlint.dataclass import frozen
from mqlint.language.script.command import Word
from mqlint.language.script.files.path import QueueManagerPath, queue_manager_path
from mqlint.language.text.templates import PLACEHOLDER, is_known
from mqlint.patterns import later
from mqlint.vocabulary.unknown import UNKNOWN, Unknown

# -- options ---------------------------------------------------------------------------------------


_WITH_VALUE = {
    "tar": frozenset({"-f", "-C", "--file", "--directory", "--exclude", "-T", "-X"}),
    "rsync": frozenset({"-e", "--exclude", "--include", "--rsh", "-f"}),
    "scp": frozenset({"-i", "-P", "-o", "-l", "-c", "-F"}),
    "cp": frozenset({"-t", "-S"}),
    "mv": frozenset({"-t", "-S"}),
    "zip": frozenset({"-x", "-i"}),
    "unzip": frozenset({"-d", "-x"}),
    "truncate": frozenset({"-s", "--size", "-r", "--reference"}),
    "lvcreate": frozenset({"-L", "-l", "-n", "--name", "--size", "--extents"}),
    "zfs": frozenset({"-o"}),
    "mount": frozenset({"-o", "-t", "--options", "--types"}),
}
_BUNDLING = frozenset(
    "cp mv scp rsync tar gtar zip unzip rm unlink shred gzip compress bzip2 xz".split()
)

_OF_WINDOWS = frozenset({*"copy xcopy robocopy move del erase rd rmdir taskkill forfiles".split()})


def split(name: str, words: Sequence[Word]) -> tuple[list[tuple[Word, Word | None]], list[Word]]:
    """Return the options of the command `name`, some with a value, and its operands."""
    return split_options(words, _WITH_VALUE.get(name, frozenset()))


def split_options(
    words: Sequence[Word], with_value: frozenset[str]
) -> tuple[list[tuple[Word, Word | None]], list[Word]]:
    """Return options, those in `with_value` with the next word as their value, and operands."""
    options: list[tuple[Word, Word | None]] = []
    operands: list[Word] = []
    rest = iter(words)
    for word in rest:
        if not word.text.startswith("-") or len(word.text) < 2:
            operands.append(word)
        else:
            options.append((word, next(rest, None) if word.text in with_value else None))
    return options, operands


def option_names(command: str, text: str) -> tuple[tuple[str, str | Unknown | None], ...]:
    """Return the options in one word of `command`, each with its value after `=`.

    `-rp` of cp is two options, and so is `/S/E` of xcopy. `-mtime` of find is one.
    """
    name = text.lstrip("-/")
    if command in _OF_WINDOWS and text.startswith("/"):
        return tuple((word, None) for word in name.lower().split("/"))
    if text.startswith("--"):
        long, sign, value = name.partition("=")
        return ((long, (value if is_known(value) else UNKNOWN) if sign else None),)
    if command in _BUNDLING and name.isalpha():
        return tuple((letter, None) for letter in name)
    return ((name, None),)


def is_open(words: Sequence[Word], other: Word | None) -> bool:
    """Return whether an unknown word may be an option: one before the last operand.

    `other` is the other end of a copy, which is no option. On Windows options may come last.
    """
    name = words[0].text.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")
    free = words[1:] if name in _OF_WINDOWS else words[1:-1]
    return any(word.text.startswith(PLACEHOLDER) and word is not other for word in free)


# -- files -----------------------------------------------------------------------------------------


_PATH = later(r"^(?!/[A-Za-z](?::|$)|-).*[\\/]|" + PLACEHOLDER)
_ABSOLUTE = later(r"[/\\]|[A-Za-z]:")
_PARTS = frozenset({("copy", "data"), ("copy", "log"), ("restore", "data")})
Options = Sequence[tuple[Word, Word | None]]
"""The options of a command, each with its value, or None."""


@frozen
class Touched:
    """A word that names a queue manager's files, and its path with the folder it starts from."""

    word: Word
    path: str
    leads_to: QueueManagerPath


_SETTINGS = frozenset({"configuration", "installations"})
"""Parts of what belongs to a queue manager that are neither its data nor its log."""


@frozen
class FileCommand:
    """The effect of a command on queue managers' files.

    `action` is copy, restore, snapshot, clone (a disk made of a copy), remove, kill, memory
    (removed from it), mount, unmount, isolate (the network is closed), query, clock, service,
    packages or unpack (files that are not known); if only configuration
    files are touched, `keep` (copied from there) or `edit` (written there). `other`
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
        if folder and not _ABSOLUTE.match(path) and not path.startswith(PLACEHOLDER):
            path = join(folder, path)
        leads_to = queue_manager_path(path)
        if leads_to is not None:
            found.append(Touched(word, path, leads_to))
    return tuple(found)


def only_part(command: FileCommand, words: Sequence[Word]) -> str:
    """Return `data` or `log` if a command copies or restores that, and nothing else with a path.

    Files as mqs.ini may be with it. A log, and what is restored, count only as whole folders; blank
    for any other command.
    """
    touched = [path.leads_to for path in command.touched if path.leads_to.part not in _SETTINGS]
    parts = {leads_to.part for leads_to in touched}
    part = parts.pop() if len(parts) == 1 else ""
    is_whole = all(leads_to.is_folder for leads_to in touched)
    if not is_whole and (command.action, part) != ("copy", "data"):
        return ""
    if (command.action, part) not in _PARTS:
        return ""
    known = {path.word.start for path in command.touched}
    known |= set() if command.other is None else {command.other.start}
    is_alone = all(
        word.start in known
        or _PATH.search(word.text) is None
        or word.text == "/"  # where tar begins
        or queue_manager_path(word.text)
        for word in words[1:]
    )
    return part if is_alone else ""


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
    if {path.leads_to.part for path in touched} <= _SETTINGS:
        action = "keep" if action == "copy" else "edit"
    return FileCommand(action, touched, other, tuple(options), name, every)
