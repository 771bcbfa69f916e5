"""Names that are written in lower case without quotes, and so are not what they look like.

A name stands behind an object's type, in an attribute that names an object (`XMITQ`, `TARGET`,
`PROCESS` ...), in the list of a namelist, or as the profile of an authority record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from mqlint.finding import Location
from mqlint.language.mqsc import Command, Secret, Shape, Templated, decode
from mqlint.language.mqsc.value import spans_of_items
from mqlint.model.core.fact import DerivedFact, FactType, Readers, derived_facts
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT
from mqlint.vocabulary import Kind, Vocabulary

_MORE = frozenset({"PROFILE", "NAMES"})
"""Attributes that hold names and are of no kind that says so."""

_USERS = frozenset({"MCAUSER", "USERLIST", "CLNTUSER", "PRINCIPAL", "GROUP"})
"""Attributes that hold users and groups of the operating system."""

_AUTHORISED = frozenset({"MCAUSER", "PRINCIPAL", "GROUP"})
"""Those of them whose authorities are checked."""


_CASED = frozenset(
    {
        *("SSLKEYR", "APPLICID", "STARTCMD", "STARTARG", "STOPCMD", "STOPARG", "STDOUT", "STDERR"),
        *("TOPICSTR", "LDAPUSER", "BASEDNU", "BASEDNG", "SSLPEER", "SSLCERTI"),
    }
)
"""Attributes that hold paths, commands, topic strings and distinguished names."""


class _Place(NamedTuple):
    """A name as written; `attribute` is None for the object's own."""

    command: Command
    origin: Origin
    attribute: str | None
    raw: str


NameFact = DerivedFact[_Place]

_SlotsOf = Callable[[Shape, Vocabulary], tuple[tuple[str | None, int], ...]]


def _place(fact: NameFact, _: str | None) -> Location:
    command, origin, word, raw = fact.source
    span = command.span_of_name()
    if word is not None:
        index = command.shape.words.index(word)
        span = command.span_of_item(index, decode(raw)) or command.span_of_value(index)
    return origin.location(span)


_READERS: Readers[_Place] = Readers(
    "name",
    place=_place,
    values={
        "object": lambda fact: (fact.source.command.noun or "").lower(),
        "attribute": lambda fact: fact.source.attribute or ABSENT,
        "quoted": lambda fact: "true" if fact.name in fact.manager.once(_quoted_names) else "false",
    },
)


def names(manager: QueueManager) -> tuple[NameFact, ...]:
    """Return the names that are folded, in every place where one is written."""
    places = (place for place in _places(manager, quoted=False) if place.raw != place.raw.upper())
    return derived_facts(_READERS, manager, ((decode(place.raw), place) for place in places))


NAME = FactType("name", names, tuple(_READERS.values))
"""A name in lower case without quotes, which is folded to upper case.

`object` is the type of object that the command is about, `attribute` the attribute that holds the
name (absent if it is the object's own), `quoted` whether the same name is in quotes elsewhere at
the queue manager and so keeps its lower case.
"""


_USER_READERS: Readers[_Place] = Readers(
    "user",
    place=_place,
    values={
        "object": lambda fact: (fact.source.command.noun or "").lower(),
        "attribute": lambda fact: fact.source.attribute or ABSENT,
        "folded": lambda fact: decode(fact.source.raw),
        "directory": lambda fact: "true" if _is_of_directory(fact) else "false",
    },
)


def _is_of_directory(fact: DerivedFact[_Place]) -> bool:
    """Whether the user or group may be one of an LDAP directory.

    With AUTHORMD(OS), the default, the directory only checks passwords: authorities belong to users
    and groups of the operating system (IBM: q085310_, "DEFINE AUTHINFO", AUTHORMD).
    """
    of_system = fact.source.attribute in _AUTHORISED
    return fact.manager.once(_authorises_by_directory if of_system else _has_directory)


def _has_directory(manager: QueueManager) -> bool:
    """Whether an LDAP directory checks passwords."""
    return any(found.subtype == "IDPWLDAP" for found in manager.objects("authinfo"))


def _authorises_by_directory(manager: QueueManager) -> bool:
    """Whether an LDAP directory may say which users and groups exist."""
    directories = (found for found in manager.objects("authinfo") if found.subtype == "IDPWLDAP")
    return any(found.value("AUTHORMD") != "OS" for found in directories)


def users(manager: QueueManager) -> tuple[DerivedFact[_Place], ...]:
    """Return the users and groups that are folded, each at its first place in a document."""
    first: dict[object, _Place] = {}
    for place in _places(manager, False, _user_slots):
        if place.raw != place.raw.upper():
            first.setdefault((place.origin, place.attribute, place.raw), place)
    found = ((place.raw.strip(), place) for place in first.values())
    return derived_facts(_USER_READERS, manager, found)


