"""The HTML page: one file that loads nothing, whose data no browser takes for anything else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

from mqlint.finding import Coverage, FileCoverage, Severity, Unjudged
from mqlint.finding.finding import DOCUMENT, NO_OWNER, NO_TEXT
from mqlint.report import Known, Report
from mqlint.report.html.applications import MOST_APART, MOST_OPEN
from mqlint.report.html.content import content_of
from mqlint.report.html.diagram import MOST_IN_SITE, MOST_LINKS, diagram
from mqlint.report.html.estate import Estate
from mqlint.report.html.layout import HEIGHT, WIDTH
from mqlint.report.html.page import SCRIPTS, digest
from mqlint.report.topology import (
    Channel,
    Connection,
    Membership,
    Place,
    QueueManager,
    Topology,
    topology,
)
from tests.fuzz.program import steering_characters
from tests.report.test_injection import HOSTILE, poisoned

Render = Callable[..., str]

ASSETS = Path(__file__).parents[2] / "mqlint" / "report" / "html" / "assets"
VOID = {"meta", "input", "br", "hr", "link"}


class Page(HTMLParser):
    """The elements of a page, with the texts of its scripts and styles; every tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.policy = ""
        self.addresses: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.tags.append(tag)
        self.addresses += [values[name] or "" for name in ("src", "href") if name in values]
        assert not [name for name in values if name.startswith("on") or name == "style"]
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"] or ""
        if tag not in VOID:
            self._open.append(tag)
            self._kind = values.get("type") or tag
            self.texts.setdefault(self._kind, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("script", "style"):
            self.texts[self._kind][-1] += data


def data_of(text: str) -> dict[str, Any]:
    (written,) = Page(text).texts["application/json"]
    found: dict[str, Any] = json.loads(written)
    return found


def test_page_is_well_formed_and_loads_nothing(render: Render, report: Report) -> None:
    page = Page(render("html", report))
    assert page.tags.count("script") == 2
    assert page.addresses == ["#main-content"]
    (style,) = page.texts["style"]
    assert "url(" not in style
    assert "@import" not in style


def test_policy_admits_the_script_and_the_style_and_nothing_else(
    render: Render, report: Report
) -> None:
    page = Page(render("html", report))
    rules = dict(rule.strip().split(" ", 1) for rule in page.policy.split(";"))
    (script,), (style,) = page.texts["script"], page.texts["style"]
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == digest(script)
    assert rules["style-src"] == digest(style)
    assert rules["require-trusted-types-for"] == "'script'"
    assert set(rules) == {
        *("default-src", "script-src", "style-src", "base-uri", "form-action"),
        *("require-trusted-types-for", "trusted-types"),
    }


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_data(render: Render, report: Report, name: str) -> None:
    text = render("html", poisoned(report, name))
    plain = Page(render("html", poisoned(report, "x")))
    page = Page(text)
    assert text.isascii()
    assert not steering_characters().search(text)
    assert page.tags == plain.tags
    assert page.texts["script"] == plain.texts["script"]
    (written,) = page.texts["application/json"]
    assert not re.search(r"[<>&\u2028\u2029]", written)
    assert len(json.loads(written)["findings"]) == len(report.findings)


def test_scripts_make_no_markup_and_no_code_of_texts() -> None:
    sinks = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|Function\(|DOMParser"
        r"|setAttribute\(\"(on|style|srcdoc)|fetch\(|XMLHttpRequest|WebSocket|import\(|sendBeacon"
    )
    for file in ASSETS.iterdir():
        text = file.read_text("utf-8")
        assert text.isascii()
        assert "\t" not in text
        assert not sinks.search(text), file.name
        assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text)


def test_every_script_is_in_the_page() -> None:
    assert {f"{name}.js" for name in SCRIPTS} == {file.name for file in ASSETS.glob("*.js")}


def test_finding_has_its_masked_line_and_the_mark(render: Render, report: Report) -> None:
    text = render("html", report)
    assert "swordfish" not in text
    data = data_of(text)
    finding = next(row for row in data["findings"] if row["message"].startswith("MAXMSGLEN"))
    ((number, line, lead, length),) = finding["lines"]
    assert number == 3
    assert line[lead : lead + length] == "MAXMSGLEN"
    assert finding["queue_manager"] == "PRDORD1"
    assert data["rules"]["VOC001"]["fix"]
    assert data["coverage"]["not_read"][0] == {
        "path": "prod/PRDORD1/secret.mqsc",
        "status": "unreadable",
        "reason": "no permission to read it",
        "missed": True,
    }


