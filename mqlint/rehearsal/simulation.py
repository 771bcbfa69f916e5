"""The days of a DR test, one after the other, with a calendar as the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mqlint.dataclass import frozen
from mqlint.grouping import grouped
from mqlint.rehearsal.calendar import CalendarEntry
from mqlint.rehearsal.course import Course
from mqlint.rehearsal.events import Events
from mqlint.rehearsal.expiry import Expiry
from mqlint.rehearsal.publication import Publication
from mqlint.rehearsal.repository import ClusterRepository
from mqlint.rehearsal.texts import Answers
from mqlint.rehearsal.world import Instance, World


@frozen
class Result:
    """What a simulation found: the calendar, the questions it met, and what is left at its end.

    `arrived` are the ids of DR queue managers, with the clusters, whose records production took.
    `dr` are the titles of DR queue managers, `left` those of production's whose records are at the
    end not as without the test.
    """

    entries: Sequence[CalendarEntry]
    asked: Mapping[str, bool]
    left: Sequence[str]
    arrived: frozenset[tuple[str, str]]
    dr: frozenset[str]

    def is_leftover(self, entry: CalendarEntry) -> bool:
        """Whether an entry is a message about DR alone: its records expire, as they should."""
        return entry.state == "warning" and bool(entry.about) and self.dr.issuperset(entry.about)


def simulate(world: World, answers: Mapping[str, bool] | None = None) -> Result:
    """Return the calendar of a rehearsal; `answers` are those that differ from the usual ones."""
    scenario = world.scenario
    course = Course(world, Answers(answers))
    publication, expiry = Publication(course), Expiry(course)
    events = Events(course, publication, expiry)
    by_day = grouped((event.day, event) for event in scenario.events)
    first = scenario.first_day
    course.begin(first)
    course.reach.network_open = scenario.network == "open"
    for day in range(first, scenario.days + 1):
        course.calendar.day, course.tick = day, 0
        if day == 0:
            is_open = course.reach.network_open
            course.calendar.add("network-open" if is_open else "network-closed", ())
        for event in by_day.get(day, ()):
            events.apply(event)
        if day in by_day:
            publication.send_waiting()
        for who, identity in list(course.due.pop(day, ())):
            publication.publish_due(who, identity)
        expiry.pass_day()
        course.resolution.resolve()
    return Result(
        course.calendar.entries(),
        course.answers.asked,
        _left(course),
        frozenset(course.arrived),
        frozenset(found.title for found in world.instances.values() if found.is_dr),
    )


def _left(course: Course) -> list[str]:
    """Production's queue managers whose records are not as they were without the test."""
    return [
        instance.title
        for instance in course.world.instances.values()
        if not instance.is_dr and _is_wrong(course, instance)
    ]


def _is_wrong(course: Course, instance: Instance) -> bool:
    return any(
        _is_wrong_at(course, repository, instance, part.cluster, part.channel)
        for part in instance.member.memberships
        for repository in course.repositories[part.cluster]
    )


def _is_wrong_at(
    course: Course, repository: ClusterRepository, instance: Instance, cluster: str, channel: str
) -> bool:
    if repository.in_use.get((cluster, channel)) != instance.qmid:
        return True
    for identity in course.identities(instance, cluster):
        held = repository.usable(identity)
        if held is None or held.is_expired or held.publisher != instance.id:
            return True
    return False
