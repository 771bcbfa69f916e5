"""What a rehearsal comes to for production, and what it comes to by the other answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mqlint.dataclass import frozen
from mqlint.rehearsal.calendar import CalendarEntry
from mqlint.rehearsal.simulation import Result, simulate
from mqlint.rehearsal.texts import QUESTIONS, RehearsalQuestion
from mqlint.rehearsal.world import World

_DIVERTED = ("goes-to-dr", "goes-partly")
_WAITING = ("waits",)
_LOST = ("lost", "not-in-use", "fewer")
_CHANGED = ("replaced", "equal", "taken-over", "joined")


@frozen
class Outcome:
    """The first days of what happens to production, None for what does not.

    `changed` is that of a record of DR in a repository of production, `diverted` of messages that
    go to DR, `waiting` of messages that wait for a DR queue manager that has ended, `warned` of an
    expired record of production, `lost` of names without a record. `usual` is the day from which
    production is as without the test, `leftover` that of messages about expired records of DR.
    """

    changed: int | None = None
    diverted: int | None = None
    waiting: int | None = None
    warned: int | None = None
    lost: int | None = None
    usual: int | None = None
    leftover: int | None = None

    @property
    def is_harmless(self) -> bool:
        """Whether no message is logged and no application is hit."""
        return all(day is None for day in (self.diverted, self.waiting, self.warned, self.lost))

    @property
    def is_untouched(self) -> bool:
        """Whether no record of DR reaches production, and nothing else happens there."""
        return self.is_harmless and self.changed is None

    @property
    def text(self) -> str:
        if self.is_untouched:
            return "No record of production changes."
        parts = []
        if self.changed is not None:
            parts.append(f"from day {self.changed} repositories of production hold records of DR")
        if self.diverted is not None:
            parts.append(f"from day {self.diverted} messages of production go to DR")
        if self.waiting is not None:
            parts.append(f"from day {self.waiting} messages wait for a DR queue manager")
        if self.warned is not None:
            parts.append(f"from day {self.warned} queue managers log expired records of production")
        if self.lost is not None:
            parts.append(f"from day {self.lost} names no longer resolve to production")
        text = "; ".join(parts)
        last = ""
        if self.usual is not None:
            last += f" From day {self.usual} production is as before."
        if self.leftover is not None:
            last += f" On day {self.leftover} queue managers log that records of DR have expired."
        return f"{text[:1].upper()}{text[1:]}.{last}"


def outcome_of(result: Result) -> Outcome:
    own = [entry for entry in result.entries if not result.is_leftover(entry)]
    harm = [
        entry.day
        for entry in own
        if entry.state in ("warning", "outage") or entry.kind in (*_CHANGED, "ignored")
    ]
    good = [
        entry.day
        for entry in own
        if entry.kind in ("usual", "accepted", "taken-back") and harm and entry.day >= harm[0]
    ]
    return Outcome(
        _first(own, _CHANGED),
        _first(own, _DIVERTED),
        _first(own, _WAITING),
        min((entry.day for entry in own if entry.state == "warning"), default=None),
        _first(own, _LOST),
        max(good) if good and not result.left else None,
        min((entry.day for entry in result.entries if result.is_leftover(entry)), default=None),
    )


def _first(entries: Iterable[CalendarEntry], kinds: Sequence[str]) -> int | None:
    return min((entry.day for entry in entries if entry.kind in kinds), default=None)


@frozen
class Branch:
    """A question that no source decides, the answer of the calendar, and both outcomes."""

    question: RehearsalQuestion
    answer: bool
    if_yes: Outcome
    if_no: Outcome

    @property
    def matters(self) -> bool:
        return self.if_yes != self.if_no


def branches_of(world: World, result: Result) -> list[Branch]:
    """Return the questions that a simulation met, each with the outcome of either answer."""
    found = []
    present = outcome_of(result)
    for key, answer in result.asked.items():
        other = outcome_of(simulate(world, {key: not answer}))
        yes, no = (present, other) if answer else (other, present)
        found.append(Branch(QUESTIONS[key], answer, yes, no))
    return found
