"""Names of objects that may not exist: in attributes, in commands, in options of crtmqm.

A name can be misspelt, or not defined in any file that was read, even if the files do not have
every object of the queue manager.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from mqlint.dataclass import NamedTuple
from mqlint.finding import Location
from mqlint.grouping import grouped
from mqlint.model.core.action import family
from mqlint.model.core.fact import DerivedFact, FactType, Readers
from mqlint.model.core.layer import Change
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.similar import SimilarNames
from mqlint.model.core.value import ABSENT, Value, flag
from mqlint.model.facts.names.beginning import beginning_of, beginnings
from mqlint.model.facts.names.uses import (
    ENTITY,
    LIKE,
    PROFILE,
    Use,
    acts_on_new_manager,
    cluster_uses_of,
    connecting,
    grant_place,
    record_place,
    users_of,
    uses_of,
)
from mqlint.model.facts.queue_manager.creation import creation
from mqlint.model.facts.queue_manager.wholeness import is_read_whole
from mqlint.model.facts.routing.cluster import clusters_of
from mqlint.model.facts.routing.path import may_be_in_cluster
from mqlint.model.facts.security.grant import all_grants
from mqlint.vocabulary import Vocabulary

_PEOPLE: Final = ("user", ENTITY)
"""Targets that are users or groups instead of objects."""
_BY_NAME_ALONE = ("SYSTEM.", "AMQ.")
"""Beginnings of names that a queue manager may have without a definition (AMQ.* are dynamic)."""
_OF_DEVELOPERS = "DEV."
"""Beginning of the names of objects that IBM's container may bring."""
_MAY_BE_IN_CLUSTER: Final = frozenset(
    {
        *("TARGET", "DEST", "DESTQMGR", "STREAMQ", "RQMNAME", "PARENT", "TOPICOBJ"),
        *("protected queue", "setmqspl -p", "runmqdlq FWDQ"),
    }
)
"""Attributes that may name what other members of a cluster have."""
_OF_OTHER_MANAGERS: Final = ("RQMNAME", "DESTQMGR", "PARENT")
"""Attributes that name another queue manager, which a queue-sharing group of z/OS may know."""
_NEED_NO_DEFINITION: Final = frozenset({"CLCHNAME", "NAMES"})
"""Attributes that name channels which a cluster may define by itself, or anything."""


class _Definition(NamedTuple):
    """A definition that may be meant: its type and the place of its name."""

    type: str
    where: Callable[[], Location]

    @property
    def place(self) -> Location:
        return self.where()


class _Unresolved(NamedTuple):
    """A name that no definition bears, and the `definition` with a `similar` one.

    `misspelt` is that definition if it is the one that is misspelt. `defines` is whether commands
    define objects of the type, `deleted` whether a command deletes the object.
    """

    use: Use
    state: str
    similar: str
    definition: _Definition | None
    misspelt: _Definition | None
    uses: int
    defines: bool
    deleted: bool

    @property
    def place(self) -> Location:
        """The place of what is misspelt: found for the few facts that are reported."""
        return self.use.place if self.misspelt is None else self.misspelt.place

    @property
    def object_type(self) -> str:
        return self.use.holder_type if self.misspelt is None else self.misspelt.type

    @property
    def naming(self) -> str:
        """The beginning of a sentence: `BOQNAME of QLOCAL Q is`, `ALTER QLOCAL names`."""
        use = self.use
        if use.holder_type == "command":
            return f"{use.word} names"
        return f"{use.word} of {use.holder_type.upper()} {use.holder} is"

    @property
    def line(self) -> Value:
        """The line of the definition with the similar name."""
        return ABSENT if self.definition is None else str(self.definition.place.start.line)

    @property
    def key(self) -> str:
        use = self.use
        return "\x1f".join((use.holder_type, use.holder, use.word, use.target, use.name))


UnresolvedFact = DerivedFact[_Unresolved]

_READERS: Final = Readers[_Unresolved](
    "unresolved",
    place=lambda fact, _: fact.source.place,
    values={
        "object.type": lambda fact: fact.source.object_type,
        "attribute": lambda fact: fact.source.use.word,
        "naming": lambda fact: fact.source.naming,
        "target": lambda fact: fact.source.use.name,
        "target.type": lambda fact: fact.source.use.target,
        "target.defined": lambda fact: flag(fact.source.defines),
        "deleted": lambda fact: flag(fact.source.deleted),
        "state": lambda fact: fact.source.state,
        "similar": lambda fact: fact.source.similar or ABSENT,
        "similar.line": lambda fact: fact.source.line,
        "side": lambda fact: "use" if fact.source.misspelt is None else "definition",
        "uses": lambda fact: str(fact.source.uses),
    },
    key=lambda fact: fact.source.key,
)


