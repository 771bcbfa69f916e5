"""What comes after a record is found: the user, passwords, and the users that are blocked.

Nothing here depends on the address, so that one connection and a whole set of addresses are
judged by the same steps. Those are numbered by IBM, and stand in `mqlint.chlauth.steps`.
"""

from __future__ import annotations

from dataclasses import replace

from mqlint.chlauth import distinguished
from mqlint.chlauth.access import Channel, ChannelAccess
from mqlint.chlauth.auth_record import ADMINISTRATORS, Record, Trail
from mqlint.chlauth.connection import Adoption, Check, Connection, Outcome, Verdict

NO_ACCESS = "*NOACCESS"
MCA = "the user that the channel program runs as"
NO_PASSWORD = "CONNAUTH does not require a password from this client"  # noqa: S105 what is assumed
PASSWORD = "the client gives a user and the right password"  # noqa: S105 what is assumed
_BY_LDAP = "with LDAP and this AUTHORMD only who started the queue manager is privileged"


class _Walk:
    """The steps so far: what was asked, what was assumed, whether it only warns."""

    def __init__(self, record: Record | None, warned: Record | None) -> None:
        self.record = record
        self.checks: list[Check] = []
        self.taken: list[str] = []
        self.warned = warned
        self.enabled = True
        if warned is not None:
            self.check("warning", f"{warned.written()} has WARN(YES)")

    def check(self, step: str, says: str) -> None:
        """Say what was asked."""
        self.checks.append(Check(step, says))

    def end(self, verdict: Verdict, user: str | None, why: str) -> Outcome:
        """Return the outcome."""
        if verdict is Verdict.ALLOWED and self.warned is not None:
            verdict = Verdict.WARNED
        record = self.record or self.warned
        taken = tuple(dict.fromkeys(self.taken))
        return Outcome(verdict, user, record, why, tuple(self.checks), taken)


def settle(
    access: ChannelAccess,
    channel: Channel,
    connection: Connection,
    adoption: Adoption,
    trail: Trail,
) -> list[Outcome]:
    """Return what may become of a connection that the records of `trail` fit, or may fit."""
    outcomes: list[Outcome] = []
    warned: Record | None = None
    for record, sure in trail:
        if only_warns(record):
            if sure:
                warned = warned or record
            else:
                outcomes += _admit(access, channel, connection, adoption, None, record)
            continue
        outcomes += _admit(access, channel, connection, adoption, record, warned)
        if sure:
            if warned is not None and record.source == "NOACCESS":
                outcomes += _admit(access, channel, connection, adoption, None, warned)
            return outcomes
    return outcomes + _admit(access, channel, connection, adoption, None, warned)


def only_warns(record: Record) -> bool:
    """Whether a mapping record refuses, but with a warning alone."""
    return record.source == "NOACCESS" and record.warn is True


def _admit(
    access: ChannelAccess,
    channel: Channel,
    connection: Connection,
    adoption: Adoption,
    record: Record | None,
    warned: Record | None,
) -> list[Outcome]:
    """What becomes of it when `record` decides, None when none does."""
    walk = _Walk(record, warned)
    walk.enabled = access.enabled is not False
    stopped = _certificate(channel, connection, walk)
    if stopped is not None:
        return [replace(stopped, record=None)]
    refused = _refused(channel, walk)
    if refused is not None:
        return refused
    user = _user(channel, connection, adoption, walk)
    if user == NO_ACCESS:
        walk.check("no-access-user", "MCAUSER(*NOACCESS)")
        why = "MCAUSER(*NOACCESS) blocks every connection"
        return _unless_exit(channel, walk, walk.end(Verdict.BLOCKED, None, why))
    if channel.calls_back:
        walk.check("called-back", f"{channel.name} is a sender, which only a requester calls")
        why = "a requester may start a sender, which calls it back; no other channel can"
        return [walk.end(Verdict.UNKNOWN, None, why)]
    if not channel.is_client:
        return [walk.end(Verdict.ALLOWED, user, _reason(walk))]
    locked = _password(access, channel, connection, user, walk)
    if locked is not None:
        # Whether CONNAUTH asks or not, a user who is blocked is.
        both = _clients(access, channel, connection, user, walk) if access.check is None else []
        if both and all(outcome.verdict is Verdict.BLOCKED for outcome in both):
            return both
        return [replace(locked, record=None)]
    if adoption is Adoption.LATE:
        user = connection.credentials
        walk.check("late-adoption", f"ADOPTCTX(YES): the user is {user} from here")
    return _clients(access, channel, connection, user, walk)


