"""Whether a name matches a pattern of a shell, in time in line with the length of the pattern."""

from __future__ import annotations

import re
from fnmatch import translate
from functools import lru_cache

_OPEN = "\uf8ff"
"""A character for private use, other than that of templates, for an open bracket."""


def matches_glob(name: str, pattern: str) -> bool:
    """Return whether a whole name matches, as `fnmatchcase` does, but without its slow search.

    `fnmatchcase` searches the end of each bracket, so many open ones take time with their square.
    """
    return _compiled(pattern).match(name) is not None


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    closed = pattern.rfind("]") + 1
    source = translate(pattern[:closed] + pattern[closed:].replace("[", _OPEN))
    return re.compile(source.replace(_OPEN, r"\["))
