"""The index of profiles finds what a comparison with each profile finds."""

from __future__ import annotations

from itertools import product
from random import Random

from mqlint.chlauth.profile_index import ProfileIndex
from mqlint.chlauth.wildcard import generic_fits
from mqlint.language.mqsc import Templated

TEXTS = ["".join(letters) for size in range(5) for letters in product("ab*", repeat=size)]
NAMES = [text for text in TEXTS if "*" not in text]


def index_of(profiles: list[str]) -> ProfileIndex[str]:
    return ProfileIndex((profile, profile) for profile in profiles)


def test_the_index_finds_what_fits() -> None:
    random = Random(7)  # noqa: S311 the same profiles in every run
    profiles = random.sample(TEXTS, 60)
    index = index_of(profiles)
    for name in NAMES:
        found = {index.groups[group][0] for group in index.fitting(name)}
        assert found == {profile for profile in profiles if generic_fits(profile, name)}


def test_an_open_profile_may_fit_any_name() -> None:
    index = index_of(["b*", Templated("{{ a }}")])
    assert [index.fitting(name) for name in ("a", "b")] == [(1,), (0, 1)]


def test_profiles_of_equal_parts_are_both_found() -> None:
    assert index_of(["a*b", "a**b"]).fitting("aab") == (0, 1)
