"""A possible connection, its outcome, and the steps that judge it."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Literal

from mqlint.chlauth.auth_record import Record
from mqlint.dataclass import frozen
from mqlint.vocabulary.chlauth import recalled

if TYPE_CHECKING:
    from mqlint.chlauth.access import Channel, ChannelAccess

STRANGER = "?"
"""A user or queue manager that no record names: no name of MQ's has this character in it."""


class Verdict(Enum):
    BLOCKED = "blocked"
    ALLOWED = "allowed"
    WARNED = "allowed-with-warning"
    UNKNOWN = "unknown"

    @property
    def lets_in(self) -> bool:
        return self is Verdict.ALLOWED or self is Verdict.WARNED


class Adoption(Enum):
    """When the user whose right password is given becomes the user of the connection."""

    NONE = "none"
    EARLY = "early"
    LATE = "late"


@frozen
class Connection:
    """Who connects, from where. None is what is not given, and is left open.

    `address` is the one the listener sees. `user` is the one the client asserts,
    `queue_manager` the remote queue manager of a message channel, `peer` and `issuer` the
    distinguished names in the partner's certificate (blank for a partner without one), `hosts`
    the names that the address resolves to. `credentials` is the user whose right password is
    given, blank for none. `administrators` are users known to be MQ administrators.
    Instead of a certificate or a queue manager a class of them may be given: `matches` are the
    patterns (type of record, partner, issuer) that all of the class match, `misses` the types of
    records of which they match no other pattern.
    """

    channel: str
    address: str | None = None
    user: str | None = None
    queue_manager: str | None = None
    peer: str | None = None
    issuer: str | None = None
    hosts: tuple[str, ...] | None = None
    credentials: str | None = None
    administrators: frozenset[str] = frozenset()
    matches: frozenset[tuple[str, str, str]] = frozenset()
    misses: frozenset[str] = frozenset()

    def is_of(self, kind: str, partner: str | None, issuer: str | None) -> bool | None:
        """Whether its class matches a pattern of a record; None if only some of it may."""
        if (kind, partner, issuer or "") in self.matches:
            return True
        return False if kind in self.misses and partner is not None and issuer is not None else None


@frozen
class Check:
    """One check of a connection: the id of the step, and its result as text."""

    step: str
    result: str


@frozen
class Outcome:
    """A verdict, the user the channel acts as, and what decided.

    `user` is None when it is not known, `record` the record that decided, None when none did.
    `checks` say what was asked in which order, `taken` what was assumed. `is_partial` says that a
    file that may be about the queue manager could not be read.
    """

    verdict: Verdict
    user: str | None
    record: Record | None
    why: str
    checks: tuple[Check, ...] = ()
    taken: tuple[str, ...] = ()
    is_partial: bool = False

    @property
    def effect(self) -> tuple[Verdict, str | None]:
        """What a partner notices: two outcomes with one effect need not be distinguished."""
        return self.verdict, None if self.verdict is Verdict.BLOCKED else self.user

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What was assumed, and the steps that are known by recall alone."""
        found = (*self.taken, *recalled(tuple(check.step for check in self.checks)))
        return tuple(dict.fromkeys(found))

    @property
    def confidence(self) -> Literal["high", "medium"]:
        """How sure it is: medium where a step was recalled, or a file was not read."""
        is_recalled = bool(recalled(tuple(check.step for check in self.checks)))
        return "medium" if is_recalled or self.is_partial else "high"


@frozen
class SkippedRecord:
    record: Record
    why: str


@frozen
class Answer:
    """The outcome of one connection, and all that led to it.

    When the verdict is unknown, `possible` holds the outcomes that what is not given leaves.
    """

    outcome: Outcome
    passed_over: tuple[SkippedRecord, ...] = ()
    possible: tuple[Outcome, ...] = ()


def one_of(outcomes: list[Outcome]) -> tuple[Outcome, tuple[Outcome, ...]]:
    """Return the outcome when all have one effect; else that it is unknown, and the effects."""
    possible = tuple({outcome.effect: outcome for outcome in outcomes}.values())
    if len(possible) == 1:
        return outcomes[-1], ()
    checks = tuple(dict.fromkeys(check for value in possible for check in value.checks))
    taken = tuple(dict.fromkeys(note for value in possible for note in value.taken))
    why = "the result depends on a value that is not given"
    return Outcome(Verdict.UNKNOWN, None, None, why, checks, taken), possible


class Walk:
    """A connection on its way, and its steps so far: checks, and assumptions (`taken`).

    `record` decides about it, None when none does; `warned` is a record that only warns.
    """

    def __init__(
        self,
        access: ChannelAccess,
        channel: Channel,
        connection: Connection,
        record: Record | None,
        warned: Record | None,
    ) -> None:
        self.access = access
        self.channel = channel
        self.connection = connection
        self.record = record
        self.checks: list[Check] = []
        self.taken: list[str] = []
        self.warned = warned
        if warned is not None:
            self.check("warning", f"{warned.written()} has WARN(YES)")

    def check(self, step: str, result: str) -> None:
        self.checks.append(Check(step, result))

    def end(self, verdict: Verdict, user: str | None, why: str) -> Outcome:
        if verdict is Verdict.ALLOWED and self.warned is not None:
            verdict = Verdict.WARNED
        record = self.record or self.warned
        taken = tuple(dict.fromkeys(self.taken))
        return Outcome(verdict, user, record, why, tuple(self.checks), taken)

    def reason(self) -> str:
        """Return why a connection is allowed if no record refuses it."""
        if self.access.enabled is False:
            return "CHLAUTH(DISABLED): no record is checked"
        if self.record is None:
            return "no record matches it" if self.warned is None else "the record only warns"
        return {"MAP": "the record maps it", "CHANNEL": "the record permits it"}.get(
            self.record.source or "", "the record only warns"
        )
