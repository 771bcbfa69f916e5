"""Who can start each channel of a queue manager, from where, as what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mqlint.chlauth import distinguished
from mqlint.chlauth.access import Channel, ChannelAccess
from mqlint.chlauth.address import AddressSet, TooManyError
from mqlint.chlauth.auth_record import ADMINISTRATORS, Record
from mqlint.chlauth.connection import STRANGER, Connection
from mqlint.chlauth.region import Region, merged, regions
from mqlint.dataclass import frozen
from mqlint.grouping import grouped

_STRANGE = "CN=?"
_ADMINISTRATOR = "mqm"


_TOO_MANY = "too many outcomes for the number of commands"
_PIECES = 4
"""What an outcome costs of a budget, in pieces: some lines of a report."""


@frozen
class Identity:
    """A kind of partner: in words, and as a connection."""

    label: str
    connection: Connection


@frozen
class AuditEntry:
    """The outcome for one kind of partner, from all addresses in question.

    If `fault` is set, it is the reason for the missing outcome, and `regions` is empty.
    """

    who: str
    regions: tuple[Region, ...]
    fault: str = ""


@frozen
class AlikeChannels:
    """Channels with the same attributes and records, and the outcome for partners of each."""

    channels: list[Channel]
    entries: tuple[AuditEntry, ...]


def audit(access: ChannelAccess, networks: AddressSet) -> list[AlikeChannels]:
    """Return the outcome for every kind of partner at every channel that a partner can start.

    Partners whose outcome is that of anybody are left out.
    """
    together = grouped((signature(access, channel), channel) for channel in access.channels())
    partners = grouped(
        (signature(access, replace(channel, user="")), channel) for channel, *_ in together.values()
    )
    entries = {
        name: of_channel
        for channels in partners.values()
        for name, of_channel in _worked_out(access, channels, networks).items()
    }
    return [
        AlikeChannels(channels, tuple(entries[channels[0].name])) for channels in together.values()
    ]


def signature(access: ChannelAccess, channel: Channel) -> tuple[object, ...]:
    """Return all of a channel that decides on who can start it: equal ones are equally open."""
    return (
        *(channel.type, channel.user, channel.cipher, channel.peer, channel.exit),
        *(channel.needs_certificate, channel.takes_client_id, channel.defined),
        # Equal groups have equal records, which may be many.
        *(access.mapping.groups_of(channel.name), access.users.groups_of(channel.name)),
    )


def identities(access: ChannelAccess, channel: Channel) -> list[Identity]:
    """Return the kinds of partners that records tell apart, anybody first."""
    found = {"anybody": _anybody(channel)}
    for record in (*access.mapping_for(channel.name), *access.users_for(channel.name)):
        found.update((who.label, who.connection) for who in named_by(channel, record))
    return [Identity(label, connection) for label, connection in found.items()]


def named_by(channel: Channel, record: Record) -> Iterator[Identity]:
    if record.type == "SSLPEERMAP" and channel.cipher != "":
        peer = _shown(channel, record.partner)
        issuer = _sample(record.issuer) or _STRANGE
        yield Identity(_certificate(record), _anybody(channel, peer=peer, issuer=issuer))
    elif record.type == "QMGRMAP" and not channel.is_client and record.partner:
        if record.partner != "*":
            label = f"queue manager {record.partner}"
            sample = _anybody(channel, queue_manager=_sample(record.partner))
            yield Identity(label, sample)
    elif channel.is_client:
        for user in _users(record):
            yield Identity(f"user {user}", _anybody(channel, user=user))


def anybody(channel: Channel) -> Identity:
    """Return the partner of a channel that no record names."""
    return Identity("anybody", _anybody(channel))


def _users(record: Record) -> list[str]:
    if record.type == "USERMAP":
        return [record.partner] if record.partner else []
    if record.type != "BLOCKUSER":
        return []
    named = record.entries or ()
    return [_ADMINISTRATOR if entry == ADMINISTRATORS else entry for entry in named]


def _anybody(
    channel: Channel,
    *,
    user: str = STRANGER,
    queue_manager: str | None = STRANGER,
    peer: str | None = None,
    issuer: str | None = None,
) -> Connection:
    """A partner that no record names, with a certificate of another owner if one is needed."""
    if peer is None:
        shows = bool(channel.cipher) and channel.needs_certificate is not False
        peer, issuer = (_shown(channel, None), _STRANGE) if shows else ("", "")
    asserted = user if channel.is_client else None
    remote = None if channel.is_client else queue_manager
    return Connection(channel.name, None, asserted, remote, peer, issuer)


def _certificate(record: Record) -> str:
    issuer = f" issued by {record.issuer}" if record.issuer else ""
    return f"certificate {record.partner or '*'}{issuer}"


def _shown(channel: Channel, pattern: str | None) -> str:
    """A name in a certificate that fits a pattern, and SSLPEER of the channel if both can fit."""
    filters = channel.peer or "", pattern or ""
    return distinguished.example(*filters) or _sample(pattern) or _STRANGE


def _sample(pattern: str | None) -> str | None:
    """A name that a generic one fits."""
    if pattern is None or pattern in ("", "*"):
        return None
    return pattern.replace("*", "x")


def _worked_out(
    access: ChannelAccess, channels: list[Channel], networks: AddressSet
) -> dict[str, list[AuditEntry]]:
    """The outcome at channels that only their MCAUSER tells apart, partner after partner.

    The same records fit a partner at each of them.
    """
    found: dict[str, list[AuditEntry]] = {channel.name: [] for channel in channels}
    anybody: dict[str, object] = {}
    budget = access.manager.budget("outcomes")
    for identity in identities(access, channels[0]):
        if budget.is_spent:
            for entries in found.values():
                entries.append(AuditEntry("further partners", (), _TOO_MANY))
            break
        for channel in channels:
            connection = replace(identity.connection, channel=channel.name)
            try:
                parts = tuple(merged(regions(access, connection, networks), by_record=False))
                if not budget.spend(0, _PIECES * len(parts)):
                    raise TooManyError(_TOO_MANY)
            except TooManyError as error:
                found[channel.name].append(AuditEntry(identity.label, (), str(error)))
                continue
            effects = {(region.outcome.effect, region.addresses) for region in parts}
            if channel.name not in anybody or anybody[channel.name] != effects:
                anybody.setdefault(channel.name, effects)
                found[channel.name].append(AuditEntry(identity.label, parts))
    return found
