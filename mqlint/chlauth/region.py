"""The verdict on all addresses at once: a partition into regions with one outcome each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from mqlint.chlauth.access import Channel, ChannelAccess
from mqlint.chlauth.address import MOST_BOXES, AddressSet, TooManyError
from mqlint.chlauth.admit import only_warns, settle
from mqlint.chlauth.auth_record import Part, Record, Trail
from mqlint.chlauth.connection import Connection, Outcome, one_of
from mqlint.chlauth.decide import refused_by_listener, warned_by_listener, warning_lists
from mqlint.chlauth.fit import (
    alternatives,
    not_defined,
    partner_fits,
    ways,
    where_of,
    without_channel,
)
from mqlint.dataclass import frozen
from mqlint.grouping import grouped


@frozen
class Region:
    """Addresses from which a connection has one outcome; unknown if several are possible."""

    addresses: AddressSet
    outcome: Outcome
    possible: tuple[Outcome, ...] = ()


def regions(
    access: ChannelAccess,
    connection: Connection,
    networks: AddressSet,
    channel: Channel | None = None,
) -> list[Region]:
    """Return the outcome of a connection from each of the addresses of `networks`.

    The address of `connection` is ignored; `channel` is the one it asks for, if it is not
    as the files define it. The regions do not overlap and together are
    `networks`. Raises TooManyError when they fall into too many parts.
    """
    found = list(each_region(access, connection, networks, channel))
    if sum(len(region.addresses.boxes) for region in found) > MOST_BOXES:
        raise TooManyError(f"the addresses fall into more than {MOST_BOXES} parts")
    return found


def each_region(
    access: ChannelAccess,
    connection: Connection,
    networks: AddressSet,
    channel: Channel | None,
) -> Iterator[Region]:
    """Yield the same, one region after the other; there may be many.

    The addresses that the listener blocks come first, then the outcomes for the rest.
    """
    channel = channel or access.channel(connection.channel)
    connection = replace(connection, address=None)
    left = AddressSet(networks.boxes, access.manager.budget("addresses of partners"))
    ended = without_channel(access, channel)
    if ended is not None:
        yield Region(left, ended)
        return
    doubts = list[tuple[AddressSet, Outcome]]()
    for record, where, sure in _listened(access):
        taken = left if where is None else left & where
        if not taken:
            continue
        if sure:
            yield Region(taken, refused_by_listener(record))
            left = left - taken
        else:
            doubts.append((taken, refused_by_listener(record)))
    if not left:
        return
    for part, outcomes in _settled(access, channel, connection, left):
        for where, found in _warned(access, part, outcomes):
            yield from _doubted(where, found, doubts)


def merged(found: Iterable[Region], by_record: bool = True) -> list[Region]:
    """Return regions with one each for what a partner would notice.

    With `by_record` the record that decides tells regions apart too; else the outcome of the
    first one stands for all.
    """

    def noticed(region: Region) -> tuple[object, ...]:
        possible = frozenset(each.effect for each in region.possible)
        return region.outcome.effect, possible, region.outcome.record if by_record else None

    together = grouped((noticed(region), region) for region in found)
    return [replace(alike[0], addresses=_together(alike)) for alike in together.values()]


def _together(found: Sequence[Region]) -> AddressSet:
    """The addresses of regions, which do not overlap, with their budget."""
    sets = [region.addresses for region in found]
    return AddressSet(tuple(box for each in sets for box in each.boxes), sets[0].budget)


def _warned(
    access: ChannelAccess, part: AddressSet, outcomes: list[Outcome]
) -> Iterator[tuple[AddressSet, list[Outcome]]]:
    """A part with its outcomes, cut along the addresses of BLOCKADDR records that only warn."""
    for record in warning_lists(access):
        where = record.blocked
        inside, outside = (part, AddressSet()) if where is None else part.split(where)
        if inside:
            warned = [warned_by_listener(record, outcome) for outcome in outcomes]
            is_sure = where is not None and record.certain
            yield inside, warned if is_sure else [*outcomes, *warned]
        part = outside
    if part:
        yield part, outcomes


def _listened(access: ChannelAccess) -> Iterator[tuple[Record, AddressSet | None, bool]]:
    """The lists that the listener asks: the addresses, None for unknown, and whether it is sure."""
    if access.enabled is False:
        return
    for record in access.rules.addresses:
        if record.warn:
            continue
        where = record.blocked
        sure = where is not None and record.certain and record.warn is False
        yield record, where, sure


def _settled(
    access: ChannelAccess, channel: Channel, connection: Connection, left: AddressSet
) -> Iterator[tuple[AddressSet, list[Outcome]]]:
    """Parts of `left` with the outcomes that are possible there, in all ways it may go."""
    parts: list[tuple[AddressSet, list[Outcome]]] = [(left, not_defined(channel))]
    variants = (
        (variant, way, adoption)
        for variant in alternatives(channel, connection)
        for way, adoption in ways(access, variant, connection)
    )
    for variant, way, adoption in variants:
        found = [
            (part, settle(access, variant, way, adoption, trail))
            for part, trail in trails(access, variant, way, left)
        ]
        if len(parts) > 1:
            crossed = (
                (part & other, [*outcomes, *others])
                for part, outcomes in parts
                for other, others in found
            )
            parts = [(part, outcomes) for part, outcomes in crossed if part]
        else:
            parts = [(part, [*parts[0][1], *outcomes]) for part, outcomes in found]
    yield from parts


def trails(
    access: ChannelAccess, channel: Channel, connection: Connection, left: AddressSet
) -> list[Part]:
    """Return `left` in parts, each with the records that fit or may fit what comes from there."""
    return _partition(access, _fitting(access, channel, connection), left) if left else []


def _fitting(access: ChannelAccess, channel: Channel, connection: Connection) -> tuple[Trail, ...]:
    """The records that fit or may fit who connects, those of one profile together.

    They do not depend on the MCAUSER of the channel: the last ones are kept for the next channel
    that has the same records.
    """
    groups = access.mapping.groups_of(channel.name)
    key = (groups, channel.type, channel.cipher, replace(connection, channel=""))
    if access.fitting is None or access.fitting[0] != key:
        fitting: list[Trail] = []
        for record in _candidates(access, channel, connection):
            who, _ = partner_fits(access, channel, connection, record)
            if who is False:
                continue
            if not fitting or fitting[-1][0][0].profile != record.profile:
                fitting.append(())
            fitting[-1] += ((record, who is True),)
        access.fitting = (key, tuple(fitting))
    return access.fitting[1]


def _candidates(
    access: ChannelAccess, channel: Channel, connection: Connection
) -> Iterable[Record]:
    """The records that may fit a connection by their profile, and by the name of their partner."""
    if access.enabled is False:
        return ()
    name = connection.user if channel.is_client else connection.queue_manager
    if name is None or channel.type == "AMQP":
        return access.mapping_for(channel.name)
    kind = "USERMAP" if channel.is_client else "QMGRMAP"
    groups = access.mapping.groups_of(channel.name)
    return access.mapping.for_partner(groups, kind, name, connection.peer)


def _partition(access: ChannelAccess, fitting: tuple[Trail, ...], whole: AddressSet) -> list[Part]:
    """Cut addresses by the records of one profile after the other.

    The records of general profiles are those of many channels: how they cut the whole is worked
    out once, and what the special ones take is taken out of it.
    """
    if not fitting:
        return [(whole, ())]
    if "*" not in fitting[0][0][0].profile:  # that of one channel, not asked for again
        return list(_cut_further(access, fitting, whole))
    key = (fitting, whole)
    if key not in access.partitions:
        access.partitions[key] = None
        access.partitions[key] = list(_cut_further(access, fitting, whole))
    found = access.partitions[key]
    if found is None:
        raise TooManyError(f"the addresses fall into more than {MOST_BOXES} parts")
    return found


def _cut_further(
    access: ChannelAccess, fitting: tuple[Trail, ...], whole: AddressSet
) -> Iterator[Part]:
    ended, going = _cut(access, fitting[0], whole)
    yield from ended
    if len(fitting) == 1:
        yield from ((part, trail) for trail, part in going.items())
        return
    if not going:
        return
    taken = AddressSet(tuple(box for part in (*ended, *_doubtful(going)) for box in part[0].boxes))
    for where, more in _partition(access, fitting[1:], whole):
        if () in going:
            left = where if where.is_apart(taken) else where - taken
            if left:
                yield left, more
        for part, trail in _doubtful(going):
            inside = part & where
            if inside:
                yield inside, (*trail, *more)


def _doubtful(going: Mapping[Trail, AddressSet]) -> list[Part]:
    """Addresses that go on with records that may fit, or only warn."""
    return [(part, trail) for trail, part in going.items() if trail]


def _cut(
    access: ChannelAccess, fitting: Trail, left: AddressSet
) -> tuple[list[Part], dict[Trail, AddressSet]]:
    """Cut addresses by the records of a profile: what they decide on, and what goes on."""
    ended: list[Part] = []
    going: dict[Trail, AddressSet] = {(): left}
    for record, fits in fitting:
        where, known = where_of(access, record)
        sure = fits and known
        ends = sure and not only_warns(record)
        remaining: dict[Trail, AddressSet] = {}
        for trail, part in going.items():
            inside, outside = (part, AddressSet()) if where is None else part.split(where)
            if outside:
                remaining[trail] = outside
            if inside and ends:
                ended.append((inside, (*trail, (record, True))))
            elif inside:
                remaining[(*trail, (record, sure))] = inside
        going = remaining
    return ended, going


def _doubted(
    taken: AddressSet, outcomes: list[Outcome], doubts: list[tuple[AddressSet, Outcome]]
) -> Iterator[Region]:
    """A part, cut along what the listener may block."""
    cut: list[tuple[AddressSet, list[Outcome]]] = [(taken, outcomes)]
    for where, outcome in doubts:
        pieces: list[tuple[AddressSet, list[Outcome]]] = []
        for part, found in cut:
            inside, outside = part & where, part - where
            pieces += [(inside, [outcome, *found])] if inside else []
            pieces += [(outside, found)] if outside else []
        cut = pieces
    for part, found in cut:
        yield Region(part, *one_of(found))
