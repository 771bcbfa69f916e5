"""What the events of a scenario do to queue managers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mqlint.rehearsal.course import Course
from mqlint.rehearsal.expiry import Expiry
from mqlint.rehearsal.publication import Publication
from mqlint.rehearsal.repository import REPUBLISHED
from mqlint.rehearsal.scenario import Event
from mqlint.rehearsal.world import Identity, Instance, auto_defined
from mqlint.vocabulary.target import Level

_REBASED: Level = (9, 4, 0)
"""The release from which a restart gives records new numbers. (APAR PH58212, IT43646.)"""
_MAYBE_REBASED: Level = (9, 3, 0)
"""The release from which a fix may do so."""


class Events:
    """Applies events, each to one queue manager after the other."""

    def __init__(self, course: Course, publication: Publication, expiry: Expiry) -> None:
        self._course = course
        self._calendar = course.calendar
        self._publication = publication
        self._expiry = expiry
        self._actions: Mapping[str, Callable[[Event, Instance], None]] = {
            "start": self._start,
            "start-channels": self._start_channels,
            "end": self._end,
            "delete": self._delete,
            "restart": self._restart,
            "refresh": self._refresh,
            "reset": self._reset,
            "alter": self._alter,
            "restore": self._restore,
        }

    def apply(self, event: Event) -> None:
        if event.action == "network":
            self._course.reach.network_open = event.network == "open"
            self._course.reach.changed()
            self._calendar.add(f"network-{event.network}", ())
        instances = [self._course.world.instances[who] for who in event.who]
        before = self._calendar.additions
        for instance in instances:
            self._actions[event.action](event, instance)
        if instances and self._calendar.additions == before:
            titles = [instance.title for instance in instances]
            self._calendar.add("without-effect", titles, action=event.action)

    # -- start and end --------------------------------------------------------------------------

    def _start(self, event: Event, instance: Instance) -> None:
        state = self._course.states[instance.id]
        if state.is_running or state.is_deleted:
            return
        is_new = instance.id not in self._course.own
        state.is_running, state.has_channels = True, event.channels
        self._report_start(event, instance, is_new=is_new)
        if is_new:
            self._make(instance)
        self._take_new_numbers(instance)
        self._course.reach.changed()
        self._catch_up(instance)

    def _report_start(self, event: Event, instance: Instance, *, is_new: bool) -> None:
        original = self._course.world.instances.get(instance.original)
        kind, about = "started", ""
        if not event.channels:
            kind = "started-alone"
        elif is_new and original is not None:
            kind, about = "started-copy", original.title
        elif is_new and instance.is_dr:
            kind = "started-new"
        self._calendar.add(kind, (instance.title,), about=about)

    def _make(self, instance: Instance) -> None:
        """Give a DR queue manager its records: those of the backup, or those of its creation."""
        course, copy, day = self._course, instance.copy, self._calendar.day
        for part in instance.member.memberships:
            if auto_defined(course.world, instance, part.cluster):
                course.add("auto-defined", instance, part.cluster)
        original = course.own.get(instance.original, {})
        for identity in course.identities(instance):
            source = original.get(identity)
            if copy is None or source is None or copy.made_by == "definitions":
                course.owns(instance.id, identity, course.now(), day)
                continue
            due = source.published(copy.backup_day) + REPUBLISHED
            if copy.own_address:
                due = day  # ALTER CHANNEL gives the next number and publishes it
            course.owns(instance.id, identity, source.number_on(copy.backup_day), max(due, day))

    def _take_new_numbers(self, instance: Instance) -> None:
        """What a restart does to sequence numbers, by the level of the queue manager."""
        if instance.is_dr and not instance.original:
            return  # its records are new anyway
        side, level = "dr" if instance.is_dr else "production", instance.member.level
        if level is not None and level < _MAYBE_REBASED:
            return
        ask = self._course.answers.ask
        is_sure = level is not None and level >= _REBASED
        if not is_sure and not ask(f"rebase-{side}"):
            return
        self._calendar.add("new-numbers", (instance.title,), is_assumed=not is_sure)
        is_published = ask(f"published-{side}")
        for identity in self._course.identities(instance):
            own = self._course.own[instance.id][identity]
            own.number = self._course.now()
            own.due = self._calendar.day if is_published else own.due

    def _catch_up(self, instance: Instance) -> None:
        """Publish what is due, or fell due while the queue manager did not run."""
        for identity, own in self._course.own[instance.id].items():
            if own.due <= self._calendar.day:
                self._publication.publish_due(instance.id, identity)

    def _start_channels(self, event: Event, instance: Instance) -> None:
        state = self._course.states[instance.id]
        if state.is_running and not state.has_channels:
            state.has_channels = True
            self._calendar.add("channels", (instance.title,))
            self._course.reach.changed()

    def _end(self, event: Event, instance: Instance) -> None:
        state = self._course.states[instance.id]
        if state.is_running:
            state.is_running = state.has_channels = False
            self._calendar.add("ended", (instance.title,))
            self._course.reach.changed()

    def _delete(self, event: Event, instance: Instance) -> None:
        state = self._course.states[instance.id]
        if not state.is_deleted:
            state.is_running, state.has_channels, state.is_deleted = False, False, True
            self._calendar.add("deleted", (instance.title,))
            self._publication.drop(instance.id)
            self._course.reach.changed()

    def _restart(self, event: Event, instance: Instance) -> None:
        if self._course.states[instance.id].is_running:
            self._course.states[instance.id].is_running = False
            self._start(event, instance)

    def _restore(self, event: Event, instance: Instance) -> None:
        backup, day = event.backup_day, self._calendar.day
        if instance.id not in self._course.own:
            return  # it has not started yet
        self._calendar.add("restored", (instance.title,), backup=str(backup))
        for identity, own in self._course.own[instance.id].items():
            own.number = own.number_on(backup)
            own.due = max(own.published(backup) + REPUBLISHED, day)
            self._course.schedule(instance.id, identity, own.due)
        if self._course.states[instance.id].is_running:
            self._take_new_numbers(instance)
            self._catch_up(instance)

    # -- commands -------------------------------------------------------------------------------

    def _clusters(self, event: Event, instance: Instance) -> list[tuple[str, bool]]:
        """The clusters that a command is about, each with whether it is a full repository there."""
        if not self._course.states[instance.id].is_running:
            return []
        return [
            (part.cluster, part.is_full)
            for part in instance.member.memberships
            if event.cluster in ("", part.cluster)
        ]

    def _refresh(self, event: Event, instance: Instance) -> None:
        for cluster, is_full in self._clusters(event, instance):
            if event.repos and is_full:
                self._course.add("refresh-refused", instance, cluster)
                continue
            repos = "YES" if event.repos else "NO"
            if event.repos and instance.is_dr:
                self._course.reach.forget(instance.id, cluster)
            self._calendar.add("refreshed", (instance.title,), cluster, repos=repos)
            if not instance.is_dr:
                sites = (f"applications at {site}" for site in self._course.scenario.production)
                self._calendar.add("invisible", sites, cluster, instance.title)
            for identity in self._course.identities(instance, cluster):
                self._course.own[instance.id][identity].number = self._course.now() - 1
                self._publication.publish(instance, identity, "refresh")

    def _alter(self, event: Event, instance: Instance) -> None:
        for cluster, _ in self._clusters(event, instance):
            self._course.add("altered", instance, cluster)
            for identity in self._course.identities(instance, cluster):
                if event.objects != ("channels" if identity.part else "queues"):
                    self._course.own[instance.id][identity].number += event.times - 1
                    self._publication.publish(instance, identity, "alter")

    def _reset(self, event: Event, instance: Instance) -> None:
        removed = self._course.world.instances[event.remove]
        for cluster, is_full in self._clusters(event, instance):
            if removed.membership(cluster) is None:
                continue
            records = self._course.views[instance.id, cluster].records
            named = {
                found.qmid
                for found in self._course.world.members(cluster)
                if found.member.name == removed.member.name
                and Identity(cluster, found.qmid) in records
            }
            if not is_full:
                self._course.add("reset-refused", instance, cluster)
            elif event.by == "qmname" and len(named) > 1:
                self._course.add("reset-ambiguous", instance, cluster)
            else:
                self._calendar.add("reset", (instance.title,), cluster, removed.title)
                self._expiry.force_out(removed, cluster, queues=event.queues)
