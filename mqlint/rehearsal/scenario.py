"""What happens in a DR test, as the file of a scenario tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, get_args

from mqlint.config.forms import (
    FLAG,
    TEXT,
    TEXTS,
    Form,
    Key,
    document,
    mapping,
    names,
    number,
    of_keys,
    or_nothing,
    read_by,
    several,
    table,
    words,
)
from mqlint.config.node import Node
from mqlint.config.settings import REINSTATEMENTS, Reinstatement
from mqlint.dataclass import frozen
from mqlint.vocabulary.target import Level, parse_level

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
LONGEST = 1000
"""The most days that a calendar has, before and after day 0."""
MOST_EVENTS = 1000


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


def _level(node: Node) -> Level:
    try:
        return parse_level(node.text())
    except ValueError as error:
        raise node.error(str(error)) from None


NETWORK = words(*get_args(Network))
_ONE_OR_MORE = several(TEXT)
DAY = number(-LONGEST, LONGEST)
_CLUSTER = Key("cluster", TEXT)

OF_COPY = mapping(
    Key("made_by", words(*REINSTATEMENTS)),
    Key("copy_of", TEXT),
    Key("backup_day", number(-LONGEST, 0)),
    Key("connects_to", words("production", "dr")),
    Key("own_address", FLAG),
    Key("level", read_by(_level, {"type": ["string", "number"]})),
)
"""A queue manager that DR starts."""

OPTIONS: Mapping[str, tuple[Key, ...]] = {
    "start": (Key("channels", FLAG),),
    "refresh": (_CLUSTER, Key("repos", FLAG)),
    "reset": (
        _CLUSTER,
        Key("remove", TEXT, required=True),
        Key("by", words("qmid", "qmname")),
        Key("queues", FLAG),
    ),
    "alter": (
        _CLUSTER,
        Key("objects", words(*get_args(Objects))),
        Key("times", number(1, LONGEST)),
    ),
    "restore": (Key("backup_day", DAY),),
}
"""The options of an action."""


def _event(action: Action) -> tuple[Key, ...]:
    return (
        Key("day", DAY, "A day: 0 is the start of the test, -7 a week before.", required=True),
        Key(action, NETWORK if action == "network" else _ONE_OR_MORE, required=True),
        *OPTIONS.get(action, ()),
    )


_EVENTS = Form(
    "",
    {
        "type": "array",
        "minItems": 1,
        "maxItems": MOST_EVENTS,
        "items": {"oneOf": [of_keys(_event(action)) for action in ACTIONS]},
    },
)

SIMPLE = (
    Key("days", number(0, LONGEST), "The last day of the calendar. Default: 120."),
    Key("network", NETWORK, "The network between the sites at the start. Default: open."),
    Key(
        "chlauth",
        words(*get_args(Chlauth)),
        "Whether production's channel authentication records refuse DR. Default: unknown, "
        "so the files decide.",
    ),
    Key("made_by", words(*REINSTATEMENTS), "How DR gets its queue managers. Default: definitions."),
    Key(
        "last_published",
        number(-30, 0),
        "The day on which production last published its records. Default: 0.",
    ),
)
"""The keys that the files of the project have no part in."""
_KEYS = (
    Key("production", _ONE_OR_MORE, "The production site, or a list of sites.", required=True),
    Key("dr", TEXT, "The DR site.", required=True),
    *SIMPLE,
    Key(
        "queue_managers",
        Form("", {"type": "object", "additionalProperties": or_nothing(OF_COPY.schema)}),
        "The queue managers that DR starts, by name.",
    ),
    Key("uses", table(TEXTS), "The queues that applications use, by queue manager name."),
    Key("events", _EVENTS, "The actions, each with its day.", required=True),
)
KEYS = names(_KEYS)
"""The keys of a scenario."""

# Names of sites and queue managers are checked only by the reader.
SCHEMA = document("A scenario of mqlint rehearse", "", of_keys(_KEYS))
