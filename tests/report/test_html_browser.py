"""The HTML page in a real browser: what people and their tools do with it.

Needs `pip install 'mqlint[browser]'` and Chromium, of the system or of Playwright.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mqlint.cli import main
from mqlint.finding import Severity, Subject
from mqlint.report import Report, renderer
from mqlint.report.html.content import content_of
from mqlint.report.html.estate import Count, EarlierScan, Estate, PassCount, Repository, Verdicts
from mqlint.report.html.page import page_of
from mqlint.report.report import Style
from mqlint.report.topology import Place, QueueManager, Topology
from tests.report.conftest import DEPTH, MISSPELT, SHARED, at, finding
from tests.report.test_html import busy, calling
from tests.report.test_injection import HOSTILE, poisoned

sync_api = pytest.importorskip("playwright.sync_api", reason="no playwright: mqlint[browser]")

pytestmark = pytest.mark.slow

NAMES = ("chromium", "chromium-browser", "chromium-headless-shell", "google-chrome")
VIEWS = ("summary", "findings", "matrix", "map", "managers", "coverage")
MOST_ELEMENTS = 4_000
"""Elements of a page of any estate; the map of many sites may have more."""
PATIENCE = 120_000
"""Milliseconds after which the browser of a slow machine has failed."""
sync_api.expect.set_options(timeout=PATIENCE)

Show = Callable[..., Any]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window, and without a sandbox where root has none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_api.sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(
                executable_path=found, args=["--no-sandbox"] if root else []
            )
        except sync_api.Error:
            pytest.skip("no Chromium on this machine")
        yield started
        started.close()


@pytest.fixture
def show(browser: Any) -> Iterator[Show]:  # noqa: ANN401 Playwright may not be installed
    """Opens a file; whatever the browser complains of, or asks of a network, is a fault."""
    faults: list[str] = []
    requests: list[str] = []
    files: list[str] = []
    contexts = []

    def opened(file: Path, address: str = "", *, width: int = 1600, theme: str = "light") -> Any:  # noqa: ANN401
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=theme, offline=True
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        files.append(file.as_uri())
        page.goto(f"{file.as_uri()}#{address}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []
    assert [url for url in requests if url.partition("#")[0] not in files] == []


@pytest.fixture(scope="module")
def example(estate: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page about the example estate."""
    file = tmp_path_factory.mktemp("example") / "report.html"
    done = CliRunner().invoke(main, ["check", str(estate), "--format", f"html={file}"])
    assert done.exit_code == 1, done.output
    return file


def many() -> Report:
    """5,000 findings of 3,000 queue managers and 3,000 applications at 30 sites."""
    topology = busy(30, 100, 100)
    rules = (SHARED, MISSPELT, DEPTH)
    severities = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
    findings = []
    for number in range(5_000):
        place = topology.queue_managers[number * 7 % 3_000].place
        rule = rules[number % 3]
        made = finding(
            rule,
            at(f"{place.site}/{place.name}.mqsc", number + 1, 1, 9),
            f"finding {number} of {place.name}",
            Subject(place.site, place.name, "qlocal", f"APP.{number}.IN"),
            incident=f"i{number // 6}" if rule is SHARED else None,
        )
        findings.append(replace(made, severity=severities[number % 3], repository=place.site))
    return Report(findings, topology=lambda: topology)


def earlier(report: Report) -> Estate:
    """Three scans: what they have in numbers, and what is new, fixed and old."""
    sites = [f"site{number:02}" for number in range(30)]
    counts = [Count(site, f"team {site[-1]}", rank, 9) for site in sites for rank in (1, 2, 3)]
    days = ("2026-05-01", "2026-05-08", "2026-05-15")
    moments = [f"{day}T02:00:00+00:00" for day in days]
    passed = [
        [PassCount(site, f"team {site[-1]}", number, 100) for site in sites if number]
        for number in (0, 90, 95)  # the first scan has no verdicts
    ]
    keys = [(row.repository, row.fingerprint) for row in report.findings]
    return Estate(
        [Repository(site, f"team {site[-1]}", 9, unreadable=site == "site03") for site in sites],
        [
            EarlierScan(day, moment, counts, shares)
            for day, moment, shares in zip(days, moments, passed, strict=True)
        ],
        frozenset(keys[:20]),
        report.findings[40:60],
        {key: moments[number % 3] for number, key in enumerate(keys)},
        verdicts=[Verdicts(site, 997, 1, 1, 2) for site in sites],
        missing=[("inventory: objects", 40), ("<b>MAXDEPTH", 20)],
    )


@pytest.fixture(scope="module")
def huge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("many") / "report.html"
    report = many()
    file.write_text("".join(page_of(content_of(report, earlier(report)))), "utf-8")
    return file


