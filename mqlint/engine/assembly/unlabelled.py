"""Queue managers of production in a project that labels only its DR.

    QM1/cluster.mqsc         leeds/QM1/cluster.mqsc
    dr/QM1/cluster.mqsc      derby-dr/QM1/cluster.mqsc

If DR has a queue manager or a file of the same name as what no folder labels, and nothing is
labelled as production, what is not labelled is production. A dump and MQSC that is to be run may
describe one queue manager, so they are not compared, unless a script runs the dump.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from mqlint.config.estate.roles import role_of, tells_other_environment, tells_other_role
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.assembly.links import Links

_OF_ALL_SITES = frozenset(
    "common shared all any global default defaults generic lib include".split()
)
"""Folders whose files are those of every site."""


def production_beside_dr(
    links: Mapping[str, Links], assembly: Assembly
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the queue managers of production, and the files of others without a name."""
    placement = assembly.placement
    at_dr, open_ones = list[str](), list[str]()
    for path in links if not assembly.settings.sites else ():
        place = placement.site_of(path)
        if place is None:
            if not (tells_other_environment(path) or _is_instance(path, links)):
                open_ones.append(path)
        elif place.site.role == "production":
            return (), ()
        elif place.site.role == "dr":
            at_dr.append(path)
    if not (at_dr and open_ones):
        return (), ()
    keys = {path: [*assembly.owners(path, links[path].addresses)] for path in (*at_dr, *open_ones)}

    def is_state(path: str) -> bool:
        return links[path].shows_state and path not in assembly.feeds

    def named(paths: Iterable[str]) -> set[tuple[str, bool]]:
        found = ((is_state(path), keys[path]) for path in paths)
        return {(key.name, state) for state, owners in found for key in owners if not key.anonymous}

    here, there = named(open_ones), named(at_dr)
    copies = {
        (*place, is_state(dr))
        for dr in at_dr
        for place in _without_folder(dr, lambda folder: role_of(folder) == "dr")
    }
    copied = [
        path
        for path in open_ones
        if links[path].texts
        and any(
            (*place, is_state(path)) in copies
            for place in (*_as_it_is(path), *_without_folder(path, _may_be_site))
        )
    ]
    if not (copied or here & there or _is_fed_to_both(assembly)):
        return (), ()
    anonymous = {path for path in copied if all(key.anonymous for key in keys[path])}
    described_twice = {(name, not state) for name, state in there} - there
    names = {name for name, _ in here - described_twice if not tells_other_role(name)}
    return sorted(names), sorted(anonymous)


def _is_instance(path: str, links: Mapping[str, Links]) -> bool:
    """Return whether `mq-active.yml` and `mq-standby.yml` are the instances of a queue manager.

    Otherwise `standby` is a word for DR.
    """
    folder, sign, file = path.rpartition("/")
    standby = f"{folder}{sign}{file.replace('active', 'standby')}"
    is_other = file.endswith((".yml", ".yaml")) and standby != path
    return is_other and standby in links and not links[path].texts


def _is_fed_to_both(assembly: Assembly) -> bool:
    """Return whether scripts of DR and others feed one file to queue managers of their own."""
    for feeds in assembly.feeds.values():
        places = {assembly.placement.site_name_of(feed.script) for feed in feeds}
        if len(feeds) > 1 and "" in places and len(places) > 1:
            return True
    return False


def _without_folder(path: str, is_left_out: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    """Yield the place of each folder that is left out, and the path without it."""
    *folders, file = path.split("/")
    for at, folder in enumerate(folders):
        if is_left_out(folder):
            yield at, "/".join([*folders[:at], *folders[at + 1 :], file])


def _as_it_is(path: str) -> Iterator[tuple[int, str]]:
    """Yield the path with each place at which a copy of it may have a folder more."""
    return ((at, path) for at in range(path.count("/") + 1))


def _may_be_site(folder: str) -> bool:
    return folder.casefold() not in _OF_ALL_SITES
