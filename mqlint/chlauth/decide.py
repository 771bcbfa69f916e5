"""The verdict on one connection: record after record, as the queue manager asks them."""

from __future__ import annotations

from dataclasses import replace

from mqlint.chlauth import distinguished
from mqlint.chlauth.address import AddressSet, NoAddressError, everything, pattern
from mqlint.chlauth.admit import admit
from mqlint.chlauth.connection import Answer, Connection, Outcome, PassedOver, Verdict
from mqlint.chlauth.gate import INBOUND, Channel, Gate
from mqlint.chlauth.record import Record, generic_fits

Fit = tuple[bool | None, str]
"""Whether a record is for a connection, None when it may be, and why not."""


def decide(gate: Gate, connection: Connection) -> Answer:
    """Return what becomes of a connection, and every record that was passed over."""
    channel = gate.channel(connection.channel)
    ended = without_channel(gate, channel)
    if ended is not None:
        return Answer(ended)
    if gate.enabled is False:
        return _answer(admit(gate, channel, connection, None), ())
    if connection.credentials and gate.adopts and gate.early:
        connection = replace(connection, user=connection.credentials)
    blocked, doubts = _listener(gate, connection)
    if blocked is not None:
        return Answer(blocked)
    outcomes, passed = _mapped(gate, channel, connection)
    answer = _answer([*doubts, *outcomes], passed)
    if gate.enabled is None:
        note = "CHLAUTH is ENABLED, as at every new queue manager"
        outcome = replace(answer.outcome, assumptions=(*answer.outcome.assumptions, note))
        return replace(answer, outcome=outcome)
    return answer


def without_channel(gate: Gate, channel: Channel) -> Outcome | None:
    """What becomes of it when there is no such channel, or none that a partner can start."""
    if channel.type is not None and channel.type not in INBOUND:
        why = f"{channel.name} is CHLTYPE({channel.type}): no partner can start it"
        return Outcome(Verdict.BLOCKED, None, None, why)
    if channel.defined is False and gate.defines_channels is False:
        why = f"there is no channel {channel.name} (AMQ9519), and none is defined by itself"
        return Outcome(Verdict.BLOCKED, None, None, why)
    if channel.type is None:
        return Outcome(Verdict.UNKNOWN, None, None, f"channel {channel.name} is not in these files")
    return None


def _listener(gate: Gate, connection: Connection) -> tuple[Outcome | None, list[Outcome]]:
    """BLOCKADDR: the listener asks it before it knows the channel."""
    doubts: list[Outcome] = []
    for record in gate.rules.addresses:
        for entry in record.entries if record.entries is not None else (None,):
            fit = None if entry is None else _in(connection.address, entry)
            if fit is False:
                continue
            verdict = Verdict.WARNED if record.warn else Verdict.BLOCKED
            why = f"the listener refuses {entry or 'an address that is not known'}"
            outcome = Outcome(verdict, None, record, why)
            if fit and record.certain and record.warn is False:
                return outcome, []
            if not record.warn:
                doubts.append(outcome)
    return None, doubts


def _in(address: str | None, entry: str) -> bool | None:
    try:
        found = pattern(entry)
    except NoAddressError:
        return False
    if address is None:
        return True if found == everything() else None
    return address in found


def _mapped(
    gate: Gate, channel: Channel, connection: Connection
) -> tuple[list[Outcome], tuple[PassedOver, ...]]:
    """The outcome of the strongest record that fits, and of those that may fit before it."""
    outcomes: list[Outcome] = []
    passed: list[PassedOver] = []
    winner: Record | None = None
    for record in gate.rules.mapping:
        if record.is_for(channel.name) is False:
            continue
        if winner is not None:
            passed.append(PassedOver(record, f"{winner.written()} comes first"))
            continue
        fit, why = fits(gate, channel, connection, record)
        if fit is False:
            passed.append(PassedOver(record, why))
        elif fit is None:
            passed.append(PassedOver(record, why))
            outcomes += admit(gate, channel, connection, record)
        else:
            winner = record
    outcomes += admit(gate, channel, connection, winner)
    return outcomes, tuple(passed)


