"""The identity of queue managers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class QueueManagerKey:
    """What tells queue managers apart: repository, site and name.

    A document whose queue manager is not known has its path in place of a name and `anonymous`
    True. The QMID is a fact about a queue manager, never its key: two that share one are just
    what the tool looks for.
    """

    repository: str
    site: str
    name: str
    anonymous: bool = False
