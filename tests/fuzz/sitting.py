"""One sitting: a target is tried with changes of the inputs that reach the most of the program.

It runs in a fork of a process that has loaded the program, so it starts at once and leaves nothing
behind. What it came to is in memory that both processes see, since a process that runs out of its
budget ends without a word.

An execution runs the program with probes (see `probes`) at the edges that were not met, so nearly
all executions cost what the program costs. What is expensive is done for few inputs: an input
that meets a new edge is made small, and `replay` measures its memory, its growth and a whole run.
The same is done for an input that takes more time or memory than any before it.
"""

from __future__ import annotations

import gc
import mmap
import os
import resource
import signal
import struct
import sys
import traceback
from collections.abc import Callable, Set
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from time import monotonic, process_time, sleep

from tests.fuzz import budget, probes
from tests.fuzz.budget import OverBudgetError
from tests.fuzz.campaign import mutator_of
from tests.fuzz.finds import attempt, attempt_at_length, described, signature_of
from tests.fuzz.kept import load
from tests.fuzz.minimise import minimised
from tests.fuzz.pool import Pool, fewest
from tests.fuzz.targets import FuzzTarget

_PIECES = 400
"""Inputs to start from, cut from the seeds."""
_PATIENCE = 60
"""Seconds after which a process that should have ended is killed."""
_TRIES = 16
"""Executions to make an input small that meets a new edge. They are not counted."""
_DEEP_EACH = 2_000
"""One of so many executions is a whole run: those that meet a new edge are replayed anyway."""
_RECORD = 1.5
"""How many times the time or memory of all before is worth a closer look."""


@dataclass
class Sitting:
    """What one sitting came to; `last_new` is the execution that met the last new edge."""

    executions: int = 0
    edges: int = 0
    last_new: int = 0
    seconds: float = 0.0
    processor: float = 0.0
    failed: list[Path] = field(default_factory=list)


class _Shared:
    """Numbers that a child writes and its parent reads."""

    _FORM = struct.Struct("<4q")

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, self._FORM.size)

    def write(self, executions: int, edges: int, last_new: int, *, complete: bool = False) -> None:
        self._FORM.pack_into(self._memory, 0, executions, edges, last_new, complete)

    def read(self) -> tuple[int, int, int, bool]:
        executions, edges, last_new, complete = self._FORM.unpack_from(self._memory)
        return executions, edges, last_new, bool(complete)