def test_documents_follow_files_that_were_missed() -> None:
    reasons = {"README.md": DOCUMENT, "a.bin": NO_TEXT, "b.go": "a program"}
    rows = (FileCoverage(path, "not-recognised", reason=why) for path, why in reasons.items())
    coverage: Any = content_of(Report([], Coverage((*rows,))))["coverage"]
    assert coverage["missed"] == 1
    paths = {row["path"]: row.get("missed", False) for row in coverage["not_read"]}
    assert list(paths.items()) == [("b.go", True), ("README.md", False), ("a.bin", False)]


def test_statements_that_were_not_judged_have_their_place() -> None:
    statement = Unjudged(3, "strmqm <b>$QM", "unknown-value", NO_OWNER)
    coverage: Any = content_of(
        Report([], Coverage((FileCoverage("a.sh", "checked", unjudged=(statement,)),)))
    )["coverage"]
    assert coverage["unjudged"] == [
        {
            "kind": "unknown value",
            "place": "a.sh:3",
            "text": "strmqm <b>$QM",
            "reason": "unknown queue manager",
        }
    ]


def test_known_and_suppressed_findings_are_marked(report: Report) -> None:
    first, second, *rest = report.findings
    known = [Known("baseline", "mqlint-baseline.json", [first])]
    data: Any = content_of(Report(rest, known=known, ignored=[second]))
    assert [row.get("state") for row in data["findings"]].count("known") == 1
    assert [row.get("state") for row in data["findings"]].count("suppressed") == 1


