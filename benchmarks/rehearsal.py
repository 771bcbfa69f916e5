"""A rehearsal of a DR test: the calendar, both outcomes of each question, and all remedies."""

from __future__ import annotations

from time import process_time

from benchmarks.timing import Line
from mqlint.config.settings import Reinstatement
from mqlint.rehearsal.member import Member, Membership, Sender
from mqlint.rehearsal.outcome import branches_of
from mqlint.rehearsal.remedies import trials_of
from mqlint.rehearsal.scenario import Copy, Event, Scenario, id_of
from mqlint.rehearsal.simulation import simulate
from mqlint.rehearsal.world import world_of

SITE, QUEUES, LIMIT = 250, 20, 10.0
"""Queue managers of each of two sites, clustered queues of each, seconds of CPU."""


def rehearsing() -> list[Line]:
    """The CPU time of a test that starts a copy of every queue manager."""
    return [_rehearsal("definitions"), _rehearsal("file-copy")]


def _rehearsal(made_by: Reinstatement) -> Line:
    members = [_member(number, site) for site in ("leeds", "derby") for number in range(SITE)]
    names = [f"QM{number:03}" for number in range(SITE)]
    started = tuple(id_of(name, "derby") for name in names)
    scenario = Scenario(
        ("leeds",),
        "derby",
        chlauth="admits",
        copies={name: Copy(made_by) for name in names},
        events=(
            Event(0, "start", started),
            Event(0, "refresh", started),
            Event(2, "delete", started),
        ),
    )
    start = process_time()
    world = world_of(scenario, members)
    result = simulate(world)
    questions, trials = branches_of(world, result), trials_of(world, result)
    spent = process_time() - start
    figure = f"{spent:.1f} s of CPU, {len(questions)} questions, {len(trials)} remedies"
    bar = f"{2 * SITE} queue managers, {scenario.days} days: {LIMIT:g} s"
    return Line(f"rehearse, {made_by}", bar, figure, spent <= LIMIT)


def _member(number: int, site: str) -> Member:
    network = 1 if site == "leeds" else 2
    senders = (Sender(f"C.QM{hub:03}", (f"10.1.0.{hub}(1414)",)) for hub in (0, 1) if hub != number)
    part = Membership(
        "C",
        number < 2,
        f"C.QM{number:03}",
        (f"10.{network}.0.{number}(1414)",),
        tuple(senders),
        tuple(f"APP.{(number * 7 + queue) % 400}.{queue}" for queue in range(QUEUES)),
    )
    return Member(f"QM{number:03}", site, level=(9, 3, 0), memberships=(part,))
