"""The queue managers that applications call: by name, and by the addresses of their definitions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mqlint.engine.assemble import Assembly, Servers
from mqlint.model.core.key import QueueManagerKey

if TYPE_CHECKING:
    from mqlint.engine.links import Links


def find_servers(links: Mapping[str, Links], assembly: Assembly) -> Servers:
    """Return the queue managers with definitions here that applications may call.

    A host and port that several have says nothing.
    """
    called = {
        address
        for found in links.values()
        for address in found.addresses
        if address.open_to == "server"
    }
    if not called:
        return Servers()
    names = {address.calls or address.name for address in called}
    wanted = {host for address in called for host in address.hosts}
    by_name: dict[str, list[QueueManagerKey]] = {}
    by_host: dict[str, set[QueueManagerKey]] = {}
    for path in sorted(links):
        found = links[path]
        if not found.texts:
            continue
        keys = assembly.keys(path, found.addresses)
        for key, address in zip(keys, found.addresses, strict=True):
            same = by_name.setdefault(key.name, [])
            is_server = not key.anonymous and address.open_to != "server"
            if is_server and key.name in names and key not in same:
                same.append(key)
        for host, number in found.receives:
            if host in wanted and not keys[number].anonymous:
                by_host.setdefault(host, set()).add(keys[number])
    return Servers(
        {name: tuple(keys) for name, keys in by_name.items() if keys},
        {host: min(keys) for host, keys in by_host.items() if len(keys) == 1},
    )
