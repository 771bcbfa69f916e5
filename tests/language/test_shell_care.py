"""What a script does about results, output, patterns and variables; what feeds a kill."""

from __future__ import annotations

import pytest

from tests.languages import script_in
from tests.shipped import shipped_vocabulary

CONTROL = shipped_vocabulary().control

RESULTS = [
    # A script, and of its first runmqsc where the output goes and whether the result is looked at.
    ("runmqsc A < a\nx", ("", False)),
    ("runmqsc A < a > /dev/null\nx", ("discarded", False)),
    ("runmqsc A < a >/dev/null 2>&1\nx", ("discarded", False)),
    ("runmqsc A < a &> /dev/null\nx", ("discarded", False)),
    ("runmqsc A < a 1> /dev/null\nx", ("discarded", False)),
    ("runmqsc A < a 2> /dev/null\nx", ("", False)),
    ("runmqsc A < a >> out\nx", ("kept", False)),
    ("runmqsc A < a > $OUT\nx", ("kept", False)),
    ("runmqsc A < a | grep x\nx", ("captured", True)),
    ("X=$(runmqsc A < a)\nx", ("captured", True)),
    ("X=`runmqsc A < a`\nx", ("captured", True)),
    ("( runmqsc A < a )\nx", ("", True)),
    ("runmqsc A < a || exit 1\nx", ("", True)),
    ("runmqsc A < a && x\nx", ("", True)),
    ("x && runmqsc A < a\nx", ("", False)),
    ("if runmqsc A < a; then x; fi\nx", ("", True)),
    ("if x; then runmqsc A < a; fi\nx", ("", False)),
    ("if ! runmqsc A < a; then x; fi\nx", ("", True)),
    ("while runmqsc A < a; do x; done\nx", ("", True)),
    ("while x; do runmqsc A < a; done\nx", ("", False)),
    ("runmqsc A < a\nrc=$?\nx", ("", True)),
    ("runmqsc A <<E\nDIS QL(*)\nE\nrc=$?\nx", ("", True)),
    ("runmqsc A <<E\nDIS QL(*)\nE\nx", ("", False)),
    ("runmqsc A < a\n" + "x\n" * 200 + "echo $?", ("", False)),
    ("set -e\nrunmqsc A < a\nx", ("", True)),
    ("set -o errexit\nrunmqsc A < a\nx", ("", True)),
    ("#!/bin/sh -e\nrunmqsc A < a\nx", ("", True)),
    ("trap 'x' ERR\nrunmqsc A < a\nx", ("", True)),
    ("runmqsc A < a", ("", True)),
    ("runmqsc A < a\n\n# the end\n", ("", True)),
    ("runmqsc A < a\nexit\n", ("", True)),
    ("runmqsc A < a\nexit 0\n", ("", False)),
    ("f() {\n  runmqsc A < a\n}\nx", ("", True)),
    ("su - mqm -c 'runmqsc A < a; x'\nx", ("", False)),
    ("su - mqm -c 'runmqsc A < a'\nx", ("", False)),
    ("su - mqm -c 'runmqsc A < a || x'\nx", ("", True)),
    ("su - mqm -c 'runmqsc A < a' || x\nx", ("", True)),
    ("x\nsu - mqm -c 'runmqsc A < a'\n", ("", True)),
    ("if x; then su - mqm -c 'runmqsc A < a; x'; fi\nx", ("", None)),
]

PATTERNS = [
    ("rcdmqimg -m A -t all *", ["*"]),
    ("rcdmqimg -m A -t all '*'", []),
    ('rcdmqimg -m A -t all "A*"', []),
    ("rcdmqimg -m A -t all A\\*", []),
    ("rcdmqimg -m A* -t all B?", ["A*", "B?"]),
    ("rcdmqimg -m A -t [ab]", ["[ab]"]),
    ("set -f\nrcdmqimg -m A -t all *", []),
    ("su - mqm -c 'rcdmqimg -m A -t all *'", ["*"]),
]