USER = FactType("user", users, tuple(_USER_READERS.values))
"""A user or group in lower case without quotes, which is folded to upper case.

The name is what is written; there is one fact for all places of a document. `object` is the type
of object that the command is about, `attribute` the attribute that holds the user (MCAUSER,
USERLIST, CLNTUSER, PRINCIPAL, GROUP), `folded` what the queue manager makes of it, `directory`
whether an LDAP directory is among the files, in which case does not count.
"""


_TEXT_READERS: Readers[_Place] = Readers(
    "cased_text",
    place=_place,
    values={
        "object": lambda fact: (fact.source.command.noun or "").lower(),
        "attribute": lambda fact: fact.source.attribute or ABSENT,
        "folded": lambda fact: decode(fact.source.raw),
    },
)


def texts(manager: QueueManager) -> tuple[NameFact, ...]:
    """Return the paths, commands, topic strings and distinguished names that are folded."""
    places = (
        place for place in _places(manager, False, _text_slots) if place.raw != place.raw.upper()
    )
    return derived_facts(_TEXT_READERS, manager, ((place.raw.strip(), place) for place in places))


CASED_TEXT = FactType("cased_text", texts, tuple(_TEXT_READERS.values))
"""A path, command, topic string or distinguished name in lower case without quotes.

The name is what is written, `object` the type of object that the command is about, `attribute` the
attribute that holds the text, `folded` what the queue manager makes of it.
"""


def _quoted_names(manager: QueueManager) -> frozenset[str]:
    """The names in quotes that have lower case, as they would be without the quotes."""
    quoted = (decode(place.raw) for place in _places(manager, quoted=True))
    return frozenset(name.upper() for name in quoted if name != name.upper())


def _places(
    manager: QueueManager, quoted: bool, slots_of: _SlotsOf | None = None
) -> Iterator[_Place]:
    """The names in quotes or those without, less those that a template stands for."""
    vocabulary = manager.vocabulary
    slots_of = slots_of or _slots
    for commands, origin in _texts(manager):
        for command in commands:
            values = command.values
            for attribute, slot in slots_of(command.form.shape, vocabulary):
                raw = values[slot]
                if ("'" in raw) is quoted and not isinstance(raw, Secret | Templated):
                    for start, end in spans_of_items(raw):
                        yield _Place(command, origin, attribute, raw[start:end])


def _texts(manager: QueueManager) -> Iterator[tuple[Sequence[Command], Origin]]:
    """The commands of the queue manager's files: no objects need be built for that."""
    for document in manager.documents:
        if document.origin.observed:
            yield document.commands, document.origin
    texts = {id(text.commands): text for script in manager.scripts for text in script.texts}
    for text in texts.values():
        yield text.commands, text.origin


def _slots(shape: Shape, vocabulary: Vocabulary) -> tuple[tuple[str | None, int], ...]:
    """Which values of commands of one shape are names; worked out once a shape."""
    known = shape.cache.get("names")
    if known is None:
        known = shape.cache["names"] = tuple(_name_slots(shape, vocabulary))
    return known  # type: ignore[return-value]


def _user_slots(shape: Shape, vocabulary: Vocabulary) -> tuple[tuple[str | None, int], ...]:
    """Which values of commands of one shape are users or groups; worked out once a shape."""
    known = shape.cache.get("users")
    if known is None:
        words = zip(shape.words, shape.slots, strict=True)
        known = tuple((word, slot) for word, slot in words if word in _USERS and slot >= 0)
        shape.cache["users"] = known
    return known  # type: ignore[return-value]


def _text_slots(shape: Shape, vocabulary: Vocabulary) -> tuple[tuple[str | None, int], ...]:
    """Which values of commands of one shape are texts with a case; worked out once a shape."""
    known = shape.cache.get("texts")
    if known is None:
        words = zip(shape.words, shape.slots, strict=True)
        known = tuple((word, slot) for word, slot in words if word in _CASED and slot >= 0)
        shape.cache["texts"] = known
    return known  # type: ignore[return-value]


def _name_slots(shape: Shape, vocabulary: Vocabulary) -> Iterator[tuple[str | None, int]]:
    if shape.name_slot >= 0:
        yield None, shape.name_slot
    spec = vocabulary.command(shape.verb, shape.noun) if shape.verb else None
    for word, slot in zip(shape.words, shape.slots, strict=True):
        found = spec.attribute(word) if spec is not None and slot >= 0 else None
        if found is not None and (found.domain.kind is Kind.NAME or found.name in _MORE):
            yield word, slot
