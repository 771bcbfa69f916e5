"""Words that name processes of a queue manager, as `kill` and `ps | grep` do."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mqlint.patterns import later

_PATTERNS = {
    "manager": later(r"(?:^|[^a-z])amq(?!s)", re.IGNORECASE),  # its own, and no samples
    "user": later(r"(?:^|[^a-z])mqm(?![\w-])", re.IGNORECASE),
    "beside": later(r"(?:^|[^a-z])runmq", re.IGNORECASE),
}
"""`beside` are trigger monitors, listeners and the like, which a queue manager outlives."""

NO_PROCESSES: frozenset[str] = frozenset()


def processes_named(texts: Iterable[str]) -> frozenset[str]:
    """Return the processes that texts name: of the manager, of its user, or beside it."""
    candidates = [text for text in texts if "mq" in text.lower()]
    if not candidates:
        return NO_PROCESSES
    return frozenset(kind for kind, form in _PATTERNS.items() if any(map(form.search, candidates)))


def stops_queue_manager(processes: frozenset[str]) -> bool:
    """Whether processes of a queue manager are meant: its own, or all of its user's."""
    return "manager" in processes or ("user" in processes and "beside" not in processes)
