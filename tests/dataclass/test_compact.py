"""Texts that many objects have are kept once, but no text that is long."""

from __future__ import annotations

import pytest

from mqlint.compact import recent


@pytest.mark.parametrize(("size", "is_kept"), [(48, True), (10_000, False)])
def test_only_short_texts_are_kept(size: int, is_kept: bool) -> None:
    first, second = ("".join(["Q"] * size) for _ in range(2))
    assert first is not second
    assert recent(first) is first
    assert (recent(second) is first) == is_kept
