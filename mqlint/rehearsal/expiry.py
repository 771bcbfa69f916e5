"""What happens to records that are not published again, or are removed by force."""

from __future__ import annotations

from mqlint.rehearsal.course import Course
from mqlint.rehearsal.repository import ClusterRepository, HeldRecord
from mqlint.rehearsal.world import Identity, Instance


class Expiry:
    """Lets records expire after 30 days, and removes them 60 days later."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._world = course.world
        self._calendar = course.calendar

    def pass_day(self) -> None:
        """Let the records of the present day expire, and remove those whose time is over."""
        day = self._calendar.day
        expiring = list(self._course.retention.expiring(day))
        for _, _, held in expiring:
            held.is_expired = True
        for row in expiring:
            self._report(*row)
        for repository, identity, held in self._course.retention.removing(day):
            held.is_removed = True
            owner = self._owner(identity, held)
            self._calendar.add("removed", (repository.title,), identity.cluster, owner)
            self._free_channel(repository, identity)

    def force_out(self, removed: Instance, cluster: str, *, queues: bool) -> None:
        """Remove the records of a queue manager from all repositories."""
        for repository in self._course.repositories[cluster]:
            for identity in self._world.identities(cluster, removed.qmid):
                held = repository.records.get(identity)
                if held is not None and (queues or not identity.part):
                    held.is_forced_out = True
                    self._free_channel(repository, identity)

    def _report(self, repository: ClusterRepository, identity: Identity, held: HeldRecord) -> None:
        owner, cluster = self._owner(identity, held), identity.cluster
        if all(map(self._course.is_ended, repository.members)):
            return  # no queue manager writes a message
        zos = {self._world.instances[who].member.is_zos for who in repository.members}
        if repository.is_full and not identity.part:
            where = (repository.title,)
            self._calendar.add("expired-full", where, cluster, owner, on_zos=zos)
        if identity.part and not repository.is_full:
            users = self._users(repository, identity)
            self._calendar.add("expired-used", users, cluster, owner, on_zos=zos)
            if not self._course.resolution.has_others(repository, identity):
                where = (f"applications at {repository.site}",)
                self._calendar.add("expired-new", where, cluster, owner)

    def _users(self, repository: ClusterRepository, identity: Identity) -> list[str]:
        """Those that log the expiry of a queue's record: all unless the scenario names users."""
        names = self._world.names.get(identity[:2], {}).get(identity.part, ())
        found = [
            self._world.instances[who].title
            for who, queues in self._course.scenario.uses.items()
            if who in repository.members and not set(queues).isdisjoint(names)
        ]
        return found or [repository.title]

    def _owner(self, identity: Identity, held: HeldRecord) -> str:
        """The queue manager of production whose record it is, else the one that published it."""
        owners = self._world.by_qmid.get((identity.cluster, identity.qmid))
        return owners[0].title if owners else self._world.instances[held.publisher].title

    def _free_channel(self, repository: ClusterRepository, identity: Identity) -> None:
        """The channel of a record that is gone is no longer in use."""
        self._course.resolution.touch(repository, identity)
        if identity.part:
            return
        cluster, qmid = identity.cluster, identity.qmid
        for channel in self._world.channels(cluster, qmid):
            if repository.in_use.get((cluster, channel)) != qmid:
                continue
            others = [
                self._world.instances[who].qmid
                for who in self._world.by_channel[cluster, channel]
                if self._world.instances[who].qmid != qmid
                and repository.usable(Identity(cluster, self._world.instances[who].qmid))
            ]
            if others:
                repository.assumed.add((cluster, channel))
            if others and self._course.answers.ask("in-use-again"):
                repository.in_use[cluster, channel] = others[0]
                self._course.resolution.touch_channel(repository, cluster, channel)
