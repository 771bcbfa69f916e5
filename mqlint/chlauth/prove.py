"""Proof that no connection from some addresses gets in, or the connection that does.

A channel is tried in these steps, from the cheap to the exact, after one address was tried:
1. if each record that may decide refuses, wherever a partner comes from, no partner gets in.
2. everything about the partner is left open, which divides the addresses into regions. If each
   outcome that is possible in a region is a refusal, nobody gets in from there: an open user,
   certificate or queue manager stands for all of them.
3. for a region that is left, one of its addresses is tried with the partners that its records
   name, and with one that no record names: the first that gets in is the witness. All addresses of
   a region are alike.
4. the partners are divided into classes by the patterns of the records (one for each user, one for
   each pattern of a certificate or queue manager, one for what matches no pattern). If each class
   is refused, nobody gets in.
What is left is not proven. Sets of addresses are exact (`mqlint.chlauth.region`).

A user whose correct password is given may be adopted. The user that no record names is blocked by
no list, so it stands for all users that are adopted after the records. Early adoption overrides
MCAUSER of the channel, which counts as blank in step 2 then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from mqlint.chlauth.access import Channel, ChannelAccess
from mqlint.chlauth.address import AddressSet, Box, TooManyError, network
from mqlint.chlauth.admit import settle
from mqlint.chlauth.audit import anybody, named_by, signature
from mqlint.chlauth.auth_record import Record
from mqlint.chlauth.connection import STRANGER, Adoption, Connection, Outcome, Verdict
from mqlint.chlauth.fit import alternatives, without_channel
from mqlint.chlauth.partners import broad, called, classes, with_passwords
from mqlint.chlauth.region import Region, each_region, regions, trails
from mqlint.dataclass import frozen
from mqlint.grouping import grouped

_MOST_LEFT = 200
"""The most regions of a channel that are looked into, if it is not known who gets in."""
_MOST_TRIED = 2_000
"""How often a class of partners is tried on an address, for all channels of a queue manager."""

_NOT_TRIED = Outcome(Verdict.UNKNOWN, None, None, "")


ANY_OTHER = "(any other channel)"
"""A name for the channels that the files do not define."""


@frozen
class Witness:
    """A connection that gets in: its address, who it is, and its outcome."""

    address: str
    who: str
    outcome: Outcome


@frozen
class Proof:
    """What is proven of one channel.

    `refused` are the addresses from which no partner gets in, with what refuses them. If a
    `witness` gets in, it is that; without one `unknown` says why nothing is proven, and is empty
    if all is refused. `assumptions` are what the refusals, or the witness, take for granted.
    """

    channel: Channel
    refused: tuple[Region, ...] = ()
    witness: Witness | None = None
    unknown: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()

    @property
    def is_refused(self) -> bool:
        return self.witness is None and not self.unknown


class Prover:
    """Proves it of one queue manager; channels with equal attributes and records are tried once."""

    def __init__(self, access: ChannelAccess, networks: AddressSet) -> None:
        """Take the addresses from which no connection may get in."""
        self._access = access
        self._networks = networks
        self._known: dict[object, Proof] = {}
        self._tried = 0

    def prove(self, channel: Channel) -> Proof:
        key = signature(self._access, channel)
        if key not in self._known:
            try:
                self._known[key] = self._proof(channel)
            except TooManyError as error:
                self._known[key] = Proof(channel, unknown=(str(error),))
        return replace(self._known[key], channel=channel)

    def _proof(self, channel: Channel) -> Proof:
        first = self._witness(channel, Region(self._networks, _NOT_TRIED))
        if first is not None:
            return Proof(channel, witness=first, assumptions=first.outcome.assumptions)
        simple = self._by_records(channel)
        if simple is not None:
            return Proof(channel, tuple(simple), assumptions=_assumptions(simple))
        access, refused, left = self._access, list[Region](), list[Region]()
        tried: set[frozenset[int]] = set()
        for connection, variant in broad(access, channel):
            for region in each_region(access, connection, self._networks, variant):
                if _is_refused(region):
                    refused.append(region)
                    continue
                left.append(region)
                records = frozenset(id(record) for record in _records(region))
                if records not in tried:
                    tried.add(records)
                    witness = self._witness(channel, region)
                    if witness is not None:
                        notes = witness.outcome.assumptions
                        return Proof(channel, witness=witness, assumptions=notes)
                if len(left) > _MOST_LEFT:
                    return Proof(channel, unknown=tuple(_doubts(access, channel, left)))
        for region in left:
            found = self._each_class(channel, region)
            if not all(map(_is_refused, found)):
                return Proof(channel, unknown=tuple(_doubts(access, channel, found)))
            refused += (replace(each, addresses=region.addresses) for each in found)
        return Proof(channel, tuple(_by_record(refused)), assumptions=_assumptions(refused))

    def _by_records(self, channel: Channel) -> list[Region] | None:
        """Regions refused by records whoever asks; None if something else may decide."""
        access = self._access
        if access.enabled is False or channel.exit:
            return None
        found: dict[int, tuple[Outcome, AddressSet]] = {}
        open_to_all = Connection(channel.name)
        for variant in alternatives(channel, open_to_all):
            boxes: dict[int, list[Box]] = {}
            for where, trail in trails(access, variant, open_to_all, self._networks):
                if not trail or not all(_refuses(record) for record, _ in trail):
                    return None
                record, is_sure = trail[-1]
                if not is_sure:
                    return None
                if id(record) not in found:
                    outcomes = settle(access, variant, open_to_all, Adoption.NONE, trail)
                    found[id(record)] = (outcomes[-1], AddressSet())
                boxes.setdefault(id(record), []).extend(where.boxes)
            for key, of_record in boxes.items():
                outcome, known = found[key]
                found[key] = (outcome, known | AddressSet(tuple(of_record)))
        return [Region(addresses, outcome) for outcome, addresses in found.values()]

    def _witness(self, channel: Channel, region: Region) -> Witness | None:
        """A partner that gets in for certain from a region."""
        access, address = self._access, region.addresses.witness()
        partners = {"anybody": anybody(channel)}
        for record in _records(region):
            partners.update((who.label, who) for who in named_by(channel, record))
        for partner in partners.values():
            for connection, words in with_passwords(access, channel, partner.connection):
                for found in regions(access, connection, network(address), channel):
                    if found.outcome.verdict.lets_in and not found.possible:
                        who = called(channel, partner.label) + words
                        return Witness(address, who, found.outcome)
        return None

    def _each_class(self, channel: Channel, region: Region) -> list[Region]:
        """The outcome for each class of partners; the region itself if too many were tried."""
        access, where = self._access, network(region.addresses.witness())
        most = _MOST_TRIED - self._tried
        found = list(islice(classes(access, channel), most + 1))
        if len(found) > most:
            return [region]
        self._tried += len(found)
        return [
            region for connection in found for region in regions(access, connection, where, channel)
        ]


def _refuses(record: Record) -> bool:
    return record.source == "NOACCESS" and record.warn is False


def _records(region: Region) -> list[Record]:
    """The records by which its outcomes come about."""
    outcomes = region.possible or (region.outcome,)
    return [outcome.record for outcome in outcomes if outcome.record is not None]


def _is_refused(region: Region) -> bool:
    return region.outcome.verdict is Verdict.BLOCKED and not region.possible


def _by_record(found: Iterable[Region]) -> list[Region]:
    """One region for each record or reason that refuses; an address may be in several."""
    groups = grouped(((id(region.outcome.record), region.outcome.why), region) for region in found)
    return [
        replace(
            alike[0],
            addresses=AddressSet(
                tuple(dict.fromkeys(box for region in alike for box in region.addresses.boxes))
            ),
        )
        for alike in groups.values()
    ]


def _assumptions(found: Iterable[Region]) -> tuple[str, ...]:
    outcomes = {id(region.outcome): region.outcome for region in found}
    notes: dict[str, None] = {}
    for outcome in outcomes.values():
        notes.update(dict.fromkeys(outcome.assumptions))
    return tuple(notes)


def _doubts(access: ChannelAccess, channel: Channel, left: Iterable[Region]) -> Iterator[str]:
    """Why nothing is proven, each reason once."""
    reasons: set[str] = set()
    for record in access.mapping_for(channel.name):
        if record.host is not None and access.looks_up_names is not False:
            reasons.add(f"no file shows which addresses have the host name of {record.written()}")
        if not record.certain or record.is_for(channel.name) is None:
            reasons.add(f"a template or a branch decides about {record.written()}")
        elif None in (record.address, record.partner, record.source):
            reasons.add(f"a template decides about {record.written()}")
    for region in left:
        for outcome in region.possible or (region.outcome,):
            if outcome.verdict is Verdict.UNKNOWN:
                reasons.add(outcome.why)
    if not reasons:
        reasons.add(
            "no partner that was tried gets in, but not every partner is known to be refused"
        )
    yield from sorted(reasons)


def proofs(access: ChannelAccess, networks: AddressSet) -> Iterator[Proof]:
    """Yield what is proven of each channel that a partner can ask for, also of undefined ones."""
    prover = Prover(access, networks)
    for channel in channels_of(access):
        yield prover.prove(channel)
    if access.manager.has_unnamed("channel"):
        why = "the name of a channel is a template"
        yield Proof(Channel("(template)", None, None, None, None, None, None), unknown=(why,))
    yield from _others(access, prover)


def channels_of(access: ChannelAccess) -> list[Channel]:
    """Return the channels that a partner can ask for: of the files, and as shipped; senders too."""
    defined = access.manager.objects("channel")
    names = {str(found.name) for found in defined if found.subtype != "CLNTCONN"}
    names |= {name for name in access.shipped_names() if access.manager.exists("channel", name)}
    found = (access.channel(name) for name in sorted(names))
    return [channel for channel in found if without_channel(access, channel) is None]


def _others(access: ChannelAccess, prover: Prover) -> Iterator[Proof]:
    """Channels that the files do not define: none, or one proof for all of them.

    With CHAD(ENABLED) a channel of any name is made like SYSTEM.AUTO.SVRCONN or
    SYSTEM.AUTO.RECEIVER. A channel may have any name, so one is tried for each set of profiles that
    may match. If profiles end in their only asterisk, two match a name in common only if one of
    them matches all names of the other.
    """
    makes = access.defines_channels
    may_be = access.manager.exists("channel", STRANGER) is not False
    if makes is False and not may_be:
        return
    records = (*access.rules.mapping, *access.rules.users)
    profiles = {str(record.profile) for record in records}
    generic = {profile for profile in profiles if "*" in profile}
    undefined = {name for name in profiles - generic if access.channel(name).defined is not True}
    names = {STRANGER, *undefined, *(f"{profile[:-1]}{STRANGER}" for profile in generic)}
    whole = Channel(ANY_OTHER, None, None, None, None, None, None)
    found = [prover.prove(like) for name in sorted(names) for like in _like(access, name)]
    witness = next((proof.witness for proof in found if proof.witness is not None), None)
    if witness is not None and makes:
        yield Proof(whole, witness=witness, assumptions=witness.outcome.assumptions)
        return
    unclear = sorted(name for name in generic if name.find("*") != len(name) - 1)
    doubtful = [proof.channel.name for proof in found if not proof.is_refused]
    if doubtful or unclear:
        yield Proof(whole, unknown=tuple(_doubts_of_others(access, doubtful, unclear)))
        return
    refused = {id(region.outcome.record): region for proof in found for region in proof.refused}
    notes = dict.fromkeys(note for proof in found for note in proof.assumptions)
    yield Proof(whole, tuple(refused.values()), assumptions=tuple(notes))


def _doubts_of_others(
    access: ChannelAccess, doubtful: Sequence[str], unclear: Sequence[str]
) -> Iterator[str]:
    """Why nothing is proven of channels that the files do not define.

    `doubtful` are the names of which none is refused for certain, `unclear` the profiles of which
    it is not known which names they have in common.
    """
    makes = access.defines_channels
    if access.manager.exists("channel", STRANGER) is not False:
        yield "these files do not say that they define every channel of the queue manager"
    if makes is None:
        yield "CHAD, which defines channels when a partner asks for them, is not in these files"
    elif makes:
        yield "CHAD(ENABLED) defines channels when a partner asks for them"
    if doubtful:
        name = doubtful[0]
        shown = "any other name" if name == STRANGER else name.replace(STRANGER, "...")
        yield f"no record is known to refuse a channel with {shown}"
    if unclear:
        yield f"profiles such as {unclear[0]} may match names in common with others"


def _like(access: ChannelAccess, name: str) -> list[Channel]:
    """A channel of a name that the files do not define."""
    if not access.defines_channels:
        return [access.channel(name)]
    models = ("SYSTEM.AUTO.SVRCONN", "SYSTEM.AUTO.RECEIVER")
    return [replace(access.channel(model), name=name, defined=True) for model in models]
