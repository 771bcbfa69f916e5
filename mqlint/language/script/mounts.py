"""NFS mounts for the files of queue managers: lines of fstab, and the command mount.

Which mounts are for MQ, their names tell (`/MQHA`, `nfs:/mq`), or a path of crtmqm below them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.finding import Diagnostic
from mqlint.patterns import later

_ENTRY = later(
    r"([\w.:\[\]-]{1,100}:/\S{0,200})[ \t]+(/\S{0,200})[ \t]+(nfs4?)[ \t]+([\w=,.:/-]{1,200})"
)
"""A line of fstab: what is mounted, where, as what, with which options."""
_MOUNT = later(r"\bmount(?:\.nfs4?)?[ \t]+(-[^\n;&|]{1,400})")
_TYPE = later(r"(?:^|[ \t])-t[ \t]*(nfs4?)(?=[ \t])")
_OPTIONS = later(r"(?:^|[ \t])-o[ \t]*([\w=,.:/-]{1,200})")
_OF_MQ = later(r"mq|qmgr", re.IGNORECASE)
_PATHS = later(r"(?:-[ml]d[ \t]+|DataPath=|LogPath=|Prefix=)[\"']?(/[^\s\"']{1,200})")
_HARMFUL = ("soft", "softerr", "nolock", "local_lock=all", "local_lock=flock", "local_lock=posix")
_OLD = later(r"(?:nfs)?vers=[23](?:\.\d)?")


def mount_faults(text: str) -> Iterator[Diagnostic]:
    """Yield options of NFS with which the files of queue managers are not safe."""
    if "nfs" not in text:
        return
    paths = [found[1] for found in _PATHS.finditer(text)]
    for entry in _ENTRY.finditer(text):
        if _is_of_mq(entry[1], entry[2], paths):
            yield from _options(entry[4], entry.start(4))
    for mount in _MOUNT.finditer(text):
        kind, options = _TYPE.search(mount[1]), _OPTIONS.search(mount[1])
        words = [word.strip("\"'") for word in mount[1].split()]
        target = words[-1] if words else ""
        source = words[-2] if len(words) > 1 else ""
        if kind is None or not _is_of_mq(source, target, paths):
            continue
        if options is not None:
            yield from _options(options[1], mount.start(1) + options.start(1))


def _is_of_mq(source: str, target: str, paths: list[str]) -> bool:
    """Whether a mount is for files of queue managers."""
    if _OF_MQ.search(source) is not None or _OF_MQ.search(target) is not None:
        return True
    return any(path.startswith(f"{target.rstrip('/')}/") for path in paths)


def _options(text: str, at: int) -> Iterator[Diagnostic]:
    """The options of a list at an offset that are wrong, each at its place."""
    for word in text.split(","):
        if word in _HARMFUL or _OLD.fullmatch(word) is not None:
            yield Diagnostic("nfs-option", at, at + len(word), {"option": word})
        at += len(word) + 1
