"""What can be done about a DR test that reaches production, tried on the calendar."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from mqlint.dataclass import frozen
from mqlint.rehearsal.outcome import Outcome, outcome_of
from mqlint.rehearsal.remedy import Remedy, preventions, repairs
from mqlint.rehearsal.simulation import Result, simulate
from mqlint.rehearsal.texts import QUESTIONS
from mqlint.rehearsal.world import World

Verdict = Literal["prevents", "repairs", "depends", "no remedy"]


@frozen
class Trial:
    """What a remedy comes to; `why` explains a verdict that is not plain."""

    remedy: Remedy
    verdict: Verdict
    outcome: Outcome
    why: str = ""


_RANK: dict[Verdict, int] = {"prevents": 0, "repairs": 0, "depends": 1, "no remedy": 2}
_REFUSALS = ("refresh-refused", "reset-refused", "reset-ambiguous")


def trials_of(world: World, result: Result) -> list[Trial]:
    """Return each remedy tried, those that work first, by cost; none if nothing is to remedy.

    A repair after which the outcome is that of the scenario is left out: an event has repaired it.
    """
    outcome = outcome_of(result)
    if outcome.is_untouched:
        return []
    every = (_tried(remedy) for remedy in _remedies(world, result))
    tried = [trial for trial in every if trial.verdict != "repairs" or trial.outcome != outcome]
    return sorted(tried, key=lambda trial: (_RANK[trial.verdict], trial.remedy.cost.order))


def _tried(remedy: Remedy) -> Trial:
    result = simulate(remedy.world)
    outcome = outcome_of(result)
    verdict = _verdict(remedy, result)
    if verdict != "no remedy":
        return Trial(remedy, verdict, outcome)
    for key, answer in result.asked.items():
        other = simulate(remedy.world, {key: not answer})
        if _verdict(remedy, other) != "no remedy":
            word = "no" if answer else "yes"
            why = f"it works if the answer is {word}: {QUESTIONS[key].text}"
            return Trial(remedy, "depends", outcome, why)
    refused = [entry.text for entry in result.entries if entry.kind in _REFUSALS]
    return Trial(remedy, verdict, outcome, refused[0] if refused else outcome.text)


def _verdict(remedy: Remedy, result: Result) -> Verdict:
    day = remedy.day
    harm = [
        entry
        for entry in result.entries
        if entry.state in ("warning", "outage") and (day is None or entry.day >= day)
    ]
    own = [entry for entry in harm if not result.is_leftover(entry)]
    if result.left or own:
        return "no remedy"
    return "prevents" if day is None else "repairs"


def _remedies(world: World, result: Result) -> Iterator[Remedy]:
    if any(found.is_dr for found in world.instances.values()):
        yield from preventions(world)
    yield from repairs(world, result)
