"""Generic names of channel authentication records: an asterisk matches any text at any place."""

from __future__ import annotations

from functools import lru_cache


def generic_fits(pattern: str, name: str) -> bool:
    """Whether a generic name fits a name; an asterisk matches any text at any place."""
    start, star, rest = pattern.partition("*")
    if not star:
        return pattern == name
    *inner, end = rest.split("*")
    at, stop = len(start), len(name) - len(end)
    if stop < at or not name.startswith(start) or not name.endswith(end):
        return False
    for part in inner:  # each as far to the left as it goes leaves most room for the next
        at = name.find(part, at, stop)
        if at < 0:
            return False
        at += len(part)
    return True


@lru_cache(maxsize=1024)
def name_specificity(text: str) -> tuple[tuple[int, int], ...]:
    """Return how specific a generic name is: of two that fit a name the smaller wins.

    From left to right a character comes before an asterisk; of two asterisks the one with more
    after it comes first. (IBM: q010250, "Channel authentication records".)
    """
    if "*" not in text:
        return ((0, 0),) * len(text)
    return tuple((1, at - len(text)) if sign == "*" else (0, 0) for at, sign in enumerate(text))
