"""The relations between the documents of each repository, collected before they are judged."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, replace
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from mqlint.dataclass import NamedTuple
from mqlint.engine.addressing import Address, OpenTo
from mqlint.engine.assemble import Owners, Relations, Servers
from mqlint.engine.composed import Compositions
from mqlint.engine.links import Links
from mqlint.engine.relate import related_assembly
from mqlint.engine.servers import called, offered
from mqlint.estate.stages.context import Job, worker_context
from mqlint.estate.stages.frame import Frame
from mqlint.estate.tables.batches import records, row_stage, schema_of
from mqlint.finding import Diagnostic
from mqlint.language.kubernetes.composed import Composition
from mqlint.model.core.key import QueueManagerKey


class LinksRow(NamedTuple):
    """What other documents of the repository may have to know of a document, as JSON."""

    repository: str
    path: str
    links: str


class RelationsRow(NamedTuple):
    """The relations between the documents of a repository, as JSON.

    `calls` and `offers` are for other repositories: the names and hosts that applications call and
    that are not here, and the queue managers that are here, by name and by host.
    """

    repository: str
    relations: str
    calls: str
    offers: str


LINKS: Final = schema_of(LinksRow)
RELATIONS: Final = schema_of(RelationsRow)
NONE: Final = Relations(shared=frozenset())
"""Documents that say nothing about each other."""
_NOTHING = "null"
"""The packed form of relations that say nothing."""


def relate(job: Job, links: Frame) -> Job:
    """Return the job with the relations between the documents of each repository."""
    related = links.shuffled(["repository"], ["repository", "path"]).through(_relations(job))
    rows = list(records(related.batches(), RelationsRow))
    return replace(job, relations=dict(_with_others(rows)))


def _with_others(rows: Sequence[RelationsRow]) -> Iterator[tuple[str, str]]:
    """The relations of each repository, with the queue managers of others that it calls.

    A name or a host that several of the others have says nothing.
    """
    names, hosts = _Offers(), _Offers()
    wanted = {row.repository: json.loads(row.calls) for row in rows}
    if any(absent or at for absent, at in wanted.values()):
        for row in rows:
            for offers, found in zip((names, hosts), json.loads(row.offers), strict=True):
                for word, key in found:
                    offers[word].add(QueueManagerKey(*key))
    for row in rows:
        absent, at = wanted[row.repository]
        by_name = {name: tuple(names[name]) for name in absent if len(names[name]) == 1}
        by_host = {host: min(hosts[host]) for host in at if len(hosts[host]) == 1}
        if by_name or by_host:
            relations = NONE if row.relations == _NOTHING else unpack_relations(row.relations)
            own = relations.servers
            servers = Servers({**own.by_name, **by_name}, {**own.by_host, **by_host}, own.routes)
            yield row.repository, pack_relations(relations._replace(servers=servers))
        elif row.relations != _NOTHING:
            yield row.repository, row.relations


class _Offers(defaultdict[str, set[QueueManagerKey]]):
    """The queue managers with a name or at a host, in all repositories."""

    def __init__(self) -> None:
        super().__init__(set)


def left_open(job: Job) -> list[str]:
    """Return sentences about MQSC whose queue manager is not known."""
    relations = (unpack_relations(packed) for _, packed in sorted(job.relations.items()))
    return [text for found in relations for text in found.owners.left_open]


@row_stage(LinksRow, RELATIONS)
def _relations(given: Iterable[LinksRow], job: Job) -> Iterator[RelationsRow]:
    """LINKS, sorted, to RELATIONS: a row for each repository where there is something to know."""
    context = worker_context(job.setup)
    for repository, members in groupby(given, key=attrgetter("repository")):
        links = {row.path: unpack_links(row.links) for row in members}
        settings = context.of(repository).setup.settings
        assembly = related_assembly(settings, context.vocabulary, links, repository)
        relations = assembly.relations
        known = (relations.wired, relations.namesakes, relations.shared, relations.joined)
        has_relations = any((*known, *relations.owners, *relations.servers, *relations.composed))
        packed = pack_relations(relations) if has_relations else _NOTHING
        by_name, by_host = offered(links, assembly)
        names, hosts = called(links)
        absent = [
            sorted(names - relations.servers.by_name.keys()),
            sorted(hosts - relations.servers.by_host.keys()),
        ]
        offers = [
            sorted((word, astuple(key)) for word, keys in found.items() for key in keys)
            for found in (by_name, by_host)
        ]
        yield RelationsRow(repository, packed, json.dumps(absent), json.dumps(offers))


def pack_links(links: Links) -> str:
    """Return what `unpack_links` makes links of."""
    values = (links.fed, links.wired, sorted(links.shared), links.creates, links.texts)
    return json.dumps([*values, links.addresses, links.receives, links.routes, links.resources])


def unpack_links(packed: str) -> Links:
    """Return the links that `pack_links` made `packed` of."""
    fed, wired, shared, creates, texts, addresses, receives, routes, joins = json.loads(packed)
    return Links(
        _pairs(fed),
        _pairs(wired),
        frozenset(_pairs(shared)),
        tuple(creates),
        tuple(texts),
        tuple(_address(*address) for address in addresses),
        _pairs(receives),
        tuple((port, tls, seen_as) for port, tls, seen_as in routes),
        joins,
    )


def pack_relations(relations: Relations) -> str:
    """Return what `unpack_relations` makes relations of."""
    namesakes = [(astuple(key), parent) for key, parent in relations.namesakes.items()]
    shared = None if relations.shared is None else sorted(relations.shared)
    by_name, by_host, routes = relations.servers
    servers = [
        sorted((name, [astuple(key) for key in keys]) for name, keys in by_name.items()),
        sorted((host, astuple(key)) for host, key in by_host.items()),
        sorted(routes.items()),
    ]
    joined = {path: [*map(astuple, found)] for path, found in relations.joined.items()}
    values = (relations.wired, sorted(namesakes), relations.owners, shared, servers)
    return json.dumps([*values, joined, _pack_composed(relations.composed)])


def unpack_relations(packed: str) -> Relations:
    """Return the relations that `pack_relations` made `packed` of."""
    wired, namesakes, owners, shared, servers, joined, composed = json.loads(packed)
    by_name, by_host, routes = servers
    return Relations(
        [(manifest, entry, name) for manifest, entry, name in wired],
        {QueueManagerKey(*key): parent for key, parent in namesakes},
        Owners(*owners),
        None if shared is None else frozenset(_pairs(shared)),
        Servers(
            {name: tuple(QueueManagerKey(*key) for key in keys) for name, keys in by_name},
            {host: QueueManagerKey(*key) for host, key in by_host},
            {port: (tls, seen_as) for port, (tls, seen_as) in routes},
        ),
        {path: tuple(Diagnostic(*fault) for fault in found) for path, found in joined.items()},
        _unpack_composed(*composed),
    )


def _pack_composed(composed: Compositions) -> list[Any]:
    made, settled, texts, undecided = composed
    by_path = [(path, [*by_offset.items()]) for path, by_offset in texts.items()]
    return [[*made.values()], [*settled.items()], by_path, undecided]


def _unpack_composed(
    made: list[Any], settled: list[Any], texts: list[Any], undecided: list[str]
) -> Compositions:
    return Compositions(
        {root: Composition(root, _pairs(files)) for root, files in made},
        {path: tuple((code, start, end) for code, start, end in found) for path, found in settled},
        {path: {offset: _pairs(found) for offset, found in owned} for path, owned in texts},
        tuple(undecided),
    )


def _address(
    name: str | None, model: str, entry: str, open_to: OpenTo, calls: str, hosts: list[str]
) -> Address:
    return Address(name, model, entry, open_to, calls, tuple(hosts))


def _pairs(given: list[list[Any]]) -> tuple[tuple[Any, Any], ...]:
    return tuple((first, second) for first, second in given)
