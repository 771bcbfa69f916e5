"""Queue managers of production and DR whose names differ only in a word for the role."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
    places = {path: place.site for path in links if (place := assembly.placement.site_of(path))}
    production = {site.name for site in places.values() if site.role == "production"}
    if not production or all(site.role != "dr" for site in places.values()):
        return {}
    only = production.pop() if len(production) == 1 else ""
    names: dict[tuple[str, str], set[str]] = {}
    for path, site in places.items():
        if site.role in _WORDS:
            pair = site.name if site.role == "production" else site.stands_in_for or only
            keys = assembly.owners(path, links[path].addresses)
            here = names.setdefault((pair, site.role), set())
            here.update(key.name for key in keys if not key.anonymous)
    found: dict[str, str] = {}
    for (pair, role), here in names.items():
        if role == "production":
            found.update(_pairs(here, names.get((pair, "dr"), set())))
    return found


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