# -- before and at the record -------------------------------------------------------------------


def _certificate(channel: Channel, connection: Connection, walk: _Walk) -> Outcome | None:
    """What TLS asks of a partner: a certificate, and one that fits SSLPEER of the channel."""
    if not channel.cipher:
        return None
    if channel.needs_certificate and connection.peer == "":
        walk.check("certificate", "SSLCAUTH(REQUIRED), but the partner sends no certificate")
        return walk.end(Verdict.BLOCKED, None, "the channel requires a certificate")
    if not channel.peer:
        return None
    walk.check("peer", f"SSLPEER({channel.peer}) of the channel")
    if connection.peer is None:
        walk.taken.append(f"the partner's certificate matches SSLPEER({channel.peer})")
        return None
    try:
        fit = distinguished.fits(channel.peer, connection.peer)
    except distinguished.NoNameError as error:
        return walk.end(Verdict.UNKNOWN, None, str(error))
    why = f"the certificate does not match SSLPEER({channel.peer}) of the channel"
    return None if fit else walk.end(Verdict.BLOCKED, None, why)


def _refused(channel: Channel, walk: _Walk) -> list[Outcome] | None:
    """Whether the record itself ends it."""
    record = walk.record
    if record is None:
        return None
    if record.source is None:
        return [walk.end(Verdict.UNKNOWN, None, "the action of the record is not known")]
    walk.check("mapping", f"{record.written()} decides: USERSRC({record.source})")
    if record.source != "NOACCESS":
        return None
    if record.warn is None:
        return [walk.end(Verdict.UNKNOWN, None, "the WARN value of the record is not known")]
    return _unless_exit(channel, walk, walk.end(Verdict.BLOCKED, None, "USERSRC(NOACCESS)"))


def _unless_exit(channel: Channel, walk: _Walk, blocked: Outcome) -> list[Outcome]:
    """A security exit may set another user after the records, and so undo a block."""
    if channel.exit == "":
        return [blocked]
    if channel.exit is None:
        note = "the channel has no security exit"
        return [replace(blocked, taken=(*blocked.taken, note))]
    walk.check("exit", f"SCYEXIT({channel.exit}) is called after the records")
    why = f"the security exit {channel.exit} may permit it"
    return [blocked, walk.end(Verdict.UNKNOWN, None, why)]


# -- the user -----------------------------------------------------------------------------------


def _user(channel: Channel, connection: Connection, adoption: Adoption, walk: _Walk) -> str | None:
    """The user that the record or the channel gives, else the one that the partner asserts."""
    record = walk.record
    early = adoption is Adoption.EARLY
    if early:
        walk.check("early-adoption", f"ADOPTCTX(YES): records are evaluated for {connection.user}")
    if record is not None and record.source == "MAP":
        if early:
            walk.check("early-mapping", f"{record.user} overrides the adopted user")
        return record.user
    if early:
        if channel.user != "":
            walk.check("adopted-over-channel", f"{connection.user} overrides MCAUSER")
        return connection.user
    if channel.user is None:
        walk.taken.append("MCAUSER of the channel is not known")
        return None
    if channel.user:
        walk.check("channel-user", f"the channel has MCAUSER({channel.user})")
        return channel.user
    if not channel.is_client:
        walk.check("program-user", "MCAUSER of the channel is blank")
        return MCA
    walk.check("channel-user", "MCAUSER of the channel is blank: the client's own user")
    return connection.user


# -- passwords ----------------------------------------------------------------------------------


