"""The partners that a proof tries: connections that together represent every partner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product

from mqlint.chlauth.access import Channel, ChannelAccess
from mqlint.chlauth.auth_record import Record
from mqlint.chlauth.connection import STRANGER, Connection


def broad(access: ChannelAccess, channel: Channel) -> Iterator[tuple[Connection, Channel]]:
    """The connections that together represent every partner, with the channel to try them on."""
    adopts = channel.type is None or (
        channel.is_client and access.authentication.adopts is not False
    )
    early = adopts and access.early is not False
    yield Connection(channel.name), replace(channel, user="") if early else channel
    if adopts:
        yield Connection(channel.name, credentials=STRANGER), channel


def classes(access: ChannelAccess, channel: Channel) -> Iterator[Connection]:
    """Connections that together represent every partner, each for one class; may be many."""
    if channel.type is None:
        yield Connection(channel.name)
        return
    records = access.mapping_for(channel.name)
    plain = Connection(channel.name)
    certificates = [plain]
    if channel.cipher != "":
        certificates = [
            replace(plain, peer="", issuer=""),
            *_of_patterns(plain, records, "SSLPEERMAP"),
        ]
    if not channel.is_client:
        for certificate in certificates:
            yield from _of_patterns(certificate, records, "QMGRMAP")
        return
    users = {record.partner: None for record in records if record.type == "USERMAP"}
    names = [name for name in (STRANGER, *users) if name]
    for certificate, user in product(certificates, names):
        own = replace(certificate, user=user)
        yield own
        if access.authentication.adopts is not False:
            yield replace(own, credentials=user)
            yield replace(own, credentials=STRANGER)


def _of_patterns(
    connection: Connection, records: Iterable[Record], kind: str
) -> Iterator[Connection]:
    """A class for each pattern of a type of records, and one for what matches none of them."""
    patterns = dict.fromkeys(
        (kind, record.partner, record.issuer or "")
        for record in records
        if record.type == kind and record.partner is not None and record.issuer is not None
    )
    for pattern in patterns:
        yield replace(connection, matches=connection.matches | {pattern})
    yield replace(connection, misses=connection.misses | {kind})


def with_passwords(
    access: ChannelAccess, channel: Channel, connection: Connection
) -> Iterator[tuple[Connection, str]]:
    """A partner without a password, then with that of a user that it may be."""
    if not channel.is_client:
        yield connection, ""
        return
    yield replace(connection, credentials=""), ""
    yield replace(connection, credentials=connection.user), " with its password"
    if access.authentication.adopts is not False and connection.user != STRANGER:
        yield replace(connection, credentials=STRANGER), " with the password of another user"


def called(channel: Channel, label: str) -> str:
    if label != "anybody":
        return label
    kind = "user" if channel.is_client else "queue manager"
    return f"a {kind} that no record names"
