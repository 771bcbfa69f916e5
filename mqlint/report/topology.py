"""The queue managers of an estate, their clusters and channels, as a report on a map needs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from mqlint.dataclass import NamedTuple, frozen
from mqlint.grouping import grouped


class Place(NamedTuple):
    """What identifies a queue manager: its site, blank if it has none, and its name."""

    site: str
    name: str


@frozen
class QueueManager:
    """One queue manager; texts are blank, and `images` empty, where nothing is known.

    `role` is the role of its site. `images` says how it records media images: attributes such as
    `IMGSCHED(AUTO)`, and scripts that do so. `dumped` is the time of its newest dump.
    """

    place: Place
    role: str = ""
    repository: str = ""
    platform: str = ""
    level: str = ""
    log_type: str = ""
    images: Sequence[str] = ()
    dumped: str = ""


@frozen
class Channel:
    """Two ends of a message channel that meet; `is_clustered` says that a cluster uses it.

    `path` and `line` are the place of the sending end.
    """

    name: str
    start: Place
    end: Place
    is_clustered: bool
    path: str
    line: int


@frozen
class Membership:
    """A queue manager in a cluster; `is_full` says that it holds a full repository."""

    cluster: str
    place: Place
    is_full: bool


@frozen
class Connection:
    """How an application at `site` connects; `end` is the queue manager, None if none is known.

    `named` (QMNAME), `address`, `channel` and `table` (a CCDT) are blank if they are not set, and
    None if their values are unknown. `state` is that of the channel at the queue manager.
    """

    application: str
    site: str
    end: Place | None
    named: str | None
    address: str | None
    channel: str | None
    table: str | None
    state: str
    format: str
    repository: str
    path: str
    line: int


@frozen
class Topology:
    """What is known of an estate beside its findings."""

    queue_managers: Sequence[QueueManager] = ()
    channels: Sequence[Channel] = ()
    memberships: Sequence[Membership] = ()
    connections: Sequence[Connection] = ()


IMAGE_ATTRIBUTES = {
    "IMGSCHED": "",
    "IMGINTVL": "",
    "IMGLOGLN": "",
    "IMGRCOVO": "YES",
    "IMGRCOVQ": "YES",
}
"""How a queue manager records media images, with the values that are not worth a word."""


def images_of(attributes: Mapping[str, str], scripts: Iterable[str]) -> list[str]:
    """Return how media images are recorded: by attributes with a value, and by scripts."""
    values = ((name, attributes.get(name), usual) for name, usual in IMAGE_ATTRIBUTES.items())
    return [
        *(f"{name}({value})" for name, value, usual in values if value and value != usual),
        *(f"rcdmqimg in {path}" for path in sorted(set(scripts))),
    ]


TABLES: Final = (
    *("queue_managers", "channel_pairs", "clusters", "objects", "procedures"),
    *("clients", "connections"),
)
"""The tables of a scan that are needed."""

Row = Mapping[str, Any]
"""A row of a table of a scan, by the names of its columns (docs/estate.md)."""


def topology(tables: Mapping[str, Iterable[Row]]) -> Topology:
    """Return what rows of `queue_managers`, `channel_pairs`, `clusters` and others say."""
    images: dict[tuple[str, Place], dict[str, str]] = {}
    transmission_queues: dict[tuple[Place, str], str] = {}
    for row in tables.get("objects", ()):
        if row["queue_manager"] is None:
            continue
        if row["type"] == "qmgr":
            images.setdefault((row["repository"], _place(row)), {}).update(row["attributes"])
        elif row["type"] == "channel" and row["subtype"] in ("SDR", "SVR"):
            attributes = dict(row["attributes"])
            transmission_queues[_place(row), row["name"]] = attributes.get("XMITQ", "").strip()
    scripts: dict[tuple[str, Place], set[str]] = {}
    for row in tables.get("procedures", ()):
        if row["does"] == "image" and row["queue_manager"] is not None:
            scripts.setdefault((row["repository"], _place(row)), set()).add(row["path"])
    queue_managers = list(tables.get("queue_managers", ()))
    return Topology(
        [
            QueueManager(
                _place(row),
                row["role"] or "",
                row["repository"] or "",
                row["platform"] or "",
                row["level"] or "",
                row["log_type"] or "",
                images_of(
                    images.get((row["repository"], _place(row)), {}),
                    scripts.get((row["repository"], _place(row)), ()),
                ),
                row["dumped"] or "",
            )
            for row in queue_managers
        ],
        list(_channels(list(tables.get("channel_pairs", ())), transmission_queues)),
        [
            Membership(row["cluster"], _place(row), bool(row["full_repository"]))
            for row in tables.get("clusters", ())
            if row["queue_manager"] is not None
        ],
        list(
            _connections(
                tables.get("clients", ()),
                tables.get("connections", ()),
                sorted(set(map(_place, queue_managers))),
            )
        ),
    )


def _place(row: Row) -> Place:
    return Place(row["site"] or "", row["queue_manager"])


def _channels(pairs: Sequence[Row], queues: Mapping[tuple[Place, str], str]) -> Iterator[Channel]:
    """Yield the channels of which both ends are known.

    A sender without a receiver at its own site has the one of its name at another site, if its
    transmission queue is called like that queue manager.
    """
    receivers: dict[tuple[str, str], list[Place]] = {}
    for row in pairs:
        if row["to_type"] in ("RCVR", "RQSTR") and row["to_queue_manager"] is not None:
            end = Place(row["to_site"] or "", row["to_queue_manager"])
            receivers.setdefault((row["name"], end.name), []).append(end)
    for row in pairs:
        if row["queue_manager"] is None or row["type"] is None:
            continue
        start = _place(row)
        if row["to_queue_manager"] is not None:
            ends = [Place(row["to_site"] or "", row["to_queue_manager"])]
        elif row["to_type"] is None:
            name = queues.get((start, row["name"]), "")
            ends = list(dict.fromkeys(receivers.get((row["name"], name), ())))
        else:
            ends = []
        for end in ends if len(ends) == 1 else ():
            is_clustered = row["type"] == "CLUSSDR"
            yield Channel(row["name"], start, end, is_clustered, row["path"], row["line"])


def _connections(
    clients: Iterable[Row], named: Iterable[Row], places: Sequence[Place]
) -> Iterator[Connection]:
    """Yield the connections of applications, each with the state of its channel.

    A queue manager without definitions answers to its name: that of the same site, or the only one.
    """
    by_name = grouped((place.name, place) for place in places)

    def key(row: Row) -> tuple[object, ...]:
        words = "repository", "site", "queue_manager", "application", "channel", "path"
        return tuple(row[word] for word in words)

    states = {key(row): row["state"] or "" for row in named if row["object_type"] == "channel"}
    for row in clients:
        found = by_name.get(row["named"], [])
        near = [place for place in found if place.site == row["client_site"]] or found
        sole = near[0] if len(near) == 1 else None
        yield Connection(
            row["application"] or "",
            row["client_site"] or "",
            sole if row["queue_manager"] is None else _place(row),
            row["named"],
            row["address"],
            row["channel"],
            row["channel_table"],
            states.get(key(row), ""),
            row["format"] or "",
            row["repository"] or "",
            row["path"],
            row["line"],
        )
