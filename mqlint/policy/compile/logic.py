"""Three-valued logic: true, false, or None for unknown (Kleene's strong logic)."""

from __future__ import annotations

from collections.abc import Iterable

Truth = bool | None


def all_of(truths: Iterable[Truth]) -> Truth:
    """False when one is false, else unknown when one is unknown, else true."""
    result: Truth = True
    for truth in truths:
        if truth is False:
            return False
        if truth is None:
            result = None
    return result


def any_of(truths: Iterable[Truth]) -> Truth:
    """True when one is true, else unknown when one is unknown, else false."""
    result: Truth = False
    for truth in truths:
        if truth is True:
            return True
        if truth is None:
            result = None
    return result


def negate(truth: Truth) -> Truth:
    """The opposite; unknown stays unknown."""
    return None if truth is None else not truth
