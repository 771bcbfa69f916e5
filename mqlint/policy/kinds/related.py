"""The kind `related`: is there the other fact it needs, or one it must not have?

Within one queue manager the other fact is looked up. Across queue managers both sides claim the
values they are joined by: the fact `asks`, the others `offer`.
"""

from __future__ import annotations

from binascii import crc32
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import field
from functools import partial
from itertools import islice, product
from typing import ClassVar

from mqlint.dataclass import frozen
from mqlint.finding import Related as RelatedPlace
from mqlint.model.core.fact import Fact
from mqlint.model.core.key import QueueManagerKey
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import UNKNOWN
from mqlint.model.facts.queue_manager.qmgr import qmgr_of
from mqlint.model.facts.registry import OF_HOSTS, Facts
from mqlint.policy.compile.chlauth_accessors import Reader
from mqlint.policy.compile.join import FEW, NAMING, SEPARATOR, Join, Joined, Matches, texts
from mqlint.policy.compile.logic import Truth, all_of, negate
from mqlint.policy.compile.predicate import Condition, same
from mqlint.policy.policy import Draft, Kind, PendingClaim, Violation, text_of
from mqlint.policy.run.claim import ASKS, NO_SITE, OFFERS, VALUES, Aggregate, Claim, Example
from mqlint.source.masking import shown

_BUCKETS = 32
_DOUBT, _THERE = "\x1f?", "\x1f"  # no names: those have no control characters
_GONE, _BEFORE = "\x1f-", "\x1f<"
"""Marks before a name: a script deletes it, and a dump has it from before the scripts ran."""

_AT_SITE, _WITHOUT_SITE = "\x1f@", "\x1f*"
"""Suffixes of what queue managers with a name ask, at a site and without one."""

_OF_CLIENTS = frozenset({"client_channel", "connection"})
"""Types of facts about applications, which are compared even without a queue manager."""
_PARTIES = OF_HOSTS | _OF_CLIENTS
"""Types of facts that are compared even without a queue manager, of hosts too."""

Named = tuple[str, Reader]
"""A key and the function that reads it."""


