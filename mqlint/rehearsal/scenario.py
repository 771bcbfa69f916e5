"""What happens in a DR test, as the file of a scenario tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, get_args

from mqlint.config.settings import Reinstatement
from mqlint.dataclass import frozen, names_of
from mqlint.vocabulary.target import Level

Network = Literal["open", "closed"]
Chlauth = Literal["refuses", "admits", "unknown"]
Action = Literal[
    "start",
    "start-channels",
    "end",
    "delete",
    "restart",
    "refresh",
    "reset",
    "alter",
    "restore",
    "network",
]
Objects = Literal["channels", "queues", "all"]

ACTIONS: tuple[Action, ...] = get_args(Action)
KEYS = (
    *("days", "production", "dr", "network", "chlauth", "made_by", "last_published"),
    *("queue_managers", "uses", "events"),
)
"""The keys of a scenario."""

LONGEST = 1000
"""The most days that a calendar has, before and after day 0."""
MOST_EVENTS = 1000


OPTIONS: Mapping[str, tuple[str, ...]] = {
    "start": ("channels",),
    "refresh": ("cluster", "repos"),
    "reset": ("cluster", "remove", "by", "queues"),
    "alter": ("cluster", "objects", "times"),
    "restore": ("backup_day",),
}
"""The options of an action."""


@frozen
class Copy:
    """How a DR queue manager is made.

    `copy_of` is the production queue manager whose files it has, blank for the one of its name.
    `connects_to` is the site that host names in its cluster-senders lead to, blank if that is not
    known. `own_address` says that its cluster-receiver channel has an address of the DR site.
    """

    made_by: Reinstatement
    copy_of: str = ""
    backup_day: int = 0
    connects_to: str = ""
    own_address: bool = False
    level: Level | None = None


COPY_KEYS = names_of(Copy)
"""The keys of a queue manager that DR starts."""


@frozen
class Event:
    """What is done on a day; `who` are ids of queue managers, `NAME@SITE`."""

    day: int
    action: Action
    who: tuple[str, ...] = ()
    cluster: str = ""
    repos: bool = False
    channels: bool = True
    remove: str = ""
    by: Literal["qmid", "qmname"] = "qmid"
    queues: bool = True
    objects: Objects = "all"
    times: int = 1
    backup_day: int = 0
    network: Network = "open"


@frozen
class Scenario:
    """A DR test.

    `network` and `chlauth` are what lets the DR site reach production at first. `last_published`
    is the day, at most 0, on which production published its records last.
    """

    production: tuple[str, ...]
    dr: str
    days: int = 120
    network: Network = "open"
    chlauth: Chlauth = "unknown"
    last_published: int = 0
    copies: Mapping[str, Copy] = field(default_factory=dict)
    uses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    events: tuple[Event, ...] = ()

    @property
    def first_day(self) -> int:
        days = [event.day for event in self.events]
        days += [event.backup_day for event in self.events if event.action == "restore"]
        days += [copy.backup_day for copy in self.copies.values()]
        return min(0, self.last_published, *days) if days else min(0, self.last_published)


def id_of(name: str, site: str) -> str:
    return f"{name}@{site}"
