"""The faults of a configuration of a cluster manager, whichever of them it is.

Source: Veritas, "Cluster Server Administrator's Guide": a group starts on systems of its
SystemList, and a resource starts after those that it requires. Of a list only its words count.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.finding import Diagnostic, diagnostic
from mqlint.language.base import Context, Parsed
from mqlint.language.failover.pacemaker import cib_faults, cluster_faults
from mqlint.language.failover.resources import Resource
from mqlint.patterns import headed, later
from mqlint.source.lines import Span

# -- Veritas ---------------------------------------------------------------------------------------


_GROUP = later(r"(?m)^[ \t]*group[ \t]+([\w.-]{1,100})[ \t]*\(")
_RESOURCE = later(r"(?m)^[ \t]*([A-Z]\w{0,60})[ \t]+([\w.@-]{1,100})[ \t]*\(([^()]{0,4000})\)")
_REQUIRES = later(r"(?m)^[ \t]*([\w.@-]{1,100})[ \t]+requires[ \t]+([\w.@-]{1,100})")
_LIST = later(r"\b(SystemList|AutoStartList)[ \t]*=[ \t]*\{([^{}]{0,2000})\}")
_WORD = later(r"[A-Za-z_][\w.-]*")


def main_faults(text: str) -> Iterator[Diagnostic]:
    for group, end in headed(_GROUP, text):
        start, resources = group.start(), {}
        for found in _RESOURCE.finditer(text, start, end):
            resources[found[2]] = Resource(found[2], found[1], found[3], found.span(2))
        managers = [resource for resource in resources.values() if resource.is_queue_manager]
        if managers:
            yield from _systems(text, start, end)
            yield from _dependencies(text, start, end, resources, managers)


def _systems(text: str, start: int, end: int) -> Iterator[Diagnostic]:
    """Yield the systems on which a group starts and that it may not run on."""
    lists = {found[1]: found.span(2) for found in _LIST.finditer(text, start, end)}
    if len(lists) < 2:
        return
    may_run = {word[0] for word in _WORD.finditer(text, *lists["SystemList"])}
    for word in _WORD.finditer(text, *lists["AutoStartList"]):
        if word[0] not in may_run:
            yield diagnostic("failover-system", word.span(), name=word[0])


def _dependencies(
    text: str, start: int, end: int, resources: dict[str, Resource], managers: list[Resource]
) -> Iterator[Diagnostic]:
    """Yield the queue managers that require no file system, although the group has one."""
    requires: dict[str, set[str]] = {}
    places: dict[str, Span] = {}
    for found in _REQUIRES.finditer(text, start, end):
        requires.setdefault(found[1], set()).add(found[2])
        places[found[1]] = found.span()
    storage = [resource.name for resource in resources.values() if resource.is_storage]
    for manager in managers if storage else ():
        if not _reached(manager.name, requires).intersection(storage):
            span = places.get(manager.name, manager.span)
            yield diagnostic("failover-order", span, name=manager.name, storage=storage[0])


def _reached(name: str, requires: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for other in requires.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def read(text: str, context: Context) -> Parsed:
    del context
    if "SystemList" in text:
        return Parsed(diagnostics=[*main_faults(text)])
    faults = cib_faults(text) if "<primitive" in text else cluster_faults(text)
    return Parsed(diagnostics=[*faults])
