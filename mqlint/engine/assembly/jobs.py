"""The queue managers of jobs and members of z/OS, by the data sets that they name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from posixpath import basename
from typing import TYPE_CHECKING

from mqlint.patterns import later

if TYPE_CHECKING:
    from mqlint.engine.assembly.links import Links

_SUBSYSTEM = later(r"[A-Z@#$][A-Z0-9@#$]{1,3}")
_LENGTH = 4
"""Characters of the name of a queue manager that may begin the name of a job or member."""


def jobs_of(links: Mapping[str, Links]) -> dict[str, str]:
    """Return the queue managers of texts of z/OS that name none, by path.

    A data set is of the queue manager whose procedure has it, or that of which it is a copy by its
    name, or of one whose name is a qualifier. If no name tells, those of the job or of the file may
    begin with the name of the queue manager. A text with data sets of several is of none.
    """
    texts = {path: found for path, found in links.items() if found.data_sets}
    if not texts:
        return {}
    owned: dict[str, set[str]] = defaultdict(set)
    for found in texts.values():
        for owner, name in found.data_sets:
            if owner:
                owned[name].add(owner)
    names = {name for found in links.values() for name in found.managers()}
    known = {name for name in names.union(*owned.values()) if _SUBSYSTEM.fullmatch(name)}
    owners = ((path, _owner(path, found, owned, known)) for path, found in texts.items())
    return {path: owner for path, owner in owners if owner}


def _owner(path: str, links: Links, owned: Mapping[str, set[str]], known: set[str]) -> str:
    """The one queue manager of a text, blank if it names one or several."""
    stated = {owner for owner, _ in links.data_sets if owner}
    if any(address.name for address in links.addresses):
        return ""
    found = set(stated)
    words = [basename(path).partition(".")[0].upper()]
    for _, name in links.data_sets if not stated else ():
        if "." in name:
            found |= _owners(name, owned, known)
        else:
            words.append(name)
    found = found or {word[:_LENGTH] for word in words if word[:_LENGTH] in known}
    return found.pop() if len(found) == 1 else ""


def _owners(name: str, owned: Mapping[str, set[str]], known: set[str]) -> set[str]:
    """The queue managers of a data set: of it, or of the one that it is a copy of."""
    parts = name.split(".")
    for end in range(len(parts), 1, -1):
        if found := owned.get(".".join(parts[:end])):
            return found
    return known.intersection(parts)


def with_owners(
    links: Mapping[str, Links], owners: Mapping[str, str]
) -> Iterator[tuple[str, Links]]:
    """Yield the texts that read members of libraries, which are then for their queue managers."""
    for path, owner in owners.items():
        fed = tuple((name, manager or owner) for name, manager in links[path].fed)
        if fed:
            yield path, replace(links[path], fed=fed)
