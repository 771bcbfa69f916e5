"""Templates that count by their place: no offset moves, and time is linear."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqlint.language.mqsc.dialect import Dialect
from mqlint.language.mqsc.templates import with_templates_covered
from mqlint.language.text.templates import PLACEHOLDER
from tests.linear import is_linear_in_time

PIECES = (
    *("%", "%a", "%a%", "_", "__a", "__a__", "__a_", "_a"),
    *("$", "$$", "$a", "($a", ")$a", "()$a", "$SYS", "[", "[a", "[a]", "([a]"),
    *("+", "+a", "+a+", "(+a+", "+a+ ", "+a+ \n", "*$a\n"),
)


@given(st.text("$%_[]+a(*) \n'{}", max_size=60))
def test_no_offset_moves(text: str) -> None:
    covered = with_templates_covered(text, Dialect())
    assert len(covered) == len(text)
    assert all(now in (PLACEHOLDER, before) for before, now in zip(text, covered, strict=True))


@pytest.mark.growth
@pytest.mark.parametrize("piece", PIECES)
def test_time_is_linear(piece: str) -> None:
    assert is_linear_in_time(lambda count: with_templates_covered(piece * count, Dialect()), 10_000)
