"""Which connections a change admits that were refused before, and the other way round.

For each channel that both descriptions can differ in, and each kind of partner that a record of one
of them names, both verdicts are worked out for all addresses. Addresses whose verdicts differ are
the difference: a set, with one of its addresses as the witness. Clients are tried without a
password and with one, if it is known on both sides what CONNAUTH asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from mqlint.chlauth.access import Channel, ChannelAccess
from mqlint.chlauth.address import AddressSet, TooManyError, everything
from mqlint.chlauth.audit import identities, signature
from mqlint.chlauth.connection import STRANGER, Connection, Outcome, Verdict
from mqlint.chlauth.decide import decide
from mqlint.chlauth.region import merged, regions
from mqlint.dataclass import frozen
from mqlint.source.budget import Budget

Kind = Literal["newly admitted", "no longer admitted", "other user", "not decided"]

_MOST_REPEATED = 20
"""Differences that are given for each of several channels that share them."""

_NO_CHANNEL = Outcome(Verdict.BLOCKED, None, None, "the channel does not exist")
_GETS_IN = (Verdict.ALLOWED, Verdict.WARNED)


@frozen
class Admission:
    """Connections of one kind of partner to a channel that a change decides in another way.

    `witness` is one of the addresses, `before` and `after` are the outcomes there. If the addresses
    are too many to work out, there are none, and `fault` says so. `same_as` names a channel to
    which all connections of this kind are decided as to this one: only the first is given here.
    """

    kind: Kind
    channel: str
    who: str
    addresses: AddressSet
    witness: str
    before: Outcome
    after: Outcome
    fault: str = ""
    same_as: str = ""


def admissions(
    now: ChannelAccess, wanted: ChannelAccess, is_concerned: Callable[[str], bool]
) -> Iterator[Admission]:
    """Yield what becomes different for partners, by channel.

    `is_concerned` says of a name whether its channel can have another outcome.
    """
    here = {channel.name: channel for channel in now.channels()}
    there = {channel.name: channel for channel in wanted.channels()}
    known: dict[object, tuple[str, list[Admission]]] = {}
    for name in sorted(here.keys() | there.keys()):
        if not is_concerned(name):
            continue
        a, b = here.get(name), there.get(name)
        key = (
            None if a is None else signature(now, a),
            None if b is None else signature(wanted, b),
        )
        if key not in known:
            known[key] = name, list(_of_channel(now, a, wanted, b))
        first, found = known[key]
        if first == name or len(found) <= _MOST_REPEATED:
            yield from (replace(admission, channel=name) for admission in found)
        else:
            by_kind = {admission.kind: admission for admission in reversed(found)}
            for admission in by_kind.values():
                yield replace(admission, channel=name, same_as=first)


def _of_channel(
    now: ChannelAccess, a: Channel | None, wanted: ChannelAccess, b: Channel | None
) -> Iterator[Admission]:
    # Anybody is the first partner of each group; those who fare alike are left out.
    of_anybody: dict[tuple[bool, str], list[object]] = {}
    budget = wanted.manager.budget("connections")
    records = sum(_number_of_records(access, of) for access, of in ((now, a), (wanted, b)))
    for label, group, partner in _partners(now, a, wanted, b):
        try:
            found = {
                password: list(
                    _paid(_of_partner(now, a, wanted, b, label, connection), budget, records)
                )
                for password, connection in _with_passwords(now, a, wanted, b, partner)
            }
        except TooManyError as error:
            fault = str(error)
            yield Admission(
                "not decided", "", label, AddressSet(), "", _NO_CHANNEL, _NO_CHANNEL, fault
            )
            if budget.is_spent:
                return  # the same would be said of each further partner
            continue
        # Who gives a password may be adopted: another user alone does not tell the two apart.
        sets = [[(each.kind, each.addresses) for each in alike] for alike in found.values()]
        if all(each == sets[0] for each in sets):
            found = {"": next(iter(found.values()))}
        for password, admitted in found.items():
            differences: list[object] = [
                (each.kind, each.addresses, each.after.effect) for each in admitted
            ]
            if differences != of_anybody.get((group, password)):
                yield from (replace(each, who=label + password) for each in admitted)
            of_anybody.setdefault((group, password), differences)


def _number_of_records(access: ChannelAccess, channel: Channel | None) -> int:
    if channel is None:
        return 0
    return len(access.mapping_for(channel.name)) + len(access.users_for(channel.name))


def _paid(found: Iterator[Admission], budget: Budget, records: int) -> Iterator[Admission]:
    """Yield differences, each of which, as the partner itself, is compared with all records."""
    while budget.spend(records):
        admission = next(found, None)
        if admission is None:
            return
        yield admission
    raise TooManyError("too many connections to compare for the number of commands")


def _with_passwords(
    now: ChannelAccess,
    a: Channel | None,
    wanted: ChannelAccess,
    b: Channel | None,
    partner: Connection,
) -> Iterator[tuple[str, Connection]]:
    """Yield a client without a password and with one; as it is if nothing shows who is asked."""
    is_client = any(channel is not None and channel.is_client for channel in (a, b))
    checks = [access.authentication.check for access in (now, wanted)]
    if not is_client or None in checks:
        yield "", partner
        return
    yield " without a password", replace(partner, credentials="")
    yield " with a password", replace(partner, credentials=partner.user)


def _partners(
    now: ChannelAccess, a: Channel | None, wanted: ChannelAccess, b: Channel | None
) -> Iterator[tuple[str, bool, Connection]]:
    """Yield the kinds of partners of both: their label, their group, one of them.

    If a change of the cipher makes a partner show a certificate, both partners are compared: those
    with a certificate and those without, a group each.
    """
    kinds: dict[str, dict[bool, Connection]] = {}
    for access, channel in ((now, a), (wanted, b)):
        if channel is not None:
            for identity in identities(access, channel):
                kind = kinds.setdefault(identity.label, {})
                kind.setdefault(bool(identity.connection.peer), identity.connection)
    is_split = any(len(kind) > 1 for kind in kinds.values())
    for label, kind in kinds.items():
        for has_certificate, connection in kind.items():
            if is_split:
                certificate = "with a certificate" if has_certificate else "without a certificate"
                yield f"{label} {certificate}", has_certificate, connection
            else:
                yield label, False, connection


def _of_partner(
    now: ChannelAccess,
    a: Channel | None,
    wanted: ChannelAccess,
    b: Channel | None,
    label: str,
    connection: Connection,
) -> Iterator[Admission]:
    after = _verdicts(wanted, b, connection)
    for where, first, is_sure in _verdicts(now, a, connection):
        for there, second, is_certain in after:
            common = where & there
            if not common or first.effect == second.effect:
                continue
            kind = _kind(first, second) if is_sure and is_certain else "not decided"
            witness = common.witness()
            outcomes = (
                _at(now, a, connection, witness, first),
                _at(wanted, b, connection, witness, second),
            )
            yield Admission(kind, "", label, common, witness, *outcomes)


def _at(
    access: ChannelAccess,
    channel: Channel | None,
    connection: Connection,
    address: str,
    merged_outcome: Outcome,
) -> Outcome:
    """An outcome of many addresses, with the record that decides at one of them."""
    if channel is None or not address:
        return merged_outcome
    own = replace(connection, channel=channel.name, address=address)
    found = decide(access, own).outcome
    is_same = found.effect == merged_outcome.effect
    return replace(merged_outcome, record=found.record) if is_same else merged_outcome


def _verdicts(
    access: ChannelAccess, channel: Channel | None, connection: Connection
) -> list[tuple[AddressSet, Outcome, bool]]:
    """The outcomes by addresses, and whether each is sure."""
    if channel is None:
        return [(everything(), _NO_CHANNEL, True)]
    own = replace(connection, channel=channel.name)
    found = merged(regions(access, own, everything()), by_record=False)
    return [
        (
            region.addresses,
            region.outcome,
            not region.possible and region.outcome.verdict is not Verdict.UNKNOWN,
        )
        for region in found
    ]


def _kind(before: Outcome, after: Outcome) -> Kind:
    was, is_in = before.verdict in _GETS_IN, after.verdict in _GETS_IN
    if is_in and not was:
        return "newly admitted"
    return "no longer admitted" if was and not is_in else "other user"


def user_of(outcome: Outcome) -> str:
    """Return the user as which a connection runs, blank if no record or channel names one."""
    return "" if outcome.user in (None, STRANGER) else str(outcome.user)
