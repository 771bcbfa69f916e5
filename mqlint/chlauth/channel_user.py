"""Who the user of a channel is: an MQ administrator, or the user of the channel program."""

from __future__ import annotations

from mqlint.chlauth.access import ChannelAccess
from mqlint.chlauth.connection import STRANGER, Connection

MCA = "the user that the channel program runs as"
DECIDED_BY_LDAP = "with LDAP and this AUTHORMD only who started the queue manager is privileged"


def is_privileged(access: ChannelAccess, connection: Connection, user: str | None) -> bool | None:
    """Whether a user is privileged; None if LDAP decides, which the files do not show."""
    if user is None or is_channel_program(user):
        return False
    if user not in connection.administrators and not access.is_administrator(user):
        return False
    return True if access.takes_system_groups else None


def is_channel_program(user: str | None) -> bool:
    """Whether a user is MCA, which stands for the user of the channel program and is not a name."""
    return user == MCA


def not_administrator(user: str | None) -> str:
    """Return the assumption that a user is not privileged."""
    shown = "a user that no record names" if user == STRANGER else user or "the user"
    return f"{shown} is not an MQ administrator"
