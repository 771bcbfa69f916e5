"""One channel authentication record: whom it is for, what it does, and its precedence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property

from mqlint.chlauth import distinguished
from mqlint.chlauth.address import AddressSet, NoAddressError, union
from mqlint.chlauth.address import pattern as addresses_of
from mqlint.chlauth.address import specificity as address_specificity
from mqlint.chlauth.wildcard import generic_fits, name_specificity
from mqlint.dataclass import frozen
from mqlint.finding import Location
from mqlint.language.mqsc import Templated
from mqlint.model.core.action import key_words
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import MQObject
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, listed

ADMINISTRATORS = "*MQADMIN"
NO_ACCESS = "*NOACCESS"
"""An MCAUSER that blocks every connection."""
IMAGE = "an image for developers"
_RANK = {"SSLPEERMAP": 0, "USERMAP": 1, "QMGRMAP": 1, "ADDRESSMAP": 2}
_OPEN = -1
_Rank = tuple[object, ...]
_KEYS = {"SSLPEERMAP": "SSLPEER", "USERMAP": "CLNTUSER", "QMGRMAP": "QMNAME"}


@frozen(eq=False, slots=False)
class Record:
    """One record: its profile, keys and effect. None is a value that the text leaves open.

    `partner` is the distinguished name, user or queue manager it is for, by its type; `source`
    MAP, CHANNEL or NOACCESS and `user` its MCAUSER; `check` its CHCKCLNT; `entries` the users or
    addresses of a list. `certain` is False when a template or a branch leaves open whether
    it is there, or when it is `tied`: another record has its precedence; `is_typed` is False if
    `type` is a guess; `key` is that of its object, blank for a shipped one; `found` is that object.
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
    tied: bool = False
    is_typed: bool = True
    key: str = ""
    found: MQObject | None = None

    @property
    def is_written(self) -> bool:
        """Whether a command makes it, so that it has places."""
        return self.found is not None

    @property
    def is_displayed(self) -> bool:
        """Whether only output of DISPLAY shows it."""
        return self.found is not None and all(layer.origin.shown for layer in self.found.layers)

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
    def order(self) -> Origin | None:
        """The order of commands that makes it; None when no script or several ones do."""
        chains = () if self.found is None else self.found.chains
        return chains[0][0].order if len(chains) == 1 and self.certain else None

    @property
    def number(self) -> int:
        """The place of the last command about it among all commands."""
        chains = () if self.found is None else self.found.chains
        return max((chain[-1].number for chain in chains), default=0)

    @property
    def effect(self) -> tuple[object, ...]:
        asks = self.check in ("REQUIRED", "REQDADM")
        user = self.user if self.source == "MAP" else ""
        return self.source, user, asks and self.check, self.warn is True

    @property
    def may_refuse(self) -> bool:
        """Whether it may block a connection: not if it maps to a user and asks for no password."""
        maps = self.source == "MAP" and self.user not in (None, NO_ACCESS)
        return self.is_list or not maps or self.check in (None, "REQUIRED", "REQDADM")

    @property
    def supplier(self) -> str:
        """What has a record that no command makes; blank for one that a command makes."""
        if self.is_written:
            return ""
        is_of_image = self.profile == "*" and not self.is_list
        return IMAGE if is_of_image else "a new queue manager"

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
    def blocked(self) -> AddressSet | None:
        """The addresses that its list has, without names of hosts; None if they are not known."""
        return None if self.entries is None else union(_patterns(self.entries))

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
        """The generic host name that it is for, None if it is for addresses."""
        return self.address if self.address and self.addresses is None else None

    @cached_property
    def rank(self) -> tuple[object, ...]:
        """Its precedence: of the records that fit a connection the smallest wins.

        What the text leaves open comes first, as it may be more specific than any other.
        (IBM: q010250, "Channel authentication records".)
        """
        named = distinguished.specificity if self.type == "SSLPEERMAP" else _generic
        return (
            _specificity(name_specificity, None if self.is_for("") is None else self.profile),
            _RANK.get(self.type, 9) if self.is_typed else _OPEN,
            (
                _specificity(named, self.partner),
                _specificity(distinguished.specificity, self.issuer),
            ),
            _specificity(address_specificity, self.address),
        )

    def written(self) -> str:
        """Return it as text: type, profile and keys."""
        keys = {"ADDRESS": self.address, "SSLCERTI": self.issuer}
        if self.type in _KEYS:
            keys = {_KEYS[self.type]: self.partner, **keys}
        text = "".join(f" {key}({value})" for key, value in keys.items() if value)
        return f"{self.type}({self.profile}){text}"


