"""Declarations outside MQSC as facts: the fields of a declaration are its attributes.

They are from files, and from captures of hosts that run: dspmq, rdqmstatus, and DRBD.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from mqlint.dataclass import NamedTuple
from mqlint.finding import Location
from mqlint.model.core.fact import DerivedFact, FactType, Places, Readers, derived_type, never
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value

if TYPE_CHECKING:
    from mqlint.language.declaration import Declared


class Resource(NamedTuple):
    declared: Declared
    origin: Origin


ResourceFact = DerivedFact[Resource]


def _field(fact: ResourceFact, attribute: str) -> Value:
    declared = fact.source.declared
    field = declared.field(attribute)
    if field is None:
        return UNKNOWN if declared.open else ABSENT
    return field.value


def _place(fact: ResourceFact, attribute: str | None) -> Location:
    declared, origin = fact.source
    field = declared.field(attribute) if attribute is not None else None
    return origin.location(declared.span if field is None else field.span)


def resource_type(
    word: str,
    attributes: tuple[str, ...] = (),
    has_all: Callable[[QueueManager], bool] = never,
    derived: Mapping[str, Callable[[ResourceFact], Value]] | None = None,
    beside: Callable[[ResourceFact], Places] = lambda _: (),
) -> FactType:
    """Return the type of facts for declarations of the type `word`.

    `derived` are attributes that are not fields but follow from other declarations or from objects;
    `beside` returns the places of these.
    """
    readers = Readers(word, _place, derived or {}, _field, beside=beside)

    def resources(manager: QueueManager) -> Iterator[tuple[str, Resource]]:
        declarations = manager.declarations(word)
        return ((declared.name, Resource(declared, origin)) for declared, origin in declarations)

    return derived_type(readers, resources, (*attributes, *readers.values), has_all)


def _workloads(fact: ResourceFact) -> Value:
    folder = posixpath.dirname(fact.source.origin.path)
    declarations = fact.manager.declarations("manifest")
    places = [origin.path for _, origin in declarations]
    return str(sum(posixpath.dirname(path) == folder for path in places))


MANIFEST = resource_type(
    "manifest",
    (
        *("kind", "availability", "replicas", "storage.type", "storage.class", "storage.size"),
        *("version", "image", "image.tag"),
        *("license.id", "license.accept", "license.use", "license.fits"),
        *("metrics", "dev", "storage.shared.class", "replication.tls", "passwords"),
        *("oam", "mqsc.entries"),
        *("certificates", "group.role", "group.name", "memory.limit", "log.type"),
    ),
    derived={"workloads": _workloads},
)
"""A queue manager of a manifest or a chart; what these omit is absent."""
ROUTE = resource_type("route", ("host", "channel", "sni", "termination"))
"""A route of OpenShift."""


DSPMQ = resource_type("dspmq")
"""A queue manager in dspmq; attributes are called as dspmq writes them."""
INSTANCE = resource_type("instance")
"""An instance of a queue manager in dspmq."""
RDQM = resource_type("rdqm", ("*",))
"""A queue manager in rdqmstatus on one node."""
RDQM_PEER = resource_type("rdqm_peer", ("*",))
"""What rdqmstatus shows there of another node."""
RDQM_NODE = resource_type("rdqm_node", ("state",))
"""A node in rdqmstatus, and whether it is online."""
RDQM_HOST = resource_type("rdqm_host", ("*",))
"""The node that rdqmstatus ran on, and all its queue managers."""
DRBD = resource_type(
    "drbd", ("minors", "addresses", "ports", "hosts", "protocols", "strange", "net.*", "rdqm")
)
"""A resource file of DRBD."""
DRBD_HOST = resource_type("drbd_host", ("resource", "address", "port", "minor", "takes", "rdqm"))
"""A host of a resource of DRBD."""
DRBD_MESH = resource_type("drbd_mesh", ("hosts", "protocol", "rdqm"))
"""Hosts of DRBD each of which is connected to each."""
