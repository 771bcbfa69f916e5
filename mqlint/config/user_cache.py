"""Where the cache of a user's programs is."""

from __future__ import annotations

import os
import sys


def user_cache() -> str:
    """Return the folder in which the system expects the cache of a user's program."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/AppData/Local")
        return f"{local}/mqlint/Cache"
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Caches/mqlint")
    named = os.environ.get("XDG_CACHE_HOME", "")
    return f"{named if os.path.isabs(named) else os.path.expanduser('~/.cache')}/mqlint"
