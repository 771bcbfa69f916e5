"""Commands that copy, restore, snapshot or remove files of queue managers, and stop processes.

Only what touches a queue manager's files is a step: `tar`, `cp`, `rsync`, `find` and the like on
anything else are passed over. What a command does follows from its words alone; where a folder
or an archive only running tells, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from posixpath import isabs, join

from mqlint.syntax.file_options import split
from mqlint.syntax.queue_manager_path import QueueManagerPath, queue_manager_path
from mqlint.syntax.shell_command import Word
from mqlint.syntax.templates import COVER


@dataclass(frozen=True, slots=True)
class Touched:
    """A word that names a queue manager's files, and its path with the folder it starts from."""

    word: Word
    path: str
    leads_to: QueueManagerPath


@dataclass(frozen=True, slots=True)
class FileCommand:
    """What a command does to queue managers' files.

    `action` is copy, restore, snapshot, remove, kill, clock or service; what touches nothing but
    configuration files is `keep` (copied from there) or `edit` (written there). `other` is the
    word at the other end: where a copy goes, where a restore comes from. `options` are pairs of an
    option and its value, or None. `every` tells that all queue managers of the host are meant.
    """

    action: str
    touched: tuple[Touched, ...] = ()
    other: Word | None = None
    options: tuple[tuple[Word, Word | None], ...] = ()
    queue_manager: str | None = None
    every: bool = False


_BUNDLE = re.compile(r"-?[A-Za-z]{1,12}$")
_HOST = re.compile(r"[\w.@-]{2,64}:(?=[/~.\w])")
_EXTENTS = re.compile(r"s[\d*?\[\]-]{1,40}\.log$", re.IGNORECASE)
_LOGS = re.compile(r"[s*?][*?]*(?:\.log[*]?)?$|\*?amqhlctl", re.IGNORECASE)
"""What find may be asked for, to find extents: in any folder, and in that of a log."""
_SINGLE = re.compile(r"[\w-]+\.[A-Za-z]{2,4}")
"""The name of a single file, as `qm.ini`, and no folder of a queue manager."""
_REMOVERS = frozenset({"rm", "unlink", "shred", "gzip", "compress", "bzip2", "xz"})
_OF_MANAGER = re.compile(r"(?:^|[^a-z])amq(?!s)", re.IGNORECASE)
"""What names a queue manager's own processes; no samples."""
_OF_USER = re.compile(r"(?:^|[^a-z])mqm(?![\w-])", re.IGNORECASE)
_BESIDE = re.compile(r"(?:^|[^a-z])runmq", re.IGNORECASE)
"""Trigger monitors, listeners and their like: a queue manager outlives them."""
_VOLUME_OF_MQ = re.compile(r"mq|qm", re.IGNORECASE)
_UNIT = re.compile(r"(?:[\w-]*mq[\w-]*)@([\w.%/-]{1,48}?)(?:\.service)?$", re.IGNORECASE)
_MQ_UNIT = re.compile(r"[\w-]*(?:mq|qm)[\w@.-]*$", re.IGNORECASE)
_FIND_WITHOUT = frozenset({"-delete", "-print", "-print0", "-depth", "-o", "-a", "-not", "-xdev"})


def file_command(
    name: str,
    words: Sequence[Word],
    folder: str = "",
    piped: Sequence[Word] = (),
    feeding: Sequence[Word] = (),
) -> FileCommand | None:
    """Return what the command `name` does to queue managers' files, None when nothing.

    `words` are all of its words, `folder` the one it runs in where that is known, `piped` the
    words of the command on the left of its pipe, `feeding` those of all commands that its input or
    a word of it comes from.
    """
    if name == "xargs":
        return _xargs(words, folder, piped, feeding)
    if name == "kill":
        return FileCommand("kill", every=True) if _feeds(feeding) else None
    read = _READERS.get(name)
    return None if read is None or len(words) < 2 else read(name, words, folder)


def _touched(words: Sequence[Word], folder: str) -> tuple[Touched, ...]:
    """The words that name files of queue managers."""
    found = []
    for word in words:
        path = word.text
        if folder and not isabs(path) and not path.startswith(COVER):
            path = join(folder, path)
        leads_to = queue_manager_path(path)
        if leads_to is not None:
            found.append(Touched(word, path, leads_to))
    return tuple(found)


def _made(
    action: str,
    touched: tuple[Touched, ...],
    other: Word | None,
    options: Sequence[tuple[Word, Word | None]],
) -> FileCommand | None:
    """The command, where it touches anything of one queue manager or of all."""
    if any("qmgrs" in one.text for pair in options for one in pair if one is not None):
        touched = tuple(one for one in touched if one.leads_to.part != "whole")  # all but those
    if not touched:
        return None
    names = {one.leads_to.queue_manager for one in touched} - {None}
    every = any(one.leads_to.every for one in touched)
    name = next(iter(names)) if len(names) == 1 and not every else None
    if {one.leads_to.part for one in touched} == {"configuration"}:
        action = "keep" if action == "copy" else "edit"
    return FileCommand(action, touched, other, tuple(options), name, every)


