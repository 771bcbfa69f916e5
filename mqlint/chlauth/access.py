"""What decides who can start the channels of a queue manager: its records and settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import chain

from mqlint.chlauth.address import AddressSet
from mqlint.chlauth.auth_record import Part, Record, Trail
from mqlint.chlauth.rules import RecordsByProfile, Rules, rules_of
from mqlint.chlauth.user_name import account, short_user
from mqlint.computed import Computed
from mqlint.dataclass import frozen
from mqlint.finding import Location
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.shipped import (
    SHIPPED_CHANNELS,
    product_default,
    shipped_channel_type,
)
from mqlint.model.core.value import known_text
from mqlint.model.facts.security.authentication import Authentication

INBOUND = ("SVRCONN", "AMQP", "MQTT", "RCVR", "CLUSRCVR", "RQSTR", "SVR", "SDR")
"""The types of channel that a partner can start; a sender only a requester, which it calls back."""

CLIENTS = ("SVRCONN", "AMQP", "MQTT")
"""The types of channel that applications connect to."""

_ADMINISTRATORS = {
    "windows": frozenset({"mqm", "administrator", "system", "musr_mqadmin"}),
    "ibmi": frozenset({"qmqm", "qmqmadm", "qsecofr"}),
    "zos": frozenset[str](),
}
_UNIX = frozenset({"mqm"})
_SOMEWHERE = frozenset[str]().union(_UNIX, *_ADMINISTRATORS.values())
"""Users that are MQ administrators by the name alone (IBM: swg21643861). Members of the group
cannot be seen in a script."""


@frozen
class Channel:
    """One end that a partner can start; None is a value that the text leaves open.

    `user` is its MCAUSER, `cipher` its SSLCIPH, `peer` its SSLPEER, `exit` its SCYEXIT,
    `needs_certificate` whether SSLCAUTH is REQUIRED, `takes_client_id` whether USECLTID is or may
    be YES, so that the user is the client identifier. `defined` says whether the files define it,
    None if another file may. `where` returns the place of its name, None without one.
    """

    name: str
    type: str | None
    user: str | None
    cipher: str | None
    peer: str | None
    exit: str | None
    defined: bool | None
    needs_certificate: bool | None = None
    takes_client_id: bool = False
    where: Callable[[], Location] | None = None

    @property
    def place(self) -> Location | None:
        """The place of its name: found for the few channels that are shown."""
        return None if self.where is None else self.where()

    @property
    def is_client(self) -> bool:
        return self.type in CLIENTS

    @property
    def calls_back(self) -> bool:
        """Whether only a requester can start it, and it then calls that requester."""
        return self.type == "SDR"


class ChannelAccess:
    """The settings of a queue manager that decide on connections; None is not known.

    `enabled` is CHLAUTH, `looks_up_names` REVDNS, `authentication` what CONNAUTH decides, `early`
    and `ignores_case` the attributes ChlauthEarlyAdopt and ChlauthIgnoreUserCase of the Channels
    stanza in qm.ini.
    `partitions` keeps how records of general profiles cut the addresses asked about, None if they
    fall into too many parts; `fitting` the records that fit the last partner asked about.
    `unread` are files that may be about it and could not be read.
    """

    def __init__(self, manager: QueueManager, unread: tuple[str, ...] = ()) -> None:
        self.manager = manager
        self.authentication = manager.cached(Authentication)
        self.unread = unread
        self._channels = Computed(self._channel)
        self.partitions: dict[tuple[object, AddressSet], list[Part] | None] = {}
        self.fitting: tuple[object, tuple[Trail, ...]] | None = None
        self._qmgr = manager.own_object()

    @cached_property
    def rules(self) -> Rules:
        rules = rules_of(self.manager)
        is_open = self.may_be_disabled or self.manager.may_lack_records
        return rules.in_doubt() if is_open else rules

    @cached_property
    def may_refuse(self) -> bool:
        """Whether a record that is here may block a connection to any channel."""
        rules = self.rules
        every = (*rules.mapping, *rules.users, *rules.addresses)
        return any(record.is_written and record.may_refuse for record in every)

    def mapping_for(self, channel: str) -> tuple[Record, ...]:
        """Return the records that map, and whose profile fits or may fit a channel's name."""
        return self.mapping.of_groups(self.mapping.groups_of(channel))

    def users_for(self, channel: str) -> tuple[Record, ...]:
        """Return the records that block users, and whose profile may fit a channel's name."""
        return self.users.of_groups(self.users.groups_of(channel))

    @cached_property
    def mapping(self) -> RecordsByProfile:
        return RecordsByProfile(self.rules.mapping)

    @cached_property
    def users(self) -> RecordsByProfile:
        return RecordsByProfile(self.rules.users)

    @cached_property
    def enabled(self) -> bool | None:
        found = self._setting("CHLAUTH")
        return None if found is None else found != "DISABLED"

    @cached_property
    def may_be_disabled(self) -> bool:
        """Whether commands leave open if CHLAUTH is DISABLED: by a branch, template or order."""
        return self.enabled is None and self._writes("CHLAUTH")

    @property
    def is_assumed_enabled(self) -> bool:
        """Whether no command sets CHLAUTH, so that it is as in a new queue manager."""
        return self.enabled is None and not self.may_be_disabled

    @cached_property
    def looks_up_names(self) -> bool | None:
        """Whether the name of a host is looked up for its address."""
        found = self._setting("REVDNS")
        return None if found is None else found != "DISABLED"

    @cached_property
    def may_ignore_names(self) -> bool:
        """Whether commands leave open if names of hosts are looked up."""
        return self.looks_up_names is None and self._writes("REVDNS")

    @cached_property
    def defines_channels(self) -> bool | None:
        """Whether receivers and server-connections are defined when a partner asks for them."""
        found = self._setting("CHAD")
        return None if found is None else found == "ENABLED"

    @cached_property
    def early(self) -> bool | None:
        """Whether that user is adopted before the records are asked."""
        return self._ini_switch("ChlauthEarlyAdopt")

    @cached_property
    def ignores_case(self) -> bool | None:
        """Whether the case of user names does not matter to records."""
        return self._ini_switch("ChlauthIgnoreUserCase")

    def is_user(self, name: str, user: str) -> bool | None:
        """Whether a record with a name is for a user; None if that is open: see `why_open`."""
        wanted, given = name.lower(), user.lower()
        may_be_cut = given != short_user(given) and self.manager.target.platform != "windows"
        if may_be_cut and wanted in (given, short_user(given)):
            return None
        if name == user:
            return True
        return self.ignores_case if wanted == given else False

    def channel(self, name: str) -> Channel:
        """Return the channel of this name as far as it is known."""
        return self._channels[name]

    def _channel(self, name: str) -> Channel:
        found = self.manager.find("channel", name)
        if found is None:
            return self._shipped_channel(name) or self._undefined(name)
        if found.has_refused_command:
            return Channel(name, None, None, None, None, None, None)
        words = ("MCAUSER", "SSLCIPH", "SSLPEER", "SCYEXIT")
        user, cipher, peer, leaving = (known_text(found.value(word)) for word in words)
        asked = known_text(found.value("SSLCAUTH"))
        needs = None if asked is None else asked == "REQUIRED"
        named = found.writes("USECLTID") and found.value("USECLTID") != "NO"
        kind, exists, where = found.subtype, found.exists, found.where
        if exists is None and any(chain.settles for chain in found.chains):
            kind = None  # it may be deleted, so all that may be there instead is possible
        return Channel(name, kind, user, cipher, peer, leaving, exists, needs, named, where)

    def _undefined(self, name: str) -> Channel:
        there = self.manager.exists("channel", name)
        return Channel(name, None, None, None, None, None, False if there is False else None)

    def _shipped_channel(self, name: str) -> Channel | None:
        """A channel that every queue manager has, with the attributes it is shipped with."""
        manager, kind = self.manager, shipped_channel_type(name)
        if kind is None or manager.exists("channel", name) is not True:
            return None
        words = ("MCAUSER", "SSLCIPH", "SSLPEER", "SCYEXIT", "SSLCAUTH")
        user, cipher, peer, leaving, asked = (
            known_text(product_default(manager.vocabulary, manager.target, "channel", kind, word))
            for word in words
        )
        needs = None if asked is None else asked == "REQUIRED"
        return Channel(name, kind, user, cipher, peer, leaving, True, needs)

    def channels(self) -> list[Channel]:
        """Return the channels that a partner can start, by name; without senders."""
        found = sorted({channel.name for channel in self.manager.objects("channel")})
        inbound = [channel for channel in map(self.channel, found) if channel.type in INBOUND]
        return [channel for channel in inbound if not channel.calls_back]

    @staticmethod
    def shipped_names() -> frozenset[str]:
        return frozenset(SHIPPED_CHANNELS)

    @property
    def administrator(self) -> str:
        """A user that is an MQ administrator by the name alone."""
        names = {"windows": "MUSR_MQADMIN", "ibmi": "QMQM"}
        return names.get(self.manager.target.platform or "", "mqm")

    def is_administrator(self, user: str) -> bool | None:
        """Whether a user is an MQ administrator by the name alone.

        None if that depends on the platform, which is unknown, or on a domain of Windows.
        """
        platform = self.manager.target.platform
        names = _ADMINISTRATORS.get(platform or "", _UNIX)
        if user in names:
            return True
        if platform is None:
            return None if account(user) in _SOMEWHERE else False
        if platform in _ADMINISTRATORS and user.lower() in names:
            return True
        return None if platform == "windows" and account(user) in names else False

    def _writes(self, word: str) -> bool:
        return self._qmgr is not None and self._qmgr.writes(word)

    def _setting(self, word: str) -> str | None:
        if self._qmgr is None or self._qmgr.has_refused_command:
            return None
        return known_text(self._qmgr.value(word))

    def _ini_switch(self, key: str) -> bool | None:
        """A switch of the Channels stanza; off when qm.ini is here and does not name it.

        None if lines of it differ: no source says which one is in force.
        """
        stanzas = (each for each, _ in self.manager.stanzas if each.name.lower() == "channels")
        lines = chain.from_iterable(stanza.entries for stanza in stanzas)
        entries = [line for line in lines if line.key.lower() == key.lower()]
        if not entries:
            return False if self.manager.stanzas else None
        values = {entry.value.strip().lower() in ("y", "yes") for entry in entries}
        is_open = len(values) > 1 or any(entry.templated for entry in entries)
        return None if is_open else values.pop()
