"""What can be done about a DR test: before it, and after one that has reached production."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mqlint.dataclass import frozen
from mqlint.rehearsal.member import Membership
from mqlint.rehearsal.repository import EXPIRES, RETAINED
from mqlint.rehearsal.scenario import Event
from mqlint.rehearsal.simulation import Result
from mqlint.rehearsal.world import Instance, World, rebuilt
from mqlint.source.display import enumerated

_MOST_NAMED = 3
_DISRUPTIVE = (
    "choose a quiet hour: cluster objects may be invisible while it runs, and in large clusters it "
    "is felt again every 27 days"
)


@frozen
class Cost:
    """What a remedy takes: queue managers touched, restarts of them, commands."""

    queue_managers: int = 0
    restarts: int = 0
    commands: int = 0

    @property
    def order(self) -> tuple[int, int, int]:
        """Restarts weigh most, then queue managers, then commands."""
        return self.restarts, self.queue_managers, self.commands


@frozen
class Remedy:
    """Something to try: its world, what it costs, and the day on which it is done."""

    key: str
    title: str
    world: World
    cost: Cost
    sources: tuple[str, ...]
    day: int | None = None
    note: str = ""


def end_of_dr(world: World) -> int | None:
    """Return the day on which the last DR queue manager has ended; None if one runs on."""
    running: dict[str, bool] = {}
    last = None
    for event in world.scenario.events:
        for who in event.who:
            if world.instances[who].is_dr and event.action in ("start", "end", "delete"):
                running[who] = event.action == "start"
                last = event.day
    return None if any(running.values()) else last


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


def repairs(world: World, result: Result) -> Iterator[Remedy]:
    """Yield what can be done when DR has ended."""
    affected = _affected(world, result)
    if not affected:
        return
    end = end_of_dr(world)
    dr = tuple(found.id for found in world.instances.values() if found.is_dr)
    is_running = end is None and bool(dr)
    last = max(end or 0, *(event.day for event in world.scenario.events), 0)
    day = 1 if is_running else last + 1
    ended = (Event(day, "delete", dr),) if is_running else ()

    def remedy(
        key: str, what: str, cost: Cost, sources: tuple[str, ...], *events: Event, note: str = ""
    ) -> Remedy:
        title = f"{'end DR, then ' if is_running else ''}{what} on day {day}"
        return Remedy(key, title, _after(world, *ended, *events), cost, sources, day, note)

    ids = tuple(found.id for found in affected)
    names = enumerated([found.title for found in affected], _MOST_NAMED)
    each_cluster = Cost(len(ids), 0, sum(len(found.member.memberships) for found in affected))
    yield remedy(
        "refresh",
        f"REFRESH CLUSTER REPOS(NO) on {names},",
        each_cluster,
        ("DR", "REFRESH", "RECOVER"),
        Event(day, "refresh", ids),
        note=_DISRUPTIVE,
    )
    yield remedy(
        "refresh-repos",
        f"REFRESH CLUSTER REPOS(YES) on {names},",
        each_cluster,
        ("REFRESH",),
        Event(day, "refresh", ids, repos=True),
        note=_DISRUPTIVE,
    )
    what = f"ALTER CHANNEL of the cluster-receivers of {names} (DESCR),"
    alter = Event(day, "alter", ids, objects="channels")
    yield remedy("alter", what, each_cluster, ("DR",), alter)
    cost = Cost(len(ids), len(ids), 2 * len(ids))
    yield remedy("restart", f"restart {names}", cost, ("PH58212",), Event(day, "restart", ids))
    removed = sorted({who for who, _ in result.arrived})
    by = _full_repository(world)
    if removed and by is not None:
        qmids = enumerated([world.instances[who].title for who in removed], _MOST_NAMED)
        yield remedy(
            "reset",
            f"RESET CLUSTER ACTION(FORCEREMOVE) by the QMID of {qmids} on {by.title},",
            Cost(1, 0, len(removed)),
            ("RESET", "DR"),
            *(Event(day, "reset", (by.id,), remove=who) for who in removed),
        )


def _full_repository(world: World) -> Instance | None:
    """The first full repository of production."""
    ids = (who for cluster in world.clusters for who in world.full.get(cluster, ()))
    found = (world.instances[who] for who in ids)
    return next((instance for instance in found if not instance.is_dr), None)


def _affected(world: World, result: Result) -> list[Instance]:
    """Production's queue managers whose records DR replaced or took out of use."""
    kinds = ("replaced", "equal", "taken-over")
    titles = {name for entry in result.entries if entry.kind in kinds for name in entry.about}
    titles |= {entry.who[0] for entry in result.entries if entry.kind == "ignored" and entry.who}
    return [
        found for found in world.instances.values() if not found.is_dr and found.title in titles
    ]


def _after(world: World, *events: Event) -> World:
    """The world with more events, and enough days to see their effects."""
    scenario = world.scenario
    merged = sorted((*scenario.events, *events), key=lambda event: event.day)
    days = max(scenario.days, max(event.day for event in merged) + EXPIRES + RETAINED + 1)
    return replace(world, scenario=replace(scenario, events=tuple(merged), days=days))
