"""The queue managers that applications call: by name, and by the addresses of their definitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from mqlint.engine.assemble import Assembly, Servers
from mqlint.engine.reading import Part
from mqlint.language.mqsc import Command, Templated, decode
from mqlint.model.core.key import QueueManagerKey
from mqlint.model.core.value import hosts

if TYPE_CHECKING:
    from mqlint.engine.links import Links


def received(part: Part) -> Iterator[str]:
    """Yield the `host(port)` of cluster-receivers, and of listeners that name their address."""
    for command in part.commands if part.role == "script" and not part.maybe else ():
        shape = command.form.shape
        if shape.verb != "DEFINE" or shape.noun not in ("CHANNEL", "LISTENER"):
            continue
        if shape.noun == "CHANNEL" and _value(command, "CHLTYPE").upper() == "CLUSRCVR":
            yield from hosts(_value(command, "CONNAME"))
        elif shape.noun == "LISTENER":
            host, port = _value(command, "IPADDR").strip(" *"), _value(command, "PORT")
            if host and port:
                yield f"{host.lower()}({port})"


def _value(command: Command, word: str) -> str:
    raw = command.get(word)
    return "" if raw is None or isinstance(raw, Templated) else decode(raw)


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
