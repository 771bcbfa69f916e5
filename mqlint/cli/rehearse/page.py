"""A rehearsal as one HTML page, with a picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mqlint.cli.rehearse.picture import LEGEND, MOST_LANES, STYLE, lanes_of, picture
from mqlint.cli.rehearse.rehearsal import Rehearsal
from mqlint.cli.rehearse.render import notes_of, outcome_text, used_sources
from mqlint.rehearsal.calendar import CalendarEntry, folded
from mqlint.rehearsal.outcome import Branch
from mqlint.rehearsal.remedies import Trial
from mqlint.rehearsal.texts import SOURCES
from mqlint.report.html.page import link, listing, safe, static_page, table
from mqlint.report.terminal import visible
from mqlint.source.display import enumerated

_BADGES = {"warning": "warning", "outage": "error", "change": "note"}
_TILES = (
    ("changed", "note", "records of DR at production"),
    ("diverted", "error", "messages go to DR"),
    ("waiting", "error", "messages wait for DR"),
    ("warned", "warning", "expired records of production are logged"),
    ("lost", "error", "names no longer resolve"),
    ("leftover", "note", "expired records of DR are logged"),
)


def page_lines(found: Rehearsal, entries: Sequence[CalendarEntry]) -> Iterator[str]:
    """Yield the page of a rehearsal; `entries` are those of the calendar that are shown."""
    scenario = found.world.scenario
    subtitle = (
        f"{scenario.dr} stands in for {enumerated(scenario.production)}, {scenario.days} days"
    )
    body = _body(found, entries)
    yield from static_page("mqlint rehearsal", visible(subtitle), body, STYLE)


def _body(found: Rehearsal, entries: Sequence[CalendarEntry]) -> Iterator[str]:
    yield f'<p class="calm">{safe(outcome_text(found))}</p>\n<div class="tiles">\n'
    for key, state, label in _TILES:
        day = getattr(found.outcome, key)
        word, style = ("never", "") if day is None else (f"day {day}", state)
        yield f'<div class="tile {style}"><strong>{word}</strong>{label}</div>\n'
    yield "</div>\n<section>\n<h2>Queue managers by day</h2>\n"
    lanes = lanes_of(found, entries)
    yield '<ul class="legend">'
    for condition, meaning in LEGEND:
        yield f'<li><span class="key {condition}"></span>{meaning}</li>'
    yield '</ul>\n<div class="calendar">\n'
    scenario = found.world.scenario
    yield from picture(lanes, scenario.first_day, scenario.days)
    yield "</div>\n"
    if len(lanes) > MOST_LANES:
        yield f"<p>{len(lanes) - MOST_LANES} more lanes are only in the calendar.</p>\n"
    yield "</section>\n"
    yield from _calendar(entries)
    yield from _undecided(found.branches)
    yield from _trials(found.trials)
    yield from listing("Given that", (safe(note) for note in notes_of(found)))
    yield from listing("Sources", (f"<b>{key}</b>: {_source(key)}" for key in used_sources(found)))


def _calendar(entries: Iterable[CalendarEntry]) -> Iterator[str]:
    heads = ("day", "cluster", "where", "what", "messages", "sources")
    yield from table("Calendar", heads, (_day(*pair) for pair in folded(entries)))


def _day(entry: CalendarEntry, more: int) -> Iterator[str]:
    badge = _BADGES.get(entry.state)
    text = f"assumed: {safe(entry.text)}" if entry.is_assumed else safe(entry.text)
    if more:
        text += f" <small>and {more:,} more like this: --format json lists them</small>"
    yield str(entry.day)
    yield safe(entry.cluster)
    yield safe(enumerated(entry.who))
    yield f'<span class="badge {badge}">{entry.state}</span> {text}' if badge else text
    yield ", ".join(entry.messages)
    yield ", ".join(entry.sources)


def _undecided(branches: Sequence[Branch]) -> Iterator[str]:
    if branches:
        heads = ("question", "the calendar takes", "if yes", "if no")
        yield from table("Not decided by the files or by a source", heads, map(_branch, branches))


def _branch(branch: Branch) -> Iterable[str]:
    question = branch.question
    text, answer = question.text, "yes" if branch.answer else "no"
    if branch.matters and question.setting:
        text += f" To decide it: {question.setting}"
    return map(safe, (text, answer, branch.if_yes.text, branch.if_no.text))


def _trials(trials: Sequence[Trial]) -> Iterator[str]:
    if trials:
        heads = (
            *("remedy", "verdict", "queue managers", "restarts", "commands"),
            *("note", "with it", "sources"),
        )
        yield from table("Remedies, tried on this calendar", heads, map(_trial, trials))


def _trial(trial: Trial) -> Iterable[str]:
    cost = trial.remedy.cost
    return (
        safe(trial.remedy.title),
        trial.verdict,
        f"{cost.queue_managers:,}",
        f"{cost.restarts:,}",
        f"{cost.commands:,}",
        safe(trial.why or trial.remedy.note),
        "" if trial.verdict == "prevents" else safe(trial.outcome.text),
        ", ".join(trial.remedy.sources),
    )


def _source(key: str) -> str:
    source = SOURCES[key]
    return f"{safe(source.title)}<br>{link(source.address)}"
