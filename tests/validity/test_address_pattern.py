"""Patterns of addresses: whatever is an address is right, whatever else is told."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.validity.address_pattern import BadRangeError, crossing, fault_of_pattern


@given(st.ip_addresses(v=4))
def test_every_ipv4_address(address: ipaddress.IPv4Address) -> None:
    assert fault_of_pattern(str(address)) is None


@given(st.ip_addresses(v=6))
def test_every_ipv6_address_in_every_form(address: ipaddress.IPv6Address) -> None:
    forms = [address.compressed, address.exploded, address.compressed.upper()]
    if address.ipv4_mapped is not None:
        forms.append(f"::ffff:{address.ipv4_mapped}")
    assert [fault_of_pattern(form) for form in forms] == [None] * len(forms)


@given(st.text(alphabet="0123456789abF:.*-/ x", max_size=24))
def test_any_text_is_told_in_one_sentence(text: str) -> None:
    try:
        fault = fault_of_pattern(text)
    except BadRangeError as error:
        fault = str(error)
        assert "-" in text
    assert fault is None or (fault and "\n" not in fault)


@given(st.integers(0, 255), st.integers(0, 255))
def test_a_range_goes_upwards(low: int, high: int) -> None:
    pattern = f"192.0.*.{low}-{high}"
    if low < high:
        assert fault_of_pattern(pattern) is None
    else:
        with pytest.raises(BadRangeError, match=f"{low} is not below {high}"):
            fault_of_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("192.0.2", "4 parts, unless one of them is *"),
        ("192.0.2.1.5", "this has 5"),
        ("192.0*", "whole parts"),
        ("192.0.*.*", "one * at the end"),
        ("192.0.2.300", "300 is not"),
        ("192..2.1", "a part of the address is empty"),
        ("192.0.2.1-", "a part of the address is empty"),
        ("192.0.2.1-192.0.2.9", "this has 7"),
        ("10.0.0.0/8", "prefix length"),
        ("2001::*", "either :: or a *"),
        ("1::2::3", "at most once"),
        ("1:2:3", "this has 3"),
        ("a host", "not an IP address or a host name"),
    ],
)
def test_what_is_wrong_is_said(pattern: str, says: str) -> None:
    assert says in (fault_of_pattern(pattern) or "")


RANGES = st.tuples(st.integers(0, 30), st.integers(1, 30)).map(lambda two: (two[0], sum(two)))


@given(st.lists(RANGES, max_size=8))
def test_ranges_cross_when_each_holds_but_a_part_of_the_other(
    ranges: list[tuple[int, int]],
) -> None:
    found = crossing(f"10.{low}-{high}.*" for low, high in ranges)
    sets = [set(range(low, high + 1)) for low, high in ranges]
    assert (found is not None) == any(
        one & two and one - two and two - one for one in sets for two in sets
    )


def test_only_ranges_of_the_same_part_are_compared() -> None:
    others = ["10.1-5.*", "10.*.3-9", "11.3-9.*", "10.3-9", "10.3-9.1", "::3-9", "a-b", "", "*"]
    assert crossing(others) is None
    assert crossing([*others, "10.4-7.*"]) == ("10.1-5.*", "10.4-7.*")
