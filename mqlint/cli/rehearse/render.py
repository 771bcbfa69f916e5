"""A rehearsal as text and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mqlint.cli.rehearse.rehearsal import Rehearsal
from mqlint.rehearsal.calendar import CalendarEntry, folded
from mqlint.rehearsal.outcome import Branch, Outcome
from mqlint.rehearsal.remedies import Trial
from mqlint.rehearsal.texts import SOURCES
from mqlint.report.json import Json, fields_of
from mqlint.report.terminal import counted, listing, wrap
from mqlint.source.display import enumerated

_DAY = 9


def text_lines(found: Rehearsal, entries: list[CalendarEntry], width: int) -> Iterator[str]:
    """Yield a rehearsal for people; `entries` are those of the calendar that are shown."""
    scenario = found.world.scenario
    dr = sum(instance.is_dr for instance in found.world.instances.values())
    production = len(found.world.instances) - dr
    head = (
        f"{counted(dr, 'queue manager')} started at {scenario.dr}, "
        f"{counted(production, 'queue manager')} at {enumerated(scenario.production)}, "
        f"{scenario.days} days"
    )
    yield from wrap(head, width)
    yield from wrap(outcome_text(found), width)
    yield ""
    yield "Calendar"
    yield from _calendar(entries, len(found.world.clusters) > 1, width)
    if found.branches:
        yield ""
        yield from _branches(found.branches, width)
    if found.trials:
        yield ""
        yield from _trials(found.trials, width)
    yield ""
    yield from listing("Given that", notes_of(found), width)
    yield ""
    yield "Sources"
    for key in used_sources(found):
        source = SOURCES[key]
        yield f"  {key}: {source.title}"
        yield f"      {source.address}"


def outcome_text(found: Rehearsal) -> str:
    """Return what a rehearsal comes to, and whether it depends on what no source decides."""
    open_questions = sum(branch.matters for branch in found.branches)
    if not open_questions:
        return found.outcome.text
    number = counted(open_questions, "question")
    return f"{found.outcome.text} The outcome depends on {number} that no source decides."


def _calendar(entries: Iterable[CalendarEntry], with_cluster: bool, width: int) -> Iterator[str]:
    last = None
    for entry, more in folded(entries):
        day = f"day {entry.day}" if entry.day != last else ""
        last = entry.day
        cluster = f" in {entry.cluster}" if with_cluster and entry.cluster else ""
        who = f"{enumerated(entry.who)}{cluster}: " if entry.who else ""
        who += "assumed: " if entry.is_assumed else ""
        codes = f" ({', '.join(entry.messages)})" if entry.messages else ""
        keys = f" [{', '.join(entry.sources)}]" if entry.sources else ""
        like = f" (and {more:,} more like this: --format json lists them)" if more else ""
        line = f"{who}{entry.text}{codes}{keys}{like}"
        yield from wrap(line, width, f"  {day:<{_DAY}}", " " * (_DAY + 4))


def _branches(branches: Iterable[Branch], width: int) -> Iterator[str]:
    every = list(branches)
    yield "Not decided by the files or by a source"
    for branch in every:
        if not branch.matters:
            continue
        answer = "yes" if branch.answer else "no"
        question = f"{branch.question.text} The calendar takes: {answer}."
        yield from wrap(question, width, "  - ")
        yield from wrap(f"if yes: {branch.if_yes.text}", width, "      ", "        ")
        yield from wrap(f"if no: {branch.if_no.text}", width, "      ", "        ")
        if branch.question.setting:
            yield from wrap(f"to decide it: {branch.question.setting}", width, "      ", "        ")
    for branch in every:
        if not branch.matters:
            line = f"{branch.question.text} The outcome is the same."
            yield from wrap(line, width, "  - ")


def _trials(trials: list[Trial], width: int) -> Iterator[str]:
    yield "Remedies, tried on this calendar, the cheapest first"
    number = 0
    for trial in trials:
        if trial.verdict == "no remedy":
            continue
        number += 1
        yield from wrap(_trial(trial), width, f"  {number}. ", "     ")
        if trial.why:
            yield from wrap(trial.why, width, "     ")
        if trial.verdict == "repairs":
            yield from wrap(f"with it: {trial.outcome.text}", width, "     ")
        if trial.remedy.note:
            yield from wrap(trial.remedy.note, width, "     ")
    refused = (
        f"{trial.remedy.title}: {trial.why} [{', '.join(trial.remedy.sources)}]"
        for trial in trials
        if trial.verdict == "no remedy"
    )
    yield from listing("No remedy", refused, width)


def _trial(trial: Trial) -> str:
    remedy = trial.remedy
    cost = remedy.cost
    price = ", ".join(
        (
            counted(cost.queue_managers, "queue manager"),
            counted(cost.restarts, "restart"),
            counted(cost.commands, "command"),
        )
    )
    word = "depends on what is not decided" if trial.verdict == "depends" else trial.verdict
    return f"{remedy.title}: {word} ({price}) [{', '.join(remedy.sources)}]"


def notes_of(found: Rehearsal) -> list[str]:
    scenario = found.world.scenario
    notes = [
        "each queue manager is as the files describe it, and each event of the scenario succeeds",
        f"production published its records last on day {min(0, scenario.last_published)}; records "
        "published earlier expire earlier",
        "production's own members reach production's full repositories at all times while both run",
        "the test makes no change to production's objects that the scenario does not tell",
        "the calendar is about production: what the repositories of DR hold is not part of it",
        "messages of the network, of TLS and of security are not part of the calendar, except "
        "those of CHLAUTH",
    ]
    if any(copy.connects_to == "dr" for copy in scenario.copies.values()):
        notes.append(
            "host names in the cluster-senders of DR lead where the scenario says (connects_to:)"
        )
    if found.outcome.diverted is not None or found.outcome.waiting is not None:
        notes.append(
            "no remedy moves the messages that have gone to DR, or that wait for a DR queue manager"
        )
    if not scenario.uses:
        notes.append(
            "the scenario does not say which applications use which queues (uses:), so messages "
            "about queues are reported for all partial repositories of a site"
        )
    return [*notes, *found.world.notes]


def used_sources(found: Rehearsal) -> list[str]:
    """Return the keys of the sources that a rehearsal names, in the order of the list."""
    used = {key for entry in found.result.entries for key in entry.sources}
    used |= {key for trial in found.trials for key in trial.remedy.sources}
    return [key for key in SOURCES if key in used]


VERSION = 1
"""Raised when a field of the JSON form changes its meaning or goes away."""


def as_json(found: Rehearsal, entries: Sequence[CalendarEntry]) -> dict[str, Json]:
    """Return a rehearsal as JSON; `entries` are those of the calendar that are shown."""
    scenario = found.world.scenario
    return {
        "version": VERSION,
        "production": list(scenario.production),
        "dr": scenario.dr,
        "days": scenario.days,
        "harmless": found.outcome.is_untouched,
        "outcome": outcome_json(found.outcome),
        "queue_managers": [
            {
                "queue_manager": instance.member.name,
                "site": instance.member.site,
                "dr": instance.is_dr,
                "made_by": None if instance.copy is None else instance.copy.made_by,
                "clusters": [part.cluster for part in instance.member.memberships],
            }
            for instance in found.world.instances.values()
        ],
        "calendar": [_entry(entry) for entry in entries],
        "undecided": [
            {
                "question": branch.question.text,
                "key": branch.question.name,
                "setting": branch.question.setting or None,
                "calendar_takes": branch.answer,
                "if_yes": outcome_json(branch.if_yes),
                "if_no": outcome_json(branch.if_no),
            }
            for branch in found.branches
        ],
        "remedies": [_trial_json(trial) for trial in found.trials],
        "given": list(notes_of(found)),
        "sources": {key: fields_of(SOURCES[key], "title address") for key in used_sources(found)},
    }


def outcome_json(outcome: Outcome) -> dict[str, Json]:
    """Return an outcome: the first day of each effect, null for none."""
    return fields_of(outcome, "text changed diverted waiting warned lost usual leftover")


def _entry(entry: CalendarEntry) -> dict[str, Json]:
    names = "day kind state cluster? who about names text messages sources"
    return {**fields_of(entry, names), "assumed": entry.is_assumed}


def _trial_json(trial: Trial) -> dict[str, Json]:
    remedy = trial.remedy
    return {
        **fields_of(remedy, "key title"),
        **fields_of(trial, "verdict why?"),
        **fields_of(remedy, "note? day"),
        **fields_of(remedy.cost, "queue_managers restarts commands"),
        "outcome": outcome_json(trial.outcome),
        "sources": remedy.sources,
    }
