"""How much memory one document may take: enough for any that is honest, not all there is."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

BASE = 1 << 30
"""Memory for a document of any size, in bytes."""

FACTOR = 200
"""Additional memory for each byte of a document.

Scripts of only the shortest commands of MQ take 40 to 95, of other commands 25; settings 105, dumps
6 to 40. The rest is for what the allocator holds beyond that.
"""

_LEAST = 64 << 20
"""Memory for a document if none seems free, in bytes.

With almost none, Python 3.11 does not end: it cannot allocate the error, and retries.
"""
_BETWEEN, _SMALL = 1 << 18, 1 << 13
"""Bytes of documents after which memory is measured again, and what each counts at least.

Their readings take some 25 MB meanwhile, which is little beside `BASE`.
"""
_FIRST_TO_GO = b"1000"
GROUP = Path("/sys/fs/cgroup")
"""The control group of a container on Linux, as a folder."""


class MemoryLimit:
    """Limits the memory of a process for a document, and to the memory that was free before.

    Only Linux supports this. Elsewhere the system decides, and ends a process that only reads
    documents (see `mqlint.engine.loading.pool`).
    """

    def __init__(self) -> None:
        """See how much memory is free."""
        used, free = _used(), free_memory()
        self._most = None if used is None or free is None else used + max(free, _LEAST)
        self._seen = used
        self._since = 0

    @contextmanager
    def of(self, size: int) -> Iterator[None]:
        """Raise MemoryError in the block that takes more than a document of `size` bytes may."""
        used = self._before(size)
        if sys.platform != "linux" or used is None or self._most is None:
            yield
            return
        import resource

        before = soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = min(used + BASE + FACTOR * size, self._most)
        if soft != resource.RLIM_INFINITY:
            most = min(most, soft)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_DATA, before)

    def _before(self, size: int) -> int | None:
        """The memory of this process before a document of `size` bytes, measured now and then."""
        self._since += _SMALL + size
        if self._since > _BETWEEN:
            self._seen, self._since = _used(), 0
        return self._seen


def die_first() -> None:
    """Let a Linux that runs out of memory end this process, not the one that started it."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "wb", buffering=0) as file:  # noqa: PTH123
        file.write(_FIRST_TO_GO)


def _used() -> int | None:
    """The memory of this process for data, in bytes; None if it is not known."""
    if sys.platform != "linux":
        return None
    found = number_in("/proc/self/statm", 5)
    return None if found is None else found * os.sysconf("SC_PAGE_SIZE")


def free_memory(group: Path = GROUP) -> int | None:
    """Return the memory of the machine, or of the container, that is free, in bytes.

    `group` is the folder of the control group of a container. What it keeps of files is free, as
    Linux drops it first (Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst).
    """
    free = _sum_in("/proc/meminfo", b"MemAvailable:")
    if free is None:
        return None
    free <<= 10
    for most, used, details in (
        ("memory.max", "memory.current", "memory.stat"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "memory/memory.stat"),
    ):
        limit = number_in(group / most)
        if limit is not None:
            taken = number_in(group / used) or 0
            files = _sum_in(group / details, b"inactive_file", b"active_file") or 0
            free = min(free, max(0, limit - taken + files))
    return free


def _sum_in(file: Path | str, *names: bytes) -> int | None:
    """Return the sum of numbers in a file, each in a line after its name; None if one is absent."""
    try:
        lines = Path(file).read_bytes().splitlines()
        values = {words[0]: int(words[1]) for words in map(bytes.split, lines) if len(words) > 1}
        return sum(values[name] for name in names)
    except (OSError, ValueError, KeyError):
        return None


def number_in(file: Path | str, at: int = 0) -> int | None:
    """Return a number in a file, by its place; None if there is none."""
    try:
        with open(file, "rb", buffering=0) as stream:  # noqa: PTH123 this is asked for each document
            return int(stream.read().split()[at])
    except (OSError, ValueError, IndexError):
        return None
