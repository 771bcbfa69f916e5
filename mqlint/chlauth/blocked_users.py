"""BLOCKUSER records, which are checked last, when the user of the channel is known."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from mqlint.chlauth.access import Channel, ChannelAccess
from mqlint.chlauth.auth_record import ADMINISTRATORS, Record
from mqlint.chlauth.channel_user import (
    is_channel_program,
    is_privileged,
    not_administrator,
    undecided,
)
from mqlint.chlauth.connection import Check, Connection, Outcome, Verdict, Walk


def unless_blocked(
    access: ChannelAccess, channel: Channel, connection: Connection, user: str | None, walk: Walk
) -> list[Outcome]:
    """Return the outcomes of BLOCKUSER records, of which only the most specific profile applies.

    There are several if an uncertain record may be more specific.
    """
    if access.enabled is False:
        return [_listed(access, connection, None, user, walk)]
    fitting = access.users_for(channel.name)
    found = next(
        (record for record in fitting if record.is_for(channel.name) and record.certain), None
    )
    doubtful = fitting[: fitting.index(found)] if found is not None else fitting
    outcomes = [_listed(access, connection, record, user, walk) for record in doubtful]
    outcomes.append(_listed(access, connection, found, user, walk))
    if channel.type == "SVRCONN":
        return outcomes
    return [_unless_allowed(outcome, channel.type) for outcome in outcomes]


def list_that_blocks(access: ChannelAccess, channel: Channel, user: str) -> str | None:
    """Return the BLOCKUSER record that blocks a user on a channel; blank for none, None if unknown.

    BLOCKUSER records apply only to client channels.
    """
    if not channel.is_client or access.enabled is False:
        return ""
    connection = Connection(channel.name, None, user)
    outcomes = unless_blocked(access, channel, connection, user, Walk(None, None))
    verdicts = {outcome.verdict is Verdict.BLOCKED for outcome in outcomes}
    if len(verdicts) > 1 or any(outcome.verdict is Verdict.UNKNOWN for outcome in outcomes):
        return None
    record = outcomes[-1].record
    return record.written() if verdicts == {True} and record is not None else ""


def _unless_allowed(outcome: Outcome, kind: str | None) -> Outcome:
    """Return an outcome as unknown unless allowed: BLOCKUSER on AMQP is not documented."""
    if outcome.verdict is Verdict.ALLOWED:
        return outcome
    why = f"no source says whether BLOCKUSER applies to {kind} channels"
    return replace(outcome, verdict=Verdict.UNKNOWN, user=None, why=why)


def _listed(
    access: ChannelAccess,
    connection: Connection,
    record: Record | None,
    user: str | None,
    walk: Walk,
) -> Outcome:
    """Return the outcome for a user if `record` is the BLOCKUSER record that applies."""
    allowed = walk.end(Verdict.ALLOWED, user, walk.reason())
    if record is None:
        return allowed
    if record.entries is None or record.warn is None:
        return replace(allowed, verdict=Verdict.UNKNOWN, why=f"{record.written()} is not known")
    steps = [Check("one-list", f"{record.written()} is evaluated for {user or 'the user'}")]
    notes = list(allowed.taken)
    if ADMINISTRATORS in record.entries and not is_channel_program(user):
        steps.append(Check("privileged", "*MQADMIN matches the privileged users"))
        if is_privileged(access, connection, user) is False:
            notes.append(not_administrator(user))
    checks = (
        *allowed.checks,
        Check("blocked-users", "users are blocked after all other checks"),
        *steps,
    )
    outcome = partial(replace, allowed, checks=checks)
    is_listed = user is not None and _names(access, connection, record.entries, user)
    if is_listed is None:
        return outcome(verdict=Verdict.UNKNOWN, user=None, why=undecided(access))
    if is_listed:
        if record.warn:
            why = f"{record.written()} only warns about {user}"
            return outcome(verdict=Verdict.WARNED, why=why)
        why = f"{user} is blocked by {record.written()}"
        return outcome(verdict=Verdict.BLOCKED, record=record, why=why)
    if user is None:
        notes.append(f"the user is not one of {', '.join(record.entries)}")
    return outcome(taken=tuple(dict.fromkeys(notes)))


def _names(
    access: ChannelAccess, connection: Connection, entries: tuple[str, ...], user: str
) -> bool | None:
    """Whether a list blocks a user; None if that depends on an unknown privilege."""
    named = user in entries
    if access.ignores_case:
        named = user.lower() in (entry.lower() for entry in entries)
    return named or (ADMINISTRATORS in entries and is_privileged(access, connection, user))
