"""The verdict on one connection: record after record, as the queue manager asks them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from mqlint.chlauth.access import Channel, ChannelAccess
from mqlint.chlauth.address import NoAddressError, everything, pattern
from mqlint.chlauth.admit import only_warns, settle
from mqlint.chlauth.auth_record import ADMINISTRATORS, NO_ACCESS, Record, stronger_by
from mqlint.chlauth.connection import (
    STRANGER,
    Answer,
    Check,
    Connection,
    Outcome,
    SkippedRecord,
    Verdict,
    one_of,
)
from mqlint.chlauth.fit import alternatives, fits, not_defined, ways, without_channel

ENABLED = "CHLAUTH is ENABLED, the default of a new queue manager"
SHIPPED = "the default records of a new queue manager exist"
AUTHENTICATION = "CONNAUTH names the object of a new queue manager, which these files change"
_MOST_NAMED = 50
"""Limit of the users that records name, each of whom LDAP may give: each is decided on its own."""
_MANY_NAMED = f"records name more than {_MOST_NAMED} users, and LDAP may give any of them"
_MAY_BE_BLOCKED = "the user that the record gives is not known, and may be blocked"
UNREAD = "{} could not be read and does not change the result"


def decide(access: ChannelAccess, connection: Connection, channel: Channel | None = None) -> Answer:
    """Return the outcome of a connection, and every record that does not decide it.

    `channel` is the channel as the files describe it, or as it may be if they leave a part open.
    """
    channel = channel or access.channel(connection.channel)
    ended = without_channel(access, channel)
    if ended is not None:
        return Answer(ended)
    blocked, doubts = listener(access, connection)
    if blocked is not None:
        return Answer(_with_notes(blocked, access))
    outcomes = not_defined(channel)
    passed: tuple[SkippedRecord, ...] = ()
    for variant in alternatives(channel, connection):
        for way, adoption in ways(access, variant, connection):
            trail, passed, order = _trail(access, variant, way)
            settled = settle(access, variant, way, adoption, trail)
            outcomes += [replace(outcome, checks=(*order, *outcome.checks)) for outcome in settled]
    outcomes = _with_warnings(access, connection, outcomes)
    outcome, possible = one_of([*doubts, *outcomes])
    return Answer(_with_notes(outcome, access), passed, possible)


def decide_as_given(access: ChannelAccess, connection: Connection) -> Answer:
    """Return the same, unknown also if what is omitted or left open may stop the connection.

    An omitted user may be an administrator, an omitted password missing, and an omitted certificate
    another one than SSLPEER of the channel asks for. A template in the channel may stand for what
    refuses this partner, one in MCAUSER for a user who is blocked.
    """
    connection, others = _with_adopted(access, connection)
    answer = decide(access, connection)
    if answer.outcome.user == STRANGER:
        answer = replace(answer, outcome=replace(answer.outcome, user=None))
    if not answer.outcome.verdict.lets_in:
        return answer
    if len(others) > _MOST_NAMED:
        outcome = replace(answer.outcome, verdict=Verdict.UNKNOWN, user=None, why=_MANY_NAMED)
        return replace(answer, outcome=outcome)
    others += _worse(access, connection)
    outcomes = [decide(access, other).outcome for other in others]
    channel = access.channel(connection.channel)
    outcomes += (decide(access, connection, each).outcome for each in _stricter(channel))
    record = answer.outcome.record
    if record is not None and record.source == "MAP" and not record.user:
        outcomes.append(Outcome(Verdict.BLOCKED, None, record, _MAY_BE_BLOCKED))
    stopped = [outcome for outcome in outcomes if not outcome.verdict.lets_in]
    outcome, possible = one_of([*stopped, answer.outcome])
    return Answer(outcome, answer.passed_over, possible) if stopped else answer


def _with_adopted(
    access: ChannelAccess, connection: Connection
) -> tuple[Connection, list[Connection]]:
    """Return a connection with the user that LDAP gives to who logs in, and others it may be.

    If the files do not show that user, each user whom records name is possible.
    """
    given = connection.credentials
    if not given or access.authentication.adopts is False:
        return connection, []
    adopted = access.authentication.adopted(given)
    if adopted is not None:
        return replace(connection, credentials=adopted), []
    mapped = (record.partner for record in access.mapping_for(connection.channel))
    listed = (record.entries or () for record in access.users_for(connection.channel))
    named = dict.fromkeys((*mapped, *chain.from_iterable(listed)))
    others = [
        replace(connection, credentials=name) for name in named if name and name != ADMINISTRATORS
    ]
    return replace(connection, credentials=STRANGER), others


def _stricter(channel: Channel) -> Iterator[Channel]:
    """Yield what a channel may be where the files leave open what it asks of partners."""
    if channel.type is None:
        return
    if channel.user is None:
        yield replace(channel, user=NO_ACCESS)
    if channel.cipher is None:
        yield replace(channel, cipher=STRANGER)
    if channel.cipher != "" and channel.peer is None:
        yield replace(channel, cipher=STRANGER, peer=f"CN={STRANGER}")
    if channel.cipher != "" and channel.needs_certificate is None:
        yield replace(channel, cipher=STRANGER, needs_certificate=True)


def _worse(access: ChannelAccess, connection: Connection) -> Iterator[Connection]:
    channel = access.channel(connection.channel)
    if channel.is_client and connection.user is None:
        yield replace(connection, user=access.administrator)
    if channel.is_client and connection.credentials is None:
        yield replace(connection, credentials="")
    if channel.peer and connection.peer is None:
        yield replace(connection, peer="")


def _with_notes(outcome: Outcome, access: ChannelAccess) -> Outcome:
    """An outcome with what was assumed of the queue manager."""
    notes = list(outcome.taken)
    if access.is_assumed_enabled:
        notes.append(ENABLED)
    if access.enabled is not False and access.rules.assumed:
        notes.append(SHIPPED)
    if access.authentication.is_assumed:
        notes.append(AUTHENTICATION)
    notes += (UNREAD.format(path) for path in access.unread)
    taken = tuple(dict.fromkeys(notes))
    return replace(outcome, taken=taken, is_partial=bool(access.unread))


def listener(access: ChannelAccess, connection: Connection) -> tuple[Outcome | None, list[Outcome]]:
    """Return whether the listener refuses the address; else the refusals that are possible."""
    doubts: list[Outcome] = []
    if access.enabled is False:
        return None, doubts
    for record in access.rules.addresses:
        for entry in record.entries if record.entries is not None else (None,):
            fit = None if entry is None else _in(connection.address, entry)
            if fit is False or record.warn:
                continue
            outcome = refused_by_listener(record)
            if fit and record.certain and record.warn is False:
                return outcome, []
            doubts.append(outcome)
    return None, doubts


def _with_warnings(
    access: ChannelAccess, connection: Connection, outcomes: list[Outcome]
) -> list[Outcome]:
    """Outcomes, with the warning of a BLOCKADDR record that only warns."""
    for record in warning_lists(access):
        fits = {_in(connection.address, entry) for entry in record.entries or ()}
        if True in fits and record.certain:
            return [warned_by_listener(record, outcome) for outcome in outcomes]
        if fits - {False}:
            outcomes = [
                *outcomes,
                *(warned_by_listener(record, outcome) for outcome in outcomes),
            ]
    return outcomes


def warning_lists(access: ChannelAccess) -> list[Record]:
    """Return the BLOCKADDR records that only warn."""
    if access.enabled is False:
        return []
    return [record for record in access.rules.addresses if record.warn]


def warned_by_listener(record: Record, outcome: Outcome) -> Outcome:
    """Return an outcome for an address that a BLOCKADDR record with WARN(YES) lists."""
    if outcome.verdict is not Verdict.ALLOWED:
        return outcome
    checks = (Check("listener", f"{record.written()} has WARN(YES)"), *outcome.checks)
    why = f"{record.written()} warns of the address only"
    return replace(outcome, verdict=Verdict.WARNED, checks=checks, why=why)


def refused_by_listener(record: Record) -> Outcome:
    """Return the outcome of an address that BLOCKADDR lists."""
    why = "the listener refuses the address"
    checks = (Check("listener", record.written()),)
    return Outcome(Verdict.BLOCKED, None, record, why, checks)


def _in(address: str | None, entry: str) -> bool | None:
    try:
        found = pattern(entry)
    except NoAddressError:
        return False
    if address is None:
        return True if found == everything() else None
    return address in found


def _trail(
    access: ChannelAccess, channel: Channel, connection: Connection
) -> tuple[tuple[tuple[Record, bool], ...], tuple[SkippedRecord, ...], tuple[Check, ...]]:
    """The records that fit or may fit up to the one that decides, and all the others with why."""
    if access.enabled is False:
        return (), (), (Check("switch", "CHLAUTH(DISABLED)"),)
    trail: list[tuple[Record, bool]] = []
    passed: list[SkippedRecord] = []
    order: list[Check] = []
    winner: Record | None = None
    for record in access.mapping_for(channel.name):
        fit, why = fits(access, channel, connection, record)
        if fit is not False and winner is not None:
            step = stronger_by(winner, record)
            order.append(Check(step, f"{winner.written()} comes before {record.written()}"))
            passed.append(SkippedRecord(record, f"{winner.written()} comes first"))
            continue
        if fit is not True:
            passed.append(SkippedRecord(record, why))
        if fit is False:
            continue
        trail.append((record, fit is True))
        if fit and not only_warns(record):
            winner = record
    return tuple(trail), tuple(passed), tuple(order)
