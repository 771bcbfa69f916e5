"""`mqlint policy learn`: which conventions it finds, who deviates, and the policies it writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqlint.engine.learn import lower_bound
from tests.cli.conftest import Mqlint

SECURED = "DEFINE CHANNEL(APP.{0}) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS12_OR_HIGHER)"
ALIKE = {
    "a value": (SECURED, "SSLCIPH(ANY_TLS12_OR_HIGHER)"),
    "a value that is the default of no platform": (
        "DEFINE QLOCAL(Q{0}) MAXDEPTH(20000)",
        "MAXDEPTH(20000)",
    ),
    "one of two values": ("DEFINE QLOCAL(Q{0}) BOQNAME({1})", "BOQNAME: BO.A, BO.B"),
    "a range that the default is not in": (
        "DEFINE QLOCAL(Q{0}) BOTHRESH({2})",
        "BOTHRESH from 3 to 5",
    ),
    "a text that each has for itself": ("DEFINE QLOCAL(Q{0}) DESCR('queue {0}')", "DESCR is set"),
    "the beginning of a name": ("DEFINE QALIAS(APP.Q{0})", "the name is like APP.*"),
    "the form of a name": (
        "DEFINE QALIAS(A{0}.B{0}.C{0})",
        "the name has 3 parts in capitals, separated by periods",
    ),
}
UNLIKE = {
    "the default of the product": "DEFINE QLOCAL(Q{0}) MAXDEPTH(5000)",
    "the default of another platform": "DEFINE QLOCAL(Q{0}) MAXDEPTH(999999999)",
    "a value that each has for itself": "DEFINE QLOCAL(Q{0}) MAXDEPTH({0}000)",
    "what a template fills in": "DEFINE QLOCAL(Q{0}) MAXDEPTH({{{{ depth }}}})",
    "a secret": "DEFINE AUTHINFO(A{0}) AUTHTYPE(IDPWLDAP) CONNAME('l{0}') LDAPPWD('s3cretX')",
}


def script(line: str, number: int) -> str:
    return "".join(
        line.format(at, ("BO.A", "BO.B")[at % 2], 3 + at % 3) + "\n" for at in range(1, number + 1)
    )


@pytest.mark.parametrize("name", ALIKE)
def test_what_objects_have_in_common_is_a_policy(name: str, project: Path, mqlint: Mqlint) -> None:
    line, says = ALIKE[name]
    (project / "a.mqsc").write_text(script(line, 12))
    done = mqlint("policy", "learn", ".", "--out", "out")
    assert f": {says} (12 of 12)" in done.output
    assert mqlint("policy", "test", "out").exit_code == 0
    assert "of your own" in mqlint("policy", "check", "--policies", "out").output
    assert "LRN" not in mqlint("check", ".", "--policies", "out", "--format", "concise").output


@pytest.mark.parametrize("name", UNLIKE)
def test_what_is_no_convention(name: str, project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text(script(UNLIKE[name], 12))
    output = mqlint("policy", "learn", ".").output
    assert output == "0 conventions found.\n"


def test_who_deviates_is_found(project: Path, mqlint: Mqlint) -> None:
    odd = "DEFINE CHANNEL(APP.ODD) CHLTYPE(SVRCONN)\n"
    (project / "a.mqsc").write_text(script(SECURED, 30) + odd)
    done = mqlint("policy", "learn", ".", "--out", "out")
    assert "SSLCIPH(ANY_TLS12_OR_HIGHER) (30 of 31)" in done.output
    assert "    deviates: APP.ODD (a.mqsc:31): SSLCIPH()" in done.output
    found = mqlint("check", ".", "--policies", "out", "--format", "concise").output
    assert [line for line in found.splitlines() if " LRN" in line] == [
        "a.mqsc:31:16: note LRN002 APP.ODD has SSLCIPH(), against the convention: "
        "SSLCIPH(ANY_TLS12_OR_HIGHER)"
    ]


def test_a_convention_of_one_role(project: Path, mqlint: Mqlint) -> None:
    for folder, value in (("prod", "QMGR"), ("test", "MANUAL")):
        (project / folder).mkdir()
        lines = script(f"DEFINE LISTENER(L{{0}}) TRPTYPE(TCP) CONTROL({value})", 12)
        (project / folder / "a.mqsc").write_text(lines)
    assert "LISTENER at production sites: CONTROL(QMGR) (12 of 12)" in (
        mqlint("policy", "learn", ".").output
    )


def test_few_objects_and_doubtful_conventions_are_left_out(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text(script(SECURED, 6))
    assert mqlint("policy", "learn", ".").output == "0 conventions found.\n"
    few = ("policy", "learn", ".", "--objects", "6")
    assert mqlint(*few).output == "0 conventions found.\n"
    assert "6 of 6" in mqlint(*few, "--certainty", "0.6").output


MIXED = script("DEFINE QLOCAL(Q{0}) BOQNAME(BO.A)", 15) + "".join(
    f"DEFINE QLOCAL(R{at}) BOQNAME(BO.{'B' if at < 4 else at})\n" for at in range(5)
)
"""Of 20 queues 15 have BO.A (certainty 0.53), 19 BO.A or BO.B (0.76), and all a value (0.84)."""


@pytest.mark.parametrize(
    ("certainty", "says"),
    [("0.5", "BOQNAME(BO.A)"), ("0.7", "BOQNAME: BO.A, BO.B"), ("0.8", "BOQNAME is set")],
)
def test_the_strictest_convention_that_is_certain_enough(
    certainty: str, says: str, project: Path, mqlint: Mqlint
) -> None:
    (project / "a.mqsc").write_text(MIXED)
    output = mqlint("policy", "learn", ".", "--certainty", certainty).output
    assert f"{says} (" in output


def test_nothing_is_switched_on_and_nothing_overwritten(project: Path, mqlint: Mqlint) -> None:
    (project / "a.mqsc").write_text(script(SECURED, 12))
    (project / "own").mkdir()
    (project / "mqlint.yaml").write_text("policies: [own]\n")
    done = mqlint("policy", "learn", ".", "--out", "own")
    assert done.exit_code == 2
    assert "name another folder" in done.output
    (project / "used").mkdir()
    (project / "used" / "a.txt").write_text("mine")
    assert "is not empty" in mqlint("policy", "learn", ".", "--out", "used").output
    assert "cannot begin an id" in mqlint("policy", "learn", ".", "--prefix", "x").output


def test_the_certainty_of_a_share() -> None:
    # Values of the literature: Newcombe, "Two-sided confidence intervals", 1998, table I, method 3.
    assert round(lower_bound(81, 263), 4) == 0.2553
    assert round(lower_bound(15, 148), 4) == 0.0624
    assert round(lower_bound(0, 20), 4) == 0.0
    assert round(lower_bound(29, 29), 4) == 0.883
    assert lower_bound(0, 0) == 0.0
