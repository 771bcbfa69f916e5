"""NFS mounts for the files of queue managers: fstab, automounter, mount, units, Ansible tasks.

Files of limits, of settings of the kernel, of logrotate and of programs for backups are read here
too (`environment` and `archivers` beside it).

A mount is for MQ if its name says so (`/MQHA`, `nfs:/mq`), or if a path of crtmqm is below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.base import Context, Parsed
from mqlint.language.script.faults.archivers import archiver_faults, rotation_faults
from mqlint.language.script.faults.environment import limit_faults, settings_around
from mqlint.language.script.files.path import has_below
from mqlint.patterns import later

_ENTRY = later(
    r"([\w.:\[\]-]{1,100}:/\S{0,200})[ \t]+(/\S{0,200})[ \t]+(nfs[234]?)[ \t]+([\w=,.:/-]{1,200})"
)
"""A line of fstab: the source, the folder, the type and the options."""
_AUTOMOUNT = later(
    r"(?m)^(?P<key>[^\s#:]{1,200})[ \t]+-(?P<options>[^\s-][\w=,.:/-]{0,200})[ \t]+"
    r"(?P<source>[\w.\[\]:-]{1,100}:/\S{0,200})[ \t]*\r?$"
)
"""A line of a map of the automounter (autofs(5)): the key, the options and the source."""
_EXPORT = later(r"(?m)^(/\S{1,200})[ \t]+(\S{1,100}\([^\n]{0,400})$")
"""A line of exports: the folder, and clients with their options in parentheses."""
_CLIENT = later(r"\(([\w=,.:/-]{1,200})\)")
_MOUNT = later(r"\bmount(?:\.nfs4?)?[ \t]+(-[^\n;&|]{1,400})")
_TYPE = later(r"(?:^|[ \t])-t[ \t]*(nfs4?)(?=[ \t])")
_OPTIONS = later(r"(?:^|[ \t])-o[ \t]*([\w=,.:/-]{1,200})")
_OF_MQ = later(r"(?i)mq|qmgr")
_OF_COPIES = later(r"(?i)back|bkp|bck|archiv|dump|install|software|iso|(?<!/)media")
"""Names of mounts from which no queue manager runs."""
_PATHS = later(r"(?:-[ml]d[ \t]+|DataPath=|LogPath=|Prefix=)[\"']?(/[^\s\"']{1,200})")
_ROLES = {
    "what": "source",
    "src": "source",
    "where": "target",
    "path": "target",
    "type": "kind",
    "fstype": "kind",
    "options": "options",
    "opts": "options",
}
"""The keys of such a unit (systemd.mount) and task (ansible.posix.mount), by their meaning."""
_OPTIONS_KEY = later(r"(?mi)^[ \t]*(?:- +)?(?:options|opts)[ \t]*[:=]")
_OLD_KINDS = ("nfs2", "nfs3")
_HARMFUL = (
    *_OLD_KINDS,
    "soft",
    "softerr",
    "nolock",
    "local_lock=all",
    "local_lock=flock",
    "local_lock=posix",
)
_OLD = later(r"(?:nfs)?vers=[23](?:\.\d)?")


def export_faults(text: str) -> Iterator[Diagnostic]:
    """Yield options of a server of NFS with which the files of queue managers are not safe.

    Source: exports(5). With async the server answers before the data is on its disk.
    """
    for entry in _EXPORT.finditer(text):
        if not _is_of_mq(entry[1], "", ()):
            continue
        for client in _CLIENT.finditer(text, *entry.span(2)):
            at = client.start(1)
            for word in client[1].split(","):
                if word == "async":
                    yield diagnostic("nfs-option", (at, at + len(word)), option=word)
                at += len(word) + 1


def mount_faults(text: str) -> Iterator[Diagnostic]:
    """Yield options of NFS with which the files of queue managers are not safe."""
    paths = sorted(found[1] for found in _PATHS.finditer(text))
    for entry in _AUTOMOUNT.finditer(text):
        words = entry["options"].split(",")
        is_nfs = not any(word.startswith("fstype=") and "nfs" not in word for word in words)
        if is_nfs and _is_of_mq(entry["source"], entry["key"], paths):
            yield from _options(entry["options"], entry.start("options"))
    if "nfs" not in text:
        return
    for entry in _ENTRY.finditer(text):
        if _is_of_mq(entry[1], entry[2], paths):
            if entry[3] in _OLD_KINDS:
                yield diagnostic("nfs-option", entry.span(3), option=entry[3])
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
    yield from _settings(text, paths)


def _settings(text: str, paths: list[str]) -> Iterator[Diagnostic]:
    """Faults of mounts that are written as settings, a line for each, around their options."""
    for found in _OPTIONS_KEY.finditer(text):
        around = settings_around(text, found.start())
        mount = {_ROLES[key]: value for key, value in around.items() if key in _ROLES}
        kind, options = mount.get("kind", ("", 0)), mount.get("options")
        if kind[0] not in ("nfs", "nfs4") or options is None:
            continue
        if _is_of_mq(mount.get("source", ("", 0))[0], mount.get("target", ("", 0))[0], paths):
            yield from _options(*options)


def _is_of_mq(source: str, target: str, paths: Sequence[str]) -> bool:
    """Whether a mount is for files of queue managers."""
    names = f"{source} {target}"
    if _OF_MQ.search(names) is not None and _OF_COPIES.search(names) is None:
        return True
    return has_below(target, paths)


def _options(text: str, at: int) -> Iterator[Diagnostic]:
    """The options of a list at an offset that are wrong, each at its place."""
    for word in text.split(","):
        if word in _HARMFUL or _OLD.fullmatch(word) is not None:
            yield diagnostic("nfs-option", (at, at + len(word)), option=word)
        at += len(word) + 1


def names_mount_of_mq(text: str) -> bool:
    """Return whether a text has a mount of NFS that is for files of queue managers."""
    if any(_is_of_mq(entry[1], entry[2], []) for entry in _ENTRY.finditer(text)):
        return True
    if any(_is_of_mq(entry["source"], entry["key"], []) for entry in _AUTOMOUNT.finditer(text)):
        return True
    return _OPTIONS_KEY.search(text) is not None and _OF_MQ.search(text) is not None


def names_export_of_mq(text: str) -> bool:
    """Return whether a text exports a folder by NFS that is for files of queue managers."""
    return any(_OF_MQ.search(entry[1]) is not None for entry in _EXPORT.finditer(text))


def read(text: str, context: Context) -> Parsed:
    del context
    kinds = (mount_faults, export_faults, limit_faults, rotation_faults, archiver_faults)
    return Parsed(diagnostics=[fault for faults in kinds for fault in faults(text)])
