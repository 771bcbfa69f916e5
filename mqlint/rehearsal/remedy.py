"""A remedy to try: the world in which it is done, and what it takes."""

from __future__ import annotations

from mqlint.dataclass import frozen
from mqlint.rehearsal.world import World


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
