"""The state of a simulation: what runs, who owns which record, what repositories hold."""

from __future__ import annotations

from mqlint.dataclass import mutable
from mqlint.grouping import grouped
from mqlint.rehearsal.calendar import Calendar
from mqlint.rehearsal.network import Reach
from mqlint.rehearsal.repository import REPUBLISHED, ClusterRepository, HeldRecord, Retention
from mqlint.rehearsal.resolution import Resolution
from mqlint.rehearsal.texts import Answers
from mqlint.rehearsal.world import Identity, Instance, World

DAY = 86_400
_OLD = -10_000 * DAY
"""The sequence number of production's records at first: the time of a creation long ago."""


@mutable
class OwnRecord:
    """A record at the queue manager that owns it: its number, and the day of its next publication.

    `history` has the numbers by the day of publication.
    """

    number: int
    due: int
    history: dict[int, int]

    def published(self, day: int) -> int:
        """Return the day of the last publication up to `day`, or else of the first one."""
        before = [found for found in self.history if found <= day]
        return max(before) if before else min(self.history, default=day)

    def number_on(self, day: int) -> int:
        return self.history[self.published(day)] if self.history else self.number


@mutable
class State:
    """What a queue manager does now."""

    is_running: bool
    has_channels: bool
    is_deleted: bool = False


class Course:
    def __init__(self, world: World, answers: Answers) -> None:
        """Begin with production running, and DR not yet started."""
        self.world = world
        self.scenario = world.scenario
        self.answers = answers
        self.calendar = Calendar()
        self.tick = 0
        self.states = {
            found.id: State(not found.is_dr, not found.is_dr) for found in world.instances.values()
        }
        self.own: dict[str, dict[Identity, OwnRecord]] = {}
        self.due: dict[int, dict[tuple[str, Identity], None]] = {}
        self.retention = Retention()
        self.arrived: set[tuple[str, str]] = set()
        self.repositories = _repositories(world)
        self.views = {
            (who, cluster): found
            for cluster, every in self.repositories.items()
            for found in every
            for who in found.members
        }
        self.reach = Reach(world, self.is_up, answers)
        self.resolution = Resolution(world, self.calendar, self.is_ended)

    def begin(self, first: int) -> None:
        """Give production its records, published on the day that the scenario says."""
        day = min(self.scenario.last_published, first)
        for instance in self.world.instances.values():
            if instance.is_dr:
                continue
            for identity in self.identities(instance):
                self.owns(instance.id, identity, _OLD, day + REPUBLISHED)
                self.own[instance.id][identity].history[day] = _OLD
                for repository in self.repositories[identity.cluster]:
                    self.hold(repository, identity, HeldRecord(_OLD, day, instance.id))
            for part in instance.member.memberships:
                for repository in self.repositories[part.cluster]:
                    repository.in_use.setdefault((part.cluster, part.channel), instance.qmid)
        self.calendar.day = first
        self.resolution.resolve()
        self.resolution.begin()

    def now(self) -> int:
        """Return the time as a sequence number; what is later on one day is higher."""
        self.tick += 1
        return self.calendar.day * DAY + self.tick

    def identities(self, instance: Instance, cluster: str = "") -> list[Identity]:
        """Return the records of a queue manager, of all clusters or of one."""
        found = []
        for part in instance.member.memberships:
            if cluster in ("", part.cluster):
                key = (part.cluster, instance.qmid)
                found.append(Identity(*key))
                names = self.world.names.get(key, {})
                found += [Identity(*key, owners) for owners in names if instance.id in owners]
        return found

    def owns(self, who: str, identity: Identity, number: int, due: int) -> None:
        """Give a queue manager a record of its own."""
        self.own.setdefault(who, {})[identity] = OwnRecord(number, due, {})
        self.schedule(who, identity, due)

    def schedule(self, who: str, identity: Identity, due: int) -> None:
        """Note when a record is to be published."""
        self.due.setdefault(due, {})[who, identity] = None

    def hold(self, repository: ClusterRepository, identity: Identity, held: HeldRecord) -> None:
        repository.records[identity] = held
        self.retention.add(repository, identity, held.published)
        self.resolution.touch(repository, identity)

    def is_up(self, who: str) -> bool:
        """Whether the channels of a queue manager run."""
        state = self.states[who]
        return state.is_running and state.has_channels

    def is_ended(self, who: str) -> bool:
        """Whether a queue manager does not run."""
        return not self.states[who].is_running

    def add(self, kind: str, instance: Instance, cluster: str, about: str = "") -> None:
        """Note in the calendar that something happens to a queue manager."""
        zos = (instance.member.is_zos,)
        self.calendar.add(kind, (instance.title,), cluster, about, on_zos=zos)


def _repositories(world: World) -> dict[str, list[ClusterRepository]]:
    """A repository for each full one of production, and one for the partial ones of each site."""
    found: dict[str, list[ClusterRepository]] = {}
    for cluster in world.clusters:
        production = [each for each in world.members(cluster) if not each.is_dr]
        partial = grouped(
            (each.member.site, each.id) for each in production if not each.parts[cluster].is_full
        )
        found[cluster] = [
            ClusterRepository(each.title, each.member.site, [each.id], is_full=True)
            for each in production
            if each.parts[cluster].is_full
        ] + [
            ClusterRepository(f"partial repositories at {site}", site, members, is_full=False)
            for site, members in partial.items()
        ]
    return found
