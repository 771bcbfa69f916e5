"""Facts: whatever a policy can match. Objects, queue managers, stanzas and steps look alike.

MQ objects come straight from the queue manager. Every other type of fact stands in `FACT_TYPES`,
one line each, and has a module of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from mqlint.finding import Location
from mqlint.model.availability.floating import FLOATING_KEYS, floating, has_floating
from mqlint.model.availability.group import (
    MEMBER_KEYS,
    NATIVE_KEYS,
    RDQM_KEYS,
    native_groups,
    rdqm_groups,
    rdqm_members,
)
from mqlint.model.availability.replication import REPLICATION_KEYS, replications
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import Value
from mqlint.model.facts.authority import AuthorityFact, authorities, has_authorities
from mqlint.model.facts.blocklist import blocklists
from mqlint.model.facts.client_channel import CLIENT_KEYS, client_channels
from mqlint.model.facts.cluster import clusters
from mqlint.model.facts.conflict import conflicts
from mqlint.model.facts.drift import differences
from mqlint.model.facts.folded_name import NAME_KEYS, names
from mqlint.model.facts.log import LOG_KEYS
from mqlint.model.facts.mqsc_file import documents
from mqlint.model.facts.path import PATH_KEYS, paths
from mqlint.model.facts.qmgr import qmgrs
from mqlint.model.facts.resources import (
    CAPTURED_KEYS,
    CONTAINER_KEYS,
    ZOS_KEYS,
    declared_of,
    has_resources,
)
from mqlint.model.facts.setup import SETUP_KEYS
from mqlint.model.facts.stanza import has_stanzas, stanzas
from mqlint.model.facts.status import never, shown
from mqlint.model.procedure.command import commands
from mqlint.model.procedure.procedure import has_jobs, steps
from mqlint.model.procedure.step_facts import STEP_KEYS


class Fact(Protocol):
    """Something a policy can match: it has a type, a name, values and places."""

    @property
    def type(self) -> str:
        """The lower-case word of its type."""

    @property
    def name(self) -> str:
        """Its name, a `Templated` string when that is not known."""

    @property
    def key(self) -> str:
        """Its identity among the facts of its type in one queue manager."""

    @property
    def manager(self) -> QueueManager:
        """The queue manager it belongs to."""

    def value(self, attribute: str) -> Value:
        """The value of an attribute, decoded."""

    def where(self, attribute: str | None = None) -> Location:
        """The place that says so."""


def _has_objects(manager: QueueManager) -> bool:
    """Whether all objects are here, and with them what follows from objects."""
    return manager.complete


@dataclass(frozen=True, slots=True)
class FactType:
    """A type of facts other than MQ objects.

    `of` finds those of a finished queue manager; it is called once, when they are first asked
    for. `keys` are the values such a fact has of its own, in lower case; one that ends in `*`
    stands for all that begin so. `has_all` tells whether none is left out. `plain` are those keys
    that are soon read of every fact.
    """

    of: Callable[[QueueManager], Sequence[Fact]]
    keys: tuple[str, ...] = ()
    has_all: Callable[[QueueManager], bool] = _has_objects
    plain: tuple[str, ...] = ()

    def by_name(self, manager: QueueManager) -> Mapping[str, Sequence[Fact]]:
        """Return the facts of a queue manager by their names."""
        found: dict[str, list[Fact]] = {}
        for one in manager.once(self.of):
            found.setdefault(one.name, []).append(one)
        return found


def _declared(
    keys: Mapping[str, tuple[str, ...]], has_all: Callable[[QueueManager], bool]
) -> dict[str, FactType]:
    """The types of what is declared outside MQSC."""
    return {one: FactType(declared_of(one), own, has_all) for one, own in keys.items()}


FACT_TYPES: Final[Mapping[str, FactType]] = {
    "qmgr": FactType(
        qmgrs,
        (
            *(*LOG_KEYS, "images.scheduled", "qmid", "described"),
            *("receives_at", "member_of", "dump.attributes"),
            *SETUP_KEYS,
        ),
    ),
    **_declared(CONTAINER_KEYS, never),
    "client_channel": FactType(client_channels, CLIENT_KEYS, never),
    "cluster": FactType(clusters, ("full_repository", "sender")),
    "authority": FactType(
        authorities,
        (
            *("object.type", "entity", "group", "authorities", "generic", "class", "everybody"),
            *("governs", "withholds", "wider"),
        ),
        has_authorities,
        tuple(sorted(AuthorityFact.ALIKE)),
    ),
    "blocklist": FactType(blocklists, ("administrators",)),
    "conflict": FactType(
        conflicts, ("object.type", "state", "attribute", "values", "other", "files")
    ),
    "difference": FactType(
        differences, ("object.type", "state", "attribute", "script", "observed", "applies")
    ),
    "clusqmgr": FactType(shown("CLUSQMGR"), ("document",), never),
    "chstatus": FactType(shown("CHSTATUS"), (), never),
    "name": FactType(names, NAME_KEYS),
    "path": FactType(paths, PATH_KEYS, plain=("object.type", "state", "reason")),
    "stanza": FactType(stanzas, ("*",), has_stanzas),
    "rdqm_group": FactType(rdqm_groups, RDQM_KEYS, never),
    "rdqm_member": FactType(rdqm_members, MEMBER_KEYS, never),
    "native_ha": FactType(native_groups, NATIVE_KEYS, never),
    "replication": FactType(replications, REPLICATION_KEYS, never),
    "floating": FactType(floating, FLOATING_KEYS, has_floating),
    "step": FactType(steps, STEP_KEYS, has_jobs, plain=("class", "command", "maybe")),
    "command": FactType(commands, STEP_KEYS, never, plain=("class", "command", "maybe")),
    **_declared(CAPTURED_KEYS, never),
    **_declared(ZOS_KEYS, has_resources),
    "document": FactType(
        documents, ("digest", "language", "path", "channels", "defines", "templated")
    ),
}
"""The types of facts that are no MQ objects, by the word policies use."""

OF_HOSTS = frozenset({"rdqm_group", "rdqm_member", "drbd", "drbd_host", "drbd_mesh"})
"""Types of facts that are about hosts, and are compared also where no queue manager is named."""


class Facts:
    """All facts of one queue manager, by type."""

    def __init__(self, manager: QueueManager) -> None:
        """Take a queue manager to which every command was applied."""
        self.manager = manager

    def of(self, object_type: str) -> Iterator[Fact]:
        """Return the facts of one type, one after the other."""
        kind = FACT_TYPES.get(object_type)
        return (
            self.manager.objects(object_type) if kind is None else iter(self.manager.once(kind.of))
        )

    def named(self, object_type: str, name: str) -> Iterator[Fact]:
        """Return the facts of one type that have this name, one after the other."""
        if object_type in FACT_TYPES:
            return iter(self.manager.once(FACT_TYPES[object_type].by_name).get(name, ()))
        return self.manager.named(object_type, name)

    def exists(self, object_type: str, name: str) -> bool | None:
        """Whether there is a fact of this type and name; None when the text does not settle it."""
        if object_type not in FACT_TYPES:
            return self.manager.exists(object_type, name)
        if any(True for _ in self.named(object_type, name)):
            return True
        return False if self.has_all(object_type) else None

    def has_all(self, object_type: str) -> bool:
        """Whether no fact of this type is left out: then one that is not here is nowhere."""
        kind = FACT_TYPES.get(object_type)
        return self.manager.has_all(object_type) if kind is None else kind.has_all(self.manager)
