"""Crontabs: the schedule, the user's column, the percent sign."""

from __future__ import annotations

import pytest

from tests.languages import script_in
from tests.shipped import shipped_vocabulary

CONTROL = shipped_vocabulary().control

JOBS = [
    # text, schedule, command and queue manager
    ("15 1 * * * rcdmqimg -m QMA -t all '*'", [("15 1 * * *", "rcdmqimg", "QMA")]),
    ("15 1,13 * * mon-fri mqm rcdmqimg -m QMA x", [("15 1,13 * * mon-fri", "rcdmqimg", "QMA")]),
    ("*/5 0-6/2 1 jan * /opt/mqm/bin/strmqm QMA", [("*/5 0-6/2 1 jan *", "strmqm", "QMA")]),
    ("@daily rcdmqimg -m QMA x", [("@daily", "rcdmqimg", "QMA")]),
    ("@reboot mqm strmqm QMA\n", [("@reboot", "strmqm", "QMA")]),
    ("1 2 3 4 5 su - mqm -c 'strmqm QMA'", [("1 2 3 4 5", "strmqm", "QMA")]),
    ("0  2\t* * * cd /tmp && rcdmqimg -mQMA x >>l 2>&1\r\n", [("0 2 * * *", "rcdmqimg", "QMA")]),
    ("# 0 2 * * * strmqm QMA\nSHELL=/bin/sh\n\n", []),
    ("0 2 * * * date +\\%Y; strmqm QMA", [("0 2 * * *", "strmqm", "QMA")]),
    ("strmqm QMA", []),
]


@pytest.mark.parametrize(("text", "expected"), JOBS)
def test_jobs_are_read(text: str, expected: list[tuple[str, str, str]]) -> None:
    steps = script_in("crontab", text).steps
    assert [(one.execution.schedule, one.command, one.queue_manager) for one in steps] == expected
    for step in steps:
        assert step.command in text[slice(*step.command_span)]


def test_what_follows_a_percent_sign_is_input() -> None:
    text = "#\n0 2 * * * runmqsc QMA%ALTER QMGR%END\n"
    (document,) = script_in("crontab", text).embedded
    assert document.text == "ALTER QMGR\nEND"
    assert text[document.host(11) :] == "END\n"


def test_the_containers_of_a_cron_job_are_one_run_at_its_time() -> None:
    text = (
        "apiVersion: batch/v1\nkind: CronJob\nspec:\n  schedule: '0 2 * * *'\n  jobTemplate:\n"
        "    spec:\n      template:\n        spec:\n"
        "          initContainers:\n            - command: [endmqm, -w, QMA]\n"
        "          containers:\n            - args:\n                - sh\n                - -c\n"
        "                - |\n                  dmpmqcfg -m QMA\n                  strmqm QMA\n"
        "---\napiVersion: batch/v1\nkind: Job\nspec:\n  template:\n    spec:\n      containers:\n"
        "        - command: [strmqm, QMB]\n"
    )
    steps = script_in("pipeline", text).steps
    times = [(step.command, step.execution.schedule) for step in steps]
    assert times == [
        *((command, "0 2 * * *") for command in ("endmqm", "dmpmqcfg", "strmqm")),
        ("strmqm", None),
    ]
    runs = [step.execution.run for step in steps]
    assert runs == [(0, text.index("---"))] * 3 + [None]


def test_a_shell_in_a_list_of_words_is_no_script_of_its_own() -> None:
    text = "spec:\n  containers:\n    - {command: [/bin/bash, -ec, strmqm QMA, x]}\n"
    text += "    - command: [sh, -c]\n      args: [strmqm QMB]\n"
    script = script_in("manifest", text)
    assert [step.queue_manager for step in script.steps] == ["QMA", "QMB"]
    assert not [call for call in script.calls if call < text.index("args")]
