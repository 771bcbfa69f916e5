"""The sites of an estate, as `mqlint.yaml` tells them: each alone, then all together."""

from __future__ import annotations

import ipaddress
from dataclasses import replace
from typing import TYPE_CHECKING

from mqlint.config.errors import choices, not_among
from mqlint.config.forms import (
    GLOBS,
    NAME,
    NAMES,
    PATHS,
    Key,
    listed,
    names,
    of_keys,
    or_nothing,
    read_by,
    read_keys,
    words,
)
from mqlint.config.node import Node
from mqlint.config.settings import (
    ISOLATIONS,
    REINSTATEMENTS,
    ROLES,
    Role,
    Site,
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
    node.keys_allowed(names(_SITE))
    if node.get("role") is None and name not in _NAMED_ROLES:
        raise node.key_error(
            f"the site {name!r} has no role: {choices(ROLES)} "
            "(only a site named production, prod or dr, test, development or dev needs none)"
        )
    return Site(**{"name": name, "role": _NAMED_ROLES.get(name), **read_keys(node, _SITE)})


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


_NETWORKS = listed(read_by(_network, NAME.schema))
_SITE = (
    Key("role", words(*ROLES), "What the site is for."),
    Key(
        "stands_in_for",
        NAME,
        "The site that this site takes over from. If only one DR site and one production site "
        "exist, this is the default.",
    ),
    Key("paths", GLOBS, PATHS),
    Key(
        "networks",
        _NETWORKS,
        "Networks of the site's hosts.",
        notes={"examples": [["10.20.0.0/16"]]},
    ),
    Key(
        "seen_as",
        _NETWORKS,
        "Addresses of this site as listeners see them, if NAT, MQIPT, a load balancer or the "
        "nodes of Kubernetes are between. Default: its networks.",
        notes={"examples": [["192.0.2.8/32"]]},
    ),
    Key("tokens", NAMES, "Text in names that marks objects of this site, such as PRD or DRS."),
    Key(
        "isolation",
        words(*ISOLATIONS),
        "What prevents the queue managers of this site from joining production: no network "
        "between the sites, production is ended before this site is started, CHLAUTH records "
        "refuse the other site, or all names differ.",
        notes={"default": "none"},
    ),
    Key(
        "reinstated_by",
        words(*REINSTATEMENTS),
        "How the site gets its queue managers: from scripts, from copied files, as backup queue "
        "managers, or by replication, where equal names are right.",
        notes={"default": "definitions"},
    ),
)
_ABOUT = {"description": "One place where queue managers run."}
SITES = read_by(
    sites_of,
    {"type": "object", "additionalProperties": {**or_nothing(of_keys(_SITE)), **_ABOUT}},
)


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