def unresolved(manager: QueueManager) -> tuple[UnresolvedFact, ...]:
    """Return the names of a queue manager's files that no definition here bears."""
    uses = (*uses_of(manager), *cluster_uses_of(manager))
    return tuple(_facts(manager, uses))


UNRESOLVED: Final = FactType(
    "unresolved",
    unresolved,
    tuple(_READERS.values),
    cheap=("object.type", "attribute", "target.type", "deleted", "state", "similar", "side"),
)
"""A name of an object that no definition that was read bears."""


def _definitions(manager: QueueManager, target: str) -> dict[str, _Definition]:
    """The objects of a type that commands define, by name."""
    if target == "cluster":
        return _joined_clusters(manager)
    if target == "user":
        users = manager.cached(users_of).items()
        return {
            name: _Definition(
                "authrec",
                partial(record_place, manager, grant.profile, grant.authorization.object_type),
            )
            for name, grant in users
        }
    if target == ENTITY:
        entities = manager.cached(connecting).items()
        return {
            name: _Definition("authrec", partial(grant_place, manager, grant))
            for name, grant in entities
        }
    return {
        found.name: _Definition(found.type, found.where)
        for found in manager.objects(target)
        if found.is_named and _may_be_defined(found)
    }


def _may_be_defined(found: MQObject) -> bool:
    """Whether a command defines an object, which may not run."""
    is_undefined = all(layer.change is not Change.MAKE for layer in found.layers)
    return found.exists is True or (found.exists is None and not is_undefined)


def _joined_clusters(manager: QueueManager) -> dict[str, _Definition]:
    found: dict[str, _Definition] = {}
    for channel in manager.channels("CLUSRCVR"):
        names = clusters_of(channel)
        for name in names if isinstance(names, tuple) else ():
            found.setdefault(name, _Definition("channel", partial(channel.where, "CLUSTER")))
    return found


def _facts(manager: QueueManager, uses: Sequence[Use]) -> Iterator[UnresolvedFact]:
    """The facts about the uses that lead to nothing, those of one misspelt definition as one."""
    used = {(family(use.target), use.name) for use in uses}
    open_uses = grouped(((use.target, use.name), use) for use in uses if _is_open(manager, use))
    names: dict[str, tuple[dict[str, _Definition], SimilarNames]] = {}
    for (target, name), of_name in open_uses.items():
        if target not in names:
            definitions = _definitions(manager, target)
            shipped = _shipped_names(manager.vocabulary, target)
            names[target] = definitions, SimilarNames(definitions, shipped)
        definitions, similar_names = names[target]
        beginning = beginning_of(name)
        similar = (
            manager.cached_for(beginnings, target).similar(beginning)
            if beginning
            else similar_names.find(name)
        )
        if target in _PEOPLE and name.removesuffix("s") == similar.removesuffix("s"):
            similar = ""  # a group and its plural may both exist
        if any(
            (use.holder, family(use.holder_type)) == (similar, family(target)) for use in of_name
        ):
            similar = ""  # no queue means itself: the alias APP.QUEUE of the queue APP.Q
        definition = definitions.get(similar)
        is_of_definition = (
            definition is not None
            and target not in _PEOPLE  # a record for a user may be for a program that is not here
            and len(of_name) > 1
            and (family(target), similar) not in used
        )
        misspelt = definition if is_of_definition else None
        for use in of_name[:1] if is_of_definition else of_name:
            source = _Unresolved(
                *(use, _state(manager, use), similar, definition, misspelt),
                *(len(of_name), bool(definitions), _is_deleted(manager, use)),
            )
            name = use.holder if misspelt is None else similar
            yield DerivedFact(_READERS, manager, name, source)


def _shipped_names(vocabulary: Vocabulary, target: str) -> SimilarNames:
    known: dict[str, SimilarNames] = vocabulary.answers(_shipped_names)
    if target not in known:
        known[target] = SimilarNames(vocabulary.shipped_names.get(target, ()))
    return known[target]


def _is_open(manager: QueueManager, use: Use) -> bool:
    """Whether nothing here bears the name that is used."""
    if use.target == "cluster":
        joined = manager.cached(_joined_clusters)
        return bool(joined) and use.name not in joined
    if use.target in _PEOPLE:
        return use.target == ENTITY or use.name.lower() not in manager.cached(_entities)
    if use.name.startswith("SYSTEM."):
        shipped = manager.vocabulary.shipped_names.get(use.target, frozenset())
        is_undefined = use.word.startswith("ALTER ")
        return use.name not in shipped and (is_undefined or not _is_named(manager, use))
    if use.word.startswith("ALTER "):
        return True
    if _is_deleted_by_command(manager, use):
        return False
    there = manager.exists(use.target, use.name)
    return there is False or (there is None and not _is_named(manager, use))


