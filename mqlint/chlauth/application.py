"""What channel authentication decides about the connection of an application."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from mqlint.chlauth.access import ChannelAccess
from mqlint.chlauth.address import (
    AddressSet,
    NoAddressError,
    TooManyError,
    everything,
    network,
    union,
)
from mqlint.chlauth.auth_record import Record
from mqlint.chlauth.channel_user import MCA
from mqlint.chlauth.connection import STRANGER, Connection, Outcome, Verdict
from mqlint.chlauth.region import regions
from mqlint.config.settings import Site
from mqlint.dataclass import NamedTuple
from mqlint.model.core.fact import Fact
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.vocabulary.unknown import Unknown

_PASSWORD = ("password", "record-password")
"""The last steps of a connection that is refused because it gives no password."""


class Decision(NamedTuple):
    """`verdict` is `blocked`, `unauthenticated`, `allowed` or unknown.

    `unauthenticated` is a connection without the user and password that it needs. `user` is whose
    authority is checked, if the connection is allowed.

    `record` is the record that blocks, None if none is written here.
    """

    verdict: str | Unknown = UNKNOWN
    user: str | Unknown = UNKNOWN
    record: Record | None = None


def decision_of(fact: Fact) -> Decision:
    """Return the outcome of a connection from any host of the application's site.

    Without a known site, from any address. The verdict is unknown unless all of these agree, the
    user unless those that get in agree. All records must be here, and those that block written.
    """
    return fact.manager.cached(_Decisions).of(fact)


_EACH_RECORD = 64
"""Characters of the budget for each record that is compared with a connection."""


class _Decisions:
    """The decisions of one queue manager; connections that are alike share one."""

    def __init__(self, manager: QueueManager) -> None:
        self._access = manager.cached(ChannelAccess)
        self._manager = manager
        self._known: dict[tuple[object, ...], Decision] = {}

    def of(self, fact: Fact) -> Decision:
        words = ("channel", "client.site", "SSLCIPH", "ccdt", "via", "via.seen_as")
        key = (_credentials(fact, self._access), *(fact.value(word) for word in words))
        if key not in self._known:
            self._known[key] = self._decide(fact)
        return self._known[key]

    def _decide(self, fact: Fact) -> Decision:
        access, name = self._access, fact.value("channel")
        if self._manager.key.anonymous or not isinstance(name, str) or not name:
            return Decision()
        if isinstance(fact.value("ccdt"), str) and fact.value("ccdt"):
            return Decision()
        channel = access.channel(name)
        is_server = channel.type == "SVRCONN" and channel.defined is True
        if not is_server or access.enabled is False or not self._manager.has_all("chlauth"):
            return Decision()
        certificate = None if channel.cipher != "" else ""
        addresses = _addresses(self._manager, fact)
        cost = _EACH_RECORD * len(access.mapping_for(name))
        decisions: list[Decision] = []
        for credentials in _credentials(fact, access):
            if not self._manager.budget("applications").spend(cost):
                return Decision()
            asked = Connection(name, credentials=credentials, peer=certificate, issuer=certificate)
            try:
                found = regions(access, asked, addresses)
            except TooManyError:
                return Decision()
            decisions.append(_summary([region.outcome for region in found]))
        return _in_any_case(decisions)


def _credentials(fact: Fact, access: ChannelAccess) -> tuple[str | None, ...]:
    """The users whose right password the application may give, blank for none.

    If it is not known at all, that is None, or STRANGER for any user if the queue manager adopts
    users instead of that of the channel. A connector of Kafka Connect has no program that may
    give them.
    """
    user, presence = fact.value("user"), fact.value("password")
    is_omitted = user is ABSENT and presence is ABSENT and fact.value("source") == "kafka"
    if is_omitted or (user == "" and presence == "none"):
        return ("",)
    if not isinstance(user, str) or not user:
        return (STRANGER, "") if access.authentication.adopts else (None,)
    return (user,) if presence == "given" else (user, "")


def _in_any_case(decisions: Sequence[Decision]) -> Decision:
    """The decision if each of `decisions` is possible; the first is that with a password."""
    let_in = [known for known in decisions if known.verdict not in ("blocked", "unauthenticated")]
    if not let_in:
        return decisions[0]
    users = {known.user for known in let_in}
    verdicts = {known.verdict for known in decisions}
    verdict = let_in[0].verdict if len(verdicts) == 1 else UNKNOWN
    return Decision(verdict, let_in[0].user if len(users) == 1 else UNKNOWN)


def _summary(outcomes: Sequence[Outcome]) -> Decision:
    if not outcomes:
        return Decision()
    if all(outcome.verdict is Verdict.BLOCKED for outcome in outcomes):
        if any(outcome.checks[-1].step in _PASSWORD for outcome in outcomes):
            return Decision("unauthenticated")
        records = [outcome.record for outcome in outcomes if outcome.record is not None]
        written = [record for record in records if record.is_written]
        if len(written) == len(outcomes):
            return Decision("blocked", UNKNOWN, written[0])
        return Decision()
    admitted = [outcome for outcome in outcomes if outcome.verdict is not Verdict.BLOCKED]
    users = {outcome.user for outcome in admitted}
    if len(users) != 1 or not all(outcome.verdict.lets_in for outcome in admitted):
        return Decision()
    user = users.pop()
    is_known = user is not None and user not in (MCA, STRANGER)
    verdict = "allowed" if len(admitted) == len(outcomes) else UNKNOWN
    return Decision(verdict, user if is_known and user is not None else UNKNOWN)


def _addresses(manager: QueueManager, fact: Fact) -> AddressSet:
    """The addresses that listeners see of an application; all of them if they are not known.

    They are those of its site, or of the route of MQIPT that it calls.
    """
    if fact.value("via") == "mqipt":
        return _in_network(fact.value("via.seen_as")) or everything()
    sites: Iterable[Site] = manager.settings.sites
    site = fact.value("client.site")
    found = next((known for known in sites if known.name == site), None)
    listed = () if found is None else found.seen_as or found.networks
    return union(network(str(part)) for part in listed) if listed else everything()


def _in_network(address: Value) -> AddressSet | None:
    with suppress(NoAddressError):
        return network(address) if isinstance(address, str) else None
    return None


def verdict(fact: Fact) -> Value:
    """Return `blocked`, `unauthenticated`, `allowed`, or unknown."""
    return decision_of(fact).verdict


def mapped_user(fact: Fact) -> Value:
    """Return the user for whom the queue manager checks authority."""
    return decision_of(fact).user


def blocking_record(fact: Fact) -> Value:
    """Return the record that blocks, as `identity` has it; unknown without one."""
    record = decision_of(fact).record
    return UNKNOWN if record is None else record.key
