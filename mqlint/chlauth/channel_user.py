"""Who the user of a channel is: one that a record gives, an administrator, the channel program."""

from __future__ import annotations

from collections.abc import Mapping

from mqlint.chlauth.access import Channel, ChannelAccess
from mqlint.chlauth.auth_record import Record
from mqlint.chlauth.connection import STRANGER, Connection
from mqlint.model.core.queue_manager import QueueManager

MCA = "the user that the channel program runs as"


def is_privileged(access: ChannelAccess, connection: Connection, user: str | None) -> bool | None:
    """Whether a user is privileged; None if the files do not show it (see `undecided`)."""
    if user is None or is_channel_program(user):
        return False
    is_known = user in connection.administrators or access.is_administrator(user)
    return is_known if access.authentication.takes_system_groups or is_known is False else None


def undecided(access: ChannelAccess) -> str:
    """Return why the files do not show whether a user is privileged."""
    if access.authentication.takes_system_groups:
        if access.manager.target.platform is not None:
            return "the files do not show whether this user of a domain is an administrator here"
        return "administrators have other names on other platforms, and the platform is not known"
    return "with LDAP and this AUTHORMD only who started the queue manager is privileged"


def is_channel_program(user: str | None) -> bool:
    """Whether a user is MCA, which stands for the user of the channel program and is not a name."""
    return user == MCA


def not_administrator(user: str | None) -> str:
    shown = "a user that no record names" if user == STRANGER else user or "the user"
    return f"{shown} is not an MQ administrator"


def mapped_channels(manager: QueueManager) -> Mapping[str, bool | None]:
    """Return for each channel whether a record gives its partners a user; None for unknown."""
    access = manager.cached(ChannelAccess)
    known: dict[tuple[object, ...], bool | None] = {}
    found = {}
    for channel in access.channels():
        key = access.mapping.groups_of(channel.name), channel.is_client, channel.cipher == ""
        if key not in known:
            known[key] = _maps(access, channel)
        found[channel.name] = known[key]
    return found


def _maps(access: ChannelAccess, channel: Channel) -> bool | None:
    """Whether some partner gets a user from a record, as far as the files tell."""
    known = [record for record in access.mapping_for(channel.name) if _is_for_type(channel, record)]
    if any(
        record.source == "MAP" for record in known if record.certain and record.is_for(channel.name)
    ):
        return True
    if any(record.source in ("MAP", None) for record in known):
        return None
    here = any(record.is_written for record in access.rules.mapping)
    return False if access.manager.complete or here else None


def _is_for_type(channel: Channel, record: Record) -> bool:
    """Whether records of this type can apply to channels of this type and cipher."""
    if record.type == "USERMAP":
        return channel.is_client
    if record.type == "QMGRMAP":
        return not channel.is_client
    return record.type != "SSLPEERMAP" or channel.cipher != ""