def test_most_findings_are_the_worst(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mqlint.report.html.content.MOST_FINDINGS", 3)
    told: list[str] = []
    data: Any = content_of(Report(report.findings, warn=told.append))
    worst = sorted((finding.severity for finding in report.findings), reverse=True)[:3]
    assert [Severity.of(row["severity"]) for row in data["findings"]] == worst
    assert data["about"]["left_out"] == len(report.findings) - 3
    assert told == [f"HTML: {len(report.findings) - 3} findings of 13 left out, the least severe"]


def test_equal_reports_give_equal_pages(render: Render, report: Report) -> None:
    assert render("html", report) == render("html", report)


def test_estate_adds_nothing_that_is_not_known(report: Report) -> None:
    assert "first_seen" not in str(content_of(report, Estate()))


LEEDS, DERBY = "leeds", "derby"
HUB, SPARE, LOOSE = Place(LEEDS, "HUB1"), Place(DERBY, "HUB1"), Place("", "LOOSE1")


def channel(start: Place, end: Place) -> Channel:
    return Channel("TO.HUB", start, end, True, "a.mqsc", 1)


def small(*channels: Channel) -> Topology:
    places = (HUB, SPARE, LOOSE)
    managers = [QueueManager(place, "production") for place in places]
    return Topology(managers, channels, [Membership("ORDERS", HUB, True)])


@pytest.mark.parametrize(
    ("start", "end", "crosses"),
    [(HUB, SPARE, True), (HUB, LOOSE, False), (LOOSE, SPARE, False), (HUB, HUB, None)],
)
def test_channel_between_two_known_sites_crosses(
    start: Place, end: Place, crosses: bool | None
) -> None:
    found: Any = diagram(small(channel(start, end)), [])
    assert [link["crosses"] for link in found["links"]] == ([] if crosses is None else [crosses])
    assert len(found["crossings"]) == int(crosses or False)


def test_incident_at_two_sites_is_a_line_on_the_map(report: Report) -> None:
    found: Any = diagram(Topology(), report.findings)
    (link,) = found["links"]
    assert (link["kind"], link["crosses"]) == ("collision", True)
    assert {found["nodes"][link[end]]["name"] for end in ("from", "to")} == {"PRDORD1", "DRSORD1"}
    assert found["collisions"][0]["rule"] == "DR001"


def test_no_queue_manager_no_map() -> None:
    assert diagram(Topology(), []) == {}


def large(sites: int, number: int) -> Topology:
    places = [Place(f"site{s:02}", f"QM{n:04}") for s in range(sites) for n in range(number)]
    hubs = [place for place in places if place.name in ("QM0000", "QM0001")]
    inside = [
        channel(place, hub)
        for place in places
        for hub in hubs
        if hub.site == place.site and place != hub
    ]
    between = [channel(one, other) for one, other in combinations(hubs, 2)]
    members = [Membership(f"C{place.site}", place, place in hubs) for place in places]
    return Topology([QueueManager(place) for place in places], [*inside, *between], members)


@pytest.mark.parametrize(("sites", "number"), [(1, 1), (2, 7), (5, 30), (3, 1000)])
def test_map_has_room_for_each_queue_manager(sites: int, number: int) -> None:
    found: Any = diagram(large(sites, number), [])
    assert len(found["nodes"]) == sites * min(number, MOST_IN_SITE)
    assert len(found["links"]) <= MOST_LINKS
    taken: set[tuple[int, int]] = set()
    for node in found["nodes"]:
        assert 0 <= node["x"] <= found["width"] - WIDTH
        assert 0 <= node["y"] <= found["height"] - HEIGHT
        taken.add((node["x"], node["y"]))
    assert len(taken) == len(found["nodes"])
    for one, other in combinations(sorted(taken), 2):
        assert abs(one[0] - other[0]) >= WIDTH or abs(one[1] - other[1]) >= HEIGHT


CORNER = re.compile(r"([MLQ])([-\d]+) ([-\d]+)(?: ([-\d]+) ([-\d]+))?")


@pytest.mark.parametrize(("sites", "number"), [(2, 7), (4, 12), (1, 40)])
def test_no_line_hides_behind_a_queue_manager(sites: int, number: int) -> None:
    found: Any = diagram(busy(sites, number, 6), [])
    for drawing in (found, found["applications"]["drawing"]):
        no_line_hides(drawing)


def no_line_hides(found: dict[str, Any]) -> None:
    nodes = [(node["x"], node["y"]) for node in found["nodes"]]
    for link in found["links"]:
        points = [(int(x), int(y)) for _, x, y, *_ in CORNER.findall(link["path"])]
        for (ax, ay), (bx, by) in pairwise(points):
            for x, y in nodes:
                apart = (
                    max(ax, bx) <= x
                    or min(ax, bx) >= x + WIDTH
                    or max(ay, by) <= y
                    or min(ay, by) >= y + HEIGHT
                )
                assert apart, (link, (x, y))


def row(**values: object) -> dict[str, object]:
    keys = (
        *("repository", "site", "role", "queue_manager", "platform", "level", "log_type", "dumped"),
        *("type", "subtype", "name", "attributes", "does", "path", "line", "cluster"),
        *("to_repository", "to_site", "to_queue_manager", "to_type", "full_repository"),
        *("application", "client_site", "named", "channel", "address", "channel_table", "format"),
        *("object_type", "state"),
    )
    return {**dict.fromkeys(keys), "repository": "", **values}


def sender(queue: str) -> dict[str, list[dict[str, object]]]:
    """A sender at leeds without a partner there, and a receiver at derby."""
    here = {"site": LEEDS, "queue_manager": "HUB1", "name": "TO.SPARE"}
    return {
        "objects": [row(**here, type="channel", subtype="SDR", attributes=[("XMITQ", queue)])],
        "channel_pairs": [
            row(**here, type="SDR", path="a.mqsc", line=1),
            row(
                name="TO.SPARE",
                to_site=DERBY,
                to_queue_manager="SPARE1",
                to_type="RCVR",
            ),
        ],
    }


@pytest.mark.parametrize(("queue", "found"), [("SPARE1", 1), ("OTHER1", 0), ("", 0)])
def test_sender_meets_a_receiver_at_another_site_by_its_transmission_queue(
    queue: str, found: int
) -> None:
    channels = topology(sender(queue)).channels
    assert [(each.start, each.end) for each in channels] == [
        (Place(LEEDS, "HUB1"), Place(DERBY, "SPARE1"))
    ] * found


def test_media_images_are_told_by_attributes_and_scripts() -> None:
    here = {"site": LEEDS, "queue_manager": "HUB1"}
    found = topology(
        {
            "queue_managers": [row(**here, log_type="linear")],
            "objects": [
                row(**here, type="qmgr", attributes=[("IMGSCHED", "AUTO"), ("IMGRCOVO", "YES")])
            ],
            "procedures": [row(**here, does="image", path="bin/images.sh")],
        }
    )
    (manager,) = found.queue_managers
    assert manager.images == ["IMGSCHED(AUTO)", "rcdmqimg in bin/images.sh"]


def calling(name: str, end: Place | None = HUB, **values: Any) -> Connection:  # noqa: ANN401
    usual = {
        "named": "",
        "address": "hub.example(1414)",
        "channel": "APP.SVRCONN",
        "table": "",
        "state": "server",
        "format": "spring",
        "repository": "",
        "path": f"apps/{name}/application.yml",
        "line": 3,
    }
    return Connection(name, values.pop("site", LEEDS), end, **{**usual, **values})


def with_applications(*connections: Connection) -> dict[str, Any]:
    found: Any = diagram(replace(small(), connections=connections), [])
    shown: dict[str, Any] = found["applications"]
    return shown


def lines(shown: dict[str, Any]) -> list[tuple[str, str, str, bool, list[str]]]:
    nodes = shown["drawing"]["nodes"]
    return [
        (nodes[link["from"]]["name"], nodes[link["to"]]["name"], *map(link.get, WORDS))
        for link in shown["drawing"]["links"]
    ]


WORDS = ("kind", "crosses", "names")


@pytest.mark.parametrize(
    ("connection", "line"),
    [
        (calling("shop"), ("shop", "HUB1", "application", False, ["APP.SVRCONN"])),
        (calling("shop", SPARE), ("shop", "HUB1", "application", True, ["APP.SVRCONN"])),
        (calling("shop", SPARE, site=""), ("shop", "HUB1", "application", False, ["APP.SVRCONN"])),
        (calling("shop", LOOSE), ("shop", "LOOSE1", "application", False, ["APP.SVRCONN"])),
        (
            calling("shop", None),
            ("shop", "hub.example(1414)", "unknown", False, ["APP.SVRCONN"]),
        ),
        (
            calling("shop", None, named="QM9", address=None, channel=None),
            ("shop", "QM9", "unknown", False, ["channel not known"]),
        ),
        (
            calling("shop", None, named=None, address=None, channel=None),
            ("shop", "", "unknown", False, ["channel not known"]),
        ),
        (
            calling("", channel="", table="a.json", address="", path="apps/shop/mqclient.ini"),
            ("shop/mqclient.ini", "HUB1", "application", False, ["channel table a.json"]),
        ),
        (calling("shop", channel=""), ("shop", "HUB1", "application", False, ["no channel set"])),
        (
            calling("shop", state="missing"),
            ("shop", "HUB1", "application", False, ["APP.SVRCONN (not defined)"]),
        ),
        (
            calling("shop", state="unsuitable"),
            ("shop", "HUB1", "application", False, ["APP.SVRCONN (not for clients)"]),
        ),
    ],
)
def test_line_of_an_application_says_where_it_leads(
    connection: Connection, line: tuple[object, ...]
) -> None:
    shown = with_applications(connection)
    assert lines(shown) == [line]
    assert shown["rows"][0]["unknown"] == (connection.end is None)
    assert shown["rows"][0]["crosses"] == line[3]


def test_table_alone_leads_to_one_of_its_queue_managers() -> None:
    called = calling("shop", None, named="", address="", channel="", table="ccdt.json")
    (told,) = with_applications(called)["rows"]
    assert told["to"] == "a queue manager of ccdt.json"


def test_applications_are_known_without_a_queue_manager() -> None:
    found: Any = diagram(Topology(connections=[calling("shop", None)]), [])
    assert found["nodes"] == found["links"] == []
    assert [node["name"] for node in found["applications"]["drawing"]["nodes"]] == [
        "shop",
        "hub.example(1414)",
    ]


def test_map_without_applications_is_as_it_was() -> None:
    alone: Any = diagram(small(channel(HUB, SPARE)), [])
    found: Any = diagram(replace(small(channel(HUB, SPARE)), connections=[calling("shop")]), [])
    del found["applications"]
    assert found == alone


def test_equal_files_of_two_repositories_are_two_applications() -> None:
    both = [calling("", repository=name, path="application.yml") for name in ("one", "two")]
    assert with_applications(*both)["number"] == 2
    assert with_applications(*both, both[0])["number"] == 2


def test_many_applications_that_lead_alike_are_one_node() -> None:
    names = [f"app{number:03}" for number in range(MOST_APART + 1)]
    apart = with_applications(*map(calling, names[1:]))
    assert len(lines(apart)) == MOST_APART
    folded = with_applications(*map(calling, names), calling("odd", SPARE))
    assert sorted(lines(folded)) == [
        ("13 applications", "HUB1", "application", False, ["APP.SVRCONN"]),
        ("odd", "HUB1", "application", True, ["APP.SVRCONN"]),
    ]
    assert folded["rows"][0]["name"] == "odd"
    assert [row["name"] for row in folded["rows"][1:]] == names


def test_many_unknown_destinations_are_one_node() -> None:
    names = [f"app{number:03}" for number in range(300)]
    shown = with_applications(*(calling(name, None, address=f"{name}(1414)") for name in names))
    assert lines(shown) == [
        ("300 applications", "300 destinations", "unknown", False, ["APP.SVRCONN"])
    ]
    assert {row["to"] for row in shown["rows"]} == {f"{name}(1414)" for name in names}


def test_findings_in_its_files_count_for_an_application(report: Report) -> None:
    path = report.findings[0].location.path
    number = sum(finding.location.path == path for finding in report.findings)
    shop = calling("shop", path=path)
    for repository, count in (("", number), ("other", 0)):
        topology = Topology(connections=[replace(shop, repository=repository)])
        found: Any = diagram(topology, report.findings)
        nodes = found["applications"]["drawing"]["nodes"]
        (node,) = (node for node in nodes if node.get("kind") == "application")
        assert sum(node.get(word, 0) for word in ("error", "warning", "note")) == count


def busy(sites: int, number: int, applications: int) -> Topology:
    """A large estate with applications at each site: at home, across, and to nothing known."""
    topology = large(sites, number)
    managers = [row.place for row in topology.queue_managers]
    return replace(
        topology,
        connections=[
            calling(
                f"app{index:05}",
                None if index % 9 == 0 else managers[index * 7 % len(managers)],
                site=f"site{index % sites:02}",
                address=f"host{index}.example(1414)",
            )
            for index in range(sites * applications)
        ],
    )


@pytest.mark.parametrize(("sites", "number", "each"), [(1, 7, 3), (2, 7, 9), (30, 100, 100)])
def test_map_has_room_for_each_application(sites: int, number: int, each: int) -> None:
    found: Any = diagram(busy(sites, number, each), [])
    shown = found["applications"]
    drawing = shown["drawing"]
    pills = [node for node in drawing["nodes"] if node.get("kind") == "application"]
    assert shown["is_open"] == (each < 10)
    assert (len(pills) <= MOST_OPEN) == shown["is_open"]
    assert len(drawing["links"]) <= MOST_LINKS
    taken = {(node["x"], node["y"]) for node in drawing["nodes"]}
    assert len(taken) == len(drawing["nodes"])
    for x, y in taken:
        assert 0 <= x <= drawing["width"] - WIDTH
        assert 0 <= y <= drawing["height"] - HEIGHT


def test_clients_are_read_with_the_state_of_their_channels() -> None:
    here = {"site": LEEDS, "queue_manager": "HUB1", "application": "shop", "path": "shop.yml"}
    named = {"channel": "SHOP", "line": 1}
    rows = {
        "clients": [
            row(**here, **named, client_site=DERBY, address="hub(1414)"),
            row(path="old.yml", line=2, application="old"),
        ],
        "connections": [
            row(**here, **named, object_type="queue", state="defined"),
            row(**here, **named, object_type="channel", state="missing"),
        ],
    }
    first, second = topology(rows).connections
    assert (first.site, first.end, first.state) == (DERBY, HUB, "missing")
    assert (second.site, second.end, second.channel, second.state) == ("", None, None, "")


@pytest.mark.parametrize(
    ("named", "site", "end"),
    [
        ("LOOSE1", LEEDS, LOOSE),
        ("HUB1", DERBY, SPARE),
        ("HUB1", None, None),
        ("*HUB1", DERBY, None),
        ("", DERBY, None),
        (None, DERBY, None),
    ],
)
def test_queue_manager_that_is_named_is_found_by_its_name(
    named: str | None, site: str | None, end: Place | None
) -> None:
    rows = {
        "queue_managers": [
            row(site=place.site, queue_manager=place.name) for place in (HUB, SPARE, LOOSE)
        ],
        "clients": [row(path="shop.yml", line=1, client_site=site, named=named)],
    }
    assert [each.end for each in topology(rows).connections] == [end]
