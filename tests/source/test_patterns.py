"""Patterns that are compiled when they are first needed act as compiled ones."""

from __future__ import annotations

import pickle
import re
from unittest.mock import Mock

import pytest

from mqlint.patterns import later


def test_all_that_a_pattern_does() -> None:
    pattern = later(r"(?i)(?P<verb>def)\w*")
    found = pattern.search("x DEFINE")
    assert found is not None
    assert found["verb"] == "DEF"
    assert pattern.fullmatch("x") is None
    assert pattern.sub("_", "Def a") == "_ a"
    assert (pattern.pattern, pattern.groups) == (r"(?i)(?P<verb>def)\w*", 1)
    assert later(rb"\d+").findall(b"1 22") == [b"1", b"22"]


def test_it_is_compiled_at_the_first_use_only(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = Mock(side_effect=re.compile)
    monkeypatch.setattr(re, "compile", compiled)
    pattern = later("a")
    compiled.assert_not_called()
    assert [bool(pattern.match(text)) for text in "aba"] == [True, False, True]
    compiled.assert_called_once()


def test_a_copy_acts_alike() -> None:
    pattern = later("(?i)A")
    pattern.match("a")
    assert pickle.loads(pickle.dumps(pattern)).match("a") is not None  # noqa: S301 our own
