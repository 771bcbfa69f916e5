"""The queue managers that get files, and entries of ConfigMaps and Secrets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from posixpath import commonpath, dirname

from mqlint.engine.assembly.relations import Feed, Relations
from mqlint.source.checkout import path_beside

_MOST = 50
"""Limit of the files with an entry of the same name of which the nearest one is searched."""


def first_feeds(relations: Relations, site_of: Callable[[str], str]) -> dict[str, tuple[Feed, ...]]:
    """Return the first feed of each queue manager, by path: one at another site is another one.

    What an image is built with is for one without a name only if nothing names a queue manager.
    Files that are copies of others neither feed nor are fed.
    """
    copies = relations.copies
    found: dict[str, tuple[Feed, ...]] = {}
    for path in relations.feeds.keys() - copies.keys():
        feeds = [feed for feed in relations.feeds[path] if feed.script not in copies]
        if not feeds:
            continue
        first: dict[tuple[str, str], Feed] = {}
        for feed in [feed for feed in feeds if feed.queue_manager] or feeds:
            first.setdefault((site_of(feed.script), feed.queue_manager or feed.script), feed)
        found[path] = tuple(first.values())
    return found


def wired_far(
    wired: Sequence[tuple[str, str, str]],
    held: Mapping[str, Iterable[str]],
    site_of: Callable[[str], str],
) -> list[tuple[str, str, str]]:
    """Return more of `wired`, for manifests whose ConfigMap or Secret is in another folder.

    `held` are the entries of each file, by its path. A manifest takes an entry from the file with
    which it shares most of its path, if no second file shares as much. Manifests of several queue
    managers take one only from a folder around all of theirs.
    """
    files: dict[str, set[str]] = {}
    for path, entries in held.items():
        for entry in entries:
            files.setdefault(entry, set()).add(path)
            files.setdefault(_all_of(entry), set()).add(path)
    near = {path_beside(manifest, entry) for manifest, entry, _ in wired}
    readers: dict[tuple[str, str], dict[str, list[str]]] = {}
    for manifest, entry, queue_manager in wired:
        holder = _nearest(manifest, files.get(entry, files.get(_all_of(entry), ())))
        if holder is None or site_of(holder) != site_of(manifest):
            continue
        if near.isdisjoint(path_beside(holder, name) for name in (entry, _all_of(entry))):
            found = readers.setdefault((holder, entry), {})
            found.setdefault(queue_manager, []).append(manifest)
    return [
        (path, entry, queue_manager)
        for (path, entry), found in readers.items()
        if len(found) == 1 or all(_is_around(path, paths) for paths in found.values())
        for queue_manager in found
    ]


def _all_of(entry: str) -> str:
    """The name for all entries of the ConfigMap or Secret of an entry."""
    return f"{entry.partition('/')[0]}/*"


def _nearest(manifest: str, files: Collection[str]) -> str | None:
    """The one file that shares most of its path with a manifest; None for none, or several."""
    if len(files) > _MOST:
        return None
    shared = {path: len(commonpath([f"/{manifest}", f"/{path}"])) for path in files}
    most = max(shared.values(), default=0)
    nearest = [path for path in files if shared[path] == most]
    return nearest[0] if len(nearest) == 1 else None


def _is_around(path: str, others: Iterable[str]) -> bool:
    """Whether other files are in the folder of a file, or below it."""
    folder = dirname(f"/{path}").rstrip("/")
    return all(f"/{other}".startswith(f"{folder}/") for other in others)


class Wiring:
    """The queue managers that manifests make with an entry of another file of the same folder."""

    def __init__(self, wired: Iterable[tuple[str, str, str]]) -> None:
        """`wired` are (manifest, entry, queue manager); the entry `name/*` is all of one holder."""
        self._readers: dict[str, set[tuple[str, str]]] = {}
        for manifest, entry, queue_manager in wired:
            place = path_beside(manifest, entry)
            self._readers.setdefault(place, set()).add((queue_manager, manifest))

    def readers(self, path: str, entry: str) -> list[tuple[str, str]]:
        """Return the queue managers that get an entry of the file at `path`, and their manifests.

        Those that the file itself creates, as scripts do, come before others of its folder.
        """
        if not entry or not self._readers:
            return []
        entries = (entry, _all_of(entry))
        found = [self._readers.get(path_beside(path, name), set()) for name in entries]
        readers = set[tuple[str, str]]().union(*found)
        own = [reader for reader in readers if reader[1] == path]
        return sorted(own or readers)

    def queue_managers(self, path: str, entry: str) -> list[str]:
        """Return the names of the queue managers that get an entry."""
        return [*dict.fromkeys(name for name, _ in self.readers(path, entry))]

    def queue_manager(self, path: str, entry: str) -> str | None:
        """Return the only queue manager that gets an entry; None for none, or for several."""
        names = self.queue_managers(path, entry)
        return names[0] if len(names) == 1 else None

    def manifest(self, path: str, entry: str, queue_manager: str | None) -> str:
        """Return the only manifest that gives an entry to a queue manager; blank for several."""
        found = [own for name, own in self.readers(path, entry) if name == queue_manager]
        return found[0] if len(found) == 1 else ""
