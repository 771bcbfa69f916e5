"""The kind `grouped`: do facts that share a key stay within bounds, or agree?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from typing import ClassVar

from mqlint.config.estate.roles import role_of, tells_other_environment, tells_other_role
from mqlint.dataclass import frozen
from mqlint.finding import Related as RelatedPlace
from mqlint.model.core.action import QUEUE_TYPES
from mqlint.model.core.fact import Fact
from mqlint.model.core.value import ABSENT, UNKNOWN
from mqlint.model.facts.registry import OF_HOSTS, Facts
from mqlint.number import whole_number
from mqlint.patterns import later
from mqlint.policy.compile.accessors import reader
from mqlint.policy.compile.join import SEPARATOR
from mqlint.policy.compile.predicate import Condition
from mqlint.policy.policy import Draft, Kind, PendingClaim, Violation, text_of
from mqlint.policy.run.claim import NO_SITE, Aggregate, Claim, Example

SCOPES = ("network", "site", "estate", "queue_manager")
_OWN = frozenset({"queue_manager", "queue_manager.twin"})
"""Parts of a key that name the queue manager of the fact."""
_STANDARD = "\x1d"
"""Begins the group of a fact that others are compared with; it sorts before names of parties."""
GROUPS = {
    "role": "site.role",
    "site": "site.name",
    "queue_manager": "queue_manager",
    "side": "side",
}
PLACE = "place"
"""The file, or the folder if folders create queue managers of one name, of facts without a site.

