"""Kubernetes resources, channel tables and JMSAdmin commands in scripts: `oc apply -f - <<EOF`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from mqlint.language.base import Parsed
from mqlint.language.client.signs import FACTORY, is_channel_table
from mqlint.language.embedding import declared_in, model_in, reported_in
from mqlint.language.script.command import Command
from mqlint.language.script.step import Embedded
from mqlint.language.text.mapped import MappedText
from mqlint.patterns import later
from mqlint.source.budget import Budget

_RESOURCE = later(
    r"^[ \t]{0,12}(?:- )?kind:[ \t]*[\"']?(?:ConfigMap|Secret|List|QueueManager)\b", re.MULTILINE
)


def in_resources(
    command: Command, source: MappedText, budget: Budget, *, maybe: bool
) -> Parsed | None:
    """Return the content of the resources in a command's here-document, None if it has none.

    Channel tables of clients in JSON and commands of JMSAdmin count too. `source` maps the script
    to its file, and `maybe` says whether the script may not run.
    """
    body = command.here.body if command.here is not None else None
    if body is None:
        return None
    if _RESOURCE.search(body.text) is None and not _runs_queue_manager(body.text):
        if FACTORY.search(body.text) is not None:
            return _factories(body.within(source))
        return _table(body.within(source), budget) if is_channel_table(body.text) else None
    return read_resources(body.within(source), budget, maybe=maybe or command.maybe)


def read_resources(body: MappedText, budget: Budget, *, maybe: bool) -> Parsed:
    """Return the content of resources, or of a channel table, inside another file."""
    if is_channel_table(body.text):
        return _table(body, budget)
    from mqlint.language.kubernetes.manifest import parse_manifest  # only for scripts that hold one

    found = parse_manifest(body.text, budget).parsed()
    found.embedded = [*_moved(found.embedded, body, maybe)]
    return _placed(found, body)


def _placed(found: Parsed, outer: MappedText) -> Parsed:
    """Return declarations and faults at their places in the file."""
    found.declared = tuple(declared_in(declared, outer) for declared in found.declared)
    found.diagnostics = [reported_in(fault, outer) for fault in found.diagnostics]
    return found


def _runs_queue_manager(text: str) -> bool:
    return "MQ_QMGR_NAME" in text and "containers:" in text


def _table(body: MappedText, budget: Budget) -> Parsed:
    """The content of a channel table of clients."""
    from mqlint.language.client.ccdt import parse_ccdt  # only for scripts that hold one

    return _placed(parse_ccdt(body.text, budget), body)


def _factories(body: MappedText) -> Parsed:
    """The factories and destinations of JMS that a script gives to JMSAdmin."""
    from mqlint.language.client.jmsadmin import connections_of_objects  # as above

    return _placed(Parsed(declared=tuple(connections_of_objects(body.text))), body)


def _moved(inner: Iterable[Embedded], outer: MappedText, maybe: bool) -> Iterator[Embedded]:
    """The documents at their places in the file, and apart from those of other resources."""
    for embedded in inner:
        mapped = MappedText(embedded.text, embedded.segments, embedded.end).within(outer)
        yield replace(
            embedded,
            segments=mapped.segments,
            end=mapped.end,
            execution=replace(embedded.execution, maybe=True) if maybe else embedded.execution,
            model=model_in(embedded.model, outer),
        )
