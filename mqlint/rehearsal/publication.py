"""How records travel: who publishes, which repositories take them, which channel is in use."""

from __future__ import annotations

from collections.abc import Iterator

from mqlint.rehearsal.course import DAY, Course
from mqlint.rehearsal.repository import REPUBLISHED, Cause, ClusterRepository, HeldRecord
from mqlint.rehearsal.world import Identity, Instance


class Publication:
    """Publishes the records of queue managers and delivers them to repositories."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._world = course.world
        self._calendar = course.calendar
        self._unsent: dict[tuple[str, Identity], tuple[int, int, set[str]]] = {}
        self._reported: set[tuple[str, str, str, str]] = set()

    def publish_due(self, who: str, identity: Identity) -> None:
        """Publish a record if it is due and its queue manager runs."""
        own, day = self._course.own[who][identity], self._calendar.day
        if own.due > day or self._course.is_ended(who):
            return
        instance = self._world.instances[who]
        cause: Cause = "due" if own.history or not instance.is_dr else "first"
        if own.number >= day * DAY:
            own.number -= 1  # numbers of this day are published as they are
            cause = "restart" if instance.original or not instance.is_dr else cause
        self.publish(instance, identity, cause)

    def publish(self, instance: Instance, identity: Identity, cause: Cause) -> None:
        """Publish a record with the next number, now and again after 27 days."""
        own, day = self._course.own[instance.id][identity], self._calendar.day
        own.number += 1
        own.history[day] = own.number
        own.due = day + REPUBLISHED
        self._course.schedule(instance.id, identity, own.due)
        wanted = set(self._course.reach.wanted(instance, identity.cluster))
        self._unsent[instance.id, identity] = (own.number, day, wanted)
        if self._course.is_up(instance.id):
            self._send(instance, identity, cause)

    def send_waiting(self) -> None:
        """Deliver what waits on transmission queues, as far as it can be delivered now."""
        for who, identity in list(self._unsent):
            if self._course.is_up(who):
                self._send(self._world.instances[who], identity, "waiting")

    def drop(self, who: str) -> None:
        """Forget what waits on the transmission queues of a queue manager that is deleted."""
        for key in [key for key in self._unsent if key[0] == who]:
            del self._unsent[key]

    def _send(self, instance: Instance, identity: Identity, cause: Cause) -> None:
        number, published, missing = self._unsent[instance.id, identity]
        reached = self._course.reach.reached(instance, identity.cluster)
        held = HeldRecord(number, published, instance.id, is_assumed=cause == "restart")
        for repository in self._hearers(reached & missing, identity.cluster):
            self._receive(repository, identity, held, instance, cause)
        missing -= reached
        if not missing:
            del self._unsent[instance.id, identity]
        if instance.is_dr:
            self._report_apart(instance, identity.cluster, missing)

    def _hearers(self, reached: set[str], cluster: str) -> Iterator[ClusterRepository]:
        """The full repositories that are reached, and the partial ones that they pass it on to."""
        sites = {self._world.instances[who].member.site for who in reached}
        for repository in self._course.repositories[cluster]:
            if repository.is_full:
                if repository.members[0] in reached:
                    yield repository
            elif repository.site in sites:
                yield repository

    def _report_apart(self, instance: Instance, cluster: str, missing: set[str]) -> None:
        """Say once why records of DR do not reach production."""
        reach, instances = self._course.reach, self._world.instances
        if all(instances[who].is_dr for who in self._world.full.get(cluster, ())):
            return
        if all(instances[who].is_dr for who in reach.wanted(instance, cluster)):
            self._once("no-sender", instance, cluster)
            return
        away = [who for who in sorted(missing) if not instances[who].is_dr]
        if away and not reach.network_open:
            self._once("kept-apart", instance, cluster)
            return
        for who in away:
            is_called = who in reach.contacts_of(instance, cluster)
            if is_called and self._course.is_up(who) and reach.refuses(who, cluster):
                self._once("blocked", instances[who], cluster, instance.title)

    def _once(self, kind: str, instance: Instance, cluster: str, about: str = "") -> None:
        key = (kind, instance.id, cluster, about)
        if key not in self._reported:
            self._reported.add(key)
            self._course.add(kind, instance, cluster, about)

    # -- at a repository ------------------------------------------------------------------------

    def _receive(
        self,
        repository: ClusterRepository,
        identity: Identity,
        record: HeldRecord,
        sender: Instance,
        cause: Cause,
    ) -> None:
        held = repository.records.get(identity)
        refusal = "" if held is None else self._refusal(held, record, cause)
        if refusal:
            if repository.is_full and not sender.is_dr and refusal != "same":
                is_assumed = refusal != "ignored"
                where = (sender.title,)
                self._calendar.add(refusal, where, identity.cluster, is_assumed=is_assumed)
            return
        self._report_accepted(repository, identity, record, sender)
        if sender.is_dr:
            self._course.arrived.add((sender.id, identity.cluster))
        own = HeldRecord(record.number, record.published, record.publisher, record.is_assumed)
        self._course.hold(repository, identity, own)
        if not identity.part:
            self._use(repository, identity, sender, cause)

    def _refusal(self, held: HeldRecord, record: HeldRecord, cause: Cause) -> str:
        """Why a repository keeps what it has, blank if it takes a record."""
        if held.is_forced_out:
            by_itself = cause not in ("refresh", "first")
            refused = by_itself and not self._course.answers.ask("accepted-again")
            return "ignored-removed" if refused else ""
        if record.number > held.number:
            return ""
        if record.number < held.number:
            return "ignored"
        if (held.publisher, held.published) == (record.publisher, record.published):
            return "same"
        return "" if self._course.answers.ask("equal-number") else "ignored-equal"

    def _report_accepted(
        self,
        repository: ClusterRepository,
        identity: Identity,
        record: HeldRecord,
        sender: Instance,
    ) -> None:
        held, where = repository.records.get(identity), (repository.title,)
        cluster = identity.cluster
        if held is None:
            is_new = sender.is_dr and not sender.original and not identity.part
            if is_new and not self._clashes(sender, cluster):
                self._calendar.add("joined", where, cluster, sender.title)
        elif sender.is_dr and (
            held.publisher != sender.id or (held.is_assumed and not record.is_assumed)
        ):
            owner = self._world.by_qmid[cluster, identity.qmid][0]
            kind = "replaced" if record.number > held.number else "equal"
            is_assumed = kind == "equal" or record.is_assumed
            self._calendar.add(kind, where, cluster, owner.title, is_assumed=is_assumed)
            part = sender.membership(cluster)
            moves = sender.copy is not None and sender.copy.own_address
            if moves and part is not None and part.is_full and not identity.part:
                self._calendar.add("repository-moved", where, cluster, owner.title)
        elif not sender.is_dr and (held.publisher != sender.id or held.is_lapsed):
            self._calendar.add("accepted", where, cluster, sender.title)

    def _clashes(self, sender: Instance, cluster: str) -> bool:
        """Whether a queue manager of another QMID has a channel of the same name."""
        part = sender.membership(cluster)
        same = self._world.by_channel.get((cluster, part.channel if part else ""), ())
        return any(self._world.instances[who].qmid != sender.qmid for who in same)

    def _use(
        self, repository: ClusterRepository, identity: Identity, sender: Instance, cause: Cause
    ) -> None:
        """Mark the channel of the newest record as the one in use."""
        part = sender.membership(identity.cluster)
        if part is None:
            return
        key = (identity.cluster, part.channel)
        present = repository.in_use.get(key)
        if present in (None, identity.qmid):
            repository.in_use[key] = identity.qmid
            return
        side = "dr" if sender.is_dr else "production"
        if cause == "due":
            repository.assumed.add(key)
        else:
            repository.assumed.discard(key)
        if cause == "due" and not self._course.answers.ask(f"taken-back-{side}"):
            return
        repository.in_use[key] = identity.qmid
        self._course.resolution.touch_channel(repository, *key)
        others = map(self._world.instances.__getitem__, self._world.by_channel[key])
        owner = next((found.title for found in others if found.qmid == present), "")
        kind, about = ("taken-over", owner) if sender.is_dr else ("taken-back", sender.title)
        self._calendar.add(
            kind,
            (repository.title,),
            identity.cluster,
            about,
            is_assumed=cause == "due",
            channel=part.channel,
        )
