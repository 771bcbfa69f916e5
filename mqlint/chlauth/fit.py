"""Whether a record is for a connection: its partner, and its addresses."""

from __future__ import annotations

from dataclasses import replace

from mqlint.chlauth import distinguished
from mqlint.chlauth.access import INBOUND, Channel, ChannelAccess
from mqlint.chlauth.address import AddressSet, everything
from mqlint.chlauth.auth_record import IMAGE, Record
from mqlint.chlauth.connection import Adoption, Connection, Outcome, Verdict
from mqlint.chlauth.user_name import why_open
from mqlint.chlauth.wildcard import generic_fits
from mqlint.language.mqsc import Templated

Fit = tuple[bool | None, str]
"""Whether a record is for a connection, None when it may be, and why not."""
_BLANK_FILTER = "no source says which certificates a blank SSLPEER matches"


def ways(
    access: ChannelAccess, channel: Channel, connection: Connection
) -> list[tuple[Connection, Adoption]]:
    """Return the ways a connection may go, by when the user who gave a password is adopted."""
    if not channel.is_client or not connection.credentials or access.authentication.adopts is False:
        return [(connection, Adoption.NONE)]
    found = [(connection, Adoption.NONE)] if access.authentication.adopts is None else []
    if access.early is not False:
        early = replace(connection, user=connection.credentials)
        found.append((early, Adoption.EARLY))
    if access.early is not True:
        found.append((connection, Adoption.LATE))
    return found


def without_channel(access: ChannelAccess, channel: Channel) -> Outcome | None:
    """The outcome if the channel does not exist, no partner can start it, or it is for MQTT."""
    if channel.type == "MQTT":
        why = "no source says whether channel authentication records apply to MQTT channels"
        return Outcome(Verdict.UNKNOWN, None, None, why)
    if channel.type is not None and channel.type not in INBOUND:
        why = f"{channel.name} is CHLTYPE({channel.type}): no partner can start it"
        return Outcome(Verdict.BLOCKED, None, None, why)
    if channel.defined is False and access.defines_channels is False:
        why = f"channel {channel.name} does not exist (AMQ9519), and automatic definition is off"
        return Outcome(Verdict.BLOCKED, None, None, why)
    return None


def alternatives(channel: Channel, connection: Connection) -> list[Channel]:
    """Return what a channel may be: itself, or each type that one of another file may have.

    A connection with a user is that of a client, one with a queue manager that of a channel.
    """
    if channel.type is not None:
        return [channel]
    kinds = ["SVRCONN", "RCVR"]
    if connection.queue_manager is not None and connection.user is None:
        kinds.remove("SVRCONN")
    if connection.user is not None and connection.queue_manager is None:
        kinds.remove("RCVR")
    return [replace(channel, type=kind) for kind in kinds]


def not_defined(channel: Channel) -> list[Outcome]:
    """Return the other possible outcomes for a channel that these files do not define."""
    if channel.type is not None:
        return []
    why = f"these files do not show {channel.name}; without it the connection ends (AMQ9519)"
    return [Outcome(Verdict.BLOCKED, None, None, why)]


def fits(access: ChannelAccess, channel: Channel, connection: Connection, record: Record) -> Fit:
    """Return whether a record, whose profile fits the channel, is for a connection; why not."""
    who, why = partner_fits(access, channel, connection, record)
    if who is False:
        return False, why
    where, why_not = _address_fits(access, connection, record)
    if where is False:
        return False, why_not
    if who is None or where is None:
        return None, why or why_not
    return True, ""


def partner_fits(
    access: ChannelAccess, channel: Channel, connection: Connection, record: Record
) -> Fit:
    """Return whether a record, whose profile fits the channel, is for who connects."""
    fit, why = _partner_fits(access, channel, connection, record)
    if fit is not False and (isinstance(record.profile, Templated) or not record.certain):
        return None, _doubt(record) if fit else why
    return fit, why


def _doubt(record: Record) -> str:
    if record.tied:
        return "another record has the same precedence, and no source states which one decides"
    if record.is_displayed:
        return "output of DISPLAY shows it, but no command here makes it"
    if record.supplier == IMAGE:
        return "the image of the queue manager is for developers, and may have it"
    return "a template, a branch or the platform decides whether it applies"


