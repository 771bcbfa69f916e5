"""The queue managers of a rehearsal, and which full repositories each can reach."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from ipaddress import IPv4Address, IPv6Address

from mqlint.config.settings import Site
from mqlint.dataclass import NamedTuple, frozen
from mqlint.grouping import grouped
from mqlint.rehearsal.member import Member, Membership, Sender
from mqlint.rehearsal.scenario import Copy, Scenario, id_of

Part = tuple[str, ...]
"""The ids of the queue managers of one QMID that define an object; what is alike is one record."""


@frozen
class Instance:
    """A queue manager that runs at a site: one of production, or one that DR starts.

    `original` is the id of the production queue manager whose QMID it has, blank if it has one of
    its own.
    """

    id: str
    member: Member
    qmid: str
    is_dr: bool
    copy: Copy | None = None
    original: str = ""
    parts: Mapping[str, Membership] = field(default_factory=dict, compare=False)

    @property
    def title(self) -> str:
        """The queue manager as people call it."""
        return self.member.title

    def membership(self, cluster: str) -> Membership | None:
        return self.parts.get(cluster)


class Identity(NamedTuple):
    """What tells records apart: not the address of who sent them, and not the site.

    `part` is empty for the record of the cluster-receiver channel.
    """

    cluster: str
    qmid: str
    part: Part = ()


@frozen(eq=False)
class HostedNames:
    """Names of a cluster that the same queue managers host; `hosts` are their records."""

    cluster: str
    hosts: tuple[Identity, ...]
    names: tuple[str, ...]


@frozen
class World:
    """All queue managers of a rehearsal.

    `refusals` has, by id of a production queue manager and cluster, whether its channel
    authentication records refuse every connection from DR; None if the files do not decide it.
    `names` are those of the objects of each cluster, QMID and part.
    """

    scenario: Scenario
    instances: Mapping[str, Instance]
    sites: Mapping[str, Site]
    refusals: Mapping[tuple[str, str], bool | None]
    names: Mapping[tuple[str, str], Mapping[Part, tuple[str, ...]]]
    notes: tuple[str, ...] = ()
    by_channel: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)
    full: Mapping[str, Sequence[str]] = field(default_factory=dict)
    by_cluster: Mapping[str, Sequence[Instance]] = field(default_factory=dict)
    by_qmid: Mapping[tuple[str, str], Sequence[Instance]] = field(default_factory=dict)
    groups: Sequence[HostedNames] = ()

    def members(self, cluster: str) -> Sequence[Instance]:
        """Return the members of a cluster, those of production first."""
        return self.by_cluster.get(cluster, ())

    def identities(self, cluster: str, qmid: str) -> list[Identity]:
        """Return all records of a QMID in a cluster, that of the channel first."""
        names = self.names.get((cluster, qmid), {})
        return [Identity(cluster, qmid), *(Identity(cluster, qmid, part) for part in names)]

    def channels(self, cluster: str, qmid: str) -> set[str]:
        return {found.parts[cluster].channel for found in self.by_qmid.get((cluster, qmid), ())}

    @property
    def clusters(self) -> list[str]:
        return sorted(self.by_cluster)


def world_of(
    scenario: Scenario,
    members: Sequence[Member],
    sites: Iterable[Site] = (),
    refusals: Mapping[tuple[str, str], bool | None] | None = None,
) -> World:
    """Return the queue managers that take part: those of production, and what DR starts."""
    instances: dict[str, Instance] = {}
    for member in members:
        if member.site in scenario.production:
            found = Instance(id_of(member.name, member.site), member, _qmid(member), is_dr=False)
            instances[found.id] = found
    for name, copy in scenario.copies.items():
        found = _dr_instance(name, copy, scenario, members, instances)
        instances[found.id] = found
    notes = list(_add_repositories(instances))
    return _indexed(
        World(
            scenario,
            instances,
            {site.name: site for site in sites},
            refusals or {},
            {},
            tuple(notes),
        )
    )


def rebuilt(world: World, instances: Mapping[str, Instance]) -> World:
    return _indexed(replace(world, instances=instances))


def _indexed(world: World) -> World:
    instances = {
        who: replace(found, parts={part.cluster: part for part in found.member.memberships})
        for who, found in world.instances.items()
    }
    parts = [(found, part) for found in instances.values() for part in found.member.memberships]
    names = _names(instances)
    return replace(
        world,
        instances=instances,
        names=names,
        by_channel=grouped(((part.cluster, part.channel), found.id) for found, part in parts),
        full=grouped((part.cluster, found.id) for found, part in parts if part.is_full),
        by_cluster=grouped((part.cluster, found) for found, part in parts),
        by_qmid=grouped(((part.cluster, found.qmid), found) for found, part in parts),
        groups=_groups(names),
    )


def _groups(names: Mapping[tuple[str, str], Mapping[Part, tuple[str, ...]]]) -> list[HostedNames]:
    hosts = grouped(
        ((cluster, name), Identity(cluster, qmid, part))
        for (cluster, qmid), parts in names.items()
        for part, shared in parts.items()
        for name in shared
    )
    found = grouped(
        ((cluster, tuple(identities)), name) for (cluster, name), identities in hosts.items()
    )
    return [
        HostedNames(cluster, identities, tuple(listed))
        for (cluster, identities), listed in found.items()
    ]


def _qmid(member: Member) -> str:
    return member.qmid or f"QMID of {member.title}"


def _dr_instance(
    name: str,
    copy: Copy,
    scenario: Scenario,
    members: Sequence[Member],
    instances: Mapping[str, Instance],
) -> Instance:
    identity = id_of(name, scenario.dr)
    if copy.made_by == "definitions":
        member = next(found for found in members if (found.name, found.site) == (name, scenario.dr))
        qmid = _qmid(member)
        original = next((found.id for found in instances.values() if found.qmid == qmid), "")
        level = copy.level or member.level
        return Instance(identity, replace(member, level=level), qmid, True, copy, original)
    wanted = copy.copy_of or name
    source = next(found for found in instances.values() if found.member.name == wanted)
    member = replace(
        source.member,
        name=name,
        site=scenario.dr,
        level=copy.level or source.member.level,
    )
    return Instance(identity, member, source.qmid, True, copy, source.id)


def _add_repositories(instances: dict[str, Instance]) -> Iterable[str]:
    """Where the files name no full repository of a cluster at production, assume one."""
    production = [found for found in instances.values() if not found.is_dr]
    clusters: dict[str, Instance] = {}
    full = set()
    for found in production:
        for part in found.member.memberships:
            clusters.setdefault(part.cluster, found)
            full |= {part.cluster} if part.is_full else set()
    for cluster, found in sorted(clusters.items()):
        if cluster in full:
            continue
        site = found.member.site
        name = f"full repository of {cluster}"
        part = Membership(cluster, True, f"(channel of the {name})")
        member = Member(name, site, memberships=(part,))
        instances[id_of(name, site)] = Instance(
            id_of(name, site), member, _qmid(member), is_dr=False
        )
        yield (
            f"the files name no full repository of {cluster} at {site}: the calendar assumes one"
        )


def _names(
    instances: Mapping[str, Instance],
) -> dict[tuple[str, str], dict[Part, tuple[str, ...]]]:
    """The names that instances of one QMID share with a cluster, by who of them defines each."""
    owners: dict[tuple[str, str], dict[str, list[str]]] = {}
    for found in instances.values():
        for part in found.member.memberships:
            of_names = owners.setdefault((part.cluster, found.qmid), {})
            for name in (*part.queues, *part.topics):
                of_names.setdefault(name, []).append(found.id)
    result: dict[tuple[str, str], dict[Part, tuple[str, ...]]] = {}
    for key, of_names in owners.items():
        parts = grouped((tuple(ids), name) for name, ids in of_names.items())
        result[key] = {part: tuple(sorted(names)) for part, names in parts.items()}
    return result


@frozen
class Contacts:
    """The full repositories that cluster-senders lead to; `doubtful` only if a host name does."""

    certain: frozenset[str]
    doubtful: frozenset[str]


def contacts_of(
    world: World, instance: Instance, cluster: str, *, forgets: bool = False
) -> Contacts:
    """Return the full repositories that the cluster-senders of a member lead to.

    `forgets` says that REFRESH CLUSTER REPOS(YES) has removed the auto-defined ones.
    """
    part = instance.membership(cluster)
    senders = () if part is None else part.senders
    if not forgets:
        senders = (*senders, *auto_defined(world, instance, cluster))
    certain: set[str] = set()
    doubtful: set[str] = set()
    for sender in senders:
        found, sure = _led_to(world, instance, cluster, sender)
        (certain if sure else doubtful).update(found)
    if not instance.is_dr:
        # The calendar is about DR: production's own repositories are taken to be connected.
        certain |= {who for who in world.full.get(cluster, ()) if not world.instances[who].is_dr}
        doubtful = set()
    return Contacts(frozenset(certain - {instance.id}), frozenset(doubtful - certain))


def auto_defined(world: World, instance: Instance, cluster: str) -> tuple[Sender, ...]:
    """Return the auto-defined cluster-senders that the copied files of a partial repository have.

    A partial repository has the records of all full repositories, and the channels to them have the
    address of the cluster-receiver there. (IBM MQ documentation, "DISPLAY CLUSQMGR", "Cluster
    channels".) Full repositories send to one another over manually defined channels alone.
    """
    original = world.instances.get(instance.original)
    if original is None or instance.copy is None or instance.copy.made_by == "definitions":
        return ()
    part = original.membership(cluster)
    if part is None or part.is_full:
        return ()
    full = (world.instances[who] for who in world.full.get(cluster, ()))
    return tuple(
        Sender(found.parts[cluster].channel, found.parts[cluster].called)
        for found in full
        if not found.is_dr and not _is_assumed(found)
    )


def _led_to(
    world: World, instance: Instance, cluster: str, sender: Sender
) -> tuple[set[str], bool]:
    """The full repositories that a cluster-sender leads to, and whether the files decide it."""
    full = world.full.get(cluster, ())
    named = [who for who in world.by_channel.get((cluster, sender.name), ()) if who in full]
    assumed = [who for who in full if _is_assumed(world.instances[who])]
    sites = _sites_of(world, sender.called)
    if sites:
        found = {who for who in (*named, *assumed) if world.instances[who].member.site in sites}
        return found | _copied(world, named, found), True
    wanted = instance.copy.connects_to if instance.copy is not None else ""
    if wanted:
        return {who for who in named if world.instances[who].is_dr == (wanted == "dr")}, True
    called = set(sender.called)
    equal = {who for who in named if called & set(_called(world.instances[who], cluster))}
    found = equal or set(named or assumed)
    if equal and all(map(_address, called)):
        return equal, True
    # The same host name may lead elsewhere at DR; production has no channel names of DR alone.
    return found, bool(found) and all(world.instances[who].is_dr for who in found)


def _copied(world: World, named: Iterable[str], reached: set[str]) -> set[str]:
    """Copies at DR of the full repositories reached, which have the same address in CONNAME."""
    return {who for who in named if world.instances[who].original in reached}


def _is_assumed(instance: Instance) -> bool:
    return instance.member.name.startswith("full repository of ")


def _called(instance: Instance, cluster: str) -> tuple[str, ...]:
    part = instance.membership(cluster)
    return () if part is None else part.called


def _sites_of(world: World, called: Iterable[str]) -> set[str]:
    """The sites whose networks hold an address of a CONNAME."""
    addresses = [address for address in map(_address, called) if address is not None]
    return {
        site.name
        for site in world.sites.values()
        if any(address in network for address in addresses for network in site.networks)
    }


def _address(word: str) -> IPv4Address | IPv6Address | None:
    """The address of a `host(port)`, None for a host name."""
    try:
        return ipaddress.ip_address(word.rpartition("(")[0])
    except ValueError:
        return None
