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
from mqlint.chlauth.user_name import why_open


def unless_blocked(walk: Walk, user: str | None) -> list[Outcome]:
    """Return the outcomes of BLOCKUSER records, of which only the most specific profile applies.

    There are several if an uncertain record may be more specific.
    """
    if walk.access.enabled is False:
        return [_listed(walk, None, user)]
    outcomes = [_listed(walk, record, user) for record in _lists_for(walk.access, walk.channel)]
    kind = walk.channel.type
    if kind == "SVRCONN":
        return outcomes
    return [_unless_allowed(outcome, kind) for outcome in outcomes]


def list_that_blocks(access: ChannelAccess, channel: Channel, user: str) -> str | None:
    """Return the BLOCKUSER record that blocks a user on a channel; blank for none, None if unknown.

    BLOCKUSER records apply only to client channels.
    """
    if not channel.is_client or access.enabled is False:
        return ""
    connection = Connection(channel.name, None, user)
    lists = _lists_for(access, channel)
    verdicts = {_verdict(access, connection, record, user) for record in lists}
    if channel.type != "SVRCONN" and verdicts != {Verdict.ALLOWED}:
        return None  # no source says whether they apply
    is_blocked = Verdict.BLOCKED in verdicts
    if Verdict.UNKNOWN in verdicts or (is_blocked and len(verdicts) > 1):
        return None
    return lists[-1].written() if is_blocked and lists[-1] is not None else ""


def _lists_for(access: ChannelAccess, channel: Channel) -> list[Record | None]:
    """Return the records of which one applies to a channel, the last one for certain.

    None stands for no record.
    """
    lists: list[Record | None] = []
    for record in access.users_for(channel.name):
        lists.append(record)
        if record.certain and record.is_for(channel.name):
            return lists
    return [*lists, None]


def _verdict(
    access: ChannelAccess, connection: Connection, record: Record | None, user: str | None
) -> Verdict:
    """Return the verdict on a user if `record` is the BLOCKUSER record that applies."""
    if record is None:
        return Verdict.ALLOWED
    if record.entries is None or record.warn is None:
        return Verdict.UNKNOWN
    is_listed = user is not None and _names(access, connection, record.entries, user)
    if is_listed is None:
        return Verdict.UNKNOWN
    if not is_listed:
        return Verdict.ALLOWED
    return Verdict.WARNED if record.warn else Verdict.BLOCKED


def _unless_allowed(outcome: Outcome, kind: str | None) -> Outcome:
    """Return an outcome as unknown unless allowed: BLOCKUSER on AMQP is not documented."""
    if outcome.verdict is Verdict.ALLOWED:
        return outcome
    why = f"no source says whether BLOCKUSER applies to {kind} channels"
    return replace(outcome, verdict=Verdict.UNKNOWN, user=None, why=why)


def _listed(walk: Walk, record: Record | None, user: str | None) -> Outcome:
    """Return the outcome for a user if `record` is the BLOCKUSER record that applies."""
    access, connection = walk.access, walk.connection
    allowed = walk.end(Verdict.ALLOWED, user, walk.reason())
    if record is None:
        return allowed
    if record.entries is None or record.warn is None:
        why = f"the entries or WARN of {record.written()} are not known"
        return replace(allowed, verdict=Verdict.UNKNOWN, user=None, why=why)
    verdict = _verdict(access, connection, record, user)
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
    if verdict is Verdict.UNKNOWN:
        named = [entry for entry in record.entries if user and access.is_user(entry, user) is None]
        why = why_open(named[0], user) if named and user else undecided(access)
        if not named and ADMINISTRATORS not in record.entries:
            why = f"no source says whether {ADMINISTRATORS} may be in small letters"
        return outcome(verdict=verdict, user=None, why=why)
    if verdict is Verdict.WARNED:
        return outcome(verdict=verdict, why=f"{record.written()} only warns about {user}")
    if verdict is Verdict.BLOCKED:
        why = f"{user} is blocked by {record.written()}"
        return outcome(verdict=verdict, record=record, why=why)
    if user is None:
        notes.append(f"the user is not one of {', '.join(record.entries)}")
    return outcome(taken=tuple(dict.fromkeys(notes)))


def _names(
    access: ChannelAccess, connection: Connection, entries: tuple[str, ...], user: str
) -> bool | None:
    """Whether a list blocks a user; None if that depends on the case, or an unknown privilege."""
    named = _is_listed(access, entries, user)
    if named or ADMINISTRATORS not in map(str.upper, entries):
        return named
    privileged = is_privileged(access, connection, user)
    if privileged and ADMINISTRATORS not in entries:
        return None  # no source says whether its case matters
    return named if privileged is False else privileged


def _is_listed(access: ChannelAccess, entries: tuple[str, ...], user: str) -> bool | None:
    found = {access.is_user(entry, user) for entry in entries}
    return True if True in found else None if None in found else False
