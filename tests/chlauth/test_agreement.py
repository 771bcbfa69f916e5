"""The verdict on all addresses at once is the verdict on each of them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from mqlint.chlauth.address import AddressSet, everything, network, union
from mqlint.chlauth.decide import decide
from mqlint.chlauth.region import merged, regions
from tests.chlauth import chance
from tests.chlauth.accesses import access_of


def _agree(seed: int, pairs: int) -> None:
    random = Random(seed)  # noqa: S311 no secret
    made = 0
    while made < pairs:
        text, ini = chance.estate(random)
        access = access_of(text, ini)
        for _ in range(10):
            connection = chance.connection(random)
            found = regions(access, connection, everything())
            for address in chance.ADDRESSES:
                answer = decide(access, replace(connection, address=address))
                (one,) = [region for region in found if address in region.addresses]
                told = f"{text}\n{ini}\n{replace(connection, address=address)}"
                assert answer.outcome.effect == one.outcome.effect, told
                assert _effects(answer.possible) == _effects(one.possible), told
                made += 1


def _effects(possible: tuple[object, ...]) -> set[object]:
    return {one.effect for one in possible}  # type: ignore[attr-defined]


@pytest.mark.slow
def test_regions_say_what_single_connections_say() -> None:
    _agree(seed=6, pairs=5_000)


@pytest.mark.huge
def test_regions_say_what_many_single_connections_say() -> None:
    _agree(seed=66, pairs=100_000)


def test_regions_are_a_partition() -> None:
    random = Random(7)  # noqa: S311 no secret
    for _ in range(60):
        text, ini = chance.estate(random)
        access = access_of(text, ini)
        asked = network(random.choice(["10.1.0.0/16", "10.0.0.0/8", "2001:db8::/32"]))
        found = [region.addresses for region in regions(access, chance.connection(random), asked)]
        assert union(found) <= asked
        assert asked <= union(found)
        for index, one in enumerate(found):
            assert not any(one & other for other in found[index + 1 :])


def test_merged_regions_keep_every_address() -> None:
    random = Random(8)  # noqa: S311 no secret
    for _ in range(40):
        text, _ = chance.estate(random)
        access, connection = access_of(text), chance.connection(random)
        asked = network("10.0.0.0/8")
        found = merged(regions(access, connection, asked))
        together = AddressSet(tuple(box for region in found for box in region.addresses.boxes))
        assert together <= asked
        assert asked <= together