def _entities(manager: QueueManager) -> frozenset[str]:
    """The users and groups with a record of authority, in lower case.

    Windows compares them so. Elsewhere a name without quotation marks is the cause, which is folded
    to upper case and has facts of its own.
    """
    grants = manager.cached(all_grants)
    return frozenset(grant.authorization.entity[1].lower() for grant in grants)


def _is_deleted(manager: QueueManager, use: Use) -> bool:
    """Whether a command deletes what is used, where other files may have more objects."""
    is_object = use.target not in _PEOPLE
    return is_object and not manager.complete and manager.deleted(use.target, use.name) is not None


def _is_deleted_by_command(manager: QueueManager, use: Use) -> bool:
    """Whether a command names what another command deletes: it may exist until then."""
    is_other = use.holder_type == "command" and not use.word.startswith("DELETE ")
    return is_other and manager.deleted(use.target, use.name) is not None


def _is_named(manager: QueueManager, use: Use) -> bool:
    """Whether a command makes, or alters, such an object; it may not run."""
    return any(True for _ in manager.named(use.target, use.name))


def _state(manager: QueueManager, use: Use) -> str:
    """Whether an object is missing, not defined in what was read, or not known."""
    if use.word == PROFILE:
        return "profile"
    if use.word == LIKE:
        is_missing = manager.exists(use.target, use.name) is False
        return "missing" if is_missing or manager.cached(creation) is not None else "unknown"
    if _may_come_from_elsewhere(manager, use):
        return "unknown"
    if use.target == "cluster":
        return "undefined" if manager.cached(is_read_whole) else "unknown"
    if use.word in _MAY_BE_IN_CLUSTER and manager.cached(may_be_in_cluster):
        is_missing_here = manager.exists(use.target, use.name) is False
        if is_missing_here and not _is_left(manager, use):
            return "cluster"
        is_settled = manager.cached(is_read_whole) and not manager.has_unnamed(use.target)
        return "elsewhere" if is_settled else "unknown"
    is_new = acts_on_new_manager(manager, use)
    if use.word.startswith("ALTER "):
        is_missing = manager.exists_elsewhere(use.target, use.name) is False
        if is_new or is_missing:  # for a new one, DRF009 reports it
            return "unknown" if is_new else "missing"
    elif is_new or (manager.exists(use.target, use.name) is False and not _is_left(manager, use)):
        return "missing"
    is_open = manager.has_unnamed(use.target) or _may_be_in_another_member(manager, use)
    return "unknown" if is_open or not manager.cached(is_read_whole) else "undefined"


def _may_come_from_elsewhere(manager: QueueManager, use: Use) -> bool:
    """Whether a name need not be defined in the files that define its queue manager."""
    if use.target in _PEOPLE or use.name.startswith(_BY_NAME_ALONE):
        return True
    if use.name.startswith(_OF_DEVELOPERS) and manager.declared:
        return True
    # Receivers and the senders of clusters are made, never the sender of a transmission queue.
    if use.target == "channel" and use.word != "TRIGDATA" and manager.cached(_makes_channels):
        return True
    hidden = use.word in _MAY_BE_IN_CLUSTER and use.target != "cluster" and _hides_channels(manager)
    return hidden or use.word in _NEED_NO_DEFINITION


def _is_left(manager: QueueManager, use: Use) -> bool:
    """Whether the rules on what a cluster or group may have need more than is here."""
    if use.word in _OF_OTHER_MANAGERS:
        return manager.target.on_zos is not False
    needs_all = use.word in ("TARGET", "DEST", "STREAMQ") and manager.complete
    is_known = manager.observed or manager.settings.inventory.objects
    return needs_all and not is_known and manager.deleted(use.target, use.name) is None


def _may_be_in_another_member(manager: QueueManager, use: Use) -> bool:
    """Whether another member of CSQINP2 may define an object; storage classes are kept together."""
    if use.target == "stgclass":
        return not any(True for _ in manager.objects("stgclass"))
    return manager.target.platform == "zos"


def _hides_channels(manager: QueueManager) -> bool:
    """Return whether a dump leaves open if the queue manager is a member of a cluster."""
    return manager.observed and not manager.complete and not manager.has_dumped("channel")


def _makes_channels(manager: QueueManager) -> bool:
    """Whether the queue manager makes channels itself: for a cluster, or by CHAD(ENABLED)."""
    own = manager.own_object()
    is_automatic = own is not None and own.value("CHAD") == "ENABLED"
    return is_automatic or manager.cached(may_be_in_cluster)
