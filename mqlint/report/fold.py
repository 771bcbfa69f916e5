"""Findings folded for people: an incident is one entry, and so is one complaint on many objects.

A report of nine thousand lines is closed unread. Programs get every finding: this is for text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mqlint.dataclass import frozen
from mqlint.finding import Finding, Severity
from mqlint.grouping import grouped

Incident = tuple[Finding, ...]
"""The findings of one group that is wrong as a whole; most often a single one."""


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
    kinds = [_kind(incident) for incident in incidents]
    groups = grouped(zip(kinds, incidents, strict=True))
    folded = {kind for kind, group in groups.items() if _objects(group) > alike}
    entries: list[FoldedEntry] = []
    for kind, incident in zip(kinds, incidents, strict=True):
        group = groups[kind]
        if kind not in folded:
            entries.append(FoldedEntry(incident))
        elif group[0] is incident:
            entries.append(FoldedEntry(incident, tuple(group[1:])))
    return entries


def _incidents(findings: Iterable[Finding]) -> list[Incident]:
    """The findings of each group; of a text that makes several queue managers, those of all."""
    members = grouped(
        ((finding.rule.id, finding.incident) if finding.incident else complaint(finding), finding)
        for finding in findings
    )
    return [tuple(group) for group in members.values()]


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
