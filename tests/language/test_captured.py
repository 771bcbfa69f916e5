"""Captures and resource files: any text is read, in time linear in its length."""

from __future__ import annotations

import pytest

from mqlint.language.captured import CAPTURED
from mqlint.language.captured.drbd import parse_drbd
from mqlint.language.captured.printed import parse_captured
from mqlint.language.registry import recognise
from mqlint.source.budget import Budget
from tests.linear import is_linear_in_time

KINDS = [
    # name of the file, text, language
    ("a.txt", "QMNAME(QMA)   STATUS(Running)\n", "captured"),
    ("a.log", "[mqm@h ~]$ dspmq\nQMNAME(QMA)   STATUS(Running)\n", "captured"),
    ("a.out", "Node:                alpha\nQueue manager name:   QMA\n", "captured"),
    ("a", "$ rdqmstatus -n\nNode alpha is online\n", "captured"),
    ("a.txt", "[u@h ~]$ sudo rdqmstatus -m A\nNode:\nalpha\nHA status:  Normal\n", "captured"),
    ("a.txt", "/opt/mqm/bin/dspmq -o ha\nQMNAME(QMA)   HA(Replicated)\n", "captured"),
    ("a.txt", "Node:\nalpha\nQueue manager status:   Running\n", "captured"),
    ("a.txt", "Node:\n  alpha is here\n", None),
    ("a.txt", "QueueManager:\n   Name=QMA\n", "captured"),
    ("a.txt", "addmqinf -v Name=QMA -v Prefix=/var/mqm\n", "captured"),
    ("a.txt", "Node: alpha is a nice machine\nHA status: fine\n", None),
    ("a.txt", "We run dspmq every night.\nQMNAME(QMA) STATUS(Running)\n", None),
    ("a.md", "QMNAME(QMA)   STATUS(Running)\n", None),
    ("qma.res", "# x\n\nresource qma {\n}\n", "drbd"),
    ("qma.res", "<resources/>\n", None),
]


@pytest.mark.parametrize(("name", "text", "language"), KINDS)
def test_a_capture_is_recognised(name: str, text: str, language: str | None) -> None:
    assert recognise(name, text) == language


@pytest.mark.growth
@pytest.mark.parametrize(
    "piece",
    [
        "QMNAME(A) ",
        "QMNAME(A) X(Y)\n",
        "Node: a\n",
        "Node:\n",
        "Node: a\nHA status: b\n",
        "Queue manager name: a\nHA preferred location: b\n",
        "sudo ",
        " INSTANCE(",
        "a$ rdqmstatus ",
        "$ ",
        "addmqinf -v ",
    ],
)
def test_a_capture_takes_linear_time(piece: str) -> None:
    assert is_linear_in_time(lambda times: parse_captured(piece * times), 2_000)


@pytest.mark.growth
@pytest.mark.parametrize(
    "piece",
    [
        "resource a {",
        "} ",
        "a { ",
        "on b { net { c; ",
        "connection-mesh { hosts a; ",
        '"',
        "#",
        "\n",
    ],
)
def test_a_resource_file_takes_linear_time(piece: str) -> None:
    assert is_linear_in_time(
        lambda times: parse_drbd("resource a {" + piece * times, Budget(1)), 2_000
    )


@pytest.mark.growth
@pytest.mark.parametrize("piece", ["$", "\n", "a$ dspmq ", "\n#", "addmqinf "])
def test_recognition_takes_linear_time(piece: str) -> None:
    assert is_linear_in_time(lambda times: CAPTURED.accepts("", piece * times), 2_000)