@frozen
class RelatedFact(Kind):
    """`to` selects the other fact among those of its type, `join` says by which keys.

    `must` is True when there must be one, False when there must be none. `where` is what the
    other must be, perhaps compared with this one (`this.KEY`); `agree` and `differ` are attributes
    that both must have equal or unequal. `reported` are those of the other that a message names.
    `across` is True when the other belongs to another queue manager; one that must exist may
    belong to any, and that it does not is only known when the whole estate is there. What must
    exist at a queue manager that is named (`join.at_named_manager`) is known to be missing when
    that one is there with all its facts of the type. With `as_read` what must exist is missing if
    no text that was read has it, though more may exist; a text that names no queue manager may be
    any one's. At a queue manager that is named it is missing if others of its type were read.
    """

    looks_for: ClassVar[str] = OFFERS

    to: Condition
    join: Join
    must: bool
    where: Condition | None
    agree: tuple[Named, ...]
    differ: tuple[Named, ...]
    reported: tuple[Named, ...]
    across: bool
    as_read: bool
    others: Joined = field(init=False)

    def __post_init__(self) -> None:
        """Sort the others once, however many facts look for them."""
        object.__setattr__(self, "others", Joined(self.join, self.to))

    def local(self, fact: Fact, facts: Facts) -> Iterable[Violation]:
        """Judge a fact whose other is in the same queue manager."""
        if self.across:
            return
        budget = facts.manager.budget(id(self))
        for wanted in texts(self.join.my_value(fact)):
            if not budget.spend(0):
                return
            matches = self.others.matching(wanted, facts)
            violation = self._judge_others(fact, wanted, matches, facts)
            if violation is not None:
                yield violation

    def _judge_others(
        self, fact: Fact, wanted: str, matches: Matches, facts: Facts
    ) -> Violation | None:
        first = next(iter(matches.certain(fact)), None)
        if first is None:
            missing = self.must and not any(True for _ in matches.possible(fact))
            if missing and (self.as_read or self._none(wanted, facts)):
                return self._violation(fact, wanted, None)
            return None
        if self.must and self._may_be_right(fact, matches):
            return None
        return self._violation(fact, wanted, first)

    def _may_be_right(self, fact: Fact, matches: Matches) -> bool:
        """Whether one of the others may be as it should, or they are too many to ask."""
        budget = fact.manager.budget(id(self))
        return any(
            not budget.spend(1, 0) or self._as_it_should(fact, other) is not False
            for other in matches.certain(fact)
        )

    def missing(self, fact: Fact, facts: Facts) -> str | None:
        value = self.join.my_value(fact)
        if value is UNKNOWN:
            return self.join.mine[0]
        is_open = self._is_open_elsewhere if self.across else self._is_open_here
        names = (self.join.name_in(wanted) for wanted in texts(value) if is_open(fact, wanted))
        name = next(names, None)
        return None if name is None else f"{self.join.other} {shown(name)}"

    def _is_open_here(self, fact: Fact, wanted: str) -> bool:
        matches = self.others.matching(wanted, Facts(fact.manager))
        others = [*islice(matches.certain(fact), FEW)]
        if self.must and others:
            return all(self._as_it_should(fact, other) is not True for other in others)
        return self.must or any(True for _ in matches.possible(fact))

    def _is_open_elsewhere(self, fact: Fact, wanted: str) -> bool:
        if not self.must or self.as_read:
            return False
        knows_all = fact.manager.settings.inventory.objects or self.join.at_named_manager
        return not knows_all or self._may_be_elsewhere(fact, wanted)

    def _none(self, wanted: str, facts: Facts) -> bool:
        """Whether the text settles that there is no such other fact."""
        if self.join.by_name:
            return facts.exists(self.join.other, wanted) is False
        return facts.has_all(self.join.other)

    def _as_it_should(self, fact: Fact, other: Fact) -> Truth:
        checks: list[Truth] = [] if self.where is None else [self.where(other, fact)]
        checks += [same(read(fact), read(other)) for _, read in self.agree]
        checks += [negate(same(read(fact), read(other))) for _, read in self.differ]
        return all_of(checks)

    def _violation(self, fact: Fact, wanted: str, other: Fact | None) -> Violation:
        data = {"related.name": self.join.name_in(wanted)}
        places: tuple[RelatedPlace, ...] = ()
        if other is not None:
            for key, read in self.reported:
                data[f"related.{key}"] = text_of(read(other))
            places = (RelatedPlace(other.where(), f"{other.type} {other.name}"),)
        at = self.join.at
        incident = f"{self.join.other}\x1f{wanted}" if self.must else None
        return Violation(fact.where(at), at, data, places, incident)

    def claims(self, fact: Fact, draft: Draft) -> Iterable[PendingClaim]:
        """Ask, under each value by which the other would be joined."""
        if not self.across:
            return
        if self._is_of_any:
            suffix, name = _asking(fact.manager.key)
            for wanted in texts(self.join.my_value(fact)):
                yield draft.claim(
                    fact, key=wanted + suffix, role=ASKS, value=name, attribute=self.join.at
                )
            return
        is_party = self._is_anywhere or self.join.other in _OF_CLIENTS or fact.type in NAMING
        if not is_party and not self._is_placed(fact.manager):
            return
        at_named_manager = self.must and self.join.at_named_manager
        if self.must and not (fact.manager.settings.inventory.objects or at_named_manager):
            return
        for wanted in texts(self.join.my_value(fact)):
            if self.must and self._may_be_elsewhere(fact, wanted):
                continue
            if at_named_manager:
                yield self._question(fact, wanted, draft)
            else:
                yield draft.claim(fact, key=wanted, role=ASKS, attribute=self.join.at)

    def _may_be_elsewhere(self, fact: Fact, wanted: str) -> bool:
        """Whether the other may be there though no queue manager of the estate offers it."""
        manager, name = fact.manager, self.join.name_in(wanted)
        if self.join.by_name:
            return manager.exists(self.join.other, name) is not False
        return name.startswith("SYSTEM.") or manager.is_external(self.join.other, name)

    def claimants(self, keys: Collection[str]) -> Set[str] | None:
        """Yield the offers; a named queue manager alone offers what is named with it."""
        if not (self.must and self.join.at_named_manager):
            return None
        return {key.partition(SEPARATOR)[0] for key in keys}

    def offers(
        self, facts: Facts, draft: Draft, asked: Collection[str] | None = None
    ) -> Iterable[PendingClaim]:
        """Offer, under each value by which facts like this one are joined."""
        if not self.across:
            return
        if self._is_of_any:
            yield from self._read(facts, draft, asked)
            return
        is_party = self._is_anywhere or self.join.other in _PARTIES
        if not is_party and not self._is_placed(facts.manager):
            return
        if self.must and self.join.at_named_manager:
            own = facts.manager.cached(_buckets)
            if asked is None or any(key in asked for key in own):
                yield from self._inventory(facts, draft)
            return
        for other in facts.of(self.join.other):
            truth = all_of((self.to(other), _bool_or_true(self.where, other)))
            if truth or (truth is None and self.must):
                for text in texts(self.join.their_value(other)):
                    if asked is None or text in asked:
                        yield draft.claim(other, key=text, role=OFFERS)

    def _read(
        self, facts: Facts, draft: Draft, asked: Collection[str] | None
    ) -> Iterable[PendingClaim]:
        """Offer what was read: to texts that name no queue manager, and from them to all.

        What names a queue manager and no site offers to those of that name at sites, and the other
        way round: it may be the same queue manager. A dump is complete for its queue manager, and
        answers for no other.
        """
        if facts.manager.observed:
            return
        offered = _offering(facts.manager.key)
        for other in facts.of(self.join.other):
            if self.to(other) is False:
                continue
            for text, (suffix, name) in product(texts(self.join.their_value(other)), offered):
                key = text + suffix
                if asked is None or key in asked:
                    yield draft.claim(other, key=key, role=OFFERS, value=name)

    def _is_placed(self, manager: QueueManager) -> bool:
        """Whether one is known from others, by its name or, for what must not be, by its site."""
        return not manager.key.anonymous or (not self.must and manager.site is not None)

    def _are_two(self, claim: Claim, other: Example) -> bool:
        """Whether a fact and one that must not be are of different queue managers.

        What names a queue manager may be defined there too: the other is then still that one.
        """
        if claim.group == other.group:
            return claim.subject.object_type in NAMING
        is_party = self.join.other in _PARTIES or claim.subject.object_type in NAMING
        has_names = bool(claim.subject.queue_manager and other.queue_manager)
        return is_party or has_names or claim.subject.site != other.site

    @property
    def _is_of_any(self) -> bool:
        """Whether what was read of any queue manager counts."""
        return self.as_read and not self.join.at_named_manager

    @property
    def _is_anywhere(self) -> bool:
        """Whether the other may be of any queue manager, also of one that no file names."""
        return self.must and self.join.by_name and not self.join.at_named_manager

    def _question(self, fact: Fact, wanted: str, draft: Draft) -> PendingClaim:
        """Ask whether the queue manager that is named has one of this name."""
        manager, name = self.join.manager_in(wanted), self.join.name_in(wanted)
        at, key = self.join.at, _bucket(manager, name)
        value = _BEFORE + name if fact.manager.superseded else name
        return draft.claim(fact, key=key, role=ASKS, value=value, attribute=at)

    def _inventory(self, facts: Facts, draft: Draft) -> Iterable[PendingClaim]:
        """Offer each name in its bucket; in all buckets that they exist, and any doubt.

        Buckets limit the names that one aggregate holds, so that one that is missing can be
        reported from one that found no room.
        """
        manager = facts.manager.key.name
        before = _BEFORE if facts.manager.superseded else ""
        others = tuple(facts.of(self.join.other))
        # Without any it may use what is not an object: runmqlsr listens as a LISTENER does.
        is_complete = self.as_read or facts.has_all(self.join.other)
        doubt = not is_complete or (not others and (self.as_read or not self.join.has_name))
        for other in others:
            truth = all_of((self.to(other), _bool_or_true(self.where, other)))
            found = texts(self.join.their_value(other)) if truth is not False else ()
            doubt = doubt or (truth is not False and not found)
            for name in map(self.join.name_in, found):
                key, value = _bucket(manager, name), before + name
                yield draft.claim(other, key=key, role=OFFERS, value=value)
        if self.join.has_name and not before:
            for gone in _deleted(facts.manager, self.join.other):
                key, value = _bucket(manager, str(gone.name)), f"{_GONE}{gone.name}"
                yield draft.claim(gone, key=key, role=OFFERS, value=value)
        first, *rest = facts.manager.cached(_buckets)
        owner, value = qmgr_of(facts.manager), _DOUBT if doubt else _THERE
        yield draft.claim(owner, key=first, role=OFFERS, value=value, also=tuple(rest))

    def finds_fault(self, summary: Aggregate) -> bool:
        """What must be is missing without an offer, at a queue manager named with one."""
        if self.must and self.join.at_named_manager:
            return _is_certain(summary.values)
        if self._is_of_any:
            return "" not in summary.values
        return (summary.size == 0) is self.must

    def may_be_open(self, summary: Aggregate) -> bool:
        """A name may be missing at a queue manager of which not all is known."""
        return self.must and self.join.at_named_manager and not _is_certain(summary.values)

    def is_open(self, claim: Claim, summary: Aggregate) -> bool:
        """As `may_be_open`, if what is known does not have it."""
        return claim.value.removeprefix(_BEFORE) not in summary.values

    def judge(self, claim: Claim, summary: Aggregate) -> Violation | None:
        """An offer by another queue manager is what must not be, or what must.

        Twins may have one name: what the queue manager itself offers tells nothing of its twin.
        """
        if self.must:
            if self.join.at_named_manager:
                is_twin_absent = self.join.at_twin and summary.groups == (claim.group,)
                return None if is_twin_absent else _answer(claim, summary)
            if self._is_of_any and _may_have(summary.values, claim.value):
                return None
            name = self.join.name_in(claim.key)
            missing = Violation(claim.place, claim.subject.attribute, {"related.name": name})
            return missing if self._is_of_any or not summary.size else None
        other = next(filter(partial(self._are_two, claim), summary.examples), None)
        if other is None:
            return None
        owner = other.queue_manager or f"a queue manager (file {other.place.path})"
        data = {
            "related.name": other.name,
            "related.site": other.site or NO_SITE,
            "related.queue_manager": owner,
        }
        where = f" at {other.site}" if other.site else ""
        place = RelatedPlace(other.place, f"{other.queue_manager or 'queue manager'}{where}")
        return Violation(claim.place, claim.subject.attribute, data, (place,))


