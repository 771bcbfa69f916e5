"""What the documents of each repository say about each other: gathered before they are judged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import astuple, replace
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple

from mqlint.engine.assemble import Address, OpenTo, Owners, Relations, Servers
from mqlint.engine.links import Links
from mqlint.engine.relate import related_assembly
from mqlint.estate.stages.context import Job, worker_context
from mqlint.estate.stages.frame import Frame
from mqlint.estate.tables.batches import Batches, Given, Stage, batches, records, schema_of
from mqlint.model.core.key import QueueManagerKey


class LinksRow(NamedTuple):
    """What other documents of the repository may have to know of a document, as JSON."""

    repository: str
    path: str
    links: str


class RelationsRow(NamedTuple):
    """What the documents of a repository say about each other, as JSON."""

    repository: str
    relations: str


LINKS: Final = schema_of(LinksRow)
RELATIONS: Final = schema_of(RelationsRow)
NONE: Final = Relations(shared=frozenset())
"""Documents that say nothing about each other."""


def relate(job: Job, links: Frame) -> Job:
    """Return the job with what the documents of each repository say about each other."""
    related = links.shuffled(["repository"], ["repository", "path"]).through(
        _relations(job), RELATIONS
    )
    rows = records(related.batches(), RelationsRow)
    return replace(job, relations={row.repository: row.relations for row in rows})


def left_open(job: Job) -> list[str]:
    """Return what is not known of whose MQSC it is, in sentences."""
    relations = (unpack_relations(packed) for _, packed in sorted(job.relations.items()))
    return [text for found in relations for text in found.owners.left_open]


def _relations(job: Job) -> Stage:
    """LINKS, sorted, to RELATIONS: a row for each repository where there is something to know."""

    def stage(given: Given) -> Batches:
        return batches(_related(given, job), RELATIONS)

    return stage


def _related(given: Given, job: Job) -> Iterator[RelationsRow]:
    context = worker_context(job.setup)
    for repository, members in groupby(records(given, LinksRow), key=attrgetter("repository")):
        links = {row.path: unpack_links(row.links) for row in members}
        settings = context.of(repository).setup.settings
        relations = related_assembly(settings, context.vocabulary, links, repository).relations
        known = (relations.wired, relations.namesakes, relations.shared)
        if any((*known, *relations.owners, *relations.servers)):
            yield RelationsRow(repository, pack_relations(relations))


def pack_links(links: Links) -> str:
    """Return what `unpack_links` makes links of."""
    values = (links.fed, links.wired, sorted(links.shared), links.creates, links.texts)
    return json.dumps([*values, links.addresses, links.receives])


def unpack_links(packed: str) -> Links:
    """Return the links that `pack_links` made `packed` of."""
    fed, wired, shared, creates, texts, addresses, receives = json.loads(packed)
    return Links(
        _pairs(fed),
        _pairs(wired),
        frozenset(_pairs(shared)),
        tuple(creates),
        tuple(texts),
        tuple(_address(*address) for address in addresses),
        _pairs(receives),
    )


def pack_relations(relations: Relations) -> str:
    """Return what `unpack_relations` makes relations of."""
    namesakes = [(astuple(key), parent) for key, parent in relations.namesakes.items()]
    shared = None if relations.shared is None else sorted(relations.shared)
    by_name, by_host = relations.servers
    servers = [
        sorted((name, [astuple(key) for key in keys]) for name, keys in by_name.items()),
        sorted((host, astuple(key)) for host, key in by_host.items()),
    ]
    return json.dumps([relations.wired, sorted(namesakes), relations.owners, shared, servers])


def unpack_relations(packed: str) -> Relations:
    """Return the relations that `pack_relations` made `packed` of."""
    wired, namesakes, owners, shared, (by_name, by_host) = json.loads(packed)
    return Relations(
        [(manifest, entry, name) for manifest, entry, name in wired],
        {QueueManagerKey(*key): parent for key, parent in namesakes},
        Owners(*owners),
        None if shared is None else frozenset(_pairs(shared)),
        Servers(
            {name: tuple(QueueManagerKey(*key) for key in keys) for name, keys in by_name},
            {host: QueueManagerKey(*key) for host, key in by_host},
        ),
    )


def _address(
    name: str | None, model: str, entry: str, open_to: OpenTo, calls: str, hosts: list[str]
) -> Address:
    return Address(name, model, entry, open_to, calls, tuple(hosts))


def _pairs(given: list[list[Any]]) -> tuple[tuple[Any, Any], ...]:
    return tuple((first, second) for first, second in given)
