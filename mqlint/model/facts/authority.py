"""Authorities as the object authority manager judges them.

Of the profiles of one user or group that fit an object, the most specific alone decides. A user
has what the groups together have. The profile `@class` is about a type of objects, not about one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, Final

from mqlint.finding import Location
from mqlint.language.mqsc import Templated
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.grant import ALL, CLASS, Gift, Grant, all_grants, grants_of
from mqlint.model.facts.oam_profile import is_generic
from mqlint.model.facts.qmgr import QueueManagerFact

AUTHORITIES: Final = tuple(
    "ALTUSR BROWSE CHG CLR CONNECT CRT CTRL CTRLX DLT DSP GET INQ PASSALL PASSID PUB PUT RESUME "
    "SET SETALL SETID SUB SYSTEM".split()
)
"""The authorities that stand for one thing each."""

EVERYBODY: Final = frozenset({"nobody", "everyone", "users", "*public"})
"""Groups in which every user is: `nobody` takes in all (IBM: q014100, "Principals and groups")."""


class AuthorityFact:
    """What one profile gives to one user or group.

    `object.type` is the type of objects in lower case, `entity` the user or group, `group` whether
    it is a group, `authorities` the list with ALL, ALLMQI and ALLADM written out. `generic` and
    `class` tell the form of the profile, `everybody` whether every user is in the group.
    `governs` lists the objects of this queue manager for which this profile decides, `withholds`
    what the next wider profiles would give for them and this one does not, `wider` those profiles.
    """

    __slots__ = ("_grant", "manager")

    type = "authority"
    ALIKE: ClassVar = frozenset(
        "object.type entity group authorities generic class everybody withholds".split()
    )
    """What records have in common that are alike."""

    def __init__(self, manager: QueueManager, grant: Grant) -> None:
        """Take one record of a queue manager."""
        self.manager = manager
        self._grant = grant

    @property
    def name(self) -> str:
        """The profile."""
        return self._grant.profile

    @property
    def key(self) -> str:
        """The key of the record."""
        return self._grant.key

    def value(self, attribute: str) -> Value:
        """Return one of its values."""
        gift = self._grant.gift
        if attribute == "authorities":
            return gift.authorities
        if attribute == "entity":
            return gift.entity[1]
        if attribute == "governs":
            return self._of_objects(_governed)
        if attribute in ("withholds", "wider"):
            return self._of_objects(_withheld if attribute == "withholds" else _wider)
        if attribute == "object.type":
            return gift.object_type.lower() or UNKNOWN
        flag = _FLAGS.get(attribute)
        return ABSENT if flag is None else "true" if flag(self._grant) else "false"

    @property
    def alike(self) -> object:
        """Equal for records that have the values of `ALIKE` in common."""
        profile = self.name
        withholds = self._of_objects(_withheld)
        return self._grant.gift, is_generic(profile), profile == CLASS, withholds

    def where(self, attribute: str | None = None) -> Location:
        """Return the place of the record's profile, or of what it gives."""
        called = self.manager.named("authrec", self.name)
        record = next(mqobject for mqobject in called if mqobject.key == self.key)
        return record.where("AUTHADD" if attribute == "authorities" else "PROFILE")

    def _of_objects(self, find: Callable[[QueueManager], Mapping[Grant, Sequence[str]]]) -> Value:
        """What follows from the objects that are here, for this record."""
        object_type = self._grant.gift.object_type
        grants = self.manager.once(grants_of)[object_type]
        if object_type not in ALL or object_type == "QMGR":
            return UNKNOWN
        names = self.manager.once(find).get(self._grant, ())
        return UNKNOWN if grants.open else tuple(names)


_FLAGS: Final[Mapping[str, Callable[[Grant], bool]]] = {
    "group": lambda grant: grant.gift.entity[0],
    "generic": lambda grant: is_generic(grant.profile),
    "class": lambda grant: grant.profile == CLASS,
    "everybody": lambda grant: (
        grant.gift.entity[0] and grant.gift.entity[1].casefold() in EVERYBODY
    ),
}


def _fitting(manager: QueueManager) -> tuple[tuple[str, list[Grant]], ...]:
    """Each object with the records of one user or group that fit it, the most specific first."""
    return tuple(
        (object.name, fitting)
        for word, grants in manager.once(grants_of).items()
        if word in ALL and (grants.exact or grants.generic)
        for object in manager.objects(word.lower())
        if not isinstance(object.name, Templated)
        for fitting in grants.fitting(object.name).values()
    )


def _governed(manager: QueueManager) -> Mapping[Grant, list[str]]:
    """The names of the objects for which each record decides."""
    found: dict[Grant, list[str]] = {}
    for name, (first, *_) in manager.once(_fitting):
        found.setdefault(first, []).append(name)
    return found


def _outranked(manager: QueueManager) -> Iterator[tuple[Grant, Grant, frozenset[str]]]:
    """Each deciding record with the next wider one, and what that would give besides."""
    known: dict[tuple[Gift, Gift], frozenset[str]] = {}
    for _, (first, *wider) in manager.once(_fitting):
        if not wider or not isinstance(first.gift.authorities, tuple):
            continue
        pair = first.gift, wider[0].gift
        if pair not in known:
            known[pair] = frozenset(pair[1].given) - frozenset(pair[0].given)
        if known[pair]:
            yield first, wider[0], known[pair]


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


def authorities(manager: QueueManager) -> tuple[AuthorityFact, ...]:
    """Return what the authority records of a queue manager give, one fact a record."""
    return tuple(AuthorityFact(manager, grant) for grant in manager.once(all_grants))


def has_authorities(manager: QueueManager) -> bool:
    """Whether no authority record is left out."""
    return manager.has_all("authrec")


def granted(found: MQObject | QueueManagerFact, authority: str) -> Value:
    """Return the users and groups that have `authority` on an object, or on the queue manager.

    Unknown where a record may count whose profile or authorities are not known, and where nobody
    has it as far as records are here, but not all are.
    """
    manager, word = found.manager, _OBJTYPES.get(found.type, found.type.upper())
    grants = manager.once(grants_of).get(word)
    if grants is None or isinstance(found.name, Templated):
        return UNKNOWN
    deciding = grants.deciding(found.name)
    if grants.open or any(grant.gift.authorities is UNKNOWN for grant in deciding.values()):
        return UNKNOWN
    having = [entity[1] for entity, grant in deciding.items() if authority in grant.gift.given]
    return tuple(sorted(set(having))) if having or manager.has_all("authrec") else UNKNOWN


_OBJTYPES = {"qlocal": "QUEUE", "qalias": "QUEUE", "qremote": "QUEUE", "qmodel": "QUEUE"}