def _copy(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Cp, mv, scp and rsync: the last operand is where it goes."""
    options, operands = split(name, words[1:])
    target = next((value for word, value in options if word.text == "-t"), None)
    if target is None and len(operands) > 1:
        target = operands.pop()
    if target is None:
        return None
    sources = _touched([word for word in operands if not _HOST.match(word.text)], folder)
    if sources:
        return _made("remove" if name == "mv" else "copy", sources, target, options)
    if _HOST.match(target.text):
        return None
    letters = {word.text for word, _ in options if re.match(r"-[A-Za-z]*[aRr]", word.text)}
    if not letters and any(COVER in word.text.rpartition("/")[2] for word in operands):
        return None  # one file, of which only running tells what it is
    landing = _landing(target, operands, folder)
    return _made("restore", landing, next(iter(operands), None), options)


def _landing(target: Word, sources: Sequence[Word], folder: str) -> tuple[Touched, ...]:
    """What a copy is put over: the files themselves, where single ones go into a folder."""
    into = _touched([target], folder)
    names = [word.text.rpartition("/")[2] for word in sources]
    if not into or not names or not all(_SINGLE.fullmatch(name) for name in names):
        return into
    if _SINGLE.fullmatch(into[0].path.rpartition("/")[2]):
        return into
    paths = [join(into[0].path, name) for name in names]
    found = [(path, queue_manager_path(path)) for path in paths]
    return tuple(Touched(target, path, one) for path, one in found if one is not None)


def _tar(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Tar: c, r and u copy, x restores; -C says where from and where to."""
    first = words[1].text
    mode = first if _BUNDLE.match(first) else ""
    options, operands = split(name, words[1:])
    if mode and not first.startswith("-"):
        operands = operands[1:]
    letters = mode + "".join(word.text for word, _ in options if _BUNDLE.match(word.text))
    long = {word.text for word, _ in options}
    archive = next((value for word, value in options if word.text in ("-f", "--file")), None)
    if archive is None and "f" in letters and operands:
        archive = operands.pop(0)
    base = next((value for word, value in options if word.text in ("-C", "--directory")), None)
    start = join(folder, base.text) if base is not None else folder
    touched = _touched(operands, start)
    if "x" in letters or long & {"--extract", "--get"}:
        return _made("restore", touched or _into(base, folder), archive, options)
    if set("cru").intersection(letters) or "--create" in long:
        everything = base is not None and [word.text for word in operands] == ["."]
        return _made("copy", _into(base, folder) if everything else touched, archive, options)
    return None


def _into(base: Word | None, folder: str) -> tuple[Touched, ...]:
    return () if base is None else _touched([base], folder)


def _dd(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Dd: if= and of=."""
    ends = {word.text.partition("=")[0]: word for word in words[1:]}
    source, target = ends.get("if"), ends.get("of")
    for action, end, other in (("copy", source, target), ("restore", target, source)):
        leads_to = queue_manager_path(end.text[3:]) if end is not None else None
        if end is not None and leads_to is not None:
            return _made(action, (Touched(end, end.text[3:], leads_to),), other, ())
    return None


def _zip(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Zip puts what follows into its first operand, unzip the reverse."""
    options, operands = split(name, words[1:])
    if name == "unzip":
        into = [value for word, value in options if word.text == "-d" and value is not None]
        return _made("restore", _touched(into, folder), next(iter(operands), None), options)
    return _made("copy", _touched(operands[1:], folder), next(iter(operands), None), options)


def _remove(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Rm, and what replaces a file by a compressed one."""
    options, operands = split(name, words[1:])
    if name not in ("rm", "unlink") and any(word.text in ("-c", "-k") for word, _ in options):
        return None
    return _made("remove", _touched(operands, folder), None, options)


def _sed(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Sed -i and the like on an ini file."""
    options, operands = split(name, words[1:])
    in_place = any(word.text.startswith(("-i", "--in-place")) for word, _ in options)
    return _made("restore", _touched(operands, folder), None, options) if in_place else None


def _find(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Find with -delete, or that runs a command which removes or moves."""
    paths, tests = _found(words)
    last = [word.text.rpartition("/")[2] for word, _ in tests]
    runs = [value for word, value in tests if word.text in ("-exec", "-execdir", "-ok")]
    does = [value.text.rpartition("/")[2] for value in runs if value is not None]
    if "-delete" in last or _REMOVERS.union({"mv"}).intersection(does):
        return _made("remove", _meant(paths, folder, tests), None, tests)
    if {"cp", "rsync", "scp"}.intersection(does):
        return _made("copy", _meant(paths, folder, tests), None, tests)
    return None


def _meant(
    paths: Sequence[Word], folder: str, tests: Sequence[tuple[Word, Word | None]]
) -> tuple[Touched, ...]:
    """The folders of which find finds what belongs to a queue manager, by the names it asks for."""
    names = [value.text for word, value in tests if value and word.text in ("-name", "-iname")]
    touched = _touched(paths, folder)
    if not names:
        return touched
    return tuple(
        one
        for one in touched
        if any(name == "*" or _EXTENTS.match(name) for name in names)
        or (one.leads_to.part == "log" and any(_LOGS.match(name) for name in names))
    )


def _found(words: Sequence[Word]) -> tuple[list[Word], list[tuple[Word, Word | None]]]:
    """Where find begins, and its tests with their values."""
    paths: list[Word] = []
    tests: list[tuple[Word, Word | None]] = []
    rest = list(words[1:])
    while rest and not rest[0].text.startswith(("-", "(", "!")):
        paths.append(rest.pop(0))
    for number, word in enumerate(rest):
        if word.text.startswith("-") and len(word.text) > 1 and not word.quoted:
            takes = word.text not in _FIND_WITHOUT and number + 1 < len(rest)
            tests.append((word, rest[number + 1] if takes else None))
    return paths, tests


def _xargs(
    words: Sequence[Word], folder: str, piped: Sequence[Word], feeding: Sequence[Word]
) -> FileCommand | None:
    """Xargs behind find or ls: what find finds is what the command gets."""
    names = [word.text.rpartition("/")[2] for word in words[1:]]
    verb = next((one for one in names if one in _REMOVERS or one in ("mv", "kill")), None)
    if verb == "kill":
        return FileCommand("kill", every=True) if _feeds(feeding) else None
    if verb is None or not piped or piped[0].text.rpartition("/")[2] not in ("find", "ls"):
        return None
    paths, tests = _found(piped)
    return _made("remove", _meant(paths, folder, tests), None, tests)


def _names_process(texts: Sequence[str]) -> bool:
    """Whether processes of a queue manager are named: its own, or all of its user's."""
    if any(_OF_MANAGER.search(text) for text in texts):
        return True
    return any(map(_OF_USER.search, texts)) and not any(map(_BESIDE.search, texts))


def _feeds(words: Sequence[Word]) -> bool:
    """Whether words that kill gets its numbers from name such processes; a folder is none."""
    return _names_process([word.text[:200].rpartition("/")[2] for word in words])


def _snapshot(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Lvcreate, zfs and btrfs: which files are on a volume its name may tell."""
    options, operands = split(name, words[1:])
    texts = [word.text for word in words[1:]]
    if name == "lvcreate":
        is_one = any(one in ("--snapshot",) or re.match(r"-[a-z]*s", one) for one in texts)
    else:
        is_one = "snapshot" in texts[:2]
    named = [word for word in operands if _VOLUME_OF_MQ.search(word.text[:200])]
    if not is_one or not named:
        return None
    return FileCommand("snapshot", _touched(named, folder), named[0], tuple(options), every=True)


def _kill(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Pkill, killall and taskkill of MQ's processes."""
    texts = [word.text[:200] for word in words[1:]]
    return FileCommand("kill", every=True) if _names_process(texts) else None


def _clock(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Date -s, timedatectl set-time, hwclock --set."""
    texts = {word.text for word in words[1:]}
    sets = {"date": {"-s"}, "timedatectl": {"set-time"}, "hwclock": {"--set"}}[name]
    is_set = bool(texts & sets) or any(one.startswith("--set=") for one in texts)
    return FileCommand("clock", every=True) if is_set else None


def _service(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Systemctl on a unit that bears a queue manager's name: mq@QMA."""
    options, operands = split(name, words[1:])
    units = [word for word in operands[1:] if _MQ_UNIT.match(word.text[:80])]
    if not units:
        return None
    unit = _UNIT.match(units[0].text[:80])
    named = unit[1] if unit is not None and "%" not in unit[1] else None
    return FileCommand("service", (), None, tuple(options), named, every=named is None)


def _batch(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Copy, xcopy, robocopy, del and rd of Windows, whose options begin with a slash."""
    operands = [word for word in words[1:] if not re.match(r"/[A-Za-z]", word.text)]
    options = [(word, None) for word in words[1:] if re.match(r"/[A-Za-z]", word.text)]
    if name in ("del", "erase", "rd", "rmdir"):
        return _made("remove", _touched(operands, ""), None, options)
    if len(operands) < 2:
        return None
    sources = _touched(operands[:1], "")
    if sources:
        return _made("remove" if name == "move" else "copy", sources, operands[1], options)
    return _made("restore", _touched(operands[1:2], ""), operands[0], options)


_Reading = Callable[[str, Sequence[Word], str], FileCommand | None]

_READERS: Mapping[str, _Reading] = {
    **dict.fromkeys(("cp", "mv", "scp", "rsync"), _copy),
    **dict.fromkeys(("rm", "unlink", "shred", "gzip", "compress", "bzip2", "xz"), _remove),
    **dict.fromkeys(("zip", "unzip"), _zip),
    **dict.fromkeys(("lvcreate", "zfs", "btrfs"), _snapshot),
    **dict.fromkeys(("pkill", "killall", "taskkill"), _kill),
    **dict.fromkeys(("date", "timedatectl", "hwclock"), _clock),
    **dict.fromkeys(("copy", "xcopy", "robocopy", "move", "del", "erase", "rd", "rmdir"), _batch),
    "tar": _tar,
    "gtar": _tar,
    "dd": _dd,
    "sed": _sed,
    "find": _find,
    "systemctl": _service,
}
