"""What one repository of a cluster holds: records with sequence numbers, and channels in use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from mqlint.dataclass import mutable
from mqlint.rehearsal.world import Identity

REPUBLISHED = 27
"""Days after which a queue manager publishes its records again."""
EXPIRES = 30
"""Days after its publication on which a record expires."""
RETAINED = 60
"""Days for which an expired record is kept. (IBM: How long do the queue manager repositories
retain information.)"""

Cause = Literal["first", "due", "refresh", "alter", "restart", "waiting"]
"""Why a record is published."""


@mutable
class HeldRecord:
    """A record as a repository has it: its number, the day of its publication, who published it.

    `is_assumed` is true if its publication follows from a question that no source decides,
    `is_expired`, `is_removed` and `is_forced_out` tell what became of it. What is removed keeps its
    number: lower ones are still ignored. (IBM's notes on DR testing.)
    """

    number: int
    published: int
    publisher: str
    is_assumed: bool = False
    is_expired: bool = False
    is_removed: bool = False
    is_forced_out: bool = False

    @property
    def is_lapsed(self) -> bool:
        """Whether it is no longer the record of a member that is up to date."""
        return self.is_expired or self.is_removed or self.is_forced_out


class ClusterRepository:
    """The records that one queue manager, or a group of partial repositories, holds.

    `sites` and `is_full` tell whose it is; `members` are the ids of the queue managers.
    """

    def __init__(self, title: str, site: str, members: list[str], *, is_full: bool) -> None:
        self.title = title
        self.site = site
        self.members = members
        self.is_full = is_full
        self.records: dict[Identity, HeldRecord] = {}
        self.in_use: dict[tuple[str, str], str] = {}
        """The QMID that is in use for a cluster and the name of a cluster-receiver channel."""
        self.assumed: set[tuple[str, str]] = set()
        """Those of which no source decides who is in use."""

    def usable(self, identity: Identity) -> HeldRecord | None:
        """Return a record that names are resolved by, None if there is none."""
        held = self.records.get(identity)
        return None if held is None or held.is_forced_out or held.is_removed else held


class Retention:
    """On which days records expire and are removed, unless they are published again."""

    def __init__(self) -> None:
        self._expire: dict[int, list[tuple[ClusterRepository, Identity]]] = {}
        self._remove: dict[int, list[tuple[ClusterRepository, Identity]]] = {}

    def add(self, repository: ClusterRepository, identity: Identity, published: int) -> None:
        """Note a record by the day of its publication."""
        row = (repository, identity)
        self._expire.setdefault(published + EXPIRES, []).append(row)
        self._remove.setdefault(published + EXPIRES + RETAINED, []).append(row)

    def expiring(self, day: int) -> Iterator[tuple[ClusterRepository, Identity, HeldRecord]]:
        for repository, identity in self._expire.pop(day, ()):
            held = repository.records[identity]
            is_due = held.published + EXPIRES == day and not held.is_lapsed
            if is_due:
                yield repository, identity, held

    def removing(self, day: int) -> Iterator[tuple[ClusterRepository, Identity, HeldRecord]]:
        for repository, identity in self._remove.pop(day, ()):
            held = repository.records[identity]
            is_old = held.published + EXPIRES + RETAINED == day
            if is_old and held.is_expired and not held.is_removed:
                yield repository, identity, held
