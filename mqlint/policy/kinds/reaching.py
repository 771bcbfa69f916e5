"""The kind `reaches`: can a connection from a place start this channel, and as whom?

It is judged given the addresses that listeners see. Something gets in only where that is certain:
a record written in the files lets it in, or the files hold all records and none is in the way.
Passwords and certificates that a record, or the channel, asks for stop a connection: whoever
has them is no stranger.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from ipaddress import IPv4Network, IPv6Network
from itertools import islice
from typing import TYPE_CHECKING

from mqlint.chlauth.access import Channel, ChannelAccess
from mqlint.chlauth.address import AddressSet, TooManyError, everything, network, union
from mqlint.chlauth.admit import NO_PASSWORD, PASSWORD
from mqlint.chlauth.audit import Identity, identities, signature
from mqlint.chlauth.channel_user import MCA
from mqlint.chlauth.connection import Outcome, Verdict
from mqlint.chlauth.region import Region, regions
from mqlint.config.settings import ROLES, Site
from mqlint.dataclass import NamedTuple, frozen
from mqlint.finding import Related
from mqlint.grouping import grouped
from mqlint.model.core.fact import Fact
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.shipped import shipped_key
from mqlint.model.facts.application.connecting import may_image_refuse
from mqlint.model.facts.registry import Facts
from mqlint.policy.kinds.places import ANY, OUTSIDE, OWN
from mqlint.policy.policy import Kind, Violation

if TYPE_CHECKING:
    from mqlint.config.settings import Network

MANY = 40
"""The most kinds of partners of a channel that are tried."""

MOST_REPORTED = 5
"""Limit of the records that are reported for one channel, the strongest first."""


class _Way(NamedTuple):
    """A way in: who takes it, from which addresses, and with which outcome."""

    who: str
    region: Region

    @property
    def addresses(self) -> AddressSet:
        return self.region.addresses

    @property
    def outcome(self) -> Outcome:
        return self.region.outcome


class _Answers(NamedTuple):
    """The ways into channels with the same definition, computed once for all of these channels.

    `admitted` are the ways to report if the user or partner gets in, one for each record.
    `refused` is the way to report if no way is open.
    """

    ways: Sequence[_Way]
    admitted: Sequence[_Way]
    refused: _Way | None


@frozen
class Reaches(Kind):
    """What comes from `source` must not start the channel, or (`must`) must be able to.

    `source` is one of `PLACES` (`mqlint.policy.kinds.places`) or networks. `user` limits it to
    those that act as an administrator, `partner` to those that no record names. With `every` all
    of these must get in, from every address of the source, for it to be wrong.
    """

    source: tuple[str, ...]
    user: str
    partner: str
    every: bool
    must: bool

    def local(self, fact: Fact, facts: Facts) -> Iterable[Violation]:
        manager = facts.manager
        networks = _networks(self.source, manager.settings.known_sites, manager.site)
        access = manager.cached(ChannelAccess)
        channel = access.channel(fact.name)
        if not networks or channel.defined is not True or access.enabled is False:
            return
        if channel.cipher is None or (not self.must and self._is_guarded(channel)):
            return
        if self.must and (manager.is_in_parts or not _may_refuse(access, channel)):
            return
        if not self.must and may_image_refuse(manager, fact.name):
            return
        if self.user == "administrator" and not self.must and not _is_known(access, channel):
            return
        answers = self._known_answers(access, channel, networks)
        if answers is None:
            return
        if self.must:
            if answers.refused is not None:
                yield _violation(fact, answers.refused)
        else:
            yield from (_violation(fact, way) for way in answers.admitted if not _is_mapped(way))

    def missing(self, fact: Fact, facts: Facts) -> str | None:
        """Return what is not known and needed for an answer about a channel without fault."""
        manager = facts.manager
        networks = _networks(self.source, manager.settings.known_sites, manager.site)
        access = manager.cached(ChannelAccess)
        channel = access.channel(fact.name)
        if not networks or channel.defined is False or access.enabled is False:
            return None
        if channel.defined is None or channel.cipher is None:
            return "SSLCIPH" if channel.defined else "whether the channel is defined"
        if not self.must and self._is_guarded(channel):
            return None
        answers = self._known_answers(access, channel, networks)
        if answers is None:
            return "partners: too many to try"
        if self.must:
            is_open = not any(way.outcome.verdict.lets_in for way in answers.ways)
        else:
            is_open = any(self._may_get_in(access, way) for way in answers.ways)
        return "channel authentication records" if is_open else None

    def _may_get_in(self, access: ChannelAccess, way: _Way) -> bool:
        """Whether a connection whose outcome is not certain may get in."""
        outcome = way.outcome
        if outcome.verdict is Verdict.BLOCKED or PASSWORD in outcome.taken:
            return bool(way.region.possible)
        return (
            self.user != "administrator" or access.is_administrator(outcome.user or "") is not False
        )

    def _is_guarded(self, channel: Channel) -> bool:
        """Whether a certificate that the queue manager trusts keeps strangers out already."""
        far = self.source[0] in (ANY, OUTSIDE)
        return far and bool(channel.cipher) and channel.needs_certificate is not False

    def _known_answers(
        self, access: ChannelAccess, channel: Channel, networks: AddressSet
    ) -> _Answers | None:
        """Return the ways in, computed once for channels with the same definition.

        None if they are too many to compute.
        """
        known = access.manager.cached(_answers_by_channel)
        key = (self, networks, *signature(access, channel))
        if key not in known:
            try:
                known[key] = self._answers(access, self._ways(access, channel, networks))
            except TooManyError:
                known[key] = None
        return known[key]

    def _answers(self, access: ChannelAccess, tried: Iterator[_Way]) -> _Answers:
        ways: list[_Way] = []
        for way in tried:
            ways.append(way)
            if self.must and way.outcome.verdict.lets_in:  # one that is open is enough
                break
        if self.must:
            return _Answers(ways, (), _nearest(ways) if _are_shut(ways) else None)
        found = [way for way in ways if self._gets_in(access, way)]
        if not self.every:
            by_record = grouped((way.outcome.record, way) for way in found).values()
            return _Answers(ways, [*map(_nearest, islice(by_record, MOST_REPORTED))], None)
        return _Answers(ways, [_nearest(found)] if len(found) == len(ways) > 0 else (), None)

    def _ways(
        self, access: ChannelAccess, channel: Channel, networks: AddressSet
    ) -> Iterator[_Way]:
        known = identities(access, channel)
        if self.must and len(known) > MANY:
            raise TooManyError("too many partners to be sure of all")
        for who in self._partners(access, channel, known[:MANY]):
            for region in regions(access, who.connection, networks):
                yield _Way(who.label, region)

    def _partners(
        self, access: ChannelAccess, channel: Channel, known: Sequence[Identity]
    ) -> Iterator[Identity]:
        """Who may connect, without a password; with a certificate only where it must work."""
        anybody = known[0]
        if self.user == "administrator":
            yield from _administrators(access, channel, anybody)
            return
        for identity in known[:1] if self.partner == "stranger" else known:
            if self.must:
                yield identity
            elif not identity.label.startswith("certificate"):
                yield replace(identity, connection=replace(identity.connection, credentials=""))

    def _gets_in(self, access: ChannelAccess, way: _Way) -> bool:
        """Whether a way in is certain; for an administrator if the blocked users are known."""
        outcome = way.outcome
        if way.region.possible or not outcome.verdict.lets_in or PASSWORD in outcome.taken:
            return False
        if self.user == "administrator":
            is_administrator = access.is_administrator(outcome.user or "")
            return is_administrator is True and NO_PASSWORD not in outcome.taken
        let_in = outcome.record is not None and outcome.record.is_written
        if self.source == (ANY,):
            return let_in
        return let_in or (access.manager.complete and access.enabled is not None)


def _may_refuse(access: ChannelAccess, channel: Channel) -> bool:
    """Whether a record that is here may block connections to a channel: most block none."""
    if not access.may_refuse:
        return False
    records = (*access.mapping_for(channel.name), *access.users_for(channel.name))
    every = (*records, *access.rules.addresses)
    return any(record.is_written and record.may_refuse for record in every)


def _are_shut(ways: Sequence[_Way]) -> bool:
    """Whether everybody is certainly blocked, by a record that is here."""
    outcomes = [way.outcome for way in ways]
    if any(outcome.verdict is not Verdict.BLOCKED for outcome in outcomes):
        return False
    return any(outcome.record is not None and outcome.record.is_written for outcome in outcomes)


def _answers_by_channel(manager: QueueManager) -> dict[object, _Answers | None]:
    """The answers about channels that were worked out, for the whole of a queue manager."""
    return {}


def _administrators(
    access: ChannelAccess, channel: Channel, anybody: Identity
) -> Iterator[Identity]:
    """A partner that claims to be the administrator, if a client may claim that."""
    if channel.is_client:
        user = access.administrator
        asserted = replace(anybody.connection, user=user, credentials="")
        yield Identity(f"user {user}", asserted)


def _is_known(access: ChannelAccess, channel: Channel) -> bool:
    """Whether the files say which users are blocked on a channel, rather than that being assumed.

    Of several lists that of the most specific profile counts, alone.
    """
    lists = access.users_for(channel.name)
    sure = (at for at, users in enumerate(lists) if users.certain and users.is_for(channel.name))
    asked = lists[: next(sure, len(lists)) + 1]
    removed = access.manager.recorded("chlauth", shipped_key("*", "BLOCKUSER", ""))
    is_shown = access.manager.complete or (removed is not None and removed.exists is False)
    return all(users.is_written for users in asked) and (bool(asked) or is_shown)


def _is_mapped(way: _Way) -> bool:
    """Whether a record makes every address an administrator, which is a fault of the record."""
    record = way.outcome.record
    is_map = record is not None and (record.type, record.source) == ("ADDRESSMAP", "MAP")
    return is_map and way.outcome.user in ("mqm", "MUSR_MQADMIN", "QMQM")


def _networks(source: tuple[str, ...], sites: Sequence[Site], own: Site | None) -> AddressSet:
    """The addresses of a source; none if the configuration does not define them."""
    (word, *_) = source
    if word == ANY:
        return everything()
    if word in (OUTSIDE, OWN):
        mine = _seen([site for site in sites if own is not None and site.name == own.name], sites)
        return mine if word == OWN or not mine else everything() - mine
    if word in ROLES:
        return _seen([site for site in sites if site.role == word and _meet(site, own)], sites)
    return union(map(network, source))


def _meet(site: Site, own: Site | None) -> bool:
    """Whether something can come from another site: not if the network, or time, separates them."""
    apart = ("network", "production-ended")
    return (own is None or site.name != own.name) and not any(
        side.isolation in apart for side in (site, own) if side is not None
    )


def _seen(chosen: Sequence[Site], sites: Sequence[Site]) -> AddressSet:
    """The addresses of sites, as listeners see them, less what within them is another site's."""
    others = [address_set for site in sites if site not in chosen for address_set in _listed(site)]
    return union(
        network(str(address_set))
        - union(network(str(two)) for two in others if _is_within(two, address_set))
        for site in chosen
        for address_set in _listed(site)
    )


