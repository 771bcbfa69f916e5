"""A summary is the same however claims are split, ordered and brought together."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.finding import Location, Position, Severity, Subject
from mqlint.policy.run.claim import EACH, PAIRS, VALUES, Aggregate, Claim, aggregate


def claim(group: int, value: int, member: int) -> Claim:
    place = Location(f"q{member}.mqsc", Position(member + 1, 1), Position(member + 1, 2))
    subject = Subject(site=f"site{group}", queue_manager=f"QM{member}", object_name="A.QUEUE")
    return Claim(
        *("XX001", "A.QUEUE", "member", f"group{group}", f"value{value}", f"member{member}"),
        *(place, subject, Severity.WARNING),
    )


numbers = st.integers(min_value=0, max_value=15)
claims = st.builds(claim, group=numbers, value=numbers, member=st.integers(0, 200))
many = st.lists(claims, max_size=80)


def cut(given: list[Claim], cuts: list[int]) -> list[list[Claim]]:
    places = sorted({0, len(given), *(cut % (len(given) + 1) for cut in cuts)})
    return [given[a:b] for a, b in pairwise(places)]


@st.composite
def split(draw: st.DrawFn) -> tuple[list[Claim], list[list[Claim]]]:
    """Claims, and the same claims in another order and in parts."""
    whole = draw(many)
    mixed = draw(st.permutations(whole))
    return whole, cut(mixed, draw(st.lists(st.integers(0, 100), max_size=6)))


def merged(summaries: list[Aggregate]) -> Aggregate:
    total = Aggregate()
    for summary in summaries:
        total = total.merge(summary)
    return total


@given(split())
def test_any_split_and_order_gives_the_same(given: tuple[list[Claim], list[list[Claim]]]) -> None:
    whole, parts = given
    assert merged([aggregate(part) for part in parts]) == aggregate(whole)


@given(many, many, many)
def test_merging_is_associative(a: list[Claim], b: list[Claim], c: list[Claim]) -> None:
    one, two, three = aggregate(a), aggregate(b), aggregate(c)
    assert one.merge(two).merge(three) == one.merge(two.merge(three))


@pytest.mark.slow
@given(many, many)
def test_merging_is_commutative(a: list[Claim], b: list[Claim]) -> None:
    one, two = aggregate(a), aggregate(b)
    assert one.merge(two) == two.merge(one)


@given(many)
def test_nothing_changes_nothing(a: list[Claim]) -> None:
    one = aggregate(a)
    assert one.merge(Aggregate()) == Aggregate().merge(one) == one


@given(many)
def test_size_counts_and_the_rest_is_bounded(a: list[Claim]) -> None:
    one = aggregate(a)
    assert one.size == len(a)
    assert len(one.groups) <= VALUES
    assert len(one.values) <= VALUES
    assert len(one.examples) <= PAIRS * EACH


def test_no_large_group_crowds_out_the_one_that_disagrees() -> None:
    many_alike = [claim(1, 1, member) for member in range(3000)]
    summary = aggregate([*many_alike, claim(2, 2, 9)])
    assert {witness.group for witness in summary.examples} == {"group1", "group2"}
