"""Texts in lower case without quotes, which the queue manager folds to upper case.

Names are those of objects, of attributes that name an object (`XMITQ`, `TARGET`, `PROCESS` ...), of
the list of a namelist and of the profile of an authority record. Users, groups and other texts with
a case are in the attributes that are listed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter

from mqlint.dataclass import NamedTuple
from mqlint.finding import Location
from mqlint.language.mqsc import Command, Secret, Shape, Templated, decode
from mqlint.language.mqsc.value import FOREIGN_QUOTES, spans_of_items
from mqlint.model.core.fact import DerivedFact, Readers, derived_type
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, Value, flag
from mqlint.vocabulary import Kind, Vocabulary

_FOREIGN = frozenset(FOREIGN_QUOTES)
_NAMES = frozenset({"PROFILE", "NAMES"})
"""Attributes that hold names, although their kind in the vocabulary does not say so."""

_USERS = frozenset({"MCAUSER", "USERLIST", "CLNTUSER", "PRINCIPAL", "GROUP"})
"""Attributes that hold users and groups of the operating system."""

_AUTHORISED = frozenset({"MCAUSER", "PRINCIPAL", "GROUP"})
"""Those of them whose authorities are checked."""

_CASED = frozenset(
    {
        *("SSLKEYR", "APPLICID", "STARTCMD", "STARTARG", "STOPCMD", "STOPARG", "STDOUT", "STDERR"),
        *("TOPICSTR", "LDAPUSER", "BASEDNU", "BASEDNG", "SSLPEER", "SSLCERTI", "CERTLABL"),
    }
)
"""Attributes that hold paths, commands, topic strings, labels and distinguished names."""


class _Place(NamedTuple):
    """A text as written; `attribute` is None for an object's own name."""

    command: Command
    origin: Origin
    attribute: str | None
    raw: str


FoldedFact = DerivedFact[_Place]
_Text = tuple[Sequence[Command], Origin]
_Slots = Iterator[tuple[str | None, int]]
"""The attributes of a command that hold texts of a kind, with the indexes of their values."""
_SlotsOf = Callable[[Shape, Vocabulary], _Slots]


def _place(fact: FoldedFact, _: str | None) -> Location:
    command, origin, word, raw = fact.source
    span = command.span_of_name()
    if word is not None:
        index = command.shape.words.index(word)
        span = command.span_of_item(index, decode(raw)) or command.span_of_value(index)
    return origin.location(span)


def _readers(type_: str, **values: Callable[[FoldedFact], Value]) -> Readers[_Place]:
    """Return readers of the values that all these facts have, and of those of one type."""
    shared: dict[str, Callable[[FoldedFact], Value]] = {
        "object": lambda fact: (fact.source.command.noun or "").lower(),
        "attribute": lambda fact: fact.source.attribute or ABSENT,
    }
    return Readers(type_, place=_place, values={**shared, **values})


def _folded(fact: FoldedFact) -> Value:
    return decode(fact.source.raw)


_NAME_READERS = _readers(
    "name",
    quoted=lambda fact: flag(fact.name in fact.manager.cached(_quoted_names)),
)


def _folded_names(manager: QueueManager) -> Iterator[tuple[str, _Place]]:
    return ((decode(place.raw), place) for place in _folded_places(manager, _name_slots))


NAME = derived_type(_NAME_READERS, _folded_names)
"""A name in lower case without quotes, which is folded to upper case."""

_USER_READERS = _readers(
    "user",
    folded=_folded,
    directory=lambda fact: flag(_is_of_directory(fact)),
)


def _is_of_directory(fact: FoldedFact) -> bool:
    """Whether the user or group may be one of an LDAP directory.

    With AUTHORMD(OS), the default, the directory only checks passwords: authorities belong to users
    and groups of the operating system (IBM: q085310_, "DEFINE AUTHINFO", AUTHORMD).
    """
    of_system = fact.source.attribute in _AUTHORISED
    return fact.manager.cached(_authorises_by_directory if of_system else _has_directory)


def _has_directory(manager: QueueManager) -> bool:
    return any(found.subtype == "IDPWLDAP" for found in manager.objects("authinfo"))


def _authorises_by_directory(manager: QueueManager) -> bool:
    """Whether an LDAP directory may say which users and groups exist."""
    directories = (found for found in manager.objects("authinfo") if found.subtype == "IDPWLDAP")
    return any(found.value("AUTHORMD") != "OS" for found in directories)


def _folded_users(manager: QueueManager) -> Iterator[tuple[str, _Place]]:
    """Return the users and groups that are folded, each at its first place in a document."""
    first: dict[object, _Place] = {}
    for place in _folded_places(manager, _user_slots):
        first.setdefault((place.origin, place.attribute, place.raw), place)
    return ((place.raw.strip(), place) for place in first.values())


