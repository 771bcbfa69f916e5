"""Commands that copy, restore, snapshot or remove files of queue managers, and stop processes.

Only what touches a queue manager's files is a step: `tar`, `cp`, `rsync`, `find` and the like on
anything else are passed over. Only the words of a command decide; if a folder or an archive depends
on running, there is no step.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from posixpath import join

from mqlint.language.script.command import Word
from mqlint.language.script.files.path import is_saved_beside, liveness, queue_manager_path
from mqlint.language.script.files.touched import (
    FileCommand,
    FileCommandReader,
    Options,
    Touched,
    command_on,
    split,
    touched_by,
)
from mqlint.language.script.host_command import HOST_READERS, ON_NUMBERS, on_numbers
from mqlint.language.text.templates import PLACEHOLDER
from mqlint.patterns import later

# -- find and xargs --------------------------------------------------------------------------------


REMOVERS = ("rm", "unlink", "shred", "truncate", "gzip", "compress", "bzip2", "xz")
"""Commands that remove a file or its content, or replace it by a compressed one."""

_EXTENTS = later(r"(?i)s[\d*?\[\]-]{1,40}\.log$")
_LOGS = later(r"(?i)[s*?][*?]*(?:\.log[*]?)?$|\*?amqhlctl")
"""What find may be asked for, to find extents: in any folder, and in that of a log."""
_SELECTS_NAMES = frozenset(
    "-name -iname -type -maxdepth -mindepth -delete -print -print0 -exec -execdir -depth".split()
)
"""Tests and actions of find by which the age or the size of a file makes no difference."""
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
    """The folders of queue managers that find searches, by the names that it asks for.

    The files themselves if the name of extents is all that it asks for.
    """
    names = [value.text for word, value in tests if value and word.text in ("-name", "-iname")]
    touched = touched_by(paths, folder)
    if not names:
        return touched
    if len(names) == 1 and _EXTENTS.match(names[0]) and not _selects_more(tests):
        return tuple(replace(path, path=join(path.path, names[0])) for path in touched)
    return tuple(
        path
        for path in touched
        if any(name == "*" or _EXTENTS.match(name) for name in names)
        or (path.leads_to.part in ("log", "whole") and any(map(_LOGS.match, names)))
    )


def _selects_more(tests: Options) -> bool:
    return any(word.text not in _SELECTS_NAMES for word, _ in tests)


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


# -- commands --------------------------------------------------------------------------------------


_BUNDLE = later(r"-?[A-Za-z]{1,12}$")
_HOST = later(r"[\w.@-]{2,64}:(?=[/~.\w])")
_DELETES = later(r"(?i)\b(?:del|erase)\b")
_RECURSIVE = later(r"-[A-Za-z]*[rR]|--recursive$")
_OF_ALL = later(r"/(?:qmgrs|log)/?$")
_NAME = later(r"[A-Z][A-Z0-9!_]+")
"""A folder with the name of a queue manager, as most are named."""
_SINGLE = later(r"[\w-]+\.[A-Za-z]{2,4}")
"""The name of a single file, as `qm.ini`, and no folder of a queue manager."""


FED_BY_PIPES = frozenset({"xargs", *ON_NUMBERS})
"""Commands on files that the commands before them in a pipe name."""


def file_command(
    name: str,
    words: Sequence[Word],
    folder: str,
    piped: Sequence[Word],
    processes: frozenset[str],
) -> FileCommand | None:
    """Return what the command `name` does to queue managers' files, None for nothing.

    `words` are all of its words, and `folder` is the one in which it runs, if known. `piped` are
    the words of the command on the left of its pipe. `processes` are those that the sources of its
    input and words name.
    """
    if name == "xargs":
        return xargs(words, folder, piped, processes)
    if name in ON_NUMBERS:
        return on_numbers(name, processes)
    read = _READERS.get(name)
    return None if read is None or len(words) < 2 else read(name, words, folder)


def _copy(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Cp, mv, scp and rsync: the last operand is where it goes."""
    options, operands = split(name, words[1:])
    target = next((value for word, value in options if word.text == "-t"), None)
    if target is None and len(operands) > 1:
        target = operands.pop()
    if target is None:
        return None
    sources = touched_by([word for word in operands if not _HOST.match(word.text)], folder)
    if sources and not _is_put_back(sources, touched_by([target], folder), target):
        return command_on("remove" if name == "mv" else "copy", sources, target, options)
    if _HOST.match(target.text):
        return None
    letters = {word.text for word, _ in options if re.match(r"-[A-Za-z]*[aRr]", word.text)}
    if not letters and any(PLACEHOLDER in word.text.rpartition("/")[2] for word in operands):
        return None  # one file, of which only running tells what it is
    landing = _landing(target, operands, folder)
    return command_on("restore", landing, next(iter(operands), None), options)


