"""Channel authentication records as a queue manager has them after all commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import chain
from operator import itemgetter

from mqlint.chlauth import distinguished
from mqlint.chlauth.address import AddressSet, NoAddressError, everything
from mqlint.chlauth.address import pattern as addresses_of
from mqlint.chlauth.address import specificity as address_specificity
from mqlint.chlauth.profile_index import ProfileIndex
from mqlint.chlauth.wildcard import generic_fits, name_specificity
from mqlint.dataclass import frozen
from mqlint.finding import Location
from mqlint.language.mqsc import Templated
from mqlint.model.core.action import key_words
from mqlint.model.core.layer import Chain, Change, list_after
from mqlint.model.core.origin import Origin
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.shipped import shipped_key
from mqlint.model.core.value import ABSENT, UNKNOWN, Value, listed
from mqlint.source.budget import Budget
from mqlint.validity.address_pattern import ranges_of

MAPPING = ("SSLPEERMAP", "USERMAP", "QMGRMAP", "ADDRESSMAP")
"""The types of which one record wins, the strongest first; USERMAP and QMGRMAP are equals."""

ADMINISTRATORS = "*MQADMIN"
_RANK = {"SSLPEERMAP": 0, "USERMAP": 1, "QMGRMAP": 1, "ADDRESSMAP": 2}
_KEYS = {"SSLPEERMAP": "SSLPEER", "USERMAP": "CLNTUSER", "QMGRMAP": "QMNAME"}


@frozen(eq=False, slots=False)
class Record:
    """One record: its profile, keys and effect. None is a value that the text leaves open.

    `partner` is the distinguished name, user or queue manager it is for, by its type; `source`
    MAP, CHANNEL or NOACCESS and `user` its MCAUSER; `check` its CHCKCLNT; `entries` the users or
    addresses of a list. `certain` is False when a template or a branch leaves open whether
    it is there, or when it is `tied`: another record has its precedence; `key` is that of its
    object, blank for a shipped one; `found` is that object.
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
        """The effect on a connection that the record matches."""
        asks = self.check in ("REQUIRED", "REQDADM")
        user = self.user if self.source == "MAP" else ""
        return self.source, user, asks and self.check, self.warn is True

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
        """Return it as text: type, profile and keys."""
        keys = {"ADDRESS": self.address, "SSLCERTI": self.issuer}
        if self.type in _KEYS:
            keys = {_KEYS[self.type]: self.partner, **keys}
        text = "".join(f" {key}({value})" for key, value in keys.items() if value)
        return f"{self.type}({self.profile}){text}"


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


@frozen
class Rules:
    """The records of a queue manager: those that map, the strongest first, and the lists.

    `assumed` holds the shipped records that no file names, and that are assumed to exist.
    `refused` are records that the queue manager refuses as another one is there: they decide
    nothing.
    """

    mapping: tuple[Record, ...]
    users: tuple[Record, ...]
    addresses: tuple[Record, ...]
    assumed: tuple[Record, ...]
    refused: tuple[Refusal, ...] = ()


@frozen
class Refusal:
    """A record that is refused, and the one that is there before it.

    `crosses` says whether their ranges of addresses cross (3343); else both have one key (3337).
    """

    record: Record
    other: Record
    crosses: bool


class Fitting:
    """Records by profile, to find those for a channel."""

    def __init__(self, records: Iterable[Record]) -> None:
        """Take records; those that fit a name come in this order."""
        numbered = enumerate(records)
        self._index = ProfileIndex(
            (record.profile, (number, record)) for number, record in numbered
        )
        self._groups: dict[str, tuple[int, ...]] = {}
        self._records: dict[tuple[int, ...], tuple[Record, ...]] = {}

    def groups_of(self, channel: str) -> tuple[int, ...]:
        """Return the groups of records for a channel; each has the records of one profile."""
        groups = self._groups.get(channel)
        if groups is None:
            groups = self._groups[channel] = self._index.fitting(channel)
        return groups

    def of_groups(self, groups: tuple[int, ...]) -> tuple[Record, ...]:
        """Return the records of groups in their order."""
        records = self._records.get(groups)
        if records is None:
            entries = chain.from_iterable(self._index.groups[group] for group in groups)
            records = tuple(record for _, record in sorted(entries, key=itemgetter(0)))
            self._records[groups] = records
        return records


