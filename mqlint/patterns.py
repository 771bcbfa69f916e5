"""Regular expressions that are compiled when they are first needed: most runs need few of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import AnyStr, Generic, cast


def later(pattern: AnyStr) -> re.Pattern[AnyStr]:
    """Return what acts as `re.compile(pattern)` does, and compiles it at the first use.

    Flags are in the pattern itself: `(?im)`. The functions of `re` take no such object for a
    pattern: call its methods.
    """
    return cast(re.Pattern[AnyStr], _Later(pattern))


def headed(
    pattern: re.Pattern[str], text: str, start: int = 0, end: int | None = None
) -> Iterator[tuple[re.Match[str], int]]:
    """Yield each match between two offsets, with where the next one begins, or the text ends."""
    stop = len(text) if end is None else end
    found = [*pattern.finditer(text, start, stop)]
    return zip(found, (*(match.start() for match in found[1:]), stop), strict=False)


class _Later(Generic[AnyStr]):
    """A pattern, and each attribute of the compiled one that was asked for so far."""

    def __init__(self, pattern: AnyStr) -> None:
        self.pattern: AnyStr = pattern

    def __getattr__(self, name: str) -> object:
        """Compile the pattern for an attribute that is not there, and keep the attribute.

        What is kept is found without a call the next time, so a use costs what it would cost with
        the compiled pattern.
        """
        value = getattr(re.compile(self.pattern), name)
        setattr(self, name, value)
        return value

    def __reduce__(self) -> tuple[object, ...]:
        return later, (self.pattern,)
