"""Which engine scans: Spark where it pays, this process elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mqlint.cli.common.group import Refusal
from mqlint.cli.estate.command import is_master_given, submitted
from mqlint.cli.estate.java import find_java
from mqlint.dataclass import frozen

if TYPE_CHECKING:
    from mqlint.cli.estate.plan import EstatePlan
    from mqlint.estate.io.sources import Source

SPARK, PROCESS = "spark", "process"

_PAYS: Final = 40 << 20
"""Bytes to read from which Spark on two cores is faster than one process.

Spark takes about 13 s to start and saves 90 ms for each 300 KB (docs/estate.md, What it takes).
"""

_UNCHANGED: Final = 7
"""Comparing unchanged documents takes one part in this number of reading and judging them."""

_LEAST: Final = 4096
"""Bytes that a file counts at least: opening it takes time too."""


@frozen
class Choice:
    """An engine, and why it was taken; blank if the user chose it."""

    engine: str
    reason: str = ""


def choice_of(master: str | None, plan: EstatePlan, estate: Path, since: float | None) -> Choice:
    """Return the engine of a scan that takes less time.

    `since` is the time of the previous scan whose results can be reused, if any.
    """
    if submitted() or is_master_given(master):
        return Choice(SPARK)
    is_unknown = any(source.kind == "uri" for source in plan.sources)
    if not is_unknown and not _is_large(plan.sources, since):
        return Choice(PROCESS, "Spark is slower with so few files (to use it: --engine spark)")
    missing = [name for name in ("pyspark", "pandas") if find_spec(name) is None]
    if missing:
        reason = f"Spark would be faster, but the package {missing[0]} is missing"
        return Choice(PROCESS, f"{reason}: pip install 'mqlint[spark]'")
    try:
        find_java(estate)
    except Refusal as error:
        return Choice(PROCESS, f"Spark would be faster, but {error.message}")
    return Choice(SPARK, "Spark is faster for so many files: --engine process does without")


def time_of(finished: str) -> float | None:
    """Return the time at which a scan was finished, in seconds since 1970."""
    try:
        return datetime.fromisoformat(finished).timestamp()
    except ValueError:
        return None


def _is_large(sources: Sequence[Source], since: float | None) -> bool:
    """Whether there is so much to read that Spark pays; looks no further once that is known."""
    total = 0.0
    for source in sources:
        for size, changed in _files(source.at) if source.kind != "link" else ():
            new = since is None or changed >= since
            total += max(size, _LEAST) / (1 if new else _UNCHANGED)
            if total >= _PAYS:
                return True
    return False


def _files(at: str) -> Iterator[tuple[int, float]]:
    """Sizes of files and when they were changed; a pattern counts by its fixed part."""
    from mqlint.estate.io.sources import fixed_part

    top = Path(at)
    if not top.exists():
        top = Path(fixed_part(at))
    waiting = [str(top)]
    while waiting:
        path = waiting.pop()
        with suppress(OSError):
            if os.path.isdir(path):  # noqa: PTH112 text, as scandir gives it
                with os.scandir(path) as inside:
                    waiting += [entry.path for entry in inside if not entry.is_symlink()]
            else:
                found = os.stat(path)  # noqa: PTH116
                yield found.st_size, max(found.st_mtime, found.st_ctime)
