"""What is declared outside MQSC, as facts: by jobs and macros of z/OS, manifests and captures.

What follows from the use of data sets stands in `mqlint.model.zos.data_sets`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from mqlint.finding import Location
from mqlint.model.core.key import Numbered
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value

if TYPE_CHECKING:
    from mqlint.language.declaration import Declared
    from mqlint.language.script.step import Step

COPY_KEYS = ("what", "direction", "from.page_set", "to.page_set")
"""What steps that copy data sets can be asked: see `copy_value`."""


class DeclaredFact:
    """One declaration; its fields are its values."""

    def __init__(self, manager: QueueManager, declared: Declared, origin: Origin, key: str) -> None:
        """`key` tells declarations of one name apart."""
        self.manager = manager
        self.type = declared.type
        self.name = declared.name
        self.key = key
        self.declared = declared
        self._origin = origin

    def value(self, attribute: str) -> Value:
        """Return a field's value, or what follows from all that is declared."""
        if attribute in DERIVED.get(self.type, ()):
            from mqlint.model.zos.data_sets import derived  # only where there is a data set

            return derived(self, attribute)
        found = self.declared.field(attribute)
        if found is None:
            return UNKNOWN if self.declared.open else ABSENT
        return found.value

    def where(self, attribute: str | None = None) -> Location:
        """Return the place of a field, else of the declaration."""
        found = self.declared.field(attribute) if attribute is not None else None
        return self._origin.location(self.declared.span if found is None else found.span)


def declared_of(kind: str) -> Callable[[QueueManager], tuple[DeclaredFact, ...]]:
    """Return what finds the declarations of one type."""

    def find(manager: QueueManager) -> tuple[DeclaredFact, ...]:
        keys = Numbered()
        return tuple(
            DeclaredFact(manager, one, origin, keys.of(one.name))
            for one, origin in manager.declared
            if one.type == kind
        )

    return find


def has_resources(manager: QueueManager) -> bool:
    """Whether the queue manager's procedure is here, and takes nothing from elsewhere."""
    return manager.once(_has_procedure)


def _has_procedure(manager: QueueManager) -> bool:
    found = [one for one, _ in manager.declared if one.type in ("page_set", "bsds")]
    return bool(found) and not any(declared.open for declared in found)


def copy_value(manager: QueueManager, step: Step, attribute: str) -> Value:
    """Return what a copy of a data set is about, one of `COPY_KEYS`; absent for other steps."""
    if step.action not in ("copy", "restore"):
        return ABSENT
    from mqlint.model.zos.data_sets import copy_of  # only where there is a copy

    return copy_of(manager, step, attribute)


ZOS_KEYS: Mapping[str, tuple[str, ...]] = {
    "system_parameters": ("*",),
    "page_set": ("number", "data_set", "digits", "copied", "named", "backup"),
    "bsds": ("data_set",),
    "data_set": (
        *("organization", "VOLUMES", "SHAREOPTIONS", "KEYS", "RECORDSIZE", "RECORDS", "CYLINDERS"),
        *("TRACKS", "MEGABYTES", "KILOBYTES", "space", "use", "partner", "copy_of"),
    ),
    "log_entry": ("copy", "archive", "start", "end", "direction"),
    "log_change": (
        *("first", "second", "copies", "ranges", "second_bsds", "late_delete", "restart", "step"),
    ),
}
"""What each type that jobs, procedures and macros of z/OS declare can be asked."""

DERIVED: Mapping[str, tuple[str, ...]] = {
    "page_set": ("copied", "named", "backup"),
    "data_set": ("use", "partner", "copy_of"),
}
"""The keys that follow from the use of data sets."""

CONTAINER_KEYS: Mapping[str, tuple[str, ...]] = {
    "manifest": (
        *("kind", "availability", "replicas", "storage.type", "storage.class", "storage.size"),
        *("version", "image", "image.tag", "license.id", "license.use", "license.fits"),
        *("metrics", "dev", "storage.shared.class", "replication.tls", "passwords"),
        *("certificates", "group.role", "group.name", "memory.limit", "log.type"),
    ),
    "route": ("host", "channel", "sni", "termination"),
}
"""What manifests, charts and routes of OpenShift can be asked; what they leave out is absent."""

CAPTURED_KEYS: Mapping[str, tuple[str, ...]] = {
    "dspmq": (),
    "instance": (),
    "rdqm": ("*",),
    "rdqm_peer": ("*",),
    "rdqm_node": ("state",),
    "rdqm_host": ("*",),
    "drbd": ("minors", "addresses", "ports", "hosts", "protocols", "strange", "net.*", "rdqm"),
    "drbd_host": ("resource", "address", "port", "minor", "takes", "rdqm"),
    "drbd_mesh": ("hosts", "protocol", "rdqm"),
}
"""What was captured of hosts that run: keys in lower case, those of dspmq as it writes them.

`dspmq` is one queue manager as dspmq shows it, `instance` one of its instances; `rdqm` is one as
rdqmstatus shows it on a node, `rdqm_peer` what is said there of another node, `rdqm_node` whether
a node is online, `rdqm_host` what it says of the node it ran on and of all its queue managers;
`drbd` is a resource file of DRBD, `drbd_host` one of its hosts, `drbd_mesh` hosts of which each is
connected to each.
"""
