"""Files of requests: bodies and collections of Postman in JSON, `mq_commands` in YAML."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.language.base import Context, Parsed
from mqlint.language.objects.requests import (
    Request,
    RequestReader,
    command_of,
    queue_manager_in,
    request_of,
    requests_in,
)
from mqlint.language.objects.spelling import JSON, YAML
from mqlint.language.rest import AS_OBJECT, AS_TEXT
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node


def read(text: str, context: Context) -> Parsed:
    """Read a file of JSON: the bodies in it, and those that are the text of a request in it."""
    reader = RequestReader(context.vocabulary, context.budget, JSON)
    found: list[Request] = []
    for document in read_documents(text, context.budget):
        found += requests_in(document, text)
        for body, queue_manager in _bodies(document):
            mapped = body.mapped
            if mapped is not None and AS_TEXT in mapped.text:
                found += reader.inside(mapped, queue_manager, body.maybe)
    return reader.parsed(found)


def read_list(text: str, context: Context) -> Parsed:
    """Read a list `mq_commands`; the type of a request is added to each that has none."""
    reader = RequestReader(context.vocabulary, context.budget, YAML)
    found: list[Request] = []
    unfollowed: list[int] = []
    for document in read_documents(text, context.budget):
        for node in document.walk():
            if node.child("mq_commands") is not None:
                found += _listed(node, text)
                unfollowed += (
                    item.start
                    for item in node.entries("mq_commands")
                    if item.open and item.child("command") is None  # a merge key has it
                )
    parsed = reader.parsed(found)
    parsed.unfollowed = tuple(unfollowed)
    return parsed


def _listed(holder: Node, text: str) -> Iterator[Request]:
    for item in holder.entries("mq_commands"):
        if item.word("type") not in ("", AS_OBJECT):
            request = request_of(item, text)
            if request is not None:
                yield request
            continue
        command = command_of(item, text)
        if command is not None:
            yield Request(command, None, item.maybe)


def _bodies(document: Node) -> Iterator[tuple[Node, str | None]]:
    """Yield the texts that requests of Postman have for a body, with their queue manager."""
    for node in document.walk():
        body = node.get("body", "raw")
        if body is not None and body.kind == "scalar":
            address = node.get("url", "raw") or node.child("url")
            yield body, queue_manager_in(address.text) if address is not None else None
