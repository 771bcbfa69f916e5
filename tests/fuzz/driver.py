"""The sittings of a campaign one after the other, and what becomes of what they find."""

from __future__ import annotations

import traceback
from pathlib import Path
from time import monotonic

from tests.fuzz import kept
from tests.fuzz.budget import OverBudgetError, stopping, ticking
from tests.fuzz.finds import attempt, attempt_at_length, keep
from tests.fuzz.ledger import Ledger
from tests.fuzz.sitting import fewest_inputs, in_child, replay, sit
from tests.fuzz.targets import TARGETS, FuzzTarget

_REPLAY = 4.0
_MINIMISE = 120.0
_STORE = 1800.0
"""Seconds that these may take."""
_SITTING = 60.0
"""Seconds of the processor: a sitting ends early, so that a slow target leaves time for others."""


class Driver:
    """Runs sittings and keeps their ledger."""

    def __init__(self, folder: Path) -> None:
        """Go on with what is in `folder`."""
        self._folder = folder
        self._ledger = Ledger(folder)
        self._failures = 0

    def run(self, names: list[str] | None, end: float, executions: int) -> int:
        """Give each target a sitting in turn until all are complete or it is `end`."""
        waiting = [TARGETS[name] for name in names or TARGETS]
        while waiting and monotonic() < end:
            waiting = [target for target in waiting if self._left(target)]
            waiting.sort(key=lambda target: self._ledger.accounts[target.name].processor)
            for target in waiting:
                if monotonic() < end:
                    self._sitting(target, min(executions, self._left(target)), end)
        self.show()
        return min(1, self._failures)

    def show(self) -> None:
        """Print what all sittings came to."""
        for line in self._ledger.table():
            print(line, flush=True)

    def keep(self, names: list[str] | None) -> None:
        """Write the packs and the ledger of the repository from what sittings found."""
        for name in names or TARGETS:
            target, folder = TARGETS[name], self._folder / name
            if not (folder / "corpus").is_dir():
                continue  # what the repository keeps is all there is
            log = folder / "keep.log"
            if in_child(lambda target=target, folder=folder: _store(target, folder), log, _STORE):  # type: ignore[misc]
                print(f"{name}: {log.read_text('utf-8', 'replace')}", flush=True)
        self._ledger.write(kept.LEDGER)

    def _left(self, target: FuzzTarget) -> int:
        return self._ledger.accounts[target.name].left(target)

    def _sitting(self, target: FuzzTarget, executions: int, end: float) -> None:
        folder, account = self._folder / target.name, self._ledger.accounts[target.name]
        self._drop_fixed(target, folder)
        before = _names(folder / "failed")
        sitting = sit(target, folder, executions, _SITTING, end, str(account.executions))
        replaying = max(_REPLAY, sitting.processor / 4)
        log, busy = folder / "replay.log", sitting.seconds + _MINIMISE
        in_child(lambda: replay(target, folder, replaying), log, busy)
        if sitting.last_new:
            account.last_new = account.executions + sitting.last_new
        account.executions += sitting.executions
        account.edges = sitting.edges
        account.processor = round(account.processor + sitting.processor, 1)
        account.sittings += 1
        failed = sorted(_names(folder / "failed") - before)
        account.finds += len(failed)
        self._failures += len(failed)
        self._ledger.save()
        speed = sitting.executions / max(sitting.processor, 0.1)
        print(
            f"{target.name}: {sitting.executions:,} executions in {sitting.seconds:.0f} s, "
            f"{speed:,.0f} a second of the processor, {sitting.edges:,} edges, "
            f"{self._left(target):,} left, {len(failed)} finds",
            flush=True,
        )
        for name in failed:
            self._keep(target, folder, name)

    def _drop_fixed(self, target: FuzzTarget, folder: Path) -> None:
        """Forget failures that fail no more, so that others of their signature are seen."""
        for name in _names(folder / "failed"):
            path = folder / "failed" / name
            if in_child(lambda path=path: _fail_again(target, path), folder / "again.log", 60) == 0:  # type: ignore[misc]
                path.unlink()

    def _keep(self, target: FuzzTarget, folder: Path, name: str) -> None:
        """Make a failing input small in a process of its own, and say what it was."""
        log, path = folder / "keep.log", folder / "failed" / name
        in_child(lambda: _keep_small(target, path), log, _MINIMISE)
        print(f"{target.name} fails: {name}\n{log.read_text('utf-8', 'replace')}", flush=True)


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} if folder.is_dir() else set()


def _store(target: FuzzTarget, folder: Path) -> None:
    kept.store(target.name, fewest_inputs(target, folder))


def _fail_again(target: FuzzTarget, path: Path) -> None:
    with stopping(), ticking(20):
        attempt(target, path.read_bytes(), deep=True, count=False)
        attempt_at_length(target, path.read_bytes())


def _keep_small(target: FuzzTarget, path: Path) -> None:
    data = path.read_bytes()
    try:
        _fail_again(target, path)
        print(f"it does not fail alone: {data[:500]!r}")
    except (Exception, OverBudgetError) as error:
        traceback.print_exc()
        print(keep(target, data, error))