def fits(gate: Gate, channel: Channel, connection: Connection, record: Record) -> Fit:
    """Return whether a record is for a connection, and why not."""
    who, why = _partner_fits(gate, channel, connection, record)
    if who is False:
        return False, why
    where, why_not = _address_fits(gate, connection, record)
    if where is False:
        return False, why_not
    if who is None or where is None:
        return None, why or why_not
    if not record.certain or record.is_for(channel.name) is None:
        return None, "a template or a branch leaves open whether it is there"
    return True, ""


def _partner_fits(gate: Gate, channel: Channel, connection: Connection, record: Record) -> Fit:
    if record.type == "ADDRESSMAP":
        return True, ""
    if record.type == "USERMAP":
        if not channel.is_client:
            return False, "USERMAP is for server-connection channels alone"
        return _user_fits(gate, connection, record)
    if record.type == "QMGRMAP":
        if channel.is_client:
            return False, "QMGRMAP has no effect on a server-connection channel"
        if record.partner is None or connection.queue_manager is None:
            return None, "the remote queue manager is not given"
        fit = generic_fits(record.partner, connection.queue_manager)
        return fit, f"{connection.queue_manager} does not fit QMNAME({record.partner})"
    return _certificate_fits(channel, connection, record)


def _user_fits(gate: Gate, connection: Connection, record: Record) -> Fit:
    if record.partner is None or connection.user is None:
        return None, "the client's user is not given"
    one, other = record.partner, connection.user
    if gate.ignores_case:
        one, other = one.lower(), other.lower()
    return one == other, f"{connection.user} is not CLNTUSER({record.partner})"


def _certificate_fits(channel: Channel, connection: Connection, record: Record) -> Fit:
    if channel.cipher == "":
        return False, f"channel {channel.name} has no SSLCIPH, so no certificate is shown"
    if connection.peer == "":
        return False, "the partner shows no certificate"
    for wanted, shown, word in (
        (record.partner, connection.peer, "SSLPEER"),
        (record.issuer, connection.issuer, "SSLCERTI"),
    ):
        if wanted == "":
            continue
        if wanted is None or shown is None:
            return None, "the partner's certificate is not given"
        try:
            fit = distinguished.fits(wanted, shown)
        except distinguished.NoNameError as error:
            return None, str(error)
        if not fit:
            return False, f"{shown} does not fit {word}({wanted})"
    return True, ""


def _address_fits(gate: Gate, connection: Connection, record: Record) -> Fit:
    found: AddressSet | None = record.addresses
    if found is None and record.host is not None:
        return _host_fits(gate, connection, record.host)
    if found is None or connection.address is None:
        whole = found is not None and found == everything()
        return (True, "") if whole else (None, "the address is not known")
    fit = connection.address in found
    return fit, f"{connection.address} is not in ADDRESS({record.address})"


def _host_fits(gate: Gate, connection: Connection, host: str) -> Fit:
    if gate.looks_up_names is False:
        return False, "names of hosts are not looked up with REVDNS(DISABLED)"
    if connection.hosts is None:
        return None, f"whether the address is a host {host} is not given"
    names = [one.lower() for one in connection.hosts]
    fit = any(generic_fits(host.lower(), one) for one in names)
    return fit, f"the host is not {host}"


def _answer(outcomes: list[Outcome], passed: tuple[PassedOver, ...]) -> Answer:
    """One outcome when all that are possible have the same effect, else unknown."""
    effects = {outcome.effect for outcome in outcomes}
    if len(effects) == 1:
        return Answer(outcomes[-1], passed)
    possible = tuple({outcome.effect: outcome for outcome in outcomes}.values())
    why = "what is not given decides"
    return Answer(Outcome(Verdict.UNKNOWN, None, None, why), passed, possible)