def rows(page: Any) -> Any:  # noqa: ANN401
    return page.locator("table.findings tbody tr:not(.detail)")


def turn(page: Any, view: str) -> None:  # noqa: ANN401
    """Show another view, if the page has it."""
    page.evaluate("view => { location.hash = 'view=' + view; }", view)
    shown = page.evaluate("view => new URLSearchParams('view=' + view).get('view')", view)
    if page.locator(f"#views a[data-view={shown}]").count():
        page.wait_for_selector(f"main[data-view={shown}]")


def total(page: Any) -> str:  # noqa: ANN401
    return str(page.locator(".pager span").first.inner_text())


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [380, 900, 1600])
def test_views_fit_into_their_width(show: Show, example: Path, width: int, theme: str) -> None:
    page = show(example, width=width, theme=theme)
    for view in VIEWS:
        turn(page, view)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), view


def test_filters_leave_what_fits_and_are_in_the_address(show: Show, example: Path) -> None:
    page = show(example, "view=findings")
    everything = total(page)
    page.get_by_label("Site").select_option("derby")
    page.get_by_label("error").check()
    page.get_by_label("Search", exact=True).fill("cluster-sender PRODUCTION")
    sync_api.expect(rows(page)).to_have_count(1)
    assert rows(page).locator(".rule b").inner_text() == "DR012"
    again = show(example, page.url.partition("#")[2])
    assert total(again) == "1 to 1 of 1 finding"
    assert again.get_by_label("Site").input_value() == "derby"
    again.get_by_role("button", name="Clear filters").click()
    assert total(again) == everything


@pytest.mark.parametrize(
    ("address", "number"),
    [
        ("queue_manager=%22PRDHUB1%22", 1),
        ("queue_manager=prdhub", 4),
        ("group=dr", 47),
        ("rule=DR001", 2),
        ("group=dr&severity=warning,note", 38),
        ("q=no+finding+has+this", 0),
    ],
)
def test_address_filters(show: Show, example: Path, address: str, number: int) -> None:
    page = show(example, f"view=findings&{address}")
    assert rows(page).count() == number


def test_list_is_sorted_by_its_headings(show: Show, example: Path) -> None:
    page = show(example, "view=findings&group=cluster")
    heading = page.get_by_role("columnheader", name="Rule")
    heading.get_by_role("button").click()
    shown = rows(page).locator(".rule b").all_inner_texts()
    assert shown == sorted(shown)
    assert heading.get_attribute("aria-sort") == "ascending"
    heading.get_by_role("button").click()
    assert rows(page).locator(".rule b").all_inner_texts() == sorted(shown, reverse=True)


def test_finding_opens_by_keyboard_and_by_address(show: Show, example: Path) -> None:
    page = show(example, "view=findings&rule=DR012")
    page.locator("button.open").first.focus()
    page.keyboard.press("Enter")
    detail = page.locator("tr.detail")
    assert detail.locator("mark").inner_text() == "CONNAME('10.10.4.12(1414)')"
    assert detail.get_by_role("heading", name="Why").is_visible()
    assert "- rule: DR012" in detail.locator(".copyable pre").inner_text()
    again = show(example, page.url.partition("#")[2])
    assert again.locator("tr.detail mark").count() == 1
    again.keyboard.press("/")
    assert again.evaluate("document.activeElement.type") == "search"


def test_names_of_the_map_stay_in_their_boxes(show: Show, tmp_path: Path) -> None:
    names = ("IRUS.SBI.OUT.GW1", "PRODUCTION.GATEWAY1", "QM1")
    places = [Place("development", name) for name in names]
    managers = [QueueManager(place, "development") for place in places]
    report = Report([], topology=lambda: Topology(managers, [], []))
    (tmp_path / "report.html").write_text("".join(page_of(content_of(report))), "utf-8")
    page = show(tmp_path / "report.html", "view=map")
    boxes = page.evaluate(
        "[...document.querySelectorAll('g.node, g.site')].map((group) =>"
        " ['rect', 'text'].map((name) => group.querySelector(name).getBoundingClientRect().right))"
    )
    assert len(boxes) == len(names) + 1
    assert all(text <= box for box, text in boxes)


def test_map_shows_the_collision_of_the_example(show: Show, example: Path) -> None:
    page = show(example, "view=map")
    titles = page.locator("path.crosses.cluster title").all_text_contents()
    assert titles == ["Cluster-sender channel: LOGISTICS.HUB2"]
    page.get_by_role("button", name="DRSORD1 at derby").focus()
    page.keyboard.press("Enter")
    facts = page.locator(".facts").inner_text()
    assert "Cluster-sender channel to PRDHUB2 at leeds: LOGISTICS.HUB2" in facts
    assert "cluster-receiver channel LOGISTICS.ORD1 is also defined at leeds" in facts
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("DRSPAY1")


