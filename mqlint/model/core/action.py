"""The effect of a command on a queue manager, computed once for each shape of command."""

from __future__ import annotations

from enum import Enum

from mqlint.dataclass import frozen
from mqlint.language.mqsc import Command, Shape, decode
from mqlint.vocabulary import Vocabulary
from mqlint.vocabulary.vocabulary import SUBTYPE_ATTRIBUTES

QUEUE_TYPES = frozenset({"qlocal", "qalias", "qremote", "qmodel"})

_KEYS = {
    "chlauth": ("TYPE", "ADDRESS", "CLNTUSER", "QMNAME", "SSLPEER", "SSLCERTI"),
    "authrec": ("OBJTYPE", "PRINCIPAL", "GROUP"),
}


class Effect(Enum):
    """The kinds of change a command can make."""

    DEFINE = "define"
    ALTER = "alter"
    DELETE = "delete"
    SET = "set"
    EVENT = "event"


_EFFECTS = {"DEFINE": Effect.DEFINE, "ALTER": Effect.ALTER, "DELETE": Effect.DELETE}
_DEFINED = frozenset(
    "QLOCAL QALIAS QREMOTE QMODEL CHANNEL NAMELIST PROCESS TOPIC SUB LISTENER SERVICE AUTHINFO "
    "COMMINFO STGCLASS CFSTRUCT PSID BUFFPOOL".split()
)
RECORDS = frozenset({"CHLAUTH", "AUTHREC", "POLICY"})


def accepts_absence(command: Command) -> bool:
    """Whether a command may succeed although its object does not exist: with IGNSTATE(YES)."""
    if command.get("IGNSTATE") is None:
        return False
    return (command.known("IGNSTATE") or "").upper() != "NO"


@frozen(eq=False)
class Action:
    """The effect of commands of one shape.

    `type` is the object type in lower case. `words` maps attributes, with synonyms resolved, to
    their index among the words of the shape, and `slots` maps those with parentheses to their
    value. `repeated` has the slots of attributes that the command has more than once, and may.
    `attributes` are the words that set properties of the object; the others only control the
    command. `platforms` are those that have all of its words.
    """

    effect: Effect
    type: str
    words: dict[str, int]
    slots: dict[str, int]
    repeated: dict[str, tuple[int, ...]]
    attributes: tuple[str, ...]
    replace: bool
    platforms: frozenset[str]


def family(object_type: str, subtype: str | None = None) -> str:
    """Return the name space objects of this type share.

    The four queue types share one; a client-connection channel may have the name of another
    channel.
    """
    if subtype == "CLNTCONN" and object_type == "channel":
        return "clntconn"
    return "queue" if object_type in QUEUE_TYPES else object_type


def subtype_word(object_type: str) -> str | None:
    """Return the attribute that divides an object type into subtypes, None if none does."""
    return SUBTYPE_ATTRIBUTES.get(object_type)


def key_words(object_type: str) -> tuple[str, ...]:
    """Return the attributes that with the name make the identity of a record."""
    return _KEYS.get(object_type, ())


def action_of(command: Command, vocabulary: Vocabulary) -> Action | None:
    """Return what `command` does, None when that is not understood."""
    shape = command.form.shape
    try:
        return shape.cache["action"]  # type: ignore[return-value]
    except KeyError:
        action = _action(shape, vocabulary)
        shape.cache["action"] = action
        return action


def _action(shape: Shape, vocabulary: Vocabulary) -> Action | None:
    verb, noun = shape.verb, shape.noun
    if verb is None or noun is None:
        return None
    spec = vocabulary.command(verb, noun)
    if spec is None:
        return None
    effect = Effect.EVENT
    if verb in _EFFECTS and (noun in _DEFINED or (verb, noun) == ("ALTER", "QMGR")):
        effect = _EFFECTS[verb]
    elif verb == "SET" and noun in RECORDS:
        effect = Effect.SET
    elif verb == "DELETE" and noun in RECORDS:
        effect = Effect.DELETE
    words: dict[str, int] = {}
    repeated: dict[str, tuple[int, ...]] = {}
    attributes = []
    platforms = spec.platforms
    for index, word in enumerate(shape.words):
        attribute = spec.attribute(word)
        name = attribute.name if attribute is not None else word
        if attribute is not None and attribute.repeatable and name in words:
            before = repeated.get(name, (shape.slots[words[name]],))
            repeated[name] = (*before, shape.slots[index])
        words[name] = index
        if attribute is not None:
            platforms &= attribute.platforms
        if attribute is None or not attribute.option:
            attributes.append(name)
    slots = {
        word: shape.slots[at]
        for word, at in words.items()
        if shape.slots[at] >= 0 and word not in repeated
    }
    replace = "REPLACE" in shape.words
    return Action(
        effect,
        noun.lower(),
        words,
        slots,
        repeated,
        tuple(attributes),
        replace,
        platforms or spec.platforms,
    )


def raw_name(command: Command, action: Action) -> str | None:
    """Return the name as written; None when the command is about the queue manager itself."""
    if action.type == "authrec":
        # A queue manager has one record for each user, whatever the profile: dumps write `self`.
        is_own = decode(command.get("OBJTYPE") or "") == "QMGR"
        return None if is_own and not _is_class(command) else command.get("PROFILE")
    slot = command.form.shape.name_slot
    return command.values[slot] if slot >= 0 else None


def _is_class(command: Command) -> bool:
    return decode(command.get("PROFILE") or "") == "@class"


def name_space_of(command: Command, action: Action) -> str:
    """Return the name space of the object that a command names.

    DELETE CHANNEL names the client-connection table by CHLTABLE.
    """
    if action.type != "channel":
        return family(action.type)
    subtype = command.get("CHLTYPE")
    if subtype is None and decode(command.get("CHLTABLE") or "") in ("CLNTTBL", "CLNTTAB"):
        return family(action.type, "CLNTCONN")
    return family(action.type, None if subtype is None else decode(subtype))
