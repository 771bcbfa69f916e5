"""What comes after the record is found: passwords, blocked users, and the user in the end.

Nothing here depends on the address, so that one connection and a whole set of addresses are
judged by the same steps. (IBM: q132550, "Interaction of CHLAUTH and CONNAUTH"; "Determining which
user is used for authorization"; q010250, "Channel authentication records".)
"""

from __future__ import annotations

from dataclasses import replace

from mqlint.chlauth.connection import Connection, Outcome, Verdict
from mqlint.chlauth.gate import Channel, Gate
from mqlint.chlauth.record import ADMINISTRATORS, Record

NO_ACCESS = "*NOACCESS"
MCA = "the user that the channel program runs as"
RECALLED_WARN = "with WARN(YES) the channel runs as it would without the record (recalled)"


class _Walk:
    """The steps so far: what was checked, what was assumed, whether it only warns."""

    def __init__(self, record: Record | None) -> None:
        self.record = record
        self.checks: list[str] = []
        self.assumptions: list[str] = []
        self.warned = False

    def end(self, verdict: Verdict, user: str | None, why: str) -> Outcome:
        """Return the outcome."""
        if verdict is Verdict.ALLOWED and self.warned:
            verdict = Verdict.WARNED
        said = tuple(self.checks), tuple(dict.fromkeys(self.assumptions))
        return Outcome(verdict, user, self.record, why, *said)


def admit(
    gate: Gate, channel: Channel, connection: Connection, record: Record | None
) -> list[Outcome]:
    """Return what becomes of a connection when `record` decides on it, None when no record does.

    One outcome, or those that remain possible.
    """
    walk = _Walk(record)
    refused = _refused(channel, walk)
    if refused is not None:
        return refused
    user = _user(channel, connection, record, walk)
    if user == NO_ACCESS:
        why = "MCAUSER(*NOACCESS) lets nobody in"
        return _unless_exit(channel, walk, walk.end(Verdict.BLOCKED, None, why))
    if not channel.is_client:
        return [walk.end(Verdict.ALLOWED, user, _reason(record))]
    locked = _authenticated(gate, connection, record, user, walk)
    if locked:
        return locked
    if connection.credentials and gate.adopts and gate.early is False:
        user = connection.credentials
        walk.checks.append(f"ADOPTCTX(YES): the user is {user} from here on")
    return _not_blocked(gate, channel, connection, user, walk)


def _refused(channel: Channel, walk: _Walk) -> list[Outcome] | None:
    """Whether the record itself ends it."""
    record = walk.record
    if record is None or record.source not in ("NOACCESS", None):
        return None
    if record.source is None:
        why = "what the record does is not known"
        return [walk.end(Verdict.UNKNOWN, None, why)]
    if record.warn is None:
        return [walk.end(Verdict.UNKNOWN, None, "whether the record only warns is not known")]
    if record.warn:
        walk.warned = True
        walk.assumptions.append(RECALLED_WARN)
        return None
    return _unless_exit(channel, walk, walk.end(Verdict.BLOCKED, None, "USERSRC(NOACCESS)"))


def _unless_exit(channel: Channel, walk: _Walk, blocked: Outcome) -> list[Outcome]:
    """A security exit may set another user after the records, and so undo a block."""
    if channel.exit == "":
        return [blocked]
    if channel.exit is None:
        note = f"channel {channel.name} has no security exit"
        return [replace(blocked, assumptions=(*blocked.assumptions, note))]
    why = f"the security exit {channel.exit} may let it in"
    return [blocked, walk.end(Verdict.UNKNOWN, None, why)]


