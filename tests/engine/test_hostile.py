"""Any bytes at all: a run ends, and says something that can be reported."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqlint.config.settings import Settings
from mqlint.engine import Analyser, Run, check
from mqlint.report import Report, Style, renderer
from tests.engine.conftest import PROFILES, estate_files, estate_settings, inputs
from tests.linear import is_linear_in_steps, steps
from tests.shipped import shipped_rulebook, shipped_vocabulary

ANALYSER = Analyser(shipped_vocabulary())
RULEBOOK = shipped_rulebook()
NAMES = ("a.mqsc", "qm.ini", "mqs.ini", "a.sh", "crontab", "cron.d/mq-jobs", "dump.txt", "a")
REAL = {
    path: data
    for path, data in estate_files().items()
    if path
    in (
        "dr/ARCHIVE1/dmpmqcfg.mqsc",
        "prod/PRDORD1/cluster.mqsc",
        "dr/DRSHUB1/security.mqsc",
        "dr/DRSORD1/qm.ini",
        "dr/hosts/drbmq01/mqs.ini",
        "dr/hosts/drbmq02/bin/create-edge1.sh",
        "dr/hosts/drbmq01/cron.d/mq-jobs",
    )
}
SPITE = (
    *(b"'", b"(", b")", b"+\n", b"-\n", b"*", b";", b"{{", b"}}", b"{% if x %}", b"<<EOF\n", b"$("),
    *(b"\0", b"\xff", b"\r", b"\x85", b"\xef\xbb\xbf", b"\xff\xfe", b"END\n", b" ", b"\n", b"="),
    *(
        b"LIKE(A)",
        b"REPLACE",
        b"ACTION(REMOVEALL)",
        b"DELETE ",
        b":\n",
        b"\x1f",
    ),
)


def run_and_report(files: dict[str, bytes], configured: Settings) -> Run:
    run = check(inputs(files), configured, ANALYSER, RULEBOOK, profiles=PROFILES)
    assert [row.path for row in run.coverage.files] == sorted(files)
    report = Report(run.findings, run.coverage, run.assumptions, run.text_of)
    for form in ("text", "json"):
        assert "".join(renderer(form)(report, Style())).encode("utf-8", "surrogatepass")
    for finding in run.findings:
        text = run.text_of(finding.location.path)
        assert text is not None
        assert finding.location.start <= finding.location.end
        assert finding.location.start.line <= text.count("\n") + text.count("\r") + 1
    return run


@given(st.dictionaries(st.sampled_from(NAMES), st.binary(max_size=200), max_size=3))
@settings(max_examples=150, deadline=None)
def test_any_bytes(files: dict[str, bytes]) -> None:
    run_and_report(files, Settings())


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, bytes]:
    """A real file with pieces cut out, doubled, moved, and spiteful ones put in."""
    path = draw(st.sampled_from(sorted(REAL)))
    data = REAL[path]
    start = draw(st.integers(0, max(len(data) - 1500, 0)))
    data = data[start : start + 1500]
    for _ in range(draw(st.integers(1, 4))):
        at, until = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
        middle = draw(st.sampled_from((b"", data[at:until] * 2, *SPITE)))
        data = data[:at] + middle + data[until:]
    return {path: data}


@pytest.mark.slow
@given(mutated())
@settings(max_examples=150, deadline=None)
def test_real_files_spoilt(files: dict[str, bytes]) -> None:
    run_and_report(files, estate_settings())


WORDS = "A B C SYSTEM.DEFAULT.LOCAL.QUEUE '{{ x }}'".split()
COMMANDS = st.tuples(
    st.sampled_from(
        "DEFINE:QLOCAL DEFINE:QALIAS DELETE:QLOCAL DELETE:QALIAS ALTER:QLOCAL ALTER:QALIAS".split()
    ),
    st.sampled_from(WORDS),
    st.sampled_from(["", "REPLACE", "PUT(DISABLED)", *(f"LIKE({word})" for word in WORDS)]),
    st.sampled_from(["", "REPLACE", "MAXDEPTH(1)"]),
).map(lambda parts: f"{parts[0].replace(':', ' ')}({parts[1]}) {parts[2]} {parts[3]}\n")


@pytest.mark.slow
@given(st.lists(st.lists(COMMANDS, max_size=8).map("".join), min_size=1, max_size=3))
@settings(max_examples=100, deadline=None)
def test_any_history_of_objects(texts: list[str]) -> None:
    files = {f"prod/PRDX/{index}.mqsc": text.encode() for index, text in enumerate(texts)}
    run_and_report(files, estate_settings())


HISTORIES = {
    "altered": "ALTER QLOCAL(A) MAXDEPTH(1)\n",
    "defined and altered": "DEFINE QLOCAL(A)\nALTER QLOCAL(A) PUT(ENABLED)\n",
    "like itself": "DEFINE QLOCAL(A) LIKE(A) REPLACE\n",
    "added and removed": (
        "SET CHLAUTH(C) TYPE(BLOCKUSER) USERLIST('a')\n"
        "SET CHLAUTH(C) TYPE(BLOCKUSER) USERLIST('a') ACTION(REMOVE)\n"
    ),
    "all removed": (
        "SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)\n"
        "SET CHLAUTH(C) TYPE(ADDRESSMAP) ACTION(REMOVEALL)\n"
    ),
    "of one template": "DEFINE QLOCAL({{ a }}) MAXDEPTH(1)\n",
}


@pytest.mark.growth
@pytest.mark.parametrize("history", HISTORIES)
def test_a_long_history_of_one_object_takes_its_length(history: str) -> None:
    def work(count: int) -> None:
        data = (HISTORIES[history] * count).encode()
        check(inputs({"QMA/a.mqsc": data}), Settings(), ANALYSER, RULEBOOK)

    assert is_linear_in_steps(work, 150)


@pytest.mark.slow
def test_objects_made_like_each_other_without_end() -> None:
    # To ask each for the one before takes several frames, and Python has a thousand.
    text = "".join(f"DEFINE QLOCAL(A{i}) LIKE(A{i - 1})\n" for i in range(1, 400))
    run_and_report({"QMA/a.mqsc": text.encode()}, Settings())


@pytest.mark.growth
def test_a_chain_of_objects_takes_few_more_steps_than_copies_of_one() -> None:
    """An object of a chain is asked by the next one alone, not again by each that comes later."""

    def work(is_chain: int) -> None:
        line = "DEFINE QLOCAL(A{}) LIKE(A{})\n"
        text = "".join(line.format(i, (i - 1) * is_chain) for i in range(1, 60))
        check(inputs({"QMA/a.mqsc": text.encode()}), Settings(), ANALYSER, RULEBOOK)

    work(1)  # what is kept from one run to the next counts in none
    assert steps(lambda: work(1)) <= 2 * steps(lambda: work(0))


@pytest.mark.growth
def test_objects_made_like_others_in_branches_take_few_steps() -> None:
    """Three branches make each object, so there are three ways to the one that it is like."""

    def work(levels: int) -> None:
        line = "if true; then\necho 'DEFINE QLOCAL(A{}) REPLACE LIKE(A{})' | runmqsc QMA\nfi\n"
        text = "".join(line.format(level, level - 1) * 3 for level in range(1, levels + 1))
        check(inputs({"a.sh": f"#!/bin/sh\n{text}".encode()}), Settings(), ANALYSER, RULEBOOK)

    work(6)  # what is kept from one run to the next counts in none
    assert steps(lambda: work(6)) <= 5 * steps(lambda: work(3))


@pytest.mark.growth
def test_queues_in_many_clusters_take_few_steps() -> None:
    """Each of the queues is in all clusters of a namelist, and is compared in each of them."""

    def work(queues: int) -> None:
        names = ",".join(f"C{number}" for number in range(200))
        text = f"DEFINE NAMELIST(N) NAMES({names})\nALTER QMGR REPOSNL(N)\n"
        text += "".join(f"DEFINE QLOCAL(A{number}) CLUSNL(N)\n" for number in range(queues))
        check(inputs({"QMA/a.mqsc": text.encode()}), Settings(), ANALYSER, RULEBOOK)

    work(20)  # what is kept from one run to the next counts in none
    assert steps(lambda: work(20)) <= 2 * steps(lambda: work(5))