def _password(
    access: ChannelAccess, channel: Channel, connection: Connection, user: str | None, walk: _Walk
) -> Outcome | None:
    """What CONNAUTH asks for; None when the connection goes on."""
    check = access.check
    if check is None:
        if connection.credentials == "" and _is_admin(access, connection, user) is not False:
            why = f"CONNAUTH is not in these files, and may ask {user} for a password"
            return walk.end(Verdict.UNKNOWN, None, why)
        walk.taken.append(NO_PASSWORD)
        return None
    walk.check("password", f"CHCKCLNT({check}) by CONNAUTH")
    is_plain = channel.type == "AMQP" and connection.credentials
    if is_plain and check == "NONE" and not access.has_no_authentication:
        why = "an AMQP client that gives a password is rejected with CHCKCLNT(NONE)"
        return walk.end(Verdict.BLOCKED, user, why)
    return _asked(check, access, connection, user, walk)


def _asked(
    check: str, access: ChannelAccess, connection: Connection, user: str | None, walk: _Walk
) -> Outcome | None:
    """Whether a password is asked for and not given."""
    privileged = check == "REQDADM" and _is_admin(access, connection, user)
    needed = check == "REQUIRED" or privileged is True
    if check == "REQDADM" and privileged is False and not _is_named(user):
        walk.taken.append(_no_admin(user))
    if connection.credentials:
        return None
    if privileged is None:
        if connection.credentials is None:
            walk.taken.append(PASSWORD)
            return None
        return walk.end(Verdict.UNKNOWN, None, f"{_BY_LDAP}; CHCKCLNT(REQDADM) asks only them")
    if not needed:
        return None
    if connection.credentials is None:
        walk.taken.append(PASSWORD)
        return None
    why = f"CHCKCLNT({check}) requires a user and password, but none are given"
    return walk.end(Verdict.BLOCKED, user, why)


def _of_record(
    access: ChannelAccess, connection: Connection, user: str | None, walk: _Walk
) -> Outcome | None:
    """What CHCKCLNT of the record asks for, when all else is done."""
    record = walk.record
    if record is None or record.check not in ("REQUIRED", "REQDADM"):
        return None
    walk.check("record-password", f"CHCKCLNT({record.check}) of the record")
    if access.has_no_authentication:
        why = f"CHCKCLNT({record.check}) of the record, and CONNAUTH is blank"
        return walk.end(Verdict.BLOCKED, user, why)
    if access.check == "NONE":
        why = f"CHCKCLNT({record.check}) of the record, but CONNAUTH checks no passwords"
        if record.check == "REQUIRED" or _is_admin(access, connection, user):
            return walk.end(Verdict.BLOCKED, user, why)
        return walk.end(Verdict.UNKNOWN, None, why)
    if access.check is None:
        walk.taken.append("CONNAUTH names an object that checks passwords")
    return _asked(record.check, access, connection, user, walk)


# -- blocked users ------------------------------------------------------------------------------


def _clients(
    access: ChannelAccess, channel: Channel, connection: Connection, user: str | None, walk: _Walk
) -> list[Outcome]:
    """BLOCKUSER, about the user in the end, and what the record asks for."""
    outcomes = _not_blocked(access, channel, connection, user, walk)
    if all(outcome.verdict is Verdict.BLOCKED for outcome in outcomes):
        return outcomes
    locked = _of_record(access, connection, user, walk)
    if locked is not None:
        return [outcome if outcome.verdict is Verdict.BLOCKED else locked for outcome in outcomes]
    more = tuple(walk.checks)
    return [
        replace(
            outcome,
            checks=tuple(dict.fromkeys((*outcome.checks, *more))),
            taken=tuple(dict.fromkeys((*outcome.taken, *walk.taken))),
        )
        for outcome in outcomes
    ]


def _not_blocked(
    access: ChannelAccess, channel: Channel, connection: Connection, user: str | None, walk: _Walk
) -> list[Outcome]:
    """The record of the most specific profile alone."""
    if access.enabled is False:
        return [_listed(access, connection, None, user, walk)]
    fitting = access.users_for(channel.name)
    found = next(
        (record for record in fitting if record.is_for(channel.name) and record.certain), None
    )
    doubtful = fitting[: fitting.index(found)] if found is not None else fitting
    outcomes = [_listed(access, connection, record, user, walk) for record in doubtful]
    outcomes.append(_listed(access, connection, found, user, walk))
    if channel.type == "AMQP":
        return [_unless_amqp(outcome) for outcome in outcomes]
    return outcomes


