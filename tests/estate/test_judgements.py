"""The table `judgements`: what each rule makes of each queue manager, and what is not known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("duckdb")

from mqlint.cli import main
from mqlint.estate.history.store import latest
from mqlint.estate.query.answering import answer
from mqlint.estate.query.limits import Limits
from tests.estate.estates import DEEP, TWICE
from tests.files import write
from tests.policy.making import policy

pytestmark = pytest.mark.slow

BACKED = policy(
    id="ACME003",
    name="no-backout-queue",
    summary="A backout queue does not exist",
    check={"related": {"to": {"object": "queue"}, "by": {"name": "BOQNAME"}, "must": "exist"}},
    message="{name} has no {BOQNAME}",
)
ENDED = policy(
    id="ACME004",
    name="no-other-end",
    summary="A sender without a receiver",
    match={"object": "channel", "CHLTYPE": "SDR"},
    check={
        "related": {
            "to": {"object": "channel", "CHLTYPE": "RCVR"},
            "by": {"name": "name", "queue_manager": "XMITQ"},
            "must": "exist",
            "across": True,
        }
    },
    message="{name} has no other end",
)
COMPARED = policy(
    id="ACME005",
    name="threshold-above-depth",
    summary="A queue has a larger threshold than depth",
    check={"attributes": {"BOTHRESH": {"le": {"key": "MAXDEPTH"}}}},
    message="{name} has too large a threshold",
)
OWN = policy(
    id="ACME006",
    name="class-of-own-queue",
    summary="A queue that is not shared has no storage class",
    match={"object": "qlocal", "QSGDISP": {"not": "SHARED"}},
    check={"attributes": {"STGCLASS": {"blank": False}}},
    message="{name} has no class",
)
TASKS = policy(
    id="ACME007",
    name="no-tasks",
    summary="No task for TLS",
    match={"object": "channel", "qmgr.SSLTASKS": "0"},
    check={"attributes": {"SSLCIPH": {"blank": True}}},
    message="{name} needs a task",
)
EITHER = policy(
    id="ACME008",
    name="either",
    summary="Neither an index nor a threshold",
    check={"attributes": {"any": [{"INDXTYPE": "MSGID"}, {"BOTHRESH": "3"}]}},
    message="{name} has neither",
)
NOT_SHARED = policy(
    id="ACME009",
    name="deep-own-queue",
    summary="A queue that is not shared is deep",
    match={"object": "qlocal", "QSGDISP": {"not": "SHARED"}},
    check={"attributes": {"MAXDEPTH": {"le": 10}}},
    message="{name} is deep",
)
UNLESS = policy(
    id="ACME010",
    name="deep-unless-shared",
    summary="A queue that is not shared is deep",
    unless={"QSGDISP": "SHARED"},
    check={"attributes": {"MAXDEPTH": {"le": 10}}},
    message="{name} is deep",
)
REPOSITORY = {
    "mqlint.yaml": 'queue_managers: "{queue_manager}/*"\npolicies: [rules]\n'
    'overrides: [{paths: ["QM5/*"], target: {platform: linux}}]\n',
    "rules/a.yaml": DEEP,
    "rules/b.yaml": TWICE,
    "rules/c.yaml": BACKED,
    "rules/d.yaml": ENDED,
    "rules/e.yaml": COMPARED,
    "rules/f.yaml": OWN,
    "rules/g.yaml": TASKS,
    "rules/h.yaml": EITHER,
    "rules/i.yaml": NOT_SHARED,
    "rules/j.yaml": UNLESS,
    "QM1/a.mqsc": "DEFINE QLOCAL(A) MAXDEPTH(50)\n"
    "DEFINE CHANNEL(QM1.QMX) CHLTYPE(SDR) CONNAME('x.example') XMITQ(QMX)\n",
    "QM2/a.mqsc": "DEFINE QLOCAL(A) MAXDEPTH(5)\nDEFINE QLOCAL(B) MAXDEPTH(5) BOQNAME(GONE)\n",
    "QM3/a.mqsc": "DEFINE QLOCAL(FINE) MAXDEPTH(5)\nALTER QLOCAL(C) BOTHRESH(3)\n",
    "QM4/a.mqsc": "* mqlint: ignore[ACME001] as agreed\nDEFINE QLOCAL(D) MAXDEPTH(50)\n",
    "QM5/a.mqsc": "DEFINE QLOCAL(A) MAXDEPTH(5)\nALTER QLOCAL(B) MAXDEPTH(50)\n"
    "ALTER CHANNEL(QM5.QMX) CHLTYPE(SDR) SSLCIPH(ANY_TLS13)\n",
    "QM6/a.mqsc": "ALTER CHANNEL(QM6.QMX) CHLTYPE(SDR) SSLCIPH(ANY_TLS13)\n",
    "mqlint-waivers.yaml": "waivers: []\n",
}
EXPECTED = {
    ("ACME001", "QM1"): ("fail", None, "A", False),
    ("ACME001", "QM2"): ("pass", None, None, None),
    ("ACME001", "QM3"): ("unknown", "MAXDEPTH", "C", None),
    ("ACME001", "QM4"): ("fail", None, "D", True),
    ("ACME002", "QM1"): ("fail", None, "A", False),
    ("ACME002", "QM2"): ("fail", None, "A", False),
    ("ACME002", "QM3"): ("pass", None, None, None),
    ("ACME003", "QM2"): ("unknown", "queue GONE", "B", None),
    ("ACME003", "QM4"): ("pass", None, None, None),
    ("ACME004", "QM1"): ("unknown", "QM1.QMX at another queue manager", "QM1.QMX", None),
    ("ACME004", "QM2"): ("not-applicable", None, None, None),
    ("ACME005", "QM2"): ("pass", None, None, None),
    ("ACME005", "QM3"): ("unknown", "MAXDEPTH", "C", None),
    ("ACME006", "QM4"): ("unknown", "QSGDISP", "D", None),
    ("ACME006", "QM5"): ("not-applicable", None, None, None),
    ("ACME007", "QM5"): ("not-applicable", None, None, None),
    ("ACME007", "QM6"): ("unknown", "qmgr.SSLTASKS", "QM6.QMX", None),
    ("ACME008", "QM5"): ("unknown", "BOTHRESH", "B", None),
    ("ACME009", "QM5"): ("unknown", "QSGDISP", "B", None),
    ("ACME010", "QM5"): ("unknown", "QSGDISP", "B", None),
}


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("judged")
    write(place / "acme", REPOSITORY)
    (place / "estate.yaml").write_text("repositories: [acme]\n")
    words = ["--engine=process", "--quiet", "--exit-zero", "--out", str(place / "out")]
    done = CliRunner().invoke(main, ["estate", "scan", str(place / "estate.yaml"), *words])
    assert done.exit_code == 0, done.output
    (place / "out" / "summary.txt").write_text(done.stdout)
    return place / "out"


def asked(out: Path, question: str) -> list[tuple[Any, ...]]:
    with answer(out, latest(out), question, Limits()) as result:
        return [tuple(row) for row in result.rows]


def test_each_rule_has_one_verdict_on_each_queue_manager(out: Path) -> None:
    rows = asked(
        out,
        "SELECT rule_id, queue_manager, verdict, missing_value, object_name, is_excepted"
        " FROM rule_judgements",
    )
    found = {row[:2]: row[2:] for row in rows}
    assert len(found) == len(rows)
    assert {key: found.get(key) for key in EXPECTED} == EXPECTED
    counts = asked(out, "SELECT sum(rules_total) FROM judgements GROUP BY queue_manager")
    assert len(counts) == 6
    assert len(set(counts)) == 1


def test_summary_counts_what_is_unknown(out: Path) -> None:
    numbers = dict(asked(out, "SELECT verdict, sum(rules_total) FROM judgements GROUP BY 1"))
    total = sum(number for verdict, number in numbers.items() if verdict != "not-applicable")
    line = next(line for line in (out / "summary.txt").read_text().splitlines() if "pass" in line)
    assert f"{numbers['pass']:,} of {total:,} (" in line
    assert f"{numbers['unknown']:,} unknown" in line
    tables = asked(out, "SELECT count(*) FROM judgements WHERE verdict = 'fail' AND rule IS NULL")
    assert tables == [(0,)]
