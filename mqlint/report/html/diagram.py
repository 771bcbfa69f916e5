"""The map of a page: sites as boxes, queue managers in them, channels and collisions between.

A second drawing of it also has the applications, so that a page can show and hide them.

What is drawn is decided here, so that a page holds no layout engine and equal runs give equal
maps. Of very many queue managers those that matter most are drawn: ends of what crosses a site
boundary, full repositories, then those with the worst findings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from mqlint.dataclass import frozen
from mqlint.finding import Finding
from mqlint.grouping import grouped
from mqlint.report.html.applications import OUTSIDE, Client, Clients, crosses
from mqlint.report.html.layout import LANE, Box, Key, NodePosition, layout
from mqlint.report.html.routes import Link, routes
from mqlint.report.json import Json, fields_of
from mqlint.report.terminal import visible
from mqlint.report.topology import Place, Topology

MOST_IN_SITE = 60
"""Queue managers drawn in one site, if sites are few."""

MOST_DRAWN = 400
"""Queue managers drawn, about: each site has room for some."""

MOST_SITES = 24
"""Sites that are drawn."""

MOST_LINKS = 1_500
"""Lines that are drawn."""

_NAMES = 20
_LISTED = 2_000
_ROLES = ("production", "dr", "test", "development")


@frozen
class _Collision:
    """Queue managers of two sites that one incident concerns."""

    start: Place
    end: Place
    rule: str
    message: str


def diagram(topology: Topology, findings: Sequence[Finding]) -> Mapping[str, Json]:
    """Return the map, with a second drawing that has applications; empty if nothing is known."""
    marks = _Marks(topology, findings)
    clients = Clients(topology.connections, findings)
    if not marks.places and not clients.groups:
        return {}
    links = _links(topology, marks.collisions)
    found = _drawing(marks, links)
    if clients.groups:
        every = sorted([*links, *clients.links()], key=lambda link: not link.crosses)
        drawing = _drawing(marks, every, clients)
        found |= {"applications": {**clients.content(), "drawing": drawing}}
    return found | {
        "crossings": list(_crossings(topology))[:_LISTED],
        "collisions": [
            {
                "rule": found.rule,
                "message": visible(found.message),
                "places": [_words(found.start), _words(found.end)],
            }
            for found in marks.collisions[:_LISTED]
        ],
        "clusters": list(_clusters(topology)),
    }


def _drawing(
    marks: _Marks, links: Sequence[Link], clients: Clients | None = None
) -> dict[str, Json]:
    """Return boxes, nodes and lines with their positions; queue managers alone without clients."""
    sites = _chosen(marks, links) if marks.places else {}
    for site, members in clients.members(_room(sites)).items() if clients else ():
        if site in sites or site == OUTSIDE or len(sites) < MOST_SITES:
            sites.setdefault(site, []).extend(members)
    boxes, nodes = layout(sites)
    drawn = [link for link in links if link.start in nodes and link.end in nodes][:MOST_LINKS]
    number = {key: index for index, key in enumerate(nodes)}
    return {
        "width": max((box.x + box.width for box in boxes), default=0) + LANE,
        "height": max((box.y + box.height for box in boxes), default=0) + LANE // 2,
        "sites": [_site(box, marks, clients) for box in boxes],
        "nodes": [
            clients.node(key, node)
            if clients and isinstance(key, Client)
            else marks.node(Place(*key), node)
            for key, node in nodes.items()
        ],
        "links": [
            {
                "from": number[link.start],
                "to": number[link.end],
                "kind": link.kind,
                "crosses": link.crosses,
                "names": [visible(name) for name in link.names[:_NAMES]],
                "path": path,
            }
            for link, path in zip(drawn, routes(drawn, boxes, nodes), strict=True)
        ],
    }


class _Marks:
    def __init__(self, topology: Topology, findings: Sequence[Finding]) -> None:
        self.roles = {row.place.site: row.role for row in topology.queue_managers}
        self.counts: dict[Place, Counter[str]] = defaultdict(Counter)
        incidents: dict[tuple[str, str], dict[Place, Finding]] = {}
        for finding in findings:
            place = _place(finding)
            if place is None:
                continue
            self.counts[place][finding.severity.word] += 1
            if finding.incident is not None:
                key = finding.rule.id, finding.incident
                incidents.setdefault(key, {}).setdefault(place, finding)
        self.clusters: dict[Place, dict[str, bool]] = defaultdict(dict)
        for row in topology.memberships:
            self.clusters[row.place][row.cluster] = row.is_full
        known = {row.place for row in topology.queue_managers}
        self.places = sorted(known | self.counts.keys() | self.clusters.keys())
        self.collisions = [
            found for _, members in sorted(incidents.items()) for found in self._collisions(members)
        ]

    def _collisions(self, members: Mapping[Place, Finding]) -> Iterator[_Collision]:
        """A line for each two sites: from and to the member that counts most in each."""
        sites: dict[str, Place] = {}
        for place in sorted(members, key=lambda place: (-self.full(place), place)):
            sites.setdefault(place.site, place)
        for first, second in combinations(sorted(sites), 2):
            start, end = sites[first], sites[second]
            if first and second:
                yield _Collision(start, end, members[start].rule.id, members[start].message)

    def full(self, place: Place) -> int:
        """Number of clusters of which a queue manager holds a full repository."""
        return sum(self.clusters[place].values()) if place in self.clusters else 0

    def node(self, place: Place, node: NodePosition) -> Mapping[str, Json]:
        clusters = self.clusters.get(place, {})
        return {
            "name": visible(place.name),
            "site": visible(place.site),
            **fields_of(node, "x y"),
            "clusters": [visible(name) for name in sorted(clusters)],
            "full": [visible(name) for name in sorted(clusters) if clusters[name]],
            **self.counts.get(place, {}),
        }


def _place(finding: Finding) -> Place | None:
    name = finding.subject.queue_manager
    return Place(finding.subject.site or "", name) if name else None


def _links(topology: Topology, collisions: Iterable[_Collision]) -> list[Link]:
    """Return one line for the channels of each kind between two queue managers."""
    bundles: dict[tuple[Place, Place, str], list[str]] = {}
    for channel in topology.channels:
        if channel.start != channel.end:
            kind = "cluster" if channel.is_clustered else "channel"
            bundles.setdefault((channel.start, channel.end, kind), []).append(channel.name)
    for found in collisions:
        names = bundles.setdefault((found.start, found.end, "collision"), [])
        names.append(f"{found.rule} {found.message}")
    links = [
        Link(start, end, kind, crosses(start.site, end.site), tuple(sorted(set(names))))
        for (start, end, kind), names in sorted(bundles.items())
    ]
    return sorted(links, key=lambda link: not link.crosses)


def _room(sites: Collection[str]) -> int:
    """How many nodes of one kind a site has room for."""
    return max(8, min(MOST_IN_SITE, MOST_DRAWN // max(1, len(sites))))


def _chosen(marks: _Marks, links: Sequence[Link]) -> dict[str, list[tuple[Key, int]]]:
    """The queue managers that are drawn, by site: full repositories have the first rank."""
    crossing = Counter(key for link in links if link.crosses for key in (link.start, link.end))
    degree = Counter(key for link in links for key in (link.start, link.end))

    def weight(place: Place) -> tuple[object, ...]:
        counts = marks.counts.get(place, Counter())
        alarm = -min(crossing[place], 1)
        bad = -counts["error"], -counts["warning"]
        return alarm, -marks.full(place), *bad, -degree[place], place

    sites = grouped((place.site, place) for place in sorted(marks.places, key=weight))

    def rank(site: str) -> tuple[int, bool, str]:
        role = marks.roles.get(site, "")
        return _ROLES.index(role) if role in _ROLES else len(_ROLES), not site, site

    room = _room(sites)
    biggest = sorted(sites, key=lambda site: (-len(sites[site]), site))[:MOST_SITES]
    return {
        site: [(place, 0 if marks.full(place) else 1) for place in sites[site][:room]]
        for site in sorted(biggest, key=rank)
    }


def _site(box: Box, marks: _Marks, clients: Clients | None) -> Mapping[str, Json]:
    sites = [place.site for place in marks.places]
    sites += [client.site for client in clients.groups] if clients else []
    return {
        "name": "" if box.site == OUTSIDE else visible(box.site),
        "is_outside": box.site == OUTSIDE,
        "role": visible(marks.roles.get(box.site, "")),
        **fields_of(box, "x y width height"),
        "total": sites.count(box.site) or box.number,
        "drawn": box.number,
    }


def _words(place: Place) -> str:
    return visible(f"{place.name} at {place.site}" if place.site else place.name)


def _crossings(topology: Topology) -> Iterator[Mapping[str, Json]]:
    """The channels that cross a site boundary, also those that are not drawn."""
    for channel in sorted(topology.channels, key=lambda row: (row.name, row.start, row.end)):
        if crosses(channel.start.site, channel.end.site):
            yield {
                "name": visible(channel.name),
                "from": _words(channel.start),
                "to": _words(channel.end),
                "place": visible(f"{channel.path}:{channel.line}"),
            }


def _clusters(topology: Topology) -> Iterator[Mapping[str, Json]]:
    """The clusters by name, with the sites they are at: two sites make one name a danger."""
    members: dict[str, dict[Place, bool]] = defaultdict(dict)
    for row in topology.memberships:
        members[row.cluster][row.place] = row.is_full
    for name in sorted(members)[:_LISTED]:
        places = members[name]
        yield {
            "name": visible(name),
            "members": len(places),
            "full": [_words(place) for place in sorted(places) if places[place]],
            "sites": [visible(site) for site in sorted({place.site for place in places} - {""})],
        }
