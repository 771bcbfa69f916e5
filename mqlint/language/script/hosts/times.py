"""Times of a crontab that cron refuses (crontab(5))."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mqlint.finding import Diagnostic
from mqlint.language.script.hosts import TIMES

_FIELD = re.compile(r"[^ \t]+")
_NUMBER = re.compile(r"\d+")
_RANGES = (
    ("minute", 0, 59),
    ("hour", 0, 23),
    ("day of the month", 1, 31),
    ("month", 1, 12),
    ("day of the week", 0, 7),
)


def time_faults(text: str) -> Iterator[Diagnostic]:
    """Yield the fields of the jobs of a crontab that are out of range."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        times = TIMES().match(text[start:end])
        if times is not None and not times[1].startswith("@"):
            yield from _fields(times[1], start + times.start(1))
        start = end + 1


def _fields(times: str, start: int) -> Iterator[Diagnostic]:
    """The fields of one job, each with what stands before a `/` checked against its range."""
    for field, (what, low, high) in zip(_FIELD.finditer(times), _RANGES, strict=False):
        for item in field[0].split(","):
            numbers = [int(found[0][:9]) for found in _NUMBER.finditer(item.partition("/")[0])]
            if any(not low <= number <= high for number in numbers):
                data = {"value": field[0][:40], "what": what, "low": str(low), "high": str(high)}
                yield Diagnostic("crontab-time", start + field.start(), start + field.end(), data)
                break
