"""Baselines: multisets of findings that survive moves, and files that are no baseline."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.finding import (
    Confidence,
    Finding,
    Location,
    Position,
    Rule,
    Severity,
    Subject,
    fingerprint,
    with_ordinals,
)
from mqlint.finding.baseline import (
    BaselineEntry,
    BaselineError,
    converted,
    parsed,
    split,
    surplus,
    written,
)
from tests.linear import is_linear_in_steps

RULE = Rule(
    id="VOC002",
    name="unknown-attribute",
    group="vocabulary",
    summary="",
    severity={"default": Severity.ERROR},
    confidence=Confidence.HIGH,
    why="",
    fix="",
    message="",
)
ONE = '{"rule": "VOC002", "fingerprint": "0123456789abcdef0123456789abcdef"}'


def finding(name: str, path: str = "a.mqsc", line: int = 1, around: str = "") -> Finding:
    subject = Subject("leeds", None, "qlocal", name, "MAXDEPHT")
    where = Location(path, Position(line, 1), Position(line, 9), around)
    mark = fingerprint(RULE.id, subject)
    return Finding(RULE, Severity.ERROR, f"{name} 4711", where, subject, mark)


MARK = fingerprint(RULE.id, finding("A").subject)

places = st.lists(
    st.builds(
        finding,
        st.sampled_from(["A", "B", "C"]),
        st.sampled_from(["a.mqsc", "b.mqsc", "new\nline.mqsc"]),
        st.integers(1, 9),
    ),
    max_size=12,
)


def text_of(findings: list[Finding]) -> str:
    return "".join(written(map(BaselineEntry.of, findings)))


def names(findings: list[Finding]) -> Counter[str | None]:
    return Counter(one.subject.object_name for one in findings)


@given(places)
def test_what_is_recorded_is_known(given_findings: list[Finding]) -> None:
    findings = with_ordinals(given_findings)
    parts = split(findings, parsed(text_of(findings).encode()))
    assert (parts.new, parts.known, parts.stale) == ([], findings, [])


@given(places, st.randoms())
def test_order_and_place_do_not_matter(given_findings: list[Finding], random: Random) -> None:
    findings = with_ordinals(given_findings)
    shuffled = list(findings)
    random.shuffle(shuffled)
    assert text_of(shuffled) == text_of(findings)
    moved = with_ordinals(
        finding(one.subject.object_name or "", f"moved/{one.location.path}", 20 - line)
        for line, one in enumerate(findings)
    )
    assert split(moved, parsed(text_of(findings).encode())).new == []


@given(places, places)
def test_as_many_are_new_as_there_are_more(before: list[Finding], after: list[Finding]) -> None:
    old, now = with_ordinals(before), with_ordinals(after)
    parts = split(now, map(BaselineEntry.of, old))
    assert names(parts.new) == names(now) - names(old)
    assert names(parts.new) + names(parts.known) == names(now)
    assert len(parts.stale) == (names(old) - names(now)).total()
    assert {one.fingerprint for one in parts.new}.isdisjoint(
        known.fingerprint for known in parts.known
    )


def test_of_equal_ones_the_new_one_is_where_none_was() -> None:
    old = with_ordinals([finding("A", "z.mqsc")])
    now = with_ordinals([finding("A", "a.mqsc"), finding("A", "z.mqsc")])
    parts = split(now, map(BaselineEntry.of, old))
    assert [one.location.path for one in parts.new] == ["a.mqsc"]


@pytest.mark.parametrize("line", [1, 2, 4])
def test_of_equal_ones_the_new_one_is_that_in_new_surroundings(line: int) -> None:
    old = with_ordinals([finding("A", line=1, around="1"), finding("A", line=2, around="2")])
    moved = [finding("A", line=at + (at >= line), around=str(at)) for at in (1, 2)]
    parts = split(
        with_ordinals([*moved, finding("A", line=line, around="3")]), map(BaselineEntry.of, old)
    )
    assert [new.location.start.line for new in parts.new] == [line]


def test_a_file_without_surroundings_is_read() -> None:
    old = f'{{"version": 1, "findings": [{json.dumps({"rule": "VOC002", "fingerprint": MARK})}]}}'
    parts = split([finding("A", around="1")], parsed(old.encode()))
    assert (parts.new, parts.stale) == ([], [])


def test_entries_with_the_name_of_a_repository_are_converted() -> None:
    """As an mqlint made them that had the repository in what belongs to no queue manager."""
    words = ("MAXDEPHT", "")
    found = [replace(finding("A"), detail=word) for word in words]
    found = [
        replace(one, fingerprint=fingerprint(RULE.id, one.subject, one.detail)) for one in found
    ]
    named = [fingerprint(RULE.id, one.subject, one.detail, "acme") for one in found]
    gone = fingerprint(RULE.id, finding("B").subject, "", "acme")
    old = [BaselineEntry(RULE.id, fingerprint=mark) for mark in (*named, gone)]
    assert len(split(found, old).new) == 2
    parts = split(found, converted(old, found, "acme"))
    assert (parts.new, [entry.fingerprint for entry in parts.stale]) == ([], [gone])
    assert converted(converted(old, found, "acme"), found, "acme") == converted(old, found, "acme")
    assert converted(old, found, "other") == tuple(old)


def test_entries_that_are_used_up_are_not_left_over() -> None:
    a, b = BaselineEntry.of(finding("A")), BaselineEntry.of(finding("B"))
    assert surplus([a, a, b], [a]) == [a, b]


def test_file_is_one_line_a_finding_without_message_or_line() -> None:
    text = text_of([finding("B", line=7), finding("A", "ü.mqsc")])
    lines = text.splitlines()
    assert len(lines) == 4
    assert lines[1].startswith('{"rule": "VOC002", "name": "unknown-attribute", "site": "leeds"')
    assert text.isascii()
    assert "4711" not in text
    assert "QLOCAL" not in text
    assert json.loads(text)["findings"][0]["path"] == "ü.mqsc"


def test_a_name_with_half_a_character_can_be_written() -> None:
    assert parsed(text_of([finding("\udce9")]).encode())[0].object == "qlocal \\udce9"


WRONG = {
    "empty": (b"", "not valid JSON at line 1, column 1"),
    "cut off": (b'{"version": 1, "findings": [\n{"rule"', "not valid JSON at line 2"),
    "no text": (b"\xff\xfe\x00", "not UTF-8"),
    "a list": (b"[]", "not a baseline"),
    "of another tool": (b'{"runs": []}', "not a baseline"),
    "of a later version": (b'{"version": 3, "findings": []}', "its version is not between 1 and 2"),
    "of no version": (b'{"version": 0, "findings": []}', "its version is not between 1 and 2"),
    "version true": (b'{"version": true, "findings": []}', "its version is not between 1 and 2"),
    "no list": (b'{"version": 1, "findings": {}}', "is not a list"),
    "a word": (b'{"version": 1, "findings": [4]}', "finding 1 is not an object"),
    "a key of its own": (
        f'{{"version": 1, "findings": [{ONE}, {{"message": "x"}}]}}'.encode(),
        "finding 2 has the unknown key 'message'",
    ),
    "a number": (b'{"version": 1, "findings": [{"rule": 1}]}', "finding 1: rule is not text"),
    "no fingerprint": (b'{"version": 1, "findings": [{"rule": "A"}]}', "fingerprint"),
    "deep": (b"[" * 100_000, "not valid JSON"),
    "a long number": (b"1" * 10_000, "not valid JSON"),
    "a conflict": (
        f'{{"version": 1, "findings": [\n<<<<<<< HEAD\n{ONE}\n=======\n]}}'.encode(),
        "line 2 is part of a merge conflict",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_baseline_is_said(name: str) -> None:
    data, message = WRONG[name]
    with pytest.raises(BaselineError, match=message):
        parsed(data)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(BaselineError):
        parsed(data)


@pytest.mark.growth
def test_time_is_linear_also_for_equal_findings() -> None:
    def work(size: int) -> None:
        findings = [finding("A", f"{n % 7}.mqsc", n + 1) for n in range(size)]
        parts = split(findings, [BaselineEntry.of(one) for one in findings[: size // 2]])
        assert len(parts.new) == size - size // 2

    assert is_linear_in_steps(work, 500)
