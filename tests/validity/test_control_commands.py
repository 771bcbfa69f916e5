"""Control commands of scripts against the vocabulary."""

from __future__ import annotations

from unittest.mock import ANY

import pytest

from mqlint.validity.control_commands import check_control
from mqlint.vocabulary.target import Target, parse_level
from tests.languages import script_in
from tests.shipped import shipped_vocabulary

CONTROL = shipped_vocabulary().control

_TOLD = ("meant", "expected", "fault", "option")
FOUND = [
    # What a script says, and what is found: the code, what is meant or expected.
    ("strmqn -x QMA\nstrmqm -x QMA", [("control-misspelt", "strmqm")]),
    ("rcdmqimng -m QMX -t all '*'", [("control-misspelt", "rcdmqimg")]),
    ("rcdmqimng --help", []),
    ("endmq1sr -m QMA -w\nstrmqm QMA", [("control-misspelt", "endmqlsr")]),
    ("STRMQM QMA", [("control-capitals", "strmqm")]),
    ("STRMQM() { strmqm QMA; }\nSTRMQM", []),
    ("crtmqm -1c QMA", [("control-option", "-lc")]),
    ("endmqm -W QMA", [("control-option", "-w")]),
    ("endmqm -Q QMA", [("control-option-unknown", "-Q")]),
    ("crtmqm -$LOG QMA\ncrtmqm -? QMA\nrunmqakm -other", []),
    ("crtmqm -lf 12 QMA", [("control-value", "a number from 32 to 65535")]),
    ('crtmqm -lf "$1" QMA', []),
    ("crtmqm -lp 500 -ls 11 QMA", []),
    (
        "crtmqm -lp 500 -ls 12 QMA",
        [("control-value", "a number that makes at most 511 files with -lp")],
    ),
    ("crtmqm -lp 511 -ls 12 QMA", [("control-value", "a number from 2 to 510")]),
    ("runmqckm -help", []),
    ("endmqm QMA\nls /var/mqm/logs/QMA", [("control-path", "log")]),
    ("endmqm QMB\nls /var/mqm/logs/QMA", []),
    ("endmqm A.B\nls /var/mqm/qmgr/A!B", [("control-path", "qmgrs")]),
    ("crtmqm -ld /var/mqm/logs QMA\nls /var/mqm/logs/QMA", []),
    ("rm /backup/amqh1ct1.lfh", [("control-path", "amqhlctl.lfh")]),
    ("rm /backup/AMQHLCTL.LFH", []),
    ("mv /var/mqm/log/A/amqhlctl.lfh /var/mqm/log/A/amqhlctl.lf1", []),
    ("rm /var/mqm/qmgrs/A/@ipcc/amqclch1.tab", []),
    ("startmqm QMA\nstopmqm QMA\nstrmqm2 -x QMA\nstrmqm QMA", []),
    ("endmq QMA\nstrmqm QMA", [("control-derived", "endmqm")]),
    ("endmq QMX\nstrmqm QMA", []),
    ("/opt/own/srtmqm QMA\nstrmqm QMA", []),
    ("/opt/mqm/bin/srtmqm QMA\nstrmqm QMA", [("control-misspelt", "strmqm")]),
    ("/usr/own/STRMQM QMA\nstrmqm QMA", []),
    ("dspmqspl -M QMA", []),
    ("setmqaut -M QMA -t qmgr -g app +connect", [("control-option", "-m")]),
    ("setmqspl -m QMA", [("control-words-recalled", "lacks -p")]),
    ("endmqm -ir QMA", []),
    ("setmqaut -m QMA -t q -g app +put", [("control-words", "lacks -n")]),
    (
        "runmqlsr -m QMA-t TCP -p 1414",
        [("control-words", "lacks -t, because QMA-t has no blank before -t")],
    ),
    ("dspmq QMA", [("control-words", "does not accept the argument QMA")]),
    ("ssh two dspmq -o running", [("control-value", ANY)]),
    (
        "crtmqm -md /a/b QMA\nssh two addmqinf -v Name=QMA -v Prefix=/a -v Directory=QMA",
        [
            (
                "control-other-host",
                "has no DataPath, but the queue manager was created with -md /a/b",
            )
        ],
    ),
    ("endmqm QMA\ntar cf x /mq/logs/QMA", []),
]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_what_is_found_in_a_script(text: str, expected: list[tuple[str, str]]) -> None:
    found = [
        one for _, one in check_control(script_in("shell", text), CONTROL, Target(), cased=True)
    ]
    told = [(one.code, next(one.data[key] for key in _TOLD if key in one.data)) for one in found]
    assert told == expected


def test_a_finding_stands_at_the_word_and_belongs_to_its_step() -> None:
    text = "dspmq\ncrtmqm -ll -oa anybody QMA\n"
    [(step, found)] = check_control(script_in("shell", text), CONTROL, Target(), cased=True)
    assert text[found.start : found.end] == "anybody"
    assert step is not None
    assert step.queue_manager == "QMA"


def test_a_batch_file_does_not_mind_capitals() -> None:
    text = "@echo off\nCRTMQM -LL QMA\ncrtmqm -11 QMB\n"
    found = check_control(script_in("cmd", text), CONTROL, Target(), cased=False)
    assert [(one.code, one.data["option"]) for _, one in found] == [("control-option", "-11")]


def test_a_command_that_is_gone_is_told_with_a_level_alone() -> None:
    script = script_in("shell", "runmqckm -keydb -list\n")
    level = parse_level("9.4.0")
    assert not list(check_control(script, CONTROL, Target(), cased=True))
    [(_, found)] = check_control(script, CONTROL, Target(level), cased=True)
    assert (found.code, found.data["word"]) == ("removed", "runmqckm")
