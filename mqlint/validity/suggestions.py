"""Unknown commands, and the nearest valid words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mqlint.language.mqsc import Shape
from mqlint.vocabulary import CommandSpec, Target, Vocabulary, nearest
from mqlint.vocabulary.target import ZOS
from mqlint.vocabulary.vocabulary import OBJECT_VERBS

_FEW = 12
"""Up to so many allowed words a message lists when none of them is near."""
_MEANT = {
    **dict.fromkeys(("CREATE", "ADD", "NEW", "INSERT"), "DEFINE"),
    **dict.fromkeys(("DROP", "REMOVE", "DEL"), "DELETE"),
    **dict.fromkeys(("SHOW", "LIST", "GET"), "DISPLAY"),
    **dict.fromkeys(("UPDATE", "MODIFY", "CHANGE"), "ALTER"),
}
"""Verbs of other languages, with those that MQSC has for them."""
_MEANT_ATTRIBUTES = {
    "PERSISTENCE": "DEFPSIST",
    "PRIORITY": "DEFPRTY",
    "DESCRIPTION": "DESCR",
    "TRANSPORT": "TRPTYPE",
    "CIPHERSPEC": "SSLCIPH",
}
"""Names that JMS, PCF and the MQ Explorer have for attributes, with those of MQSC."""
_MERGE = frozenset(sign * 7 for sign in "<|>")
"""What git writes around a place that was changed twice."""
_PREFIXES = "-+=!/&"
_QUEUES = ("QLOCAL", "QMODEL", "QALIAS", "QREMOTE")
MOST_NAMED = 4
"""Up to so many owners of an attribute a message lists."""


def suggest(near: str, allowed: Iterable[str]) -> dict[str, str]:
    """Return what a message says of the right words: the nearest, or all when they are few."""
    words = sorted(set(allowed))
    hint = f" (did you mean {near}?)" if near else ""
    if not near and 0 < len(words) <= _FEW:
        hint = f" (allowed: {', '.join(words)})"
    return {"suggestion": near, "allowed": ", ".join(words), "hint": hint}


def meant_attribute(word: str, words: Sequence[str], present: Sequence[str]) -> str:
    """Return which of the attributes `words` an unknown word means; '' if none is near.

    One that the command has already is meant only if no other is near.
    """
    absent = [other for other in words if other not in present]
    near = nearest(word, absent) or nearest(word, words)
    meant = _MEANT_ATTRIBUTES.get(word, "")
    return near or (meant if meant in absent else "")


def unknown_command(
    words: Vocabulary, target: Target, shape: Shape
) -> tuple[bool, dict[str, str]] | None:
    """Return whether the noun is what is wrong, not the verb, and what the message needs.

    None for what the console of z/OS may take.
    """
    if shape.verb is None:
        if _has_prefix(words, target, shape):
            return None
        if shape.verb_word in _MERGE:
            hint = suggest("", ()) | {"hint": " (it marks a merge that is not resolved)"}
            return False, {"command": shape.verb_word, **hint}
        near = _MEANT.get(shape.verb_word.upper(), "")
        near = near or words.verb(nearest(shape.verb_word, words.verb_words)) or ""
        return False, {"command": shape.verb_word, **suggest(near, ())}
    pairs = [key.split() for key in words.commands() if " " in key]
    if shape.noun is None:
        nouns = {noun for verb, noun in pairs if verb == shape.verb}
        known = [word for word in words.noun_words if words.noun(word) in nouns]
        near = words.noun(nearest(shape.noun_word, known)) or ""
        hint = suggest(f"{shape.verb} {near}" if near else "", nouns)
    else:
        hint = suggest("", [f"{verb} {noun}" for verb, noun in pairs if noun == shape.noun])
    data = {"command": f"{shape.verb} {shape.noun or shape.noun_word}".strip(), **hint}
    return bool(shape.noun_word), data


def _has_prefix(words: Vocabulary, target: Target, shape: Shape) -> bool:
    """Whether the prefix of a console is before the verb without a blank (`-START QMGR`)."""
    verb = words.verb(shape.verb_word[1:])
    if verb is None or shape.verb_word[0] not in _PREFIXES:
        return False
    zos = target.on_zos
    noun = words.noun(shape.words[1]) if len(shape.words) > 1 else None
    command = words.command(verb, noun) if noun is not None else None
    return zos or (zos is None and command is not None and command.platforms == ZOS)


def near_commands(words: Vocabulary, command: CommandSpec, word: str) -> list[str]:
    """Return the commands near a command, of its noun or its kind, that have an attribute."""
    verb, noun = command.verb, command.noun
    near = [(verb, other) for other in (_QUEUES if noun in _QUEUES else ())]
    near += [(other, noun) for other in ("DEFINE", "ALTER", "DELETE") if noun]
    commands = (words.command(*pair) for pair in near)
    return [near.text for near in commands if near is not None and near.attribute(word) is not None]


def nouns_with(words: Vocabulary, word: str) -> list[str]:
    """Return the objects that have an attribute: its name is then not a typo of another one."""
    keys = [key.partition(" ") for key in words.commands()]
    pairs = [(verb, noun) for verb, _, noun in keys if noun and verb in OBJECT_VERBS]
    found = {
        noun
        for verb, noun in pairs
        if (command := words.command(verb, noun)) is not None
        and command.attribute(word) is not None
    }
    return sorted(found)
