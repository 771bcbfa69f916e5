"""Files that are fed as only other files show: by a pattern, in an image, from another folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import islice
from posixpath import basename, dirname, join, normpath

from mqlint.engine.links import Links
from mqlint.engine.relations import Feed
from mqlint.engine.wiring import Wiring
from mqlint.language.feeding import OF_STEM, build_context, is_direct, is_entry, is_pattern
from mqlint.source.checkout import beside

_MOST = 1_000
"""Limit of the patterns and copied files of a project, and of the files compared with each."""
_MOST_BUILDS = 20
"""Limit of the services for which one image is built."""


def feeds_of(links: Mapping[str, Links]) -> list[tuple[str, str, str]]:
    """Return the files that documents feed to queue managers: document, file, queue manager."""
    return [
        (path, name, queue_manager)
        for path in sorted(links)
        for name, queue_manager in links[path].fed
        if is_direct(name, queue_manager)
    ]


def indirect_feeds(links: Mapping[str, Links], wiring: Wiring) -> dict[str, tuple[Feed, ...]]:
    """Return how files are fed as patterns and images say, by the path of the file.

    What an image has in /etc/mqm is for the queue manager of each service that builds it. If none
    does, it is for one whose name is not known.
    """
    found: dict[str, list[Feed]] = {}
    tree = _Tree(links, wiring)
    for path, feed in tree.feeds():
        found.setdefault(path, []).append(feed)
    return {path: tuple(feeds) for path, feeds in found.items()}


class _Tree:
    """The documents of a project by folder, and the builds of their images."""

    def __init__(self, links: Mapping[str, Links], wiring: Wiring) -> None:
        self._wiring = wiring
        self._links = {path: links[path] for path in sorted(links)}
        self._folders: dict[str, list[str]] = {}
        for path in self._links:
            self._folders.setdefault(dirname(path), []).append(path)
        self._fed = {beside(path, name) for path, name, _ in feeds_of(links)}
        self._builds: dict[str, list[tuple[str, Feed]]] = {}
        for path, at, name, queue_manager in self._indirect():
            context = build_context(name)
            if context is not None:
                build = beside(path, context), Feed(path, at, queue_manager)
                self._builds.setdefault(beside(path, name), []).append(build)

    def _indirect(self) -> Iterator[tuple[str, int, str, str]]:
        """The feeds that other files decide; a file that is not there may be in another folder."""
        for path, found in self._links.items():
            at = 0  # the number of direct feeds before it
            known = {basename(name) for name, _ in found.fed if beside(path, name) in self._links}
            for name, queue_manager in found.fed:
                direct = is_direct(name, queue_manager)
                if not direct or (basename(name) not in known and not name.startswith("/")):
                    yield path, at, name, queue_manager
                at += direct

    def feeds(self) -> Iterator[tuple[str, Feed]]:
        """Yield the paths that are fed, and how."""
        for path, at, name, queue_manager in islice(self._indirect(), _MOST):
            if build_context(name) is not None:
                continue
            names = {manager for _, manager in self._links[path].fed}
            builds = () if queue_manager else self._builds.get(path, ())
            for context, build in builds[:_MOST_BUILDS]:
                yield from ((file, build) for file in self._matching(join(context, name)))
            if queue_manager or (not builds and names == {""}):
                is_sure = not is_direct(name, queue_manager)
                for file in self._near(dirname(path), name):
                    if is_sure or file not in self._fed:
                        for owner in self._owners(path, file, queue_manager):
                            yield file, Feed(path, at, owner)

    def _owners(self, path: str, file: str, queue_manager: str) -> Sequence[str]:
        if queue_manager == OF_STEM:
            return [basename(file).partition(".")[0]]
        if is_entry(queue_manager):
            holder, _, key = queue_manager.partition("/")
            entry = f"{holder}/{basename(file)}" if key == "*" else queue_manager
            return self._wiring.queue_managers(path, entry)
        return [queue_manager]

    def _near(self, folder: str, name: str) -> Sequence[str]:
        """The documents of a name in a folder, or in the nearest one around it that has any.

        The build of an image, or a pipeline, may begin there.
        """
        found = self._matching(join(folder, name))
        while not found and folder.strip("/"):
            folder = dirname(folder)
            found = self._matching(join(folder, name))
        return found

    def _matching(self, name: str) -> Sequence[str]:
        """The documents of a path whose last part may be a pattern."""
        path = normpath(name)
        if not is_pattern(path):
            return [path] if path in self._links else []
        pattern = basename(path)
        beside = self._folders.get(dirname(path), ())[:_MOST]
        return [file for file in beside if fnmatchcase(basename(file), pattern)]
