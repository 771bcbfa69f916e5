"""A check takes memory in proportion to the text, and not much of it."""

from __future__ import annotations

import pytest

from benchmarks.memory_texts import DUMP, NAMES, text_of
from tests.fuzz.budget import peak
from tests.growth.conftest import Check

SIZE = 10_000
MOST = 60
"""Bytes for each further byte of text, with room for what is measured; see docs/performance.md."""
MOST_OF = {"ccdt.json": 37}
"""Less for kinds that took more before: the claims that nobody answers are not made."""
KINDS = [name for name in NAMES if name != DUMP]
"""A short dump has SYSTEM objects only; `tests.language.mqsc.test_size` has long ones."""


@pytest.mark.growth
@pytest.mark.sample(3)
@pytest.mark.parametrize("name", KINDS)
def test_a_check_takes_memory_in_line_with_the_text(judge: Check, name: str) -> None:
    def work(data: bytes) -> None:
        judge({name: data.decode()})

    few, many = (text_of(name, size).encode() for size in (SIZE, 4 * SIZE))
    work(few)  # what is kept from one run to the next counts in none
    further = peak(work, many) - peak(work, few)
    assert further / (len(many) - len(few)) <= MOST_OF.get(name, MOST)
