"""Types of the Puppet module mq_config, as MQSC.

Source: the examples and the documentation of enterprisemodules (simple_mq_demo, ibm_profile). The
title of a resource is the queue manager, for a queue its type, and the name of the object:
`QM1/QLOCAL/PAY.IN`. Puppet changes only what the resource names, so what it omits is unknown.

Source: Puppet, "Resource Type: exec" and "file". An exec with `unless`, `onlyif` or `refreshonly`
may not run, nor one that `creates` what exists. A file is written before any exec. The default
provider runs no shell, but commands with pipes and redirections are written for one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mqlint.dataclass import mutable
from mqlint.finding import Diagnostic
from mqlint.language.base import Context, Parsed
from mqlint.language.objects.command import Attribute, ObjectCommand, attributes_of, key_of
from mqlint.language.objects.requests import Request, RequestReader
from mqlint.language.objects.spelling import PUPPET, YAML
from mqlint.language.puppet import CREATED
from mqlint.language.puppet.scanner import Resource, resources
from mqlint.language.script.faults.environment import environment_faults, kernel_fault
from mqlint.language.script.faults.permissions import resource_faults
from mqlint.language.script.hosts.host import Block, read_scripts, removal, written
from mqlint.language.script.step import ShellScript
from mqlint.language.text.mapped import MappedText, mapped_at
from mqlint.language.text.templates import PLACEHOLDER, is_known, with_placeholders
from mqlint.language.yaml.reader import read_documents
from mqlint.source.budget import Budget
from mqlint.vocabulary import Vocabulary
from mqlint.vocabulary.control import ControlSpec

# -- commands --------------------------------------------------------------------------------------


_TYPES = frozenset({"exec", "file"})
_CONDITIONS = frozenset({"unless", "onlyif", "refreshonly", "creates"})


def commands_of(text: str, commands: Mapping[str, ControlSpec], budget: Budget) -> ShellScript:
    """Read the commands of a manifest, in the order of their places."""
    found = sorted(_blocks(text), key=lambda block: block.stdin is None)  # files come first
    blocks = (block for block in found if budget.spend(len(block.source.text)))
    return read_scripts(text, blocks, (), commands, budget, shares_files=True)


def _blocks(text: str) -> Iterator[Block]:
    for resource in resources(text, _TYPES):
        values = {key.text: value for key, value in resource.attributes}
        maybe = resource.maybe or bool(_CONDITIONS.intersection(values))
        if resource.type == "exec":
            command = _text(resource, "command")
            if command is not None:
                yield Block(command, maybe)
        else:
            ensure, path = _text(resource, "ensure", titled=False), _text(resource, "path")
            content = _text(resource, "content", titled=False)
            if ensure is not None and ensure.text == "absent" and path is not None:
                yield Block(removal(path), maybe)
            elif content is not None and path is not None and "\n" not in path.text:
                yield Block(written(path), maybe, stdin=content)


def file_faults(text: str) -> Iterator[Diagnostic]:
    """Yield owners and modes that `file` sets, with which others than mqm use the files."""
    is_set = "mode" in text or "owner" in text
    for resource in resources(text, frozenset({"file"})) if is_set else ():
        path = _text(resource, "path")
        if path is not None:
            values = resource.single_values()
            settings = ((key, item.text, (item.host(0), item.end)) for key, item in values)
            yield from resource_faults(path.text, settings)


def _text(resource: Resource, attribute: str, *, titled: bool = True) -> MappedText | None:
    """The value of an attribute; that of the title if it is not given."""
    for key, value in resource.attributes:
        if key.text == attribute:
            return value.items[0] if value.items and len(value.items) == 1 else None
    return resource.title if titled else None


# -- manifests -------------------------------------------------------------------------------------


_NOUNS = {
    "mq_queue": "",
    "mq_channel": "CHANNEL",
    "mq_topic": "TOPIC",
    "mq_listener": "LISTENER",
}
_MANAGER = "mq_manager"
_LISTS = {
    "queue_list": "mq_queue",
    "channel_list": "mq_channel",
    "topic_list": "mq_topic",
    "listener_list": "mq_listener",
    "mq_managers": _MANAGER,
}
_OWN = frozenset({"ensure", "status", "provider", "name", "qtype", "ttype", "require", "before"})
_OWN_SIGNS = frozenset({"notify", "subscribe", "tag", "alias", "loglevel", "noop", "schedule"})
_QUEUES = frozenset({"QLOCAL", "QALIAS", "QREMOTE", "QMODEL"})
_KERNEL = frozenset({"sysctl", "sysctl::configuration", "sysctl::value"})
_SYSTEM = "SYSTEM."


@mutable
class _Declared:
    """A resource: `title` tells the queue manager and the object, `settings` are its attributes."""

    type: str
    title: MappedText
    settings: list[Attribute]
    maybe: bool


def read(text: str, context: Context) -> Parsed:
    found = [
        _Declared(
            resource.type,
            resource.title or mapped_at(PLACEHOLDER * 3, resource.start, resource.end),
            [Attribute(key, value.items, value.is_list) for key, value in resource.attributes],
            resource.maybe,
        )
        for resource in resources(text, frozenset({*_NOUNS, _MANAGER}))
        if not resource.again or context.budget.spend(resource.size, 1)
    ]
    parsed = _parsed(found, context, PUPPET)
    if parsed.script is not None and ("exec" in text or "file" in text):
        run = commands_of(text, context.vocabulary.control, context.budget)
        parsed.script = ShellScript.merged((parsed.script, run))
    kernel = _kernel_faults(text) if "kernel." in text else ()
    parsed.unfollowed = tuple(created.end() - 1 for created in CREATED.finditer(text))
    parsed.diagnostics = [
        *parsed.diagnostics,
        *environment_faults(text),
        *kernel,
        *file_faults(text),
    ]
    return parsed


def read_data(text: str, context: Context) -> Parsed:
    found: list[_Declared] = []
    for document in read_documents(text, context.budget):
        for name, titles in document.pairs.items():
            kind = (
                _LISTS.get(name.rpartition("::")[2]) if name.startswith("ibm_profile::") else None
            )
            if kind is not None:
                for title, span, values in titles.pairs:
                    settings = list(attributes_of(values, text))
                    maybe = titles.maybe or values.maybe
                    found.append(_Declared(kind, key_of(title, span, text), settings, maybe))
    return _parsed(found, context, YAML)


def _kernel_faults(text: str) -> Iterator[Diagnostic]:
    """Yield settings of the kernel that are too low; the title of the resource is their name."""
    for resource in resources(text, _KERNEL):
        name = "" if resource.title is None else resource.title.text
        for key, item in resource.single_values():
            if key in ("value", "val"):
                yield from kernel_fault(name, item.text, (item.host(0), item.end))


def _parsed(found: Iterable[_Declared], context: Context, spelling: str) -> Parsed:
    reader = RequestReader(context.vocabulary, context.budget, spelling, apart=True)
    return reader.parsed(
        Request(command, queue_manager, declared.maybe)
        for declared in found
        for queue_manager, command in (_command(declared, context.vocabulary),)
        if command is not None
    )


def _command(
    declared: _Declared, vocabulary: Vocabulary
) -> tuple[str | None, ObjectCommand | None]:
    """The queue manager of a resource, and the command that does the same."""
    settings = {attribute.key.text: attribute for attribute in declared.settings}
    own = _OWN | _OWN_SIGNS
    attributes = [attribute for attribute in declared.settings if attribute.key.text not in own]
    title = declared.title
    covered = with_placeholders(title.text)
    first, _, rest = covered.partition("/")
    queue_manager = first if first and is_known(first) else None
    start = title.host(0)
    ensure = _word(settings.get("ensure"))
    if declared.type == _MANAGER:
        if not attributes or ensure == "absent":
            return queue_manager, None
        verb, noun = _at("ALTER", start), _at("QMGR", start)
        return queue_manager, ObjectCommand(verb, noun, None, attributes)
    begin = len(first) + 1
    noun_word = _NOUNS[declared.type]
    if declared.type == "mq_queue":
        stated, sign, _ = rest.partition("/")
        if sign and stated.upper() in _QUEUES:
            noun_word, begin = stated.upper(), begin + len(stated) + 1
        else:
            noun_word = _word(settings.get("qtype")).upper() or PLACEHOLDER * 3
    if begin >= len(covered) or not noun_word:
        return queue_manager, None
    name = title.part(begin, len(covered))
    if ensure == "absent":
        return queue_manager, _made("DELETE", noun_word, name, start, ())
    if name.text.startswith(_SYSTEM):
        changed = _changeable(attributes, noun_word, vocabulary)
        return queue_manager, _made("ALTER", noun_word, name, start, changed)
    # What is not named is that of the object if it exists.
    define = vocabulary.command("DEFINE", noun_word)
    known = {attribute.word for attribute in attributes}
    needed = [] if define is None else [spec.word for spec in define.required(None)]
    words = ["LIKE", *(word for word in needed if word not in known)]
    attributes.extend(Attribute(_at(word, start), None) for word in words)
    return queue_manager, _made("DEFINE", noun_word, name, start, attributes)


def _changeable(
    attributes: Iterable[Attribute], noun: str, vocabulary: Vocabulary
) -> Iterator[Attribute]:
    """Yield the attributes of an existing object without those that it got when it was defined.

    Puppet compares them and does not alter them, such as the topic string of a topic.
    """
    alter, define = vocabulary.command("ALTER", noun), vocabulary.command("DEFINE", noun)
    for attribute in attributes:
        is_fixed = (
            alter is not None
            and define is not None
            and alter.attribute(attribute.word) is None
            and define.attribute(attribute.word) is not None
        )
        if not is_fixed:
            yield attribute


def _made(
    verb: str, noun: str, name: MappedText, start: int, attributes: Iterable[Attribute]
) -> ObjectCommand:
    return ObjectCommand(_at(verb, start), _at(noun, start), name, tuple(attributes))


def _at(word: str, start: int) -> MappedText:
    return mapped_at(word, start, start + 1)


def _word(attribute: Attribute | None) -> str:
    values = attribute.values if attribute is not None else None
    return values[0].text if values else ""
