"""The records of a queue manager in their order, and those that it refuses."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from operator import itemgetter

from mqlint.chlauth import distinguished
from mqlint.chlauth.auth_record import ADMINISTRATORS, Record, read_record
from mqlint.chlauth.profile_index import ProfileIndex
from mqlint.chlauth.user_name import short_user
from mqlint.computed import Computed
from mqlint.dataclass import frozen
from mqlint.grouping import grouped
from mqlint.model.core.layer import Chain, Change, list_after
from mqlint.model.core.queue_manager import QueueManager
from mqlint.model.core.shipped import shipped_key
from mqlint.model.core.value import UNKNOWN
from mqlint.model.facts.application.connecting import is_for_developers
from mqlint.source.budget import Budget
from mqlint.validity.address_pattern import ranges_of
from mqlint.vocabulary.vocabulary import MAPPING_TYPES

SHIPPED = (
    Record("SYSTEM.ADMIN.SVRCONN", "ADDRESSMAP", address="*", source="CHANNEL"),
    Record("SYSTEM.*", "ADDRESSMAP", address="*", source="NOACCESS"),
    Record("*", "BLOCKUSER", entries=(ADMINISTRATORS,)),
)
"""The records a new queue manager has (a dump of one; IBM: q132560, "default CHLAUTH rules")."""

_OF_IMAGE = Record("*", "ADDRESSMAP", address="*", source="NOACCESS", certain=False)
"""The record that an image for developers may make (mq-container, 10-dev.mqsc.tpl)."""


@frozen
class Rules:
    """The records of a queue manager: those that map, the strongest first, and the lists.

    `assumed` holds the shipped records that no file names, and that are assumed to exist.
    `refused` are records that the queue manager refuses because of another record: they decide
    nothing.
    """

    mapping: tuple[Record, ...]
    users: tuple[Record, ...]
    addresses: tuple[Record, ...]
    assumed: tuple[Record, ...]
    refused: tuple[Refusal, ...] = ()

    def in_doubt(self) -> Rules:
        """Return the same records if they may all be switched off."""
        kinds = (self.mapping, self.users, self.addresses)
        mapping, users, addresses = (
            tuple(replace(record, certain=False) for record in records) for records in kinds
        )
        return replace(self, mapping=mapping, users=users, addresses=addresses)


@frozen
class Refusal:
    """A record that the queue manager refuses, and the existing record that is the reason.

    `crosses` says whether their ranges of addresses cross (3343); else both have one key (3337).
    """

    record: Record
    other: Record
    crosses: bool


class RecordsByProfile:
    def __init__(self, records: Iterable[Record]) -> None:
        """Take records; those that fit a name come in this order."""
        numbered = enumerate(records)
        self._index = ProfileIndex(
            (record.profile, (number, record)) for number, record in numbered
        )
        self._groups = Computed(self._index.fitting)
        records = self._records = Computed(partial(_of_groups, self._index))
        self._by_partner = Computed[tuple[tuple[int, ...], str], _ByPartner](
            lambda key: _ByPartner(records[key[0]], key[1])
        )

    def groups_of(self, channel: str) -> tuple[int, ...]:
        """Return the groups of records for a channel; each has the records of one profile."""
        return self._groups[channel]

    def profiles_of(self, channel: str) -> list[str]:
        return [self._index.groups[group][0][1].profile for group in self.groups_of(channel)]

    def of_groups(self, groups: tuple[int, ...]) -> tuple[Record, ...]:
        return self._records[groups]

    def for_partner(
        self, groups: tuple[int, ...], kind: str, name: str, peer: str | None
    ) -> list[Record]:
        """Return the records of groups without most of those that cannot fit a partner.

        `kind` is the type that `name` is a partner of: USERMAP or QMGRMAP; the other has no effect.
        `peer` is the name in the certificate of the partner; None if it is not known.
        """
        return self._by_partner[groups, kind].fitting(name, peer)


def _of_groups(
    index: ProfileIndex[tuple[int, Record]], groups: tuple[int, ...]
) -> tuple[Record, ...]:
    entries = chain.from_iterable(index.groups[group] for group in groups)
    return tuple(record for _, record in sorted(entries, key=itemgetter(0)))


class _ByPartner:
    """Records in their order: those of each partner by its name, and those for several.

    Those of a certificate are found by one value that the name in it must have.
    """

    def __init__(self, records: Iterable[Record], kind: str) -> None:
        self._named = defaultdict[object, list[tuple[int, Record]]](list)
        self._certified = defaultdict[object, list[tuple[int, Record]]](list)
        self._others: list[tuple[int, Record]] = []
        for numbered in enumerate(records):
            record = numbered[1]
            if record.type == "SSLPEERMAP":
                self._certified[distinguished.needed(record.partner or "")].append(numbered)
            elif record.type not in ("USERMAP", "QMGRMAP"):
                self._others.append(numbered)
            elif record.type == kind:
                is_open = record.partner is None or "*" in record.partner
                here = self._others if is_open else self._named[(record.partner or "").lower()]
                here.append(numbered)

    def fitting(self, name: str, peer: str | None) -> list[Record]:
        values = None if peer is None else distinguished.values_of(peer)
        certified = self._certified if values is None else [None, *values]
        groups = (self._certified.get(value, ()) for value in certified)
        names = dict.fromkeys((name.lower(), short_user(name.lower())))
        named = (self._named.get(each, ()) for each in names)
        found = chain(*named, self._others, *groups)
        return [record for _, record in sorted(found, key=itemgetter(0))]


def rules_of(manager: QueueManager) -> Rules:
    """Return the records of a queue manager.

    They include the record of an image for developers, which may not be there. They include the
    default records of a new queue manager, unless a dump has all records or a
    command removed them. Scripts do not define the default records, so complete scripts do not show
    that they were removed. Records that only output of DISPLAY shows may be there.
    """
    written = [read_record(found) for found in manager.objects("chlauth")]
    is_dumped = manager.has_dumped("chlauth")
    left = [] if is_dumped else [_left_of(manager, shipped) for shipped in SHIPPED]
    assumed = {_plain_key(record): record for record in left if record is not None}
    others = [record for record in written if _plain_key(record) not in assumed]
    refused = [
        Refusal(record, shipped, crosses=False)
        for record in written
        if record.type in MAPPING_TYPES
        and (shipped := assumed.get(_plain_key(record))) is not None
        and not shipped.is_written
        and shipped.certain  # no branch may have removed it before
    ]
    crossed = list(_crossing(others, manager.budget("crossing ranges")))
    dropped = {refusal.record for refusal in crossed}
    remaining = (record for record in others if record not in dropped)
    known = [*remaining, *assumed.values(), *_displayed(manager)]
    if manager.cached(is_for_developers) and _plain_key(_OF_IMAGE) not in map(_plain_key, known):
        known.append(_OF_IMAGE)
    records = sorted(known, key=lambda record: record.rank)
    return Rules(
        tuple(_with_ties([record for record in records if record.type in MAPPING_TYPES])),
        tuple(record for record in records if record.type == "BLOCKUSER"),
        tuple(record for record in records if record.type == "BLOCKADDR"),
        tuple(record for record in assumed.values() if not record.is_written),
        (*refused, *crossed),
    )


def _displayed(manager: QueueManager) -> Iterator[Record]:
    """Yield the records that output of DISPLAY shows, and no command here makes or removes."""
    default = {_plain_key(record) for record in SHIPPED}
    for other in manager.displayed:
        for found in other.objects("chlauth"):
            record = read_record(found)
            if manager.recorded("chlauth", found.key) or _plain_key(record) in default:
                continue
            yield replace(record, certain=False)


def _with_ties(records: list[Record]) -> list[Record]:
    """Return sorted records; of records with equal precedence for a partner the last is certain.

    ADDRESS('*') and no address are two keys with one meaning, as are two spellings of an address of
    IPv6. No source states which one decides.
    """
    found: list[Record] = []
    effects: dict[object, set[object]] = {}
    alike = Counter((record.profile, record.partner, record.issuer) for record in records)
    for record in reversed(records):
        names = (record.profile, record.partner, record.issuer)
        if alike[names] == 1:
            found.append(record)
            continue
        key = (names, record.rank, record.addresses)
        others = effects.setdefault(key, set())
        if record.addresses is not None:
            is_tied = bool(others - {record.effect})
            others.add(record.effect)
            record = replace(record, certain=False, tied=True) if is_tied else record
        found.append(record)
    return found[::-1]


def _plain_key(record: Record) -> tuple[str, str, str | None]:
    return record.profile, record.type, record.address


def _crossing(records: Iterable[Record], budget: Budget) -> Iterator[Refusal]:
    """Yield records whose range of addresses crosses that of an earlier record (3343).

    Of two whose order is not known neither is refused for certain: both are left.
    """
    groups = grouped(
        ((id(record.order), record.profile, record.type, record.partner, record.issuer), record)
        for record in records
        if record.order is not None and "-" in (record.address or "")
    )
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
    """Return a shipped record after all commands; None if they remove or replace it."""
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
    removals = [layer for layer in chains[0] if layer.change is Change.REMOVE]
    if chains[0].makes or not all(layer.maybe for layer in removals):
        return None
    others = [layer for layer in chains[0] if layer not in removals]
    left = list_after(others, "USERLIST", shipped.entries or ())
    if left == ():
        return None
    entries = None if left is UNKNOWN else left
    record = read_record(found) if others else shipped
    return replace(record, entries=entries, certain=entries is not None and not removals)


def _stays(chain: Chain) -> bool:
    """Whether a shipped record remains after commands that only try to ADD it again (3337)."""
    return all(layer.refused_if_there and not layer.maybe for layer in chain)


def _doubtful(shipped: Record, chain: Chain) -> Record | None:
    """A shipped record that a branch may take away."""
    return replace(shipped, certain=False) if chain.state(True) is None else None
