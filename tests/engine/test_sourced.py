"""Faults that scripts have only together with the files that they source."""

from __future__ import annotations

import pytest

from tests.engine.conftest import Lint

LIBRARY = """define_queue() {
    runmqsc "$1" <<EOF
DEFINE QLOCAL('$2') MAXDEPTH($3)
EOF
}
grant() {
    manager=$1 queue=$2 group=$3
    shift 3
    setmqaut -m "$manager" -t queue -n "$queue" -g "$group" "$@"
}
stop() {
    endmqm $2 "$1"
}
twice() {
    define_queue "$1" A.B "$2"
}
"""
SETTINGS = "QMGR=QMA\nPORT=142000\n"
SOURCE = '. "$(dirname "$0")/../lib/mq.sh"\n'

FAULTS = [
    # script, its findings
    ("define_queue QMA PAY.IN 5000\n", []),
    ("define_queue QMA PAY.IN 1000000000\n", ["2 VOC007"]),
    ("define_queue QMA PAY.IN $DEPTH\n", []),
    ("DEPTH=1000000000\ndefine_queue QMA PAY.IN $DEPTH\n", ["3 VOC007"]),
    ("grant QMA PAY.IN pay +get +browse\n", []),
    ("grant QMA PAY.IN pay +get +read\n", ["2 VOC005"]),
    ("stop QMA -i\n", []),
    ("stop QMA -z9\n", ["2 CTL021"]),
    ("twice QMA 1000000000\n", ["2 VOC007"]),
    ("for q in A B; do\n  define_queue QMA $q 1000000000\ndone\n", ["3 VOC007"]),
    ("printf x # define_queue QMA PAY.IN 1000000000\n", []),
]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("script", "expected"), FAULTS)
def test_a_fault_is_where_the_function_is_called(
    script: str, expected: list[str], jobs: int, lint: Lint
) -> None:
    assert _found({"lib/mq.sh": LIBRARY, "bin/run.sh": SOURCE + script}, lint, jobs) == expected


SOURCES = [
    # the line that sources the library, whether it is read
    (". ../lib/mq.sh", True),
    ("source ../lib/mq.sh", True),
    ('source "$BASE/lib/mq.sh" || exit 1', True),
    (". $BASE/mq.sh", True),
    ('. "${BASE}"/lib/mq.sh  # functions', True),
    ("[ -f x ] || . ../lib/mq.sh", False),
    (". ./mq.sh", False),
    ("[ -f ../lib/mq.sh ] && . ../lib/mq.sh", True),
    ('[[ -r "$BASE/lib/mq.sh" ]] && source "$BASE/lib/mq.sh" || exit 1', True),
    ("if test -r ../lib/mq.sh; then . ../lib/mq.sh; fi", True),
    ('[ "$SITE" = dr ] && . ../lib/mq.sh', False),
    (". /opt/mqadmin/lib/mq.sh", True),
    (". /opt/mqadmin/mq.sh", False),
    (". /usr/lib/mq.sh", False),
    (". $BASE/other/mq.sh", False),
    ("# . ../lib/mq.sh", False),
    ('. "$LIBRARY"', False),
]


@pytest.mark.parametrize(("line", "is_read"), SOURCES)
def test_a_file_is_sourced_by_its_path(line: str, is_read: bool, lint: Lint) -> None:
    script = f"#!/bin/sh\n{line}\ndefine_queue QMA PAY.IN 1000000000\n"
    found = _found({"lib/mq.sh": LIBRARY, "bin/run.sh": script}, lint)
    assert found == (["3 VOC007"] if is_read else [])


def test_of_two_files_with_one_name_none_is_taken(lint: Lint) -> None:
    script = ". $BASE/mq.sh\ndefine_queue QMA PAY.IN 1000000000\n"
    files = {"lib/mq.sh": LIBRARY, "old/mq.sh": LIBRARY, "bin/run.sh": script}
    assert _found(files, lint) == []


@pytest.mark.parametrize("name", ["env.sh", "mqenv", "mq.env", "mq.conf"])
def test_variables_of_a_sourced_file_are_known(name: str, lint: Lint) -> None:
    script = f'. ./{name}\necho "DEFINE LISTENER(L) TRPTYPE(TCP) PORT($PORT)" | runmqsc QMA\n'
    files = {f"bin/{name}": SETTINGS, "bin/run.sh": script}
    assert _found(files, lint) == ["2 VOC007"]


def test_files_that_source_each_other_end(lint: Lint) -> None:
    library = f". ../bin/run.sh\n{LIBRARY}"
    script = ". ../lib/mq.sh\ndefine_queue QMA PAY.IN 1000000000\n"
    assert _found({"lib/mq.sh": library, "bin/run.sh": script}, lint) == ["2 VOC007"]


def _found(files: dict[str, str], lint: Lint, jobs: int = 1) -> list[str]:
    files = {**files, "bin/run.sh": f"{files['bin/run.sh']}dspmq\n"}
    return [
        f"{finding.location.start.line} {finding.rule.id}"
        for finding in lint(files, jobs=jobs).findings
        if finding.rule.id[:3] in ("VOC", "CTL") and finding.location.path == "bin/run.sh"
        if finding.rule.id in ("VOC005", "VOC007", "CTL021")
    ]
