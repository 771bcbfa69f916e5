"""Requests of the administrative REST API that hold MQSC, in any file.

Source: IBM's pages "POST - JSON formatted command" and "POST - plain text MQSC command", for
/admin/action/qmgr/{qmgrName}/mqsc.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from urllib.parse import unquote

from mqlint.dataclass import frozen, mutable
from mqlint.finding import Diagnostic
from mqlint.language.base import Parsed
from mqlint.language.objects.command import ObjectCommand, attributes_of, text_of
from mqlint.language.rest import AS_OBJECT, AS_TEXT
from mqlint.language.script.step import Embedded, ShellScript
from mqlint.language.text.mapped import MappedText, joined
from mqlint.language.text.templates import is_known, with_placeholders
from mqlint.language.yaml.embedded_mqsc import CONDITIONS
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.patterns import later
from mqlint.source.budget import Budget
from mqlint.source.lines import Span
from mqlint.vocabulary import Vocabulary

_RESOURCE = later(r"/admin/action/qmgr/([^/?#\s\"']{1,200})/mqsc\b")
_NAME = later(r"[A-Za-z0-9._/%]{1,48}")
_END = "END"


@frozen
class Request:
    """One command of MQSC that a request asks for: as a text, or as an object."""

    command: ObjectCommand | MappedText
    queue_manager: str | None = None
    maybe: bool = False


def queue_manager_in(address: str) -> str | None:
    """Return the queue manager that the address of a request names; None for no such address."""
    found = _RESOURCE.search(address)
    if found is None:
        return None
    name = unquote(found[1])
    return name if is_known(with_placeholders(name)) and _NAME.fullmatch(name) else None


def request_of(
    body: Node, text: str, queue_manager: str | None = None, *, maybe: bool = False
) -> Request | None:
    """Return the command of a mapping, if it is the body of such a request.

    The places of the mapping are offsets of `text`.
    """
    kind, maybe = body.word("type"), maybe or body.maybe
    if kind == AS_TEXT:
        written = text_of(body.get("parameters", "command"))
        return None if written is None else Request(written, queue_manager, maybe)
    if kind != AS_OBJECT:
        return None
    found = command_of(body, text)
    return None if found is None else Request(found, queue_manager, maybe)


def command_of(body: Node, text: str) -> ObjectCommand | None:
    """Return the command that a mapping with `command`, `qualifier` and `name` is."""
    verb = text_of(body.child("command"))
    if verb is None or not verb.text.strip() or verb.text.strip().upper() == _END:
        return None
    parameters = body.child("parameters")
    display = verb.text.lower().startswith("dis")
    asked = body.entries("responseParameters")
    return ObjectCommand(
        verb,
        text_of(body.child("qualifier")),
        text_of(body.child("name")),
        () if display else tuple(attributes_of(parameters, text)),
        tuple(word for node in asked if (word := text_of(node)) is not None),
        open=body.open or (parameters is not None and (parameters.open or not parameters.known)),
    )


def requests_in(document: Node, text: str) -> Iterator[Request]:
    """Yield the requests in a document: bodies, and what Postman and Ansible's `uri` hold."""
    waiting: list[tuple[Node, str | None, bool]] = [(document, None, False)]
    while waiting:
        node, queue_manager, maybe = waiting.pop()
        maybe = maybe or node.maybe or any(key in CONDITIONS for key in node.pairs.names())
        queue_manager = _addressed(node) or queue_manager
        request = request_of(node, text, queue_manager, maybe=maybe)
        if request is not None:
            yield request
            continue
        waiting += ((item, queue_manager, maybe) for item in reversed(node.items))
        waiting += ((value, queue_manager, maybe) for value in reversed(node.pairs.values()))


def _addressed(node: Node) -> str | None:
    """The queue manager that the address of a request names."""
    for path in (("url",), ("url", "raw"), ("uri",)):
        address = node.get(*path)
        if address is not None and address.kind == "scalar":
            return queue_manager_in(address.text)
    return None


@mutable
class RequestReader:
    """Turns requests into documents of MQSC.

    `secrets` are values that no report may show. `diagnostics` are about repeated keys. `spelling`
    is the form of the attributes in the file. `apart`: the commands for no queue manager are for
    one of their own.
    """

    vocabulary: Vocabulary
    budget: Budget
    spelling: str
    apart: bool = False
    secrets: list[Span] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def inside(self, body: MappedText, queue_manager: str | None, maybe: bool) -> Iterable[Request]:
        """Return the requests in a text that is itself a document of JSON."""
        covered = with_placeholders(body.text)
        for document in read_documents(covered, self.budget):
            for request in requests_in(document, covered):
                yield Request(
                    request.command.within(body),
                    request.queue_manager or queue_manager,
                    maybe or request.maybe,
                )

    def parsed(self, requests: Iterable[Request]) -> Parsed:
        """Return a file of requests."""
        embedded = tuple(self.embedded(requests))
        script = ShellScript((), embedded, tuple(self.secrets))
        return Parsed(script=script, diagnostics=self.diagnostics)

    def embedded(self, requests: Iterable[Request]) -> Iterator[Embedded]:
        """Yield the MQSC of requests; successive ones for one queue manager are one text."""
        groups: dict[tuple[str | None, bool, str], list[MappedText]] = {}
        for request in requests:
            command, spelling = request.command, ""
            if isinstance(command, ObjectCommand):
                self.secrets += command.secrets(self.vocabulary)
                self.diagnostics += command.repeated()
                command, spelling = command.mqsc(self.vocabulary), self.spelling
            if command.text.strip():
                group = (request.queue_manager, request.maybe, spelling)
                groups.setdefault(group, []).append(command)
        for (queue_manager, maybe, spelling), commands in groups.items():
            text = joined(commands, "\n")
            model = f"#{text.host(0)}" if self.apart and not queue_manager else ""
            yield Embedded.of(
                "mqsc", text, queue_manager, maybe=maybe, model=model, spelling=spelling
            )


def expanded(
    inner: Embedded, vocabulary: Vocabulary, budget: Budget
) -> tuple[tuple[Embedded, ...], RequestReader]:
    """Return the MQSC of the requests in a text inside another, and what read them."""
    reader = RequestReader(vocabulary, budget, inner.spelling)
    body = MappedText(inner.text, inner.segments, inner.end)
    requests = reader.inside(body, inner.queue_manager, inner.execution.maybe)
    found = tuple(
        replace(
            text,
            execution=replace(inner.execution, maybe=text.execution.maybe),
            model=inner.model,
        )
        for text in reader.embedded(requests)
    )
    return found, reader