_IN_CONTAINER = later(r"[\w][\w./-]{0,200}:(?=/)")
"""The name of a container, or of a pod with its namespace, before a path in it."""


def _from_container(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Docker, podman, kubectl and oc: cp and rsync out of a container.

    Options come first, some with a value in a word of its own, and the target is last.
    """
    at = next((at for at, word in enumerate(words) if word.text in ("cp", "rsync")), 0)
    options, operands = split(name, words[at + 1 :])
    if not at or len(operands) < 2:
        return None
    source, target = operands[-2:]
    container = _IN_CONTAINER.match(source.text[:300])
    if container is None or _IN_CONTAINER.match(target.text[:300]) is not None:
        return None
    path = source.text[container.end() :]
    leads_to = queue_manager_path(path)
    touched = () if leads_to is None else (Touched(source, path, leads_to),)
    return command_on("copy", touched, target, options)


def _is_put_back(sources: Sequence[Touched], targets: Sequence[Touched], target: Word) -> bool:
    """Return whether queue managers' files in use are replaced by a copy of them."""
    if not targets or _HOST.match(target.text):
        return False
    source, into = sources[0].path, targets[0].path
    return liveness(into) > liveness(source) or is_saved_beside(source, into)


def _landing(target: Word, sources: Sequence[Word], folder: str) -> tuple[Touched, ...]:
    """The target of a copy; the files themselves if single files go into a folder.

    A folder that goes into that of all queue managers is that of one of them.
    """
    into = touched_by([target], folder)
    names = [word.text.rpartition("/")[2] for word in sources]
    if not into or not names:
        return into
    is_of_all = _OF_ALL.search(into[0].path) is not None and all(map(_NAME.fullmatch, names))
    if not is_of_all and not all(_SINGLE.fullmatch(name) for name in names):
        return into
    if _SINGLE.fullmatch(into[0].path.rpartition("/")[2]):
        return into
    paths = [join(into[0].path, name) for name in names]
    found = [(path, queue_manager_path(path)) for path in paths]
    return tuple(
        Touched(target, path, leads_to) for path, leads_to in found if leads_to is not None
    )


_ABOVE = frozenset({"/", "/var", "/var/"})
"""Folders above those of MQ: what is unpacked there may have the files of any queue manager."""


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
    touched = touched_by(operands, start)
    if "x" in letters or long & {"--extract", "--get"}:
        if not operands and start in _ABOVE:
            return FileCommand("unpack", other=archive, options=tuple(options), every=True)
        here = _here(words[0], folder) if not (operands or base) else ()
        return command_on("restore", touched or here or _into(base, folder), archive, options)
    if set("cru").intersection(letters) or "--create" in long:
        everything = base is not None and [word.text for word in operands] == ["."]
        return command_on("copy", _into(base, folder) if everything else touched, archive, options)
    return None


def _here(command: Word, folder: str) -> tuple[Touched, ...]:
    """The folder that a command works in, if it is one of MQ."""
    leads_to = queue_manager_path(folder) if folder else None
    return () if leads_to is None else (Touched(command, folder, leads_to),)


def _into(base: Word | None, folder: str) -> tuple[Touched, ...]:
    return () if base is None else touched_by([base], folder)


def _dd(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    ends = {word.text.partition("=")[0]: word for word in words[1:]}
    source, target = ends.get("if"), ends.get("of")
    for action, end, other in (("copy", source, target), ("restore", target, source)):
        leads_to = queue_manager_path(end.text[3:]) if end is not None else None
        if end is not None and leads_to is not None:
            return command_on(action, (Touched(end, end.text[3:], leads_to),), other, ())
    return None


def _zip(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Zip puts what follows into its first operand, unzip the reverse."""
    options, operands = split(name, words[1:])
    if name == "unzip":
        into = [value for word, value in options if word.text == "-d" and value is not None]
        touched = touched_by(into, folder) if into else _here(words[0], folder)
        return command_on("restore", touched, next(iter(operands), None), options)
    return command_on("copy", touched_by(operands[1:], folder), next(iter(operands), None), options)


def _remove(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Rm, and what replaces a file by a compressed one."""
    options, operands = split(name, words[1:])
    if name not in ("rm", "unlink") and any(word.text in ("-c", "-k") for word, _ in options):
        return None
    touched = touched_by(operands, folder)
    if name in ("rm", "unlink") and not any(_RECURSIVE.match(word.text) for word, _ in options):
        touched = tuple(path for path in touched if not path.leads_to.is_folder)
    return command_on("remove", touched, None, options)


_SCRIPTED = frozenset({"-e", "--expression", "-f", "--file"})
"""Options of sed with a script, which mostly is the next word: no operand is one then."""
_WITH_SCRIPT = later(r"-[Enrsuz]*[ef].|--(?:expression|file)=")
"""An option that has its script in its own word."""


def _sed(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Sed -i and the like on an ini file."""
    options, operands = split(name, words[1:])
    in_place = any(word.text.startswith(("-i", "--in-place")) for word, _ in options)
    # A script of sed may hold the path of another file.
    scripts = {following.start for word, following in pairwise(words) if word.text in _SCRIPTED}
    is_joined = any(_WITH_SCRIPT.match(word.text) for word, _ in options)
    if operands and not scripts and not is_joined:
        scripts = {operands[0].start}
    files = [word for word in operands if word.start not in scripts]
    return command_on("restore", touched_by(files, folder), None, options) if in_place else None


def _batch(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Copy, xcopy, robocopy, del and rd of Windows, whose options begin with a slash."""
    operands = [word for word in words[1:] if not re.match(r"/[A-Za-z]", word.text)]
    options = [(word, None) for word in words[1:] if re.match(r"/[A-Za-z]", word.text)]
    if name in ("del", "erase", "rd", "rmdir"):
        return command_on("remove", touched_by(operands, folder), None, options)
    if len(operands) < 2:
        return None
    sources = touched_by(operands[:1], folder)
    targets = touched_by(operands[1:2], folder)
    if sources and not _is_put_back(sources, targets, operands[1]):
        return command_on("remove" if name == "move" else "copy", sources, operands[1], options)
    return command_on("restore", targets, operands[0], options)


def _forfiles(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Forfiles with a command that deletes: its folder, or its files if no age selects them."""
    value_of = {word.text.lower(): (word, value) for word, value in pairwise(words[1:])}
    start, mask, run = (value_of[key][1] if key in value_of else None for key in ("/p", "/m", "/c"))
    if run is None or _DELETES.search(run.text) is None:
        return None
    touched = touched_by([start], folder) if start is not None else ()
    if mask is not None and not _LOGS.match(mask.text):
        return None
    if mask is not None and "/d" not in value_of:
        touched = tuple(replace(path, path=join(path.path, mask.text)) for path in touched)
    return command_on(
        "remove", touched, None, [value_of[key] for key in ("/m", "/d") if key in value_of]
    )


_TRANSFERS = frozenset("copy copyto cp get mirror put rsync sync".split())
"""What clients of object stores call a copy. A path or an address follows it at each end."""


def _transfer(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    """Aws, gsutil, azcopy and the like: from or to an object store, or a snapshot."""
    snapshot = HOST_READERS[name](name, words, folder) if name in HOST_READERS else None
    if snapshot is not None:
        return snapshot
    at = next((at for at, word in enumerate(words) if word.text in _TRANSFERS), 0)
    options, operands = split(name, words[at + 1 :])
    ends = [word for word in operands if "/" in word.text or PLACEHOLDER in word.text]
    if not at or len(ends) < 2:
        return None
    source, target = ends[:2]
    into = touched_by([target], folder)
    if into:
        return command_on("restore", into, source, options)
    return command_on("copy", touched_by([source], folder), target, options)


_RESTORES = {
    **dict.fromkeys(("restic", "dsmc", "duplicity", "kopia"), frozenset({"restore", "retrieve"})),
    **dict.fromkeys(("7z", "7za", "7zz"), frozenset({"x"})),
    "borg": frozenset({"extract"}),
    "cpio": frozenset({"-i", "-id", "-idm", "-idmv", "-idv", "--extract"}),
}
"""Programs of backups, and the words by which they write the files of a backup, not known here."""


def _unpack(name: str, words: Sequence[Word], folder: str) -> FileCommand | None:
    is_found = any(word.text in _RESTORES[name] for word in words[1:])
    return FileCommand("unpack", every=True) if is_found else None


_READERS: Mapping[str, FileCommandReader] = {
    **HOST_READERS,
    **dict.fromkeys(("cp", "mv", "scp", "rsync"), _copy),
    **dict.fromkeys(REMOVERS, _remove),
    **dict.fromkeys(("zip", "unzip"), _zip),
    **dict.fromkeys(("copy", "xcopy", "robocopy", "move", "del", "erase", "rd", "rmdir"), _batch),
    **dict.fromkeys(("tar", "gtar"), _tar),
    **dict.fromkeys(("docker", "podman", "nerdctl", "kubectl", "oc"), _from_container),
    **dict.fromkeys(("aws", "gsutil", "gcloud", "azcopy", "rclone", "mc", "s3cmd"), _transfer),
    **dict.fromkeys(_RESTORES, _unpack),
    "dd": _dd,
    "sed": _sed,
    "find": find,
    "forfiles": _forfiles,
}
