"""The verdict on all addresses at once: a partition into regions with one outcome each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from mqlint.chlauth.address import (
    MOST_BOXES,
    AddressSet,
    NoAddressError,
    TooManyError,
    pattern,
    union,
)
from mqlint.chlauth.admit import admit
from mqlint.chlauth.connection import Connection, Outcome, Verdict
from mqlint.chlauth.decide import fits, without_channel
from mqlint.chlauth.gate import Channel, Gate
from mqlint.chlauth.record import Record


@dataclass(frozen=True, slots=True)
class Region:
    """Addresses from which a connection has one outcome; unknown where several are possible."""

    addresses: AddressSet
    outcome: Outcome
    possible: tuple[Outcome, ...] = ()


def regions(gate: Gate, connection: Connection, networks: AddressSet) -> list[Region]:
    """Return what becomes of a connection from each of the addresses of `networks`.

    The address of `connection` is not looked at. The regions do not overlap and together are
    `networks`. Raises TooManyError when they fall into too many parts.
    """
    channel = gate.channel(connection.channel)
    ended = without_channel(gate, channel)
    if ended is not None:
        return [Region(networks, ended)] if networks else []
    if gate.enabled is False:
        return [_region(networks, admit(gate, channel, connection, None))] if networks else []
    if connection.credentials and gate.adopts and gate.early:
        connection = replace(connection, user=connection.credentials)
    found = list(_walk(gate, channel, connection, networks))
    if sum(len(one.addresses.boxes) for one in found) > MOST_BOXES:
        raise TooManyError(f"the addresses fall into more than {MOST_BOXES} parts")
    return found


def _walk(
    gate: Gate, channel: Channel, connection: Connection, networks: AddressSet
) -> Iterator[Region]:
    """The addresses that the listener blocks, then what each record takes of the rest."""
    left, doubts = networks, list[tuple[AddressSet, Outcome]]()
    for record in gate.rules.addresses:
        if record.entries is None:
            doubts.append((left, _listener(record)))
            continue
        blocked = union(_listed(record.entries))
        taken = left & blocked
        if not taken or record.warn:
            continue
        if record.certain and record.warn is False:
            yield Region(taken, _listener(record))
            left = left - taken
        else:
            doubts.append((taken, _listener(record)))
    for taken, outcomes in _shared(gate, channel, connection, left):
        yield from _doubted(taken, outcomes, doubts)


def _listener(record: Record) -> Outcome:
    return Outcome(Verdict.BLOCKED, None, record, "the listener refuses the address")


def _listed(entries: Iterable[str]) -> Iterator[AddressSet]:
    for entry in entries:
        try:
            yield pattern(entry)
        except NoAddressError:
            continue


def _shared(
    gate: Gate, channel: Channel, connection: Connection, left: AddressSet
) -> Iterator[tuple[AddressSet, list[Outcome]]]:
    """Parts of `left` with the outcomes that are possible there."""
    anywhere = replace(connection, address=None)
    parts: list[tuple[AddressSet, list[Outcome]]] = [(left, [])]
    for record in gate.rules.mapping:
        if not parts:
            return
        if record.is_for(channel.name) is False:
            continue
        fit, _ = fits(gate, channel, anywhere, _without_address(record))
        if fit is False:
            continue
        outcomes = admit(gate, channel, connection, record)
        where, sure = _where(gate, connection, record)
        remaining: list[tuple[AddressSet, list[Outcome]]] = []
        for part, before in parts:
            inside = part if where is None else part & where
            if not inside:
                remaining.append((part, before))
                continue
            outside = AddressSet() if where is None else part - where
            if outside:
                remaining.append((outside, before))
            if fit and sure:
                yield inside, [*before, *outcomes]
            else:
                remaining.append((inside, [*before, *outcomes]))
        parts = remaining
    outcomes = admit(gate, channel, connection, None)
    for part, before in parts:
        if part:
            yield part, [*before, *outcomes]


def _without_address(record: Record) -> Record:
    return replace(record, address="")


def _where(gate: Gate, connection: Connection, record: Record) -> tuple[AddressSet | None, bool]:
    """The addresses of a record, None when it does not tell, and whether that is sure."""
    if record.addresses is not None:
        return record.addresses, True
    if record.host is not None and gate.looks_up_names is False:
        return AddressSet(), True
    return None, False


def _doubted(
    taken: AddressSet, outcomes: list[Outcome], doubts: list[tuple[AddressSet, Outcome]]
) -> Iterator[Region]:
    """A part, cut along what the listener may block."""
    for where, outcome in doubts:
        inside = taken & where
        if inside:
            yield _region(inside, [outcome, *outcomes])
            taken = taken - where
    if taken:
        yield _region(taken, outcomes)


def _region(addresses: AddressSet, outcomes: list[Outcome]) -> Region:
    effects = {outcome.effect: outcome for outcome in outcomes}
    if len(effects) == 1:
        return Region(addresses, outcomes[-1])
    why = "what is not given decides"
    unknown = Outcome(Verdict.UNKNOWN, None, None, why)
    return Region(addresses, unknown, tuple(effects.values()))
