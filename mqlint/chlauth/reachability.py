"""Which channel authentication records can decide on a connection, and why others cannot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from mqlint.chlauth import distinguished
from mqlint.chlauth.access import INBOUND, Channel, ChannelAccess
from mqlint.chlauth.address import AddressSet, Box, TooManyError, everything, union
from mqlint.chlauth.admit import only_warns
from mqlint.chlauth.auth_record import NO_ACCESS, Record
from mqlint.chlauth.profile_index import ProfileIndex
from mqlint.chlauth.rules import SHIPPED, Refusal
from mqlint.chlauth.wildcard import generic_fits
from mqlint.dataclass import frozen
from mqlint.grouping import grouped
from mqlint.language.mqsc import Templated
from mqlint.model.core.queue_manager import QueueManager
from mqlint.source.budget import Budget
from mqlint.validity.address_pattern import crossing

Mask = tuple[int, ...]

_FOR_CLIENTS = ("USERMAP", "BLOCKUSER")


@frozen
class Reachability:
    """What is known of a record; each is blank if nothing is wrong.

    `never` says why it can decide on nothing, `shadowed_by` which other records leave it no
    address, `same_as` which one has the same key written otherwise, `crosses` the address of the
    same partner that it meets in part (reason 3343), `undone_by` the record used before it that
    lets in what this one refuses, `host` the names of hosts it is for. `address` is blank if it is
    for every address, `issuer` if a certificate may be of any; None is not known.
    `refused` is a record of every new queue manager with the same key and another effect: ADD of
    this one is refused (reason 3337).
    `guarded` names a channel it is for that asks, or may ask, its partners for a certificate.
    `only_for` is the kind of channels if it is for none that a client can start.
    """

    never: str = ""
    shadowed_by: str = ""
    same_as: str = ""
    crosses: str = ""
    undone_by: str = ""
    host: str = ""
    address: str | None = ""
    issuer: str | None = ""
    guarded: str = ""
    only_for: str = ""
    refused: str = ""


def reachabilities(manager: QueueManager) -> Mapping[str, Reachability]:
    """Return the reachability of each record of a queue manager, by the key of its object."""
    access = manager.cached(ChannelAccess)
    rules = access.rules
    found = {record.key: _plain(record) for record in rules.mapping if record.key}
    found |= {record.key: Reachability() for record in rules.users if record.key}
    for refusal in rules.refused:
        found[refusal.record.key] = _refused(refusal)
    _add_channels(access, found)
    _add_blocked(access, found)
    budget = manager.budget("channel authentication records")
    for group in _groups(rules.mapping):
        for record, reachability in _in_group(group, found, budget):
            found[record.key] = reachability
    able = [record for record in rules.mapping if not (record.key and found[record.key].never)]
    for record, other in _undone(able, _blocked(access), budget):
        found[record.key] = replace(found[record.key], undone_by=other.written())
    return found


def _add_channels(access: ChannelAccess, found: dict[str, Reachability]) -> None:
    """Add what depends on channels, which is the same for all records of a profile and type."""
    records = [record for record in (*access.rules.mapping, *access.rules.users) if record.key]
    channels = _channels(access, (record.profile for record in records))
    if channels is None:
        return
    known: dict[tuple[str, str], tuple[str, str]] = {}
    for record in records:
        key = record.profile, record.type
        is_sure = record.certain and not isinstance(record.profile, Templated)
        if is_sure and key not in known:
            known[key] = _never(access, channels, record), _only_for(access, channels, record)
        never, only_for = known[key] if is_sure else ("", "")
        guarded = channels.guarded(record.profile)
        if never or guarded or only_for:
            found[record.key] = replace(
                found[record.key], never=never, guarded=guarded, only_for=only_for
            )


def _blocked(access: ChannelAccess) -> AddressSet:
    """Return the addresses that the listener refuses before any record is used."""
    lists = [record for record in access.rules.addresses if record.certain and record.warn is False]
    return union(record.blocked for record in lists if record.blocked is not None)


def _add_blocked(access: ChannelAccess, found: dict[str, Reachability]) -> None:
    """Add the records that let in only addresses that the listener refuses before."""
    blocked = _blocked(access)
    for record in access.rules.mapping if blocked and access.enabled is not False else ():
        lets_in = record.key and record.certain and record.source != "NOACCESS"
        if lets_in and _is_within(record.addresses, blocked):
            never = "BLOCKADDR refuses all its addresses"
            found[record.key] = replace(found[record.key], never=never)


def _is_within(addresses: AddressSet | None, blocked: AddressSet) -> bool:
    try:
        return addresses is not None and addresses <= blocked
    except TooManyError:
        return False


def _refused(refusal: Refusal) -> Reachability:
    """The reachability of a record that the queue manager refuses: only the reason."""
    plain, other = _plain(refusal.record), refusal.other
    if refusal.crosses:
        return replace(plain, crosses=other.address or "")
    is_same = other.effect == refusal.record.effect
    return plain if is_same else replace(plain, refused=other.written())


def _plain(record: Record) -> Reachability:
    address = "" if record.addresses == everything() else record.address
    return Reachability(host=record.host or "", address=address, issuer=record.issuer)


class _Channels:
    """The channels of the files, by the profiles that fit their names."""

    def __init__(self, channels: Mapping[str, Channel], profiles: Iterable[str]) -> None:
        self._channels = channels
        self._index = ProfileIndex((profile, None) for profile in profiles)
        self._names = self._index.names(sorted(channels))
        self._guarded: dict[int, str] = {}

    def like(self, profile: str) -> list[Channel]:
        """Return those whose name a profile fits."""
        names = self._names.get(self._index.group_of(profile), ())
        return [self._channels[name] for name in names]

    def guarded(self, profile: str) -> str:
        """Return the first whose name a profile fits and that may ask for a certificate."""
        group = self._index.group_of(profile)
        if group not in self._guarded:
            self._guarded[group] = next(filter(self._is_guarded, self._names.get(group, ())), "")
        return self._guarded[group]

    def _is_guarded(self, name: str) -> bool:
        """Whether TLS asks, or may ask, its partners for a certificate too."""
        channel = self._channels[name]
        return channel.cipher != "" and channel.needs_certificate is not False


def _channels(access: ChannelAccess, profiles: Iterable[str]) -> _Channels | None:
    """The channels of the files; None if one may have any name."""
    names = [channel.name for channel in access.manager.objects("channel")]
    if any(isinstance(name, Templated) for name in names):
        return None
    return _Channels({name: access.channel(name) for name in names}, profiles)


def _never(access: ChannelAccess, channels: _Channels, record: Record) -> str:
    profile = record.profile
    fitting = channels.like(profile)
    if not _is_all(access, profile, fitting):
        return ""
    inbound = [channel for channel in fitting if channel.type in INBOUND]
    if len(inbound) < len([channel for channel in fitting if channel.type != "CLNTCONN"]):
        return ""  # a sender too can be called, by a requester
    if not inbound:
        return "no channel that a partner can start has a matching name"
    if record.type in _FOR_CLIENTS and not any(channel.is_client for channel in inbound):
        return f"{record.type} is for server-connection channels, but none has a matching name"
    if record.type == "QMGRMAP" and all(channel.is_client for channel in inbound):
        return (
            "QMGRMAP has no effect on server-connection channels, but all matching "
            "channels are of that type"
        )
    if record.type == "SSLPEERMAP" and all(channel.cipher == "" for channel in inbound):
        return "no matching channel has SSLCIPH, so partners send no certificate"
    return ""


def _only_for(access: ChannelAccess, channels: _Channels, record: Record) -> str:
    fitting = channels.like(record.profile)
    has_client = any(channel.is_client for channel in fitting)
    is_known = bool(fitting) and _is_all(access, record.profile, fitting)
    return "message channels" if is_known and not has_client else ""


def _is_all(access: ChannelAccess, profile: str, fitting: Sequence[Channel]) -> bool:
    """Whether no channel but those found can have a name that a profile fits."""
    if any(channel.defined is not True or channel.type is None for channel in fitting):
        return False
    if "*" not in profile and fitting:
        return True
    if profile.startswith(("SYSTEM.", "*")) or access.defines_channels is not False:
        return False  # channels that come with the product, or come by themselves
    if "*" not in profile and access.manager.is_external("channel", profile):
        return False
    return access.manager.has_all("channel")


def _groups(records: Iterable[Record]) -> Iterable[list[Record]]:
    """Records that differ in their address alone, each group with the strongest first."""
    groups = grouped(
        (
            (record.profile, record.type, _folded(record.partner), _folded(record.issuer or "")),
            record,
        )
        for record in records
        if (record.certain or record.tied)
        and not isinstance(record.profile, Templated)
        and record.partner is not None
    )
    return [group for group in groups.values() if len(group) > 1]


def _folded(name: str) -> object:
    """A distinguished name without what makes no difference; another name as it is."""
    if "=" not in name:
        return name
    try:
        return tuple(sorted(distinguished.parse(name).items()))
    except distinguished.NoNameError:
        return name


def _in_group(
    group: Sequence[Record], known: Mapping[str, Reachability], budget: Budget
) -> Iterator[tuple[Record, Reachability]]:
    crossed = crossing(record.address for record in group if record.address)
    stronger = _ByAddress()
    for record in group:
        mine = record.addresses
        if mine is None:
            continue
        if record.key:
            reachability = known[record.key]
            if crossed is not None and record.address == crossed[1]:
                reachability = replace(reachability, crosses=crossed[0])
            yield record, _shadowed(mine, stronger.near(mine), reachability, budget)
        stronger.add(record, mine)


class _ByAddress:
    """Records by the parts of their addresses that are one number, to find those that overlap.

    Most records of a channel are for addresses apart from each other: to compare each with each
    takes seconds for two thousand. Boxes whose `mask` (the places of such parts) is the same are in
    one table for each set of places that another box has in common with them: four parts make
    at most 81 tables.
    """

    def __init__(self) -> None:
        self._records: list[Record] = []
        self._boxes: dict[Mask, list[tuple[Box, int]]] = {}
        self._tables: dict[Mask, dict[Mask, dict[tuple[int, ...], list[int]]]] = {}

    def add(self, record: Record, addresses: AddressSet) -> None:
        """Add a record; `near` keeps the order."""
        number = len(self._records)
        self._records.append(record)
        for box in addresses.boxes:
            mask = _mask(box)
            self._boxes.setdefault(mask, []).append((box, number))
            for common, table in self._tables.get(mask, {}).items():
                table.setdefault(_numbers(box, common), []).append(number)

    def near(self, addresses: AddressSet) -> list[Record]:
        """Return the records added that may have one of `addresses`, in their order."""
        found: set[int] = set()
        for box in addresses.boxes:
            own = _mask(box)
            for mask in self._boxes:
                if mask[0] == own[0]:
                    common = tuple(place for place in mask if place in own)
                    found.update(self._table(mask, common).get(_numbers(box, common), ()))
        return [self._records[number] for number in sorted(found)]

    def _table(self, mask: Mask, common: Mask) -> Mapping[tuple[int, ...], Sequence[int]]:
        tables = self._tables.setdefault(mask, {})
        if common not in tables:
            table = tables[common] = {}
            for box, number in self._boxes[mask]:
                table.setdefault(_numbers(box, common), []).append(number)
        return tables[common]


def _mask(box: Box) -> Mask:
    """The number of parts of a box, negative, and the places of those that are one number."""
    return (-len(box), *(place for place, (low, high) in enumerate(box) if low == high))


def _numbers(box: Box, mask: Mask) -> tuple[int, ...]:
    return tuple(box[place][0] for place in mask[1:])


def _shadowed(
    mine: AddressSet, stronger: Sequence[Record], reachability: Reachability, budget: Budget
) -> Reachability:
    """The addresses that the stronger records of its partner leave to a record."""
    left, taking = mine, list[Record]()
    for other in stronger:
        theirs = other.addresses
        if theirs is None or only_warns(other) or other.source is None or other.warn is None:
            continue
        pairs = len(left.boxes) * len(theirs.boxes)
        is_apart = left.is_apart(theirs)
        if not budget.spend(pairs, 0 if is_apart else pairs):
            return reachability
        if is_apart:
            continue
        try:
            _, outside = left.split(theirs)
        except TooManyError:
            return reachability
        if mine.is_same_as(theirs):
            return replace(reachability, same_as=other.written())
        left = outside
        taking.append(other)
        if not left:
            more = f" and {len(taking) - 1} more" if len(taking) > 1 else ""
            return replace(reachability, shadowed_by=taking[0].written() + more)
    return reachability


def _undone(
    records: Sequence[Record], blocked: AddressSet, budget: Budget
) -> Iterator[tuple[Record, Record]]:
    """Blocks of some addresses, each with a record that is used before it and lets them in.

    That is one for more special channels, or one for the same channels that is about who calls: a
    certificate, a user or a queue manager. Addresses that the listener refuses are `blocked`.
    """
    sure = [record for record in records if record.certain and record.addresses]
    blocks = [
        record
        for record in sure
        if _blocks_addresses(record) and not _is_within(record.addresses, blocked)
    ]
    allows = [*filter(_lets_in, sure)]
    if not (blocks and allows):
        return
    of_partner = grouped((_partner(record), record) for record in sure)
    lets_in = grouped((record.profile, record) for record in allows)
    index = ProfileIndex((block.profile, None) for block in blocks)
    near = {
        group: sorted(
            (allow for name in names for allow in lets_in[name]), key=lambda allow: allow.rank
        )
        for group, names in index.names(sorted(lets_in)).items()
    }
    for block in blocks:
        for allow in near.get(index.group_of(block.profile), ()):
            if not budget.spend(len(of_partner[_partner(allow)]), 0):
                return
            if _undoes(allow, block) and not _is_restated(block, of_partner[_partner(allow)]):
                yield block, allow
                break


def _blocks_addresses(record: Record) -> bool:
    """Whether a record refuses some addresses, and not all."""
    is_block = (record.type, record.source, record.warn) == ("ADDRESSMAP", "NOACCESS", False)
    return is_block and bool(record.key) and record.addresses != everything()


def _lets_in(record: Record) -> bool:
    """Whether a record maps its partners to a user; for the shipped profile, that is meant."""
    is_map = record.source in ("MAP", "CHANNEL") and bool(record.key)
    return is_map and not _is_for_nobody(record) and record.profile != SHIPPED[0].profile


def _is_for_nobody(record: Record) -> bool:
    """Whether a record maps its partners to a user that by convention has no authority."""
    return record.source == "MAP" and str(record.user).lower() in ("nobody", NO_ACCESS.lower())


def _partner(record: Record) -> tuple[str, str, str | None]:
    """The channels and the partner that a record is about, whatever the address."""
    return record.profile, record.type, record.partner


def _undoes(allow: Record, block: Record) -> bool:
    is_rival = (allow.profile, allow.type) == (block.profile, block.type)
    if is_rival or isinstance(allow.profile, Templated):
        return False
    if not generic_fits(block.profile, allow.profile) or allow.rank > block.rank:
        return False
    return block.addresses is not None and block.addresses <= (allow.addresses or everything())


def _is_restated(block: Record, records: Iterable[Record]) -> bool:
    """Return whether one of the records about the partner repeats the block."""
    again = (
        record.addresses
        for record in records
        if record.source == "NOACCESS" and record.addresses is not None
    )
    return block.addresses is not None and block.addresses <= union(again)