def rules_of(manager: QueueManager) -> Rules:
    """Return the records of a queue manager.

    They include the default records of a new queue manager, unless a dump has all records or a
    command removed them. Scripts do not define the default records, so complete scripts do not show
    that they were removed.
    """
    written = [_record(found) for found in manager.objects("chlauth")]
    is_dumped = manager.has_dumped("chlauth")
    left = [] if is_dumped else [_left_of(manager, shipped) for shipped in SHIPPED]
    assumed = {_plain_key(record): record for record in left if record is not None}
    others = [record for record in written if _plain_key(record) not in assumed]
    refused = [
        Refusal(record, shipped, crosses=False)
        for record in written
        if record.type in MAPPING
        and (shipped := assumed.get(_plain_key(record))) is not None
        and not shipped.is_written
    ]
    crossed = list(_crossing(others, manager.budget("crossing ranges")))
    dropped = {refusal.record for refusal in crossed}
    remaining = (record for record in others if record not in dropped)
    records = sorted([*remaining, *assumed.values()], key=lambda record: record.rank)
    return Rules(
        tuple(_with_ties([record for record in records if record.type in MAPPING])),
        tuple(record for record in records if record.type == "BLOCKUSER"),
        tuple(record for record in records if record.type == "BLOCKADDR"),
        tuple(record for record in assumed.values() if not record.is_written),
        (*refused, *crossed),
    )


def _with_ties(records: list[Record]) -> list[Record]:
    """Return sorted records; of those with one precedence for one partner only the last is certain.

    ADDRESS('*') and no address are two keys with one meaning. No source states which one decides.
    """
    found: list[Record] = []
    effects: dict[object, set[object]] = {}
    for record in reversed(records):
        key = (record.profile, record.type, record.partner, record.issuer)
        others = effects.setdefault(key, set())
        is_tied = record.addresses == everything() and bool(others - {record.effect})
        if record.addresses == everything():
            others.add(record.effect)
        found.append(replace(record, certain=False, tied=True) if is_tied else record)
    return found[::-1]


def _plain_key(record: Record) -> tuple[str, str, str | None]:
    """The key that identifies a shipped record."""
    return record.profile, record.type, record.address


def _crossing(records: Iterable[Record], budget: Budget) -> Iterator[Refusal]:
    """Records whose range of addresses crosses that of one which a command before made (3343).

    Of two whose order is not known neither is refused for certain: both are left.
    """
    groups: dict[object, list[Record]] = {}
    for record in records:
        if record.order is None or "-" not in (record.address or ""):
            continue
        key = (id(record.order), record.profile, record.type, record.partner, record.issuer)
        groups.setdefault(key, []).append(record)
    for group in groups.values():
        accepted: dict[tuple[str, ...], list[tuple[int, int, Record]]] = {}
        for record in sorted(group, key=lambda record: record.number):
            ranges = list(ranges_of(record.address or ""))
            if not budget.spend(sum(len(accepted.get(around, ())) for around, *_ in ranges), 0):
                return
            others = [
                other
                for around, low, high in ranges
                for first, last, other in accepted.get(around, ())
                if low < first <= high < last or first < low <= last < high
            ]
            if others:
                other = min(others, key=lambda record: record.number)
                yield Refusal(record, other, crosses=True)
                continue
            for around, low, high in ranges:
                accepted.setdefault(around, []).append((low, high, record))


def _left_of(manager: QueueManager, shipped: Record) -> Record | None:
    """What commands leave of a shipped record; None when it is removed or replaced."""
    key = shipped_key(shipped.profile, shipped.type, shipped.address or "")
    found = manager.recorded("chlauth", key)
    if found is None:
        return shipped
    chains = found.chains
    if found.dump or len(chains) != 1:
        return None
    if not shipped.is_list:
        if _stays(chains[0]):
            return shipped
        return None if chains[0].state(True) or chains[0].makes else _doubtful(shipped, chains[0])
    if chains[0].makes or any(chain.change is Change.REMOVE for chain in chains[0]):
        return None
    left = list_after(chains[0], "USERLIST", shipped.entries or ())
    if left == ():
        return None
    entries = None if left is UNKNOWN else left
    return replace(_record(found), entries=entries, certain=entries is not None)


def _stays(chain: Chain) -> bool:
    """Whether a shipped record is there after commands that only try to ADD it again (3337)."""
    return all(layer.refused_if_there and not layer.maybe for layer in chain)


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