VARIABLES = [
    ("rm -rf /var/mqm/qmgrs/$A", ["A"]),
    ('rm -rf "/var/mqm/log/${A}/"', ["A"]),
    ('rm -rf /var/mqm/qmgrs/"$A"/*', ["A"]),
    ("A=$(x)\nrm -rf /var/mqm/qmgrs/$A", ["A"]),
    ("A=$1\nrm -rf /var/mqm/qmgrs/$A", ["A"]),
    ("rm -rf /var/mqm/qmgrs/$A /var/mqm/log/$A", ["A"]),
    ("for B in x y; do A=${B//./!}; rm -rf /var/mqm/qmgrs/$A; done", []),
    ("[ -n $B ] || exit\nA=$(echo $B | tr . '!')\nrm -rf /var/mqm/qmgrs/$A", []),
    ("A=$B\nB=$A\nrm -rf /var/mqm/qmgrs/$A", ["A"]),
    ("B=$1\nA=$B\nrm -rf /var/mqm/qmgrs/$A", ["A"]),
    ('[ "x$A" = x ] && exit\nrm -rf /var/mqm/qmgrs/$A', []),
    ('[ -z "$1" ] && exit\nrm -rf /var/mqm/qmgrs/$1', []),
    ('if [ "X$1" = "X" ]; then exit; fi\nA=$1\nrm -rf /var/mqm/qmgrs/$A', []),
    ('[ -z "$2" ] && exit\nA=$1\nrm -rf /var/mqm/qmgrs/$A', ["A"]),
    ("getopts m: o; B=$OPTARG\nrm -rf /var/mqm/qmgrs/$1", ["1"]),
    ("rm -rf /var/mqm/qmgrs/$1", ["1"]),
    ("[ $# -eq 1 ] || exit\nrm -rf /var/mqm/qmgrs/$1", []),
    ("A=$1\n[ $# -eq 1 ] || exit\nrm -rf /var/mqm/qmgrs/$A", []),
    ("rm -rf /var/mqm/qmgrs/${A:?}", []),
    (": ${A:?}\nrm -rf /var/mqm/qmgrs/$A", []),
    ("A=${1:-QMA}\nrm -rf /var/mqm/qmgrs/$A", []),
    ("set -u\nrm -rf /var/mqm/qmgrs/$A", []),
    ("set -e\nrm -rf /var/mqm/qmgrs/$A", []),
    ('[[ -n "$A" ]] || exit\nrm -rf /var/mqm/qmgrs/$A', []),
    ("test -z $A && exit\nrm -rf /var/mqm/qmgrs/$A", []),
    ("[ -n $B ]\nrm -rf /var/mqm/qmgrs/$A", ["A"]),
    ("for A in x y; do rm -rf /var/mqm/qmgrs/$A; done", []),
    ("while getopts m: o; do A=$OPTARG; done\nrm -rf /var/mqm/qmgrs/$A", []),
    ("if x; then A=QMA; else A=QMB; fi\nrm -rf /var/mqm/qmgrs/$A", []),
    ("rm -rf /var/mqm/qmgrs/$A/errors", []),
    ("rm -rf /var/mqm/qmgrs/QM$A", []),
]

KILLS = [
    ("pkill amqzxma0", True),
    ("kill -9 $(pgrep amqzxma0)", True),
    ("kill `ps -ef | grep amqzmuc0 | awk '{print $2}'`", True),
    ("ps -ef | grep amqrmppa | grep -v grep | cut -c9-15 | xargs kill", True),
    ("ps -u mqm -o pid= | xargs kill", True),
    ("pkill -9 -u mqm", True),
    ("pkill -u mqm -f 'runmqtrm -m QMA'", False),
    ("killall runmqtmc", False),
    ("killall runmqlsr amqrmppa", True),
    ("ps -ef | grep runmqlsr | cut -c9-15 | xargs kill", False),
    ("kill $(cat /var/mqm/app.pid)", False),
    ("kill $PID", False),
    ("kill $(pgrep amqsget)", False),
    ("ps -ef | grep amqzxma0", False),
]


@pytest.mark.parametrize(("text", "expected"), RESULTS)
def test_where_output_goes_and_who_looks_at_the_result(
    text: str, expected: tuple[str, bool | None]
) -> None:
    step = next(one for one in script_in("shell", text).steps if one.command == "runmqsc")
    assert (step.output, step.checked) == expected


@pytest.mark.parametrize(("text", "expected"), PATTERNS)
def test_words_that_may_become_names_of_files(text: str, expected: list[str]) -> None:
    [step] = script_in("shell", text).steps
    words = [option.value for option in step.options if option.globs]
    words += [operand.value for operand in step.operands if operand.globs]
    assert words == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("[Service]\nExecStart=/opt/mqm/bin/rcdmqimg -m A -t all *\n", "systemd", False),
        ("[Service]\nExecStart=/bin/sh -c 'rcdmqimg -m A -t all *'\n", "systemd", True),
        ("FROM x\nRUN rcdmqimg -m A -t all *\n", "docker", True),
        ("- shell: rcdmqimg -m A -t all *\n", "pipeline", True),
        ("- command: rcdmqimg -m A -t all *\n", "pipeline", False),
    ],
)
def test_a_pattern_where_no_shell_reads_it(text: str, language: str, expected: bool) -> None:
    [step] = script_in(language, text).steps
    assert any(operand.globs for operand in step.operands) is expected


def test_a_crontab_is_read_by_a_shell_and_its_results_by_others() -> None:
    [step] = script_in("crontab", "1 1 * * * rcdmqimg -m A -t all * > /dev/null\n").steps
    assert (step.operands[-1].globs, step.output, step.checked) == (True, "discarded", None)


@pytest.mark.parametrize(("text", "expected"), VARIABLES)
def test_variables_that_may_be_empty(text: str, expected: list[str]) -> None:
    steps = script_in("shell", text).steps
    assert [name for step in steps for name in step.unguarded] == expected


@pytest.mark.parametrize(("text", "expected"), KILLS)
def test_what_is_killed(text: str, expected: bool) -> None:
    steps = script_in("shell", text).steps
    assert any(step.action == "kill" for step in steps) is expected