USER = derived_type(_USER_READERS, _folded_users)
"""A user or group in lower case without quotes, one fact for all places of a document."""

_TEXT_READERS = _readers("cased_text", folded=_folded)


def _folded_texts(manager: QueueManager) -> Iterator[tuple[str, _Place]]:
    return ((place.raw.strip(), place) for place in _folded_places(manager, _text_slots))


CASED_TEXT = derived_type(_TEXT_READERS, _folded_texts)
"""A path, command, topic string or distinguished name in lower case without quotes."""


def _quoted_names(manager: QueueManager) -> frozenset[str]:
    """The names in quotes that have lower case, as they would be without the quotes."""
    places = _places(manager, _name_slots, _texts(manager), quoted=True)
    quoted = (decode(place.raw) for place in places)
    return frozenset(name.upper() for name in quoted if name != name.upper())


def _folded_places(manager: QueueManager, slots_of: _SlotsOf) -> Iterator[_Place]:
    """The places of texts without quotes that have lower case."""
    places = _places(manager, slots_of, manager.cached(_with_lower_case), quoted=False)
    return (place for place in places if place.raw != place.raw.upper())


def _places(
    manager: QueueManager, slots_of: _SlotsOf, texts: Iterable[_Text], *, quoted: bool
) -> Iterator[_Place]:
    """The texts in quotes or those without, except templates and those in other quotes."""
    key, vocabulary = slots_of.__name__, manager.vocabulary
    for commands, origin in texts:
        for command in commands:
            cache, values = command.form.shape.cache, command.values
            slots = cache.get(key)
            if slots is None:
                slots = cache[key] = tuple(slots_of(command.form.shape, vocabulary))
            for attribute, slot in slots:  # type: ignore[attr-defined]
                raw = values[slot]
                if raw.lstrip()[:1] in _FOREIGN:
                    continue  # SYN018 reports all of it
                if ("'" in raw) is quoted and not isinstance(raw, Secret | Templated):
                    for start, end in spans_of_items(raw):
                        yield _Place(command, origin, attribute, raw[start:end])


def _with_lower_case(manager: QueueManager) -> Sequence[_Text]:
    """The commands that have lower case without quotes: in most files there are none.

    Most values of a dump are equal to others, so each is looked at once. Those of other kinds are
    not looked at.
    """
    values: set[str] = set()
    vocabulary = manager.vocabulary
    for commands, _ in _texts(manager):
        for command in commands:
            pick = command.form.shape.cache.get(_with_lower_case)
            if pick is None:
                shape = command.form.shape
                pick = shape.cache[_with_lower_case] = _picking(shape, vocabulary)
            values.update(pick(command.values))  # type: ignore[operator]
    lower = {value for value in values if "'" not in value and value != value.upper()}
    if not lower:
        return []
    return [
        (found, origin)
        for commands, origin in _texts(manager)
        if (found := [each for each in commands if not lower.isdisjoint(each.values)])
    ]


def _picking(shape: Shape, vocabulary: Vocabulary) -> Callable[[Sequence[str]], Sequence[str]]:
    """Return what picks the values of a command that are names, users or texts with a case."""
    kinds = _name_slots, _user_slots, _text_slots
    slots = {slot for slots_of in kinds for _, slot in slots_of(shape, vocabulary)}
    if len(slots) > 1:
        return itemgetter(*slots)
    return lambda values: [values[slot] for slot in slots]


def _texts(manager: QueueManager) -> Iterator[_Text]:
    """The commands of the queue manager's files: no objects need be built for that."""
    for document in manager.documents:
        if document.origin.observed:
            yield document.commands, document.origin
    texts = {id(text.commands): text for script in manager.scripts for text in script.texts}
    for text in texts.values():
        yield text.commands, text.origin


def _name_slots(shape: Shape, vocabulary: Vocabulary) -> _Slots:
    if shape.name_slot >= 0:
        yield None, shape.name_slot
    spec = vocabulary.command(shape.verb, shape.noun) if shape.verb else None
    for word, slot in _slots(shape):
        found = spec.attribute(word) if spec is not None else None
        if found is not None and (found.domain.kind is Kind.NAME or found.name in _NAMES):
            yield word, slot


def _user_slots(shape: Shape, _: Vocabulary) -> _Slots:
    return (held for held in _slots(shape) if held[0] in _USERS)


def _text_slots(shape: Shape, _: Vocabulary) -> _Slots:
    return (held for held in _slots(shape) if held[0] in _CASED)


def _slots(shape: Shape) -> Iterator[tuple[str, int]]:
    """The attributes of a command's shape that have a value."""
    words = zip(shape.words, shape.slots, strict=True)
    return ((word, slot) for word, slot in words if slot >= 0)
