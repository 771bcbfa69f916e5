"""A rehearsal as one HTML page, with a picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from mqlint.cli.rehearse.lanes import MOST_LANES, lanes_of
from mqlint.cli.rehearse.picture import LEGEND, STYLE, picture
from mqlint.cli.rehearse.rehearsal import Rehearsal
from mqlint.cli.rehearse.text import notes_of, outcome_text, used_sources
from mqlint.rehearsal.calendar import CalendarEntry, folded, listed
from mqlint.rehearsal.outcome import Branch
from mqlint.rehearsal.remedies import Trial
from mqlint.rehearsal.sources import SOURCES
from mqlint.report.html.static import static_page
from mqlint.report.terminal import visible

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
    subtitle = f"{scenario.dr} stands in for {listed(scenario.production)}, {scenario.days} days"
    body = _body(found, entries)
    yield from static_page("mqlint rehearsal", visible(subtitle), body, STYLE)


def _body(found: Rehearsal, entries: Sequence[CalendarEntry]) -> Iterator[str]:
    yield f'<p class="calm">{_safe(outcome_text(found))}</p>\n<div class="tiles">\n'
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
    yield from _list("Given that", (_safe(note) for note in notes_of(found)))
    yield from _list("Sources", (f"<b>{key}</b>: {_link(key)}" for key in used_sources(found)))


def _calendar(entries: Iterable[CalendarEntry]) -> Iterator[str]:
    yield '<div class="scroll"><table>\n<caption>Calendar</caption>\n'
    yield _row("th", ("day", "cluster", "where", "what", "messages", "sources"), "thead")
    yield "<tbody>\n"
    for entry, more in folded(entries):
        badge = _BADGES.get(entry.state)
        text = f"assumed: {_safe(entry.text)}" if entry.is_assumed else _safe(entry.text)
        if more:
            text += f" <small>and {more:,} more like this: --format json lists them</small>"
        cells = (
            str(entry.day),
            _safe(entry.cluster),
            _safe(listed(entry.who)),
            f'<span class="badge {badge}">{entry.state}</span> {text}' if badge else text,
            ", ".join(entry.messages),
            ", ".join(entry.sources),
        )
        yield _row("td", cells)
    yield "</tbody></table></div>\n"


def _undecided(branches: Sequence[Branch]) -> Iterator[str]:
    if not branches:
        return
    yield '<div class="scroll"><table>\n<caption>Not decided by the files or by a source</caption>'
    yield _row("th", ("question", "the calendar takes", "if yes", "if no"), "thead")
    yield "<tbody>\n"
    for branch in branches:
        answer = "yes" if branch.answer else "no"
        texts = (branch.question.text, answer, branch.if_yes.text, branch.if_no.text)
        yield _row("td", map(_safe, texts))
    yield "</tbody></table></div>\n"


def _trials(trials: Sequence[Trial]) -> Iterator[str]:
    if not trials:
        return
    yield '<div class="scroll"><table>\n<caption>Remedies, tried on this calendar</caption>\n'
    heads = (
        "remedy",
        "verdict",
        "queue managers",
        "restarts",
        "commands",
        "note",
        "with it",
        "sources",
    )
    yield _row("th", heads, "thead")
    yield "<tbody>\n"
    for trial in trials:
        cost = trial.remedy.cost
        cells = (
            _safe(trial.remedy.title),
            trial.verdict,
            f"{cost.queue_managers:,}",
            f"{cost.restarts:,}",
            f"{cost.commands:,}",
            _safe(trial.why or trial.remedy.note),
            "" if trial.verdict == "prevents" else _safe(trial.outcome.text),
            ", ".join(trial.remedy.sources),
        )
        yield _row("td", cells)
    yield "</tbody></table></div>\n"


def _list(title: str, items: Iterable[str]) -> Iterator[str]:
    yield f"<section>\n<h2>{title}</h2>\n<ul>\n"
    for item in items:
        yield f"<li>{item}</li>\n"
    yield "</ul>\n</section>\n"


def _link(key: str) -> str:
    source = SOURCES[key]
    address = escape(source.address)
    return f'{escape(source.title)}<br><a href="{address}" rel="noreferrer">{address}</a>'


def _row(cell: str, cells: Iterable[str], part: str = "") -> str:
    row = "".join(f"<{cell}>{text}</{cell}>" for text in cells)
    return f"<{part}><tr>{row}</tr></{part}>\n" if part else f"<tr>{row}</tr>\n"


def _safe(text: str) -> str:
    return escape(visible(text))
