"""Where the cache of a user's programs is."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def user_cache() -> Path:
    """Return the folder in which the system expects the cache of a user's program."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
        return Path(local, "mqlint", "Cache").expanduser()
    if sys.platform == "darwin":
        return Path("~/Library/Caches/mqlint").expanduser()
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (named if named.is_absolute() else Path("~/.cache").expanduser()) / "mqlint"
