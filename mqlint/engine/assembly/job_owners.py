"""The queue managers of jobs and members of z/OS, by the data sets that they name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from posixpath import basename
from typing import TYPE_CHECKING

from mqlint.dataclass import NamedTuple
from mqlint.engine.assembly.addressing import Address
from mqlint.patterns import later

if TYPE_CHECKING:
    from mqlint.engine.assembly.links import Links

_SUBSYSTEM = later(r"[A-Z@#$][A-Z0-9@#$]{1,3}")
_LENGTH = 4
"""Characters of the name of a queue manager that may begin the name of a job or member."""


class JobOwners(NamedTuple):
    """The queue managers of texts of z/OS that name none, by path.

    `whole` are texts for one queue manager. Of the others, `stretches` are the places of job steps
    with the queue manager of each, blank if it is not known.
    """

    whole: Mapping[str, str] = {}
    stretches: Mapping[str, Sequence[tuple[int, str]]] = {}

    def links(self, links: Mapping[str, Links]) -> Iterator[tuple[str, Links]]:
        """Yield the links of these texts, and of members that they read, with the owners."""
        for path, owner in self.whole.items():
            fed = tuple((name, manager or owner) for name, manager in links[path].fed)
            yield path, replace(links[path], fed=fed)
        for path, found in self.stretches.items():
            names = dict.fromkeys(owner for _, owner in found if owner)
            more = tuple(Address(name, open_to="all") for name in names)
            yield path, replace(links[path], addresses=(*links[path].addresses, *more))


def job_owners(links: Mapping[str, Links]) -> JobOwners:
    """Return the queue managers of texts of z/OS.

    A data set is of the queue manager whose procedure has it, or that of which it is a copy by its
    name, or of one whose name is a qualifier. If no name tells, those of the job or of the file may
    begin with the name of the queue manager.
    """
    texts = {path: found for path, found in links.items() if found.data_sets}
    if not texts:
        return JobOwners()
    owned: dict[str, set[str]] = defaultdict(set)
    for found in texts.values():
        for owner, name, _ in found.data_sets:
            if owner:
                owned[name].add(owner)
    names = {name for found in links.values() for name in found.managers()}
    known = {name for name in names.union(*owned.values()) if _SUBSYSTEM.fullmatch(name)}
    whole: dict[str, str] = {}
    stretches: dict[str, Sequence[tuple[int, str]]] = {}
    for path, found in texts.items():
        places = _owners_by_place(path, found, owned, known)
        owners = {owner for _, owner in places}
        is_named = any(address.name for address in found.addresses)
        if len(owners - {""}) == 1 and not is_named:
            whole[path] = max(owners)
        elif owners - {""}:
            stretches[path] = places
    return JobOwners(whole, stretches)


def _owners_by_place(
    path: str, links: Links, owned: Mapping[str, set[str]], known: set[str]
) -> list[tuple[int, str]]:
    """The queue manager of each job step, blank for one that shows none, or several."""
    found: dict[int, set[str]] = {}
    job_of: dict[int, str] = {}
    of_job: dict[str, set[str]] = defaultdict(set)
    for owner, name, at in links.data_sets:
        own = found.setdefault(at, set())
        if owner:
            own.add(owner)
        elif "." in name:
            own |= _owners(name, owned, known)
        else:
            job_of[at] = name
    for at, owners in found.items():
        of_job[job_of.get(at, "")] |= owners
    stem = basename(path).partition(".")[0].upper()
    places = []
    for at, owners in sorted(found.items()):
        job = job_of.get(at, "")
        words = {word[:_LENGTH] for word in (job, stem)} & known
        shown = owners or of_job[job] or words
        places.append((at, next(iter(shown)) if len(shown) == 1 else ""))
    return places


def _owners(name: str, owned: Mapping[str, set[str]], known: set[str]) -> set[str]:
    """The queue managers of a data set: of it, or of the one that it is a copy of."""
    parts = name.split(".")
    for end in range(len(parts), 1, -1):
        if found := owned.get(".".join(parts[:end])):
            return found
    return known.intersection(parts)