def test_names_of_applications_stay_in_their_shapes(show: Show, tmp_path: Path) -> None:
    place = Place("development", "QM1")
    names = ("PRODUCTION.GATEWAY1", "WWWWMMMM", "orders")
    calls = [
        *(calling(name, place, site="development", channel="WHARFE.MEMBERS.WWW") for name in names),
        *(calling("orders", None, site="development", address=f"{name}(1414)") for name in names),
    ]
    topology = Topology([QueueManager(place, "development")], connections=calls)
    report = Report([], topology=lambda: topology)
    (tmp_path / "report.html").write_text("".join(page_of(content_of(report))), "utf-8")
    page = show(tmp_path / "report.html", "view=map")
    boxes = page.evaluate(
        "[...document.querySelectorAll('g.application, g.outside.node')].flatMap((group) =>"
        " [...group.querySelectorAll('text')].map((text) => [group.querySelector('rect'), text]))"
        ".map((pair) => pair.map((part) => part.getBoundingClientRect().right))"
    )
    assert len(boxes) == 9
    assert all(text <= box for box, text in boxes)


APPLICATIONS = re.compile(r"Applications \(\d\d\)")


def test_applications_are_shown_and_hidden_by_a_switch(show: Show, example: Path) -> None:
    page = show(example, "view=map")
    switch = page.get_by_label(APPLICATIONS)
    assert switch.is_checked()
    assert page.locator("g.node.application").count() > 5
    before = page.locator("g.node:not(.application):not(.outside)").count()
    switch.focus()
    page.keyboard.press("Space")
    assert not page.get_by_label(APPLICATIONS).is_checked()
    assert page.evaluate("document.activeElement.id") == "applications"
    assert page.locator("g.node").count() == before
    assert page.locator(".map path.application, .map path.unknown").count() == 0
    again = show(example, page.url.partition("#")[2])
    assert again.locator("g.node").count() == before


def test_application_at_another_site_is_in_alarm(show: Show, example: Path) -> None:
    page = show(example, "view=map")
    titles = page.locator("path.crosses.application title").all_text_contents()
    assert titles == ["Application: WEBSHOP.SVRCONN"]
    page.get_by_role("button", name="Application booking/compose.yml at leeds").focus()
    page.keyboard.press("Enter")
    facts = page.locator(".facts").inner_text()
    assert "crosses booking/compose.yml leads to DRSEDGE1 at derby: WEBSHOP.SVRCONN" in facts
    page.get_by_role("button", name="DRSEDGE1 at derby: ").click()
    facts = page.locator(".facts").inner_text()
    assert "Application booking/compose.yml at leeds: WEBSHOP.SVRCONN" in facts
    page.get_by_role("link", name="prod/apps/booking/compose.yml:7").click()
    found = page.locator("table.findings td.place code")
    found.first.wait_for()
    places = found.all_inner_texts()
    assert {place.partition(":")[0] for place in places} == {"prod/apps/booking/compose.yml"}


def test_destination_that_is_not_known_is_shown(show: Show, example: Path) -> None:
    page = show(example, "view=map")
    page.get_by_role("button", name="Unknown destination edge.wharfe.example:1415").click()
    facts = page.locator(".facts").inner_text()
    assert "parcels/parcels.env at leeds: WEBSHOP.SVRCONN" in facts
    table = page.get_by_role("region", name="Connections of applications")
    assert "no known queue manager edge.wharfe.example:1415" in table.inner_text()
    assert "TRACKING.SVRCONN (not defined)" in table.inner_text()


def test_thousands_of_applications_are_shown_on_demand(show: Show, huge: Path) -> None:
    page = show(huge, "view=map")
    assert page.locator("g.node.application").count() == 0
    assert page.locator("path.crosses").count() > 0
    page.get_by_label("Applications (3,000)").check()
    assert page.locator("g.node.application").count() > 0
    assert page.locator(".pager span").first.inner_text() == "1 to 100 of 2,000 connections"
    assert "1,000 more are in the tables" in page.locator("main").inner_text()


def test_matrix_leads_to_findings(show: Show, example: Path) -> None:
    page = show(example, "view=matrix")
    page.get_by_label("1 of DR001 at DRSORD1, worst: error").click()
    page.wait_for_selector("main[data-view=findings]")
    assert rows(page).count() == 1


