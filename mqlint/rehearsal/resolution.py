"""Where messages for a cluster queue go, and when that changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from mqlint.dataclass import frozen
from mqlint.grouping import grouped
from mqlint.rehearsal.calendar import Calendar
from mqlint.rehearsal.repository import ClusterRepository
from mqlint.rehearsal.world import HostedNames, Identity, Instance, World
from mqlint.source.display import enumerated


@frozen
class Destinations:
    """Where messages go: ids of queue managers, and those that have ended.

    `is_known` says whether a record of the name is left, `is_assumed` whether no source decides
    which channels are in use.
    """

    to: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    is_known: bool = True
    is_assumed: bool = field(default=False, compare=False)


_Row = tuple[str, str, str, str, str]
"""The kind of an entry, a site, a cluster, and the words `where` and `about`."""


class Resolution:
    """The destinations of all names, as the applications of each site of production see them."""

    def __init__(
        self,
        world: World,
        calendar: Calendar,
        is_ended: Callable[[str], bool],
    ) -> None:
        """Take what says whether a queue manager does not run."""
        self._world = world
        self._calendar = calendar
        self._is_ended = is_ended
        self._by_host = grouped((host, group) for group in world.groups for host in group.hosts)
        self._changed: dict[tuple[ClusterRepository, HostedNames], None] = {}
        self._present: dict[tuple[ClusterRepository, HostedNames], Destinations] = {}
        self._usual: Mapping[tuple[ClusterRepository, HostedNames], Destinations] | None = None
        self._watched: dict[tuple[ClusterRepository, HostedNames], None] = {}
        self._views: dict[tuple[str, str], ClusterRepository] = {}

    def begin(self) -> None:
        """Take the present destinations as those without a test."""
        self._usual = dict(self._present)

    def touch(self, repository: ClusterRepository, identity: Identity) -> None:
        if not self._is_seen(repository, identity.cluster):
            return
        if identity.part:
            for group in self._by_host.get(identity, ()):
                self._changed[repository, group] = None
            return
        for host in self._world.identities(identity.cluster, identity.qmid)[1:]:
            for group in self._by_host.get(host, ()):
                self._changed[repository, group] = None

    def touch_channel(self, repository: ClusterRepository, cluster: str, channel: str) -> None:
        """Note that another queue manager is in use for a channel."""
        for who in self._world.by_channel[cluster, channel]:
            self.touch(repository, Identity(cluster, self._world.instances[who].qmid))

    def _is_seen(self, repository: ClusterRepository, cluster: str) -> bool:
        """Applications of a site see the partial repositories there, else a full one."""
        key = (repository.site, cluster)
        seen = self._views.setdefault(key, repository)
        if seen.is_full and not repository.is_full:
            self._views[key] = seen = repository
        return seen is repository

    def resolve(self) -> None:
        """Report what has changed since the last time."""
        found: dict[tuple[_Row, bool], list[str]] = {}
        for key in [*self._changed, *self._watched]:
            repository, group = key
            if self._views.get((repository.site, group.cluster)) is not repository:
                continue
            present = self._destinations(repository, group)
            if present == self._present.get(key):
                continue
            self._present[key] = present
            dr = [who for who in present.to if self._world.instances[who].is_dr]
            self._watched.pop(key, None)
            if dr:
                self._watched[key] = None
            if self._usual is not None:
                for row in self._rows_of(repository, group, present):
                    found.setdefault((row, present.is_assumed), []).extend(group.names)
        self._changed.clear()
        for ((kind, site, cluster, where, about), assumed), names in found.items():
            shown = tuple(dict.fromkeys(names))
            applications = (f"applications at {site}",)
            self._calendar.add(
                kind,
                applications,
                cluster,
                about,
                is_assumed=assumed,
                names=shown,
                where=where,
            )

    def has_others(self, repository: ClusterRepository, identity: Identity) -> bool:
        """Whether a queue manager that asks is given other instances of all names of a record."""
        groups = self._by_host.get(identity, ())
        return bool(groups) and all(
            any(
                (held := repository.records.get(host)) is not None and not held.is_lapsed
                for host in group.hosts
                if host != identity
            )
            for group in groups
        )

    def _destinations(self, repository: ClusterRepository, group: HostedNames) -> Destinations:
        to: dict[str, None] = {}
        known = assumed = False
        for host in group.hosts:
            if repository.usable(host) is None:
                continue
            known = True
            channel = repository.usable(Identity(host.cluster, host.qmid))
            if channel is None:
                continue
            publisher = self._world.instances[channel.publisher]
            part = publisher.membership(host.cluster)
            key = (host.cluster, "" if part is None else part.channel)
            assumed |= key in repository.assumed
            if repository.in_use.get(key) != host.qmid:
                continue
            to[self._reached_by(publisher, host.cluster).id] = None
        ended = tuple(who for who in to if self._world.instances[who].is_dr and self._is_ended(who))
        return Destinations(tuple(sorted(to)), tuple(sorted(ended)), known, assumed)

    def _reached_by(self, publisher: Instance, cluster: str) -> Instance:
        """The queue manager at the address of a record: a copy may have that of its original."""
        original = self._world.instances.get(publisher.original)
        if original is None or (publisher.copy is not None and publisher.copy.own_address):
            return publisher
        own, part = publisher.membership(cluster), original.membership(cluster)
        same = own is not None and part is not None and set(own.called) == set(part.called)
        return original if same else publisher

    def _rows_of(
        self, repository: ClusterRepository, group: HostedNames, present: Destinations
    ) -> list[_Row]:
        usual = (self._usual or {}).get((repository, group), Destinations())
        if not usual.to:
            return []  # a name of DR alone: no application of production uses it
        base = (repository.site, group.cluster)
        where = enumerated(self._titles(present.to))
        if present == usual:
            return [("usual", *base, where, "")]
        if not present.to:
            return [("not-in-use" if present.is_known else "lost", *base, "", "")]
        dr = [who for who in present.to if self._world.instances[who].is_dr]
        rows = []
        if present.ended:
            rows.append(("waits", *base, enumerated(self._titles(present.ended)), ""))
        elif dr:
            kind = "goes-partly" if len(dr) < len(present.to) else "goes-to-dr"
            rows.append((kind, *base, where, ""))
        gone = [who for who in usual.to if who not in present.to]
        if gone and not dr:
            rows.append(("fewer", *base, where, enumerated(self._titles(gone))))
        return rows

    def _titles(self, ids: tuple[str, ...] | list[str]) -> list[str]:
        return [self._world.instances[who].title for who in ids]
