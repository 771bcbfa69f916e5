"""The words that commands about an object write, and its identity."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from mqlint.language.mqsc import Secret, Templated, decode
from mqlint.model.core.action import family, key_words
from mqlint.model.core.layer import Change, Layer, in_force
from mqlint.model.core.object import LayeredObject
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.shipped import default_object_name

Key = tuple[str, ...]
Rename = Callable[[str], str]

MASK: Final = "***"
"""Replaces a secret."""

SECRETS: Final = "secrets that are written on both sides are not compared"
SAME_TEXT: Final = "values that the files leave open are equal if both sides have the same text"


def by_key(manager: QueueManager, rename: Rename) -> dict[Key, MQObject]:
    """Return objects by identity; the queue manager's own name is blank in it."""
    found: dict[Key, MQObject] = {}
    for mqobject in manager.all_recorded():
        if not mqobject.dump and not mqobject.chains:
            continue
        key = _key(mqobject, manager, rename)
        number = 1
        while key in found:  # templates for names may be equal
            number += 1
            key = (*_key(mqobject, manager, rename), f"#{number}")
        found[key] = mqobject
    return found


def _key(found: MQObject, manager: QueueManager, rename: Rename) -> Key:
    name, *others = found.key.split("\x1f")
    if found.type in ("qmgr", "authrec") and name == manager.key.name:
        name = ""
    words = key_words(found.type)
    parts = [
        "" if word == "ADDRESS" and part == "*" else f"{word}({part})"
        for word, part in zip(words, others, strict=False)
        if part
    ]
    kind = family(found.type, found.subtype if found.type == "channel" else None)
    return kind, rename(name), *map(rename, filter(None, parts))


def name_of(key: Key) -> str:
    """Return the key of an object as text for people: its name, and other words of its identity."""
    return " ".join(filter(None, key[1:]))


def written_words(found: LayeredObject, seen: set[int], depth: int = 8) -> set[str]:
    """Return the attributes that commands write, also for objects that it takes values from."""
    words: set[str] = set()
    if id(found) in seen or depth == 0:
        return words
    seen.add(id(found))
    vocabulary = found.manager.vocabulary
    for layer in layers_of(found):
        verb, noun = layer.command.verb or "", layer.command.noun or ""
        spec = vocabulary.command(verb, noun)
        for word in layer.action.attributes:
            attribute = spec.attribute(word) if spec is not None else None
            if attribute is None or not attribute.read_only:
                words.add(word)
        if layer.change is not Change.MAKE:
            continue
        like = layer.command.get("LIKE")
        default = default_object_name(found.type, found.subtype)
        names = {default, None if like is None else decode(like)}
        for name in names - {None, found.name}:
            model = found.manager.find(found.type, str(name), found.subtype)
            if model is not None:
                words |= written_words(model, seen, depth - 1)
    words.discard("ACTION")
    if found.type == "authrec":
        words.discard("PROFILE")  # its name
    return words


def layers_of(found: LayeredObject) -> Iterator[Layer]:
    """Yield the layers in force, of a dump and of scripts."""
    for chain in (found.dump, *found.chains):
        yield from in_force(chain)


def signature(found: MQObject, rename: Rename) -> tuple[object, ...]:
    """Return the text of its commands, in which secrets are masked."""
    chains = [tuple(_written(layer, rename) for layer in chain) for chain in found.chains]
    return (
        tuple(_written(layer, rename) for layer in found.dump),
        tuple(sorted(chains, key=repr)),
        found.manager.target,
    )


def _written(layer: Layer, rename: Rename) -> tuple[object, ...]:
    command = layer.command
    shape = command.form.shape
    values = tuple(_raw(value, rename) for value in command.values)
    return shape.verb, shape.noun, shape.words, values, layer.change.value, layer.maybe


def _raw(value: str, rename: Rename) -> object:
    return ("secret", value.width) if isinstance(value, Secret) else rename(str(value))


def exists(found: MQObject) -> bool | None:
    """Whether it exists; an object that is only altered does, or the commands fail."""
    if not any(chain.settles for chain in (found.dump, *found.chains) if chain):
        return True
    return found.exists


def is_open(found: MQObject) -> bool:
    """Whether a template among the words of a command may add attributes."""
    return any(layer.command.form.shape.open for layer in layers_of(found))


def same_template(a: MQObject, b: MQObject, word: str) -> bool:
    """Whether one command of each side gives an attribute, both by the same template."""
    texts = [_templates(found, word) for found in (a, b)]
    return texts[0] == texts[1] and len(texts[0]) == 1 and None not in texts[0]


def _templates(found: MQObject, word: str) -> list[str | None]:
    """The text of a template that commands write for an attribute, None for any other value."""
    raw = [layer.command.get(word) for layer in layers_of(found) if word in layer.action.words]
    return [str(text) if isinstance(text, Templated) else None for text in raw]
