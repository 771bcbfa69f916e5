"""The fingerprint of GitHub's upload: the values are those of its own tests."""

from __future__ import annotations

import pytest

from mqlint.report.sarif.results import LineHashes

GREETING = """\
e9496ae3ebfced30:1 fb7c023a8b9ccb3f:1 ce8ba1a563dcdaca:1 e20e36e16fcb0cc8:1 b3edc88f2938467e:1
c8e28b0b4002a3a0:1 c129715d7a2bc9a3:1
"""
VALUES = {
    "": "c129715d7a2bc9a3:1",
    " a\nb\n  \t\tc\n d": """
        271789c17abda88f:1 54703d4cd895b18:1 180aee12dab6264:1 a23a3dc5e078b07b:1
    """,
    " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n": GREETING,
    " hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r": GREETING,
    " hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n": GREETING,
    "Lorem ipsum dolor sit amet.\n" * 10: """
        a7f2ff13bc495cf2:1 a7f2ff13bc495cf2:2 a7f2ff13bc495cf2:3 a7f2ff13bc495cf2:4
        a7f2ff13bc495cf2:5 a7f2ff13bc495cf2:6 a7f2ff1481e87703:1 a9cf91f7bbf1862b:1
        55ec222b86bcae53:1 cc97dc7b1d7d8f7b:1 c129715d7a2bc9a3:1
    """,
}


@pytest.mark.parametrize("text", VALUES)
def test_values_are_those_of_the_upload(text: str) -> None:
    hashes, expected = LineHashes(text), VALUES[text].split()
    assert [hashes.of_line(line) for line in range(1, len(expected) + 1)] == expected
    assert hashes.of_line(0) is hashes.of_line(len(expected) + 1) is None


def test_a_character_beyond_the_first_plane_counts_as_two() -> None:
    surrogates = LineHashes("\ud83d\udc1e").of_line(1)
    assert LineHashes("\N{LADY BEETLE}").of_line(1) == surrogates
