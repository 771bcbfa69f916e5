"""Hosts and names of queue managers by the role of the only site whose files have them.

A connection that leads there leads to that site.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from mqlint.config.settings import FoundSite, Role, Settings, SettingsAndSites, Site
from mqlint.engine.assembly.relations import host_of
from mqlint.patterns import later

if TYPE_CHECKING:
    from mqlint.engine.assembly.assemble import Assembly
    from mqlint.engine.assembly.links import Links

_OF_ITSELF = later(r"localhost$|127[.]|::1$|0[.]0[.]0[.]0$|.*[.]svc(?:[.]cluster[.]local)?$")
"""Hosts that are another one at each site."""
_ADDRESS = later(r"[0-9.]+$|[0-9a-f.]*:[0-9a-f:.]*$")
_DOTS = 2
"""Dots in a host that a manifest has, if it may be one of a domain: `mq` and `mq.pay` are services.

Services of Compose and of Kubernetes are others in each network, so at each site.
"""
_NAME = "="
"""Before the name of a queue manager, among hosts."""


def find_sites(
    links: Mapping[str, Links], assembly: Assembly, named: Iterable[tuple[Site, str]]
) -> Mapping[Role, Sequence[str]]:
    """Return hosts and names that queue managers of one role alone have, by that role.

    `named` are the names of queue managers with their sites. MQSC of no site may be for each site.
    """
    placement = assembly.placement
    roles: dict[str, set[Role | None]] = defaultdict(set)
    for site, name in named:
        roles[f"{_NAME}{name}"].add(site.role)
    for path, found in links.items() if roles else ():
        place = placement.site_of(path)
        role = place.site.role if place is not None else None
        if place is None and found.texts:
            for key in assembly.owners(path, found.addresses):
                if placement.site_named(key.name) is None:
                    roles[f"{_NAME}{key.name}"].add(None)
        for address, _ in found.receives if place is not None or found.texts else ():
            host = host_of(address).casefold()
            if not found.resources or host.count(".") >= _DOTS:
                roles[host].add(role)
    hosts: dict[Role, list[str]] = defaultdict(list)
    for host, of in sorted(roles.items()):
        role = min(of, key=str)
        if len(of) == 1 and role is not None and not _OF_ITSELF.match(host):
            hosts[role].append(host)
    return dict(hosts)


def with_sites(settings: Settings, hosts: Mapping[Role, Sequence[str]]) -> Settings:
    """Return the settings with the sites that have these hosts."""
    keys = {key.name: getattr(settings, key.name) for key in fields(Settings)}
    sites = tuple(_site(role, found) for role, found in sorted(hosts.items()))
    return SettingsAndSites(**keys, found=sites)


def _site(role: Role, hosts: Sequence[str]) -> FoundSite:
    from ipaddress import ip_network  # here, as few projects have several sites

    names = frozenset(host[len(_NAME) :] for host in hosts if host.startswith(_NAME))
    hosts = [host for host in hosts if not host.startswith(_NAME)]
    networks = []
    for host in hosts:
        if _ADDRESS.match(host):
            try:
                networks.append(ip_network(host))
            except ValueError:  # 10.1 is a name, if it is anything
                continue
    twin = "production" if role == "dr" else None
    return FoundSite(
        role, role, twin, networks=tuple(networks), hosts=frozenset(hosts), names=names
    )
