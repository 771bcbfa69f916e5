"""What is known of the queue managers, and of the routes to them, that an application calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mqlint.engine.assembly.addressing import Address
from mqlint.engine.assembly.relations import Servers, host_of
from mqlint.language.declaration import Declared, FieldValue
from mqlint.model.core.key import QueueManagerKey
from mqlint.model.core.value import UNKNOWN, addresses

PLACED_AT: Final = "client.placed.at"
"""The field with the site of an application, also one that is guessed from its path."""
_SHOWN = 20
"""Limit of the queue managers of a channel table that are named."""


def known_of_servers(
    declared: Declared, servers: Servers, site: str
) -> Iterator[tuple[str, FieldValue]]:
    """Yield the fields of a connection that other documents decide; `site` is the application's.

    They are the site, the route of MQIPT with a port that is called, the queue managers of
    addresses, and those of a channel table that does not have the one that the application names.
    """
    if site:
        yield PLACED_AT, site
    named, hosts, table = (declared.value(word) for word in ("QMNAME", "CONNAME", "ccdt"))
    name = named if isinstance(named, str) else ""
    if isinstance(table, str) and "http" not in table:
        names = servers.tables.get(table.rpartition("/")[2].rpartition(":")[2])
        if names and name.strip("* ") and name.removeprefix("*") not in names:
            more = [f"{len(names) - _SHOWN:,} more"] if len(names) > _SHOWN else []
            yield "ccdt.names", (*names[:_SHOWN], *more)
    if hosts is None or hosts is UNKNOWN:
        return
    called = addresses(hosts)
    keys = [servers.by_host.get(host) for host in called]
    is_near = any(key is not None and key.site == site for key in keys)
    yield "called.own.site", "yes" if is_near else "no"
    if declared.field("listener.port") is not None:
        return
    yield from _route(servers, called)
    if keys and keys[0] is not None and len({*keys}) == 1:
        yield "called.name", keys[0].name
    others = dict.fromkeys(key.name for key in keys if key is not None and key.name != name)
    if others and len({*keys}) > 1 and name and not name.startswith("*"):
        yield "called.others", tuple(others)


def _route(servers: Servers, called: Iterable[str]) -> Iterator[tuple[str, FieldValue]]:
    ports = (host.rpartition("(")[2].rstrip(")") for host in called)
    found = {servers.routes[port] for port in ports if port in servers.routes}
    if found:
        parts = found.pop() if len(found) == 1 else ("", "")
        tls, seen_as = (part or UNKNOWN for part in parts)
        yield "via.tls", tls
        yield "via.seen_as", seen_as


def answering(
    servers: Servers, address: Address, *, is_whole: bool
) -> Sequence[QueueManagerKey] | None:
    """Return the queue managers at the addresses that an application calls.

    An application that may use any queue manager calls all those of a list. Empty if it calls none
    that is known, and names none; None if the name that it gives decides. `is_whole`: no queue
    manager is left out, so a host alone tells which one it is.
    """
    by_host = servers.by_host
    at = {by_host.get(host) for host in address.hosts if "." in host_of(host)}
    sole = at.pop() if len(at) == 1 else None
    if address.calls and sole is not None:
        return [sole]  # whatever name the application gives
    if address.calls and address.calls in servers.by_name:
        return None
    by_name = is_whole and not address.calls
    found = dict.fromkeys(
        by_host.get(host) or (by_host.get(host_of(host)) if by_name else None)
        for host in address.hosts
    )
    keys = [key for key in found if key is not None]
    if keys and len(keys) == len(found):
        return keys
    if address.name is not None or address.calls:
        return None
    return [servers.only] if address.is_unnamed and servers.only else []
