"""Authorities as the object authority manager judges them.

Of the profiles of one user or group that fit an object, the most specific alone decides. A user
has what the groups together have. The profile `@class` is about a type of objects, not about one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mqlint.finding import Location
from mqlint.model.action import Action, Effect
from mqlint.model.generic import fits, is_generic, literal_prefix, rank
from mqlint.model.object import MQObject
from mqlint.model.qmgr import QueueManagerFact
from mqlint.model.queue_manager import QueueManager
from mqlint.model.value import ABSENT, UNKNOWN, Value
from mqlint.syntax.mqsc import Command, Templated, items

AUTHORITIES: Final = tuple(
    "ALTUSR BROWSE CHG CLR CONNECT CRT CTRL CTRLX DLT DSP GET INQ PASSALL PASSID PUB PUT RESUME "
    "SET SETALL SETID SUB SYSTEM".split()
)
"""The authorities that stand for one thing each."""

EVERYBODY: Final = frozenset({"nobody", "everyone", "users", "*public"})
"""Groups in which every user is: `nobody` takes in all (IBM: q014100, "Principals and groups")."""

_ADMINISTRATION = frozenset("CHG CLR CRT CTRL CTRLX DLT DSP".split())
_ALL: Final[Mapping[str, frozenset[str]]] = {
    word: frozenset(found.split())
    for word, found in {
        "QUEUE": "BROWSE CHG CLR DLT DSP GET INQ PUT PASSALL PASSID SET SETALL SETID",
        "QMGR": "ALTUSR CHG CONNECT DLT DSP INQ SET SETALL SETID CTRL SYSTEM",
        "TOPIC": "CHG CLR DLT DSP PASSALL PASSID SETALL SETID CTRL PUB SUB RESUME",
        "CHANNEL": "CHG DLT DSP CTRL CTRLX",
        "LISTENER": "CHG DLT DSP CTRL",
        "SERVICE": "CHG DLT DSP CTRL",
        "CLNTCONN": "CHG DLT DSP",
        "COMMINFO": "CHG DLT DSP",
        "AUTHINFO": "CHG DLT DSP INQ",
        "NAMELIST": "CHG DLT DSP INQ",
        "PROCESS": "CHG DLT DSP INQ SET",
    }.items()
}
"""What ALL stands for: what a dump shows of the group mqm, which has all of them."""

_CLASS = "@class"
_PLAIN: Final = frozenset({str})  # a template or a secret is a text of another type


class Grant(NamedTuple):
    """One record: what a profile gives to one user or group."""

    profile: str
    entity: tuple[bool, str]
    authorities: Value
    key: str
    object_type: str

    @property
    def given(self) -> tuple[str, ...]:
        """The authorities that are known."""
        return self.authorities if isinstance(self.authorities, tuple) else ()


@dataclass(slots=True)
class Grants:
    """The records about one type of object; `open` when some speak of names that are not known.

    Generic profiles stand under what names that fit begin with; `lengths` are those of that.
    """

    exact: dict[str, list[Grant]] = field(default_factory=dict)
    generic: dict[str, list[Grant]] = field(default_factory=dict)
    open: bool = False
    lengths: set[int] = field(default_factory=set)

    def add(self, grant: Grant) -> None:
        """Take in one record."""
        space, key = self.exact, grant.profile
        if is_generic(grant.profile):
            space, key = self.generic, literal_prefix(grant.profile)
            self.lengths.add(len(key))
        space.setdefault(key, []).append(grant)

    def deciding(self, name: str) -> dict[tuple[bool, str], Grant]:
        """Return the one record that counts for each user and group, for an object of this name."""
        return {entity: grants[0] for entity, grants in self.fitting(name).items()}

    def fitting(self, name: str) -> dict[tuple[bool, str], list[Grant]]:
        """Return the records of each user and group that fit a name, the most specific first."""
        found: dict[tuple[bool, str], list[Grant]] = {}
        for grant in self.exact.get(name, ()):
            found.setdefault(grant.entity, []).append(grant)
        for grant in sorted(self._generic_for(name), key=lambda one: rank(one.profile)):
            found.setdefault(grant.entity, []).append(grant)
        return found

    def _generic_for(self, name: str) -> list[Grant]:
        fitting: list[Grant] = []
        for length in self.lengths:
            near = self.generic.get(name[:length], ()) if length <= len(name) else ()
            fitting += [grant for grant in near if fits(grant.profile, name)]
        return fitting


class AuthorityFact:
    """What one profile gives to one user or group.

    `object.type` is the type of objects in lower case, `entity` the user or group, `group` whether
    it is a group, `authorities` the list with ALL, ALLMQI and ALLADM written out. `generic` and
    `class` tell the form of the profile, `everybody` whether every user is in the group.
    `governs` lists the objects of this queue manager for which this profile decides, `withholds`
    what the next wider profiles would give for them and this one does not, `wider` those profiles.
    """

    __slots__ = ("_grant", "key", "manager", "name")

    type = "authority"

    def __init__(self, manager: QueueManager, grant: Grant) -> None:
        """Take one record of a queue manager."""
        self.manager = manager
        self.name = grant.profile
        self.key = grant.key
        self._grant = grant

    def value(self, attribute: str) -> Value:
        """Return one of its values."""
        grant = self._grant
        if attribute == "authorities":
            return grant.authorities
        if attribute == "governs":
            return self._of_objects(_governed)
        if attribute in ("withholds", "wider"):
            return self._of_objects(_withheld if attribute == "withholds" else _wider)
        if attribute == "object.type":
            return grant.object_type.lower() or UNKNOWN
        if attribute == "entity":
            return grant.entity[1]
        flag = _FLAGS.get(attribute)
        return ABSENT if flag is None else "true" if flag(grant) else "false"

    def where(self, attribute: str | None = None) -> Location:
        """Return the place of the record's profile, or of what it gives."""
        called = self.manager.named("authrec", self.name)
        record = next(one for one in called if one.key == self.key)
        return record.where("AUTHADD" if attribute == "authorities" else "PROFILE")

    def _of_objects(self, find: Callable[[QueueManager], Mapping[str, Sequence[str]]]) -> Value:
        """What follows from the objects that are here, for this record."""
        object_type = self._grant.object_type
        grants = self.manager.once(grants_of)[object_type]
        if grants.open or object_type not in _ALL or object_type == "QMGR":
            return UNKNOWN
        return tuple(self.manager.once(find).get(self.key, ()))