def _listed(site: Site) -> tuple[Network, ...]:
    return site.seen_as or site.networks


def _is_within(inner: Network, outer: Network) -> bool:
    """Whether a network is a part of another, and not all of it."""
    if isinstance(inner, IPv4Network):
        return isinstance(outer, IPv4Network) and inner != outer and inner.subnet_of(outer)
    return isinstance(outer, IPv6Network) and inner != outer and inner.subnet_of(outer)


def _nearest(ways: Sequence[_Way]) -> _Way:
    """The way to report of several."""
    return min(ways, key=lambda way: (way.who != "anybody", way.addresses.boxes))


def _violation(fact: Fact, way: _Way) -> Violation:
    """The finding, at the record that decides, with one address as a witness."""
    record = way.outcome.record
    user = way.outcome.user
    data = {
        "reach.address": way.addresses.witness(),
        "reach.user": "whom it says it is" if user in (None, "?") else str(user),
        "reach.record": "no record" if record is None else record.written(),
        "reach.who": "anybody" if way.who == "anybody" else way.who,
    }
    if user == MCA:
        data["reach.user"] = "the queue manager's own user"
    if record is None or record.at is None:
        return Violation(fact.where(), None, data)
    return Violation(record.at, None, data, (Related(fact.where(), f"channel {fact.name}"),))
