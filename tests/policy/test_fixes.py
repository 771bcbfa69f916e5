"""Commands that the fix of a policy shows can be pasted: each of them is understood."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from mqlint.config.settings import Settings
from mqlint.engine import Input, check
from mqlint.finding import Rule
from mqlint.policy.language.cases import cases_of
from mqlint.policy.load import PolicySource, builtin_sources
from tests.policy.making import analyser
from tests.policy.test_style import PENDING
from tests.shipped import shipped_rulebook

_MQSC = re.compile(
    r" +(ALTER|CLEAR|DEFINE|DELETE|DISPLAY|PING|REFRESH|RESET|RESOLVE|RESUME|SET|START|STOP"
    r"|SUSPEND) [A-Z]+"
)
_CONTROL = re.compile(
    r" +(addmqinf|crtmqm|dltmqm|dmpmqcfg|dspmq\w*|endmqm|migmqlog|rcdmqimg|rcrmqobj|rdqm\w+"
    r"|runmq\w+|setmqaut|strmqm)\b"
)
_PLACEHOLDER = re.compile(r"\(the\.[a-z.]+\.value\)")
"""A number that the reader fills in."""


class Shown(NamedTuple):
    """Commands that follow each other in a fix, and the file that they could be in."""

    policy: str
    file: str
    text: str


def commands(source: PolicySource) -> Iterator[Shown]:
    """Each block of commands in the fix of a policy."""
    rule = Path(source.path).stem.upper()
    lines = [*shipped_rulebook().compiled_rule(rule)["fix"].split("\n"), ""]
    for file, pattern in (("fix.mqsc", _MQSC), ("fix.sh", _CONTROL)):
        block: list[str] = []
        for line in lines:
            if pattern.match(line) or (block and block[-1].endswith("+")):
                block.append(_PLACEHOLDER.sub("(32768)", line.strip()))
            elif block:
                yield Shown(source.path, file, "\n".join(block))
                block = []


def judges_a_command(rule: Rule) -> bool:
    """Whether a rule is about the words of one command, and not about what is around it."""
    own = shipped_rulebook().compiled_rule(rule.id)
    return rule.group in ("syntax", "vocabulary") or own["check"] in CONTROL_CHECKS


CONTROL_CHECKS = (
    *("control-misspelt", "control-capitals", "control-option", "control-value", "control-path"),
)
SHOWN = [
    shown
    for source in builtin_sources()
    if source.group not in PENDING
    for shown in commands(source)
]


def test_fixes_show_commands() -> None:
    files = [shown.file for shown in SHOWN]
    assert files.count("fix.mqsc") > 100
    assert files.count("fix.sh") > 15


@pytest.mark.parametrize("shown", SHOWN, ids=[shown.policy for shown in SHOWN])
def test_commands_of_a_fix_are_understood(shown: Shown) -> None:
    pasted = Input(shown.file, data=f"{shown.text}\n".encode())
    run = check([pasted], Settings(), analyser(), shipped_rulebook())
    found = [finding for finding in run.findings if judges_a_command(finding.rule)]
    assert [(finding.rule.id, finding.message) for finding in found] == []


def test_every_repair_shows_files_before_and_after() -> None:
    repaired = [
        source
        for source in builtin_sources()
        if shipped_rulebook().compiled_rule(Path(source.path).stem.upper())["repair"]
    ]
    assert len(repaired) > 30
    shown = {source.path for source in repaired if any(case.fixed for case in cases_of(source))}
    assert shown == {source.path for source in repaired}
