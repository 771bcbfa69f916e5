"""Findings made by hand: the reports know nothing of how a finding comes about."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from mqlint.finding import (
    Confidence,
    Coverage,
    FileCoverage,
    Finding,
    Location,
    Related,
    Rule,
    Severity,
    Subject,
)
from mqlint.report import Report, Style, renderer
from mqlint.source.lines import Position
from mqlint.source.secrets import without_secrets

Render = Callable[..., str]

MISSPELT = Rule(
    id="VOC001",
    name="unknown-attribute",
    group="vocabulary",
    summary="A word is no attribute of its command",
    severity={"default": Severity.ERROR},
    confidence=Confidence.HIGH,
    why="The queue manager refuses the whole command. What follows runs without it.",
    fix="Use the attribute that is meant.",
    message="{word} is no attribute of {command}: did you mean {near}?",
)
SHARED = Rule(
    id="DR001",
    name="shared-cluster-receiver-name",
    group="dr",
    summary="Production and DR define a cluster-receiver channel of the same name",
    severity={"default": Severity.WARNING, "production": Severity.ERROR},
    confidence=Confidence.HIGH,
    why="A full repository keeps one of the two addresses, and not always the one that is alive.",
    fix=(
        "Give the channel at the DR site a name of its own,\n"
        "then define it anew:\n\n"
        "  DEFINE CHANNEL(ORDERS.DRS1) CHLTYPE(CLUSRCVR) ...\n"
    ),
    message="cluster-receiver {name} is defined at {others.site} too",
)
DEPTH = Rule(
    id="QUE007",
    name="default-depth",
    group="queue",
    summary="A queue keeps the default MAXDEPTH",
    severity={"default": Severity.NOTE},
    confidence=Confidence.MEDIUM,
    why="",
    fix="",
    message="{name} holds at most 5000 messages",
)

TEXTS = {
    "prod/PRDORD1/orders.mqsc": (
        "* orders, first half of the year\n"
        "DEFINE QLOCAL('注文.IN') REPLACE +\n"
        "\tMAXMSGLEN(1000) +\n"
        "\tDESCR('für alle')\n"
        "DEFINE CHANNEL(ORDERS.ORD1) CHLTYPE(CLUSRCVR) CONNAME('ord1.leeds.example(1414)') +\n"
        "       PASWORD('swordfish') CLUSTER(ORDERS)\n"
    ),
    "prod/PRDORD1/queues.mqsc": "".join(f"DEFINE QLOCAL(APP.{n}.IN)\n" for n in range(1, 10)),
    "dr/DRSORD1/orders.mqsc": "DEFINE CHANNEL(ORDERS.ORD1) CHLTYPE(CLUSRCVR) CLUSTER(ORDERS)\n",
}


def text_of(path: str) -> str | None:
    """A text as a run hands it on: without its secrets."""
    return without_secrets(TEXTS[path]) if path in TEXTS else None


def at(path: str, line: int, start: int, end: int) -> Location:
    return Location(path, Position(line, start), Position(line, end))


def finding(
    rule: Rule,
    where: Location,
    message: str,
    subject: Subject | None = None,
    incident: str | None = None,
    related: tuple[Related, ...] = (),
) -> Finding:
    digits = sha256(f"{rule.id}{where}{message}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
    severity = rule.severity["default"]
    return Finding(rule, severity, message, where, subject or Subject(), digits, incident, related)


def estate() -> Report:
    """A production and a DR site with a misspelt attribute, an incident and a roll-up."""
    orders, other = "prod/PRDORD1/orders.mqsc", "dr/DRSORD1/orders.mqsc"
    prod = Subject("leeds", "PRDORD1", "channel", "ORDERS.ORD1")
    spare = Subject("derby", "DRSORD1", "channel", "ORDERS.ORD1")
    here, there = at(orders, 5, 16, 27), at(other, 1, 16, 27)
    findings = [
        finding(
            SHARED,
            there,
            "cluster-receiver ORDERS.ORD1 is defined at leeds too",
            spare,
            "6b1f",
            (Related(here, "the one at leeds"),),
        ),
        finding(
            MISSPELT,
            at(orders, 3, 2, 11),
            "MAXMSGLEN is no attribute of DEFINE QLOCAL: did you mean MAXMSGL?",
            Subject("leeds", "PRDORD1", "qlocal", "注文.IN", "MAXMSGLEN"),
            related=(Related(at(orders, 2, 1, 14), "the command begins here"),),
        ),
        finding(SHARED, here, "cluster-receiver ORDERS.ORD1 is at derby too", prod, "6b1f"),
        finding(
            MISSPELT,
            at(orders, 6, 8, 15),
            "PASWORD is no attribute of DEFINE CHANNEL: did you mean PASSWORD?",
            prod,
        ),
        *(
            finding(
                DEPTH,
                at("prod/PRDORD1/queues.mqsc", n, 15, 23),
                f"APP.{n}.IN holds at most 5000 messages",
                Subject("leeds", "PRDORD1", "qlocal", f"APP.{n}.IN", "MAXDEPTH"),
            )
            for n in range(1, 10)
        ),
    ]
    files = (
        FileCoverage("dr/DRSORD1/orders.mqsc", "checked", "mqsc", "utf-8", None, 1, 1),
        FileCoverage("prod/PRDORD1/logo.png", "not-recognised", reason="no language known to us"),
        FileCoverage("prod/PRDORD1/orders.mqsc", "checked", "mqsc", "utf-8", None, 2, 0),
        FileCoverage("prod/PRDORD1/queues.mqsc", "checked", "mqsc", "utf-8", None, 9, 9),
        FileCoverage("prod/PRDORD1/secret.mqsc", "unreadable", reason="no permission to read it"),
    )
    guesses = ["site leeds is production, guessed from the folder prod/"]
    return Report(findings, Coverage(files), guesses, text_of)


def _render(
    name: str, report: Report, width: int = 80, *, color: bool = False, alike: int | None = 5
) -> str:
    return "".join(renderer(name)(report, Style(width, color, alike)))


@pytest.fixture
def render() -> Render:
    return _render


@pytest.fixture
def report() -> Report:
    return estate()


@pytest.fixture
def one() -> Callable[..., Report]:
    """A report of one finding at some columns of a line of a text."""

    def make(text: str, line: int, start: int, end: int, message: str = "wrong") -> Report:
        where = at("a.mqsc", line, start, end)
        return Report([finding(DEPTH, where, message)], text_of=lambda path: text)

    return make


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares with a file of `golden/`; deleting the file and running once writes it anew."""

    def compare(name: str, text: str) -> None:
        path = Path(__file__).parent / "golden" / name
        if not path.exists():
            path.write_text(text, encoding="utf-8", newline="\n")
            pytest.fail(f"{path} was missing and has been written: read it, then run again")
        assert text == path.read_text(encoding="utf-8")

    return compare
