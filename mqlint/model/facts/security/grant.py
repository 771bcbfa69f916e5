"""The authorities that records grant, read from commands without building objects if possible.

Most commands of a dump are authority records, many of which grant the same by different profiles.
So what they grant is computed once, and shared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import field
from typing import Final

from mqlint.computed import Computed
from mqlint.dataclass import NamedTuple, frozen, mutable
from mqlint.grouping import grouped
from mqlint.language.mqsc import Command, decode, items
from mqlint.model.core.action import Action, Effect, key_words
from mqlint.model.core.authorities import expanded
from mqlint.model.core.layer import value_of
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import Unknown, Value
from mqlint.model.facts.security.oam_profile import fits, is_generic, literal_prefix, rank
from mqlint.number import is_digits
from mqlint.source.budget import Budget
from mqlint.vocabulary.authorities import ALL

_EACH_FITTING: Final = 8
"""Characters of the budget that each record costs whose profile fits a name."""
CLASS: Final = "@class"
"""The profile that is about a type of objects, not about one."""


@frozen(eq=False)
class Authorization:
    """The authorities of a record without its profile: on objects of a type, for an entity.

    `entity` is whether it is a group, and its name. `known` are the authorities that are known.
    """

    entity: tuple[bool, str]
    authorities: Value
    object_type: str
    known: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        known = self.authorities if isinstance(self.authorities, tuple) else ()
        object.__setattr__(self, "known", known)


@mutable(eq=False)
class Grant:
    """One record: a profile and its authorization; `tail` is the rest of the key of the record."""

    profile: str
    authorization: Authorization
    tail: str

    @property
    def key(self) -> str:
        return self.profile + self.tail


@mutable
class Grants:
    """The records about one type of object.

    `for_unknown` is true if some are for a user or group that is not known, `open` if some have
    unknown names, or if the `budget` for comparing profiles with names is spent. Generic profiles
    are indexed by their literal beginning; `lengths` are those of the beginnings.
    """

    budget: Budget
    exact: dict[str, list[Grant]] = field(default_factory=dict)
    generic: dict[str, dict[str, list[Grant]]] = field(default_factory=dict)
    for_unknown: bool = False
    open: bool = False
    lengths: set[int] = field(default_factory=set)

    def add(self, grant: Grant) -> None:
        profile = grant.profile
        if not is_generic(profile):
            self.exact.setdefault(profile, []).append(grant)
            return
        start = literal_prefix(profile)
        self.lengths.add(len(start))
        self.generic.setdefault(start, {}).setdefault(profile, []).append(grant)

    def deciding(self, name: str) -> dict[tuple[bool, str], Grant]:
        """Return the record that decides for each user and group, for an object of this name."""
        return {entity: grants[0] for entity, grants in self.fitting(name).items()}

    def fitting(self, name: str) -> dict[tuple[bool, str], list[Grant]]:
        """Return the records of each user and group that fit a name, the most specific first."""
        generic = sorted(self._generic_for(name), key=lambda each: rank(each[0]))
        exact = self.exact.get(name, ())
        if not self.budget.spend(_EACH_FITTING * len(exact), 0):
            self.open, exact = True, ()
        fitting = (exact, *(grants for _, grants in generic))
        return grouped(
            (grant.authorization.entity, grant) for grants in fitting for grant in grants
        )

    def ending_before(self, name: str) -> list[Grant]:
        """Return the records whose profile stops before `name` ends.

        It ends in one `*` and `name` has another qualifier, or in `?` and `name` has another digit.
        """
        found: list[Grant] = []
        for profile, grants in self._generic_near(name):
            start = profile.rstrip("*?")
            if is_generic(start) or not name.startswith(start):
                continue
            marks, rest = profile[len(start) :], name[len(start) :]
            has_more_qualifiers = marks == "*" and name.count(".") > profile.count(".")
            has_more_digits = (
                marks.strip("?") == "" and is_digits(rest) and len(rest) == len(marks) + 1
            )
            found += grants if has_more_qualifiers or has_more_digits else []
        return [] if self.budget.is_spent else found

    def _generic_for(self, name: str) -> Iterator[tuple[str, list[Grant]]]:
        for profile, grants in self._generic_near(name):
            if fits(profile, name):
                if not self.budget.spend(_EACH_FITTING * len(grants), 0):
                    self.open = True
                    return
                yield profile, grants

    def _generic_near(self, name: str) -> Iterator[tuple[str, list[Grant]]]:
        """Yield the generic profiles that begin as a name does, up to the budget."""
        for length in self.lengths:
            near = self.generic.get(name[:length], {}) if length <= len(name) else {}
            for profile in near.items():
                if not self.budget.spend(0):
                    self.open = True
                    return
                yield profile


def grants_of(manager: QueueManager) -> Mapping[str, Grants]:
    """Return the records by type of object (QUEUE, TOPIC ...)."""
    budget = manager.budget("authority records")
    found = {word: Grants(budget) for word in (*ALL, "RQMNAME", "")}
    for grant in manager.cached(all_grants):
        if grant.profile == CLASS:
            continue
        grants = found.get(grant.authorization.object_type)
        if grants is None:
            grants = found[grant.authorization.object_type] = Grants(budget)
        grants.add(grant)
    for record in manager.objects("authrec") if manager.cached(_of_commands) is None else ():
        grants = found.setdefault(_object_type(record), Grants(budget))
        grants.open = grants.open or not record.is_named
        grants.for_unknown |= _entity(record) is None
    return found


def have_a_command_each(manager: QueueManager) -> bool:
    """Return whether each command about authorities makes a record that no other is about."""
    return manager.cached(_of_commands) is not None


def types_of_records(manager: QueueManager) -> Set[str] | None:
    """Return the types of objects that records are about (QUEUE, TOPIC ...).

    None if commands alone do not tell: several may be about one record, or one omits the type.
    """
    found = manager.cached(_of_commands)
    return None if found is None or "" in found.types else found.types


def profiles(manager: QueueManager) -> Iterator[tuple[str, str]]:
    """Yield the type and profile of each record, also of those for an unknown user or group."""
    found = manager.cached(_of_commands)
    for grant in manager.cached(all_grants):
        yield grant.authorization.object_type, grant.profile
    if found is not None:
        yield from found.for_unknown
        return
    for record in manager.objects("authrec"):
        if record.is_named and _entity(record) is None:
            # The key has the words of a command that may not run; the attributes do not.
            yield record.key.split("\x1f")[1], record.name


def all_grants(manager: QueueManager) -> tuple[Grant, ...]:
    """Return the records of a queue manager whose profile and whose user or group are known."""
    found = manager.cached(_of_commands)
    if found is not None:
        return found.grants
    authorizations: dict[tuple[object, ...], Authorization] = {}
    grants = (_grant(record, authorizations) for record in manager.objects("authrec"))
    return tuple(grant for grant in grants if grant is not None)


class _OfCommands(NamedTuple):
    """The grants of records, and the types of objects that these are about, blank for none.

    `for_unknown` are the type and profile of each record for a user or group that is not known.
    """

    grants: tuple[Grant, ...]
    types: Set[str]
    for_unknown: tuple[tuple[str, str], ...]


def _of_commands(manager: QueueManager) -> _OfCommands | None:
    """What commands say if each certainly makes a record of its own; otherwise None.

    Two thirds of a dump are records, and hardly one is at fault, so no objects are built for them.
    """
    grants: list[Grant] = []
    for_unknown: list[tuple[str, str]] = []
    authorizations = _Authorizations(manager.key.name)
    whole: set[Action] = set()
    for command, action, origin, _ in manager.records:
        if action not in whole:
            if not _says_all(command, action):
                return None
            whole.add(action)
        if origin.maybe or command.marks:
            return None
        profile, given = authorizations.of(command)
        if profile in given.profiles:
            return None
        given.profiles.add(profile)
        if given.authorization is not None:
            grants.append(Grant(profile, given.authorization, given.tail))
        else:
            for_unknown.append((given.object_type, profile))
    if not manager.records:
        return None
    return _OfCommands(tuple(grants), authorizations.types(), tuple(for_unknown))


def _says_all(command: Command, action: Action) -> bool:
    """Whether commands of a shape give authorities, and say all that there is to say."""
    if command.form.shape.open or action.effect is not Effect.SET:
        return False
    return "AUTHRMV" not in action.words


class _AlikeCommands(NamedTuple):
    """Commands that differ only in their profiles.

    `object_type` is that of the objects that they are about, blank without one. `tail` is the end
    of the keys of their records, and `profiles` are those of all records with this end.
    `authorization` is None without a user or group.
    """

    object_type: str
    tail: str
    profiles: set[str]
    authorization: Authorization | None


class _Authorizations:
    """The authorizations of commands, shared by commands that differ only in their profiles."""

    def __init__(self, queue_manager: str) -> None:
        self._own = queue_manager
        self._lists = Computed(_listed)
        self._known: dict[tuple[object, ...], _AlikeCommands] = {}
        self._profiles: dict[str, set[str]] = {}

    def of(self, command: Command) -> tuple[str, _AlikeCommands]:
        """Return the profile of a record, and what it shares with others."""
        shape, values = command.form.shape, command.values
        at = shape.slot_of.get("PROFILE", -1)
        profile = decode(values[at]) if at >= 0 else ""
        key = (shape, *values[:at], *values[at + 1 :]) if at >= 0 else (shape, *values)
        given = self._known.get(key)
        if given is None:
            given = self._known[key] = self._given(command)
        if at < 0 or (given.object_type == "QMGR" and profile != CLASS):
            # A queue manager has one record for each user, whatever the profile.
            profile = self._own
        return profile, given

    def _given(self, command: Command) -> _AlikeCommands:
        raw = [command.get(word) or "" for word in key_words("authrec")]
        kind, user, group = map(value_of, raw)
        object_type = kind if isinstance(kind, str) else ""
        entity, authorization = group or user, None
        if entity and isinstance(entity, str):
            given = self._lists[object_type, command.get("AUTHADD")]
            authorization = Authorization((bool(group), entity), given, object_type)
        tail = "".join(f"\x1f{decode(word)}" for word in raw)
        profiles = self._profiles.setdefault(tail, set())
        return _AlikeCommands(object_type, tail, profiles, authorization)

    def types(self) -> Set[str]:
        """Return the types of objects that the commands are about."""
        return {given.object_type for given in self._known.values()}


def _listed(of: tuple[str, str | None]) -> tuple[str, ...] | Unknown:
    """The authorities of a list as it is written, for a type of objects; few are frequent."""
    object_type, raw = of
    return expanded(object_type, tuple(dict.fromkeys(filter(None, items(raw or "")))))


def _grant(
    record: MQObject, authorizations: dict[tuple[object, ...], Authorization]
) -> Grant | None:
    """Return the grant of a record; those that differ only in profiles share an authorization."""
    entity = _entity(record)
    if not record.is_named or entity is None:
        return None
    object_type = _object_type(record)
    given = expanded(object_type, record.value("AUTHADD"))
    key = (entity, given, object_type)
    authorization = authorizations.setdefault(key, Authorization(entity, given, object_type))
    return Grant(record.name, authorization, record.key.removeprefix(record.name))


def _entity(record: MQObject) -> tuple[bool, str] | None:
    """Whether a record is for a group, and the name; None if the name is not known.

    A record is for one of both, so the word that its commands omit is not unknown.
    """
    for word in ("GROUP", "PRINCIPAL"):
        name = record.value(word)
        if isinstance(name, str) and name:
            return word == "GROUP", name
    return None


def _object_type(record: MQObject) -> str:
    found = record.value("OBJTYPE")
    return found if isinstance(found, str) else ""
