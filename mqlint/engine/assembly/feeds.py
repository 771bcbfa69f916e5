"""The files that scripts feed to queue managers, also by a pattern, in an image, from afar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from posixpath import basename, commonprefix, dirname, join, normpath, relpath

from mqlint.engine.assembly.links import Links
from mqlint.engine.assembly.relations import Feed
from mqlint.engine.assembly.wiring import Wiring
from mqlint.finding import Diagnostic, diagnostic
from mqlint.grouping import grouped
from mqlint.language.feeding import OF_STEM, Member, build_context, is_direct, is_entry, is_pattern
from mqlint.language.text.shell_pattern import matches_glob
from mqlint.source.checkout import path_beside

_MOST = 1_000
"""Limit of the files that are compared with a pattern."""
_WORK = 1_000_000
"""Limit of the names that are compared in a project."""
_WORK_OF_FEED = 20
"""Names that are compared in the time that one more feed of a file takes."""
_TOO_MANY = "the files that match its patterns are too many, and only some are assigned"
_SENDING = ("files/", "templates/")
"""The folders of a role, module or cookbook from which files are sent."""
_MOST_BUILDS = 20
"""Limit of the services for which one image is built."""


def feeds_of(links: Mapping[str, Links]) -> list[tuple[str, str, str]]:
    """Return the documents that others feed to queue managers: document, file, queue manager.

    A program may name seventy files that hold one member, and a project has one of them.
    """
    return [
        (path, name, queue_manager)
        for path in sorted(links)
        for name, queue_manager in links[path].fed
        if is_direct(name, queue_manager) and path_beside(path, name) in links
    ]


def find_feeds(
    links: Mapping[str, Links], wiring: Wiring
) -> tuple[dict[str, tuple[Feed, ...]], dict[str, tuple[Diagnostic, ...]]]:
    """Return how files are fed, by path: as scripts name them, then as patterns and images say.

    The second value reports, by path, documents whose feeds are not all known.

    What an image has in /etc/mqm is for the queue manager of each service that builds it. If none
    does, it is for one whose name is not known.
    """
    direct = feeds_of(links)
    tree = _Tree(links, direct, wiring)
    found = grouped(chain(_direct(direct), tree.feeds()))
    feeds = {path: tuple(of_path) for path, of_path in found.items()}
    too_many = (diagnostic("beyond-limits", (0, 0), what=_TOO_MANY),)
    return feeds, dict.fromkeys(tree.left_out, too_many)


def _direct(fed: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, Feed]]:
    number = Counter[str]()
    for script, name, queue_manager in fed:
        yield path_beside(script, name), Feed(script, number[script], queue_manager)
        number[script] += 1


class _Tree:
    """The documents of a project by folder, and the builds of their images."""

    def __init__(
        self, links: Mapping[str, Links], fed: Iterable[tuple[str, str, str]], wiring: Wiring
    ) -> None:
        self._wiring = wiring
        self._work = 0
        self.left_out: set[str] = set()
        """The documents of which not all feeds are known."""
        self._links = {path: links[path] for path in sorted(links)}
        self._folders = grouped((dirname(path), path) for path in self._links)
        self._fed = {path_beside(path, name) for path, name, _ in fed}
        self._builds: dict[str, list[tuple[str, Feed]]] = {}
        for path, at, name, queue_manager in self._indirect():
            context = build_context(name)
            if context is not None:
                build = path_beside(path, context), Feed(path, at, queue_manager)
                self._builds.setdefault(path_beside(path, name), []).append(build)

    def _indirect(self) -> Iterator[tuple[str, int, str, str]]:
        """The feeds that other files decide; a file that is not there may be in another folder.

        On a host it may be in the folder to which the project is copied.
        """
        for path, found in self._links.items():
            at = 0  # the number of direct feeds before it
            known = {
                basename(name) for name, _ in found.fed if path_beside(path, name) in self._links
            }
            for name, queue_manager in found.fed:
                direct = is_direct(name, queue_manager)
                here = self._from_here(name, path) if direct else name
                if not direct or (basename(name) not in known and not here.startswith("/")):
                    yield path, at, here, queue_manager
                at += direct

    def _from_here(self, name: str, path: str) -> str:
        """The name of a file of a host from the folder of `path`, if it is copied from there.

        The script names the file here too, or the folder has the name of that of the host. Tools
        such as Ansible, Salt, Puppet and Chef send it from a folder of their own.
        """
        if not name.startswith("/"):
            return name
        last = basename(name)
        named = {each for each in self._links[path].mentions if basename(each) == last} - {name}
        here = [each for each in named if path_beside(path, each) in self._links]
        folder = basename(dirname(path))
        is_copied = folder != "" and basename(dirname(name)) == folder
        return here[0] if len(here) == 1 else last if is_copied else self._sent(path, last) or name

    def _sent(self, path: str, name: str) -> str:
        """The only file or template of a name that the role of a file sends, from its folder."""
        folder = dirname(path)
        found = {
            file
            for root in (folder, dirname(folder))
            for file in self._stems.get(name.partition(".")[0].casefold(), ())[:_MOST]
            if basename(file).startswith(name) and file.startswith(f"{root}/" if root else "")
            if file[len(root) :].strip("/").startswith(_SENDING)
        }
        return relpath(found.pop(), folder or ".") if len(found) == 1 else ""

    def feeds(self) -> Iterator[tuple[str, Feed]]:
        """Yield the paths that are fed, and how."""
        named = {path for path, of in self._links.items() if any(name for _, name in of.fed)}
        for path, at, name, queue_manager in self._indirect():
            if build_context(name) is not None:
                continue
            member = Member.of(name)
            if member is not None and queue_manager:
                for file in self._members(path, member, queue_manager):
                    yield file, Feed(path, at, queue_manager, member.entry)
            if member is not None:
                continue
            if self._work > _WORK:
                self.left_out.add(path)
                continue
            builds = () if queue_manager else self._builds.get(path, ())
            for context, build in builds[:_MOST_BUILDS]:
                yield from ((file, build) for file in self._matching(join(context, name)))
            if queue_manager or (not builds and path not in named):
                is_sure = not is_direct(name, queue_manager)
                for file in self._near(dirname(path), name):
                    if is_sure or file not in self._fed:
                        for owner in self._owners(path, file, queue_manager):
                            yield file, Feed(path, at, owner)

    def _members(self, path: str, member: Member, queue_manager: str) -> Sequence[str]:
        """The file of MQSC with a member that a job reads, if one alone is likely to be it.

        A file has the member's name, with any ending, and is in a folder that is named as the
        library or its last qualifier, or below one with the job. The former come first, then the
        nearest to the job. A member with the name of the queue manager in its own, as MQ7AINP2, may
        be in any folder. A folder of another queue manager has none of its members.
        """
        is_own = len(queue_manager) > 2 and queue_manager.casefold() in member.member.casefold()
        folders = member.library.casefold(), member.library.casefold().rpartition(".")[2]
        others = self._names - {queue_manager.casefold()}
        found: dict[tuple[bool, int], list[str]] = {}
        for file in self._stems.get(member.member.casefold(), ())[:_MOST]:
            rank = basename(dirname(file)).casefold() in folders, _shared_folders(path, file)
            is_near = is_own or rank[1] > 0 or dirname(file) == dirname(path)
            own = dirname(file).casefold().split("/")[rank[1] :]
            if (rank[0] or is_near) and others.isdisjoint(own):
                found.setdefault(rank, []).append(file)
        best = found[max(found)] if found else []
        return best if len(best) == 1 else []

    @cached_property
    def _names(self) -> frozenset[str]:
        """The names of queue managers that documents state, in one case."""
        return frozenset(name.casefold() for of in self._links.values() for name in of.managers())

    @cached_property
    def _stems(self) -> Mapping[str, Sequence[str]]:
        """The files of MQSC by their names without endings."""
        return grouped(
            (basename(path).partition(".")[0].casefold(), path)
            for path, of in self._links.items()
            if of.texts
        )

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
        self._work += _WORK_OF_FEED
        if not is_pattern(path):
            return [path] if path in self._links else []
        pattern = basename(path)
        beside = self._folders.get(dirname(path), ())[:_MOST]
        found = [file for file in beside if matches_glob(basename(file), pattern)]
        self._work += len(beside) + len(found) * _WORK_OF_FEED
        return found


def _shared_folders(path: str, other: str) -> int:
    """How many folders two paths have in common, from the first one on."""
    return len(commonprefix([dirname(path).split("/"), dirname(other).split("/")]))
