"""Queue managers of production in a project that labels only its DR.

    QM1/cluster.mqsc
    dr/QM1/cluster.mqsc

If DR has a queue manager or a file of the same name as what no folder labels, and nothing is
labelled as production, what is not labelled is production.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mqlint.config.estate.roles import role_of, tells_other_environment, tells_other_role
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.assembly.links import Links


def production_beside_dr(
    links: Mapping[str, Links], assembly: Assembly
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the queue managers of production, and the files of others without a name."""
    placement = assembly.placement
    at_dr, open_ones = list[str](), list[str]()
    for path in links if not assembly.settings.sites else ():
        place = placement.site_of(path)
        if place is None:
            if not tells_other_environment(path):
                open_ones.append(path)
        elif place.site.role == "production":
            return (), ()
        elif place.site.role == "dr":
            at_dr.append(path)
    if not (at_dr and open_ones):
        return (), ()
    keys = {path: [*assembly.owners(path, links[path].addresses)] for path in (*at_dr, *open_ones)}
    here = {key.name for path in open_ones for key in keys[path] if not key.anonymous}
    there = {key.name for path in at_dr for key in keys[path] if not key.anonymous}
    copied = {path for dr in at_dr for path in _without_label(dr)}
    copied &= {path for path in open_ones if links[path].texts}
    if not (copied or here & there or _is_fed_to_both(assembly)):
        return (), ()
    anonymous = (path for path in copied if all(key.anonymous for key in keys[path]))
    return sorted(name for name in here if not tells_other_role(name)), sorted(anonymous)


def _is_fed_to_both(assembly: Assembly) -> bool:
    """Return whether scripts of DR and others feed one file to queue managers of their own."""
    for feeds in assembly.feeds.values():
        places = {assembly.placement.site_name_of(feed.script) for feed in feeds}
        if len(feeds) > 1 and "" in places and len(places) > 1:
            return True
    return False


def _without_label(path: str) -> Iterator[str]:
    """Yield the path of the file of which one in a folder for DR is a copy."""
    *folders, file = path.split("/")
    for at, folder in enumerate(folders):
        if role_of(folder) == "dr":
            yield "/".join([*folders[:at], *folders[at + 1 :], file])
