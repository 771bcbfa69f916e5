"""Trying one target many times; what fails is made small and kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from time import perf_counter, process_time
from traceback import extract_tb

from tests.fuzz.minimise import minimised
from tests.fuzz.mutate import Mutator
from tests.fuzz.targets import FuzzTarget

FOUND = Path(__file__).parent / "found"
SLOW = 3.0
"""Processor seconds that no text as short as these may take."""


class Slow(Exception):
    """A short text that takes too long."""


@dataclass(frozen=True)
class Failure:
    """A minimised input, what it raised and where it is kept."""

    data: bytes
    error: BaseException
    path: Path

    def __str__(self) -> str:
        frames = [f"{at.name}:{at.lineno}" for at in extract_tb(self.error.__traceback__)[-4:]]
        said = f"{type(self.error).__name__} in {' > '.join(frames)}: {self.error}"
        return f"{said}\n{self.data!r}\nkept as {self.path}"


@dataclass
class Tally:
    """How often a target was tried and how long that took."""

    executions: int = 0
    deep: int = 0
    seconds: float = 0.0
    failures: list[Failure] = field(default_factory=list)


def attempt(target: FuzzTarget, data: bytes, deep: bool) -> None:
    """Check one text, quickly and perhaps thoroughly."""
    start = process_time()
    target.quick(data)
    if deep:
        target.deep(data)
    spent = process_time() - start
    if spent > SLOW:
        raise Slow(f"{len(data)} bytes took {spent:.1f} s")


def campaign(target: FuzzTarget, seed: str, goes_on: Callable[[Tally], bool]) -> Tally:
    """Try `target` with the texts that `seed` makes as long as `goes_on` says so.

    The first failure ends it.
    """
    mutator = Mutator(
        f"{target.language} {seed}",
        target.corpus(),
        target.words(),
        target.longest,
        target.whole,
    )
    tally = Tally()
    start = perf_counter()
    for data in mutator.texts():
        if not goes_on(tally):
            break
        deep = tally.executions % target.deep_each == 0
        tally.executions += 1
        tally.deep += deep
        try:
            attempt(target, data, deep)
        except Exception as error:
            tally.failures.append(keep(target, data, deep, error))
            break
    tally.seconds = perf_counter() - start
    return tally


def keep(target: FuzzTarget, data: bytes, deep: bool, error: Exception) -> Failure:
    """Make a failing text small and write it where it is tried from now on."""

    def fails(shorter: bytes) -> bool:
        try:
            attempt(target, shorter, deep)
        except Exception as other:
            return type(other) is type(error)
        return False

    small = minimised(data, fails, tries=20 if isinstance(error, Slow) else 3000)
    folder = FOUND / target.language
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{sha256(small).hexdigest()[:12]}.bin"
    path.write_bytes(small)
    return Failure(small, error, path)
