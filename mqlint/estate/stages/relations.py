"""The relations between the documents of each repository, collected before they are judged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import Final

from mqlint.dataclass import NamedTuple
from mqlint.engine.assembly.addressing import Address
from mqlint.engine.assembly.composed import Compositions
from mqlint.engine.assembly.links import Links
from mqlint.engine.assembly.relate import related_assembly
from mqlint.engine.assembly.relations import (
    Feed,
    Owners,
    Relations,
    Servers,
    host_of,
)
from mqlint.engine.assembly.servers import called, offered
from mqlint.engine.document.codec import Codec
from mqlint.engine.document.unjudged import names_of_files
from mqlint.estate.stages.context import Job, worker_context
from mqlint.estate.stages.frame import Frame
from mqlint.estate.tables.batches import records, row_stage, schema_of
from mqlint.finding import Diagnostic
from mqlint.language.declaration import LOOPBACK
from mqlint.language.kubernetes.composed import Composition
from mqlint.language.kubernetes.deployments import Deployed
from mqlint.language.variables.inventory import Inventories, Inventory
from mqlint.model.core.key import QueueManagerKey


class LinksRow(NamedTuple):
    """What other documents of the repository may have to know of a document, as JSON, or blank.

    None for one that is not checked. `awaits` as of `DocumentRecord`.
    """

    repository: str
    path: str
    links: str | None
    awaits: str


class RelationsRow(NamedTuple):
    """The relations between the documents of a repository, as JSON.

    `calls` and `offers` are for other repositories: the names and hosts that applications call and
    that are not here, and the queue managers that are here, by name and by host. `names` are those
    of files that documents use and that are here, a slash between.
    """

    repository: str
    relations: str
    calls: str
    offers: str
    names: str


LINKS: Final = schema_of(LinksRow)
RELATIONS: Final = schema_of(RelationsRow)
BETWEEN: Final = Codec(
    *(Links, Address, Relations, Owners, Servers, Compositions, Composition, Feed),
    *(Diagnostic, QueueManagerKey, Inventories, Inventory, Deployed),
)
"""Packs links and relations."""
NONE: Final = Relations(shared=frozenset())
"""Documents that say nothing about each other."""
_NOTHING = "null"
"""The packed form of relations that say nothing."""


def relate(job: Job, links: Frame) -> Job:
    """Return the job with the relations between the documents of each repository, and names."""
    related = links.shuffled(["repository"], ["repository", "path"]).through(_relations(job))
    rows = list(records(related.batches(), RelationsRow))
    names = {row.repository: {*row.names.split("/")} - {""} for row in rows}
    return replace(job, relations=dict(_with_others(rows)), names=names)


def _with_others(rows: Sequence[RelationsRow]) -> Iterator[tuple[str, str]]:
    """The relations of each repository, with the queue managers of others that it calls.

    A name or a host that several of the others have says nothing.
    """
    names, hosts = _Offers(set), _Offers(set)
    wanted = {row.repository: BETWEEN.unpacked(row.calls) for row in rows}
    if any(absent or at for absent, at in wanted.values()):
        for row in rows:
            for offers, found in zip((names, hosts), BETWEEN.unpacked(row.offers), strict=True):
                for word, key in found:
                    offers[word].add(key)
    for row in rows:
        absent, at = wanted[row.repository]
        by_name = {name: tuple(names[name]) for name in absent if len(names[name]) == 1}
        by_host = {host: min(hosts[host]) for host in at if len(hosts[host]) == 1}
        if by_name or by_host:
            relations = _unpacked(row.relations)
            own = relations.servers
            servers = own._replace(
                by_name={**own.by_name, **by_name}, by_host={**own.by_host, **by_host}
            )
            yield row.repository, BETWEEN.packed(relations._replace(servers=servers))
        elif row.relations != _NOTHING:
            yield row.repository, row.relations


_Offers = defaultdict[str, set[QueueManagerKey]]
"""The queue managers with a name or at a host, in all repositories."""


def left_open(job: Job) -> list[str]:
    """Return sentences about MQSC whose queue manager is not known."""
    relations = (_unpacked(packed) for _, packed in sorted(job.relations.items()))
    return [text for found in relations for text in found.owners.left_open]


def _unpacked(packed: str) -> Relations:
    relations: Relations = NONE if packed == _NOTHING else BETWEEN.unpacked(packed)
    return relations


@row_stage(LinksRow, RELATIONS)
def _relations(given: Iterable[LinksRow], job: Job) -> Iterator[RelationsRow]:
    """LINKS, sorted, to RELATIONS: a row for each repository where there is something to know."""
    context = worker_context(job.setup)
    for repository, members in groupby(given, key=attrgetter("repository")):
        rows = list(members)
        links = {row.path: _unpacked_links(row.links) for row in rows if row.links is not None}
        used = {name for row in rows for name in row.awaits.split("/")}
        here = names_of_files(row.path for row in rows) & used if used != {""} else ()
        settings = context.of(repository).setup.settings
        assembly = related_assembly(settings, context.vocabulary, links, repository)
        relations = assembly.relations
        packed = BETWEEN.packed(relations) if _says_something(relations) else _NOTHING
        by_name, by_host = offered(links, assembly)
        names, hosts = called(links)
        elsewhere = {host for host in hosts if host_of(host) not in LOOPBACK}
        absent = [
            sorted(names - relations.servers.by_name.keys()),
            sorted(elsewhere - relations.servers.by_host.keys()),
        ]
        offers = [
            sorted((word, key) for word, keys in found.items() for key in keys)
            for found in (by_name, by_host)
        ]
        others = BETWEEN.packed(absent), BETWEEN.packed(offers)
        yield RelationsRow(repository, packed, *others, "/".join(sorted(here)))


def _unpacked_links(packed: str) -> Links:
    links: Links = BETWEEN.unpacked(packed) if packed else Links()
    return links


def _says_something(value: object) -> bool:
    """Whether a field of relations, or of what they hold, is not empty."""
    if isinstance(value, (Relations, Owners, Servers, Compositions)):
        return any(map(_says_something, value))
    return bool(value)