def where_of(access: ChannelAccess, record: Record) -> tuple[AddressSet | None, bool]:
    """Return the addresses of a record, None if they are not known, and whether that is certain."""
    if record.addresses is not None:
        return record.addresses, True
    if record.host is not None and access.looks_up_names is False:
        return AddressSet(), True
    return None, False


def _partner_fits(
    access: ChannelAccess, channel: Channel, connection: Connection, record: Record
) -> Fit:
    if record.type == "ADDRESSMAP":
        return True, ""
    if record.type == "USERMAP":
        if channel.type == "AMQP":
            return None, "no source says whether USERMAP applies to AMQP channels"
        if not channel.is_client:
            return False, "USERMAP is only for server-connection channels"
        return _user_fits(access, connection, record)
    if record.type == "QMGRMAP":
        if channel.is_client:
            return False, "QMGRMAP has no effect on a server-connection channel"
        if record.partner == "*":
            return True, ""
        if connection.queue_manager is None:
            known = connection.is_of(record.type, record.partner, "")
            if known is not None:
                return known, f"the queue manager does not match QMNAME({record.partner})"
        if record.partner is None or connection.queue_manager is None:
            return None, "the remote queue manager is not given"
        fit = generic_fits(record.partner, connection.queue_manager)
        return fit, f"{connection.queue_manager} does not match QMNAME({record.partner})"
    return _certificate_fits(channel, connection, record)


def _user_fits(access: ChannelAccess, connection: Connection, record: Record) -> Fit:
    if record.partner is None or connection.user is None:
        return None, "the client's user is not given"
    fit = access.is_user(record.partner, connection.user)
    if fit is None:
        return None, why_open(record.partner, connection.user)
    return fit, f"{connection.user} is not CLNTUSER({record.partner})"


def _certificate_fits(channel: Channel, connection: Connection, record: Record) -> Fit:
    if channel.cipher == "":
        return False, "the channel has no SSLCIPH, so the partner sends no certificate"
    if connection.peer == "":
        return False, "the partner sends no certificate"
    unknown = "" if channel.cipher is not None else "SSLCIPH of the channel is not known"
    known = connection.is_of(record.type, record.partner, record.issuer)
    if connection.peer is None and known is not None:
        why = f"the certificate does not match SSLPEER({record.partner})"
        return (None, unknown) if known and unknown else (known, why)
    for wanted, shown, word in (
        (record.partner, connection.peer, "SSLPEER"),
        (record.issuer, connection.issuer, "SSLCERTI"),
    ):
        if wanted == "":
            unknown = unknown or (_BLANK_FILTER if word == "SSLPEER" else "")
            continue
        if wanted is None or shown is None:
            unknown = unknown or "the partner's certificate is not given"
            continue
        try:
            fit = distinguished.fits(wanted, shown)
        except distinguished.NoNameError as error:
            unknown = unknown or str(error)
            continue
        if not fit:
            return False, f"{shown} does not match {word}({wanted})"
    return (None, unknown) if unknown else (True, "")


def _address_fits(access: ChannelAccess, connection: Connection, record: Record) -> Fit:
    found = record.addresses
    if found is None and record.host is not None:
        return _host_fits(access, connection, record.host)
    if found is None or connection.address is None:
        whole = found is not None and found == everything()
        return (True, "") if whole else (None, "the address is not known")
    fit = connection.address in found
    return fit, f"{connection.address} is not in ADDRESS({record.address})"


def _host_fits(access: ChannelAccess, connection: Connection, host: str) -> Fit:
    if access.looks_up_names is False:
        return False, "host names are not resolved with REVDNS(DISABLED)"
    if connection.hosts is None:
        return None, f"it is not given whether the address resolves to {host}"
    names = [word.lower() for word in connection.hosts]
    fit = any(generic_fits(host.lower(), name) for name in names)
    if fit and access.may_ignore_names:
        return None, "it is not known whether REVDNS is DISABLED"
    return fit, f"the host is not {host}"
