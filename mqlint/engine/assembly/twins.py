"""Queue managers of production and DR whose names differ only in a word for the role."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mqlint.config.settings import Site
from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.assembly.links import Links
from mqlint.grouping import grouped
from mqlint.patterns import later

_WORDS = {"production": later(r"PROD|PRD"), "dr": later(r"DRS|DR")}
_SEPARATORS = later(r"[._/%]+")
_SHORTEST = 2


def find_twins(links: Mapping[str, Links], assembly: Assembly) -> Mapping[str, str]:
    """Return the queue managers at DR whose names show their twins, such as QM1DR and QM1.

    A name that fits several has none. With `twins:` in the configuration nothing is inferred.
    """
    if assembly.settings.twins.rename:
        return {}
    places = [item for item in named_places(links, assembly) if item[0].role in _WORDS]
    production = {site.name for site, _ in places if site.role == "production"}
    if not production or all(site.role != "dr" for site, _ in places):
        return {}
    only = production.pop() if len(production) == 1 else ""
    names: dict[tuple[str, str], set[str]] = {}
    for site, name in places:
        pair = site.name if site.role == "production" else site.stands_in_for or only
        names.setdefault((pair, site.role), set()).add(name)
    found: dict[str, str] = {}
    for (pair, role), here in names.items():
        if role == "production":
            found.update(_pairs(here, names.get((pair, "dr"), set())))
    return found


def named_places(links: Mapping[str, Links], assembly: Assembly) -> Iterator[tuple[Site, str]]:
    """Yield the sites and names of the queue managers of documents."""
    placement = assembly.placement
    for path, found in links.items():
        place = placement.site_of(path)
        if place is None and not (placement.roles or placement.fed_roles):
            continue
        for key in assembly.owners(path, found.addresses):
            here = (place or placement.site_named(key.name)) if not key.anonymous else None
            if here is not None:
                yield here.site, key.name


def _pairs(production: set[str], dr: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the name of each queue manager at DR with that of its twin at production."""
    twins = grouped(
        (base, name)
        for name in sorted(production - dr)
        for base in {_without("", name), _without("production", name)}
    )
    copies = grouped((_without("dr", name), name) for name in sorted(dr - production))
    for base, names in copies.items():
        found = twins.get(base, ())
        if (
            len(base) >= _SHORTEST
            and len(names) == len(found) == 1
            and base != _without("", names[0])
        ):
            yield names[0], found[0]


def _without(role: str, name: str) -> str:
    """A name without the first word for a role and without separators."""
    rest = _WORDS[role].sub("", name.upper(), count=1) if role else name.upper()
    return _SEPARATORS.sub("", rest)
