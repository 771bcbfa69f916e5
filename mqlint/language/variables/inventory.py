"""The variables of one site, host, job or play, and which of them a file is applied with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from mqlint.dataclass import NamedTuple
from mqlint.grouping import grouped
from mqlint.source.checkout import folders_above
from mqlint.source.digest import hex_digest
from mqlint.source.lines import Span


class Inventory(NamedTuple):
    """The variables of a site or of one host, for what is in the folder `project` and of no site.

    `root` is a path of its site. `own` are the names whose values the files of the site, or of the
    `host`, decide. `site` is a path that its site shares. `queue_manager` is the one that the
    commands of the project name by such a variable, None if they name several or none. `digest` is
    of all that. A job of a pipeline counts as a host, for one file that it reaches, with the places
    of its scripts if the file has all jobs. `is_round`: it is a round of a loop, which surely runs.
    `is_only`: no other site or host has variables.
    """

    root: str
    project: str
    site: str
    host: str
    queue_manager: str | None
    own: frozenset[str]
    values: Mapping[str, str]
    digest: str
    spans: tuple[Span, ...] = ()
    looped: str = ""
    is_round: bool = False
    is_only: bool = False

    @classmethod
    def of(
        cls,
        root: str,
        project: str,
        site: str,
        host: str,
        values: Mapping[str, str],
        own: Iterable[str],
        naming: Iterable[str],
        spans: tuple[Span, ...] = (),
    ) -> Inventory:
        """Return the inventory of some values; `naming` are variables that name queue managers."""
        managers = {values.get(name) for name in naming}
        queue_manager = managers.pop() if len(managers) == 1 else None
        whole = (root, project, site, host, queue_manager, sorted(own), values, spans)
        digest = hex_digest(repr(whole).encode())
        return cls(root, project, site, host, queue_manager, frozenset(own), values, digest, spans)

    def reaches(self, at: int, used: Set[str]) -> bool:
        """Whether it is for what is at an offset of a file and uses some variables."""
        if self.looped and self.looped not in used:
            return False
        return not self.spans or any(start <= at < end for start, end in self.spans)


class Inventories(NamedTuple):
    """The inventories of one folder, the names that any of them decides, and a digest of all."""

    sites: tuple[tuple[Inventory, ...], ...]
    own: frozenset[str]
    digest: str

    @classmethod
    def of(cls, inventories: Sequence[Inventory]) -> Inventories:
        by_site = grouped((each.site, each) for each in inventories)
        own = frozenset().union(*(each.own for each in inventories))
        digest = hex_digest("".join(each.digest for each in inventories).encode())
        return cls(tuple(map(tuple, by_site.values())), own, digest)


def applied(
    inventories: Mapping[str, Inventories],
    path: str,
    used: Set[str],
    places: Sequence[int] = (0,),
    site: str = "",
) -> Sequence[Sequence[Inventory]]:
    """Return the inventories for each of which a file that uses variables is applied.

    Those for each of the `places`, offsets of what uses them; of a file with a `site` only those of
    the site. None unless they are several, the only one, or of one site, or jobs in this file. If
    hosts of a site set some of the variables themselves, each host for which all these have a value
    counts, and the site counts no more. If a queue manager is known for some of these hosts, only
    they count.
    Otherwise, hosts with equal values are instances of one queue manager, and the first counts.
    """
    using = (each for each in inventories_around(inventories, path) if used & each.own)
    nearest = next(using, None)
    sites = nearest.sites if nearest is not None else ()
    if site:
        own = [each for near in sites for each in near if each.site == site and not each.spans]
        return [_applied(own, used)] * len(places)
    if not any(each.spans for near in sites for each in near):
        return [_applied_at(sites, used, places[0])] * len(places)
    return [_applied_at(sites, used, at) for at in places]


def _applied_at(
    sites: Iterable[Sequence[Inventory]], used: Set[str], at: int
) -> Sequence[Inventory]:
    reaching = ([each for each in near if each.reaches(at, used)] for near in sites)
    found = [each for near in reaching for each in _applied(near, used)]
    is_enough = len(found) > 1 or any(each.spans or each.is_only for each in found)
    return found if is_enough else ()


def inventories_around(inventories: Mapping[str, Inventories], path: str) -> Iterator[Inventories]:
    """Return the inventories for a file, and for the folders around it, the innermost first."""
    return (inventories[at] for at in (path, *folders_above(path)) if at in inventories)


def _applied(near: Sequence[Inventory], used: Set[str]) -> Sequence[Inventory]:
    """The hosts of one site, or the site, for which variables decide."""
    hosts = [each for each in near if each.host]
    wanted = used & frozenset().union(*(used & host.own for host in hosts))
    if not wanted:
        return [each for each in near if not each.host and not used.isdisjoint(each.own)]
    found = [host for host in hosts if all(name in host.values for name in wanted)]
    named = [host for host in found if host.queue_manager]
    alike = grouped((tuple(host.values[name] for name in sorted(wanted)), host) for host in found)
    return named or [same[0] for same in alike.values()]


def common_values(inventories: Sequence[Inventory], used: Set[str]) -> Mapping[str, str]:
    """Return the variables of those used that have one value in several inventories."""
    found = {name: {each.values.get(name) for each in inventories} for name in sorted(used)}
    same = ((name, values.pop()) for name, values in found.items() if len(values) == 1)
    return {name: value for name, value in same if value is not None}
