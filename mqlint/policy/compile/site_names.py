"""Sites that a text names, by their tokens and addresses."""

from __future__ import annotations

from collections.abc import Iterable

from mqlint.config.settings import FoundSite, Site
from mqlint.model.core.value import hosts
from mqlint.patterns import later

_PATTERN = later(r"[0-9a-f.:*-]{1,60}")
_NUMERIC = later(r"[0-9.]++|[0-9a-f.]*+:[0-9a-f.:]*+")
_SIDES = ("production", "dr")


def roles(text: str, sites: Iterable[Site]) -> tuple[str, ...]:
    """Return the roles of the sites of which `text` contains a token or an address."""
    return tuple(sorted({site.role for site in _sites_named(text, sites)}))


def found_roles(text: str, sites: Iterable[FoundSite]) -> tuple[str, ...]:
    """Return the roles of the sites that alone have the queue manager, or hosts, of a text.

    None if the text has a host that no site has: clients may use that one. If only one site has
    hosts, a name of the DNS says nothing: it may be an alias that moves to the other site.
    """
    sites = tuple(sites)
    named = {address.split("(")[0] for address in hosts(text)}
    if not named <= {host for site in sites for host in site.hosts}:
        named = set()
    elif sum(bool(site.hosts) for site in sites) < len(_SIDES):
        named = {host for host in named if _NUMERIC.fullmatch(host)}
    known = {site.role for site in sites if text in site.names or not site.hosts.isdisjoint(named)}
    return tuple(sorted(known))


def sites_in(text: str, sites: Iterable[Site]) -> tuple[str, ...]:
    return tuple(sorted(site.name for site in _sites_named(text, sites)))


def _sites_named(text: str, sites: Iterable[Site]) -> list[Site]:
    sites, folded = tuple(sites), text.casefold()
    found = [site for site in sites if any(token.casefold() in folded for token in site.tokens)]
    if any(site.networks for site in sites):
        for address in hosts(text):
            found += _owners(address.split("(")[0], sites)
    return found


def _owners(host: str, sites: tuple[Site, ...]) -> list[Site]:
    """The sites of an address: of nested networks the narrowest decides."""
    from ipaddress import ip_address  # here, as few configurations have networks

    try:
        address = ip_address(host)
    except ValueError:
        return _owners_of_pattern(host, sites)
    fitting = [(net.prefixlen, site) for site in sites for net in site.networks if address in net]
    narrowest = max((length for length, _ in fitting), default=0)
    return [site for length, site in fitting if length == narrowest]


def _owners_of_pattern(text: str, sites: tuple[Site, ...]) -> list[Site]:
    """The sites of a pattern of an authentication record, if it fits only their addresses."""
    if _PATTERN.fullmatch(text) is None:
        return []
    from mqlint.chlauth.address import NoAddressError, TooManyError, network, pattern, union

    try:
        found = pattern(text)
        networks = [(site, network(str(net))) for site in sites for net in site.networks]
        common = [(site, net) for site, net in networks if not found.is_apart(net)]
        is_inside = found <= union(net for _, net in common)
    except (NoAddressError, TooManyError):
        return []
    return [site for site, _ in common] if is_inside else []