def list_that_blocks(access: ChannelAccess, channel: Channel, user: str) -> str | None:
    """Return the BLOCKUSER record that blocks a user on a channel; blank without, None if unknown.

    On a channel that is not for clients no list counts.
    """
    if not channel.is_client or access.enabled is False:
        return ""
    connection = Connection(channel.name, None, user)
    outcomes = _not_blocked(access, channel, connection, user, _Walk(None, None))
    verdicts = {outcome.verdict is Verdict.BLOCKED for outcome in outcomes}
    if len(verdicts) > 1 or any(outcome.verdict is Verdict.UNKNOWN for outcome in outcomes):
        return None
    record = outcomes[-1].record
    return record.written() if verdicts == {True} and record is not None else ""


def _unless_amqp(outcome: Outcome) -> Outcome:
    """No source says whether lists of users apply to AMQP channels: what they block is unknown."""
    if outcome.verdict is Verdict.ALLOWED:
        return outcome
    why = "no source says whether BLOCKUSER applies to AMQP channels"
    return replace(outcome, verdict=Verdict.UNKNOWN, user=None, why=why)


def _listed(
    access: ChannelAccess,
    connection: Connection,
    record: Record | None,
    user: str | None,
    walk: _Walk,
) -> Outcome:
    """What becomes of the user when this record is the one that blocks users."""
    allowed = walk.end(Verdict.ALLOWED, user, _reason(walk))
    if record is None:
        return allowed
    if record.entries is None or record.warn is None:
        return replace(allowed, verdict=Verdict.UNKNOWN, why=f"{record.written()} is not known")
    steps = [Check("one-list", f"{record.written()} is evaluated for {user or 'the user'}")]
    notes = list(allowed.taken)
    if ADMINISTRATORS in record.entries and not _is_named(user):
        steps.append(Check("privileged", "*MQADMIN matches the privileged users"))
        if _is_admin(access, connection, user) is False:
            notes.append(_no_admin(user))
    checks = (
        *allowed.checks,
        Check("blocked-users", "users are blocked after all other checks"),
        *steps,
    )
    allowed = replace(allowed, checks=checks)
    is_listed = user is not None and _names(access, connection, record.entries, user)
    if is_listed is None:
        return replace(allowed, verdict=Verdict.UNKNOWN, user=None, why=_BY_LDAP)
    if is_listed:
        if record.warn:
            why = f"{record.written()} only warns about {user}"
            return replace(allowed, verdict=Verdict.WARNED, why=why)
        why = f"{user} is blocked by {record.written()}"
        return replace(allowed, verdict=Verdict.BLOCKED, record=record, why=why)
    if user is None:
        notes.append(f"the user is not one of {', '.join(record.entries)}")
    return replace(allowed, taken=tuple(dict.fromkeys(notes)))


def _names(
    access: ChannelAccess, connection: Connection, entries: tuple[str, ...], user: str
) -> bool | None:
    """Whether a list blocks a user; None when that depends on whether the user is privileged."""
    named = user in entries
    if access.ignores_case:
        named = user.lower() in (entry.lower() for entry in entries)
    return named or (ADMINISTRATORS in entries and _is_admin(access, connection, user))


def _is_admin(access: ChannelAccess, connection: Connection, user: str | None) -> bool | None:
    """Whether a user is privileged; None when LDAP decides it, which no file shows."""
    if user is None or _is_named(user):
        return False
    if user not in connection.administrators and not access.is_administrator(user):
        return False
    return True if access.takes_system_groups else None


def _is_named(user: str | None) -> bool:
    """Whether a user is one that nobody can be by name: what a channel program runs as."""
    return user == MCA


def _no_admin(user: str | None) -> str:
    return f"{user or 'the user'} is not an MQ administrator"


def _reason(walk: _Walk) -> str:
    if not walk.enabled:
        return "CHLAUTH(DISABLED): no record is checked"
    if walk.record is None:
        return "no record matches it" if walk.warned is None else "the record only warns"
    return {"MAP": "the record maps it", "CHANNEL": "the record permits it"}.get(
        walk.record.source or "", "the record only warns"
    )
