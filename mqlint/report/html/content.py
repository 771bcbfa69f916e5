"""What a page shows, as JSON: the outcome of a run, and what is known of the estate.

Texts of files are made visible (`mqlint.report.terminal.visible`), so that no name can reverse or
hide what is beside it. Keys whose values are empty are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

from mqlint import __version__
from mqlint.dataclass import names_of
from mqlint.finding import STATUSES, UNJUDGED, Coverage, Finding, Location, Position, Rule
from mqlint.report.excerpt import Sources
from mqlint.report.html.diagram import diagram
from mqlint.report.html.estate import EarlierScan, Estate
from mqlint.report.html.page import page_of
from mqlint.report.in_force import sentence
from mqlint.report.json import Json
from mqlint.report.markdown import is_link
from mqlint.report.report import Report, Style
from mqlint.report.terminal import counted, visible, visible_lines
from mqlint.report.topology import QueueManager, Topology

MOST_FINDINGS = 20_000
"""Findings of a page; a browser takes seconds to read more."""

MOST_FILES = 5_000
"""Files that were not read, listed in a page."""

_WIDTH = 160
_LINES = 5
_RELATED = 20

Object = dict[str, Json]


def render(report: Report, style: Style) -> Iterator[str]:
    """Yield the page; the same report always gives the same text."""
    yield from page_of(content_of(report))


def content_of(report: Report, estate: Estate | None = None) -> Object:
    """Return the data of a page; `estate` is what the tables of a scan add to a report."""
    estate = estate or Estate()
    topology = report.topology()
    rows = _in_states(report, estate)
    rows.sort(key=lambda row: (-row[0].severity, row[1] == "suppressed"))
    included = rows[:MOST_FINDINGS]
    shown = [finding for finding, _ in included]
    if len(included) < len(rows):
        report.warn(
            f"HTML: {counted(len(rows) - len(included), 'finding')} of {len(rows):,} left out, "
            "the least severe"
        )
    write = _Findings(report, estate)
    rules = {finding.rule.id: finding.rule for finding in chain(shown, estate.fixed)}
    return _full(
        about=_about(report, len(rows), len(included)),
        coverage=_coverage(report.coverage),
        assumptions=_texts(report.assumptions),
        in_force=[sentence(row) for row in report.in_force],
        repositories=[_shown(row) for row in estate.repositories],
        rules={key: _rule(rule) for key, rule in sorted(rules.items())},
        findings=[write.finding(finding, state) for finding, state in included],
        controls=[_shown(row) for row in estate.controls],
        verdicts=[_shown(row) for row in estate.verdicts],
        missing=[[visible(value), number] for value, number in estate.missing],
        scans=[_scan(scan) for scan in estate.scans],
        fixed=[write.brief(finding) for finding in estate.fixed],
        queue_managers=[_queue_manager(row) for row in topology.queue_managers],
        **_map(topology, report.findings),
    )


def _in_states(report: Report, estate: Estate) -> list[tuple[Finding, str]]:
    """The findings, each with a word for what it counts; blank for one that counts as usual."""
    new = estate.new
    is_new = [
        new is not None and (finding.repository, finding.fingerprint) in new
        for finding in report.findings
    ]
    compares = any(known.kind == "base" for known in report.known)
    return [
        *(
            (finding, "new" if compares or fresh else "")
            for finding, fresh in zip(report.findings, is_new, strict=True)
        ),
        *((finding, "known") for known in report.known for finding in known.findings),
        *((finding, "suppressed") for finding in report.ignored),
    ]


def _about(report: Report, found: int, included: int) -> Object:
    return _full(
        version=__version__,
        root=visible(report.root),
        outcome=visible(report.outcome),
        left_out=found - included,
    )


class _Findings:
    """Writes findings with the lines they are about."""

    def __init__(self, report: Report, estate: Estate) -> None:
        self._sources = Sources(report)
        self._teams = {row.name: row.team for row in estate.repositories}
        self._first_seen = estate.first_seen

    def finding(self, finding: Finding, state: str) -> Object:
        key = finding.repository, finding.fingerprint
        excuse = finding.ignored
        return {
            **self.brief(finding),
            **_full(
                state=state,
                column=finding.location.start.column,
                attribute=visible(finding.subject.attribute or ""),
                incident=visible(finding.incident or ""),
                lines=self._lines(finding.location),
                related=[
                    _full(
                        place=visible(place.location.line_text),
                        message=visible(place.message),
                        lines=self._lines(place.location, 1),
                    )
                    for place in finding.related[:_RELATED]
                ],
                excuse=_shown(excuse, "by reason owner ticket expires") if excuse else None,
            ),
            **({"first_seen": self._first_seen[key]} if key in self._first_seen else {}),
        }

    def brief(self, finding: Finding) -> Object:
        subject = finding.subject
        return _full(
            rule=finding.rule.id,
            severity=finding.severity.word,
            message=visible(finding.message),
            path=visible(finding.location.path),
            line=finding.location.start.line,
            site=visible(subject.site or ""),
            queue_manager=visible(subject.queue_manager or ""),
            object=visible(" ".join(filter(None, (subject.object_type, subject.object_name)))),
            repository=visible(finding.repository),
            team=visible(self._teams.get(finding.repository, "")),
            fingerprint=finding.fingerprint,
        )

    def _lines(self, where: Location, most: int = _LINES) -> list[Json]:
        """The first lines of a place: number, text, and the cells of the mark."""
        found: list[Json] = []
        last = min(where.end.line, where.start.line + most - 1)
        for number in range(where.start.line, last + 1):
            start = where.start if number == where.start.line else Position(number, 1)
            if number > where.start.line and where.end <= start:
                break
            excerpt = self._sources.excerpt(replace(where, start=start), _WIDTH)
            if excerpt is not None:
                found.append([excerpt.number, excerpt.line, excerpt.lead, excerpt.length])
        return found


def _rule(rule: Rule) -> Object:
    return _full(
        name=visible(rule.name),
        group=visible(rule.group),
        summary=visible(rule.summary),
        why=visible_lines(rule.why.strip("\n")),
        fix=visible_lines(rule.fix.strip("\n")),
        confidence=rule.confidence.word,
        links=[link for link in rule.see if is_link(link)],
        fixed_severity=not rule.ignorable,
    )


def _coverage(coverage: Coverage) -> Object:
    unread = [row for row in coverage.files if row.status != "checked" or row.reason is not None]
    order = list(_UNREAD_FIRST)
    unread.sort(
        key=lambda row: (not row.is_missed, order.index(row.status), row.reason is None, row.path)
    )
    return _full(
        files={status: coverage.count(status) for status in STATUSES},
        words=dict(STATUSES),
        commands=coverage.commands,
        understood=coverage.understood,
        missed=coverage.missed,
        not_read=[
            _full(
                path=visible(row.path),
                status=row.status,
                reason=visible(row.reason or ""),
                missed=row.is_missed,
            )
            for row in unread[:MOST_FILES]
        ],
        not_listed=max(0, len(unread) - MOST_FILES),
        statements={UNJUDGED[kind]: coverage.unjudged(kind) for kind in UNJUDGED},
        unjudged=[
            _full(
                kind=UNJUDGED[statement.kind],
                place=visible(f"{row.path}:{statement.line}"),
                text=visible(statement.text),
                reason=statement.reason,
            )
            for row, statement in islice(coverage.statements(), MOST_FILES)
        ],
        waiting={visible(key): _texts(rules) for key, rules in coverage.waiting.items()},
    )


_UNREAD_FIRST = ("unreadable", "excluded", "not-recognised", "checked", "without-mq")


def _scan(scan: EarlierScan) -> Object:
    counts, passed = (
        [[_json(getattr(count, name)) for name in names_of(type(count))] for count in rows]
        for rows in (scan.counts, scan.passed)
    )
    brief = {"scan": visible(scan.scan), "began": visible(scan.began), "counts": counts}
    return {**brief, **({"passed": passed} if passed else {})}


def _queue_manager(row: QueueManager) -> Object:
    rest = _shown(row, "role repository platform level log_type images dumped")
    return {**_shown(row.place, "name site"), **rest}


def _map(topology: Topology, findings: Sequence[Finding]) -> Mapping[str, Json]:
    found = diagram(topology, findings)
    return {"map": found} if found else {}


def _texts(texts: Iterable[str]) -> list[Json]:
    return [visible(text) for text in texts]


def _shown(record: object, names: str = "") -> Object:
    """Return the named fields of a record that are not empty, or all of them."""
    fields = names.split() or names_of(type(record))
    return _full(**{name: _json(getattr(record, name)) for name in fields})


def _json(value: str | int | Sequence[str]) -> Json:
    if isinstance(value, int):
        return value
    return visible(value) if isinstance(value, str) else _texts(value)


def _full(**values: Json) -> Object:
    """Return what is not empty; 0 counts as empty, and readers take what is missing for it."""
    return {key: value for key, value in values.items() if value}
