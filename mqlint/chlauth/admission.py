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


@frozen
class _Side:
    """A channel as one of two descriptions has it; None if it does not have the channel."""

    access: ChannelAccess
    channel: Channel | None

    @property
    def signature(self) -> object:
        return None if self.channel is None else signature(self.access, self.channel)

    @property
    def number_of_records(self) -> int:
        if self.channel is None:
            return 0
        name = self.channel.name
        return len(self.access.mapping_for(name)) + len(self.access.users_for(name))

    def verdicts(self, connection: Connection) -> list[tuple[AddressSet, Outcome, bool]]:
        """Return the outcomes by addresses, and whether each is sure."""
        if self.channel is None:
            return [(everything(), _NO_CHANNEL, True)]
        own = replace(connection, channel=self.channel.name)
        found = merged(regions(self.access, own, everything()), by_record=False)
        return [
            (
                region.addresses,
                region.outcome,
                not region.possible and region.outcome.verdict is not Verdict.UNKNOWN,
            )
            for region in found
        ]

    def at(self, address: str, connection: Connection, outcome: Outcome) -> Outcome:
        """Return an outcome of many addresses with the record that decides at one of them."""
        if self.channel is None or not address:
            return outcome
        own = replace(connection, channel=self.channel.name, address=address)
        found = decide(self.access, own).outcome
        is_same = found.effect == outcome.effect
        return replace(outcome, record=found.record) if is_same else outcome


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
        before, after = _Side(now, here.get(name)), _Side(wanted, there.get(name))
        key = before.signature, after.signature
        if key not in known:
            known[key] = name, list(_of_channel(before, after))
        first, found = known[key]
        if first == name or len(found) <= _MOST_REPEATED:
            yield from (replace(admission, channel=name) for admission in found)
        else:
            by_kind = {admission.kind: admission for admission in reversed(found)}
            for admission in by_kind.values():
                yield replace(admission, channel=name, same_as=first)


def _of_channel(before: _Side, after: _Side) -> Iterator[Admission]:
    # Anybody is the first partner of each group; those who fare alike are left out.
    of_anybody: dict[tuple[bool, str], list[object]] = {}
    budget = after.access.manager.budget("connections")
    records = before.number_of_records + after.number_of_records
    for label, group, partner in _partners(before, after):
        try:
            found = {
                password: list(
                    _paid(_of_partner(before, after, label, connection), budget, records)
                )
                for password, connection in _with_passwords(before, after, partner)
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


def _paid(found: Iterator[Admission], budget: Budget, records: int) -> Iterator[Admission]:
    """Yield differences, each of which, as the partner itself, is compared with all records."""
    while budget.spend(records):
        admission = next(found, None)
        if admission is None:
            return
        yield admission
    raise TooManyError("too many connections to compare for the number of commands")


def _with_passwords(
    before: _Side, after: _Side, partner: Connection
) -> Iterator[tuple[str, Connection]]:
    """Yield a client without a password and with one; as it is if nothing shows who is asked."""
    channels = (before.channel, after.channel)
    is_client = any(channel is not None and channel.is_client for channel in channels)
    checks = [side.access.authentication.check for side in (before, after)]
    if not is_client or None in checks:
        yield "", partner
        return
    yield " without a password", replace(partner, credentials="")
    yield " with a password", replace(partner, credentials=partner.user)


def _partners(before: _Side, after: _Side) -> Iterator[tuple[str, bool, Connection]]:
    """Yield the kinds of partners of both: their label, their group, one of them.

    If a change of the cipher makes a partner show a certificate, both partners are compared: those
    with a certificate and those without, a group each.
    """
    kinds: dict[str, dict[bool, Connection]] = {}
    for side in (before, after):
        if side.channel is not None:
            for identity in identities(side.access, side.channel):
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
    before: _Side, after: _Side, label: str, connection: Connection
) -> Iterator[Admission]:
    wanted = after.verdicts(connection)
    for where, first, is_sure in before.verdicts(connection):
        for there, second, is_certain in wanted:
            common = where & there
            if not common or first.effect == second.effect:
                continue
            kind = _kind(first, second) if is_sure and is_certain else "not decided"
            witness = common.witness()
            outcomes = (
                before.at(witness, connection, first),
                after.at(witness, connection, second),
            )
            yield Admission(kind, "", label, common, witness, *outcomes)


def _kind(before: Outcome, after: Outcome) -> Kind:
    was, is_in = before.verdict.lets_in, after.verdict.lets_in
    if is_in and not was:
        return "newly admitted"
    return "no longer admitted" if was and not is_in else "other user"


def user_of(outcome: Outcome) -> str:
    """Return the user as which a connection runs, blank if no record or channel names one."""
    return "" if outcome.user in (None, STRANGER) else str(outcome.user)
