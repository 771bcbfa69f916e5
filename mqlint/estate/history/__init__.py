"""The scans in a folder: their findings, and changes from one to another."""

from __future__ import annotations

import re

WHOLE = "scan-"
"""How the name of a folder with a whole scan begins."""

HISTORY = 10
"""So many scans are kept, the current one among them."""

_OF_SCAN = re.compile(r"\.?scan-\d{8}T\d{6}\.\d{3}Z-[0-9a-f]+|\.scan-work-\w+")


def is_of_scan(name: str) -> bool:
    """Whether a folder has a name that a scan gives, so that a later one may remove it.

    Other folders beside the tables may be a user's, even if their names begin with `scan-`.
    """
    return _OF_SCAN.fullmatch(name) is not None
