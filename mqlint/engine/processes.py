"""How many processes pay off for a run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from mqlint.engine.memory_limit import GROUP, free_memory, number_in
from mqlint.engine.shares import CAN_COPY, work_of

_WORTH = 1_000_000
"""The least work for each process, in bytes of a large document: about half a second.

A process loads the modules and makes ready the policies that it meets, which takes a tenth.
"""
_MOST = 8
"""More processes hardly help: what is not shared is a tenth of a run."""
_MEMORY = 256 << 20
"""Free memory for each process, in bytes; most need less than half of it."""


def processes_for(sizes: Sequence[int]) -> int:
    """Return how many processes pay off to read and judge documents of these sizes, in bytes.

    It is one for few documents, so that hooks start nothing. It depends on the processors and the
    memory that this process may use.
    """
    worth = sum(map(work_of, sizes)) // _WORTH
    if not CAN_COPY or min(worth, len(sizes)) < 2:
        return 1
    free = free_memory()
    room = _MOST if free is None else free // _MEMORY
    return max(1, min(worth, len(sizes), processors(), room, _MOST))


def processors(group: Path = GROUP) -> int:
    """Return the number of processors that this process may use, at least 1.

    On Linux that is limited by the affinity of the process and by its control group, of which
    `group` is the folder: `cpu.max` of version 2, `cpu.cfs_quota_us` of version 1
    (Documentation/admin-guide/cgroup-v2.rst and scheduler/sched-bwc.rst of Linux).
    """
    affinity = getattr(os, "sched_getaffinity", None)
    number = os.cpu_count() or 1 if affinity is None else len(affinity(0))
    for quota, period in (
        (number_in(group / "cpu.max"), number_in(group / "cpu.max", 1)),
        (number_in(group / "cpu/cpu.cfs_quota_us"), number_in(group / "cpu/cpu.cfs_period_us")),
    ):
        if quota is not None and quota > 0 and period:
            number = min(number, -(-quota // period))
    return max(1, number)