def _specificity(of: Callable[[str], _Rank], text: str | None) -> _Rank:
    return () if text is None else of(text)


def _generic(text: str) -> _Rank:
    return name_specificity(text or "*")


def stronger_by(first: Record, second: Record) -> str:
    """Return the id of the step by which the first of two records comes before the second."""
    profile, kind, partner, _ = (
        left != right for left, right in zip(first.rank, second.rank, strict=True)
    )
    if profile:
        return "profile-order"
    if kind:
        return "certificate-first" if first.type == "SSLPEERMAP" else "user-before-address"
    if partner:
        return "partner-order"
    return "host-name-last" if second.host is not None else "address-order"


Trail = tuple[tuple[Record, bool], ...]
"""Records that fit or may fit a connection, the strongest first, each with whether that is sure.
The last one is sure, and does not only warn; without such a one no record may decide."""

Part = tuple[AddressSet, Trail]
"""Addresses, and the records that fit or may fit what comes from them."""


def read_record(found: MQObject) -> Record:
    named = _text(_value(found, "TYPE"))
    kind = "ADDRESSMAP" if named is None else named  # one of a type that is open may fit anybody
    is_list, is_certified = kind in ("BLOCKUSER", "BLOCKADDR"), kind == "SSLPEERMAP"
    return Record(
        found.name,
        kind,
        partner=_key(found, _KEYS[kind]) if kind in _KEYS else "",
        issuer=None if named is None else _key(found, "SSLCERTI") if is_certified else "",
        address="" if is_list else _key(found, "ADDRESS"),
        source=_word(_value(found, "USERSRC"), "MAP"),
        user=_text(_value(found, "MCAUSER")),
        check=_word(_value(found, "CHCKCLNT"), "ASQMGR"),
        warn=_warns(found, is_list),
        entries=_entries(found, kind) if is_list else (),
        certain=found.exists is True and named is not None,
        is_typed=named is not None,
        key=found.key,
        found=found,
    )


def whom(found: MQObject) -> Value:
    """Return the subject of a record: its type, and the user, queue manager or certificate.

    Absent for a record about addresses, unknown if the text leaves a part of it open.
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
    return _text(_value(found, word)) if len(parts) <= at or parts[at] else ""


def _value(found: MQObject, word: str) -> Value:
    """The value of a record; if its commands may not run, what they give it if they do.

    All commands about a record agree in its type and keys.
    """
    value = found.value(word)
    if value is UNKNOWN and (word in key_words("chlauth") or len(found.layers) == 1):
        return found.supposed_value(word)
    return value


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
    value = _value(found, "WARN")
    return None if value is UNKNOWN else value == "YES"


def _entries(found: MQObject, kind: str) -> tuple[str, ...] | None:
    value = listed(_value(found, "ADDRLIST" if kind == "BLOCKADDR" else "USERLIST"))
    if value is UNKNOWN or (isinstance(value, tuple) and any("," in entry for entry in value)):
        return None  # no source says whether a comma inside quotes divides two entries
    return () if value is ABSENT or not isinstance(value, tuple) else value


def _patterns(entries: Iterable[str]) -> Iterator[AddressSet]:
    for entry in entries:
        with suppress(NoAddressError):
            yield addresses_of(entry)
