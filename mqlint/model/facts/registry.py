"""The facts of a queue manager by type.

MQ objects come from the queue manager. Every other type of fact is in `FACT_TYPES`, and is defined
in a module of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from mqlint.model.availability.floating import FLOATING
from mqlint.model.availability.group import NATIVE_HA, RDQM_GROUP, RDQM_MEMBER
from mqlint.model.availability.replication import REPLICATION
from mqlint.model.core.action import family
from mqlint.model.core.fact import Fact, FactType
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.facts.authority import AUTHORITY
from mqlint.model.facts.blocklist import BLOCKLIST
from mqlint.model.facts.certificate_label import CERTIFICATE_LABEL
from mqlint.model.facts.client_channel import CLIENT_CHANNEL
from mqlint.model.facts.cluster import CLUSTER
from mqlint.model.facts.conflict import CONFLICT
from mqlint.model.facts.connection import CONNECTION
from mqlint.model.facts.definition import DEFINITION
from mqlint.model.facts.drift import DIFFERENCE
from mqlint.model.facts.folded_name import CASED_TEXT, NAME, USER
from mqlint.model.facts.mqsc_file import DOCUMENT
from mqlint.model.facts.path import PATH
from mqlint.model.facts.port import PORT
from mqlint.model.facts.qmgr import QMGR
from mqlint.model.facts.queue_use import USE
from mqlint.model.facts.resources import (
    DRBD,
    DRBD_HOST,
    DRBD_MESH,
    DSPMQ,
    INSTANCE,
    MANIFEST,
    RDQM,
    RDQM_HOST,
    RDQM_NODE,
    RDQM_PEER,
    ROUTE,
)
from mqlint.model.facts.stanza import STANZA
from mqlint.model.facts.status import CHSTATUS, CLUSQMGR
from mqlint.model.facts.unresolved import UNRESOLVED
from mqlint.model.procedure.steps import COMMAND, STEP
from mqlint.model.zos.data_sets import ZOS_TYPES

FACT_TYPES: Final[Mapping[str, FactType]] = {
    fact_type.type: fact_type
    for fact_type in (
        *(QMGR, MANIFEST, ROUTE, CLIENT_CHANNEL, CLUSTER, AUTHORITY, BLOCKLIST, CONFLICT),
        *(
            DIFFERENCE,
            CLUSQMGR,
            CHSTATUS,
            NAME,
            USER,
            CASED_TEXT,
            PATH,
            STANZA,
            RDQM_GROUP,
            RDQM_MEMBER,
        ),
        *(NATIVE_HA, REPLICATION, FLOATING, STEP, COMMAND, DSPMQ, INSTANCE, RDQM, RDQM_PEER),
        *(RDQM_NODE, RDQM_HOST, DRBD, DRBD_HOST, DRBD_MESH, *ZOS_TYPES, DOCUMENT),
        *(DEFINITION, UNRESOLVED, CONNECTION, USE, PORT, CERTIFICATE_LABEL),
    )
}
"""The types of facts other than MQ objects, by the word policies use."""

OF_HOSTS = frozenset({"rdqm_group", "rdqm_member", "drbd", "drbd_host", "drbd_mesh"})
"""Types of facts about hosts, which are compared even without a queue manager."""


class Facts:
    def __init__(self, manager: QueueManager) -> None:
        """Take a queue manager to which every command was applied."""
        self.manager = manager

    def of(self, object_type: str) -> Iterator[Fact]:
        fact_type = FACT_TYPES.get(object_type)
        if fact_type is None:
            return self.manager.objects(object_type)
        return iter(self.manager.cached(fact_type.find))

    def possible(self, types: Iterable[str]) -> Sequence[str]:
        """Return the types that may have facts, by `inputs` alone: most have none."""
        inputs = self.inputs
        return [kind for kind in types if _may_have(kind, inputs)]

    @property
    def inputs(self) -> frozenset[str]:
        """The kinds of content of the queue manager that facts can be made of."""
        return self.manager.cached(_inputs)

    def named(self, object_type: str, name: str) -> Iterator[Fact]:
        """Return the facts of one type that have this name, one after the other."""
        fact_type = FACT_TYPES.get(object_type)
        if fact_type is None:
            return self.manager.named(object_type, name)
        return iter(self.manager.cached(fact_type.by_name).get(name, ()))

    def exists(self, object_type: str, name: str) -> bool | None:
        """Whether there is a fact of this type and name; None when the text does not decide it."""
        if object_type not in FACT_TYPES:
            return self.manager.exists(object_type, name)
        if any(True for _ in self.named(object_type, name)):
            return True
        return False if self.has_all(object_type) else None

    def has_all(self, object_type: str) -> bool:
        """Whether no fact of this type is left out: then one that is not here does not exist."""
        fact_type = FACT_TYPES.get(object_type)
        if fact_type is None:
            return self.manager.has_all(object_type)
        return self.manager.cached(fact_type.has_all)


def _inputs(manager: QueueManager) -> frozenset[str]:
    """The families of its objects, the types of its declarations, and words for the rest."""
    others = {
        "authrec": manager.records,
        "dump": manager.observed,
        "event": manager.events,
        "script": manager.scripts or manager.loose,
        "stanza": manager.stanzas,
        "step": manager.steps,
    }
    found = {word for word, content in others.items() if content}
    return frozenset(found.union(manager.families(), (each.type for each, _ in manager.declared)))


def _may_have(object_type: str, inputs: frozenset[str]) -> bool:
    """Whether a queue manager with these inputs may have facts of a type."""
    fact_type = FACT_TYPES.get(object_type)
    if fact_type is not None:
        return not fact_type.inputs or not inputs.isdisjoint(fact_type.inputs)
    return family(object_type) in inputs or (object_type == "channel" and "clntconn" in inputs)
