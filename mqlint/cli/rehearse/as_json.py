"""A rehearsal for programs."""

from __future__ import annotations

from collections.abc import Sequence

from mqlint.cli.rehearse.rehearsal import Rehearsal
from mqlint.cli.rehearse.text import notes_of, used_sources
from mqlint.rehearsal.calendar import CalendarEntry
from mqlint.rehearsal.outcome import Outcome
from mqlint.rehearsal.remedies import Trial
from mqlint.rehearsal.texts import SOURCES
from mqlint.report.json import Json

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
                "calendar_takes": branch.answer,
                "if_yes": outcome_json(branch.if_yes),
                "if_no": outcome_json(branch.if_no),
            }
            for branch in found.branches
        ],
        "remedies": [_trial(trial) for trial in found.trials],
        "given": list(notes_of(found)),
        "sources": {
            key: {"title": SOURCES[key].title, "address": SOURCES[key].address}
            for key in used_sources(found)
        },
    }


def outcome_json(outcome: Outcome) -> dict[str, Json]:
    """Return an outcome: the first day of each effect, null for none."""
    fields = ("text", "changed", "diverted", "waiting", "warned", "lost", "usual", "leftover")
    return {field: getattr(outcome, field) for field in fields}


def _entry(entry: CalendarEntry) -> dict[str, Json]:
    return {
        "day": entry.day,
        "kind": entry.kind,
        "state": entry.state,
        "cluster": entry.cluster or None,
        "who": list(entry.who),
        "about": list(entry.about),
        "names": list(entry.names),
        "text": entry.text,
        "messages": list(entry.messages),
        "sources": list(entry.sources),
        "assumed": entry.is_assumed,
    }


def _trial(trial: Trial) -> dict[str, Json]:
    remedy = trial.remedy
    return {
        "key": remedy.key,
        "title": remedy.title,
        "verdict": trial.verdict,
        "why": trial.why or None,
        "note": remedy.note or None,
        "day": remedy.day,
        "queue_managers": remedy.cost.queue_managers,
        "restarts": remedy.cost.restarts,
        "commands": remedy.cost.commands,
        "outcome": outcome_json(trial.outcome),
        "sources": list(remedy.sources),
    }
