"""Authorities as the object authority manager judges them.

Of the profiles of one user or group that fit an object, the most specific alone decides. A user
has what the groups together have. The profile `@class` is about a type of objects, not about one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, TypeGuard

from mqlint.computed import Computed
from mqlint.finding import Location
from mqlint.grouping import grouped
from mqlint.language.mqsc import Templated
from mqlint.model.core.authorities import WHOLE
from mqlint.model.core.fact import DerivedFact, Fact, FactType, Readers
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import UNKNOWN, Value, flag
from mqlint.model.facts.queue_manager.qmgr import QmgrSource
from mqlint.model.facts.security.grant import CLASS, Authorization, Grant, all_grants, grants_of
from mqlint.model.facts.security.oam_profile import is_generic
from mqlint.vocabulary.authorities import ALL

EVERYBODY: Final = frozenset({"nobody", "everyone", "users", "*public"})
"""Groups of all users: `nobody` includes everyone (IBM: q014100, "Principals and groups")."""


AuthorityFact = DerivedFact[Grant]


def _objects_reader(
    find: Callable[[QueueManager], Mapping[Grant, Sequence[str]]],
) -> Callable[[AuthorityFact], Value]:
    def read(fact: AuthorityFact) -> Value:
        object_type = fact.source.authorization.object_type
        grants = fact.manager.cached(grants_of)[object_type]
        if object_type not in ALL or object_type == "QMGR":
            return UNKNOWN
        names = fact.manager.cached(find).get(fact.source, ())
        return UNKNOWN if grants.open else tuple(names)

    return read


def _flag(test: Callable[[Grant], bool]) -> Callable[[AuthorityFact], Value]:
    return lambda fact: flag(test(fact.source))


def _is_of_everybody(grant: Grant) -> bool:
    is_group, entity = grant.authorization.entity
    return is_group and entity.casefold() in EVERYBODY


def _place(fact: AuthorityFact, attribute: str | None) -> Location:
    """The place of the record's profile, or of its first authority that is ALL or the like."""
    records = fact.manager.named("authrec", fact.name)
    record = next(record for record in records if record.key == fact.key)
    if attribute != "authorities":
        return record.where("PROFILE")
    given = record.value("AUTHADD")
    words = sorted(WHOLE.intersection(given)) if isinstance(given, tuple) else []
    return record.where_item("AUTHADD", words[0]) if words else record.where("AUTHADD")


def _fitting(manager: QueueManager) -> tuple[tuple[str, list[Grant]], ...]:
    """Each object with the records of one user or group that fit it, the most specific first."""
    return tuple(
        (mqobject.name, fitting)
        for word, grants in manager.cached(grants_of).items()
        if word in ALL and (grants.exact or grants.generic)
        for mqobject in manager.objects(word.lower())
        if mqobject.is_named
        for fitting in grants.fitting(mqobject.name).values()
    )


def _expected(manager: QueueManager) -> Iterator[tuple[str, list[Grant]]]:
    """The same of objects that only a record names, and that may be in a file that is not here."""
    for word, grants in manager.cached(grants_of).items():
        for name in grants.exact if word in ALL and grants.generic else ():
            if manager.exists(word.lower(), name) is None:
                yield from ((name, fitting) for fitting in grants.fitting(name).values())


def _governed(manager: QueueManager) -> Mapping[Grant, list[str]]:
    """The names of the objects for which each record decides."""
    return grouped((first, name) for name, (first, *_) in manager.cached(_fitting))


def _outranked(manager: QueueManager) -> Iterator[tuple[Grant, Grant, frozenset[str]]]:
    """Each deciding record with the next wider one, and what only that would give."""
    more = Computed(_given_beyond)
    for _, (first, *wider) in chain(manager.cached(_fitting), _expected(manager)):
        if not wider or not isinstance(first.authorization.authorities, tuple):
            continue
        pair = first.authorization, wider[0].authorization
        if more[pair]:
            yield first, wider[0], more[pair]


def _given_beyond(pair: tuple[Authorization, Authorization]) -> frozenset[str]:
    """What the second gives and the first does not; an existing object needs no authority CRT."""
    return frozenset(pair[1].known) - {*pair[0].known, "CRT"}