def _user(
    channel: Channel, connection: Connection, record: Record | None, walk: _Walk
) -> str | None:
    """The user that the record or the channel gives, else the one that the partner asserts."""
    if record is not None and record.source == "MAP":
        walk.checks.append(f"the record maps to MCAUSER({record.user or ''})")
        return record.user
    if channel.user is None:
        walk.checks.append("MCAUSER of the channel is not known")
        return None
    if channel.user:
        walk.checks.append(f"the channel has MCAUSER({channel.user})")
        return channel.user
    if not channel.is_client:
        walk.checks.append("MCAUSER of the channel is blank: the channel program's own user")
        return MCA
    walk.checks.append("MCAUSER of the channel is blank: the user that the client asserts")
    return connection.user


def _authenticated(
    gate: Gate, connection: Connection, record: Record | None, user: str | None, walk: _Walk
) -> list[Outcome]:
    """What CONNAUTH and CHCKCLNT say; nothing when the connection goes on."""
    check = gate.check
    if record is not None and record.check in ("REQUIRED", "REQDADM"):
        walk.checks.append(f"CHCKCLNT({record.check}) of the record")
        check = record.check
    elif check is None:
        walk.assumptions.append("CONNAUTH asks for no password from this client")
        return []
    else:
        walk.checks.append(f"CHCKCLNT({check}) by CONNAUTH")
    needed = check == "REQUIRED" or (check == "REQDADM" and _is_admin(gate, connection, user))
    if check == "REQDADM" and not needed:
        walk.assumptions.append(_no_admin(user))
    if not needed or connection.credentials:
        return []
    if connection.credentials is None:
        walk.assumptions.append("the client gives a user and the right password")
        return []
    return [walk.end(Verdict.BLOCKED, user, "no user and password are given, and one is required")]


def _is_admin(gate: Gate, connection: Connection, user: str | None) -> bool:
    if user is None:
        return False
    return user in connection.administrators or gate.is_administrator(user)


def _no_admin(user: str | None) -> str:
    return f"{user or 'the user'} is not an MQ administrator"


def _not_blocked(
    gate: Gate, channel: Channel, connection: Connection, user: str | None, walk: _Walk
) -> list[Outcome]:
    """BLOCKUSER: the record of the most specific profile alone, asked about the final user."""
    fitting = [one for one in gate.rules.users if one.is_for(channel.name) is not False]
    found = next((one for one in fitting if one.is_for(channel.name) and one.certain), None)
    doubtful = fitting[: fitting.index(found)] if found is not None else fitting
    outcomes = [_listed(gate, connection, one, user, walk) for one in doubtful]
    outcomes.append(_listed(gate, connection, found, user, walk))
    return outcomes


def _listed(
    gate: Gate, connection: Connection, record: Record | None, user: str | None, walk: _Walk
) -> Outcome:
    """What becomes of the user when this record is the one that blocks users."""
    allowed = walk.end(Verdict.ALLOWED, user, _reason(walk.record))
    if record is None:
        return allowed
    if record.entries is None or record.warn is None:
        return replace(allowed, verdict=Verdict.UNKNOWN, why=f"{record.written()} is not known")
    if user is not None and _names(gate, connection, record.entries, user):
        if record.warn:
            return replace(allowed, verdict=Verdict.WARNED, why=f"{record.written()} warns only")
        return replace(allowed, verdict=Verdict.BLOCKED, record=record, why=f"{user} is blocked")
    notes = list(allowed.assumptions)
    if ADMINISTRATORS in record.entries:
        notes.append(_no_admin(user))
    if user is None:
        notes.append(f"the user is none of {', '.join(record.entries)}")
    checks = (*allowed.checks, f"not blocked by {record.written()}")
    return replace(allowed, checks=checks, assumptions=tuple(dict.fromkeys(notes)))


def _names(gate: Gate, connection: Connection, entries: tuple[str, ...], user: str) -> bool:
    if ADMINISTRATORS in entries and _is_admin(gate, connection, user):
        return True
    if gate.ignores_case:
        return user.lower() in (one.lower() for one in entries)
    return user in entries


def _reason(record: Record | None) -> str:
    if record is None:
        return "no record is about it"
    return {"MAP": "it maps the connection", "CHANNEL": "it lets the connection in"}.get(
        record.source or "", "it only warns"
    )