_FLAGS: Final[Mapping[str, Callable[[Grant], bool]]] = {
    "group": lambda grant: grant.entity[0],
    "generic": lambda grant: is_generic(grant.profile),
    "class": lambda grant: grant.profile == _CLASS,
    "everybody": lambda grant: grant.entity[0] and grant.entity[1].casefold() in EVERYBODY,
}


def _fitting(manager: QueueManager) -> tuple[tuple[str, list[Grant]], ...]:
    """Each object with the records of one user or group that fit it, the most specific first."""
    return tuple(
        (one.name, fitting)
        for word, grants in manager.once(grants_of).items()
        if word in _ALL and (grants.exact or grants.generic)
        for one in manager.objects(word.lower())
        if not isinstance(one.name, Templated)
        for fitting in grants.fitting(one.name).values()
    )


def _governed(manager: QueueManager) -> Mapping[str, list[str]]:
    """The names of the objects for which each record decides, by the record's key."""
    found: dict[str, list[str]] = {}
    for name, (first, *_) in manager.once(_fitting):
        found.setdefault(first.key, []).append(name)
    return found


def _outranked(manager: QueueManager) -> Iterator[tuple[Grant, Grant, set[str]]]:
    """Each deciding record with the next wider one, and what that would give besides."""
    for _, fitting in manager.once(_fitting):
        if len(fitting) > 1 and isinstance(fitting[0].authorities, tuple):
            more = set(fitting[1].given) - set(fitting[0].given)
            if more:
                yield fitting[0], fitting[1], more


def _withheld(manager: QueueManager) -> Mapping[str, list[str]]:
    """What wider profiles would give and each deciding record does not, by the record's key."""
    found: dict[str, set[str]] = {}
    for first, _, more in _outranked(manager):
        found.setdefault(first.key, set()).update(more)
    return {key: sorted(more) for key, more in found.items()}


def _wider(manager: QueueManager) -> Mapping[str, list[str]]:
    """The wider profiles that would give more than each deciding record, by the record's key."""
    found: dict[str, set[str]] = {}
    for first, wider, _ in _outranked(manager):
        found.setdefault(first.key, set()).add(wider.profile)
    return {key: sorted(profiles) for key, profiles in found.items()}


def authorities(manager: QueueManager) -> tuple[AuthorityFact, ...]:
    """Return what the authority records of a queue manager give, one fact a record."""
    return tuple(AuthorityFact(manager, grant) for grant in manager.once(_grants))


def has_authorities(manager: QueueManager) -> bool:
    """Whether no authority record is left out."""
    return manager.has_all("authrec")


def grants_of(manager: QueueManager) -> Mapping[str, Grants]:
    """Return the records by type of object (QUEUE, TOPIC ...)."""
    found = {word: Grants() for word in (*_ALL, "RQMNAME", "")}
    for grant in manager.once(_grants):
        if grant.profile != _CLASS:
            found.setdefault(grant.object_type, Grants()).add(grant)
    for record in manager.objects("authrec") if manager.once(_dumped) is None else ():
        if isinstance(record.name, Templated):
            found.setdefault(_object_type(record), Grants()).open = True
    return found


