"""The steps after a record is found: the user, passwords, and blocked users.

Nothing here depends on the address, so that one connection and a whole set of addresses are judged
by the same steps. IBM numbers these steps, and they are in `mqlint.vocabulary.chlauth`.
"""

from __future__ import annotations

from dataclasses import replace

from mqlint.chlauth import distinguished
from mqlint.chlauth.access import Channel, ChannelAccess
from mqlint.chlauth.auth_record import NO_ACCESS, Record, Trail
from mqlint.chlauth.blocked_users import unless_blocked
from mqlint.chlauth.channel_user import (
    MCA,
    is_channel_program,
    is_privileged,
    not_administrator,
    undecided,
)
from mqlint.chlauth.connection import STRANGER, Adoption, Check, Connection, Outcome, Verdict, Walk

NO_PASSWORD = "CONNAUTH does not require a password from this client"  # noqa: S105 what is assumed
PASSWORD = "the client gives a user and the right password"  # noqa: S105 what is assumed


def settle(
    access: ChannelAccess,
    channel: Channel,
    connection: Connection,
    adoption: Adoption,
    trail: Trail,
) -> list[Outcome]:
    """Return what may become of a connection that the records of `trail` fit, or may fit."""

    def admitted(record: Record | None, warned: Record | None) -> list[Outcome]:
        return _admit(Walk(access, channel, connection, record, warned), adoption)

    outcomes: list[Outcome] = []
    warned: Record | None = None
    for record, sure in trail:
        if only_warns(record):
            if sure:
                warned = warned or record
            else:
                outcomes += admitted(None, record)
            continue
        outcomes += admitted(record, warned)
        if sure:
            if warned is not None and record.source == "NOACCESS":
                outcomes += admitted(None, warned)
            break
    else:
        outcomes += admitted(None, warned)
    return [*outcomes, *_refused_by_exit(channel, outcomes)]


def only_warns(record: Record) -> bool:
    """Whether a mapping record refuses, but with a warning alone."""
    return record.source == "NOACCESS" and record.warn is True


def _admit(walk: Walk, adoption: Adoption) -> list[Outcome]:
    """What becomes of a connection when the record of the walk decides."""
    channel, connection = walk.channel, walk.connection
    stopped = _certificate(walk)
    if stopped is not None:
        return [replace(stopped, record=None)]
    refused = _refused(walk)
    if refused is not None:
        return refused
    user = _user(walk, adoption)
    if user == NO_ACCESS:
        walk.check("no-access-user", "MCAUSER(*NOACCESS)")
        if _may_be_adopted(walk, adoption):
            why = "ADOPTCTX(YES) may override MCAUSER(*NOACCESS) for a client with a password"
            return [walk.end(Verdict.UNKNOWN, None, why)]
        why = "MCAUSER(*NOACCESS) blocks every connection"
        return _unless_exit(walk, walk.end(Verdict.BLOCKED, None, why))
    if channel.calls_back:
        walk.check("called-back", f"{channel.name} is a sender, which only a requester calls")
        why = "a requester may start a sender, which calls it back; no other channel can"
        return [walk.end(Verdict.UNKNOWN, None, why)]
    if not channel.is_client:
        return [walk.end(Verdict.ALLOWED, user, walk.reason())]
    locked = _password(walk, user)
    if locked is not None:
        # Whether CONNAUTH asks or not, a user who is blocked is.
        is_open = locked.verdict is Verdict.UNKNOWN and not connection.credentials
        both = _clients(walk, user) if is_open else []
        if both and all(outcome.verdict is Verdict.BLOCKED for outcome in both):
            return both
        return [replace(locked, record=None)]
    if adoption is Adoption.LATE:
        user = connection.credentials
        shown = "one whom LDAP gives" if user == STRANGER else user
        walk.check("late-adoption", f"ADOPTCTX(YES): the user is {shown} from here")
    return _clients(walk, user)


def _certificate(walk: Walk) -> Outcome | None:
    """What TLS asks of a partner: a certificate, and one that fits SSLPEER of the channel."""
    channel, connection = walk.channel, walk.connection
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


def _refused(walk: Walk) -> list[Outcome] | None:
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
    return _unless_exit(walk, walk.end(Verdict.BLOCKED, None, "USERSRC(NOACCESS)"))


def _unless_exit(walk: Walk, blocked: Outcome) -> list[Outcome]:
    """A security exit may set another user after the records, and so undo a block."""
    channel = walk.channel
    if channel.exit == "":
        return [blocked]
    if channel.exit is None:
        note = "the channel has no security exit"
        return [replace(blocked, taken=(*blocked.taken, note))]
    walk.check("exit", f"SCYEXIT({channel.exit}) is called after the records")
    why = f"the security exit {channel.exit} may permit it"
    return [blocked, walk.end(Verdict.UNKNOWN, None, why)]


def _refused_by_exit(channel: Channel, outcomes: list[Outcome]) -> list[Outcome]:
    """What a security exit, called after the records, may make of what they permit; one at most."""
    permitted = [found for found in outcomes if found.verdict.lets_in]
    if not channel.exit or not permitted:
        return []
    why = f"the security exit {channel.exit} may refuse it, or give it another user"
    check = Check("exit", f"SCYEXIT({channel.exit}) is called after the records")
    checks = (*permitted[0].checks, check)
    return [replace(permitted[0], verdict=Verdict.UNKNOWN, why=why, checks=checks)]


