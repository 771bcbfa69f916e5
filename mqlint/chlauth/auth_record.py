"""Channel authentication records as a queue manager has them after all commands."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from mqlint.chlauth import distinguished
from mqlint.chlauth.address import AddressSet, NoAddressError
from mqlint.chlauth.address import pattern as addresses_of
from mqlint.chlauth.address import specificity as address_specificity
from mqlint.chlauth.wildcard import generic_fits, name_specificity
from mqlint.finding import Location
from mqlint.language.mqsc import Templated
from mqlint.model.core.action import key_words
from mqlint.model.core.layer import Chain, Change, list_after
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.shipped import shipped_key
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, listed

MAPPING = ("SSLPEERMAP", "USERMAP", "QMGRMAP", "ADDRESSMAP")
"""The types of which one record wins, the strongest first; USERMAP and QMGRMAP are equals."""

ADMINISTRATORS = "*MQADMIN"
_RANK = {"SSLPEERMAP": 0, "USERMAP": 1, "QMGRMAP": 1, "ADDRESSMAP": 2}
_KEYS = {"SSLPEERMAP": "SSLPEER", "USERMAP": "CLNTUSER", "QMGRMAP": "QMNAME"}


@dataclass(frozen=True, eq=False)
class Record:
    """One record: its profile, keys and effect. None is a value that the text leaves open.

    `partner` is the distinguished name, user or queue manager it is for, by its type; `source`
    MAP, CHANNEL or NOACCESS and `user` its MCAUSER; `check` its CHCKCLNT; `entries` the users or
    addresses of a list. `certain` is False when a template or a branch leaves open whether
    it is there; `key` is that of its object, blank for a shipped one; `found` is that object.
    """

    profile: str
    type: str
    partner: str | None = ""
    issuer: str | None = ""
    address: str | None = ""
    source: str | None = "MAP"
    user: str | None = ""
    check: str | None = "ASQMGR"
    warn: bool | None = False
    entries: tuple[str, ...] | None = ()
    certain: bool = True
    key: str = ""
    found: MQObject | None = None

    @property
    def is_written(self) -> bool:
        """Whether a command makes it, so that it has places."""
        return self.found is not None

    @cached_property
    def place(self) -> Location | None:
        """The command that made it; None for a record that a new queue manager is shipped with."""
        return None if self.found is None else self.found.where()

    @cached_property
    def at(self) -> Location | None:
        """The place of its address, or of its name where it has none."""
        if self.found is None:
            return None
        has_address = not self.is_list and _key(self.found, "ADDRESS")
        return self.found.where("ADDRESS" if has_address else None)

    @property
    def is_list(self) -> bool:
        """Whether it blocks what it lists, and maps nothing."""
        return self.type in ("BLOCKUSER", "BLOCKADDR")

    def is_for(self, channel: str) -> bool | None:
        """Whether its profile fits the name of a channel; None for a name that is left open."""
        if isinstance(self.profile, Templated):
            return None
        return generic_fits(self.profile, channel)

    @cached_property
    def addresses(self) -> AddressSet | None:
        """The addresses it is for; None when it names hosts, or the text leaves it open."""
        if self.address is None:
            return None
        try:
            return addresses_of(self.address)
        except NoAddressError:
            return None

    @property
    def host(self) -> str | None:
        """The generic host name it is for, None when it is for addresses."""
        return self.address if self.address and self.addresses is None else None

    @cached_property
    def rank(self) -> tuple[object, ...]:
        """Its precedence: of the records that fit a connection the smallest wins.

        (IBM: q010250, "Channel authentication records".)
        """
        partner, issuer = self.partner or "", self.issuer or ""
        if self.type == "SSLPEERMAP":
            names = (distinguished.specificity(partner), distinguished.specificity(issuer))
        else:
            names = (name_specificity(partner or "*"), ())
        where = address_specificity(self.address or "")
        return (name_specificity(self.profile), _RANK.get(self.type, 9), names, where)

    def written(self) -> str:
        """Return it as one would say it: type, profile and keys."""
        keys = {"ADDRESS": self.address, "SSLCERTI": self.issuer}
        if self.type in _KEYS:
            keys = {_KEYS[self.type]: self.partner, **keys}
        said = "".join(f" {key}({value})" for key, value in keys.items() if value)
        return f"{self.type}({self.profile}){said}"


def stronger_by(first: Record, second: Record) -> str:
    """Return the id of the step by which the first of two records comes before the second."""
    one, two = first.rank, second.rank
    if one[0] != two[0]:
        return "profile-order"
    if one[1] != two[1]:
        return "certificate-first" if first.type == "SSLPEERMAP" else "user-before-address"
    if one[2] != two[2]:
        return "partner-order"
    return "host-name-last" if second.host is not None else "address-order"


SHIPPED = (
    Record("SYSTEM.ADMIN.SVRCONN", "ADDRESSMAP", address="*", source="CHANNEL"),
    Record("SYSTEM.*", "ADDRESSMAP", address="*", source="NOACCESS"),
    Record("*", "BLOCKUSER", entries=(ADMINISTRATORS,)),
)
"""The records a new queue manager has (a dump of one; IBM: q132560, "default CHLAUTH rules")."""


Trail = tuple[tuple[Record, bool], ...]
"""Records that fit or may fit a connection, the strongest first, each with whether that is sure.
The last one is sure, and does not only warn; without such a one no record may decide."""

Part = tuple[AddressSet, Trail]
"""Addresses, and the records that fit or may fit what comes from them."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The records of a queue manager: those that map, the strongest first, and the lists.

    `assumed` holds the shipped records that no file speaks of, and that are taken to be there.
    """

    mapping: tuple[Record, ...]
    users: tuple[Record, ...]
    addresses: tuple[Record, ...]
    assumed: tuple[Record, ...]


class Fitting:
    """Records by what their profiles begin with, so that a name is compared with few of them."""

    def __init__(self, records: Iterable[Record]) -> None:
        """Take records; those that fit a name come in this order."""
        self._begun: dict[str, list[tuple[int, Record]]] = {}
        self._known: dict[str, tuple[Record, ...]] = {}
        for number, one in enumerate(records):
            self._begun.setdefault(_beginning(one.profile), []).append((number, one))

    def of(self, channel: str) -> tuple[Record, ...]:
        """Return the records whose profile fits, or may fit, the name of a channel."""
        found = self._known.get(channel)
        if found is None:
            begun = (self._begun.get(channel[:end], ()) for end in range(len(channel) + 1))
            near = sorted((each for few in begun for each in few), key=lambda each: each[0])
            found = tuple(one for _, one in near if one.is_for(channel) is not False)
            self._known[channel] = found
        return found


def _beginning(profile: str) -> str:
    """What every name that fits begins with, nothing for a profile that is left open."""
    return "" if isinstance(profile, Templated) else profile.split("*", 1)[0]


def names_like(profile: str, names: Sequence[str]) -> Iterator[str]:
    """Yield those of some sorted names that a profile fits, or may fit."""
    start = _beginning(profile)
    for name in names[bisect_left(names, start) :]:
        if not name.startswith(start):
            return
        if isinstance(profile, Templated) or generic_fits(profile, name):
            yield name


def rules_of(manager: QueueManager) -> Rules:
    """Return the records of a queue manager.

    Where the files do not claim to be complete, it has the records that a new queue manager is
    shipped with, as far as no command took them away.
    """
    said = [_record(found) for found in manager.objects("chlauth")]
    left = [] if manager.complete else [_left_of(manager, one) for one in SHIPPED]
    assumed = [one for one in left if one is not None]
    known = {(one.profile, one.type, one.address) for one in assumed}
    kept = [one for one in said if (one.profile, one.type, one.address) not in known]
    found = sorted([*kept, *assumed], key=lambda record: record.rank)
    return Rules(
        tuple(one for one in found if one.type in MAPPING),
        tuple(one for one in found if one.type == "BLOCKUSER"),
        tuple(one for one in found if one.type == "BLOCKADDR"),
        tuple(one for one in assumed if not one.is_written),
    )


def _left_of(manager: QueueManager, shipped: Record) -> Record | None:
    """What commands leave of a shipped record; None when it is taken away or made anew."""
    key = shipped_key(shipped.profile, shipped.type, shipped.address or "")
    found = manager.recorded("chlauth", key)
    if found is None:
        return shipped
    chains = found.chains
    if found.dump or len(chains) != 1:
        return None
    if not shipped.is_list:
        return None if chains[0].state(True) or chains[0].makes else _doubtful(shipped, chains[0])
    if chains[0].makes or any(chain.change is Change.REMOVE for chain in chains[0]):
        return None
    left = list_after(chains[0], "USERLIST", shipped.entries or ())
    if left == ():
        return None
    entries = None if left is UNKNOWN else left
    return replace(_record(found), entries=entries, certain=entries is not None)


def _doubtful(shipped: Record, chain: Chain) -> Record | None:
    """A shipped record that a branch may take away."""
    return replace(shipped, certain=False) if chain.state(True) is None else None


def _record(found: MQObject) -> Record:
    kind = found.subtype or ""
    is_list = kind in ("BLOCKUSER", "BLOCKADDR")
    return Record(
        found.name,
        kind,
        partner=_key(found, _KEYS[kind]) if kind in _KEYS else "",
        issuer=_key(found, "SSLCERTI") if kind == "SSLPEERMAP" else "",
        address="" if is_list else _key(found, "ADDRESS"),
        source=_word(found.value("USERSRC"), "MAP"),
        user=_text(found.value("MCAUSER")),
        check=_word(found.value("CHCKCLNT"), "ASQMGR"),
        warn=_warns(found, is_list),
        entries=_entries(found, kind) if is_list else (),
        certain=found.exists is True,
        key=found.key,
        found=found,
    )


def whom(found: MQObject) -> Value:
    """Return whom a record is about: its type, and the user, queue manager or certificate.

    Absent where it is for certain addresses, unknown where the text leaves a part of it open.
    """
    address, kind = _key(found, "ADDRESS"), found.subtype
    if kind is None or kind == "BLOCKADDR":
        return ABSENT
    issuer = _key(found, "SSLCERTI") if kind == "SSLPEERMAP" else ""
    partner = _key(found, _KEYS[kind]) if kind in _KEYS else ""
    if address is None or partner is None or issuer is None:
        return UNKNOWN
    return "\x1f".join((kind, partner, issuer)) if address.strip() in ("", "*") else ABSENT


def _key(found: MQObject, word: str) -> str | None:
    """One of the keys of a record; blank when its command does not write it."""
    parts = found.key.split("\x1f")
    at = 1 + key_words("chlauth").index(word)
    # Without a name that is known there is no key to tell by.
    return _text(found.value(word)) if len(parts) <= at or parts[at] else ""


def _text(value: Value) -> str | None:
    if value is UNKNOWN:
        return None
    return value if isinstance(value, str) else ""


def _word(value: Value, absent: str) -> str | None:
    found = _text(value)
    return found if found is None else found.upper() or absent


def _warns(found: MQObject, is_list: bool) -> bool | None:
    """Whether it only warns; a list that no command gives a WARN to does not."""
    if is_list and found.written_value("WARN") is None:
        return False
    value = found.value("WARN")
    return None if value is UNKNOWN else value == "YES"


def _entries(found: MQObject, kind: str) -> tuple[str, ...] | None:
    value = listed(found.value("ADDRLIST" if kind == "BLOCKADDR" else "USERLIST"))
    if value is UNKNOWN:
        return None
    return () if value is ABSENT or not isinstance(value, tuple) else value
