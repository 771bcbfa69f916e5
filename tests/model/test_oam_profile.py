"""Generic profile names: what fits, and which of several counts."""

from __future__ import annotations

import itertools
import re

import pytest

from mqlint.model.facts.security.oam_profile import fits, is_generic, literal_prefix, rank

NAMES = ["A", "AB", "A.B", "AB.C", "A.B.C", "A.BB.C", "B.A", "A.B.B.C"]


def slow_fits(profile: str, name: str) -> bool:
    """IBM's words as a pattern: for names as short as these it may go back as it likes."""
    options: list[list[list[str]]] = []
    for word in profile.split("."):
        if word == "**":
            options.append([["[^.]+"] * count for count in range(6)])
        elif word == "*":
            options.append([["[^.]+"]])
        else:
            options.append([[re.escape(word).replace(r"\*", "[^.]*").replace(r"\?", "[^.]")]])
    chosen = itertools.product(*options)
    patterns = (list(itertools.chain.from_iterable(one)) for one in chosen)
    return any(re.fullmatch(r"\.".join(pattern), name) for pattern in patterns if pattern)


PROFILES = sorted(
    {
        ".".join(parts)
        for size in (1, 2, 3)
        for parts in itertools.product(["A", "B", "*", "**", "A*", "*B", "?", "A?*"], repeat=size)
        if parts.count("**") < 2
    }
)


@pytest.mark.parametrize("name", NAMES)
def test_a_profile_fits_as_ibm_says(name: str) -> None:
    wrong = [profile for profile in PROFILES if fits(profile, name) is not slow_fits(profile, name)]
    assert wrong == []


def test_what_fits_begins_with_the_plain_part_of_the_profile() -> None:
    fitting = [(profile, name) for profile in PROFILES for name in NAMES if fits(profile, name)]
    assert all(name.startswith(literal_prefix(one)) for one, name in fitting if is_generic(one))


@pytest.mark.parametrize(
    "ordered",
    [
        ["AB.CD", "AB.C?", "AB.C*", "AB.?D", "AB.*", "AB.**", "A?.CD", "A*.CD", "*.CD", "**"],
        ["A*B", "A*"],
        ["A.B", "A.B*"],
    ],
)
def test_the_most_specific_comes_first(ordered: list[str]) -> None:
    assert sorted(set(ordered), key=rank) == ordered


def test_asterisks_do_not_make_it_slow() -> None:
    assert not fits("*a" * 300 + "b", "a" * 2000)
