"""Texts made by a seed: what `make test` tries each target with, the same on every machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter

from tests.fuzz.finds import Failure, attempt, keep
from tests.fuzz.mutate import Mutator
from tests.fuzz.targets import FuzzTarget


@dataclass
class Tally:
    """How often a target was tried and how long that took."""

    executions: int = 0
    seconds: float = 0.0
    failures: list[Failure] = field(default_factory=list)


def campaign(target: FuzzTarget, seed: str, executions: int) -> Tally:
    """Try `target` with the texts that `seed` makes; the first failure ends it."""
    mutator = mutator_of(target, seed)
    tally = Tally()
    start = perf_counter()
    for data in mutator.texts():
        if tally.executions == executions:
            break
        tally.executions += 1
        try:
            attempt(target, data, count=False)
        except Exception as error:
            tally.failures.append(keep(target, data, error))
            break
    tally.seconds = perf_counter() - start
    return tally


def mutator_of(target: FuzzTarget, seed: str) -> Mutator:
    """Return what makes texts for a target."""
    seeds = target.seeds()
    return Mutator(f"{target.name} {seed}", seeds, target.tokens(), target.longest, target.whole)
