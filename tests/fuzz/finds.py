"""Inputs that fail: made small, and kept where they are tried from then on."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from traceback import FrameSummary, extract_tb

from tests.fuzz.budget import (
    OverBudgetError,
    calls_for,
    check_growth,
    check_memory,
    counted,
)
from tests.fuzz.minimise import minimised
from tests.fuzz.targets import FuzzTarget

FOUND = Path(__file__).parent / "found"


@dataclass(frozen=True)
class Failure:
    """A minimised input, what it raised and where it is kept."""

    data: bytes
    error: BaseException
    path: Path

    def __str__(self) -> str:
        return f"{described(self.error)}\n{self.data[:2000]!r}\nkept as {self.path}"


def attempt(
    target: FuzzTarget, data: bytes, deep: bool | None = None, *, count: bool = True
) -> None:
    """Check one input; with `count` also that it makes no more calls than its size allows."""
    with ExitStack() as stack:
        if count:
            stack.enter_context(counted(calls_for(data)))
        target.check(data, deep)


def attempt_at_length(target: FuzzTarget, data: bytes) -> None:
    """Check what one input costs: its memory, and of a text how its calls grow with it."""
    check_memory(target.work or target.quick, data, target.slack)
    if target.work is not None:
        check_growth(target.work, data)


def keep(target: FuzzTarget, data: bytes, error: BaseException, tries: int = 2000) -> Failure:
    """Make a failing input small and write it where it is tried from now on."""
    signature = signature_of(error)
    costs = isinstance(error, OverBudgetError)

    def fails(shorter: bytes) -> bool:
        try:
            attempt(target, shorter, deep=True, count=costs)
            if costs:
                attempt_at_length(target, shorter)
        except (Exception, OverBudgetError) as other:
            return signature_of(other) == signature
        return False

    small = minimised(data, fails, tries=60 if costs else tries) if fails(data) else data
    path = FOUND / target.name / f"{sha256(small).hexdigest()[:12]}.bin"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(small)
    return Failure(small, error, path)


def signature_of(error: BaseException) -> str:
    """Return what equal failures share: the kind, and the last places in the code."""
    if isinstance(error, OverBudgetError | RecursionError | MemoryError):
        return type(error).__name__
    places = [f"{Path(frame.filename).stem}.{frame.name}" for frame in _frames(error)[-2:]]
    return "-".join([type(error).__name__, *places])


def described(error: BaseException) -> str:
    """Return what is raised and where, on one line."""
    places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in _frames(error)[-5:]]
    return f"{type(error).__name__} in {' > '.join(places)}: {error}"


def _frames(error: BaseException) -> list[FrameSummary]:
    return list(extract_tb(error.__traceback__))
