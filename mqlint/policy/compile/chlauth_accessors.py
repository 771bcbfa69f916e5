"""How a policy reads what channel authentication does: records, channels and applications."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mqlint.late import late
from mqlint.model.core.fact import Fact
from mqlint.model.core.queue_manager import MQObject
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, flag

Reader = Callable[[Fact], Value]
"""Reads the value of a key from a fact."""


def reachability(word: str) -> Reader:
    """A field of the reachability of a channel authentication record, blank if nothing is wrong."""

    def read(fact: Fact) -> Value:
        if fact.type != "chlauth":
            return ABSENT
        from mqlint.chlauth.reachability import reachabilities  # here, as few files have records

        found = fact.manager.cached(reachabilities).get(fact.key)
        value: str | None = None if found is None else getattr(found, word)
        return UNKNOWN if value is None else value

    return read


def privilege(fact: Fact) -> Value:
    """What becomes of partners that a channel or a record gives its user, as runcheck says it."""
    if fact.type not in ("channel", "chlauth"):
        return ABSENT
    from mqlint.chlauth.privilege import NOT_KNOWN, Privileges  # here, as few files have records

    privileges = fact.manager.cached(Privileges)
    if fact.type == "channel":
        return privileges.of_channel(fact.name) or NOT_KNOWN
    return privileges.of_record(fact.key) or NOT_KNOWN


def whom(fact: Fact) -> Value:
    """The subject of a record at any site, absent for an address."""
    if fact.type != "chlauth" or not isinstance(fact, MQObject):
        return ABSENT
    from mqlint.chlauth.auth_record import whom  # here, as few files have records

    return whom(fact)


def mapped(fact: Fact) -> Value:
    """Whether a record gives those who start a channel a user: true, false, or unknown."""
    if fact.type != "channel":
        return UNKNOWN
    from mqlint.chlauth.channel_user import mapped_channels  # here, as few files have channels

    return flag(fact.manager.cached(mapped_channels).get(fact.name))


def application(word: str) -> Reader:
    """What CHLAUTH decides about the connection of an application."""
    read = late(f"mqlint.chlauth.application:{word}")
    return lambda fact: read(fact) if fact.type in _OF_APPLICATIONS else ABSENT


_OF_APPLICATIONS = ("connection", "use", "topic_use")
RECORDS: Mapping[str, str] = {
    "never": "why the record can decide on nothing",
    "shadowed_by": "the records that leave it no address",
    "same_as": "the record with the same key in another spelling",
    "crosses": "the address of the same partner that it overlaps in part",
    "undone_by": "the record for more specific channels that admits what this one refuses",
    "host": "the names of hosts it is for",
    "address": "its address; blank if it is for every address",
    "issuer": "the issuer of its certificates; blank if any may have issued them",
    "guarded": "a channel it is for that requires, or may require, a certificate",
    "only_for": "message channels, if no client can start a channel that it is for",
    "refused": "the record of every new queue manager with the same key; ADD of this one fails",
}