def granted(found: MQObject | QueueManagerFact, authority: str) -> Value:
    """Return the users and groups that have `authority` on an object, or on the queue manager.

    Unknown where a record may count whose profile or authorities are not known, and where nobody
    has it as far as records are here, but not all are.
    """
    manager, word = found.manager, _OBJTYPES.get(found.type, found.type.upper())
    grants = manager.once(grants_of).get(word)
    if grants is None or grants.open or isinstance(found.name, Templated):
        return UNKNOWN
    deciding = grants.deciding(found.name)
    if any(grant.authorities is UNKNOWN for grant in deciding.values()):
        return UNKNOWN
    having = [entity[1] for entity, grant in deciding.items() if authority in grant.given]
    return tuple(sorted(set(having))) if having or manager.has_all("authrec") else UNKNOWN


_OBJTYPES = {"qlocal": "QUEUE", "qalias": "QUEUE", "qremote": "QUEUE", "qmodel": "QUEUE"}


def _grants(manager: QueueManager) -> tuple[Grant, ...]:
    """The records of a queue manager whose profile and whose user or group are known."""
    dumped = manager.once(_dumped)
    if dumped is not None:
        return dumped
    found = (_grant(record) for record in manager.objects("authrec"))
    return tuple(grant for grant in found if grant is not None)


def _dumped(manager: QueueManager) -> tuple[Grant, ...] | None:
    """The same of a dump without templates, where each command is a record; else None.

    Two thirds of a dump are records, and hardly one is at fault: no objects are built of them.
    """
    expanded: dict[tuple[str, str | None], Value] = {}
    grants: dict[str, Grant | None] = {}
    for command, action, origin, _ in manager.records:
        if not origin.observed or origin.maybe or not _says_all(command, action):
            return None
        key = manager.record_key(command, action)
        if key in grants:
            return None
        grants[key] = _grant_of(manager, command, action, key, expanded)
    return tuple(one for one in grants.values() if one is not None) if grants else None


def _says_all(command: Command, action: Action) -> bool:
    """Whether a command gives authorities, whatever else is known of them."""
    if command.maybe or command.form.shape.open or action.effect is not Effect.SET:
        return False
    return "AUTHRMV" not in action.words and _PLAIN.issuperset(map(type, command.values))


def _grant_of(
    manager: QueueManager,
    command: Command,
    action: Action,
    key: str,
    expanded: dict[tuple[str, str | None], Value],
) -> Grant | None:
    """What one command of a dump gives; `expanded` keeps what its lists stand for."""
    get, decoded = command.get, manager.decoded
    is_group = bool(decoded(get("GROUP") or ""))
    entity = decoded(get("GROUP" if is_group else "PRINCIPAL") or "")
    if not isinstance(entity, str) or not entity:
        return None
    kind, raw = decoded(get("OBJTYPE") or ""), get("AUTHADD")
    object_type = kind if isinstance(kind, str) else ""
    if (object_type, raw) not in expanded:
        words = () if raw is None else tuple(dict.fromkeys(one for one in items(raw) if one))
        expanded[object_type, raw] = _expanded(object_type, words)
    given = expanded[object_type, raw]
    return Grant(key.split("\x1f", 1)[0], (is_group, entity), given, key, object_type)


def _grant(record: MQObject) -> Grant | None:
    group, user = record.value("GROUP"), record.value("PRINCIPAL")
    entity = group if isinstance(group, str) and group else user
    if isinstance(record.name, Templated) or not isinstance(entity, str) or not entity:
        return None
    object_type = _object_type(record)
    given = _expanded(object_type, record.value("AUTHADD"))
    return Grant(record.name, (entity is group, entity), given, record.key, object_type)


def _object_type(record: MQObject) -> str:
    found = record.value("OBJTYPE")
    return found if isinstance(found, str) else ""


def _expanded(object_type: str, given: Value) -> Value:
    """The authorities of a list one by one; unknown where one word stands for what is not known."""
    if given is UNKNOWN or given is ABSENT:
        return UNKNOWN
    words = set((given,) if isinstance(given, str) else given)
    every = _ALL.get(object_type)
    if every is None and words & {"ALL", "ALLADM", "ALLMQI"}:
        return UNKNOWN
    found = words - {"ALL", "ALLADM", "ALLMQI", "NONE"}
    if every is not None:
        found |= every if "ALL" in words else frozenset()
        found |= every & _ADMINISTRATION if "ALLADM" in words else frozenset()
        found |= every - _ADMINISTRATION - {"SYSTEM"} if "ALLMQI" in words else frozenset()
    return tuple(sorted(found))
