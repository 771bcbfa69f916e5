"""Sets of addresses against a count of each address, in a small space."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from mqlint.chlauth.address import (
    AddressSet,
    NoAddressError,
    TooManyError,
    everything,
    network,
    pattern,
    specificity,
    union,
)
from mqlint.source.budget import Budget

SPACE = [".".join(map(str, octets)) for octets in product((0, 1, 2, 3), repeat=4)]
SIGNS = ("0", "1", "2", "3", "0-1", "1-2", "2-3", "1-255", "*")


def patterns(random: Random) -> str:
    """A pattern of up to four parts that the product takes."""
    parts = [random.choice(SIGNS) for _ in range(4)]
    short = random.choice([".".join(parts), ".".join(parts[: random.randrange(1, 4)]) + ".*"])
    return short if "*.*" not in short else patterns(random)


def fits(text: str, address: str) -> bool:
    """Whether a pattern fits, by trying what each asterisk may stand for."""
    return _parts_fit(text.split("."), address.split("."))


def _parts_fit(signs: list[str], octets: list[str]) -> bool:
    if not signs or not octets:
        return not signs and not octets
    sign = signs[0]
    if sign == "*":
        return any(_parts_fit(signs[1:], octets[more:]) for more in range(1, len(octets) + 1))
    low, _, high = sign.partition("-")
    return int(low) <= int(octets[0]) <= int(high or low) and _parts_fit(signs[1:], octets[1:])


def counted(found: AddressSet) -> set[str]:
    return {address for address in SPACE if address in found}


@pytest.mark.slow
def test_patterns_and_their_algebra_count_each_address_right() -> None:
    random = Random(9)  # noqa: S311 no secret
    for _ in range(150):
        one, two = patterns(random), patterns(random)
        first, second = pattern(one), pattern(two)
        mine = {address for address in SPACE if fits(one, address)}
        theirs = {address for address in SPACE if fits(two, address)}
        assert counted(first) == mine, one
        assert counted(first & second) == mine & theirs
        assert counted(first - second) == mine - theirs
        assert counted(first | second) == mine | theirs
        inside, outside = first.split(second)
        assert (counted(inside), counted(outside)) == (mine & theirs, mine - theirs)
        assert (first <= second) == (not first - second)


def test_a_set_written_as_patterns_is_the_same_set() -> None:
    random = Random(10)  # noqa: S311 no secret
    for _ in range(100):
        found = pattern(patterns(random)) - pattern(patterns(random))
        again = union(map(pattern, found.written()))
        assert found <= again
        assert again <= found


def test_a_witness_is_in_its_set_and_the_smallest() -> None:
    assert (pattern("10.1.*") - pattern("10.1.0.*")).witness() == "10.1.1.0"
    assert pattern("2001:DB8:*").witness() == "2001:db8::"


@pytest.mark.parametrize(
    ("text", "address", "inside"),
    [
        ("10.20.0.0/16", "10.20.255.1", True),
        ("10.20.0.0/16", "10.21.0.1", False),
        ("10.20.3.4", "10.20.3.4", True),
        ("2001:db8::/32", "2001:db8:1::", True),
        ("::ffff:10.0.0.0/104", "10.1.1.1", True),
    ],
)
def test_networks(text: str, address: str, inside: bool) -> None:
    assert (address in network(text)) is inside


def test_what_is_everything_holds_both_kinds_of_addresses() -> None:
    assert "10.1.1.1" in everything()
    assert "fe80::1" in everything()
    assert everything() - everything() == AddressSet()


@pytest.mark.parametrize(
    "text", ["192.0.2", "app.example.com", "10.1.2.9-3", "1.2.3.4.5", "10.256.1.1"]
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(NoAddressError):
        pattern(text)


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        ("10.1.2.3", "10.1.2.*"),
        ("10.1.2.1-4", "10.1.2.*"),
        ("10.1.2.1-4", "10.1.2.1-9"),
        ("10.1.2.*", "10.1.*"),
        ("10.1.*", "*"),
        ("10.*", "app.example.com"),
        ("*", ""),
    ],
)
def test_the_more_specific_comes_first(stronger: str, weaker: str) -> None:
    assert specificity(stronger) < specificity(weaker) or weaker == ""


def test_sets_that_fall_into_too_many_parts_end() -> None:
    rows = union(pattern(f"{number}.*") for number in range(0, 256, 2))
    columns = union(pattern(f"*.{number}.1.1") for number in range(0, 256, 2))
    assert len((rows & columns).boxes) == 128 * 128
    more = columns | union(pattern(f"*.{number}.3.1") for number in range(0, 256, 2))
    with pytest.raises(TooManyError, match="more than 20000 parts"):
        _ = rows & more


def test_sets_made_of_a_set_spend_its_budget() -> None:
    budget = Budget(0)
    part = AddressSet(everything().boxes, budget) - pattern("10.*")
    assert part & pattern("11.*") == pattern("11.*")
    budget.spend(budget.allowance)
    with pytest.raises(TooManyError, match="too many addresses to compare"):
        part & pattern("11.*")
