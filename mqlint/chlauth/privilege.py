"""The outcome for partners that get a privileged user from a channel or a record, in words.

A rule that warns of such a user says the same as `mqlint runcheck`: whether BLOCKUSER blocks the
user, a record gives another one, or CHLAUTH(DISABLED) leaves all records out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property

from mqlint.chlauth.access import INBOUND, Channel, ChannelAccess
from mqlint.chlauth.address import TooManyError, everything
from mqlint.chlauth.audit import identities, signature
from mqlint.chlauth.auth_record import Record
from mqlint.chlauth.blocked_users import list_that_blocks
from mqlint.chlauth.connection import Verdict
from mqlint.chlauth.region import Region, regions
from mqlint.model.core.queue_manager import QueueManager

MANY = 40
"""The most kinds of partners of a channel that are tried."""

NOT_KNOWN = "whether a record blocks its clients is not known"
_MOST_SHOWN = 2


class Privileges:
    """The answers for one queue manager; each is worked out when it is asked for."""

    def __init__(self, manager: QueueManager) -> None:
        """Take a queue manager to which every command was applied."""
        self._access = manager.cached(ChannelAccess)
        self._channels: dict[object, str] = {}

    def of_channel(self, name: str) -> str:
        """Return the outcome for the partners of a channel; blank for one without MCAUSER."""
        channel = self._access.channel(name)
        if not channel.user or channel.type not in INBOUND:
            return ""
        key = signature(self._access, channel)
        if key not in self._channels:
            self._channels[key] = _of_channel(self._access, channel)
        return self._channels[key]

    def of_record(self, key: str) -> str:
        """Return the outcome for the partners of a record; blank for one that maps to no user."""
        record = self._records.get(key)
        if record is None:
            return ""
        return _of_record(self._access, record, self._by_profile.get(record.profile, {}).values())

    @cached_property
    def _records(self) -> Mapping[str, Record]:
        """The records that map to a user, by the key of their object."""
        records = self._access.rules.mapping
        return {record.key: record for record in records if record.key and record.user}

    @cached_property
    def _by_profile(self) -> Mapping[str, Mapping[object, Channel]]:
        """For each profile, one of the channels that BLOCKUSER records do not tell apart."""
        found = defaultdict[str, dict[object, Channel]](dict)
        for channel in self._access.channels():
            kind = channel.type, self._access.users.groups_of(channel.name)
            for profile in self._access.mapping.profiles_of(channel.name):
                found[profile].setdefault(kind, channel)
        return found


def _of_channel(access: ChannelAccess, channel: Channel) -> str:
    try:
        found = [
            region
            for who in identities(access, channel)[:MANY]
            for region in regions(access, who.connection, everything())
        ]
    except TooManyError:
        return NOT_KNOWN
    acting = [region for region in found if _acts_as(region, channel.user)]
    if acting and access.enabled is False:
        return f"no record blocks {channel.user}, because CHLAUTH is DISABLED"
    if acting:
        return f"clients act as {channel.user}"
    if any(region.possible or region.outcome.verdict is Verdict.UNKNOWN for region in found):
        return NOT_KNOWN
    blocking = {
        outcome.record.written()
        for outcome in (region.outcome for region in found)
        if outcome.verdict is Verdict.BLOCKED and outcome.record is not None
    }
    if all(region.outcome.verdict is Verdict.BLOCKED for region in found):
        records = " and ".join(sorted(blocking)[:_MOST_SHOWN])
        blocker = f"the CHLAUTH record {records}" if records else "the channel"
        return f"at present, {blocker} blocks every client"
    return "records give its clients other users, or block them"


def _acts_as(region: Region, user: str | None) -> bool:
    outcome = region.outcome
    return outcome.verdict.lets_in and outcome.user == user


def _of_record(access: ChannelAccess, record: Record, fitting: Iterable[Channel]) -> str:
    """The outcome for partners that a record matches, on the channels that fit its profile."""
    user = record.user or ""
    if access.enabled is False:
        return "the record has no effect, because CHLAUTH is DISABLED"
    channels = [
        channel for channel in fitting if record.is_for(channel.name) and _applies(record, channel)
    ]
    if not channels:
        kind = "RCVR" if record.type == "QMGRMAP" else "SVRCONN"
        name = record.profile.replace("*", "X")
        channels = [Channel(name, kind, "", None, "", "", None)]
    lists = [list_that_blocks(access, channel, user) for channel in channels]
    if None in lists:
        return NOT_KNOWN
    written = {found for found in lists if found}
    if all(lists):
        blocking = " and ".join(sorted(written)[:_MOST_SHOWN])
        return f"no partner connects, because {blocking} blocks {user}"
    return f"partners act as {user}"


def _applies(record: Record, channel: Channel) -> bool:
    if record.type == "USERMAP":
        return channel.is_client
    return record.type != "QMGRMAP" or not channel.is_client
