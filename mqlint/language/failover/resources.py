"""What a cluster manager has for a queue manager, and the faults of that.

Sources: pacemaker-schedulerd(7) for the options of a cluster; "Pacemaker Explained", where the
resources of a group start in their order and stop in the reverse one; Red Hat, "Configuring and
managing high availability clusters", where fencing is the only way to make sure that data is safe.
RDQM configures Pacemaker itself, and has the quorum of DRBD instead of fencing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from mqlint.dataclass import frozen, mutable
from mqlint.finding import Diagnostic, diagnostic
from mqlint.patterns import later
from mqlint.source.lines import Span

Members = list[tuple[str, Span]]
"""The names of resources with their places, in the order in which they start."""
Pair = tuple[str, str, Span]
"""The names of two resources, with the place that puts them into a relation."""

_STORAGE = later(
    r"(?i)(?:^|:)(?:Filesystem|LVM|LVM-activate|ZFS|drbd|CFSMount|Mount|LVMVolumeGroup)$"
)
_OTHER = later(r"(?i)IPaddr|(?:^|:)(?:IP|NIC|IPMultiNIC\w*)$|stonith|fence_|(?:^|:)MailTo$")
_RUNS_ANY = later(
    r"(?i)^(?:systemd|lsb|service|upstart):|^ocf:(?!heartbeat:|pacemaker:)"
    r"|(?:^|:)(?:anything|Application|Process)$"
)
"""Types that run what their parameters name: a DiskGroup of the disks `mqdg` runs nothing."""
_OF_MQ = later(r"(?i)(?<![a-z])(?:websphere)?mq(?!tt)|qmgr|(?<![a-z])qm(?![a-z])")
_OF_RDQM = later(r"(?i)(?<![a-z\d])rdqm")
_UNSAFE = {"stonith-enabled": ("false", "no", "off", "0"), "no-quorum-policy": ("ignore",)}
"""Options of a cluster, and the values with which two nodes may use the same files."""
_EFFECTS = {
    "stonith-enabled": "a node that does not answer is not fenced",
    "no-quorum-policy": "a node without quorum continues",
}
_SECONDS = later(r"(\d{1,6})(ms|msec|s|sec|m|min|)$")
LEAST = 30
"""The seconds that a queue manager needs to end, at least."""


@frozen
class Resource:
    """A resource; `agent` is its type, `text` all that is written about it."""

    name: str
    agent: str
    text: str
    span: Span
    stop: tuple[str, Span] | None = None

    @property
    def is_storage(self) -> bool:
        return _STORAGE.search(self.agent) is not None

    @property
    def is_queue_manager(self) -> bool:
        if self.is_storage or _OTHER.search(self.agent) is not None:
            return False
        of_mq = _OF_MQ.search(self.agent)
        if of_mq is None and _RUNS_ANY.search(self.agent) is not None:
            of_mq = _OF_MQ.search(self.text)
        return of_mq is not None


@mutable
class Cluster:
    """The options of a cluster, its resources by name, and groups of names with their places.

    Pairs that are `apart` may not run on one node, those that are `together` must. `ordered` are
    the names of all for which a constraint gives an order.
    """

    options: list[tuple[str, str, Span]] = field(default_factory=list)
    resources: dict[str, Resource] = field(default_factory=dict)
    groups: list[Members] = field(default_factory=list)
    apart: list[Pair] = field(default_factory=list)
    together: list[Pair] = field(default_factory=list)
    ordered: set[str] = field(default_factory=set)

    def add(self, resource: Resource) -> None:
        self.resources.setdefault(resource.name, resource)

    def faults(self) -> Iterator[Diagnostic]:
        """Yield what harms the queue managers of the cluster; nothing if it has none."""
        managers = [resource for resource in self.resources.values() if resource.is_queue_manager]
        if not managers or any(
            _OF_RDQM.search(resource.text) for resource in self.resources.values()
        ):
            return
        for name, value, span in self.options:
            if value.lower() in _UNSAFE.get(name, ()):
                yield diagnostic(
                    "failover-option", span, option=f"{name}={value}", effect=_EFFECTS[name]
                )
        for manager in managers:
            if manager.stop is None:
                continue
            time, span = manager.stop
            seconds = _seconds(time)
            if seconds is not None and seconds < LEAST:
                words = {"name": manager.name, "seconds": str(seconds), "least": str(LEAST)}
                yield diagnostic("failover-stop-time", span, **words)
        for group in self.groups:
            yield from self._order(group)
        for name, storage, span in self._with_storage(self.apart):
            yield diagnostic("failover-apart", span, name=name, storage=storage)
        ordered = self.ordered.union(*({name for name, _ in group} for group in self.groups))
        for name, storage, span in self._with_storage(self.together):
            if name not in ordered:
                yield diagnostic("failover-order", span, name=name, storage=storage)

    def _with_storage(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """Yield the pairs of a queue manager and a file system, in this order."""
        for first, second, span in pairs:
            pair = [self.resources.get(name) for name in (first, second)]
            manager = next((each for each in pair if each and each.is_queue_manager), None)
            storage = next((each for each in pair if each and each.is_storage), None)
            if manager is not None and storage is not None:
                yield manager.name, storage.name, span

    def _order(self, group: Members) -> Iterator[Diagnostic]:
        """Yield the queue managers that a group starts before a file system."""
        known = [(self.resources.get(name), span) for name, span in group]
        for at, (resource, span) in enumerate(known):
            if resource is None or not resource.is_queue_manager:
                continue
            after = (other for other, _ in known[at + 1 :] if other is not None)
            storage = next((other for other in after if other.is_storage), None)
            if storage is not None:
                yield diagnostic("failover-order", span, name=resource.name, storage=storage.name)


def _seconds(text: str) -> int | None:
    found = _SECONDS.match(text)
    if found is None:
        return None
    number, unit = int(found[1]), found[2]
    return number // 1000 if unit.startswith("ms") else number * (60 if unit[:1] == "m" else 1)
