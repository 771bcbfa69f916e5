"""One sitting: libFuzzer, by way of atheris, tries a target in a process of its own.

The process is a fork of one that has loaded and instrumented the program, so it starts at once
and leaves nothing behind. It counts its executions in memory that both see, since a process that
runs out of its budget ends without a word.
"""

from __future__ import annotations

import gc
import mmap
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from time import monotonic, sleep

from tests.fuzz import budget
from tests.fuzz.budget import OverBudgetError
from tests.fuzz.campaign import mutator_of
from tests.fuzz.finds import attempt, attempt_at_length, described, signature_of
from tests.fuzz.targets import FuzzTarget

_PIECES = 400
"""Inputs to start from, cut from the seeds."""
_PATIENCE = 60
"""Seconds after which a process that should have ended is killed."""
_LINE = re.compile(rb"^#(\d+)\s+(\w+)\s+cov: (\d+)", re.MULTILINE)


@dataclass
class Sitting:
    """What one sitting came to; `last_new` is the execution that met the last new edge."""

    executions: int = 0
    edges: int = 0
    last_new: int = 0
    seconds: float = 0.0
    failed: list[Path] = field(default_factory=list)


def sit(target: FuzzTarget, folder: Path, executions: int, seconds: float) -> Sitting:
    """Try a target as often and as long as is said; inputs are kept in `folder`/corpus.

    Inputs that fail are in `folder`/failed, one for each signature.
    """
    for name in ("corpus", "seeds", "failed"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    before = set((folder / "failed").iterdir())
    inputs = [folder / "corpus"]
    if _write_seeds(target, folder):
        inputs.append(folder / "seeds")
    log, counter, start = folder / "log", mmap.mmap(-1, 8), monotonic()
    known = sum(1 for place in inputs for _ in place.iterdir())
    options = [
        f"-runs={executions + known}",
        f"-max_total_time={max(1, int(seconds))}",
        *(f"-max_len={target.longest}", "-len_control=0", "-rss_limit_mb=0"),
        *("-timeout=3600", "-report_slow_units=3600"),  # a busy machine is no find
        f"-dict={folder / 'dictionary'}",
        f"-artifact_prefix={folder / 'failed'}/",
        *map(str, inputs),
    ]
    in_child(lambda: _fuzz(target, folder, options, counter), log, seconds + _PATIENCE)
    edges, last_new = _progress(log.read_bytes())
    return Sitting(
        int.from_bytes(counter[:8], "little"),
        edges,
        last_new,
        monotonic() - start,
        sorted(set((folder / "failed").iterdir()) - before),
    )


def in_child(work: Callable[[], None], log: Path, seconds: float) -> int:
    """Do something in a fork that writes into `log`; return its status, 1 when it is killed."""
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
            sys.stderr.flush()
            os._exit(status)
    end = monotonic() + seconds
    while monotonic() < end:
        ended, state = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(state)
        sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return 1


def _fuzz(target: FuzzTarget, folder: Path, options: list[str], counter: mmap.mmap) -> None:
    """Never returns: libFuzzer ends the process."""
    import atheris

    mutator = mutator_of(target, "campaign")
    signatures = {path.name for path in (folder / "failed").iterdir()}
    executions = 0

    def check(data: bytes) -> None:
        nonlocal executions
        executions += 1
        counter[:8] = executions.to_bytes(8, "little")
        try:
            with budget.timed(budget.SECONDS * budget.INSTRUMENTED):
                attempt(target, data, count=False)
        except (Exception, OverBudgetError) as error:
            signature = signature_of(error)
            if signature not in signatures:
                signatures.add(signature)
                (folder / "failed" / signature).write_bytes(data)
            if isinstance(error, OverBudgetError | MemoryError):
                os._exit(1)  # stopped anywhere, the program is in no state to go on with

    def change(data: bytes, most: int, seed: int) -> bytes:
        mutator.random.seed(seed)
        if mutator.random.random() < 0.4:
            changed: bytes = atheris.Mutate(data, most)
            return changed
        if mutator.random.random() < 0.1:
            return mutator.generated()[:most]
        return mutator.changed(data, mutator.random.randrange(1, 5))[:most]

    atheris.Setup(["fuzz", *options], check, custom_mutator=change)
    atheris.Fuzz()


def _write_seeds(target: FuzzTarget, folder: Path) -> bool:
    """Write pieces of the seeds and the dictionary; return whether any was not there before.

    What the seeds reach that were there is among the kept inputs.
    """
    mutator = mutator_of(target, "seeds")
    mutator.random = Random(target.name)  # noqa: S311
    seeds = [seed for seed in target.seeds() if len(seed) <= target.longest]
    pieces = {sha256(data).hexdigest()[:16]: data for data in mutator.pieces(_PIECES)}
    pieces |= {sha256(data).hexdigest()[:16]: data for data in seeds[:_PIECES]}
    fresh = [name for name in pieces if not (folder / "seeds" / name).exists()]
    for name in fresh:
        (folder / "seeds" / name).write_bytes(pieces[name])
    (folder / "dictionary").write_bytes(b"\n".join(_entries(target.words())) + b"\n")
    return bool(fresh)


def _entries(words: Iterable[str]) -> Iterable[bytes]:
    for word in words:
        data = word.encode("utf-8", "surrogatepass")[:64]
        yield b'"' + b"".join(b"\\x%02X" % byte for byte in data) + b'"'


def _progress(log: bytes) -> tuple[int, int]:
    """The edges that are met, and the execution that met the last of them.

    What the inputs of earlier sittings meet is not new: libFuzzer says INITED after those.
    """
    edges = last_new = 0
    started = False
    for number, kind, covered in _LINE.findall(log):
        if int(covered) > edges:
            edges = int(covered)
            last_new = int(number) if started else last_new
        started = started or kind == b"INITED"
    return edges, last_new


def replay(target: FuzzTarget, folder: Path, seconds: float) -> None:
    """Check the inputs that a campaign keeps thoroughly, and their memory, each once.

    What fails is put beside what else has failed; what `seconds` do not suffice for is left to
    the next sitting. Runs in a child: `in_child`.
    """
    end = monotonic() + seconds
    done = folder / "replayed"
    known = set(done.read_text().split()) if done.exists() else set()
    with done.open("a") as file:
        for path in sorted((folder / "corpus").iterdir()):
            if path.name in known or monotonic() > end:
                continue
            file.write(f"{path.name}\n")
            file.flush()
            data = path.read_bytes()
            try:
                with budget.timed(10 * budget.SECONDS * budget.INSTRUMENTED):
                    attempt(target, data, deep=True, count=False)
                attempt_at_length(target, data)
            except (Exception, OverBudgetError) as error:
                print(described(error))
                (folder / "failed" / signature_of(error)).write_bytes(data)
