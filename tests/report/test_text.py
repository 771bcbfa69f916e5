"""The report for people, read as they see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from mqlint.finding import Coverage, FileCoverage, Finding, Severity
from mqlint.report import Report
from mqlint.report.terminal import cells

Render = Callable[..., str]
One = Callable[..., Report]
Golden = Callable[[str, str], None]


@pytest.mark.parametrize("width", [60, 200])
def test_estate_reads_well(render: Render, report: Report, golden: Golden, width: int) -> None:
    golden(f"estate-{width}.txt", render("text", report, width))


def test_estate_in_color(render: Render, report: Report, golden: Golden) -> None:
    text = render("text", report, 100, color=True)
    golden("estate-color.txt", text.replace("\x1b", "ESC"))


def test_all_shows_each_finding_by_itself(render: Render, report: Report) -> None:
    text = render("text", report, alike=None)
    heads = [line for line in text.splitlines() if " QUE007 " in line or " DR001 " in line]
    assert len(heads) == 9 + 2
    assert "more like it" not in text
    assert "together with" not in text


def test_place_of_several_queue_managers_is_shown_once(render: Render, report: Report) -> None:
    first = replace(report.findings[0], incident=None, related=())
    copies = [replace(first, fingerprint=f"{number:032x}") for number in range(3)]
    text = render("text", replace(report, findings=copies))
    assert "  in: 3 queue managers named DRSORD1\n" in text
    assert "together with" not in text
    assert text.count("dr/DRSORD1/orders.mqsc") == 1


def test_text_of_several_queue_managers_has_one_entry(render: Render, report: Report) -> None:
    first = replace(report.findings[0], incident=None, related=())
    copies = [
        replace(
            first,
            subject=replace(first.subject, queue_manager=name),
            message=f"runmqsc needs {name} running",
            fingerprint=f"{number:032x}",
        )
        for number, name in enumerate(("ORD1", "ORD2", "ORD3"))
    ]
    several = replace(report, findings=copies)
    assert render("text", several).count("needs") == 1
    lines = render("concise", several).splitlines()
    assert len(lines) == 2
    assert lines[0].endswith(" runmqsc needs ORD1 running (and 2 more queue managers)")


def test_narrow_report_stays_within_its_width(render: Render, report: Report) -> None:
    for line in render("text", report, 60).splitlines():
        assert cells(line) <= 60 or "mqsc:" in line  # a place is never broken: it can be clicked


def test_nothing_to_say_is_one_line(render: Render) -> None:
    rows = FileCoverage("a.mqsc", "checked", commands=3, understood=3)
    text = render("text", Report(coverage=Coverage((rows,))))
    assert text == "No findings: 1 file checked; 3 commands, all understood.\n"


def test_share_is_never_rounded_up_to_all(render: Render) -> None:
    row = FileCoverage("a.mqsc", "checked", commands=100_000, understood=99_999)
    text = render("text", Report(coverage=Coverage((row,))))
    assert "99,999 of 100,000 commands understood (99.9 %)" in text


def test_reasons_are_given_once_a_rule(render: Render, report: Report) -> None:
    text = render("text", report)
    assert text.count("why: The queue manager refuses") == 1
    assert text.count("fix: Use the attribute") == 1


def test_next_step_names_the_most_frequent_of_the_worst(render: Render, report: Report) -> None:
    assert render("text", report).endswith("next: mqlint explain VOC001\n")


def test_incident_has_the_worst_severity_of_its_members(render: Render, report: Report) -> None:
    def raised(finding: Finding) -> Finding:
        worse = finding.incident is not None and finding.subject.site == "leeds"
        return replace(finding, severity=Severity.ERROR) if worse else finding

    text = render("text", replace(report, findings=list(map(raised, report.findings))))
    assert "prod/PRDORD1/orders.mqsc:5:16 error DR001" in text


def test_alike_findings_of_two_queue_managers_stay_apart(render: Render, report: Report) -> None:
    depths = [f for f in report.findings if f.rule.id == "QUE007"]
    other = [
        replace(
            f,
            location=replace(f.location, path="orders2.mqsc"),
            subject=replace(f.subject, queue_manager="PRDORD2"),
        )
        for f in depths[:5]
    ]
    text = render("text", replace(report, findings=[*depths, *other]))
    assert "and 8 more like it" in text
    assert sum(" QUE007 " in line for line in text.splitlines()) == 1 + 5


def test_what_one_text_makes_of_two_queue_managers_is_one_entry(
    render: Render, report: Report
) -> None:
    first = next(f for f in report.findings if f.rule.id == "QUE007")
    second = replace(first, subject=replace(first.subject, queue_manager="PRDORD2"))
    text = render("text", replace(report, findings=[first, second]))
    assert sum(" QUE007 " in line for line in text.splitlines()) == 1
    assert text.count("PRDORD2") == 1


def test_alike_findings_about_no_object_are_listed_with_their_messages(
    render: Render, report: Report
) -> None:
    first, *others = (f for f in report.findings if f.rule.id == "QUE007")
    subject = replace(first.subject, object_type=None, object_name=None)
    faults = [replace(f, subject=subject, message=f"fault {n}") for n, f in enumerate(others)]
    text = render("text", replace(report, findings=[replace(first, subject=subject), *faults]))
    assert "prod/PRDORD1/queues.mqsc:2:15  fault 0\n" in text


def test_many_findings_on_one_object_are_not_rolled_up(render: Render, report: Report) -> None:
    depth = report.findings[-1]
    text = render("text", replace(report, findings=[depth] * 8))
    assert "more like it" not in text


MARKS = [
    ("DEFINE QLOCAL(A)", "QLOCAL"),
    ("\tMAXDEPTH(10)", "MAXDEPTH"),
    ("  \tX\tMAXDEPTH(10)", "MAXDEPTH"),
    ("DESCR('注文の待ち行列') MAXDEPTH(1)", "MAXDEPTH"),
    ("DESCR('注文の待ち行列') MAXDEPTH(1)", "待ち"),
    ("DESCR('e\u0301te\u0301') MAXDEPTH(1)", "MAXDEPTH"),
    ("DESCR('\x1b[31m') MAXDEPTH(1)", "MAXDEPTH"),
    ("DESCR('\u202eabc') MAXDEPTH(1)", "MAXDEPTH"),
    ("A(1) " * 300 + "MAXDEPTH(1) " + "B(2) " * 300, "MAXDEPTH"),
    ("注(1) " * 300 + "MAXDEPTH(1) " + "文(2) " * 300, "MAXDEPTH"),
    ("x" * 5000 + " MAXDEPTH(1)", "MAXDEPTH"),
    ("MAXDEPTH(1) " + "x" * 100_000, "MAXDEPTH"),
]


@pytest.mark.parametrize("width", [60, 80, 200])
@pytest.mark.parametrize(("line", "fault"), MARKS)
def test_mark_stands_under_the_fault(
    render: Render, one: One, line: str, fault: str, width: int
) -> None:
    start = line.index(fault) + 1
    text = render("text", one(line + "\n", 1, start, start + len(fault)), width)
    source, mark = text.splitlines()[2:4]
    assert cells(source) <= width
    assert under(source, mark) == fault


def under(source: str, mark: str) -> str:
    """What of a line stands above the carets."""
    begin, end = mark.index("^"), mark.rindex("^") + 1
    starts: list[int] = []
    at = 0
    for character in source:
        starts.append(at)
        at += cells(character)
    starts.append(at)
    pairs = zip(source, pairwise(starts), strict=True)
    return "".join(c for c, (left, right) in pairs if left >= begin and right <= end)


def test_fault_at_the_end_of_a_line_is_marked_behind_it(render: Render, one: One) -> None:
    source, mark = render("text", one("DEFINE QLOCAL(A\n", 1, 16, 16)).splitlines()[2:4]
    assert mark.index("^") == len(source)


def test_fault_over_several_lines_is_marked_to_the_end_of_the_first(
    render: Render, one: One
) -> None:
    report = one("DEFINE QLOCAL(A) +   \n  MAXDEPTH(1)\n", 1, 1, 2)
    where = report.findings[0].location
    where = replace(where, end=replace(where.end, line=2, column=5))
    report = replace(report, findings=[replace(report.findings[0], location=where)])
    source, mark = render("text", report).splitlines()[2:4]
    assert under(source, mark).startswith("DEFINE QLOCAL(A) +")


def test_line_beyond_the_end_of_its_file_is_left_out(render: Render, one: One) -> None:
    assert "|" not in render("text", one("DEFINE QLOCAL(A)\n", 99, 1, 5))


def test_file_that_has_gone_is_no_reason_to_stop(render: Render, report: Report) -> None:
    text = render("text", replace(report, text_of=lambda path: None))
    assert "PASWORD is no attribute" in text
    assert "|" not in text
