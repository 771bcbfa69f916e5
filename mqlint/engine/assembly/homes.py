"""The queue managers of files qm.ini: by the mqs.ini that registers their folder, or by a name.

IBM MQ documentation, "QueueManager stanza of the mqs.ini file": DataPath is the folder of the data,
otherwise Directory in the folder `qmgrs` of Prefix. Without an mqs.ini, `qmgrs/NAME` is that of the
queue manager NAME ("Understanding IBM MQ file names"), and so is the last folder of LogPath.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from posixpath import basename, commonpath, dirname
from typing import TYPE_CHECKING

from mqlint.grouping import single
from mqlint.language.script.files.path import name_of, queue_manager_path
from mqlint.patterns import later

if TYPE_CHECKING:
    from mqlint.engine.assembly.links import Links
    from mqlint.language.ini.parser import Stanza

_SLASHES = later(r"[/\\]+")
_ENOUGH = 2
"""The last parts of a registered folder by which a folder of the project is recognised."""
_MOST = 50
"""Limit of the registrations of folders of one name, of all hosts."""

_Registration = tuple[str, Sequence[str], str]
"""The path of an mqs.ini, and the parts of a folder with the queue manager that it registers."""


def registered_folders(stanzas: Iterable[Stanza]) -> Iterator[tuple[str, str]]:
    """Yield the folders that an mqs.ini registers, each with its queue manager.

    A blank folder is that of the file itself: a qm.ini whose LogPath names its queue manager.
    """
    for stanza in stanzas:
        path = stanza.get("LogPath") if stanza.name.lower() == "log" else None
        if path is not None and not path.templated:
            folder = basename(path.value.replace("\\", "/").rstrip("/"))
            if folder and "." not in folder:
                yield "", name_of(folder)
        if stanza.name.lower() != "queuemanager":
            continue
        name, data, directory = map(stanza.get, ("Name", "DataPath", "Directory"))
        place = data or directory
        if name is None or place is None or name.templated or place.templated:
            continue
        folder = data.value if data is not None else f"qmgrs/{place.value}"
        if name.value and not folder.endswith("/"):
            yield folder, name.value


def homes_of(links: Mapping[str, Links], site_of: Callable[[str], str]) -> dict[str, str]:
    """Return the queue managers of files qm.ini by path.

    Two files for one queue manager of a site are those of two hosts or times, and are left out.
    """
    registered: dict[str, list[_Registration]] = {}
    logs: dict[str, str] = {}
    for path, found in links.items():
        for folder, name in found.folders:
            parts = [part for part in _SLASHES.split(folder) if part]
            if parts:
                registered.setdefault(parts[-1], []).append((path, parts, name))
            else:
                logs[path] = name
    names: dict[str, str] = {}
    for path, found in links.items():
        if is_open_ini(path, found):
            owner = _home(path, registered.get(basename(dirname(path)), ())) or logs.get(path)
            names |= {path: owner} if owner else {}
    paths = single(((site_of(path), name), path) for path, name in names.items())
    return {path: name for (_, name), path in paths.items()}


def is_open_ini(path: str, links: Links) -> bool:
    """Return whether a file is a qm.ini whose queue manager its own path does not decide."""
    is_open = any(each.open_to == "manifest" and not each.entry for each in links.addresses)
    return is_open and basename(path).lower() == "qm.ini"


def _home(path: str, registered: Sequence[_Registration]) -> str | None:
    """The queue manager of a qm.ini: by the nearest mqs.ini, otherwise by its folder."""
    folder = [part for part in dirname(path).split("/") if part]
    found: dict[tuple[int, int], set[str]] = {}
    for host, parts, name in registered[:_MOST]:
        shared = _shared(folder, parts)
        if shared >= min(_ENOUGH, len(parts)):
            rank = shared, len(commonpath([f"/{host}", f"/{path}"]))
            found.setdefault(rank, set()).add(name)
    if found:
        names = found[max(found)]
        return names.pop() if len(names) == 1 else None
    known = queue_manager_path(dirname(path))
    # A dot is part of what tells folders of similar names apart, as in QM1.000.
    is_plain = known is not None and known.is_folder and "." not in folder[-1]
    return known.queue_manager if known is not None and is_plain else None


def _shared(folder: Sequence[str], other: Sequence[str]) -> int:
    """How many of the last parts of two folders are the same."""
    number = 0
    for part, other_part in zip(reversed(folder), reversed(other), strict=False):
        if part != other_part:
            break
        number += 1
    return number
