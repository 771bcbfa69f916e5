"""What a person is told of a long run."""

from __future__ import annotations

import pytest

from mqlint.cli.estate.progress import Progress, words

TOLD = [
    ((0, 0, 900, 60.0), ""),
    ((0, 8, 900, 60.0), ": 0%"),
    ((2, 8, 900, 1.0), ": 25%"),
    ((2, 8, 1000, 10.0), ": 25%, 25 files/s, 30 s left"),
    ((2, 8, 0, 10.0), ": 25%, 30 s left"),
    ((1, 100, 100_000, 60.0), ": 1%, 17 files/s, 99 min left"),
    ((1, 1000, 0, 61.0), ": 0%, 16.9 h left"),
    ((9, 8, 0, 10.0), ": 100%, 0 s left"),
]


@pytest.mark.parametrize(("given", "said"), TOLD)
def test_share_rate_and_time_left(given: tuple[int, int, int, float], said: str) -> None:
    assert words(*given) == said


def test_a_stage_is_a_line_in_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress()
    progress.begin("listing files")
    with progress.watching(lambda: (1, 2)):
        progress.begin("reading 9 files", 9)
    progress.clear()
    assert capsys.readouterr() == (
        "",
        "mqlint: listing files (0 s)\nmqlint: reading 9 files (0 s)\n",
    )


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress(quiet=True)
    progress.begin("listing files")
    with progress.watching(lambda: (1, 2)):
        progress.clear()
    assert capsys.readouterr() == ("", "")
