"""Generic names of channel authentication records: an asterisk stands for anything anywhere."""

from __future__ import annotations

from fnmatch import fnmatchcase


def generic_fits(pattern: str, name: str) -> bool:
    """Whether a generic name fits a name; an asterisk stands for anything anywhere."""
    return fnmatchcase(name, pattern.replace("[", "[[]").replace("?", "[?]"))


def name_specificity(text: str) -> tuple[tuple[int, int], ...]:
    """Return how specific a generic name is: of two that fit a name the smaller wins.

    From left to right a character comes before an asterisk; of two asterisks the one with more
    after it comes first. (IBM: q010250, "Channel authentication records".)
    """
    return tuple((1, at - len(text)) if sign == "*" else (0, 0) for at, sign in enumerate(text))
