"""Applications on the map: which are drawn as one node, where they lead, and what is unknown.

Many applications of a site that lead to the same queue managers are one node, so that hundreds of
them do not hide the channels. What no known queue manager answers has a node of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import basename, dirname
from typing import Final

from mqlint.dataclass import NamedTuple
from mqlint.finding import Finding
from mqlint.grouping import grouped
from mqlint.report.html.layout import Key, NodePosition
from mqlint.report.html.routes import Link
from mqlint.report.json import Json, fields_of
from mqlint.report.terminal import counted, visible
from mqlint.report.topology import Connection, Place

MOST_APART = 12
"""Applications of one site, and unknown destinations, that are drawn each for itself."""

MOST_OPEN = 40
"""Nodes of applications up to which a map shows them without being asked."""

OUTSIDE: Final = "\0"
"""The site of unknown destinations, which no site of a configuration is called."""

_LISTED = 2_000
_LEADS = 20
_STATES = {"missing": "not defined", "deleted": "deleted", "unsuitable": "not for clients"}


class Client(NamedTuple):
    """What identifies a node: its site, a name, and the repository of a path, or an address."""

    site: str
    name: str
    beside: str
    kind: str


class Clients:
    """The nodes and lines of the connections of applications."""

    def __init__(self, connections: Sequence[Connection], findings: Iterable[Finding]) -> None:
        self.connections = sorted(connections, key=_order)
        self._counts = _by_file(findings) if connections else {}
        self._outside = sorted({_outside(row) for row in connections if row.end is None})
        self._is_folded = len(self._outside) > MOST_APART
        self.applications = grouped((_client(row), row) for row in self.connections)
        self.groups = dict(self._folded())

    def _folded(self) -> Iterator[tuple[Client, list[Connection]]]:
        """Yield each node with its connections, the most important ones of a site first."""
        sites = Counter(client.site for client in self.applications)
        found: dict[object, list[Client]] = {}
        for client, rows in self.applications.items():
            ends = frozenset(map(self._end, rows))
            is_apart = sites[client.site] <= MOST_APART
            found.setdefault(client if is_apart else (client.site, ends), []).append(client)
        nodes = [
            (
                members[0] if len(members) == 1 else members[0]._replace(kind="folded"),
                [row for member in members for row in self.applications[member]],
            )
            for members in found.values()
        ]
        yield from sorted(nodes, key=lambda node: (min(map(_order, node[1]))[:3], -len(node[1])))

    def members(self, room: int) -> Mapping[str, list[tuple[Key, int]]]:
        """Return the nodes of each site that fit into it, and those of unknown destinations."""
        sites = grouped((client.site, (client, 2)) for client in self.groups)
        ends = dict.fromkeys(map(self._end, self.connections))
        outside = [(end, 2) for end in ends if isinstance(end, Client)]
        found: dict[str, list[tuple[Key, int]]] = {
            site: [*rows[:room]] for site, rows in sites.items()
        }
        return {**found, OUTSIDE: [*outside]} if outside else found

    def links(self) -> Iterator[Link]:
        """Yield a line from each node to each queue manager, or unknown destination."""
        for client, rows in self.groups.items():
            for end, ways in grouped((self._end(row), row) for row in rows).items():
                kind = "unknown" if isinstance(end, Client) else "application"
                names = tuple(sorted(set(map(_channel, ways))))
                yield Link(client, end, kind, any(map(_crosses, ways)), names)

    def node(self, client: Client, node: NodePosition) -> Mapping[str, Json]:
        """Return an application, or several, or an unknown destination as the page needs it."""
        if client.site == OUTSIDE:
            title = counted(len(self._outside), "destination") if self._is_folded else client.name
            detail = visible(client.beside)
            about = {"kind": "outside", "name": visible(title), "detail": detail}
            return {**about, **fields_of(node, "x y")}
        rows = self.groups[client]
        number = len({_client(row) for row in rows})
        files = dict.fromkeys((row.repository, row.path) for row in rows)
        counts = Counter[str]()
        for file in files:
            counts += self._counts.get(file, Counter())
        name = _label(rows[0]) if number == 1 else counted(number, "application")
        return {
            "kind": "application",
            "name": visible(name),
            "site": visible(client.site),
            "number": number,
            **fields_of(node, "x y"),
            "channels": [visible(name) for name in sorted(set(map(_channel, rows)))[:_LEADS]],
            "crosses": any(map(_crosses, rows)),
            "unknown": any(row.end is None for row in rows),
            "leads": list(map(_lead, rows[:_LEADS])),
            "more": max(0, len(rows) - _LEADS),
            **counts,
        }

    def content(self) -> Mapping[str, Json]:
        """Return what tables show: each connection, and numbers of each format."""
        formats = grouped((row.format, row) for row in self.connections)
        return {
            "number": len(self.applications),
            "is_open": len(self.groups) <= MOST_OPEN,
            "total": len(self.connections),
            "rows": [
                {"site": visible(row.site), **_lead(row)} for row in self.connections[:_LISTED]
            ],
            "formats": [
                [
                    visible(name),
                    len({(row.repository, row.path) for row in rows}),
                    len(rows),
                    sum(row.end is None for row in rows),
                    sum(row.channel is None for row in rows),
                ]
                for name, rows in sorted(formats.items())
            ],
        }

    def _end(self, row: Connection) -> Place | Client:
        if row.end is not None:
            return row.end
        return Client(OUTSIDE, "", "", "folded") if self._is_folded else _outside(row)


def crosses(site: str, other: str) -> bool:
    """Return whether both sites are known and differ."""
    return bool(site and other) and site != other


def _crosses(row: Connection) -> bool:
    return row.end is not None and crosses(row.site, row.end.site)


def _order(row: Connection) -> tuple[object, ...]:
    """What an administrator looks at first: other sites, unknown destinations, wrong channels."""
    alarm = not _crosses(row), row.end is not None, row.state not in _STATES
    return *alarm, row.site, _label(row), row.repository, row.path, row.line, row.end or ()


def _client(row: Connection) -> Client:
    if row.application:
        return Client(row.site, row.application, "", "named")
    return Client(row.site, row.path, row.repository, "file")


def _label(row: Connection) -> str:
    """The name of an application, or the folder and the file that stand for it."""
    return row.application or f"{basename(dirname(row.path))}/{basename(row.path)}".lstrip("/")


def _outside(row: Connection) -> Client:
    words = [word for word in (row.named, row.address, row.table) if word]
    name, detail = (*words, "", "")[:2]
    return Client(OUTSIDE, name, detail, "unknown")


def _channel(row: Connection) -> str:
    """A channel as people read it, with its state if no client can use it."""
    if row.channel:
        state = _STATES.get(row.state)
        return f"{row.channel} ({state})" if state else row.channel
    if row.table:
        return f"channel table {row.table}"
    return "channel not known" if row.channel is None else "no channel set"


def _lead(row: Connection) -> Mapping[str, Json]:
    words = row.named and f"queue manager {row.named}", row.address
    table = f"a queue manager of {row.table}" if row.table else "not known"
    named = ", ".join(filter(None, words)) or table
    at = row.end and (f"{row.end.name} at {row.end.site}" if row.end.site else row.end.name)
    return {
        "name": visible(_label(row)),
        "to": visible(at or named),
        "channel": visible(_channel(row)),
        "crosses": _crosses(row),
        "unknown": row.end is None,
        "wrong": row.state in _STATES,
        "format": visible(row.format),
        "path": visible(row.path),
        "line": row.line,
    }


def _by_file(findings: Iterable[Finding]) -> Mapping[tuple[str, str], Counter[str]]:
    """The numbers of findings in each file, by severity."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for finding in findings:
        key = finding.repository, finding.location.path
        counts.setdefault(key, Counter())[finding.severity.word] += 1
    return counts
