"""What can be done about a DR test that reaches production, tried on the calendar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from mqlint.dataclass import frozen
from mqlint.rehearsal.calendar import Entry
from mqlint.rehearsal.outcome import Outcome, outcome_of
from mqlint.rehearsal.questions import QUESTIONS
from mqlint.rehearsal.repository import EXPIRES, RETAINED
from mqlint.rehearsal.scenario import Event, Scenario
from mqlint.rehearsal.simulation import Result, simulate
from mqlint.rehearsal.world import Instance, World, rebuilt

Verdict = Literal["prevents", "repairs", "depends", "no remedy"]


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


@frozen
class Trial:
    """What a remedy comes to; `why` explains a verdict that is not plain."""

    remedy: Remedy
    verdict: Verdict
    outcome: Outcome
    why: str = ""


_RANK: dict[Verdict, int] = {"prevents": 0, "repairs": 0, "depends": 1, "no remedy": 2}
_REFUSALS = ("refresh-refused", "reset-refused", "reset-ambiguous")
_SHOWN = 3
_DISRUPTIVE = (
    "choose a quiet hour: cluster objects may be invisible while it runs, and in large clusters it "
    "is felt again every 27 days"
)


def trials_of(world: World, result: Result) -> list[Trial]:
    """Return each remedy tried, those that work first, by cost; none if nothing is to remedy."""
    if outcome_of(result).is_untouched:
        return []
    tried = [_tried(remedy) for remedy in _remedies(world, result)]
    return sorted(tried, key=lambda trial: (_RANK[trial.verdict], trial.remedy.cost.order))


def _tried(remedy: Remedy) -> Trial:
    result = simulate(remedy.world)
    outcome = outcome_of(result)
    verdict = _verdict(remedy, result)
    if verdict != "no remedy":
        return Trial(remedy, verdict, outcome)
    for key, answer in result.asked.items():
        other = simulate(remedy.world, {key: not answer})
        if _verdict(remedy, other) != "no remedy":
            word = "no" if answer else "yes"
            why = f"it works if the answer is {word}: {QUESTIONS[key].text}"
            return Trial(remedy, "depends", outcome, why)
    refused = [entry.text for entry in result.entries if entry.kind in _REFUSALS]
    return Trial(remedy, verdict, outcome, refused[0] if refused else outcome.text)


def _verdict(remedy: Remedy, result: Result) -> Verdict:
    day = remedy.day
    harm = [
        entry
        for entry in result.entries
        if entry.state in ("warning", "outage") and (day is None or entry.day >= day)
    ]
    own = [entry for entry in harm if not _is_of_dr(remedy.world, entry)]
    if result.left or own:
        return "no remedy"
    return "prevents" if day is None else "repairs"


def _is_of_dr(world: World, entry: Entry) -> bool:
    """Whether a message is about DR queue managers alone: their records expire, as they should."""
    dr = {found.title for found in world.instances.values() if found.is_dr}
    return entry.state == "warning" and bool(entry.about) and set(entry.about) <= dr


def _remedies(world: World, result: Result) -> Iterator[Remedy]:
    if any(found.is_dr for found in world.instances.values()):
        yield from _preventions(world)
    yield from _repairs(world, result)


# -- before the test ------------------------------------------------------------------------------


def _preventions(world: World) -> Iterator[Remedy]:
    scenario = world.scenario
    dr = [found for found in world.instances.values() if found.is_dr]
    production = [found for found in world.instances.values() if not found.is_dr]
    kept = tuple(event for event in scenario.events if event.action != "network")
    yield Remedy(
        "network",
        "close the network between the sites while DR runs",
        _with(world, replace(scenario, network="closed", events=kept)),
        Cost(),
        ("DR",),
        note="no queue manager is touched; the network has to be changed and proven",
    )
    full = [
        (who, cluster)
        for cluster in world.clusters
        for who in world.full.get(cluster, ())
        if not world.instances[who].is_dr
    ]
    yield Remedy(
        "chlauth",
        "let CHLAUTH on production's full repositories refuse the addresses of DR",
        _with(world, replace(scenario, chlauth="refuses")),
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
        _with(world, replace(scenario, events=tuple(alone))),
        Cost(len(dr), 0, len(dr)),
        ("STRMQM", "DR"),
        note="the test then has no channels: take the copies out of the cluster before they start",
    )
    yield _production_ended(world, production)
    if any(found.copy and found.copy.made_by == "definitions" for found in dr):
        yield _other_names(world, dr)


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
    first, last = min(starts, default=0), _end_of_dr(world)
    ended = Event(first, "end", ids)
    back = (Event(last + 1, "start", ids),) if last is not None else ()
    events = sorted((ended, *scenario.events, *back), key=lambda event: event.day)
    return Remedy(
        "production-ended",
        "end production's queue managers before DR starts, and start them when DR has ended",
        _with(world, replace(scenario, events=tuple(events))),
        Cost(len(ids), len(ids), 2 * len(ids)),
        ("DR",),
    )


def _other_names(world: World, dr: Sequence[Instance]) -> Remedy:
    renamed = {}
    commands = 0
    for found in dr:
        if found.copy is None or found.copy.made_by != "definitions" or found.original:
            continue
        parts = tuple(
            replace(
                part,
                channel=f"{part.channel} (DR)",
                queues=tuple(f"{name} (DR)" for name in part.queues),
                topics=tuple(f"{name} (DR)" for name in part.topics),
            )
            for part in found.member.memberships
        )
        commands += sum(1 + len(part.queues) + len(part.topics) for part in parts)
        renamed[found.id] = replace(found, member=replace(found.member, memberships=parts))
    return Remedy(
        "names",
        "give cluster channels, queues and topics at DR names that production does not have",
        _with(world, world.scenario, {**world.instances, **renamed}),
        Cost(len(renamed), 0, commands),
        ("DR",),
    )


# -- after the test -------------------------------------------------------------------------------


def _repairs(world: World, result: Result) -> Iterator[Remedy]:
    affected = _affected(world, result)
    if not affected:
        return
    end = _end_of_dr(world)
    dr = _dr_ids(world)
    day = max(0 if end is None else end, *(event.day for event in world.scenario.events), 0) + 1
    if end is None and dr:
        day = 1
    ids = tuple(found.id for found in affected)
    parts = sum(len(found.member.memberships) for found in affected)
    names = _named([found.title for found in affected])

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
    removed = _intruders(world, result)
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
            f"{_named([world.instances[who].title for who in removed])} "
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


def _intruders(world: World, result: Result) -> list[str]:
    """DR queue managers of clusters in which records of DR are at production."""
    kinds = ("replaced", "equal", "taken-over", "joined")
    clusters = {entry.cluster for entry in result.entries if entry.kind in kinds}
    return [
        found.id
        for found in world.instances.values()
        if found.is_dr and any(part.cluster in clusters for part in found.member.memberships)
    ]


def _after(world: World, *events: Event) -> World:
    """The world with more events, and enough days to see what becomes of them."""
    scenario = world.scenario
    merged = sorted((*scenario.events, *events), key=lambda event: event.day)
    days = max(scenario.days, max(event.day for event in merged) + EXPIRES + RETAINED + 1)
    return _with(world, replace(scenario, events=tuple(merged), days=days))


def _dr_ids(world: World) -> tuple[str, ...]:
    return tuple(found.id for found in world.instances.values() if found.is_dr)


def _end_of_dr(world: World) -> int | None:
    """The day on which the last DR queue manager has ended; None if one runs on."""
    running: dict[str, bool] = {}
    last = None
    for event in world.scenario.events:
        for who in event.who:
            if world.instances[who].is_dr and event.action in ("start", "end", "delete"):
                running[who] = event.action == "start"
                last = event.day
    return None if any(running.values()) else last


def _with(world: World, scenario: Scenario, instances: dict[str, Instance] | None = None) -> World:
    if instances is None:
        return replace(world, scenario=scenario)
    return rebuilt(world, instances)


def _named(titles: Sequence[str]) -> str:
    if len(titles) > _SHOWN:
        return f"{', '.join(titles[:_SHOWN])} and {len(titles) - _SHOWN} more"
    return " and ".join(filter(None, [", ".join(titles[:-1]), *titles[-1:]]))
