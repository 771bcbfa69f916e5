"""Findings folded for people: an incident is one entry, and so is one complaint on many objects.

A report of nine thousand lines is closed unread. Programs get every finding: this is for text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mqlint.dataclass import frozen
from mqlint.finding import Finding, Severity
from mqlint.grouping import grouped

Incident = tuple[Finding, ...]
"""The findings of one group that is wrong as a whole, the worst first; most often a single one."""


@frozen
class FoldedEntry:
    """What is printed as one: the first incident in full, those `alike` by place only."""

    first: Incident
    alike: tuple[Incident, ...] = ()

    @property
    def head(self) -> Finding:
        """The finding that is shown with its source line."""
        return self.first[0]

    @property
    def severity(self) -> Severity:
        """The worst severity of any finding folded in."""
        return max(f.severity for group in (self.first, *self.alike) for f in group)


def fold(findings: Iterable[Finding], alike: int | None) -> list[FoldedEntry]:
    """Return the entries of a report, each where its first finding is.

    More than `alike` incidents of one rule about the same queue managers become one entry. Nothing
    is folded when `alike` is None.
    """
    if alike is None:
        return [FoldedEntry((finding,)) for finding in findings]
    incidents = _incidents(findings)
    groups = grouped((_kind(incident), at) for at, incident in enumerate(incidents))
    entries: dict[int, FoldedEntry] = {}
    for places in groups.values():
        group = [incidents[at] for at in places]
        if _objects(group) > alike:
            entries[places[0]] = FoldedEntry(group[0], tuple(group[1:]))
        else:
            entries.update(zip(places, (FoldedEntry(incident) for incident in group), strict=True))
    return [entries[at] for at in sorted(entries)]


def _incidents(findings: Iterable[Finding]) -> list[Incident]:
    """The findings of each group; of a text that makes several queue managers, those of all."""
    members = grouped(
        ((finding.rule.id, finding.incident) if finding.incident else complaint(finding), finding)
        for finding in findings
    )
    return [tuple(sorted(group, key=_by_severity)) for group in members.values()]


def _by_severity(finding: Finding) -> int:
    """A place where it is an error is shown before those where it is a warning."""
    return -finding.severity


def complaint(finding: Finding) -> object:
    """What a finding says at its place, the same for each queue manager that its text makes."""
    name = finding.subject.queue_manager
    message = finding.message.replace(name, "", 1) if name else finding.message
    return finding.rule.id, finding.location, message


def _kind(incident: Incident) -> object:
    """Equal for incidents of one rule about the same queue managers, or of one file without any."""
    owners = frozenset(
        (f.subject.site, f.subject.queue_manager)
        if f.subject.queue_manager is not None
        else (f.location.path,)
        for f in incident
    )
    return incident[0].rule.id, incident[0].severity, owners


def _objects(group: Sequence[Incident]) -> int:
    """How many different objects a group is about; without an object each place counts."""
    return len(
        {
            (subject.object_type, subject.object_name)
            if (subject := incident[0].subject).object_name is not None
            else incident[0].location
            for incident in group
        }
    )
