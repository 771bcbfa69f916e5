"""Regular expressions that are compiled when they are first needed: most runs need few of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache


def later(pattern: str, flags: int = 0) -> Callable[[], re.Pattern[str]]:
    """Return a function that returns `pattern` compiled, each time the same object."""

    @cache
    def compiled() -> re.Pattern[str]:
        return re.compile(pattern, flags)

    return compiled