def _withheld(manager: QueueManager) -> Mapping[Grant, list[str]]:
    """What wider profiles would give and each deciding record does not."""
    found: dict[Grant, set[str]] = {}
    for first, _, more in _outranked(manager):
        found.setdefault(first, set()).update(more)
    return {grant: sorted(more) for grant, more in found.items()}


def _wider(manager: QueueManager) -> Mapping[Grant, list[str]]:
    """The wider profiles that would give more than each deciding record."""
    found: dict[Grant, set[str]] = {}
    for first, wider, _ in _outranked(manager):
        found.setdefault(first, set()).add(wider.profile)
    return {grant: sorted(profiles) for grant, profiles in found.items()}


def _beyond(manager: QueueManager) -> Mapping[Grant, list[str]]:
    """The objects that begin like a profile such as `APP.*` or `APP.Q?` and are too long for it.

    Only those for which the same user or group has no other record.
    """
    found: dict[Grant, list[str]] = {}
    for word, grants in manager.cached(grants_of).items():
        if word not in ALL or not grants.generic:
            continue
        for mqobject in manager.objects(word.lower()):
            name = mqobject.name
            if isinstance(name, Templated) or name.startswith("SYSTEM."):
                continue
            near = grants.ending_before(name)
            fitting = grants.fitting(name) if near else {}
            for grant in near:
                if grant.authorization.entity not in fitting:
                    found.setdefault(grant, []).append(name)
    return found


_READERS: Readers[Grant] = Readers(
    "authority",
    place=_place,
    values={
        "object.type": lambda fact: fact.source.authorization.object_type.lower() or UNKNOWN,
        "entity": lambda fact: fact.source.authorization.entity[1],
        "group": _flag(lambda grant: grant.authorization.entity[0]),
        "authorities": lambda fact: fact.source.authorization.authorities,
        "generic": _flag(lambda grant: is_generic(grant.profile)),
        "class": _flag(lambda grant: grant.profile == CLASS),
        "everybody": _flag(_is_of_everybody),
        "governs": _objects_reader(_governed),
        "withholds": _objects_reader(_withheld),
        "wider": _objects_reader(_wider),
        "beyond": _objects_reader(_beyond),
    },
    key=lambda fact: fact.source.key,
)

SHARED: Final = frozenset(_READERS.values) - {"governs", "withholds", "wider", "beyond"}
"""The attributes that records with equal `shared_key` have in common."""


def is_authority(fact: Fact) -> TypeGuard[AuthorityFact]:
    return fact.type == "authority"


def shared_key(fact: AuthorityFact) -> object:
    """Return a text that is equal for records with the same values of `SHARED`."""
    grant = fact.source
    return grant.authorization, is_generic(grant.profile), grant.profile == CLASS


def authorities(manager: QueueManager) -> tuple[AuthorityFact, ...]:
    return tuple(
        DerivedFact(_READERS, manager, grant.profile, grant) for grant in manager.cached(all_grants)
    )


AUTHORITY: Final = FactType(
    "authority",
    authorities,
    tuple(_READERS.values),
    lambda manager: manager.has_all("authrec"),
    tuple(sorted({*SHARED, "withholds"})),
)
"""What one profile gives to one user or group."""


def granted(found: MQObject | DerivedFact[QmgrSource], authority: str) -> Value:
    """Return the users and groups that have `authority` on an object, or on the queue manager.

    Unknown where a record may count whose profile or authorities are not known, and where nobody
    has it as far as records are here, but not all are.
    """
    manager, word = found.manager, _OBJTYPES.get(found.type, found.type.upper())
    grants = manager.cached(grants_of).get(word)
    if grants is None or isinstance(found.name, Templated):
        return UNKNOWN
    deciding = grants.deciding(found.name)
    is_open = grants.open or grants.for_unknown
    if is_open or any(grant.authorization.authorities is UNKNOWN for grant in deciding.values()):
        return UNKNOWN
    having = [
        entity[1] for entity, grant in deciding.items() if authority in grant.authorization.known
    ]
    return tuple(sorted(set(having))) if having or manager.has_all("authrec") else UNKNOWN


_OBJTYPES = {"qlocal": "QUEUE", "qalias": "QUEUE", "qremote": "QUEUE", "qmodel": "QUEUE"}
