"""The queue managers that applications call: by name, and by the addresses of their definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence, Set
from posixpath import basename
from typing import TYPE_CHECKING

from mqlint.engine.assembly.assemble import Assembly
from mqlint.engine.assembly.relations import Servers, host_of
from mqlint.language.declaration import LOOPBACK
from mqlint.model.core.key import QueueManagerKey

if TYPE_CHECKING:
    from mqlint.engine.assembly.links import Links


def find_servers(links: Mapping[str, Links], assembly: Assembly) -> Servers:
    """Return the queue managers with definitions here that applications may call.

    A host and port of several queue managers is left out.
    """
    names, wanted = called(links)
    if not (names or wanted):
        return Servers()
    found = sole(*offered(links, assembly, names, wanted))
    return found._replace(
        routes=_routes(links), tables=_tables(links), only=_only(links, assembly, names)
    )


def _only(
    links: Mapping[str, Links], assembly: Assembly, names: Set[str]
) -> QueueManagerKey | None:
    """The queue manager that all definitions are for, if no application names another one.

    In an inventory that may not be complete there may be more.
    """
    if not assembly.settings.inventory.objects:
        return None
    found = {
        key
        for path, entry in links.items()
        if entry.texts
        for key in assembly.owners(
            path, [address for address in entry.addresses if address.open_to != "server"]
        )
    }
    only = found.pop() if len(found) == 1 else None
    return None if only is None or only.anonymous or names - {only.name} else only


def _tables(links: Mapping[str, Links]) -> dict[str, tuple[str, ...]]:
    """The queue managers in channel tables by the name of the file, if one file has this name."""
    paths = [path for path, entry in links.items() if entry.tables]
    number = Counter(map(basename, paths))
    return {basename(path): links[path].tables for path in paths if number[basename(path)] == 1}


def _routes(links: Mapping[str, Links]) -> dict[str, tuple[str, str]]:
    """The routes of MQIPT by the port at which they listen; what several say is not known."""
    found: dict[str, tuple[str, str]] = {}
    for port, *known in (route for entry in links.values() for route in entry.routes):
        parts = tuple(known)
        before = found.get(port, parts)
        tls, seen_as = (a if a == b else "" for a, b in zip(before, parts, strict=True))
        found[port] = tls, seen_as
    return found


def called(links: Mapping[str, Links]) -> tuple[set[str], set[str]]:
    """Return the names of queue managers, and the hosts, that applications call."""
    found = {
        address
        for entry in links.values()
        for address in entry.addresses
        if address.open_to == "server"
    }
    names = {address.calls or address.name or "" for address in found}
    hosts = {host for address in found for host in address.hosts}
    return names - {""}, hosts | {host_of(host) for host in hosts}


def offered(
    links: Mapping[str, Links],
    assembly: Assembly,
    names: Container[str] | None = None,
    hosts: Container[str] | None = None,
) -> tuple[dict[str, list[QueueManagerKey]], dict[str, set[QueueManagerKey]]]:
    """Return the queue managers with definitions here: by name and by host, all without a list."""
    by_name: dict[str, dict[QueueManagerKey, None]] = {}
    by_host: dict[str, set[QueueManagerKey]] = {}
    for path in sorted(links):
        found = links[path]
        if not (found.texts or found.receives):
            continue
        own = {number for _, number in found.receives}
        texts = [
            address
            for number, address in enumerate(found.addresses)
            if address.open_to != "server" and (found.texts or number in own)
        ]
        for key in assembly.owners(path, texts):
            is_wanted = names is None or key.name in names
            if is_wanted and not key.anonymous:
                by_name.setdefault(key.name, {})[key] = None
        for host, number in found.receives:
            for key in assembly.owners(path, found.addresses[number : number + 1]):
                for name in (host, host_of(host)) if not key.anonymous else ():
                    if name not in LOOPBACK and (hosts is None or name in hosts):
                        by_host.setdefault(name, set()).add(key)
    return {name: [*keys] for name, keys in by_name.items()}, by_host


def sole(
    by_name: Mapping[str, Sequence[QueueManagerKey]], by_host: Mapping[str, set[QueueManagerKey]]
) -> Servers:
    """Return the servers without the hosts that several queue managers have."""
    return Servers(
        {name: tuple(keys) for name, keys in by_name.items() if keys},
        {host: min(keys) for host, keys in by_host.items() if len(keys) == 1},
    )
