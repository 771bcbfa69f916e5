"""Definitions of queues and channels for UrbanCode, as the MQSC that it creates.

A file of overrides has values for environments. The values of each environment that is deployed are
judged alone, as the rest of the definition is in the base file.
"""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.language.base import Context, Parsed
from mqlint.language.objects.command import Attribute, ObjectCommand, key_of, text_of
from mqlint.language.objects.spelling import MQDEF
from mqlint.language.script.step import Embedded, ShellScript
from mqlint.language.text.mapped import MappedText, joined, mapped_at
from mqlint.language.yaml.reader import read_documents
from mqlint.language.yaml.tree import Node
from mqlint.source.lines import Span
from mqlint.vocabulary.urbancode import KINDS, PluginKey, plugin_keys

_QUEUES = {"local": "QLOCAL", "alias": "QALIAS", "model": "QMODEL", "remote": "QREMOTE"}
_CHANNELS = {
    "sender": "SDR",
    "server": "SVR",
    "receiver": "RCVR",
    "requester": "RQSTR",
    "serverConnection": "SVRCONN",
    "clientConnection": "CLNTCONN",
    "clusterSender": "CLUSSDR",
    "clusterReceiver": "CLUSRCVR",
    "amqp": "AMQP",
}
_OWN = frozenset({"command", "name", "type", "deploymentTargets", "targetEnvName", "deploy"})
_TARGETS = "deploymentTargets"


def read(text: str, context: Context) -> Parsed:
    plain: list[MappedText] = []
    embedded: list[Embedded] = []
    secrets: list[Span] = []
    vocabulary = context.vocabulary
    for document in read_documents(text, context.budget):
        for kind in KINDS:
            for resource in document.entries("resource", kind):
                if resource.child(_TARGETS) is None:
                    command = _command(resource, resource, kind, text)
                    if command is not None:
                        secrets += command.secrets(vocabulary)
                        plain.append(command.mqsc(vocabulary))
                for target in resource.entries(_TARGETS):
                    command = _command(resource, target, kind, text)
                    if command is None or target.word("deploy").lower() == "false":
                        continue
                    if command.verb.text.upper() == "DEFINE":
                        like = _at("LIKE", (target.start, target.end))
                        command.attributes = (*command.attributes, Attribute(like, None))
                    secrets += command.secrets(vocabulary)
                    embedded.append(_embedded([command.mqsc(vocabulary)], f"#{target.start}"))
    if plain:
        embedded.insert(0, _embedded(plain, ""))
    return Parsed(script=ShellScript((), tuple(embedded), tuple(secrets)))


def _embedded(commands: list[MappedText], model: str) -> Embedded:
    mapped = joined(commands, "\n")
    return Embedded.of("mqsc", mapped, None, maybe=bool(model), model=model, spelling=MQDEF)


def _command(resource: Node, values: Node, kind: str, text: str) -> ObjectCommand | None:
    verb, name = text_of(resource.child("command")), text_of(resource.child("name"))
    subtype = resource.word("type")
    if verb is None or verb.text.upper() not in ("DEFINE", "DELETE"):
        return None
    attributes = list(_attributes(values, kind, text))
    place = resource.child("type")
    start = verb.host(0)
    span = place.span if place is not None else (start, max(verb.end, start + 1))
    if kind == "queue":
        noun = _QUEUES.get(subtype or "local")
        return None if noun is None else ObjectCommand(verb, _at(noun, span), name, attributes)
    if verb.text.upper() == "DEFINE":
        known = (_at(_CHANNELS.get(subtype, subtype), span),) if subtype else None
        attributes.insert(0, Attribute(_at("CHLTYPE", span), known))
    return ObjectCommand(verb, _at("CHANNEL", span), name, attributes)


def _at(word: str, span: Span) -> MappedText:
    """A word of MQSC for a stretch of the file."""
    return mapped_at(word, span[0], max(span[1], span[0] + 1))


def _attributes(values: Node, kind: str, text: str) -> Iterator[Attribute]:
    """Yield the attributes of the groups of a resource; a group may have groups in it."""
    waiting = [("", values)]
    for group, node in waiting:
        for name, span, value in node.pairs:
            path = f"{group}{name}"
            if not group and name in _OWN:
                continue
            if value.kind == "mapping":
                waiting.append((f"{path}.", value))
                continue
            found = text_of(value)
            key = plugin_keys()[kind].get(path)
            if found is None:
                continue
            if key is None:
                yield Attribute(key_of(name, span, text), (found,))
            else:
                yield from _mapped(key, span, found)


def _mapped(key: PluginKey, span: Span, value: MappedText) -> Iterator[Attribute]:
    text = value.text
    place = value.host(0), value.end
    if not key.word:
        flags = {"true": key.flag} if key.flag else key.flags
        if text.lower() in flags:
            yield Attribute(_at(flags[text.lower()], span), (), is_flag=True)
    else:
        meant = key.values.get(text)
        yield Attribute(_at(key.word, span), (value if meant is None else _at(meant, place),))
