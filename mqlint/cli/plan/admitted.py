"""Connections that a change admits or refuses, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterable

from mqlint.chlauth.admission import Admission, user_of
from mqlint.cli.chlauth.verdicts import addresses_of, outcome_json
from mqlint.report.json import Json


def admission_text(found: Admission) -> str:
    """Return one set of connections, with its witness."""
    if found.same_as:
        return f"{found.kind}: on {found.channel} as on {found.same_as}"
    if found.fault:
        return f"not decided: {found.who} on {found.channel}: {found.fault}"
    users = [user_of(outcome) for outcome in (found.before, found.after)]
    if found.kind == "other user":
        user = (
            f" as {users[1] or 'the user it asserts'}, not as {users[0] or 'the user it asserts'}"
        )
    else:
        named = users[found.kind == "newly admitted"]
        user = f" as {named}" if named else ""
    places = [
        f"{record.place.path}:{record.place.start.line}"
        for record in (found.before.record, found.after.record)
        if record is not None and record.place is not None
    ]
    at = f" [{' | '.join(dict.fromkeys(places))}]" if places else ""
    who = "" if found.who == "anybody" else f" ({found.who})"
    where = addresses_of(found.addresses)
    return f"{found.kind}: {where}{user} on {found.channel}{who}, for example {found.witness}{at}"


def admission_json(found: Admission) -> dict[str, Json]:
    return {
        "kind": found.kind,
        "channel": found.channel,
        "who": found.who,
        "addresses": found.addresses.written(),
        "witness": found.witness or None,
        "before": {**outcome_json(found.before), "user": user_of(found.before) or None},
        "after": {**outcome_json(found.after), "user": user_of(found.after) or None},
        "fault": found.fault or None,
        "same_as": found.same_as or None,
    }


def assumptions(found: Iterable[Admission]) -> list[str]:
    """Return the assumptions of the sets, each once."""
    notes: dict[str, None] = {}
    for admission in found:
        for outcome in (admission.before, admission.after):
            notes.update(dict.fromkeys(outcome.assumptions))
    return list(notes)
