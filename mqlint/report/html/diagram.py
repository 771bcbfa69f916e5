"""The map of a page: sites as boxes, queue managers in them, channels and collisions between.

What is drawn is decided here, so that a page holds no layout engine and equal runs give equal
maps. Of very many queue managers those that matter most are drawn: ends of what crosses a site
boundary, full repositories, then those with the worst findings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from mqlint.dataclass import frozen
from mqlint.finding import Finding
from mqlint.grouping import grouped
from mqlint.report.html.layout import LANE, Box, NodePosition, layout
from mqlint.report.html.routes import Link, routes
from mqlint.report.json import Json
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
    """Return the map; empty if no queue manager is known by name."""
    marks = _Marks(topology, findings)
    if not marks.places:
        return {}
    links = list(_links(topology, marks.collisions))
    boxes, nodes = layout(_chosen(marks, links))
    drawn = [link for link in links if link.start in nodes and link.end in nodes][:MOST_LINKS]
    width = max(box.x + box.width for box in boxes) + LANE
    height = max(box.y + box.height for box in boxes) + LANE // 2
    number = {place: index for index, place in enumerate(nodes)}
    return {
        "width": width,
        "height": height,
        "sites": [_site(box, marks) for box in boxes],
        "nodes": [marks.node(place, node) for place, node in nodes.items()],
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
            "x": node.x,
            "y": node.y,
            "clusters": [visible(name) for name in sorted(clusters)],
            "full": [visible(name) for name in sorted(clusters) if clusters[name]],
            **self.counts.get(place, {}),
        }


def _place(finding: Finding) -> Place | None:
    name = finding.subject.queue_manager
    return Place(finding.subject.site or "", name) if name else None


def _links(topology: Topology, collisions: Iterable[_Collision]) -> Iterator[Link]:
    """Yield one line for the channels of each kind between two queue managers."""
    bundles: dict[tuple[Place, Place, str], list[str]] = {}
    for channel in topology.channels:
        if channel.start != channel.end:
            kind = "cluster" if channel.is_clustered else "channel"
            bundles.setdefault((channel.start, channel.end, kind), []).append(channel.name)
    for found in collisions:
        names = bundles.setdefault((found.start, found.end, "collision"), [])
        names.append(f"{found.rule} {found.message}")
    ordered = sorted(bundles.items(), key=lambda row: (not _crosses(*row[0][:2]), row[0]))
    for (start, end, kind), names in ordered:
        yield Link(start, end, kind, _crosses(start, end), tuple(sorted(set(names))))


def _crosses(start: Place, end: Place) -> bool:
    """Whether both sites are known and differ."""
    return bool(start.site and end.site) and start.site != end.site


def _chosen(marks: _Marks, links: Sequence[Link]) -> Mapping[str, list[tuple[Place, int]]]:
    """The queue managers that are drawn, by site, and the number of their full repositories."""
    crossing = Counter(place for link in links if link.crosses for place in (link.start, link.end))
    degree = Counter(place for link in links for place in (link.start, link.end))

    def weight(place: Place) -> tuple[object, ...]:
        counts = marks.counts.get(place, Counter())
        alarm = -min(crossing[place], 1)
        bad = -counts["error"], -counts["warning"]
        return alarm, -marks.full(place), *bad, -degree[place], place

    sites = grouped((place.site, place) for place in sorted(marks.places, key=weight))

    def rank(site: str) -> tuple[int, bool, str]:
        role = marks.roles.get(site, "")
        return _ROLES.index(role) if role in _ROLES else len(_ROLES), not site, site

    room = max(8, min(MOST_IN_SITE, MOST_DRAWN // len(sites)))
    biggest = sorted(sites, key=lambda site: (-len(sites[site]), site))[:MOST_SITES]
    return {
        site: [(place, marks.full(place)) for place in sites[site][:room]]
        for site in sorted(biggest, key=rank)
    }


def _site(box: Box, marks: _Marks) -> Mapping[str, Json]:
    total = sum(place.site == box.site for place in marks.places)
    return {
        "name": visible(box.site),
        "role": visible(marks.roles.get(box.site, "")),
        "x": box.x,
        "y": box.y,
        "width": box.width,
        "height": box.height,
        "total": total,
        "drawn": box.number,
    }


def _words(place: Place) -> str:
    return visible(f"{place.name} at {place.site}" if place.site else place.name)


def _crossings(topology: Topology) -> Iterator[Mapping[str, Json]]:
    """The channels that cross a site boundary, also those that are not drawn."""
    for channel in sorted(topology.channels, key=lambda row: (row.name, row.start, row.end)):
        if _crosses(channel.start, channel.end):
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
