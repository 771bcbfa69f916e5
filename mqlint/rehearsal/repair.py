"""What can be done after a DR test that has reached production."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mqlint.rehearsal.remedy import Cost, Remedy, end_of_dr
from mqlint.rehearsal.repository import EXPIRES, RETAINED
from mqlint.rehearsal.scenario import Event
from mqlint.rehearsal.simulation import Result
from mqlint.rehearsal.world import Instance, World
from mqlint.source.display import enumerated

_MOST_NAMED = 3
_DISRUPTIVE = (
    "choose a quiet hour: cluster objects may be invisible while it runs, and in large clusters it "
    "is felt again every 27 days"
)


def repairs(world: World, result: Result) -> Iterator[Remedy]:
    """Yield what can be done when DR has ended."""
    affected = _affected(world, result)
    if not affected:
        return
    end = end_of_dr(world)
    dr = _dr_ids(world)
    day = max(0 if end is None else end, *(event.day for event in world.scenario.events), 0) + 1
    if end is None and dr:
        day = 1
    ids = tuple(found.id for found in affected)
    parts = sum(len(found.member.memberships) for found in affected)
    names = enumerated([found.title for found in affected], _MOST_NAMED)

    def remedy(
        key: str,
        title: str,
        cost: Cost,
        sources: tuple[str, ...],
        *events: Event,
        note: str = "",
    ) -> Remedy:
        ended = () if end is not None or not dr else (Event(day, "delete", dr),)
        return Remedy(key, title, _after(world, *ended, *events), cost, sources, day, note)

    end_first = "end DR, then " if end is None and dr else ""
    yield remedy(
        "refresh",
        f"{end_first}REFRESH CLUSTER REPOS(NO) on {names}, on day {day}",
        Cost(len(ids), 0, parts),
        ("DR", "REFRESH", "RECOVER"),
        Event(day, "refresh", ids),
        note=_DISRUPTIVE,
    )
    yield remedy(
        "refresh-repos",
        f"{end_first}REFRESH CLUSTER REPOS(YES) on {names}, on day {day}",
        Cost(len(ids), 0, parts),
        ("REFRESH",),
        Event(day, "refresh", ids, repos=True),
        note=_DISRUPTIVE,
    )
    yield remedy(
        "alter",
        f"{end_first}ALTER CHANNEL of the cluster-receivers of {names} (DESCR), on day {day}",
        Cost(len(ids), 0, parts),
        ("DR",),
        Event(day, "alter", ids, objects="channels"),
    )
    yield remedy(
        "restart",
        f"{end_first}restart {names} on day {day}",
        Cost(len(ids), len(ids), 2 * len(ids)),
        ("PH58212",),
        Event(day, "restart", ids),
    )
    removed = sorted({who for who, _ in result.arrived})
    by = next(
        (
            who
            for cluster in world.clusters
            for who in world.full.get(cluster, ())
            if not world.instances[who].is_dr
        ),
        "",
    )
    if removed and by:
        yield remedy(
            "reset",
            f"{end_first}RESET CLUSTER ACTION(FORCEREMOVE) by the QMID of "
            f"{enumerated([world.instances[who].title for who in removed], _MOST_NAMED)} "
            f"on {world.instances[by].title}, on day {day}",
            Cost(1, 0, len(removed)),
            ("RESET", "DR"),
            *(Event(day, "reset", (by,), remove=who) for who in removed),
        )


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


def _dr_ids(world: World) -> tuple[str, ...]:
    return tuple(found.id for found in world.instances.values() if found.is_dr)
