"""What can be done before a DR test, so that it does not reach production."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mqlint.rehearsal.member import Membership
from mqlint.rehearsal.remedy import Cost, Remedy, end_of_dr
from mqlint.rehearsal.scenario import Event
from mqlint.rehearsal.world import Instance, World, rebuilt


def preventions(world: World) -> Iterator[Remedy]:
    """Yield what can be done before DR starts."""
    scenario = world.scenario
    dr = [found for found in world.instances.values() if found.is_dr]
    production = [found for found in world.instances.values() if not found.is_dr]
    without_network = tuple(event for event in scenario.events if event.action != "network")
    yield Remedy(
        "network",
        "close the network between the sites while DR runs",
        replace(world, scenario=replace(scenario, network="closed", events=without_network)),
        Cost(),
        ("DR",),
        note="no queue manager is touched; the network has to be changed and proven",
    )
    full = [
        (who, cluster)
        for cluster in world.clusters
        if any(found.is_dr for found in world.members(cluster))
        for who in world.full.get(cluster, ())
        if not world.instances[who].is_dr
    ]
    yield Remedy(
        "chlauth",
        "let CHLAUTH on production's full repositories refuse the addresses of DR",
        replace(world, scenario=replace(scenario, chlauth="refuses")),
        Cost(len({who for who, _ in full}), 0, len(full)),
        ("DR", "CHLAUTH"),
        note="prove it with mqlint chlauth prove; partial repositories are to refuse them too",
    )
    alone = [
        replace(event, channels=False) if event.action in ("start", "restart") else event
        for event in scenario.events
        if event.action != "start-channels" or not _is_dr(world, event)
    ]
    yield Remedy(
        "ns",
        "start the DR queue managers with strmqm -ns, and do not start their channels",
        replace(world, scenario=replace(scenario, events=tuple(alone))),
        Cost(len(dr), 0, len(dr)),
        ("STRMQM", "DR"),
        note="the test then has no channels: take the copies out of the cluster before they start",
    )
    yield _production_ended(world, production)
    yield from _other_names(world, dr)


def _is_dr(world: World, event: Event) -> bool:
    return all(world.instances[who].is_dr for who in event.who)


def _production_ended(world: World, production: Sequence[Instance]) -> Remedy:
    scenario = world.scenario
    ids = tuple(found.id for found in production)
    starts = [
        event.day
        for event in scenario.events
        if event.action in ("start", "start-channels") and _is_dr(world, event)
    ]
    first, last = min(starts, default=0), end_of_dr(world)
    ended = Event(first, "end", ids)
    back = (Event(last + 1, "start", ids),) if last is not None else ()
    events = sorted((ended, *scenario.events, *back), key=lambda event: event.day)
    return Remedy(
        "production-ended",
        "end production's queue managers before DR starts, and start them when DR has ended",
        replace(world, scenario=replace(scenario, events=tuple(events))),
        Cost(len(ids), len(ids), 2 * len(ids)),
        ("DR",),
    )


def _other_names(world: World, dr: Sequence[Instance]) -> Iterator[Remedy]:
    """Rename what DR's definitions share with production; copied files come with their names."""
    renamed = {}
    commands = 0
    for found in dr:
        if found.copy is None or found.copy.made_by != "definitions" or found.original:
            continue
        parts = tuple(_renamed(world, part) for part in found.member.memberships)
        changes = sum(map(_changes, found.member.memberships, parts))
        if changes:
            commands += changes
            renamed[found.id] = replace(found, member=replace(found.member, memberships=parts))
    if renamed:
        yield Remedy(
            "names",
            "give cluster channels, queues and topics at DR names that production does not have",
            rebuilt(world, {**world.instances, **renamed}),
            Cost(len(renamed), 0, commands),
            ("DR",),
        )


def _renamed(world: World, part: Membership) -> Membership:
    taken = {part.channel for part in _of_production(world, part.cluster)}
    shared = {
        name for own in _of_production(world, part.cluster) for name in (*own.queues, *own.topics)
    }

    def other(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"{name} (DR)" if name in shared else name for name in names)

    channel = f"{part.channel} (DR)" if part.channel in taken else part.channel
    return replace(part, channel=channel, queues=other(part.queues), topics=other(part.topics))


def _of_production(world: World, cluster: str) -> Iterator[Membership]:
    for found in world.members(cluster):
        if not found.is_dr:
            yield found.parts[cluster]


def _changes(before: Membership, after: Membership) -> int:
    pairs = zip(
        (before.channel, *before.queues, *before.topics),
        (after.channel, *after.queues, *after.topics),
        strict=True,
    )
    return sum(old != new for old, new in pairs)
