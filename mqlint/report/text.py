"""The report for people: what is wrong, on which tokens, why it matters and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from click import style as paint

from mqlint.finding import Finding, Location, Severity
from mqlint.grouping import grouped
from mqlint.report.report import Report, Style
from mqlint.report.summary import summary
from mqlint.report.terminal import cells, counted, paragraphs, visible, wrap

if TYPE_CHECKING:
    from mqlint.report.fold import FoldedEntry, Incident

PROSE = 100
"""Prose is wrapped at this many cells, however wide the terminal is."""

_PLACES = 5
_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield the report entry by entry, the summary last; a clean run is one line, quietly none."""
    if report.findings:
        from mqlint.report.fold import fold  # here and below, as a clean run needs none of it

        writer = _Writer(report, style)
        for entry in fold(report.findings, style.alike):
            yield "\n".join(writer.entry(entry)) + "\n\n"
    if not style.quiet:
        yield "\n".join(summary(report, min(style.width, PROSE), verbose=style.verbose)) + "\n"


def render_concise(report: Report, style: Style) -> Iterator[str]:
    """Yield a line for each place, which editors recognise, and the first of the summary.

    What several queue managers have from one text is one line.
    """
    from mqlint.report.fold import complaint

    alike = grouped((complaint(finding), finding) for finding in report.findings)
    for finding, *others in alike.values():
        more = f" (and {counted(len(others), 'more queue manager')})" if others else ""
        words = f"{finding.severity.word} {finding.rule.id} {visible(finding.message)}{more}"
        yield f"{place_of(finding.location)}: {words}\n"
    if not style.quiet:
        yield next(iter(summary(report, style.width))) + "\n"


class _Writer:
    """Writes entries; remembers which rules it has given reasons for."""

    def __init__(self, report: Report, style: Style) -> None:
        from mqlint.report.excerpt import Sources

        self._style = style
        self._prose = min(style.width, PROSE)
        self._sources = Sources(report)
        self._explained: set[str] = set()

    def entry(self, entry: FoldedEntry) -> Iterator[str]:
        head = entry.head
        yield self._head(head, entry.severity)
        yield from wrap(head.message, self._prose, "  ")
        yield from self._excerpt(head.location, entry.severity)
        yield from self._together(entry.first)
        yield from self._alike(entry.alike)
        yield from self._related(entry.first)
        yield from self._reasons(head)

    def _paint(self, text: str, color: str | None = None, bold: bool = False) -> str:
        return paint(text, fg=color, bold=bold or None) if self._style.color else text

    def _head(self, finding: Finding, severity: Severity) -> str:
        rule = finding.rule
        place = self._paint(place_of(finding.location), bold=True)
        word = self._paint(severity.word, _COLORS[severity], bold=True)
        return f"{place} {word} {self._paint(rule.id, bold=True)} {visible(rule.name)}"

    def _excerpt(self, where: Location, severity: Severity) -> Iterator[str]:
        gutter = len(str(where.start.line)) + 5
        found = self._sources.excerpt(where, max(self._style.width - gutter, 20))
        if found is None:
            return
        number = str(found.number)
        yield f"  {self._paint(f'{number} |', 'blue')} {found.line}".rstrip()
        mark = self._paint("^" * found.length, _COLORS[severity], bold=True)
        bar = self._paint(f"{' ' * len(number)} |", "blue")
        yield f"  {bar} {' ' * found.lead}{mark}"

    def _together(self, incident: Incident) -> Iterator[str]:
        owners = {owner_of(finding) for finding in incident}
        describe = owner_of if len(owners) > 1 else _about
        groups = grouped(((found.location, describe(found)), found) for found in incident)
        first, *others = groups.values()
        if len(first) > 1 and first[0].subject.queue_manager is not None:
            name = visible(first[0].subject.queue_manager)
            yield from wrap(f"{len(first):,} queue managers named {name}", self._prose, "  in: ")
        if others:
            yield "  together with:"
            yield from self._places([group[0] for group in others], describe)

    def _alike(self, alike: Sequence[Incident]) -> Iterator[str]:
        if alike:
            yield f"  and {len(alike):,} more like it:"
            yield from self._places([incident[0] for incident in alike], _about)

    def _places(
        self, findings: Sequence[Finding], describe: Callable[[Finding], str]
    ) -> Iterator[str]:
        """The first places of some findings, what is there in a column of its own."""
        shown = findings[:_PLACES]
        column = max((cells(place_of(finding.location)) for finding in shown), default=0)
        for finding in shown:
            place = place_of(finding.location)
            lead = f"    {place}{' ' * (column - cells(place))}  "
            yield from wrap(describe(finding), self._prose, lead)
        if len(findings) > len(shown):
            more = counted(len(findings) - len(shown), "more place")
            yield f"    ... and {more} (--all shows them)"

    def _related(self, incident: Incident) -> Iterator[str]:
        shown = {finding.location for finding in incident}
        for related in incident[0].related:
            if related.location not in shown:
                text = f"{place_of(related.location)} {related.message}"
                yield from wrap(text, self._prose, "  see: ")

    def _reasons(self, finding: Finding) -> Iterator[str]:
        rule = finding.rule
        if rule.id in self._explained:
            return
        self._explained.add(rule.id)
        if rule.why.strip():
            yield from wrap(rule.why, self._prose, "  why: ")
        if rule.fix.strip():
            yield from paragraphs(finding.fix, self._prose, "  fix: ")


def place_of(where: Location) -> str:
    """Return `path:line:column`, as editors and terminals recognise it."""
    return f"{visible(where.path)}:{where.start.line}:{where.start.column}"


def owner_of(finding: Finding) -> str:
    """Return whose a finding is, as in `QMORDERS at leeds`; blank if that is not known."""
    subject = finding.subject
    if subject.queue_manager is None:
        return ""
    return subject.queue_manager + (f" at {subject.site}" if subject.site else "")


def _about(finding: Finding) -> str:
    """What a finding is about, as in `qlocal ORDERS.IN`; its message if it is about no object."""
    subject = finding.subject
    words = " ".join(filter(None, (subject.object_type, subject.object_name)))
    return words or finding.message