def _asking(key: QueueManagerKey) -> tuple[str, str]:
    """Return the suffix under which a queue manager asks what was read, and its name."""
    if key.anonymous:
        return "", ""
    return (_AT_SITE if key.site else _WITHOUT_SITE), key.name


def _offering(key: QueueManagerKey) -> Sequence[tuple[str, str]]:
    """Return the suffixes under which a queue manager offers, each with the name that counts.

    A blank name counts for all.
    """
    if key.anonymous:
        return (("", ""), (_AT_SITE, ""), (_WITHOUT_SITE, ""))
    return (("", ""), (_WITHOUT_SITE if key.site else _AT_SITE, key.name))


def _may_have(names: Sequence[str], name: str) -> bool:
    """Whether one of the offers is for all or for this name; more than are kept may be."""
    return "" in names or name in names or (len(names) == VALUES and name > names[-1])


def _bool_or_true(condition: Condition | None, fact: Fact) -> Truth:
    return True if condition is None else condition(fact)


def _answer(claim: Claim, summary: Aggregate) -> Violation | None:
    """A name is missing if its bucket exists, without doubt, without it and not full."""
    names, name = summary.values, claim.value.removeprefix(_BEFORE)
    gone = _GONE + name
    was_there = gone in names or _BEFORE + name in names
    if name in names or (claim.value != name and was_there) or not _is_certain(names):
        return None
    places = tuple(
        RelatedPlace(example.place, f"deletes {name}")
        for example in summary.examples
        if example.value == gone
    )
    return Violation(claim.place, claim.subject.attribute, {"related.name": name}, places)


def _deleted(manager: QueueManager, object_type: str) -> Iterator[MQObject]:
    """Yield the objects of a type, or of a family, that commands delete for certain."""
    for found in manager.all_named(object_type):
        if found.is_named and manager.exists(object_type, str(found.name)) is False:
            yield found


def _is_certain(names: Sequence[str]) -> bool:
    return bool(names) and _DOUBT not in names and len(names) < VALUES


def _buckets(manager: QueueManager) -> tuple[str, ...]:
    return tuple(_bucket_key(manager.key.name, number) for number in range(_BUCKETS))


def _bucket(manager: str, name: str) -> str:
    return _bucket_key(manager, crc32(name.encode("utf-8", "surrogatepass")) % _BUCKETS)


def _bucket_key(manager: str, number: int) -> str:
    return f"{manager}{SEPARATOR}{number}"
