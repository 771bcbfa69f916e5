"""How often a crontab runs something."""

from __future__ import annotations

import pytest

from mqlint.model.procedure.step_values import interval

DAY = 24 * 60
SCHEDULES = [
    ("15 1 * * *", DAY),
    ("*/10 * * * *", 60),
    ("0 */6 * * *", 6 * 60),
    ("0 6,18 * * *", 12 * 60),
    ("0 22-6 * * *", None),
    ("@daily", DAY),
    ("@hourly", 60),
    ("@weekly", 7 * DAY),
    ("@reboot", None),
    ("0 2 * * 0", 7 * DAY),
    ("0 2 * * 7", 7 * DAY),
    ("0 2 * * sun", 7 * DAY),
    ("0 2 * * 1,4", 4 * DAY),
    ("0 2 * * mon-fri", 3 * DAY),
    ("0 2 * * 1-5/2", 3 * DAY),
    ("0 2 1 * *", 31 * DAY),
    ("0 2 1,15 * *", 17 * DAY),
    ("0 2 */2 * *", 2 * DAY),
    ("0 2 1 * 0", None),
    ("0 2 * 6 *", None),
    ("0 2 L * *", None),
    ("0 2 * *", None),
    ("boot", None),
]


@pytest.mark.parametrize(("schedule", "minutes"), SCHEDULES)
def test_the_longest_time_between_two_runs(schedule: str, minutes: int | None) -> None:
    assert interval(schedule) == minutes
