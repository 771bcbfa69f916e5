"""What identifies a finding, and the words for how bad it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from mqlint.finding import (
    Confidence,
    Coverage,
    FileCoverage,
    Finding,
    Location,
    Position,
    Rule,
    Severity,
    Subject,
    fingerprint,
    with_ordinals,
)

RULE = Rule(
    id="LOG001",
    name="circular-logging",
    group="logging",
    summary="The queue manager logs in a circle",
    severity={"default": Severity.NOTE, "production": Severity.ERROR},
    confidence=Confidence.HIGH,
    why="Media recovery needs a linear log.",
    fix="Create it with linear logging.",
    message="{queue_manager} logs in a circle",
)
CHANNEL = Subject(
    site="leeds",
    queue_manager="LEEDSQM1",
    object_type="channel",
    object_name="TO.DERBYQM1",
    attribute="CONNAME",
)


def finding(
    subject: Subject = CHANNEL, path: str = "a.mqsc", line: int = 1, around: str = ""
) -> Finding:
    place = Location(path, Position(line, 1), Position(line, 5), around)
    identity = fingerprint(RULE.id, subject)
    return Finding(RULE, Severity.ERROR, "m", place, subject, identity)


def identities(findings: Iterable[Finding]) -> list[str]:
    return [ordinal.fingerprint for ordinal in with_ordinals(findings)]


def test_a_fingerprint_does_not_know_where_the_finding_stands() -> None:
    before = identities([finding(path="old/name.mqsc", line=3)])
    assert identities([finding(path="new.mqsc", line=300)]) == before


@pytest.mark.parametrize(
    "other",
    [
        replace(CHANNEL, site="derby"),
        replace(CHANNEL, queue_manager="LEEDSQM2"),
        replace(CHANNEL, object_type="qlocal"),
        replace(CHANNEL, object_name="TO.LEEDSQM2"),
        replace(CHANNEL, attribute="XMITQ"),
        replace(CHANNEL, object_name="TO.DERBYQM1\x1fCONNAME", attribute=None),
        replace(CHANNEL, queue_manager=None),
    ],
)
def test_another_subject_has_another_fingerprint(other: Subject) -> None:
    assert fingerprint("LOG001", other) != fingerprint("LOG001", CHANNEL)


def test_another_rule_or_detail_has_another_fingerprint() -> None:
    made = {
        fingerprint("LOG001", CHANNEL),
        fingerprint("LOG002", CHANNEL),
        fingerprint("LOG001", CHANNEL, "MAXDEPHT"),
        fingerprint("LOG001", CHANNEL, "MAXDETPH"),
    }
    assert len(made) == 4


def test_a_subject_of_any_text_has_a_fingerprint() -> None:
    odd = replace(CHANNEL, object_name="\ud800 \0 '")
    assert fingerprint("X", odd) == fingerprint("X", odd)


def test_equal_findings_are_told_apart_and_the_first_keeps_its_fingerprint() -> None:
    first, second, third = finding(line=1), finding(line=2), finding(line=3)
    alone = identities([first])
    several = identities([third, first, second])
    assert several[:1] == alone
    assert len(set(several)) == 3
    assert identities([first, second]) == several[:2]


SURROUNDINGS = ["", "1", "2", "2", "3"]


@pytest.mark.parametrize("added", ["", "0", "2", "4"])
@pytest.mark.parametrize("line", range(1, 7))
def test_of_one_more_one_fingerprint_is_new(added: str, line: int) -> None:
    some = [finding(line=at, around=around) for at, around in enumerate(SURROUNDINGS, 1)]
    moved = [
        replace(one, location=finding(line=at + (at >= line), around=around).location)
        for at, (one, around) in enumerate(zip(some, SURROUNDINGS, strict=True), 1)
    ]
    more = identities([*moved, finding(line=line, around=added)])
    assert len(set(more) - set(identities(some))) == 1
    assert set(identities(some)) < set(more)


def test_equal_findings_keep_their_fingerprints_when_files_are_renamed() -> None:
    def told(*paths: str) -> dict[str, str]:
        found = with_ordinals(finding(path=path, around=str(at)) for at, path in enumerate(paths))
        return {one.location.around: one.fingerprint for one in found}

    assert told("a", "b", "c") == told("c", "a", "b")


def test_findings_of_other_repositories_are_no_twins() -> None:
    one, other = finding(), replace(finding(path="b.mqsc"), repository="other")
    assert identities([one, other]) == [one.fingerprint] * 2


def test_ordinals_do_not_depend_on_the_order_of_arrival() -> None:
    some = [finding(line=9), finding(line=1, path="b.mqsc"), finding(line=5)]
    assert with_ordinals(some) == with_ordinals(reversed(some))


def test_equal_findings_keep_their_fingerprints_when_lines_move() -> None:
    before = identities([finding(line=1), finding(line=2)])
    assert identities([finding(line=11), finding(line=70)]) == before


@pytest.mark.parametrize("level", Severity)
def test_a_severity_is_read_as_it_is_written(level: Severity) -> None:
    assert Severity.of(level.word) is level
    assert Severity.of(level.word.upper()) is level


@pytest.mark.parametrize("level", Confidence)
def test_a_confidence_is_read_as_it_is_written(level: Confidence) -> None:
    assert Confidence.of(level.word) is level


def test_worse_is_larger() -> None:
    words = [level.word for level in sorted(Severity, reverse=True)]
    assert words == ["error", "warning", "note"]


@pytest.mark.parametrize("kind", [Severity, Confidence])
def test_an_unknown_word_is_refused_with_those_that_are_right(
    kind: type[Severity] | type[Confidence],
) -> None:
    with pytest.raises(ValueError, match="'fatal': use ") as refused:
        kind.of("fatal")
    assert all(level.word in str(refused.value) for level in kind)


def test_coverage_adds_up() -> None:
    coverage = Coverage(
        (
            FileCoverage("a.mqsc", "checked", commands=5, understood=4),
            FileCoverage("b.bin", "not-recognised"),
            FileCoverage("c.mqsc", "checked", commands=2, understood=2),
        )
    )
    assert (coverage.commands, coverage.understood) == (7, 6)
    assert [coverage.count(status) for status in ("checked", "unreadable")] == [2, 0]
