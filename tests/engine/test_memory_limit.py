"""What a document may take in memory is enough for the densest texts, twice over."""

from __future__ import annotations

import pytest

from mqlint.engine.loading.memory_limit import FACTOR
from mqlint.vocabulary import Target
from tests.fuzz.budget import peak
from tests.fuzz.program import ANALYSER

_SIZE = 24_000
_OTHER_COMMANDS = 50
"""Bytes for each byte of a script whose commands are not MQ's: goal of the fuzzer."""


@pytest.mark.slow
@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("language", "line", "most"),
    [
        ("shell", "a;", _OTHER_COMMANDS),
        ("shell", ":\n", _OTHER_COMMANDS),
        ("shell", "a|", _OTHER_COMMANDS),
        ("shell", "`a`;", _OTHER_COMMANDS),
        ("shell", "{ a\n}\n", _OTHER_COMMANDS),
        ("shell", "a>b\n", _OTHER_COMMANDS),
        ("shell", "strmqm A\n", FACTOR / 2),
        ("cmd", "a&", _OTHER_COMMANDS),
        ("cmd", "strmqm\n", FACTOR / 2),
        ("powershell", "a;", _OTHER_COMMANDS),
        ("powershell", "{a}\n", _OTHER_COMMANDS),
        ("powershell", "'a'\n", _OTHER_COMMANDS),
        ("cl", "A\n", _OTHER_COMMANDS),
        ("cl", "STRMQM\n", FACTOR / 2),
        ("jcl", "// EXEC\n", _OTHER_COMMANDS),
    ],
)
def test_dense_text_takes_memory_in_proportion(language: str, line: str, most: float) -> None:
    """The peak of reading a text of short commands, beyond that of an empty one."""
    text = line * (_SIZE // len(line))

    def read(data: bytes) -> None:
        ANALYSER.analyse(data.decode(), language, Target(), "a")

    read((line * 3).encode())
    beyond = peak(read, text.encode()) - peak(read, b"")
    assert beyond / len(text) < most