@pytest.mark.parametrize(("width", "theme"), [(380, "light"), (1600, "dark")])
def test_axe_finds_nothing_serious(show: Show, example: Path, width: int, theme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python", reason="no axe: mqlint[browser]")
    page = show(example, "view=summary", width=width, theme=theme)
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text("utf-8"))
    for view in (*VIEWS, "findings&rule=DR012"):
        turn(page, view)
        if "rule" in view:
            page.locator("button.open").first.click()
        found = page.evaluate("async () => (await axe.run()).violations")
        assert [_violation(each) for each in found if each["impact"] != "minor"] == [], view


def _violation(found: Mapping[str, Any]) -> tuple[str, str, list[str]]:
    return found["id"], found["impact"], [node["html"][:200] for node in found["nodes"][:3]]


def test_hostile_names_do_nothing(show: Show, report: Report, tmp_path: Path) -> None:
    reports = [poisoned(report, f"{name}<img src=x onerror=alert(1)>") for name in HOSTILE]
    whole = replace(reports[0], findings=[row for each in reports for row in each.findings])
    file = tmp_path / "report.html"
    file.write_text("".join(renderer("html")(whole, Style())), "utf-8")
    page = show(file)
    for view in VIEWS:
        turn(page, view)
        if view == "findings":
            page.locator("button.open").first.click()
        assert page.locator("img").count() == 0
        assert page.locator("script").count() == 2


def test_policy_stops_code_that_gets_in(browser: Any, example: Path) -> None:  # noqa: ANN401
    page = browser.new_page()
    page.goto(example.as_uri())
    told = page.evaluate(
        "() => { try { document.body.innerHTML = '<b>x</b>'; return 'written'; }"
        " catch (error) { return error.name; } }"
    )
    assert told == "TypeError"
    page.evaluate(
        "() => { const image = new Image(); image.src = 'https://example.invalid/x';"
        " document.body.append(image); }"
    )
    assert not page.evaluate(
        "document.querySelector('img').complete && document.querySelector('img').naturalWidth"
    )
    page.close()


def test_any_estate_has_a_bounded_number_of_elements(show: Show, huge: Path) -> None:
    page = show(huge)
    for view in VIEWS:
        turn(page, view)
        number = page.evaluate("document.querySelectorAll('*').length")
        assert number <= (20_000 if view == "map" else MOST_ELEMENTS), view


def test_thousands_of_findings_are_filtered_at_once(show: Show, huge: Path) -> None:
    page = show(huge, "view=findings")
    assert total(page) == "1 to 100 of 5,000 findings"
    page.get_by_label("Search", exact=True).fill("finding 4321")
    sync_api.expect(rows(page)).to_have_count(1)
    page.get_by_label("Search", exact=True).fill("")
    sync_api.expect(rows(page)).to_have_count(100)
    page.get_by_role("button", name="Last").first.click()
    assert total(page) == "4,901 to 5,000 of 5,000 findings"


def test_summary_tells_what_is_new_fixed_and_old(show: Show, huge: Path) -> None:
    page = show(huge, "view=summary")
    assert page.get_by_role("heading", name="New: 20").is_visible()
    assert page.get_by_role("heading", name="Fixed: 20").is_visible()
    assert "since 2026-05-01" in page.get_by_role("region", name="Oldest").inner_text()
    findings, rules = page.locator("svg.chart").all()
    label = findings.get_attribute("aria-label")
    assert rules.get_attribute("aria-label").endswith(" passed: 90\u00a0%, 95\u00a0%")
    assert label.endswith("error: 270, 270, 270; warning: 270, 270, 270; note: 270, 270, 270")
    page.get_by_label("Of whole estate").select_option("team team 3")
    assert "error: 27, 27, 27" in page.locator("svg.chart").first.get_attribute("aria-label")
    verdicts = page.get_by_role("region", name="Each rule counts once")
    assert "whole estate\t99.7\u00a0%\t29,910\t30\t30\t60" in verdicts.inner_text()
    assert page.get_by_text("<b>MAXDEPTH").is_visible()


def test_no_verdict_is_cut_off_on_a_narrow_screen(show: Show, huge: Path) -> None:
    verdicts = show(huge, width=380).get_by_role("region", name="Each rule counts once")
    assert verdicts.evaluate("box => box.scrollWidth <= box.clientWidth")


def test_unread_repository_comes_first(show: Show, huge: Path) -> None:
    page = show(huge, "view=coverage")
    assert page.locator("tbody tr").first.inner_text().startswith("site03")


def test_printing_shows_the_whole_list(show: Show, huge: Path) -> None:
    page = show(huge, "view=findings&site=site05")
    shown = rows(page).count()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert rows(page).count() > shown
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert rows(page).count() == shown
