"""The sites of an estate, as `mqlint.yaml` tells them: each alone, then all together."""

from __future__ import annotations

import ipaddress
from dataclasses import replace
from typing import TYPE_CHECKING

from mqlint.config.entries import Readers, globs_of, name_of, names_of, section_of, word_reader
from mqlint.config.errors import choices, not_among
from mqlint.config.node import Node
from mqlint.config.settings import (
    ISOLATIONS,
    REINSTATEMENTS,
    ROLES,
    Role,
    Site,
    keys_of,
)

if TYPE_CHECKING:
    from mqlint.config.settings import Network

_NAMED_ROLES: dict[str, Role] = {
    "production": "production",
    "prod": "production",
    "dr": "dr",
    "test": "test",
    "development": "development",
    "dev": "development",
}
"""Sites whose name says their role."""


def sites_of(node: Node) -> tuple[Site, ...]:
    """Return the sites of an estate; ConfigError if one is wrong or two contradict."""
    written = node.mapping()
    sites = tuple(_site(name, site) for name, site in written.items())
    _nothing_shared(written)
    for name, site in written.items():
        _known_original(name, site, written)
    _no_circles(sites, written)
    return tuple(_with_original(site, sites) for site in sites)


def _site(name: str, node: Node) -> Site:
    if node.is_empty and name in _NAMED_ROLES:
        return Site(name, _NAMED_ROLES[name])
    node.keys_allowed(keys_of(Site))
    if node.get("role") is None and name not in _NAMED_ROLES:
        raise node.key_error(
            f"the site {name!r} has no role: {choices(ROLES)} "
            "(only a site named production, prod or dr, test, development or dev needs none)"
        )
    return section_of(node, Site, _READERS, name=name, role=_NAMED_ROLES.get(name, "test"))


def _networks(node: Node) -> tuple[Network, ...]:
    return tuple(map(_network, node.sequence()))


def _network(node: Node) -> Network:
    text = node.text()
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        pass
    try:
        wider = ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise node.error(
            f"found {text!r}, expected a network such as 10.20.0.0/16 or fd00:20::/32"
        ) from None
    raise node.error(f"{text!r} is an address in a network: did you mean {str(wider)!r}?")


_READERS: Readers = {
    "role": word_reader(ROLES),
    "stands_in_for": name_of,
    "paths": globs_of,
    "networks": _networks,
    "seen_as": _networks,
    "tokens": names_of,
    "isolation": word_reader(ISOLATIONS),
    "reinstated_by": word_reader(REINSTATEMENTS),
}


def _nothing_shared(written: dict[str, Node]) -> None:
    """What tells the site of a file, or of a name, tells one site."""
    _not_shared(written, "paths", "pattern", "a file describes one site")
    _not_shared(written, "tokens", "token", "names could match both")


def _not_shared(written: dict[str, Node], key: str, called: str, why: str) -> None:
    owners: dict[str, str] = {}
    for name, site in written.items():
        items = None if site.is_empty else site.get(key)
        for item in items.sequence() if items is not None else []:
            text = item.raw.removeprefix("./")
            owner = owners.setdefault(text.casefold() if key == "tokens" else text, name)
            if owner != name:
                raise item.error(
                    f"the {called} {text!r} belongs to the site {owner!r} already: {why}"
                )


def _known_original(name: str, node: Node, sites: dict[str, Node]) -> None:
    original = None if node.is_empty else node.get("stands_in_for")
    if original is None:
        return
    if original.raw == name:
        raise original.error(f"the site {name!r} cannot be its own stand-in")
    if original.raw not in sites:
        others = [other for other in sites if other != name]
        hint = not_among(original.raw, others) if others else "no other site is defined"
        raise original.error(f"unknown site {original.raw!r}: {hint}")


def _no_circles(sites: tuple[Site, ...], written: dict[str, Node]) -> None:
    """Refuse a circle of stand-ins with a site of role dr; others may stand in for each other."""
    by_name = {site.name: site for site in sites}
    for site in sites:
        passed = [site]
        while passed[-1].stands_in_for is not None:
            following = by_name[passed[-1].stands_in_for]
            if following == site and any(other.role == "dr" for other in passed):
                chain = " for ".join(other.name for other in (*passed, site))
                raise (
                    written[site.name]
                    .require("stands_in_for")
                    .error(f"the site {site.name!r} is its own stand-in through a chain: {chain}")
                )
            if following in passed:
                break
            passed.append(following)


def _with_original(site: Site, sites: tuple[Site, ...]) -> Site:
    """Return a site with its default for `stands_in_for`, if there is one DR and one production."""
    production = [other for other in sites if other.role == "production"]
    stand_ins = [other for other in sites if other.role == "dr"]
    if site.stands_in_for or stand_ins != [site] or len(production) != 1:
        return site
    return replace(site, stands_in_for=production[0].name)