def sit(
    target: FuzzTarget, folder: Path, executions: int, seconds: float, end: float, seed: str = ""
) -> Sitting:
    """Try a target so often, for so many seconds of the processor, or until it is `end`.

    Inputs are kept in `folder`/corpus. Those that fail are in `folder`/failed, one for each
    signature. A process that an input ended is followed by another.
    """
    for name in ("corpus", "failed"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    before = set((folder / "failed").iterdir())
    total, start, used = Sitting(), monotonic(), _processor_of_children()
    complete = False
    while not complete and total.executions < executions:
        shared, random = _Shared(), Random(f"{target.name} {seed} {total.executions}")  # noqa: S311
        loop = _Loop(target, folder, random, shared)
        left, allowed = executions - total.executions, seconds - total.processor
        in_child(partial(loop.run, left, allowed, end), folder / "log", end - monotonic())
        done, edges, last_new, complete = shared.read()
        total.last_new = total.executions + last_new if last_new else total.last_new
        total.executions += done
        total.edges = max(edges, total.edges)
        total.processor = _processor_of_children() - used
        if not done:
            break
    total.seconds = monotonic() - start
    total.failed = sorted(set((folder / "failed").iterdir()) - before)
    return total


def _processor_of_children() -> float:
    """Return the seconds that processes took which were started here and ended, such as git."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def in_child(work: Callable[[], None], log: Path, seconds: float) -> int:
    """Do something in a fork that writes into `log`; return its status.

    It is 1 for what is killed, because it takes a minute more than `seconds`.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if not child:
        status = 1
        try:
            with log.open("wb") as file:
                os.dup2(file.fileno(), 1)
                os.dup2(file.fileno(), 2)
            budget.limit_memory()
            gc.freeze()  # the collector need not visit the loaded program again and again
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    end = monotonic() + seconds + _PATIENCE
    while monotonic() < end:
        ended, state = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(state)
        sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return 1


class _Loop:
    """The executions of one process."""

    def __init__(self, target: FuzzTarget, folder: Path, random: Random, shared: _Shared) -> None:
        self._target, self._folder, self._shared = target, folder, shared
        self._mutator = mutator_of(target, "campaign")
        self._mutator.random = random
        self._pool = Pool(random)
        failed = folder / "failed"
        self._signatures = {path.name for path in failed.iterdir()} if failed.is_dir() else set()
        self._longest_time, self._most_memory = 0.01, 0
        self._seen: set[int] = set()
        self._new: list[tuple[bytes, frozenset[int]]] = []
        self._last_new = self._executions = 0

    def run(self, executions: int, seconds: float, end: float) -> None:
        """Execute so often or so long; inputs of earlier sittings are not counted."""
        with budget.stopping():
            for data in self._start():
                self._try(data, counted=False)
            self._most_memory = _peak()
            start = process_time()
            while self._executions < executions:
                self._try(self._next(), counted=True)
                if self._executions % 64 == 0:
                    self._write()
                    used = process_time() - start + _processor_of_children()
                    if used > seconds or monotonic() > end:
                        break
        self._write(complete=True)

    def _write(self, *, complete: bool = False) -> None:
        self._shared.write(self._executions, len(self._seen), self._last_new, complete=complete)

    def _start(self) -> list[bytes]:
        """Return what to start from, short inputs first, so that the shortest is kept.

        What the seeds meet that were tried before is among the kept inputs.
        """
        inputs = _known(self._target, self._folder)
        if not inputs:
            mutator, own = self._mutator, self._mutator.random
            mutator.random = Random(self._target.name)  # noqa: S311
            seeds = [seed for seed in self._target.seeds() if len(seed) <= self._target.longest]
            inputs = {*mutator.pieces(_PIECES), *seeds[:_PIECES]}
            mutator.random = own
        return sorted(inputs, key=lambda data: (len(data), data))

    def _next(self) -> bytes:
        random, mutator = self._mutator.random, self._mutator
        kind = random.random()
        if kind < 0.06:
            data = mutator.generated()
        elif kind < 0.15 or not self._pool:
            data = mutator.mutated()
        else:
            data = mutator.changed(self._pool.choose(), random.randrange(1, 5))
        return data[: self._target.longest]

    def _try(self, data: bytes, *, counted: bool) -> None:
        """Execute once. What fails, meets a new edge or costs more than others is kept."""
        probes.MET.clear()
        start = process_time()
        failed = self._fails(data)
        spent = process_time() - start
        if counted:
            self._executions += 1
        if probes.MET and not failed:
            self._new.append((data, frozenset(probes.MET)))
            if counted:
                self._last_new = self._executions
        elif counted and self._is_record(spent):
            self._keep(data)
        while self._new:
            self._meet(*self._new.pop(), small=counted)
        if not failed and self._executions % _DEEP_EACH == 0 and counted:
            self._fails(data, deep=True)

    def _meet(self, data: bytes, met: frozenset[int], *, small: bool) -> None:
        """Keep an input that meets new edges, if `small` as short as meets them all."""
        self._seen |= met
        if small:
            data = minimised(data, lambda less: met <= self._met(less, met), _TRIES)
        self._keep(data)
        self._pool.add(data, self._met(data, self._seen) | met)

    def reached(self, data: bytes) -> frozenset[int]:
        """Return the edges that an input meets."""
        probes.MET.clear()
        self._fails(data)
        self._seen |= set(probes.MET)
        return self._met(data, self._seen) | frozenset(probes.MET)

    def _met(self, data: bytes, edges: Set[int]) -> frozenset[int]:
        """Return which of some edges an input meets that does not fail."""
        failed: list[bool] = []
        found = probes.met(lambda: failed.append(self._fails(data)), edges)
        if any(failed):
            return frozenset()
        if not found <= edges:  # an edge that nothing met before
            self._new.append((data, found - edges))
        return found

    def _is_record(self, spent: float) -> bool:
        """Whether an execution took far more time or memory than all before it."""
        held = _peak()
        slow, large = spent > self._longest_time * _RECORD, held > self._most_memory + budget.SLACK
        self._longest_time = max(spent, self._longest_time)
        self._most_memory = max(held, self._most_memory)
        return slow or large

    def _keep(self, data: bytes) -> None:
        (self._folder / "corpus" / sha256(data).hexdigest()[:16]).write_bytes(data)

    def _fails(self, data: bytes, *, deep: bool = False) -> bool:
        """Whether an input fails; the first of each signature is kept."""
        try:
            with budget.ticking(budget.SECONDS * (10 if deep else 1)):
                attempt(self._target, data, deep, count=False)
        except (Exception, OverBudgetError) as error:
            signature = signature_of(error)
            if signature not in self._signatures:
                self._signatures.add(signature)
                (self._folder / "failed" / signature).write_bytes(data)
            if isinstance(error, OverBudgetError | MemoryError):
                self._write()
                os._exit(1)  # stopped anywhere, the program is in no state to go on with
            return True
        return False


def fewest_inputs(target: FuzzTarget, folder: Path) -> list[bytes]:
    """Return few and short inputs that meet all edges which any that are kept does."""
    loop = _Loop(target, folder, Random(), _Shared())  # noqa: S311
    with budget.stopping():
        return fewest((data, loop.reached(data)) for data in _known(target, folder))


def _known(target: FuzzTarget, folder: Path) -> set[bytes]:
    """Return the inputs of earlier sittings, here and in the repository."""
    here = folder / "corpus"
    own = here.iterdir() if here.is_dir() else ()
    return {*(path.read_bytes() for path in own), *load(target.name)}


def _peak() -> int:
    """The most memory that this process ever took, in bytes (of Linux; macOS counts bytes)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def replay(target: FuzzTarget, folder: Path, seconds: float) -> None:
    """Check the inputs that a campaign keeps thoroughly, and their memory, each once.

    What fails is put beside what else has failed; what `seconds` of the processor do not suffice
    for is left to the next sitting. Runs in a child: `in_child`.
    """
    end = process_time() + seconds
    done = folder / "replayed"
    known = set(done.read_text().split()) if done.exists() else set()
    with done.open("a") as file, budget.stopping():
        for path in sorted((folder / "corpus").iterdir()):
            if path.name in known or process_time() > end:
                continue
            file.write(f"{path.name}\n")
            file.flush()
            data = path.read_bytes()
            try:
                with budget.ticking(10 * budget.SECONDS):
                    attempt(target, data, deep=True, count=False)
                attempt_at_length(target, data)
            except (Exception, OverBudgetError) as error:
                print(described(error))
                (folder / "failed" / signature_of(error)).write_bytes(data)