def _may_be_adopted(walk: Walk, adoption: Adoption) -> bool:
    """Whether a user who gave a password may replace the MCAUSER that the channel defines.

    IBM: "Determining which user is used for authorization". What a record maps to stays as it is.
    """
    record, adopts = walk.record, walk.access.authentication.adopts
    if (record is not None and record.source == "MAP") or not walk.channel.is_client:
        return False
    needs_password = record is not None and record.check == "REQUIRED"
    may_adopt = adopts or (adopts is None and needs_password)
    return adoption is Adoption.LATE or (may_adopt and walk.connection.credentials is None)


def _user(walk: Walk, adoption: Adoption) -> str | None:
    """The user that the record or the channel gives, else the one that the partner asserts."""
    channel, connection, record = walk.channel, walk.connection, walk.record
    if channel.takes_client_id:
        walk.taken.append("USECLTID may make the client identifier the user")
        return None
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


def _password(walk: Walk, user: str | None) -> Outcome | None:
    """What CONNAUTH asks for; None when the connection goes on."""
    access, channel, connection = walk.access, walk.channel, walk.connection
    check = access.authentication.check
    if access.authentication.is_of_wrong_type:
        why = f"CONNAUTH names {access.authentication.name}, which is of a type without passwords"
        return walk.end(Verdict.UNKNOWN, None, why)
    if check is None:
        may_ask = is_privileged(access, connection, user) is not False
        may_ask = may_ask or access.authentication.may_ask_everybody
        if connection.credentials == "" and may_ask:
            why = f"these files do not show whether CONNAUTH asks {user} for a password"
            return walk.end(Verdict.UNKNOWN, None, why)
        walk.taken.append(NO_PASSWORD)
        return None
    walk.check("password", f"CHCKCLNT({check}) by CONNAUTH")
    is_plain = channel.type == "AMQP" and connection.credentials
    if is_plain and check == "NONE" and access.authentication.name != "":
        why = "an AMQP client that gives a password is rejected with CHCKCLNT(NONE)"
        return walk.end(Verdict.BLOCKED, user, why)
    return _asked(walk, check, user)


def _asked(walk: Walk, check: str, user: str | None) -> Outcome | None:
    """Whether a password is asked for and not given."""
    access, connection = walk.access, walk.connection
    privileged = check == "REQDADM" and is_privileged(access, connection, user)
    needed = check == "REQUIRED" or privileged is True
    if check == "REQDADM" and privileged is False and not is_channel_program(user):
        walk.taken.append(not_administrator(user))
    if connection.credentials or not (needed or privileged is None):
        return None
    if connection.credentials is None:
        walk.taken.append(PASSWORD)
        return None
    if privileged is None:
        why = f"{undecided(access)}; CHCKCLNT(REQDADM) asks only them"
        return walk.end(Verdict.UNKNOWN, None, why)
    why = f"CHCKCLNT({check}) requires a user and password, but none are given"
    return walk.end(Verdict.BLOCKED, user, why)


def _of_record(walk: Walk, user: str | None) -> Outcome | None:
    """What CHCKCLNT of the record asks for, when all else is done."""
    record = walk.record
    if record is None:
        return None
    if record.check is None and _locked(walk, "REQUIRED", user) is not None:
        return walk.end(Verdict.UNKNOWN, None, "CHCKCLNT of the record is not known")
    if record.check not in ("REQUIRED", "REQDADM"):
        return None
    walk.check("record-password", f"CHCKCLNT({record.check}) of the record")
    return _locked(walk, record.check, user)


def _locked(walk: Walk, check: str, user: str | None) -> Outcome | None:
    """What a value of CHCKCLNT in a record asks for; None when the connection goes on."""
    access = walk.access
    if access.authentication.name == "":
        why = f"CHCKCLNT({check}) of the record, and CONNAUTH is blank"
        return walk.end(Verdict.BLOCKED, user, why)
    if access.authentication.check == "NONE":
        why = f"CHCKCLNT({check}) of the record, but CONNAUTH checks no passwords"
        if check == "REQUIRED" or is_privileged(access, walk.connection, user):
            return walk.end(Verdict.BLOCKED, user, why)
        return walk.end(Verdict.UNKNOWN, None, why)
    if access.authentication.may_be_blank:
        why = f"CHCKCLNT({check}) of the record, and CONNAUTH may be blank"
        return walk.end(Verdict.UNKNOWN, None, why)
    if access.authentication.check is None:
        walk.taken.append("CONNAUTH names an object that checks passwords")
    return _asked(walk, check, user)


def _clients(walk: Walk, user: str | None) -> list[Outcome]:
    """BLOCKUSER, about the user in the end, and what the record asks for."""
    outcomes = unless_blocked(walk, user)
    if all(outcome.verdict is Verdict.BLOCKED for outcome in outcomes):
        return outcomes
    locked = _of_record(walk, user)
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