They are compared with each other and with facts of production; those of two folders of production
(`prod-east`, `prod-west`) with each other too. Queue managers without a site that have names of
their own are one party.
"""
_NAMED, _PRODUCTION, _DR = "named", "\x1cproduction", "\x1cdr"


@frozen
class Grouped(Kind):
    """Facts with equal `by` values within one `within` belong together.

    `between` names what distinguishes the parties: at least `least_groups` of them,
    at most `most_groups`. `agree` are attributes that all must have equal, each for itself; facts
    of a single role or side are not compared with each other if the parties are these.
    `size_least` and `size_most` bound how many facts there may be; too few of either is only known
    where nothing is left out. `at` is the attribute to point at, if it is not the one that differs.
    With `against`, facts that satisfy it are right, and only others that disagree with all of them
    are at fault: a list if it has an element more, with `greater` only a number that is greater
    than one of theirs.
    """

    looks_for: ClassVar[str] = "member"

    by: tuple[str, ...]
    within: str
    between: str
    least_groups: int | None = None
    most_groups: int | None = None
    agree: tuple[str, ...] = ()
    size_least: int | None = None
    size_most: int | None = None
    at: str | None = None
    against: Condition | None = None
    greater: bool = False

    @property
    def is_own(self) -> bool:
        return self.within == "queue_manager"

    def claims(self, fact: Fact, draft: Draft) -> Iterable[PendingClaim]:
        """Claim membership under each key of the fact, when all parts of it are known."""
        scope = _scope(fact, self.within)
        group = self._party(fact)
        if scope is None or group is None:
            return
        bounded = self.size_least is not None or self.least_groups is not None
        if bounded and not self._knows_all(fact):
            return
        if self.against is not None and self.against(fact) is True:
            group = _STANDARD + group
        for key in _keys(fact, self.by):
            for attribute, value in self._agreeing(fact):
                yield draft.claim(
                    fact,
                    key=f"{scope}{SEPARATOR}{key}{attribute}",
                    role="member",
                    group=group,
                    value=value,
                    attribute=self.at or attribute.removesuffix(_TWIN) or None,
                )

    def claimants(self, keys: Collection[str]) -> Set[str] | None:
        """Yield the claim; a name that is part of its key ends at a separator.

        The last part is not followed by one if the key ends with an attribute.
        """
        if self.is_own:
            return frozenset()
        parts = self.by[:-1] if len(self.agree) > 1 else self.by
        if _OWN.isdisjoint(parts):
            return None
        return {part for key in keys for part in key.split(SEPARATOR)}

    def missing(self, fact: Fact, facts: Facts) -> str | None:
        unknown = [key for key in (*self.by, *self.agree) if reader(key)(fact) is UNKNOWN]
        if unknown:
            return unknown[0]
        if not _keys(fact, self.by):
            return None
        if self._party(fact) is None:
            return GROUPS.get(self.between)
        bounded = self.size_least is not None or self.least_groups is not None
        return "all objects" if bounded and not self._knows_all(fact) else None

    def _party(self, fact: Fact) -> str | None:
        """What distinguishes the parties; None for a fact that belongs to none.

        Two texts without a name may be about one queue manager, unless their sites differ, or one
        of them defines an object of a name that is right and the other one that is wrong.
        """
        key = fact.manager.key
        if self.between == PLACE:
            if tells_other_environment(fact.where().path):
                return None
            if not key.anonymous and tells_other_role(key.name):
                return None
            if fact.manager.site is None:
                return key.name if key.anonymous else key.folder or _NAMED
            if fact.manager.site.role == "dr" and fact.manager.site_guessed:
                return _DR
            if fact.manager.site.role != "production":
                return None
            return _PRODUCTION + (_folder(fact) if fact.manager.site_guessed else "")
        if key.anonymous and self.between == "queue_manager":
            is_own = fact.type in OF_HOSTS or self.is_own
            is_own = is_own or (self.against is not None and "name" in self.by)
            return key.name if is_own else None
        value = reader(GROUPS[self.between])(fact)
        return value if isinstance(value, str) and value else None

    def _knows_all(self, fact: Fact) -> bool:
        """Whether nothing that could belong to the group is left out."""
        manager = fact.manager
        return manager.complete if self.is_own else manager.settings.inventory.objects

    def _agreeing(self, fact: Fact) -> Iterable[tuple[str, str]]:
        """Each attribute that must agree, as far as it is known, and what is written there.

        Lists of two places agree in any order: each may name its own host first.
        The attribute is blank if the group is about one thing: its key needs no more. One of
        several that no fact of its type has is omitted.
        """
        if not self.agree:
            yield "", ""
        is_of_type = len(self.agree) > 1 and "type" in self.by and fact.type in QUEUE_TYPES
        for key in self.agree:
            value = reader(key)(fact)
            if value is UNKNOWN or (value is ABSENT and is_of_type):
                continue
            if self.between == PLACE and isinstance(value, tuple):
                value = tuple(sorted(value))
            text = text_of(value) if value is not ABSENT else ""
            yield key if len(self.agree) > 1 else "", _written(key, text)

    def judge(self, claim: Claim, summary: Aggregate) -> Violation | None:
        """Decide whether the group of `claim` is out of bounds, and who its counterpart is."""
        others = self._others(claim, summary)
        if others is None:
            return None
        data = {"size": str(summary.size)}
        if others:
            path = others[0].place.path
            data |= {
                "others.site": others[0].site or NO_SITE,
                "others.queue_manager": others[0].queue_manager or path,
                "others.owner": _owner(others[0]),
                "others.name": others[0].name,
                "others.value": others[0].value,
                "others.path": "this file" if path == claim.place.path else path,
                "others.group": others[0].group.removeprefix(_STANDARD),
            }
        places = tuple(RelatedPlace(other.place, _who(other)) for other in others[:5])
        return Violation(claim.place, claim.subject.attribute, data, places, incident=claim.key)

    def _others(self, claim: Claim, summary: Aggregate) -> list[Example] | None:
        """The counterparts of a claim that is at fault; None for one that is right."""
        examples = summary.examples
        if self.against is not None:
            return self._standards(claim, summary) or None
        if self._has_too_many(summary):
            return [other for other in examples if other.group != claim.group]
        if self._disagrees(summary):
            others = [other for other in examples if other.value != claim.value]
            return _elsewhere(claim, others) or None if self.between == PLACE else others
        if self.finds_fault(summary):
            return [other for other in examples if other.member != claim.member]
        return None

    def _standards(self, claim: Claim, summary: Aggregate) -> list[Example]:
        """The facts that a claim is compared with and disagrees with; none for one of these."""
        if claim.group.startswith(_STANDARD):
            return []
        own = _STANDARD + claim.group
        right = [fact for fact in summary.examples if fact.group.startswith(_STANDARD)]
        standards = [fact for fact in right if fact.group != own]
        if self.greater:
            return [fact for fact in standards if _number(fact.value) < _number(claim.value)]
        elements = _elements(claim.value)
        if any(elements <= _elements(fact.value) for fact in right):
            return []
        return [fact for fact in standards if not elements <= _elements(fact.value)]

    def finds_fault(self, summary: Aggregate) -> bool:
        """Judge groups: all claims of a group are at fault, or none."""
        is_wrong = self._too_few(summary) or self._size_is_wrong(summary.size)
        return is_wrong or self._has_too_many(summary) or self._disagrees(summary)

    def _has_too_many(self, summary: Aggregate) -> bool:
        return self.most_groups is not None and len(summary.groups) > self.most_groups

    def _disagrees(self, summary: Aggregate) -> bool:
        if self.against is not None and not summary.groups[0].startswith(_STANDARD):
            return False
        is_of_one = self.between in ("role", "side", PLACE) and len(summary.groups) < 2
        return bool(self.agree) and len(summary.values) > 1 and not is_of_one

    def _too_few(self, summary: Aggregate) -> bool:
        """Whether there are fewer parties than there must be."""
        return self.least_groups is not None and len(summary.groups) < self.least_groups

    def _size_is_wrong(self, size: int) -> bool:
        if self.size_least is not None and size < self.size_least:
            return True
        return self.size_most is not None and size > self.size_most


def _elsewhere(claim: Claim, others: Iterable[Example]) -> list[Example]:
    """Those at other places; of production only its other folders, of DR only those of no site."""
    elsewhere = [other for other in others if other.group != claim.group]
    if claim.group == _DR:
        return [other for other in elsewhere if not other.group.startswith(_PRODUCTION)]
    compared = _PRODUCTION if claim.group.startswith(_PRODUCTION) else ""
    return [other for other in elsewhere if other.group.startswith(compared)]


def _folder(fact: Fact) -> str:
    """The folder whose name says that a fact is of production."""
    folders = fact.where().path.split("/")[:-1]
    return next((name for name in folders if role_of(name) == "production"), "")


def _owner(witness: Example) -> str:
    """The queue manager of a fact, or the file if it does not name its queue manager."""
    name = witness.queue_manager
    return f"queue manager {name}" if name else f"file {witness.place.path}"


def _who(witness: Example) -> str:
    words = (witness.queue_manager, f"at {witness.site}" if witness.site else "")
    where = " ".join(filter(None, words))
    return ": ".join(filter(None, (where, witness.value)))


def _scope(fact: Fact, within: str) -> str | None:
    """The part of a key that keeps apart what does not reach each other."""
    manager, site = fact.manager, fact.manager.site
    key = manager.key
    if within == "queue_manager":
        return key.scope
    if fact.type in OF_HOSTS and (site is None or manager.site_guessed):
        # Hosts of one name in two repositories are only one if a site is configured to have both.
        return f"{key.repository}\x1f{key.site}" if within == "site" else key.repository
    if within == "site":
        return "" if site is None else site.name
    if within == "network":
        return site.name if site is not None and site.isolation == "network" else ""
    return ""


def _keys(fact: Fact, by: tuple[str, ...]) -> list[str]:
    """The keys of a fact: one for each combination of its values; none when one is not known."""
    keys = [""]
    for word in by:
        value = reader(word)(fact)
        if value is UNKNOWN or value is ABSENT:
            return []
        texts = (value,) if isinstance(value, str) else value
        keys = [f"{key}\x1f{text}" for key in keys for text in texts if text.strip()]
    return keys


def _written(key: str, text: str) -> str:
    """A value as a message shows it: as in MQSC, as in an ini file, or in words."""
    if key.removesuffix(_TWIN).isupper():
        return f"{key.removesuffix(_TWIN)}({text})"
    if key.partition(".")[0].isupper():
        return text
    return f"{key.replace('.', ' ')} {text}" if key.islower() else f"{key}={text}"


def _elements(written: str) -> frozenset[str]:
    """The elements of the list that `_written` shows; those of a single value are its words."""
    return frozenset(_ELEMENT.findall(written))


def _number(written: str) -> int:
    """The number in a value as `_written` shows it; 0 for another value."""
    return whole_number(_BEFORE.split(written.rstrip(")"))[-1]) or 0


_BEFORE = later(r"[(=]|(?<=[a-z]) ")
"""What is between a key and its value."""
_ELEMENT = later(r"[^ ,=()]+")
_TWIN = ".twin"
"""The end of a key of which sites write the value with their own names."""
