"""A policy: a rule's header, the facts it is about, and the check of its kind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Set
from functools import cached_property
from typing import Any, ClassVar

from mqlint.compact import recent
from mqlint.dataclass import NamedTuple, frozen, mutable
from mqlint.finding import Location, Related, Rule, Severity, Subject
from mqlint.model.core.fact import Fact
from mqlint.model.core.queue_manager import MQObject, QueueManager
from mqlint.model.core.value import ABSENT, UNKNOWN, Value
from mqlint.model.facts.registry import Facts
from mqlint.policy.compile.accessors import reader
from mqlint.policy.compile.logic import Truth, all_of, negate
from mqlint.policy.compile.predicate import Condition
from mqlint.policy.run.claim import OFFERS, Aggregate, Claim
from mqlint.policy.run.message import placeholders


@frozen
class Violation:
    """What a kind found wrong with a fact.

    `attribute` is what is at fault, None for the fact as a whole; `data` adds to the words of
    the message; `incident` is the key that all members of a wrong group share. `cause` is the fact
    that is at fault if it is not the one that was judged: all its effects are one finding.
    """

    place: Location
    attribute: str | None
    data: Mapping[str, str]
    related: tuple[Related, ...] = ()
    incident: str | None = None
    cause: Fact | None = None


Clause = frozenset[tuple[str, str]]
"""Tests of attributes, as (attribute, test in JSON), of which one must hold."""


class Preconditions(NamedTuple):
    """What must hold of a fact for a policy to find fault with it.

    `is_all` is true if the policy is about every fact of its type of which the clauses hold.
    `waits_for` are the keys of the configuration without which it finds no fault.
    """

    clauses: tuple[Clause, ...]
    is_all: bool
    waits_for: frozenset[str]


class Kind:
    """A check kind: pure functions over facts, claims and summaries.

    Kinds that look within one queue manager answer in `local`; kinds that look across make
    `claims`, which `judge` decides against the summary of the claims of the role they look for.
    """

    looks_for: ClassVar[str] = ""
    """The role whose summary `judge` wants; empty when the kind makes no claims."""

    @property
    def is_own(self) -> bool:
        """Whether claims of one queue manager are compared with each other alone."""
        return False

    def local(self, fact: Fact, facts: Facts) -> Iterable[Violation]:
        return ()

    def missing(self, fact: Fact, facts: Facts) -> str | None:
        """Return what is not known and needed for an answer about a fact without fault.

        None if the answer is known as far as one queue manager can tell. What is compared with
        others is open if the fact makes no claim.
        """
        return None

    def forget(self, manager: QueueManager) -> None:
        """Free what was worked out for facts of a queue manager, which are all judged."""

    def claims(self, fact: Fact, draft: Draft) -> Iterable[PendingClaim]:
        """Return what one fact claims towards other queue managers."""
        return ()

    def offers(
        self, facts: Facts, draft: Draft, asked: Collection[str] | None = None
    ) -> Iterable[PendingClaim]:
        """Return what other facts of a queue manager offer to those that ask.

        `asked` are the keys that are asked for, where that is known.
        """
        return ()

    def claimants(self, keys: Collection[str]) -> Set[str] | None:
        """Return the names of the only queue managers that can claim under these keys.

        A name may be what the first of two twin sites calls it. None if any queue manager may
        claim.
        """
        return None

    def finds_fault(self, summary: Aggregate) -> bool:
        """Whether a claim can be at fault given this aggregate; else `judge` is not called.

        The examples must not matter: they may not be known yet.
        """
        return True

    def judge(self, claim: Claim, summary: Aggregate) -> Violation | None:
        return None

    def may_be_open(self, summary: Aggregate) -> bool:
        """Whether the summary may leave open if a claim is right; else `is_open` is not called."""
        return False

    def is_open(self, claim: Claim, summary: Aggregate) -> bool:
        """Whether the summary leaves open if a claim that `judge` accepts is right."""
        return False


@mutable
class PendingClaim:
    """A claim that is made in full only when it is needed: most never are.

    `also` are further keys under which the same is offered: most offers meet no question, so one
    stands for all of them.
    """

    draft: Draft
    fact: Fact
    key: str
    role: str
    group: str
    value: str
    attribute: str | None
    also: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.key, *self.also)

    @property
    def member(self) -> str:
        """What identifies the fact among those of all queue managers."""
        return f"{self.fact.manager.key.scope}\x1f{self.fact.key}"

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """What identifies the claim among those of its queue manager."""
        return (self.draft.policy, self.key, self.role, self.fact.key)

    def claim(self, alike: Claim | None = None) -> Claim:
        """Return the claim: with the place, the subject and the words of the fact.

        An offer is at fault in no message, so it has no words. `alike` is a claim of the same fact
        and attribute.
        """
        fact, draft = self.fact, self.draft
        data = () if self.role == OFFERS else tuple(words_of(fact, draft.words).items())
        return Claim(
            draft.policy,
            self.key,
            self.role,
            self.group,
            self.value,
            alike.member if alike else self.member,
            alike.place if alike else fact.where(self.attribute),
            alike.subject if alike else subject_of(fact, self.attribute),
            draft.severity,
            data,
            self.also,
        )


@frozen
class Draft:
    """The fields that the claims of one policy share."""

    policy: str
    words: tuple[str, ...]
    severity: Severity

    def claim(
        self,
        fact: Fact,
        *,
        key: str,
        role: str,
        group: str | None = None,
        value: str = "",
        attribute: str | None = None,
        also: tuple[str, ...] = (),
    ) -> PendingClaim:
        """Return what `fact` claims under `key`, and `also` under others.

        The `group` of claims that nothing else groups is their queue manager.
        """
        group = fact.manager.key.scope if group is None else group
        texts = recent(key), role, recent(group), recent(value)  # equal in thousands of claims
        return PendingClaim(self, fact, *texts, attribute, also)


@frozen
class Predicates:
    """What judges: facts must satisfy `match`; `unless` makes them exempt.

    `words` are those of the message that are read from the fact.
    """

    match: Condition
    unless: Condition | None
    kind: Kind
    words: tuple[str, ...]


@frozen(slots=False)
class Policy:
    """One rule that judges the model, made ready when it first meets a fact: few ever do.

    `object` is the type of the facts it is about, the next fields are those of its
    `mqlint.policy.compile.head`. `header`, `predicates` and `needs` make the rule, what judges, and
    the clauses: some necessary conditions of a finding, for the index. With `clauses` those count
    instead. `compiled` returns the compiled form that all of this is made of.
    """

    id: str
    object: str
    severity: Mapping[str, Severity]
    habit: bool
    offers: bool
    needs_two: bool
    header: Callable[[], Rule]
    predicates: Callable[[], Predicates]
    needs: Callable[[], Preconditions]
    compiled: Callable[[], Mapping[str, Any]]
    clauses: tuple[Clause, ...] | None = None

    @cached_property
    def rule(self) -> Rule:
        return self.header()

    @cached_property
    def source(self) -> Mapping[str, Any]:
        """The compiled form."""
        return self.compiled()

    @cached_property
    def necessary(self) -> tuple[Clause, ...]:
        """The clauses that all hold where the policy finds fault."""
        return self._needs.clauses if self.clauses is None else self.clauses

    @cached_property
    def is_exact(self) -> bool:
        """Whether it is about every fact of its type of which its clauses hold."""
        return self.clauses is None and self._needs.is_all

    @property
    def waits_for(self) -> frozenset[str]:
        """The keys of the configuration without which it finds no fault."""
        return self._needs.waits_for

    @cached_property
    def _needs(self) -> Preconditions:
        return self.needs()

    @cached_property
    def _predicates(self) -> Predicates:
        return self.predicates()

    @property
    def kind(self) -> Kind:
        return self._predicates.kind

    @property
    def words(self) -> tuple[str, ...]:
        return self._predicates.words

    def prepare(self) -> None:
        """Make ready what is otherwise made when it first meets a fact."""
        _ = self.rule, self.necessary, self.is_exact, self._predicates

    def is_about(self, fact: Fact) -> bool:
        """Whether the policy is certainly about `fact` and `fact` is certainly not exempt."""
        predicates = self._predicates
        if predicates.match(fact) is not True:
            return False
        return predicates.unless is None or predicates.unless(fact) is False

    def about(self, fact: Fact) -> Truth:
        """Whether the policy is about `fact`, and `fact` is not exempt; None if that is open."""
        predicates = self._predicates
        matches = predicates.match(fact)
        if matches is False or predicates.unless is None:
            return matches
        return all_of((matches, negate(predicates.unless(fact))))


def message_words(template: str) -> tuple[str, ...]:
    """Return the placeholders of a message that are read from the fact itself."""
    return tuple(
        word
        for word in placeholders(template)
        if not word.startswith(("others.", "related.", "reach.", "size"))
    )


def words_of(fact: Fact, words: Iterable[str]) -> dict[str, str]:
    return {word: text_of(reader(word)(fact), fact, word) for word in words}


def text_of(value: Value, fact: Fact | None = None, word: str = "") -> str:
    if value is UNKNOWN or value is ABSENT:
        if word == "queue_manager":
            return "this queue manager"
        if word == "name" and fact is not None:
            return fact.name
        return "unknown" if value is UNKNOWN else "not set"
    if fact is not None and word == "name" and _is_path(value, fact):
        return "(name not known)"
    return value if isinstance(value, str) else ", ".join(value)


def _is_path(value: Value, fact: Fact) -> bool:
    """Whether the name of a queue manager is the path of its file, as no other name is known."""
    key = fact.manager.key
    return key.anonymous and value == key.name and fact.type != "document"


def subject_of(fact: Fact, attribute: str | None) -> Subject:
    manager = fact.manager
    has_name = not manager.key.anonymous
    goes_by_file = fact.type == "document" or (fact.type == "qmgr" and not has_name)
    return Subject(
        site=manager.site.name if manager.site is not None else None,
        queue_manager=manager.key.name if has_name else None,
        object_type=fact.type,
        # A file may be renamed and is the same: its name is not part of an identity, neither as
        # a document nor where it replaces a queue manager whose name is not known.
        object_name=None if goes_by_file else _identity(fact),
        attribute=attribute,
        subtype=fact.subtype if isinstance(fact, MQObject) else None,
    )


def _identity(fact: Fact) -> str:
    own, key = fact.manager.key, fact.key
    if own.anonymous:  # the queue manager's own record goes by its name, which is the file's
        key = key.removeprefix(own.name)
    return key.replace("\x1f", " ").strip() or fact.name
